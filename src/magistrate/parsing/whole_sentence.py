"""A whole sentence that says of the statement what it is, in other languages: "Die Aussage ist belegt."."""

from __future__ import annotations

import re
from typing import Final

from magistrate.parsing.vocabulary import Vocabulary
from magistrate.verdict import Verdict

__all__ = ["read_sentence"]

_LONGEST: Final = 100
_SUBJECT: Final = re.compile(
    r"\s*(?:(?:die|diese|der|dieser)\s+(?:aussage|behauptung|satz)\s+"
    r"|(?:la|esta)\s+(?:afirmación|declaración)\s+|(?:l['’]affirmation|cette\s+affirmation|la\s+déclaration)\s+"
    r"|(?:l['’]affermazione|questa\s+affermazione|la\s+dichiarazione)\s+|(?:a|esta)\s+(?:afirmação|declaração)\s+"
    r"|(?:(?:это|данное)\s+)?утверждение\s+|[该該此这這](?:个|個|一)?(?:陈述|陳述|声明|聲明|语句|说法|命题)(?:是)?"
    r"|(?:この|その)?(?:文|主張|記述)は|(?:이\s*|해당\s*)?(?:진술|주장|문장)(?:은|는|이|가)\s*"
    r"|(?:هذه\s+|هذا\s+)?(?:العبارة|البيان|الادعاء)\s+|(?:यह\s+)?(?:कथन|दावा|वाक्य)\s+)"
    r"(?P<rest>[^.!?;:,\n。！？；：，،؟।]{1,80})[.!。！।]?\s*",
    re.IGNORECASE,
)
_CONTEXT: Final = re.compile(
    r"\s*(?:上下文|原文|文本|文章|资料)(?:中)?(?:并|並)?(?P<not>不|没有|沒有)?支持(?:该|該|此|这|這)(?:个|個|一)?"
    r"(?:陈述|陳述|声明|聲明|语句|说法|命题)[.。！]?\s*"
)
_COPULAS: Final = frozenset("ist wird es está est è é ist's है".split())


def read_sentence(text: str, words: Vocabulary) -> Verdict | None:
    """Read a text that is one sentence about the statement and nothing else; None where it is another.

    What is said of it, with its negation, must be a word of the scale as a whole: nothing is told of parts.
    """
    if len(text) > _LONGEST:
        return None
    match = _SUBJECT.fullmatch(text)
    if match is not None:
        parts = [part for part in match["rest"].replace("’", "'").casefold().split() if part not in _COPULAS]
        parts = [part for part in parts if part != "n'est"]
        reading = words.word(" ".join(parts)) if parts else None
        return reading if isinstance(reading, Verdict) else None
    match = _CONTEXT.fullmatch(text)
    reading = words.word("不支持" if match["not"] else "支持") if match else None
    return reading if isinstance(reading, Verdict) else None
