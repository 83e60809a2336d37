"""OpenAI's own client, whose requests do not leave the process: what answers `magistrate proxy` answers them."""

from __future__ import annotations

import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from magistrate.completion.base import MODELS_MISSING
from magistrate.errors import MissingExtraError
from magistrate.http_server import HttpRequest
from magistrate.integrations._common import Backend
from magistrate.integrations.proxy import Proxy
from magistrate.judges.llm import LLMJudge
from magistrate.sync import run_sync

if TYPE_CHECKING:
    import openai

_ADDRESS = "http://localhost/v1"


@cache
def _library() -> tuple[Any, Any]:
    """The library that OpenAI's makes requests with, and a body as that one streams it."""
    try:
        import openai  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtraError.needed(MODELS_MISSING, "models") from None
    # httpx, or its successor in later versions of OpenAI's library: a client takes the transports of its own kind only.
    bases = (base.__module__ for base in openai.DefaultHttpxClient.__mro__ if base.__name__ == "Client")
    http: Any = __import__(next(bases).partition(".")[0])

    class Body(http.SyncByteStream, http.AsyncByteStream):
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

    return http, Body


async def _answered(endpoint: Proxy, request: Any) -> Any:
    http, body_of = _library()
    headers = {name.lower(): value for name, value in request.headers.items()}
    reply = await endpoint(HttpRequest(request.method, request.url.path, headers, request.content))
    body: dict[str, Any] = {"content": reply.body} if reply.stream is None else {"stream": body_of(reply.stream)}
    return http.Response(reply.status, headers={"content-type": reply.content_type, **reply.headers}, **body)


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
    http, _ = _library()
    token, endpoint = _endpoint(model, options)
    import openai  # noqa: PLC0415 - an extra, which is there

    client = http.Client(transport=http.MockTransport(lambda request: run_sync(_answered(endpoint, request))))
    # What the endpoint could not answer it has asked for again already.
    return openai.OpenAI(api_key=token, base_url=_ADDRESS, max_retries=0, http_client=client)


def as_async_openai_client(model: str | LLMJudge, **options: Any) -> openai.AsyncOpenAI:
    """Make an asynchronous OpenAI client of a judge (see `as_openai_client`)."""
    http, _ = _library()
    token, endpoint = _endpoint(model, options)
    import openai  # noqa: PLC0415 - an extra, which is there

    client = http.AsyncClient(transport=http.MockTransport(partial(_answered, endpoint)))
    return openai.AsyncOpenAI(api_key=token, base_url=_ADDRESS, max_retries=0, http_client=client)


def _endpoint(model: str | LLMJudge, options: dict[str, Any]) -> tuple[str, Proxy]:
    token = secrets.token_urlsafe(32)
    return token, Proxy(Backend(model, **options), token)
