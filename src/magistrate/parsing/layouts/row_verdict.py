"""The one verdict of a row in text."""

import re
from collections.abc import Iterator
from typing import Final

from magistrate.parsing.layouts.single import ends_in, is_quality, named_lead, predicate, reduced, said_in_sentences
from magistrate.parsing.layouts.view import MARK_PATTERN
from magistrate.parsing.wording.courtesy import SENTENCES
from magistrate.parsing.wording.fold import DROPPED, ECHO, QUOTED, fold
from magistrate.parsing.wording.hedges import UNSURE, is_question
from magistrate.parsing.wording.languages import Sense, senses
from magistrate.parsing.wording.patterns import WordPattern, vocabulary
from magistrate.parsing.wording.scales import LONE_DENIALS, Words
from magistrate.verdict import IssueCode, Verdict

_SEGMENTS: Final = re.compile(r"(?!(?<=\d)[.,]\d)[.,;:!()\[\]{}|/\n\u2014\u2013\u2192。，、；：！،؛।۔（）=]|\s-\s|->")
_DIGIT: Final = re.compile(r"\d")
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)?")
_QUOTE: Final = re.compile(f'["\u201c\u201d\u201e\u00ab\u00bb{QUOTED}]')
_PLAIN: Final = frozenset({Sense.YES, Sense.NO})
_MOST_NAME: Final = 5
_NAME: Final = WordPattern(
    r"(?:\w+\s+){0,2}(?:{VERDICT}|(?<!\bis\s)(?<!\bhas\s)(?<!\bin\s){ITEM})(?:s|es|n|en)?(?:\W.{0,12})?"
)
_IS: Final = WordPattern(r"{is}\s+")
_NUMBER_SIGN: Final = re.compile(r"\b(?:no|nr)\.(?=\s?\d)", re.IGNORECASE)
_BY: Final = re.compile(r"\s+(?:by|in|from)\s", re.IGNORECASE)
_CONFIDENCE: Final = re.compile(
    r"\W*(?:confidence\W*)?(?P<percent>\d{1,3})\s?%(?:\s+(?:confidence|confident|sure|certain))?\W*", re.IGNORECASE
)
"""How sure the judge is of the verdict before it."""
_HALF: Final = 50
_ENDS: Final = frozenset(".!。！")
_LONGEST_PLAIN: Final = 5
_FEW_WORDS: Final = 3
_NUMBERED_SUBJECT: Final = WordPattern(r"\b({ITEM}\s*)#?\d{1,4}(?=\s)")


def _is_property(part: str, before: str, words: Words) -> bool:
    """Whether a plain yes or no says whether the row has some property that is no verdict: "Risk: no"."""
    name = before.strip(" *_`\"'-\t\n" + DROPPED)
    plain = senses().get(part.strip(" *_.\n").casefold()) in _PLAIN and len(part.strip(" *_.\n")) <= _LONGEST_PLAIN
    if (
        not plain
        or not name
        or ECHO in name
        or _QUOTE.search(before)
        or not name[0].isalpha()
        or len(name.split()) > _MOST_NAME
        or name.casefold().startswith("as ")
    ):
        return False
    return words.whole(name) is None and not _NAME.fullmatch(name)


def _segments(body: str) -> Iterator[tuple[str, str]]:
    """The segments of a row that say something, each with the one before it on its line, or before its colon."""
    at, before = 0, ""
    for match in (*_SEGMENTS.finditer(body), None):
        part = body[at : match.start() if match else len(body)]
        if part.strip():
            yield part, before
        if match is not None and match.group() in _ENDS:
            before = ""
        elif part.strip() or match is None or match.group() not in {":", "：", "="}:
            before = part
        at = match.end() if match else at


def _named(body: str, words: Words) -> tuple[list[tuple[Verdict | IssueCode, str]], str]:
    """What a row says behind a name, "supported: no"; and the row without names that are words of the scale."""
    named: list[tuple[Verdict | IssueCode, str]] = []
    for match in MARK_PATTERN.finditer(body):
        lead = named_lead(match["name"], body[match.end() : match.end() + 200], words)
        if lead is None:
            continue
        end = match.end() + lead[1]
        named.append((lead[0], body[match.end() : end]))
        if is_quality(match["name"], words):
            body = body[: match.start("name")] + DROPPED * (end - match.start("name")) + body[end:]
    return named, body


def item_verdict(body: str, words: Words, tick: str = "") -> tuple[Verdict | IssueCode, str]:
    """The one verdict of a row in text: behind a name, at its head, a segment, a sentence; and nothing against it."""
    body = _NUMBER_SIGN.sub(lambda m: DROPPED * len(m.group()), body)
    named, body = _named(body, words)
    found = list(named)
    if tick:
        found.append((words.whole(tick) or IssueCode.UNKNOWN_LABEL, tick))
    bare = re.sub(rf"^[\s*_`\"'“(\[:：>⚠\ufe0f{ECHO}.-]*", "", body)
    lead = words.lead(bare[:200], numbers=bare.strip(" \t\n*_`.").isdecimal())
    if lead is None and bare[:1] in words.signs:
        signs = {words.whole(char) for char in body if char in words.signs}
        lead = (words.whole(bare[0]) if len(signs) == 1 else None) or IssueCode.CONFLICTING_VERDICTS, 1
    copula = _IS.match(bare) if lead is None else None
    if lead is None:
        begin = copula.end() if copula is not None else 0
        inner = predicate(bare[begin:], words)
        sourced = inner is not None and inner[1] > _LONGEST_PLAIN and _BY.match(bare, begin + inner[1]) is not None
        if inner is not None and (
            begin or sourced or " " in bare[: inner[1]].strip()
        ):  # "Cannot be determined from ..."
            lead = (inner[0], begin + inner[1])
    if lead is not None and not (named and (bare[: lead[1]].strip().isdecimal() or not isinstance(lead[0], Verdict))):
        found.append((lead[0], bare[: lead[1]]))
    denied = any(part.strip(" *_`").casefold() in LONE_DENIALS for part in _SEGMENTS.split(body))
    if UNSURE.search(body) or (found and (denied or is_question(body.rstrip()))):
        return IssueCode.CONFLICTING_VERDICTS, body  # "not. supported", "yes, I guess?", "yes (?)"
    if ends_in(bare, words) not in {None, *(reading for reading, _ in found)} and found:
        return IssueCode.CONFLICTING_VERDICTS, found[0][1]
    for part, before in _segments(body):
        sure = _CONFIDENCE.fullmatch(part) if found else None
        if sure is not None and int(sure["percent"]) >= _HALF:
            continue
        whole = words.whole(part) if not _NUMBER.fullmatch(part.strip(" *_\"'“”„«»")) else None
        *first, last = fold(part).split() or [""]
        if whole is None and found and not named and 0 < len(first) < _FEW_WORDS and last.isascii():  # "yes, now no"
            plain = 1 < len(last) <= _LONGEST_PLAIN and last in vocabulary("common")
            plain = plain and vocabulary("negation", "function").isdisjoint(first)
            whole = words.whole(last) if plain else None
        if whole is not None and _is_property(part, before, words):
            whole = IssueCode.UNKNOWN_LABEL
        if whole is not None and not (named and whole is IssueCode.OUT_OF_RANGE):
            found.append((whole, part))
    if not found:
        found = [(value, body[start:end]) for value, start, end in said_in_sentences(_about_it(body), words)]
    if not found:
        sentence = SENTENCES.split(body.strip(" \n"))[0]
        alone = reduced(sentence, words)
        found = [(alone, sentence)] if alone is not None else []
    if not found:
        return IssueCode.MISSING_VERDICT, ""
    readings = {reading for reading, _ in found}
    verdicts = {reading for reading in readings if isinstance(reading, Verdict)}
    lack = words.verdicts[Sense.LACK]
    if verdicts == {lack}:  # "not mentioned, so not supported", on a scale of two
        readings = {
            said
            for said, part in found
            if said is not IssueCode.OUT_OF_RANGE
            or not (found[0][0] is lack or {one.sense for one in words.mentions(part)} == {Sense.UNKNOWN})
            or _DIGIT.search(part)
        }
    if len(verdicts) > 1 or (verdicts and readings - verdicts):
        return IssueCode.CONFLICTING_VERDICTS, found[0][1]
    reading = next(iter(verdicts or readings))
    return (IssueCode.CONFLICTING_VERDICTS if words.bears(body, reading) else reading), found[0][1]


def _about_it(body: str) -> str:
    """A body in which "statement 1 is" says "the statement   is": what follows its own number is about it."""
    return _NUMBERED_SUBJECT.sub(lambda m: ("this " + m[1]).ljust(len(m.group()))[: len(m.group())], body)
