"""How sure a model was of a verdict: the probability of the tokens that it is written with."""

from __future__ import annotations

import math
import re
from typing import Final

from magistrate.records import Completion
from magistrate.verdict import Scale, StatementVerdict, Verdict

_KEYED: Final = re.compile(
    r"[\"'](?:verdict|label|answer|judge?ment|supported|status)[\"'][ \t]{0,9}:[ \t]{0,9}([\"']?[\w -]{1,40})",
    re.IGNORECASE,
)
_PLAIN: Final = {
    Verdict.SUPPORTED: ("supported", "yes", "true", "1"),
    Verdict.PARTIALLY_SUPPORTED: ("partially supported", "partial"),
    Verdict.CONTRADICTED: ("contradicted", "no", "false", "0"),
    Verdict.NOT_ENOUGH_INFO: ("not enough info", "no", "false", "0"),
    Verdict.UNSUPPORTED: ("unsupported", "not supported", "no", "false", "0"),
}


def token_confidence(completion: Completion, verdict: StatementVerdict, scale: Scale) -> float | None:
    """The probability of a verdict's tokens, in (0, 1]; None where it is not known or the place cannot be told."""
    if completion.logprobs is None or completion.text is None or verdict.verdict is None or verdict.span is None:
        return None
    place = _place(completion.text, verdict.span, verdict.verdict, scale)
    if place is None:
        return None
    start, end = place
    return math.exp(math.fsum(value for first, last, value in completion.logprobs if first < end and last > start))


def _place(text: str, span: tuple[int, int], verdict: Verdict, scale: Scale) -> tuple[int, int] | None:
    """Where the verdict itself stands in its row: behind its key, else its last word; nothing where none is found."""
    row = text[span[0] : span[1]]
    keyed = list(_KEYED.finditer(row))
    if keyed:
        return span[0] + keyed[-1].start(1), span[0] + keyed[-1].end(1)
    words = [*_PLAIN[verdict], *(word for word, meant in scale.words.items() if meant is verdict)]
    spelled = "|".join(re.escape(word).replace(r"\ ", "[ _-]") for word in sorted(words, key=len, reverse=True))
    found = list(re.finditer(rf"(?<![\w-])(?:{spelled})(?![\w-])", row, re.IGNORECASE))
    return (span[0] + found[-1].start(), span[0] + found[-1].end()) if found else None
