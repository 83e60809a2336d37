"""Plain text with one item per statement: numbered lines, labelled lines, key and value lines, repeated statements."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from magistrate.parsing.item_heads import (
    gives_figure,
    is_lone_word,
    is_sentence,
    leads_in,
    leads_on,
    leads_to_another,
    of_another,
    verdict_before,
    words_before,
)
from magistrate.parsing.item_text import echo_alone, joined, without_others
from magistrate.parsing.item_wording import ITEM_NAMES, REASON_NAMES, either
from magistrate.parsing.prose import DROPPED, ECHO, Line, Prose
from magistrate.parsing.rows import Row, Table
from magistrate.parsing.sentences import LIST, expand
from magistrate.parsing.tails import contrary, said_of_several, speaks_of_statements
from magistrate.parsing.verdict_text import judge_text
from magistrate.parsing.vocabulary import MARKS, Vocabulary
from magistrate.parsing.voices import corrects_by_number, slips, takes_all_back, withdraws
from magistrate.verdict import Issue, IssueCode, Repair, Verdict

__all__ = ["read_items"]

_DECORATION: Final = r"[*_`\"'“(\[#>（【［]"
_NUMBERED: Final = re.compile(
    rf"[ \t]*+(?P<dash>[-*•+][ \t]++)?+{_DECORATION}{{0,6}}\s*+(?P<name>(?:{either(ITEM_NAMES)})\s*+[_ ]?(?:id|number"
    rf"|no|nr)?\.?[*_`\"']{{0,3}}\s*+[:：#=.-]?\s*+)?"
    rf"{_DECORATION}{{0,3}}[#№第]?\s*+(?P<number>\d{{1,4}})(?:번|番|条|项)?[*_`\"'”]{{0,4}}"
    r"(?P<sign>[)\]）】]{1,2}[*_`\"'”]{0,3}[ \t]*(?:[.:：\-–—=]|->|→)?[*_]{0,3}"
    r"|[ \t]*(?:[.](?!\d)|[:：、．，]|->|=>|→|⇒|>{2,3}|[-–—=|](?!\d))[-*_`\"')\]:：]{0,4}|[ \t]*,?[ \t]*$|[ "
    r"\t]*(?=\()|[ \t]+"
    r"|(?=[*_]))",
    re.IGNORECASE,
)
_SHORT_ID: Final = re.compile(
    rf"[ \t\x00]*(?:[-*•+][ "
    rf"\t]+)?{_DECORATION}{{0,6}}[sScCqQ](?P<number>\d{{1,4}})[*_`\"'”)\]]{{0,4}}\s*(?P<sign>[:：.)=]|->|→|[-–—"
    rf"|](?=\s)|(?<=[)\]])(?=\s)|\s*$)[*_`]{{0,3}}"
)
_REPEATED: Final = re.compile(
    rf"[ \t\x00]*+(?P<head>[^\w{ECHO}\n]{{0,12}}(?:(?:{either(ITEM_NAMES)})[*_`]{{0,3}}\s*+[:：]?\s*+)?"
    rf"[^\w{ECHO}\n]{{0,6}}){ECHO}",
    re.IGNORECASE,
)
_TICKED: Final = re.compile(
    rf"[ \t]*(?:[-*•+][ \t]+)?(?P<mark>[{re.escape(''.join(sorted(MARKS)))}])\ufe0f?\s*[*_`]{{0,3}}"
    rf"(?:(?:{either(ITEM_NAMES)})\s*)?#?"
    r"(?P<number>\d{1,4})[*_`]{0,3}[.:]?\s*",
    re.IGNORECASE,
)
"""A mark before the item it is about: a tick, then "Statement 2"."""
_BLOCK_SCALAR: Final = re.compile(r"(?P<indent>[ \t]*+)(?:-[ \t]++)?+[\"']?[\w ]{1,40}+[\"']?\s*+:\s*+[|>][+-]?\d?\s*$")
_COPULA: Final = re.compile(
    r"\s*(?:is|are|was|were|seems?|appears?|has|must|should|can|cannot|remains?)\b", re.IGNORECASE
)
_MAY_OPEN: Final = re.compile(rf"[\d{ECHO}]")
_OPENING: Final = 80
_SCALAR_MARKS: Final = frozenset("|>+-0123456789")
_REASON: Final = re.compile(
    rf"[\s*_`\"'-]*+(?:{either(REASON_NAMES)})[*_`\"']*+\s*+[:：]\s*(?P<text>.+)", re.IGNORECASE
)
_JSON_MARKS: Final = re.compile(r"\"\s*,?\s*$|[\"']\s*:\s*[\"']")
MOST_ITEMS: Final = 100  # and four a statement
_HIGHEST: Final = 60
"""A number above this, and above what was asked, begins no item: it is a year or a quantity."""


@dataclass(slots=True)
class _Item:
    """One item while it is read: which statement it is about, and the lines that belong to it."""

    number: int | None
    echo: int | None
    start: int
    lines: list[tuple[str, int]] = field(default_factory=list)
    labelled: bool = False
    """Whether a colon stands between its number and what it says."""
    end: int = 0
    closed: bool = False
    """Whether a part of the text has begun that is about all statements, or takes something back."""
    stray: bool = False
    """Whether a lone word follows what was given in the place of one: "1. perhaps", and below it "- yes"."""
    first_blank: int | None = None
    slipped: set[int] = field(default_factory=set)
    """The numbers of statements of which a line after it says that something was a slip."""
    ranged: bool = False
    """Whether its line is about several statements."""
    told: dict[int, set[Verdict | IssueCode]] = field(default_factory=dict)
    """What a sentence after it says of statements, by number."""
    broken: bool = False
    """Whether a blank line was passed: what follows counts only where it is labelled."""


def read_items(prose: Prose, words: Vocabulary, count: int) -> Table | None:
    """Read items; None where the text holds none with a verdict."""
    items = _split(prose, words, count, max(_HIGHEST, 2 * count), most := MOST_ITEMS + 4 * count)
    if not items or len(items) > most:
        return None
    ranged = any(item.ranged for item in items)
    rows = [row for item in items if (row := _row(item, prose, words)) is not None]
    if not any(isinstance(row.reading, Verdict) for row in rows):
        told = any(row.reading is not IssueCode.MISSING_VERDICT for row in rows)
        return _table(rows, prose, ranged=ranged) if told else None
    if len(rows) == len(items) == 1 and rows[0].id in {0, 1} and items[0].lines[0][0].lstrip()[:1] in {"(", "（"}:
        figure = words.word(str(rows[0].id))
        if isinstance(figure, Verdict) and figure is not rows[0].reading:
            rows[0].reading = IssueCode.CONFLICTING_VERDICTS  # "0 (supported)"
    if (len(items) < count and words_before(items[0].start, prose, words)) or (
        rows[-1].reading is IssueCode.MISSING_VERDICT and verdict_before(items[0].start, prose, words)
    ):
        for row in rows:
            row.reading = IssueCode.CONFLICTING_VERDICTS  # "* no", and "*1 yes" below it
    _leave_out_tail(items, rows)
    _mind_slips(items, rows, words)
    answered = {row.id for row in rows if row.reading is not IssueCode.MISSING_VERDICT and row.id is not None}
    kept = [row for row in rows if row.reading is not IssueCode.MISSING_VERDICT or row.id not in answered]
    return _table(kept, prose, ranged=ranged)


def _leave_out_tail(items: list[_Item], rows: list[Row]) -> None:
    """Take back the first verdict of a list that stands behind its last item, after a blank line: it is about all."""
    if len(items) < 2 or len(rows) != len(items):  # noqa: PLR2004 - with one item there is nothing else it may be about
        return
    apart = [item.first_blank is not None and item.end > item.first_blank for item in items]
    first = next((at for at, row in enumerate(rows) if isinstance(row.reading, Verdict)), 0)
    if first > 0 and apart[first] and not any(apart[:first]):
        rows[first].reading = IssueCode.MISSING_VERDICT


def _mind_slips(items: list[_Item], rows: list[Row], words: Vocabulary) -> None:
    """Leave without a verdict what a line in the midst of the list takes back: "Sorry, I meant no for statement 1."."""
    slipped = set().union(*(item.slipped for item in items[:-1]))  # what follows the list amends it
    for row in rows:
        told = set().union(*(item.told.get(row.id, ()) for item in items[:-1] if isinstance(row.id, int)))
        if isinstance(row.reading, Verdict) and (row.id in slipped or contrary(told, {row.reading}, words)):
            row.reading = IssueCode.CONFLICTING_VERDICTS


def _table(rows: list[Row], prose: Prose, *, ranged: bool) -> Table:
    repairs = tuple(repair for row in rows for repair in row.repairs)
    form = "groups" if ranged else "yaml" if prose.language in {"yaml", "yml"} else "numbered"
    return Table(rows, form, orderly=False, repairs=repairs)


def _split(prose: Prose, words: Vocabulary, count: int, highest: int, most: int) -> list[_Item]:
    items: list[_Item] = []
    scalar_indent: int | None = None
    for line in prose.lines():
        if len(items) > most:
            break
        text = line.text
        blank = not text.strip(" \t\r" + DROPPED)
        if scalar_indent is not None:
            if blank or len(text) - len(text.lstrip(" \t")) > scalar_indent:
                continue
            scalar_indent = None
        scalar = _BLOCK_SCALAR.match(text) if text.rstrip()[-1:] in _SCALAR_MARKS else None
        if scalar:
            scalar_indent = len(scalar["indent"])
            continue
        if blank:
            if items:
                items[-1].broken = True
                items[-1].first_blank = line.start if items[-1].first_blank is None else items[-1].first_blank
            continue
        span = _open_range(line, highest)
        opened = span[-1] if span else _open(line, prose, words, highest)
        if opened is not None:
            items += [*span[:-1], *_parted(opened, prose)]
        elif items:
            items[-1].stray = items[-1].stray or _is_stray(items[-1], line, words)
            items[-1].closed = items[-1].closed or items[-1].stray
            _extend(items[-1], line, words, count)
    return items


def _open(line: Line, prose: Prose, words: Vocabulary, highest: int) -> _Item | None:
    """The item that a line opens."""
    if not _MAY_OPEN.search(line.text, 0, _OPENING):
        return None
    ticked = _TICKED.fullmatch(line.text)
    if ticked:
        return _Item(
            int(ticked["number"]), None, line.start, [(ticked["mark"], line.start + ticked.start("mark"))], end=line.end
        )
    match = _NUMBERED.match(line.text) or _SHORT_ID.match(line.text)
    if match:
        number = int(match["number"])
        rest = line.text[match.end() :]
        named = "name" not in match.re.groupindex or bool(match["name"])
        copula = (
            not match["sign"].strip() and _COPULA.match(rest) is not None
        )  # "Statement 1 is supported" is a sentence
        spoken = not match["sign"].strip() and rest[:1].isalpha() and rest[:1].islower() and not leads_in(rest, words)
        if (
            number <= highest
            and not leads_to_another(match["sign"], rest)
            and not copula
            and not gives_figure(match, rest)
            and not (number == 0 and not named and not match["sign"].strip())  # "0 supported" counts them
            and not (named and not match["sign"].strip() and is_sentence(rest, words))
            and not spoken
            and (named or match["sign"].strip() or not rest.strip() or is_lone_word(rest, words))
        ):
            item = _Item(
                number,
                prose.echo_at(line.start + match.end() + len(rest) - len(rest.lstrip(" \t*_`\"'“(:："))),
                line.start,
                labelled=match["sign"].strip() in {":", "：", "="},
                end=line.end,
            )
            item.lines.append((rest, line.start + match.end()))
            return item
    repeated = _REPEATED.match(line.text)
    if repeated:
        item = _Item(None, prose.echo_at(line.start + repeated.end() - 1), line.start, end=line.end)
        item.lines.append((line.text, line.start))
        return item
    return None


def _open_range(line: Line, highest: int) -> list[_Item]:
    """The items that a line opens for several statements at once: "1-2: yes", "Statements 1 and 3: no"."""
    match = _RANGE.match(line.text) if _MAY_OPEN.search(line.text, 0, _OPENING) else None
    numbers = expand(match["list"]) if match else None
    if match is None or not numbers or len(numbers) < 2 or max(numbers) > highest:  # noqa: PLR2004 - one is no range
        return []
    if _FURTHER.search(line.text, match.end()):
        return []  # several groups on one line
    said = [(line.text[match.end() :], line.start + match.end())]
    return [_Item(number, None, line.start, said, labelled=True, end=line.end, ranged=True) for number in numbers]


_FURTHER: Final = re.compile(rf"(?:^|[.,;]\s*)(?:{either(ITEM_NAMES)})s?\s*#?\s*\d", re.IGNORECASE)
_RANGE: Final = re.compile(
    rf"[ \t]*+(?:[-*•+][ \t]++)?+[*_`(\[]{{0,3}}(?:(?:{either(ITEM_NAMES)})s?\s*+#?\s*+)?(?P<list>{LIST})"
    r"[*_`)\]]{0,4}\s*(?:[:：=]|[.)](?=\s)|->|=>|→|\s[-–—](?=\s))[*_`]{0,3}",
    re.IGNORECASE,
)


def _parted(item: _Item, prose: Prose) -> list[_Item]:
    """The items of one line: "Statement 1: maybe. Statement 2: no."."""
    items = [item]
    while items[-1].number is not None:
        text, start = items[-1].lines[0]
        following = next((mark for mark in _NEXT.finditer(text) if _next_number(mark) == items[-1].number + 1), None)
        if following is None:
            break
        stop = following.start() + (
            following["glued"] is None and following["stuck"] is None
        )  # the mark between two items belongs to the first
        items[-1].lines[0] = (text[:stop], start)
        items[-1].end = start + stop
        at = start + following.end()
        rest = text[following.end() :]
        echo = prose.echo_at(at + len(rest) - len(rest.lstrip(" \t*_`\"'“(:：")))
        items.append(
            _Item(
                items[-1].number + 1,
                echo,
                start + following.start(following.lastgroup or 0),
                [(rest, at)],
                end=item.end,
            )
        )
        items[-1].end = at + len(rest)
    return items


_NEXT: Final = re.compile(
    rf"(?:[.,;。；，、]|(?<=\s)\|)\s*(?:(?:(?:{either(ITEM_NAMES)})\s*#?|[scq](?=\d))(?P<named>\d{{1,4}})\s*"
    r"(?:[:：=)]|->|→|[-–—](?=\s))"
    r"|[#№(\[]?(?P<bare>\d{1,4})\s*(?:[)\]]\s*)?[:：=)]\s)"
    r"|(?:(?<=[^\W\d_][^\W\d_])|(?<=[^\x00-\x7f]))(?P<glued>\d{1,4})[.)．、](?!\d)"
    rf"|(?:(?<=[^\W\d_][^\W\d_])(?=(?-i:[A-Z]))|(?<=[^\x00-\x7f]))(?:{either(ITEM_NAMES)})\s*#?\s*(?P<stuck>\d{{1,4}})\s*"
    r"(?:[:：=)]|->|→|[-–—](?=\s))",
    re.IGNORECASE,
)
"""Where the next item begins: behind a mark, or stuck to the word before it, as a lost line break leaves it."""


def _next_number(mark: re.Match[str]) -> int:
    return int(mark["named"] or mark["bare"] or mark["glued"] or mark["stuck"])


def _is_stray(item: _Item, line: Line, words: Vocabulary) -> bool:
    """Whether a lone word or another item follows an item that gives a word that cannot be read: "1: perhaps"."""
    if len(item.lines) != 1 or item.echo is not None:
        return False
    value = item.lines[0][0].strip()
    few = 0 < len(value.split()) <= (_WORDS_OF_A_VALUE if item.labelled else _WORDS_OF_A_HEADING)
    if not few or (not item.labelled and value[-1] in ":：") or judge_text(value, 0, words)[0] is not None:
        return False
    return isinstance(words.word(line.text), Verdict) or (item.labelled and _OTHER.match(line.text) is not None)


_OTHER: Final = re.compile(r"[\s*_`-]*+[^\W\d]{1,20}\s*+\d{1,4}\s*+[:：.)]")
"""A word with a number, whatever the word: another item, whose name was damaged."""
_WORDS_OF_A_VALUE: Final = 3
_WORDS_OF_A_HEADING: Final = 1
"""Words after a number without a colon that may be what was meant for a verdict: "1. perhaps"; more are a heading."""


def _extend(item: _Item, line: Line, words: Vocabulary, count: int) -> None:
    """Add a further line to an item: after a blank line only a labelled one is about it."""
    named = item.broken or _NAMES_ONE.search(line.text) is not None
    item.closed = item.closed or _OF_ALL.match(line.text) is not None or (named and withdraws(line.text) is True)
    taken = takes_all_back(line.text)
    if taken or corrects_by_number(line.text):
        item.closed = True
        item.slipped |= {int(number) for number in _ANY_NUMBER.findall(line.text)}
        item.slipped |= {item.number} if taken and item.number is not None else set()
    if not item.closed and speaks_of_statements(line.text) and not leads_on(item.lines[-1][0]):
        _hear_of_others(item, line, words, count)
    item.closed = item.closed or _ORPHAN.match(line.text) is not None
    if item.closed or (item.broken and not _LABEL_LINE.match(line.text)):
        item.lines.append(("", line.start))
        return
    item.lines.append((line.text, line.start))
    item.end = line.end


def _hear_of_others(item: _Item, line: Line, words: Vocabulary, count: int) -> None:
    """End an item at a sentence that gives other statements a verdict, or this one a second: it is about the list."""
    told = said_of_several(line.text, words, count)
    own = item.number is not None and set(told) == {item.number - 1}
    if told and not (own and judge_text(joined(item.lines, item.start), item.start, words)[0] is None):
        item.closed = True
        for index, readings in told.items():
            item.told.setdefault(index + 1, set()).update(readings)


_NAMES_ONE: Final = re.compile(r"(?i)\b(?:statement|claim|item|sentence)\s*#?\d|\A\W*I(?:['’]\w\w?)?\s[^\n\d]{0,60}\d")
_ANY_NUMBER: Final = re.compile(r"(?<![\d.])\d{1,4}(?![\d%])")
_ORPHAN: Final = re.compile(r"[ \t]*[:：=]\s*\w")
"""A line that begins with the sign before a value: it lost its number, so that it is about another statement."""
_LABEL_LINE: Final = re.compile(
    r"[\s*_`\"'#-]*+(?!overall|total|final\s+verdicts?\s+for"
    r"|summary)[^\s:：]{1,24}(?:\s++[^\s:：]{1,24}){0,3}[*_`\"']*+\s*+[:：]",
    re.IGNORECASE,
)


_OF_ALL: Final = re.compile(
    r"[\s*_#>-]*+(?:(?:overall|in summary|in total|in conclusion|summary|gesamt|insgesamt|en resumen|en résumé|in "
    r"sintesi|em resumo)\b"
    r"|итог|总结|總結|まとめ)",
    re.IGNORECASE,
)


def _row(item: _Item, prose: Prose, words: Vocabulary) -> Row | None:
    if item.number is None and item.echo is None:
        return None
    first = item.lines[0][1] if item.lines else item.start
    text = joined(item.lines, first)
    if item.number is not None:
        text = without_others(text, item.number)
    said, taken_back = judge_text(text, first, words)
    if said is None and item.ranged:
        return None  # "1-5: how well it fits"
    row = Row(IssueCode.MISSING_VERDICT if said is None else said.reading, id=item.number, echo_index=item.echo)
    if item.stray and said is None:
        row.reading, row.value = IssueCode.UNKNOWN_LABEL, item.lines[0][0].strip()
    if said is not None:
        row.value = prose.text[said.span[0] : said.span[1]]
        row.span = (item.start, max(item.end, said.span[1]))
    if isinstance(row.reading, Verdict) and not taken_back and slips(text):
        row.reading = IssueCode.CONFLICTING_VERDICTS
    if (
        isinstance(row.reading, Verdict)
        and said is not None
        and of_another(item.number, item.start, prose.text, said.span)
    ):
        row.reading = IssueCode.CONFLICTING_VERDICTS
    if item.echo is None and said is not None:
        row.echo_index = echo_alone(prose, said.span[1])  # "1. yes - The plate is dry."
    if taken_back:
        row.issues = (Issue(IssueCode.CONFLICTING_VERDICTS, "the judge took back an earlier verdict"),)
    for line, at in item.lines:
        match = _REASON.match(line)
        if match and row.reason is None:
            row.reason_span = (at + match.start("text"), at + len(line.rstrip()))
    marked = next((at for line, at in item.lines if _JSON_MARKS.search(line)), None)
    if marked is not None and said is not None and said.how == "labelled":
        row.repairs = (Repair("key-value-lines", marked),)
    return row
