"""Statements: what an answer says, sentence by sentence, in any script.

    for statement in split_statements(answer):
        answer[statement.start : statement.end] == statement.text

`split_text` gives every piece of an answer with its kind; `split_statements` those that state something.
`find_statement` finds a statement that a judge took from an answer in that answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from magistrate.statements.blocks import blocks
from magistrate.statements.courtesy import is_courtesy
from magistrate.statements.find import find_statement as _find
from magistrate.statements.sentences import sentence_spans

__all__ = ["Segment", "SegmentKind", "find_statement", "split_sentences", "split_statements", "split_text"]

SegmentKind = Literal["sentence", "row", "code", "heading", "courtesy", "marker"]

_STATES: Final = frozenset({"sentence", "row", "code"})
_AS_IT_IS: Final[dict[str, SegmentKind]] = {"row": "row", "code": "code", "heading": "heading", "marker": "marker"}
_LETTER: Final = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of an answer.

    Args:
        text: The piece, as the answer has it.
        start: Its first character in the answer.
        end: One past its last character.
        kind: "sentence"; "row" (of a table); "code" (a fenced block, whole); and what states nothing: "heading" (of the
            answer or a table), "courtesy" (greetings, thanks, offers of help), "marker" (bullets, numbering, rules,
            lone punctuation).
    """

    text: str
    start: int
    end: int
    kind: SegmentKind = "sentence"

    @property
    def is_statement(self) -> bool:
        """Whether the piece states something: a sentence, a row of a table, a block of code."""
        return self.kind in _STATES


def split_statements(text: str) -> tuple[Segment, ...]:
    """The statements of an answer, in its order.

    Sentences end where the script ends them; items of lists, rows of tables and fenced blocks of code are statements of
    their own. Left out, by name: headings, courtesies, and marks of layout (`Segment.kind`). Marks of citation stay
    with their sentence. Where an end is in doubt there is none.

    Args:
        text: Any text.

    Returns:
        The statements with their places, apart from each other; empty where the text states nothing. Linear in the
        length of the text.
    """
    return tuple(segment for segment in split_text(text) if segment.is_statement)


def split_sentences(text: str) -> tuple[str, ...]:
    """The texts of `split_statements`."""
    return tuple(segment.text for segment in split_statements(text))


def split_text(text: str) -> tuple[Segment, ...]:
    """All pieces of an answer, in its order: what `split_statements` keeps and what it leaves out.

    Args:
        text: Any text.

    Returns:
        Pieces apart from each other that together hold every character that is not white space.
    """
    segments: list[Segment] = []
    for block in blocks(text):
        if block.kind in _AS_IT_IS:
            segments += _segment(text, block.start, block.end, _AS_IT_IS[block.kind])
            continue
        for start, end in sentence_spans(text, block.start, block.end):
            if _LETTER.search(text, start, end) is None:
                segments += _segment(text, start, end, "marker")
            elif is_courtesy(text[start:end]):
                segments += _segment(text, start, end, "courtesy")
            else:
                segments += _segment(text, start, end, "sentence")
    return tuple(segments)


def find_statement(statement: str, answer: str) -> tuple[int, int] | None:
    """Find a statement in the answer that a judge says it took it from.

    It is found where its words stand in the answer in their order (case, white space and punctuation aside); or, for a
    rephrased one, where the answer holds at least 0.6 of its terms and two neighbouring sentences at least 0.5, all its
    numbers, all its names, and where both deny or neither does (`magistrate.statements.find` says how the shares were
    set).

    Args:
        statement: A statement, as a judge worded it; untrusted.
        answer: The answer.

    Returns:
        (start, end) in the answer: of the words, or of the sentences that hold most of it; None where it is not found.
    """
    return _find(statement, answer, _spans(answer))


@lru_cache(maxsize=2)
def _spans(answer: str) -> tuple[tuple[int, int], ...]:
    return tuple((segment.start, segment.end) for segment in split_text(answer) if segment.kind != "marker")


def _segment(text: str, start: int, end: int, kind: SegmentKind) -> list[Segment]:
    stretch = text[start:end]
    start += len(stretch) - len(stretch.lstrip())
    stretch = stretch.strip()
    return [Segment(stretch, start, start + len(stretch), kind)] if stretch else []
