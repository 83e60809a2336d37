"""Plain sentences about one statement: "It is not supported by the notice.", "The context contradicts this claim."."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from magistrate.parsing.affirmed import affirmed
from magistrate.parsing.decode.nodes import Span
from magistrate.parsing.prose import ECHO
from magistrate.parsing.talk import doubted, not_the_judges
from magistrate.parsing.vocabulary import Vocabulary, fold
from magistrate.verdict import IssueCode, Verdict

__all__ = ["Said", "read_predicates"]

_WINDOW: Final = 80
_FAR: Final = 200
"""Characters before a sentence that are looked at."""
MOST_SENTENCES: Final = 300
"""Sentences of one text that are looked at; a text with more runs in a circle."""
_COPULA: Final = re.compile(
    r"(?<![\w'])(?:(?P<pronoun>it|this|that)|(?:(?:the|this|that|given|above)\s+)?(?:statement|claim|sentence|assertion"
    r"|summary|answer|response|fact|input)(?:\s+\d{1,3})?(?:\s+(?:above|here|itself|provided|given|in\s+question))?|(?<!"
    + ECHO
    + r")"
    + ECHO
    + r"+[\"'”.]*)\s+(?:is|was|remains|are|can be considered|should be considered|is considered|is therefore|is "
    r"thus|is hence|seems to be|appears to be)\s+"
    r"(?:(?:clearly|directly|therefore|thus|indeed|explicitly|also|hence|well)\s+){0,6}(?=(?P<rest>[^\n]{2,160}))",
    re.IGNORECASE,
)
_VERB: Final = re.compile(
    r"(?<![\w'])(?:(?:the|this|that|provided|given|source|retrieved|context's|document's)\s+)?(?:context|evidence|text"
    r"|source|document|passage|article|reference|context passage|excerpt|information|label|notice|page"
    r"|paragraph|snippet|record|contexts|sources|documents|passages)\s+"
    r"(?P<not>(?:do(?:es)?\s+not|don't|doesn't|did\s+not|didn't|fails?\s+to|cannot|can't|never)\s+)?(?:clearly\s+"
    r"|directly\s+|explicitly\s+|fully\s+){0,6}"
    r"(?P<verb>support|supports|contradict|contradicts|refute|refutes|confirm|confirms|entail|entails|back|backs"
    r"|mention|mentions)\s+(?:this|that|the|it)\b(?:\s+(?:statement|claim|assertion|sentence|answer"
    r"|summary))?(?=\s*[.,;:!\n]|\s*$|\s+(?:because|since|as|by|with)\b)",
    re.IGNORECASE,
)
_AGAINST: Final = re.compile(
    r"(?<![\w'])(?:it|this|(?:the|this)\s+(?:statement|claim|sentence|assertion))\s+(?:clearly\s+|directly\s+"
    r"|explicitly\s+){0,6}contradicts\s+(?:the|what\s+the)\s+(?:\w+\s+)?(?:context|evidence|text|source|document|passage"
    r"|article|reference|excerpt|contexts|sources)\b",
    re.IGNORECASE,
)
_NOT_MINE: Final = re.compile(
    r"\b(?:if|whether|would|could|might|may|possible|neither|either|unless|suppose|assuming|means|meaning|not\s+(?:that|say|clear)"
    r"|does\s+not\s+make|doesn't\s+make|rather\s+than|(?:the|any|no)\s+(?:claim|idea|assertion|notion|suggestion"
    r"|evidence)\s+that|(?:part|portion|half|section|some|most|rest)\s+of(?:\s+the)?)\b[^.;\n]{0,60}$",
    re.IGNORECASE,
)
_CONCLUDES: Final = re.compile(
    r"\b(?:therefore|thus|hence|overall|in conclusion|in summary|to conclude|consequently|accordingly|so)\b[\s,]*$",
    re.IGNORECASE,
)
_NEGATED: Final = re.compile(r"(?:not|never|hardly|barely|neither|nicht|no|ne|non|não|не)\b")
_AND_MORE: Final = re.compile(
    r"^\W*(?:but|except|only|and\s+(?:not|partly|partially)|or|although\s+only)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Said:
    """One place where a verdict is said.

    Args:
        reading: The verdict, or why the words are none.
        span: Where it stands in the reply.
        how: "labelled", "leading", "closing", "sentence", or "aside" for what counts only where nothing else is said.
    """

    reading: Verdict | IssueCode
    span: Span
    how: str


def read_predicates(text: str, offset: int, words: Vocabulary) -> list[Said]:
    """Read the sentences that say of the statement what it is."""
    named: list[Said] = []
    denied: list[Said] = []
    pronouns: list[Said] = []
    for number, match in enumerate(_COPULA.finditer(text)):
        if number > MOST_SENTENCES:
            return []
        if _not_mine(text[max(0, match.start() - _FAR) : match.start()]):
            continue
        rest = match["rest"]
        folded = fold(rest)
        lead = words.lead(folded, numbers=False)
        if lead is None or lead[0] is IssueCode.UNKNOWN_LABEL or _AND_MORE.match(folded[lead[1] :]):
            if _NEGATED.match(folded) and not match["pronoun"]:
                denied.append(
                    Said(IssueCode.CONFLICTING_VERDICTS, (offset + match.start(), offset + match.end()), "sentence")
                )
            continue
        if not_the_judges(folded[lead[1] :]):
            continue
        how = "pronoun" if match["pronoun"] else "sentence"
        said = Said(lead[0], (offset + match.start(), offset + match.start("rest") + lead[1]), how)
        (pronouns if match["pronoun"] else named).append(said)
    for match in _VERB.finditer(text):
        if _not_mine(text[max(0, match.start() - _FAR) : match.start()]):
            continue
        reading = _verb_reading(match["verb"].casefold(), bool(match["not"]), words)
        # On a scale of yes and no "not mentioned" is neither; beside a yes or no it is the reason.
        aside = match["verb"].casefold().startswith("mention") and not isinstance(reading, Verdict)
        if reading is not None:
            how = "aside" if aside else "sentence"
            named.append(Said(reading, (offset + match.start(), offset + match.end()), how))
    for match in _AGAINST.finditer(text):
        if not _not_mine(text[max(0, match.start() - _FAR) : match.start()]):
            reading = words.word("contradicted") or IssueCode.OUT_OF_RANGE
            named.append(Said(reading, (offset + match.start(), offset + match.end()), "sentence"))
    if not named:
        return pronouns
    yes = words.word("supported")
    if denied and all(one.reading is yes for one in named):  # "not" what, is not known; but not this
        named += denied
    named.sort(key=lambda said: said.span)
    last = named[-1]
    at = last.span[0] - offset
    return [last] if _CONCLUDES.search(text[max(0, at - _WINDOW) : at]) else named


def _not_mine(before: str) -> bool:
    """Whether what stands before a sentence makes it a condition, a question or something denied."""
    return _NOT_MINE.search(before[-_WINDOW:]) is not None or doubted(before[-_WINDOW:]) or not affirmed(before)


def _verb_reading(verb: str, negated: bool, words: Vocabulary) -> Verdict | IssueCode | None:
    if verb.startswith("mention"):
        return words.word("not mentioned") if negated else None
    if verb.startswith(("contradict", "refute")):
        return None if negated else words.word("contradicted")
    return words.word("not supported" if negated else "supported")
