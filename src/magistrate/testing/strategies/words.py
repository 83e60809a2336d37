"""Words that judges use for verdicts, in twelve languages: a few of many, each one plain in its meaning.

The list is this kit's own. It is not taken from the tables of the parser, so that it can find what those lack.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from magistrate.verdict import Verdict

__all__ = ["WORDS"]

_YES, _PARTLY = Verdict.SUPPORTED, Verdict.PARTIALLY_SUPPORTED
_CONTRA, _UNKNOWN, _NO = Verdict.CONTRADICTED, Verdict.NOT_ENOUGH_INFO, Verdict.UNSUPPORTED

_LISTS: Final[Mapping[str, Mapping[Verdict, str]]] = {
    "en": {
        _YES: "yes, supported, true, faithful, entailment, SUPPORTED, Yes, Fully supported",
        _PARTLY: "partially supported, PARTIALLY_SUPPORTED, partly supported",
        _CONTRA: "contradicted, contradiction, refuted, CONTRADICTED",
        _UNKNOWN: "not enough info, neutral, unknown, idk, NOT_ENOUGH_INFO, cannot be determined, Not mentioned",
        _NO: "no, unsupported, not supported, false, unfaithful, UNSUPPORTED, No",
    },
    "zh": {
        _YES: "是, 支持, 得到支持, 正确",
        _PARTLY: "部分支持",
        _CONTRA: "矛盾, 相矛盾",
        _UNKNOWN: "信息不足, 无法判断, 未知, 未提及",
        _NO: "否, 不支持, 未得到支持",
    },
    "ja": {
        _YES: "はい, 支持されている, 正しい, 支持されています",
        _PARTLY: "部分的に支持",
        _CONTRA: "矛盾, 矛盾している",
        _UNKNOWN: "情報不足, 不明, 判断できない",
        _NO: "いいえ, 支持されない, 支持されていない",
    },
    "ko": {
        _YES: "예, 지지됨, 사실, 네",
        _PARTLY: "부분적으로 지지됨",
        _CONTRA: "모순, 반박됨",
        _UNKNOWN: "정보 부족, 알 수 없음, 판단 불가",
        _NO: "아니요, 지지되지 않음, 근거 없음",
    },
    "es": {
        _YES: "sí, respaldado, verdadero, Sí",
        _PARTLY: "parcialmente respaldado",
        _CONTRA: "contradicho, refutado",
        _UNKNOWN: "información insuficiente, desconocido",
        _NO: "no respaldado, no, falso",
    },
    "de": {
        _YES: "ja, belegt, gestützt, Ja",
        _PARTLY: "teilweise belegt",
        _CONTRA: "widerlegt, widersprochen",
        _UNKNOWN: "unklar, nicht genug Informationen",
        _NO: "nein, nicht belegt, nicht gestützt, Nein",
    },
    "fr": {
        _YES: "oui, étayé, vrai, Oui",
        _PARTLY: "partiellement étayé",
        _CONTRA: "contredit, réfuté",
        _UNKNOWN: "informations insuffisantes, inconnu",
        _NO: "non, non étayé, faux",
    },
    "it": {
        _YES: "sì, supportato, vero, confermato",
        _PARTLY: "parzialmente supportato",
        _CONTRA: "contraddetto, smentito",
        _UNKNOWN: "informazioni insufficienti, sconosciuto",
        _NO: "non supportato, falso, no",
    },
    "pt": {
        _YES: "sim, suportado, verdadeiro, correto",
        _PARTLY: "parcialmente suportado",
        _CONTRA: "contradito, desmentido",
        _UNKNOWN: "informação insuficiente, desconhecido",
        _NO: "não, não suportado, falso",
    },
    "ru": {
        _YES: "да, подтверждено, верно, Да",
        _PARTLY: "частично подтверждено",
        _CONTRA: "противоречит, опровергнуто",
        _UNKNOWN: "недостаточно информации, неизвестно",
        _NO: "нет, не подтверждено, неверно",
    },
    "ar": {
        _YES: "نعم, مدعوم, صحيح",
        _PARTLY: "مدعوم جزئيًا",
        _CONTRA: "متناقض, مدحوض",
        _UNKNOWN: "معلومات غير كافية, غير معروف",
        _NO: "لا, غير مدعوم, خطأ",
    },
    "hi": {
        _YES: "हाँ, समर्थित, सही",
        _PARTLY: "आंशिक रूप से समर्थित",
        _CONTRA: "खंडित, विरोधाभास",
        _UNKNOWN: "अपर्याप्त जानकारी, अज्ञात",
        _NO: "नहीं, असमर्थित, गलत",
    },
}

WORDS: Final[Mapping[str, Mapping[Verdict, tuple[str, ...]]]] = {
    language: {verdict: tuple(words.split(", ")) for verdict, words in lists.items()}
    for language, lists in _LISTS.items()
}
"""By language (ISO 639-1) and verdict the words a judge may write for it; a plain "no" belongs to the binary scale."""
