"""A model that does everything right: what a prompt asks for, ours or another's, and the answer in the form asked."""

import ast
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from magistrate.completion.schemas import inline_schema
from magistrate.prompts import load_prompt
from magistrate.testing._wire import ChatRequest, compact
from magistrate.testing.oracle import Oracle, offered
from magistrate.text import split_sentences
from magistrate.verdict import Verdict

_WORDS_OF_A_QUESTION = 4


Kind = Literal["claims", "truths", "verify", "single", "grade", "drafts", "other"]


@dataclass(frozen=True, slots=True)
class Task:
    """What a prompt asks for."""

    kind: Kind
    ours: bool = False
    statements: tuple[str, ...] = ()
    contexts: tuple[str, ...] = ()
    text: str = ""
    token: str | None = None
    scale: tuple[Verdict, ...] = (Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.NOT_ENOUGH_INFO)
    reasons: bool = True
    quotes: bool = False
    rubric: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    low: float = 0.0
    high: float = 1.0
    count: int = 0


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


def is_unknown(task: Task, schema: Mapping[str, Any] | None) -> bool:
    """Whether a prompt asks for a list that the server cannot fill: an empty one may count as a perfect score."""
    nodes = [node for node in _walk(schema or {}) if isinstance(node, Mapping)]
    return task.kind == "other" and any(_numbered(node) or node.get("type") == "array" for node in nodes)


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
        listed = [{"claim": row.statement, **_judged(task, row, "why", "quotes", "label")} for row in rows]
        return _only(task, {"rows": listed})
    value: dict[str, Any] = {}
    for number, row in enumerate(rows, 1):
        value |= _judged(task, row, f"s{number}_why", f"s{number}_quotes", f"s{number}")
    return _only(task, value)


def _judged(task: Task, row: Row, why: str, quotes: str, label: str) -> dict[str, Any]:
    given = {why: row.reason} if task.reasons else {}
    quoted = {quotes: [row.quote] if row.quote else []} if task.quotes else {}
    return {**given, **quoted, label: row.verdict.value}


def _fill(schema: Mapping[str, Any] | None, statements: list[str], rows: list[Row]) -> Any:
    """Fill somebody else's schema; without one, answer in the plainest JSON."""
    if schema is not None:
        return _value(inline_schema(schema), rows or [Row(text, Verdict.SUPPORTED, "") for text in statements])
    if not rows:
        return {"statements": statements}
    return {"verdicts": [{"reason": row.reason, "verdict": row.verdict.value} for row in rows]}


def _value(node: Mapping[str, Any], rows: list[Row], row: Row | None = None, name: str = "") -> Any:
    """Fill one node: lists hold one item per row, everything below such an item is about that row."""
    while node.get("anyOf"):
        node = node["anyOf"][0]
    if "enum" in node:
        return _pick(node["enum"], row)
    if numbered := _numbered(node):
        own = {key: rows[int(key) - 1 : int(key)] for key in numbered}
        return {key: _value(part, own[key], (*own[key], None)[0], name) for key, part in numbered.items()}
    if node.get("type") == "object" or "properties" in node:
        return {key: _value(part, rows, row, key) for key, part in node.get("properties", {}).items()}
    if node.get("type") == "array":
        item = node.get("items", {})
        if item.get("type") == "string" and name not in {"verdict", "verdicts", "labels"}:
            return [part.statement for part in rows]
        return [_value(item, rows, part, name) for part in rows]
    return _word(node, name, row)


def _numbered(node: Mapping[str, Any]) -> Mapping[str, Any]:
    """The properties of an object that has one for each number, in their order; none of any other."""
    parts = node.get("properties")
    return parts if isinstance(parts, Mapping) and parts and all(map(str.isdecimal, parts)) else {}


def _pick(words: list[Any], row: Row | None) -> Any:
    """Choose from an enum the word that says what the verdict says."""
    if row is None:
        return words[0]
    yes = row.verdict is Verdict.SUPPORTED
    fine = ("borderline",) if row.verdict is Verdict.NOT_ENOUGH_INFO else ()
    plain = ("yes", "SUPPORTED", "supported", 1, "1", True) if yes else ("no", "unsupported", 0, "0", False)
    found: Any = (word for word in (row.verdict.value, *fine, *plain) if word in words)
    return next(found, words[0] if yes else words[-1])


def _word(node: Mapping[str, Any], name: str, row: Row | None) -> Any:
    yes = row is not None and row.verdict is Verdict.SUPPORTED
    if node.get("type") in {"integer", "number", "boolean"}:
        return yes if node["type"] == "boolean" else int(yes)
    if row is None:
        return "A model that judges by a rule has no words of its own."
    if name in {"verdict", "verdicts", "label", "answer"}:
        return row.verdict.value
    return row.statement if name in {"statement", "claim", "text"} else row.reason


_PROMPTS: Mapping[str, Kind] = {
    "extract-claims": "claims",
    "extract-truths": "truths",
    "verify": "verify",
    "verify-and-extract": "single",
    "grade": "grade",
}
_OPENING = re.compile(r"^(~{3,}) \S", re.MULTILINE)
_FIRST_TOKEN = re.compile(r"\AToken: (\S+)$", re.MULTILINE)
_LAST_TOKEN = re.compile(r"^Token: (\S+)\Z", re.MULTILINE)
_RANGE = re.compile(r"from (-?[\d.]+) to (-?[\d.]+)")
_HEADING = re.compile(
    r"^[#*\s]*(?:retrieval )?"
    r"(question|answer|response|ai output|contexts?|passages?|documents?|statements?|claims?|text|json)\s*:[ \t]*",
    re.IGNORECASE | re.MULTILINE,
)
_INPUT = re.compile(r"^input:\s*(?=\{)", re.IGNORECASE | re.MULTILINE)
_NOTED = re.compile(r'^(\d{1,4}): ("(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[\da-f]{4}))*")$', re.MULTILINE)
"""An item as our note behind another's prompt has it."""
_NUMBERED = re.compile(r"^\s*(?:s|\()?(\d{1,4})[.):][ \t]+(\S.*)$", re.MULTILINE)


@lru_cache(maxsize=1)
def _drafting() -> re.Pattern[str]:
    """How the prompt that drafts cases begins, with the number it asks for."""
    before, _, after = load_prompt("draft-cases").user.partition("{{count}}")
    return re.compile(rf"\A{re.escape(before)}(\d+){re.escape(after.partition('{{')[0])}")


def read_task(request: ChatRequest) -> Task:
    """Find out what a request asks for."""
    for name, kind in _PROMPTS.items():
        if request.system.startswith(load_prompt(name).system.partition("{{")[0]):
            return _ours(kind, request)
    if (asked := _drafting().search(request.user)) is not None:
        return Task("drafts", ours=True, text=dict(_blocks(request.user)).get("document", ""), count=int(asked[1]))
    return _foreign(request)


def _ours(kind: Kind, request: ChatRequest) -> Task:
    system, user = request.system, request.user
    blocks = _blocks(user)
    texts = dict(blocks)
    offered = request.schema and _schema_scale(request.schema)
    scale = offered or tuple(verdict for verdict in Verdict if re.search(rf"\b{verdict.value}\b", system))
    bounds = _RANGE.search(system) if kind == "grade" else None
    shape = json.dumps(request.schema) if request.schema else system
    return Task(
        kind,
        ours=True,
        statements=_statements(user, texts),
        contexts=tuple(text for label, text in blocks if label.isdecimal()),
        text=texts.get("answer") or texts.get("passage") or "",
        token=_token(user),
        scale=scale or Task("other").scale,
        reasons='why"' in shape,
        quotes='quotes"' in shape,
        rubric=system.partition("\n")[2] if kind == "grade" else "",
        fields={label: text for label, text in blocks if label != "question"} if kind == "grade" else {},
        low=float(bounds[1]) if bounds else 0.0,
        high=float(bounds[2]) if bounds else 1.0,
    )


def _statements(user: str, texts: Mapping[str, str]) -> tuple[str, ...]:
    """The statements by their numbers. Where the head of the message was dropped, those before it are blank."""
    found = {int(number): text for number, text in _NUMBERED.findall(texts.get("statements", ""))}
    if "statements" not in texts and not _FIRST_TOKEN.search(user):
        found = {int(number): text for number, text in _NUMBERED.findall(user)}
    return tuple(found.get(number, "") for number in range(1, max(found, default=0) + 1))


def _token(user: str) -> str | None:
    """The request token as far as it is seen: its first word stands at the head of the message, its last at the end."""
    found = (_FIRST_TOKEN.search(user), _LAST_TOKEN.search(user))
    return "-".join(match[1] for match in found if match) or None


def _blocks(user: str) -> list[tuple[str, str]]:
    """Split the fenced blocks of one of our prompts: (label, text) each."""
    opening = _OPENING.search(user)
    if opening is None:
        return []
    fence = opening[1]
    parts = re.split(rf"^{fence}(?: (.*))?$", user[opening.start() :], flags=re.MULTILINE)
    labels, texts = parts[1::2], parts[2::2]
    return [(label, text[1:-1]) for label, text in zip(labels, texts, strict=True) if label]


def _foreign(request: ChatRequest) -> Task:
    """Read somebody else's prompt by its headings; the schema says which of the two jobs it is."""
    parts = _HEADING.split(request.user)
    sections = {_singular(name): text.strip() for name, text in zip(parts[1::2], parts[2::2], strict=True)}
    sections |= _input_of(request.user)
    listed = sections.get("statement", "")
    statements = tuple(text.strip() for _, text in _NUMBERED.findall(listed)) or _printed(listed)
    noted = {int(number): json.loads(text) for number, text in _NOTED.findall(request.user)}
    statements = statements or tuple(noted.get(number, "") for number in range(1, max(noted, default=0) + 1))
    contexts = tuple(part for part in re.split(r"\n\s*\n", sections.get("context", "")) if part)
    answer = sections.get("answer") or sections.get("ai output", "")
    scale = _schema_scale(request.schema) or Task("other").scale
    if statements:
        return Task("verify", statements=statements, contexts=contexts, scale=scale)
    if answer and contexts:
        return Task("single", text=answer, contexts=contexts, scale=scale)
    if answer:
        return Task("claims", text=answer)
    if sections.get("text") and {"truths", "claims"} & set((request.schema or {}).get("properties", ())):
        return Task("truths", text=sections["text"])
    return Task("other", text=request.user)


def _input_of(prompt: str) -> dict[str, str]:
    """The fields of the last JSON object under "Input:", as ragas writes them, in place of sections."""
    found = list(_INPUT.finditer(prompt))
    try:
        value, _ = json.JSONDecoder().raw_decode(prompt, found[-1].end()) if found else ({}, 0)
    except (ValueError, RecursionError):
        return {}
    texts = value.items() if isinstance(value, dict) else ()
    return {_singular(key): text if isinstance(text, str) else repr(text) for key, text in texts}


def _printed(text: str) -> tuple[str, ...]:
    """The texts of a list as Python prints it, which DeepEval's prompts hold."""
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return ()
    return tuple(map(str, value)) if isinstance(value, list) else ()


def _singular(name: str) -> str:
    name = name.lower().rstrip("s")
    return {"response": "answer", "passage": "context", "document": "context", "claim": "statement"}.get(name, name)


def _schema_scale(schema: Mapping[str, Any] | None) -> tuple[Verdict, ...]:
    """Return the verdicts that a schema lists in an enum, where they are words of ours."""
    found: list[Verdict] = []
    for value in _walk(schema or {}):
        if isinstance(value, Mapping) and isinstance(value.get("enum"), list):
            found += [Verdict(word) for word in value["enum"] if word in set(Verdict)]
    return tuple(dict.fromkeys(found))


def _walk(value: Any) -> Sequence[Any]:
    found, pending = [], [value]
    while pending:
        item = pending.pop()
        found.append(item)
        if isinstance(item, Mapping):
            pending.extend(item.values())
        elif isinstance(item, list):
            pending.extend(item)
    return found
