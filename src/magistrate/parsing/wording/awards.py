"""Words that give a score to what was judged, and remarks beside it: "overall it deserves", "two errors"."""

import re
from typing import Final

from magistrate.parsing.switches import cached, cached_for, kept
from magistrate.parsing.wording.courtesy import (
    AWARDS,
    corrects,
    is_example,
    is_own_lead,
    lead_words,
    leads_outright,
    withdraws,
)
from magistrate.parsing.wording.hedges import reports
from magistrate.parsing.wording.keys import is_named, names_others
from magistrate.parsing.wording.languages import group, ranks, special
from magistrate.parsing.wording.patterns import WordPattern, is_dense, prose, vocabulary
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
_names_of_score: Final = kept(lambda: vocabulary("score", "verdict", "winner") - vocabulary("negation"))
_VIEW: Final = re.compile(r"^\W*(?:in|from)\s+my\s+(?:view|opinion|assessment|judge?ment)\W+", re.IGNORECASE)
_VALUED: Final = WordPattern(r"\ban?\s+{remark}\W*$")
"""What is said of a score before its number: "a solid 4"."""
_GIVES_IT: Final = WordPattern(r"\W*{award}\s+(?:\w+\s+){0,2}{candidate|item}(?:\s+\w+)?\W*$")
"""The judge gives what was judged its score, in any language."""
_NAME_OF_SCORE: Final = WordPattern(
    r"\b{score|overall|award|verdict|answer|candidate}\b|{dense:score|overall|award|verdict|answer|candidate|therefore}"
)
"""A name of a score or of the judge's own answer, in any language."""
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
_TAKEN: Final = r"deducted|subtracted|lost|loses|docked|took off|taking off"
COUNTED: Final = re.compile(
    r"\b\d{1,4}\s*(?:/|(?:out\s+)?of(?:\s+the)?)\s*\d{1,4}\b(?:\s+points)?|\bscale\s+(?:of|from)\s+\d{1,4}\s*(?:to|-|–)\s*\d{1,4}\b"
    r"|\b(?:all|the|of|these|its|both)\s+\d{1,4}(?=\s+(?!points|stars|marks|scores)(?:\w+\s+)?[a-z]{3,}s\b)"
    r"|\b\d{1,4}\s+of\s+(?:the|its|these|those|them)\b|\b(?:steps?|lines?|pages?|sections?|paragraphs?|questions?|chapters?|figures?|tables?|turns?|art(?:icle)?s?\.?|numbers?)\s+\d{1,4}\b"
    r"|\b\d{1,4}(?=\s+(?:(?!points|stars|marks)\w+\s+)?(?:files|pieces|words|sentences|claims|statements|sources|errors|mistakes|typos|facts|dates|names|pages"
    r"|steps|lines|questions|paragraphs|items|examples|issues|gaps|details|omissions|images|links|references|citations"
    r"|numbers|minutes|hours|days|years|times|parts|tests|functions|cases|bugs|users)\b)"
    r"|\b\d{1,4}\s*(?:to|-|–)\s*\d{1,4}\s+scale\b|\b\d{1,4}\s*=\s*(?=[a-z])"
    rf"|(?:\bI\s+)?\b(?:{_TAKEN}|minus)\s+(?:\w+\s+)?\d{{1,4}}(?:\s+points?)?\b|(?<=\()[-\u2212]\s?\d{{1,4}}\b"
    rf"|\b\d{{1,4}}\s+points?\s+(?:(?:is|are|was|were)\s+)?(?:{_TAKEN}|off|missing)\b",
    re.IGNORECASE,
)
"""A number of things, "3 of 3 points", "all 3 dates"; what was taken off; a scale: no score."""
UNREAL: Final = re.compile(
    r"\b(?:to\s+(?:reach|get|earn|deserve|score)|why\s+not|from\s+(?:being\s+)?an?)\b|\b(?:would|could)\s+(?:score|need|require|reach|get|earn|rise|have\s+(?:been|needed|got|scored|reached|to))\b",
    re.IGNORECASE,
)
"""What would be, had the answer been another: "It would have been a 5 with sources"."""
_AMOUNTS: Final = frozenset(
    "full lowest highest top possible least most assistant model author dialogue conversation between or".split()
)
_SIGNS: Final = re.compile(r"[^\w'\u2019\u0300-\u0d7f]+|_+")
_FEW: Final = 3
OF_RUBRIC: Final = re.compile(
    r"[*_\"]*\s+(?:needs?|means?|requires?|allows?|stands|indicates?|describes?|applies|represents?|demands?|calls|would|(?:is|are)\s+(?:given|reserved|defined))\b"
)
"""What a level of a rubric stands for: "a score of 3 means ..."."""
COUNTED_THINGS: Final = re.compile(
    r"\s+(?:the\s+)?(?:(?!(?:points|stars|marks|scores)\b)[^\W\d_]{3,24}s|(?!(?:for|and|but|with|because|since|which|from|overall)\b)[^\W\d_]{3,24}\s+(?!this\b)[^\W\d_]{3,24}s)\b",
    re.IGNORECASE,
)
"""What of a top counts what was judged: "Three of five sentences are wrong"."""


@cached_for(512)
def is_given(clause: str) -> bool:
    """Whether a clause up to its score gives it to what was judged, in known words and no others."""
    clause = _VIEW.sub("", _VALUED.sub("", clause))
    words = re.findall(r"[\w'\u2019]+", clause.lower())
    if reports(clause):
        return False  # "The candidate claims a score of"
    if _GIVES_IT.match(clause):
        return True  # "Darei a questa risposta un"
    return OWN_SUBJECT.search(clause) is not None and _awarding().issuperset(words)


@cached
def _awarding() -> frozenset[str]:
    """The words between what was judged and its score: "this answer clearly deserves", "I would therefore give it"."""
    listed = group("award", "candidate", "item", "overall", "score", "judged")
    said = group("therefore", "contrast", "and", "because", "is", "own", "courtesy", "function")
    words = (*listed, *said, *special("special", "which"))
    return lead_words() | frozenset(word for phrase in words for word in phrase.split())


def is_of_answer(words: str) -> bool:
    """Whether words between giving and a score name what was judged, or tell of the score: "this answer a solid"."""
    whole, stems = _remarks()
    said = [one.removesuffix("'s").removesuffix("\u2019s") for one in re.findall(r"[\w'\u2019]+", words.lower())]
    rest = [one for one in said if one not in _judged() and one not in whole and not one.startswith(stems)]
    return all(not one.isascii() or one in _AMOUNTS or is_named(one, "aspect") for one in rest)


@cached
def _judged() -> frozenset[str]:
    """The words of which the name of what was judged is made: "this answer", "the overall quality"."""
    listed = group("award", "candidate", "item", "overall", "score", "judged", "own", "function", "and", "is")
    return frozenset(word for phrase in (*listed, *special("special", "which")) for word in phrase.split())


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


@cached
def _remarks() -> tuple[frozenset[str], tuple[str, ...]]:
    """What is said of an answer beside its score: whole words, and beginnings of words."""
    things = (*group("candidate"), *special("special", "aspect"))
    words = group("remark") + tuple(one for one in things if one not in _names_of_score())
    return frozenset(words), tuple(one.rstrip("*") for one in words if one.endswith("*") or is_dense(one))


def _holds_dense(word: str) -> bool:
    return is_dense(word) and any(stem in word for stem in _remarks()[1] if is_dense(stem))


def is_remark(sentence: str) -> bool:
    """Whether a short sentence speaks of what was judged, and of no number, doubt or second thought.

    One of a few words is made of known ones alone: "(highly relevant)", no "too generous".
    """
    bare = COUNTED.sub(" ", sentence)
    counted = bare != sentence
    said = [one for one in _SIGNS.split(bare.casefold()) if one]
    function = vocabulary("function", "none", "out_of")
    words, stems = _remarks()
    known = [one in words or one.startswith(stems) or _holds_dense(one) for one in said]
    denies = vocabulary("negation")
    lacked = [at > 0 and one in denies and [*known, False][at + 1] for at, one in enumerate(said)]
    rest = [one for one, is_known, lack in zip(said, known, lacked, strict=True) if not is_known and not lack]
    for one, behind, is_known in zip(said, [*said[1:], ""], [*known[1:], False], strict=False):
        if one.isdigit() or (one in ranks("numbers") and not is_known and behind != "of"):
            return False
    if function.issuperset(said):  # what was counted is all there is
        return counted and any(char.isalpha() for char in sentence)
    if not (counted or any(known)) or not _names_of_score().isdisjoint(said) or withdraws(sentence):
        return False
    if not counted and all(prose("hedge").search(one) for one in said if one not in rest):
        return False
    if said[0] in function and known[1:2] == [True]:  # "No errors.", "The text is not ..."
        rest = [one for one in rest if one not in vocabulary("negation")]
    if prose("negation", "hedge", "doubt", "self").search(" ".join(rest)):
        return False
    linked = function | vocabulary("contrast", "and", "is", "therefore") | ranks("numbers").keys()
    return counted or len(said) > _FEW or linked.issuperset(rest)


def is_remark_on_answer(text: str) -> bool:
    """Whether a few words speak of what was judged by its name, and say how it is: "A very good answer"."""
    said = set(text.casefold().split())
    named, valued = set(group("candidate")), set(group("remark"))
    return not said.isdisjoint(named) and not (said - named).isdisjoint(valued) and is_remark(text)
