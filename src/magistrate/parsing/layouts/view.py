"""What a layout sees of a reply, and the table in which layouts stand."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, Generic, TypeVar

from magistrate.parsing.rows.candidate import Answer, Candidate, Span
from magistrate.parsing.switches import cached, is_on
from magistrate.parsing.wording.fold import DATA, DROPPED, ECHO, QUOTED
from magistrate.parsing.wording.keys import names_others
from magistrate.parsing.wording.languages import group
from magistrate.parsing.wording.patterns import MORE_ITEMS, QUALITIES, AnyPattern, Screen, WordPattern
from magistrate.parsing.wording.scales import Words
from magistrate.verdict import IssueCode

T = TypeVar("T")
COVERED: Final = DATA + DROPPED + ECHO + QUOTED
EMPHASIS: Final = " \t\r*_`" + DROPPED
MOST_MATCHES: Final = 400
HEADING: Final = re.compile(
    r"[ \t>]*(?:#{1,6}[ \t]+[^\n]*|(?:\*\*|__)[^\n*_]+(?:\*\*|__)[ \t]*[:：]?|[^\n]*[:：][*_]*)[ \t]*"
)
"""A line that is a heading, or ends as one."""
_SHORT: Final = 24
_SHORTEST: Final = 3
_SENTENCE_END: Final = re.compile(r"[.!?\n。！？]")
_ONE_ROW: Final = re.compile(
    r"^[ \t]*\|(?P<heads>[^\n]+)\|[ \t]*\n[ \t]*\|[ :|-]+\|[ \t]*\n"
    r"[ \t]*\|(?P<cells>[^\n]+)\|[ \t]*(?![^\n])(?!\n[ \t]*\|)",
    re.MULTILINE,
)
BRACKETED: Final = re.compile(
    r"[\[【［]\s?[\[【［](?P<body>[^\[\]【】［］\n]{1,60})[\]】］]\s?[\]】］]"
    r"|\[RESULT\]\s*[:：]?\s*(?P<result>[^\n\[]{1,40})|\[(?P<named>(?:response|answer|assistant|option)\s+\w{1,3})\]"
    r"|\\boxed\s*\{\s*(?:\\text\s*\{)?\s*(?P<box>[^{}\n]{1,40})\}",
    re.IGNORECASE,
)
"""In double brackets, behind [RESULT], in a box."""
VERDICT_WORDS: Final = ("{verdict|answer}", *QUALITIES)
"""What a verdict is called."""
FIELD_PATTERN: Final = WordPattern(
    r"(?m)^[\s*_`\"'•-]*+(?:(?P<verdict>(?:final\s+|my\s+)?{VERDICT})|{reason|quote})s?[*_`\"']*+\s*+[:：=]",
    near=(*VERDICT_WORDS, "{reason|quote}"),
)
"""A line that is a field of a row: "Verdict: ...", "Reason: ..."."""
_FAULTS: Final = ("hallucinated", "hallucination", "hallucinations", "contradicted", "contradiction")
"""Names behind which a yes says that something is wrong."""
MARK_PATTERN: Final = WordPattern(
    r"(?:^|(?<=[.!?。！？;,，；(\n{DROPPED}{DATA}]))[\s*_`\"'#>({•-]{0,24}+(?:(?:{therefore}|and)\s*,?\s+)?"
    r"(?:{own}\s+){0,2}(?:(?:own|correct)\s+)?(?P<name>{VERDICT}|{fault}(?=[*_]*[:：]))[*_`\"'”)\]]*+"
    r"(?:\s+(?:for|on|of|about)\s+(?:this|the|that)\s+[\w ]{1,30}?"
    r"|[ ]?[(\[]\w{1,20}(?:[ ]?[/|][ ]?\w{1,20}){1,4}[)\]](?=[*_]*[:：]))?"
    r"\s*+(?P<sign>[:：=]|[?？](?=[*_]{0,3}[ \t])|->|→|—|\b{is}\b(?:\s+(?:that|\w+ly|{therefore})\b)?(?:\s*:)?"
    r"|は|是|为|為)[\s*_`\"'“(\[{【]*+",
    fault="|".join(_FAULTS),
    near=(*VERDICT_WORDS, *_FAULTS),
)
"""A name with the sign behind which its verdict stands: "Verdict:", "my answer is"."""


@cached
def may_name() -> Screen:
    """Names of a statement, with a number behind the shortest; and words for its rank, or for those that are left."""
    named = (*group("item", "number", "verdict"), *MORE_ITEMS)
    short = {word for word in named if len(word) < _SHORTEST and word.isascii()}
    words = {*named, *group("ordinals", "last", "rest"), "other", "remaining"} - short
    return Screen(words, beside=rf"(?:{'|'.join(sorted(short))})[^a-z\d]*[\d{ECHO}]")


@dataclass(slots=True)
class View:
    """A masked reply, as layouts see it."""

    text: str  # the judge's own wording, at its places in the reply; all else is covered
    raw: str  # the reply
    words: Words  # the words of the scale
    count: int  # how many statements were asked about
    echo_of: Callable[[str], int | None]
    cut: bool = False  # whether the reply was cut off: what reaches its end may go on
    taken: list[Span] = field(default_factory=list)  # where answers stand that were found already

    @property
    def last(self) -> int:
        """One past the last sign of the text."""
        return len(self.text.rstrip(" \t\r\n" + DROPPED))

    def is_taken(self, start: int, end: int) -> bool:
        """Whether an answer that was found already stands in a span."""
        return any(low < end and start < high for low, high in self.taken)


@dataclass(frozen=True, slots=True)
class Layout:
    """One layout."""

    name: str  # its name: what the table of measurements calls it
    read: Callable[[View], list[Answer]]  # finds its answers in a view
    alone: bool = False  # whether it is read only where no layout before it found anything


def read_layouts(view: View, layouts: Sequence[Layout]) -> list[Answer]:
    """All answers in a text, in its order; what a layout took no later one reads again."""
    found: list[Answer] = []
    for layout in layouts:
        if not is_on(f"layout:{layout.name}") or (layout.alone and found):
            continue
        fresh = [one for one in layout.read(view) if not view.is_taken(one.start, one.end)]
        for answer in fresh:
            answer.data = False
            for row in answer.rows:
                row.format = row.format or answer.format
        found += fresh
        view.taken += [(one.start, one.end) for one in fresh]
    return sorted(found, key=lambda one: (one.start, one.end))


@dataclass(frozen=True, slots=True)
class SingleLayout(Generic[T]):
    """One layout of a score or a label."""

    name: str
    read: Callable[[str, T], Iterator[Candidate]]  # finds its candidates: a masked text, the scale or the choices
    prose: bool = False  # whether what it reads goes on to the end of a sentence
    rank: int = 1  # what it is worth: candidates of a lower rank leave those of a higher one uncounted


def read_single_layouts(
    layouts: Sequence[SingleLayout[T]], text: str, asked: T, *, cut: bool
) -> Iterator[tuple[int, Candidate]]:
    """What the layouts find in a text, each with its rank; what reaches the end of a cut one may go on."""
    last = len(text.rstrip())
    for layout in layouts:
        for one in layout.read(text, asked) if is_on(f"layout:{layout.name}") else ():
            one.format = layout.name
            goes_on = layout.prose and one.until and _SENTENCE_END.search(text, one.until) is None
            if cut and one.span is not None and (goes_on or one.span[1] >= last):
                one.value = IssueCode.UNKNOWN_LABEL
            yield layout.rank, one


def matches(pattern: AnyPattern, text: str) -> Iterator[re.Match[str]]:
    """The matches of a pattern, as many as any answer has."""
    return islice(pattern.finditer(text), MOST_MATCHES)


def cells_of_one_row(text: str) -> Iterator[tuple[str, str, int]]:
    """The cells of a table of one row, each with its head and its place; none where a cell says whose they are."""
    for match in _ONE_ROW.finditer(text) if "|" in text else ():
        heads, cells = match["heads"].split("|"), match["cells"].split("|")
        if len(heads) != len(cells) or any(
            names_others(cell.casefold().split()) for cell in cells if len(cell) < _SHORT
        ):
            continue
        at = match.start("cells")
        for head, cell in zip(heads, cells, strict=True):
            yield head.strip(EMPHASIS), cell.strip(EMPHASIS), at + len(cell) - len(cell.lstrip(EMPHASIS))
            at += len(cell) + 1


def is_fault(name: str) -> bool:
    """Whether a yes behind a name says that something is wrong: "Hallucinated: yes"."""
    return name.casefold() in _FAULTS
