"""What the judge said and what people said, as plain data that every method of this package takes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Key: TypeAlias = tuple[str, str | None]
"""A statement of a case, or (case_id, None) for the case as a whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What the judge said of one statement, or of a case as a whole.

    Attributes:
        case_id: The case.
        statement_id: The statement in it; None where the case is judged as a whole.
        verdict: The judge's word. None: it gave none that can be used, which is a stratum of its own.
        positive: Whether the verdict counts as a yes; None exactly where there is no verdict.
        confidence: How sure the judge was of its verdict, in [0, 1]; None where nothing tells.
        group: The part of the dataset it belongs to, such as its category.
    """

    case_id: str
    statement_id: str | None = None
    verdict: str | None = None
    positive: bool | None = None
    confidence: float | None = None
    group: str | None = None

    def __post_init__(self) -> None:
        if (self.verdict is None) != (self.positive is None):
            raise ValueError(f"case {self.case_id!r}: `positive` is given exactly where there is a verdict")
        if self.confidence is not None and not 0.0 <= self.confidence <= 1.0:
            raise ValueError(f"case {self.case_id!r}: confidence is a share in [0, 1], not {self.confidence!r}")

    @property
    def key(self) -> Key:
        """What a label of the same statement is found by."""
        return self.case_id, self.statement_id

    @property
    def probability(self) -> float | None:
        """Of a yes, as the judge said it, in [0, 1]; None where nothing tells."""
        return self.confidence if self.positive or self.confidence is None else 1.0 - self.confidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What one person said of one statement, or of a case as a whole.

    Attributes:
        case_id: The case.
        statement_id: The statement in it; None for the case as a whole.
        label: True or False; None where the person could not tell.
        statement: The statement's text, so that a label is never taken for one of another statement with its id.
        by: Who said it.
        at: When, as ISO 8601; "" where it is not known.
        stratum: What it was drawn from; None where it was not drawn by us.
        place: The case's place in the draw, from 1 on; None where it is not known.
        fingerprint: Of the judge that it was drawn beside: model as answered, prompts, scale, parameters.
        example: Whether it serves as an example in the judge's prompt; such a label never corrects.
        note: What the person added.
    """

    case_id: str
    statement_id: str | None = None
    label: bool | None = None
    statement: str | None = None
    by: str = ""
    at: str = ""
    stratum: str | None = None
    place: int | None = None
    fingerprint: str | None = None
    example: bool = False
    note: str = ""

    @property
    def key(self) -> Key:
        """What the judgement of the same statement is found by."""
        return self.case_id, self.statement_id


@dataclass(frozen=True, slots=True)
class Consensus:
    """What people said together of each statement.

    Attributes:
        labels: The majority's answer for each statement.
        split: Statements on which people were divided equally or could not tell: they have no label.
        examples: Statements left out as their labels serve as examples in the judge's prompt.
        answers: Of each statement the answers of those who gave one, for their agreement.
    """

    labels: Mapping[Key, bool]
    split: int = 0
    examples: int = 0
    answers: Sequence[Sequence[bool]] = ()


def consensus(labels: Iterable[Label]) -> Consensus:
    """The majority of what people said of each statement; the last answer of each person counts.

    Args:
        labels: All labels, in the order they were given.
    """
    answers: dict[Key, dict[str, bool | None]] = {}
    taught: set[Key] = set()
    for label in labels:
        if label.example:
            taught.add(label.key)
        answers.setdefault(label.key, {})[label.by] = label.label
    for key in taught:
        del answers[key]
    clear = {key: tuple(answer for answer in said.values() if answer is not None) for key, said in answers.items()}
    agreed = {key: 2 * sum(said) > len(said) for key, said in clear.items() if 2 * sum(said) != len(said)}
    return Consensus(agreed, len(answers) - len(agreed), len(taught), tuple(clear.values()))
