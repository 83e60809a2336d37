"""Sentences that judge statements by number: "Statements 1 and 3 are supported; statement 2 is not."."""

from __future__ import annotations

import re
from typing import Final

from magistrate.parsing.affirmed import affirmed
from magistrate.parsing.item_wording import Names
from magistrate.parsing.ordinals import ORDINALS
from magistrate.parsing.prose import Prose
from magistrate.parsing.rows import Row, Table
from magistrate.parsing.vocabulary import Vocabulary, fold
from magistrate.verdict import IssueCode, Verdict

__all__ = ["COUNTS", "LIST", "NOUN", "denied", "expand", "read_amendments", "read_groups", "read_sentences"]

NOUN: Final = r"(?:statements?|claims?|items?|sentences?|numbers?|nos?\.|#|facts?|points?)"
LIST: Final = (
    r"\d{1,3}(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*|\s*\+\s*"
    r"|\s*-\s*|\s*–\s*|\s+to\s+|\s+through\s+)(?:#\s*)?\d{1,3}){0,60}"
)
_SUBJECT: Final = (
    rf"(?:(?:the\s+)?{NOUN}\s*#?\s*(?P<list>{LIST})"
    rf"|the\s+(?P<ordinals>(?:{'|'.join(ORDINALS)})(?:(?:\s*,\s*(?:and\s+)?"
    rf"|\s+and\s+)(?:the\s+)?(?:{'|'.join(ORDINALS)}))*)(?:\s+(?:statements?|claims?|items?|sentences?|ones?"
    rf"|facts?))?"
    r"|(?P<all>all(?:\s+(?:of\s+the|the|of\s+these|these))?(?:\s+(?P<counted>\d{1,3}|two|three|four|five|six|seven|eight"
    r"|nine|ten|eleven|twelve))?\s+(?:statements|claims|items|sentences|facts)(?:\s+above)?|(?P<both>both)(?:\s+(?:of\s+the|the|of\s+these"
    r"|these))?\s+(?:statements|claims|items|sentences|facts)|every\s+(?:statement|claim|item|sentence)"
    r"|each\s+(?:of\s+the\s+)?(?:statements?|claims?|items?|sentences?))"
    rf"(?:(?:\s*+,)?+\s++(?:except|apart\s+from|other\s+than|but|save)\s+(?:for\s+)?(?:{NOUN}\s*#?\s*)?(?P<without>{LIST})\s*,?)?"
    r"|(?P<others>(?:all\s+)?(?:the\s+)?(?:others|rest|(?:other|remaining)\s+(?:statements|claims|items|sentences"
    r"|facts|ones)))"
    r"|(?P<none>(?:none|(?P<neither>neither))\s+of\s+(?:the|these)\s+(?:(?P<nones>\w+)\s+)?(?:statements|claims|items"
    r"|sentences|facts)|(?P<nor>neither)\s+(?:statement|claim|item|sentence|fact|one)))"
)
_CLAUSE: Final = re.compile(
    rf"(?<![\w'])(?:only\s+)?{_SUBJECT}\s+(?P<verb>(?:is|are|was|were)n['’]t|is|are|was|were|remains?|must\s+be|should\s+be|has\s+to\s+be"
    rf"|becomes?|ought\s+to\s+be|can\s+be\s+considered|can(?:not|\s+not|['’]t)?(?=\s+(?:all\s+)?be\s))\s+(?:(?:now|actually|therefore|thus|both|all|each|clearly"
    rf"|fully|indeed|also|instead|really)\s+){{0,6}}(?=(?P<rest>[^;\n]{{1,160}}))",
    re.IGNORECASE,
)
_GROUP: Final = re.compile(
    rf"[\s*_`#-]*+(?P<head>[^:：\n(]{{1,40}}?)(?:\s*+\(\d{{1,3}}\))?[*_`]*+\s*(?:[:：]|\s[-–—]\s)[\s*_`]*+(?:{NOUN}\s*+#?\s*+)?"
    rf"(?:(?P<list>{LIST})[\s.*_`]*|[(\[#](?P<marked>{LIST})[)\]][^\n]*)",
    re.IGNORECASE,
)
_GROUP_AFTER: Final = re.compile(
    rf"[\s*_`#-]*(?:{NOUN}\s*#?\s*)?(?P<list>{LIST})[*_`]*\s*(?:[:：=]|->|→"
    rf"|\s[-–—]\s)[\s*_`]*(?P<head>[^\n\d]{{1,40}})",
    re.IGNORECASE,
)
_DIGIT: Final = re.compile(r"\d")
_NOUNS: Final = Names(
    "statement, claim, item, sentence, number, no, fact, point, others, rest, first, second, third, fourth, fifth, "
    "one, ones, #"
)
_ONLY: Final = re.compile(
    r"\b(?:except|apart from|other than|but not|save for|with the exception|most of|nearly|almost)\b", re.IGNORECASE
)
_EXCEPT: Final = re.compile(
    rf"\b(?:except|apart from|other than|but not|save|with the exception "
    rf"of)\s+(?:for\s+)?(?:the\s+)?(?:{NOUN}\s*#?\s*)?(?P<list>{LIST})"
    r"(?=\s*(?:[.,;:!]|$|because|which|since))",
    re.IGNORECASE,
)
_CONDITION: Final = re.compile(
    r"\b(?:if|whether|would|could|might|may|unless|suppose|assuming|wonder)\b[^.;\n]{0,60}$", re.IGNORECASE
)


_THAT: Final = re.compile(r"\b(?:that|say|claim)\s*$", re.IGNORECASE)
"""What leads into a sentence that somebody denies, or says."""


def read_sentences(prose: Prose, words: Vocabulary, count: int, *, cut: bool = False) -> Table | None:
    """Read sentences that say of statements, by number, what they are; None where there are none."""
    rows = _rows(prose.text, 0, words, count, ordered=prose.ordered, amended=False, cut=cut)
    torn = any(row.reading is IssueCode.TRUNCATED for row in rows)
    if not torn and not any(isinstance(row.reading, Verdict) for row in rows):
        return None
    return Table(rows, "sentences", orderly=False, cut=torn)


def read_groups(prose: Prose, words: Vocabulary, count: int) -> Table | None:
    """Read lines that list the statements of each verdict, "Supported: 1, 3", "1-3: supported": all, each once.

    Anything less may be counts.
    """
    rows: list[Row] = []
    for line in prose.lines():
        if len(rows) > count:
            return None
        if _DIGIT.search(line.text) is None:
            continue
        group = _group(line.text, words)
        parts = [line.text] if group is not None else _PART.split(line.text)
        groups = [group] if group is not None else [_group(part, words) for part in parts if part.strip()]
        if None in groups:
            continue
        for reading, head, numbers in (each for each in groups if each is not None):
            if numbers is None:
                return None
            rows += [Row(reading, head, id=number, span=(line.start, line.end)) for number in numbers]
    if sorted(int(row.id or 0) for row in rows) != list(range(1, count + 1)):
        return None
    return Table(rows, "groups", orderly=False)


_PART: Final = re.compile(r"(?<=[\w)\]])[.;](?:\s+|$)")


def _group(text: str, words: Vocabulary) -> tuple[Verdict | IssueCode, str, list[int] | None] | None:
    """The verdict that a text gives to a list of statements, and their numbers; None where it gives none."""
    match = _GROUP.fullmatch(text) or _GROUP_AFTER.fullmatch(text)
    reading = words.word(match["head"]) if match else None
    if match is None or reading is None:
        return None
    marked = match.groupdict().get("marked")
    return reading, match["head"].strip(), expand(match["list"] or marked or "")


def read_amendments(text: str, offset: int, words: Vocabulary, count: int, *, ordered: bool = True) -> list[Row]:
    """Read what a correction makes of single statements: "Statement 2 must be yes"."""
    return [row for row in _rows(text, offset, words, count, ordered=ordered, amended=True) if row.id is not None]


MOST_CLAUSES: Final = 100
"""Clauses in one text, plus four a statement; a text with more runs in a circle."""


def _rows(
    text: str, offset: int, words: Vocabulary, count: int, *, ordered: bool, amended: bool, cut: bool = False
) -> list[Row]:
    rows: list[Row] = []
    if not _NOUNS.within(text):
        return rows
    last: Verdict | IssueCode | None = None
    for number, match in enumerate(_CLAUSE.finditer(text)):
        if number > MOST_CLAUSES + 4 * count:
            return []
        before = text[max(0, match.start() - 160) : match.start()]
        if _CONDITION.search(before[-80:]) or (_THAT.search(before) and not affirmed(before)):
            continue
        if (match["ordinals"] and not ordered) or _of_others(match, count) or _is_denied(text, match, amended=amended):
            continue
        clause = _clause_of(match["rest"])
        negated = match["verb"][:1] not in "cC" and match["verb"][-2:].casefold() in {"'t", "’t"}
        clause = "not " + clause if negated else clause
        said = _inferred(match["verb"], clause, words) if not negated else None
        said = said or _reading(clause, words, last)
        if said is None:
            continue
        reading, length = said
        last = reading
        if match["none"]:
            reading = denied(reading, words)
        if _UNDER_A_CONDITION.match(match["rest"], length):
            continue
        of_all = match["all"] or match["none"] or match["others"]
        told = match["rest"] if of_all else match["rest"][:length]  # of all, an exception may follow
        torn = cut and match.end() + len(told.rstrip()) >= len(text.rstrip())
        span = (offset + match.start(), offset + match.end() + min(len(match["rest"]), 40))
        numbers = _numbers(match, count)
        if match["others"] and rows:
            named = {row.id for row in rows}
            numbers = [number for number in range(1, count + 1) if number not in named]
        if numbers is None:
            continue
        if of_all and not torn:
            exception = _EXCEPT.search(match["rest"])
            named_before = match["without"] is not None
            listed = match["without"] or (exception["list"] if exception and match["all"] else "")
            without = expand(listed) if listed else []
            before = text[max(0, match.start() - 40) : match.start() if named_before else match.end()]
            if without is None or amended or _ONLY.search(before):
                continue
            if (not without or named_before) and _ONLY.search(match["rest"]):
                continue
            rows += [Row(denied(reading, words), match["rest"], id=number, span=span) for number in without]
            numbers = [number for number in numbers if number not in without]
        reading = IssueCode.TRUNCATED if torn else reading
        rows += [Row(reading, match["rest"], id=number, span=span) for number in numbers]
    return rows


def _is_denied(text: str, match: re.Match[str], *, amended: bool) -> bool:
    """Whether the words around a clause make it none of the judge's: "not all statements are", "all but 2 are"."""
    sentence = text[max(0, match.start() - _FAR) : match.start()]
    before = sentence[max(map(sentence.rfind, _BREAKS)) + 1 :]
    if (
        _EXCEPTED.search(before)
        or (_LEFT_OUT.search(before) and not _PREDICATE.search(before))
        or _DENIED_THAT.search(before)
        or _THEY_SAY.search(before)
        or _THEY_SAID.search(match["rest"])
    ):
        return True
    if not amended and match["verb"].casefold().startswith(("must", "should", "ought", "has")):
        return True
    if not (match["all"] or match["none"]):
        return False
    if match["none"] and _DEGREE.search(match.group()):
        return True  # "none is fully supported": in part, some may be
    return _OPENING.fullmatch(before) is None or _EXCEPTION.search(match["rest"]) is not None


_FAR: Final = 240
"""Characters before a clause that are looked at."""
_BREAKS: Final = ".;:!?\n。！？；"
_EXCEPTED: Final = re.compile(
    r"\b(?:all|every\w*|each|none|nothing|any\w*)\s+(?:but|except|save|other\s+than|apart\s+from)\s+(?:for\s+)?(?:the\s+)?\Z",
    re.IGNORECASE,
)
_LEFT_OUT: Final = re.compile(
    r"\b(?:but|except|nor|neither|not|or|apart\s+from|other\s+than|save|unlike|without|instead\s+of|rather\s+than)\s+"
    r"(?:for\s+|only\s+)?(?:the\s+)?\Z",
    re.IGNORECASE,
)
_PREDICATE: Final = re.compile(r"\b(?:is|are|was|were|has|have|does|do|says?|gives?|names?|states?)\b", re.IGNORECASE)
"""With one of these before it, a \"but\" leads in to a sentence of its own."""
_DENIED_THAT: Final = re.compile(
    r"(?:\b(?:not|never|doubt|deny|cannot|false|untrue|wrong|incorrect|unclear|unlikely|unable|no)|n['’]t)\b"
    r"[^,\n]{0,60}\bthat\s*\Z",
    re.IGNORECASE,
)
_OTHERS_NAMES: Final = r"(?:candidate|assistant|author|response|answer|student|user|reviewer|judge)"
_THEY_SAY: Final = re.compile(
    rf"\b{_OTHERS_NAMES}\b[^,\n]{{0,40}}\b(?:says?|said|claims?|asserts?|argues?|states?|thinks?|believes?)\b[^,\n]{{0,20}}\Z",
    re.IGNORECASE,
)
_THEY_SAID: Final = re.compile(
    rf"\b(?:according\s+to|(?:says?|claims?|argues?|asserts?|states?))\s+the\s+{_OTHERS_NAMES}\b", re.IGNORECASE
)
_UNDER_A_CONDITION: Final = re.compile(r"\s*+,?\s*+(?:if|unless|provided|assuming|only\s+(?:if|when))\b", re.IGNORECASE)
_DEGREE: Final = re.compile(r"\b(?:fully|completely|entirely|wholly)\s*\Z", re.IGNORECASE)
_OPENING: Final = re.compile(
    r"(?:[\s\W]*(?:so|therefore|thus|hence|overall|accordingly|consequently|yes|no|in\s+(?:summary|conclusion|short|total)"
    r"|(?:i|we)\s+(?:find|conclude|think|believe)(?:\s+that)?|it\s+(?:follows|is\s+clear)\s+that|this\s+means(?:\s+that)?"
    r"|as\s+a\s+result|my\s+verdict\s+is\s+that|and|but|while|whereas|however|the\s+result\s+is\s+that)\b){0,4}[\s\W]*",
    re.IGNORECASE,
)
"""What a sentence about all of them may begin with, and still say it."""
_EXCEPTION: Final = re.compile(r"(?<!without )(?<!no )\bexceptions?\b", re.IGNORECASE)


def _of_others(match: re.Match[str], count: int) -> bool:
    """Whether a sentence speaks of another number of statements than was asked about: "both", "all three"."""
    named = (match["counted"] or match["nones"] or "").casefold()
    said = _TWO if match["neither"] or match["nor"] or match["both"] else COUNTS.get(named)
    if said is None and named.isdecimal():
        said = int(named)
    return said is not None and said != count


_TWO: Final = 2
COUNTS: Final = {
    word: number
    for number, word in enumerate("two three four five six seven eight nine ten eleven twelve".split(), start=_TWO)
}


def _clause_of(rest: str) -> str:
    """What is said, up to where something else is said of other statements."""
    stop = _ELSE.search(rest)
    return rest[: stop.start()] if stop else rest


_ELSE: Final = re.compile(
    rf"\s{{0,9}}+,?\s{{0,9}}+\b(?:(?:but|and|while|whereas|whilst|yet|though|although)\s+(?:(?:the\s+)?(?:{NOUN}\s*#?\s*\d|others\b"
    rf"|rest\b|other\b|remaining\b|(?:{'|'.join(ORDINALS)})\b))"
    rf"|(?:except|apart\s+from|other\s+than|save)\s+(?:for\s+)?(?:the\s+)?(?:{NOUN}\s*#?\s*)?\d)",
    re.IGNORECASE,
)


def _inferred(verb: str, clause: str, words: Vocabulary) -> tuple[Verdict | IssueCode, int] | None:
    """What "can be inferred from the context" and "are faithful to it" say; None where nothing of the kind is said."""
    match = _INFERRED.match(clause)
    if match is None:
        return None
    negated = verb.casefold().endswith(("not", "'t", "’t")) is not (match["not"] is not None)
    reading = words.word("not supported" if negated else "supported")
    return None if reading is None else (reading, match.end())


_INFERRED: Final = re.compile(
    r"(?:all\s+|both\s+)?(?P<not>not\s+)?(?:be\s+)?(?:(?:directly|logically|clearly|readily|easily|indeed)\s+){0,6}(?:be\s+)?"
    r"(?:inferred|deduced|derived|faithful\s+to)\b(?!\s*(?:only|in\s+part|partly|partially|but)\b)",
    re.IGNORECASE,
)


def _reading(rest: str, words: Vocabulary, last: Verdict | IssueCode | None) -> tuple[Verdict | IssueCode, int] | None:
    """What a clause says, and how many characters say it; None where it says nothing."""
    folded = fold(rest)
    lead = words.lead(folded)
    if lead is not None:
        return None if lead[0] is IssueCode.UNKNOWN_LABEL else lead
    if re.match(r"not(?=\s*(?:[.,;:!]|$|because|since|as\b))", folded) and last is not None:
        return denied(last, words), len("not")
    return None


def denied(reading: Verdict | IssueCode, words: Vocabulary) -> Verdict | IssueCode:
    """What "is not" says after "is supported": not supported. The opposite of anything else is not known."""
    if reading is words.word("supported"):
        return words.word("not supported") or IssueCode.UNKNOWN_LABEL
    return IssueCode.UNKNOWN_LABEL


def _numbers(match: re.Match[str], count: int) -> list[int] | None:
    if match["all"] or match["none"]:
        return list(range(1, count + 1))
    if match["others"]:
        return None
    if match["ordinals"]:
        return [
            ORDINALS[word.casefold()]
            for word in re.findall(r"[a-z]+", match["ordinals"], re.IGNORECASE)
            if word.casefold() in ORDINALS
        ]
    return expand(match["list"])


def expand(text: str) -> list[int] | None:
    """The numbers of a list with ranges; None where a range runs backwards."""
    numbers: list[int] = []
    for part in re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+|\s*[&+]\s*", text):
        ends = [int(digits) for digits in re.findall(r"\d{1,3}", part)]
        if len(ends) == 2:  # noqa: PLR2004 - a range has two ends
            if ends[0] > ends[1]:
                return None
            numbers += range(ends[0], ends[1] + 1)
        else:
            numbers += ends
    return numbers
