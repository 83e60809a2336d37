"""What a judge answers with."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar, overload

from pydantic import BaseModel

from magistrate.records import CallRecord, Usage
from magistrate.verdict import Issue, IssueCode, StatementVerdict, Status, Verdict

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class StatementsReply(Sequence[str]):
    """The statements a judge found in a text. Iterates as the statements themselves.

    Args:
        statements: The statements, in the order of the text, blank ones left out.
        status: `scored` where they can be used, `vacuous` where the text holds none; anything else says why there are
            none.
        issues: What is to be known about the reading.
        usage: What it cost.
        calls: The calls that were made, with their raw completions.
    """

    statements: tuple[str, ...] = ()
    status: Status = Status.SCORED
    issues: tuple[Issue, ...] = ()
    usage: Usage = field(default_factory=Usage)
    calls: tuple[CallRecord, ...] = ()

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        return self.statements[index]

    def __len__(self) -> int:
        return len(self.statements)


@dataclass(frozen=True, slots=True)
class VerdictsReply(Sequence[StatementVerdict]):
    """One entry per statement, in order. Iterates as the `StatementVerdict`s themselves.

    Args:
        verdicts: As many as statements were asked about; one without a verdict says why in its issues.
        status: `scored` where every statement has a verdict, `partial` where some have, else why none has
            (`vacuous` where no statement was asked about).
        issues: What is to be known about the replies as a whole.
        extra: Verdicts that the replies gave beyond the statements asked about, in their order. No score of ours counts
            them; some compatibility policies do, because their framework did.
        usage: What it cost.
        calls: The calls that were made, with their raw completions.
    """

    verdicts: tuple[StatementVerdict, ...] = ()
    status: Status = Status.SCORED
    issues: tuple[Issue, ...] = ()
    extra: tuple[Verdict, ...] = ()
    usage: Usage = field(default_factory=Usage)
    calls: tuple[CallRecord, ...] = ()

    @overload
    def __getitem__(self, index: int) -> StatementVerdict: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[StatementVerdict]: ...
    def __getitem__(self, index: int | slice) -> StatementVerdict | Sequence[StatementVerdict]:
        return self.verdicts[index]

    def __len__(self) -> int:
        return len(self.verdicts)


@dataclass(frozen=True, slots=True)
class SingleReply:
    """Statements and their verdicts from one call.

    The usage and the call record are on `verdicts`; `statements` carries none, so that sums count the call once.

    Args:
        statements: The statements the judge took from the answer.
        verdicts: One per statement. A statement that cannot be found in the answer has none.
    """

    statements: StatementsReply
    verdicts: VerdictsReply


@dataclass(frozen=True, slots=True)
class ScoreReply:
    """A number a judge gave on a declared range.

    Args:
        value: The number as the judge gave it; None where there is none that is safe to use.
        status: `scored`, or why there is no number.
        reason: The judge's reason; None where it gave none.
        issues: What is to be known about the reading.
        usage: What it cost.
        calls: The calls that were made, with their raw completions.
    """

    value: float | None = None
    status: Status = Status.SCORED
    reason: str | None = None
    issues: tuple[Issue, ...] = ()
    usage: Usage = field(default_factory=Usage)
    calls: tuple[CallRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class StructuredReply(Generic[M]):
    """An object of the caller's model, or of a JSON schema: then it is plain data; or plain text.

    Args:
        value: The object; None where the reply holds none that is safe to use, or text was asked for.
        text: The raw reply of the last call; None where there was none.
        status: `scored` where there is an object, else why there is none.
        issues: What is to be known about the reading.
        errors: Where the last reply does not fit the model, one line each.
        usage: What it cost.
        calls: The calls that were made.
        missing: Items (0-based) that no entry was found for, where the reply was to hold a list about items.
    """

    value: M | None = None
    text: str | None = None
    status: Status = Status.SCORED
    issues: tuple[Issue, ...] = ()
    errors: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    calls: tuple[CallRecord, ...] = ()
    missing: tuple[int, ...] = ()


ISSUE_OF_STATUS = {
    Status.REFUSED: IssueCode.REFUSAL,
    Status.CONTEXT_TRUNCATED: IssueCode.CONTEXT_TRUNCATED,
    Status.JUDGE_ERROR: IssueCode.JUDGE_ERROR,
    Status.TRUNCATED: IssueCode.TRUNCATED,
    Status.OUT_OF_RANGE: IssueCode.OUT_OF_RANGE,
}
"""The issue of a statement without a verdict, by the status of the reply that has none; of several the first."""


def status_of(verdicts: Sequence[StatementVerdict], otherwise: Status) -> Status:
    """`scored` where all have a verdict, `partial` where some have, else the status given, if it claims no verdict."""
    known = sum(verdict.verdict is not None for verdict in verdicts)
    if known:
        return Status.SCORED if known == len(verdicts) else Status.PARTIAL
    return Status.UNPARSEABLE if otherwise in {Status.SCORED, Status.PARTIAL} else otherwise


def unjudged(index: int, statement: str, code: IssueCode, message: str, **fields: Any) -> StatementVerdict:
    """An entry without a verdict, and why."""
    issue = Issue(code, message, index)
    return StatementVerdict(index=index, id=f"s{index + 1}", statement=statement, issues=(issue,), **fields)


def placed(verdict: StatementVerdict, index: int, **fields: Any) -> StatementVerdict:
    """A verdict at another place among the statements, with further fields."""
    issues = tuple(replace(issue, index=index) for issue in verdict.issues)
    return verdict.model_copy(update={"index": index, "id": f"s{index + 1}", "issues": issues, **fields})


def withheld(verdict: StatementVerdict, code: IssueCode, message: str) -> StatementVerdict:
    """The same without its verdict, and why."""
    issues = (*verdict.issues, Issue(code, message, verdict.index))
    return verdict.model_copy(update={"verdict": None, "issues": issues})


def costs(replies: Iterable[StatementsReply | VerdictsReply | ScoreReply]) -> dict[str, Any]:
    """The usage and the calls of several replies."""
    given = list(replies)
    usage = sum((reply.usage for reply in given), Usage())
    return {"usage": usage, "calls": tuple(call for reply in given for call in reply.calls)}


def usage_of(calls: Sequence[CallRecord]) -> Usage:
    """Sum what calls cost. A cached completion costs nothing; of a call that failed only the attempts are known."""
    total = Usage()
    for call in calls:
        if call.completion is None:
            total += Usage(calls=call.attempts, cost=0.0 if call.free else None)
        elif call.completion.cached:
            total += Usage(cached=1)
        else:
            total += replace(call.completion.usage, calls=call.completion.attempts)
    return total
