"""The layouts of a score in text: in double brackets, behind its name, in a sentence, before its top, alone."""

import math
import re
from collections.abc import Iterator
from typing import Final

from magistrate.parsing.layouts import numerals
from magistrate.parsing.layouts.numerals import NUMBER, SCALE, SCALE_OF_NUMBERS, VALUE_IN_WORDS, Range
from magistrate.parsing.layouts.view import (
    BRACKETED,
    EMPHASIS,
    SingleLayout,
    cells_of_one_row,
    matches,
    read_single_layouts,
)
from magistrate.parsing.rows.candidate import Candidate
from magistrate.parsing.rows.single import is_overall, is_score
from magistrate.parsing.wording import awards
from magistrate.parsing.wording.courtesy import is_courtesy, is_own_lead, leads_outright
from magistrate.parsing.wording.fold import DATA, DROPPED
from magistrate.parsing.wording.keys import is_named
from magistrate.parsing.wording.languages import ranks, special
from magistrate.parsing.wording.patterns import WordPattern, any_of, is_dense, prose
from magistrate.parsing.wording.reasons import is_headed_reason
from magistrate.verdict import IssueCode

_GIVEN: Final = re.compile(r"[*_]*\s?(?:[分点點점]|points?|punkte)?(?:[.!。，]\s?|,|\s*(?:\n|$))", re.IGNORECASE)
_GOES_ON: Final = re.compile(
    r"[.,\s*_]*(?:(?:\b(?:out(?:\s+of)?|to|or|and)|[-–—]))?[.,\s*_/]*\Z"
)  # it may be a part of the number, or its top
_SCORE_HEAD: Final = re.compile(r"\s*(?:rating|score|评分|評価)\s*[:：]?", re.IGNORECASE)
_BOUND: Final = re.compile(
    r"\b(?:at least|at most|than|up to|above|below|over|under|between|minimum|maximum|not|if|max|min|scale)\b",
    re.IGNORECASE,
)
_LIST: Final = re.compile(r"[.)][ \t]+\S")
_MINE: Final = re.compile(r"\b(?:my|our)\b", re.IGNORECASE)
_LEVEL: Final = re.compile(r"\)?[*_]*\s*[:：]")
_SCORE_NAME: Final = (
    r"(?:(?P<overall>{overall})[ \t_]*)?(?:{overall}(?=[\s*_]*(?:[:=：|]|\(\d+[-–]))"
    r"|(?:(?:evaluation|assessment|likert|numeric|educational|letter)[ _])?{score}(?:[ _]value)?|verdict"
    r"|points\s+awarded)(?:\s+(?P<behind>{overall}))?"
)
_OVERALL: Final = WordPattern(r"[\s*_#|>\[-]*{overall}\b")
_LABELLED: Final = WordPattern(
    r"(?m)(?:(?:^|(?<![^\W_]_)(?<=[.!?;:,(>#*_\n。，！।۔{DROPPED}{DATA}\]|]))[\s*_#>\[|-]{0,12}+|(?<=\S\s/\s)"
    r"|\b(?:the|my|our|an?|this|{own})\s+|(?<=[^\x00-\x7f])(?=[^\x00-\x7f]))(?<![^\W_\u2e80-\uffff]){name}"
    r"[*_`\"'”)\]】]*{scale}?(?:\s+(?:for|of|to"
    r"|awarded for)\s+(?:this|the|that)\s+(?:(?!{aside}\b)\w+\s+){0,2}?{candidate|item})?"
    r"\s*(?:[:：=|]|->|→|⇒|[–—-]|\b(?:{is}(?:\s+{therefore})?|should be|must be|would be|of|as|at|de|à|da|a)\b"
    r"|[は은는为為是][:：]?)?[ \t*_`\"'“:：(\[【{\n|{DROPPED}]{0,40}(?:<(?=\d[\d.]*>))?"
    r"(?:(?:a|an|about|around)\s+)?{value}",
    near=("{overall|score}", "verdict", "points"),
    name=_SCORE_NAME,
    scale=SCALE,
    aside=lambda: any_of(special("keys", "aside") | special("special", "others") | {"other", "another"}),
    value=VALUE_IN_WORDS,
)
_SPOKEN: Final = WordPattern(r"\b{plain:award}\b(?P<gap>[^\d.;!?\n]{0,60}?){value}", value=VALUE_IN_WORDS)
_THIRD_PERSON: Final = re.compile(
    r"(?:deserves|earns|merits|gets|receives|awarded|is |be |rated|should|would|scores|rates"
    r"|response |answer |summary |output )",
    re.IGNORECASE,
)
_FRACTION: Final = WordPattern("{value}", value=VALUE_IN_WORDS)
_ANSWER: Final = re.compile(r"^[\s*_]*(?:(?:the|my|final)\s+)?answer[*_]*\s*[:：]", re.IGNORECASE)
_IN_ANGLES: Final = re.compile(r"<\d{1,4}(?:\.\d{1,4})?>")
_LAST_ARROW: Final = re.compile(rf"(?:→|->|=>|⇒)\s*[*_]{{0,2}}(?P<number>{NUMBER})[*_]{{0,2}}[.\s]*\Z")
"""Behind an arrow, as the last words."""
_FORM_LINE: Final = re.compile(
    rf"(?:^|(?<=[.!?]\s))[ \t*_•-]*(?P<name>[^\W\d][^\n:：=\d()\[\].]{{1,40}}?)[*_]*{SCALE_OF_NUMBERS}?[*_]*"
    rf"\s*(?:[:：=]|\bis\b|(?<=\s)[-–—](?=\s))[ \t*_]*(?P<number>{NUMBER})",
    re.MULTILINE,
)
_UNSAID: Final = WordPattern(
    r"(?m)^[ \t*_#-]*{score_name}[ \t*_]*[:：][ \t*_]*[^\s\d*_]",
    score_name=_SCORE_NAME,
)
"""A name of the score with something else than a number behind it: "Score: see above"."""
_DENSE_LEAD: Final = WordPattern(
    r"(?:{dense:own|therefore|candidate|judged|item|award|overall|verdict|answer}|{aspects}"
    r"|[我给給這这個个会會出的该該本此为為对對のこ【「『])*",
    re.NOFLAG,
    aspects=lambda: any_of(filter(is_dense, special("special", "aspect"))),
)
"""What may be joined to the name of a score in a script without blanks: "我给这个回答的评分", no "参考评分"."""
_LAST_DIGITS: Final = re.compile(r"\d{1,9}(?:\.\d{1,9})?(?=\D*$)")


def read_scores(text: str, scale: Range, *, cut: bool, beside: bool) -> list[Candidate]:
    """The scores that a masked text gives, those of the best rank there is."""
    text = numerals.plain_notation(text, scale)
    last = len(_GOES_ON.sub("", text)) if cut else 0
    ranked: dict[int, list[Candidate]] = {}
    for rank, one in read_single_layouts(LAYOUTS, text, scale, cut=cut):
        if cut and one.span is not None and one.span[1] >= last:
            one.value = IssueCode.UNKNOWN_LABEL
        ranked.setdefault(0 if one.id == "overall" else rank, []).append(one)
    for rank, found in ranked.items():  # one that is not known to be the judge's, but says the same
        said = {one.value for one in found}
        ranked[rank] = [one for one in found if one.raw is None or one.value == one.raw or one.raw not in said]
        last = max((one.span[0] for one in ranked[rank] if one.span and one.format == "labelled"), default=0)
        ranked[rank] = [one for one in ranked[rank] if not _is_aside(one, last, ranked[rank])]
    given = [
        one for one in ranked.get(2, []) if one.format == "sentence" and _GIVEN.match(text, (one.span or (0, 0))[1])
    ]
    if given and 1 in ranked:  # "so I give it a 2." beside a score
        given = [one for one in given if isinstance(one.value, float) and scale.holds(one.value)]
        ranked[1] = [one for one in ranked[1] if one.raw is None or one.raw not in {top.value for top in given}] + given
    best = ranked.pop(0, [])
    others = ranked.get(1, [])
    if beside:
        spoken = [one for one in ranked.get(2, []) if one.format == "sentence" and isinstance(one.value, float)]
        return best + (others or [one for one in spoken if scale.holds(one.value)])
    taken = [top.span or (0, 0) for top in best]
    apart = [
        one for one in others if one.span and not any(low < one.span[1] and one.span[0] < high for low, high in taken)
    ]
    given = [one.value if one.raw is None else one.raw for one in apart]
    told = {one for one in given if isinstance(one, float) and scale.holds(one)}
    if len(told) == 1 and all(isinstance(one.value, float) for one in best):  # several are the parts of an overall one
        best += [one for one, value in zip(apart, given, strict=True) if value in told] if best else []
    return best or next((ranked[rank] for rank in sorted(ranked)), [])


def _is_aside(one: Candidate, last: int, beside: list[Candidate]) -> bool:
    """Whether a part of a top is no score by its name, and stands before one that is, or is that one."""
    if one.format != "fraction" or one.raw is not None or one.value == one.value:
        return False
    return (one.span or (0, 0))[1] <= last or any(other is not one and other.span == one.span for other in beside)


def _found(value: float, start: int, end: int, *, overall: bool = False) -> Candidate:
    return Candidate(value, span=(start, end), id="overall" if overall else None)


def _bracketed(text: str, scale: Range) -> Iterator[Candidate]:
    """In double brackets, behind [RESULT], in a box."""
    for match in matches(BRACKETED, text):
        said = match["result"] or ""
        number = _FRACTION.match(said, len(said) - len(said.lstrip("( *_")))
        if number and not numerals.may_follow(text, match.start("result") + number.end()):
            continue  # "[RESULT] 4 would be the format."
        body = number[0] if number else match["body"] or match["box"] or ""
        value = numerals.numeral(_SCORE_HEAD.sub("", body).split(":")[-1], scale)
        if not awards.is_own_mark(text, *match.span()):
            value = None
        if value is not None or any(char.isdigit() for char in body):
            yield _found(math.nan if value is None else value, match.start(), match.end())


def _before(text: str, start: int) -> str:
    """What its sentence says before a place."""
    least = max(0, start - 400)
    begin = max(least, *(text.rfind(mark, least, start) + 1 for mark in ".!?\n。;"))
    return text[begin:start].strip(" *_`#>-\t|[(" + DROPPED + DATA)


def _is_of_this(text: str, start: int) -> bool:
    """Whether a score in the middle of a sentence is given to what was judged, and given outright."""
    before = _before(text, start)
    if before[-1:] in {":", "："} and before.isascii():
        return is_own_lead(before) or is_headed_reason(before)
    if not re.search(r"[^\W\d_]", before):
        return True
    if not before.isascii():
        joined = is_dense(before[-1]) and text[start - 1 : start] == before[-1]
        return not joined or _DENSE_LEAD.fullmatch(re.split(r"[，、,：:。；;\s]", before)[-1]) is not None
    if re.search(r"\b(?:if|unless|confidence|confident)\b", before, re.IGNORECASE):
        return False
    aside, _, clause = before.rpartition(",")
    clause = clause.strip()
    if aside and not leads_outright(aside, clause):
        return False
    if prose("doubt", "negation").search(clause):
        return False
    return awards.is_given(clause) or is_courtesy(before)


def _labelled(text: str, scale: Range) -> Iterator[Candidate]:
    """Behind a name: "Score: 4", "Overall rating - 7/10"."""
    for match in matches(_LABELLED, text):
        head = text[match.start() : match.start("number")]
        start = match.start() + len(head) - len(head.lstrip())
        if _BOUND.search(head) or (_LEVEL.match(text, match.end()) and not re.search(r"[:：=]", head)):
            continue  # "Score 5: the response is ..." is a level of a rubric
        if awards.OF_RUBRIC.match(text, match.end()):
            continue  # "A score of 5 requires sources."
        begun = numerals.is_begun(text, match.start("number"), match.end(), match["number"])
        below = "\n" in head.lstrip("\n")
        if below and (begun or ("\n" in head.strip("\n") and _LIST.match(text, match.end()))):
            continue  # "Evaluation", and below it a list, or what was cut off
        if re.search(r"\bwould\s+be\s", head) and not (_GIVEN.match(text, match.end()) and _MINE.search(head)):
            continue  # "The score would be 4 with sources."
        unsure = scale.low < 0 and re.search(r"[-–—]\s+$", head) is not None  # a dash, or a minus
        if not _is_of_this(text, start):
            continue
        unsure = unsure or not numerals.may_follow(text, match.end())
        value = math.nan if unsure else numerals.on_scale(text, match, scale)
        if numerals.other_scale(match, scale):
            value = math.inf
        overall = match["overall"] or _OVERALL.match(match.group()) or match["behind"]
        if "|" in head and not numerals.in_score_column(text, match.start("number")):
            continue
        yield _found(value, match.start("number"), match.end(), overall=bool(overall))


def _spoken(text: str, scale: Range) -> Iterator[Candidate]:
    """In a sentence: "I would give it a 7"."""
    for match in matches(_SPOKEN, text):
        end = text.find("\n", match.end())
        clause = re.split(r"[.;!?。]\s", text[match.end() : end if end >= 0 else len(text)])[0]
        said = match["gap"].casefold().split()
        several = "or" in said and not ranks("numbers").keys().isdisjoint(said)  # "a two or a three"
        unreal = prose("condition").search(_before(text, match.start()))
        given = (
            not several
            and not unreal
            and not _BOUND.search(match["gap"])
            and not re.search(r"\b(?:if|were|unless)\b", clause)
        )
        own = _THIRD_PERSON.match(match.group()) is None or _is_of_this(text, match.start())
        if match.group()[:5].lower() == "would":
            outright = re.match(r"(?: points| stars)?\s*(?:[.!,;]|$|(?:on|from|for)\b)", text[match.end() :][:16])
            own = bool(outright and awards.OWN_SUBJECT.match(_before(text, match.start())))
        if given and own and numerals.may_follow(text, match.end()):
            value = numerals.on_scale(text, match, scale)
            found = _found(value, match.start("number"), match.end())
            if not awards.is_of_answer(match["gap"]):
                found.value, found.raw = math.nan, value  # "I'd give the introduction a 5."
            yield found
    for match in matches(numerals.DENSE_AWARD, text) if not text.isascii() else ():
        if prose("condition", "doubt").search(_before(text, match.start("number"))):
            continue
        yield _found(numerals.plain(match["number"], scale.high), match.start("number"), match.end())


def _fraction(text: str, scale: Range) -> Iterator[Candidate]:
    """With its top: "4/5", "7 out of 10", "un due su cinque"."""
    for match in matches(_FRACTION, text):
        if not match["top"]:
            continue
        before = text[max(0, match.start() - 30) : match.start()].rpartition("\n")[2]
        if not _BOUND.search(before):
            value = numerals.value_of(match, scale)
            if not math.isinf(value):  # 3 of 4 points: something else was counted
                found = _found(value, match.start("number"), match.end())
                if awards.COUNTED_THINGS.match(text, match.end()) and "/" not in match.group():
                    continue  # "Three of five sentences are wrong."
                if not numerals.stands_alone(text, match.start(), match.end()):
                    named = awards.NAMES_AWARD.search(_before(text, match.start()))
                    found.value, found.raw = math.nan, value if named else None
                yield found


def _lone(text: str, scale: Range) -> Iterator[Candidate]:
    """A number alone on the first or last line."""
    lines = [match for match in re.finditer(r"[^\n]+", text) if match.group().strip(EMPHASIS + DATA + " ")]
    for line in lines[:1] + lines[1:][-1:]:
        said = line.group().strip(" \t\r" + DROPPED + DATA)
        said = said[1:-1] if _IN_ANGLES.fullmatch(said) else said
        value = numerals.numeral(_ANSWER.sub("", said) if len(lines) == 1 else said, scale)
        if value is None and len(lines) == 1 and said.strip(".*_").casefold() in ranks("numbers"):
            value = numerals.plain(said.strip(".*_"), scale.high)
        pointed = _LAST_ARROW.search(said) if line is lines[-1] else None
        if pointed is not None and not prose("doubt", "condition").search(said):
            yield _found(
                numerals.value_of(pointed, scale), line.start() + line.group().find(pointed.group()), line.end()
            )
        if line.group().count("**") % 2 or numerals.goes_on(text, line.start(), said):
            continue  # the beginning of something
        if value is not None and not re.match(r"#+\d", said) and numerals.may_stand_below(text, line.start(), said):
            yield _found(value, line.start(), line.end())


def is_quality(line: str) -> bool:
    """Whether a line scores one quality, beside the score of the whole: "- Accuracy: 9"."""
    match = _FORM_LINE.match(line.lstrip())
    return match is not None and is_named(awards.SCORE_WORD.sub("", match["name"]), "aspect")


def _form(text: str, scale: Range) -> Iterator[Candidate]:
    """The one line of a form, "- Coherence (1-5): 4": a quality that is all that was asked for."""
    lines = list(matches(_FORM_LINE, text))
    if (
        len(lines) != 1
        or not is_named(awards.SCORE_WORD.sub("", lines[0]["name"]), "aspect")
        or _UNSAID.search(text)
        or text.rstrip()[-1:] == ":"
    ):
        return
    match = _FRACTION.match(text, lines[0].start("number"))
    if match is not None:
        other = numerals.other_scale(lines[0], scale) or not numerals.may_follow(text, match.end())
        yield _found(math.inf if other else numerals.on_scale(text, match, scale), match.start("number"), match.end())


def _cell(text: str, scale: Range) -> Iterator[Candidate]:
    """In the one row of a table, below the name of a score."""
    row = list(cells_of_one_row(text))
    tops = [_LAST_DIGITS.search(cell) for head, cell, _ in row if is_named(head, "top")]
    tops += [_LAST_DIGITS.search(head) for head, _, _ in row if is_score(head)]
    if any(top is not None and float(top.group()) != scale.high for top in tops):
        return
    for head, cell, start in row:
        value = numerals.numeral(cell, scale) if is_score(head) or is_overall(head) else None
        if value is not None:
            yield _found(value, start, start + len(cell), overall=is_overall(head))


def _call(text: str, scale: Range) -> Iterator[Candidate]:
    """All that a sentence says: "A 4.", "I'd say 3.", "It's a 2 for me."."""
    for match in matches(numerals.CALL, text):
        yield _found(numerals.value_of(match, scale), match.start("number"), match.end())


LAYOUTS: Final = (
    SingleLayout("bracketed", _bracketed, rank=0),
    SingleLayout("labelled", _labelled, rank=1),
    SingleLayout("number", _lone, rank=1),
    SingleLayout("cell", _cell, rank=1),
    SingleLayout("fraction", _fraction, rank=1),
    SingleLayout("sentence", _spoken, rank=2),
    SingleLayout("call", _call, rank=1),
    SingleLayout("head", numerals.read_head, rank=2),
    SingleLayout("form", _form, rank=1),
)
