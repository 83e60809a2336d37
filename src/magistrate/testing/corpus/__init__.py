"""Replies of LLM judges, each with its right reading: a held-out test for any parser of judge replies.

Every case is an original text written for this package, in the manner of real models: other formats, wrappings and
languages than the prompt asked for, damage, planted answers, truncation, refusals. The right reading is what a careful
person makes of it: where such a reader could not tell, the reading is None, never a guess.

    from magistrate.testing.corpus import load_corpus

    for case in load_corpus(task="verdicts", kind="final-line"):
        print(case.id, case.raw, case.expect.verdicts)

The values are the plain strings of the vocabulary ("supported", "ok", "count-mismatch"), so that the corpus can test
any parser without loading this one. They compare equal to the members of `Verdict`, `ParseStatus` and `IssueCode`. The
cases are read from the package on first use.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias, get_args

__all__ = ["KINDS", "TASKS", "CorpusCase", "Expectation", "load_corpus"]

Task: TypeAlias = Literal["verdicts", "score", "statements", "label", "object"]

TASKS: Final[tuple[Task, ...]] = get_args(Task)
"""The tasks a case can set, in the order in which the cases are loaded."""


def _read(name: str) -> str:
    return files(__package__).joinpath("data", name).read_text(encoding="utf-8")


KINDS: Final[Mapping[str, str]] = MappingProxyType(json.loads(_read("kinds.json")))
"""The kinds of reply: a closed list, each with one line for reports."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """The right reading of a reply. Only the field of the case's task is set, besides the status.

    Args:
        status: How the reading ends: "ok", "partial", "refusal", "empty", "truncated", "unparseable" or "out_of_range".
        accept: Further statuses that are honest too.
        issues: Codes that a reading must report.
        verdicts: One verdict a statement; None where the reply gives none that is safe to use.
        value: The score as the judge gave it, or the object; None where there is none that is safe to use.
        statements: The claims, blank ones dropped.
        label: One of the choices, or None.
    """

    status: str
    accept: tuple[str, ...] = ()
    issues: tuple[str, ...] = ()
    verdicts: tuple[str | None, ...] | None = None
    value: Any = field(default=None, hash=False)
    statements: tuple[str, ...] | None = None
    label: str | None = None

    @property
    def statuses(self) -> frozenset[str]:
        """Every status that is right."""
        return frozenset((self.status, *self.accept))


@dataclass(frozen=True, slots=True)
class CorpusCase:
    """One reply of a judge and what is to be made of it.

    Args:
        id: Unique, stable name of the case.
        task: What the judge was asked for: "verdicts" on statements, a "score", the "statements" of an answer, a
            "label", or an "object" of a JSON schema.
        kind: The family of replies it belongs to; a key of `KINDS`.
        raw: The text that the judge returned. May be blank, may hold lone surrogates.
        finish_reason: Why the provider stopped: "stop", "length", "content_filter", "refusal"; None where unknown.
        expect: The right reading.
        why: Why that reading is right.
        language: ISO 639-1 code of the reply's language.
        scale: Name of the scale of a "verdicts" case.
        statements: The statements that were asked about, in order.
        low: Bottom of the declared range of a "score" case.
        high: Top of that range.
        choices: The labels offered in a "label" case.
        schema: The JSON schema of an "object" case.
    """

    id: str
    task: Task
    kind: str
    raw: str
    finish_reason: str | None
    expect: Expectation
    why: str
    language: str = "en"
    scale: str | None = None
    statements: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    schema: Mapping[str, Any] | None = field(default=None, hash=False)


def _case(row: dict[str, Any]) -> CorpusCase:
    row["low"], row["high"] = row.pop("range", (None, None))
    expect: dict[str, Any] = {
        name: tuple(part) if isinstance(part, list) and name != "value" else part
        for name, part in row.pop("expect").items()
    }
    lists: dict[str, Any] = {name: tuple(row.pop(name, ())) for name in ("statements", "choices")}
    return CorpusCase(**row, **lists, expect=Expectation(**expect))


@cache
def _cases_of(task: str) -> tuple[CorpusCase, ...]:
    # Not splitlines(): it would also break at U+2028, which is legal inside a JSON string.
    return tuple(_case(json.loads(line)) for line in _read(f"{task}.jsonl").split("\n") if line)


def load_corpus(task: str | None = None, kind: str | None = None) -> tuple[CorpusCase, ...]:
    """Return the cases, all of them or those of one task or kind, always in the same order.

    Args:
        task: One of `TASKS`, or None for all.
        kind: One of `KINDS`, or None for all.

    Returns:
        The cases. A kind that has no case under that task gives an empty tuple.

    Raises:
        ValueError: If there is no such task or kind.
    """
    if task not in {None, *TASKS}:
        raise ValueError(f"unknown task {task!r}: use {', '.join(TASKS)} or None")
    if kind is not None and kind not in KINDS:
        raise ValueError(f"unknown kind {kind!r}: see magistrate.testing.corpus.KINDS")
    tasks = TASKS if task is None else (task,)
    return tuple(case for name in tasks for case in _cases_of(name) if kind in (None, case.kind))
