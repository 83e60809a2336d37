"""The acceptance rule: an answer counts only if what stands around it is accounted for.

Each rule is a function of what surrounds an answer; they stand in one ordered table and can be switched off. Nothing
here understands a sentence: it looks for words of the table, numbers and names that could bear on an answer.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from magistrate.parsing.rows.candidate import Answer
from magistrate.parsing.settle.tallies import is_tally, miscounts
from magistrate.parsing.switches import is_on, kept
from magistrate.parsing.wording.awards import is_spoken_of
from magistrate.parsing.wording.courtesy import (
    SENTENCES,
    asks_support,
    begins_courtesy,
    corrects,
    denies,
    is_courtesy,
    is_example,
    is_own_lead,
    withdraws,
)
from magistrate.parsing.wording.fold import DATA, DROPPED, ECHO, QUOTED
from magistrate.parsing.wording.hedges import LONGEST_WORD, is_dictated, is_of_part_or_another, is_question, reports
from magistrate.parsing.wording.keys import names_others, polarity_of
from magistrate.parsing.wording.languages import ranks, senses
from magistrate.parsing.wording.patterns import WordPattern, prose, vocabulary
from magistrate.parsing.wording.reasons import (
    explains,
    is_headed_reason,
    points_back,
    speaks_of_answer,
    speaks_of_judge,
)
from magistrate.parsing.wording.scales import LONE_DENIALS, Words
from magistrate.verdict import Verdict

T = TypeVar("T")
SHORT: Final = 100
"""Characters of a text behind a single answer up to which it may be a second thought; a longer one is its reason."""
_LEAD: Final = 400
_FEW: Final = 3
_MARKS: Final = str.maketrans(dict.fromkeys(",.:!;'\u2019*_`#()[]{}\"|>~=-" + DROPPED + DATA + ECHO + QUOTED, " "))
_ENDS: Final = frozenset({"", "\n", ".", "]", "}", "】", "。"})
_STOPS: Final = frozenset(".!。！")
_COVERS: Final = " \t\r\n" + DROPPED + DATA
_LETTERS: Final = re.compile(r"[^\W\d_]")
_FOLLOWING: Final = re.compile(
    r"\b(?:as follows|the following (?:line|text|block|sentence|verdict|answer|score|json)s?)\b", re.IGNORECASE
)
_TURN: Final = re.compile(r"^[ \t*_>#]*(?:user|human|candidate|student)[*_ ]*:", re.IGNORECASE | re.MULTILINE)
_REPLY: Final = re.compile(r"(?:^|\n)[ \t*_>#]*(?:assistant|model|ai|bot)(?: \w)?[*_ ]*:[^\n]+$", re.IGNORECASE)
_OFFERED: Final = re.compile(r"(?i)\b(?:statement|claim) \d{1,4}\?$")
"""What an offer is about: "Would you like me to rephrase statement 2?"."""
_REVERSED: Final = re.compile(r"\W*the (?:opposite|reverse) is (?:true|the case)\W*", re.IGNORECASE)
_TO_JUDGE: Final = re.compile(r"\b(?:me|us)\b")
_NAMED_NUMBERS: Final = WordPattern(
    r"(?:\b(?:{item|number}|item|answer|point|verdict|s|c|q|[#№])(?:s|es|n|en)?\s*[.:#]?\s*)"
    r"(?P<numbers>\d{1,4}(?:\s*(?:,|&|{and}|[-–])+\s*\d{1,4})*)"
    r"|^\W*(?P<head>\d{1,4})(?=\W)|[(\[#](?P<mark>\d{1,4})[)\]]|\b(?P<lone>\d{1,4}(?:\s*(?:,|&|{and})+\s*\d{1,4})*)(?=\s+(?:is|are|was|were|should|must)\b)",
)
_ORDINAL: Final = WordPattern(r"(?<!\w){ORDINAL}(?!\w)")
_goes_on: Final = kept(lambda: vocabulary("is") | LONE_DENIALS | {"never", "\u4e0d"})
"""Words that end no sentence: what stands on the line below is the rest of it."""


# -- before an answer ------------------------------------------------------------------------------------------------


def is_foreign(text: str, start: int, *, inline: bool = True) -> bool:
    """Whether the words that lead into an answer leave open whose it is: another's, a draft, an example.

    A line above that ends in a colon, or is a heading, must say that what follows is the judge's own, or nothing.
    """
    if not is_on("rule:lead-in") or not text:
        return False
    if _speaks_in_turn(text, start) or (text[start : start + 1] == QUOTED and _LETTERS.search(text)):
        return True
    line = _line_above(text, start).rstrip('"“„«')
    if line[-1:] == "-" and line[-2:-1].isalpha():
        return True  # a word that goes on below
    if line[-1:].isalpha() and line[-LONGEST_WORD:].casefold().split()[-1] in _goes_on():
        return True  # "The statement is not", and below it "supported"
    if line[-1:] in {"?", "？", "؟"} and not is_own_lead(line.rstrip("?？؟")) and not asks_support(line):
        return True  # "Is it hallucinated?"
    first = text[:start].rpartition("\n\n")[2].lstrip("\n").partition("\n")[0].strip(" \t*_#")
    if first[-1:] in {":", "："} and is_example(first) and first[:-1].casefold() != "template":
        return True  # the heading of its paragraph
    lead = re.split(r"[.!?。]\s", line.strip("*_ "))[-1]
    apart = DATA not in line and not re.search(r"[:：]\s", line)
    if apart and (line[-1:] not in _STOPS or " " not in line) and is_example(lead):
        return True
    if line[-1:].isalpha() and apart and reports(lead) and not is_own_lead(lead):
        return True  # "The submission ends with"
    if apart and _FOLLOWING.search(lead) and not is_own_lead(lead):
        return True  # "It closes with the following line."
    if line[:1] == "#" or line[-1:] in {":", "："}:
        return _names_numbers(lead) or not (is_own_lead(lead) or corrects(lead))
    if not inline:
        return False
    before = re.split(r"[\n.!?]", text[max(0, start - 200) : start])[-1].strip(" \t*_`-[(" + DROPPED)
    return _names_numbers(before) or not is_own_lead(before)


def _speaks_in_turn(text: str, start: int) -> bool:
    """Whether an answer is a line of a conversation: "User: ...", and "Assistant:" before it."""
    end = text.find("\n", start + 1)
    before = text[max(0, start - _LEAD) : end if end >= 0 else start + LONGEST_WORD]
    return _TURN.search(before) is not None and _REPLY.search(before) is not None


def own_and_behind(items: Sequence[T], foreign: Callable[[T], bool]) -> list[T]:
    """What may be the judge's own, and all that stands behind the last of it: that has to agree."""
    own = [at for at, one in enumerate(items) if not foreign(one)]
    return [one for at, one in enumerate(items) if at in own or (own and at > own[-1])]


def _names_numbers(lead: str) -> bool:
    """Whether a lead-in is nothing but numbers, which may be those of the statements: "[2, 1]:"."""
    return _LETTERS.search(lead) is None and len(re.findall(r"\d+", lead)) > 1


def between(text: str, earlier_end: int, later: Answer) -> bool:
    """Whether the words between two answers, or the heading of the later, say that it corrects the earlier."""
    if not is_on("rule:correction"):
        return False
    heading = "" if later.data else text[later.start : later.end].partition("\n")[0][:200]
    words = text[max(earlier_end, later.start - _LEAD) : later.start]
    return corrects(words + heading) or (withdraws(words) and len(words.split()) > _FEW)


def is_quoted(text: str, start: int, end: int) -> bool:
    """Whether data stands in the middle of a sentence that is not the judge's lead-in, or speaks of the data."""
    behind = re.match(r"[`'\"\u201d)]{0,3}[,.;]?[ \t]+(?=[^\W\d_])", text[end : end + 40])
    if not is_on("rule:quoted-in-sentence") or behind is None:
        return False
    return is_foreign(text, start) or is_spoken_of(text[end + behind.end() - 1 : end + SHORT])


def disowns(note: str) -> bool:
    """Whether a few words beside an answer in data say that it is another's, an example, or about something else."""
    said = re.findall(r"[^\W\d_]+", note.casefold()) if len(note) <= SHORT else []
    others = names_others(said) or polarity_of("".join(said)) is not None
    asked = is_question(note) and not asks_support(note)
    return asked or is_dictated(note) or (others and len(said) <= _FEW and " ".join(said) not in senses())


def _line_above(text: str, start: int) -> str:
    """The last line before a place that says something; none where more than the line of a fence lies between."""
    covered = 0
    for line in reversed(text[max(0, start - _LEAD) : start].split("\n")):
        bare = line.strip(" \t\r*_`")
        if bare.strip(DROPPED + "-="):
            return bare.strip(" \t*_`" + DROPPED)
        covered += bool(bare)
        if covered > 1:
            break
    return ""


# -- behind an answer ------------------------------------------------------------------------------------------------


def unaccounted(text: str, *, cut: bool = False, numbers: bool = True) -> str:
    """What of a text is no courtesy; `numbers` says whether one may hold numbers."""
    parts = SENTENCES.split(text)
    return "\n".join(
        part.rstrip("\n")
        for part in parts
        if not (is_courtesy(_OFFERED.sub("it?", part)) and _counts_up(part, numbers=numbers))
        and not (part is parts[-1] and begins_courtesy(part, cut=cut))
    )


def _counts_up(part: str, *, numbers: bool) -> bool:
    """Whether the numbers of a courtesy say nothing: none, or in their order; "order: 2, 1" says something."""
    found = [int(one) for one in re.findall(r"\d{1,9}", part)]
    return found == sorted(found) if numbers else not found


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands behind an answer on several statements."""

    text: str  # the text, courtesies left out
    words: Words  # the words of the scale
    verdicts: Sequence[Verdict | None]  # what the answer says of each statement
    echo_at: Callable[[int], int | None]  # which statement a covered repetition in the text is, by its place in `text`
    strict: bool  # whether nothing unexplained may stand there
    known: Callable[[str], bool] = lambda _: False  # whether a sentence is known to be a reason, by what it speaks of


Rule = Callable[[Surroundings], set[int]]


def held_back(around: Surroundings) -> set[int]:
    """The statements that what stands behind an answer may bear on."""
    if not around.text.strip(" \t\r\n" + DROPPED):
        return set()
    held: set[int] = set()
    for name, rule in RULES:
        if is_on(f"rule:{name}"):
            held |= rule(around)
    return held


def takes_back(text: str) -> bool:
    """Whether a text behind an object takes it back, or says that it is somebody else's or an example."""
    return any(withdraws(one) or _is_of_another(one) or is_example(one) for one in SENTENCES.split(text))


def _is_of_another(sentence: str) -> bool:
    """Whether a sentence behind an answer says that it is somebody else's."""
    return is_dictated(sentence) or (reports(sentence) and points_back(_TO_JUDGE.sub(" ", sentence)))


def _all(around: Surroundings) -> set[int]:
    return set(range(len(around.verdicts)))


def _withdrawal(around: Surroundings) -> set[int]:
    """Words that take an answer back: that of the statements their sentence names, or all."""
    held: set[int] = set()
    for sentence in SENTENCES.split(around.text):
        shown = is_example(sentence) and not (
            around.known(sentence) or _statements_named(sentence, len(around.verdicts)) or is_courtesy(sentence)
        )
        if withdraws(sentence) or _is_of_another(sentence) or shown or _REVERSED.fullmatch(sentence):
            bare = sentence.replace("second thought", " ")
            named = set() if prose("only").search(sentence) else _statements_named(bare, len(around.verdicts))
            held |= named or _all(around)
    return held


def _unexplained(around: Surroundings) -> set[int]:
    """Strict: anything at all; words that lead into data that counts for nothing are held to the default's rules."""
    if not around.strict:
        return set()
    if any(line.strip() and line.rstrip()[-1] not in _COVERS for line in around.text.split("\n")):
        return _all(around)
    lenient = replace(around, strict=False)
    return _unaccounted(lenient) | disagreements(lenient)


def _unaccounted(around: Surroundings) -> set[int]:
    """A short text that is not known to be a reason, a count of what was found, or a word on one statement."""
    text = around.text.strip(_COVERS)
    if around.strict or len(text) > SHORT:
        return set()

    def known(sentence: str) -> bool:
        if withdraws(sentence) or is_tally(sentence, around.words, around.verdicts) or around.known(sentence):
            return True
        named = _statements_named(sentence, len(around.verdicts)) and any(around.words.mentions(sentence))
        return (named or ECHO in sentence) and not speaks_of_judge(sentence)

    if any(speaks_of_answer(one) and not (known(one) or is_courtesy(one)) for one in SENTENCES.split(text)):
        return _all(around)
    return set() if explains(text, known, goes_on=False) else _all(around)


def disagreements(around: Surroundings) -> set[int]:
    """A sentence that names a statement and disagrees with its verdict; one that names none, with all it could mean."""
    if around.strict:
        return set()
    held: set[int] = set()
    count = len(around.verdicts)
    at = 0
    seen: set[str] = set()
    for sentence in SENTENCES.split(around.text):
        place = around.text.find(sentence, at)
        at = max(at, place) + len(sentence)
        if sentence in seen or not (_LETTERS.search(sentence) or any(char in around.words.signs for char in sentence)):
            continue
        if ECHO not in sentence:  # where it is decides which statement an echo repeats
            seen.add(sentence)
        named = _statements_named(sentence, count)
        for match in re.finditer(rf"{ECHO}+", sentence):
            index = around.echo_at(place + match.start())
            named |= {index} if index is not None else set(range(count))
        if is_tally(sentence, around.words, around.verdicts):
            continue
        if miscounts(sentence, around.words, around.verdicts):
            return _all(around)
        only = bool(named) and _singles_out(sentence, around)
        for index in range(count) if only else named or range(count):
            verdict = around.verdicts[index]
            if verdict is not None and _disagrees(sentence, verdict, around.words) is not (only and index not in named):
                held.add(index)
    return held


def _singles_out(sentence: str, around: Surroundings) -> bool:
    """Whether a strange word before the name of a statement may bear on the others: "Only the first is supported"."""
    match = _NAMED_NUMBERS.search(sentence) or _ORDINAL.search(sentence)
    if match is None or next(around.words.mentions(sentence), None) is None:
        return False
    before = re.findall(r"[^\W\d_]+", re.split("[:,;]", sentence[: match.start()].casefold())[-1])
    while before and before[-1] in vocabulary("function"):
        before.pop()
    return bool(before) and not is_own_lead(before[-1]) and next(around.words.mentions(before[-1]), None) is None


def _statements_named(sentence: str, count: int) -> set[int]:
    found: set[int] = set()
    for match in _NAMED_NUMBERS.finditer(sentence):
        found |= {int(one) - 1 for group in match.groups() if group for one in re.findall(r"\d+", group)}
    said = re.findall(r"[^\W\d_]+", sentence.casefold())
    found |= {ranks("ordinals")[word] - 1 for word in said if word in ranks("ordinals")}
    return {index for index in found if 0 <= index < count}


def _disagrees(text: str, verdict: Verdict, words: Words) -> bool:
    if words.bears(text, verdict, weak=True):
        return True
    signs = {words.table[char] for char in text if char in words.signs}
    return bool({one for one in signs if isinstance(one, Verdict)} - {verdict})


RULES: Final[tuple[tuple[str, Rule], ...]] = (
    ("withdrawal", _withdrawal),
    ("unexplained", _unexplained),
    ("disagreement", disagreements),
    ("unaccounted", _unaccounted),
)


# -- behind a single answer ------------------------------------------------------------------------------------------


def void_single(
    tail: str,
    value: Any,
    rivals: Callable[[str, Any, bool], bool],
    *,
    strict: bool,
    cut: bool = False,
    yes: bool = False,
    known: Callable[[str], bool] = lambda _: False,
    goes_on: bool = True,
) -> bool:
    """Whether what stands behind a single answer voids it."""  # a long text is a reason
    rest = unaccounted(tail, cut=cut, numbers=False)
    if not rest.strip(_COVERS):
        return False
    if is_on("rule:withdrawal") and (
        withdraws(rest) or points_back(tail) or is_dictated(tail) or (goes_on and is_of_part_or_another(tail))
    ):
        return True
    headed = any(is_headed_reason(one.strip(_COVERS)) for one in (rest, tail))
    short = strict or (len(rest.strip()) <= SHORT and not headed)
    if is_on("rule:disagreement") and rivals(rest, value, short):
        return True
    if short and is_on("rule:explained"):
        goes_on = goes_on and tail.lstrip(" *_`\"'")[:1] not in _ENDS and not is_courtesy(SENTENCES.split(tail)[0])
        if not explains(rest.strip(_COVERS), known, goes_on=goes_on, named=strict):
            return True
    return strict and yes and is_on("rule:unexplained") and denies(rest)
