"""The words of a scale: from what a judge wrote to a verdict of the scale, or the reason why it is none.

A word counts as a whole or not at all: "not supported" holds "supported", "unknown" holds "no". What is not in the
table is unknown, never a guess.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any, Final

from magistrate.parsing.courtesies import conditional, hedged, obliges, retorts
from magistrate.parsing.degrees import QUALITIES, is_degree
from magistrate.parsing.languages import Sense, merge
from magistrate.parsing.pieces import MARKS, Piece, is_list_number, pieces_of, stands_alone
from magistrate.parsing.scale_words import numbers_of, verdict_of
from magistrate.parsing.sides import counted, denies_itself, is_plain, turns
from magistrate.parsing.talk import taken_back
from magistrate.verdict import IssueCode, Scale, Verdict, resolve_scale

__all__ = ["KNOWN", "MARKS", "Vocabulary", "fold", "opposed", "vocabulary_of"]

LONGEST_TOKEN: Final = 600
"""Characters of a value that are looked at: a verdict and a sentence of reason, not an essay."""

_SHORT: Final = 24
_MOST_SAID: Final = 2_048
"""Short texts whose reading is kept: replies say the same few words again and again."""

_SENSES: Final = merge()
_MOST_WORDS: Final = max(word.count(" ") for word in _SENSES) + 1

_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e007f]"
)
_APOSTROPHES: Final = str.maketrans({"\u2019": "'", "\u02bc": "'", "\u00b4": "'", "`": "'"})
_JOINS: Final = re.compile(r"(?<=\w)[_\u2010-\u2013-](?=\w)|[\s_]+")
_DECORATION: Final = (
    " \t\r\n*_'\"“”„‟«»‹›「」『』【】〔〕（）()[]{}<>.,;:!?。，、；：！？،؛؟।|#~=\u2014\u2013-\u2022\u00b7"
)
_PAIRS: Final = ("<>", "{}", "[]")
_NEUTRAL: Final = frozenset(  # words that leave a verdict what it is: "not directly supported" is "not supported"
    "factually directly clearly explicitly actually really indeed strictly therefore thus definitely certainly "
    "strongly "
    "also hence simply plainly obviously unambiguously claramente directamente klar eindeutig clairement directement "
    "chiaramente direttamente diretamente ясно явно прямо".split()
)


def fold(text: str) -> str:
    """Bring a word to the one form it has in the tables: width, case, invisible marks, hyphens and blanks aside."""
    text = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).casefold().translate(_APOSTROPHES)
    return _JOINS.sub(" ", text).strip()


def opposed(left: str, right: str) -> bool:
    """Whether one of two words is a yes and the other a no, in any language: a tick before "FAIL"."""
    senses = {_SENSES.get(fold(left)), _SENSES.get(fold(right))}
    return Sense.YES in senses and not senses.isdisjoint({Sense.NO, Sense.LACK, Sense.CONTRA})


_QUANTITY: Final = re.compile(r"-?\d{1,8}(?:[.,]\d{1,8})?\s?(?:%|/\s?\d{1,8}(?:[.,]\d{1,8})?)")
_QUESTION: Final = re.compile(r"[?？؟][\s*_`\"'“”»)\]]*$")
_COPULA: Final = re.compile(r"(?:is|are|was|were|it's|it is)\s+")
_PROGRAM: Final = re.compile(r"\bif\b.{0,200}\belse\b", re.DOTALL)
_SIGNED: Final = re.compile(r"[^\w\s]*(?:\s[^\w\s]*)*?[-\u2212\u2013.,\u00b7\u066b]\d")
"""A number below nought, or a part of one (".5"): what stands directly before a digit belongs to it."""
_FIGURE: Final = re.compile(r"[\s*_`\"']*[(（]\s*([01])\s*[)）]")
_GIVES: Final = re.compile(r"\s*[:=]")
"""Behind a word that is the name of a value: "supported: 0"."""
_ASIDE: Final = re.compile(r"[(（\[]([^()（）\[\]]{0,400})[)）\]]")


class Vocabulary:
    """The words of one scale.

    Args:
        scale: The verdicts it offers and its own words, which come before the built-in ones.

    Attributes:
        exact: What models write most, as written, for a look-up without any normalising: words in three cases, truth
            values and the digits of a two-valued scale.
        look_up: Looks a value up in it.
        columns: Short columns of words that have been looked up as a whole.
        truth_columns: The same of JSON's truth values.
        two_valued: Whether the scale is a yes and a no.
    """

    def __init__(self, scale: Scale) -> None:
        self.scale = scale
        offered = frozenset(scale.verdicts)
        self._verdicts = {sense: verdict_of(sense, offered) for sense in Sense}
        self._denials = {
            verdict
            for verdict in (self._verdicts[sense] for sense in (Sense.NO, Sense.LACK, Sense.CONTRA))
            if isinstance(verdict, Verdict)
        }
        self._words: dict[str, Verdict | IssueCode] = {word: self._verdicts[sense] for word, sense in _SENSES.items()}
        for verdict in Verdict:
            if verdict in offered:
                self._words[fold(verdict.value)] = verdict
        self._words.update({fold(word): verdict for word, verdict in scale.words.items()})
        for word, said in list(self._words.items()):  # "NotEnoughInfo"
            if " " in word and word.isascii():
                self._words.setdefault(word.replace(" ", ""), said)
        if len(offered) > 2:  # noqa: PLR2004 - a yes and a no
            self._words.pop("n", None)  # "neutral" and "not enough information" begin with it as well as "no"
        self._numbers = numbers_of(scale, offered)
        self._most_words = 2 + max(_MOST_WORDS, *(word.count(" ") + 1 for word in self._words))
        self.exact: dict[Any, Verdict] = {
            form: verdict
            for word, verdict in self._words.items()
            if isinstance(verdict, Verdict)
            for form in (word, word.upper(), word.capitalize(), word.replace(" ", "_"), word.replace(" ", "_").upper())
        }
        self.two_valued = len(offered) == 2  # noqa: PLR2004 - a yes and a no
        self.exact.update({str(number): found for number, found in self._numbers.items()})
        self.exact.update(self._numbers)
        self.look_up = self.exact.__getitem__
        self._said: dict[str, Verdict | IssueCode | None] = {}
        self.columns: dict[tuple[str, ...], tuple[Verdict, ...]] = {}
        self.truth_columns: dict[tuple[str, ...], tuple[Verdict, ...]] = {}
        if self._numbers:
            self.exact.update({True: self._numbers[1], False: self._numbers[0]})

    def read(self, value: Any) -> Verdict | IssueCode:
        """Read what stands in the place of a verdict.

        Returns:
            A verdict of the scale, or why there is none: MISSING_VERDICT (nothing is there), UNKNOWN_LABEL (no word of
            any scale), OUT_OF_RANGE (a word or number that is not on this scale), CONFLICTING_VERDICTS (two words).
        """
        if isinstance(value, str):
            return self.exact.get(value) or self._read_text(value[:LONGEST_TOKEN])
        if value is None:
            return IssueCode.MISSING_VERDICT
        if isinstance(value, bool):
            return self.truth(yes=value)
        if isinstance(value, int | float):
            return self._numbers.get(value, IssueCode.OUT_OF_RANGE)
        return IssueCode.UNKNOWN_LABEL

    def truth(self, *, yes: bool) -> Verdict | IssueCode:
        """Read a truth value: false says "not supported" and no more."""
        return self._verdicts[Sense.YES if yes else Sense.LACK]

    def is_plain_no(self, value: Any) -> bool:
        """Whether a value is a plain no or false, which says less than "contradicted"."""
        return isinstance(value, str) and _SENSES.get(fold(value).strip(_DECORATION)) is Sense.NO

    def sense(self, sense: Sense) -> Verdict | IssueCode:
        """The verdict that a sense has on this scale."""
        return self._verdicts[sense]

    def word(self, text: str) -> Verdict | IssueCode | None:
        """Read a text that is one word of the table and nothing else; None where it is not."""
        short = len(text) <= _SHORT
        if short and text in self._said:
            return self._said[text]
        found = self._word(fold(text))
        if short and len(self._said) < _MOST_SAID:
            self._said[text] = found
        return found

    def _word(self, folded: str) -> Verdict | IssueCode | None:
        if any(folded.count(left) != folded.count(right) for left, right in _PAIRS):
            return None  # in a bracket that is open something else begins
        if _QUESTION.search(folded):
            return IssueCode.UNKNOWN_LABEL if folded.strip(_DECORATION) in self._words else None
        if _SIGNED.match(folded):
            return IssueCode.OUT_OF_RANGE
        folded = folded.strip(_DECORATION)
        found = self._words.get(folded)
        return found if found is not None else self._number(folded)

    def begins_another(self, text: str) -> bool:
        """Whether a word may be the beginning of another one of the table that says something else."""
        folded = fold(text).strip(_DECORATION)
        said = self._words.get(folded)
        return not folded or any(
            word.startswith(folded) and other is not said for word, other in self._words.items() if word != folded
        )

    def _number(self, word: str) -> Verdict | IssueCode | None:
        if _QUANTITY.fullmatch(word):
            return IssueCode.OUT_OF_RANGE
        if not word or not word.replace(".", "", 1).replace("-", "", 1).isdecimal():
            return None
        if len(word) > 8:  # noqa: PLR2004 - no scale has numbers of that length, and int() of digits takes quadratic time
            return IssueCode.OUT_OF_RANGE
        return self._numbers.get(float(word), IssueCode.OUT_OF_RANGE)

    def _read_text(self, value: str) -> Verdict | IssueCode:
        folded = fold(value)
        bare = folded.strip(_DECORATION)
        if _QUESTION.search(folded):  # "yes?" takes back what it says
            return IssueCode.UNKNOWN_LABEL
        if not bare:
            marks = [self._words[char] for char in folded if char in MARKS]
            return _agree(marks) if marks else IssueCode.MISSING_VERDICT
        if _SIGNED.match(folded):
            return IssueCode.OUT_OF_RANGE
        whole = self._words.get(bare) or self._words.get(_COPULA.sub("", bare, count=1))
        if whole is None:
            whole = self._number(bare)
        if whole is not None:
            return whole
        lead = self.lead(folded)
        return lead[0] if lead else IssueCode.UNKNOWN_LABEL

    def lead(self, folded: str, *, numbers: bool = True, asked: bool = False) -> tuple[Verdict | IssueCode, int] | None:
        """Read the word at the head of a folded text.

        Args:
            folded: The text, as `fold` gives it.
            numbers: Whether 1 and 0 count as words; at the head of a sentence they are list numbers.
            asked: Whether a question stands before it, which it answers; another question answers nothing.

        Returns:
            The reading and where the head ends; None where the text does not begin with a word of the table that
            stands by itself.
        """
        minus = _SIGNED.match(folded)
        if minus is not None:
            return (IssueCode.OUT_OF_RANGE, minus.end()) if numbers else None
        pieces = pieces_of(folded[:LONGEST_TOKEN])
        start, marks = 0, []
        while start < len(pieces):
            kind, text, _ = pieces[start]
            if text in MARKS:
                marks.append(self._words[text])
            elif kind == "word":
                break
            start += 1
        head = self._head(pieces, start, numbers=numbers)
        if head is None:
            if not marks:
                return None
            end = pieces[start - 1][2] if start else 0
            return _agree(marks), end
        found, stop = head
        end = pieces[stop - 1][2]
        rest = folded[end:]
        if pieces[stop - 1][1] in QUALITIES and is_degree(rest, pieces[stop - 1][1]):
            return IssueCode.UNKNOWN_LABEL, end
        said = " ".join(text for kind, text, _ in pieces[start:stop] if kind == "word")
        plain = is_plain(said)
        if (obliges(rest) or (hedged(rest) and found is self._verdicts[Sense.YES])) if plain else counted(rest):
            return IssueCode.UNKNOWN_LABEL, end
        if rest[:1] and rest[0] in "?？؟":  # "Supported? No."
            if asked or not rest[1:].strip(_DECORATION):
                return IssueCode.UNKNOWN_LABEL, end
            against = found is not self._verdicts[Sense.YES]  # "Unsupported? No."
            return (IssueCode.CONFLICTING_VERDICTS, end) if against else self.lead(rest[1:], asked=True)
        if isinstance(found, Verdict):  # a yellow dot before "not enough information" is a colour, not a word
            marks = [mark for mark in marks if isinstance(mark, Verdict)]
        reading = _agree(
            [
                *marks,
                found,
                *self._further(rest, numbers=pieces[stop - 1][1][0].isdecimal() or _GIVES.match(rest) is not None),
            ]
        )
        yes = reading is self._verdicts[Sense.YES]
        sided = yes or reading in self._denials
        if sided and (
            denies_itself(said, rest)
            or self._glossed(reading, rest)
            or turns(said, rest, yes=yes)
            or (plain and retorts(rest, yes=yes))
        ):
            reading = IssueCode.CONFLICTING_VERDICTS
        elif taken_back(rest, yes=yes) or (yes and conditional(rest)) or _PROGRAM.search(rest):
            reading = IssueCode.UNKNOWN_LABEL
        return reading, end

    def _glossed(self, reading: Verdict | IssueCode, rest: str) -> bool:
        """Whether the figure in brackets behind a word is that of the other side: "supported (0)"."""
        figure = _FIGURE.match(rest)
        return figure is not None and self._numbers.get(float(figure[1]), reading) is not reading

    def _head(self, pieces: list[Piece], start: int, *, numbers: bool) -> tuple[Verdict | IssueCode, int] | None:
        words: list[str] = []
        stops: list[int] = []
        at = start
        while at < len(pieces) and len(words) < self._most_words:
            kind, text, _ = pieces[at]
            if kind != "word":
                break
            words.append(text)
            stops.append(at + 1)
            at += 1
            if at + 1 < len(pieces) and pieces[at][0] == "gap" and pieces[at][1] == " " and pieces[at + 1][0] == "word":
                at += 1
            else:
                break
        for count in range(len(words), 0, -1):
            phrase = " ".join(words[:count])
            found = self._words.get(phrase)
            if found is None and numbers:
                found = self._number(phrase)
            if found is None and count > 1 and not _NEUTRAL.isdisjoint(words[:count]):
                found = self._words.get(" ".join(word for word in words[:count] if word not in _NEUTRAL))
            goes_on = found is self._verdicts[Sense.UNKNOWN] and count > 1 and words[count : count + 1] in _WHERE
            if found is not None and (goes_on or stands_alone(pieces, stops[count - 1])):
                if phrase[0].isdecimal() and phrase not in self._words and is_list_number(pieces, stops[count - 1]):
                    return None
                return found, stops[count - 1]
        return None

    def _further(self, rest: str, *, numbers: bool) -> list[Verdict | IssueCode]:
        """Verdicts of the segments of the rest that are, as a whole, a word: "yes / no", "1 (unsupported)"."""
        found = []
        rest = _ASIDE.sub(self._gloss, rest)
        pieces = _SEGMENTS.split(rest)  # segments, and between them the marks that separate them
        for at in range(0, len(pieces), 2):
            word = pieces[at].strip(_DECORATION).removeprefix("so ")
            concedes = (
                at > 0 and pieces[at - 1] in _STOPS and pieces[at + 1 : at + 2] in _COMMAS and pieces[at + 2].strip()
            )
            if word and not concedes:  # "No. Yes, they say so, but ..."
                verdict = self._words.get(word)
                if verdict is None and numbers:
                    verdict = self._number(word)
                if verdict is not None:
                    found.append(verdict)
        return found

    def _gloss(self, match: re.Match[str]) -> str:
        """What stands in brackets behind a word says the same word in another way, or is a reason."""
        word = match[1].strip(_DECORATION)
        return f"({word})" if word in self._words or self._number(word) is not None else " "


_WHERE: Final = (["in"], ["from"], ["about"], ["on"], ["im"], ["en"], ["dans"], ["nel"], ["no"], ["в"])
"""What may follow "not enough information": where it is missing."""
_SEGMENTS: Final = re.compile(r"([.,;:!?()\[\]{}|/\n\u2014\u2013\u2192。，、；：！？،؛؟।（）=]|\s-\s|\band\b|\bor\b)")
_STOPS: Final = frozenset(".;!?。；！？؛؟।")
_COMMAS: Final = ([","], ["，"], ["،"])


def _agree(verdicts: list[Verdict | IssueCode]) -> Verdict | IssueCode:
    """One reading of several words of one value: they must not disagree."""
    kinds = set(verdicts)
    if len(kinds) == 1:
        return verdicts[0]
    return IssueCode.CONFLICTING_VERDICTS


KNOWN: dict[str | Scale, Vocabulary] = {}
"""The vocabularies built so far, by scale and by its name."""
_LAST: list[tuple[Scale, Vocabulary]] = []
_MOST_KNOWN: Final = 64


def vocabulary_of(scale: str | Scale) -> Vocabulary:
    """The vocabulary of a scale; built once.

    Raises:
        ValueError: If the scale is a name that is not known.
    """
    if type(scale) is str:
        known = KNOWN.get(scale)
        if known is not None:
            return known
    else:
        for last, words in _LAST:  # hashing a scale costs more than reading a reply
            if last is scale:
                return words
    return _look_up(scale)


def _look_up(scale: str | Scale) -> Vocabulary:
    resolved = resolve_scale(scale)
    words = KNOWN.get(resolved)
    if words is None:
        words = Vocabulary(resolved)
        if len(KNOWN) < _MOST_KNOWN:
            KNOWN[resolved] = words
    if isinstance(scale, str):
        KNOWN[scale] = words
    else:
        _LAST.insert(0, (scale, words))
        del _LAST[4:]
    return words
