"""Batches at a provider: given, looked for, watched, and fetched. By LiteLLM; Anthropic's at its own endpoint."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from magistrate.completion.batches._loopback import NO_KEY
from magistrate.completion.batches.rounds import Part
from magistrate.completion.models import ResolvedModel
from magistrate.completion.providers._errors import translate
from magistrate.completion.providers._library import library, quietly

_ENDED = frozenset({"completed", "expired", "cancelled"})
_BY_LITELLM = frozenset({"openai", "azure", "vertex_ai", "hosted_vllm", "litellm_proxy", "xai"})
"""Providers whose batches LiteLLM makes and lists: what cannot be listed could not be found again after a kill."""
_TAG = "magistrate-run"
_PAGES = 50
_CLOCKS_SECONDS = 600.0
"""By how much clocks may differ."""
_TIMEOUT = 600.0


@dataclass(frozen=True, slots=True)
class Progress:
    """What a provider says of a batch."""

    status: str
    ended: bool = False
    failed: str | None = None
    outputs: tuple[str, ...] = ()


def provider_of(model: ResolvedModel) -> _LiteLLM | _Anthropic | None:
    """Who carries out batches of a model; None where only files can be made: no key, or no way to make one."""
    if model.api_key == NO_KEY:
        return None
    if model.provider == "anthropic":
        return _Anthropic(model)
    return _LiteLLM(model) if model.provider in _BY_LITELLM else None


class _Paged:
    """What lists batches, the newest first."""

    _page: Any
    _may_be: Any

    def __init__(self, model: ResolvedModel) -> None:
        self._model = model

    async def find(self, part: Part, tag: str, known: frozenset[str]) -> str | None:
        """A batch that may have been made of a part before a kill, and is none of those that are known."""
        found: list[str] = []
        after = None
        for _ in range(_PAGES):
            batches, more = await self._page(after)
            ids = [str(batch["id"]) for batch in batches if self._may_be(batch, part, tag)]
            found += [batch for batch in ids if batch not in known]
            if not more or not batches:
                break
            after = batches[-1]["id"]
        return found[-1] if found else None


class _LiteLLM(_Paged):
    async def _call(self, function: str, **parameters: Any) -> Any:
        model = self._model
        sent = {"api_base": model.api_base, "api_key": model.api_key, "timeout": _TIMEOUT, "max_retries": 2}
        given = {name: value for name, value in (sent | parameters).items() if value is not None}
        try:
            with quietly():
                # In a thread: its asynchronous ones leave a client open for each call.
                call = partial(getattr(library(), function), custom_llm_provider=model.provider, **given)
                return await asyncio.to_thread(call)
        except Exception as error:  # noqa: BLE001 - whatever it is, it becomes one of ours
            ours = translate(error, model)
        raise ours  # outside: its context would hold the request

    async def submit(self, path: Path, tag: str) -> str:
        with path.open("rb") as file:
            given = await self._call("create_file", file=(path.name, file), purpose="batch")
        made = await self._call(
            "create_batch",
            completion_window="24h",
            endpoint="/v1/chat/completions",
            input_file_id=given.id,
            metadata={_TAG: tag},
            max_retries=0,  # an answer may be lost of a batch that was made: it is looked for before it is made again
        )
        return str(made.id)

    async def _page(self, after: str | None) -> tuple[Sequence[Mapping[str, Any]], bool]:
        page = await self._call("list_batches", limit=100, after=after)
        batches = [batch if isinstance(batch, Mapping) else batch.model_dump() for batch in page.data]
        return batches, getattr(page, "has_more", False)

    def _may_be(self, batch: Mapping[str, Any], part: Part, tag: str) -> bool:
        del part
        return bool((batch.get("metadata") or {}).get(_TAG) == tag)

    async def progress(self, batch: str) -> Progress:
        found = await self._call("retrieve_batch", batch_id=batch)
        if found.status == "failed":
            errors = getattr(getattr(found, "errors", None), "data", None) or ()
            said = "; ".join(str(getattr(error, "message", error)) for error in errors[:3])
            return Progress("failed", ended=True, failed=said or "the provider does not say why")
        outputs = tuple(file for file in (found.output_file_id, found.error_file_id) if file)
        return Progress(found.status, ended=found.status in _ENDED, outputs=outputs)

    async def fetch(self, output: str, path: Path) -> None:
        content = await self._call("file_content", file_id=output)
        await asyncio.to_thread(path.write_bytes, content.content)


class _Anthropic(_Paged):
    """Its batches carry no metadata: one that was made before a kill is known by its time and its size."""

    def __init__(self, model: ResolvedModel) -> None:
        super().__init__(model)
        base = (model.api_base or os.environ.get("ANTHROPIC_API_BASE") or "https://api.anthropic.com").rstrip("/")
        self._url = f"{base.removesuffix('/v1')}/v1/messages/batches"

    async def _call(self, url: str, body: Path | None = None, into: Path | None = None) -> Any:
        import aiohttp  # noqa: PLC0415 - seldom needed

        key = self._model.api_key or os.environ.get("ANTHROPIC_API_KEY", "")
        headers = {"x-api-key": key, "anthropic-version": "2023-06-01", "content-type": "application/json"}
        try:
            with ExitStack() as opened:
                data = None if body is None else opened.enter_context(body.open("rb"))
                method, limit = "GET" if body is None else "POST", aiohttp.ClientTimeout(_TIMEOUT)
                more: dict[str, Any] = {"allow_redirects": False, "raise_for_status": _checked}
                async with (
                    aiohttp.ClientSession(timeout=limit, trust_env=True) as session,
                    session.request(method, url, data=data, headers=headers, **more) as answer,
                ):
                    if into is None:
                        return await answer.json(content_type=None)
                    file = opened.enter_context(into.open("wb"))
                    async for piece in answer.content.iter_any():
                        file.write(piece)
                    return None
        except (OSError, ValueError, aiohttp.ClientError, _EndpointError) as error:
            ours = translate(error, self._model, [key])
        raise ours

    async def submit(self, path: Path, tag: str) -> str:
        del tag
        body = path.with_suffix(".json")
        with path.open("rb") as lines, body.open("wb") as file:
            file.write(b'{"requests":[')
            for number, line in enumerate(lines):
                file.write((b"," if number else b"") + line.rstrip(b"\n"))
            file.write(b"]}")
        try:
            return str((await self._call(self._url, body))["id"])
        finally:
            body.unlink()

    async def _page(self, after: str | None) -> tuple[Sequence[Mapping[str, Any]], bool]:
        page = await self._call(f"{self._url}?limit=100{f'&after_id={after}' if after else ''}")
        return page["data"], page.get("has_more", False)

    def _may_be(self, batch: Mapping[str, Any], part: Part, tag: str) -> bool:
        del tag
        made = datetime.fromisoformat(batch["created_at"]).timestamp()
        return made >= part.noted - _CLOCKS_SECONDS and sum(batch["request_counts"].values()) == part.requests

    async def progress(self, batch: str) -> Progress:
        found = await self._call(f"{self._url}/{batch}")
        status = str(found["processing_status"])
        return Progress(status, ended=status == "ended", outputs=(batch,))

    async def fetch(self, output: str, path: Path) -> None:
        await self._call(f"{self._url}/{output}/results", into=path)


async def _checked(answer: Any) -> None:
    """Refuse failures, and redirects: the key is for this address alone."""
    if answer.status >= 300:  # noqa: PLR2004 - HTTP
        raise _EndpointError(answer.status, (await answer.content.read(100_000)).decode("utf-8", "replace"))


class _EndpointError(Exception):
    """What went wrong at an address, as the libraries of providers say it."""

    def __init__(self, status: int, said: str) -> None:
        self.status_code = status
        with suppress(ValueError, LookupError, TypeError):
            said = str(json.loads(said)["error"]["message"])
        super().__init__(said)
