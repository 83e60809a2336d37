"""A score in plain text: in double brackets, after a label, as a part of the top, or all by itself."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Final

from magistrate.parsing.figures import MEASURES, calculated, counts, in_a_range, is_index, is_measured, only_remarks
from magistrate.parsing.item_wording import Names
from magistrate.parsing.numerals import Numeral, Scale, find_numeral, read_numeral
from magistrate.parsing.prose import DROPPED, QUOTED, Prose
from magistrate.parsing.score_fields import Candidate
from magistrate.parsing.score_lines import alone, beside_others, leading, named, opening, worded
from magistrate.parsing.subjects import rated_as_whole, somebody_elses
from magistrate.parsing.talk import NOT_THE_JUDGES, another_number, given, one_of_several
from magistrate.parsing.tops import names_another_top
from magistrate.parsing.voices import Voice, voice_of

__all__ = ["find_in_text"]

_NAMES: Final = (
    r"(?:overall(?=\s*[:=])|total(?=\s*[:=])|stars(?=\s*[:=])|scores?|ratings?|grades?|marks?|points(?:\s+awarded)?|rate|result"
    r"|evaluation|assessment|verdict|bewertung|punktzahl|gesamtnote|gesamtpunktzahl|wertung|punkte|puntuaci[oó]n"
    r"|calificaci[oó]n|puntaje|nota|note|notation|punteggio|voto|valutazione|pontua[cç][aã]o|avalia[cç][aã]o"
    r"|оценка|балл|рейтинг|评分|評分|分数|分數|得分|打分|总分|總分|評価|評点|点数|スコア|점수|평점|평가|التقييم|تقييم"
    r"|الدرجة|درجة|النتيجة|स्कोर|अंक"
    r"|रेटिंग|मूल्यांकन)"
)
_OVERALL: Final = (
    r"(?:final|overall|total|global|gesamt\w*|insgesamt|general|totale?|итогов\w+|общ\w+|最终|最終|总体|總體|整体|综合|綜合|総合"
    r"|최종|종합"
    r"|النهائي\w*|الإجمالي\w*|अंतिम|कुल)"
)
_BRACKETED: Final = re.compile(
    r"[\[【［(（《]\s?[\[【［《]\s*(?:rating|score|评分"
    r"|評価)?\s*[:：]?\s*(?P<body>[^\[\]【】［］《》\n]{1,30}?)\s*[\]】］》]\s?[\]】］)）》]",
    re.IGNORECASE,
)
_NAME_ENDS: Final = re.compile(rf"(?<![^\W_])(?:{_OVERALL}|{_NAMES})[*_`\"']*[ \t]?\Z", re.IGNORECASE)
_LABEL_BEFORE: Final = re.compile(
    rf"(?P<before>(?:(?<![\w'])[^\W\d_][\w'-]*[ \t]+){{0,2}})(?<![^\W_])(?:(?<=#)the)?(?P<overall>{_OVERALL}[ "
    rf"\t_]*)?(?P<name>{_NAMES})(?:[ \t]+{_OVERALL})?[*_`\"'”)\]】］]*"
    r"(?:[ \t]+(?:for|of|to)[ \t]+(?:this|the|that)[ \t]+[\w ]{1,40}?)?"
    r"\s*(?P<sign>[:：=]|->|=>|→|[–—-]|\b(?:is|of|would be|will be|should be|to|as|at|ist|es|est|è|é|de|von|di)\b|は|が"
    r"|为|為|是|은|는|في)?[ \t*_`\"'“:：(\[【《\n]{0,14}"
    r"(?:(?:a|an|about|around|exactly|just|only|ein|un|une|uno?|um|uma|满分|満分)\s+)?$",
    re.IGNORECASE,
)
_NUMBER_AT: Final = re.compile(r"(?<![\d.,\w])[+\-\u2212]?(?=\.?\d)|(?<=[^\x00-\x7f])(?=\d)")
_LABEL_WORDS: Final = Names(
    "overall, total, stars, thescore, score, rating, grade, mark, point, rate, result, evaluation, assessment, "
    "verdict, bewertung, punktzahl, gesamtnote, gesamtpunktzahl, "
    "wertung, punkte, puntuación, puntuacion, calificación, calificacion, puntaje, nota, note, notation, punteggio, "
    "voto, valutazione, pontuação, pontuacao, avaliação, "
    "avaliacao, оценка, балл, рейтинг, 评分, 評分, 分数, 分數, 得分, 打分, 总分, 總分, 評価, 評点, 点数, スコア, "
    "점수, 평점, 평가, التقييم, تقييم, "
    "الدرجة, درجة, النتيجة, स्कोर, अंक, रेटिंग, मूल्यांकन"
)
_VERB_WORDS: Final = Names(
    "rate, rated, score, scored, grade, graded, give, assign, award, settle, go, mark, evaluate, assess, deserve, "
    "it's, it’s, is, say, put, earn, merit, get, receive, warrant, makes, "
    "vergebe, gebe, bewerte, doy, donne, attribue, mets, do, assegno, dou, atribuo, ставлю, оцениваю, "
    "打, 给, 給, 得, 评, 評"
)
_WINDOW: Final = 110
_FOLLOW: Final = 90
_NEAR: Final = 40
_OPENING: Final = frozenset("[【［")
"""Before a name that is a heading: "[評価] 4点"."""
_NO_RATING: Final = re.compile(r"\b(?:confiden\w+|certain\w*|sure|uncertain\w*)\b[^.;:\n]{0,30}\Z", re.IGNORECASE)
"""Before the name of a score: what the number is about is something else."""
_LESS: Final = re.compile(r"\s+[-\u2212\u2013*/+]\s+[a-z]{2,}", re.IGNORECASE)
"""Behind the first term of a sum in words: "Score = 10 - slips"."""
MOST_NUMBERS: Final = 400
"""Numbers in a text that are looked at; a text with more is a table of data."""
_RESULT: Final = re.compile(r"\[(?:RESULT|SCORE|RATING|FINAL SCORE)\]\s*[:：]?\s*(?=[+\-\u2212]?\d)", re.IGNORECASE)
_VERBS: Final = re.compile(
    r"(?:(?<![\w'])(?:(?:i|we)(?:'d|'ll| would| will| can| must| shall| have to)?\s+(?:therefore\s+|thus\s+"
    r"|only\s+)?(?:rate|score|grade|give|assign|award|settle|go|mark|evaluate|assess|say|put (?:this|it|that) at)\b"
    r"|(?:deserves?|earns?|merits?"
    r"|gets?|receives?|warrants?)\b|(?:is|be) (?:rated|scored|graded)\b|settle (?:on|for)\b|go (?:with|for)\b|makes "
    r"it\b"
    r"|ich (?:vergebe|gebe|bewerte)\b|vergebe ich\b|(?:le|les|lui) (?:doy|donne|attribue)\b|doy\b|je (?:donne|mets"
    r"|attribue)\b|do\b|assegno\b|dou\b|atribuo\b|ставлю\b|оцениваю\b)"
    r"|(?<!\w)(?:it|this|that|answer|response|summary)(?:['’]s|\s+is)\s+an?(?=\s+[*_`]*\Z)"
    r"|(?:[打给給]出?|[得评評])\s*(?=\Z|[^\d.;!?\n。]{0,20}打?\Z))"
    r"(?P<gap>[^\d.;!?\n]{0,60}?)(?<![\d.,-])$",
    re.IGNORECASE,
)
_BOUND: Final = re.compile(
    r"\b(?:at (?:least|most|best|worst)|(?:more|less|higher|lower|better|worse|other|greater|no more|no less) than"
    r"|up to"
    r"|above|below|over|under|between|minimum(?: of)?|maximum(?: of)?|not|mindestens|höchstens|über|unter|al menos"
    r"|(?<=[ \t:：(])(?:[<>]=?|[≥≤≧≦])"
    r"|como máximo|au moins|au plus|almeno|al massimo|pelo menos|no máximo|не менее|не более|至少|至多|最多)"
    r"\s*(?:a|an|the|ein|eine|un|une|um|uma)?\s*$",
    re.IGNORECASE,
)
"""A bound is no score: "at least a 5"."""
_DASHES: Final = frozenset("-\u2013\u2014")
_SCALE: Final = re.compile(
    r"(?<![\d.,/])(?P<low>\d{1,5}(?:\.\d+)?)\s*(?:to|and|through|–|—|-|~|bis|und|y|et|e|a|à|до|и|到|至"
    r"|から)\s*(?P<high>\d{1,5}(?:\.\d+)?)(?![\d/%])",
    re.IGNORECASE,
)
_TOP_IN_NAME: Final = re.compile(r"(?<=out of )(?P<high>\d{1,5})(?=\W{0,3}[:：=])", re.IGNORECASE)
_TOP_FIRST: Final = re.compile(
    r"(?<![\d.,])(?P<top>\d{1,5})\s?(?:점\s?만점|点満点)\s?(?:에서?|중(?:에서?)?|で|中の?|のうち)\s?(?=\d)"
)
"""A top that stands before its score: "10점 만점에 8점"."""
_DATE: Final = re.compile(
    r"\b\d{4}([/.-])\d{1,2}\1\d{1,2}\b|\b\d{1,2}([/.-])\d{1,2}\2(?:\d{4}|\d{2})\b|\b\d{1,2}:\d{2}\b|\b\d{4}/\d{2}\b"
)
_FRACTION: Final = re.compile(
    r"(?<![\w./,-])(?=[+\-\u2212]?\d{1,30}(?:[.,]\d{1,30})*\s*(?:points?|stars?|punkte?|puntos?|分|点|점)?\s*(?:/"
    r"|\uff0f"
    r"|out\s+of\b|%|von\s+\d|sur\s+\d|su\s+\d|из\s+\d))"
)
_IS_A: Final = re.compile(r"(?:['’]s|\bis)\s+an?\s+[*_`]*\Z", re.IGNORECASE)
_ENDS: Final = re.compile(r"[*_`\"'”)]*\s*(?:[.,;:!\n]|\Z|/|(?:out of|because|for|on|as|since)\b)", re.IGNORECASE)
"""Behind "it is a 4": "a 4-star hotel" and "a 4 page text" are none."""
_UNIT: Final = re.compile(r"\s*(?:points?|stars?|\b(?:of|percent)\b)?\s*(?P<next>[^\W\d_]+)?")


def find_in_text(prose: Prose, scale: Scale, *, cut: bool, beside_data: bool) -> list[Candidate]:
    """Find the scores that a text gives.

    Args:
        prose: The masked text.
        scale: The declared range.
        cut: Whether the text was cut off.
        beside_data: Whether data with a score stands beside it: then only what is plainly the score is heard.
    """
    if prose.overlong:
        return []
    found = _found(prose, scale, cut=cut, beside_data=beside_data)
    return [
        replace(
            one,
            span=prose.span(*one.span),
            value=math.inf if names_another_top(prose.text, *one.span, scale) else one.value,
        )
        for one in found
    ]


def _found(prose: Prose, scale: Scale, *, cut: bool, beside_data: bool) -> list[Candidate]:
    text = _without_scales(prose.text, scale)
    found = _heard(_bracketed(text, scale), prose, cut=cut)
    if found:
        return found + _concluding(text, scale)
    labelled = _labelled(text, scale)
    overall = [one for one, kind in labelled if kind == "overall"]
    plain = [one for one, kind in labelled if kind == "plain"]
    other = [one for one, kind in labelled if kind == "qualified"]
    for group in (overall, plain):
        found = _heard(group, prose, cut=cut)
        if found:
            return leading(text, scale) + found + _concluding(text, scale)
    if beside_data:
        return _heard([one for one in _spoken(text, scale) if one.format == "fraction"], prose, cut=cut)
    only = alone(text, scale, cut=cut) or named(text, scale, cut=cut)
    if only is not None:
        return [only]
    first = opening(text, cut=cut, scale=scale)
    if first is not None:
        return [first]
    for group in (
        _spoken(text, scale),
        other if len({one.value for one in other}) == 1 and not beside_others(text, other[0], scale) else [],
        _fractions(text, scale),
        worded(text, scale),
    ):
        found = _heard(group, prose, cut=cut)
        if found:
            return [] if _in_parts(text, found, scale) else found
    return []


def _concluding(text: str, scale: Scale) -> list[Candidate]:
    """Parts of the top that a concluding sentence gives, beside a score: "All in all this is scored 6/10"."""
    if _SUMS_UP.search(text) is None:
        return []
    return [
        one
        for one in _spoken(text, scale)
        if one.format == "fraction" and _SUMS_UP.search(text, max(0, one.span[0] - _WINDOW), one.span[0])
    ]


_SUMS_UP: Final = re.compile(
    r"\b(?:all in all|overall|in (?:total|sum|summary|conclusion|the end)|to (?:conclude|sum up)"
    r"|altogether|final(?:ly)?)\b",
    re.IGNORECASE,
)
"""What begins a concluding sentence."""


def _in_parts(text: str, found: list[Candidate], scale: Scale) -> bool:
    """Whether the line of a fraction holds another one that differs: each is the mark of a part."""
    if len(found) != 1 or found[0].format != "fraction":
        return False
    start, end = found[0].span
    line = text[text.rfind("\n", 0, start) + 1 : (text.find("\n", end) + 1 or len(text) + 1) - 1]
    marks = (find_numeral(line, match.end(), scale) for match in _FRACTION.finditer(line[:_LONGEST_LINE]))
    return any(mark is not None and mark.fraction and mark.value != found[0].value for mark in marks)


_LONGEST_LINE: Final = 2_000


MOST_HEARD: Final = 64
"""Scores in one text whose voice is looked for; a text that gives more is no rating."""


def _heard(found: list[Candidate], prose: Prose, *, cut: bool) -> list[Candidate]:
    """What is said in the judge's own voice: once for each value, and none of it where it is said without end."""
    last = len(prose.text.rstrip(" \t\r\n*_`.,;:" + DROPPED))
    heard: list[Candidate] = []
    dropped: list[Candidate] = []
    values = {one.value for one in found}
    if len(values) > 1 and len(found) > MOST_HEARD:
        return []
    for one in reversed(found):
        if cut and (one.span[1] >= last or (one.format != "bracketed" and prose.text[: one.span[0]].count("\n\n") > 0)):
            dropped.append(replace(one, broken=True))
            continue
        if voice_of(prose.text, one.span[0], one.span[1]) is not Voice.FOREIGN:
            heard.append(one)
            if len(values) == 1:
                break
    return heard[::-1] or dropped  # what was cut off leaves nothing weaker to be read


def _without_scales(text: str, scale: Scale) -> str:
    """Blank out what only names the scale or is a date."""

    def blank(match: re.Match[str]) -> str:
        try:
            low = match.groupdict().get("low")
            named = (low is None or float(low) == scale.low) and float(match["high"]) == scale.high
        except ValueError:
            named = True
        return QUOTED * len(match.group()) if named else match.group()

    text = _DATE.sub(lambda match: QUOTED * len(match.group()), text.replace("|", ":"))
    text = _TOP_FIRST.sub(
        lambda match: " " * len(match.group()) if float(match["top"]) == scale.high else match.group(), text
    )
    return only_remarks(_SCALE.sub(blank, _TOP_IN_NAME.sub(blank, text)), _NAME_ENDS, scale)


def _bracketed(text: str, scale: Scale) -> list[Candidate]:
    found = []
    for match in _BRACKETED.finditer(text):
        numeral = read_numeral(match["body"], scale)
        if numeral is not None:
            found.append(Candidate(numeral.value, match.span("body"), "bracketed"))
    return found


def _labelled(text: str, scale: Scale) -> list[tuple[Candidate, str]]:
    """Numbers after a label, each with its kind: "overall", "plain", or "qualified" ("Clarity score: 3")."""
    found: list[tuple[Candidate, str]] = []
    for at in _numbers(text):
        window = text[max(0, at - _WINDOW) : at]
        match = _LABEL_BEFORE.search(window) if _LABEL_WORDS.within(window) else None
        numeral = find_numeral(text, at, scale) if match else None
        if match is None or numeral is None or not _whole(text, numeral):
            continue
        if _BOUND.search(window) or _BOUND.search(window[: match.start("name")]):
            continue
        if not given(text, numeral.end, window, match.start("name")) or _NO_RATING.search(
            window[: match.start("name")]
        ):
            continue
        follow = text[numeral.end : numeral.end + _FOLLOW]
        if counts(follow) or one_of_several(follow) or somebody_elses(window, match.start("name"), follow):
            continue
        if match["sign"] == "=" and _LESS.match(follow):
            continue
        dash = match["sign"] in _DASHES and scale.holds(-numeral.value)  # "Score - 3": a dash, or a minus
        candidate = Candidate(math.nan if dash else numeral.value, (numeral.start, numeral.end), "labelled")
        name, before = match["name"].casefold(), (match["before"] or "").casefold().split()
        before += _GLUED.findall(window[: match.start("name")].casefold())
        if not NOT_THE_JUDGES.isdisjoint(before):
            continue
        named_in_brackets = window[: match.end("name")].rstrip()[-len(name) - 1 :][:1] in _OPENING
        if not match["sign"] and not named_in_brackets and not name.startswith(("rate", "score", "rating")):
            continue
        if match["overall"] or any(_OVERALL_WORD.fullmatch(word) for word in before):
            found.append((candidate, "overall"))
        elif before and before[-1] not in _PLAIN_BEFORE:
            found.append((candidate, "qualified"))
        else:
            found.append((candidate, "plain"))
    for match in _RESULT.finditer(text):
        numeral = find_numeral(text, match.end(), scale)
        if numeral is not None and _whole(text, numeral):
            found.append((Candidate(numeral.value, (numeral.start, numeral.end), "labelled"), "overall"))
    return found


def _numbers(text: str) -> list[int]:
    """Where numbers begin; none where there are more than any rating has."""
    places = [match.start() for match, _ in zip(_NUMBER_AT.finditer(text), range(MOST_NUMBERS + 1), strict=False)]
    return places if len(places) <= MOST_NUMBERS else []


_GLUED: Final = re.compile(r"([^\W_]{1,24})_\Z")
"""What qualifies a name that is written as one word with it: "max_score"."""
_OVERALL_WORD: Final = re.compile(_OVERALL, re.IGNORECASE)
_PLAIN_BEFORE: Final = frozenset(
    "a an the my this that its is as of and so with to at me it i would give assign assigned deserves award awarded "
    "therefore thus gets get "
    "for hence der die das meine eine el la le un une mi ma il lo una mon una o a minha моя its' their final in".split()
)


def _whole(text: str, numeral: Numeral) -> bool:
    """Whether a number is all there: not the head of a range, a sum, a list, a version, a date or a measure."""
    follow = text[numeral.end : numeral.end + 24]
    if follow[:1] in {"?", "？", "؟", "+"} or another_number(follow) or calculated(follow) or is_index(follow):
        return False
    if re.match(r"[.,]?\d|\s*(?:-|–|—|~|to|or|bis|oder)\s*\d|[^\W\d_]", follow) and not re.match(
        r"\s*\n\s*[-–—]\s*\d+\s*[.)]", follow
    ):
        return bool(re.match(r"(?:点|分|점|です|と|で|。)", follow))
    return True


def _spoken(text: str, scale: Scale) -> list[Candidate]:
    """Numbers that a verb of judging gives: "I would rate this an 8", "deserves a 6", "settle on 3.5"."""
    found = []
    for at in _numbers(text):
        window = text[max(0, at - _WINDOW) : at]
        verb = _VERBS.search(window) if _VERB_WORDS.within(window) else None
        numeral = find_numeral(text, at, scale) if verb and not _BOUND.search(window) else None
        if verb is None or numeral is None or not _whole(text, numeral):
            continue
        follow = text[numeral.end : numeral.end + _FOLLOW]
        if not given(text, numeral.end, window, verb.start()) or counts(follow) or one_of_several(follow):
            continue
        if somebody_elses(window, verb.start(), follow):
            continue
        if _IS_A.search(window) and not _ENDS.match(follow):
            continue
        unit = _UNIT.match(text, numeral.end)
        word = (unit["next"] or "").casefold() if unit else ""
        if word in MEASURES:
            continue
        form = "fraction" if numeral.fraction else "sentence"
        found.append(Candidate(numeral.value, (numeral.start, numeral.end), form))
    return found


def _fractions(text: str, scale: Scale) -> list[Candidate]:
    """Parts of a top: the one of the text. Several different ones are partial marks."""
    found, marks = [], 0
    for match in _FRACTION.finditer(text):
        numeral = find_numeral(text, match.end(), scale)
        if numeral is None or not numeral.fraction or not _whole(text, numeral):
            continue
        before = text[max(0, numeral.start - _NEAR) : numeral.start]
        follow = text[numeral.end : numeral.end + _FOLLOW]
        if counts(follow) or in_a_range(before) or somebody_elses(before, len(before), follow):
            continue
        if is_measured(before, text[numeral.start : numeral.end]):
            continue
        marks += 1
        if rated_as_whole(text, numeral.start, numeral.end):
            found.append(Candidate(numeral.value, (numeral.start, numeral.end), "fraction"))
    return found if marks == 1 else []
