"""The words of one scale, and where they stand in a text.

A word counts as a whole or not at all. What a text *says* is never worked out here: only which words of the table it
holds, each with the sense it has in its clause (as it stands, or turned round by a negation before it).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from magistrate.parsing.switches import cached, cached_for, kept
from magistrate.parsing.wording import hedges
from magistrate.parsing.wording.fold import DECORATION, fold
from magistrate.parsing.wording.hedges import LONGEST_WORD
from magistrate.parsing.wording.languages import Sense, group, senses
from magistrate.parsing.wording.patterns import Screen, WordPattern, is_dense, prose, vocabulary
from magistrate.verdict import IssueCode, Scale, Verdict, resolve_scale

LONE_DENIALS: Final = frozenset({"not", "nicht", "niet", "ikke", "inte", "pas"})
LONGEST_VALUE: Final = 600
"""Characters of a value that are read; more is no verdict."""
_STRONG: Final = 5
"""Letters of a word from which on it counts anywhere in a text, if ordinary prose does not hold it."""
_QUANTITY: Final = re.compile(r"[-\u2212]?\d{1,8}(?:[.,]\d{1,8})?\s?(?:%|/\s?\d{1,8})?")
_NEUTRAL: Final = re.compile(
    r"\b(?:factually|directly|clearly|explicitly|actually|fully|really|strictly|therefore|thus|definitely|strongly|"
    r"also|simply|plainly)\s+"
)
_GIVEN: Final = re.compile(
    r"(?<=\bthe )(?:provided|given|supplied|available|cited) (?=\w)|(?<=\w) (?:provided|given|supplied|above)$"
)
"""What is said of a source, and changes nothing: "by the evidence provided"."""
_TOKEN: Final = re.compile(
    r"[^\W_](?:[\w'\u0300-\u036f\u0610-\u065f\u0900-\u0963\u0981-\u0983\u09bc-\u09cd\u0b82\u0bbe-\u0bcd]|[.,](?=\d))*|[.,;:!?。，、；：！？।۔\n()\u2013\u2014\u2192]|n/a"
)
_STOPS: Final = frozenset(".,;:!?。，、；：！？।۔\n()\u2013\u2014\u2192")
_SEGMENT: Final = re.compile(r"[.,;:!?()\[\]{}|/\n\u2014\u2013\u2192。，、；：！？،؛؟।۔（）=]|\s-\s|\band\b|\bor\b")
_NAMES_MORE: Final = re.compile(r"[\s*_`]*(?:[:：=]|\s-\s|\s[–—]\s|(?=\())[\s*_`(]*")
_DASH: Final = re.compile(r"[\s*_`]*[–—-]")
_NAMED: Final = re.compile(
    r"[\"'\u201d]\s+(?:(?:is|was)(?!\s+(?:my|the|our)\b)|are|were|would|means|refers)\b", re.IGNORECASE
)
_OF_A_LIST: Final = re.compile(r"\.\s?\d")
_NUMBER_SIGNS: Final = frozenset({"no", "nr"})
_NOUN: Final = re.compile(r"\W*(?:support|entailment|contradiction|hallucination)\W*", re.IGNORECASE)
_NOTHING: Final = re.compile(
    r"\d{1,2}(?:\s*of\s*\d{1,2})?\s*(?:[)\]]|$)|(?:none|nothing|not at all|never|hardly|lacking|weak|missing|strong)\b"
    r"|[-\u2013\u2014]\s*$",
    re.IGNORECASE | re.MULTILINE,
)
"""What stands behind a name that is also a verdict, "Support: none", or in brackets, "Supported (0)"."""
_LONGEST_PLAIN: Final = 7
_LONGEST_CLAUSE: Final = 140
_BROKEN: Final = re.compile(r"[\"\u201c\u201d\u201e\u00ab\u00bb`;]|(?<!\w)'|'(?!\w)|\bwould\b|[.!?\u3002]\s*\S")
"""A second sentence, a quotation, or what would be."""
_CLAUSES: Final = re.compile(r"[,:\uff0c\uff1a]")
_CLAUSE_END: Final = re.compile(r"[.!?\n;。！？]")
_FEW_WORDS: Final = 4
_COMPATIBLE: Final = {
    Verdict.SUPPORTED: frozenset({Sense.YES}),
    Verdict.UNSUPPORTED: frozenset({Sense.NO, Sense.LACK, Sense.CONTRA, Sense.UNKNOWN, Sense.PARTLY}),
    Verdict.CONTRADICTED: frozenset({Sense.NO, Sense.LACK, Sense.CONTRA}),
    Verdict.NOT_ENOUGH_INFO: frozenset({Sense.LACK, Sense.UNKNOWN}),
    Verdict.PARTIALLY_SUPPORTED: frozenset({Sense.YES, Sense.PARTLY, Sense.LACK, Sense.UNKNOWN}),
}
"""Which words may stand in the reason for a verdict."""
_COPULA: Final = WordPattern(r"(?:(?:it|this|that|there)\s+)?(?:{is}|it's)\s+")
_SOURCE: Final = WordPattern(
    r"\b{source}\b|{dense:source}",
    re.NOFLAG,
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A word of the table in a text: its sense there, and whether it is one that ordinary prose does not hold."""

    sense: Sense | None  # None: a denial turned round, "does not contradict"
    strong: bool


def _verdict_of(sense: Sense, offered: frozenset[Verdict]) -> Verdict | IssueCode:
    """What a sense is on a scale with these verdicts; OUT_OF_RANGE where the scale cannot hold it."""
    contradicted, unsupported = Verdict.CONTRADICTED in offered, Verdict.UNSUPPORTED in offered
    candidates = {
        Sense.YES: (Verdict.SUPPORTED,),
        # Where a scale has one denial, any denial is that one. Where it has both, a plain no may be either.
        Sense.NO: () if contradicted and unsupported else (Verdict.CONTRADICTED, Verdict.UNSUPPORTED),
        Sense.LACK: (Verdict.UNSUPPORTED,),
        Sense.CONTRA: (Verdict.CONTRADICTED, Verdict.UNSUPPORTED),
        Sense.UNKNOWN: (Verdict.NOT_ENOUGH_INFO,),
        Sense.PARTLY: (Verdict.PARTIALLY_SUPPORTED,),
        Sense.OFF: (),
    }[sense]
    return next((verdict for verdict in candidates if verdict in offered), IssueCode.OUT_OF_RANGE)


def _numbers_of(scale: Scale, offered: frozenset[Verdict]) -> dict[float, Verdict]:
    """1 and 0 mean something on a two-valued scale only."""
    if len(offered) == 2 and Verdict.SUPPORTED in offered:  # noqa: PLR2004 - a yes and a no
        denial = next(verdict for verdict in scale.verdicts if verdict is not Verdict.SUPPORTED)
        if denial in {Verdict.UNSUPPORTED, Verdict.CONTRADICTED}:
            return {1: Verdict.SUPPORTED, 0: denial}
    return {}


class Words:
    """The words of one scale."""

    def __init__(self, scale: Scale, legend: dict[str, Verdict] | None = None) -> None:
        self.scale = scale
        offered = frozenset(scale.verdicts)
        self.two_valued = len(offered) == 2  # noqa: PLR2004 - a yes and a no
        self.verdicts = {sense: _verdict_of(sense, offered) for sense in Sense}
        self.table: dict[str, Verdict | IssueCode] = {word: self.verdicts[sense] for word, sense in senses().items()}
        self.table.update({fold(one.value): one for one in Verdict if one in offered})
        self.table.update({fold(word): verdict for word, verdict in scale.words.items()})
        for word, said in list(self.table.items()):  # "NotEnoughInfo"
            if " " in word and word.isascii():
                self.table.setdefault(word.replace(" ", ""), said)
        if not self.two_valued:
            self.table.pop("n", None)
        self.table.update(legend or {})
        self.numbers = _numbers_of(scale, offered)
        self.exact = self._exact_forms()
        self._known = lru_cache(1_024)(self._whole)
        self.signs = frozenset(word for word in self.table if len(word) == 1 and not word.isalnum())
        self._telling = frozenset(max(word.split(), key=len) for word in self.table)
        self._phrases: dict[str, list[tuple[str, ...]]] = {}
        for word in self.table:
            parts = tuple(word.split())
            self._phrases.setdefault(parts[0], []).append(parts)
        for phrases in self._phrases.values():
            phrases.sort(key=len, reverse=True)
        self._dense = sorted((one for one in self.table if len(one) > 1 and is_dense(one)), key=len, reverse=True)

    def _exact_forms(self) -> dict[Any, Verdict]:
        """What judges write most, as it is: one look instead of a reading."""
        exact: dict[Any, Verdict] = {
            form: said
            for word, said in self.table.items()
            if isinstance(said, Verdict)
            if not word.isupper()
            for form in (word, word.upper(), word.capitalize(), word.replace(" ", "_"), word.replace(" ", "_").upper())
        }
        for word, said in self.table.items():
            if word.isupper():  # "NEI" says one thing, "nei" another
                for form in (word, word.lower(), word.capitalize()):
                    exact.pop(form, None)
                exact.update({word: said} if isinstance(said, Verdict) else {})
        exact.update({str(number): said for number, said in self.numbers.items()})
        exact.update(self.numbers)
        if self.numbers:
            exact.update({True: self.numbers[1], False: self.numbers[0]})
        return exact

    def read(self, value: Any) -> Verdict | IssueCode:
        """Read what stands in the place of a verdict: a word of the table, alone or before a break."""
        if value is None:
            return IssueCode.MISSING_VERDICT
        if isinstance(value, bool):
            return self.verdicts[Sense.YES if value else Sense.LACK]
        if isinstance(value, int | float):
            return self.numbers.get(value, IssueCode.OUT_OF_RANGE)
        if not isinstance(value, str):
            return IssueCode.UNKNOWN_LABEL
        known = self.exact.get(value)
        if known is not None:
            return known
        if not value.strip():
            return IssueCode.MISSING_VERDICT
        found = self.whole(value[:LONGEST_VALUE])
        if found is not None:
            return found
        lead = self.lead(value[:LONGEST_VALUE])
        if lead is None:
            return IssueCode.UNKNOWN_LABEL
        reading, end = lead
        return IssueCode.CONFLICTING_VERDICTS if self.bears(value[end:LONGEST_VALUE], reading) else reading

    def whole(self, text: str) -> Verdict | IssueCode | None:
        """Read a text that is one word of the table and nothing else; None where it is not."""
        return self._known(text) if len(text) <= LONGEST_WORD else None

    def _whole(self, text: str) -> Verdict | IssueCode | None:
        stripped = text.strip(DECORATION)
        if "\n" in stripped:
            return None
        if stripped.isupper() and stripped in self.table:
            return self.table[stripped]
        folded = fold(text)
        marks = {self.table[char] for char in self.signs.intersection(folded)}
        bare = ("".join(char for char in folded if char not in self.signs) if marks else folded).strip(DECORATION)
        known = is_dense(bare) or not self._telling.isdisjoint(bare.split())
        if (bare and not known and not bare[0].isdigit()) or hedges.is_question(folded):
            return None
        if bare and folded.lstrip("*_\"'([ ")[:1] in "-\u2212.," and bare[:1].isdigit():
            return IssueCode.OUT_OF_RANGE
        found = self._word(bare, known=known) if bare else None
        if bare and found is None:
            return None
        if found is not None and not isinstance(found, Verdict):
            return found
        said = {one for one in marks if isinstance(one, Verdict) or not bare} | ({found} if found else set())
        if len(said) > 1:
            return IssueCode.CONFLICTING_VERDICTS
        return next(iter(said), None)

    def _word(self, bare: str, *, known: bool) -> Verdict | IssueCode | None:
        found = self.table.get(bare) or (self.table.get(_COPULA.sub("", bare, count=1)) if known else None)
        if found is None and known:
            found = self.table.get(_NEUTRAL.sub("", bare)) or self._sourced(bare)
        if found is not None or not _QUANTITY.fullmatch(bare):
            return found
        plain = bare.replace(".", "", 1).isdecimal()
        return self.numbers.get(float(bare), IssueCode.OUT_OF_RANGE) if plain else IssueCode.OUT_OF_RANGE

    def _sourced(self, bare: str) -> Verdict | IssueCode | None:
        """A word that says where it is from: "supported by the text", "wird durch den Text gestützt"."""
        plain, found = _SOURCE.subn("", _GIVEN.sub("", bare))
        plain = " ".join(plain.split())
        plain = plain if plain in self.table else _NEUTRAL.sub("", plain)
        return self.table.get(plain) or self.table.get(_COPULA.sub("", plain, count=1)) if found else None

    def lead(self, text: str, *, numbers: bool = True) -> tuple[Verdict | IssueCode, int] | None:
        """Read the word at the head of a text that stands by itself: before a mark, a line's end, or "because"."""
        for stop in hedges.stops(text):
            found = self.whole(text[:stop])
            if text.startswith(".", stop) and _OF_A_LIST.match(text, stop) and fold(text[:stop]) in _NUMBER_SIGNS:
                return None  # "No. 5 of the list"
            if found is None or not (numbers or not any(char.isdigit() for char in text[:stop])):
                continue
            rest = text[stop:]
            hedged = self._is_hedged(rest) if found is self.verdicts[Sense.YES] else hedges.is_conditional(rest)
            if (
                hedged
                or hedges.OF_ANOTHER.match(rest)
                or hedges.is_dictated(rest[:LONGEST_WORD])
                or self._answers_the_opposite(text[:stop], rest)
            ):
                return IssueCode.CONFLICTING_VERDICTS, stop
            named = _NAMES_MORE.match(text, len(text[:stop].rstrip()))  # "unsupported: no" is a name, and a no
            if named is not None and self._is_a_name(text, named, found):
                return IssueCode.CONFLICTING_VERDICTS, stop
            if named is not None and not _DASH.match(named.group()):
                bracket = text[named.end() - 1] == "("
                number = text[named.end() : named.end() + 2] if bracket and is_plain(text[:stop]) else ""
                if number[1:] == ")" and self.whole(number[0]) is found:
                    return found, stop  # "Yes (1)"
                few = not bracket and _NOUN.fullmatch(text[:stop]) and len(text[named.end() :].split()) < _FEW_WORDS
                yes = found is self.verdicts[Sense.YES]
                least = len(text[named.end() :].split()) <= 1 or _NOUN.fullmatch(text[:stop])
                nothing = (yes or least) and not (bracket and not yes)  # "no (nothing on ...)"
                if few or (nothing and _NOTHING.match(text, named.end())):
                    return IssueCode.CONFLICTING_VERDICTS, stop
            named = _NAMED.match(text, stop)  # '"yes" is what it would like to hear'
            return None if named or text[stop : stop + 1] in {"?", "？", "؟"} else (found, stop)
        return None

    def _answers_the_opposite(self, word: str, rest: str) -> bool:
        """Whether a plain yes or no answers whether something is wrong: "No, it does not contradict the context"."""
        sense = senses().get(fold(word.strip(DECORATION)))
        if (
            sense not in {Sense.YES, Sense.NO}
            or rest[:1] not in ",.:;，、،。"
            or self.table.get(fold(word), 0) not in self.numbers.values()
        ):
            return False
        clause = _CLAUSE_END.split(rest[1:LONGEST_VALUE].strip(), maxsplit=1)[0]
        denied = not hedges.denials().isdisjoint(_TOKEN.findall(fold(clause)))
        fault = hedges.FAULT.match(clause) is not None
        if sense is Sense.YES:
            return fault and not denied
        turned = {one.sense for one in self.mentions(clause)}
        fault = fault or (not turned.isdisjoint({None, Sense.CONTRA}) and turned.isdisjoint({Sense.NO, Sense.LACK}))
        return hedges.denies_contradiction(clause) or (denied and fault)

    def _is_a_name(self, text: str, named: re.Match[str], found: Verdict | IssueCode) -> bool:
        """Whether a word is a name for what stands behind it: "unsupported: no"; in brackets, whether they differ."""
        parts = [text[named.end() : end] for end in hedges.ends(text, named.end())]
        beside = [self.whole(part) for part in parts if not part.strip().isdecimal()]
        plain = senses().get(fold(text[: named.start()].strip(DECORATION)))
        if plain is Sense.NO and found is self.verdicts[Sense.LACK]:  # "no: not mentioned", on a scale of two
            beside = [one for one in beside if one is not IssueCode.OUT_OF_RANGE]
        if text[named.end() - 1 : named.end()] != "(":
            dashed = plain in {Sense.YES, Sense.NO} and _DASH.match(named.group())
            agree = found is self.verdicts[Sense.YES] or dashed
            return any(one is not found for one in beside if one) if agree else any(beside)
        denied = text[named.end() :].partition(")")[0].strip().casefold() in vocabulary("negation")
        return denied or any(isinstance(one, Verdict) and one is not found for one in beside)

    def _is_hedged(self, rest: str) -> bool:
        """Whether a yes is taken back in part: by a hedge, by few words of contrast, or by such that disagree."""
        if hedges.NOT_THAT.match(rest.lstrip(" ,;")):
            return True
        if not hedges.hedges(rest):
            return False
        if hedges.hedges(rest, contrast=False):
            return True
        clause = _CLAUSE_END.split(rest.lstrip(" ,;:(-\u2014\u2013"), maxsplit=1)[0]
        return len(clause.split()) <= _FEW_WORDS or self.bears(clause, self.verdicts[Sense.YES], weak=True)

    def mentions(self, text: str) -> Iterator[Mention]:
        """The words of the table in a text, each with its sense in its clause, in linear time."""
        folded = fold(text)
        common, denials, turns = vocabulary("common"), vocabulary("negation"), vocabulary("contrast")
        tokens = _TOKEN.findall(folded)
        negated, at = False, 0
        while at < len(tokens):
            token = tokens[at]
            if token in _STOPS or token in turns:
                negated, at = False, at + 1
                continue
            known = self._phrases.get(token)
            phrase = next((one for one in known if tuple(tokens[at : at + len(one)]) == one), None) if known else None
            if phrase is None or (len(phrase) == 1 and token in denials):
                negated = negated or token in denials
                at += 1
                continue
            word = " ".join(phrase)
            sense = senses().get(word) or self._sense(self.table[word])
            strong = word not in common and (len(word) > _STRONG or not word.isascii()) and sense is not Sense.OFF
            if negated:
                sense = Sense.LACK if sense is Sense.YES else Sense.YES if sense is Sense.LACK else None
            if sense is not Sense.OFF and not self._is_attribute(tokens, at, len(phrase)):
                yield Mention(sense, strong)
            negated = negated or phrase[0] in denials
            at += len(phrase)
        if not folded.isascii():
            for word in self._dense:  # the longest first: a word in a longer one is none
                if word in folded:
                    folded = folded.replace(word, " ")
                    yield Mention(senses().get(word), word not in common)

    def _is_attribute(self, tokens: list[str], at: int, size: int) -> bool:
        """Whether a word of assent belongs to a thing that is named: "here is the correct summary"."""
        follows = tokens[at + size] if at + size < len(tokens) else ""
        return (
            at > 0
            and follows.rstrip("s") in vocabulary("item", "candidate")
            and tokens[at - 1] in vocabulary("function")
        )

    def _sense(self, said: Verdict | IssueCode) -> Sense | None:
        return next((sense for sense, verdict in self.verdicts.items() if verdict is said), None)

    def agrees(self, sense: Sense | None, verdict: Verdict) -> bool:
        """Whether a word may stand in the reason for a verdict."""
        return sense in _COMPATIBLE[verdict] or (sense is None and verdict is not Verdict.CONTRADICTED)

    def denies(self, reason: str, reading: Verdict | IssueCode) -> bool:
        """Whether the reason for a verdict is one short clause which says in so many words that it is another."""
        clause = reason.strip(" .!\u3002\n")
        against = reading is self.verdicts[Sense.YES]
        if len(clause) > _LONGEST_CLAUSE or not (_opposes() if against else _affirms()).search(clause):
            return False
        if _BROKEN.search(clause) or (not against and _CLAUSES.search(clause)):
            return False
        several = prose("contrast", "hedge", "condition").search(clause)
        return not several and (self.bears(clause, reading) or (against and prose("silent", "unjudged").search(clause)))

    def bears(self, text: str, reading: Verdict | IssueCode, *, weak: bool = False) -> bool:
        """Whether a reason holds a word that the verdict does not agree with."""
        if not isinstance(reading, Verdict):
            return False
        if any((one.strong or weak) and not self.agrees(one.sense, reading) for one in self.mentions(text)):
            return True
        return any(
            isinstance(other := self.whole(part), Verdict) and other is not reading
            for part in _SEGMENT.split(text)
            if not part.strip(" \t\n\"'\u201d").isdecimal()
        )


@cached
def _strong_words(*wanted: Sense) -> tuple[str, ...]:
    """Words that say of a statement whether it is supported, wherever they stand."""
    strong = {word for word in senses() if len(word) > _STRONG or (len(word) > 1 and is_dense(word))}
    return tuple(word for word in strong - vocabulary("common") if senses()[word] in wanted)


_AGAINST: Final = (Sense.LACK, Sense.CONTRA, Sense.UNKNOWN)
telling: Final = kept(lambda: (*_strong_words(Sense.YES), *_strong_words(*_AGAINST), *group("silent", "unjudged")))
"""What a reason holds that may contradict its verdict."""
_opposes: Final = kept(lambda: Screen((*_strong_words(*_AGAINST), *group("silent", "unjudged"))))
_affirms: Final = kept(lambda: Screen(_strong_words(Sense.YES)))


def is_plain(said: object) -> bool:
    """Whether a verdict is a yes or a no that says nothing by itself."""
    word = fold(str(said)[:LONGEST_WORD].strip(DECORATION))
    return len(word) <= _LONGEST_PLAIN and senses().get(word) in {Sense.YES, Sense.NO}


@cached_for(64)
def words_of(scale: str | Scale) -> Words:
    """The words of a scale; built once."""
    return Words(resolve_scale(scale))
