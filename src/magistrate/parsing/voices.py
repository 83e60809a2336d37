"""Whose words a piece of a reply is, by the words around it: the judge's answer, a draft, an example, a quotation.

Only plain wording counts, next to the piece itself. A wrong guess here must cost an answer, never change one: what is
called foreign is left out, what is called withdrawn is reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from magistrate.parsing.decode.documents import Document
from magistrate.parsing.decode.tags import embedded
from magistrate.parsing.envelope import Envelope
from magistrate.parsing.fences import in_programs

__all__ = [
    "QUOTED",
    "Voice",
    "announced_as_anothers",
    "foreign",
    "heads_anothers",
    "judged",
    "next_words",
    "slips",
    "takes_all_back",
    "voice_of",
    "withdraws",
]


class Voice(StrEnum):
    """Whose words."""

    JUDGE = "judge"
    DRAFT = "draft"
    """The judge's, before it made up its mind."""
    FOREIGN = "foreign"
    """Quoted, an example, a template, a schema: not the judge's."""


_BEFORE: Final = 180
_FAR: Final = 2_000
"""How far back the opening of a comment is looked for."""
QUOTED: Final = "\ue002"
"""What stands for a quotation in masked text."""
_BEHIND: Final = 160

_OWN: Final = re.compile(
    r"\b(?:my|our|i|final|finally|result|results|therefore|hence|overall|conclude|conclusion|correct(?:ed|ion)"
    r"|verdicts? (?:is|are)"
    r"|here (?:is|are)|here's|assessment|evaluation|judge?ments?|mein|meine|mi|mis|mon|mes|ma|mia|mio|meu|minha|мой"
    r"|мои)\b|我的|私の|제|最终|最終",
    re.IGNORECASE,
)
_SAYS: Final = (
    r"(?:wr(?:ote|ites?|itten)|sa(?:ys?|id)|stat(?:es?|ed)|reads?|contain(?:s|ed|ing)?|includ(?:es?|ed|ing)|end(?:s"
    r"|ed)? (?:with|in)"
    r"|begins? with|began with|show(?:s|ed)?|claim(?:s|ed)?|tell(?:s)?|told|ask(?:s|ed)?|tr(?:ies|ied)|attempt(?:s"
    r"|ed)?|quot(?:es?|ed)"
    r"|embed(?:s|ded)?|inject(?:s|ed)?|plant(?:s|ed)?|hold(?:s)?|carr(?:ies|ied)|print(?:s|ed)?|output(?:s|ted)?"
    r"|answered|replied|repl(?:ies)|gave|offers?|offered|suggest(?:s|ed)?|demand(?:s|ed)?|instruct(?:s|ed)?)"
)
_OTHERS: Final = (
    r"(?:candidate|assistant|author|student|user|applicant|respondent|writer|bot|chatbot|system|response|answer"
    r"|document|context|passage|page|source|text"
    r"|statement|claim|snippet|reply|prompt|input|essay|article|letter|leaflet|notice|footnote|comment|website|site"
    r"|email|e-mail|message|draft"
    r"|attacker|injection|question|instructions?|data|file|log|manual|sheet|report|summary|output)"
)
_FOREIGN_LEAD: Final = re.compile(
    rf"\b{_OTHERS}(?:'s|s)?\b[^.;:\n!?]{{0,60}}?\b(?<!-){_SAYS}\b[^.;\n!?]{{0,60}}$"
    r"|\b(?:quoted?|quoting|quotation|verbatim|planted|injected|embedded|copied|echo(?:ed)?)\b[^.;\n!?]{0,50}$"
    r"|\b(?:the text|the line|the string|the words|the phrase|the block|the snippet|the object) *[:,]?\s*$",
    re.IGNORECASE,
)
_FOREIGN_HEADING: Final = re.compile(
    r"(?:^|\n)[ \t]*#{1,6}[ \t]*(?:the\s+|given\s+|provided\s+|retrieved\s+){0,6}(?:contexts?|sources?|passages?"
    r"|documents?|input|prompt"
    r"|material|answer under test|candidate(?:'s)? answer|kontext|contexto|contexte|contesto|контекст|上下文"
    r"|文脈)\b[^\n]*$",
    re.IGNORECASE,
)
_EXAMPLE_LEAD: Final = re.compile(
    r"(?:\b(?:examples?|for instance|e\.g\.|template|schema|reminder|sample|placeholder|syntax|(?:output|reply"
    r"|response|answer|expected|required|requested|json|following) (?:format|form|structure|shape)|format(?:ted)?"
    r"|instructions?"
    r"|beispiel|vorlage|schablone|ejemplo|plantilla|formato|exemple|modèle|gabarit|esempio|modello|exemplo|modelo"
    r"|пример|шаблон|формат)\b"
    r"|例|示例|格式|範例|テンプレート|形式|예시|예:|형식|مثال|قالب|صيغة|उदाहरण|प्रारूप)[^.;\n!?]{0,40}$",
    re.IGNORECASE,
)
_UNREAL_LEAD: Final = re.compile(
    r"(?:\b(?:previous|other|another|old|earlier|lazy|careless|bad|wrong|human|reference)\s+(?:judge|model"
    r"|evaluator|grader|rater|annotator"
    rf"|reviewer|llm)s?\b[^.;:\n!?]{{0,40}}?\b(?:{_SAYS}|would|might|could)\b[^.;\n!?]{{0,40}}"
    r"|\b(?:expected|reference|gold(?:en)?|ground[- ]truth)\s+(?:answers?|verdicts?|labels?|scores?|ratings?)"
    r"|\bground[- ]truth"
    r"|\b(?:verdicts?|answers?|scores?|labels?|ratings?)\s+of\s+(?:the|an?)\s+(?:previous|other|another|old"
    r"|earlier|first|human)\s+\w+"
    r"|\b(?:if|had|were)\b[^.;\n!?]{0,90}\bwould\b[^.;\n!?]{0,40}"
    r"|\b(?:suppose|assuming|imagine)\b[^.;\n!?]{0,60}\b(?:answered|said|gave)|\bhypothetical(?:ly)?"
    r"|\bwould\s+have\s+(?:said|answered|given|been)\b[^.;\n!?]{0,40}|\b(?:yesterday|last\s+time|previously"
    r"|earlier)\b[^.;\n!?]{0,30}\b(?:said|answered|gave)"
    r"|\b(?:do\s+not|don['’]t|never|refuse\s+to|won['’]t|will\s+not)\s+(?:just\s+|simply\s+)?(?:answer|output"
    r"|reply|say|write|return|produce|print)\b[^.;\n!?]{0,40}"
    r"|\b(?:told|instructed|ordered|wants\s+me|asks\s+me|asked\s+me)\s+to\s+(?:answer|output|reply|say|write"
    r"|return|produce|print)\b[^.;\n!?]{0,40}"
    r"|\b(?:someone|somebody|one|others?|people)\s+(?:might|could|may|would)\s+(?:answer|say|argue|reply"
    r"|write)\b[^.;\n!?]{0,40}"
    r"|\b(?:opposite|contrary|inverse|reverse)\s+of\b[^.;\n!?]{0,40}|\bnot\s+(?:my"
    r"|the)\s+(?:own\s+)?(?:final\s+)?(?:verdicts?|answers?|scores?|labels?|ratings?)"
    r"|\b(?:wrong|incorrect|bad|lazy|careless|false)\s+(?:(?:to\s+(?:say|answer|reply))|(?:answers?|verdicts?"
    r"|scores?|labels?|reply|output|response)\b[^.;\n!?]{0,40})"
    r"|\b(?:here\s+is|this\s+is|just|only)\s+an?\s+(?:example|sample|template|placeholder)\b[^.;\n!?]{0,30}"
    r"|\bhere\s+is\s+the\s+format\s+i\s+was\s+(?:asked|told)\s+to\s+use"
    r"|\bwithout\s+(?:the|any)\s+(?:context|sources?|documents?|text)|\bfrom\s+memory|(?:^|\n)[\s*_]*not)$",
    re.IGNORECASE,
)
"""What follows is another's, or would be the answer if things were otherwise, whoever says so."""
_DRAFT_LEAD: Final = re.compile(
    r"\b(?:draft|scratch(?:pad)?|first (?:pass|attempt|try|thought|guess|impression|glance|reading|look)"
    r"|initial(?:ly)?|preliminary|tentative(?:ly)?|provisional(?:ly)?"
    r"|at first(?: sight| glance)?|rough(?:ly)?|maybe|perhaps|might be|could be|entwurf|zunächst|vorläufig|borrador"
    r"|al principio|en un principio|brouillon|d'abord|au premier abord|bozza|a prima vista|rascunho|à primeira vista"
    r"|черновик|сначала|на первый взгляд)\b[^.;\n!?]{0,70}$"
    r"|(?:草稿|初步|一开始|下書き|最初|初步|초안|처음에|مسودة|مبدئي|प्रारंभिक|मसौदा)[^。\n]{0,30}$",
    re.IGNORECASE,
)
_FOREIGN_TAIL: Final = re.compile(
    r"^[\s`\"'”’)\].,;:]*(?:"
    r"(?:which|that)\b[^.;\n]{0,30}\bi (?:have |had )?(?:treat|ignor|disregard|reject|discard|set|do not|did not"
    r"|don't|didn't)"
    r"|i (?:have |will |shall |must )?(?:ignored?|disregard(?:ed)?|reject(?:ed)?|discard(?:ed)?|do not (?:use|follow"
    r"|count)|did not (?:use|follow|count)"
    r"|don't (?:use|follow|count)|didn't (?:use|follow|count)) (?:it\b|this\b|that\b|(?:the|this|that) (?:block|line"
    r"|text|json|object|snippet|list|verdict|injection|instruction))"
    r"|(?:(?:which|that|this|it)(?: (?:block|list|json|object|text|line|table|snippet))? )(?:is|was) (?:only |just "
    r"|merely )?(?:an? |the )?(?:example|template|sample"
    r"|injection|injected|planted|quoted|quotation|part of the|from the (?:answer|text|statement|context|document"
    r"|prompt)|copied|not (?:my|the) (?:verdict|answer|judge?ment|result)))",
    re.IGNORECASE,
)

_ANSWER: Final = (
    r"(?:list|answers?|verdicts?|ratings?|scores?|labels?|grades?|results?|json|object|assessment|judge?ments?"
    r"|conclusion|evaluation|response|output|line|above)"
)
_NOW: Final = (
    r"(?:['’](?:ll|d|m|ve)|\s+(?:am|have))?"
    r"(?:\s+(?:now|then|therefore|thus|hence|will|would|shall|must|should|hereby|rather)){0,3}"
)
_CHANGES: Final = (
    r"(?:chang(?:e|ed|ing)|revis(?:e|ed|ing)|switch(?:ed|ing)?|amend(?:ed|ing)?|flip(?:ped|ping)?|alter(?:ed|ing)?)"
)
_CHANGED: Final = (
    rf"(?:it|this|that|them|both|all|(?:my|the|its)\s+(?:[a-z]+\s+){{0,2}}{_ANSWER}(?:\s+(?:on|of|for|from))?"
    r"|(?:(?:statement|claim|item|number|verdict|no\.|for)\s*)?#?\d{1,3}|(?:the\s+)?(?:first|second|third|last)(?:\s+(?:one|statement|claim|verdict))?"
    r"|from\s+\w+)"
)
_STRONG: Final = re.compile(
    r"\b(?:correction\s*[:：—–-]"
    rf"|corrected\s+(?:(?:and|final|full|my)\s+){{0,6}}{_ANSWER}"
    r"|revised\s+(?:(?:and|final|full|my)\s+){0,6}(?:list|verdicts?|ratings?|labels?)\b"
    r"|(?:corrected|revised)(?:\s+version)?\s{0,4}[:：][ \t*_]{0,8}(?:\n|\Z)"
    r"|(?:wait|sorry|oops|hmm+)\b[\s,.;:!–—-]{1,4}(?:that|this|it)(?:['’]s|\s+(?:is|was))\s+(?:all\s+)?(?:wrong|incorrect|not\s+right)\b"
    r"|i\s+(?:(?:(?:must|have\s+to|need\s+to|should|will|want\s+to|would\s+like\s+to|hereby)\s+)?(?:correct|revise"
    r"|retract|withdraw|take\s+back|amend|change)\s+(?:myself|my|that|this|the\s+(?:above|previous|first|earlier|last"
    rf"|{_ANSWER}))"
    r"|(?:(?:must|have\s+to|should|will|would\s+like\s+to|hereby)\s+)?(?:take|took|taking)\s+(?:it|that|this|them"
    r"|these|(?:my|the)\s+\w+|#?\d{1,3})\s+back\b"
    r"|stand\s+corrected|(?:made|have\s+made)\s+(?:a|an)\s+(?:mistake|error|slip)|(?:misread|misjudged|overlooked"
    r"|misunderstood|misinterpreted|miscounted)\b|(?:have\s+)?changed?\s+my\s+(?:mind|verdict|answer))"
    rf"|(?:scrap|scratch|strike)\s+(?:that|this|the\s+{_ANSWER})"
    rf"|(?:the|my|that|this)\s+(?:(?:first|previous|earlier|initial|above|last|preceding)\s+)?{_ANSWER}(?:\s+(?:above"
    r"|before|given))?\s+(?:is|was|are|were)\s+(?:wrong|incorrect|mistaken|a\s+mistake|in\s+error|an\s+error)\b"
    r"|my\s+mistake\b"
    r"|(?:ignore|disregard|discard|replace)\s+(?:the|my|that|this)\s+(?:(?:above|previous|earlier|first|initial"
    rf"|preceding)\s+)?{_ANSWER}"
    r"|(?:replaces|supersedes)\s+(?:the|my|that)\b|(?:on|upon)\s+(?:second\s+thoughts?|reflection|closer\s+(?:look"
    r"|inspection|reading)|review)\b|let\s+me\s+(?:correct|fix|revise|redo|amend)\b"
    rf"|i{_NOW}\s+{_CHANGES}\s+(?:{_CHANGED}\s+){{0,2}}(?:in)?to\b|{_CHANGES}\s+(?:{_CHANGED}\s+){{1,2}}(?:in)?to\b"
    r"|i(?:['’]d|\s+would)\s+(?:now\s+)?rather\s+(?:go\s+with|choose|pick|give|say)\b"
    r"|(?:(?<![^\n])|(?<=[.!?:]\s))(?:changed|revised|switched|updated|amended|corrected)\s+to\b"
    r"|korrektur\s*:|ich\s+(?:korrigiere\b|habe\s+mich\s+(?:geirrt|vertan))|corrección\s*:|me\s+corrijo\b"
    r"|me\s+equivoqué|rectifico\b|rectification\s*:|correctif\s*:|je\s+(?:me\s+corrige|rectifie)\b|correzione\s*:"
    r"|mi\s+correggo\b|rettifico\b|correção\s*:|corrijo\b|retifico\b)"
)
"""Withdrawals in so many words, in a folded text: no flag makes the search look at every sign in two cases."""
_STRONG_SIGNS: Final = re.compile(
    r"исправление\s*:|поправка\s*:|исправляюсь|я\s+ошиб(?:ся|лась)|(?:更正|纠正|糾正|修正|訂正)\s*[:：]|我看错了|我看錯了"
    r"|我更正|間違えました|訂正します|정정\s*[:：]|정정합니다|잘못\s*읽|تصحيح\s*[:：]|أخطأت|सुधार\s*[:：]"
)
_WEAK: Final = re.compile(
    r"\b(?:wait|hold on|hmm+|actually|but then|moment|espera|attends|aspetta|warte|подождите|постойте)\b"
)
_WEAK_SIGNS: Final = re.compile("等等|待って|잠깐")


def foreign(envelope: Envelope) -> set[int]:
    """Where data begins that is no answer for the place it stands in: program code, an element for a reason."""
    place = (envelope.text, envelope.prose, envelope.documents)
    return embedded(*place) | in_programs(*place)


def judged(envelope: Envelope) -> Iterator[Document]:
    """The data of a reply that the judge gives as its own, in order."""
    text, documents = envelope.text, envelope.documents
    inside = foreign(envelope)
    floor = 0
    for at, document in enumerate(documents):
        ceiling = documents[at + 1].start if at + 1 < len(documents) else len(text)
        lead = max(floor, envelope.lead_from(document.start))
        if document.start not in inside and voice_of(text, document.start, document.end, lead, ceiling) is Voice.JUDGE:
            yield document
        floor = document.end


def voice_of(text: str, start: int, end: int, floor: int = 0, ceiling: int | None = None) -> Voice:
    """Tell whose words the piece from start to end is.

    Args:
        text: The reply.
        start: Where the piece begins.
        end: Where it ends.
        floor: Where the words before it begin to count: the end of the piece before.
        ceiling: Where the words after it cease to count: the beginning of the next piece.
    """
    if text.rfind("<!--", max(0, start - _FAR), start) > text.rfind("-->", max(0, start - _FAR), start):
        return Voice.FOREIGN  # inside a comment
    before = _lead(text, max(floor, start - _BEFORE), start)
    behind = text[end : min(len(text) if ceiling is None else ceiling, end + _BEHIND)]
    if _FOREIGN_TAIL.search(_plain(behind).lstrip("`\n ")):
        return Voice.FOREIGN
    if _FOREIGN_HEADING.search(_plain(text[max(floor, start - _BEFORE) : start]).rstrip()):
        return Voice.FOREIGN
    if _UNREAL_LEAD.search(before):
        return Voice.FOREIGN
    if _OWN.search(before) and not _FOREIGN_LEAD.search(before):
        return Voice.JUDGE
    if _FOREIGN_LEAD.search(before) or _EXAMPLE_LEAD.search(before):
        return Voice.FOREIGN
    if _DRAFT_LEAD.search(before):
        return Voice.DRAFT
    return Voice.JUDGE


def heads_anothers(text: str) -> bool:
    """Whether an answer has a heading that says that it is not the judge's: "Expected answers: ..."."""
    head, sign, _ = text[:_BEFORE].partition("\n")[0].partition(":")
    return sign != "" and _UNREAL_LEAD.search(head.rstrip(" *_")) is not None


def announced_as_anothers(text: str, start: int, end: int) -> bool:
    """Whether the line above a piece announces it, and not as the judge's answer: "The candidate wrote:", "Draft:"."""
    line = text.rfind("\n", 0, start) + 1
    above = _plain(text[max(0, line - _BEFORE) : line]).rstrip(" \t\r\n*_`")
    return above.endswith((":", "：")) and voice_of(text, line, end) is not Voice.JUDGE


def _lead(text: str, floor: int, start: int) -> str:
    """The last sentence before a piece, fences and marks aside."""
    before = _plain(text[floor:start])
    if before.rstrip(" \t").endswith(QUOTED + "\n\n"):
        return ""  # what was led up to stands there already
    before = before.rstrip(" \t\r\n:`\"'“«„「『([{*_#>-–—")
    breaks = [before.rfind(mark) for mark in ("\n\n", ". ", "! ", "? ", "。", "！", "？", ".\n", "; ")]
    return before[max(breaks) + 1 :] if max(breaks) >= 0 else before


_FENCE_LINE: Final = re.compile(r"^[ \t>]*(?:`{2,}|~{3,})[^\n]*$", re.MULTILINE)


def _plain(text: str) -> str:
    return _FENCE_LINE.sub("", text)


def next_words(tail: str) -> str:
    """What is said right behind an answer, as far as the next stop: "Score: 4. I take that back."."""
    match = _NEXT.match(tail)
    return "" if match is None or _FIELD.match(match[1]) else match[1]


_FIELD: Final = re.compile(
    r"(?!correct|korrekt|correz|corre[cç]|revis|updat)[^\W\d_]{2,16}[*_`]{0,3}\s?[:：]", re.IGNORECASE
)
"""A name and a colon: what stands there is another field, "Reason: upon review, ..."."""
_NEXT: Final = re.compile(r"[\s.!,;*_`\"'”)\]-]{0,12}([^.!?\n]{0,60}[.!?]?)")


def slips(text: str) -> bool:
    """Whether a text says that something before it was a slip, without a plain withdrawal: "Sorry, I meant no."."""
    return _SLIP.search(text) is not None


def takes_all_back(line: str) -> bool:
    """Whether a line below a list does nothing but take back, in the first person: "I take that back."."""
    return len(line) <= _SHORT_LINE and _IN_PERSON.match(line) is not None and withdraws(line) is True


_SHORT_LINE: Final = 80
_IN_PERSON: Final = re.compile(
    r"[*_(]{0,3}(?:(?:wait|sorry|oops|hmm+|scratch|strike|ignore|disregard)\b"
    r"|i\s+(?:take|took|must|have\s+to|need\s+to|made|have\s+made|retract|withdraw|stand)\b)",
    re.IGNORECASE,
)


def corrects_by_number(line: str) -> bool:
    """Whether a line corrects a statement that it names by number: "Wait, 2 should be no."."""
    return _CORRECTS.match(line) is not None


_CUE: Final = r"(?:no,? )?(?:wait|sorry|oops|correction|actually|apologies|hold on|on second thoughts?|my mistake)"
_TYPO: Final = r"(?:typos?|typing errors?|slips?(?: of the (?:pen|keyboard))?)\b"
_MINE: Final = (
    r"(?:(?:the|my)\s+)?(?:#?\d{1,3}|(?:first|second|third|last|verdict|answer|rating|score|label)s?(?:\s+\d{1,3})?)"
)
_NO_PART: Final = (
    r"(?!(?:the\s+)?(?:first|second|third|last)\s+(?!verdict|answer|rating|score|label|statement|claim|one)[^\W\d_])"
)
"""Not before a part of what is judged: "two slips in the second paragraph" are none of the judge's."""
_SLIP: Final = re.compile(
    rf"(?:^|[.!?;\n)}}\]])\s{{0,20}}+{_CUE}\b[^\n]{{0,80}}?\b(?:should (?:be|read)|must be|i meant|meant|is (?:actually"
    r"|wrong)|becomes)\b|\bi meant\b"
    rf"|{_CUE}\W{{1,3}}(?:(?:a|my|that was a)\s+)?{_TYPO}|\b{_TYPO}\s+(?:in|on|at|for)\s+{_NO_PART}{_MINE}"
    rf"|\b(?:that|this|it|{_MINE})\s+(?:was|is|were|are)\s+(?:just\s+|only\s+)?(?:a\s+|my\s+)?{_TYPO}",
    re.IGNORECASE,
)
_CORRECTS: Final = re.compile(
    rf"[\s*_`(\[-]*(?:{_CUE}|update|edit|hm+|revision|amendment)\b[^\n\d]{{0,80}}\d", re.IGNORECASE
)


def withdraws(text: str) -> bool | None:
    """Whether a text takes back what stood before it: True in so many words, None where it only wavers, else False."""
    folded = text.casefold()
    signs = not text.isascii()
    if _STRONG.search(folded) or (signs and _STRONG_SIGNS.search(folded)):
        return True
    return None if _WEAK.search(folded) or (signs and _WEAK_SIGNS.search(folded)) else False
