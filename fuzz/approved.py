"""Readings in full, held against the table `tests/parsing/readings.jsonl`: `python -m fuzz.approved [--update]`.

A line of the table is a reply, what it was read for, what a careful reader makes of it ("right"), and all that the
parser told of it ("told"): status, format, verdicts with their places and reasons, issues, repairs. Lines with "case"
take reply and right reading from `magistrate.testing.corpus`. Where a change of the parser is meant, `--update` writes
down what it tells now, and shows what is new. A reading that is not right is never written down: a verdict that was not
meant, or none where one was, unless the line says that nothing may be read there ("open").
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from magistrate.parsing import (
    LabelReading,
    ObjectReading,
    ScoreReading,
    StatementsReading,
    VerdictReading,
    parse_label,
    parse_object,
    parse_score,
    parse_statements,
    parse_verdicts,
)
from magistrate.testing.corpus import load_corpus
from magistrate.verdict import Issue, Repair, StatementVerdict

__all__ = ["TABLE", "Entry", "entries"]

TABLE = Path(__file__).parent.parent / "tests" / "parsing" / "readings.jsonl"
Reading = VerdictReading | ScoreReading | LabelReading | StatementsReading | ObjectReading[Any]
_READERS: Mapping[str, Callable[..., Reading]] = {
    "verdicts": parse_verdicts,
    "score": parse_score,
    "label": parse_label,
    "statements": parse_statements,
    "object": parse_object,
}


@dataclass(frozen=True, slots=True)
class Entry:
    """A reply, its right reading, and what the parser told of it when that was last written down.

    Args:
        id: Its name: the corpus case, or another one.
        task: A task of the corpus.
        reply: The text of the reply.
        asked: Further arguments of the reader.
        right: The right verdicts, value, label or statements.
        open: Whether it is right, too, to read nothing.
        told: The reading in full; empty where none was written down yet.
    """

    id: str
    task: str
    reply: str
    asked: Mapping[str, Any]
    right: Any
    open: bool = False
    told: Mapping[str, Any] = field(default_factory=dict)

    def read(self) -> dict[str, Any]:
        """The reading in full, without what is empty, as JSON holds it."""
        return _in_full(_READERS[self.task](self.reply, **self.asked), named=self.asked.get("statements") is None)

    def is_right(self, told: Mapping[str, Any]) -> bool:
        """Whether a reading says what was meant."""
        if self.task == "verdicts":
            pairs = zip([one.get("verdict") for one in told.get("verdicts", [])], self.right, strict=True)
            return all(got == meant or (self.open and got is None) for got, meant in pairs)
        got = told.get("value", [] if self.task == "statements" else None)
        near = self.task == "score" and None not in {got, self.right} and math.isclose(got, self.right)
        return near or got == self.right or (self.open and not got)


def entries(path: Path = TABLE) -> Iterator[Entry]:
    """The lines of the table, and the cases of the corpus that it does not hold yet."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.is_file() else []
    known = {line["case"]: line for line in lines if "case" in line}
    for case in load_corpus():
        line, expected = known.get(case.id, {}), case.expect
        asked: dict[str, Any] = {}
        right: Any = expected.value
        match case.task:
            case "verdicts":
                asked = {"statements": list(case.statements), "scale": case.scale}
                right = list(expected.verdicts or ())
            case "score":
                asked = {"low": case.low, "high": case.high}
            case "label":
                asked, right = {"choices": list(case.choices)}, expected.label
            case "statements":
                right = list(expected.statements or ())
            case "object":
                asked = {"schema": case.schema}
        asked |= {"finish_reason": case.finish_reason} if case.finish_reason else {}
        yield Entry(case.id, case.task, case.raw, asked, right, line.get("open", False), line.get("told", {}))
    yield from (Entry(**line) for line in lines if "case" not in line)


def _in_full(reading: Reading, *, named: bool) -> dict[str, Any]:
    told: dict[str, Any] = {"status": reading.status.value, "format": reading.format}
    match reading:
        case VerdictReading():
            told["verdicts"] = [_verdict(one, named) for one in reading.verdicts]
            told["extra"] = [one.value for one in reading.extra]
        case ScoreReading() | LabelReading():
            told["value"] = reading.value if isinstance(reading, ScoreReading) else reading.label
            told |= {"span": _span(reading.span), "reason": reading.reason}
        case StatementsReading():
            told["value"] = reading.statements
            told["spans"] = [_span(one) for one in reading.spans]
        case ObjectReading():
            told |= {"value": reading.value, "errors": list(reading.errors)}
    told |= {"issues": _issues(reading.issues), "repairs": _repairs(reading.repairs)}
    return {key: value for key, value in told.items() if value not in (None, [])}


def _verdict(one: StatementVerdict, named: bool) -> dict[str, Any]:
    told = {
        "id": one.id,
        "statement": one.statement if named else None,
        "verdict": one.verdict.value if one.verdict else None,
        "format": one.format,
        "span": _span(one.span),
        "reason": one.reason,
        "probability": one.probability,
        "evidence": [[each.quote, each.context, each.start] for each in one.evidence],
        "issues": _issues(one.issues),
        "repairs": _repairs(one.repairs),
    }
    return {key: value for key, value in told.items() if value not in (None, [])}


def _issues(issues: Sequence[Issue]) -> list[Any]:
    return [[issue.code.value, issue.message, *([] if issue.index is None else [issue.index])] for issue in issues]


def _repairs(repairs: Sequence[Repair]) -> list[Any]:
    return [[repair.code, repair.offset] for repair in repairs]


def _span(span: tuple[int, int] | None) -> list[int] | None:
    return None if span is None else list(span)


def _line(entry: Entry, told: Mapping[str, Any], in_corpus: bool) -> str:
    line: dict[str, Any] = {"case": entry.id} if in_corpus else {"id": entry.id, "task": entry.task}
    if not in_corpus:
        line |= {"reply": entry.reply, "asked": entry.asked, "right": entry.right}
    line |= {"open": True} if entry.open else {}
    return json.dumps({**line, "told": told}, ensure_ascii=True)


def update(path: Path = TABLE) -> int:
    """Write the readings of now into the table, where they are right; the number of those that are not."""
    corpus = {case.id for case in load_corpus()}
    lines, wrong = [], 0
    for entry in entries(path):
        told = entry.read()
        if told != entry.told and entry.told:
            print(f"{entry.id}\n  was {json.dumps(entry.told)}\n  is  {json.dumps(told)}")
        if not entry.is_right(told):
            print(f"{entry.id} is read wrongly, and stays as it was: {json.dumps(told)}\n  right is {entry.right}")
            wrong += 1
            told = dict(entry.told)
        lines.append(_line(entry, told, entry.id in corpus))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return wrong


def main() -> int:
    """Compare, or write down what the parser tells now."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.approved", description=str(__doc__).partition("\n")[0])
    parser.add_argument("--update", action="store_true", help="write down what the parser tells now")
    if parser.parse_args().update:
        return int(update() > 0)
    changed = [entry for entry in entries() if entry.read() != entry.told]
    for entry in changed:
        print(f"{entry.id}\n  was {json.dumps(entry.told)}\n  is  {json.dumps(entry.read())}")
    return int(bool(changed))


if __name__ == "__main__":
    sys.exit(main())
