"""Verdicts that a judge gives in passing, after its answers: "2 should be yes.", "So both are supported."."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Final

from magistrate.parsing.ordinals import ORDINALS
from magistrate.parsing.sentences import LIST, NOUN, denied, expand
from magistrate.parsing.verdict_text import judge_text
from magistrate.parsing.vocabulary import Vocabulary, fold
from magistrate.verdict import IssueCode, Verdict

__all__ = ["contrary", "said_of_one", "said_of_several", "speaks_of_statements"]

Told = dict[int, set[Verdict | IssueCode]]

_LONGEST_SENTENCE: Final = 400
_MOST: Final = 60
"""Sentences that are looked at."""
_STOP: Final = re.compile(r"(?<=[.!?。！？])(?=\s|$)|[;\n]+|(?<=。)")
_IS: Final = (
    r"(?:is|are|was|were|isn't|aren't|should\s+(?:be|read|have\s+been|say)|must\s+be|ought\s+to\s+(?:be|have\s+been)|becomes?|remains?"
    r"|has\s+to\s+be|can\s+be\s+considered|turns?\s+out\s+(?:to\s+be)?)"
)
_BY_NUMBER: Final = re.compile(
    rf"(?:(?<![\w.])(?P<verdict>(?:verdict|answer|rating|label|judge?ment|result)s?\s+(?:for|of|on|to)\s+)?(?:the\s+)?"
    rf"(?:{NOUN}\s*#?\s*(?P<list>{LIST})|the\s+(?P<ordinal>{'|'.join(ORDINALS)})(?:\s+(?:one|statement|claim|item|sentence|fact))?)"
    rf"\s*(?P<sign>{_IS}\b|[:=]|->|→)"
    rf"|(?:^|[.!?:,;(]\s*|\b(?:and|but|so|wait|actually|now|that|think|then|no|sorry|number|hmm)\s+)(?P<bare>{LIST})\s+(?:{_IS})\b)\s*",
    re.IGNORECASE,
)
_OF_ALL: Final = re.compile(
    r"(?<![\w'])(?P<not>(?:not|almost|nearly|hardly|if|whether|unless)\s+)?(?:(?P<all>all|both|each|every|everything)|(?P<none>none|neither|nothing|no(?=\s+(?:statement|claim|item|sentence|fact))))\b"
    rf"(?:\s+of)?(?:\s+(?:the|these|those|them))?(?:\s+(?:\d{{1,3}}|two|three|four|five|\w*(?=\s+{NOUN})))?(?:\s+{NOUN})?\s*(?:{_IS}\b|[:=])?\s*",
    re.IGNORECASE,
)
_ONLY: Final = re.compile(
    rf"\bonly\s+(?:the\s+)?(?:{NOUN}\s*#?\s*(?P<list>{LIST})|(?P<ordinal>{'|'.join(ORDINALS)})(?:\s+\w+)?|(?P<bare>{LIST}))\s+(?:{_IS})\s+",
    re.IGNORECASE,
)
_SWAPPED: Final = re.compile(
    r"\b(?:swapped|mixed\s+up|switched|reversed|confused|interchanged|transposed|inverted)\s+(?:the|my|these|those|both|up)\s+(?:\w+\s+)?"
    r"(?:verdicts?|answers?|statements?|labels?|ratings?|results?|order|numbers?|ids?)\b"
    r"|\b(?:swapped|mixed|switched|confused)\s+(?:them|statements?\s+\d)"
    r"|\b(?:verdicts|answers|order)\s+(?:is|are|were|got|should\s+be)\s+(?:swapped|reversed|switched|mixed\s+up|inverted|interchanged)",
    re.IGNORECASE,
)
_ALL_WRONG: Final = re.compile(
    r"\b(?:the|this|that|my)\s+(?:(?:first|previous|earlier|initial|above|last)\s+)?(?:list|verdicts|answers|ratings|labels)(?:\s+above)?\s+"
    r"(?:is|are|was|were)\s+(?:all\s+)?(?:wrong|incorrect|mistaken|in\s+error|not\s+(?:right|correct))\b",
    re.IGNORECASE,
)
_THAT_IS: Final = re.compile(r"\b(?:that|it|this|which|so)\s+is\s+", re.IGNORECASE)
_WRONG: Final = re.compile(
    r"(?:wrong|incorrect|mistaken|a\s+mistake|an\s+error|not\s+(?:right|correct))\b", re.IGNORECASE
)
_SUPPOSED: Final = re.compile(
    r"\b(?:if|whether|would|could|might|may|unless|suppose|assuming|wonder|cannot|can't|says?|claims?|asserts?)\b[^.;\n]{0,80}$",
    re.IGNORECASE,
)
_ADVERBS: Final = re.compile(
    r"(?:(?:now|actually|therefore|thus|both|only|just|merely|at\s+(?:best|most)|all|clearly|fully|indeed|also|instead|really|in\s+fact|rather|then|a|to\s+be)\s+|[\"'“”*_`]++)*+",
    re.IGNORECASE,
)
_LABELLED: Final = re.compile(r"[\s*_`#>-]*+(?P<name>[^:：\n]{1,40})[:：]\s*(?P<list>[^\n]{2,400})")
_PARTS: Final = re.compile(r"\s*[,;/|，、；]\s*")
_LONGEST: Final = 4
"""Words of a verdict in a sentence that goes on."""


def said_of_several(text: str, words: Vocabulary, count: int) -> Told:
    """What sentences say of statements.

    Args:
        text: What stands after the answers.
        words: The vocabulary of the scale.
        count: How many statements were asked about.

    Returns:
        By index, the readings; CONFLICTING_VERDICTS where only that the answer was wrong is said, OUT_OF_RANGE where a
        word says what is neither yes nor no.
    """
    told: Told = {}
    for sentence in _sentences(text):
        for number, reading in _said(sentence, words, count):
            if 1 <= number <= count:
                told.setdefault(number - 1, set()).add(reading)
    return told


def contrary(told: AbstractSet[Verdict | IssueCode], given: AbstractSet[Verdict], words: Vocabulary) -> bool:
    """Whether what was said of a statement is another verdict than it was given.

    What is neither yes nor no tells why the verdict is a no; beside a yes it is another verdict.
    """
    if words.word("supported") not in given:
        told = told - {IssueCode.OUT_OF_RANGE}
    return not told <= given


def speaks_of_statements(line: str) -> bool:
    """Whether a line may give statements a verdict; a quick test."""
    return _ABOUT.search(line) is not None


_ABOUT: Final = re.compile(
    r"(?<![\w.])\d{1,3}(?![\w%])|\b(?:both|all|each|every|everything|neither|none|nothing|only|list|verdicts?|answers?|order"
    r"|swapped|mixed|switched|confused|reversed|first|second|third|fourth|fifth|last)\b|[:：][^\n]{2,200}[,;/]",
    re.IGNORECASE,
)


def said_of_one(text: str, words: Vocabulary) -> set[Verdict | IssueCode]:
    """What a text after the answer says of the one statement."""
    said, _ = judge_text(_CUE.sub("", text, count=1), 0, words, whole=True)
    return {said.reading} if said is not None and isinstance(said.reading, Verdict) else set()


_CUE: Final = re.compile(
    r"\s{0,9}+(?:(?:wait|actually|sorry|hm+|oops|no,? wait|on second thoughts?|hold on|well|so)\b[\s,.:;!-]*+){1,3}",
    re.IGNORECASE,
)


def _sentences(text: str) -> list[str]:
    stops = [0, *(stop.end() for stop, _ in zip(_STOP.finditer(text), range(_MOST), strict=False)), len(text)]
    sentences = [text[start:end].strip() for start, end in pairwise(stops) if text[start:end].strip()]
    return [sentence for sentence in sentences if len(sentence) <= _LONGEST_SENTENCE]


def _said(sentence: str, words: Vocabulary, count: int) -> list[tuple[int, Verdict | IssueCode]]:
    every = range(1, count + 1)
    if count > 1 and (_SWAPPED.search(sentence) or _ALL_WRONG.search(sentence)):
        return [(number, IssueCode.CONFLICTING_VERDICTS) for number in every]
    found: list[tuple[int, Verdict | IssueCode]] = []
    only = _ONLY.search(sentence)
    if only is not None:
        just = _word(sentence[only.end() :], words)
        named = _numbers(only)
        if isinstance(just, Verdict) and named:
            found += [(number, just if number in named else denied(just, words)) for number in every]
        return [(number, reading) for number, reading in found if isinstance(reading, Verdict)]
    for match in _BY_NUMBER.finditer(sentence):
        if _SUPPOSED.search(sentence[: match.start()]):
            continue
        rest = sentence[match.end() :]
        reading = _word(("not " if "n't" in match.group() else "") + rest, words)
        if _WRONG.match(rest) and (match["verdict"] or reading is None):
            reading = IssueCode.CONFLICTING_VERDICTS
        if reading is not None:
            found += [(number, reading) for number in _numbers(match)]
    if not found:
        found = _it_is(sentence, words)
    if count > 1 and not found:
        found = _of_all(sentence, words, count) or _listed(sentence, words, count)
    return found


def _it_is(sentence: str, words: Vocabulary) -> list[tuple[int, Verdict | IssueCode]]:
    """What a sentence that names one statement says of it further on: "statement 2 names a fare, so that is wrong"."""
    named = {int(number) for number in re.findall(rf"{NOUN}\s*#?\s*(\d{{1,3}})\b", sentence, re.IGNORECASE)}
    if len(named) != 1:
        return []
    for match in _THAT_IS.finditer(sentence):
        rest = sentence[match.end() :]
        reading = _word(rest, words)
        reading = IssueCode.CONFLICTING_VERDICTS if reading is None and _WRONG.match(rest) else reading
        if reading is not None and not _SUPPOSED.search(sentence[: match.start()]):
            return [(named.pop(), reading)]
    return []


def _of_all(sentence: str, words: Vocabulary, count: int) -> list[tuple[int, Verdict | IssueCode]]:
    for match in _OF_ALL.finditer(sentence):
        reading = _word(sentence[match.end() :], words)
        if reading is None or match["not"] or _SUPPOSED.search(sentence[: match.start()]):
            continue
        if match["none"]:
            reading = denied(reading, words) if isinstance(reading, Verdict) else None
        if isinstance(reading, Verdict) or reading is IssueCode.OUT_OF_RANGE:
            return [(number, reading) for number in range(1, count + 1)]
    return []


def _listed(sentence: str, words: Vocabulary, count: int) -> list[tuple[int, Verdict | IssueCode]]:
    """A second list under a name of its own: "After checking: yes, no."."""
    match = _LABELLED.fullmatch(sentence)
    if match is None:
        return []
    parts = [part for part in _PARTS.split(match["list"].strip(" .*_`[]()")) if part]
    readings = [words.word(part) for part in parts]
    if len(parts) != count or not all(isinstance(reading, Verdict) for reading in readings):
        return []
    return [(at, reading) for at, reading in enumerate(readings, start=1) if reading is not None]


def _word(rest: str, words: Vocabulary) -> Verdict | IssueCode | None:
    """The verdict at the head of what follows, whatever the sentence goes on with; OUT_OF_RANGE between yes and no."""
    start = _ADVERBS.match(rest)
    folded = fold(rest[start.end() if start else 0 :][:160])
    lead = words.lead(folded, numbers=False)
    if lead is not None:
        return _plain(lead[0])
    pieces = re.findall(r"[^\s.,;:!?()\"“”]+", folded)[:_LONGEST]
    for size in range(len(pieces), 0, -1):
        reading = words.word(" ".join(pieces[:size]))
        if reading is not None:
            return _plain(reading)
    return None


def _plain(reading: Verdict | IssueCode) -> Verdict | IssueCode | None:
    return reading if isinstance(reading, Verdict) or reading is IssueCode.OUT_OF_RANGE else None


def _numbers(match: re.Match[str]) -> list[int]:
    if match["ordinal"]:
        return [ORDINALS[match["ordinal"].casefold()]]
    return expand(match["list"] or match["bare"] or "") or []
