"""Verdicts in a row: a closing line, or a reply that is a row of words."""

import re
from collections.abc import Sequence
from typing import Final

from magistrate.parsing.layouts.view import EMPHASIS, FIELD_PATTERN, VERDICT_WORDS, View, matches
from magistrate.parsing.rows.candidate import Answer, Candidate
from magistrate.parsing.wording.courtesy import is_courtesy, is_own_lead, words_in
from magistrate.parsing.wording.fold import DROPPED, ECHO, QUOTED
from magistrate.parsing.wording.languages import ranks
from magistrate.parsing.wording.patterns import WordPattern
from magistrate.parsing.wording.reasons import is_headed_reason
from magistrate.verdict import IssueCode, Verdict

_ANY_LINE: Final = re.compile(r"^(?=[^:：\n]*[^\W\d_]{2})[^:：\n\d|]{1,120}[:：][ \t*_]*", re.MULTILINE)
_HEADED: Final = re.compile(r"[ \t]*\n|\*\*[^\n*]{1,60}\*\*:?[ \t]*\n|#{1,6}[^\n]*\n")
_PIECES: Final = re.compile(r"(?:[,;/|\n、，；。]|\.(?!\d)|->|→)+|\s-\s")
_SENTENCES: Final = re.compile(r"(?<=[.;!\n。])\s*")
_OF_ALL: Final = re.compile(r"final|each|all|overall|verdicts|order", re.IGNORECASE)
_BULLET: Final = re.compile(r"[ \t]*[-*•+][ \t]")
_NUMBERED: Final = re.compile(r"(?<![\d.A-Za-z/-])(\d{1,4})(?![\d/%])")
_BETWEEN: Final = " \t\n.,;:()[]{}=>-\u2013\u2014\u2192|/&*_`#\\" + DROPPED
_JOINED: Final = re.compile(r"\s(?:and|und|et|y|e)[\s(\[]*$")
_LONE_NUMBER: Final = re.compile(r"[\s*_\x00]*\d{1,4}[*_]*[.)\-–][\s*_.\x00]*")
_ENDS_IN_DIGIT: Final = re.compile(r".*\d\W*", re.DOTALL).fullmatch
_LONGEST_PER_STATEMENT: Final = 40
_HIGHEST: Final = 500
_LONGEST_SENTENCE: Final = 400
_SENTENCE: Final = re.compile(r"[.!?]\s|[。！？]")
_LEAD: Final = " \t\n*_#>-" + DROPPED
FINAL_LINE_PATTERN: Final = WordPattern(
    r"(?m)^[ \t*_#>{DROPPED}-]*+(?:(?:the|my|here are the)\s+)?(?:final\s+|overall\s+)?{VERDICT}(?:s|e|i|es)?\b"
    r"[^:：\n]{0,60}[:：][ \t*_]*",
    near=VERDICT_WORDS,
)
"""The head of a line that closes a reply: "Final verdict for each statement in order:"."""
_WHY: Final = re.compile(
    rf"[^\W\d_][^\d:：.,;\u2013\u2014{ECHO}]{{0,40}}[:：.,;\u2013\u2014-][ \t*_]*(?=[^\n]*[^\W\d_]|{QUOTED})[^{ECHO}]*"
)
"""A word, and a reason behind it; no number, and no statement."""


def read_final_lines(view: View) -> list[Answer]:
    """A closing line: "Final verdict for each statement in order: Yes. No. Yes."."""
    answers: list[Answer] = []
    pattern = _ANY_LINE if view.count > 1 else FINAL_LINE_PATTERN
    for match in matches(pattern, view.text):
        if (view.count == 1 and not _OF_ALL.search(match.group())) or (answers and match.start() < answers[-1].end):
            continue
        lead = _SENTENCE.split(match.group())[-1].strip(_LEAD)
        if view.words.whole(match.group()) is not None or not is_own_lead(lead):
            continue  # the numbers under "Supported:" are those of statements; "The old model said:" leads in another's
        if is_headed_reason(match.group()):
            continue  # "Explanation: 1. yes 2. yes": a reason
        stop = view.text.find("\n\n", match.end())
        stop = len(view.text) if stop < 0 else stop
        line = view.text.find("\n", match.end())
        for end in dict.fromkeys((stop, line if line >= 0 else stop)):
            if end - match.end() > _LONGEST_SENTENCE * (view.count + 1):
                continue
            cut = view.cut and end >= view.last
            rows = _row_of_words(view, match.end(), end, cut=cut)
            if len(rows) == 1 and _LONE_NUMBER.fullmatch(view.text, match.end(), end):
                rows = []  # "Final verdicts: 1.": the number of the first row
            if rows and (len(rows) > 1 or view.count == 1 or (cut and _OF_ALL.search(match.group()))):
                for row in rows:
                    row.span = row.span or (match.start(), end)
                answers.append(Answer(rows, match.start(), end, "legacy-final", cut=cut))
                break
    return answers


def read_words(view: View) -> list[Answer]:
    """A reply that is a row of words and nothing else, courtesies aside."""
    text, count = view.text, view.count
    start = len(text) - len(text.lstrip(" \n\t\r" + DROPPED))
    if count == 1 or start == len(text) or len(text) > _LONGEST_PER_STATEMENT * count + 400:
        return []
    lead = text.find(":\n", start, start + 200)
    begin = lead + 2 if lead >= 0 else start
    while _HEADED.match(text, begin):
        line = text.find("\n", begin)
        begin = line + 1 if line >= 0 else len(text)
    stop = view.last
    below = text.rfind("\n\n", begin, stop)
    lines = text[below + 2 : stop].split("\n")
    if below > 0 and (all(map(_BULLET.match, lines)) or (len(lines) == count and _says_nothing(view, start, below))):
        begin = below + 2  # a list below whatever was said before
    while not (
        rows := _row_of_words(view, begin, stop, cut=view.cut, strict=True)
        or _led(view, text[begin:stop].split("\n"), why=True)
    ):
        at = text.rfind("\n\n", begin, stop)
        if at < 0 or not is_courtesy(text[at:stop]):
            return []
        stop = at
    for row in rows:
        row.span = row.span or (begin, stop)
    return [Answer(rows, begin, stop, "words", cut=view.cut)]


def _says_nothing(view: View, start: int, end: int) -> bool:
    """Whether a text holds no word of the scale, and leads into nothing."""
    said = view.text[start:end].rstrip(EMPHASIS + "\n")
    return said[-1:] not in {":", "："} and next(view.words.mentions(said), None) is None


def _row_of_words(view: View, start: int, end: int, *, cut: bool, strict: bool = False) -> list[Candidate]:
    """Verdicts in a row: all pieces are words, or each sentence begins with one; numbers before them are ids."""
    words, count = view.words, view.count
    text = view.text[start:end].strip(" \t\r\n*_`[](){}" + DROPPED)
    if (
        _LONE_NUMBER.fullmatch(FIELD_PATTERN.sub("", text))
        or re.search(r"[^\W\d]\W*\n\W*\d{1,4}\W*$", text)
        or text[-1:] in {":", "："}
    ):
        return []  # the number of a row that is not there
    ticks = [char for char in text if char in words.signs]
    if len(ticks) == count and not any(char.isalnum() for char in text):
        return [Candidate(words.whole(char) or IssueCode.UNKNOWN_LABEL, char) for char in ticks]
    numbered_rows = _numbered_row(view, text)
    if numbered_rows:
        if cut and text[-1:].isalnum():
            numbered_rows[-1].value = IssueCode.TRUNCATED
        return numbered_rows
    if count == 2 and re.fullmatch(r"[^\n/]*/[^\n/]*", text):  # noqa: PLR2004 - "yes / no" is what may be chosen from
        return []
    if re.search(r"[,;]\s*[,;]", text):
        return []  # a gap
    pieces = [piece for piece in _PIECES.split(text) if piece.strip(" \t*_`-•[]" + DROPPED)]
    if len(pieces) > 4 * count + 8 or not pieces:
        return []
    bare = [piece.strip(" \t*_`-•+[]").isdecimal() for piece in pieces]
    if any(bare) and not all(bare):
        return []  # numbers among words are those of statements, in a form that is not read
    rows = []
    for piece in pieces:
        numbered = re.match(r"[\s*(\[#-]*(\d{1,4})(?:\s*[):\]=-]+\s*|\s+)(?=\D)", piece)
        if numbered and numbered.group()[-1:] == " " and len(pieces) != count and not cut:
            return []  # "1 supported, 2 not" of three: how many there are of each
        body = FIELD_PATTERN.sub("", piece[numbered.end() :] if numbered else piece.lstrip(" \t-+•*"))
        body = body.strip(" \t\n-+•*")
        if (
            body.isdecimal() != piece.strip(" \t\n-+•*").isdecimal()
            and len(pieces) > 1
            and not all(map(_ENDS_IN_DIGIT, pieces))
        ):
            return []  # "Final verdict: 1" before a dot: the number of a row
        reading = words.whole(body)
        number = int(numbered[1]) if numbered else None
        rows.append(Candidate(reading or IssueCode.UNKNOWN_LABEL, body.strip(), id=number))
    if cut and rows and text[-1:].isalnum():
        rows[-1].value = IssueCode.TRUNCATED
    if any(row.id is not None for row in rows) and [row.id for row in rows] != list(range(1, len(rows) + 1)):
        return []
    known = sum(isinstance(row.value, Verdict) for row in rows)
    if known == len(rows) or (cut and known == len(rows) - 1 and not isinstance(rows[-1].value, Verdict)):
        return rows
    return [] if strict or count == 1 else _led(view, _SENTENCES.split(text))


def _numbered_row(view: View, text: str) -> list[Candidate]:
    """Numbers from 1 on, each with its word: "1. Yes 2. No 3. Yes"."""
    parts = _NUMBERED.split(text)
    if len(parts) < 3 or parts[0].strip(_BETWEEN) or parts[1::2] != [str(at) for at in range(1, len(parts) // 2 + 1)]:  # noqa: PLR2004
        return []
    if len(parts) // 2 != view.count and not view.cut and all(part[:1] in {" ", ""} for part in parts[2::2]):
        return []  # "1 supported, 2 not" of three: how many there are of each
    bodies = [_JOINED.sub("", part).strip(_BETWEEN) for part in parts[2::2]]
    rows = [
        Candidate(view.words.whole(body) or IssueCode.UNKNOWN_LABEL, body, id=at)
        for at, body in enumerate(bodies, 1)
        if not body.isdecimal()
    ]
    known = [isinstance(row.value, Verdict) for row in rows]
    return rows if known and all(known[:-1] or (known if view.count == 1 else [False])) else []


def read_one_line(view: View) -> list[Answer]:
    """A reply that is one line of numbers, each with its word, and nothing else."""
    start = len(view.text) - len(view.text.lstrip(_LEAD))
    text = view.text[start : view.last]
    if view.count == 1 or "\n" in text or len(text) > _LONGEST_PER_STATEMENT * view.count:
        return []
    rows = _numbered_row(view, text)
    if len(rows) != view.count or not all(isinstance(row.value, Verdict) for row in rows):
        return []
    for row in rows:
        row.span = (start, view.last)
    cut = view.cut and text[-1:].isalnum()
    if cut:
        rows[-1].value = IssueCode.TRUNCATED
    return [Answer(rows, start, view.last, "numbered", cut=cut)]


def _led(view: View, parts: Sequence[str], *, why: bool = False) -> list[Candidate]:
    """One sentence or line a statement, each beginning with its verdict; `why`: behind which stands a reason."""
    pieces = [piece for part in parts if (piece := part.strip(" \t\r*_-•" + DROPPED))]
    if len(pieces) != view.count:
        return []
    rows = []
    for piece in pieces:
        lead = view.words.lead(piece)
        if lead is None or not isinstance(lead[0], Verdict):
            return []
        if why and not (_WHY.fullmatch(piece) and ranks("ordinals").keys().isdisjoint(words_in(piece))):
            return []
        clash = view.words.bears(piece[lead[1] :], lead[0])
        rows.append(Candidate(IssueCode.CONFLICTING_VERDICTS if clash else lead[0], piece))
    if view.cut and pieces[-1][-1].isalnum():
        rows[-1].value = IssueCode.TRUNCATED
    return rows
