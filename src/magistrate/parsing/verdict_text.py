"""The verdict in plain text about one statement: a labelled word, a leading one, a closing one, a sentence."""

from __future__ import annotations

import re
from typing import Final

from magistrate.parsing.boxes import marked_option
from magistrate.parsing.decode.nodes import Span
from magistrate.parsing.item_wording import ITEM_NAMES, VERDICT_NAMES, Names, either
from magistrate.parsing.keys import Role, asks_support, role_of
from magistrate.parsing.predicates import Said, read_predicates
from magistrate.parsing.prose import ECHO, QUOTED
from magistrate.parsing.questions import asks_otherwise, is_bare_answer, names_a_place
from magistrate.parsing.sides import asked_against
from magistrate.parsing.talk import NOT_THE_JUDGES, asked, split_off
from magistrate.parsing.vocabulary import MARKS, Vocabulary, fold
from magistrate.parsing.voices import withdraws
from magistrate.parsing.whole_sentence import read_sentence
from magistrate.verdict import IssueCode, Verdict

__all__ = ["FIRST_ITEM", "Said", "closing_label", "judge_text", "lead_in", "numbers_a_row"]

_SIGN: Final = re.compile(r"[:：=→⇒]|->|[—–]|\s-\s|(?<=\s)(?:is|was|ist|es|est|è|é)(?=\s)", re.IGNORECASE)
_BEFORE_SIGN: Final = re.compile(
    rf"(?<![\w-])(?P<over>(?:overall|total|general|summary|combined|in total|gesamt"
    rf"|insgesamt)\s+)?(?:{either(VERDICT_NAMES)})"
    r"(?:\s+(?:is|was|would\s+be|must\s+be|should\s+be|remains|therefore|thus|hence|then|here|for\s+this(?:\s+\w+)?"
    r"|for\s+the\s+(?:statement|claim)|ist|es|est|è|é))*"
    r"[*_`\"'”)\]]*\s*$",
    re.IGNORECASE,
)
_NAMES: Final = Names(VERDICT_NAMES)
_WINDOW: Final = 80
MOST_SIGNS: Final = 300
"""Colons and their like in one text that are looked at."""
_SEGMENT: Final = re.compile(r"[.;!?:|()\[\]{}。；！？：（）【】؛؟।→⇒=>\n\u2014\u2013]|\s-\s|->|,(?=\s)|，|、|،")

_CLOSING_NAMES: Final = (
    "verdict, final verdict, judgment, judgement, conclusion, answer, label, urteil, veredicto, verdetto, veredito, "
    "вердикт, 判定, 结论, 結論, 판정, الحكم, निर्णय"
)


def judge_text(text: str, offset: int, words: Vocabulary, *, whole: bool = False) -> tuple[Said | None, bool]:
    """Read the verdict in a text about one statement.

    Args:
        text: The masked text.
        offset: Where it begins in the reply.
        words: The vocabulary of the scale.
        whole: Whether it is all there is, so that an overall verdict is the verdict.

    Returns:
        What is said, None where nothing is; and whether the judge took back an earlier word.
    """
    if _LIST_MARK.fullmatch(text) or (whole and FIRST_ITEM.fullmatch(text)):
        return None, False
    menu = _MENU.match(text)
    if menu is not None and all(words.word(option) is not None for option in menu.group("one", "other")):
        text, offset = text[menu.end() :], offset + menu.end()  # "True/False: False"
    short = len(text) <= _WINDOW and not _OPEN_BOX.search(text)
    alone = words.word(text) if short and _balanced(text) and not numbers_a_row(text) else None
    alone = read_sentence(text, words) if alone is None else alone
    if alone is not None and alone is not IssueCode.MISSING_VERDICT:
        start = len(text) - len(text.lstrip())
        return Said(alone, (offset + start, offset + len(text.rstrip())), "leading"), False
    torn = _torn(text, words) or _lists_both(text, words, whole=whole)
    if torn is not None:
        start = len(text) - len(text.lstrip())
        return Said(torn, (offset + start, offset + len(text.rstrip())), "leading"), False
    said = [
        *_labelled(text, offset, words, whole=whole),
        *_leading(text, offset, words, whole=whole),
        *_closing(text, offset, words),
    ]
    told = read_predicates(text, offset, words)
    if not said:
        said = told
    else:
        stop, readings = max(one.span[1] for one in said), {one.reading for one in said}
        said += [
            one
            for one in told
            if one.how == "sentence"
            and (
                one.span[0] >= stop
                or (one.reading not in readings and not _TURNS.search(text[one.span[0] - offset : stop - offset]))
            )
        ]
    said = [
        one
        for one in said
        if one.reading is not IssueCode.UNKNOWN_LABEL and one.reading is not IssueCode.MISSING_VERDICT
    ]
    if not said:
        return None, False
    said.sort(key=lambda one: one.span)
    readings = {one.reading for one in said}
    if (
        all(one.how == "closing" for one in said)
        and len({answer.casefold() for answer in _ASKED.findall(text[:_LOOKED_AT])}) > 1
    ):
        return Said(IssueCode.CONFLICTING_VERDICTS, said[-1].span, "closing"), False  # two questions, and two answers
    if len(readings) == 1:
        denied = _DENIED.search(text, said[-1].span[1] - offset) if said[0].reading is words.word("supported") else None
        if denied is not None:  # "It is supported. However, it is not."
            return Said(IssueCode.CONFLICTING_VERDICTS, (said[0].span[0], offset + denied.end()), said[0].how), False
        return said[0], False
    last = said[-1]
    differing = [one for one in said if one.reading is not last.reading]
    if withdraws(text[differing[-1].span[1] - offset : last.span[0] - offset]):
        return last, True
    first = said[0]
    return Said(IssueCode.CONFLICTING_VERDICTS, (first.span[0], last.span[1]), first.how), False


_MENU: Final = re.compile(
    r"[\s*_`\"'(\[-]{0,6}(?P<one>[^\W\d_][\w ]{0,20}?)\s?(?:/|\bor\b)\s?(?P<other>[^\W\d_][\w ]{0,20}?)"
    r"[*_`\"')\]]{0,4}\s?[:：](?=[\s*_`]*\w)"
)
"""The options, copied, before the one that is chosen."""


def _torn(text: str, words: Vocabulary) -> Verdict | IssueCode | None:
    """What a form with options says, or that a text takes both sides; None for any other text."""
    option = marked_option(text[:_WINDOW], words)
    if option is not None:
        return option
    for figure in _FIGURE.finditer(text[:_LOOKED_AT]):
        sides = words.word(figure["figure"]), words.word(figure["word"])
        if all(isinstance(side, Verdict) for side in sides) and sides[0] is not sides[1]:
            return IssueCode.CONFLICTING_VERDICTS  # "1 (unsupported)"
    return IssueCode.CONFLICTING_VERDICTS if asked_against(text[:_LOOKED_AT]) else None


def _lists_both(text: str, words: Vocabulary, *, whole: bool) -> IssueCode | None:
    """That a text about one statement numbers two verdicts that differ: "... 1. yes 2. no"; None where it does not."""
    both = _BOTH.finditer(text[:_LOOKED_AT]) if whole else ()
    for match in [*both, *_THEN.finditer(text, 0, _WINDOW)]:
        sides = words.word(match["one"]), words.word(match["two"])
        if all(isinstance(side, Verdict) for side in sides) and sides[0] is not sides[1]:
            return IssueCode.CONFLICTING_VERDICTS
    return None


_BOTH: Final = re.compile(
    r"(?<![\w.,])1[.):]\s{0,3}(?P<one>[^\W\d_]{1,20})[\s,;.]{1,4}2[.):]\s{0,3}(?P<two>[^\W\d_]{1,20})(?![^\W_])"
)
_THEN: Final = re.compile(
    r"\A[\s*_`]{0,6}(?P<one>[^\W\d_]{1,20})[\s,;.]{1,4}\d{1,3}[.)]\s{0,3}(?P<two>[^\W\d_]{1,20})[\s*_`.]{0,6}\Z"
)
"""The rest of an item in which the next one stands."""
_OPEN_BOX: Final = re.compile(r"[\[(][ \t]*[\])]|[☐⬜□]")
FIRST_ITEM: Final = re.compile(r"[\s*_`>-]*+#?1[*_`]{0,3}[.):]{1,2}[\s*_`]*+")
"""The number of an item of which nothing else is there, as well as a figure and a stop: "1.", "**1.**"."""
_LIST_MARK: Final = re.compile(r"\s*[01][:)]\s*")
"""The number of an item of which nothing else is there."""
_LOOKED_AT: Final = 2_000
_FIGURE: Final = re.compile(r"(?<![\w.,-])(?P<figure>[01])[ \t*_`]*[(（](?P<word>[^()（）\d\n]{1,40})[)）]")
_ASKED: Final = re.compile(r"\?[\s*_`]{1,4}(yes|no)\b", re.IGNORECASE)
_DENIED: Final = re.compile(
    r"(?<![\w'])(?:it|this|that|the (?:statement|claim))\s+(?:is|was)\s+not(?=\s*(?:[.!;\n]|\Z))", re.IGNORECASE
)
_CLOSING_LABEL: Final = re.compile(
    rf"(?:^|[.!?;:\n\u3002])\s*(?:so|therefore|thus|hence)?[\s,]*(?:(?:final|my"
    rf"|the)\s+){{0,6}}(?:{either(_CLOSING_NAMES)})\s*[:=\uff1a]\s*(?P<rest>[^\n:\"]{{1,60}})$",
    re.IGNORECASE,
)


def closing_label(reason: str, words: Vocabulary) -> Verdict | None:
    """The verdict with which a reason closes in so many words ("... VERDICT: MET"); None where it closes otherwise."""
    match = _CLOSING_LABEL.search(reason[-200:].rstrip())
    if match is None:
        return None
    reading = words.word(match["rest"])
    return reading if isinstance(reading, Verdict) else None


def _labelled(text: str, offset: int, words: Vocabulary, *, whole: bool) -> list[Said]:
    found = []
    for number, sign in enumerate(_SIGN.finditer(text)):
        if number > MOST_SIGNS:
            return []
        before = text[max(0, sign.start() - _WINDOW) : sign.start()]
        before = before[before.rfind("\n") + 1 :]
        if not _NAMES.within(before):
            continue
        name = _BEFORE_SIGN.search(before)
        if name is None or (name["over"] and not whole):
            continue
        if not NOT_THE_JUDGES.isdisjoint(before[: name.start()].casefold().split()[-2:]):  # "Expected verdict: yes"
            continue
        decoration = _DECORATED.match(text, sign.end())
        at = decoration.end() if decoration else sign.end()
        end = text.find("\n", at)
        rest = text[at : min(end if end >= 0 else len(text), at + _LONGEST_REST)]
        reading = _read(rest, words)
        if reading is not None:
            found.append(Said(reading, _place(at, rest, offset), "labelled"))
    return found


_DECORATED: Final = re.compile(r"[*_`]*[ \t]*(?:\n[ \t]*(?=[^\n]{1,240}(?:\n|$)))?[*_`]*")
_LONGEST_REST: Final = 240


def _balanced(text: str) -> bool:
    """Whether no bracket is open: what stands in half-open ones is the beginning of something else."""
    return all(text.count(left) <= text.count(right) for left, right in ("[]", "{}", "<>")) and "{" not in text


def _place(at: int, rest: str, offset: int) -> Span:
    lead = len(rest) - len(rest.lstrip(" \t*_`\"'([“"))
    stop = _SEGMENT.search(rest, lead + 1)
    return offset + at + lead, offset + at + (stop.start() if stop else len(rest.rstrip()))


def _read(rest: str, words: Vocabulary, *, numbers: bool = True) -> Verdict | IssueCode | None:
    """The word at the head of a text, marks before it aside; None where it begins with no word of the scale."""
    folded = fold(rest)
    lead = words.lead(folded, numbers=numbers)
    if lead is None:
        return None
    if _ORDINAL.match(folded):
        return IssueCode.CONFLICTING_VERDICTS
    return None if lead[0] is IssueCode.UNKNOWN_LABEL else lead[0]


_ORDINAL: Final = re.compile(r"[\s*_`\"'(\[]{0,8}(?:no|nr)\.\s?\d{1,4}(?:\s+[^\W\d_]|\W*$)", re.IGNORECASE)
"""A word, or an abbreviated number: "No. 2 is supported."."""


def _leading(text: str, offset: int, words: Vocabulary, *, whole: bool) -> list[Said]:
    head = (
        _ITEM_HEAD.match(text, lead_in(text)) if whole else None
    )  # "1. no - It says: ...": the word of the item leads
    stripped = text[head.end() if head else 0 :].lstrip(_BEFORE_WORD)
    if not stripped or not _balanced(text[: len(text) - len(stripped) + _WINDOW].split("\n", 1)[0]):
        return []
    start = len(text) - len(stripped)
    line = stripped.split("\n", 1)[0]
    numbers = not head and not numbers_a_row(text.strip().split("\n", 1)[0])
    if line.count("|") > 1:
        if "|" in text[:start]:  # a row of a table that was not read as one: which cell is the verdict is not known
            return []
        line, numbers = line[: line.index("|")], False
        if whole and head is None and words.word(line) is not None:
            return []  # a first cell
    alone = words.word(line) if numbers else None  # a number counts where it is all there is
    reading = alone if alone is not None else _read(line, words, numbers=False)
    if reading is None:
        return []
    question = _QUESTION.match(line) if reading is IssueCode.CONFLICTING_VERDICTS else None
    if question and asks_support(question["name"]):  # "Supported: no" names what is asked, and answers
        answer = _read(line[question.end() :], words)
        if isinstance(answer, Verdict):
            return [Said(answer, _place(start + question.end(), line[question.end() :], offset), "leading")]
    if _is_left_open(stripped, reading, words):
        reading = IssueCode.CONFLICTING_VERDICTS
    return [Said(reading, _place(start, line, offset), "leading")]


def _is_left_open(text: str, reading: Verdict | IssueCode, words: Vocabulary) -> bool:
    """Whether a text begins as a form does, an option with no mark beside it and another one below: "Supported: -"."""
    first = _UNMARKED.match(text)
    if first is None:
        return False
    others = (words.word(option["name"]) for option in _OPTION.finditer(text, first.end(), _LOOKED_AT))
    return any(isinstance(other, Verdict) and other is not reading for other in others)


_UNMARKED: Final = re.compile(r"[^\W\d_][\w ]{1,30}+[*_`]{0,3}[:：=][^\w\n\u2713\u2714\u2705\u2611\u2612]{0,8}\n")
_OPTION: Final = re.compile(r"^[\s*_`>-]{0,8}+(?P<name>[^\W\d_][\w ]{1,30}+)[*_`]{0,3}[:：=]", re.MULTILINE)


_QUESTION: Final = re.compile(r"(?P<name>[A-Za-z][A-Za-z_ ]{2,30}?)[*_`\"']{0,3}[ ]?[:=：?？][*_`\"']{0,3}[ \t]*(?=\S)")


def lead_in(text: str) -> int:
    """Where a text goes on after a first line that announces verdicts and gives none: "Here are my verdicts:"."""
    match = _LEAD_IN.match(text)
    return match.end() if match is not None and _ANNOUNCED.search(match.group()) else 0


_LEAD_IN: Final = re.compile(r"\s*[^\n]{1,200}[:：][*_`]{0,3}[ \t]*\n\s*")
_ANNOUNCED: Final = re.compile(rf"\bjudg|{either(VERDICT_NAMES)}", re.IGNORECASE)
_BEFORE_WORD: Final = " \t\r\n*_`\"'([-–—:.)]>=|,\x00" + ECHO + QUOTED
_ITEM_HEAD: Final = re.compile(
    rf"[\s*_`>#(\[-]{{0,12}}(?:(?:{either(ITEM_NAMES)})[*_`]{{0,3}}\s*[#:]?\s*)?\d{{1,4}}[*_`]{{0,3}}[.):\]]",
    re.IGNORECASE,
)
_ROW_NUMBER: Final = re.compile(
    r"[\s*_`>-]*(?:[|#№][\s|#*_`]*\d{1,4}[\s|*_`]*+(?:[:.)]\s*+)?|\d{1,4}[\s*_`]*\|[\s|]*|\d{1,4}[\s*_`]*[:)])"
)


def numbers_a_row(text: str) -> bool:
    """Whether a text is the number of a row and nothing else, "# 1", "| 1 |": it says which, not what."""
    return _ROW_NUMBER.fullmatch(text) is not None


def _closing(text: str, offset: int, words: Vocabulary) -> list[Said]:
    """A last segment that is a word and nothing else, at the end of the first line or of the whole."""
    found = []
    first = text.find("\n")
    for end in {len(text), first if first >= 0 else len(text)}:
        stop = end
        while stop > 0 and text[stop - 1] in " \t\r\n*_`#\"'.,;:!?)]}>。！\x00”|":
            stop -= 1
        if stop <= 0:
            continue
        floor = max(0, stop - 160)
        start = floor
        for match in _SEGMENT.finditer(text, floor, stop):
            start = match.end()
        if start == floor and floor > 0:
            continue
        segment = text[start:stop]
        if not _balanced(text[text.rfind("\n", 0, start) + 1 : end].split("\n", 1)[0]):
            continue
        bare = segment.strip(" \t\r\n*_`#\"'“([<" + ECHO)
        if not bare:
            continue
        reading = words.word(bare)
        if reading is None and bare[0] in MARKS | {"✔", "✅", "❌"}:
            reading = _read(bare, words)
        letter = re.fullmatch(r"[A-Za-z]", bare) and not (
            bare in "YNynTF" and text[:start].rstrip(" \t")[-1:] in {"", "\n"}
        )
        slight = bare[0].isdigit() or letter
        if reading is None or numbers_a_row(bare) or (slight and not _gives_value(text, start)):
            continue
        if text[start - 1 : start] == "(" and names_a_place(text[max(0, start - 1 - _WINDOW) : start - 1], bare):
            continue  # "Norway (NO)"
        key = _key(text, start)
        asks = key or _asked_before(text, start)
        if asks and words.word(asks) is None and asks_otherwise(asks) and is_bare_answer(bare):
            continue  # "Issue found: no", "Any error? No"
        if asked(text[stop:end]) or not NOT_THE_JUDGES.isdisjoint(key.casefold().split()[-3:]):
            continue
        ahead = text[max(0, start - _WINDOW) : start]
        if split_off(ahead) or _NOT_ASIDE.search(ahead):
            reading = IssueCode.CONFLICTING_VERDICTS  # "not. supported", "un.supported", "not, in fact, supported"
        named = words.word(key) if key else None
        if isinstance(named, Verdict) and named is not words.word("supported") and not words.is_plain_no(key):
            reading = IssueCode.CONFLICTING_VERDICTS  # "unsupported: false", "contradiction: no"
        at = offset + text.index(bare, start)
        found.append(Said(reading, (at, at + len(bare)), "closing"))
    return found


_NOT_ASIDE: Final = re.compile(r"(?:\b(?:not|never|hardly)|n['’]t)\s*,[^.!?;:\n,]{1,40},\s*$", re.IGNORECASE)


def _key(text: str, at: int) -> str:
    """What stands on the line before the colon that ends here; empty where there is no colon."""
    if text[at - 1 : at] not in {":", "=", "："}:
        return ""
    before = text[max(0, at - 1 - _WINDOW) : at - 1]
    start = max(before.rfind(mark) for mark in "\n,;")
    return before[start + 1 :].strip(" \t*_`\"'”")


def _asked_before(text: str, at: int) -> str:
    """The question on the line that ends here, without its mark; empty where there is none."""
    if text[at - 1 : at] not in {"?", "？"}:
        return ""
    before = text[max(0, at - 1 - _WINDOW) : at - 1]
    return _CLAUSE.split(before)[-1].strip(" \t*_`\"'”")


_CLAUSE: Final = re.compile(r"[.;!?,:\n]|\s[-–—]\s")


def _gives_value(text: str, at: int) -> bool:
    """Whether the sign before a number gives the value of a verdict: what stands under any other key says which row."""
    sign = text[at - 1 : at]
    if not sign or sign not in ":=→：":
        return False
    before = text[max(0, at - 1 - _WINDOW) : at - 1].rstrip(" *_`\"'”")
    before = before[before.rfind("\n") + 1 :]
    if sign == "→" or not before or before[-1] in ECHO + QUOTED + ".?!)":
        return True
    last = before.rsplit(None, 1)[-1].lstrip("*_`\"'“(-")
    return _BEFORE_SIGN.search(before) is not None or role_of(last, near=False) in _VALUES


_VALUES: Final = frozenset({Role.VERDICT, Role.WEAK_VERDICT})


_TURNS: Final = re.compile(
    r"\b(?:however|but|yet|although|though|still|nevertheless|wait|actually|on second thought)\b", re.IGNORECASE
)
