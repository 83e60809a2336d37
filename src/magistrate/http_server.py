"""An HTTP server on 127.0.0.1, in a thread of its own; aiohttp does the HTTP, and is loaded when a server starts."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import ssl
import struct
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn, Self

from magistrate.errors import MissingExtraError

if TYPE_CHECKING:
    from aiohttp import web

MAX_BODY = 32 * 1024 * 1024
"""Most bytes of a request's body."""
_IDLE_SECONDS = 75.0
"""How long a connection may stand without a request, or with the head of one that does not end."""
_ENDING_SECONDS = 0.01

_log = logging.getLogger(__name__)


def _is_ours(entry: logging.LogRecord) -> bool:
    """Whether a fault is ours, and not what a client sent, which gets a status, or that it went while it sent."""
    error = entry.exc_info[1] if entry.exc_info else None
    return not isinstance(error, ConnectionError) and type(error).__module__ != "aiohttp.http_exceptions"


_log.addFilter(_is_ours)


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """One request. Header names are lower-case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes = b""


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


@dataclass(eq=False)
class HttpServer:
    """Serves a handler on a port of 127.0.0.1 until it is stopped.

    Use it as a context manager. The handler runs on the server's own event loop, and is cancelled if the client goes.
    """

    handler: Handler
    admit: Callable[[HttpRequest], HttpReply | None] | None = field(default=None, kw_only=True)
    tls: ssl.SSLContext | None = field(default=None, kw_only=True)
    port: int = field(default=0, kw_only=True)
    body_seconds: float = field(default=60.0, kw_only=True)
    _loop: asyncio.AbstractEventLoop | None = field(default=None, init=False)
    _stopping: asyncio.Event | None = field(default=None, init=False)
    _thread: threading.Thread | None = field(default=None, init=False)

    @property
    def url(self) -> str:
        """The server's address, without a trailing slash."""
        return f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}"

    def start(self) -> Self:
        """Start serving."""
        if self._thread is not None:
            raise RuntimeError(f"the server is running already, at {self.url}")
        try:
            import aiohttp.web  # noqa: F401, PLC0415 - loaded by whoever starts a server
        except ImportError:
            raise MissingExtraError.needed("a server needs aiohttp", "models") from None
        listener = socket.create_server(("127.0.0.1", self.port), backlog=1024)
        self.port = listener.getsockname()[1]
        ready = threading.Event()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._serve(listener, ready)), name="http-server", daemon=True
        )
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

    def __exit__(self, *raised: object) -> None:
        self.stop()

    async def _serve(self, listener: socket.socket, ready: threading.Event) -> None:
        from aiohttp import web  # noqa: PLC0415

        self._loop = loop = asyncio.get_running_loop()
        self._stopping = asyncio.Event()
        request: Any = partial(web.BaseRequest, loop=loop, client_max_size=MAX_BODY)
        protocols = web.Server(
            self._exchange,
            request_factory=request,
            handler_cancellation=True,
            access_log=None,
            logger=_log,
            keepalive_timeout=_IDLE_SECONDS,
            lingering_time=1.0,
        )
        server = await self._loop.create_server(protocols, sock=listener, ssl=self.tls)
        ready.set()
        await self._stopping.wait()
        server.close()
        await asyncio.sleep(0)  # connections that were just accepted are known
        await protocols.shutdown(_ENDING_SECONDS)

    async def _exchange(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer one request."""
        from aiohttp import web  # noqa: PLC0415

        headers = {name.lower(): value for name, value in request.headers.items()}
        path = request.raw_path if request.method == "CONNECT" else request.path_qs
        reply = self.admit(HttpRequest(request.method, path, headers)) if self.admit is not None else None
        if reply is None:
            body = await _body_of(request, self.body_seconds)
            if not isinstance(body, bytes):
                return body
            reply = await self.handler(HttpRequest(request.method, path, headers, body))
        headers = {"Content-Type": reply.content_type, **reply.headers}
        given: dict[str, Any] = {"status": reply.status, "headers": headers}
        if reply.reset and request.transport is not None:  # with RST instead of FIN: zero linger drops what is unsent
            raw = request.transport.get_extra_info("socket")
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            request.transport.abort()
        if reply.hang or reply.reset:
            return await _until_the_client_goes()
        if reply.stream is None and reply.cut is None:
            return web.Response(body=reply.body, **given)
        response = web.StreamResponse(**given)
        if reply.stream is not None:
            async with contextlib.aclosing(reply.stream) as stream:
                await response.prepare(request)
                async for piece in stream:
                    await response.write(piece)
                await response.write_eof()
            return response
        response.content_length = len(reply.body)
        await response.prepare(request)
        await response.write(reply.body[: reply.cut])
        if request.transport is not None:
            request.transport.close()
        return await _until_the_client_goes()


async def _body_of(request: web.BaseRequest, seconds: float) -> bytes | web.Response:
    """The body, or the answer that there is none; one that is too long by its own head is not waited for."""
    from aiohttp import web  # noqa: PLC0415

    refusal = 413, f"the body is longer than {MAX_BODY} bytes"
    try:
        if (request.content_length or 0) <= MAX_BODY:
            return await asyncio.wait_for(request.read(), seconds)
    except TimeoutError:
        refusal = 408, f"the body did not come within {seconds:g} seconds"
    except web.HTTPRequestEntityTooLarge:
        pass
    return _refused(*refusal)


async def _until_the_client_goes() -> NoReturn:
    """Wait for the end of the connection, which cancels whoever answers it."""
    await asyncio.get_running_loop().create_future()
    raise AssertionError  # nobody ends that future


def _refused(status: int, message: str) -> web.Response:
    from aiohttp import web  # noqa: PLC0415

    error = {"message": f"magistrate: {message}", "type": "invalid_request_error", "param": None, "code": None}
    response = web.json_response({"error": error}, status=status)
    response.force_close()
    return response
