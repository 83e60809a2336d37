"""What a stored reply is read for, and how the reading is held against what was recorded. Pure functions of a reply."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from magistrate.audit._recorded import Recorded, UnusableError
from magistrate.audit._stored import Stored
from magistrate.audit._summary import STANDS, UNDECIDED, UNRECORDED, Finding, Standing
from magistrate.errors import ConfigurationError
from magistrate.parsing import LabelReading, ScoreReading, VerdictReading, parse_label, parse_score, parse_verdicts
from magistrate.scoring import Policy, get_policy, score_plain, score_verdicts
from magistrate.verdict import BINARY, STATUS_OF, Issue, IssueCode, ParseStatus, Scale, Status, Verdict, resolve_scale

if TYPE_CHECKING:
    from magistrate.metrics.base import MetricResult

_UNNAMED = "(the statement)"
_OWN_STATEMENTS = (
    "Without --statements FIELD, statements are those that a reply names: one that it leaves out is not missed.",
)
_EMPTY, _OK, _PARTIAL = ParseStatus.EMPTY, ParseStatus.OK, ParseStatus.PARTIAL
TOLERANCE = 1e-6
"""By how much equal scores may differ."""


DOUBTS = (
    IssueCode.REASON_CONTRADICTS,
    IssueCode.TOKEN_MISSING,
    IssueCode.LOW_CONFIDENCE,
    IssueCode.LANGUAGE_MISMATCH,
    IssueCode.CONTEXT_TRUNCATED,
    IssueCode.UNKNOWN_STATEMENT,  # the judge was asked about more statements than the row has
)
"""Issues under which a verdict is given, but is no ground to call another reading wrong."""


def _doubt(issues: Sequence[Issue]) -> str | None:
    """The first issue that makes a complete reading no ground to call another one wrong."""
    return next((issue.code.value for issue in issues if issue.code in DOUBTS), None) if issues else None


def _compare_scores(
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


class AuditTask(ABC):
    """What stored replies are read for."""

    unfit: ClassVar[tuple[str, ...]] = ()
    """Fields of a row that mean nothing to it."""

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """What the task is, as JSON holds it."""

    def audit(self, stored: Stored) -> Finding:
        """Read a reply, and hold the reading against what was recorded."""
        if (why := stored.problem) is None:
            try:
                finding, truth = self._compare(stored), stored.truth
                if stored.lacking or stored.notes:
                    finding = finding._replace(lacking=stored.lacking, notes=(*finding.notes, *stored.notes))
                truth = None if truth is None else self._truth(truth)
                return finding if truth is None else finding._replace(truth=truth)
            except UnusableError as error:
                why = str(error)
        unusable = Finding(place=stored.place, standing=Standing.UNUSABLE, why=why, reply=stored.reply)
        return unusable._replace(notes=stored.notes, last=stored.last)

    @abstractmethod
    def _truth(self, value: Any) -> float | str | None:
        """What people say, in the form of what was recorded."""

    @abstractmethod
    def _compare(self, stored: Stored) -> Finding:
        """Read a reply that can be audited; an UnusableError says that what was recorded is none of what may be."""


def _finding(
    stored: Stored, reading: ScoreReading | LabelReading, standing: Standing, unsafe: str | None, **found: Any
) -> Finding:
    status = "refusal" if stored.refusal and reading.status is _OK else reading.status.value
    return Finding(
        place=stored.place,
        standing=standing,
        why=(unsafe or status) if standing is UNDECIDED else "",
        status=status,
        issues=reading.issues,
        reading=reading,
        reply=stored.reply,
        **found,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTask(AuditTask):
    """One number on a range.

    Args:
        low: The least number.
        high: The greatest.
        normalized: Whether what was recorded is the number brought to 0 to 1.
        recorded: How recorded values are to be taken.
        tolerance: By how much equal scores may differ.
    """

    low: float
    high: float
    normalized: bool = False
    recorded: Recorded = field(default_factory=Recorded)
    tolerance: float = TOLERANCE

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise ConfigurationError(f"{self.low:g} to {self.high:g} is no range: the lower number comes first")

    unfit = ("label", "verdicts", "statements")

    def describe(self) -> dict[str, Any]:
        """What the task is, as JSON holds it."""
        span = [self.low, self.high]
        return {"task": "score", "range": span, "normalized": self.normalized, "tolerance": self.tolerance}

    def _compare(self, stored: Stored) -> Finding:
        recorded = self._recorded(stored.score)
        reading = parse_score(stored.reply, self.low, self.high, finish_reason=stored.finish_reason)
        least, width = (self.low, self.high - self.low) if self.normalized else (0.0, 1.0)
        read = None if reading.value is None or stored.refusal else (reading.value - least) / width
        bounds = ((self.low - least) / width, (self.high - least) / width)
        unsafe = _doubt(reading.issues)
        standing, difference = _compare_scores(recorded, read, bounds, unsafe=unsafe, tolerance=self.tolerance)
        bounds = bounds if read is None else (read, read)
        found = {"recorded": recorded, "read": read, "bounds": bounds, "difference": difference}
        if recorded is not None and reading.value is not None and self.high:
            found["divided"] = abs(recorded - reading.value / self.high) <= self.tolerance
        return _finding(stored, reading, standing, unsafe, **found)

    def _recorded(self, value: Any) -> float | None:
        return self.recorded.score(value, 1.0 if self.normalized else self.high)

    _truth = _recorded


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelTask(AuditTask):
    """One of several labels.

    Args:
        choices: The labels; one that counts as another, too, is none of its own.
        recorded: How recorded values are to be taken.
        same: Further labels that replies give, each with the one that it counts as: {"A>>B": "A>B"}.
    """

    choices: tuple[str, ...]
    recorded: Recorded = field(default_factory=Recorded)
    same: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "choices", tuple(label for label in self.choices if label not in self.same))
        if strangers := sorted(set(self.same.values()) - set(self.choices)):
            raise ConfigurationError(f"{strangers[0]!r} is none of {', '.join(self.choices)}: nothing counts as it")
        try:
            parse_label("", (*self.choices, *self.same))
        except ValueError as error:
            raise ConfigurationError(str(error)) from None

    unfit = ("score", "verdicts", "statements")

    def describe(self) -> dict[str, Any]:
        """What the task is, as JSON holds it."""
        same = {"same": dict(self.same)} if self.same else {}
        return {"task": "label", "choices": list(self.choices), "recorded": dict(self.recorded.equal), **same}

    def _truth(self, value: Any) -> str | None:
        found = self.recorded.label(value, (*self.choices, *self.same))
        return found and self.same.get(found, found)

    def _compare(self, stored: Stored) -> Finding:
        recorded = self._truth(stored.label)
        reading = parse_label(stored.reply, (*self.choices, *self.same), finish_reason=stored.finish_reason)
        read = None if stored.refusal or reading.label is None else self.same.get(reading.label, reading.label)
        unsafe = _doubt(reading.issues)
        pair = (None if recorded is None else 0.0, None if read is None else float(recorded != read))
        standing, difference = _compare_scores(*pair, None, unsafe=unsafe, tolerance=0.0)
        return _finding(stored, reading, standing, unsafe, recorded=recorded, read=read, difference=difference)


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictsTask(AuditTask):
    """Verdicts on statements, and the score that a policy makes of them.

    Args:
        scale: The verdicts to choose from, or the name of a scale.
        policy: The policy that the recorded scores follow, or its name.
        single: Whether each reply is about one statement, where no field holds it.
        recorded: How recorded values are to be taken.
        tolerance: By how much equal scores may differ.
    """

    scale: str | Scale = BINARY
    policy: str | Policy = "strict"
    single: bool = False
    recorded: Recorded = field(default_factory=Recorded)
    tolerance: float = TOLERANCE

    def __post_init__(self) -> None:
        object.__setattr__(self, "policy", get_policy(self.policy))
        object.__setattr__(self, "scale", resolve_scale(self.scale))

    unfit = ("label",)

    def describe(self) -> dict[str, Any]:
        """What the task is, as JSON holds it."""
        scale = resolve_scale(self.scale)
        return {
            "task": "verdicts",
            "scale": scale.name,
            "verdicts": [verdict.value for verdict in scale.verdicts],
            "words": {word: verdict.value for word, verdict in scale.words.items()},
            "policy": get_policy(self.policy).name,
            "tolerance": self.tolerance,
        }

    def _truth(self, value: Any) -> float | None:
        if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
            return self.recorded.score(value)
        values = value if isinstance(value, list) else [value]
        listed = tuple(self.recorded.verdict(one, resolve_scale(self.scale)) for one in values)
        return _score_of(listed, len(listed), get_policy(self.policy))

    def _compare(self, stored: Stored) -> Finding:
        if self.single and stored.statements is None:
            stored = stored._replace(statements=(_UNNAMED,))
        score, listed = self.recorded.score(stored.score), None
        if stored.verdicts is not None:
            listed = tuple(self.recorded.verdict(value, resolve_scale(self.scale)) for value in stored.verdicts)
        if stored.ids is not None and (stored.statements is None or len(stored.ids) != len(stored.statements)):
            raise UnusableError(f"{len(stored.ids)} ids for {len(stored.statements or ())} statements")
        reading = parse_verdicts(
            stored.reply,
            stored.statements,
            scale=self.scale,
            contexts=stored.contexts,
            finish_reason=stored.finish_reason,
            refusal=stored.refusal,
            ids=stored.ids,
        )
        status, whole = _status(reading, stored.statements)
        rules: dict[str, Any] = {"policy": get_policy(self.policy), "tolerance": self.tolerance}
        finding = hold(stored, score, listed, reading, reading.found, status=status, whole=whole, **rules)
        if stored.statements is not None:
            return finding
        if finding.why == _EMPTY and (stored.reply or "").strip():
            finding = finding._replace(why="no-statements")  # there is a reply, but no statement in it to find
        if finding.why == _OK:  # all that stands was read, and more may have followed
            finding = finding._replace(why=next(one.code.value for one in finding.issues if one.code in _CUT))
        return finding._replace(notes=_OWN_STATEMENTS)


_WORSE = [*Standing].index
_CUT, _MORE = frozenset({IssueCode.TRUNCATED, IssueCode.UNCERTAIN_END}), frozenset({IssueCode.UNKNOWN_STATEMENT})


def _status(reading: VerdictReading, statements: Sequence[str] | None) -> tuple[Status, bool]:
    """How the reading counts for a policy, and whether it is complete."""
    if statements is not None and not statements:
        return Status.VACUOUS, not reading.extra
    if reading.status is _OK:
        # Statements of the reply itself may be lacking where it was cut, those of the row where the reply has more.
        lacking = _CUT if statements is None else _MORE
        whole = not reading.issues or lacking.isdisjoint(issue.code for issue in reading.issues)
        return (Status.SCORED if whole else Status.PARTIAL), whole
    if reading.status is _PARTIAL:
        return Status.PARTIAL, False
    return STATUS_OF[reading.status], False


def hold(
    stored: Stored,
    recorded: float | None,
    listed: tuple[Verdict | None, ...] | None,
    reading: VerdictReading | MetricResult,
    found: Sequence[Verdict | None],
    *,
    status: Status,
    whole: bool,
    policy: Policy,
    tolerance: float = TOLERANCE,
) -> Finding:
    """Hold verdicts that were read against a recorded score, recorded verdicts, or both; the worse standing counts.

    `whole` says whether the reading is complete, `found` are its verdicts alone: `verdicts` may be built only when they
    are looked at, which takes longer than reading them did.
    """
    if policy.entailment is None:
        made = score_plain(found, status=status, policy=policy, extra=reading.extra)
    else:  # it looks at probabilities, too
        made = score_verdicts(reading.verdicts, status=status, policy=policy, extra=reading.extra)
    read, unsafe, why = made.value if whole else None, _doubt(reading.issues), reading.status.value
    if whole and read is None:
        unsafe = unsafe or "no-statements"
    if recorded is None and listed is not None:
        recorded = _score_of(listed, len(found), policy)
    # Where statements come from a reply that was cut off, all that were read have a verdict; more may have followed.
    open_ended = not whole and None not in found
    bounds = (None if open_ended else made.bounds) or (0.0, 1.0)
    standing, difference = _compare_scores(recorded, read, bounds, unsafe=unsafe, tolerance=tolerance)
    wrong: tuple[int, ...] = ()
    if listed is not None:
        verdict_standing, wrong = _hold_verdicts(listed, found, whole=whole, unsafe=unsafe)
        standing = max(standing if recorded is not None else verdict_standing, verdict_standing, key=_WORSE)
        difference = max(difference, len(wrong) / max(len(listed), len(found), 1))
    undecided = standing is UNDECIDED
    far = math.inf if recorded is None or made.value is None else abs(made.value - recorded)
    return Finding(
        place=stored.place,
        standing=standing,
        recorded=recorded,
        read=read,
        bounds=bounds,
        difference=difference,
        why=(unsafe or why) if undecided else "",
        reproduced=undecided and far <= tolerance,
        status=why,
        issues=tuple(reading.issues),
        verdicts=reading.verdicts,
        recorded_verdicts=listed,
        wrong=wrong,
        reading=reading if isinstance(reading, VerdictReading) else None,
        reply=stored.reply,
        contexts=stored.contexts,
    )


def _score_of(listed: tuple[Verdict | None, ...], statements: int, policy: Policy) -> float | None:
    """The score that recorded verdicts make, where there is one for each statement."""
    if len(listed) != statements or None in listed or not listed:
        return None
    return score_plain(listed, status=Status.SCORED, policy=policy).value


def _hold_verdicts(
    listed: tuple[Verdict | None, ...], found: Sequence[Verdict | None], *, whole: bool, unsafe: str | None
) -> tuple[Standing, tuple[int, ...]]:
    if all(old is None for old in listed):
        return UNRECORDED, ()
    least, most = sorted((len(listed), len(found)))
    pairs = enumerate(zip(listed, found, strict=False))
    wrong = tuple(at for at, (old, new) in pairs if None not in (old, new) and old is not new)
    wrong = tuple(range(least, most)) or wrong
    if unsafe if wrong else not whole:
        return UNDECIDED, ()
    if wrong:
        return (Standing.WRONG if whole else Standing.IMPOSSIBLE), wrong
    return STANDS, ()
