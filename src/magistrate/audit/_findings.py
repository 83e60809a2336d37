"""What an audit says of one stored reply."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from magistrate.audit._stored import Place
from magistrate.parsing import LabelReading, ScoreReading
from magistrate.verdict import Issue, IssueCode, Repair, StatementVerdict, Verdict


class Standing(StrEnum):
    """What becomes of a recorded score, label or verdicts when the reply is read again; the worse come later."""

    STANDS = "stands"
    """The reply was read completely, and says the same."""
    UNRECORDED = "unrecorded"
    """No score was recorded."""
    UNDECIDED = "undecided"
    """The reply cannot be read completely or safely, and what was recorded is possible."""
    IMPOSSIBLE = "impossible"
    """Part of the reply cannot be read, but whatever that part says, it cannot give what was recorded."""
    WRONG = "wrong"
    """Silently wrong: the reply was read completely and safely, and says something else."""
    UNUSABLE = "unusable"
    """The row does not hold what is needed."""


STANDS, UNRECORDED, UNDECIDED, UNUSABLE = Standing.STANDS, Standing.UNRECORDED, Standing.UNDECIDED, Standing.UNUSABLE
"""Looked up once: a member of an enumeration takes longer to find than a name."""

DOUBTS = (
    IssueCode.REASON_CONTRADICTS,
    IssueCode.TOKEN_MISSING,
    IssueCode.LOW_CONFIDENCE,
    IssueCode.LANGUAGE_MISMATCH,
    IssueCode.CONTEXT_TRUNCATED,
    IssueCode.UNKNOWN_STATEMENT,  # the judge was asked about more statements than the row has
)
"""Issues under which a verdict is given, but is no ground to call another reading wrong."""


class Finding(NamedTuple):
    """What an audit says of one stored reply.

    Args:
        place: Where the reply is stored.
        standing: What becomes of what was recorded.
        recorded: The recorded score or label; None where there is none.
        read: The score or label that the reply gives; None where it cannot be read completely.
        truth: The score or label that people give; None where none is known.
        bounds: Lowest and highest score that is possible; None where nothing can be said, or for a label.
        difference: How far what was recorded lies from what is possible: for a score its distance, for a label 1, for
            verdicts the share that is wrong; 0 where it may be right.
        why: Why it is undecided or unusable: a parse status, an issue code, or a message about the row.
        reproduced: Whether the policy makes the recorded score of a reply that cannot be read completely.
        divided: Whether the recorded score is the number read, divided by the greatest of the range.
        status: The status of the reading.
        issues: What is to be known about the reading.
        verdicts: The verdicts that were read, where that was the task.
        recorded_verdicts: The recorded ones; None in a place without.
        wrong: Indices (0-based) of the statements with another verdict recorded than read.
        reading: The score or label that was read, with its place in the reply.
        repairs: What was done to the reply to read it.
        reply: The reply.
        last: Whether nothing that follows in the file was read.
    """

    place: Place
    standing: Standing
    recorded: float | str | None = None
    read: float | str | None = None
    truth: float | str | None = None
    bounds: tuple[float, float] | None = None
    difference: float = 0.0
    why: str = ""
    reproduced: bool = False
    divided: bool = False
    status: str = ""
    issues: tuple[Issue, ...] = ()
    verdicts: Sequence[StatementVerdict] = ()
    recorded_verdicts: tuple[Verdict | None, ...] | None = None
    wrong: tuple[int, ...] = ()
    reading: ScoreReading | LabelReading | None = None
    repairs: tuple[Repair, ...] = ()
    reply: str | None = None
    last: bool = False


def doubt(issues: Sequence[Issue]) -> str | None:
    """The first issue that makes a complete reading no ground to call another one wrong."""
    return next((issue.code.value for issue in issues if issue.code in DOUBTS), None) if issues else None


def worse(left: Standing, right: Standing) -> Standing:
    """The worse of two standings."""
    return max(left, right, key=[*Standing].index)


def compare(
    recorded: float | None,
    read: float | None,
    bounds: tuple[float, float] | None,
    *,
    unsafe: str | None,
    tolerance: float,
) -> tuple[Standing, float]:
    """Say what becomes of a recorded score, and how far it is off."""
    if recorded is None:
        return UNRECORDED, 0.0
    if read is not None:
        difference = abs(recorded - read)
        if difference <= tolerance:
            return STANDS, 0.0
        return (Standing.WRONG, difference) if unsafe is None else (UNDECIDED, 0.0)
    if bounds is not None:
        difference = max(bounds[0] - recorded, recorded - bounds[1])
        if difference > tolerance:
            return Standing.IMPOSSIBLE, difference
    return UNDECIDED, 0.0
