"""Stored replies with their right reading: curated ones (YAML), frozen ones (JSON Lines), the package's corpus.

A curated file holds groups, one a YAML document:

    function: parse_verdicts
    arguments: {statements: [The depot stores 40 trams.], scale: binary}
    replies:
    - reply: "1. Yes"
      value: [supported]
      status: ok        # the default where every value is there
      issues: []        # the codes that are reported, all of them: the default where the status is ok

`arguments` of a reply come on top of its group's, `bytes` (base64) stands for a reply that is no text, and `open: true`
for one that may also be left without a value. Where `status` or `issues` are not given, they are no promise.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from magistrate import parsing
from magistrate.testing.corpus import load_corpus
from magistrate.verdict import Scale, Verdict

__all__ = ["FUNCTIONS", "REPLIES", "Stored", "changes", "corpus", "curated", "frozen", "read"]

REPLIES = Path(__file__).parent.parent / "tests" / "parsing"
_TASKS = {
    "verdicts": ("parse_verdicts", "verdicts"),
    "score": ("parse_score", "value"),
    "label": ("parse_label", "label"),
    "statements": ("parse_statements", "statements"),
    "object": ("parse_object", "value"),
}
FUNCTIONS = tuple(function for function, _ in _TASKS.values())
_LINES = re.MULTILINE | re.DOTALL
_VALUES = dict(_TASKS.values()) | {"parse_verdicts": "found"}


@dataclass(frozen=True, slots=True)
class Stored:
    """A reply, what it was read for, and its right reading.

    Args:
        name: Which one it is.
        function: The parsing function.
        reply: The reply.
        arguments: Further arguments of the function, as JSON has them.
        value: The right value: a verdict a statement, a score, a label, the statements, an object.
        statuses: The statuses that are right; empty where any is.
        issues: The codes of the issues that are to be reported; None where any may be.
        open: Whether it is right, too, to read nothing.
    """

    name: str
    function: str
    reply: str | bytes | None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    value: Any = None
    statuses: tuple[str, ...] = ()
    issues: tuple[str, ...] | None = None
    open: bool = False

    def read(self) -> tuple[Any, str, tuple[str, ...]]:
        """Read it: the value, the status, the codes of the issues in order."""
        return read(self.function, self.reply, self.arguments)

    def allows(self, value: Any) -> bool:
        """Whether a value is the right one, or none is read where that is right, too."""
        if self.function == "parse_verdicts":
            return len(value) == len(self.value) and all(
                got == right or (self.open and got is None) for got, right in zip(value, self.value, strict=True)
            )
        same = value == self.value and isinstance(value, bool) == isinstance(self.value, bool)
        return same or (self.open and not value)

    def leaves_open(self, value: Any) -> bool:
        """Whether nothing of a value is wrong, but some of it is not there."""
        if self.function == "parse_verdicts":
            pairs = zip(value, self.value, strict=False)
            return len(value) == len(self.value) and all(got in {None, right} for got, right in pairs)
        return value == [] if self.function == "parse_statements" else value is None

    def key(self) -> str:
        """A name of the call that stays as long as the call does."""
        reply = self.reply.decode("latin-1") if isinstance(self.reply, bytes) else self.reply
        text = json.dumps([self.function, reply, dict(self.arguments)], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]


def read(function: str, reply: str | bytes | None, arguments: Mapping[str, Any]) -> tuple[Any, str, tuple[str, ...]]:
    """Call a parsing function with arguments that JSON can hold.

    Returns:
        The value as JSON has it, the status, the codes of the issues in order.
    """
    known = dict(arguments)
    scale = known.get("scale")
    if isinstance(scale, Mapping):
        words = {word: Verdict(verdict) for word, verdict in scale.get("words", {}).items()}
        known["scale"] = Scale(scale["name"], tuple(Verdict(verdict) for verdict in scale["verdicts"]), words)
    reading = getattr(parsing, function)(reply, **known)
    value = getattr(reading, _VALUES[function])
    if function in {"parse_verdicts", "parse_statements"}:
        value = [one if one is None else str(one) for one in value]
    return value, str(reading.status), tuple(sorted({str(issue.code) for issue in reading.issues}))


def curated(folder: Path = REPLIES / "replies") -> Iterator[Stored]:
    """The replies of a folder's YAML files, and of the YAML blocks of its Markdown files."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    for path in sorted((*folder.glob("*.yaml"), *folder.glob("*.md"))):
        text = path.read_text(encoding="utf-8")
        blocks = [text] if path.suffix == ".yaml" else re.findall(r"^```yaml\n(function:.*?)^```$", text, _LINES)
        for group in (group for block in blocks for group in yaml.load_all(block, loader)):
            for at, one in enumerate(group["replies"], 1):
                reply = base64.b64decode(one["bytes"]) if "bytes" in one else one["reply"]
                arguments = {**group.get("arguments", {}), **one.get("arguments", {})}
                value, is_open = one["value"], one.get("open", False)
                whole = value is not None and (group["function"] != "parse_verdicts" or all(value)) and not is_open
                status = one.get("status", "ok" if whole else None)
                statuses = tuple(status) if isinstance(status, list) else (status,) if status else ()
                issues = one.get("issues", [] if status == "ok" else None)
                name = f"{path.stem}-{one.get('name') or group.get('name', '')}-{at}".replace("--", "-")
                codes = None if issues is None else tuple(sorted(issues))
                yield Stored(name, group["function"], reply, arguments, value, statuses, codes, is_open)


def frozen(function: str, folder: Path = REPLIES / "frozen") -> Iterator[Stored]:
    """The replies to one function that were frozen with the reading they had."""
    plain, packed = folder / f"{function}.jsonl", folder / f"{function}.jsonl.gz"
    with gzip.open(packed, "rt", encoding="utf-8") if packed.exists() else plain.open(encoding="utf-8") as lines:
        for at, line in enumerate(lines, 1):
            row: dict[str, Any] = json.loads(line)
            value, status, issues = row.pop("value"), row.pop("status"), row.pop("issues", ())
            reply = row.pop("bytes").encode("latin-1") if "bytes" in row else row.pop("reply")
            yield Stored(f"{function}-{at}", function, reply, row, value, (status,), tuple(issues))


def changes(folder: Path = REPLIES / "frozen") -> dict[str, dict[str, Any]]:
    """The frozen replies that are read otherwise now, by the key of their call: value, status, why."""
    lines = (folder / "changed.jsonl").read_text(encoding="utf-8").splitlines()
    return {row["call"]: row for row in map(json.loads, lines)}


def corpus() -> Iterator[Stored]:
    """The replies of the package's own corpus."""
    for case in load_corpus():
        function, expected = _TASKS[case.task]
        value = _plain(getattr(case.expect, expected))
        asked: dict[str, Any] = {"finish_reason": case.finish_reason}
        match case.task:
            case "verdicts":
                asked |= {"statements": list(case.statements), "scale": case.scale}
            case "score":
                asked |= {"low": case.low, "high": case.high}
            case "label":
                asked |= {"choices": list(case.choices)}
            case "object":
                asked |= {"schema": _plain(case.schema)}
        value = value or [] if case.task in {"verdicts", "statements"} else value
        yield Stored(case.id, function, case.raw, asked, value, tuple(case.expect.statuses), tuple(case.expect.issues))


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [_plain(item) for item in value]
    return value
