"""A reply with its right reading, and the writer that puts one together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from magistrate.verdict import Scale, Verdict

__all__ = ["Reply", "Span", "Writer"]

Span = tuple[int, int]
"""First and one past the last character."""


@dataclass(frozen=True)
class Reply:
    """A reply and its right reading, known because the reply was written from it.

    Attributes:
        text: What the judge wrote.
        statements: What it was asked about, in order.
        scale: The scale it was asked to use.
        verdicts: What it meant, one per statement.
        format: How it was written down; a key of `FORMATS`.
        tokens: Per statement where its verdict's own word stands in the text.
        by_id: Whether each verdict names its statement, by number or by repeating it.
        closed: Whether the end of the answer is marked (a bracket, a tag), so that a cut can be told from the text.
        wrapping: What stands around the answer; a key of `WRAPPINGS`.
        language: The language of the verdict words; a key of `WORDS`.
        slips: The mistakes of notation that were made on purpose; keys of `SLIPS`.
        contexts: What the judge saw beside the statements.
        token: The request token that the answer repeats; None where it was asked for none.
        planted: The answer-like text that was planted; None where none was.
    """

    text: str
    statements: tuple[str, ...]
    scale: Scale
    verdicts: tuple[Verdict, ...]
    format: str
    tokens: tuple[Span, ...]
    by_id: bool = True
    closed: bool = True
    wrapping: str = "none"
    language: str = "en"
    slips: tuple[str, ...] = ()
    contexts: tuple[str, ...] = ()
    token: str | None = None
    planted: str | None = None

    def wrong(self, read: Sequence[str | None]) -> tuple[int, ...]:
        """Tell which verdicts of a reading are silently wrong.

        Args:
            read: What a parser read: one verdict per statement, in order, as a `Verdict` or its value ("supported"),
                None where it read none. Statements beyond its end count as unread.

        Returns:
            The places (0-based) where a verdict was read that is not the one that was meant, and every place beyond the
            last statement where one was read.
        """
        return tuple(
            at
            for at, verdict in enumerate(read)
            if verdict is not None and (at >= len(self.verdicts) or verdict != self.verdicts[at])
        )

    def touched(self, kind: str, at: int) -> frozenset[int]:
        """Tell which verdicts' own words a damage changed, or made longer or shorter at their edges.

        Args:
            kind: "delete", "insert" or "swap", as `damaged` gives it.
            at: Where, in characters of the text before the damage.
        """
        first, last = (at - 1, at) if kind == "insert" else (at, at + 1 if kind == "swap" else at)
        return frozenset(index for index, (start, end) in enumerate(self.tokens) if start <= last and first < end)


@dataclass
class Writer:
    """Puts a text together and remembers where each statement's verdict stands.

    Attributes:
        tokens: Per statement (index) the span of its verdict's word.
        length: Characters so far.
    """

    tokens: dict[int, Span] = field(default_factory=dict)
    length: int = 0
    _pieces: list[str] = field(default_factory=list)

    def write(self, *pieces: str) -> None:
        """Add pieces of text."""
        for piece in pieces:
            self._pieces.append(piece)
            self.length += len(piece)

    def token(self, index: int, piece: str) -> None:
        """Add the word that gives the verdict of a statement."""
        self.tokens[index] = (self.length, self.length + len(piece))
        self.write(piece)

    @property
    def text(self) -> str:
        """What was written."""
        return "".join(self._pieces)
