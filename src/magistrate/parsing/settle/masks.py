"""A part of a reply, covered but for the judge's own wording, with plain marks: digits for words, no LaTeX."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from magistrate.parsing.decode.parts import Part
from magistrate.parsing.reply.masking import cover, mask
from magistrate.parsing.switches import is_on, kept
from magistrate.parsing.wording.courtesy import asks_support
from magistrate.parsing.wording.fold import DROPPED, ECHO, QUOTED
from magistrate.parsing.wording.languages import ranks
from magistrate.parsing.wording.patterns import AnyPattern, Screen, WordPattern
from magistrate.parsing.wording.reasons import is_headed_reason

_SIGNS: Final = str.maketrans(
    dict.fromkeys("\u21d2\u279c\u2794\u27a1\u27f6\u27f9\U0001f449", "\u2192") | dict.fromkeys("\u2044\u2215", "/")
)
_UNCLOSED: Final = re.compile(
    r"^(?P<lead>[^\n]{0,400}?[:\uff1a][ \t]*)[\"\u201c\u201e\u00ab][^\"\u201c\u201d\u201e\u00ab\u00bb]*\Z", re.MULTILINE
)
"""A quotation that nothing closes: 'The page reads: "...'."""
_QUOTES: Final = "\"'’“„«「『"
_ANNOUNCED: Final = WordPattern(r"{VERDICT}[*_`]*\s*[:：][*_\s]*$")
_may_count: Final = kept(lambda: Screen((*ranks("ordinals"), *ranks("numbers"), "for", "on", "of", "regarding")))
_SEVERAL: Final = 2
_COMMAND: Final = re.compile(r"\\(?:boxed|text|textbf|mathrm|mathbf)\s?\{(?=[^{}\n]{1,400}\})")
_CIRCLED: Final = {0x2460 + at: str(at + 1) for at in range(9)}
_OTHER_NUMBER: Final = re.compile("[\u20e3\u2460-\u2468]")
_CIRCLED_ROW: Final = re.compile(r"^([\u2460-\u2468])[ \t\u3000]", re.MULTILINE)
_ROMAN: Final = re.compile(rf"^([ \t*_({DROPPED}-]*)([ivx]{{1,5}})([.)])(?=\s)", re.MULTILINE | re.IGNORECASE)
_BEFORE_WORD: Final = re.compile(r"^([ \t*_-]*)(\d{1,3}) (?=[A-Z][A-Z_]{3})", re.MULTILINE)
"""A number before a word in capitals: "1 SUPPORTED: ..."."""
_ROMANS: Final = {one: at for at, one in enumerate("i ii iii iv v vi vii viii ix x xi xii".split(), 1)}
_SIGN: Final = r"[*_]{0,3}\s?[:：—–]"
_OF_ALL: Final = WordPattern(
    r"(?m)^([ \t*_-]*(?:{ITEM}[ ])?)(\d{1,3})(?:/|[ ]of[ ])(\d{1,3})(\s?[:.)])(?=\s)",
)
"""A number and that of the last: "1/3:", "Statement 1 of 3:"."""
_VERDICT_OF: Final = WordPattern(
    r"(?m)^(?:[*_#]+[ ]?)?(?:{verdict}|result|analysis|evaluation|assessment)[ ](?:for|on|of)[ ]"
    r"(?={ITEM}[ ]#?\d{1,4}{sign})",
    sign=_SIGN,
)
"""What stands before the name of a row: "Verdict for statement 1:"."""
_FOR_ITEM: Final = WordPattern(
    r"(?m)^([ \t*_-]*(?:for|regarding|as for)[ ])({ITEM}[ ]#?\d{1,4}[*_]{0,2}),",
)
"""The name of a row as a sentence begins with it: "For statement 1,"."""
_IN_WORDS: Final = WordPattern(
    r"(?m)((?:^|(?<=[.;。；]\s)|(?<=[.;。；])|(?<=第))[ \t*_#{DROPPED}-]*"
    r"(?:{item}(?:\s|(?<=[\u2e80-\u9fff]))(?={NUMBER_WORD})|(?:(?:for|regarding|as for)\s)?the\s)?)"
    r"({ORDINAL}|{NUMBER_WORD})((?:\s?{ITEM})?{sign}|条|條|个|個)",
    sign=_SIGN,
)
_BOXED: Final = re.compile(rf"^([ \t]*(?:[-*•+][ \t]+)?)\[([ xX])\]([ \t]+[\"\u201c]?{ECHO})", re.MULTILINE)
_CHOICE: Final = re.compile(r"^(?=[^\n]*\[[xX]\])(?=[^\n]*\[ \])(?![^\n]*\[[xX]\][^\n]*\[[xX]\])[^\n]+", re.MULTILINE)
_LEFT: Final = re.compile(r"\[ \][^\[\n]*|\[[xX]\]")
_ASKED: Final = re.compile(
    r"^[ \t*_]*Q\.? ?(?P<number>\d{1,3})[*_]*[:.)](?P<question>[^\n]*\?)[*_ \t]*\n+"
    r"[ \t*_]*A\.? ?(?:(?P=number))?(?=[*_]*[:.)])",
    re.MULTILINE | re.IGNORECASE,
)
_NUMBERED: Final = WordPattern(r"{ITEM}s?\s*#?(\d{1,4})")
_BOX_BEHIND: Final = re.compile(r"^(?=[^\n]*\[ \])[^\n]*\[[ xX]\][\s*_.]*$", re.MULTILINE)
"""Boxes behind what they are for, "Yes [ ] No [x]": nobody reads them alike."""
_KEYCAP: Final = re.compile("([1-9])\ufe0f?\u20e3")


def masked(part: Part, statements: Sequence[str] = (), *, quotes: bool = True) -> str:
    """The judge's own wording, at its places; "" where there is more text than is read."""
    if part.overrun:
        return ""
    quotes = quotes and any(map(part.shown.__contains__, _QUOTES))
    text = mask(
        part.shown,
        part.prose,
        part.data,
        statements,
        announced=_ANNOUNCED if quotes else None,
        quotes=quotes and is_on("rule:quotations"),
    )
    unclosed = _UNCLOSED.search(text) if quotes else None
    if unclosed is not None and not is_headed_reason(unclosed["lead"]):
        start, end = unclosed.end("lead"), text.find("\n\n", unclosed.end("lead"))
        text = cover(text, [(start, len(text) if end < 0 else end)], QUOTED)
    text = text.replace("e.g.", "e.g ").replace("\\|", QUOTED * 2)
    return text if part.shown.isascii() else text.translate(_SIGNS)


def plain_marks(text: str, count: int) -> str:
    """A text in which the numbers of rows are digits and words stand in no command, every other sign at its place.

    Words and Roman numbers are taken only where they count from 1 to the last statement, each once.
    """
    text = text.replace("$", " ") if count >= _SEVERAL and _COMMAND.search(text) else text
    while "\\" in text and (match := _COMMAND.search(text)):
        inner = text[match.end() : -1 if (end := text.find("}", match.end())) < 0 else end]
        blank = " " * len(match.group())
        if count < _SEVERAL:  # a box stands for a line of its own
            blank = "\n" + blank[1:]
        text = text[: match.start()] + blank + inner + " " + text[match.end() + len(inner) + 1 :]
    if count < _SEVERAL:
        return text
    text = text.replace("[RESULT]", " " * len("[RESULT]"))
    if _OTHER_NUMBER.search(text):
        text = _CIRCLED_ROW.sub(r"\1.", text).translate(_CIRCLED)
        text = _KEYCAP.sub(lambda m: f"{m[1]}.".ljust(len(m.group())), text)
    text = _replaced(text, _ROMAN, lambda m: _ROMANS.get(m[2].lower(), 0), count)
    text = _replaced(text, _BEFORE_WORD, lambda m: int(m[2]), count)
    text = _replaced(text, _OF_ALL, lambda m: int(m[2]) if int(m[3]) == count else 0, count)
    if not _may_count().search(text):
        return text
    text = _VERDICT_OF.sub(lambda m: " " * len(m.group()), text)
    text = _FOR_ITEM.sub(lambda m: " " * len(m[1]) + m[2] + ":", text)
    found = ranks("numbers") | ranks("ordinals")
    return _replaced(text, _IN_WORDS, lambda m: found[m[2].casefold()], count)


def _answered(match: re.Match[str]) -> str:
    """A question that a yes answers with "supported", and the name of its answer, as the head of a row."""
    number, question = match["number"], match["question"]
    if not asks_support(question) or any(int(one) != int(number) for one in _NUMBERED.findall(question)):
        return match.group()
    rest = "".join(sign if sign in {ECHO, "\n"} else " " for sign in match.group())
    return f"{number}:{rest[len(number) + 1 :]}"


def ticked(text: str, count: int, *, signs: bool) -> str:
    """A text with signs for the boxes before its statements, where each has one, and without options not chosen.

    With `signs` a box that is not ticked says no: on a scale of two.
    """
    if count >= _SEVERAL and "?" in text:
        text = _ASKED.sub(_answered, text)
    if "[ ]" not in text:
        return text
    text = _BOX_BEHIND.sub(lambda m: QUOTED * len(m.group()), text)
    if signs and "[x]" in text.lower() and len(_BOXED.findall(text)) == count:
        return _BOXED.sub(lambda m: f"{m[1]}{'❌' if m[2] == ' ' else '✅'}  {m[3]}", text)
    return _CHOICE.sub(lambda m: _LEFT.sub(lambda one: " " * len(one.group()), m.group()), text)


def _replaced(text: str, pattern: AnyPattern, number_of: Callable[[re.Match[str]], int], count: int) -> str:
    """A text with other numbers replaced, where they are those from 1 to the last."""
    found = list(pattern.finditer(text))
    if len(found) != count or [number_of(one) for one in found] != list(range(1, count + 1)):
        return text
    for at, match in enumerate(found, 1):
        row = f"{' ' * len(match[1])}{at}{match.group()[-1].strip() or '.'}".ljust(len(match.group()))
        text = text[: match.start()] + row[: len(match.group())] + text[match.end() :]
    return text
