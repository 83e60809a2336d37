"""Answers in plain text: every reader of text formats, in the order in which they are asked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from magistrate.parsing.alike import read_alike
from magistrate.parsing.counters import in_figures
from magistrate.parsing.grid import read_grids
from magistrate.parsing.headed import read_headed
from magistrate.parsing.items import read_items
from magistrate.parsing.keys import asks_support
from magistrate.parsing.label_lines import read_labels
from magistrate.parsing.leads import MOST_LOOKED_AT
from magistrate.parsing.prose import DROPPED, JSON, Prose
from magistrate.parsing.rows import Row, Table
from magistrate.parsing.sentences import read_groups, read_sentences
from magistrate.parsing.sequence import read_bare, read_final_lines, read_inline
from magistrate.parsing.verdict_text import judge_text, lead_in
from magistrate.parsing.vocabulary import Vocabulary
from magistrate.parsing.voices import Voice, voice_of, withdraws
from magistrate.verdict import Issue, IssueCode, Repair, Verdict

__all__ = ["TextAnswer", "read_text"]


@dataclass(slots=True)
class TextAnswer:
    """One answer found in plain text.

    Args:
        table: Its rows.
        start: Where it begins.
        end: Where it ends.
        explicit: Whether it is a list of verdicts. Sentences count only where nothing else was found.
    """

    table: Table
    start: int
    end: int
    explicit: bool = True


def read_text(prose: Prose, words: Vocabulary, count: int, *, cut: bool, unclosed: bool = False) -> list[TextAnswer]:
    """Read all answers in a text.

    Args:
        prose: The masked text.
        words: The vocabulary of the scale.
        count: How many statements were asked about.
        cut: Whether the text was cut off: then a word that touches its end is not trusted.
        unclosed: Whether it may have been: then a word at its end that may be the beginning of another is not.
    """
    if prose.overlong or not prose.text.strip(" \t\r\n" + JSON):
        return []
    answers = _answers(prose, words, count, cut=cut)
    for answer in answers if unclosed and not cut else ():
        _doubt_end(answer.table, prose, words)
    for answer in answers:
        for row in answer.table.rows:
            row.span = None if row.span is None else prose.span(*row.span)
            row.reason_span = None if row.reason_span is None else prose.span(*row.reason_span)
            row.repairs = tuple(Repair(repair.code, prose.place(repair.offset)) for repair in row.repairs)
        answer.start, answer.end = prose.span(answer.start, answer.end)
        answer.table.repairs = tuple(repair for row in answer.table.rows for repair in row.repairs)
    return answers


def _answers(prose: Prose, words: Vocabulary, count: int, *, cut: bool) -> list[TextAnswer]:
    answers: list[TextAnswer] = []
    masked = Prose(
        in_figures(prose.text, words, count) if prose.ordered else prose.text,
        prose.echoes,
        prose.language,
        ordered=prose.ordered,
    )
    for table, start, end in read_final_lines(masked, words, count, cut=cut):
        if voice_of(masked.text, start, end) is Voice.JUDGE:
            answers.append(TextAnswer(table, start, end))
        masked.text = _blanked(masked.text, start, end)
    for grid, start, end in read_grids(masked, words, count):
        if grid is not None:
            _distrust_end(grid, masked, cut=cut)
            answers.append(TextAnswer(grid, *_span(grid, masked)))
        masked.text = _blanked(masked.text, start, end)
    headed = read_headed(masked, words, count) if count > 1 else None
    if headed is not None:
        listed, start, end = headed
        answers += [] if listed is None else [TextAnswer(listed, start, end)]
        masked.text = _blanked(masked.text, start, end)
    inline = read_inline(masked, words, cut=cut) if count > 1 else None
    if inline is not None:
        table, start, end = inline
        answers.append(TextAnswer(table, start, end))
        masked.text = _blanked(masked.text, start, end)
    withdrawn = _withdrawn(masked, words, count) if count > 1 else None
    answers += [] if withdrawn is None else [withdrawn]
    items = read_items(masked, words, count)
    step = None
    unread = items is not None and any(row.reading is IssueCode.UNKNOWN_LABEL for row in items.rows)
    if items is not None and count == 1 and not unread and not _is_all(items, masked) and not _is_list(items, masked):
        step, items = items, None  # a step of an argument, a repeated statement: the text as a whole says more
    if items is not None:
        _distrust_end(items, masked, cut=cut)
        answers.append(TextAnswer(items, *_span(items, masked)))
    unlike = _unlike(masked, words) if not answers and count == 1 else None
    if unlike is not None:
        return [unlike]
    if not answers:
        bare = read_bare(masked, words, count, cut=cut) or (read_labels(masked, words, count) if count > 1 else None)
        if bare is not None and bare.format == "key-value":
            _distrust_end(bare, masked, cut=cut)
        if bare is not None and (count > 1 or len(bare.rows) == 1):
            answers.append(TextAnswer(bare, *_span(bare, masked)))
    if count == 1 and items is None:
        single = _single(masked, words, cut=cut)
        if step is not None and len(step.rows) == 1 and (single is None or _only_there(single, step)):
            single = step
            _distrust_end(step, masked, cut=cut)
        if single is not None and _is_against(single, step, masked, words, cut=cut):
            single.rows[0].reading = IssueCode.CONFLICTING_VERDICTS
        if single is not None:
            answers.append(TextAnswer(single, *_span(single, masked)))
    for answer in answers if count > 1 and masked.echoes else ():
        _place(answer.table.rows, masked)
    return answers or _summed_up(masked, words, count, cut=cut)


def _place(rows: list[Row], prose: Prose) -> None:
    """Give rows without a number the statement that their line repeats, where each repeats another one."""
    if any(row.id is not None or row.echo_index is not None or row.span is None for row in rows):
        return
    if len(rows) * len(prose.echoes) > MOST_LOOKED_AT:
        return
    starts = [prose.text.rfind("\n", 0, row.span[0]) + 1 for row in rows if row.span is not None]
    stops = [(prose.text.find("\n", start) + 1 or len(prose.text) + 1) - 1 for start in starts]
    told = [
        [index for at, index in prose.echoes.items() if start <= at < stop]
        for start, stop in zip(starts, stops, strict=True)
    ]
    if (
        len(set(starts)) == len(rows)
        and all(len(one) == 1 for one in told)
        and len({one[0] for one in told}) == len(rows)
    ):
        for row, one in zip(rows, told, strict=True):
            row.echo_index = one[0]


def _summed_up(prose: Prose, words: Vocabulary, count: int, *, cut: bool) -> list[TextAnswer]:
    """What sentences say of the statements, by number or of all of them: heard where nothing else was found."""
    groups = read_groups(prose, words, count) if count > 1 else None
    table = groups or (read_alike(prose, words, count, cut=cut) if count > 1 else None)
    table = table or read_sentences(prose, words, count, cut=cut)
    if table is None:
        return []
    if table is groups:
        _distrust_end(table, prose, cut=cut)
    return [TextAnswer(table, *_span(table, prose), explicit=table is groups)]


def _blanked(text: str, start: int, end: int) -> str:
    return text[:start] + "\n" + DROPPED * (end - start - 1) + text[end:] if end > start else text


def _is_all(items: Table, prose: Prose) -> bool:
    """Whether the text is one item with a verdict and nothing before it but a line that leads in to it."""
    row = items.rows[0]
    if len(items.rows) != 1 or not isinstance(row.reading, Verdict) or row.span is None:
        return False
    return not prose.text[lead_in(prose.text) : row.span[0]].strip(" \t\r\n" + DROPPED)


def _only_there(single: Table, step: Table) -> bool:
    """Whether the one verdict of a text stands within an item that contradicts itself: "1. no - Verdict: yes"."""
    said, item = single.rows[0].span, step.rows[0].span
    if step.rows[0].reading is not IssueCode.CONFLICTING_VERDICTS or said is None or item is None:
        return False
    return item[0] <= said[0] and said[1] <= item[1]


def _is_against(single: Table, step: Table | None, prose: Prose, words: Vocabulary, *, cut: bool) -> bool:
    """Whether a text about the one statement holds a list of several verdicts, the first of which is another."""
    inline = read_inline(prose, words, cut=cut)
    listed = step if step is not None and len(step.rows) > 1 else inline[0] if inline is not None else None
    if listed is None or [row.id for row in listed.rows] != list(range(1, len(listed.rows) + 1)):
        return False
    if not all(
        isinstance(row.reading, Verdict) and words.word(str(row.value or "")) is not None for row in listed.rows
    ):
        return False
    return listed.rows[0].reading is not single.rows[0].reading


def _unlike(prose: Prose, words: Vocabulary) -> TextAnswer | None:
    """Several lone words for one statement that do not agree; None where there are none."""
    lone = read_bare(prose, words, 1, cut=False)
    if lone is None or len({row.reading for row in lone.rows}) < 2:  # noqa: PLR2004 - one word, or the same again
        return None
    if len(lone.rows) == 2 and asks_support(str(lone.rows[0].value).rstrip("*_` ").removesuffix("?")):  # noqa: PLR2004
        return None  # a question of one word and its answer
    span = _span(lone, prose)
    row = Row(IssueCode.CONFLICTING_VERDICTS, prose.text[slice(*span)], span=span)
    return TextAnswer(Table([row], "words"), *span)


def _withdrawn(prose: Prose, words: Vocabulary, count: int) -> TextAnswer | None:
    """The first of two lists between which the judge takes it back, and blank it out; None where there are none."""
    withdrawal = _withdrawal(prose)
    if withdrawal is None:
        return None
    start, stop = withdrawal
    earlier = Prose(prose.text[:start], prose.echoes, prose.language)
    table = read_items(earlier, words, count)
    if table is None:
        return None
    prose.text = _blanked(prose.text, 0, stop)
    return TextAnswer(table, *_span(table, earlier))


def _withdrawal(prose: Prose) -> tuple[int, int] | None:
    """Where words stand that take back the list before them, and another one follows; None where there are none."""
    if withdraws(prose.text) is not True:
        return None
    started, start, stop = False, None, 0
    for line in prose.lines():
        if _FIRST.match(line.text):
            if start is not None:
                return start, stop
            started = True
        elif started and withdraws(line.text) is True:
            start, stop = line.start if start is None else start, line.end
    return None


_FIRST: Final = re.compile(r"[\s*_`-]*[(\[#]?1[)\].:]")


def _is_list(items: Table, prose: Prose) -> bool:
    """Whether the text is a list of verdicts, more of them than were asked for; the last may have been cut off."""
    ids = [row.id for row in items.rows]
    if len(ids) < 2 or not isinstance(ids[0], int) or ids != list(range(ids[0], ids[0] + len(ids))):  # noqa: PLR2004
        return False
    if not all(isinstance(row.reading, Verdict) for row in items.rows[:-1]):
        return False
    first = items.rows[0].span
    before = prose.text[: first[0]].strip(" \t\r\n" + DROPPED) if first is not None else "-"
    return not before or ("\n" not in before and before[-1] in ":：" and len(before) <= _LONGEST_LEAD)


_LONGEST_LEAD: Final = 200


def _single(prose: Prose, words: Vocabulary, *, cut: bool) -> Table | None:
    """The whole text as one about the one statement."""
    said, taken_back = judge_text(prose.text, 0, words, whole=True)
    if said is None:
        return None
    if cut and not prose.text[said.span[1] :].strip(" \t\r\n*_`\"')]}" + DROPPED) and said.how != "closing":
        return None
    row = Row(said.reading, prose.text[said.span[0] : said.span[1]], span=said.span)
    if cut and str(row.value).strip().isdigit() and not prose.text[said.span[1] :].strip(" \t\r\n*_`\"').:]" + DROPPED):
        return None  # a number and a stop: it may be that of an item
    if taken_back:
        row.issues = (Issue(IssueCode.CONFLICTING_VERDICTS, "the judge took back an earlier verdict"),)
    table = Table([row], "label" if said.how == "labelled" else "text")
    _distrust_end(table, prose, cut=cut)
    return table


def _distrust_end(table: Table, prose: Prose, *, cut: bool) -> None:
    """In a cut text a word that touches the end may be the beginning of another."""
    if not cut:
        return
    last = len(prose.text.rstrip(" \t\r\n" + DROPPED))
    for row in table.rows:
        if (
            row.span is not None
            and row.span[1] >= last
            and isinstance(row.reading, Verdict)
            and _touches(row, prose.text, last)
        ):
            row.reading = IssueCode.TRUNCATED
            table.cut = True


def _doubt_end(table: Table, prose: Prose, words: Vocabulary) -> None:
    """In a text that may have been cut, a word at the end counts only where no other word begins with it."""
    last = len(prose.text.rstrip(" \t\r\n" + DROPPED))
    for row in table.rows:
        at_end = row.span is not None and row.span[1] >= last and isinstance(row.reading, Verdict)
        if at_end and _touches(row, prose.text, last) and words.begins_another(str(row.value or "")):
            row.reading = IssueCode.TRUNCATED
            table.cut = True


def _touches(row: Row, text: str, last: int) -> bool:
    value = str(row.value or "").strip()
    return not value or text[:last].endswith(value)


def _span(table: Table, prose: Prose) -> tuple[int, int]:
    spans = [row.span for row in table.rows if row.span is not None]
    if not spans:
        return 0, len(prose.text)
    return min(span[0] for span in spans), max(span[1] for span in spans)
