"""The small HTTP server, seen through the standard library's client."""

import asyncio
import http.client
import json
import socket
import struct
import threading
from dataclasses import replace

import pytest

from magistrate.http_server import HttpReply, HttpServer


async def echo(request):
    return HttpReply(200, request.method.encode() + b" " + request.path.encode() + b" " + request.body)


def served(change):
    async def handler(request):
        return change(await echo(request))

    return HttpServer(handler)


def get(connection, path="/"):
    connection.request("GET", path)
    response = connection.getresponse()
    return response.status, response.read()


def connect(server):
    return http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)


class TestServing:
    def test_a_stream_is_sent_as_it_comes_and_the_connection_goes_on(self):
        read = threading.Event()

        async def pieces():
            yield b"first"
            while not read.is_set():  # noqa: ASYNC110 - the client is in another thread
                await asyncio.sleep(0.01)
            yield b", second"

        with served(lambda reply: replace(reply, stream=pieces())) as server:
            connection = connect(server)
            connection.request("GET", "/")
            response = connection.getresponse()
            assert response.read(5) == b"first"
            read.set()
            assert response.read() == b", second"
            read.clear()
            connection.request("GET", "/again")
            assert connection.getresponse().status == 200
            read.set()
            connection.close()

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
            connection = connect(server)
            connection.request("GET", "/")
            connection.getresponse().read(4)
            connection.close()
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
            connection.sendall(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
            assert arrived.wait(10)
            server.stop()
            assert connection.recv(1) == b""


class TestMisbehaving:
    def test_a_cut_body_is_shorter_than_promised(self):
        with served(lambda reply: replace(reply, cut=3)) as server:
            connection = connect(server)
            connection.request("GET", "/")
            with pytest.raises(http.client.IncompleteRead) as caught:
                connection.getresponse().read()
            assert caught.value.partial == b"GET"
            connection.close()

    def test_a_reset_sends_nothing(self):
        with (
            served(lambda reply: replace(reply, reset=True)) as server,
            socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection,
        ):
            connection.sendall(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
            with pytest.raises(ConnectionResetError):
                connection.recv(1)


def raw(server, sent):
    """What the server answers to these bytes."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall(sent)
        return connection.recv(1000)


class TestRequestsThatAreNone:
    @pytest.mark.parametrize(
        "sent", [b"hello there\r\n\r\n", b"\x16\x03\x01\x02\x00", b"GET / HTTP/1.1\r\nno colon\r\n\r\n"]
    )
    def test_rubbish_is_answered_400_and_hurts_nobody_else(self, sent):
        with HttpServer(echo) as server:
            assert b" 400 " in raw(server, sent + b"\r\n\r\n")[:20]
            connection = connect(server)
            assert get(connection)[0] == 200
            connection.close()

    def test_who_goes_while_sending_leaves_no_traceback(self, caplog):
        came = threading.Event()
        with HttpServer(echo, admit=lambda _: came.set()) as server:
            gone = socket.create_connection(("127.0.0.1", server.port), timeout=10)
            gone.sendall(b"POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 500\r\n\r\nabc")
            assert came.wait(10)
            gone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            gone.close()
            connection = connect(server)
            assert get(connection)[0] == 200
            connection.close()
        assert not caplog.records

    @pytest.mark.parametrize("size", [b"-5", b"five"])
    def test_a_length_that_is_no_number_is_answered_400(self, size):
        with HttpServer(echo) as server:
            head = b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: " + size
            assert b" 400 " in raw(server, head + b"\r\n\r\n")[:20]

    def test_a_body_that_is_too_large_is_answered_413(self, monkeypatch):
        monkeypatch.setattr("magistrate.http_server.MAX_BODY", 1000)
        with HttpServer(echo) as server:
            connection = connect(server)
            connection.request("POST", "/", body=b"x" * 2000)
            response = connection.getresponse()
            assert response.status == 413
            assert json.loads(response.read())["error"]["type"] == "invalid_request_error"
            connection.close()

    def test_a_body_that_does_not_come_is_answered_408(self):
        with HttpServer(echo, body_seconds=0.05) as server:
            assert raw(server, b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 5\r\n\r\nab").startswith(
                b"HTTP/1.1 408 "
            )

    def test_who_is_not_admitted_is_answered_before_the_body_has_come(self):
        with HttpServer(echo, admit=lambda request: HttpReply(401) if request.path == "/closed" else None) as server:
            assert raw(server, b"POST /closed HTTP/1.1\r\nHost: here\r\nContent-Length: 5\r\n\r\n").startswith(
                b"HTTP/1.1 401 "
            )
            assert raw(server, b"GET /open HTTP/1.1\r\nHost: here\r\n\r\n").startswith(b"HTTP/1.1 200 ")
