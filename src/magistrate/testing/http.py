"""A small HTTP/1.1 server on 127.0.0.1, in a thread of its own: what the test server stands on.

It speaks the part of HTTP that API clients use (requests with a Content-Length or chunks, keep-alive) and can misbehave
below the level of HTTP: answer late, cut a body short, close without an answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import struct
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from types import TracebackType
from typing import Self

__all__ = ["HttpReply", "HttpRequest", "HttpServer"]

MAX_HEAD = 64 * 1024
MAX_BODY = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """One request. Header names are lower-case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class HttpReply:
    """One reply, and how it is delivered.

    Args:
        status: HTTP status.
        body: The body.
        headers: Headers beyond Content-Length and Content-Type.
        content_type: Content-Type.
        delay: Seconds until the first byte; the handler waits.
        cut: Send only this many bytes of the body (the Content-Length promises all), then close.
        reset: Send nothing and reset the connection.
        hang: Send nothing and keep the connection open until the client or the server gives up.
        stream: The body piece by piece, each sent as it comes, in place of `body`. It is closed if the client goes.
    """

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    delay: float = 0.0
    cut: int | None = None
    reset: bool = False
    hang: bool = False
    stream: AsyncGenerator[bytes, None] | None = None


Handler = Callable[[HttpRequest], Awaitable[HttpReply]]


class HttpServer:
    """Serves a handler on a free port of 127.0.0.1 until it is stopped.

    Use it as a context manager. The handler runs on the server's own event loop.

    Args:
        handler: Turns a request into a reply.
        tls: Serves HTTPS with this context; None for HTTP.
        port: Port to serve on; 0 for a free one.
    """

    def __init__(self, handler: Handler, *, tls: ssl.SSLContext | None = None, port: int = 0) -> None:
        self._handler = handler
        self._tls = tls
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping: asyncio.Event | None = None
        self._thread: threading.Thread | None = None
        self._connections: set[asyncio.Task[None]] = set()
        self.port = port

    @property
    def url(self) -> str:
        """The server's address, without a trailing slash."""
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self.port}"

    def start(self) -> Self:
        """Start serving.

        Raises:
            RuntimeError: If it is serving already.
            OSError: If no port can be opened.
        """
        if self._thread is not None:
            raise RuntimeError(f"the server is running already, at {self.url}")
        listener = socket.create_server(("127.0.0.1", self.port), backlog=1024)
        self.port = listener.getsockname()[1]
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(listener, ready), name="http-server", daemon=True)
        self._thread.start()
        ready.wait()
        return self

    def stop(self) -> None:
        """Stop serving and close every connection. Does nothing if it is not serving."""
        if self._thread is None or self._loop is None or self._stopping is None:
            return
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join()
        self._thread = self._loop = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _run(self, listener: socket.socket, ready: threading.Event) -> None:
        asyncio.run(self._serve(listener, ready))

    async def _serve(self, listener: socket.socket, ready: threading.Event) -> None:
        self._loop = asyncio.get_running_loop()
        self._stopping = stopping = asyncio.Event()
        server = await asyncio.start_server(self._connection, sock=listener, limit=MAX_HEAD, ssl=self._tls)
        ready.set()
        await stopping.wait()
        server.close()
        await asyncio.sleep(0)  # connections that were just accepted become tasks
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        await asyncio.sleep(0)  # what they closed is closed before the loop ends

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._connections.add(task)
        try:
            # A client may go away at any point; that ends its connection and nothing else.
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                while await self._exchange(reader, writer):
                    pass
        except asyncio.CancelledError:
            pass  # the server stops; asyncio would log the cancellation of a connection as an error
        finally:
            if task is not None:
                self._connections.discard(task)
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; say whether the connection goes on."""
        request = await _read_request(reader)
        if request is None:
            return False
        reply = await self._handler(request)
        if reply.hang:
            await reader.read(1)  # returns when the client closes; the server's stop cancels it
            return False
        if reply.reset:
            _reset(writer)
            return False
        if reply.stream is not None:
            return await _send_stream(writer, reply, reply.stream, request)
        alive = reply.cut is None and request.headers.get("connection", "").lower() != "close"
        writer.write(_head(reply, alive=alive) + reply.body[: reply.cut])
        await writer.drain()
        return alive


async def _read_request(reader: asyncio.StreamReader) -> HttpRequest | None:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError as error:
        if error.partial.strip():
            raise
        return None
    first, *lines = head.decode("latin-1").split("\r\n")
    method, _, rest = first.partition(" ")
    path, _, _ = rest.rpartition(" ")
    headers = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if colon:
            headers[name.strip().lower()] = value.strip()
    if headers.get("transfer-encoding", "").lower() == "chunked":
        return HttpRequest(method, path, headers, await _read_chunks(reader))
    size = int(headers.get("content-length") or 0)
    if size > MAX_BODY:
        raise ConnectionError(f"a body of {size} bytes is too long")
    return HttpRequest(method, path, headers, await reader.readexactly(size) if size else b"")


async def _read_chunks(reader: asyncio.StreamReader) -> bytes:
    body = bytearray()
    while True:
        size = int((await reader.readline()).split(b";")[0], 16)
        if len(body) + size > MAX_BODY:
            raise ConnectionError("a chunked body is too long")
        body += await reader.readexactly(size)
        await reader.readline()
        if size == 0:
            return bytes(body)


async def _send_stream(
    writer: asyncio.StreamWriter, reply: HttpReply, stream: AsyncGenerator[bytes, None], request: HttpRequest
) -> bool:
    """Send a body as it comes, in chunks; say whether the connection goes on."""
    alive = request.headers.get("connection", "").lower() != "close"
    async with contextlib.aclosing(stream):
        writer.write(_head(reply, alive=alive))
        async for piece in stream:
            if piece:
                writer.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
                await writer.drain()
        writer.write(b"0\r\n\r\n")
        await writer.drain()
    return alive


def _head(reply: HttpReply, *, alive: bool) -> bytes:
    try:
        phrase = HTTPStatus(reply.status).phrase
    except ValueError:
        phrase = "Unknown"  # 529 and other statuses of the providers' own
    lines = [
        f"HTTP/1.1 {reply.status} {phrase}",
        f"Content-Type: {reply.content_type}",
        f"Content-Length: {len(reply.body)}" if reply.stream is None else "Transfer-Encoding: chunked",
        f"Connection: {'keep-alive' if alive else 'close'}",
        *(f"{name}: {value}" for name, value in reply.headers.items()),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def _reset(writer: asyncio.StreamWriter) -> None:
    """Close with RST instead of FIN: zero linger drops what is unsent."""
    raw = writer.get_extra_info("socket")
    if raw is not None:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
