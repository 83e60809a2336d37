"""Numbers in text: whole, with their neighbours, on the scale asked for; never rescaled, clamped or coerced."""

import math
import operator
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from typing import Any, Final

from magistrate.parsing.rows.candidate import Candidate
from magistrate.parsing.rows.single import is_overall, is_score
from magistrate.parsing.wording.awards import NAMES_AWARD, is_given, is_remark, is_remark_on_answer, leads_score
from magistrate.parsing.wording.courtesy import SENTENCES, corrects, is_courtesy
from magistrate.parsing.wording.fold import DATA, DECORATION, DROPPED, fold
from magistrate.parsing.wording.hedges import is_conditional, is_question
from magistrate.parsing.wording.languages import group, ranks
from magistrate.parsing.wording.patterns import WordPattern, any_of
from magistrate.parsing.wording.reasons import explains, is_headed_reason

NUMBER: Final = r"[+\-\u2212]?(?:\d{1,30}(?:[.,\u066b\u00b7]\d{1,30})*|\.\d{1,30})(?:e[+-]?\d{1,4})?"
_NEIGHBOURS: Final = (
    r"(?!(?!(?i:score|rating)\b)[\w/'`^\\#@]|[\u0300-\u036f]|[.,:…]{1,6}\s?\d|\s?[-–]\s?\d|…|\s(?:to|bis|or)\s\d)"
)
"""What may not follow a number: it would be part of another, of a range, of a word."""
_HALF: Final = {"½": 0.5, "¼": 0.25, "¾": 0.75}
_THOUSANDS: Final = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_LONGEST: Final = 64
_NEAR: Final = 1e-9
_UNITS: Final = r"(?:점|点|點|分)(?![\d/])"
_TOP: Final = (
    r"(?:\s*(?:{score}|points?|stars?|分|点|점)?[*_`\"')]*\s*\(?(?:/|\uff0f|(?:\b{out_of}\b|满分)"
    rf"(?:\s+(?:an?|possible|maximum|total|of))*)\s*(?P<top>{NUMBER}|{{NUMBER_WORD}}\b)(?![\d/]|\s?%))"
)
"""The top behind a number: "/5", "out of 10", "von 5", "su cinque"."""
_TOP_BEFORE: Final = re.compile(
    r"(?<![\d.])(?P<top>\d{1,4})\s?(?:점\s?만점에|üzerinden|में से|段階(?:評価で|中)|点満点中)"
)
_STARS: Final = re.compile(r"(?<![★⭐☆\"“'])(?P<full>[★⭐]{1,5})(?P<empty>☆{0,4})(?![★⭐☆])")
_IN_FIGURES: Final = re.compile(r"[\s*_(]{0,9}(\d)\s?/\s?5(?!\d)")
_UNDERLINED: Final = re.compile(r"(?<!\w)__(\d[\d./]{0,9})__(?!\w)")
_SUM: Final = re.compile(
    r"(?P<lead>(?:[:=：]|\bis)[ *_]*)(?P<sum>[\d.]{1,9} ?(?P<sign>[-+/*×]) ?[\d.]{1,9}"
    r"(?: ?(?P=sign) ?[\d.]{1,9}){0,8}) ?= ?"
    r"(?=(?P<result>\d{1,4}(?:\.\d{1,4})?)(?![\d.]*\d))"
)
_COMMAND: Final = re.compile(r"\\(?:text|mathrm|mathbf|textbf)\s?\{([^\W\d_]{1,20}(?: [^\W\d_]{1,20})?[:：]? ?)\}")
_FORMULA: Final = re.compile(r"\$(\d{1,4}(?:\.\d{1,4})?)\$")
_WRITTEN_TWICE: Final = re.compile(r"\b(?P<word>[^\W\d_]{2,12})(?P<gap>[ ]?\()(?P<number>\d{1,2})\)")
_SIGNS: Final = {"+": operator.add, "-": operator.sub, "/": operator.truediv, "*": operator.mul, "×": operator.mul}
_OTHER_TOP_BEHIND: Final = re.compile(
    r"\s*(?:[(\[（–—,-][^()\[\]（）\n.]{0,40}[)\]–—,-]?)?\s*[*_]*(?:/|\bout\s+of\b:?)[*_]*\s*(?P<top>\d{1,4})(?![\d.]*\d)"
    r"|[^\n.;]{0,20}?(?P<best>\d{1,4})\s*(?:being|is)\s+the\s+(?:best|highest|top)|\s*分?\s*\W?满分\s*(?P<full>\d{1,4})|점?\s*만점",
    re.IGNORECASE,
)
_PART: Final = re.compile(
    r"[*_]*\s*[(,]\s*(?:\w+\s+)?(\d{1,4})\s*(?:/|(?:out\s+)?of(?:\s+the)?)\s*(\d{1,4})(?P<things>\s+(?!points|stars)[^\W\d])?"
)
_ROUNDED: Final = 0.006
_OTHER_TOP: Final = re.compile(
    r"\b(?:s[ck]ala|scale|schaal|échelle|escala|шкала)\s*(?:of|from|:|\(|de|da|von|от)?\s*(?:\d{1,4}(?:\.\d+)?\s*(?:\([^()]{1,30}\)\s*)?(?:-|–|to|bis|and|à|a|tot|до)\s*)?(?P<top>\d{1,5}(?:\.\d+)?)(?![\d.]*\d|\s?=)"
    r"|\bmax(?:imum)?\b\s*(?:scores?|points?|rating)?\s*(?:of|is|:|=)?\s*(?P<most>\d{1,5}(?:\.\d+)?)(?![\d.]*\d)"
    r"|(?P<of>\d{1,4}|\b(?:three|four|five|six|seven|ten))(?:-point\b|\s*段階|\s*점\s*만점)|\d\s*(?:-|–|to)\s*(?P<best>\d{1,4})\s+scale\b|满分[为是]?\s*(?P<full>\d{1,4})"
    r"|\b(?:ratings?|scores?)\s*[,(]?\s*\d{1,4}\s*(?:-|–|to)\s*(?P<rated>\d{1,4})\b",
    re.IGNORECASE,
)
DENSE_AWARD: Final = WordPattern(
    r"(?:^|[。！？，,\n])[ \t*_]*(?:{therefore}[，,、]?\s*)?{dense:award}?\s*(?P<number>{number})"
    r"\s*(?:[分点點점](?:です|입니다)?|です|입니다)(?=\s*(?:$|[。.，,！!\n]|を|을))",
    re.NOFLAG,
    number=NUMBER,
)
"""A sentence of a script without blanks, up to its number: "我给这个回答打4分"."""
ROW_HEAD: Final = re.compile(
    r"(?<![\w.])\d[\d.]*[*_]*(?:\s+[-–—]\s|\s*[:：=])[*_]*\s*[^\W\d]|^[^\w\n]*\d+[.)]\s", re.MULTILINE
)
_DENIALS: Final = frozenset({"no", "not", "nope"})
_FEW_WORDS: Final = 5
FITS: Final = r"is\s+(?:appropriate|fair|justified|warranted|right|deserved)\b"
_BEHIND: Final = WordPattern(
    r"(?!\s*\(?[?？؟])(?:(?:score|rating)\b)?[*_`\"'”)\]]*(?:\s*(?:$|{marks}|{unit})|\s+-\s"
    r"|\s+(?:{because|and|contrast}|from\s+me|(?:a|à|al|alla|aan|til|voor|för|für|para|per|pour|por|untuk|pentru)\s+\w+\s+{candidate}|out|which|on|for|with|in|to|instead|{fits})\b|(?<=[^\x00-\x7f]))",
    marks=r"[;:!)\]】（(\n|<>}{{DROPPED}{DATA}{QUOTED}—–,，。]|\.(?!\d)|[^\x00-\x7f]|/",
    unit=r"(?:{score}|[分点點점])(?:s|n|en)?(?=\s*(?:$|[.,;!)\n*。，]|(?:out|for|as|on|{because})\b))",
    fits=FITS,
)
"""What may stand behind a score: the end, a mark, its unit, what a reason begins with."""
_PARTLY_MORE: Final = re.compile(r"[\s*_]*(?:and|&)\s+(?:an?\s+(?:half|quarter)|up|above|over|more)\b", re.IGNORECASE)
_LEAD: Final = 400
"""Characters of a line that are looked at for what leads into a number."""


@dataclass(frozen=True, slots=True)
class Range:
    """The scale that was asked for."""

    low: float
    high: float

    def holds(self, value: float) -> bool:
        """Whether a number is on the scale."""
        return self.low <= value <= self.high


def same(left: Any, right: Any) -> bool:
    """Whether two numbers are one; NaN, which stands for a number that cannot be told, is itself."""
    if isinstance(left, str) or isinstance(right, str):  # codes that say why there is none
        return bool(left == right)
    return left == right or (math.isnan(left) and math.isnan(right)) or abs(left - right) < _NEAR


def _value(number: str) -> str:
    return (
        r"(?<![\d.,/…'`^\\#@+-])(?<![^\W\u2e80-\u9fff])(?P<number>" + number + r")(?P<half>[½¼¾])?"
        r"(?:(?P<percent>\s?(?:[%％‰]|per\s?cent\b|prozent\b))|" + _TOP + rf")?(?:(?={_UNITS})|{_NEIGHBOURS})"
    )


VALUE: Final = _value(NUMBER)
"""A number with its top, its per cent sign, and neighbours that leave it whole."""
VALUE_IN_WORDS: Final = _value(NUMBER + r"|\b{NUMBER_WORD}\b(?=[*_`\"'”)]*\s*(?:$|[.!;)\n/分点點점]|-\s|{out_of}\b))")
"""A number or one in words."""


def plain(text: str, high: float) -> float:
    """The value of a numeral; NaN where a comma may be either kind of mark."""
    text = text.strip().replace("\u2212", "-").replace("\u066b", ",").replace("\u00b7", ".")
    spoken = ranks("numbers").get(text.lower())
    if spoken is not None:
        return float(spoken)
    if _THOUSANDS.fullmatch(text):
        return float(text.replace(",", "")) if high >= 1000 or text.count(",") > 1 else math.nan  # noqa: PLR2004
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return math.nan


def value_of(match: re.Match[str], scale: Range) -> float:
    """The value of a match of `value_pattern`: infinite where it is on another scale."""
    number = plain(match["number"], scale.high)
    groups = match.groupdict()
    if groups.get("half"):
        number += _HALF[match["half"]]
    if groups.get("percent"):
        if "‰" in match["percent"]:
            return math.inf
        return number / (100 / scale.high) if scale.low == 0 and scale.high in {1.0, 100.0} else math.inf
    if groups.get("top"):
        return number if plain(match["top"], max(scale.high, 1000)) == scale.high else math.inf
    return number


_ALONE: Final = WordPattern(r"{value}(?:\s*(?:{score}|points?|stars?|分|点|점))?", value=VALUE)


def numeral(text: str, scale: Range) -> float | None:
    """The value of a text that is one number and nothing else; None where it is not."""
    if len(text) > _LONGEST or is_question(text) or re.match(r"\s*[<>]|.*[<>]=?\s*\d", text):
        return None
    folded = fold(text).strip(DECORATION.replace(".", "").replace("-", "") + " ").rstrip(".")
    match = _ALONE.fullmatch(folded)
    return None if match is None else value_of(match, scale)


def plain_notation(text: str, scale: Range) -> str:
    """A text with rows of stars as numbers; tops before a number, and sums before their result, are left out."""
    text = _UNDERLINED.sub(r"**\1**", text) if "__" in text else text
    if scale.high == 5:  # noqa: PLR2004 - a row of stars has five
        text = _STARS.sub(_stars, text)
    if "$" in text or "(" in text:
        text = text.replace("(scores ONLY)", " " * len("(scores ONLY)"))  # as a form that models fill in has it
        text = _WRITTEN_TWICE.sub(_once, _FORMULA.sub(r" \1 ", text))
    if "\\" in text:
        text = text.replace("$$", "  ")
        text = _COMMAND.sub(lambda m: " " * (len(m[0]) - len(m[1]) - 1) + m[1] + " ", text)
    return _TOP_BEFORE.sub(
        lambda match: " " * len(match[0]) if float(match["top"]) == scale.high else match[0], _SUM.sub(_result, text)
    )


def _once(match: re.Match[str]) -> str:
    """A number for itself in words and in figures: "four (4)"."""
    alike = ranks("numbers").get(match["word"].casefold()) == int(match["number"])
    return match["number"].ljust(len(match[0])) if alike else match[0]


def _stars(match: re.Match[str]) -> str:
    plain_row = len(match[0]) == 5 or (len(match[0]) > 1 and not match["empty"])  # noqa: PLR2004
    number = str(len(match["full"]))
    behind = _IN_FIGURES.match(match.string, match.end())
    if plain_row and behind is not None:  # "⭐⭐⭐ 3/5": the same again, or another
        number = "" if behind[1] == number else f"{number}/5"
    return number.ljust(len(match[0])) if plain_row else match[0]


def _result(match: re.Match[str]) -> str:
    """What leads into a sum, if its result is right: "5 - 2 = 3", "2/3 = 0.67"."""
    numbers = [plain(one, 1) for one in re.findall(r"[\d.]+", match["sum"])]
    if 0 in numbers:
        return match[0]
    off = abs(reduce(_SIGNS[match["sign"]], numbers) - float(match["result"]))
    right = off <= 0.5001 * 10 ** -len(match["result"].partition(".")[2])
    return match["lead"].ljust(len(match[0])) if right else match[0]


SCALE_OF_NUMBERS: Final = r"(?:\s*[(\[](?P<scale>(?=[^()\[\]\n]*\d)[^()\[\]\n]{1,120})[)\]])"
SCALE: Final = SCALE_OF_NUMBERS.replace("{1,120})", r"{1,120}|[^()\[\]\d\n]{1,20})")


def other_scale(match: re.Match[str], scale: Range) -> bool:
    """Whether the scale in brackets behind a name has another top: "Score (0-100): 7"."""
    if "%" in (match["scale"] or "") and scale.high not in {1.0, 100.0}:
        return True
    ends = re.findall(r"\d+(?:\.\d+)?", match["scale"] or "")
    return bool(ends) and float(ends[-1]) != scale.high


def on_scale(text: str, match: re.Match[str], scale: Range) -> float:
    """The value of a match; infinite where what stands behind it names another top."""
    value = value_of(match, scale)
    part = _PART.match(text, match.end())
    off = abs(float(part[1]) * scale.high - value * float(part[2])) if part else math.inf
    if part and (part["things"] or off < _ROUNDED * scale.high * float(part[2])):
        return value  # "0.67 (2 of 3 claims)", "0.75 (3/4)"
    behind = _OTHER_TOP_BEHIND.match(text, match.end(), match.end() + 80) if not match["top"] else None
    if behind is None:
        return value
    top = behind["top"] or behind["best"] or behind["full"]
    return value if top is not None and float(top) == scale.high else math.inf


def other_tops(text: str) -> set[float]:
    """The tops of the scales that a text names."""
    found = (next(filter(None, match.groups())) for match in _OTHER_TOP.finditer(text))
    return {float(ranks("numbers").get(one.casefold(), one)) for one in found}


CALL: Final = WordPattern(
    r"(?m)(?:^|(?<=[.!?]\s))[ \t*_]*(?:on\s+(?:an?|the|this)\s+[^,.\n]{0,40}\bscale\b[^,.\n]{0,20},\s+)?"
    r"(?:(?:{therefore}|definitely|easily|clearly)\s*,?\s+)?"
    r"(?:{mine}\s+(?:(?:it|this){is_})?(?:an?\s+)?|(?:(?:it|this|that|(?:this|the)\s+{candidate|item}){is_})?an?\s+"
    r"|{therefore}\s*[,:]\s+)(?:(?:solid|strong|firm|clear)\s+)?{value}(?:\s+(?:stars|points))?"
    r"(?=(?:\s+(?:for|from)\s+me|\s+here|\s+overall|\s+(?:on|for|to)\s+(?:the|this)\s+(?:{candidate|item}|rubric|scale))?"
    r"[*_]*\s*(?:[.!]?\s*$|[.!]\s|,?\s+(?:because|since)\b))",
    mine=lambda: any_of(one for one in group("own") if one.startswith(("i ", "i'"))),
    is_=r"(?:'s|\s+(?:is|would\s+be))\s+",
    value=VALUE,
)
"""A sentence that is nothing but a score: "A 4.", "I'd say 3."."""
HEAD_PATTERN: Final = WordPattern(
    r"[\s*_`#{DROPPED}]*+{value}[*_`]*(?=\s+[-–—]\s+[^\W\d]|\s*[:：(（]\s*[^\W\d]|[,，]?\s*\b{because}\s+\S+\s+\S)",
    value=VALUE,
)
"""A number at the head of a text, before what it stands for or its reason."""


def read_head(text: str, scale: Range) -> Iterator[Candidate]:
    """At the head of a text, with what it stands for or its reason behind it: "4 - Good", "3, since ..."."""
    match = HEAD_PATTERN.match(text)
    if match is None or match["top"] or len(ROW_HEAD.findall(text)) > 1:
        return
    reason = SENTENCES.split(text[match.end() :].lstrip())[0]
    if reason.strip("-–—:： ").casefold().partition(",")[0] in _DENIALS:
        return  # "4 - no, that can't be right."
    goes_on = not reason.startswith(("-", "–", "—", ":", "：", "(", "（"))
    if is_remark(reason) or (not is_courtesy(reason) and explains(reason, is_remark, goes_on=goes_on)):
        yield Candidate(value_of(match, scale), span=(match.start("number"), match.end()))


def in_score_column(text: str, at: int) -> bool:
    """Whether the cell of a table stands below the name of a score, or below nothing."""
    lines = text[:at].split("\n")
    rows = [line for line in lines if "|" in line]
    cells = rows[0].strip().strip("|").split("|")
    place = lines[-1].strip().removeprefix("|").count("|")
    head = cells[place].strip(" *_`") if len(rows) > 1 and place < len(cells) else "score"
    return is_score(head) or is_overall(head)


def may_stand_below(text: str, start: int, said: str) -> bool:
    """Whether a number alone on its line stands below nothing, a sentence, or the name of a score."""
    above = text[:start].rstrip(" \t\n-:|" + DROPPED).rpartition("\n")[2].strip(" \t*_#|" + DROPPED)
    if "|" in text[start:].partition("\n")[0] and "|" in text[:start]:
        return in_score_column(text, start + len(said) - len(said.lstrip(" |")))
    if "," in said and "," in above:
        return False
    few = 0 < len(above.split()) <= _FEW_WORDS and above.isascii() and above[-1].isalnum() and not above.isdecimal()
    return not few or (leads_score(above) and not is_headed_reason(above)) or is_score(above) or is_overall(above)


def goes_on(text: str, start: int, said: str) -> bool:
    """Whether a number alone on its line is the next of a list that was cut off: "1. Accurate." and "2"."""
    number = said.strip(" *_#.)")
    before = rf"^[ \t*_#]*{int(number) - 1}[.)][ \t]" if number.isdecimal() and len(number) < 3 else "(?!)"  # noqa: PLR2004
    return re.search(before, text[:start], re.MULTILINE) is not None


def is_begun(text: str, start: int, end: int, said: str) -> bool:
    """Whether a number below a line may begin something that was cut off: "Evaluation", and below it "**1"."""
    lead = text[:start].rpartition("\n")[2].strip(" *_")
    last = end >= len(text.rstrip()) and (text.count("**") % 2 == 1 or (bool(lead) and not lead.strip("#")))
    return last or goes_on(text, start, said)


def may_follow(text: str, end: int) -> bool:
    """Whether what stands behind a number leaves it a score: no "8 or less", "3 errors", "4 5", "8+"."""
    rest = text[end : end + 80]
    return _BEHIND.match(rest) is not None and _PARTLY_MORE.match(rest) is None and not is_conditional(rest)


def stands_alone(text: str, start: int, end: int) -> bool:
    """Whether a part of a top is all that its clause says, or is led in as the judge's own."""
    line = text[max(0, start - _LEAD) : start].rpartition("\n")[2]
    before = re.split(r"[.!?;:。：—–]\s*|\s-\s", line)[-1].strip(" *_`#>|[(" + DROPPED + DATA)
    led = re.split("[:：]", line)[-2:-1]
    leads = not led or leads_score(led[0]) or is_remark_on_answer(led[0])
    if not leads and (before or line.rstrip(" *_").endswith((":", "："))):
        return False
    sure = not re.search(r"[^\W\d_]", before) or not before.isascii()
    sure = (
        sure
        or (bool(led) and corrects(led[0] + ":"))
        or (NAMES_AWARD.search(before) is not None and is_given(before.rpartition(",")[2].strip()))
    )
    behind = re.match(
        r"[*_`\"'”)\]]*\s*(?:$|[\x00.,;:!)\]（(\n|<—–，。-]|[^\x00-\x7f])|\s+(?:because|since|for|and|but|with|overall|(?i:stars?|points?|punkten?))\b",
        text[end : end + 40],
    )
    return (
        sure
        and behind is not None
        and not re.search(r"\d\s*(?:[-–—]|to|bis)\s*$", line)
        and not re.match(r"\s*[-–]\s*\d", text[end : end + 6])
    )
