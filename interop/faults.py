"""What goes wrong with the model's replies on their way: the rows of the tables."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from typing import Any

import model

from magistrate.testing import Call, Fault

__all__ = ["FAULTS", "LABEL_FAULTS", "Faults"]

FAULTS = ("none", "fence with prose", "single quotes", "one short", "reordered", "refusal", "truncated")
LABEL_FAULTS = (
    "none",
    "fence with prose",
    "single quotes",
    "one field short",
    "fields reordered",
    "not on offer",
    "out of range",
    "refusal",
    "truncated",
)
"""What can go wrong where a case has one score or label, and no list of statements: its fields stand for those."""
_LABELS = ("choice", "pass", "result", "score", "grade", "label", "verdict")
_REFUSAL = "I'm sorry, but I can't help with evaluating this content."


class Faults:
    """Answers with the framework model, and damages what it says.

    Args:
        kind: One of FAULTS or LABEL_FAULTS.
        always: Damage every reply; False for the first reply to each prompt only.
    """

    def __init__(self, kind: str, *, always: bool = True) -> None:
        self.kind = kind
        self.always = always
        self._seen: set[str] = set()
        self._lock = threading.Lock()

    def __call__(self, call: Call) -> Fault:
        """The reply to a call, as a fault of the test server."""
        raw = call.request.raw
        reply = model.answer(raw, call.request.schema)
        prompt = model.first_prompt(raw)
        with self._lock:
            spared = not self.always and prompt in self._seen
            self._seen.add(prompt)
        if spared or self.kind == "none":
            return _says(reply.text)
        return _DAMAGES[self.kind](reply)


def _says(text: str, **further: Any) -> Fault:
    return Fault(text=lambda _: text, **further)


def _fence(reply: model.Reply) -> Fault:
    return _says(f"Here is my assessment:\n\n```json\n{reply.text}\n```\n\nLet me know if you need more.")


def _single_quotes(reply: model.Reply) -> Fault:
    return _says(repr(reply.value) if not isinstance(reply.value, str) else reply.text)


def _rows(reply: model.Reply, change: Callable[[Any], Any]) -> Fault:
    """Change the entries of the items; a reply without a list of items stays right."""
    if isinstance(reply.value, str) and model.FINAL in reply.value:
        said, _, verdicts = reply.value.rpartition(model.FINAL)
        return _says(f"{said}{model.FINAL} {' '.join(change(verdicts.split()))}")
    if isinstance(reply.value, list):
        return _says(json.dumps(change(reply.value), ensure_ascii=False))
    if not reply.rows:
        return _says(reply.text)
    value = dict(reply.value)
    changed = False
    for name in reversed(reply.rows):
        if len(value[name]) and not changed:
            entries = value[name]
            value[name] = dict(change(list(entries.items()))) if isinstance(entries, dict) else change(entries)
            changed = True
    return _says(json.dumps(value, ensure_ascii=False))


def _one_short(reply: model.Reply) -> Fault:
    return _rows(reply, lambda entries: entries[:-1])


def _reordered(reply: model.Reply) -> Fault:
    return _rows(reply, lambda entries: entries[::-1])


def _one_field_short(reply: model.Reply) -> Fault:
    return _says(json.dumps(dict(list(reply.value.items())[:-1]), ensure_ascii=False))


def _fields_reordered(reply: model.Reply) -> Fault:
    return _says(json.dumps(dict(list(reply.value.items())[::-1]), ensure_ascii=False))


def _not_on_offer(reply: model.Reply) -> Fault:
    """A grade or a label that the prompt does not offer."""
    if isinstance(reply.value, str):
        return _says(re.sub(r"(?s)(.*)GRADE: \w", r"\1GRADE: B", reply.value))
    name = next(name for name in _LABELS if name in reply.value)
    return _says(json.dumps({**reply.value, name: "maybe"}, ensure_ascii=False))


def _out_of_range(reply: model.Reply) -> Fault:
    """A number beyond the range that the prompt states."""
    numbers = [name for name, value in reply.value.items() if type(value) in {int, float}]
    return _says(json.dumps({**reply.value, **dict.fromkeys(numbers, 7)}, ensure_ascii=False))


def _refusal(reply: model.Reply) -> Fault:
    del reply
    return _says(_REFUSAL)


def _truncated(reply: model.Reply) -> Fault:
    return _says(reply.text[: max(1, len(reply.text) * 3 // 5)], finish_reason="length")


_DAMAGES: dict[str, Callable[[model.Reply], Fault]] = {
    "fence with prose": _fence,
    "single quotes": _single_quotes,
    "one short": _one_short,
    "reordered": _reordered,
    "one field short": _one_field_short,
    "fields reordered": _fields_reordered,
    "not on offer": _not_on_offer,
    "out of range": _out_of_range,
    "refusal": _refusal,
    "truncated": _truncated,
}
