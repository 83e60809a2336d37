"""LiteLLM's own translations, for files: what it would send to a provider, and what it makes of an answer.

A server on 127.0.0.1 stands where the provider would. So a line of a batch file is what a direct call sends, byte for
byte, and a result is read by what reads direct answers; nothing leaves the machine, and no key is needed.
"""

import asyncio
import json
import weakref
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from magistrate.completion.batches._shapes import OPENAI_ALONE
from magistrate.completion.models import ResolvedModel
from magistrate.completion.providers._client import RefusedRequestError, carried
from magistrate.completion.providers._connections import LOOPS
from magistrate.completion.providers._library import quietly
from magistrate.errors import JudgeError
from magistrate.http_server import HttpReply, HttpRequest, HttpServer

NO_KEY = "no-key"
_MARK = "x-magistrate-exchange"
_SECONDS = 60.0
_NOTED = HttpReply(400, b'{"error":{"message":"noted","type":"invalid_request_error"}}')


class Loopback:
    """Stands for a provider; to be closed."""

    def __init__(self) -> None:
        self._server: HttpServer | None = None
        self._answers: dict[str, HttpReply] = {}
        self._seen: dict[str, bytes] = {}
        self._loops: weakref.WeakSet[asyncio.AbstractEventLoop] = weakref.WeakSet()

    async def _handle(self, request: HttpRequest) -> HttpReply:
        mark = request.headers.get(_MARK, "")
        self._seen[mark] = request.body
        return self._answers.get(mark, _NOTED)

    async def sent(self, shape: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """The body that a provider of this shape would get for a request."""
        mark, name = uuid4().hex, str(body["model"])
        why = ""
        try:
            await self._exchange(ResolvedModel(name, name, shape), shape, body, mark)
        except JudgeError as error:
            why = error.message
        except RefusedRequestError as refusal:
            why = refusal.args[0].message
        if (seen := self._seen.pop(mark, None)) is None:
            raise JudgeError(f"the request cannot be written in the shape of {shape}: {why}", model=name)
        made: dict[str, Any] = json.loads(seen)
        return made

    async def read(
        self, model: ResolvedModel, shape: str, body: Mapping[str, Any], status: int, answer: Mapping[str, Any]
    ) -> Any:
        """What LiteLLM makes of an answer to a request; it raises what a direct call would."""
        mark = uuid4().hex
        self._answers[mark] = HttpReply(status, json.dumps(answer).encode())
        try:
            return await self._exchange(model, shape, body, mark)
        finally:
            self._answers.pop(mark)
            self._seen.pop(mark, None)

    async def _exchange(self, model: ResolvedModel, shape: str, body: Mapping[str, Any], mark: str) -> Any:
        await LOOPS.enter(self._loops)  # what is opened is closed with the loop
        if self._server is None:
            self._server = HttpServer(self._handle).start()
        named = ResolvedModel(model.requested, model.name, model.provider)
        sent: dict[str, Any] = {
            **{name: value for name, value in body.items() if shape == "openai" or name not in OPENAI_ALONE},
            "model": f"{shape}/{str(body['model']).partition('/')[2] or body['model']}",
            "api_base": self._server.url if shape == "anthropic" else f"{self._server.url}/v1",
            "api_key": NO_KEY,
            "timeout": _SECONDS,
            "extra_headers": {_MARK: mark},
        }
        with quietly():
            return await carried(named, sent)

    def close(self) -> None:
        if self._server is not None:
            self._server.stop()
            self._server = None
