"""A model for other frameworks' prompts: it answers any schema, always the same, and one entry for each item listed.

It knows nothing of magistrate's own reading of these prompts. What is true is decided by a checksum of the item, what a
number is by one of the prompt, so that the same question has the same answer whoever asks it.
"""

from __future__ import annotations

import ast
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["FINAL", "Reply", "answer", "first_prompt"]

FINAL = "Final verdict for each statement in order:"

_NOTE = re.compile(
    r'\n(?:In the reply, "|Only \d+ entries of the reply|Your last reply could not be read|Only the JSON object:'
    r"|Reply with one JSON object of this schema: )"
)
_NUMBERED = re.compile(r'^\d+: (".*")$', re.MULTILINE)
_LIST_LINE = re.compile(r"^(?:[^\[\n]*: )?(\[.*\])$", re.MULTILINE)
_INPUT = re.compile(r"^input: (?=\{)", re.MULTILINE | re.IGNORECASE)
_SCHEMA_IN_PROMPT = re.compile(r"(?:as specified in JSON Schema|match the following json_schema):\s+(?=\{)")

_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_SIFTED = re.compile(r"ALL STATEMENTS: (\[.*\])\s+IMPORTANT STATEMENTS:\s*$", re.DOTALL)
_TOOLS = re.compile(r"\n\nTool Calls:\n\[ToolCall\((.*)\)\]\n\nJSON:\s*$", re.DOTALL)
_CONTESTANTS = re.compile(r'"arena_test_cases": (?=\{)')


class Reply:
    """What the model says: a value, and where in it the entries for listed items are."""

    def __init__(self, value: Any, rows: tuple[str, ...] = ()) -> None:
        self.value = value
        self.rows = rows

    @property
    def text(self) -> str:
        """The value as JSON; a text as it is."""
        return self.value if isinstance(self.value, str) else json.dumps(self.value, ensure_ascii=False)


def first_prompt(raw: Mapping[str, Any]) -> str:
    """The first prompt of a conversation, without what magistrate adds and without what is asked again."""
    contents = [message["content"] for message in raw["messages"] if message["role"] == "user"]
    text = contents[0] if contents else ""
    if isinstance(text, list):
        text = "\n".join(part.get("text", "<image>") for part in text)
    return _NOTE.split(text)[0].rstrip()


def answer(raw: Mapping[str, Any], schema: Mapping[str, Any] | None) -> Reply:
    """Answer a request."""
    prompt = first_prompt(raw)
    if schema is None:
        schema = _schema_in(prompt) or _schema_in(_system(raw))
    if schema is None and _system(raw).startswith("Split the following statement into individual sentences"):
        return Reply("\n".join(_SENTENCE.split(prompt)))
    if schema is None and (sifted := _SIFTED.match(prompt)):
        return Reply([text for text in ast.literal_eval(sifted[1]) if not _trivial(text)])
    if schema is None:
        return Reply(_text(prompt))
    return _Answer(prompt, schema, str(raw)).reply()


def _system(raw: Mapping[str, Any]) -> str:
    contents = [message["content"] for message in raw["messages"] if message["role"] == "system"]
    return (
        "\n".join(str(part["text"]) for part in contents[0])
        if contents and isinstance(contents[0], list)
        else "".join(contents)
    )


def _schema_in(prompt: str) -> Mapping[str, Any] | None:
    match = _SCHEMA_IN_PROMPT.search(prompt)
    return json.JSONDecoder().raw_decode(prompt[match.end() :])[0] if match else None


def _text(prompt: str) -> str:
    """An answer in words; a rating where one is wanted."""
    if sentences := _sentences_to_split(prompt):
        return "\n".join(sentences)
    if statements := _statements_in_words(prompt):
        verdicts = ["Yes." if _true(statement) else "No." for statement in statements]
        rows = [
            f"{at}. {statement}\nExplanation: it's so. Verdict: {verdict}"
            for at, (statement, verdict) in enumerate(zip(statements, verdicts, strict=True), 1)
        ]
        return "\n".join(rows) + f"\n{FINAL} " + " ".join(verdicts)
    prompt = " ".join(prompt.split())
    if prompt.endswith(("The rating is:", "Rating:")):
        return str((0, 2, 4)[_sum(prompt) % 3])
    if re.search(r"score is:?[ \[]*$", prompt):
        return str(_sum(prompt) % 3)
    if "'GRADE: $LETTER'" in prompt:
        grade, other = ("C", "I") if _true(prompt) else ("I", "C")
        doubt = f"At first sight one might say GRADE: {other}, but not at the second. " if _sum(prompt) % 2 else ""
        return f"{doubt}The submission was held against the criterion, word by word.\n\nGRADE: {grade}"
    if "JSON" in prompt:
        return json.dumps({"reason": "It follows from the text.", "score": 1 + _sum(f"{prompt} score") % 10})
    return f"An answer in words, {_sum(prompt):08x}."


def _sentences_to_split(prompt: str) -> list[str]:
    """The sentences of the answer, where promptfoo wants its statements."""
    match = re.search(r"\nanswer: ([^\n]*)\nstatements:\s*$", prompt)
    return re.split(r"(?<=[.!?])\s+", match[1].strip()) if match else []


def _statements_in_words(prompt: str) -> list[str]:
    """The statements that promptfoo lists for its final verdicts."""
    match = re.search(r"\nstatements:\n((?:(?!statements:)[^\n]+\n)+)Answer:\s*$", prompt)
    return match[1].strip().split("\n") if match and FINAL in prompt else []


def _sum(text: str) -> int:
    return zlib.crc32(text.encode())


def _trivial(statement: str) -> bool:
    return statement.startswith("Glad to")


def _true(item: str) -> bool:
    return _sum(item) % 3 != 0


def listed(prompt: str) -> dict[str, list[str]]:
    """The lists that a prompt puts up for judging, by their name; "" for one without."""
    starts = [match.end() for match in _INPUT.finditer(prompt)]
    if starts:
        given, _ = json.JSONDecoder().raw_decode(prompt[starts[-1] :])
        return {key: value for key, value in given.items() if isinstance(value, list)} | {
            f"{key} sentences": re.split(r"(?<=[.!?])\s+", value)
            for key, value in given.items()
            if isinstance(value, str)
        }
    expected = re.search(r"^Expected Output:\n(.*?)\n\nRetrieval Context", prompt, re.MULTILINE | re.DOTALL)
    if expected and "For EACH sentence in the given expected output" in prompt:
        return {"": re.split(r"(?<=[.!?])\s+", expected[1].strip())}
    if statements := _statements_in_words(prompt):
        return {"": statements}
    if "(trivial: true)" in prompt:
        return {"statements": [json.loads(line) for line in _NUMBERED.findall(prompt)]}
    if tools := _TOOLS.search(prompt):
        return {"": [" ".join(tool.split()) for tool in re.split(r"\n\), ToolCall\(\n", tools[1])]}
    for line in reversed(_LIST_LINE.findall(prompt)):
        try:
            value = ast.literal_eval(line)
        except (ValueError, SyntaxError):
            continue
        if value and isinstance(value, list):
            return {"": [str(item) for item in value]}
    return {}


class _Answer:
    def __init__(self, prompt: str, schema: Mapping[str, Any], whole: str) -> None:
        self.prompt = prompt
        self.root = schema
        self.lists = listed(prompt)
        self.words = " ".join(prompt.split())
        self.seed = _sum(self.words)
        self.whole = whole

    def reply(self) -> Reply:
        properties = self.root.get("properties", {})
        if sentences := _sentences_to_split(self.prompt):
            return Reply(dict.fromkeys(properties, sentences))
        if {"TP", "FP", "FN"} <= set(properties):
            return Reply(self._classification(), ("TP", "FP", "FN"))
        rows = tuple(name for name, node in properties.items() if self._items(name, node) is not None)
        return Reply({name: self._property(name, node) for name, node in properties.items()}, rows)

    def _items(self, name: str, node: Mapping[str, Any]) -> list[str] | None:
        """The items that a property of the reply has an entry for, each."""
        node = self._resolve(node)
        numbered = (
            node.get("type") == "object"
            and node.get("properties")
            and all(key.isdecimal() for key in node["properties"])
        )
        if not numbered and node.get("type") != "array":
            return None
        known = {
            "answers": "questions",
            "classifications": "topics" if "topics" in self.lists else "answer sentences",
            "statements": "statements",
        }
        if {"answer", "ground_truth"} <= set(self.lists) and numbered:
            return [*self.lists["answer"], *self.lists["ground_truth"]]
        if name in {"verdicts", "answers", "faithfulness"} and "" in self.lists:
            return self.lists[""]
        return self.lists.get(known.get(name, "-"))

    def _property(self, name: str, node: Mapping[str, Any]) -> Any:
        node = self._resolve(node)
        items = self._items(name, node)
        if items is not None and node.get("type") == "array":
            return [self._value(node["items"], name, item) for item in items]
        if items is not None:
            return {key: self._value(part, name, items[int(key) - 1]) for key, part in node["properties"].items()}
        return self._value(node, name, None)

    def _value(self, node: Mapping[str, Any], name: str, item: str | None) -> Any:
        node = self._resolve(node)
        about = item if item is not None else f"{self.words} {name}"
        if "const" in node:
            return node["const"]
        if name == "rating" and "enum" in node:
            return node["enum"][self.seed % len(node["enum"])]
        if "enum" in node:
            return self._choice(node["enum"], about)
        kind = node.get("type")
        if kind == "object" or "properties" in node:
            if "properties" not in node:
                return {"fact": f"Value {self.seed % 97}"}
            return {key: self._value(part, key, item) for key, part in node["properties"].items()}
        if kind == "array":
            return [
                self._value(node["items"], name, f"{name} {at} of {self.seed:08x}") for at in range(4 + self.seed % 3)
            ]
        if kind == "boolean":
            return _trivial(about) if name == "trivial" else _true(about)
        if kind in {"integer", "number"}:
            return self._number(node, name, about, whole=kind == "integer")
        if kind == "null":
            return None
        return self._words(name, item, about)

    def _number(self, node: Mapping[str, Any], name: str, about: str, *, whole: bool) -> Any:
        if name in {"verdict", "attributed", "noncommittal"} and whole:
            return int(_true(about))
        if name == "rating":
            return self.seed % 3 * (2 if re.search(r"\b0, 2,? (?:or )?4\b|4, 2 or 0", self.prompt) else 1)
        if name == "score" and "supporting_evidence" in self.root.get("properties", {}):
            return _sum(about) % 4  # TruLens' scale
        if name == "score" and whole:
            return 1 + _sum(about) % 5
        if re.search(r"\b(?:0|1) (?:to|and|-) 10\b|0-10", self.prompt):
            return 1 + _sum(about) % 10
        if name in {"index", "best_test_case_index"}:
            return 0
        return _sum(about) % 11 / 10

    def _words(self, name: str, item: str | None, about: str) -> str:
        if name == "winner" and (found := _CONTESTANTS.search(self.prompt)):
            return self._choice(list(json.JSONDecoder().raw_decode(self.prompt[found.end() :])[0]), about)
        if name in {"verdict", "summary_verdict", "original_verdict"}:
            return "yes" if _true(about) else "no"
        if name in {"answers", "classifications"} and item is not None:
            words = (
                ("1", "0") if "'1' or '0'" in self.prompt or "STRICTLY be either '1'" in self.prompt else ("yes", "no")
            )
            return words[0] if _true(item) else words[1]
        if name in {"statement", "claim", "question", "statements", "claims"} and item is not None:
            return item
        if item is not None and name != "reason":
            return item
        return f"The {name} is {_sum(about):08x}, he said: it's fine."

    def _choice(self, words: Sequence[Any], about: str) -> Any:
        for yes, no in (("yes", "no"), ("TP", "FP"), ("present", "FN"), ("1", "0")):
            if {yes, no} <= set(words):
                return yes if _true(about) else no
        if set(words) == {0, 1}:
            return int(_true(about))
        return sorted(words, key=str)[_sum(about) % len(words)]

    def _classification(self) -> dict[str, Any]:
        sorted_out: dict[str, Any] = {"TP": [], "FP": [], "FN": []}
        for item in self.lists["answer"]:
            sorted_out["TP" if _true(item) else "FP"].append({"statement": item, "reason": "it's so"})
        for item in self.lists["ground_truth"]:
            if not _true(item):
                sorted_out["FN"].append({"statement": item, "reason": "it's so"})
        return sorted_out

    def _resolve(self, node: Mapping[str, Any]) -> Mapping[str, Any]:
        for _ in range(8):
            if "$ref" in node:
                target: Any = self.root
                for part in node["$ref"].removeprefix("#/").split("/"):
                    target = target[part]
                node = target
            elif node.get("anyOf"):
                node = node["anyOf"][0]
            elif node.get("allOf"):
                node = node["allOf"][0]
            else:
                break
        return node
