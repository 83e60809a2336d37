"""What an audit says of one stored reply, and what that adds up to; memory does not grow with what is audited."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from magistrate.audit._stored import Place
from magistrate.parsing import LabelReading, ScoreReading, VerdictReading
from magistrate.statistics import wilson_limits
from magistrate.verdict import Issue, Repair, StatementVerdict, Verdict

_UNIT = 1074
_Z = 1.959964


@dataclass(slots=True)
class Mean:
    """A mean that is added up."""

    count: int = 0
    _units: int = 0
    """The exact sum, in units of 2 to the power of -1074: every float is so many of them."""

    def add(self, value: float, times: int = 1) -> None:
        """Take a further value, or one that comes so many times."""
        numerator, denominator = float(value).as_integer_ratio()
        self._units += (times * numerator) << (_UNIT - denominator.bit_length() + 1)
        self.count += times

    def merge(self, other: Mean) -> None:
        """Take the values of another mean: in whatever parts they are added up, the sum is the same."""
        self._units += other._units
        self.count += other.count

    @property
    def value(self) -> float | None:
        """The mean; None of nothing."""
        return float(Fraction(self._units, self.count << _UNIT)) if self.count else None


@dataclass(frozen=True, slots=True)
class Agreed:
    """How far a judge's labels or scores agree with people's."""

    n: int
    share: float
    low: float
    high: float
    kappa: float | None

    @classmethod
    def of(cls, counted: Counter[tuple[str, str]]) -> Agreed:
        """Add up (read, people's label) -> how often."""
        n = counted.total()
        agreed = sum(times for (read, truth), times in counted.items() if read == truth)
        low, high = wilson_limits(agreed / n, n, _Z)
        read, truth = Counter[str](), Counter[str]()
        for (one, other), times in counted.items():
            read[one] += times
            truth[other] += times
        chance = sum(read[label] * truth[label] for label in truth) / n**2
        kappa = (agreed / n - chance) / (1 - chance) if chance < 1 and len(truth) > 1 else None
        return cls(n, agreed / n, low, high, kappa)


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
        reading: What was read, with its place in the reply where that is a score or a label.
        reply: The reply.
        contexts: What the judge saw, where the row has it.
        lacking: Fields that it may do without and does.
        notes: Sentences on what the audit cannot see, or does not look at.
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
    reading: ScoreReading | LabelReading | VerdictReading | None = None
    reply: str | None = None
    contexts: tuple[str, ...] | None = None
    lacking: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    last: bool = False

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """What was done to the reply to read it."""
        return self.reading.repairs if self.reading is not None else ()


WRONG = frozenset({Standing.WRONG, Standing.IMPOSSIBLE})
"""Standings of what is silently wrong: the reply says something else, or cannot say what was recorded."""
_MOST_REASONS = 200
_WORST = 10
_FIRST = 5
_ENDS = 100
_MOST_FRESH = 1000
_SAME = "same"
_CLOSE = 1e-6
_DIGITS = 9
"""0.8 - 0.2 and 0.6 - 0.0 are equal differences, which floating point does not know."""


_MEANS = ("recorded", "read", "both", "reread", "lowest", "highest")


def _mean(name: str) -> property:
    """One of the means of a summary, all that came counted in."""
    return property(lambda summary: summary.means()[name])


@dataclass(slots=True)
class AuditSummary:
    """What the findings of an audit add up to.

    Attributes:
        worst_kept: How many of the worst are kept.
        standings: How many findings there are of each standing.
        reasons: Why those that are undecided are.
        undecided: The first of them.
        unusable: What is wrong with rows that could not be audited.
        first: Where each of these was found first.
        unfinished: Files that were not read to their end.
        recovered: How many replies without a recorded score can be read.
        reproduced: How many recorded scores are just what the policy makes of a reply that does not decide them.
        divided: How many wrong ones are the number read, divided by the greatest of the range.
        rounded: How many wrong ones are the score read, rounded.
        too_high: How many wrong ones are above what the reply allows.
        too_low: How many are below.
        lacking: Fields that rows may do without -> how many do.
        notes: What the audit cannot see, or does not look at -> of how many replies.
        tolerance: By how much a score may differ from people's and be the same.
        recorded: Mean of all recorded scores.
        read: Mean of all scores that were read, also where none was recorded.
        both: Mean of the recorded scores of the replies that were read, to compare with `reread`.
        reread: Mean of the scores read where one was recorded.
        lowest: Least mean that is possible over the recorded scores: those read, and the lower bounds of the rest.
        highest: Greatest one.
        labels: For labels, how often each was recorded and read.
        sources: Replies in each file.
        truths: (Recorded, read, people's label) -> how often; of scores "same" and "other" than people's.
    """

    worst_kept: int = _WORST
    standings: Counter[Standing] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    undecided: list[Finding] = field(default_factory=list)
    unusable: Counter[str] = field(default_factory=Counter)
    first: dict[str, Place] = field(default_factory=dict)
    unfinished: list[str] = field(default_factory=list)
    recovered: int = 0
    reproduced: int = 0
    divided: int = 0
    rounded: int = 0
    too_high: int = 0
    too_low: int = 0
    lacking: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)
    tolerance: float = _CLOSE
    labels: dict[str, tuple[int, int]] = field(default_factory=dict)
    sources: Counter[str] = field(default_factory=Counter)
    truths: Counter[tuple[str | None, str | None, str]] = field(default_factory=Counter)
    _worst: list[tuple[float, int, Finding]] = field(default_factory=list)
    _order: int = 0
    _scores: set[float] = field(default_factory=set)
    _means: dict[str, Mean] = field(default_factory=lambda: {name: Mean() for name in _MEANS})
    _fresh: Counter[tuple[float | None, ...]] = field(default_factory=Counter)

    recorded, read, both, reread, lowest, highest = map(_mean, _MEANS)

    @property
    def scores(self) -> set[float]:
        """Different recorded scores: of many the least and the greatest."""
        self.means()
        return self._scores

    @property
    def total(self) -> int:
        """Replies audited, unusable rows included."""
        return self.standings.total()

    @property
    def judged(self) -> int:
        """Replies with something recorded."""
        return self.total - self.standings[UNUSABLE] - self.standings[UNRECORDED]

    @property
    def decided(self) -> int:
        """Recorded scores that their replies decide."""
        return self.judged - self.standings[Standing.UNDECIDED]

    @property
    def wrong(self) -> int:
        """Recorded scores that are silently wrong."""
        return sum(self.standings[standing] for standing in WRONG)

    @property
    def worst(self) -> list[Finding]:
        """The wrong ones that are off the most, worst first; of equals the earlier ones."""
        return [finding for _, _, finding in sorted(self._worst, key=lambda one: (-one[0], -one[1]))]

    def against_people(self) -> dict[str, Agreed]:
        """How far people agree with what was recorded, and with what was read; without those where one is lacking."""
        found: dict[str, Agreed] = {}
        for at, name in enumerate(("recorded", "read")):
            counted = Counter[tuple[str, str]]()
            for key, times in self.truths.items():
                counted.update({(said, key[2]): times} if (said := key[at]) is not None else ())
            found |= {name: Agreed.of(counted)} if counted else {}
        return found

    def add(self, finding: Finding) -> None:
        """Take a further finding."""
        self.standings[finding.standing] += 1
        self.sources[finding.place.source] += 1
        for note in finding.notes:
            _count(self.notes, note)
        if finding.standing is UNUSABLE:
            self.first.setdefault(_count(self.unusable, finding.why), finding.place)
            if finding.last:
                self.unfinished.append(finding.place.source)
            return
        if finding.standing is UNDECIDED:
            _count(self.reasons, finding.why)
            self.reproduced += finding.reproduced
            self.undecided += [finding] if len(self.undecided) < max(_FIRST, self.worst_kept) else ()
        self.lacking.update(finding.lacking)
        self.recovered += finding.standing is UNRECORDED and finding.read is not None
        self._add_values(finding)
        if finding.standing in WRONG:
            self.divided += finding.divided
            if finding.bounds and isinstance(finding.recorded, float | int) and finding.recorded not in finding.bounds:
                self.rounded += any(finding.recorded == round(end, n) for end in finding.bounds for n in (2, 3, 4))
                self.too_high += finding.recorded > finding.bounds[1]
                self.too_low += finding.recorded < finding.bounds[0]
            self._keep((round(finding.difference, _DIGITS), -self._order, finding))
            self._order += 1

    def _keep(self, entry: tuple[float, int, Finding]) -> None:
        heapq.heappush(self._worst, entry)
        if len(self._worst) > self.worst_kept:
            heapq.heappop(self._worst)

    def merge(self, later: AuditSummary) -> None:
        """Take what the findings that come after these add up to."""
        self.standings.update(later.standings)
        self.sources.update(later.sources)
        self.truths.update(later.truths)
        self.lacking.update(later.lacking)
        pairs = (self.reasons, later.reasons), (self.unusable, later.unusable), (self.notes, later.notes)
        for mine, theirs in pairs:
            for reason, count in theirs.items():
                counted = _count(mine, reason, count)
                if reason in later.first and mine is self.unusable:
                    self.first.setdefault(counted, later.first[reason])
        self.unfinished += later.unfinished
        for name in ("recovered", "reproduced", "divided", "rounded", "too_high", "too_low"):
            setattr(self, name, getattr(self, name) + getattr(later, name))
        self.undecided = [*self.undecided, *later.undecided][: max(_FIRST, self.worst_kept)]
        self._see(later.scores)
        for name, mean in self.means().items():
            mean.merge(getattr(later, name))
        for label, counts in later.labels.items():
            self._add_label(label, *counts)
        for difference, order, finding in later._worst:
            self._keep((difference, order - self._order, finding))
        self._order += later._order

    def _add_values(self, finding: Finding) -> None:
        recorded, read, truth = finding.recorded, finding.read, finding.truth
        if truth is not None:
            one, other = (_against(value, truth, self.tolerance) for value in (recorded, read))
            self.truths[one, other, truth if isinstance(truth, str) else _SAME] += 1
        if isinstance(recorded, str) or isinstance(read, str):
            self._add_label(recorded, 1, 0)
            self._add_label(read, 0, 1)
            return
        low, high = (read, read) if read is not None else finding.bounds or (recorded, recorded)
        self._fresh[recorded, read, low, high] += 1
        if len(self._fresh) > _MOST_FRESH:
            self.means()

    def means(self) -> dict[str, Mean]:
        """All means by name. Most findings have few different values between them, and are counted in together."""
        fresh, self._fresh = self._fresh, Counter()
        self._see(recorded for recorded, _, _, _ in fresh if recorded is not None)
        for (recorded, read, low, high), times in fresh.items():
            values = {"read": read}
            if recorded is not None:
                values |= {"recorded": recorded, "lowest": low, "highest": high}
                values |= {"both": recorded, "reread": read} if read is not None else {}
            for name, value in values.items():
                if value is not None:
                    self._means[name].add(value, times)
        return self._means

    def _see(self, scores: Iterable[float]) -> None:
        self._scores.update(scores)
        if len(self._scores) > 4 * _ENDS:
            ordered = sorted(self._scores)
            self._scores = {*ordered[:_ENDS], *ordered[-_ENDS:]}

    def _add_label(self, label: float | str | None, recorded: int, read: int) -> None:
        if isinstance(label, str):
            before = self.labels.get(label, (0, 0))
            self.labels[label] = (before[0] + recorded, before[1] + read)

    @classmethod
    def of(cls, findings: Iterable[Finding], *, worst: int = _WORST, tolerance: float = _CLOSE) -> AuditSummary:
        """Add up findings."""
        summary = cls(worst_kept=worst, tolerance=tolerance)
        for finding in findings:
            summary.add(finding)
        return summary


def _against(value: float | str | None, truth: float | str, tolerance: float) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return _SAME if isinstance(truth, float) and abs(value - truth) <= tolerance else "other"


def _count(counter: Counter[str], reason: str, times: int = 1) -> str:
    """Count a reason, and return under what. Reasons quote rows: beyond a number of them, new ones are one."""
    counted = reason if reason in counter or len(counter) < _MOST_REASONS else "others"
    counter[counted] += times
    return counted
