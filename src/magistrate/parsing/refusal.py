"""Refusals: what the provider signals first, then what the judge says, and only where it answered nothing."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["refuses"]

LONGEST_REFUSAL: Final = 3_000
"""A refusal is short; a longer text that answers nothing is something else."""

_REFUSAL: Final = re.compile(
    r"\b(?:i(?:'m| am)? (?:really |very |so )?(?:sorry|afraid|unable)|i (?:can(?:'|no)?t|cannot|can not|won't|will "
    r"not|must decline|decline|refuse|am not able|'m not able|do not feel comfortable|don't feel comfortable|am not "
    r"comfortable|'m not comfortable)"
    r"|i'm (?:unable|not able)|i apologi[sz]e|(?:unable|not able|not allowed|not permitted) to (?:assist|help|comply"
    r"|provide|evaluate|assess|judge|rate|answer|continue|fulfil)|as an ai\b[^.\n]{0,60}\bi\b|against my (?:policy"
    r"|policies|guidelines"
    r"|programming)"
    r"|violates? (?:my|our|the|openai|anthropic|usage) (?:\w+ )?(?:polic|guideline)|refuse to (?:answer|assist|help"
    r"|judge)|cannot (?:assist|help|comply|fulfil|evaluate these|assess these)|can't (?:assist|help|comply|evaluate"
    r"|assess)"
    r"|(?:cannot|can't|could not|unable to) determine|not enough context|insufficient information to|no verdicts?"
    r"|es tut mir (?:sehr )?leid|tut mir leid|ich kann (?:das|dies|diese|dabei|ihnen|dir|hier)?\s*(?:\w+ "
    r"){0,3}(?:nicht|keine)|lo siento|no puedo|no me es posible|lamento|je suis désolée?|désolée?|je ne peux pas|je "
    r"ne suis pas en mesure|mi dispiace|non posso|non sono in grado|(?:sinto|desculpe|lamento)\b|não posso|nao posso"
    r"|извините|к сожалению|я не могу|не могу (?:помочь|оценить|выполнить))"
    r"|抱歉|对不起|對不起|无法协助|無法協助|我不能|我无法|我無法|申し訳|できません|お手伝いできません"
    r"|お答えできません|죄송|할 수 없습니다|도와드릴 수 없|없습니다|عذر|آسف|لا أستطيع|لا "
    r"يمكنني|क्षमा|माफ़|माफ|नहीं कर सकत",
    re.IGNORECASE,
)


def refuses(text: str) -> bool:
    """Whether a text that holds no answer is a refusal in so many words, in any of the languages known."""
    return len(text) <= LONGEST_REFUSAL and _REFUSAL.search(text) is not None
