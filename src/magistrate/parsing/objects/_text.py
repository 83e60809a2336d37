"""The text of a reply as readers of labelled lines and of YAML see it, and whose words stand before an object."""

from __future__ import annotations

from dataclasses import replace

from magistrate.parsing.decode.parts import Part
from magistrate.parsing.reply.masking import DROPPED, QUOTED
from magistrate.parsing.settle.acceptance import is_foreign
from magistrate.parsing.settle.masks import masked


def own_text(part: Part, *, data: bool = False) -> str:
    """The judge's own wording in a part, quotations and all, each sign in its place; "" where it is too long."""
    if data:
        prose = sorted([*part.prose, *((one.start, one.end) for one in part.documents)])
        part = replace(part, shown=part.text, prose=prose, documents=[], quoted=[])
    return masked(part, quotes=False).replace(DROPPED, " ").replace(QUOTED, " ")


def is_own(part: Part, start: int, *, inline: bool = True) -> bool:
    """Whether the words before an object leave it the judge's own: not "The candidate wrote:"."""
    return not is_foreign(masked(part), start, inline=inline)
