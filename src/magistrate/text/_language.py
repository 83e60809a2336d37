"""Which script, language and variant a text is written in: enough to tell that two cannot be compared by words."""

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Final

from magistrate.text._fold import TABLES, entry, languages, words

_TABLE: Final = TABLES["languages"]
_ONE_LANGUAGE: Final[dict[str | None, str]] = _TABLE["alone"]
_SCRIPTS: Final = {script: re.compile(f"[{letters}]") for script, letters in TABLES["letters"].items()}
_NOT_ASCII: Final = re.compile("[^\x00-\x7f]")
# Quote marks, dashes and accents make up less than this share of a text in Latin letters; another script makes up more.
_FEW: Final = 0.08
# Characters that a long text's script is told by: half from its start, half from its middle.
_SAMPLE: Final = 800
# A text of Han characters with this share of kana is Japanese. Chinese texts quote some kana; Japanese prose is half
# kana.
_KANA_SHARE: Final = 0.1
_LOOKALIKES: Final = frozenset(_TABLE["lookalikes"].split())
_LOOKALIKE_COUNTS: Final = 0.4


_COUNTS: Final = {"words": 1.0, "letters": 0.8, "endings": 0.4}
_SIZES: Final = range(2, 7)  # of endings


@cache
def _signs(kind: str) -> dict[str, tuple[tuple[str, float], ...]]:
    """The languages that a function word, a letter or an ending tells, and what it counts: less where it tells many."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for code in languages():
        function_words = (words(code, "stop_words") or words(code, "hints")) | words(code, "negations")
        # Single letters are initials and numbering in a Latin text ("m.", "d)"), but words in a Russian one ("и").
        own = [word for word in function_words if len(word) > 1 or not word.isascii()]
        if kind != "words":
            own = [*entry(code, kind)] if kind == "letters" else entry(code, kind).split()
        for sign in own:
            found[sign].append(code)
    return {
        sign: tuple(
            (code, (_LOOKALIKE_COUNTS if sign in _LOOKALIKES else _COUNTS[kind]) * len(codes) ** -0.5) for code in codes
        )
        for sign, codes in found.items()
    }


_ARTICLE: Final = "ال"
_ARTICLE_COUNTS: Final = 1.0
_ENOUGH: Final = 1.1
"""Evidence a language needs to be named; a function word that no other language has counts 1."""
_AHEAD: Final = 0.6
"""How far the best language has to be ahead of the next."""


def main_script(text: str) -> str | None:
    """The script that most of a text is in ("kana" for all Japanese); None where it has no letters known here."""
    if text.isascii():
        return "latin" if _SCRIPTS["latin"].search(text) else None
    if len(text) > _SAMPLE:
        middle = len(text) // 2
        text = f"{text[: _SAMPLE // 2]} {text[middle : middle + _SAMPLE // 2]}"
    if len(_NOT_ASCII.findall(text)) < _FEW * len(text) and _SCRIPTS["latin"].search(text):
        return "latin"
    counts: dict[str, float] = {}
    for script, letters in _SCRIPTS.items():
        found = len(letters.findall(text))
        if found:
            counts[script] = found * TABLES["weight"].get(script, 1.0)
    if not counts:
        return None
    if "kana" in counts and counts["kana"] >= _KANA_SHARE * counts.get("han", 0.0):
        counts["kana"] += counts.pop("han", 0.0)
    return max(counts, key=lambda script: counts[script])


def detect_language(script: str | None, tokens: Iterable[str]) -> str | None:
    """The ISO 639-1 code of the language that script, function words, letters and endings clearly show; else None."""
    if script in _ONE_LANGUAGE:
        return _ONE_LANGUAGE[script]
    score = _evidence(script, frozenset(tokens))
    ranked = sorted(((found, code) for code, found in score.items()), reverse=True)[:2]
    if not ranked or ranked[0][0] < _ENOUGH:
        return None
    return ranked[0][1] if len(ranked) == 1 or round(ranked[0][0] - ranked[1][0], 9) >= _AHEAD else None


def may_be(language: str, script: str | None, tokens: Iterable[str]) -> bool:
    """Whether a text could be in a language: it shows no other one, of whatever name, that much more clearly."""
    if script in _ONE_LANGUAGE:
        return _ONE_LANGUAGE[script] == language
    score = _evidence(script, frozenset(tokens))
    best = max(score.values(), default=0.0)
    return best < _ENOUGH or round(best - score.get(language, 0.0), 9) < _AHEAD


@lru_cache(maxsize=16)
def _evidence(script: str | None, unique: frozenset[str]) -> dict[str, float]:
    """What speaks for each language of a script in the words of a text, each once.

    A name that happens to be a word of a language ("War and Peace", in German) may come again and again.
    """
    if script not in _TABLE["of_script"]:
        return {}
    score = defaultdict(float, _TABLE["usual"].get(script, {}))
    text = " ".join(unique)
    shown = {"words": unique, "letters": frozenset(() if text.isascii() else text)}
    if script == "latin":
        shown["endings"] = frozenset(word[-size:] for size in _SIZES for word in unique if len(word) > size)
    for kind, signs in shown.items():
        known = _signs(kind)
        for sign in signs & known.keys():
            for code, weight in known[sign]:
                score[code] += weight
    if script == "arabic" and f" {_ARTICLE}" in f" {text}":
        score["ar"] += _ARTICLE_COUNTS
    of_script = _TABLE["of_script"][script].split()
    # Rounded, since sums of the same in another order differ in their last digits.
    return {code: round(found, 9) for code, found in score.items() if code in of_script}


_AMBIGUOUS: Final = {"后", "云", "范", "制", "准", "复"}
"""Simplified forms of one character that are traditional characters of their own."""


@cache
def _variants() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Expressions that find traditional, and simplified characters."""
    pairs = entry("zh", "variant_pairs").split()
    traditional, simplified = {pair[0] for pair in pairs}, {pair[1] for pair in pairs} - _AMBIGUOUS
    return re.compile(f"[{''.join(sorted(traditional))}]"), re.compile(f"[{''.join(sorted(simplified))}]")


_VARIANT_ENOUGH: Final = 2
_VARIANT_AHEAD: Final = 3


def chinese_variant(text: str) -> str | None:
    """Whether the characters of a Chinese text are "hant" or "hans"; None where it shows neither clearly."""
    traditional, simplified = (len(pattern.findall(text)) for pattern in _variants())
    if max(traditional, simplified) < _VARIANT_ENOUGH:
        return None
    if traditional >= _VARIANT_AHEAD * simplified:
        return "hant"
    return "hans" if simplified >= _VARIANT_AHEAD * traditional else None
