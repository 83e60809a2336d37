"""Items: rows headed by a number, a name, a letter or the statement, each with one verdict and nothing against it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from magistrate.parsing.layouts.single import ends_in, is_quality, named_lead, predicate, reduced, said_in_sentences
from magistrate.parsing.layouts.view import EMPHASIS, FIELD_PATTERN, MARK_PATTERN, View, may_name
from magistrate.parsing.rows.candidate import Answer, Candidate
from magistrate.parsing.wording.courtesy import SENTENCES, withdraws
from magistrate.parsing.wording.fold import DROPPED, ECHO, QUOTED, fold
from magistrate.parsing.wording.hedges import UNSURE, is_question
from magistrate.parsing.wording.languages import Sense, senses
from magistrate.parsing.wording.patterns import WordPattern, vocabulary
from magistrate.parsing.wording.scales import LONE_DENIALS, Words
from magistrate.verdict import IssueCode, Verdict

_HIGHEST: Final = 60
MOST_ITEMS: Final = 100
_LONG: Final = 40
_ECHOES: Final = re.compile(rf"{ECHO}+")
_HEADING: Final = re.compile(r"^[ \t]*#{1,6}[ \t]", re.MULTILINE)
_BLANK_LINE: Final = re.compile(r"\n[ \t\r" + DROPPED + r"]*\n")
_DIGIT: Final = re.compile(r"\d")
_COLONS: Final = frozenset(":：=")
_FIELD: Final = WordPattern(r"{verdict|answer}\b")
_LETTER_HEAD: Final = WordPattern(
    r"(?m)(?:^[ \t{DROPPED}*_]*[(\[]?|(?<=[,;.])[ ]\()(?P<letter>[a-z])[)\].][*_]{0,2}[ \t]+",
)
_ECHOED: Final = WordPattern(
    r"(?m)^[ \t{DROPPED}]*+(?P<head>{free}{0,12}(?:{ITEM}[*_`]{0,3}[ \t]*+[:：]?[ \t]*+)?{free}{0,6}){ECHO}+",
    free=r"[^\w{ECHO}{DATA}\n]",
)
_INLINE: Final = WordPattern(
    r"(?:[.,;。；，、|!)][*_]{0,3}\s+|(?<=[^\W\d_])\s*(?=[\w(#]{1,12}\s?[).:](?!\d)))(?:{ITEM}\s*#?|[scq](?=\d))?"
    r"[#(\[]?(?P<number>\d{1,4})\s?(?:[)\]]\s?)?(?:(?:[.:：=)]|->|→)(?!\d)\s*|(?=\s+(?:is|cannot|can)\b))",
)
_SEGMENTS: Final = re.compile(r"(?!(?<=\d)[.,]\d)[.,;:!()\[\]{}|/\n\u2014\u2013\u2192。，、；：！،؛।۔（）=]|\s-\s|->")
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)?")
_QUOTE: Final = re.compile(f'["\u201c\u201d\u201e\u00ab\u00bb{QUOTED}]')
_PLAIN: Final = frozenset({Sense.YES, Sense.NO})
_MOST_NAME: Final = 5
_NAME: Final = WordPattern(
    r"(?:\w+\s+){0,2}(?<!\bin\s)(?:{VERDICT}|(?<!\bis\s)(?<!\bhas\s){ITEM})(?:s|es|n|en)?(?:\W.{0,12})?"
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


@dataclass(slots=True)
class _Item:
    start: int
    inner: int
    number: int | None = None
    until: int | None = None  # the last of a range: "Claims 1 to 3"
    echo: int | None = None
    end: int = 0
    tick: str = ""


def _mark() -> str:
    return f"[{''.join(re.escape(word) for word in senses() if len(word) == 1 and not word.isalnum())}]"


def _head_pattern(name: str) -> WordPattern:
    return WordPattern(
        r"(?m)^[ \t{DROPPED}]*+(?:[-•・+‣][ \t]*+|\*[ \t]++)?+(?P<tick>{mark}\ufe0f?[ \t]*)?"
        r"[*_`\"'“”(\[#>（【［]{0,6}[ \t]*+(?P<name>{name}[*_`\"']{0,3}[ \t]*+[:：#=.-]?[ \t]*+)?"
        r"[*_`\"'“(\[#№第]{0,3}[ \t]*+(?P<number>\d{1,4})(?:번|番|条|项)?[*_`\"'”]{0,4}"
        r"(?:[ \t]*(?:[–-]|{to})[ \t]*(?P<until>\d{1,4})(?=[ \t]*[:：—–]))?"
        r"(?P<sign>[)\]）】]{1,2}[*_`\"'”]{0,3}[ \t]*(?:[.:：\-–—=]|->|→)?"
        r"|[ \t]*(?:[.](?!\d)|[:：、．，]|(?:->|=>|→|⇒)(?![ \t]*\d)|[-–—=|](?!\d))[-)\]:：]{0,3}"
        r"|[ \t]*(?(name),?)[ \t]*$|[ \t]+(?=\(|{mark}|is\b|says\b|(?(name){verdict}[*_]{0,2}[ \t]*[:：]|(?!)))"
        r"|(?<=[#№]\d)[ \t]+|(?<=[#№]\d\d)[ \t]+|(?=[*_]))[*_`\"']{0,4}",
        name=name,
        mark=_mark,
    )


_LETTERED: Final = _head_pattern(r"[scqSCQ](?=\d)")
_HEADED: Final = _head_pattern(r"{ITEMS}[ \t]*+[_ ]?(?:id|number|no|nr)?\.?|[scqSCQ](?=\d)")


def read_items(view: View) -> list[Answer]:
    """The lists of items in a text, each an answer of its own."""
    heads = _heads(view)
    if not heads or len(heads) > MOST_ITEMS + 4 * view.count:
        return []
    text = view.text
    limits = [match.start() for match in _HEADING.finditer(text)] + [low for low, _ in view.taken]
    items: list[_Item] = []
    for at, item in enumerate(heads):
        end = heads[at + 1].start if at + 1 < len(heads) else len(text)
        item.end = min([end, *(limit for limit in limits if limit > item.inner)])
        items += _parted(item, text, view.words)
    answers = []
    for listed in _lists(items):
        answer = _answer(listed, view)
        if answer is not None:
            answers.append(answer)
    return answers


def _heads(view: View) -> list[_Item]:
    text, heads = view.text, []
    highest = max(_HIGHEST, 2 * view.count)
    for match in (_HEADED if may_name().search(text) else _LETTERED).finditer(text):
        name, number = match["name"] or "", int(match["number"])
        sure = "[–—=>→-]" if name.rstrip()[-1:] in {":", "："} else "[–—=>→:：.-]"
        if name and view.words.whole(name) is not None and not re.search(sure, name + match["sign"]):
            continue  # "No: 2" and "no [2]" say which are none
        ends = text[match.end() : match.end() + 1] in {"", "\n"}
        if ends and name.rstrip(EMPHASIS)[-1:] in _COLONS and not match["sign"].strip() and _FIELD.match(name):
            continue  # "Verdict: 1"
        until = int(match["until"]) if match["until"] else None
        named, sign = bool(name) or text[match.start("number") - 1 :][:1] in "#№", match["sign"].strip(" \t*_`\"'")
        lone = not sign and not named and not text[match.end() : match.end() + 1].strip("\n" + DROPPED)
        follows = text[match.end() : match.end() + 1]
        if (
            number <= highest
            and (named or sign or lone)
            and follows != "/"
            and (until is None or number < until <= highest)
        ):
            heads.append(_Item(match.start(), match.end(), number, until, tick=match["tick"] or ""))
    if not heads:
        letters = list(_LETTER_HEAD.finditer(text))
        if [one["letter"].lower() for one in letters] == [chr(97 + at) for at in range(len(letters))] and len(
            letters
        ) > 1:
            heads = [_Item(one.start(), one.end(), at) for at, one in enumerate(letters, 1)]
    lines = {item.start for item in heads}
    for match in _ECHOED.finditer(text) if ECHO in text else ():
        begin = match.start("head") + len(match["head"])
        index = view.echo_of(view.raw[begin : match.end()])
        if index is not None and match.start() not in lines:  # a number at its head has been read
            ticks = "".join(char for char in match["head"] if char in view.words.signs)
            heads.append(_Item(match.start(), match.end(), echo=index, tick=ticks))
    heads.sort(key=lambda item: item.start)
    heads = heads[:1] + [two for one, two in pairwise(heads) if not _stands_below(one, two, text)]
    return [item for item in heads if not view.is_taken(item.start, item.start + 1)]


def _stands_below(head: _Item, echo: _Item, text: str) -> bool:
    """Whether a repeated statement is all that stands below a number: "## Statement 1", and the statement."""
    between = text[head.inner : echo.start].strip(EMPHASIS + "\n:：")
    return head.number is not None and echo.echo is not None and not between


def _parted(item: _Item, text: str, words: Words) -> list[_Item]:
    """The items of one line: "Statement 1: maybe. Statement 2: no."."""
    items = [item]
    line = text.find("\n", item.inner, item.end)
    stop = item.end if line < 0 else line
    for match in _INLINE.finditer(text, item.inner, stop) if _DIGIT.search(text, item.inner, stop) else ():
        said = words.whole(text[items[-1].inner : match.start()]) is not None and item.number != int(match["number"])
        if items[-1].number is not None and (said or int(match["number"]) == items[-1].number + 1):
            end = items[-1].end
            cut = match.start() + (match.group()[0] not in " \t" and not match.group()[0].isdigit())
            items[-1].end = cut
            items.append(_Item(cut, match.end(), int(match["number"]), end=end))
    return items


def _lists(items: list[_Item]) -> list[list[_Item]]:
    """Items in lists: one that counts from the beginning again is another list."""
    lists: list[list[_Item]] = []
    for item in items:
        last = lists[-1][-1] if lists else None
        restarts = (
            last is None
            or (item.number is None) != (last.number is None)
            or (
                item.number is not None
                and last.number is not None
                and item.number <= last.number
                and item.number <= min(one.number for one in lists[-1] if one.number is not None)
            )
        )
        if restarts:
            lists.append([])
        lists[-1].append(item)
    return lists


def _answer(listed: list[_Item], view: View) -> Answer | None:
    text = view.text
    _end(listed, text)
    rows = []
    for item in listed:
        row = _row(item, view, last=item is listed[-1] and view.cut)
        numbers = (
            range(item.number, item.until + 1) if item.number is not None and item.until is not None else [item.number]
        )
        rows += [row] if len(numbers) == 1 else [Candidate(row.value, row.raw, row.span, number) for number in numbers]
    for item in listed:
        body = text[item.inner : item.end]
        if withdraws(body):
            named = {item.number, *(int(one) for one in re.findall(r"\b\d{1,4}\b", body))}
            for row in rows:
                if row.id in named or row.span == (item.start, item.end):
                    row.value = IssueCode.CONFLICTING_VERDICTS
    given = {row.id: row.value for row in rows if isinstance(row.value, Verdict)}
    for row in rows:  # "Statement 2 is supported after all."
        if row.value is IssueCode.MISSING_VERDICT and row.id in given and row.span is not None:
            bears = view.words.bears(text[row.span[0] : row.span[1]], given[row.id], weak=True)
            row.value = IssueCode.CONFLICTING_VERDICTS if bears else row.value
    said = [row for row in rows if row.value is not IssueCode.MISSING_VERDICT]
    above = text[: listed[0].start].rstrip().rpartition("\n")[2]
    if text[listed[0].start : listed[0].inner].strip(EMPHASIS).isdecimal() and view.words.whole(above) is not None:
        return None  # numbers under a verdict, not above one
    lone = all(item.tick and not text[item.inner : item.end].strip(EMPHASIS + "\n") for item in listed)
    if not said or (lone and {row.id for row in rows} != set(range(1, view.count + 1))):
        return None  # "✅ 2, ❌ 1" of three: how many there are of each
    return Answer(rows, listed[0].start, listed[-1].end, "numbered", orderly=False)


def _end(listed: list[_Item], text: str) -> None:
    """Where the last item ends: it goes on as far as the others do."""
    last, others = listed[-1], [text[one.inner : one.end].strip("\n ") for one in listed[:-1]]
    body = text[last.inner : last.end]
    paragraphs = max((len(_BLANK_LINE.split(other)) for other in others), default=1)
    several = any("\n" in other for other in others)
    if paragraphs > 1 or several or not others:
        breaks = [match.start() for match in _BLANK_LINE.finditer(body) if body[: match.start()].strip()]
        if len(breaks) >= paragraphs:
            last.end = last.inner + breaks[paragraphs - 1]
        if paragraphs > 1 or several:
            return
        body = text[last.inner : last.end]
    at = end = last.inner
    for place, line in enumerate(body.split("\n")):
        goes_on = (line[:1] in {" ", "\t"} and line.strip()) or FIELD_PATTERN.match(line) is not None
        if place and not goes_on and (text[last.inner : end].strip() or not line.strip(" \t\r" + DROPPED)):
            break
        at += len(line) + 1
        end = at - 1
    last.end = min(last.end, max(end, last.inner))


def _row(item: _Item, view: View, *, last: bool) -> Candidate:
    text = view.text
    body = text[item.inner : item.end]
    row = Candidate(IssueCode.MISSING_VERDICT, span=(item.start, item.end), id=item.number, echo_index=item.echo)
    run = re.match(rf"[\s*_`\"'“(:：>]*({ECHO}+)", body)
    if run and item.echo is None:
        row.echo_index = view.echo_of(view.raw[item.inner + run.start(1) : item.inner + run.end(1)])
    row.value, row.raw = item_verdict(body, view.words, item.tick)
    told = {view.echo_of(view.raw[item.inner + one.start() : item.inner + one.end()]) for one in _ECHOES.finditer(body)}
    if row.echo_index is None and item.number is not None and told and told.isdisjoint({item.number - 1, None}):
        row.value = IssueCode.CONFLICTING_VERDICTS  # "1. yes - (what another statement says)"
    if body.lstrip(" \t*_").startswith("[ ]"):
        row.value = IssueCode.UNKNOWN_LABEL  # a box that is not ticked
    tail = body.rstrip()
    if last and item.end >= view.last and tail and tail[-1].isalnum():
        row.value = IssueCode.TRUNCATED  # the word at the cut may go on
    fields = [match for match in FIELD_PATTERN.finditer(body) if match["verdict"] is None]
    row.reason = view.raw[item.inner : item.end].strip() if fields or len(body) > _LONG else None
    return row


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
