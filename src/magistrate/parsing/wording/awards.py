"""Words that give a score to what was judged: "I would rate this answer", "overall it deserves"."""

import re
from typing import Final

from magistrate.parsing.switches import cached, cached_for
from magistrate.parsing.wording.courtesy import AWARDS, corrects, is_example, is_own_lead, lead_words, leads_outright
from magistrate.parsing.wording.hedges import reports
from magistrate.parsing.wording.keys import is_named, names_others
from magistrate.parsing.wording.languages import group, special
from magistrate.parsing.wording.patterns import WordPattern
from magistrate.parsing.wording.reasons import is_headed_reason, speaks_of_judge

SCORE_WORD: Final = re.compile(
    r"^(?:the|my|overall)\s+|[\s*_]*(?:score|rating|grade|mark|level)?[\s*_]*$", re.IGNORECASE
)
NAMES_AWARD: Final = WordPattern(r"\b{award|score}\b(?:\s+[\w'\u2019]+){0,7}$|^(?:my|our|overall|i|we)\b")
"""The name of a score, or of giving one, at the end of a clause."""
OWN_SUBJECT: Final = WordPattern(
    r"^(?:{therefore|contrast|and|because}(?:\W+|$))*(?:$|(?:this|it|my|our"
    r"|overall|(?:(?:the|this|each)\W+(?:(?:{own}|{things}|{WHICH})\W+)?)?"
    r"{things}(?!\W+(?:[b-z]|\d+|one|two)\b))\b)|^{award}\b|\b(?:i|we|me|i'd|i'll)\b",
    things=r"(?:{candidate|item}|ai|user|email|explanation|quality)",
)
"""The judge, or what was judged, at the head of a clause."""


def is_given(clause: str) -> bool:
    """Whether a clause up to its score gives it to what was judged, in known words and no others."""
    clause = _VIEW.sub("", _VALUED.sub("", clause))
    words = re.findall(r"[\w'\u2019]+", clause.lower())
    if reports(clause):
        return False  # "The candidate claims a score of"
    if _GIVES_IT.match(clause):
        return True  # "Darei a questa risposta un"
    return OWN_SUBJECT.search(clause) is not None and _awarding().issuperset(words)


_VIEW: Final = re.compile(r"^\W*(?:in|from)\s+my\s+(?:view|opinion|assessment|judge?ment)\W+", re.IGNORECASE)
_VALUED: Final = WordPattern(r"\ban?\s+{remark}\W*$")
"""What is said of a score before its number: "a solid 4"."""
_GIVES_IT: Final = WordPattern(r"\W*{award}\s+(?:\w+\s+){0,2}{candidate|item}(?:\s+\w+)?\W*$")
"""The judge gives what was judged its score, in any language."""


@cached
def _awarding() -> frozenset[str]:
    """The words between what was judged and its score: "this answer clearly deserves", "I would therefore give it"."""
    listed = group("award", "candidate", "item", "overall", "score", "judged")
    said = group("therefore", "contrast", "and", "because", "is", "own", "courtesy", "function")
    words = (*listed, *said, *special("special", "which"))
    return lead_words() | frozenset(word for phrase in words for word in phrase.split())


_NAME_OF_SCORE: Final = WordPattern(
    r"\b{score|overall|award|verdict|answer|candidate}\b|{dense:score|overall|award|verdict|answer|candidate|therefore}"
)
"""A name of a score or of the judge's own answer, in any language."""


def leads_score(led: str) -> bool:
    """Whether what stands before a colon leads in the judge's own score."""
    if "confiden" in led.casefold():
        return False
    name = SCORE_WORD.sub("", led.strip(" *_#>-"))
    return (
        is_own_lead(led)
        or is_headed_reason(led.strip())
        or corrects(led + ":")
        or is_named(name, "aspect")
        or (not led.isascii() and _NAME_OF_SCORE.search(led) is not None)
    )


_NEAR: Final = 200  # characters around a mark that are looked at
_CHOOSING: Final = WordPattern(r"\b{prefer|better|wins|award}\b")
_IS: Final = re.compile(r"[*_`$\s]*\b(?:is|was|would|were)\b([^.!?\n]{0,60})", re.IGNORECASE)
_IN_SPEECH: Final = re.compile(
    r"(?:^|[\n:：(])[ \t*_]*(?P<speech>[\"“«„])(?=[^\"“”«»„\n]{0,160}[^\W\d_])[^\"“”«»„\n]{0,160}$"
)
_QUOTES: Final = frozenset("\"“«„'")
_CLOSING: Final = frozenset("\"”»“'")
_FORM: Final = re.compile(r"\b(?:e\.g|form|format|like\s+this)\b", re.IGNORECASE)
"""Words of who asks for an answer in quotation marks: 'in this form: "[[B]]"'."""
_SPEECH_ENDS: Final = re.compile(r"[^\"“”«»„\n]{0,160}[\"”»]")


def is_spoken_of(behind: str) -> bool:
    """Whether what stands behind an answer in its sentence speaks of it: "[[4]] is what the template shows"."""
    about = _IS.match(behind)
    return about is not None and not (_CHOOSING.search(about[1]) or speaks_of_judge(about[1]))


def is_own_mark(text: str, start: int, end: int) -> bool:
    """Whether a marked answer, "[[A]]", is given in its sentence, and not spoken of: "told me to answer [[A]]"."""
    return _is_own_mark(text[max(0, start - _NEAR) : start], text[end : end + _NEAR])


@cached_for(256)
def _is_own_mark(before: str, behind: str) -> bool:
    clause = re.split(r"[.!?。！？\n]", before)[-1].strip(" *_`#>-:(")
    speech = _IN_SPEECH.search(before) if _SPEECH_ENDS.match(behind) else None
    if speech is not None:
        lead = re.split(r"[.!?。！？\n]", before[: speech.start("speech")])[-1]
        if not (is_own_lead(lead) or leads_score(lead) or (AWARDS.search(lead) and not reports(lead))):
            return False  # 'Assistant A: "No, [[A]]!"'
    line = before.rpartition("\n")[2].rstrip(" *_`")
    quoted = line[-1:] in _QUOTES and behind[:1] in _CLOSING
    if is_spoken_of(behind) or ((speech or quoted) and _FORM.search(line)):
        return False
    if quoted and re.search(r"\w", line) and not (is_own_lead(line) or leads_score(line)):
        return False
    if before.rstrip(" *_`$(").endswith((":", "：", ",", ";", "—", "–", "-", "=")):
        return not (reports(clause) or is_example(clause) or names_others(re.findall(r"[^\W\d_]+", clause.casefold())))
    head, colon, _ = clause.replace("：", ":").rpartition(":")
    if is_own_lead(clause):
        return True
    led = (colon and is_own_lead(head + colon)) or _CHOOSING.search(clause) or leads_outright(clause)
    return bool(led) and not reports(clause)
