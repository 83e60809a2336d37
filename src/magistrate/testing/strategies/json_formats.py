"""Verdicts as JSON: lists, maps, lines, properties side by side; as Python prints it; in a string."""

from __future__ import annotations

import json
from collections.abc import Sequence

from magistrate.testing.strategies.material import Ask
from magistrate.testing.strategies.style import PLAIN, Style
from magistrate.verdict import Verdict

__all__ = [
    "json_blocks",
    "json_escaped",
    "json_lines",
    "json_list",
    "json_map",
    "json_positions",
    "json_side_by_side",
    "json_truths",
    "json_words",
    "python_repr",
]

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


def json_truths(ask: Ask) -> None:
    """Truth values or 1 and 0, on the binary scale."""
    numbers = ask.pick(False, True)
    ask.words = tuple(
        json.dumps(int(verdict is Verdict.SUPPORTED) if numbers else verdict is Verdict.SUPPORTED)
        for verdict in ask.verdicts
    )
    out = ask.out
    out.write('{"verdicts": [')
    for place, at in enumerate(ask.shuffled()):
        out.write(", " if place else "", '{"id": ', str(at + 1), ', "verdict": ')
        out.token(at, ask.words[at])
        out.write("}")
    out.write("]}")


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


def json_lines(ask: Ask) -> None:
    """One object a line."""
    _objects(ask, "\n")


def json_blocks(ask: Ask) -> None:
    """One fenced object for each statement."""
    out = ask.out
    for place, at in enumerate(ask.shuffled()):
        out.write("\n\n" if place else "", f'```json\n{{"id": {at + 1}, "verdict": ')
        out.token(at, PLAIN.text(ask.words[at]))
        out.write("}\n```")


def _objects(ask: Ask, between: str) -> None:
    out = ask.out
    for place, at in enumerate(ask.shuffled()):
        out.write(between if place else "", '{"id": ', str(at + 1), ', "verdict": ')
        out.token(at, PLAIN.text(ask.words[at]))
        out.write("}")


def json_escaped(ask: Ask) -> None:
    """A list as a JSON string: encoded twice."""
    out = ask.out
    out.write('"[')
    for place, at in enumerate(ask.shuffled()):
        out.write(", " if place else "", '{\\"id\\": ', str(at + 1), ', \\"verdict\\": ')
        out.token(at, '\\"' + ask.words[at] + '\\"')
        out.write("}")
    out.write(']"')


def python_repr(ask: Ask) -> None:
    """What Python prints for a dictionary."""
    ask.style = _PYTHON
    _list(ask, ask.shuffled(), ("id", "reason"), ("verdicts",))
