"""The text of a reply as readers of labelled lines and of YAML see it, and whose words stand before an object."""

from __future__ import annotations

from dataclasses import dataclass

from magistrate.parsing.decode.nodes import Span
from magistrate.parsing.decode.parts import Part
from magistrate.parsing.reply.masking import DROPPED, QUOTED
from magistrate.parsing.settle.acceptance import is_foreign
from magistrate.parsing.settle.masks import masked


@dataclass(slots=True)
class Prose:
    """The masked text; every place in it is the reply's.

    Args:
        text: The text.
        overlong: Whether there is more than is read.
    """

    text: str
    overlong: bool = False

    def place(self, position: int) -> int:
        """The position in the reply."""
        return position

    def back(self, at: int) -> int:
        """The position in the reply, by the name that layers of a document have for it."""
        return at

    def span(self, start: int, end: int) -> Span:
        """The span in the reply."""
        return start, end


def mask(part: Part) -> Prose:
    """The judge's own wording in a part, quotations and all."""
    text = masked(part, quotes=False)
    return Prose(
        text.replace(DROPPED, " ").replace(QUOTED, " "),
        overlong=not text and any(end > start for start, end in part.prose),
    )


def is_own(part: Part, start: int, *, inline: bool = True) -> bool:
    """Whether the words before an object leave it the judge's own: not "The candidate wrote:"."""
    return not is_foreign(masked(part), start, inline=inline)
