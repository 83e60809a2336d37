"""The questions that a language model is asked, and that it is asked again only for what is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

from pydantic import BaseModel

from magistrate.completion.tokens import likely_tokens, lower_bound
from magistrate.errors import ConfigurationError
from magistrate.judges import reading, requests
from magistrate.judges.base import ScoreReply, SingleReply, StatementsReply, VerdictsReply, list_of_texts
from magistrate.judges.calls import Caller, together
from magistrate.judges.collector import VerdictCollector
from magistrate.judges.events import log_reading, log_reask, log_split
from magistrate.judges.objects import Asker, ask_object, ask_rows, ask_text
from magistrate.judges.requests import Asking, Attempt, next_attempt
from magistrate.judges.structured import StructuredReply
from magistrate.judges.windows import SMALLEST, Window, split_window, texts_of
from magistrate.records import TOO_LONG, CallRecord, CompletionRequest, Message
from magistrate.verdict import TERNARY, IssueCode, Scale, Status, resolve_scale

if TYPE_CHECKING:
    from magistrate.judges.rows import Rows

__all__ = ["Questions"]

M = TypeVar("M", bound=BaseModel)


class Questions:
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
        attempt = self._asking.first
        while True:
            request = requests.claims_request(
                self._asking, text, question=question, kind=kind, limit=limit, attempt=attempt
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

        Raises:
            TypeError: If statements or contexts are no list of texts.
        """
        statements, contexts = list_of_texts(statements, "statements"), list_of_texts(contexts, "contexts")
        scale = resolve_scale(scale)
        collector = VerdictCollector(statements, contexts, scale)
        asked = [index for index, text in enumerate(statements) if text.strip()]
        if any(text.strip() for text in contexts):
            batches = [asked[at : at + self._batch_size] for at in range(0, len(asked), self._batch_size)]
            await together([self._verify(collector, batch, question) for batch in batches])
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
        that the reply leaves without a verdict are asked for again, like those of `verify`. Where the prompt is too
        long for the model, the statements are taken from the answer in a call of their own, and then judged.
        """
        contexts = list_of_texts(contexts, "contexts")
        scale = resolve_scale(scale)
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
            statements = await self.extract(answer, question=question)
            verdicts = await self.verify(statements.statements, contexts, question=question, scale=scale)
            return reading.join_steps(singles, statements, verdicts)
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
        """Ask with a prompt of one's own for plain text; it is in `.text`, with a status where it is not whole."""
        return await ask_text(self._asker, prompt, max_tokens=max_tokens)

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
