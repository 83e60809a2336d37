"""A yes or no that answers a request and not the statement, or that is less than a yes: "Yes, I can help with that!".

All of these rules take a reading away. None of them makes one.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["conditional", "hedged", "obliges", "retorts"]

_AFTER: Final = r"[\s,.;:!，。、！：\u2013\u2014-]*+"
_OBLIGES: Final = re.compile(
    rf"{_AFTER}(?:i(?:'d|'ll| will| would|'m| am| can| could)?\s+(?:(?:gladly|certainly|also"
    r"|be)\s+){0,6}(?:help|assist|do\s+(?:that|this|it|so)|evaluate\s+(?:it|them"
    r"|that|this|these|the|your)|judge\s+(?:it|them|that|this|these|the|your)|assess\s+(?:it|them|these"
    r"|the|your)|happy|glad|understand|understood|ready)\b"
    r"|i\s+(?:can't|cannot|can\s+not|won't|will\s+not|am\s+unable\s+to|am\s+not\s+able\s+to|am\s+sorry"
    r"|apologi[sz]e|refuse|do\s+not\s+(?:want|wish))\b"
    r"(?!\s+(?:find|see|confirm|verify|support|locate|identify|say|conclude|agree|determine|infer))"
    r"|i'm\s+(?:sorry|unable|afraid|not\s+able)\b|understood\b|of\s+course\b(?!\s+(?:it|the|this|not))"
    r"|sure\b|no\s+problem\b|please\b|thank|let\s+me\b"
    r"|here\s+(?:is|are|'s)\s+(?:my|the|your)\s+(?:\w+\s+)?(?:json|verdicts?|answers?|evaluations?"
    r"|assessments?|results?|list|output|judge?ments?)\b[^.\n]{0,60}:"
    r"|(?:sehr\s+)?gern\w*|natürlich\b|selbstverständlich|ich\s+(?:kann|verstehe|habe\s+verstanden|werde"
    r"|möchte|helfe)\b|das\s+(?:kann|mache|werde)\s+ich\b|hier\s+(?:sind|ist)\s+(?:mein|das|die)"
    r"|je\s+(?:peux|ne\s+peux|vais|comprends|suis)\b|bien\s+sûr|d'accord|voici\b|volontiers"
    r"|(?:no\s+)?(?:puedo|entiendo|comprendo|lo\s+siento)\b|claro\b|por\s+supuesto|aquí\s+(?:está|tiene|van)"
    r"|(?:non\s+)?(?:posso|capisco)\b|certo\b|certamente|ecco\b|mi\s+dispiace|(?:não\s+)?(?:posso|consigo"
    r"|entendo|entendi)\b|aqui\s+(?:está|estão)|desculpe"
    r"|я\s+(?:поня|не\s+могу|могу|буду|готов)|конечно\b|понял|вот\b|извините"
    r"|我(?:明白|可以|能|会|不能|无法|理解|知道|来|很|这就)|当然|好的|没问题|抱歉|承知|わかりました|分かりました|了解|もちろん|評価できません|申し訳"
    r"|(?:お手伝い|判断|評価)(?:します|いたします|できます)|알겠|도와|물론|죄송|평가할\s*수\s*없|이해했|يمكنني|بالطبع|فهمت|لا\s+(?:أستطيع"
    r"|يمكنني)|سأ|آسف|मैं\s|ज़रूर|जरूर|समझ\s+गया|क्षमा)"
)
_MAYBE: Final = re.compile(
    r"[\s,(\u2013\u2014-]*(?:maybe|probably|perhaps|possibly|presumably|if|unless|assuming"
    r"|provided\s+that|supposing|i\s+(?:guess|suppose)|vielleicht|wahrscheinlich"
    r"|falls|wenn|peut-être|peut être|probablement|si|quizás?|tal\s+vez|probablemente|forse|probabilmente"
    r"|se|talvez|provavelmente|возможно|наверное|если"
    r"|也许|可能|大概|如果|たぶん|おそらく|もし|아마|만약)(?=$|[\s.,;!)。，、])"
)
_RETORT: Final = re.compile(
    r"[\s,.;:!\u2013\u2014-]*(?:but\s+)?(?:it|this|that|they)\s+(?:is|was|does|did|has|can|are"
    r"|do)(?P<not>\s+not|n't)?[\s.!]*$"
)


_CONDITION: Final = re.compile(
    r"[\s,(\u2013\u2014-]*(?:but\s+)?(?:only\s+)?(?:(?:if|unless|assuming|provided\s+that|supposing)\b"
    r"|(?:says|said|claims|argues|(?:according|at\s+least\s+according)\s+to|in\s+the\s+(?:view|opinion)\s+of)\s+(?:the\s+)?"
    r"(?:candidate|author|answer|response|user|student|assistant|model|writer|reviewer|critic)s?\b)"
)


def conditional(rest: str) -> bool:
    """Whether a word counts on a condition, or is another's: "supported, if noon is 12", "supported, says he"."""
    return _CONDITION.match(rest) is not None


def obliges(rest: str) -> bool:
    """Whether what follows a plain yes or no shows that it answers a request: "Yes, I understand."."""
    return _OBLIGES.match(rest) is not None


_ASKED: Final = re.compile(r"[\s,(\u2013\u2014-]*+[^.!?;:\n]{0,40}[?？][\s)*_`]*(?:\n|$)")
"""A line that ends as a question: "Yes, I think?"."""


def hedged(rest: str) -> bool:
    """Whether what follows a plain yes makes it less than one: "Yes, maybe.", "Yes, I think?"."""
    return _MAYBE.match(rest) is not None or _ASKED.match(rest) is not None


def retorts(rest: str, *, yes: bool) -> bool:
    """Whether a plain yes or no is followed by the contrary in its shortest form: "Yes, it does not."."""
    match = _RETORT.match(rest)
    return match is not None and yes is bool(match["not"])
