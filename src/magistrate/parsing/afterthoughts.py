"""What the judge says beside its answers: corrections count, contradictions void."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from magistrate.parsing.answers import Answer
from magistrate.parsing.conclusions import conclusion_of, drawn_at_the_end
from magistrate.parsing.decode.nodes import Span
from magistrate.parsing.envelope import Envelope
from magistrate.parsing.fields import clean
from magistrate.parsing.retold import calls_off, denies, retold
from magistrate.parsing.rows import Row
from magistrate.parsing.sentences import LIST, NOUN, expand, read_amendments
from magistrate.parsing.statement_index import Statements
from magistrate.parsing.tails import contrary, said_of_one, said_of_several
from magistrate.parsing.vocabulary import Vocabulary
from magistrate.parsing.voices import slips, withdraws
from magistrate.verdict import Issue, IssueCode, Repair, Verdict

__all__ = ["Case", "amend", "check_reasons", "mind_summaries"]

_NAMED: Final = re.compile(rf"(?<!\w){NOUN}\s*#?\s*(?P<list>{LIST})", re.IGNORECASE)
_ANY_NUMBER: Final = re.compile(r"(?<![\d.])(\d{1,4})(?![\d%])")
_TAIL: Final = 2_000
_STOP: Final = re.compile(r"[.!?。！？\n](?:(?<=\n)|\s)")
_WORDS_OF_A_SENTENCE: Final = 3


@dataclass(slots=True)
class Case:
    """What is known of each statement while the answers are heard."""

    rows: dict[int, list[Row]] = field(default_factory=dict)
    overruled: dict[int, str] = field(default_factory=dict)
    doubted: dict[int, str] = field(default_factory=dict)
    strangers: list[Row] = field(default_factory=list)
    issues: list[Issue] = field(default_factory=list)
    repairs: list[Repair] = field(default_factory=list)
    cut: bool = False
    open_end: bool = False


def amend(envelope: Envelope, answers: list[Answer], asked: Statements, words: Vocabulary, case: Case) -> None:
    """Hear what follows the answers: corrections count, contradictions void."""
    last = max(answer.end for answer in answers)
    tails = [
        (envelope.text[start:end], start)
        for first, stop in envelope.prose
        if stop > last
        for start, end in _ends(envelope.text, max(last, first), stop)
    ]
    notes = [note[:_TAIL] for answer in answers for note in answer.table.notes]
    tails += [(note, -1) for note in notes if withdraws(note) is True]
    for note in notes:
        if len(note.split()) >= _WORDS_OF_A_SENTENCE:
            _mind_tail(note, words, case, len(asked), alone=False)
    for text, offset in tails:
        taken_back = withdraws(text)
        for row in read_amendments(text, max(offset, 0), words, len(asked), ordered=asked.in_order):
            index = asked.by_id(row.id) if row.id is not None else None
            earlier = case.rows.get(index) if index is not None else None
            if index is None or not earlier or {one.reading for one in earlier} == {row.reading}:
                continue
            if not isinstance(row.reading, Verdict):
                continue
            if taken_back is False:
                case.doubted[index] = "the text after the list says otherwise"
            else:
                row.format, row.reason = earlier[0].format, None
                row.span = row.span if offset >= 0 else None
                case.rows[index] = [row]
                case.overruled[index] = "the judge corrected an earlier verdict"
        if slips(text) and not any(index in case.overruled or index in case.doubted for index in range(len(asked))):
            named = {int(number) - 1 for number in _ANY_NUMBER.findall(text)} & set(range(len(asked)))
            for index in (named or set(range(len(asked)))) & case.rows.keys():
                case.doubted[index] = "the judge says that something before was a slip"
        if taken_back is True and not any(index in case.overruled for index in range(len(asked))):
            for index in _named(text, len(asked)) or range(len(asked)):
                if index in case.rows:
                    case.doubted[index] = "the judge takes something back and does not say what instead"
        _mind_tail(text, words, case, len(asked), alone=answers[-1].structured)
    _mind_second_thoughts(envelope, answers[-1], words, case, several=len(asked) > 1)


def _mind_second_thoughts(envelope: Envelope, last: Answer, words: Vocabulary, case: Case, *, several: bool) -> None:
    """Doubt what a few words behind the answers put another in the place of, or call off."""
    text, end = envelope.text, last.end
    line_end = end
    if not last.structured:
        start, end = max((row.span for row in last.table.rows if row.span is not None), default=(end, end))
        line_end = text.find("\n", start, end) if several and "\n" in text[start:end] else end
    behind, below = (
        "\n".join(text[max(at, start) : stop] for start, stop in envelope.prose if stop > at) for at in (end, line_end)
    )
    told = {reading for value in retold(behind, several=several) if isinstance(reading := words.word(value), Verdict)}
    # What stands below the last item, without a gap, speaks of that item where it gives a verdict.
    off = calls_off(below)
    denied = denies(behind)
    for index, rows in case.rows.items() if told or off or denied else ():
        given = {row.reading for row in rows if isinstance(row.reading, Verdict)}
        otherwise = off or told - given or (denied and Verdict.SUPPORTED in given)
        if given and otherwise and index not in case.overruled:
            case.doubted.setdefault(index, "the judge says otherwise behind the answer")


def _ends(text: str, start: int, end: int) -> list[Span]:
    """The parts of what follows the answers that are heard: its beginning, and the sentences at its end."""
    if end - start <= _TAIL:
        return [(start, end)]
    sentence = _STOP.search(text, max(start + _TAIL, end - _TAIL), end)
    return [(start, start + _TAIL), *([(sentence.end(), end)] if sentence else [])]


def _named(text: str, count: int) -> set[int]:
    """The statements that a text names by number."""
    numbers = [number for match in _NAMED.finditer(text) for number in expand(match["list"]) or ()]
    return {number - 1 for number in numbers if 1 <= number <= count}


def _mind_tail(text: str, words: Vocabulary, case: Case, count: int, *, alone: bool) -> None:
    """Doubt what a sentence after the answers gives another verdict, in whatever words."""
    told = said_of_several(text, words, count)
    if count == 1 and alone:
        told[0] = {*told.get(0, ()), *said_of_one(text, words)}
    for index, readings in told.items():
        given = {row.reading for row in case.rows.get(index, []) if isinstance(row.reading, Verdict)}
        if given and index not in case.overruled and index not in case.doubted and contrary(readings, given, words):
            case.doubted[index] = "the text after the answer says otherwise"


def mind_summaries(summaries: Sequence[Row], case: Case) -> None:
    """A sentence that gives all statements one verdict contradicts a list that gives some of them another."""
    for row in summaries:
        index = row.id - 1 if isinstance(row.id, int) else -1
        said = {one.reading for one in case.rows.get(index, []) if isinstance(one.reading, Verdict)}
        if isinstance(row.reading, Verdict) and said - {row.reading} and index not in case.overruled:
            case.doubted[index] = "the text beside the list says otherwise of all statements"


def check_reasons(case: Case, words: Vocabulary, raw: str) -> None:
    """A reason that ends in another verdict than its row gives contradicts it."""
    for rows in case.rows.values():
        for row in rows:
            if not isinstance(row.reading, Verdict):
                continue
            reason = row.reason
            if reason is None and row.reason_span is not None:
                reason = clean(raw[slice(*row.reason_span)])
            label = conclusion_of(reason, words) if reason else None
            if not reason and row.source is None and row.span is not None:
                label = drawn_at_the_end(raw[slice(*row.span)], words)
            if label is not None and label is not row.reading:
                row.reading = IssueCode.CONFLICTING_VERDICTS
                row.issues = (*row.issues, Issue(IssueCode.REASON_CONTRADICTS, "its reason ends in another verdict"))
