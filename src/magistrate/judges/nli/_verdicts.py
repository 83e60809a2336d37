"""What of a statement can be judged; and from the probabilities of windows to its verdict, and to the reply. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from magistrate.judges._questions import Verify
from magistrate.judges._replies import unjudged
from magistrate.judges.nli._folder import Labels
from magistrate.text import says_what_is_missing, split_text
from magistrate.verdict import Evidence, Issue, IssueCode, Scale, StatementVerdict, Verdict

UNSURE: Final = 0.10
"""A deciding probability closer to the threshold than this is flagged `low-confidence`."""

# The same slack as where a score is held against its threshold.
_SLACK: Final = 1e-9
# Raised digits are left in: they may be a mark of citation, but also the square of "80 m²".
_CITED: Final = re.compile(r"\s?(?:\[\^?\d{1,4}(?:[ ,;–-]{1,3}\d{1,4}){0,30}\]|【[^】\n]{1,60}】)")


def claim_of(statement: str) -> str | tuple[IssueCode, str]:
    """The words of a statement that claim something: no bullets, no marks of citation, no courtesies."""
    if not any(map(str.isalnum, statement)):
        return IssueCode.BLANK_STATEMENT, "the statement holds no words"
    pieces = [p.text for p in split_text(_CITED.sub("", statement)) if p.kind not in ("marker", "courtesy")]
    if not pieces:
        return IssueCode.MISSING_VERDICT, "a courtesy, a mark of citation or a numbering states nothing to judge"
    if any(map(says_what_is_missing, pieces)):
        message = "it says what the source lacks or what its speaker does not know, which no single window can show"
        return IssueCode.MISSING_VERDICT, message
    return " ".join(pieces)


class Reading(NamedTuple):
    """What a model says of a statement beside one window."""

    probabilities: tuple[float, ...]
    context: int
    start: int
    end: int

    def __str__(self) -> str:
        return f"context {self.context + 1}, characters {self.start} to {self.end}"


@dataclass(slots=True)
class Tally:
    """What all windows say of a statement: only what decides is kept, so its size does not grow with the contexts."""

    labels: Labels
    best: dict[int, Reading] = field(default_factory=dict)
    """By label, the window that it is most probable beside."""
    windows: int = 0
    strange: int = 0
    failures: dict[IssueCode, str] = field(default_factory=dict)

    def add(self, reading: Reading, *, strange: bool = False) -> None:
        self.windows += 1
        self.strange += strange
        for label, chance in enumerate(reading.probabilities):
            if label not in self.best or chance > self.best[label].probabilities[label]:
                self.best[label] = reading

    def top(self, label: int | None) -> tuple[float, Reading | None]:
        """How probable a label is at most, and beside which window; 0 beside none."""
        found = None if label is None else self.best.get(label)
        return (0.0, None) if found is None or label is None else (found.probabilities[label], found)

    def fail(self, code: IssueCode, message: str) -> None:
        self.windows += 1
        self.failures.setdefault(code, message)


def is_strange(tokens: int, unknown: int) -> bool:
    """Whether a text is unknown to a model: its vocabulary lacks more than half of it."""
    return 2 * unknown > tokens


def judged(asked: Verify, index: int, tally: Tally, threshold: float, unknown: Sequence[str] = ()) -> StatementVerdict:
    """The verdict that a tally amounts to.

    `supported` where the highest entailment reaches the threshold; else, if a window could not be read, none, because
    that window might have; else `contradicted` where the model has that label, the scale that verdict, and the highest
    contradiction reaches the threshold; else `not_enough_info` (`unsupported` on a scale without it).
    """
    statement, scale = asked.statements[index], asked.scale
    (chance, best), (denied, against) = tally.top(tally.labels.entailment), tally.top(tally.labels.contradiction)
    supported = best is not None and chance >= threshold - _SLACK
    if best is None or (tally.failures and not supported):
        code, message = next(iter(tally.failures.items()))
        return unjudged(index, statement, code, message)
    if not supported and tally.strange == tally.windows:
        message = "the model knows less than half of the words of every context: it cannot read their language"
        return unjudged(index, statement, IssueCode.LANGUAGE_MISMATCH, message)
    decided, verdicts = best, [Verdict.SUPPORTED] if supported else [Verdict.NOT_ENOUGH_INFO, Verdict.UNSUPPORTED]
    if against and not supported and denied >= threshold - _SLACK and Verdict.CONTRADICTED in scale.verdicts:
        decided, verdicts = against, [Verdict.CONTRADICTED]
    verdict = next((one for one in verdicts if one in scale.verdicts), None)
    if verdict is None:
        message = f"the scale {scale.name!r} offers no {' or '.join(verdicts)} to say it with"
        return unjudged(index, statement, IssueCode.MISSING_VERDICT, message, probability=chance)
    quote = asked.contexts[decided.context][decided.start : decided.end]
    return StatementVerdict(
        index=index,
        id=f"s{index + 1}",
        statement=statement,
        verdict=verdict,
        probability=chance,
        reason=_reason(tally, chance, decided),
        evidence=(Evidence(quote, decided.context, decided.start, decided.end, 1.0),),
        issues=tuple(
            Issue(IssueCode.LOW_CONFIDENCE, doubt, index) for doubt in _doubts(tally, scale, threshold, unknown)
        ),
    )


def _reason(tally: Tally, chance: float, decided: Reading) -> str:
    entails = decided is tally.best[tally.labels.entailment]
    what = "entailment" if entails else "contradiction"
    windows = "the only window" if tally.windows == 1 else f"the highest {what} of {tally.windows} windows"
    reason = f"{_numbers(tally.labels, decided)} in {decided}, {windows}"
    return reason if entails else f"{reason}; the highest entailment is {chance:.2f}"


def _doubts(tally: Tally, scale: Scale, threshold: float, unknown: Sequence[str]) -> Iterator[str]:
    (chance, _), (denied, against) = tally.top(tally.labels.entailment), tally.top(tally.labels.contradiction)
    if abs(chance - threshold) < UNSURE:
        yield f"entailment is {chance:.2f}, close to the threshold of {threshold:g}"
    if against and chance >= threshold - _SLACK and denied >= threshold - _SLACK:
        yield f"{against} contradicts it ({_numbers(tally.labels, against)})"
    close = abs(denied - threshold) < UNSURE and Verdict.CONTRADICTED in scale.verdicts
    if against and chance < threshold - _SLACK and close:
        yield f"contradiction is {denied:.2f}, close to the threshold of {threshold:g}"
    if tally.strange:
        yield f"{tally.strange} of {tally.windows} windows hold mostly words that the model does not know"
    if unknown:
        yield f"the model does not know these words of the statement, nor tells them apart: {', '.join(unknown)}"


def _numbers(labels: Labels, reading: Reading) -> str:
    """Every label with its probability, entailment and contradiction by these names, the most probable first."""
    known = {labels.entailment: "entailment", labels.contradiction: "contradiction", labels.neutral: "neutral"}
    named = [(known.get(index, "not entailment"), value) for index, value in enumerate(reading.probabilities)]
    return ", ".join(f"{name} {value:.2f}" for name, value in sorted(named, key=lambda pair: -pair[1]))
