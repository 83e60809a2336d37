"""The layouts of a score in text: in double brackets, behind its name, in a sentence, before its top, alone."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Final

from magistrate.parsing.layouts.numerals import NUMBER, Range, numeral, value_of, value_pattern
from magistrate.parsing.layouts.view import BRACKETED, EMPHASIS, SingleLayout, matches, read_single_layouts
from magistrate.parsing.reply.masking import DATA, DROPPED, QUOTED
from magistrate.parsing.rows.candidate import Candidate
from magistrate.parsing.switches import cached
from magistrate.parsing.wording.courtesy import is_courtesy
from magistrate.parsing.wording.keys import is_named
from magistrate.parsing.wording.languages import group, ranks
from magistrate.parsing.wording.patterns import Guarded, any_of, either, names, prose


def read_scores(text: str, scale: Range, *, cut: bool, beside: bool) -> list[Candidate]:
    """The scores that a masked text gives, those of the best rank there is."""
    ranked: dict[int, list[Candidate]] = {}
    for rank, one in read_single_layouts(LAYOUTS, text, scale, cut=cut):
        ranked.setdefault(0 if one.id == "overall" else rank, []).append(one)
    best = ranked.pop(0, [])
    others = ranked.get(1, [])
    if beside:
        return best + others
    apart = [one for one in others if not any(_overlap(one, top) for top in best)]
    told = {one.value for one in apart if isinstance(one.value, float) and scale.holds(one.value)}
    if len(told) == 1 and all(isinstance(one.value, float) for one in best):  # several are the parts of an overall one
        best += [one for one in apart if one.value in told] if best else []
    return best or next((ranked[rank] for rank in sorted(ranked)), [])


def _overlap(one: Candidate, other: Candidate) -> bool:
    (start, end), (low, high) = one.span or (0, 0), other.span or (0, 0)
    return start < high and low < end


def _found(value: float, start: int, end: int, *, overall: bool = False) -> Candidate:
    return Candidate(value, span=(start, end), id="overall" if overall else None)


_NUMBER_AT_HEAD: Final = re.compile(r"[+\-]?\d[\d.]{0,9}")
_SCORE_HEAD: Final = re.compile(r"\s*(?:rating|score|评分|評価)\s*[:：]?", re.IGNORECASE)


def _bracketed(text: str, scale: Range) -> Iterator[Candidate]:
    """In double brackets, behind [RESULT], in a box."""
    for match in matches(BRACKETED, text):
        number = _NUMBER_AT_HEAD.match(match["result"] or "")
        body = number[0] if number else match["body"] or match["box"] or ""
        value = numeral(_SCORE_HEAD.sub("", body).split(":")[-1], scale)
        if value is not None or any(char.isdigit() for char in body):
            yield _found(math.nan if value is None else value, match.start(), match.end())


_BOUND: Final = re.compile(
    r"\b(?:at least|at most|than|up to|above|below|over|under|between|minimum|maximum|not|if|max|min|scale)\b",
    re.IGNORECASE,
)


_LEAD: Final = 400
"""How far back a line is looked at for what leads into a number."""
_LEVEL: Final = re.compile(r"\)?[*_]*\s*[:：]")


@cached
def _score_name() -> str:
    return (
        rf"(?:(?P<overall>{names('overall')})[ \t_]*)?(?:(?:{names('overall')})(?=\s*[:=：])|{names('score')}"
        rf"|verdict|points\s+awarded)"
        rf"(?:\s+(?:{names('overall')}))?"
    )


@cached
def _labelled_pattern() -> Guarded:
    return Guarded((*group("names", "overall", "score"), "verdict", "points"), _build_labelled)


def _build_labelled() -> re.Pattern[str]:
    return re.compile(
        rf"(?:(?:^|(?<=[.!?;:,(>#*_\n。，！{DROPPED}{DATA}\]|]))[\s*_#>\[|-]{{0,12}}+|\b(?:the|my|our|an?|this"
        rf"|{either('prose', 'own')})\s+|(?<=[^\x00-\x7f])(?=[^\x00-\x7f]))(?<![^\W_\u2e80-\uffff]){_score_name()}"
        r"[*_`\"'”)\]】]*(?:\s*\((?P<scale>\d{1,4}\s*(?:-|–|to)\s*\d{1,4}|[^()\d\n]{1,20})\))?(?:\s+(?:for|of|to"
        rf"|awarded for)\s+(?:this|the|that)\s+(?:\w+\s+){{0,2}}?(?:{names('candidate', 'item')}))?"
        rf"\s*(?:[:：=|]|->|→|[–—-]|\b(?:{either('prose', 'is')}|of|as|at|de|à|da|a)\b|は|은|는)?"
        rf"[ \t*_`\"'“:：(\[【\n|{DROPPED}]{{0,40}}(?:(?:a|an|about|around)\s+)?{value_pattern()}",
        re.IGNORECASE | re.MULTILINE,
    )


@cached
def _behind() -> re.Pattern[str]:
    """What may stand behind a score: the end, a mark, its unit, what a reason begins with."""
    links = either("prose", "because", "and", "contrast")
    marks = rf"[;:!)\]】（(\n|<{{{DROPPED}{DATA}{QUOTED}—–,，。]|\.(?!\d)|[^\x00-\x7f]|/"
    unit = rf"(?:{names('score')}|[分点點점])(?:s|n|en)?(?=\s*(?:$|[.,;!)\n*。，]|(?:out|for|because|as|on)\b))"
    return re.compile(
        rf"(?!\s*[?？؟])(?:(?:score|rating)\b)?[*_`\"'”)\]]*(?:\s*(?:$|{marks}|{unit})|\s+-\s"
        rf"|\s+(?:{links}|out|which|on|for|with|in|to)\b|(?<=[^\x00-\x7f]))",
        re.IGNORECASE,
    )


def _may_follow(text: str, end: int) -> bool:
    """Whether what stands behind a number leaves it a score: no "8 or less", "3 errors", "4 5", "8+"."""
    return _behind().match(text, end, end + 80) is not None


_OTHER_TOP_BEHIND: Final = re.compile(
    r"\s*(?:[(\[（–—,-][^()\[\]（）\n.]{0,40}[)\]–—,-]?)?\s*[*_]*(?:/|\bout\s+of\b:?)[*_]*\s*(?P<top>\d{1,4})(?![\d.]*\d)"
    r"|[^\n.;]{0,20}?(?P<best>\d{1,4})\s*(?:being|is)\s+the\s+(?:best|highest|top)|\s*\W?满分\s*(?P<full>\d{1,4})|점?\s*만점",
    re.IGNORECASE,
)


def _on_scale(text: str, match: re.Match[str], scale: Range) -> float:
    """The value of a match; infinite where what stands behind it names another top."""
    value = value_of(match, scale)
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
        rf"|overall|(?:(?:the|this|each)\W+(?:\w+\W+)?)?{things})\b)|\b(?:i|we|me|i'd|i'll)\b",
        re.IGNORECASE,
    )


def _is_of_this(text: str, start: int) -> bool:
    """Whether a score in the middle of a sentence is given to what was judged, and given outright."""
    begin = max(text.rfind(mark, 0, start) for mark in ".!?\n。;") + 1
    before = text[begin:start].strip(" *_`#>-\t|[(" + DROPPED + DATA)
    if not re.search(r"[^\W\d_]", before) or before[-1:] in {":", "："} or not before.isascii():
        return True
    if re.search(r"\b(?:if|unless|confidence|confident)\b", before, re.IGNORECASE):
        return False
    clause = before.rpartition(",")[2].strip()
    if prose("doubt", "negation").search(clause) and not is_courtesy(clause):
        return False
    return _own_subject().search(clause) is not None or is_courtesy(before)


def _labelled(text: str, scale: Range) -> Iterator[Candidate]:
    """Behind a name: "Score: 4", "Overall rating - 7/10"."""
    for match in matches(_labelled_pattern(), text):
        head = text[match.start() : match.start("number")]
        if _BOUND.search(head) or (_LEVEL.match(text, match.end()) and not re.search(r"[:：=]", head)):
            continue  # "Score 5: the response is ..." is a level of a rubric
        unsure = scale.low < 0 and re.search(r"[-–—]\s+$", head) is not None  # a dash, or a minus
        general = re.match(r"\s*an?\s", head, re.IGNORECASE) and not text[: match.start()].rpartition("\n")[2].strip()
        if not _is_of_this(text, match.start()) or (
            general and re.match(r"\s+(?!because|since|as|for)\w", text[match.end() :][:12])
        ):
            continue  # "A score of 5 requires sources."
        unsure = unsure or not _may_follow(text, match.end())
        value = math.nan if unsure else _on_scale(text, match, scale)
        if match["scale"] and match["scale"][0].isdigit() and float(re.split(r"\D+", match["scale"])[-1]) != scale.high:
            value = math.inf  # "Score (0-100): 7"
        overall = (
            bool(match["overall"])
            or re.match(rf"[\s*_#]*(?:{names('overall')})\b", match.group(), re.IGNORECASE) is not None
        )
        yield _found(value, match.start("number"), match.end(), overall=overall)


@cached
def _spoken_pattern() -> re.Pattern[str]:
    return re.compile(
        rf"\b(?:{names('award')})\b(?P<gap>[^\d.;!?\n]{{0,60}}?)" + value_pattern(),
        re.IGNORECASE,
    )


_THIRD_PERSON: Final = re.compile(
    r"(?:deserves|earns|merits|gets|receives|awarded|is |be |rated|should)", re.IGNORECASE
)


def _spoken(text: str, scale: Range) -> Iterator[Candidate]:
    """In a sentence: "I would give it a 7"."""
    for match in matches(_spoken_pattern(), text):
        end = text.find("\n", match.end())
        clause = re.split(r"[.;!?。]\s", text[match.end() : end if end >= 0 else len(text)])[0]
        given = not _BOUND.search(match["gap"]) and not re.search(r"\b(?:if|were|unless)\b", clause)
        own = _THIRD_PERSON.match(match.group()) is None or _is_of_this(text, match.start())
        if given and own and _may_follow(text, match.end()):
            yield _found(_on_scale(text, match, scale), match.start("number"), match.end())


@cached
def _fraction_pattern() -> re.Pattern[str]:
    words = any_of(tuple(ranks("numbers")))
    value = value_pattern()
    return re.compile(value.replace(f"(?P<number>{NUMBER})", rf"(?P<number>{NUMBER}|\b(?:{words})\b)"), re.IGNORECASE)


def _fraction(text: str, scale: Range) -> Iterator[Candidate]:
    """With its top: "4/5", "7 out of 10", "un due su cinque"."""
    for match in matches(_fraction_pattern(), text):
        before = text[max(0, match.start() - 30) : match.start()].rpartition("\n")[2]
        if match["top"] and not _BOUND.search(before):
            value = value_of(match, scale)
            if not math.isinf(value):  # 3 of 4 points: something else was counted
                value = value if _stands_alone(text, match.start(), match.end()) else math.nan
                yield _found(value, match.start("number"), match.end())


@cached
def _awards() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{names('award', 'score')})\b(?:\s+\w+){{0,4}}$|^(?:my|our|overall|i|we)\b", re.IGNORECASE)


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether a part of a top is all that its clause says, or is led in as the judge's own."""
    line = text[max(0, start - _LEAD) : start].rpartition("\n")[2]
    before = re.split(r"[.!?;:。：—–]\s*|\s-\s", line)[-1].strip(" *_`#>|[(" + DROPPED + DATA)
    led = re.split("[:：]", line)[-2:-1]
    named = not re.search(r"[^\W\d_]", before) and (
        not led or not line.rstrip().endswith((":", "：")) or _awards().search(led[0].strip(" *_")) is not None
    )
    sure = named or not before.isascii() or _awards().search(before) is not None
    behind = re.match(
        r"[*_`\"'”)\]]*\s*(?:$|[.,;:!)\]（(\n|<—–，。-]|[^\x00-\x7f])|\s+(?:because|since|for|and|but|with|overall|(?i:stars?|points?|punkten?))\b",
        text[end : end + 40],
    )
    return (
        sure
        and behind is not None
        and not re.search(r"\d\s*(?:[-–—]|to|bis)\s*$", line)
        and not re.match(r"\s*[-–]\s*\d", text[end : end + 6])
    )


def _lone(text: str, scale: Range) -> Iterator[Candidate]:
    """A number alone on the first or last line."""
    lines = [match for match in re.finditer(r"[^\n]+", text) if match.group().strip(EMPHASIS + DATA + " ")]
    for line in lines[:1] + lines[1:][-1:]:
        value = numeral(line.group().strip(" \t\r" + DROPPED + DATA), scale)
        if value is not None:
            yield _found(value, line.start(), line.end())


_FORM_LINE: Final = re.compile(
    rf"^[ \t*_•-]*(?P<name>[^\W\d_][^\n:：\d]{{1,40}})[:：][ \t*_]*(?P<number>{NUMBER})[ \t*_.]*$", re.MULTILINE
)


_SCORE_WORD: Final = re.compile(r"[\s*_]*(?:score|rating)?[\s*_]*$", re.IGNORECASE)


def _form(text: str, scale: Range) -> Iterator[Candidate]:
    """The one line of a form, "- Coherence: 4": a quality that is all that was asked for."""
    lines = [one for one in matches(_FORM_LINE, text) if is_named(_SCORE_WORD.sub("", one["name"]), "aspect")]
    if len(lines) == 1 and not text[lines[0].end() :].strip(EMPHASIS + " \n") and len(re.findall(r"\d+", text)) == 1:
        value = numeral(lines[0]["number"], scale)
        if value is not None:
            yield _found(value, lines[0].start("number"), lines[0].end())


LAYOUTS: Final = (
    SingleLayout("bracketed", _bracketed, 0),
    SingleLayout("labelled", _labelled, 1),
    SingleLayout("number", _lone, 1),
    SingleLayout("fraction", _fraction, 1),
    SingleLayout("sentence", _spoken, 2),
    SingleLayout("form", _form, 2),
)

_OTHER_TOP: Final = re.compile(
    r"\bscale\s*(?:of|from|:|\()?\s*(?:\d{1,4}(?:\.\d+)?\s*(?:-|–|to|bis|and)\s*)?(?P<top>\d{1,5}(?:\.\d+)?)(?![\d.]*\d)"
    r"|\bmax(?:imum)?\b\s*(?:scores?|points?|rating)?\s*(?:of|is|:|=)?\s*(?P<most>\d{1,5}(?:\.\d+)?)(?![\d.]*\d)"
    r"|(?P<of>\d{1,4})-point\b",
    re.IGNORECASE,
)


def other_tops(text: str) -> set[float]:
    """The tops of the scales that a text names."""
    return {float(match["top"] or match["most"] or match["of"]) for match in _OTHER_TOP.finditer(text)}
