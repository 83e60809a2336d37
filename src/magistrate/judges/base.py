"""What a metric asks of a judge, and what it gets back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, overload, runtime_checkable

from magistrate.records import CallRecord, Usage
from magistrate.verdict import TERNARY, Issue, Scale, StatementVerdict, Status, Verdict

__all__ = [
    "Judge",
    "ScoreReply",
    "SingleCallJudge",
    "SingleReply",
    "StatementsReply",
    "VerdictsReply",
    "can_grade",
    "list_of_texts",
    "never_says",
]


def list_of_texts(texts: Iterable[str], name: str) -> tuple[str, ...]:
    """Refuse one text where a list of texts is meant: read letter by letter, it would be judged letter by letter.

    Raises:
        TypeError: If it is one text, or holds something else than texts.
    """
    if isinstance(texts, str | bytes) or not isinstance(texts, Iterable):
        raise TypeError(f"{name} is a list of texts, not {_kind(texts)}")
    found = tuple(texts)
    for index, text in enumerate(found):
        if not isinstance(text, str):
            raise TypeError(f"{name}[{index}] is a text, not {_kind(text)}")
    return found


def _kind(value: object) -> str:
    return "one text" if isinstance(value, str) else "None" if value is None else type(value).__name__


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


@runtime_checkable
class Judge(Protocol):
    """Anything that judges. Metrics get one injected and never build one.

    A failure about the data or the provider is a reply with a status, never an exception. What ends a run is raised:
    `JudgeAuthError`, `JudgeNotFoundError`, `ConfigurationError`, `BudgetExceededError`.

    A judge that cannot do everything says so in two further attributes, so that a metric can tell what it would have to
    make up: `can_grade = False` where `grade` has no number to give, and `never_says`, the verdicts it never gives
    though the scale offers them.

    Attributes:
        name: What reports call it: a model name, or "offline".
    """

    name: str

    async def extract(
        self,
        text: str,
        *,
        question: str | None = None,
        kind: Literal["claims", "truths"] = "claims",
        limit: int | None = None,
    ) -> StatementsReply:
        """Take the statements out of a text: the claims of an answer, or the truths a context states."""
        ...

    async def verify(
        self,
        statements: Sequence[str],
        contexts: Sequence[str],
        *,
        question: str | None = None,
        scale: Scale = TERNARY,
    ) -> VerdictsReply:
        """Give one verdict per statement, in order, against the contexts."""
        ...

    async def grade(self, rubric: str, fields: Mapping[str, str], *, low: float, high: float) -> ScoreReply:
        """Give one number in [low, high] for the fields, by the rubric."""
        ...


@runtime_checkable
class SingleCallJudge(Judge, Protocol):
    """A judge that can extract the statements of an answer and judge them in one call."""

    async def extract_and_verify(
        self,
        answer: str,
        contexts: Sequence[str],
        *,
        question: str | None = None,
        scale: Scale = TERNARY,
    ) -> SingleReply:
        """Extract and verify in one call. Each statement must be found in the answer."""
        ...


def can_grade(judge: Judge) -> bool:
    """Whether a judge can give a number by a rubric: yes, unless it says otherwise."""
    return bool(getattr(judge, "can_grade", True))


def never_says(judge: Judge) -> frozenset[Verdict]:
    """The verdicts that a judge never gives though a scale offers them: none, unless it says otherwise."""
    return frozenset(getattr(judge, "never_says", ()))
