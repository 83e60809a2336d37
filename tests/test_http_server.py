"""The small HTTP server, seen through the standard library's client."""

import asyncio
import http.client
import json
import socket
import struct
import threading
from contextlib import contextmanager
from dataclasses import replace

import pytest

from magistrate.http_server import HttpReply, HttpServer


async def echo(request):
    return HttpReply(200, request.method.encode() + b" " + request.path.encode() + b" " + request.body)


def served(change):
    async def handler(request):
        return change(await echo(request))

    return HttpServer(handler)


@contextmanager
def connected(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    yield connection
    connection.close()


def get(connection, method="GET", **given):
    connection.request(method, "/", **given)
    return connection.getresponse()


class TestServing:
    def test_a_stream_is_sent_as_it_comes_and_the_connection_goes_on(self):
        read = threading.Event()

        async def pieces():
            yield b"first"
            while not read.is_set():  # noqa: ASYNC110 - the client is in another thread
                await asyncio.sleep(0.01)
            yield b", second"

        with served(lambda reply: replace(reply, stream=pieces())) as server, connected(server) as connection:
            response = get(connection)
            assert response.read(5) == b"first"
            read.set()
            assert response.read() == b", second"
            read.clear()
            assert get(connection).status == 200
            read.set()

    def test_a_stream_that_nobody_reads_is_closed(self):
        closed = threading.Event()

        async def pieces():
            try:
                while True:
                    yield b"more" * 10_000
                    await asyncio.sleep(0)
            finally:
                closed.set()

        with served(lambda reply: replace(reply, stream=pieces())) as server:
            with connected(server) as connection:
                get(connection).read(4)
            assert closed.wait(10)

    def test_it_can_be_started_once_and_stopped_often(self):
        server = HttpServer(echo).start()
        with pytest.raises(RuntimeError, match="running already"):
            server.start()
        server.stop()
        server.stop()

    def test_stopping_closes_connections_that_wait(self):
        arrived = threading.Event()

        def hang(reply):
            arrived.set()
            return replace(reply, hang=True)

        server = served(hang).start()
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
            connection.sendall(GET)
            assert arrived.wait(10)
            server.stop()
            assert connection.recv(1) == b""


class TestMisbehaving:
    def test_a_cut_body_is_shorter_than_promised(self):
        with served(lambda reply: replace(reply, cut=3)) as server, connected(server) as connection:
            with pytest.raises(http.client.IncompleteRead) as caught:
                get(connection).read()
            assert caught.value.partial == b"GET"

    def test_a_reset_sends_nothing(self):
        with served(lambda reply: replace(reply, reset=True)) as server, pytest.raises(ConnectionResetError):
            raw(server, GET)


GET = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: "


def raw(server, sent):
    """What the server answers to these bytes."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall(sent)
        return connection.recv(1000)


class TestRequestsThatAreNone:
    @pytest.mark.parametrize(
        ("sent", "status"),
        [
            (b"hello there\r\n\r\n", 400),
            (b"\x16\x03\x01\x02\x00\r\n\r\n", 400),
            (b"GET / HTTP/1.1\r\nno colon\r\n\r\n", 400),
            (POST + b"-5\r\n\r\n", 400),
            (POST + b"five\r\n\r\n", 400),
            (POST + b"99999999999\r\n\r\nab", 413),
            (POST + b"5\r\n\r\nab", 408),  # and the rest does not come
        ],
    )
    def test_are_answered_as_such_and_hurt_nobody_else(self, sent, status):
        with HttpServer(echo, body_seconds=0.05) as server, connected(server) as connection:
            assert b" %d " % status in raw(server, sent)[:20]
            assert get(connection).status == 200

    def test_who_goes_while_sending_leaves_no_traceback(self, caplog):
        came = threading.Event()
        with HttpServer(echo, admit=lambda _: came.set()) as server, connected(server) as connection:
            gone = socket.create_connection(("127.0.0.1", server.port), timeout=10)
            gone.sendall(POST + b"500\r\n\r\nabc")
            assert came.wait(10)
            gone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            gone.close()
            assert get(connection).status == 200
        assert not caplog.records

    def test_a_body_that_is_too_large_is_answered_413(self, monkeypatch):
        monkeypatch.setattr("magistrate.http_server.MAX_BODY", 1000)
        with HttpServer(echo) as server, connected(server) as connection:
            response = get(connection, "POST", body=b"x" * 2000)
            assert response.status == 413
            assert json.loads(response.read())["error"]["type"] == "invalid_request_error"

    def test_who_is_not_admitted_is_answered_before_the_body_has_come(self):
        with HttpServer(echo, admit=lambda sent: HttpReply(401) if sent.method == "POST" else None) as server:
            assert raw(server, POST + b"5\r\n\r\n").startswith(b"HTTP/1.1 401 ")
            assert raw(server, GET).startswith(b"HTTP/1.1 200 ")
