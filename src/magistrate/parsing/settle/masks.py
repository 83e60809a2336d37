"""A part of a reply, covered but for the judge's own wording."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from magistrate.parsing.decode.parts import Part
from magistrate.parsing.layouts.view import verdict_names
from magistrate.parsing.reply.masking import mask
from magistrate.parsing.switches import cached, is_on

_QUOTES: Final = re.compile("[\"'“„«「『]")


@cached
def _announced() -> re.Pattern[str]:
    return re.compile(rf"{verdict_names()}[*_`]*\s*[:：][*_\s]*$", re.IGNORECASE)


def masked(part: Part, statements: Sequence[str] = (), *, quotes: bool = True) -> str:
    """The judge's own wording, at its places; "" where there is more text than is read."""
    if part.overrun:
        return ""
    return mask(
        part.shown,
        part.prose,
        part.data,
        statements,
        announced=_announced() if _QUOTES.search(part.shown) else None,
        quotes=quotes and is_on("rule:quotations"),
    )
