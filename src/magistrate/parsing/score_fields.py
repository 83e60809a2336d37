"""A score in data: which field of an object is the one that was asked for."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from magistrate.parsing.decode.documents import Document
from magistrate.parsing.decode.nodes import Gap, Obj, Span
from magistrate.parsing.figures import THINGS
from magistrate.parsing.keys import Role, compact, role_of
from magistrate.parsing.numerals import Numeral, Scale, read_numeral
from magistrate.parsing.rows import Path
from magistrate.parsing.schema_echo import is_schema, schema_values
from magistrate.parsing.tops import off_the_scale
from magistrate.verdict import Repair

__all__ = ["OVERALL", "SCORE", "Candidate", "find_in_value"]

DEEPEST: Final = 32
_LONGEST: Final = 64
"""Characters of the name of a score, or of a score in words."""
MOST_KEYS: Final = 500
"""Keys of an object that may hold the score."""

OVERALL: Final = frozenset(
    "overall overallscore overallrating finalscore finalrating finalgrade total totalscore totalrating score_total "
    "gesamt gesamtnote gesamtpunktzahl gesamtbewertung puntuacionfinal puntuaciónfinal puntuacióntotal notefinale "
    "scorefinal "
    "punteggiofinale votofinale pontuaçãofinal notafinal итоговаяоценка "
    "综合得分 综合评分 综合分 综合分数 综合 总体评分 总体得分 总体 整体评分 整体得分 "
    "总得分 综合評分 綜合評分 綜合得分 総合得点 総合スコア "
    "総合評点 総合 종합점수 종합평가 종합 전체점수 최종점수 总分 总评分 最终评分 總分 総合評価 総合点 "
    "총점 최종점수".split()
)
SCORE: Final = frozenset(
    "score scores rating grade mark marks points result value number stars scorevalue ratingvalue numericscore answer "
    "bewertung punktzahl punkte note wertung puntuación puntuacion calificación calificacion puntaje nota "
    "notation punteggio voto valutazione pontuação pontuacao оценка балл баллы рейтинг 分数 评分 得分 分 評分 分數 "
    "点数 スコア "
    "評価 点 점수 평점 평가 درجة الدرجة النتيجة تقييم التقييم अंक स्कोर रेटिंग judgment judgement verdict".split()
)
_NOT_A_SCORE: Final = frozenset(
    "id index idx n no weight weights confidence page year count counts version latency tokens timestamp date time "
    "duration "
    "threshold min max minimum maximum low high scale total_tokens usage cost line step steps length words probability "
    "temperature seed code status errorcode statuscode retryafter maxscore minscore scoremax outof denominator "
    "numberofclaims claims statements".split()
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A number that may be the score.

    Args:
        value: Its value; NaN or infinite where it is on no scale.
        span: Where it stands.
        format: What it was read from.
        reason: The reason beside it.
        repairs: The repairs that touched it.
        broken: Whether it was cut off or is no number: then the field is there and has no value.
        doubtful: Whether the field is there twice, with different values.
    """

    value: float
    span: Span
    format: str
    reason: str | None = None
    repairs: tuple[Repair, ...] = ()
    broken: bool = False
    doubtful: bool = False


def find_in_value(document: Document, scale: Scale) -> Candidate | None:
    """The score that a decoded value holds; None where it holds none, or several with none above them."""
    found = _find(document.value, (), scale, 0)
    if found is None:
        return None
    value, path, reason, doubtful = found
    form = "repaired-json" if document.repairs else "json"
    return Candidate(
        math.nan if value is None else value,
        document.locate(path),
        form,
        reason,
        document.repairs,
        broken=value is None,
        doubtful=doubtful,
    )


Hit = tuple[float | None, Path, str | None, bool]


def _find(value: Any, path: Path, scale: Scale, depth: int) -> Hit | None:
    if depth > DEEPEST:
        return None
    if isinstance(value, list):
        return (
            _only(_find(item, (*path, at), scale, depth + 1) for at, item in enumerate(value[:200]))
            if not _flat(value)
            else _element(value, path, scale)
        )
    if not isinstance(value, dict) or len(value) > MOST_KEYS:
        return None
    if is_schema(value):
        inner = schema_values(value)
        return None if inner is None else _find(inner, (*path, "properties"), scale, depth + 1)
    found = _in_object(value, path, scale, depth)
    if found is None or found[0] is None or not off_the_scale(value, scale):
        return found
    return (math.inf, *found[1:])


def _in_object(value: dict[str, Any], path: Path, scale: Scale, depth: int) -> Hit | None:
    own = _own(value, path, scale)
    if own is not None:
        rivals = [
            _find(item, (*path, key), scale, depth + 1)
            for key, item in value.items()
            if isinstance(item, dict) and role_of(key) in {Role.VERDICT, Role.WEAK_VERDICT}
        ]
        unlike = any(rival is not None and not _equal(rival[0], own[0]) for rival in rivals)
        return (*own[:3], own[3] or unlike)
    if any(role_of(key) is Role.REFUSAL and item for key, item in value.items()):
        return None  # {"error": {"code": 4}}
    whole = [key for key, item in value.items() if isinstance(item, dict) and compact(key[:_LONGEST]) in OVERALL]
    if len(whole) == 1:  # {"overall": {"score": 4}}, among the parts
        return _find(value[whole[0]], (*path, whole[0]), scale, depth + 1)
    parts = [
        _find(item, (*path, key), scale, depth + 1)
        for key, item in value.items()
        if isinstance(item, dict | list) and role_of(key) not in {Role.QUOTE, Role.ASIDE, Role.REASON, Role.REFUSAL}
    ]
    return _only(parts)


def _flat(value: list[Any]) -> bool:
    return not any(isinstance(item, dict | list) for item in value)


def _element(value: list[Any], path: Path, scale: Scale) -> Hit | None:
    """[[5]] as a decoder sees it: the one number of a list of one."""
    if len(value) != 1:
        return None
    number = _number(value[0], scale)
    return None if number is None else (number, (*path, 0), None, False)


def _only(parts: Iterable[Hit | None]) -> Hit | None:
    found = [part for part in parts if part is not None]
    return found[0] if len(found) == 1 else None


def _own(value: dict[str, Any], path: Path, scale: Scale) -> Hit | None:
    """The score among an object's own fields: an overall one, else the one called score, else the only number."""
    names = {key: compact(key) for key in value if len(key) <= _LONGEST}
    reason = next((item for key, item in value.items() if role_of(key) is Role.REASON and isinstance(item, str)), None)
    for tier in (OVERALL, SCORE):
        named = [key for key, name in names.items() if name in tier and not isinstance(value[key], dict | list)]
        if tier is OVERALL and any(names[key] in _SUMS for key in named):
            named = _summed(value, names, named, scale)
        if tier is SCORE and len(named) > 1:
            named = [key for key in named if _number(value[key], scale) is not None] or named[:1]
        if named:
            return _read(value, named, path, scale, reason)
    numbers = [
        key
        for key, name in names.items()
        if name not in _NOT_A_SCORE
        and _NO_RATING.isdisjoint(_tokens(key))
        and _number(value[key], scale) is not None
        and not isinstance(value[key], str)
    ]
    if len(numbers) == 1 and not any(isinstance(item, dict | list) for item in value.values()):
        return _read(value, numbers, path, scale, reason)
    return None


_NO_RATING: Final = THINGS | frozenset(
    "count counts num number total error errors mistake mistakes penalty penalties deduction deductions deducted lost "
    "loss rank turn human expected reference gold target previous prior old original max min maximum minimum "
    "baseline average tokens claims facts sentences statements hallucinations words".split()
)
"""Words in the key of a number that is no rating, or somebody else's: "points_lost", "human_score"."""
_TOKEN: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def _tokens(key: str) -> set[str]:
    return {token.casefold() for token in _TOKEN.findall(key)}


_SUMS: Final = frozenset({"total", "gesamt", "总分", "總分", "총점"})
"""Names of a sum, and of the number that a score is out of."""


def _summed(value: dict[str, Any], names: dict[str, str], named: list[str], scale: Scale) -> list[str]:
    """The fields that count where one is called a total: beside a score, the top of the range is what it is out of."""
    beside = [key for key, name in names.items() if name in SCORE and _number(value[key], scale) is not None]
    if not beside:
        return named
    tops = [key for key in named if names[key] in _SUMS and _equal(_number(value[key], scale), scale.high)]
    kept = [key for key in named if key not in tops]
    return [*kept, *beside] if any(names[key] in _SUMS for key in kept) else kept


def _read(value: dict[str, Any], named: list[str], path: Path, scale: Scale, reason: str | None) -> Hit:
    twice = value.twice if isinstance(value, Obj) else {}
    numbers = [_number(item, scale) for key in named for item in twice.get(key, (value[key],))]
    first = numbers[0]
    doubtful = any(not _equal(number, first) for number in numbers)
    return first, (*path, named[0]), reason, doubtful


def _equal(left: float | None, right: float | None) -> bool:
    if left is None or right is None:
        return left is right
    return left == right or (math.isnan(left) and math.isnan(right))


def _number(item: Any, scale: Scale) -> float | None:
    """The number that a field holds; None where it holds none. A truth value is none."""
    if isinstance(item, bool | Gap) or item is None:
        return None
    if isinstance(item, int):
        return float(item) if abs(item) < 10**300 else math.inf
    if isinstance(item, float):
        return item
    if isinstance(item, str):
        numeral = read_numeral(item, scale) or _with_word(item, scale)
        return None if numeral is None else numeral.value
    return None


def _with_word(text: str, scale: Scale) -> Numeral | None:
    """A number and the word for it: "4 - good", "4 (good)", "Good (4)"."""
    match = _WORDED.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    if match is None or (match["word"] and _BOUND.search(match["word"])):
        return None
    return read_numeral(match["before"] or match["behind"], scale)


_WORDED: Final = re.compile(
    r"(?P<before>\d{1,4}(?:\.\d{1,3})?(?:\s?/\s?\d{1,4})?)\s?(?:[-\u2013\u2014:,]\s|\()(?=[^\W\d])[^\d()]{1,40}\)?"
    r"|(?P<word>[^\W\d][^\d()]{0,30})\s\((?P<behind>\d{1,4}(?:\.\d{1,3})?)\)"
)
_BOUND: Final = re.compile(
    r"\b(?:than|least|most|not|no|below|above|under|over|up to|between|about|out|max\w*|min\w*|would|could|if)\b",
    re.IGNORECASE,
)
"""Words before a number in brackets that make it none that is given."""
