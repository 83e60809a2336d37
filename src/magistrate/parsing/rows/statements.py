"""The statements asked about, and the ways to find one: by its id, by its text."""

import re
import unicodedata
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import Final

from rapidfuzz import fuzz, process
from rapidfuzz.distance import Levenshtein

from magistrate.parsing.rows.candidate import Candidate, read_id
from magistrate.parsing.switches import cached_for, kept
from magistrate.parsing.wording.fold import fold
from magistrate.parsing.wording.languages import special
from magistrate.parsing.wording.patterns import is_dense, plurals, vocabulary

LONGEST_ECHO: Final = 2_000
"""Characters of a statement that are compared."""
LIKE: Final = 60.0
"""Similarity (0 to 100) from which a repeated statement is compared word by word."""
_SHORTEST: Final = 6
_FEW: Final = 2
_STEM: Final = 4
_MANY: Final = 40
_ALIKE: Final = 75
_SHORT_ALIKE: Final = 60
_MOST_SHARED: Final = 0.7
"""The share of a statement's words from which on a free text repeats it."""
_OPERATORS: Final = re.compile(
    r"[<>=\u2264\u2265\u2260+\u00b1\u00d7\u00f7^%$\u20ac\u00a3]|(?<![\w.,-])[-\u2212](?=\d)|(?<=\w\s)[-\u2212\u2013](?=\s\w)"
)
ELLIPSIS: Final = re.compile(r"\.\.\.|\u2026")
_ENDINGS: Final = frozenset({"s", "es", "d", "ed", "n", "en", "e"})
_SIGN: Final = re.compile("[\u2000-\u206f\u3000-\u303f\uff00-\uff0f]")
_NOT_PLAIN: Final = re.compile(r"[^a-zA-Z0-9'%]+")
_CITED: Final = re.compile(r"(?<=\w[.!?])(?:\s*\[\d{1,3}\]){1,8}$")
_JOINED: Final = re.compile(
    r"(?<=\d)(?:[,'\u2019](?=\d{3}(?!\d))|(?:st|nd|rd|th)\b|\s+(?=%))|(?<!\w)'|'(?!\w)|\[(?=[^\d\[\]])[^\[\]]{1,60}\]"
)
"""What leaves a statement what it is: marks in or behind a number, "12,000", "4th", "40 %"; quotes; "it [the inn]"."""
_SHORTENED: Final = re.compile(
    r"\b(?:(?P<not>[a-z]+)n['\u2019]t|(?P<who>it|that|he|she|there|who|what)['\u2019]s|cannot)\b"
)
_meta: Final = kept(
    lambda: plurals("item", "candidate", "judged", "quote", "answer", "verdict", "reason").union(
        "it this that they there information mentioned stated given confirmed line table page article".split(),
        {"confidence"},
    )
)
"""Words of a reason: what was judged, by what, and how."""


class Statements:
    """The statements asked about.

    Args:
        texts: The statements, in order.
        ids: Their ids in the prompt; None for 1 to n ("1", "s1", "Statement 1").
    """

    def __init__(self, texts: Sequence[str], ids: Sequence[str] | None = None) -> None:
        self.texts = texts
        self.numbered = ids is None  # 1 to n
        self.ids: Sequence[str] = default_ids(len(texts)) if ids is None else tuple(ids)  # as results show them
        self._by_id: dict[int | str, int] = {}
        if ids is not None:
            self._register(self.ids)

    def __len__(self) -> int:
        return len(self.texts)

    def _register(self, ids: Sequence[str]) -> None:
        numbers: dict[int, list[int]] = {}
        for index, identity in enumerate(ids):
            self._by_id[fold(identity)] = index
            number = read_id(identity)
            if isinstance(number, int):
                numbers.setdefault(number, []).append(index)
        if sum(map(len, numbers.values())) == len(ids):
            self._by_id.update({number: found[0] for number, found in numbers.items() if len(found) == 1})

    def by_id(self, identity: int | str) -> int | None:
        """Index of the statement with that id in the prompt; None where there is none."""
        if self.numbered:
            return identity - 1 if isinstance(identity, int) and 1 <= identity <= len(self.texts) else None
        found = self._by_id.get(fold(identity) if isinstance(identity, str) else identity)
        return found if found is not None else self._by_id.get(str(identity))

    def base(self, ids: Sequence[int | str]) -> int | None:
        """What to add to numeric ids to count from one; None where the base is unclear and none can be read."""
        if not self.numbered:
            return 0
        count, given = len(self.texts), set(ids)
        if given >= set(range(1, count + 1)):
            return None if 0 in given else 0  # with a zero they may count from it
        if given == set(range(count)) and ids[0] == 0:  # in another order one of them may be a slip
            return 1
        return 0 if all(isinstance(identity, int) and 1 <= identity <= count for identity in given) else None

    @cached_property
    def _keys(self) -> list[str]:
        return [echo_key(text) for text in self.texts]

    @cached_property
    def _by_key(self) -> dict[str, int | None]:
        return _places(self._keys)

    @cached_property
    def _verbatim(self) -> dict[str, int | None]:
        """The statements by their text as it is: most replies repeat it so."""
        return _places(self.texts)

    @cached_property
    def _words(self) -> list[set[str]]:
        return [set(key.split()) for key in self._keys]

    def knows(self, text: str) -> bool:
        """Whether a text is one of the statements; punctuation, case and blanks aside."""
        if text in self._verbatim:
            return True
        if len(text) > 2 * LONGEST_ECHO:
            return False
        key = echo_key(text)
        return bool(key) and key in self._by_key

    def repeated_by(self, text: str) -> int | None:
        """Index of the one statement that a text repeats; punctuation, case and blanks aside."""
        index = self._verbatim.get(text)
        if index is None and len(text) <= 2 * LONGEST_ECHO:
            index = self._by_key.get(echo_key(text))
        return index if index is None or not self.misquotes(text, index) else None

    def tells_another(self, text: str, index: int) -> bool:
        """Whether a text shares more words with another statement than with the one at its place."""
        said = (
            {word for word in echo_key(text).split() if len(word) >= _STEM} if len(text) <= LONGEST_ECHO else set[str]()
        )
        if not said or (" " not in text.strip() and len(self.texts) > _MANY):
            return False
        shared = [len(said & words) for words in self._words]
        return max(shared) > max(shared[index : index + 1], default=0)

    def alters(self, text: str, index: int) -> bool:
        """Whether a free text repeats a statement with another number, denial or word in it."""
        key, given = echo_key(text), self._keys[index]
        if not key or key in given or given in key:
            return False
        ours, most = key.split(), _MOST_SHARED
        if ours[0] in special("special", "pronoun"):  # "she" stands for what stands before the rest
            most = 1 / 2
            at = next((at for at, word in enumerate(given.split()) if at and word in ours), 0)
            given = " ".join(given.split()[at:])
        strangers, lost, theirs = _strange(key, given)
        shared = len(theirs) - len(lost)
        if not any(map(str.isdigit, given)):
            key = re.sub(r"\d+", " ", key)  # a line, a passage
        swapped = strangers and lost and shared >= most * len(theirs)
        return bool(swapped or not _same_facts(key, given)) and 2 * shared >= len(theirs) > 1

    def misquotes(self, text: str, index: int) -> bool:
        """Whether a text is a statement but for a word or two that change what it says."""
        ours, theirs = _tokens(echo_key(text)), _tokens(self._keys[index])
        if ours == theirs:
            given = self.texts[index]
            return text != given and _OPERATORS.findall(text) != _OPERATORS.findall(given)
        if ELLIPSIS.search(text) and ours == theirs[: len(ours)]:
            return False
        if sorted(ours) == sorted(theirs):
            return True  # who did what to whom
        most = min(_FEW, len(theirs) // _FEW)
        near = Levenshtein.distance(ours, theirs, score_cutoff=most) <= most
        return near and not _says_the_same(ours, theirs)

    def replaces(self, text: str, index: int) -> bool:
        """Whether a text that stands for a statement is another one: not its words, their beginning, or one or two."""
        ours, theirs = _tokens(echo_key(text)), _tokens(self._keys[index])
        if not ours or ours == theirs or ELLIPSIS.search(text) or self.misquotes(text, index):
            return self.misquotes(text, index)
        named = len(ours) <= _FEW and (set(ours) <= set(theirs) or not self.is_foreign(text, index))
        return not named and not _says_the_same(ours, theirs)

    def is_foreign(self, text: str, index: int) -> bool:
        """Whether a text has no word and no number of a statement in it, and speaks of nothing that was judged."""
        key = echo_key(text)
        if is_dense(key):
            return False  # its words are not told apart
        strangers, lost, theirs = _strange(key, self._keys[index])
        numbers = set(re.findall(r"\d+", key)) & set(re.findall(r"\d+", self._keys[index]))
        return len(strangers) > 1 and 0 < len(theirs) == len(lost) and not numbers and _meta().isdisjoint(key.split())

    def echoes(self, rows: Sequence[Candidate]) -> list[int | None]:
        """Per row the index of the one statement that it repeats; None where it repeats none, or more than one."""
        if not any(row.echo or row.echo_index is not None for row in rows):
            return [None] * len(rows)
        found: list[int | None] = []
        patience = 4 * len(self.texts) + 64  # near matches are looked for; a reply with more strangers is no answer
        verbatim = self._verbatim
        for row in rows:
            index = row.echo_index
            if row.echo and row.echo[-1:] == "]" and row.echo not in verbatim:
                row.echo = _CITED.sub("", row.echo)
            if index is None and row.echo:
                index = verbatim.get(row.echo)
            if index is None and row.echo and row.echo not in verbatim:
                key = echo_key(row.echo)
                if key in self._by_key:
                    index = self._by_key[key]
                    index = None if index is not None and self.misquotes(row.echo, index) else index
                elif key and patience > 0:
                    patience -= 1
                    best = process.extractOne(key, self._keys, scorer=fuzz.ratio, score_cutoff=LIKE)
                    index = int(best[2]) if best is not None and not self.replaces(row.echo, int(best[2])) else None
            found.append(index)
        return found


def _tokens(key: str) -> list[str]:
    """The words of a text, or its signs where it puts no blanks between words."""
    return list(key.replace(" ", "")) if is_dense(key) else key.split()


def _says_the_same(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether one row of words says what another does: articles, pronouns, endings, letters in another order apart."""
    ends = [(0, 0, 0)] + [(one.a, one.b, one.size) for one in Levenshtein.opcodes(ours, theirs).as_matching_blocks()]
    changed = [((a + size, b + size), (c, d)) for (a, b, size), (c, d, _) in pairwise(ends)]
    return all(
        _is_slip(ours[start[0] : stop[0]], theirs[start[1] : stop[1]], first=not start[1])
        for start, stop in changed
        if start != stop
    )


def _is_slip(ours: Sequence[str], theirs: Sequence[str], *, first: bool) -> bool:
    articles = special("special", "article")
    if articles.issuperset((*ours, *theirs)):
        return True
    pronouns = special("special", "pronoun")
    named = ours and (pronouns | vocabulary("negation", "none")).isdisjoint(ours)
    if first and named and len(theirs) == 1 and theirs[0] in pronouns:
        return True  # "Ada" for "she"
    said, given = _plainly(ours), _plainly(theirs)
    if any(map(str.isdigit, said + given)):
        return list(ours) == list(theirs)
    if said == given:
        return True
    if not said.isalpha() or min(len(said), len(given)) < _STEM:
        return False
    ending = said.removeprefix(given) if said.startswith(given) else given.removeprefix(said)
    return ending in _ENDINGS or _letters(said) == _letters(given)


def _plainly(words: Sequence[str]) -> str:
    """Words without accents, and as American English spells them: "schön" and "schoen", "colour"."""
    plain = unicodedata.normalize("NFKD", "".join(words).replace("ß", "ss"))
    plain = re.sub("[\u0300-\u036f]", "", plain).replace("our", "or")
    return re.sub("([aou])e", r"\1", plain)


def _letters(word: str) -> list[str]:
    """The letters of a word, one for a double one: "recieve", "occured"."""
    return sorted(re.sub(r"(.)\1", r"\1", word))


def _strange(key: str, other: str) -> tuple[list[str], list[str], list[str]]:
    """The words of a text that a statement lacks, those of the statement that the text lacks, and all of its words."""
    ours, theirs = (
        [word for word in one.split() if word[0].isalpha() and word not in vocabulary("function")]
        for one in (key, other)
    )
    strangers = [word for word in ours if not any(_alike(word, one) for one in theirs)]
    return strangers, [word for word in theirs if not any(_alike(word, one) for one in ours)], theirs


def _alike(left: str, right: str) -> bool:
    """Whether two words are one, misspelt or in another form: "built", "building"."""
    if not left[0].isalpha():
        return left == right
    if max(len(left), len(right)) <= _FEW:
        return left == right  # units, "km" and "m"
    short = min(len(left), len(right)) < _STEM
    return left[:_STEM] == right[:_STEM] or fuzz.ratio(left, right) >= (_SHORT_ALIKE if short else _ALIKE)


@cached_for(512)
def default_ids(count: int) -> tuple[str, ...]:
    """The ids that results show where the prompt gave numbers: s1 to sn."""
    return tuple(f"s{number}" for number in range(1, count + 1))


def _places(texts: Sequence[str]) -> dict[str, int | None]:
    """Where each text stands; None for one that stands there twice."""
    found: dict[str, int | None] = {}
    for index, text in enumerate(texts):
        found[text] = None if text in found else index
    return found


def _in_full(match: re.Match[str]) -> str:
    """What stands for a contraction: "is not", "it is"."""
    if match["not"]:
        return {"ca": "can", "wo": "will", "sha": "shall"}.get(match["not"], match["not"]) + " not"
    return f"{match['who']} is" if match["who"] else "can not"


@cached_for(256)
def echo_key(text: str) -> str:
    """The form in which statements are compared: words and numbers only."""
    folded = _JOINED.sub("", fold(text[:LONGEST_ECHO]))
    folded = _SHORTENED.sub(_in_full, folded) if "'" in folded or "\u2019" in folded or "cannot" in folded else folded
    if folded.isascii():
        return _NOT_PLAIN.sub(" ", folded).strip()
    return " ".join(
        "".join(
            char if char.isalnum() or char in "'%" or (char > "\u02ff" and not _SIGN.match(char)) else " "
            for char in folded
        ).split()
    )


def _same_facts(left: str, right: str) -> bool:
    """Numbers and negations must be the same: they turn a verdict round."""
    denials = vocabulary("negation")
    ours, theirs = left.split(), right.split()
    if [word for word in ours if word in denials] != [word for word in theirs if word in denials]:
        return False
    if not (left + right).isascii() and any(
        left.count(sign) != right.count(sign) for sign in denials if is_dense(sign)
    ):
        return False
    return [char for char in left if char.isdigit()] == [char for char in right if char.isdigit()]
