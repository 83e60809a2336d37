"""A judge that is a language model: prompt, call, reading, and asking again only for what is missing."""

from __future__ import annotations

import asyncio
import copy
import secrets
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar, overload

from pydantic import BaseModel

from magistrate.completion.cache import CachedClient, CompletionCache, cache_key, load_or_make_key
from magistrate.errors import (
    BudgetExceededError,
    ConfigurationError,
    JudgeAuthError,
    JudgeDownError,
    JudgeError,
    JudgeNotFoundError,
    JudgePolicyError,
)
from magistrate.judges import reading, requests
from magistrate.judges.base import ScoreReply, SingleReply, StatementsReply, VerdictsReply
from magistrate.judges.collector import ERROR, VerdictCollector
from magistrate.judges.events import log_reading, log_reask
from magistrate.judges.objects import Asker, ask_object, ask_rows, ask_text
from magistrate.judges.requests import Asking, Attempt, next_attempt
from magistrate.judges.schemas import MAX_STATEMENTS
from magistrate.judges.structured import StructuredReply
from magistrate.prompts import load_prompt
from magistrate.records import CallRecord, CompletionRequest, Message
from magistrate.sync import run_sync
from magistrate.verdict import TERNARY, IssueCode, ParseStatus, Scale, Status, resolve_scale

if TYPE_CHECKING:
    from magistrate.completion.base import CompletionClient
    from magistrate.completion.budget import Budget
    from magistrate.completion.retry import RetryPolicy
    from magistrate.judges.rows import Rows

__all__ = ["LLMJudge", "StructuredReply"]

M = TypeVar("M", bound=BaseModel)

_FATAL = (JudgeAuthError, JudgeNotFoundError, JudgeDownError, ConfigurationError, BudgetExceededError)
"""What ends a run: no other case would fare better."""
_PROMPTS = ("extract-claims", "extract-truths", "grade", "verify", "verify-and-extract")
_PROCESS_KEY = secrets.token_bytes(32)


class LLMJudge:
    """Judges with any model that LiteLLM reaches.

    What is wrong with the data, a reply or a call is a status of what comes back. What ends a run is raised:
    `JudgeAuthError`, `JudgeNotFoundError`, `ConfigurationError`, `BudgetExceededError`.

    Use it as an async context manager, or call `close()`, to close its connections.

    Args:
        model: A short name ("gpt-4o", "claude-3-haiku"), any LiteLLM name, or "local:PATH" for a GGUF file
            (needs `magistrate[local]`).
        api_base: The address of the server, where it is not the provider's own.
        api_key: The key, where it is not in the environment. It is never written anywhere.
        params: Further parameters of each call (api_version, extra_headers, seed, num_ctx, ...); part of the cache key.
        quotes: Whether to ask for quotes from the passages; each is looked up in them.
        reasons: Whether to ask for a reason before each verdict.
        reason_words: Most words of a reason.
        batch_size: Most statements of one request, 1 to 50.
        cache: A folder, or an open cache, to keep raw completions in; None for none.
        client: What answers the requests, instead of a provider; then no name is looked up, no call retried.
        max_tokens: Most tokens of a reply; None to compute it from what is asked.
        temperature: Sampling temperature; None to leave it to the provider.
        timeout: Seconds until a call is given up.
        retry: How often and how patiently failed calls are made again.
        budget: What may be spent.
        prices: US dollars per million prompt and completion tokens; None for LiteLLM's price map.
        repeat: Number of the repetition, to judge the same thing several times with a cache.
        max_concurrency: Most calls at a time to the provider. Fewer are made while it turns calls away (429): their
            number is halved then, and grows again while calls succeed.
        rpm: Most calls a minute; None for no limit.
        tpm: Most tokens a minute, prompt and reply together; None for no limit.

    Raises:
        UnknownModelError: If no provider is known for the name.
        MissingExtraError: If "local:PATH" is asked for and its extra is not installed.
        ConfigurationError: If an argument is out of range, or the key is missing.
        StoreError: If the cache cannot be used.
    """

    def __init__(
        self,
        model: str,
        *,
        api_base: str | None = None,
        api_key: str | None = None,
        params: Mapping[str, Any] | None = None,
        quotes: bool = False,
        reasons: bool = True,
        reason_words: int = 12,
        batch_size: int = 25,
        cache: str | Path | CompletionCache | None = None,
        client: CompletionClient | None = None,
        max_tokens: int | None = None,
        temperature: float | None = 0.0,
        timeout: float = 120.0,
        retry: RetryPolicy | None = None,
        budget: Budget | None = None,
        prices: tuple[float, float] | None = None,
        repeat: int = 0,
        max_concurrency: int = 500,
        rpm: float | None = None,
        tpm: float | None = None,
    ) -> None:
        if not 1 <= batch_size <= MAX_STATEMENTS:
            raise ConfigurationError(f"batch_size is {batch_size}, and must be 1 to {MAX_STATEMENTS}")
        if reason_words < 1 or (max_tokens is not None and max_tokens < 1) or timeout <= 0 or repeat < 0:
            raise ConfigurationError("reason_words, max_tokens and timeout must be positive, repeat 0 or more")
        self.name = model
        self._batch_size = batch_size
        self._own_cache = None if cache is None or isinstance(cache, CompletionCache) else CompletionCache(cache)
        self._cache = cache if isinstance(cache, CompletionCache) else self._own_cache
        target, spare = model, 0
        if client is None:
            from magistrate.completion.stack import open_model  # noqa: PLC0415 - a client of one's own needs no provider

            opened = open_model(
                model,
                api_base=api_base,
                api_key=api_key,
                timeout=timeout,
                retry=retry,
                budget=budget,
                prices=prices,
                most_calls=max_concurrency,
                rpm=rpm,
                tpm=tpm,
            )
            client, target, api_base, spare = opened.client, opened.model, opened.address, opened.spare_tokens
        self._api_base = api_base
        self._client = client if self._cache is None else CachedClient(client, self._cache, api_base=api_base)
        self._asking = Asking(
            target,
            _PROCESS_KEY if self._cache is None else load_or_make_key(self._cache.folder),
            temperature=temperature,
            params=dict(params or {}),
            max_tokens=max_tokens,
            spare_tokens=spare,
            reason_words=reason_words if reasons else 0,
            quotes=quotes,
            repeat=repeat,
        )

    def __repr__(self) -> str:
        return f"LLMJudge({self.name!r})"

    def describe(self) -> dict[str, Any]:
        """Return what decides this judge's verdicts, for a run's header: no key, and of headers only their names."""
        asking = self._asking
        params = {
            name: sorted(value) if "headers" in name and isinstance(value, Mapping) else value
            for name, value in asking.params.items()
        }
        return {
            "name": self.name,
            "model": asking.model,
            "api_base": self._api_base,
            "params": params,
            "temperature": asking.temperature,
            "max_tokens": asking.max_tokens,
            "quotes": asking.quotes,
            "reason_words": asking.reason_words,
            "batch_size": self._batch_size,
            "repeat": asking.repeat,
            "prompts": {name: load_prompt(name).fingerprint for name in _PROMPTS},
        }

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections of this event loop, and the cache if the judge opened it."""
        await self._client.close()
        if self._own_cache is not None:
            self._own_cache.close()

    def repeated(self, number: int) -> LLMJudge:
        """Return this judge for another repetition: a cache keeps its completions apart; all else is shared.

        Args:
            number: Number of the repetition, from 0; 0 is this judge itself.
        """
        other = copy.copy(self)
        other._asking = replace(self._asking, repeat=self._asking.repeat + number)  # noqa: SLF001 - one of us
        return other

    # -- the questions -----------------------------------------------------------------------------------------------

    async def extract(
        self,
        text: str,
        *,
        question: str | None = None,
        kind: Literal["claims", "truths"] = "claims",
        limit: int | None = None,
    ) -> StatementsReply:
        """Take the statements out of a text: the claims of an answer, or the truths that a passage states.

        Args:
            text: The text. A blank one makes no call: its status is `no_answer`, or `no_context` for truths.
            question: What the text answers; helps to name what its pronouns mean.
            kind: "claims" or "truths".
            limit: Most statements wanted; None for all.
        """
        if limit is not None and limit < 1:
            raise ConfigurationError(f"limit is {limit}, and must be 1 or more")
        if not text.strip():
            return StatementsReply((), Status.NO_ANSWER if kind == "claims" else Status.NO_CONTEXT)
        calls: list[CallRecord] = []
        attempt = Attempt()
        while True:
            request = requests.claims_request(
                self._asking, text, question=question, kind=kind, limit=limit, attempt=attempt
            )
            calls.append(await self._call(request))
            reply = reading.read_statements(calls, text, limit=limit)
            following = next_attempt(attempt, reply.calls[-1], usable=reply.status in {Status.SCORED, Status.VACUOUS})
            if following is None:
                return reply
            attempt = following

    async def verify(
        self,
        statements: Sequence[str],
        contexts: Sequence[str],
        *,
        question: str | None = None,
        scale: Scale | str = TERNARY,
    ) -> VerdictsReply:
        """Give one verdict per statement, in order, against the contexts.

        Args:
            statements: The statements. Blank ones get no verdict and no call.
            contexts: The passages. Without one that is not blank, no call is made: the status is `no_context`.
            question: What the statements answer, where they cannot be understood alone.
            scale: The verdicts on offer.
        """
        scale = resolve_scale(scale)
        collector = VerdictCollector(statements, contexts, scale)
        asked = [index for index, text in enumerate(statements) if text.strip()]
        if any(text.strip() for text in contexts):
            batches = [asked[at : at + self._batch_size] for at in range(0, len(asked), self._batch_size)]
            await _together([self._verify(collector, batch, question) for batch in batches])
        return collector.reply()

    async def extract_and_verify(
        self,
        answer: str,
        contexts: Sequence[str],
        *,
        question: str | None = None,
        scale: Scale | str = TERNARY,
    ) -> SingleReply:
        """Take the statements out of an answer and judge them in one call.

        No schema can fix their number, so a statement that cannot be found in the answer gets no verdict. Statements
        that the reply leaves without a verdict are asked for again, like those of `verify`.
        """
        scale = resolve_scale(scale)
        if not answer.strip() or not any(text.strip() for text in contexts):
            status = Status.NO_CONTEXT if answer.strip() else Status.NO_ANSWER
            return SingleReply(StatementsReply((), status), VerdictsReply((), status))
        singles: list[reading.SingleReading] = []
        attempt: Attempt | None = Attempt()
        while attempt is not None:
            request = requests.single_request(
                self._asking, answer, contexts, question=question, scale=scale, attempt=attempt
            )
            call = await self._call(request, scale=scale.name)
            singles.append(reading.read_single_call(call, answer, contexts, scale=scale))
            attempt = next_attempt(attempt, singles[-1].call, usable=singles[-1].complete)
        return reading.join_single(singles, await self._ask_for_rest(singles[-1], contexts, question, scale))

    async def grade(self, rubric: str, fields: Mapping[str, str], *, low: float, high: float) -> ScoreReply:
        """Give one number in [low, high] for the fields, by the rubric.

        Args:
            rubric: What is graded and how; trusted.
            fields: Texts by name; untrusted. If all are blank, no call is made: the status is `missing_input`.
            low: Lowest score.
            high: Highest score.
        """
        if not low < high:
            raise ConfigurationError(f"low is {low} and high is {high}: low must be less")
        if not any(text.strip() for text in fields.values()):
            return ScoreReply(status=Status.MISSING_INPUT)
        calls: list[CallRecord] = []
        attempt = Attempt()
        while True:
            request = requests.grade_request(self._asking, rubric, fields, low=low, high=high, attempt=attempt)
            calls.append(await self._call(request))
            reply = reading.read_score(calls, fields, low=low, high=high)
            following = next_attempt(attempt, reply.calls[-1], usable=reply.value is not None)
            if following is None:
                return reply
            attempt = following

    @overload
    async def structured(
        self, prompt: str | Sequence[Message], model: type[M], *, rows: Rows | None = None, max_tokens: int = 2048
    ) -> StructuredReply[M]: ...
    @overload
    async def structured(
        self,
        prompt: str | Sequence[Message],
        model: Mapping[str, Any],
        *,
        rows: Rows | None = None,
        max_tokens: int = 2048,
    ) -> StructuredReply[Any]: ...
    async def structured(
        self,
        prompt: str | Sequence[Message],
        model: type[BaseModel] | Mapping[str, Any],
        *,
        rows: Rows | None = None,
        max_tokens: int = 2048,
    ) -> StructuredReply[Any]:
        """Ask with a prompt of one's own for an object of a Pydantic model or JSON schema of one's own.

        It takes the same way as a verdict: schema, one call, our reading of the raw reply, two more attempts at most.

        Args:
            prompt: The whole prompt, or a conversation that ends with it; sent as it is.
            model: What the reply should be.
            rows: A list in it that must hold one entry for each of some items. Then a note that numbers them follows
                the prompt, entries are matched to items, and only missing ones are asked for again.
            max_tokens: Most tokens of the reply; it grows with the number of items.
        """
        if rows is not None and rows.items:
            return await ask_rows(self._asker, prompt, model, rows, max_tokens=max_tokens)
        return await ask_object(self._asker, prompt, model, max_tokens=max_tokens)

    async def text(self, prompt: str | Sequence[Message], *, max_tokens: int = 1024) -> StructuredReply[BaseModel]:
        """Ask with a prompt of one's own for plain text; it comes back as `.text`."""
        return await ask_text(self._asker, prompt, max_tokens=max_tokens)

    # -- the same, for code that is not async ------------------------------------------------------------------------

    def extract_sync(
        self,
        text: str,
        *,
        question: str | None = None,
        kind: Literal["claims", "truths"] = "claims",
        limit: int | None = None,
    ) -> StatementsReply:
        """Do what `extract` does, from code that is not async; also inside a running event loop."""
        return run_sync(self.extract(text, question=question, kind=kind, limit=limit))

    def verify_sync(
        self,
        statements: Sequence[str],
        contexts: Sequence[str],
        *,
        question: str | None = None,
        scale: Scale | str = TERNARY,
    ) -> VerdictsReply:
        """Do what `verify` does, from code that is not async; also inside a running event loop."""
        return run_sync(self.verify(statements, contexts, question=question, scale=scale))

    def extract_and_verify_sync(
        self, answer: str, contexts: Sequence[str], *, question: str | None = None, scale: Scale | str = TERNARY
    ) -> SingleReply:
        """Do what `extract_and_verify` does, from code that is not async; also inside a running event loop."""
        return run_sync(self.extract_and_verify(answer, contexts, question=question, scale=scale))

    def grade_sync(self, rubric: str, fields: Mapping[str, str], *, low: float, high: float) -> ScoreReply:
        """Do what `grade` does, from code that is not async; also inside a running event loop."""
        return run_sync(self.grade(rubric, fields, low=low, high=high))

    def structured_sync(
        self, prompt: str | Sequence[Message], model: type[M], *, rows: Rows | None = None, max_tokens: int = 2048
    ) -> StructuredReply[M]:
        """Do what `structured` does, from code that is not async; also inside a running event loop."""
        return run_sync(self.structured(prompt, model, rows=rows, max_tokens=max_tokens))

    def text_sync(self, prompt: str, *, max_tokens: int = 1024) -> StructuredReply[BaseModel]:
        """Do what `text` does, from code that is not async; also inside a running event loop."""
        return run_sync(self.text(prompt, max_tokens=max_tokens))

    def close_sync(self) -> None:
        """Close what the `..._sync` methods opened."""
        run_sync(self.close())

    # -- calls -------------------------------------------------------------------------------------------------------

    async def _verify(
        self,
        collector: VerdictCollector,
        batch: Sequence[int],
        question: str | None,
    ) -> None:
        """Judge one batch, asking again only for the statements that still have no verdict."""
        pending, attempt = tuple(batch), Attempt()
        while True:
            texts = [collector.statements[index] for index in pending]
            request = requests.verify_request(
                self._asking, texts, collector.contexts, question=question, scale=collector.scale, attempt=attempt
            )
            expected = len(pending)
            record = await self._call(request, statements=pending, scale=collector.scale.name)
            said = len(collector.issues)
            call = collector.add(record)
            pending = collector.missing(pending)
            actual = expected - len(pending)
            log_reading(call, collector.issues[said:], expected=expected, actual=actual)
            following = next_attempt(attempt, call, usable=not pending)
            if following is None:
                return
            log_reask(call, expected=expected, actual=actual, attempt=following.number)
            attempt = following

    @property
    def _asker(self) -> Asker:
        return Asker(self._asking, lambda request, items: self._call(request, statements=items), _together)

    async def _ask_for_rest(
        self, single: reading.SingleReading, contexts: Sequence[str], question: str | None, scale: Scale
    ) -> VerdictsReply:
        """Judge the statements that stand in the answer and that a single reply left without a verdict."""
        left = [
            verdict.index
            for verdict in single.verdicts
            if single.complete
            and verdict.verdict is None
            and not {issue.code for issue in verdict.issues} & {IssueCode.UNKNOWN_STATEMENT, IssueCode.BLANK_STATEMENT}
        ]
        statements = tuple(verdict.statement for verdict in single.verdicts)
        collector = VerdictCollector(statements, contexts, scale)
        for at in range(0, len(left), self._batch_size):
            batch = left[at : at + self._batch_size]
            await self._verify(collector, batch, question)
        return collector.reply()

    async def _call(
        self, request: CompletionRequest, *, statements: tuple[int, ...] = (), scale: str | None = None
    ) -> CallRecord:
        """Make one call; a failure that does not end the run becomes a record of it."""
        record = CallRecord(
            request.purpose,
            request.prompt,
            request.model,
            statements=statements,
            scale=scale,
            token=request.token,
            key=cache_key(request, self._api_base),
        )
        try:
            return replace(record, completion=await self._client.complete(request))
        except _FATAL:
            raise
        except JudgeError as error:
            refused = isinstance(error, JudgePolicyError)
            return replace(
                record,
                status=ParseStatus.REFUSAL.value if refused else ERROR,
                error=f"{type(error).__name__}: {error.message}",
                attempts=error.attempts,
                free=not error.billable,
            )


async def _together(jobs: Sequence[Coroutine[Any, Any, None]]) -> None:
    """Run coroutines at the same time; the first error ends the others.

    When the budget is spent, those under way are let finish: they are paid for, and a cache keeps what they bring.
    """
    if len(jobs) == 1:
        await jobs[0]
        return
    tasks = [asyncio.ensure_future(job) for job in jobs]
    try:
        await asyncio.gather(*tasks)
    except BaseException as error:
        if not isinstance(error, BudgetExceededError):
            for task in tasks:
                task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise
