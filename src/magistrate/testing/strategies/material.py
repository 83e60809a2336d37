"""What replies are made of: statements, reasons, and what a format is given to write down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from hypothesis import strategies as st

from magistrate.testing.strategies.reply import Writer
from magistrate.testing.strategies.style import PLAIN, Style
from magistrate.verdict import Verdict

__all__ = ["REASONS", "Ask", "statement_lists"]

T = TypeVar("T")

_SUBJECTS: Final = (
    "The tea house",
    "The old press",
    "Our archive",
    "The night train",
    "Das Museum",
    "La biblioteca",
    "Le moulin",
    'The "blue" barn',
    "Dr. Hahn's clinic",
)
_FACTS: Final = (
    "opens at # o'clock",
    "keeps # maps",
    "was rebuilt # years ago",
    "has no lift",
    "seats # people: no more",
    "is closed on Mondays, except in May",
    "hat # Räume",
    "tiene # salas",
    "sells honey (from # hives)",
    "does not lend books",
    "ships # kg a day",
    "has walls 3/# of a metre thick",
)
REASONS: Final = (
    "The page says so.",
    "Nothing in the text mentions it",
    "The table lists another figure: 40, not 41.",
    "Stated in line 2 (see the note).",
    'It says "closed" there',
    "The source is silent, so this is a guess; still",
    "Paragraph 3 agrees, and so does the map",
    "",
    "Siehe Absatz 2.",
    "C'est écrit à la page 4",
    "The first line agrees.\nThe second adds a date",
)
"""Reasons a judge may give, none of which says a verdict of its own."""


@dataclass
class Ask:
    """What a format is given to write down.

    Attributes:
        statements: What the judge was asked about.
        verdicts: What it means, one per statement.
        words: The words it uses for them.
        reasons: Its reasons.
        draw: Hypothesis's draw, for what a format leaves open.
        style: How JSON is written.
        out: Where the format writes to.
    """

    statements: Sequence[str]
    verdicts: tuple[Verdict, ...]
    words: tuple[str, ...]
    reasons: tuple[str, ...]
    draw: Callable[[st.SearchStrategy[Any]], Any]
    style: Style = PLAIN
    out: Writer = field(default_factory=Writer)

    def pick(self, *options: T) -> T:
        """Choose one; the first is the simplest."""
        chosen: T = self.draw(st.sampled_from(options))
        return chosen

    def shuffled(self) -> list[int]:
        """The statements in some order."""
        return list(self.draw(st.permutations(range(len(self.statements)))))


@st.composite
def statement_lists(draw: st.DrawFn, least: int = 1, most: int = 6) -> tuple[str, ...]:
    """Distinct statements with numbers, quotation marks and negations, in several languages.

    Args:
        draw: Given by Hypothesis.
        least: The fewest.
        most: The most.
    """
    count = draw(st.integers(least, most))
    made = []
    for number in range(count):
        subject, fact = draw(st.sampled_from(_SUBJECTS)), draw(st.sampled_from(_FACTS))
        fact = fact.replace("#", str(draw(st.integers(2, 19))))
        made.append(f"{subject} {fact}, item {chr(65 + number)}{number + 1}.")
    return tuple(made)
