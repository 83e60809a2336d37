"""Every answer that a reply holds, in every format, each with the voice it is given in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from magistrate.parsing.alike import read_summaries
from magistrate.parsing.decode.documents import Document, decode_layers
from magistrate.parsing.decode.tags import read_markup
from magistrate.parsing.envelope import Envelope
from magistrate.parsing.fences import ends_open, fence_lines
from magistrate.parsing.leads import names_other_places, place_by_leads, place_by_words
from magistrate.parsing.legacy import TextAnswer, read_text
from magistrate.parsing.prose import Prose, mask
from magistrate.parsing.questions import (
    asks_the_contrary,
    heads_the_contrary,
    is_bare_answer,
    other_name,
    other_question,
    tells_another_order,
    turns_the_scale,
)
from magistrate.parsing.relisted import relists
from magistrate.parsing.rows import Row, Table
from magistrate.parsing.shape import Shaper
from magistrate.parsing.source import BLOCKED, CUT
from magistrate.parsing.statement_index import Statements
from magistrate.parsing.vocabulary import Vocabulary
from magistrate.parsing.voices import Voice, foreign, heads_anothers, voice_of, withdraws
from magistrate.verdict import IssueCode, Repair, Verdict

__all__ = ["Answer", "Found", "gather"]

_SHORTEST_QUOTE: Final = 12
_LONGEST_TAIL: Final = 200
MOST_KEYS: Final = 500
KEYS_PER_STATEMENT: Final = 4
"""Keys of an object that may be an answer: so many, and so many more for each statement."""


@dataclass(slots=True)
class Answer:
    """One answer in a reply.

    Args:
        table: Its rows.
        start: Where it begins.
        end: One past its last character.
        voice: Whose words it is.
        structured: Whether it is data (JSON, XML), not plain text.
        explicit: Whether it lists verdicts. Sentences are heard only where nothing else was found.
    """

    table: Table
    start: int
    end: int
    voice: Voice = Voice.JUDGE
    structured: bool = True
    explicit: bool = True


@dataclass(slots=True)
class Found:
    """All answers of a reply, in order, its plain text, and what that says of all statements at once."""

    answers: list[Answer]
    prose: Prose
    summaries: list[Row] = field(default_factory=list)


def gather(
    envelope: Envelope,
    words: Vocabulary,
    asked: Statements,
    *,
    end: str | None,
    contexts: Sequence[str] = (),
    own: bool = False,
) -> Found:
    """Find all answers in a reply.

    Args:
        envelope: The parts of the reply.
        words: The vocabulary of the scale.
        asked: The statements asked about.
        end: How the reply ended, as `source.ending` gives it.
        contexts: What the judge saw: what a reply repeats of it is no answer.
        own: Whether the statements are to be taken from the reply.
    """
    if envelope.overrun:
        return Found([], Prose(""))
    shaper = Shaper(words, asked.knows, decode_layers, MOST_KEYS + KEYS_PER_STATEMENT * len(asked))
    count = len(asked)
    untrusted = [*contexts, *asked.texts]
    _mind_tail(envelope, envelope.documents)
    inside = foreign(envelope)
    documents = [document for document in envelope.documents if document.start not in inside]
    answers = _documents(envelope, documents, shaper, untrusted)
    skip: list[tuple[int, int]] = []
    markup = read_markup(envelope.text, envelope.prose, documents) if _may_be_marked_up(envelope) else None
    if markup is not None:
        marked = _documents(envelope, [markup], shaper, untrusted, form="xml")
        for answer in marked if count > 1 else ():
            _place_elements(answer, envelope, asked)
        answers += marked
        skip = [(markup.start, markup.end)] if marked else []
    prose = mask(envelope, asked.texts, skip=skip, ordered=asked.in_order)
    if count:
        cut, beside_data = end in {CUT, BLOCKED}, bool(answers)
        for text in read_text(prose, words, count, cut=cut, unclosed=_is_unclosed(envelope)):
            _mind_repeated(text.table, envelope.text, asked.texts)
            if _counts(text, count, beside_data=beside_data) and not _repeats(
                envelope.text[text.start : text.end], untrusted
            ):
                answers.append(Answer(text.table, text.start, text.end, structured=False, explicit=text.explicit))
                for row in text.table.rows:
                    row.format = text.table.format
    if any(answer.explicit for answer in answers):
        answers = [answer for answer in answers if answer.explicit]
    answers.sort(key=lambda answer: answer.start)
    _mind_questions(envelope, answers, prose, asked)
    _hear(envelope, answers)
    found = Found(_lines(envelope.text, answers, count, prose, own=own), prose)
    if count > 1 and any(answer.explicit for answer in answers) and withdraws(prose.text) is False:
        found.summaries = _summaries(envelope, found, words, count)
    return found


def _mind_questions(envelope: Envelope, answers: list[Answer], prose: Prose, asked: Statements) -> None:
    """Leave plain answers to another question without a verdict."""
    turned = turns_the_scale(prose.text)
    for answer in answers:
        for row in answer.table.rows if answer.structured else ():
            named = any(isinstance(key, str) and asks_the_contrary(key) for key in row.path)
            if named and is_bare_answer(row.value) and not _is_object(row):
                row.reading = IssueCode.CONFLICTING_VERDICTS
        if answer.structured and len(asked) > 1:
            _mind_places(answer.table.rows)
        before = envelope.text[max(0, answer.start - _QUESTION) : answer.start]
        if (
            turned
            or any(turns_the_scale(note[:_QUESTION]) for note in answer.table.notes)
            or heads_the_contrary(before)
            or (
                len(asked) == 1
                and not answer.structured
                and (other_question(before, asked.texts[0]) or other_name(before, asked.texts[0]))
            )
        ):
            for row in answer.table.rows:
                if isinstance(row.reading, Verdict) and is_bare_answer(row.value):
                    row.reading = IssueCode.CONFLICTING_VERDICTS
    for answer in answers if len(asked) > 1 else ():
        place_by_words(answer.table.rows, envelope.text, asked.texts)
    bare = [row for answer in answers for row in answer.table.rows if row.echo is None and row.echo_index is None]
    if len(asked) > 1 and bare and relists(envelope.documents, prose, asked):
        for row in bare:
            row.reading = IssueCode.CONFLICTING_VERDICTS if isinstance(row.reading, Verdict) else row.reading
    beside = [note for answer in answers for note in answer.table.notes if len(note) <= _QUESTION]
    orders = [tells_another_order(text) for text in (prose.text, *beside)] if len(asked) > 1 else []
    order = max((one for one in orders if one), key=len, default=None)
    for row in (row for answer in answers for row in answer.table.rows) if order else ():
        by_place = row.id is None and row.echo is None and row.echo_index is None
        if isinstance(row.reading, Verdict) and (by_place or order == "numbers"):
            row.reading = IssueCode.CONFLICTING_VERDICTS


def _mind_places(rows: Sequence[Row]) -> None:
    """Leave rows without a verdict that stand by their place where the reply gives them other places."""
    sources = {id(row.source): row.source for row in rows if row.source is not None and row.source.inner is None}
    told = {key for key, source in sources.items() if names_other_places(source)}
    for row in rows if told else ():
        by_place = row.id is None and row.echo is None and row.echo_index is None
        if by_place and id(row.source) in told and isinstance(row.reading, Verdict):
            row.reading = IssueCode.CONFLICTING_VERDICTS


_QUESTION: Final = 400


def _is_object(row: Row) -> bool:
    """Whether a row is an object, whose own keys say what is asked; a bare element has only the key of its list."""
    value = None if row.source is None else row.source.value
    for step in row.path:
        if not isinstance(value, dict | list):
            return True  # JSON in a string
        value = value.get(str(step)) if isinstance(value, dict) else value[int(step)]
    return isinstance(value, dict)


def _place_elements(answer: Answer, envelope: Envelope, asked: Statements) -> None:
    """Elements that stand among words are about the statements that these name."""
    rows = answer.table.rows
    if any(row.id is not None or row.echo is not None or row.source is None for row in rows):
        return
    spans = [row.source.locate(row.path) for row in rows if row.source is not None]
    if len(spans) < 2 or spans != sorted(spans):  # noqa: PLR2004 - one has no place among others
        return
    if not place_by_leads(rows, spans, mask(envelope, asked.texts, ordered=asked.in_order)):
        answer.table.orderly = False


def _may_be_marked_up(envelope: Envelope) -> bool:
    """Whether there may be elements that hold verdicts; a table is read as one."""
    return "<" in envelope.text and bool(envelope.prose) and _HTML_TABLE.search(envelope.text) is None


_HTML_TABLE: Final = re.compile(r"<table\b[^<>]{0,200}>", re.IGNORECASE)


def _summaries(envelope: Envelope, found: Found, words: Vocabulary, count: int) -> list[Row]:
    """What the judge says of all statements at once, before its answers or after them."""
    heard = [answer for answer in found.answers if answer.voice is Voice.JUDGE]
    if not heard:
        return []
    prose = found.prose
    start, end = min(answer.start for answer in heard), max(answer.end for answer in heard)
    rows = read_summaries(prose.text, prose.inside(start), prose.inside(end), words, count)
    for row in rows:
        row.span = None if row.span is None else prose.span(*row.span)
    return [row for row in rows if row.span and voice_of(envelope.text, *row.span) is Voice.JUDGE]


def _is_unclosed(envelope: Envelope) -> bool:
    """Whether the text ends inside a fence, in the middle of a line: it may have been cut there."""
    text = envelope.text
    if ("```" not in text and "~~~" not in text) or not text or text[-1].isspace():
        return False
    fences = fence_lines(text, envelope.prose)
    return ends_open(fences) and fences[-1].end() < len(text)


def _mind_repeated(table: Table, text: str, statements: Sequence[str]) -> None:
    """Distrust a word at the end of a text that stands in a statement which is repeated up to there: it may go on."""
    last = len(text.rstrip())
    line = text[max(text.rfind("\n", 0, last) + 1, last - _LONGEST_LINE) : last]
    for row in table.rows:
        value = str(row.value or "").strip()
        if not value or row.span is None or row.span[1] < last or not line.endswith(value):
            continue
        for statement in statements:
            begun = line.rfind(statement[:_SHORTEST_HEAD])
            if 0 <= begun < len(line) - len(value) and statement.startswith(line[begun:]) and statement != line[begun:]:
                row.reading, table.cut = IssueCode.TRUNCATED, True


_LONGEST_LINE: Final = 2_000
_SHORTEST_HEAD: Final = 6


def _documents(
    envelope: Envelope, documents: Iterable[Document], shaper: Shaper, untrusted: Sequence[str], form: str = "json"
) -> list[Answer]:
    answers = []
    for document in documents:
        if untrusted and _repeats(envelope.text[document.start : document.end], untrusted):
            continue
        for table in shaper.tables(document.value):
            table.format = form if form != "json" or not document.notes else "repaired-json"
            table.repairs = document.repairs
            table.cut = table.cut or document.cut
            for row in table.rows:
                row.source, row.format = document, table.format
            answers.append(Answer(table, document.start, document.end))
    return answers


_TAIL: Final = re.compile(r"[\s.,;:\"'`)]*[\]}][\s.,;:\"'`)\]}]*\Z")


def _mind_tail(envelope: Envelope, documents: Sequence[Document]) -> None:
    """Note closing brackets left over after an answer: they say nothing, but the reply is not what it seems."""
    if documents:
        last = documents[-1]
        match = _TAIL.match(envelope.text, last.end) if len(envelope.text) - last.end <= _LONGEST_TAIL else None
        if match is not None:
            last.notes = [*last.notes, ("stray-tail", last.end)]


def _repeats(text: str, untrusted: Sequence[str]) -> bool:
    """Whether a text stands word for word in what the judge was given."""
    text = text.strip()
    return len(text) >= _SHORTEST_QUOTE and any(text in given for given in untrusted)


def _counts(text: TextAnswer, count: int, *, beside_data: bool) -> bool:
    """Whether a text answer is heard: beside data only a list, one that speaks of more than half of the statements."""
    if not beside_data:
        return True
    said = sum(isinstance(row.reading, Verdict) for row in text.table.rows)
    return text.explicit and text.table.format != "text" and 2 * said > count


def _hear(envelope: Envelope, answers: list[Answer]) -> None:
    """Tell whose words each answer is."""
    floor = 0
    for at, answer in enumerate(answers):
        ceiling = answers[at + 1].start if at + 1 < len(answers) else len(envelope.text)
        answer.voice = voice_of(
            envelope.text,
            answer.start,
            answer.end,
            min(max(floor, envelope.lead_from(answer.start)), answer.start),
            max(ceiling, answer.end),
        )
        if not answer.structured and heads_anothers(envelope.text[answer.start : answer.end]):
            answer.voice = Voice.FOREIGN
        floor = max(floor, answer.end)


_LONGEST_KEY: Final = 100
_KEY: Final = re.compile(r"[\"'][^\"'\n]{1,80}[\"']\s*[:：=]\s*,?\s*\Z")
"""A key before a loose object: it belonged to a map, so that its place says nothing."""
_PIECES: Final = re.compile(r"(?:\s|\\[nrt])*,(?:\s|\\[nrt])*")
"""What stands between the elements of a list; between loose objects it shows that the list is broken."""


def _lines(text: str, answers: list[Answer], count: int, prose: Prose, *, own: bool) -> list[Answer]:
    """Put single rows that stand apart (JSON Lines, one object a statement) together to the one answer they are."""
    single = [
        answer
        for answer in answers
        if answer.structured
        and len(answer.table.rows) == 1
        and answer.voice is Voice.JUDGE
        and not answer.table.orderly
    ]
    if len(single) < 2 or (count == 1 and not own):  # noqa: PLR2004 - nothing to put together
        return answers
    rows = [row for answer in single for row in answer.table.rows]
    first = single[0]
    placed = any(row.id is not None or row.echo is not None for row in rows)
    if not placed and not own:
        in_place = place_by_leads(rows, [(answer.start, answer.end) for answer in single], prose)
        placed = not in_place
    keyed = any(_KEY.search(text, max(0, answer.start - _LONGEST_KEY), answer.start) for answer in single)
    table = Table(
        rows,
        first.table.format,
        orderly=not placed and not keyed,
        token=next((answer.table.token for answer in single if answer.table.token), None),
        repairs=tuple(repair for answer in single for repair in answer.table.repairs),
        cut=any(answer.table.cut for answer in single),
        notes=[note for answer in single for note in answer.table.notes],
    )
    table.repairs += tuple(
        Repair("missing-comma", later.start) for earlier, later in pairwise(single) if earlier.end == later.start
    )
    broken = next((one.end for one, other in pairwise(single) if _PIECES.fullmatch(text, one.end, other.start)), None)
    if broken is not None and not table.repairs:
        table.repairs = (Repair("missing-bracket", broken),)
    together = {id(answer) for answer in single}
    rest = [answer for answer in answers if id(answer) not in together]
    return sorted([*rest, Answer(table, first.start, single[-1].end)], key=lambda answer: answer.start)
