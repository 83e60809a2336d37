"""What goes on after a word of the scale and says the opposite: "Yes, there is a contradiction".

A yes or no may answer the judge's own question and not the one it was asked, so that the two cancel each other. All of
these rules take a reading away. None of them makes one.
"""

from __future__ import annotations

import re
from typing import Final

from magistrate.parsing.languages import SENSES, Sense

__all__ = ["asked_against", "counted", "denies_itself", "is_plain", "turns"]

_LOOKED_AT: Final = 300
_BETWEEN: Final = " \t\r\n.,;:!*_`\"'-\u2013\u2014()。，、：！"
_IT: Final = (
    r"(?:it|this|that|which|they|the\s+(?:statement|claim|sentence|assertion|summary|answer|response))(?:'s|\s+(?:is|are|was|were"
    r"|seems\s+to\s+be|appears\s+to\s+be|has\s+been|can\s+be))\s+"
    r"(?:(?:clearly|directly|actually|indeed|fully|explicitly|therefore|thus|simply|in\s+fact|also|completely|factually"
    r"|considered|deemed|in)\s+){0,6}"
)
_NOT_SO: Final = (
    r"(?:un(?:supported|faithful|true|substantiated|verified|grounded|attributable|confirmed)|(?:not|never)\s+(?:\w+ly\s+)?(?:\w+\s+)?"
    r"(?:supported|true|correct|faithful|accurate|consistent|entailed|grounded|right|valid|confirmed|backed)"
    r"|contradict(?:ed|ing|ory)\b|refuted|disproved|disproven|false\b|incorrect\b|wrong\b|inaccurate\b|inconsistent\b|hallucinated|fabricated"
    r"|invalid\b|(?:an?\s+)?(?:contradiction|hallucination|fabrication)\b)"
)
_SO: Final = (
    r"(?:supported|true|correct|faithful|accurate|consistent|entailed|grounded|confirmed|factual|right|valid|verified"
    r"|backed|substantiated|attributable)\b(?!\s+(?:that|only|to|in\s+part|if|for|by\s+no|by\s+nothing))"
)
_SOURCE: Final = (
    r"(?:context|text|source|document|passage|article|evidence|notice|excerpt|page|line|sentence|table|reference)s?"
)
_OBJECT: Final = r"(?:it|this|that|(?:the|this)\s+(?:statement|claim|sentence|assertion|summary|answer|response))\b"
_WITH: Final = r"(?:by|in|with|per|according|from)\b"
_JOIN: Final = (
    r"(?:[,;:(]\s*|\b(?:but|although|though|while|whereas|and|yet|however|then)\s+)"
    r"(?:(?:it|this)\s+is\s+|is\s+|also\s+|then\s+){0,6}"
)
_AGAINST: Final = re.compile(
    r"\b(?:they|the\s+(?:two|answers|values|numbers|figures))\s+(?:differ|disagree|(?:do\s+not|don't)\s+(?:match|agree))\b"
    r"|"
    rf"\b{_IT}{_NOT_SO}"
    r"|\b(?:is|are|was|were|exists?|see|found|find|contains?|has|have|shows?|there's|be)\s+(?:(?:an?|some|the|one|two|clear|direct|obvious|minor"
    r"|major|factual|several|at\s+least|indeed|also|logical)\s+){0,6}(?:contradictions?|inconsistenc(?:y|ies)|mismatch(?:es)?|discrepanc(?:y|ies)|conflicts?"
    r"|hallucinations?)\b"
    rf"|\bcontradicts?\s+(?:{_OBJECT}|(?:the|what\s+the)\s+(?:\w+\s+)?{_SOURCE}\b|each\s+other)"
    rf"|\b(?:conflicts?|disagrees?)\s+with\s+(?:{_OBJECT}|(?:the|what)\b)"
    rf"|{_JOIN}(?:contradicted|refuted|disproved|unsupported|not\s+supported)\s+{_WITH}"
)
_FOR: Final = re.compile(
    r"\b(?:they|the\s+(?:two|answers|values|numbers|figures))\s+(?:are\s+(?:the\s+same|equal|identical)|match|agree)\b"
    r"|"
    rf"\b{_IT}{_SO}"
    r"|\b(?:it|this|that|which|the\s+(?:statement|claim|sentence|summary))\s+(?:(?:clearly|directly|fully|indeed)\s+){0,6}(?:matches|agrees\s+with|follows\s+from"
    r"|is\s+in\s+line\s+with|is\s+consistent\s+with)\b"
    rf"|\b{_SOURCE}\s+(?:(?:clearly|directly|fully|indeed|explicitly)\s+){{0,6}}(?:supports?|confirms?|entails?|backs?)\s+{_OBJECT}"
    rf"|{_JOIN}(?:(?:clearly|directly|fully)\s+)?(?:supported|confirmed|entailed|backed|verified)\s+{_WITH}"
)
_DENIED: Final = re.compile(
    r"\b(?:no|not|nothing|none|never|nor|neither|without|hardly|cannot|if|whether|unless|would|could|should|doubt\w*|nobody|only"
    r"|claims?|says?|asserts?|suggests?)\b|n't\b"
)
"""What makes of a clause something else than a plain finding."""
_STOP: Final = re.compile(r"[.!?](?=\s|$)|[\n。！？؟।]")
_CLAUSE: Final = re.compile(r"[.;!?\n,:](?=\s|$)")


def turns(head: str, rest: str, *, yes: bool) -> bool:
    """Whether what follows a word says the opposite of it.

    Args:
        head: The word, as `fold` gives it.
        rest: What follows it.
        yes: Whether the word is a yes.
    """
    follow = _STOP.split(rest[:_LOOKED_AT].lstrip(_BETWEEN), maxsplit=1)[0]
    if not follow:
        return False
    follow = ", " + follow
    for match in (_AGAINST if yes else _FOR).finditer(follow):
        clause = _CLAUSE.split(follow[: match.start()])[-1]
        if not _DENIED.search(clause):
            return True
    return _turns_elsewhere(head, rest[:_LOOKED_AT], yes=yes)


_PLAIN: Final = {
    word: language
    for language, words in {
        "en": "yes no yep nope yeah",
        "de": "ja nein",
        "es it pt": "no",
        "es it": "sí si sì",
        "fr": "oui non",
        "pt es": "sim não nao",
        "ru": "да нет",
        "zh": "是 是的 对 否 不 不是",
        "ja": "はい いいえ",
        "ko": "예 네 아니요 아니오 아뇨",
        "ar": "نعم لا كلا أجل",
        "hi": "हाँ हां नहीं",
    }.items()
    for word in words.split()
}
"""The plain yes and no of each language."""
_DENIALS: Final = re.compile(
    r"\b(?:nicht|kein\w*|nichts|no|not|ning[uú]n\w*|nada|sin|ne|pas|aucun\w*|rien|sans|non|nessun\w*|niente|senza|não|nao"
    r"|nenhum\w*|sem|не|нет|ни|без)\b|\bn'|[不没沒无無未非]|ない|なし|ません|ず\b|않|없|아닌|아니|못|\b(?:لا|ليس\w*|غير|لم|لن|دون|بدون)\b|नहीं|बिना"
)
_STEMS: Final = (
    "widerspr contradic contradiz contraddi противореч 矛盾 모순 تناقض متناقض विरोधाभास halluzin alucina halluci "
    "allucina галлюцин"
).split()
"""What a contradiction, or what was made up, is called."""
_SHORTEST: Final = 2


def _words_of(senses: set[Sense]) -> dict[str, tuple[str, ...]]:
    return {
        language: tuple(
            word for sense in senses for word in words.get(sense, ()) if len(word) >= _SHORTEST and word not in _PLAIN
        )
        for language, words in SENSES.items()
    }


_YES_WORDS: Final = _words_of({Sense.YES})
_NO_WORDS: Final = _words_of({Sense.NO, Sense.LACK, Sense.CONTRA})
_END: Final = re.compile(r"[.!?](?=\s|$)|[;\n。！？؟।]")
_BREAK: Final = re.compile(r"\s*[.,，、。،:：\u2013\u2014-]")
_DENSE: Final = frozenset({"zh", "ja", "ko"})


def _turns_elsewhere(head: str, follow: str, *, yes: bool) -> bool:
    """The same in other languages: a plain yes or no, and in its sentence a word of the other side, not denied."""
    languages = _PLAIN.get(head)
    if languages in {None, "en"} or not _BREAK.match(follow):
        return False
    sentence = _END.split(follow.lstrip(_BETWEEN), maxsplit=1)[0]
    denied = _DENIALS.search(sentence) is not None
    if yes and not denied and any(stem in sentence for stem in _STEMS):
        return True
    if denied and not yes:
        return False
    for language in (languages or "").split():
        for word in (_NO_WORDS if yes else _YES_WORDS)[language]:
            if word in sentence and (language in _DENSE or re.search(rf"(?<!\w){re.escape(word)}(?!\w)", sentence)):
                own = _DENIALS.search(word) is not None  # "nicht belegt" is denied in itself
                if own or not denied:
                    return True
    return False


_NAMED: Final = re.compile(
    r"[\s*_`\"']*(?:[=:：]|[-\u2013\u2014](?=\s))[\s*_`\"']*(?:no|false|nein|non|não|нет|否|いいえ|아니[요오]|لا|नहीं)(?=\W*$|[.,;]\s)"
)
_CONTRARY: Final = re.compile(
    r"(?:hallucinat|contradict|fabricat|unsupported|unfaithful|refuted|not supported|wrong|incorrect|inaccurate|untrue)"
)


def denies_itself(head: str, rest: str) -> bool:
    """Whether a word of denial is the name of what is denied: "hallucination - no"."""
    return _CONTRARY.match(head) is not None and _NAMED.match(rest) is not None


def is_plain(word: str) -> bool:
    """Whether a folded word is the plain yes or no of a language, which names nothing."""
    return word in _PLAIN


_COUNTED: Final = re.compile(
    r"[\s*_`\"']*[:：=][\s*_`\"']*(?:(?:none|nothing|nil|zero|nichts|keine?r?|ninguno|ninguna|nada|aucune?|rien|nessun[oa]?|niente"
    r"|nenhum|nenhuma)\b(?=[\s*_`\"']*(?:[.,;)\n]|$))|\d{1,4}\s*(?:of|out\s+of|von|de|sur|su|/)\s*\d)"
)


def counted(rest: str) -> bool:
    """Whether a word is the name of what is counted behind it: "unsupported: none", "supported: 0 of 1"."""
    return _COUNTED.match(rest) is not None


_AGAINST_IT: Final = re.compile(
    r"\b(?:contradict\w*|refute[sd]?|hallucinat\w+|un(?:supported|faithful|true|grounded|verified|substantiated)|inconsisten\w+|incorrect"
    r"|false|wrong|inaccurate|fabricated|(?:not|n['’]t)\s+(?:(?:be|\w+ly|the\s+\w+|it|this)\s+){0,2}(?:supported|true|correct|faithful|accurate"
    r"|consistent|entailed|grounded))\b[^.!?\n]{0,120}[?？]\W{0,12}(?:answer\s*:\W*)?(?:yes|no|y|n|true|false|nope|yep|correct|right)\b(?!\s+\w)",
    re.IGNORECASE,
)


def asked_against(text: str) -> bool:
    """Whether a plain yes or no answers a question that asks for the contrary: "Is it unsupported? No."."""
    return ("?" in text or "？" in text) and _AGAINST_IT.search(text) is not None
