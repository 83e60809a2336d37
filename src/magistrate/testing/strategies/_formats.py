"""The formats that verdicts are written in: JSON in its many forms, tags, YAML, tables, lists, lines of words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from magistrate.testing.strategies._reply import PLAIN, Ask, Style
from magistrate.verdict import Verdict

_PYTHON = Style(quotes=("'", "'"))


def _open(ask: Ask, *frames: tuple[str, ...]) -> tuple[str, str]:
    """The objects around a list, outermost key first, and what closes them."""
    style = ask.style
    keys = ask.pick(*frames)
    left, right, _, _ = style.braces
    head = "".join(left + style.key(key) + style.colon for key in keys)
    return head, right * len(keys) if style.closes else ""


def _rows(ask: Ask, order: Sequence[int], parts: tuple[str, ...]) -> None:
    """The objects of a list, in some order; `parts` says what they have beside their verdict."""
    style, out = ask.style, ask.out
    binary = set(ask.verdicts) <= {Verdict.SUPPORTED, Verdict.UNSUPPORTED}
    verdict_key = ask.pick("verdict", "label", "judgment", "supported" if binary else "verdict")
    id_key = ask.pick("id", "n", "statement_id", "number", "index") if "id" in parts else ""
    echo_key = ask.pick("statement", "claim", "sentence") if "echo" in parts else ""
    reason_first = "reason" in parts and ask.pick(True, False)
    for place, at in enumerate(order):
        out.write(style.between_rows if place else "", style.braces[0])
        members: list[tuple[str, str | int, bool]] = []
        if id_key:
            members.append((id_key, at + 1, False))
        if echo_key:
            members.append((echo_key, ask.statements[at], False))
        verdict = (verdict_key, ask.words[at], True)
        reason: list[tuple[str, str | int, bool]] = [("reason", ask.reasons[at], False)] if "reason" in parts else []
        members += [*reason, verdict] if reason_first else [verdict, *reason]
        for number, (key, value, is_verdict) in enumerate(members):
            out.write(style.comma if number else "", style.key(key), style.colon)
            if is_verdict:
                out.token(at, style.value(value))
            else:
                out.write(style.value(value))
        out.write(style.last, style.braces[1])
        if place == 0 and len(order) > 1:
            out.write(style.note)
    out.write(style.last)


def _list(ask: Ask, order: Sequence[int], parts: tuple[str, ...], *frames: tuple[str, ...]) -> None:
    head, tail = _open(ask, *frames)
    _, _, left, right = ask.style.braces
    ask.out.write(head, left)
    _rows(ask, order, parts)
    ask.out.write(right if ask.style.closes else "", tail)


def json_list(ask: Ask) -> None:
    """A list of objects that name their statement, in any order."""
    parts = ask.pick(("id", "reason"), ("id",), ("id", "echo", "reason"), ("echo", "reason"), ("echo",))
    _list(ask, ask.shuffled(), parts, (), ("verdicts",), ("result", "data"), ("JudgeOutput", "verdicts"))


def json_positions(ask: Ask) -> None:
    """A list of objects that name no statement."""
    _list(ask, range(len(ask.statements)), ask.pick((), ("reason",)), ("verdicts",), ())


def json_words(ask: Ask) -> None:
    """A list of verdict words."""
    head, tail = _open(ask, (), ("verdicts",))
    style = ask.style
    ask.out.write(head, style.braces[2])
    for at, word in enumerate(ask.words):
        ask.out.write(style.comma if at else "")
        ask.out.token(at, style.text(word))
    ask.out.write(style.last, style.braces[3] if style.closes else "", tail)


def json_map(ask: Ask) -> None:
    """A map from the statements' ids to their verdicts, or to objects with them."""
    style, out = ask.style, ask.out
    name = ask.pick("s#", "#", "statement_#", "Statement #")
    rows = ask.pick(False, True)
    left, right, _, _ = style.braces
    out.write(left)
    for place, at in enumerate(ask.shuffled()):
        out.write(style.between_rows if place else "", style.key(name.replace("#", str(at + 1))), style.colon)
        if rows:
            out.write(left, style.key("reason"), style.colon, style.text(ask.reasons[at]), style.comma)
            out.write(style.key("verdict"), style.colon)
            out.token(at, style.text(ask.words[at]))
            out.write(style.last, right)
        else:
            out.token(at, style.text(ask.words[at]))
    out.write(style.last, right if style.closes else "")


def json_side_by_side(ask: Ask) -> None:
    """One property for each statement's verdict and one for its reason."""
    style, out = ask.style, ask.out
    out.write(style.braces[0])
    for place, at in enumerate(ask.shuffled()):
        out.write(style.comma if place else "", style.key(f"s{at + 1}_why"), style.colon, style.text(ask.reasons[at]))
        out.write(style.comma, style.key(f"s{at + 1}"), style.colon)
        out.token(at, style.text(ask.words[at]))
    out.write(style.last, style.braces[1] if style.closes else "")


def _written(
    ask: Ask,
    row: str,
    between: str = "",
    *,
    shuffled: bool = False,
    word: Callable[[str], str] = str,
    why: Callable[[str], str] = str,
) -> None:
    """A row each: "#" stands for the statement's number, "$" for it, "%" for the reason, "@" for its verdict."""
    before, _, behind = row.partition("@")
    for place, at in enumerate(ask.shuffled() if shuffled else range(len(ask.words))):
        known = {"#": str(at + 1), "$": ask.statements[at], "%": why(ask.reasons[at])}
        head, tail = (re.sub("[#$%]", lambda found: known[found[0]], part) for part in (before, behind))  # noqa: B023
        ask.out.write(between if place else "", head)
        ask.out.token(at, word(ask.words[at]))
        ask.out.write(tail)


def _by_number(
    row: str, between: str = ", ", around: str = "@", word: Callable[[str], str] = PLAIN.text
) -> Callable[[Ask], None]:
    """Rows in any order."""
    head, _, tail = around.partition("@")

    def write(ask: Ask) -> None:
        ask.out.write(head)
        _written(ask, row, between, shuffled=True, word=word)
        ask.out.write(tail)

    return write


_ROW = '{"id": #, "verdict": @}'
json_lines = _by_number(_ROW, "\n")
json_blocks = _by_number(f"```json\n{_ROW}\n```", "\n\n")
json_escaped = _by_number(_ROW.replace('"', '\\"'), around='"[@]"', word=lambda text: f'\\"{text}\\"')


def json_truths(ask: Ask) -> None:
    """Truth values or 1 and 0, on the binary scale."""
    numbers = ask.pick(False, True)
    values = [verdict is Verdict.SUPPORTED for verdict in ask.verdicts]
    ask.words = tuple(json.dumps(int(value) if numbers else value) for value in values)
    _by_number(_ROW, around='{"verdicts": [@]}', word=str)(ask)


def python_repr(ask: Ask) -> None:
    """What Python prints for a dictionary."""
    ask.style = _PYTHON
    _list(ask, ask.shuffled(), ("id", "reason"), ("verdicts",))


def xml(ask: Ask) -> None:
    """An element for each statement."""
    ask.out.write("<verdicts>\n")
    row = '  <item id="#"><reason>%</reason><verdict>@</verdict></item>\n'
    _written(ask, row, shuffled=True, why=lambda text: text.replace("&", "&amp;").replace("<", "&lt;"))
    ask.out.write("</verdicts>")


def yaml(ask: Ask) -> None:
    """A fenced YAML list."""
    ask.out.write("```yaml\nverdicts:\n")
    row = "  - id: #\n    verdict: @\n    reason: %\n"
    _written(ask, row, why=lambda text: json.dumps(text or "none given", ensure_ascii=False))
    ask.out.write("```")


def table(ask: Ask) -> None:
    """A Markdown table, its rows in any order."""
    ask.out.write("| # | Statement | Verdict | Note |\n|---|---|---|---|\n")
    _written(ask, "| # | $ | @ | % |\n", shuffled=True, why=lambda text: text.replace("|", "/").replace("\n", " "))


def numbered(ask: Ask) -> None:
    """A numbered list: the verdict, perhaps with a reason."""
    out = ask.out
    head = ask.pick("%. ", "%) ", "%: ", "Statement %: ", "**%.** ", "Claim % - ", "[%] ", "#%: ")
    for at, word in enumerate(ask.words):
        out.write("\n" if at else "", head.replace("%", str(at + 1)))
        out.token(at, word)
        reason = ask.reasons[at].replace("\n", " ") or "see the text"
        out.write(ask.pick("", ".", f" - {reason}"))


def bold_list(ask: Ask) -> None:
    """A bulleted list of statements, each with its verdict in bold."""
    bullet, between = ask.pick("#. ", "- ", "* "), ask.pick(" **", " - **", ": **", " → **")
    _written(ask, f"{bullet}${between}@**", "\n")


def labelled(ask: Ask) -> None:
    """Each statement repeated, an explanation, and a line with the verdict."""
    label = ask.pick("Verdict: ", "verdict: ", "**Verdict:** ", "Final verdict: ", "Answer: ", "Judgment: ")
    row = f"#. $\nExplanation: %\n{label}@"
    _written(ask, row, "\n\n", why=lambda text: text.replace("\n", " ") or "see above")


def final_line(ask: Ask) -> None:
    """All verdicts in one line, in order, with or without numbers."""
    out = ask.out
    out.write(
        ask.pick(
            "Final verdict for each statement in order: ",
            "Final verdicts: ",
            "Verdicts in order: ",
            "**Final verdict for each statement in order:** ",
        )
    )
    separator, end = ask.pick((". ", "."), (", ", ""), ("; ", ""), (" | ", ""))
    numbers = ask.pick(False, True)
    for at, word in enumerate(ask.words):
        out.write(separator if at else "", f"{at + 1}. " if numbers else "")
        out.token(at, word)
    out.write(end)


def word_lines(ask: Ask) -> None:
    """One word a line."""
    _written(ask, ask.pick("@", "- @", "* @"), "\n")


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
    "json lines": Format(json_lines, least=2, fenced=True),
    "json blocks": Format(json_blocks, least=2),
    "json in a string": Format(json_escaped),
    "python": Format(python_repr, fenced=True),
    "xml": Format(xml),
    "yaml": Format(yaml),
    "table": Format(table, closed=False),
    "numbered": Format(numbered, closed=False),
    "bold list": Format(bold_list, closed=False, least=2),
    "labelled": Format(labelled, closed=False),
    "final line": Format(final_line, by_id=False, closed=False),
    "word lines": Format(word_lines, by_id=False, closed=False, least=2),
}
"""The formats by name."""
