"""What a plain yes or no answers, where that is not whether the statement is supported.

"Issue found: no", a list headed "Unsupported?", "(0 = supported, 1 = not supported)", "Is the pump electric? Yes.". All
of these rules take a reading away. None of them makes one.
"""

from __future__ import annotations

import re
from typing import Any, Final

from magistrate.parsing.item_wording import VERDICT_NAMES, Names
from magistrate.parsing.keys import POLARITY, compact, role_of
from magistrate.parsing.languages import SENSES, Sense

__all__ = [
    "asks_otherwise",
    "asks_the_contrary",
    "heads_the_contrary",
    "is_bare_answer",
    "names_a_place",
    "other_question",
    "turns_the_scale",
]

_BARE: Final = re.compile(
    r"[\W_]*+(?:yes|no|y|n|true|false|yep|nope|[01](?![\w.,]\w)|ja|nein|sí|si|sì|oui|non|sim|não|да|нет|是|否|はい|いいえ|예|네|아니[요오]"
    r"|نعم|لا|हाँ|हां|नहीं)(?![^\W_])",
    re.IGNORECASE,
)


def is_bare_answer(value: Any) -> bool:
    """Whether a verdict is a plain yes or no, a truth value, a figure or a mark: alone it says nothing."""
    if not isinstance(value, str):
        return isinstance(value, bool | int)
    short = value[:_SHORT]
    return _BARE.match(short) is not None or (short.strip() != "" and not any(map(str.isalnum, short)))


_SHORT: Final = 40
_OTHERWISE: Final = re.compile(
    r"(?<![^\W_])(?:risks?|risky|issues?|problems?|problematic|errors?|mistakes?|flaws?|concerns?|needs?|requires?|missing|omitted"
    r"|confident|certain|checked|reviewed|evaluated|examined|verifiable|checkable|testable|opinion|subjective|ambiguous"
    r"|vague|harmful|toxic|biased|unsafe|duplicate|redundant|unclear|disputed|controversial|flags?|flagged|outdated|extrinsic"
    r"|hallucinat\w+|contradict\w*|fabricat\w+|invented|made\s+up|wrong|deviat\w+|differs?|differences?|conflicts?|mismatch\w*"
    r"|inconsisten\w+|discrepanc\w+|absent|lacks?|new\s+information|against|counter|fake|lies?|rumou?rs?|misleading|exaggerat\w+|speculat\w+|hedged|debunked|disproved|not\s+(?:found|in|present|covered|given|stated|mentioned))(?![^\W_])",
    re.IGNORECASE,
)
_WORDS_OF_A_NAME: Final = 4


def asks_otherwise(name: str) -> bool:
    """Whether the name before a plain yes or no asks something else than support: "Issue found", "Needs correction".

    A longer one is a statement or its topic, whatever words it has.
    """
    parts = _PARTS.sub(" ", name[:_LONGEST]).split()
    words = " ".join(parts)
    return 0 < len(parts) <= _WORDS_OF_A_NAME and (
        _OTHERWISE.search(words) is not None or (len(words) <= _SHORT and _ELSEWHERE.search(words) is not None)
    )


_KNOWN: Final = Names(
    f"{VERDICT_NAMES}, final, so, therefore, thus, hence, overall, summary, conclude, output, response, reply, check, "
    "i, we, my, think, score, value, outcome, prediction, class, category, choice, statement, claim, sentence, fact, "
    "item, question, round, step, confidence, evidence, binary, true, yes, quote, match, reason, reasoning, case, "
    "explanation, analysis, rationale, justification, factuality, faithfulness, groundedness, accuracy, entailment, "
    "validity, veracity, point, list, criterion, assertion, proposition, opinion, finding"
)
"""Words of a name that leave it the one of the verdict."""
_SHORT_ID: Final = re.compile(r"[scq]\d{1,4}", re.IGNORECASE)
_NAME: Final = re.compile(r"(?:^|[.!?;,\n])[^\w\n]*(?P<name>[^\W\d_][^.!?;,:：=\n]{0,50})[:：=][ \t*_`\"'(\[]{0,6}$")


def other_name(before: str, statement: str) -> bool:
    """Whether a plain answer about one statement stands behind a name that has nothing to do with it: "Country: NO".

    Args:
        before: What stands before the answer.
        statement: The statement asked about.
    """
    match = _NAME.search(before[-_SHORT * 2 :])
    name = match["name"].strip(" *_`\"'") if match else ""
    if _SHORT_ID.fullmatch(name):
        return False
    if not name.isascii() or not 0 < len(name.split()) <= _WORDS_OF_A_NAME:
        return False
    if _KNOWN.within(name.replace("_", " ")) or _ASKS.search(name.replace("_", " ")) or role_of(name, near=False):
        return False
    known = {word[:_STEM] for word in _words(statement.casefold())}
    return not any(word[:_STEM] in known for word in _words(name.casefold()) if word not in _EMPTY)


def names_a_place(before: str, word: str) -> bool:
    """Whether two capitals in brackets are the code of the place that stands before them: "Norway (NO)"."""
    match = _PROPER.search(before) if len(word) == _CODE and word.isupper() else None
    return match is not None and not _KNOWN.within(match["name"]) and not _ASKS.search(match["name"])


_CODE: Final = 2
_PROPER: Final = re.compile(r"(?<![\w.])(?P<name>[A-Z][\w'-]{1,30})[*_]{0,2}[ \t]{0,2}\Z")


_PARTS: Final = re.compile(r"[_\W]+|(?<=[a-z])(?=[A-Z])")


def asks_the_contrary(key: str) -> bool:
    """Whether the key of a list asks for something else than support: {"hallucinated": [false, true]}."""
    return compact(key[:_LONGEST]) in POLARITY or asks_otherwise(key)


_NEGATIVE: Final = (
    r"(?:unsupported|hallucinat\w+|contradict\w*|fabricat\w+|incorrect|inaccura\w+|false|wrong|untrue|refuted|unfaithful|ungrounded"
    r"|unverified|errors?|mistakes?|issues?|problems?|missing)"
)
_POSITIVE: Final = r"(?:supported|faithful|grounded|entailed|correct|accurate|true|consistent|factual|attributable)"
_NOT: Final = re.compile(rf"\b(?:not|isn['’]t|aren['’]t)\s+(?:\w+ly\s+)?{_POSITIVE}\b", re.IGNORECASE)
_AGAINST: Final = re.compile(rf"\b{_NEGATIVE}\b", re.IGNORECASE)
_FOR: Final = re.compile(rf"\b(?:{_POSITIVE}|supports?|support|entails?|confirms?)\b", re.IGNORECASE)
_HEADING: Final = 200
_ELSEWHERE: Final = re.compile(
    r"widerspr|fehler|halluzin|erfunden|contradic|contredi|contradiz|contraddi|alucina|allucina|halluci|inventad|inventé|inventato|errores|erreurs?\b"
    r"|errori?\b|erros?\b|противореч|галлюцин|ошиб|выдум|矛盾|幻觉|幻覺|错误|錯誤|编造|誤り|間違|ハルシネ|捏造|모순|환각|오류|날조|تناقض|متناقض|هلوسة"
    r"|خطأ|أخطاء|विरोधाभास|मतिभ्रम|त्रुटि|गलती",
    re.IGNORECASE,
)
"""A contradiction, an error, what was made up, in other languages."""
_FENCE: Final = re.compile(r"`{3}\w{0,12}\s*\Z")
_HEADS: Final = re.compile(r"[?:？：][\s*_`)\]]*$")


def heads_the_contrary(before: str) -> bool:
    """Whether the last line before a list of plain answers asks for the contrary: "Hallucinated (yes/no):"."""
    line = _FENCE.sub("", before[-_HEADING:]).rstrip(" \t\r\n*_`#-([{\"'").rpartition("\n")[2]
    if _HEADS.search(line) is None:
        return False
    line = _NOT.sub("unsupported", line[line.rfind(". ") + 1 :])
    if _ELSEWHERE.search(line):
        return True
    return _AGAINST.search(line) is not None and _FOR.search(line) is None


_LEGEND_SIGNS: Final = ("=", "means", "stands", "indicates", "marks", "denotes")
_EQUALS: Final = (
    r"[\"'”]?\s?(?:=|means|stands\s+for|indicates|marks|denotes)\s?[\"'“]?(?:that\s+)?(?:(?:it|the\s+\w+)\s+is\s+)?"
)
_TURNED: Final = re.compile(
    rf"(?<![\w.])0{_EQUALS}{_POSITIVE}[^\w\n]{{1,6}}(?:(?:and|while|or)\s+)?[\"'“]?1{_EQUALS}(?:not\s+\w+|{_NEGATIVE})\b"
    rf"|(?<![\w.])1{_EQUALS}(?:not\s+\w+|{_NEGATIVE})[^\w\n]{{1,6}}(?:(?:and|while|or)\s+)?[\"'“]?0{_EQUALS}{_POSITIVE}\b"
    rf"|(?<!\w)(?:yes|true){_EQUALS}(?:not\s+(?:\w+ly\s+)?{_POSITIVE}|(?!false){_NEGATIVE})\b"
    rf"|(?<!\w)(?:no|false){_EQUALS}(?:(?!true){_POSITIVE}|no\s+{_NEGATIVE})\b",
    re.IGNORECASE,
)


_TURNED_MARKS: Final = re.compile(
    rf"[✅✔✓☑👍]\ufe0f?{_EQUALS}(?:(?!no\b|not\b|without\b|free\b)\w+\s+){{0,3}}?(?:not\s+(?:\w+ly\s+)?{_POSITIVE}|{_NEGATIVE})\b"
    rf"|[❌✘✗❎👎]\ufe0f?{_EQUALS}(?:(?!no\b|not\b|without\b|free\b)\w+\s+){{0,3}}?"
    rf"(?:{_POSITIVE}|(?:no|without|free\s+of)\s+(?:any\s+)?{_NEGATIVE})\b",
    re.IGNORECASE,
)


def turns_the_scale(text: str) -> bool:
    """Whether a legend gives plain answers or marks the contrary sense: "0 = supported, 1 = unsupported"."""
    if not any(sign in text for sign in _LEGEND_SIGNS):
        return False
    return _TURNED.search(text) is not None or (not text.isascii() and _TURNED_MARKS.search(text) is not None)


_OTHER_ORDER: Final = re.compile(
    r"\b(?:reversed?|inverse|opposite|descending|backwards?)\s+order\b|\blast\s+(?:one\s+|statement\s+)?first\b|\bfrom\s+(?:the\s+)?last\s+to\b",
    re.IGNORECASE,
)
_ORDER: Final = re.compile(
    r"\border\b[^.:\n]{0,20}[:=]\s*(?P<list>\d{1,4}(?:\s{0,4}[,>]\s{0,4}\d{1,4})+)"
    r"|\b(?:verdicts?|order|answers?|results?)\b[^:\d\n]{0,40}"
    r"(?P<before>\d{1,4}(?:\s{0,4}(?:[,>&]|and)\s{0,4}\d{1,4})+)\)?\s?[:=]",
    re.IGNORECASE,
)
_DIGITS: Final = re.compile(r"\d{1,4}")
_RENUMBERED: Final = re.compile(r"\b(?:number(?:ed|s|ing)|ids?|labell?ed|counted)\b", re.IGNORECASE)


def tells_another_order(text: str) -> str | None:
    """Whether a text says that its verdicts stand in another order than the statements.

    Returns:
        "places" where only what stands by its place is concerned, "numbers" where the numbers are too, else None.
    """
    match = _OTHER_ORDER.search(text)
    if match is not None:
        return (
            "numbers" if _RENUMBERED.search(text[max(0, match.start() - _SHORT) : match.end() + _SHORT]) else "places"
        )
    order = _ORDER.search(text)
    listed = [int(number) for number in _DIGITS.findall(order["list"] or order["before"])] if order else []
    return "places" if listed != sorted(listed) else None


_QUESTION: Final = re.compile(
    r"(?:^|[.!?:\n。！？：])\s*(?P<asked>[^.!?:\n。！？：]{4,240})[?？؟][\s*_`\"')]{0,6}(?:(?:answer|a)\s?:)?[\s*_`\"'(]{0,6}$",
    re.IGNORECASE,
)
_ASKS: Final = re.compile(
    r"\b(?:un)?(?:support(?:s|ed|ing)?|true|correct|accurate|faithful\w*|grounded|entail(?:s|ed)?|consistent|confirm(?:s|ed)?|verif(?:y|ies|ied)"
    r"|attribut\w+|backed|back\s+up|holds?|follows?\s+from|infer(?:red)?|deduc\w+|stated?|states|mention(?:s|ed)?|evidence|factual|right"
    r"|agrees?\s+with|contradict\w*|false|wrong)\b",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[^\W_]+")
_EMPTY: Final = frozenset(
    "is are was were do does did has have had can could the a an of in on at to by for from with and or it its this "
    "that there any be been as so then really indeed actually context source text passage document page article log "
    "answer statement claim say says give gives name names tell tells show shows contain contains give given".split()
)
_STEM: Final = 4
_LONG: Final = 5
_SIGNS: Final = 2


def other_question(before: str, statement: str) -> bool:
    """Whether a plain answer follows a question about something else than the statement: "Is the pump electric? Yes.".

    Args:
        before: What stands before the answer.
        statement: The statement asked about.

    Returns:
        True where the question neither asks for support nor has most of its words from the statement.
    """
    match = _QUESTION.search(before[-_LONGEST:])
    if match is None or _ASKS.search(match["asked"]):
        return False
    asked = match["asked"].casefold()
    if _ELSEWHERE.search(asked):
        return True
    if any(stem in asked for stem in _SUPPORT):
        return False
    known = {word[:_STEM] for word in _words(statement.casefold())}
    said = [word for word in _words(asked) if word not in _EMPTY]
    return bool(said) and 2 * sum(word[:_STEM] in known for word in said) <= len(said)


def _words(text: str) -> list[str]:
    """The words of a text; of scripts without blanks, its signs."""
    return [part for word in _WORD.findall(text) for part in (word if word[0] >= _DENSE else [word])]


_DENSE: Final = "\u2e80"
_SUPPORT: Final = frozenset(
    word[:_LONG] if word[0] < "\u0400" else word
    for language, senses in SENSES.items()
    if language not in {"en", "marks"}
    for sense in (Sense.YES, Sense.LACK)
    for word in senses.get(sense, ())
    if len(word) >= (_LONG if word[0] < "\u0900" else _SIGNS) and " " not in word
)
"""What a question that asks for support holds in other languages."""


_LONGEST: Final = 280
