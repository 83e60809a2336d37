"""A lettered label as options are listed: "B) The second, as it ...", "Output (b) (2)"."""

from __future__ import annotations

import re
from typing import Final

from magistrate.parsing.choices import Choices
from magistrate.parsing.prose import DROPPED

__all__ = ["counts_itself", "listed_option"]


def listed_option(line: str, text: str, choices: Choices) -> str | None:
    """The one letter that a text begins with as an option is listed, "B) The second, as ..."; None beside others."""
    match = _OPTION.match(line.lstrip(DROPPED)) if choices.lone else None
    label = choices.find(match["letter"]) if match is not None else None
    if match is None or label is None or not choices.cased(match["letter"]):
        return None
    if _SAID_OF_IT.search(line.lstrip(DROPPED), match.end(), match.end() + _NEAR):
        return None  # "A) is worse": what is said of it decides
    others = (choices.find(other["letter"]) for other in _OPTIONS.finditer(text[:_LOOKED_AT]))
    return label if all(other in {None, label} for other in others) else None


_LOOKED_AT: Final = 2_000
_NEAR: Final = 80
_SAID_OF_IT: Final = re.compile(
    r"\b(?:is|was|are|does|has|have|fails?|seems?|appears?|would|could|might|contains?|lacks?|misses|not|no|none|wrong|worse"
    r"|worst|weaker|weakest|poor(?:er)?|inferior|bad|incorrect|rejected|loses|but|if|unless)\b",
    re.IGNORECASE,
)
_OPTION: Final = re.compile(r"[ \t*_`(\[]{0,6}(?P<letter>\w)[)\]][*_`]{0,3}[:.,]?[ \t]+(?=\w)")
_OPTIONS: Final = re.compile(r"(?<!\w)(?P<letter>\w)[*_`]{0,3}[)\].:]")


def counts_itself(line: str, label: str, choices: Choices) -> bool:
    """Whether a number in brackets behind a lettered label is that of the label itself: "Output (b) (2)"."""
    match = _BEHIND.search(line)
    place = choices.place(label)
    return match is not None and int(match["number"]) == place and _LETTERED.search(label) is not None


_BEHIND: Final = re.compile(r"\((?P<number>\d{1,2})\)[\s*_`.]*$")
_LETTERED: Final = re.compile(r"(?<![^\W_])[A-Za-z](?![^\W_])")
