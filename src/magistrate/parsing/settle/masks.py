"""A part of a reply, covered but for the judge's own wording."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from magistrate.parsing.decode.parts import Part
from magistrate.parsing.layouts.view import verdict_names
from magistrate.parsing.reply.masking import mask
from magistrate.parsing.switches import cached, is_on
from magistrate.parsing.wording.languages import group
from magistrate.parsing.wording.patterns import Screen, either


@cached
def _example_words() -> Screen:
    return Screen(group("prose", "example"))


@cached
def _examples() -> re.Pattern[str]:
    return re.compile(
        rf"^[ \t*_#>-]*(?:{either('prose', 'example')})[ \t]*\d{{0,2}}[*_ \t]*[:：][*_ \t]*$",
        re.MULTILINE | re.IGNORECASE,
    )


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
        examples=_examples() if is_on("rule:examples") and _example_words().search(part.shown) else None,
        announced=_announced() if _QUOTES.search(part.shown) else None,
        quotes=quotes and is_on("rule:quotations"),
    )
