"""From stored calls to replies.

Pure functions, so that an old run can be read again, with a newer parser, without a call.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from magistrate.judges._questions import Extract, ExtractAndVerify, Grade, Verify
from magistrate.judges._replies import (
    ScoreReply,
    SingleReply,
    StatementsReply,
    StructuredReply,
    VerdictsReply,
    placed,
    status_of,
    usage_of,
    withheld,
)
from magistrate.judges.llm.call_status import STATUS_OF_CALL, Unread, reply_in
from magistrate.judges.llm.verdict_merge import VerdictCollector, parsed, token_confidence, unique
from magistrate.parsing import parse_object, parse_score, parse_statements
from magistrate.parsing.reply.source import BLOCKED, CUT, REFUSED, ending
from magistrate.parsing.settle.tokens import may_be_planted
from magistrate.records import TOO_LONG, CallRecord, Completion
from magistrate.text import find_statement, sentences_outside, split_statements
from magistrate.verdict import Issue, IssueCode, ParseStatus, Scale, StatementVerdict, Status, Verdict

R = TypeVar("R", StatementsReply, ScoreReply, StructuredReply[Any])
_CUT_SHORT: Final = {CUT: Status.TRUNCATED, BLOCKED: Status.REFUSED, REFUSED: Status.REFUSED}


def read_verdicts(calls: Iterable[CallRecord], asked: Verify) -> VerdictsReply:
    """Read the calls of a `verify`."""
    collector = VerdictCollector(asked)
    for call in calls:
        if call.purpose == "verify":
            collector.add(call)
    return collector.reply()


def read_statements(calls: Iterable[CallRecord], asked: Extract) -> StatementsReply:
    """Read the calls of an `extract`: the last one counts."""
    read = [_read_statements(call, asked) for call in calls if call.purpose == "extract"]
    last = _last(read, StatementsReply(status=Status.UNPARSEABLE))
    if last.status is not Status.SCORED:
        return last
    first: dict[str, str] = {}  # a judge that lists a claim twice would have it count twice
    for statement in last.statements:
        first.setdefault(_key(statement), statement)
    statements, limit = tuple(first.values()), asked.limit
    issues = (*last.issues, *_repeated(len(last.statements) - len(statements)))
    if limit is not None and len(statements) > limit:
        message = f"{len(statements)} statements where {limit} were asked for; the first {limit} are used"
        statements, issues = statements[:limit], (*issues, Issue(IssueCode.COUNT_MISMATCH, message))
    if asked.kind == "claims" and limit is None and statements:
        issues = (*issues, *_left_out(asked.text, [find_statement(statement, asked.text) for statement in statements]))
    return replace(last, statements=statements, issues=issues)


def _key(statement: str) -> str:
    return " ".join(statement.casefold().split())


def _repeated(count: int) -> tuple[Issue, ...]:
    message = f"{count} statements are there more than once; each counts once"
    return (Issue(IssueCode.DUPLICATE_VERDICT, message),) if count else ()


def _read_statements(call: CallRecord, asked: Extract) -> StatementsReply:
    completion = reply_in(call, [asked.text])
    if isinstance(completion, Unread):
        call, issue = completion
        return StatementsReply((), STATUS_OF_CALL[call.status], (issue,), calls=(call,))
    reading = parse_statements(completion.text, finish_reason=completion.finish_reason)
    status, statements, issues = reading.status, tuple(reading.statements), reading.issues
    if completion.refusal and not statements:
        status, issues = ParseStatus.REFUSAL, (_refusal(completion.refusal),)
    elif status in {ParseStatus.OK, ParseStatus.EMPTY} and (completion.text or "").strip():
        place = next((span[0] for span in reading.spans if span is not None), None)
        given = (asked.text, asked.question or "")
        planted = may_be_planted(call.token, completion.text or "", place, given, _may_list)
        issues = issues if planted is None else (*issues, _NO_TOKEN)
        if planted or (planted is not None and not statements):  # nothing tells an empty list from anybody else's
            status, statements = ParseStatus.UNPARSEABLE, ()
    made = replace(call, status=status.value)
    if status not in {ParseStatus.OK, ParseStatus.EMPTY} or (not statements and issues):
        return StatementsReply((), STATUS_OF_CALL.get(status.value, Status.UNPARSEABLE), issues, calls=(made,))
    return StatementsReply(statements, Status.SCORED if statements else Status.VACUOUS, issues, calls=(made,))


def _refusal(text: str) -> Issue:
    return Issue(IssueCode.REFUSAL, text[:300])


_NO_TOKEN = Issue(IssueCode.TOKEN_MISSING, "the answer does not carry the request token")


def read_score(calls: Iterable[CallRecord], asked: Grade) -> ScoreReply:
    """Read the calls of a `grade`: the last one counts."""
    read = [_read_score(call, asked) for call in calls if call.purpose == "grade"]
    return _last(read, ScoreReply(status=Status.UNPARSEABLE))


def _last(read: Sequence[R], none: R) -> R:
    made = tuple(reply.calls[0] for reply in read)
    return replace(read[-1], calls=made, usage=usage_of(made)) if read else none


def _read_score(call: CallRecord, asked: Grade) -> ScoreReply:
    texts, low, high = list(asked.fields.values()), asked.low, asked.high
    completion = reply_in(call, texts)
    if isinstance(completion, Unread):
        call, issue = completion
        return ScoreReply(status=STATUS_OF_CALL[call.status], issues=(issue,), calls=(call,))
    reading = parse_score(completion.text, low, high, finish_reason=completion.finish_reason, strict=True)
    status, value, issues = reading.status, reading.value, reading.issues
    if completion.refusal and value is None:
        status, issues = ParseStatus.REFUSAL, (*issues, _refusal(completion.refusal))
    if value is not None:
        place = reading.span and reading.span[0]
        planted = may_be_planted(
            call.token, completion.text or "", place, texts, lambda one: _may_score(one, low, high)
        )
        if planted is not None:
            issues = (*issues, _NO_TOKEN)
        if planted:
            status, value = ParseStatus.UNPARSEABLE, None
    made = replace(call, status=status.value)
    ended = Status.SCORED if value is not None else STATUS_OF_CALL.get(status.value, Status.UNPARSEABLE)
    return ScoreReply(value, ended, reading.reason if value is not None else None, issues, calls=(made,))


def _may_list(text: str) -> bool:
    return bool(parse_statements(text).statements)


def _may_score(text: str, low: float, high: float) -> bool:
    """Whether a text could be read as a score, or as several that differ."""
    read = parse_score(text, low, high)
    return read.value is not None or any(issue.code is not IssueCode.MISSING_VERDICT for issue in read.issues)


def read_structured(calls: Sequence[CallRecord], model: Any) -> StructuredReply[Any]:
    """Read the calls for an object: the last one counts."""
    return _last([_read_structured(call, model) for call in calls], StructuredReply(status=Status.UNPARSEABLE))


def _read_structured(call: CallRecord, model: Any) -> StructuredReply[Any]:
    completion = reply_in(call, ())
    if isinstance(completion, Unread):
        return _without_object(*completion)
    found = parse_object(completion.text, model, finish_reason=completion.finish_reason, refusal=completion.refusal)
    status = (
        Status.SCORED if found.status is ParseStatus.OK else STATUS_OF_CALL.get(found.status.value, Status.UNPARSEABLE)
    )
    call = replace(call, status=found.status.value)
    return StructuredReply(found.value, completion.text, status, found.issues, found.errors, calls=(call,))


def read_text(call: CallRecord) -> StructuredReply[Any]:
    """Read one call for plain text. One that was cut off or blocked on its way is there, with a status that says so."""
    done = reply_in(call, ())
    if isinstance(done, Unread):
        return replace(_without_object(*done), text=None, usage=usage_of([call]))
    status = Status.SCORED if done.text else Status.REFUSED if done.refusal else Status.UNPARSEABLE
    status = _CUT_SHORT.get(ending(done.finish_reason) or "", status)
    return StructuredReply(text=done.text, status=status, usage=usage_of([call]), calls=(call,))


def _without_object(call: CallRecord, issue: Issue) -> StructuredReply[Any]:
    text = call.completion.text if call.completion else None
    return StructuredReply(text=text, status=STATUS_OF_CALL[call.status], issues=(issue,), calls=(call,))


@dataclass(frozen=True, slots=True)
class SingleReading:
    """What one reply gave as statements with verdicts."""

    call: CallRecord
    verdicts: tuple[StatementVerdict, ...] = ()
    issues: tuple[Issue, ...] = ()
    extra: tuple[Verdict, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether the list of statements is known to be whole, be it empty; then no other reply is needed."""
        return self.call.status in {ParseStatus.OK.value, ParseStatus.PARTIAL.value} and not any(
            issue.code in {IssueCode.TRUNCATED, IssueCode.UNCERTAIN_END} for issue in self.issues
        )


def read_single_call(call: CallRecord, asked: ExtractAndVerify) -> SingleReading:
    """Read one call of purpose "single"."""
    answer, contexts, scale = asked.answer, asked.contexts, asked.scale
    completion = reply_in(call, [*contexts, answer])
    if isinstance(completion, Unread):
        return SingleReading(completion.call, issues=(completion.issue,))
    reading = parsed(completion, call, None, contexts, scale, (answer, asked.question or ""))
    issues = tuple(issue for issue in reading.issues if issue.index is None)
    if not reading.verdicts:
        status, issue = _without_rows(call, completion)
        return SingleReading(replace(call, status=status), (), (*issues, *issue), reading.extra)
    verdicts, noted = _each_once(completion, reading.verdicts, answer, scale)
    return SingleReading(replace(call, status=reading.status.value), verdicts, (*issues, *noted), reading.extra)


def _without_rows(call: CallRecord, completion: Completion) -> tuple[str, tuple[Issue, ...]]:
    """Tell a reply that says there is nothing to judge (status "ok") from a refusal and an unreadable one."""
    if completion.refusal:
        return ParseStatus.REFUSAL.value, (_refusal(completion.refusal),)
    listed = parse_statements(completion.text, finish_reason=completion.finish_reason)
    blank = not (completion.text or "").strip()
    if listed.status is ParseStatus.EMPTY and not blank:
        if may_be_planted(call.token, completion.text or "", None, (), _may_list) is None:
            return ParseStatus.OK.value, ()
        return ParseStatus.UNPARSEABLE.value, (_NO_TOKEN,)
    status = ParseStatus.UNPARSEABLE if listed.status is ParseStatus.OK else listed.status
    return status.value, listed.issues


def _each_once(
    completion: Completion, verdicts: Sequence[StatementVerdict], answer: str, scale: Scale
) -> tuple[tuple[StatementVerdict, ...], tuple[Issue, ...]]:
    """Keep each statement once, and its verdict if it stands in the answer: nothing else says that it was asked."""
    kept: dict[str, StatementVerdict] = {}
    spans = [find_statement(verdict.statement, answer) for verdict in verdicts]
    for verdict, span in zip(verdicts, spans, strict=True):
        key, sure = _key(verdict.statement), token_confidence(completion, verdict, scale)
        found = verdict.model_copy(update={"confidence": sure})
        if not key:
            found = withheld(found, IssueCode.BLANK_STATEMENT, "the reply gives a verdict without a statement")
        elif span is None:
            found = withheld(found, IssueCode.UNKNOWN_STATEMENT, "the statement is not found in the answer")
        first = kept.get(key)
        if first is None:
            kept[key] = placed(found, len(kept))
        elif first.verdict is not None and first.verdict is not found.verdict:
            kept[key] = withheld(first, IssueCode.CONFLICTING_VERDICTS, "the reply gives different verdicts")
    return tuple(kept.values()), (*_repeated(len(verdicts) - len(kept)), *_left_out(answer, spans))


def _left_out(answer: str, spans: Sequence[tuple[int, int] | None]) -> tuple[Issue, ...]:
    """Report sentences of the answer that no statement was taken from: a judge may have passed over them."""
    left = sentences_outside(answer, spans)
    if not left:
        return ()
    total = len(split_statements(answer))
    message = f"{len(left)} of {total} sentences of the answer have no statement: {left[0].text[:80]!r}"
    return (Issue(IssueCode.SENTENCE_WITHOUT_STATEMENT, message),)


def read_single(calls: Sequence[CallRecord], asked: ExtractAndVerify) -> SingleReply:
    """Read the calls of an `extract_and_verify`."""
    singles = [read_single_call(call, asked) for call in calls if call.purpose == "single"]
    if singles and singles[-1].call.status == TOO_LONG and any(call.purpose == "extract" for call in calls):
        found = read_statements(calls, Extract(asked.answer, question=asked.question))
        return join_steps(singles, found, read_verdicts(calls, following(asked, found)))
    statements = [verdict.statement for verdict in singles[-1].verdicts] if singles else []
    return join_single(singles, read_verdicts(calls, following(asked, statements)))


def following(asked: ExtractAndVerify, statements: Sequence[str]) -> Verify:
    """The question about statements that were found in the answer."""
    return Verify(statements, asked.contexts, question=asked.question, scale=asked.scale)


def join_single(singles: Sequence[SingleReading], later: VerdictsReply) -> SingleReply:
    """Put the readings of an `extract_and_verify` together."""
    made = tuple(reading.call for reading in singles)
    if not singles:
        return _no_single(made, Status.UNPARSEABLE, ())
    last = singles[-1]
    if not last.verdicts or not last.complete:
        status = STATUS_OF_CALL.get(last.call.status, Status.TRUNCATED)
        if last.call.status == ParseStatus.OK.value and not last.verdicts:
            status = Status.VACUOUS
        return _no_single(made, status, last.issues)
    verdicts = tuple(
        first if first.verdict is not None or second.verdict is None else second
        for first, second in zip(last.verdicts, later.verdicts, strict=True)
    )
    everything = (*made, *later.calls)
    status = status_of(verdicts, Status.UNPARSEABLE)
    issues = unique((*last.issues, *(issue for verdict in verdicts for issue in verdict.issues)))
    statements = tuple(verdict.statement for verdict in verdicts)
    return SingleReply(
        StatementsReply(statements, Status.SCORED),
        VerdictsReply(verdicts, status, issues, (*last.extra, *later.extra), usage_of(everything), everything),
    )


def join_steps(singles: Sequence[SingleReading], found: StatementsReply, verdicts: VerdictsReply) -> SingleReply:
    """Put together what was asked in two steps, because the prompt of a single one was too long for the model."""
    made = (*(reading.call for reading in singles), *found.calls, *verdicts.calls)
    if not found.statements:
        return _no_single(made, found.status, found.issues)
    issues = unique((*found.issues, *verdicts.issues))
    return SingleReply(
        StatementsReply(found.statements, found.status, found.issues),
        replace(verdicts, issues=issues, usage=usage_of(made), calls=made),
    )


def _no_single(calls: tuple[CallRecord, ...], status: Status, issues: tuple[Issue, ...]) -> SingleReply:
    return SingleReply(
        StatementsReply((), status, issues), VerdictsReply((), status, issues, (), usage_of(calls), calls)
    )
