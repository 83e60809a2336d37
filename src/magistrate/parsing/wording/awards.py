"""Words that give a score to what was judged: "I would rate this answer", "overall it deserves"."""

from __future__ import annotations

import re
from typing import Final

from magistrate.parsing.switches import cached, cached_for
from magistrate.parsing.wording.courtesy import corrects, is_example, is_own_lead, lead_words, leads_outright
from magistrate.parsing.wording.hedges import reports
from magistrate.parsing.wording.keys import is_named
from magistrate.parsing.wording.languages import group
from magistrate.parsing.wording.patterns import either, is_dense, names
from magistrate.parsing.wording.reasons import is_headed_reason, speaks_of_judge

SCORE_WORD: Final = re.compile(r"^(?:the|my)\s+|[\s*_]*(?:score|rating)?[\s*_]*$", re.IGNORECASE)


@cached
def names_award() -> re.Pattern[str]:
    """The name of a score, or of giving one, at the end of a clause."""
    return re.compile(rf"\b(?:{names('award', 'score')})\b(?:\s+\w+){{0,4}}$|^(?:my|our|overall|i|we)\b", re.IGNORECASE)


@cached
def own_subject() -> re.Pattern[str]:
    """The judge, or what was judged, at the head of a clause."""
    things = rf"(?:{names('candidate', 'item')}|ai|user|email|explanation|quality)"
    return re.compile(
        rf"^(?:(?:{either('prose', 'therefore', 'contrast', 'and', 'because')})(?:\W+|$))*(?:$|(?:this|it|my|our"
        rf"|overall|(?:(?:the|this|each)\W+(?:(?:{either('prose', 'own')}|{things}|given|provided|submitted|generated"
        rf"|student|above|whole|entire)\W+)?)?{things}(?!\W+(?:[b-z]|\d+|one|two)\b))\b)|^(?:{names('award')})\b|\b(?:i|we|me|i'd|i'll)\b",
        re.IGNORECASE,
    )


def is_given(clause: str) -> bool:
    """Whether a clause up to its score gives it to what was judged, in known words and no others."""
    words = re.findall(r"[\w'\u2019]+", clause.lower())
    if reports(clause):
        return False  # "The candidate claims a score of"
    if _gives_it().match(clause):
        return True  # "Darei a questa risposta un"
    return own_subject().search(clause) is not None and _awarding().issuperset(words)


@cached
def _gives_it() -> re.Pattern[str]:
    """The judge gives what was judged its score, in any language."""
    return re.compile(
        rf"\W*(?:{names('award')})\s+(?:\w+\s+){{0,2}}(?:{names('candidate', 'item')})(?:\s+\w+)?\W*$", re.IGNORECASE
    )


@cached
def _awarding() -> frozenset[str]:
    """The words between what was judged and its score: "this answer clearly deserves", "I would therefore give it"."""
    listed = group("names", "award", "candidate", "item", "overall", "score", "judged")
    said = group("prose", "therefore", "contrast", "and", "because", "is", "own", "courtesy", "function")
    return lead_words() | frozenset(word for phrase in (*listed, *said) for word in phrase.split())


@cached
def _name_of_score() -> re.Pattern[str]:
    """A name of a score or of the judge's own answer, in any language."""
    listed = group("names", "score", "overall", "award", "verdict", "answer", "candidate") + group("prose", "therefore")
    dense = "|".join(re.escape(one) for one in listed if is_dense(one)) or "(?!)"
    plain = names("score", "overall", "award", "verdict", "answer", "candidate")
    return re.compile(rf"\b(?:{plain})\b|{dense}", re.IGNORECASE)


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
        or (not led.isascii() and _name_of_score().search(led) is not None)
    )


_NEAR: Final = 200  # characters around a mark that are looked at


@cached
def _choosing() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{names('prefer', 'better', 'wins', 'award')})\b", re.IGNORECASE)


_IS: Final = re.compile(r"[*_`$\s]*\b(?:is|was|would|were)\b([^.!?\n]{0,60})", re.IGNORECASE)


def is_own_mark(text: str, start: int, end: int) -> bool:
    """Whether a marked answer, "[[A]]", is given in its sentence, and not spoken of: "told me to answer [[A]]"."""
    return _is_own_mark(text[max(0, start - _NEAR) : start], text[end : end + _NEAR])


@cached_for(256)
def _is_own_mark(before: str, behind: str) -> bool:
    clause = re.split(r"[.!?。！？\n]", before)[-1].strip(" *_`#>-:(")
    about = _IS.match(behind)
    if about is not None and not (_choosing().search(about[1]) or speaks_of_judge(about[1])):
        return False  # "[[4]] is what the template shows"
    if before.rstrip(" *_`$(").endswith((":", "：", ",", ";", "—", "–", "-", "=")):
        return not reports(clause) and not is_example(clause)
    head, colon, _ = clause.replace("：", ":").rpartition(":")
    if (
        is_own_lead(clause)
        or (colon and is_own_lead(head + colon))
        or (_choosing().search(clause) and not reports(clause))
    ):
        return True
    return leads_outright(clause) and not reports(clause)
