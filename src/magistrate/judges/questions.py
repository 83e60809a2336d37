"""The questions that a language model is asked, and that it is asked again only for what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from magistrate.completion.tokens import likely_tokens, lower_bound
from magistrate.judges import reading, requests
from magistrate.judges.base import (
    BaseJudge,
    Extract,
    ExtractAndVerify,
    Grade,
    Question,
    ScoreReply,
    SingleReply,
    StatementsReply,
    Structured,
    StructuredReply,
    VerdictsReply,
    Verify,
)
from magistrate.judges.calls import Caller, together
from magistrate.judges.collector import VerdictCollector
from magistrate.judges.events import log_reading, log_reask, log_split
from magistrate.judges.objects import Asker, ask_object, ask_rows, ask_text
from magistrate.judges.requests import Asking, Attempt, next_attempt
from magistrate.judges.windows import SMALLEST, Window, split_window, texts_of
from magistrate.records import TOO_LONG, CallRecord, CompletionRequest
from magistrate.verdict import IssueCode, Scale, Status


class Questions(BaseJudge):
    """What a language model can be asked: the methods of `LLMJudge` that make calls.

    Args:
        asking: What all requests have in common.
        caller: Makes the calls.
        batch_size: Most statements of one request.
        map_contexts: Whether contexts that are too long for the model are judged in parts.
    """

    def __init__(self, asking: Asking, caller: Caller, batch_size: int, map_contexts: bool) -> None:
        self._asking = asking
        self._caller = caller
        self._batch_size = batch_size
        self._map_contexts = map_contexts

    async def ask(self, question: Question[Any], /) -> Any:
        """Answer a question."""
        match question:
            case Extract():
                return await self._extract(question)
            case Verify():
                return await self._verify_all(question)
            case ExtractAndVerify():
                return await self._extract_and_verify(question)
            case Grade():
                return await self._grade(question)
            case Structured():
                return await self._structured(question)
            case _:
                return await super().ask(question)

    async def _structured(self, asked: Structured) -> StructuredReply[Any]:
        prompt, model, rows, most = asked.prompt, asked.model, asked.rows, asked.max_tokens
        if model is None:
            return await ask_text(self._asker, prompt, max_tokens=most)
        if rows is not None and rows.items:
            return await ask_rows(self._asker, prompt, model, rows, max_tokens=most)
        return await ask_object(self._asker, prompt, model, max_tokens=most)

    async def _extract(self, asked: Extract) -> StatementsReply:
        text, kind, limit = asked.text, asked.kind, asked.limit
        if not text.strip():
            return StatementsReply((), Status.NO_ANSWER if kind == "claims" else Status.NO_CONTEXT)
        calls: list[CallRecord] = []
        attempt = self._asking.first
        while True:
            request = requests.claims_request(
                self._asking, text, question=asked.question, kind=kind, limit=limit, attempt=attempt
            )
            calls.append(await self._caller.call(request))
            reply = reading.read_statements(calls, text, limit=limit, whole=kind == "claims")
            found = len(reply.statements)  # how many there should be, nothing says
            log_reading(reply.calls[-1], reply.issues, expected=found, actual=found)
            usable = reply.status in {Status.SCORED, Status.VACUOUS}
            following = next_attempt(attempt, reply.calls[-1], usable=usable, limit=request.max_tokens)
            if following is None:
                return reply
            log_reask(reply.calls[-1], expected=found, actual=found, attempt=following.number)
            attempt = following

    async def _verify_all(self, asked: Verify) -> VerdictsReply:
        collector = VerdictCollector(asked.statements, asked.contexts, asked.scale)
        real = [index for index, text in enumerate(asked.statements) if text.strip()]
        if any(text.strip() for text in asked.contexts):
            batches = [real[at : at + self._batch_size] for at in range(0, len(real), self._batch_size)]
            await together([self._verify(collector, batch, asked.question) for batch in batches])
        return collector.reply()

    async def _extract_and_verify(self, asked: ExtractAndVerify) -> SingleReply:
        """Statements that the reply leaves without a verdict are asked for again, like those of `verify`.

        Where the prompt is too long for the model, the statements are taken from the answer in a call of their own,
        and then judged.
        """
        answer, contexts, question, scale = asked.answer, asked.contexts, asked.question, asked.scale
        if not answer.strip() or not any(text.strip() for text in contexts):
            status = Status.NO_CONTEXT if answer.strip() else Status.NO_ANSWER
            return SingleReply(StatementsReply((), status), VerdictsReply((), status))
        singles: list[reading.SingleReading] = []
        attempt: Attempt | None = self._asking.first
        while attempt is not None:
            request = requests.single_request(
                self._asking, answer, contexts, question=question, scale=scale, attempt=attempt
            )
            call = await self._caller.call(request, scale=scale.name)
            single = reading.read_single_call(call, answer, contexts, scale=scale)
            singles.append(single)
            known = sum(verdict.verdict is not None for verdict in single.verdicts)
            log_reading(
                single.call, single.issues, expected=len(single.verdicts), actual=known, extra=len(single.extra)
            )
            attempt = next_attempt(attempt, single.call, usable=single.complete, limit=request.max_tokens)
            if attempt is not None:
                log_reask(single.call, expected=len(single.verdicts), actual=known, attempt=attempt.number)
        if singles[-1].call.status == TOO_LONG and self._map_contexts:
            statements = await self.ask(Extract(answer, question=question))
            verdicts = await self.ask(Verify(statements.statements, contexts, question=question, scale=scale))
            return reading.join_steps(singles, statements, verdicts)
        return reading.join_single(singles, await self._ask_for_rest(singles[-1], contexts, question, scale))

    async def _grade(self, asked: Grade) -> ScoreReply:
        rubric, fields, low, high = asked.rubric, asked.fields, asked.low, asked.high
        if not any(text.strip() for text in fields.values()):
            return ScoreReply(status=Status.MISSING_INPUT)
        calls: list[CallRecord] = []
        attempt = self._asking.first
        while True:
            request = requests.grade_request(self._asking, rubric, fields, low=low, high=high, attempt=attempt)
            calls.append(await self._caller.call(request))
            reply = reading.read_score(calls, fields, low=low, high=high)
            given = int(reply.value is not None)
            log_reading(reply.calls[-1], reply.issues, expected=1, actual=given)
            usable = reply.value is not None
            following = next_attempt(attempt, reply.calls[-1], usable=usable, limit=request.max_tokens)
            if following is None:
                return reply
            log_reask(reply.calls[-1], expected=1, actual=given, attempt=following.number)
            attempt = following

    async def _verify(
        self,
        collector: VerdictCollector,
        batch: Sequence[int],
        question: str | None,
        window: Window = (),
        *,
        again: bool = False,
    ) -> None:
        """Judge one batch, asking again only for the statements that still have no verdict.

        Where the contexts are too long for the model, the batch is judged on parts of them, each on its own.

        Args:
            collector: Takes the replies.
            batch: The statements.
            question: What they answer.
            window: The part of the contexts.
            again: Whether the statements were asked about before: then one round of asking again is this one.
        """
        pending, attempt = tuple(batch), replace(self._asking.first, number=int(again))
        while True:
            # A list that lost its only row twice is asked for with two: should it lose one again, the other is left.
            asked = pending * 2 if attempt.number > 1 and len(pending) == 1 else pending
            texts = [collector.statements[index] for index in asked]
            contexts = texts_of(collector.contexts, window)
            request = requests.verify_request(
                self._asking, texts, contexts, question=question, scale=collector.scale, attempt=attempt
            )
            room = self._room(request, contexts)
            if room and sum(map(lower_bound, contexts)) > room:
                parts = self._parts(collector, window, room)  # the provider said that it takes no such prompt
                if parts:
                    break
            expected = len(pending)
            record = await self._caller.call(request, statements=asked, window=window, scale=collector.scale.name)
            said, beyond = len(collector.issues), len(collector.extra)
            call = collector.add(record)
            pending = collector.missing(pending, window)
            actual = expected - len(pending)
            extra = len(collector.extra) - beyond
            log_reading(call, collector.issues[said:], expected=expected, actual=actual, extra=extra)
            following = next_attempt(attempt, call, usable=not pending, limit=request.max_tokens)
            if following is None:
                parts = self._parts(collector, window, self._room(request, contexts)) if call.status == TOO_LONG else []
                break
            log_reask(call, expected=expected, actual=actual, attempt=following.number)
            attempt = following
        if parts:
            log_split(model=self._asking.model, parts=len(parts), expected=len(pending))
            await together([self._verify(collector, pending, question, part) for part in parts])

    def _room(self, request: CompletionRequest, contexts: Sequence[str]) -> int | None:
        """Tokens that the contexts of a request may have; 0 for none at all, None where it is not known."""
        limit = self._caller.limits.get(request.model)
        if limit is None:
            return None
        sent = [message.content for message in request.messages]
        if sum(map(lower_bound, sent)) - sum(map(lower_bound, contexts)) >= limit:
            return 0
        around = sum(map(likely_tokens, sent)) - sum(map(likely_tokens, contexts)) + likely_tokens(request.hint)
        room = limit - around - request.max_tokens
        return room if room >= SMALLEST else None

    def _parts(self, collector: VerdictCollector, window: Window, room: int | None) -> list[Window]:
        return split_window(collector.contexts, window, room) if self._map_contexts and room != 0 else []

    @property
    def _asker(self) -> Asker:
        return Asker(self._asking, lambda request, items: self._caller.call(request, statements=items), together)

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
            await self._verify(collector, batch, question, again=True)
        return collector.reply()
