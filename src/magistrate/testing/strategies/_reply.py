"""A reply with its right reading, and what a format writes it with: words, statements, the marks of JSON, slips."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from typing import Any, Final, TypeVar

from hypothesis import strategies as st

from magistrate.verdict import Scale, Verdict

T = TypeVar("T")

MATERIAL: Final[Mapping[str, Any]] = json.loads(files(__package__).joinpath("material.json").read_text("utf-8"))
"""Subjects and facts of statements, reasons, planted answers, words, wrappings."""

WORDS: Final[Mapping[str, Mapping[Verdict, tuple[str, ...]]]] = {
    language: {Verdict(verdict): tuple(words.split(", ")) for verdict, words in lists.items()}
    for language, lists in MATERIAL["words"].items()
}
"""By language (ISO 639-1) and verdict the words a judge may write for it; a plain "no" belongs to the binary scale.
They are this kit's own and not taken from the tables of the parser, so that it can find what those lack."""

WRAPPINGS: Final[Mapping[str, tuple[str, str]]] = {
    name: (pair[0], pair[1]) for name, pair in MATERIAL["wrappings"].items()
}
"""By name what stands before the answer and behind it. Drafts within them are marked as such from their first character
on, so that a reply cut within one holds no answer."""

PLANTED: Final[tuple[str, ...]] = tuple(MATERIAL["planted"])
"""Texts that look like an answer, all of them "yes"."""

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


_BARE: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")


@dataclass(frozen=True, slots=True)
class Style:
    """The marks that a writer of JSON uses."""

    quotes: tuple[str, str] = ('"', '"')
    escape_quotes: bool = True
    escape_lines: bool = True
    bare_keys: bool = False
    colon: str = ": "
    comma: str = ", "
    between_rows: str = ", "
    last: str = ""
    note: str = ""
    braces: tuple[str, str, str, str] = ("{", "}", "[", "]")
    closes: bool = True

    def text(self, value: str) -> str:
        """A string."""
        left, right = self.quotes
        inner = json.dumps(value, ensure_ascii=False)[1:-1]
        if left == "'":
            inner = inner.replace('\\"', '"').replace("'", "\\'")
        elif not self.escape_quotes:
            inner = inner.replace('\\"', '"')
        if not self.escape_lines:
            inner = inner.replace("\\n", "\n")
        return left + inner + right

    def value(self, value: Any) -> str:
        """A string, number or truth value."""
        return self.text(value) if isinstance(value, str) else json.dumps(value)

    def key(self, name: str) -> str:
        """The key of a member."""
        return name if self.bare_keys and name and _BARE.issuperset(name) and not name[0].isdigit() else self.text(name)


PLAIN: Final = Style()
"""Valid JSON."""

SLIPS: Final[Mapping[str, Mapping[str, Any]]] = {
    "trailing commas": {"last": ","},
    "single quotes": {"quotes": ("'", "'")},
    "smart quotes": {"quotes": ("\u201c", "\u201d")},
    "bare keys": {"bare_keys": True},
    "comments": {"note": " // checked against the source\n"},
    "missing commas between rows": {"between_rows": "\n"},
    "raw line ends in strings": {"escape_lines": False},
    "unescaped quotes": {"escape_quotes": False},
    "full-width punctuation": {"colon": "\uff1a", "comma": "\uff0c", "between_rows": "\uff0c"},
    "missing closing brackets": {"closes": False},
}
"""Mistakes of notation by name, and what each changes in a `Style`. A careful reader still sees what was meant: a right
reading gives the verdicts that were meant, or none."""


def with_slips(*names: str) -> Style:
    """The style with these slips."""
    style = PLAIN
    for name in names:
        style = replace(style, **SLIPS[name])
    return style


@dataclass
class Ask:
    """What a format is given to write down, and what it has written: the text, and where each verdict stands in it."""

    statements: Sequence[str]
    verdicts: tuple[Verdict, ...]
    words: tuple[str, ...]
    reasons: tuple[str, ...]
    draw: Callable[[st.SearchStrategy[Any]], Any]
    style: Style = PLAIN
    text: str = ""
    tokens: dict[int, Span] = field(default_factory=dict)

    def pick(self, *options: T) -> T:
        """Choose one; the first is the simplest."""
        chosen: T = self.draw(st.sampled_from(options))
        return chosen

    def shuffled(self) -> list[int]:
        """The statements in some order."""
        return list(self.draw(st.permutations(range(len(self.statements)))))

    def write(self, *pieces: str) -> None:
        """Add pieces of text."""
        self.text += "".join(pieces)

    def token(self, index: int, piece: str) -> None:
        """Add the word that gives the verdict of a statement."""
        self.tokens[index] = (len(self.text), len(self.text) + len(piece))
        self.text += piece
