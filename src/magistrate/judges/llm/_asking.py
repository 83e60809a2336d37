"""What a language model is asked, and that it is asked again only for what is missing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel

from magistrate.completion.cache import cache_key
from magistrate.completion.cost_ledger import current_calls
from magistrate.completion.schemas import close_schema, inline_schema
from magistrate.completion.tokens import likely_tokens, lower_bound
from magistrate.errors import ENDS_THE_RUN, JudgeContextError, JudgeError, JudgePolicyError
from magistrate.judges._questions import Extract, ExtractAndVerify, Grade, Structured, Verify
from magistrate.judges._replies import (
    ScoreReply,
    SingleReply,
    StatementsReply,
    StructuredReply,
    VerdictsReply,
)
from magistrate.judges.base import together
from magistrate.judges.llm import _requests as requests
from magistrate.judges.llm import reading
from magistrate.judges.llm._requests import Asking, Attempt, next_attempt
from magistrate.judges.llm._windows import SMALLEST, Window, split_window, texts_of
from magistrate.judges.llm.call_status import CUT_PROMPT, ERROR, HEAD_UNSEEN, TokenRates, noted_cut
from magistrate.judges.llm.itemized_schema import MAX_ROWS, ItemsCollector, Rows, items_schema
from magistrate.judges.llm.verdict_merge import VerdictCollector
from magistrate.log import get_logger
from magistrate.records import TOO_LONG, CallRecord, CompletionRequest
from magistrate.verdict import Issue, IssueCode, ParseStatus, Status

if TYPE_CHECKING:
    from magistrate.completion.base import CompletionClient

_OF_NO_USE = frozenset(
    {ParseStatus.UNPARSEABLE.value, ParseStatus.TRUNCATED.value, ParseStatus.EMPTY.value, CUT_PROMPT, HEAD_UNSEEN}
)
"""Statuses of a call whose reply another run had better ask for again."""
_TOKENS_PER_ROW = 160
"""What an entry about one item takes, its reason included."""
_STATUSES = {JudgePolicyError: ParseStatus.REFUSAL.value, JudgeContextError: TOO_LONG}
_log = get_logger("magistrate.judge")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Outcome:
    call: CallRecord
    usable: bool
    issues: Sequence[Issue] = ()
    counts: tuple[int, int, int] | None = None


@dataclass(frozen=True, slots=True)
class Asker:
    asking: Asking
    client: CompletionClient
    api_base: str | None
    batch_size: int
    map_contexts: bool
    limits: dict[str, int] = field(default_factory=dict)
    rates: TokenRates = field(default_factory=TokenRates)

    async def call(
        self,
        request: CompletionRequest,
        statements: tuple[int, ...] = (),
        window: Window = (),
        scale: str | None = None,
    ) -> CallRecord:
        """Make one call; a failure that does not end the run becomes a record of it."""
        record = CallRecord(
            request.purpose,
            request.prompt,
            request.model,
            statements=statements,
            window=window,
            scale=scale,
            token=request.token,
            key=cache_key(request, self.api_base),
        )
        try:
            record = replace(record, completion=await self.client.complete(request))
        except ENDS_THE_RUN:
            raise
        except JudgeError as error:
            if isinstance(error, JudgeContextError) and error.limit is not None:
                self.limits[request.model] = error.limit
            why = f"{type(error).__name__}: {error.message}"
            status = next((status for kind, status in _STATUSES.items() if isinstance(error, kind)), ERROR)
            record = replace(record, status=status, error=why, attempts=error.attempts, free=not error.billable)
        done = record.completion
        if done is not None and self.rates.lost_a_part(request, record.key, done.usage.prompt_tokens):
            why = f"the judge saw {done.usage.prompt_tokens} tokens, far fewer than prompts like this have"
            record = replace(record, status=CUT_PROMPT, error=why)
        if (made := current_calls.get()) is not None:
            made.append(record)
        return noted_cut(record, request) if request.purpose == "structured" else record

    async def until_usable(
        self,
        build: Callable[[Attempt], CompletionRequest],
        read: Callable[[Sequence[CallRecord]], R],
        judge: Callable[[R], Outcome],
        *,
        scale: str | None = None,
    ) -> R:
        """Ask, read all that came, and ask again, until nothing is missing or asking again cannot help."""
        attempt: Attempt | None = self.asking.first
        calls: list[CallRecord] = []
        while attempt is not None:
            request = build(attempt)
            calls.append(await self.call(request, scale=scale))
            reply = read(calls)
            attempt = await self._following(attempt, judge(reply), request)
        return reply

    async def extract(self, asked: Extract) -> StatementsReply:
        if not asked.text.strip():
            return StatementsReply((), Status.NO_ANSWER if asked.kind == "claims" else Status.NO_CONTEXT)
        return await self.until_usable(
            lambda attempt: requests.claims_request(self.asking, asked, attempt),
            lambda calls: reading.read_statements(calls, asked),
            # How many there should be, nothing says.
            lambda reply: Outcome(
                reply.calls[-1],
                reply.status in {Status.SCORED, Status.VACUOUS},
                reply.issues,
                (len(reply), len(reply), 0),
            ),
        )

    async def grade(self, asked: Grade) -> ScoreReply:
        if not any(text.strip() for text in asked.fields.values()):
            return ScoreReply(status=Status.MISSING_INPUT)
        return await self.until_usable(
            lambda attempt: requests.grade_request(self.asking, asked, attempt),
            lambda calls: reading.read_score(calls, asked),
            lambda reply: Outcome(
                reply.calls[-1], reply.value is not None, reply.issues, (1, int(reply.value is not None), 0)
            ),
        )

    async def verify(self, asked: Verify) -> VerdictsReply:
        collector = VerdictCollector(asked)
        if any(text.strip() for text in asked.contexts):
            real = [index for index, text in enumerate(asked.statements) if text.strip()]
            await together([self._verify(collector, batch) for batch in self._batches(real)])
        return collector.reply()

    async def extract_and_verify(self, asked: ExtractAndVerify) -> SingleReply:
        """Take statements out of an answer and judge them in one call; in two steps where it is too long."""
        if not asked.answer.strip() or not any(text.strip() for text in asked.contexts):
            status = Status.NO_CONTEXT if asked.answer.strip() else Status.NO_ANSWER
            return SingleReply(StatementsReply((), status), VerdictsReply((), status))

        def judge(read: Sequence[reading.SingleReading]) -> Outcome:
            last = read[-1]
            known = sum(verdict.verdict is not None for verdict in last.verdicts)
            return Outcome(last.call, last.complete, last.issues, (len(last.verdicts), known, len(last.extra)))

        singles = await self.until_usable(
            lambda attempt: requests.single_request(self.asking, asked, attempt),
            lambda calls: [reading.read_single_call(call, asked) for call in calls],
            judge,
            scale=asked.scale.name,
        )
        if singles[-1].call.status == TOO_LONG and self.map_contexts:
            found = await self.extract(Extract(asked.answer, question=asked.question))
            return reading.join_steps(singles, found, await self.verify(reading.following(asked, found)))
        # What stands in the answer, and was left without a verdict, is judged on its own.
        hopeless = {IssueCode.UNKNOWN_STATEMENT, IssueCode.BLANK_STATEMENT}
        statements = singles[-1].verdicts
        left = [
            verdict.index
            for verdict in statements
            if singles[-1].complete
            and verdict.verdict is None
            and hopeless.isdisjoint(issue.code for issue in verdict.issues)
        ]
        collector = VerdictCollector(reading.following(asked, [verdict.statement for verdict in statements]))
        for batch in self._batches(left):
            await self._verify(collector, batch, again=True)
        return reading.join_single(singles, collector.reply())

    async def structured(self, asked: Structured) -> StructuredReply[Any]:
        if asked.model is None:
            limit = self._limit(asked.max_tokens)
            request = requests.own_request(self.asking, asked.prompt, None, "reply", limit, Attempt())
            return reading.read_text(await self.call(request))
        if asked.rows is not None and asked.rows.items:
            return await self._ask_for_items(asked, asked.model, asked.rows)
        model = asked.model
        schema, name = close_schema(inline_schema(model)), _name_of(model)
        limit = self._limit(asked.max_tokens)
        return await self.until_usable(
            lambda attempt: requests.own_request(self.asking, asked.prompt, schema, name, limit, attempt),
            lambda calls: reading.read_structured(calls, model),
            lambda reply: Outcome(reply.calls[-1], reply.value is not None, reply.issues),
        )

    async def _ask_for_items(self, asked: Structured, model: Any, rows: Rows) -> StructuredReply[Any]:
        collector: ItemsCollector[Any] = ItemsCollector(model, rows)

        async def ask(pending: tuple[int, ...]) -> None:
            attempt: Attempt | None = self.asking.first
            while attempt is not None:
                limit = self._limit(max(asked.max_tokens, _TOKENS_PER_ROW * len(pending)))
                schema = items_schema(collector.schema, rows, pending)
                request = requests.own_request(
                    self.asking, asked.prompt, schema, _name_of(model), limit, attempt, (rows, pending)
                )
                call = collector.add(await self.call(request, pending), pending)
                pending = collector.missing(pending)
                attempt = await self._following(attempt, Outcome(call, not pending), request)

        everything = range(len(rows.items))
        await together([ask(tuple(everything[at : at + MAX_ROWS])) for at in range(0, len(everything), MAX_ROWS)])
        return collector.reply()

    async def _verify(
        self,
        collector: VerdictCollector,
        batch: Sequence[int],
        window: Window = (),
        *,
        again: bool = False,
    ) -> None:
        """Judge one batch, asking again only for what has no verdict; contexts too long are judged in parts."""
        pending, parts = tuple(batch), list[Window]()
        attempt: Attempt | None = replace(self.asking.first, number=int(again))
        while attempt is not None:
            # A list that lost its only row twice is asked for with two: should it lose one again, the other is left.
            shown = pending * 2 if attempt.number > 1 and len(pending) == 1 else pending
            contexts = texts_of(collector.asked.contexts, window)
            statements = [collector.asked.statements[at] for at in shown]
            part = replace(collector.asked, statements=statements, contexts=contexts)
            request = requests.verify_request(self.asking, part, attempt)
            room = self._room(request, contexts)
            if self.map_contexts and room is not None and room < SMALLEST and len(pending) > 1:
                break  # the statements, and the reply about them, leave no room
            if room and sum(map(lower_bound, contexts)) > room >= SMALLEST:
                parts = self._split(collector, window, room)  # the provider said that it takes no such prompt
                if parts:
                    break
            expected, issues, extra = len(pending), len(collector.issues), len(collector.extra)
            call = collector.add(await self.call(request, shown, window, collector.asked.scale.name))
            pending = collector.missing(pending, window)
            counts = (expected, expected - len(pending), len(collector.extra) - extra)
            outcome = Outcome(call, not pending, collector.issues[issues:], counts)
            attempt = await self._following(attempt, outcome, request)
            if attempt is None and call.status == TOO_LONG:
                room = self._room(request, contexts)
                tight = room is not None and room < SMALLEST and len(pending) > 1
                parts = [] if tight else self._split(collector, window, room)
                attempt = self.asking.first if not parts and len(pending) > 1 else None
                break
        if parts:
            fields = {"model": self.asking.model, "parts": len(parts), "expected": len(pending)}
            _log.warning("verdicts.context_split", **fields)
            await together([self._verify(collector, pending, part) for part in parts])
        elif attempt is not None and self.map_contexts:
            halves = pending[: len(pending) // 2], pending[len(pending) // 2 :]
            await together([self._verify(collector, half, window) for half in halves])

    async def _following(self, attempt: Attempt, outcome: Outcome, request: CompletionRequest) -> Attempt | None:
        """The next attempt, if there is one; what is remarkable is logged, and a cache told what is of no use."""
        call = outcome.call
        reject = getattr(self.client, "reject", None)
        if reject is not None and call.completion is not None and not outcome.usable and call.status in _OF_NO_USE:
            await reject(call.key)
        following = next_attempt(attempt, call, usable=outcome.usable, limit=request.max_tokens)
        if outcome.counts is not None:
            _log_outcome(outcome, *outcome.counts)
            if following is not None:
                fields = dict(zip(("expected", "actual"), outcome.counts, strict=False))
                _log.info("verdicts.reasked", model=request.model, **fields, attempt=following.number)
        return following

    def _batches(self, indices: Sequence[int]) -> list[Sequence[int]]:
        return [indices[at : at + self.batch_size] for at in range(0, len(indices), self.batch_size)]

    def _limit(self, tokens: int) -> int:
        return self.asking.max_tokens or tokens + self.asking.spare_tokens

    def _room(self, request: CompletionRequest, contexts: Sequence[str]) -> int | None:
        """Tokens that the contexts of a request may have: 0 where no cut can help, None where it is not known."""
        limit = self.limits.get(request.model)
        if limit is None:
            return None
        sent = [message.content for message in request.messages]
        if sum(map(lower_bound, sent)) - sum(map(lower_bound, contexts)) >= limit:
            return 0
        around = sum(map(likely_tokens, sent)) - sum(map(likely_tokens, contexts)) + likely_tokens(request.hint)
        return max(1, limit - around - request.max_tokens)

    def _split(self, collector: VerdictCollector, window: Window, room: int | None) -> list[Window]:
        return split_window(collector.asked.contexts, window, room) if self.map_contexts and room != 0 else []


def _log_outcome(outcome: Outcome, expected: int, actual: int, extra: int) -> None:
    call, codes = outcome.call, {issue.code for issue in outcome.issues}
    fields = {"model": call.requested_model, "expected": expected, "actual": actual}
    if call.status == ParseStatus.REFUSAL.value:
        _log.warning("verdicts.refused", **fields)
    elif call.status in {ParseStatus.TRUNCATED.value, CUT_PROMPT, HEAD_UNSEEN} or IssueCode.TRUNCATED in codes:
        _log.warning("verdicts.truncated", **fields)
    elif call.completion is not None and (actual != expected or extra):
        _log.warning("verdicts.mismatch", **fields, extra=extra)
    if call.status == ParseStatus.OUT_OF_RANGE.value or IssueCode.OUT_OF_RANGE in codes:
        _log.warning("verdicts.out_of_range", **fields)
    if IssueCode.REPAIRED_JSON in codes:
        _log.info("verdicts.repaired", **fields)


def _name_of(model: type[BaseModel] | Mapping[str, Any]) -> str:
    name = model.__name__ if isinstance(model, type) else str(model.get("title") or "")
    return re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:64] or "reply"
