"""The right answer to a task, in the form that the request asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from magistrate.testing._tasks import Task
from magistrate.testing._wire import compact
from magistrate.testing.oracle import Oracle, offered
from magistrate.text import split_sentences
from magistrate.verdict import Verdict

_WORDS_OF_A_QUESTION = 4


@dataclass(frozen=True, slots=True)
class Row:
    """One verdict of the model: on which statement, why, with which quote."""

    statement: str
    verdict: Verdict
    reason: str
    quote: str = ""


def answer(task: Task, oracle: Oracle, schema: Mapping[str, Any] | None) -> str:
    """Answer a task as a model that does everything right."""
    if task.kind == "grade":
        score, reason = oracle.grade(task.rubric, task.fields, task.low, task.high)
        return compact(_only(task, {"why": reason, "score": score}))
    if task.kind == "drafts":
        return compact({"cases": [_draft(text) for text in split_sentences(task.text)[: task.count]]})
    if task.kind in {"claims", "truths"}:
        statements = list(oracle.extract(task.text))
        return compact(_only(task, {"statements": statements}) if task.ours else _fill(schema, statements, []))
    statements = list(oracle.extract(task.text)) if task.kind == "single" else list(task.statements)
    rows = [_judge(statement, task, oracle) for statement in statements]
    if task.ours:
        return compact(_our_rows(task, rows))
    return compact(_fill(schema, statements, rows))


def _draft(sentence: str) -> dict[str, Any]:
    about = " ".join(sentence.split()[:_WORDS_OF_A_QUESTION])
    kinds = {"category": "fact_single", "answer": sentence, "quotes": [sentence]}
    return {"question": f'How does the document go on after "{about}"?', **kinds}


def _judge(statement: str, task: Task, oracle: Oracle) -> Row:
    verdict, reason = oracle.verdict(statement, task.contexts)
    quote = next((text[:80] for text in task.contexts if text.strip()), "") if verdict is Verdict.SUPPORTED else ""
    return Row(statement, offered(verdict, task.scale), reason, quote)


def _only(task: Task, value: dict[str, Any]) -> dict[str, Any]:
    """Leave out the reason where none was asked for, and add the token where one was."""
    if not task.reasons:
        value.pop("why", None)
    return value if task.token is None else {"token": task.token, **value}


def _our_rows(task: Task, rows: list[Row]) -> dict[str, Any]:
    if task.kind == "single":
        return _only(task, {"rows": [_single_row(task, row) for row in rows]})
    value: dict[str, Any] = {}
    for number, row in enumerate(rows, 1):
        if task.reasons:
            value[f"s{number}_why"] = row.reason
        if task.quotes:
            value[f"s{number}_quotes"] = [row.quote] if row.quote else []
        value[f"s{number}"] = row.verdict.value
    return _only(task, value)


def _single_row(task: Task, row: Row) -> dict[str, Any]:
    value: dict[str, Any] = {"claim": row.statement}
    if task.reasons:
        value["why"] = row.reason
    if task.quotes:
        value["quotes"] = [row.quote] if row.quote else []
    value["label"] = row.verdict.value
    return value


def _fill(schema: Mapping[str, Any] | None, statements: list[str], rows: list[Row]) -> Any:
    """Fill somebody else's schema; without one, answer in the plainest JSON."""
    if schema is not None:
        return _value(schema, schema, rows or [Row(statement, Verdict.SUPPORTED, "") for statement in statements])
    if not rows:
        return {"statements": statements}
    return {"verdicts": [{"reason": row.reason, "verdict": row.verdict.value} for row in rows]}


def _value(
    node: Mapping[str, Any], root: Mapping[str, Any], rows: list[Row], row: Row | None = None, name: str = ""
) -> Any:
    """Fill one node: lists hold one item per row, everything below such an item is about that row."""
    node = _resolve(node, root)
    if "enum" in node:
        return _pick(node["enum"], row)
    if node.get("type") == "object" or "properties" in node:
        return {key: _value(part, root, rows, row, key) for key, part in node.get("properties", {}).items()}
    if node.get("type") == "array":
        item = _resolve(node.get("items", {}), root)
        if item.get("type") == "string" and name not in {"verdict", "verdicts", "labels"}:
            return [part.statement for part in rows]
        return [_value(item, root, rows, part, name) for part in rows]
    return _word(node, name, row)


def _resolve(node: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    """Follow a local reference, and take the first branch of an alternative."""
    for _ in range(8):
        if "$ref" in node:
            target: Any = root
            for part in str(node["$ref"]).removeprefix("#/").split("/"):
                target = target[part]
            node = target
        elif node.get("anyOf"):
            node = node["anyOf"][0]
        else:
            break
    return node


def _pick(words: list[Any], row: Row | None) -> Any:
    """Choose from an enum the word that says what the verdict says."""
    if row is None:
        return words[0]
    if row.verdict.value in words:
        return row.verdict.value
    yes = row.verdict is Verdict.SUPPORTED
    for candidate in ("yes", "SUPPORTED", "supported", 1, "1", True) if yes else ("no", "unsupported", 0, "0", False):
        if candidate in words:
            return candidate
    return words[0] if yes else words[-1]


def _word(node: Mapping[str, Any], name: str, row: Row | None) -> Any:
    kind = node.get("type")
    yes = row is not None and row.verdict is Verdict.SUPPORTED
    if kind in {"integer", "number"}:
        return int(yes)
    if kind == "boolean":
        return yes
    if row is None:
        return ""
    if name in {"verdict", "verdicts", "label", "answer"}:
        return row.verdict.value
    return row.statement if name in {"statement", "claim", "text"} else row.reason
