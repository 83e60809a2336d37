"""A client that asks nobody: it answers from batches that came back, and notes what is to be asked in the next one."""

import hashlib
import json
import time
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from magistrate.completion.base import CompletionClient
from magistrate.completion.batches._loopback import Loopback
from magistrate.completion.batches._providers import provider_of
from magistrate.completion.batches._shapes import request_line, shape_of
from magistrate.completion.batches.rounds import Part, Round, Rounds
from magistrate.completion.budget import Budget
from magistrate.completion.cache import cache_key
from magistrate.completion.models import ResolvedModel
from magistrate.completion.providers._client import LiteLLMClient
from magistrate.completion.streams import Hear
from magistrate.errors import ConfigurationError, DatasetError, JudgeError, MagistrateError, PendingError
from magistrate.records import Completion, CompletionRequest
from magistrate.redact import names_secret

PRICE = 0.5
"""What a call in a batch costs, of what a direct one does."""
MOST_TRIES = 5
"""Batches that a request is put into, where the provider does not come to it."""
_NOT_SENT = frozenset({"timeout", "custom_llm_provider", "extra_headers", "headers", "default_headers", "api_version"})

_key: ContextVar[str] = ContextVar("magistrate_batch_key")


class _UnansweredError(Exception):
    """No batch has an answer to a request as it is made now: its digest, and its body."""


@dataclass
class Batching:
    """How the calls of a run are put into batches."""

    finish_direct: bool = False
    models: dict[str, ResolvedModel] = field(default_factory=dict)
    loopback: Loopback = field(default_factory=Loopback)
    _rounds: Rounds | None = None

    @property
    def rounds(self) -> Rounds:
        """The rounds of the run."""
        if self._rounds is None:
            raise ConfigurationError("the batches of a run are kept in its folder, which is not open")
        return self._rounds

    @property
    def direct(self) -> bool:
        """Whether what is missing is asked at once."""
        return self.finish_direct and self._rounds is not None and bool(self._rounds.rounds)

    def open(self, run: Path) -> None:
        """Open the rounds of a run."""
        self._rounds = Rounds(run)

    def close(self) -> None:
        """Let others work on the rounds."""
        self.loopback.close()
        if self._rounds is not None:
            self._rounds.close()


class BatchClient:
    """Answers from what came back; what is missing is noted, and `PendingError` raised."""

    def __init__(
        self,
        batching: Batching,
        model: ResolvedModel,
        *,
        budget: Budget | None = None,
        prices: tuple[float, float] | None = None,
        direct: CompletionClient | None = None,
    ) -> None:
        self._batching = batching
        self._budget = budget
        self._direct = direct
        self.caller = LiteLLMClient(model, prices=prices, carry=self._carry)
        batching.models[model.name] = model

    async def complete(self, request: CompletionRequest) -> Completion:
        """Answer one request."""
        rounds, model = self._batching.rounds, self.caller.model
        key = cache_key(request, model.api_base)
        _key.set(key)
        wanted = None
        while wanted is None:
            try:
                completion = await self.caller.complete(request)
            except _UnansweredError as missing:
                wanted = missing
            except JudgeError as error:
                if not (error.retryable and rounds.reject(key)):
                    raise
            else:
                cost = completion.usage.cost
                usage = replace(completion.usage, cost=None if cost is None else cost * PRICE, latency_ms=0.0)
                return replace(completion, usage=usage)
        if rounds.is_open(key):
            raise PendingError("it waits in a batch")
        if self._direct is not None:
            return await self._direct.complete(request)
        if rounds.tries(key) >= MOST_TRIES:
            raise JudgeError(f"{MOST_TRIES} batches came back without an answer", model=request.model)
        if self._budget is not None:
            worst = self.caller.worst_cost(request)
            self._budget.settle(await self._budget.hold(None if worst is None else worst * PRICE), None)
        rounds.note(key, model.name, model.provider, *wanted.args)
        raise PendingError("it is for the next batch")

    async def close(self) -> None:
        """Close what makes direct calls."""
        await self.caller.close()
        if self._direct is not None:
            await self._direct.close()

    async def _carry(self, model: ResolvedModel, sent: dict[str, Any], hearing: Hear | None = None) -> Any:
        """Bring back what a batch has for a call."""
        del hearing
        body = {name: value for name, value in sent.items() if name not in _NOT_SENT and not names_secret(name)}
        digest = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
        found = self._batching.rounds.find(_key.get(), digest)
        if found is None:
            raise _UnansweredError(digest, body)
        provider, result = found
        shape = "anthropic" if result.anthropic else shape_of(provider).replace("anthropic", "openai")
        return await self._batching.loopback.read(model, shape, body, result.status, result.body or {})


async def write_requests(one: Round, part: Part, path: Path, shape: str | None, loopback: Loopback) -> int:
    """Write the requests of a part as a file for a provider; return how many there are."""
    shape = shape or shape_of(part.provider)
    count = 0
    with path.open("wb") as file:
        for line in one.lines(part):
            request_line(shape, "", {})  # a shape that there is not is refused before LiteLLM is loaded
            body = await loopback.sent(shape.replace("mistral", "openai"), line["body"])
            file.write(request_line(shape, line["custom_id"], body))
            count += 1
    return count


def _open(batching: Batching) -> Iterator[tuple[Round, Part, Any]]:
    """What waits for answers, and who carries it out."""
    for one, part in batching.rounds.open_parts:
        model = batching.models.get(part.model)
        yield one, part, None if model is None else provider_of(model)


async def submit(batching: Batching) -> list[Part]:
    """Give what was not given yet to its providers, and look for what may have been before a kill."""
    left = []
    known = frozenset(part.batch for one in batching.rounds.rounds for part in one.parts if part.batch)
    for one, part, provider in _open(batching):
        if part.state == "submitted":
            continue
        if provider is None:
            left.append(part)
            continue
        # It is found again by this: the file says where and when it was made, as its tokens are the run's own.
        tag = hashlib.sha256(f"{one.number}/{part.name}/{part.sha256}".encode()).hexdigest()[:32]
        if part.state == "submitting":
            part.batch = await provider.find(part, tag, known | frozenset(part.not_ours))
        if part.batch is None:
            path = one.folder / f"upload-{part.name}.jsonl"
            await write_requests(one, part, path, None, batching.loopback)
            part.state, part.noted = "submitting", part.noted or time.time()
            one.save()
            part.batch = await provider.submit(path, tag)
        part.state = "submitted"
        one.save()
        (one.folder / f"upload-{part.name}.jsonl").unlink(missing_ok=True)
    return left


async def collect(batching: Batching) -> list[Part]:
    """Fetch what has ended; return what is still under way."""
    failed = []
    for one, part, provider in _open(batching):
        if part.state != "submitted" or part.batch is None or provider is None:
            continue
        progress = await provider.progress(part.batch)
        part.status, part.message = progress.status, None
        if progress.failed is not None:
            part.state, part.message = "failed", progress.failed
            failed.append(part)
        elif progress.ended:
            paths = [one.folder / f".fetched-{part.name}-{number}" for number, _ in enumerate(progress.outputs)]
            try:
                for output, path in zip(progress.outputs, paths, strict=True):
                    await provider.fetch(output, path)
                if not batching.rounds.take(paths, part):  # it was taken for ours after a kill
                    part.not_ours.append(part.batch)
                    part.state, part.batch = "submitting", None
            except DatasetError as error:
                part.message = f"its results will be fetched again: {error.message}"
            finally:
                for path in paths:
                    path.unlink(missing_ok=True)
        one.save()
    if failed:
        raise MagistrateError(
            f"the provider carried out none of {failed[0].requests:,} requests: {failed[0].message}. "
            "Once that is mended, --batch --resume puts them into a new batch"
        )
    return [part for _, part in batching.rounds.open_parts]
