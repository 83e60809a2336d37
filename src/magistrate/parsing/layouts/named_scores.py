"""The layouts of a score in words: behind its name, in the cell of a table, in a sentence that gives it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Final

from magistrate.parsing.layouts.numerals import NUMBER, Range, plain, value_of, value_pattern
from magistrate.parsing.layouts.view import matches
from magistrate.parsing.reply.masking import DATA, DROPPED, QUOTED
from magistrate.parsing.rows.candidate import Candidate
from magistrate.parsing.rows.scores import is_overall, is_score
from magistrate.parsing.switches import cached
from magistrate.parsing.wording.courtesy import is_courtesy, is_example, is_headed_reason, is_own_lead
from magistrate.parsing.wording.languages import group
from magistrate.parsing.wording.patterns import Guarded, any_of, either, is_dense, names, prose


def found_at(value: float, start: int, end: int, *, overall: bool = False) -> Candidate:
    """A score at its place."""
    return Candidate(value, span=(start, end), id="overall" if overall else None)


BOUND: Final = re.compile(
    r"\b(?:at least|at most|than|up to|above|below|over|under|between|minimum|maximum|not|if|max|min|scale)\b",
    re.IGNORECASE,
)


_LEVEL: Final = re.compile(r"\)?[*_]*\s*[:：]")


@cached
def score_name() -> str:
    """A pattern of what a score is called."""
    return (
        rf"(?:(?P<overall>{names('overall')})[ \t_]*)?(?:(?:{names('overall')})(?=[\s*_]*[:=：|])|{names('score')}"
        rf"|verdict|points\s+awarded)"
        rf"(?:\s+(?:{names('overall')}))?"
    )


@cached
def _labelled_pattern() -> Guarded:
    return Guarded((*group("names", "overall", "score"), "verdict", "points"), _build_labelled)


def _build_labelled() -> re.Pattern[str]:
    return re.compile(
        rf"(?:(?:^|(?<![^\W_]_)(?<=[.!?;:,(>#*_\n。，！{DROPPED}{DATA}\]|]))[\s*_#>\[|-]{{0,12}}+|\b(?:the|my|our|an?|this"
        rf"|{either('prose', 'own')})\s+|(?<=[^\x00-\x7f])(?=[^\x00-\x7f]))(?<![^\W_\u2e80-\uffff]){score_name()}"
        rf"[*_`\"'”)\]】]*{_SCALE}?(?:\s+(?:for|of|to"
        rf"|awarded for)\s+(?:this|the|that)\s+(?:\w+\s+){{0,2}}?(?:{names('candidate', 'item')}))?"
        rf"\s*(?:[:：=|]|->|→|[–—-]|\b(?:{either('prose', 'is')}|of|as|at|de|à|da|a)\b|は|은|는)?"
        rf"[ \t*_`\"'“:：(\[【\n|{DROPPED}]{{0,40}}(?:(?:a|an|about|around)\s+)?{value_pattern(words=True)}",
        re.IGNORECASE | re.MULTILINE,
    )


@cached
def _behind() -> re.Pattern[str]:
    """What may stand behind a score: the end, a mark, its unit, what a reason begins with."""
    links = either("prose", "because", "and", "contrast")
    marks = rf"[;:!)\]】（(\n|<{{{DROPPED}{DATA}{QUOTED}—–,，。]|\.(?!\d)|[^\x00-\x7f]|/"
    unit = rf"(?:{names('score')}|[分点點점])(?:s|n|en)?(?=\s*(?:$|[.,;!)\n*。，]|(?:out|for|because|as|on)\b))"
    return re.compile(
        rf"(?!\s*\(?[?？؟])(?:(?:score|rating)\b)?[*_`\"'”)\]]*(?:\s*(?:$|{marks}|{unit})|\s+-\s"
        rf"|\s+(?:{links}|from\s+me|(?:a|à|al|alla|aan|til|voor|för|für)\s+\w+\s+(?:{names('candidate')})|out|which|on|for|with|in|to)\b|(?<=[^\x00-\x7f]))",
        re.IGNORECASE,
    )


SCALE_OF_NUMBERS: Final = r"(?:\s*[(\[](?P<scale>(?=[^()\[\]\n]*\d)[^()\[\]\n]{1,40})[)\]])"
_SCALE: Final = SCALE_OF_NUMBERS.replace("{1,40})", r"{1,40}|[^()\[\]\d\n]{1,20})")


def other_scale(match: re.Match[str], scale: Range) -> bool:
    """Whether the scale in brackets behind a name has another top: "Score (0-100): 7"."""
    ends = re.findall(r"\d+(?:\.\d+)?", match["scale"] or "")
    return bool(ends) and float(ends[-1]) != scale.high


def may_follow(text: str, end: int) -> bool:
    """Whether what stands behind a number leaves it a score: no "8 or less", "3 errors", "4 5", "8+"."""
    return _behind().match(text, end, end + 80) is not None


_OTHER_TOP_BEHIND: Final = re.compile(
    r"\s*(?:[(\[（–—,-][^()\[\]（）\n.]{0,40}[)\]–—,-]?)?\s*[*_]*(?:/|\bout\s+of\b:?)[*_]*\s*(?P<top>\d{1,4})(?![\d.]*\d)"
    r"|[^\n.;]{0,20}?(?P<best>\d{1,4})\s*(?:being|is)\s+the\s+(?:best|highest|top)|\s*\W?满分\s*(?P<full>\d{1,4})|점?\s*만점",
    re.IGNORECASE,
)


_PART: Final = re.compile(
    r"[*_]*\s*[(,]\s*(?:\w+\s+)?(\d{1,4})\s*(?:/|(?:out\s+)?of(?:\s+the)?)\s*(\d{1,4})(?P<things>\s+(?!points|stars)[^\W\d])?"
)
_ROUNDED: Final = 0.006


def on_scale(text: str, match: re.Match[str], scale: Range) -> float:
    """The value of a match; infinite where what stands behind it names another top."""
    value = value_of(match, scale)
    part = _PART.match(text, match.end())
    if part and (part["things"] or abs(float(part[1]) / max(1, float(part[2])) - value / scale.high) < _ROUNDED):
        return value  # "0.67 (2 of 3 claims)", "0.75 (3/4)"
    behind = _OTHER_TOP_BEHIND.match(text, match.end(), match.end() + 80) if not match["top"] else None
    if behind is None:
        return value
    top = behind["top"] or behind["best"] or behind["full"]
    return value if top is not None and float(top) == scale.high else math.inf


@cached
def _own_subject() -> re.Pattern[str]:
    things = rf"(?:{names('candidate', 'item')}|ai|user|email|explanation|quality)"
    return re.compile(
        rf"^(?:(?:{either('prose', 'therefore', 'contrast', 'and', 'because')})(?:\W+|$))*(?:$|(?:this|it|my|our"
        rf"|overall|(?:(?:the|this|each)\W+(?:(?:{either('prose', 'own')}|{things}|given|provided|submitted|generated"
        rf"|student|above|whole|entire)\W+)?)?{things}(?!\W+(?:[b-z]|\d+|one|two)\b))\b)|\b(?:i|we|me|i'd|i'll)\b",
        re.IGNORECASE,
    )


def _before(text: str, start: int) -> str:
    """What its sentence says before a place."""
    begin = max(text.rfind(mark, 0, start) for mark in ".!?\n。;") + 1
    return text[begin:start].strip(" *_`#>-\t|[(" + DROPPED + DATA)


def _is_of_this(text: str, start: int) -> bool:
    """Whether a score in the middle of a sentence is given to what was judged, and given outright."""
    before = _before(text, start)
    if is_example(before):
        return False
    if before[-1:] in {":", "："} and before.isascii():
        return is_own_lead(before) or is_headed_reason(before)
    if not re.search(r"[^\W\d_]", before) or not before.isascii():
        return True
    if re.search(r"\b(?:if|unless|confidence|confident)\b", before, re.IGNORECASE):
        return False
    clause = before.rpartition(",")[2].strip()
    if prose("doubt", "negation").search(clause) and not is_courtesy(clause):
        return False
    return _own_subject().search(clause) is not None or is_courtesy(before)


def read_labelled(text: str, scale: Range) -> Iterator[Candidate]:
    """Behind a name: "Score: 4", "Overall rating - 7/10"."""
    for match in matches(_labelled_pattern(), text):
        head = text[match.start() : match.start("number")]
        start = match.start() + len(head) - len(head.lstrip())
        if BOUND.search(head) or (_LEVEL.match(text, match.end()) and not re.search(r"[:：=]", head)):
            continue  # "Score 5: the response is ..." is a level of a rubric
        unsure = scale.low < 0 and re.search(r"[-–—]\s+$", head) is not None  # a dash, or a minus
        general = re.match(r"\s*an?\s", head, re.IGNORECASE) and not text[: match.start()].rpartition("\n")[2].strip()
        if not _is_of_this(text, start) or (
            general and re.match(r"\s+(?!because|since|as|for)\w", text[match.end() :][:12])
        ):
            continue  # "A score of 5 requires sources."
        unsure = unsure or not may_follow(text, match.end())
        value = math.nan if unsure else on_scale(text, match, scale)
        if other_scale(match, scale):
            value = math.inf
        overall = (
            bool(match["overall"])
            or re.match(rf"[\s*_#|]*(?:{names('overall')})\b", match.group(), re.IGNORECASE) is not None
        )
        if "|" in head and not _in_score_column(text, match.start("number")):
            continue
        yield found_at(value, match.start("number"), match.end(), overall=overall)


def _in_score_column(text: str, at: int) -> bool:
    """Whether the cell of a table stands below the name of a score, or below nothing."""
    lines = text[:at].split("\n")
    rows = [line for line in lines if "|" in line]
    cells = rows[0].strip().strip("|").split("|")
    place = lines[-1].strip().removeprefix("|").count("|")
    head = cells[place].strip(" *_`") if len(rows) > 1 and place < len(cells) else "score"
    return is_score(head) or is_overall(head)


@cached
def _spoken_pattern() -> re.Pattern[str]:
    awards = any_of(tuple(one for one in group("names", "award") if not is_dense(one)))
    return re.compile(
        rf"\b(?:{awards})\b(?P<gap>[^\d.;!?\n]{{0,60}}?){value_pattern(words=True)}",
        re.IGNORECASE,
    )


_THIRD_PERSON: Final = re.compile(
    r"(?:deserves|earns|merits|gets|receives|awarded|is |be |rated|should|would|scores|rates"
    r"|response |answer |summary |output )",
    re.IGNORECASE,
)


def read_spoken(text: str, scale: Range) -> Iterator[Candidate]:
    """In a sentence: "I would give it a 7"."""
    for match in matches(_spoken_pattern(), text):
        end = text.find("\n", match.end())
        clause = re.split(r"[.;!?。]\s", text[match.end() : end if end >= 0 else len(text)])[0]
        given = not BOUND.search(match["gap"]) and not re.search(r"\b(?:if|were|unless)\b", clause)
        own = _THIRD_PERSON.match(match.group()) is None or _is_of_this(text, match.start())
        if match.group()[:5].lower() == "would":
            own = _own_subject().match(_before(text, match.start())) is not None
            own = own and re.match(r"\s*(?:[.!,;]|$|(?:on|from|for)\b)", text[match.end() :][:8]) is not None
        if given and own and may_follow(text, match.end()):
            yield found_at(on_scale(text, match, scale), match.start("number"), match.end())
    for match in matches(_dense_award(), text) if not text.isascii() else ():
        yield found_at(plain(match["number"], scale.high), match.start("number"), match.end())


@cached
def _dense_award() -> re.Pattern[str]:
    """A sentence of a script without blanks, up to its number: "我给这个回答打4分"."""
    awards = "|".join(re.escape(one) for one in group("names", "award") if is_dense(one))
    therefore = either("prose", "therefore")
    return re.compile(
        rf"(?:^|[。！？\n])[ \t*_]*(?:(?:{therefore})[，,、]?\s*)?(?:{awards})?\s*(?P<number>{NUMBER})"
        r"\s*(?:[分点點점](?:です|입니다)?|です|입니다)(?=\s*(?:$|[。.，,！!\n]|を|을))"
    )
