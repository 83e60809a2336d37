"""Verdicts in a row: "Final verdict for each statement in order: Yes. No. Yes.", a line of words, a word a line."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from magistrate.parsing.item_wording import ITEM_HEAD, VERDICT_NAMES, Names, either
from magistrate.parsing.prose import DROPPED, ECHO, JSON, QUOTED, Line, Prose
from magistrate.parsing.rows import Row, Table
from magistrate.parsing.verdict_text import FIRST_ITEM, numbers_a_row
from magistrate.parsing.vocabulary import MARKS, Vocabulary, fold
from magistrate.verdict import IssueCode, Verdict

__all__ = ["MOST_LINES", "led_row", "read_bare", "read_final_lines", "read_inline", "read_words"]

_NAMES: Final = Names(VERDICT_NAMES)
_COLON: Final = re.compile(r"[:\uff1a]")
_SENTENCE_END: Final = re.compile(r"[.!?] |\u3002")
_LONGEST_HEAD: Final = 190
MOST_LINES: Final = 200
"""Announcing lines in one reply; a text with more is no answer."""
_ALL: Final = re.compile(
    r"\b(?:each|every|all|order|respectively|statements?|claims?|sentences|verdicts|answers|results|judge?ments|cada|todas?|orden|afirmaciones|veredictos|jede[rs]?|alle|reihenfolge|reihe|aussagen|urteile|behauptungen"
    r"|chaque|toutes?|tous|ordre|affirmations|verdicts|ogni|tutte|ordine|affermazioni|verdetti|ordem|afirmações|todos|vereditos|каждо\w+|порядк\w+|утверждени\w+|вердикты|क्रम|प्रत्येक|सभी|كل|جميع|بالترتيب|العبارات)\b"
    r"|每|各|依次|按顺序|順番|順に|それぞれ|순서|각|차례",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(
    r"(?:^|(?<=[\s,;(（，；、])|(?<=[^\W\d_][^\W\d_])|(?<=[^\x00-\x7f]))[#№]?(?P<number>\d{1,4})\s*[.):：\-–=、．）]{1,2}(?!\d)\s*"
)
_SPLIT: Final = re.compile(r"(?:[,;/|\n•·、，。；،؛।]|\.(?!\d))+|\s+(?:and|und|y|e|et|и|then)\s+|\s+[-–—>→]+\s+|->|→")
_SENTENCE: Final = re.compile(r"(?<=[.;。；!؛।])\s*|\n")
_TRIM: Final = " \t\r\n*_`\"'“”()[]{}<>" + DROPPED + ECHO + QUOTED + JSON
_DIGIT: Final = re.compile(r"\d")
_DIGITS_ONLY: Final = re.compile(r"[\d\s.,;|/*_`\"'()\[\]{}<>\u2022\u2192–—-]*")
_POINT: Final = re.compile(r"[.\u00b7\u066b]\d|(?:^|\s),\d")
"""A decimal point: it separates no two numbers."""
_HOLE: Final = re.compile(r",[ \t]*,|;[ \t]*;")
"""A place between two marks in which a word is missing."""
_BULLET: Final = re.compile(r"[ \t]*(?:[-*•+][ \t]+)?")


def read_final_lines(prose: Prose, words: Vocabulary, count: int, *, cut: bool) -> list[tuple[Table, int, int]]:
    """Read every line that announces the verdicts of all statements, with where its head begins and its list ends."""
    found: list[tuple[Table, int, int]] = []
    text = prose.text
    heads = work = last = 0
    for colon in _COLON.finditer(text):
        line = max(text.rfind("\n", 0, colon.start()) + 1, colon.start() - _LONGEST_HEAD)
        before, last = last, colon.end()
        begins = max(line, before)
        head_at = max((match.end() for match in _SENTENCE_END.finditer(text, begins, colon.start())), default=begins)
        if head_at == before > line:
            continue  # another colon stands in its head
        head = text[head_at : colon.start()]
        if _in_item(text[line : colon.start()]):
            continue  # in the middle of an item or a cell it is quoted
        if ":" in head or "\uff1a" in head or ECHO in head or not _NAMES.within(head):
            continue
        heads += 1
        if heads > MOST_LINES:
            return []
        every = _ALL.search(head) is not None
        end = text.find("\n", colon.end())
        rest, start = text[colon.end() : end if end >= 0 else len(text)], colon.end()
        work += len(rest)
        if work > max(2 * len(text), _LONGEST_INLINE):
            return []  # the same line is looked through again and again
        if rest.rstrip(_TRIM).endswith("|"):
            continue  # the rest of a cell that was broken over two lines
        if _lists_numbers(head, rest, words):
            continue
        if not every and (count == 1 or not _SPLIT.search(rest.strip(_TRIM + ".!"))):
            continue
        if not rest.strip(_TRIM):
            end = _paragraph_end(text, colon.end())
            rest, start = text[colon.end() : end], colon.end()
        table = _sequence(rest, start, words, count, cut=cut and not text[start + len(rest) :].strip(_TRIM))
        if table is not None and (len(table.rows) > 1 or every):
            if FIRST_ITEM.fullmatch(rest):  # the number of an item that says nothing yet, as well as a verdict
                table.rows[0].reading, table.cut = IssueCode.TRUNCATED, True
            table.format = "legacy-final"
            found.append((table, head_at, start + len(rest)))
    return found


def _lists_numbers(head: str, rest: str, words: Vocabulary) -> bool:
    """Whether a line gives the numbers of the statements of one verdict: "Supported: 1, 3"."""
    if not _DIGITS_ONLY.fullmatch(rest) or not isinstance(words.word(_COUNTED.sub("", head)), Verdict):
        return False
    numbers = [int(digits) for digits in re.findall(r"\d{1,4}", rest)]
    return len(set(numbers)) == len(numbers) and 0 not in numbers


_COUNTED: Final = re.compile(r"\s*\(\d{1,3}\)\s*$")


def _in_item(lead: str) -> bool:
    """Whether a line is an item or a row, with something else in it before what announces the verdicts."""
    item = _ITEM_HEAD.match(lead)
    return "|" in lead or (item is not None and _ANNOUNCES.match(lead, item.end()) is None)


_ITEM_HEAD: Final = re.compile(rf"[\s*_`>-]*+{ITEM_HEAD}", re.IGNORECASE)
_ANNOUNCES: Final = re.compile(
    rf"[\s*_`]*+(?:(?:the|my|final|overall|all|these)\s++){{0,6}}(?:{either(VERDICT_NAMES)})", re.IGNORECASE
)


def _paragraph_end(text: str, start: int) -> int:
    while start < len(text) and text[start] in " \t\r\n":
        start += 1
    end = text.find("\n\n", start)
    return len(text) if end < 0 else end


def read_words(text: str, words: Vocabulary) -> Table | None:
    """Read a text that holds the words of all statements and nothing else: "yes, no, yes", "1. yes 2. no"."""
    if len(text) > _LONGEST_INLINE:
        return None
    joined = " ".join(text.split("\n"))
    table = _enumerated(joined.strip(), 0, words, cut=False) or _pure(text, 0, words, cut=False)
    return table if table is not None and len(table.rows) > 1 else None


def read_bare(prose: Prose, words: Vocabulary, count: int, *, cut: bool) -> Table | None:
    """Read words that stand alone: one a line, or all of them on one line; what leads in to them is passed."""
    if count == 1 and FIRST_ITEM.fullmatch(prose.text):
        return None
    block: list[tuple[str, int]] = []
    blocks: list[list[tuple[str, int]]] = []
    other = figures = False
    stop, marked = -1, False
    for line in prose.lines():
        bullet = _BULLET.match(line.text)
        start = bullet.end() if bullet else 0
        body = line.text[start:].rstrip(" \t\r" + DROPPED)
        if not body.strip(_TRIM):
            continue
        if len(body) <= _LONGEST_LINE + 24 * count and not numbers_a_row(body) and _is_pure(body, words):
            block.append((body, line.start + start))
            stop, marked = line.start + len(line.text) + 1, start > 0
        else:
            other = True
            if block and line.start == stop and (start > 0) is marked and _LONE_WORD.fullmatch(body):
                return None  # a word that is none of the scale, in the row of those that are
            figures = figures or _DIGITS_ONLY.fullmatch(body) is not None
            if block:
                blocks.append(block)
                block = []
        if len(blocks) > 1 or len(block) > MOST_LINES + count:
            return None
    blocks += [block] if block else []
    if cut and blocks and not _touches_end(blocks[-1], prose):
        cut = False
    if len(blocks) != 1 and not cut:
        return None
    if not blocks or len(blocks) > 1:
        return None
    if count > 1 and len(blocks[0]) == 1 and _CHOICE.fullmatch(blocks[0][0][0]):
        return None  # the options, copied back, or an idiom
    table = _joined(blocks[0], words, cut=cut)
    if table is None or (other and len(table.rows) == 1) or _is_of_figures(table, blocks[0], beside=figures):
        return None
    table.format = "words"
    return table


_LONGEST_LINE: Final = 60
_LONE_WORD: Final = re.compile(r"(?!(?:done|end|finished|thanks|okay|ok)\b)[^\W\d_]{2,20}[.!]?", re.IGNORECASE)
_CHOICE: Final = re.compile(
    r"[\W_]*+[^\W\d]++(?:\s[^\W\d]++)?(?:\s*+/\s*+|\s+(?:and|or|und|oder|y|o|et|ou|e|и|или)\s+)[^\W\d]++(?:\s[^\W\d]++)?[\W_]*+"
)
"""Two words with a slash or a conjunction between them."""


def _is_of_figures(table: Table, block: list[tuple[str, int]], *, beside: bool) -> bool:
    """Whether lines are those of a table of figures, which are more than the 1 and 0 of verdicts: "1 5", "2 4"."""
    several = beside or (len(table.rows) > len(block) > 1)
    off = beside or not all(isinstance(row.reading, Verdict) for row in table.rows)
    return several and off and all(_DIGITS_ONLY.fullmatch(body) for body, _ in block)


def _is_pure(body: str, words: Vocabulary) -> bool:
    """Whether a line is words and separators and nothing else."""
    return _pure(body, 0, words, cut=False) is not None or words.word(body) is not None


def _touches_end(block: list[tuple[str, int]], prose: Prose) -> bool:
    body, start = block[-1]
    return not prose.text[start + len(body) :].strip(_TRIM)


def _joined(block: list[tuple[str, int]], words: Vocabulary, *, cut: bool) -> Table | None:
    rows: list[Row] = []
    for at, (body, start) in enumerate(block):
        last = cut and at == len(block) - 1
        table = _pure(body, start, words, cut=last)
        if table is None and not last:
            return None
        rows += table.rows if table is not None else []
    if not any(isinstance(row.reading, Verdict) for row in rows):
        return None
    return Table(rows, gap=len(rows) if cut else None, cut=cut)


def read_inline(prose: Prose, words: Vocabulary, *, cut: bool) -> tuple[Table, int, int] | None:
    """Read numbered words on one line, "1: yes, 2: no, 3: yes", with where they begin and end."""
    for line in prose.lines():
        if len(line.text) > _LONGEST_INLINE or _MAPS.search(line.text):
            continue
        plain = _counted(line, words)
        if plain is not None:
            return plain, line.start, line.end
        text = _BOXED.sub(r"(\1)", line.text)
        marks = [int(mark["number"]) for mark in _NUMBER.finditer(text)]
        if len(marks) < 2:  # noqa: PLR2004 - one is an item
            continue
        table = _enumerated(text.lstrip(" \t([（"), line.end - len(text.lstrip(" \t([（")), words, cut=cut)
        if table is None:
            continue
        in_turn = marks == list(range(marks[0], marks[0] + len(marks)))
        if (in_turn and all(isinstance(row.reading, Verdict) for row in table.rows)) or (
            len(table.rows) == len(marks) and all(_is_word(row, words) for row in table.rows)
        ):
            table.format = "numbered"
            return table, line.start, line.end
    return None


_LONGEST_INLINE: Final = 4_000
_MAPS: Final = re.compile(r"\d[ \t]{0,4}(?:[-=]>|[\u2192\u21d2])[ \t]{0,4}\d{1,4}[ \t]{0,4}[:=\uff1a]")
"""A number that leads to another one, which has the verdict: "1 -> 2: yes" is about either."""
_BOXED: Final = re.compile(r"(?<!\[)\[(\d{1,4})\](?!\])")


def _is_word(row: Row, words: Vocabulary) -> bool:
    """Whether a number is followed by one word, or by a word of the scale, and nothing else."""
    said = str(row.value or "")
    return len(said.split()) == 1 or words.word(said) is not None


_COUNTED_WORD: Final = re.compile(r"\s*(?P<number>\d{1,4})\s+(?P<word>[^\W\d][^\n,;.]{0,40})\s*(?:[,;.]|$)")


def _counted(line: Line, words: Vocabulary) -> Table | None:
    """A line of numbers and words with nothing between the two, all of them from the first on: "1 yes, 2 no"."""
    rows: list[Row] = []
    at = 0
    while at < len(line.text.rstrip(_TRIM)):
        match = _COUNTED_WORD.match(line.text, at)
        reading = words.word(match["word"]) if match else None
        if match is None or not isinstance(reading, Verdict) or int(match["number"]) != len(rows) + 1:
            return None
        span = (line.start + match.start("word"), line.start + match.end("word"))
        rows.append(Row(reading, match["word"], id=len(rows) + 1, span=span))
        at = match.end()
    return Table(rows, "numbered", orderly=False) if len(rows) > 1 else None


def _sequence(rest: str, start: int, words: Vocabulary, count: int, *, cut: bool) -> Table | None:
    return (
        _enumerated(rest, start, words, cut=cut)
        or _pure(rest, start, words, cut=cut)
        or _led(rest, start, words, count, cut=cut)
    )


def _enumerated(rest: str, start: int, words: Vocabulary, *, cut: bool) -> Table | None:
    """Items on one line: 1. Yes. 2. No. 3. Yes."""
    marks = _heads(list(_NUMBER.finditer(rest)), rest, words)
    if not marks or rest[: marks[0].start()].strip(_TRIM + ".,;:") or len(marks) > 5_000:  # noqa: PLR2004 - no list is as long
        return None
    rows = []
    for at, mark in enumerate(marks):
        end = marks[at + 1].start() if at + 1 < len(marks) else len(rest)
        body = rest[mark.end() : end]
        row = led_row(body, start + mark.end(), words)
        if row is None or (cut and end == len(rest) and not _ends(body)):
            if end == len(rest):
                break
            row = Row(IssueCode.UNKNOWN_LABEL, body.strip(), span=(start + mark.end(), start + end))
        row.id = int(mark["number"])
        rows.append(row)
    if not any(isinstance(row.reading, Verdict) for row in rows):
        return None
    return Table(rows, orderly=False, cut=len(rows) < len(marks))


def _heads(marks: list[re.Match[str]], rest: str, words: Vocabulary) -> list[re.Match[str]]:
    """The numbers of items: where these begin the lines, in turn, another number in a line is one of its reason.

    "2. yes - see page 4." has one item. A number that a word of the scale follows stays one wherever it stands.
    """
    if "\n" not in rest or len(marks) > MOST_LINES:
        return marks
    first = [not rest[rest.rfind("\n", 0, mark.start()) + 1 : mark.start()].strip(_TRIM) for mark in marks]
    numbers = [int(mark["number"]) for mark, begins in zip(marks, first, strict=True) if begins]
    lines = sum(1 for line in rest.split("\n") if line.strip(_TRIM))
    if not numbers or numbers != list(range(numbers[0], numbers[0] + lines)):
        return marks
    stops = [*(mark.start() for mark in marks[1:]), len(rest)]
    return [
        mark
        for mark, begins, stop in zip(marks, first, stops, strict=True)
        if begins or led_row(rest[mark.end() : stop], 0, words) is not None
    ]


def _ends(body: str) -> bool:
    """Whether a word is followed by something, so that it is all there."""
    return body.rstrip(" \t*_`").endswith((".", ",", ";", "!", ")", "。", "\n", "，", "；"))


def _pure(rest: str, start: int, words: Vocabulary, *, cut: bool) -> Table | None:
    """Words and separators, nothing else. Numbers among words are numbers of items, no verdicts."""
    if (_DIGIT.search(rest) and (_POINT.search(rest) or not _DIGITS_ONLY.fullmatch(rest))) or _HOLE.search(rest):
        return None
    rows: list[Row] = []
    spans, at = [], 0
    for mark in [*_SPLIT.finditer(rest), None]:
        end = mark.start() if mark else len(rest)
        piece = rest[at:end]
        if piece.strip(_TRIM + "!:"):
            spans.append((at, end))
        at = mark.end() if mark else end
    if len(spans) == 1 and len(rest.strip(_TRIM)) > 1 and words.word(rest[slice(*spans[0])]) is None:
        spans = _by_blanks(rest, words) or spans
    for position, (first, last) in enumerate(spans):
        reading = words.word(rest[first:last])
        final = position == len(spans) - 1
        if final and cut and not rest[last:].strip(_TRIM + (".)" if rest[first:last].strip(_TRIM).isdigit() else "")):
            return Table(rows, gap=len(rows), cut=True) if rows else None
        if reading is None:
            return None
        piece = rest[first:last].strip(_TRIM)
        begin = start + rest.index(piece, first) if piece else start + first
        rows.append(Row(reading, piece, span=(begin, begin + len(piece))))
    if not any(isinstance(row.reading, Verdict) for row in rows):
        return None
    return Table(rows, gap=len(rows) if cut else None, cut=cut)


_NAMES_IT: Final = frozenset(":=：")


def _by_blanks(rest: str, words: Vocabulary) -> list[tuple[int, int]] | None:
    """Words separated by blanks alone, where no two neighbours are one word together ("not supported")."""
    spans = [(match.start(), match.end()) for match in re.finditer(r"\S+", rest)]
    if any(rest[end - 1] in _NAMES_IT for _, end in spans[:-1]):
        return None  # "t: yes"
    if len(spans) == 1 and all(char in MARKS or char in "\ufe0f\ufe0e" for char in rest.strip()):
        spans = [(at, at + 1) for at, char in enumerate(rest) if char in MARKS]
    if len(spans) < 2 or any(words.word(rest[first:last]) is None for first, last in spans[:-1]):  # noqa: PLR2004
        return None
    if any(words.word(rest[left[0] : right[1]]) is not None for left, right in pairwise(spans)):
        return None
    if words.begins_another(rest[spans[-2][0] : spans[-1][1]]):
        return None  # "supported par": the two may be one word that was cut
    return spans


def _led(rest: str, start: int, words: Vocabulary, count: int, *, cut: bool) -> Table | None:
    """Sentences that begin with a word, as many as statements: No, it never says so. Yes."""
    lines = [line for line in rest.split("\n") if line.strip(_TRIM)]
    if "|" in rest or (len(lines) > 1 and any(led_row(line, 0, words, numbers=False) is None for line in lines)):
        return None  # a table, a list: each line is about one statement, wherever in it the word stands
    rows, at = [], 0
    for mark in [*_SENTENCE.finditer(rest), None]:
        end = mark.start() if mark else len(rest)
        row = led_row(rest[at:end], start + at, words, numbers=False) if rest[at:end].strip() else None
        if row is not None and not (cut and mark is None):
            rows.append(row)
        at = mark.end() if mark else end
    return Table(rows) if rows and len(rows) == count and not cut else None


def led_row(body: str, start: int, words: Vocabulary, *, numbers: bool = True) -> Row | None:
    """A row for the word with which a text begins; None where it begins with none."""
    lead = words.lead(fold(body), numbers=numbers)
    if lead is None:
        return None
    stripped = body.strip(_TRIM)
    at = start + body.index(stripped) if stripped else start
    return Row(lead[0], stripped, span=(at, at + len(stripped)))
