"""Data that quotes an answer without escaping it: read by its skeleton, not as it was mended.

A mended string may have been closed inside the quotation, and what stands behind it taken for the judge's own. So every
pair of a key and a value that the text holds counts as said, wherever it stands: a statement has the value that all
pairs about it give, or none.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from magistrate.parsing.decode.documents import Document
from magistrate.parsing.rows.candidate import Answer, Candidate, read_id
from magistrate.parsing.rows.fields import read_value
from magistrate.parsing.rows.labels import is_label_name
from magistrate.parsing.rows.scores import is_overall, is_score
from magistrate.parsing.switches import is_on
from magistrate.parsing.wording.keys import Role, role_of
from magistrate.parsing.wording.scales import Words
from magistrate.verdict import IssueCode, Verdict

_QUOTES: Final = "\"'\u201c\u201d\u2018\u2019`"
_KEY: Final = rf"(?P<key>[^{_QUOTES}\n:,{{}}\[\]]{{1,40}})[{_QUOTES}]\s{{0,9}}:\s{{0,9}}"
# Both begin with a set of characters: that is what makes the search fast.
_PAIR: Final = re.compile(
    rf"[{_QUOTES}](?<![\w\\].){_KEY}"
    rf"(?=[{_QUOTES}](?P<text>[^{_QUOTES}\n]{{0,80}})[{_QUOTES}]|(?P<bare>[-+]?[\w.]{{1,24}}))"
)
_OPENS: Final = rf"\{{(?=\s{{0,40}}[{_QUOTES}])"
_FIRST_ROW: Final = re.compile(rf"\s{{0,40}}(?:\[\s{{0,40}})?{_OPENS}")
_ROW: Final = re.compile(
    rf"[{{,}}{_QUOTES}](?:(?<=[{{,])\s{{0,40}}[{_QUOTES}]{_KEY}|(?<=[{_QUOTES}])\s{{0,9}}:\s{{0,40}}\[\s{{0,40}}"
    rf"|(?<=\}})\s{{0,40}},\s{{0,40}}){_OPENS}"
)
"""Where a row begins: the first of a list, behind another, under its id."""
_UNSAFE: Final = frozenset({"unescaped-quote"})
MOST_PAIRS: Final = 20_000


def is_suspect(document: Document, behind: str) -> bool:
    """Whether a document may hold a quotation that was not escaped: by its repairs, or by pairs that follow it."""
    if not is_on("rule:quoted-answer") or document.layer is not None:
        return False
    if any(code in _UNSAFE for code, _ in document.notes):
        return True
    stripped = behind.lstrip()
    return bool(stripped) and stripped[0] not in "{[`" and _PAIR.search(behind[:2_000].split("\n\n{", 1)[0]) is not None


def _pairs(text: str) -> list[re.Match[str]]:
    found = []
    for match in _PAIR.finditer(text):
        found.append(match)
        if len(found) > MOST_PAIRS:
            return []
    return found


def _value(pair: re.Match[str]) -> Any:
    if pair["text"] is not None:
        return pair["text"]
    bare = pair["bare"]
    constants = {"true": True, "false": False, "null": None}
    if bare in constants:
        return constants[bare]
    try:
        return int(bare) if bare.lstrip("+-").isdecimal() else float(bare)
    except ValueError:
        return bare


def reread(text: str, start: int, end: int, words: Words) -> Answer | None:
    """Read the rows of a text from its pairs; None where it has no skeleton that is known."""
    region = text[start:end]
    pairs = _pairs(region)
    ids = {key for key in {pair["key"] for pair in pairs} if isinstance(read_id(key), int)}
    flat = [pair for pair in pairs if pair["key"] in ids and _reading(pair, words) is not None] if ids else []
    first = _FIRST_ROW.match(region) if _ROW.match(region) is None else None
    begins = [
        *([(first.end(), None)] if first else []),
        *(
            (match.end(), read_id(match["key"]))
            for match in _ROW.finditer(region, first.end() if first else 0)
            if not match["key"] or isinstance(read_id(match["key"]), int)
        ),
    ]
    token = next((pair["text"] for pair in pairs[:1] if role_of(pair["key"]) is Role.TOKEN), None)
    if flat and _is_first(flat[0], pairs):
        answer = _flat(flat, start, words)
        answer.token = token
    elif begins:
        listed = _listed(pairs, begins, start, words)
        if listed is None:
            return None
        answer = listed
        answer.token = token
        loose = {int(read_id(pair["key"]) or 0): _reading(pair, words) for pair in flat}
        for at, row in enumerate(answer.rows, 1):  # "s3": "supported", quoted in the reason of another row
            about = row.id if isinstance(row.id, int) else at
            if loose.get(about, row.value) is not row.value:
                row.value = IssueCode.CONFLICTING_VERDICTS
    else:
        return None
    answer.start, answer.end = start, end
    return answer


def _is_first(pair: re.Match[str], pairs: list[re.Match[str]]) -> bool:
    """Whether ids are keys: no key names a verdict or an id before the first of them."""
    before = [one for one in pairs if one.start() < pair.start()]
    return not any(role_of(one["key"]) in {Role.VERDICT, Role.ID, Role.WEAK_VERDICT} for one in before)


def _reading(pair: re.Match[str], words: Words) -> Verdict | IssueCode | None:
    reading = read_value(_value(pair), words, pair["key"])
    return None if reading is IssueCode.UNKNOWN_LABEL else reading


def _flat(pairs: list[re.Match[str]], start: int, words: Words) -> Answer:
    """{"s1": "yes", "s2": "no"}: all that is said of an id, anywhere."""
    rows: dict[int, Candidate] = {}
    for pair in pairs:
        number, reading = read_id(pair["key"]), _reading(pair, words)
        if not isinstance(number, int):
            continue
        span = (start + pair.start(), start + pair.end())
        row = rows.setdefault(number, Candidate(reading, _value(pair), span=span, id=number))
        if row.value is not reading:
            row.value = IssueCode.CONFLICTING_VERDICTS
    return Answer(list(rows.values()), orderly=False)


def _listed(
    pairs: list[re.Match[str]], begins: list[tuple[int, int | str | None]], start: int, words: Words
) -> Answer | None:
    """[{"id": 1, "verdict": "yes"}, ...]: each row ends where the next begins; what it says twice must be the same."""
    rows: list[Candidate] = []
    voided: set[int] = set()
    bounds = [*(low for low, _ in begins), 1 << 60]
    at = 0
    for (low, key), high in zip(begins, bounds[1:], strict=True):
        row = Candidate(IssueCode.MISSING_VERDICT, id=key)
        said: set[Verdict | IssueCode] = set()
        while at < len(pairs) and pairs[at].start() < high:
            pair = pairs[at]
            at += 1
            if pair.start() < low - 1:
                continue
            role = role_of(pair["key"])
            if role is Role.ID:
                identity = read_id(_value(pair))
                if row.id is None and not said:
                    row.id = identity
                elif identity != row.id and isinstance(identity, int):
                    voided.add(identity)
            elif role in {Role.VERDICT, Role.WEAK_VERDICT}:
                reading = _reading(pair, words)
                if reading is not None:
                    said.add(reading)
                    row.span = row.span or (start + pair.start(), start + pair.end())
        if said:
            row.value = next(iter(said)) if len(said) == 1 else IssueCode.CONFLICTING_VERDICTS
        if said or row.id is not None:
            rows.append(row)
    if not any(isinstance(row.value, Verdict) for row in rows):
        return None
    for row in rows:
        if row.id in voided:
            row.value = IssueCode.CONFLICTING_VERDICTS
    return Answer(rows)


def verdicts_said(text: str, words: Words) -> set[Verdict]:
    """All verdicts that pairs of a text give, whatever their keys are called."""
    return {said for pair in _pairs(text) if isinstance(said := _reading(pair, words), Verdict)}


def values_said(text: str, kind: str, read: Callable[[Any], Any]) -> set[Any]:
    """All values that pairs of a text give under the names of a score or a label."""
    named = is_label_name if kind == "label" else (lambda key: is_score(key) or is_overall(key))
    found = {read(_value(pair)) for pair in _pairs(text) if named(pair["key"])}
    return found - {None}
