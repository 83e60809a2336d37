"""A reply with its right reading, and the formats it is written in: JSON in many forms, tags, YAML, tables, lines."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from typing import Any, Final, TypeVar

from hypothesis import strategies as st

from magistrate.verdict import Scale, Verdict

T = TypeVar("T")

MATERIAL: Final[Mapping[str, Any]] = json.loads(files(__package__).joinpath("material.json").read_text("utf-8"))
"""Subjects and facts of statements, reasons, planted answers, words, wrappings."""

WORDS: Final[Mapping[str, Mapping[Verdict, tuple[str, ...]]]] = {
    language: {Verdict(verdict): tuple(words.split(", ")) for verdict, words in lists.items()}
    for language, lists in MATERIAL["words"].items()
}
"""By language (ISO 639-1) and verdict the words a judge may write for it; a plain "no" belongs to the binary scale.
They are this kit's own and not taken from the tables of the parser, so that it can find what those lack."""

WRAPPINGS: Final[Mapping[str, tuple[str, str]]] = {
    name: (pair[0], pair[1]) for name, pair in MATERIAL["wrappings"].items()
}
"""By name what stands before the answer and behind it. Drafts within them are marked as such from their first character
on, so that a reply cut within one holds no answer."""

PLANTED: Final[tuple[str, ...]] = tuple(MATERIAL["planted"])
"""Texts that look like an answer, all of them "yes"."""


@dataclass(frozen=True)
class Reply:
    """A reply and its right reading, known because the reply was written from it.

    Attributes:
        text: What the judge wrote.
        statements: What it was asked about, in order.
        scale: The scale it was asked to use.
        verdicts: What it meant, one per statement.
        format: How it was written down; a key of `FORMATS`.
        tokens: Per statement where its verdict's own word stands in the text.
        by_id: Whether each verdict names its statement, by number or by repeating it.
        closed: Whether the end of the answer is marked (a bracket, a tag), so that a cut can be told from the text.
        wrapping: What stands around the answer; a key of `WRAPPINGS`.
        language: The language of the verdict words; a key of `WORDS`.
        slips: The mistakes of notation that were made on purpose; keys of `SLIPS`.
        contexts: What the judge saw beside the statements.
        token: The request token that the answer repeats; None where it was asked for none.
        planted: The answer-like text that was planted; None where none was.
    """

    text: str
    statements: tuple[str, ...]
    scale: Scale
    verdicts: tuple[Verdict, ...]
    format: str
    tokens: tuple[tuple[int, int], ...]
    by_id: bool = True
    closed: bool = True
    wrapping: str = "none"
    language: str = "en"
    slips: tuple[str, ...] = ()
    contexts: tuple[str, ...] = ()
    token: str | None = None
    planted: str | None = None

    def wrong(self, read: Sequence[str | None]) -> tuple[int, ...]:
        """Tell which verdicts of a reading are silently wrong.

        Args:
            read: What a parser read: one verdict per statement, in order, as a `Verdict` or its value ("supported"),
                None where it read none. Statements beyond its end count as unread.

        Returns:
            The places (0-based) where a verdict was read that is not the one that was meant, and every place beyond the
            last statement where one was read.
        """
        return tuple(
            at
            for at, verdict in enumerate(read)
            if verdict is not None and (at >= len(self.verdicts) or verdict != self.verdicts[at])
        )

    def touched(self, kind: str, at: int) -> frozenset[int]:
        """Tell which verdicts' own words a damage changed, or made longer or shorter at their edges.

        Args:
            kind: "delete", "insert" or "swap", as `damaged` gives it.
            at: Where, in characters of the text before the damage.
        """
        first, last = (at - 1, at) if kind == "insert" else (at, at + 1 if kind == "swap" else at)
        return frozenset(index for index, (start, end) in enumerate(self.tokens) if start <= last and first < end)


_BARE: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")


@dataclass(frozen=True, slots=True)
class Style:
    """The marks that a writer of JSON uses."""

    quotes: tuple[str, str] = ('"', '"')
    escape_quotes: bool = True
    escape_lines: bool = True
    bare_keys: bool = False
    colon: str = ": "
    comma: str = ", "
    between_rows: str = ", "
    last: str = ""
    note: str = ""
    braces: tuple[str, str, str, str] = ("{", "}", "[", "]")
    closes: bool = True

    def text(self, value: str) -> str:
        """A string."""
        left, right = self.quotes
        inner = json.dumps(value, ensure_ascii=False)[1:-1]
        if left == "'":
            inner = inner.replace('\\"', '"').replace("'", "\\'")
        elif not self.escape_quotes:
            inner = inner.replace('\\"', '"')
        if not self.escape_lines:
            inner = inner.replace("\\n", "\n")
        return left + inner + right

    def value(self, value: Any) -> str:
        """A string, number or truth value."""
        return self.text(value) if isinstance(value, str) else json.dumps(value)

    def key(self, name: str) -> str:
        """The key of a member."""
        return name if self.bare_keys and name and _BARE.issuperset(name) and not name[0].isdigit() else self.text(name)


PLAIN: Final = Style()
"""Valid JSON."""

SLIPS: Final[Mapping[str, Mapping[str, Any]]] = {
    "trailing commas": {"last": ","},
    "single quotes": {"quotes": ("'", "'")},
    "smart quotes": {"quotes": ("\u201c", "\u201d")},
    "bare keys": {"bare_keys": True},
    "comments": {"note": " // checked against the source\n"},
    "missing commas between rows": {"between_rows": "\n"},
    "raw line ends in strings": {"escape_lines": False},
    "unescaped quotes": {"escape_quotes": False},
    "full-width punctuation": {"colon": "\uff1a", "comma": "\uff0c", "between_rows": "\uff0c"},
    "missing closing brackets": {"closes": False},
}
"""Mistakes of notation by name, and what each changes in a `Style`. A careful reader still sees what was meant: a right
reading gives the verdicts that were meant, or none."""


def with_slips(*names: str) -> Style:
    """The style with these slips."""
    style = PLAIN
    for name in names:
        style = replace(style, **SLIPS[name])
    return style


@dataclass
class Ask:
    """What a format is given to write down, and what it has written: the text, and where each verdict stands in it."""

    statements: Sequence[str]
    verdicts: tuple[Verdict, ...]
    words: tuple[str, ...]
    reasons: tuple[str, ...]
    draw: Callable[[st.SearchStrategy[Any]], Any]
    style: Style = PLAIN
    text: str = ""
    tokens: dict[int, tuple[int, int]] = field(default_factory=dict)

    def pick(self, *options: T) -> T:
        """Choose one; the first is the simplest."""
        chosen: T = self.draw(st.sampled_from(options))
        return chosen

    def shuffled(self) -> list[int]:
        """The statements in some order."""
        return list(self.draw(st.permutations(range(len(self.statements)))))

    def write(self, *pieces: str) -> None:
        """Add pieces of text."""
        self.text += "".join(pieces)

    def token(self, index: int, piece: str) -> None:
        """Add the word that gives the verdict of a statement."""
        self.tokens[index] = (len(self.text), len(self.text) + len(piece))
        self.text += piece


class _Place(int):
    """A statement's place, where the word for its verdict stands."""


def _write(ask: Ask, value: Any, between: str, *, inner: bool = False) -> None:
    """A value as JSON in the style asked for; its end is left open where the style does not close."""
    style = ask.style
    if isinstance(value, _Place):
        ask.token(value, style.value(ask.words[value]))
    elif isinstance(value, dict | list):
        named = isinstance(value, dict)
        left, right = style.braces[:2] if named else style.braces[2:]
        ask.write(left)
        for number, part in enumerate(value):
            ask.write(between if number else "", *((style.key(part), style.colon) if named else ()))
            _write(ask, value[part] if named else part, style.comma, inner=True)
            ask.write(style.note if isinstance(part, dict) and number == 0 and len(value) > 1 else "")
        ask.write(style.last, right if inner or style.closes else "")
    else:
        ask.write(style.value(value))


def _framed(ask: Ask, keys: Sequence[str], value: Any, between: str) -> None:
    """A value within objects of one key each, outermost first."""
    style = ask.style
    ask.write(*(style.braces[0] + style.key(key) + style.colon for key in keys))
    _write(ask, value, between)
    ask.write(style.braces[1] * len(keys) if style.closes else "")


def _list(ask: Ask, order: Sequence[int], parts: tuple[str, ...], *frames: tuple[str, ...]) -> None:
    """A list of objects in some order; `parts` says what they have beside their verdict."""
    keys = ask.pick(*frames)
    binary = set(ask.verdicts) <= {Verdict.SUPPORTED, Verdict.UNSUPPORTED}
    verdict = ask.pick("verdict", "label", "judgment", "supported" if binary else "verdict")
    name = {ask.pick("id", "n", "statement_id", "number", "index"): 1} if "id" in parts else {}
    echo = {ask.pick("statement", "claim", "sentence"): ""} if "echo" in parts else {}
    reason_first = "reason" in parts and ask.pick(True, False)
    rows = []
    for at in order:
        reason = {"reason": ask.reasons[at]} if "reason" in parts else {}
        first = {**dict.fromkeys(name, at + 1), **dict.fromkeys(echo, ask.statements[at])}
        rows.append({**first, **(reason if reason_first else {}), verdict: _Place(at), **reason})
    _framed(ask, keys, rows, ask.style.between_rows)


def json_list(ask: Ask) -> None:
    """A list of objects that name their statement, in any order."""
    parts = ask.pick(("id", "reason"), ("id",), ("id", "echo", "reason"), ("echo", "reason"), ("echo",))
    _list(ask, ask.shuffled(), parts, (), ("verdicts",), ("result", "data"), ("JudgeOutput", "verdicts"))


def json_positions(ask: Ask) -> None:
    """A list of objects that name no statement."""
    _list(ask, range(len(ask.statements)), ask.pick((), ("reason",)), ("verdicts",), ())


def json_words(ask: Ask) -> None:
    """A list of verdict words."""
    _framed(ask, ask.pick((), ("verdicts",)), [*map(_Place, range(len(ask.words)))], ask.style.comma)


def json_map(ask: Ask) -> None:
    """A map from the statements' ids to their verdicts, or to objects with them."""
    name = ask.pick("s#", "#", "statement_#", "Statement #")
    rows = ask.pick(False, True)
    members = {
        name.replace("#", str(at + 1)): {"reason": ask.reasons[at], "verdict": _Place(at)} if rows else _Place(at)
        for at in ask.shuffled()
    }
    _write(ask, members, ask.style.between_rows)


def json_side_by_side(ask: Ask) -> None:
    """One property for each statement's verdict and one for its reason."""
    pairs = ({f"s{at + 1}_why": ask.reasons[at], f"s{at + 1}": _Place(at)} for at in ask.shuffled())
    _write(ask, {key: value for pair in pairs for key, value in pair.items()}, ask.style.comma)


def _line(text: str) -> str:
    return text.replace("\n", " ")


_REASONS: Final[Mapping[str, Callable[[str], str]]] = {
    "": str,
    "line": lambda text: _line(text) or "see above",
    "cell": lambda text: _line(text.replace("|", "/")),
    "xml": lambda text: text.replace("&", "&amp;").replace("<", "&lt;"),
    "yaml": lambda text: json.dumps(text or "none given", ensure_ascii=False),
}
"""How a format writes a reason."""


def _rows(
    ask: Ask, row: str, between: str = "", *, around: str = "@", shuffled: bool = False, word: str = "@", why: str = ""
) -> None:
    """A row each: "#" stands for the statement's number, "$" for it, "%" for the reason, "@" for its verdict."""
    (first, _, last), (before, _, behind) = around.partition("@"), row.partition("@")
    ask.write(first)
    for place, at in enumerate(ask.shuffled() if shuffled else range(len(ask.words))):
        known = {"#": str(at + 1), "$": ask.statements[at], "%": _REASONS[why](ask.reasons[at])}
        head, tail = (re.sub("[#$%]", lambda found: known[found[0]], part) for part in (before, behind))  # noqa: B023
        ask.write(between if place else "", head)
        ask.token(at, word.replace("@", ask.words[at]))
        ask.write(tail)
    ask.write(last)


def _template(name: str) -> Callable[[Ask], None]:
    """Rows as the material has them for a format."""
    return lambda ask: _rows(ask, **MATERIAL["templates"][name])


def json_truths(ask: Ask) -> None:
    """Truth values or 1 and 0, on the binary scale."""
    numbers = ask.pick(False, True)
    values = [verdict is Verdict.SUPPORTED for verdict in ask.verdicts]
    ask.words = tuple(json.dumps(int(value) if numbers else value) for value in values)
    _template("json truth values")(ask)


def python_repr(ask: Ask) -> None:
    """What Python prints for a dictionary."""
    ask.style = Style(quotes=("'", "'"))
    _list(ask, ask.shuffled(), ("id", "reason"), ("verdicts",))


def numbered(ask: Ask) -> None:
    """A numbered list: the verdict, perhaps with a reason."""
    head = ask.pick("%. ", "%) ", "%: ", "Statement %: ", "**%.** ", "Claim % - ", "[%] ", "#%: ")
    for at, word in enumerate(ask.words):
        ask.write("\n" if at else "", head.replace("%", str(at + 1)))
        ask.token(at, word)
        ask.write(ask.pick("", ".", f" - {_line(ask.reasons[at]) or 'see the text'}"))


def bold_list(ask: Ask) -> None:
    """A bulleted list of statements, each with its verdict in bold."""
    bullet, between = ask.pick("#. ", "- ", "* "), ask.pick(" **", " - **", ": **", " → **")
    _rows(ask, f"{bullet}${between}@**", "\n")


def labelled(ask: Ask) -> None:
    """Each statement repeated, an explanation, and a line with the verdict."""
    label = ask.pick("Verdict: ", "verdict: ", "**Verdict:** ", "Final verdict: ", "Answer: ", "Judgment: ")
    _rows(ask, f"#. $\nExplanation: %\n{label}@", "\n\n", why="line")


def final_line(ask: Ask) -> None:
    """All verdicts in one line, in order, with or without numbers."""
    ask.write(ask.pick(*MATERIAL["final_lines"]))
    separator, end = ask.pick((". ", "."), (", ", ""), ("; ", ""), (" | ", ""))
    _rows(ask, ask.pick("@", "#. @"), separator)
    ask.write(end)


@dataclass(frozen=True, slots=True)
class Format:
    """One way to write verdicts down.

    Attributes:
        write: Writes them.
        by_id: Whether each verdict names its statement.
        closed: Whether the end of the answer is marked.
        least: The fewest statements it makes sense for.
        fenced: Whether it may stand in a Markdown fence.
        slips: Whether it can be written with the slips of `SLIPS`.
        binary: Whether it serves the binary scale only.
    """

    write: Callable[[Ask], None]
    by_id: bool = True
    closed: bool = True
    least: int = 1
    fenced: bool = False
    slips: bool = False
    binary: bool = False


FORMATS: Final[Mapping[str, Format]] = {
    "json list": Format(json_list, fenced=True, slips=True),
    "json list by position": Format(json_positions, by_id=False, fenced=True, slips=True),
    "json words": Format(json_words, by_id=False, least=2, fenced=True, slips=True),
    "json map": Format(json_map, fenced=True, slips=True),
    "json side by side": Format(json_side_by_side, fenced=True, slips=True),
    "json truth values": Format(json_truths, fenced=True, binary=True),
    "json lines": Format(_template("json lines"), least=2, fenced=True),
    "json blocks": Format(_template("json blocks"), least=2),
    "json in a string": Format(_template("json in a string")),
    "python": Format(python_repr, fenced=True),
    "xml": Format(_template("xml")),
    "yaml": Format(_template("yaml")),
    "table": Format(_template("table"), closed=False),
    "numbered": Format(numbered, closed=False),
    "bold list": Format(bold_list, closed=False, least=2),
    "labelled": Format(labelled, closed=False),
    "final line": Format(final_line, by_id=False, closed=False),
    "word lines": Format(lambda ask: _rows(ask, ask.pick("@", "- @", "* @"), "\n"), by_id=False, closed=False, least=2),
}
"""The formats by name."""
