"""OpenAI's own client, whose requests do not leave the process: what answers `magistrate proxy` answers them."""

import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from functools import partial
from typing import Any

import openai

from magistrate.http_server import HttpRequest
from magistrate.integrations._common import Backend
from magistrate.integrations.proxy import Proxy
from magistrate.judges.llm import LLMJudge
from magistrate.sync import run_sync

_ADDRESS = "http://localhost/v1"
_LIBRARY: Any = __import__(
    # httpx, or its successor in later versions of OpenAI's library: a client takes the transports of its own kind only.
    next(base.__module__ for base in openai.DefaultHttpxClient.__mro__ if base.__name__ == "Client").partition(".")[0]
)


class _Body(_LIBRARY.SyncByteStream, _LIBRARY.AsyncByteStream):
    """A streamed body, piece by piece."""

    def __init__(self, stream: AsyncGenerator[bytes, None]) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._stream:
            yield piece

    def __iter__(self) -> Iterator[bytes]:
        while (piece := run_sync(self._next())) is not None:
            yield piece

    async def _next(self) -> bytes | None:
        return await anext(self._stream, None)

    async def aclose(self) -> None:
        await self._stream.aclose()

    def close(self) -> None:
        run_sync(self.aclose())


async def _answered(endpoint: Proxy, request: Any) -> Any:
    headers = {name.lower(): value for name, value in request.headers.items()}
    reply = await endpoint(HttpRequest(request.method, request.url.path, headers, request.content))
    body: dict[str, Any] = {"content": reply.body} if reply.stream is None else {"stream": _Body(reply.stream)}
    return _LIBRARY.Response(reply.status, headers={"content-type": reply.content_type, **reply.headers}, **body)


def as_openai_client(model: str | LLMJudge, **options: Any) -> openai.OpenAI:
    """Make an OpenAI client of a judge: `chat.completions.create`, `parse`, streams, errors and all.

    A reply to a request with a JSON schema, or with one tool that must be called, fits it, or the client raises
    `openai.UnprocessableEntityError`, which says why. Requests must name the
    judge's model. What they say of temperature, stop words and the like is not heeded: these are options of the judge.
    The status, the number of calls and the cost are in the reply's headers (`x-magistrate-*`, by `with_raw_response`).

    Args:
        model: The model's name, or a judge.
        **options: Options of the judge, where `model` is a name: api_base, api_key, cache, budget, temperature, ...

    Raises:
        UnknownModelError: If no provider is known for the name.
        ConfigurationError: If an option is wrong, or the key is missing.
    """
    token, endpoint = _endpoint(model, options)
    transport = _LIBRARY.MockTransport(lambda request: run_sync(_answered(endpoint, request)))
    # What the endpoint could not answer it has asked for again already.
    http = _LIBRARY.Client(transport=transport)
    return openai.OpenAI(api_key=token, base_url=_ADDRESS, max_retries=0, http_client=http)


def as_async_openai_client(model: str | LLMJudge, **options: Any) -> openai.AsyncOpenAI:
    """Make an asynchronous OpenAI client of a judge (see `as_openai_client`)."""
    token, endpoint = _endpoint(model, options)
    http = _LIBRARY.AsyncClient(transport=_LIBRARY.MockTransport(partial(_answered, endpoint)))
    return openai.AsyncOpenAI(api_key=token, base_url=_ADDRESS, max_retries=0, http_client=http)


def _endpoint(model: str | LLMJudge, options: dict[str, Any]) -> tuple[str, Proxy]:
    token = secrets.token_urlsafe(32)
    return token, Proxy(Backend(model, **options), token)
