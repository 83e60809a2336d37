"""One verdict for all statements in a few words: "All yes.", "None supported.", "Yes to all."."""

from __future__ import annotations

import re
from typing import Final

from magistrate.parsing.item_wording import VERDICT_NAMES, either
from magistrate.parsing.prose import DROPPED, Prose
from magistrate.parsing.rows import Row, Table
from magistrate.parsing.sentences import COUNTS, LIST, NOUN, denied, expand
from magistrate.parsing.vocabulary import Vocabulary
from magistrate.verdict import Verdict

__all__ = ["read_alike", "read_summaries"]

_MANY: Final = r"(?:statements|claims|items|sentences|facts|points)"
_HOW_MANY: Final = rf"(?:\s+(?P<counted>\d{{1,3}}|{'|'.join(COUNTS)}))?"
_ALL: Final = (
    rf"(?:(?P<both>both)|all|each|every\s+one|everything)(?:\s+(?:of\s+)?(?:them|these|those|the))?{_HOW_MANY}"
    rf"(?:\s+(?:of\s+them|{_MANY}))?"
    r"|(?:they|these|those)\s+are\s+all|alle(?:\s+(?:aussagen|behauptungen))?(?:\s+sind)?"
    r"|todas(?:\s+(?:las\s+afirmaciones|as\s+afirmações))?(?:\s+(?:son|están|são|estão))?"
    r"|toutes(?:\s+les\s+affirmations)?(?:\s+sont)?|tutte(?:\s+le\s+affermazioni)?(?:\s+sono)?|все(?:\s+утверждения)?"
)
_WITHOUT: Final = (
    r"(?:(?:\s*+,)?+\s++(?:except|apart\s+from|other\s+than|but\s+not|save)\s+(?:for\s+)?"
    rf"(?:{NOUN}\s*#?\s*)?(?P<without>{LIST}))?"
)
_SAYS_ALL: Final = re.compile(
    rf"(?:{_ALL})(?:\s+(?:are|is|were))?\s*(?:[:=–—-]\s*)?(?<=\W)(?P<word>[^\W\d_][^\n,;:]{{0,40}}?){_WITHOUT}",
    re.IGNORECASE,
)
_SAYS_ALL_SIGNS: Final = re.compile(
    r"(?:全部|所有(?:陈述|陳述|语句|声明|命题)?|すべて|全て|모두|모든\s*진술(?:이|은)?)(?:都|均|は|の文は|の主張は)?"
    r"(?:是|为|[:：])?\s*(?P<word>[^\n,;:，；：]{1,20})"
)
_FOR_ALL: Final = re.compile(
    rf"(?P<word>[^\W\d_][^\n,;:]{{0,30}}?),?\s+(?:to|for|on)\s+(?:(?P<both>both)|all|each|every\s+one)"
    rf"(?:\s+(?:of\s+)?(?:them|these|those|the))?{_HOW_MANY}(?:\s+{_MANY})?{_WITHOUT}",
    re.IGNORECASE,
)
_SAYS_NONE: Final = re.compile(
    rf"(?:none|nothing|not\s+one|(?:no|not\s+a\s+single)\s+(?:statement|claim|item|sentence|fact)s?)"
    rf"(?:\s+of\s+(?:them|these|those|(?:the|these){_HOW_MANY}\s+{_MANY}))?(?:\s+(?:is|are|was|were))?\s+"
    r"(?P<word>[^\W\d_][^\n,;:]{0,40})",
    re.IGNORECASE,
)
_LEAD_IN: Final = re.compile(
    rf"[\s*_`#>-]*+(?:(?:the|my|final|overall)\s++){{0,6}}(?:{either(VERDICT_NAMES)})s?[*_`]*+\s*+[:：]", re.IGNORECASE
)
_STOP: Final = re.compile(r"[.!。！](?=\s|$)|\n|$")
_DOUBT: Final = re.compile(
    r"\d|\b(?:except|but|however|although|though|unless|apart|other|others|rest|save|only|most|some|one|first|second"
    r"|third|last|statements?|claims?|not|no|never|neither|none|un\w+|contradict\w*|wait|correction|actually|sorry|i)\b"
    r"|n't|[^\x00-\x7f]",
    re.IGNORECASE,
)
"""What must not follow: it may be about single statements, or take something back."""
_BECAUSE: Final = re.compile(r",?\s+(?:because|since)\s", re.IGNORECASE)
_SOURCE: Final = re.compile(r"\s+by\s+(?:the\s+)?\w{1,20}$", re.IGNORECASE)
_TRIM: Final = " \t\r*_`\"'“”()[]"


def read_alike(prose: Prose, words: Vocabulary, count: int, *, cut: bool) -> Table | None:
    """Read a reply that gives all statements one verdict, in its first sentence; None where more is said than that.

    Args:
        prose: The masked text.
        words: The vocabulary of the scale.
        count: How many statements were asked about.
        cut: Whether the text was cut off: then a sentence at its end may have been going to name an exception. So may
            one that no mark ends, whatever is said of the text's end.
    """
    text = prose.text
    lead = _LEAD_IN.match(text)
    start = lead.end() if lead else 0
    start += len(text[start:]) - len(text[start:].lstrip(" \t\r\n" + DROPPED))
    stop = _STOP.search(text, start)
    end = stop.start() if stop else len(text)
    reason = _BECAUSE.search(text, start, end)
    end = reason.start() if reason else end
    rest = text[end:].strip(" \t\r\n.!。！" + DROPPED)
    goes_on = not rest and (cut or _ENDED.search(text[end:]) is None)
    if end - start > _LONGEST or _DOUBT.search(rest) or goes_on:
        return None
    rows = _said(text[start:end].strip(_TRIM), words, count)
    for row in rows:
        row.span = (start, end)
    return Table(rows, "sentences", orderly=False) if rows else None


_LONGEST: Final = 120
_ENDED: Final = re.compile(r"[.!。！\n]")


def _said(sentence: str, words: Vocabulary, count: int) -> list[Row]:
    for pattern in (_SAYS_NONE, _SAYS_ALL, _FOR_ALL, _SAYS_ALL_SIGNS):
        match = pattern.fullmatch(sentence)
        reading = words.word(_SOURCE.sub("", match["word"])) if match else None
        if match is None or not isinstance(reading, Verdict):
            continue
        said = match.groupdict()
        if pattern is _SAYS_NONE:
            if reading is not words.word("supported") or _DEGREE.match(match["word"]):
                return []  # "none is fully supported": in part, some may be
            reading = denied(reading, words)
        named = (said.get("counted") or "").casefold()
        number = _BOTH if said.get("both") else int(named) if named.isdecimal() else COUNTS.get(named, count)
        without = expand(said["without"]) if said.get("without") else []
        if number != count or without is None or not set(without) <= set(range(1, count + 1)):
            return []
        return [
            Row(denied(reading, words) if at in without else reading, match["word"], id=at)
            for at in range(1, count + 1)
        ]
    return []


_DEGREE: Final = re.compile(r"(?:fully|completely|entirely|wholly)\b", re.IGNORECASE)
_BOTH: Final = 2


def read_summaries(text: str, start: int, end: int, words: Vocabulary, count: int) -> list[Row]:
    """The sentences outside a list that give all of its statements one verdict: what the list says must not differ.

    Args:
        text: The masked text.
        start: Where the list begins in it.
        end: Where it ends.
        words: The vocabulary of the scale.
        count: How many statements were asked about.
    """
    rows: list[Row] = []
    for low, high in ((0, start), (end, len(text))):
        at = low
        for stop, _ in zip(_STOP.finditer(text, low, high), range(MOST_SENTENCES), strict=False):
            sentence = _SUMS_UP.sub("", text[at : stop.start()].strip(_TRIM + "\n.!。！#>-" + DROPPED), count=1)
            if _QUICK.match(sentence) and len(sentence) <= _LONGEST:
                for row in _said(sentence, words, count):
                    row.span = (at, stop.start())
                    rows.append(row)
            at = stop.end()
    return rows


_SUMS_UP: Final = re.compile(
    r"(?:overall|in (?:summary|conclusion|short|total)|summary|therefore|thus|so|conclusion)[*_`]*\s*[:,]\s*[*_`]*",
    re.IGNORECASE,
)
MOST_SENTENCES: Final = 400
"""Sentences that are looked at."""
_QUICK: Final = re.compile(
    r"(?:all|both|each|every|none|nothing|not?|they|these|those|alle|todas|toutes|tutte|yes|supported|unsupported)\b",
    re.IGNORECASE,
)
