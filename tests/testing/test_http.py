"""The small HTTP server, seen through the standard library's client."""

from __future__ import annotations

import asyncio
import http.client
import socket
import threading
from collections.abc import AsyncGenerator, Callable
from dataclasses import replace

import pytest

from magistrate.testing.http import HttpReply, HttpRequest, HttpServer


async def echo(request: HttpRequest) -> HttpReply:
    return HttpReply(200, request.method.encode() + b" " + request.path.encode() + b" " + request.body)


def served(change: Callable[[HttpReply], HttpReply]) -> HttpServer:
    async def handler(request: HttpRequest) -> HttpReply:
        return change(await echo(request))

    return HttpServer(handler)


def get(connection: http.client.HTTPConnection, path: str = "/") -> tuple[int, bytes]:
    connection.request("GET", path)
    response = connection.getresponse()
    return response.status, response.read()


def connect(server: HttpServer) -> http.client.HTTPConnection:
    return http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)


class TestServing:
    def test_one_connection_serves_many_requests(self) -> None:
        with HttpServer(echo) as server:
            connection = connect(server)
            for number in range(3):
                assert get(connection, f"/{number}") == (200, f"GET /{number} ".encode())
            connection.close()

    def test_bodies_come_with_a_length_or_in_chunks(self) -> None:
        with HttpServer(echo) as server:
            connection = connect(server)
            connection.request("POST", "/", body=b"whole")
            assert connection.getresponse().read() == b"POST / whole"
            connection.request("POST", "/", body=iter([b"in ", b"pieces"]), encode_chunked=True)
            assert connection.getresponse().read() == b"POST / in pieces"
            connection.close()

    def test_a_stream_is_sent_as_it_comes_and_the_connection_goes_on(self) -> None:
        read = threading.Event()

        async def pieces() -> AsyncGenerator[bytes, None]:
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

    def test_a_stream_that_nobody_reads_is_closed(self) -> None:
        closed = threading.Event()

        async def pieces() -> AsyncGenerator[bytes, None]:
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

    def test_a_client_that_wants_to_close_is_obeyed(self) -> None:
        with HttpServer(echo) as server:
            connection = connect(server)
            connection.request("GET", "/", headers={"Connection": "close"})
            assert connection.getresponse().getheader("Connection") == "close"
            connection.close()

    def test_unknown_statuses_have_a_phrase_too(self) -> None:
        with served(lambda reply: replace(reply, status=529)) as server:
            connection = connect(server)
            assert get(connection)[0] == 529
            connection.close()

    def test_it_can_be_started_once_and_stopped_often(self) -> None:
        server = HttpServer(echo).start()
        with pytest.raises(RuntimeError, match="running already"):
            server.start()
        server.stop()
        server.stop()

    def test_stopping_closes_connections_that_wait(self) -> None:
        arrived = threading.Event()

        def hang(reply: HttpReply) -> HttpReply:
            arrived.set()
            return replace(reply, hang=True)

        server = served(hang).start()
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
            connection.sendall(b"GET / HTTP/1.1\r\n\r\n")
            assert arrived.wait(10)
            server.stop()
            assert connection.recv(1) == b""


class TestMisbehaving:
    def test_a_cut_body_is_shorter_than_promised(self) -> None:
        with served(lambda reply: replace(reply, cut=3)) as server:
            connection = connect(server)
            connection.request("GET", "/")
            with pytest.raises(http.client.IncompleteRead) as caught:
                connection.getresponse().read()
            assert caught.value.partial == b"GET"
            connection.close()

    def test_a_reset_sends_nothing(self) -> None:
        with (
            served(lambda reply: replace(reply, reset=True)) as server,
            socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection,
        ):
            connection.sendall(b"GET / HTTP/1.1\r\n\r\n")
            with pytest.raises(ConnectionResetError):
                connection.recv(1)

    def test_rubbish_instead_of_http_ends_the_connection_and_nothing_else(self) -> None:
        async def rubbish(port: int) -> bytes:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"hello there\r\n")
            writer.write_eof()
            data = await reader.read()
            writer.close()
            return data

        with HttpServer(echo) as server:
            assert asyncio.run(rubbish(server.port)) == b""
            connection = connect(server)
            assert get(connection)[0] == 200
            connection.close()
