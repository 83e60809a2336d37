"""The verdict that a reason gives in so many words, beside the one of its row."""

from __future__ import annotations

import re
from typing import Final

from pydantic_core import SchemaValidator, core_schema

from magistrate.parsing.predicates import read_predicates
from magistrate.parsing.verdict_text import closing_label
from magistrate.parsing.vocabulary import Vocabulary, fold
from magistrate.verdict import Verdict

__all__ = ["conclusion_of", "drawn_at_the_end", "may_conclude"]

_LABEL_ROOM: Final = 70
"""Characters at the end of a reason in which a closing label has its colon."""
_LONGEST: Final = 2_000
_STOP: Final = re.compile(r"[.!?。！？\n](?:(?<=\n)\n*+|\s+)")
"""What ends a sentence. It begins with a set of signs: that is what makes the search fast."""
_TURNS: Final = re.compile(
    r"\b(?:however|but|yet|although|though|still|nevertheless|wait|actually|on second thought|while|whereas|only"
    r"|except)\b",
    re.IGNORECASE,
)
_LINKS: Final = (
    "so|therefore|thus|hence|overall|in conclusion|in sum|in summary|in short|to sum up|all in all|altogether"
    "|ultimately|as a result|accordingly|consequently|finally"
)
_BEGINS: Final = re.compile(
    rf"[\s\"'(*_-]*+(?:(?:{_LINKS})[\s,:]++){{0,6}}"
    r"(?:(?:i|we)\s+conclude\s+that\s+)?(?P<subject>(?:the|this)\s+(?:\w+\s+)?(?:statement|claim|sentence|assertion|summary)\b"
    r"|(?:the|my)\s+(?:final\s+)?(?P<verdict>verdict|answer|judge?ment|conclusion|label)\s+(?:is|must\s+be|should\s+be|would\s+be)\s*:?\s*"
    r"|(?:the|this)\s+(?:given\s+|provided\s+)?(?:context|text|source|document|passage|article|evidence)s?\b)",
    re.IGNORECASE,
)
_SO: Final = re.compile(
    r"[,;]\s*(?:and\s+)?(?:so|therefore|thus|hence|which\s+means)[\s,]+(?:that\s+)?(?=(?:it|this|the)\s+(?:\w+\s+){0,2}?(?:is|are|verdict|answer)\b)",
    re.IGNORECASE,
)
_DRAWS: Final = r"so|therefore|thus|hence|i\s+mean|make\s+(?:that|it)|or\s+rather|no,?\s+wait|wait|nope|actually"
_LAST: Final = re.compile(
    rf"(?:^|[.!?,;。！？]\s+|\n)[\s\"'(*_-]*(?:{_DRAWS})[\s,:]+(?:(?:it|this|that|which)(?:\s+is|['’]s)\s+|an?\s+)?"
    r"(?P<value>[^\s,.!?。！？\n][^.!?。！？\n]{0,30})[.!]?[\s\"')*_]*\Z",
    re.IGNORECASE,
)
"""What stands last in a reason and draws a verdict, in a few words: "So no.", "No wait, it's supported."."""
_LAST_ROOM: Final = 100
_S: Final = r"[\s\x1c-\x1f]"
_WORD: Final = rf"(?:\S+{_S}+)"
_QUICK: Final = (
    # a label at the end
    rf'(?i)[:=\uff1a]{_S}*[^\n:"]{{0,60}}{_S}*(?:\n|$)'
    # sentences that begin with the statement, the verdict, or what the judge read, which says or is something
    rf"|(?:^|[.!?。！？]{_S}|\n)[\s\x1c-\x1f\"'(*_-]*"
    rf"(?:(?:{_LINKS})[\s\x1c-\x1f,:]+)*"
    rf"(?:(?:i|we){_S}+conclude{_S}+that{_S}+)?"
    rf"(?:(?:the|this){_S}+{_WORD}?(?:statement|claim|sentence|assertion|summary)"
    rf"|(?:the|my){_S}+(?:final{_S}+)?(?:verdict|answer|judge?ment|conclusion|label){_S}+(?:is|must|should|would)"
    rf"|(?:the|this){_S}+(?:(?:given|provided){_S}+)?(?:context|text|source|document|passage|article|evidence)s?{_S}"
    r"(?:[^.!?。！？\n]|[.!?。！？][^\s\x1c-\x1f])*"
    rf"(?:(?:support|contradict|refute|confirm|entail|back|mention)s?{_S}+(?:this|that|the|it)"
    rf"|(?:it|this|that|statement|claim|sentence|assertion|summary|answer|response|fact|input){_S}+{_WORD}{{0,2}}"
    rf"(?:is|was|remains|are|can|should|seems|appears){_S}))"
    # what follows from a sentence
    rf"|[,;]{_S}*(?:and{_S}+)?(?:so|therefore|thus|hence|which{_S}+means)[\s\x1c-\x1f,]+(?:that{_S}+)?(?:it|this|the){_S}+"
    rf"{_WORD}{{0,2}}(?:is|are|verdict|answer)"
    # a few words at the end that put a verdict in the place of another, or draw it
    rf"|(?:^|[.!?,;。！？]{_S}+|\n)[\s\x1c-\x1f\"'(*_-]*(?:{_DRAWS.replace(chr(92) + 's', _S)})[\s\x1c-\x1f,:]+"
    rf"[^.!?。！？\n]{{0,60}}[.!]?[\s\x1c-\x1f\"')*_]*(?:\n|$)"
    # the number of a statement
    rf"|(?:^|\n)[^A-Za-z0-9]{{0,4}}(?:statement|claim|sentence|fact|item){_S}*#?{_S}*\d"
)
"""What the patterns here need at the least, for another engine: one that takes all of it in a single pass."""
_may_conclude: Final = SchemaValidator(core_schema.str_schema(pattern=_QUICK)).isinstance_python


def may_conclude(reasons: str) -> bool:
    """Whether some reasons, one after the other, may give a verdict or begin with the number of a statement.

    A quick test, which stands in the way of every clean reply: True wherever `conclusion_of` or `names_another` finds
    anything.

    Args:
        reasons: The reasons, joined by line breaks.
    """
    if _may_conclude(reasons):
        return True
    if reasons.isascii():
        return False
    try:
        reasons.encode()
    except UnicodeEncodeError:  # half a character: the quick test looked at nothing
        return True
    return False


def conclusion_of(reason: str, words: Vocabulary) -> Verdict | None:
    """The verdict that a reason comes to.

    Args:
        reason: A reason.
        words: The vocabulary of the scale.

    Returns:
        The verdict of its closing label or of the few words at its end that draw one, else the one that whole sentences
        about the statement give; None where they give none, or different ones, or a sentence that turns to something
        else follows.
    """
    end = reason[-_LABEL_ROOM:]
    label = closing_label(reason, words) if ":" in end or "=" in end or "\uff1a" in end else None
    if label is not None:
        return label
    drawn = drawn_at_the_end(reason, words)
    if drawn is not None:
        return drawn
    found: set[Verdict] = set()
    sentences = _sentences(reason[-_LONGEST:])
    if len(reason) > _LONGEST:
        del sentences[0]  # its beginning was cut off
    for at, sentence in enumerate(sentences):
        reading = _told(sentence, words)
        if reading is None:
            continue
        if any(_TURNS.search(later) for later in sentences[at:]):
            return None
        found.add(reading)
    return found.pop() if len(found) == 1 else None


def drawn_at_the_end(text: str, words: Vocabulary) -> Verdict | None:
    """The verdict that the last few words of a text draw: "The page says 1923, so no."; None where they draw none."""
    last = _LAST.search(text, max(0, len(text) - _LAST_ROOM))
    drawn = words.word(last["value"]) if last is not None else None
    return drawn if isinstance(drawn, Verdict) else None


def _sentences(text: str) -> list[str]:
    """The sentences of a text, each with the mark that ends it."""
    found, begin = [], 0
    for stop in _STOP.finditer(text):
        mark = stop.start()
        found.append(text[begin:mark] if text[mark] == "\n" else text[begin : mark + 1])
        begin = stop.end()
    return [*found, text[begin:]]


def _told(sentence: str, words: Vocabulary) -> Verdict | None:
    parts = _SO.split(sentence, maxsplit=1)
    clause = parts[-1]
    begins = _BEGINS.match(clause)
    if begins is None and len(parts) == 1:
        return None
    if begins is not None and begins["verdict"]:
        reading = words.word(clause[begins.end() :])
        return reading if isinstance(reading, Verdict) else None
    said = read_predicates(clause, 0, words)
    readings = {one.reading for one in said}
    if len(readings) != 1 or said[0].span[0] > len(clause) - len(clause.lstrip(" \"'(*_-")) + _OPENING:
        return None
    reading = said[0].reading
    return reading if isinstance(reading, Verdict) and fold(clause) else None


_OPENING: Final = 40
"""Characters that may stand before the sentence: "Therefore, I conclude that"."""
