"""What a rating is of, and whose: the judge's own of the answer, or one of a hotel, of a kind of answer, of customers.

All of these rules take a reading away. None of them makes one.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["rated_as_whole", "somebody_elses"]

_JUDGED: Final = frozenset(
    "answer answers response responses output outputs text texts summary reply replies statement statements claim "
    "claims candidate assistant model submission essay translation completion generation result evaluation "
    "assessment score rating grade mark verdict judgment judgement quality content explanation argument performance "
    "work piece article story report conversation dialogue sentence code solution criterion criteria overall final "
    "total average mean weighted aggregate it this that tone style grammar fluency logic flow depth format length "
    "detail coverage structure recall precision overlap context passage document question prompt case example test "
    "item whole above user".split()
)
"""Words for what is judged, or for a criterion."""
_CRITERION: Final = re.compile(r"\w+(?:ness|ity|ance|ence|ancy|ency|acy|tion|sion|ment|ability|ism)")
_SUBJECT: Final = re.compile(
    r"(?:^|[.!?;:\n])\W*(?:the|this|that|an?|its|their)\s+(?P<noun>[\w-]+)"
    r"(?:['’]s\s+(?:rating|score|grade)\b|\s+(?:is|was|are|were|has|have|had|got)\s+(?:been\s+)?(?:an?\s+|the\s+)?"
    r"(?:rated|graded|scored|rating|score|grade)\b)[^.!?;\n]{0,30}\Z",
    re.IGNORECASE,
)
_OF: Final = re.compile(
    r"\b(?:scores?|ratings?|grades?|marks?)\s+(?:of|for)\s+(?:the|this|that)\s+(?P<things>[\w' -]{1,40}?)"
    r"\s*(?:[:=]|\b(?:is|was|would be))[\s*_`]*\Z",
    re.IGNORECASE,
)
_TO: Final = re.compile(r"[*_`\"')\]]*\s+to\s+(?:the|an?|this|that)\s+(?P<things>[\w' -]{1,40}?)\s*(?:[.,;:!?\n]|\Z)")
_RATERS: Final = (
    r"(?:customers?|reviewers?|critics?|users?|people|readers?|annotators?|humans?|experts?|others|visitors?|guests?"
    r"|diners?|students?|voters?|viewers?)"
)
_BY_OTHERS: Final = re.compile(
    rf"[*_`\"')\]]*\s*(?:stars?\s+|points?\s+)?(?:by|from|among)\s+(?:the\s+|our\s+|its\s+|most\s+|other\s+){{0,6}}{_RATERS}\b",
    re.IGNORECASE,
)
_OTHERS_GAVE: Final = re.compile(
    rf"\b{_RATERS}\s+(?:[\w']+\s+)?(?:gave|give|gives|rate|rates|rated|scored?|graded?|award(?:ed)?|assign(?:ed)?)\b[^.;\n]{{0,30}}\Z",
    re.IGNORECASE,
)
_OF_A_CLASS: Final = re.compile(
    r"\b(?:an?\s+(?:perfect|ideal|flawless|model|complete|full|better|good|great)\s+(?:answer|response|output|summary|text|reply)\b"
    r"|(?:answers|responses|outputs|summaries|replies)\s+(?:with|that|which|without|like|of|who)\b)[^.;\n]{0,60}\Z",
    re.IGNORECASE,
)
"""What some kind of answer would get: "A perfect answer scores", "Answers with two slips get"."""
_A_KIND_IS: Final = re.compile(r"\b(?:this|it|that|which)\s+(?:is|was|gives|seems|makes)\W*\Z", re.IGNORECASE)
"""Before "a good answer": then it is this one."""
_IN_ORDER_TO: Final = re.compile(
    r"(?:^|[.!?,;\n]|\border)\s*to\s+(?:get\s+|earn\s+|receive\s+|reach\s+)?(?:an?\s+|the\s+)?\Z", re.IGNORECASE
)
"""Before "score 10": "To score 10, the answer must"."""


def somebody_elses(before: str, name: int, follow: str) -> bool:
    """Whether a number rates something else than the answer, or is somebody else's rating.

    Args:
        before: What stands before the number, as far as it is looked at.
        name: Where the name of the score or the verb begins in that.
        follow: What stands behind the number.
    """
    subject = _SUBJECT.search(before)
    if subject is not None and not _fits(subject["noun"]):
        return True
    things = [match["things"] for match in (_OF.search(before), _TO.match(follow)) if match is not None]
    if any(not any(_fits(word) for word in re.split(r"[\s'-]+", thing)) for thing in things):
        return True
    if _BY_OTHERS.match(follow) or _OTHERS_GAVE.search(before) or _IN_ORDER_TO.search(before[:name]):
        return True
    kind = _OF_A_CLASS.search(before)
    return kind is not None and _A_KIND_IS.search(before[: kind.start()]) is None


def _fits(word: str) -> bool:
    """Whether a word may name what is judged, or a criterion of it."""
    folded = word.casefold()
    return folded in _JUDGED or _CRITERION.fullmatch(folded) is not None


_MARKS: Final = " \t\r*_`\"'“”()[]>#"
_ENDS: Final = re.compile(
    r"[*_`\"'”)\]]{0,6}[ \t]{0,8}(?:points?|stars?|分|点|점)?[*_`\"'”)\]]{0,6}[ \t]{0,8}(?:\Z|[.,;:!?)\n–—-]"
    r"|[。，；：！]|(?:because|as|since|for|due|given|overall|in\s+total|and|but|with|on|from\s+me)\b)",
    re.IGNORECASE,
)
_NAMES_FACTS: Final = re.compile(
    r"\b(?:counts?|counted|finds?|found|sees?|cites?|names?|lists?|mentions?|contains?|includes?)\s+(?:about\s+)?\Z",
    re.IGNORECASE,
)
"""Before a fraction: it counts things."""
_SENTENCE_END: Final = re.compile(r"[.!?;]\s")
_ROUGHLY: Final = re.compile(r"\A(?:about|around|roughly|approximately|~|≈)\s*\Z", re.IGNORECASE)
_ARTICLE: Final = re.compile(r"\b(?:an?|ein|eine|un|une|uno|una|um|uma)\s+(?:\w+\s+)?\Z", re.IGNORECASE)
_SAID: Final = re.compile(
    r"\b(?:rat(?:e[sd]?|ings?)|scor\w+|grad\w+|giv\w+|gave|assign\w*|award\w*|deserv\w+|earn\w*|merit\w*|receiv\w+|gets?|got|say|put"
    r"|marks?|overall|total|final|verdict|result|evaluation|assessment|points?)\b"
    r"|not[ea]\b|punt\w+|bewert\w+|wertung|calif\w+|punteg\w+|voto|valuta\w+|pontua\w+|avalia\w+|оцен\w+|балл\w*|рейтинг"
    r"|评|評|得分|分数|分數|打分|总分|点数|スコア|점수|평점|평가|تقييم|درجة|स्कोर|अंक|रेटिंग",
    re.IGNORECASE,
)


_STARS: Final = "⭐★☆✩✭🌟\ufe0f"


def rated_as_whole(text: str, start: int, end: int) -> bool:
    """Whether a part of a top ("8/10", "85%") is given as the score: alone, beside a word for it, or at a line's end.

    "Page 3/5", "60 % sugar" and "on 4/5" are none.

    Args:
        text: The text.
        start: Where the number begins in it.
        end: One past its last character.
    """
    line = text.rfind("\n", 0, start) + 1
    before, follow = text[max(line, start - 160) : start], text[end : end + 60]
    sentence = _SENTENCE_END.split(before)[-1]
    bare = sentence.strip(_MARKS + _STARS)
    if _NAMES_FACTS.search(before):
        return False
    ended = _ENDS.match(follow) is not None
    if not bare or _ROUGHLY.match(bare):
        return ended
    if _SAID.search(sentence) or (ended and _ARTICLE.search(before)):
        return True
    closes = not follow.partition("\n")[0].strip(_MARKS + ".!)")
    led_to = bare[-1] in ":：" if ended and not closes else closes and bare[-1] in ":：-–—="
    return led_to and _PLACE.search(bare) is None


_PLACE: Final = re.compile(
    r"\b(?:date|page|part|step|slide|chapter|section|question|turn|item|time|ratio|version|day|week|round|line|row|figure"
    r"|table|fact|claim|statement)s?\W*\Z",
    re.IGNORECASE,
)
"""Names of a place or a date, and no ratings."""
