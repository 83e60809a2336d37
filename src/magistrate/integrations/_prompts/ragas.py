"""What the prompts of ragas, and of autoevals after it, say of replies that their models leave open."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from magistrate.completion.schemas import inline_schema
from magistrate.integrations._common import Limits
from magistrate.integrations._prompts import first_object, printed_list
from magistrate.judges.llm.itemized_schema import Rows
from magistrate.parsing.rows.statements import echo_key
from magistrate.text import split_sentences

_SCHEMA = "complies with the following schema as specified in JSON Schema:\n"
_INPUT = re.compile(r"^input: (?=\{)", re.MULTILINE | re.IGNORECASE)
"""Ragas writes the input as JSON behind the last: inside of JSON no line begins anew, so nothing can pass for it."""
_RUBRIC = re.compile(r"\bscore_?(\d{1,2})_description\b")
_DATA = tomllib.loads(files(__package__).joinpath("ragas.toml").read_text("utf-8"))
_LISTS: Mapping[str, Mapping[str, Any]] = {name: row for row in _DATA["lists"] for name in row["names"]}
_LIMITS: Mapping[str, Limits] = _DATA["limits"]
_RUBRICS = frozenset({"RubricScoreOutput", "InstanceRubricScoreOutput", "ScoreFeedback"})
_YES_NO: Mapping[str, Any] = {"enum": [0, 1]}
_LONGEST_ENDING = 80


def schema_of(prompt: str) -> Mapping[str, Any] | None:
    """The JSON schema that an older prompt states; None where it states none."""
    _, marker, rest = prompt.partition(_SCHEMA)
    found = first_object(rest) if marker else None
    return None if found is None else {**inline_schema(found), "title": found.get("title", "reply")}


def rating_of(prompt: str) -> Mapping[str, Any] | None:
    """The schema of the rating that a prompt wants as text; None where it wants none."""
    for row in _DATA["ratings"]:
        if re.search(row["ending"], prompt[-_LONGEST_ENDING:]):
            rating = {"type": "integer", "enum": list(row["choices"])}
            return {"title": "rating", "type": "object", "properties": {"rating": rating}, "required": ["rating"]}
    return None


def limits_of(name: str, prompt: str) -> Limits | None:
    """Field of a reply -> what the prompt says of it that the model of that name does not."""
    if name in _RUBRICS:
        levels = sorted({int(level) for level in _RUBRIC.findall(prompt)})
        return {"score": {"enum": levels}} if levels else None
    return _LIMITS.get(name)


def known_of(name: str, prompt: str) -> tuple[Rows | None, Limits | None, tuple[str, str] | None]:
    """What a prompt says of a reply: its list of entries, limits, and the list of what a text says."""
    return rows_of(name, prompt), limits_of(name, prompt), said_in(name, prompt)


def rows_of(name: str, prompt: str) -> Rows | None:
    """The list of a reply that must have one entry for each item of the prompt."""
    if name == "StatementFaithfulness":
        items = _printed_statements(prompt)
        return Rows("faithfulness", items, "statement", "statement", {"verdict": _YES_NO}) if items else None
    if name == "extract_statements":
        recall = prompt.startswith("Given a context, and an answer, analyze each sentence in the answer and classify")
        items = tuple(split_sentences(_answer_in(prompt, "classification") or "")) if recall else ()
        return Rows("statements", items, "statement", "sentence", {"attributed": _YES_NO}) if items else None
    given = _given(prompt)
    if given is not None and name == "ClassificationWithReason":
        return _classification(given)
    known = _LISTS.get(name)
    if given is None or known is None:
        return None
    found = given.get(known["items"])
    listed = list(split_sentences(found)) if isinstance(found, str) else found
    if not isinstance(listed, list) or not listed or not all(isinstance(item, str) for item in listed):
        return None
    return Rows(known["field"], tuple(listed), known.get("echo"), known["noun"], known.get("limits"))


def said_in(name: str, prompt: str) -> tuple[str, str] | None:
    """The field of a reply that lists what an answer says, and the answer."""
    of_json = (_given(prompt) or {}).get("answer") if name == "StatementGeneratorOutput" else None
    answer = _answer_in(prompt, "statements") if name == "ExtractedStatements" else of_json
    return ("statements", answer) if isinstance(answer, str) else None


def _given(prompt: str) -> dict[str, Any] | None:
    start = [match.end() for match in _INPUT.finditer(prompt)]
    return first_object(prompt[start[-1] :]) if start else None


def _printed_statements(prompt: str) -> tuple[str, ...]:
    """Autoevals' prompt ends with the statements as Python prints a list: on one line, whatever they hold."""
    lines = prompt.rstrip().rsplit("\n", 2)
    if len(lines) < 3 or lines[2] != "answer:" or not lines[1].startswith("statements: ["):  # noqa: PLR2004 - lines
        return ()
    return tuple(printed_list(lines[1].removeprefix("statements: "), texts=True))


def _answer_in(prompt: str, ending: str) -> str | None:
    """The answer in a prompt of autoevals, where it is clear which part of it that is."""
    task = prompt.rstrip().removesuffix(f"\n{ending}:").rpartition("\nYour actual task:\n\n")[2]
    parts = task.split("\nanswer: ")
    return parts[1] if len(parts) == 2 else None  # noqa: PLR2004 - before it, and it


def _classification(given: Mapping[str, Any]) -> Rows | None:
    """Each statement of the answer is TP or FP, each of the ground truth FN or not; every one is asked for."""
    answer, truth = given.get("answer"), given.get("ground_truth")
    if not isinstance(answer, list) or not isinstance(truth, list):
        return None
    items = tuple(str(item) for item in [*answer, *truth])

    def entry(index: int) -> Mapping[str, Any]:
        labels = ["TP", "FP"] if index < len(answer) else ["FN", "present"]
        properties = {"reason": {"type": "string"}, "classification": {"type": "string", "enum": labels}}
        return {"type": "object", "properties": properties, "required": list(properties)}

    return Rows(
        "statements",
        items,
        noun="statement",
        entry=entry,
        other=(_LISTS_SCHEMA, lambda value: _from_lists(value, items, len(answer))),
        build=lambda entries: _to_lists(items, entries),
    )


_TEXTS = {"statement": {"type": "string"}, "reason": {"type": "string"}}
_SORTED = {"type": "array", "items": {"type": "object", "properties": _TEXTS, "required": ["statement"]}}
_THREE = {"TP": _SORTED, "FP": _SORTED, "FN": _SORTED}
_LISTS_SCHEMA = {"type": "object", "properties": _THREE, "required": list(_THREE)}


def _from_lists(value: Mapping[str, Any], items: Sequence[str], answers: int) -> dict[int, Any]:
    """Read the three lists: a statement of the answer must be in one of two, one of the truth may be in FN."""
    places: dict[str, list[int]] = {}
    for index, item in enumerate(items):
        places.setdefault(echo_key(item), []).append(index)
    found: dict[int, Any] = {}
    for label in _THREE:
        for row in value[label]:
            entry = {"reason": row.get("reason", ""), "classification": label}
            for index in places.get(echo_key(row["statement"]), ()):
                if (index >= answers) is (label == "FN"):
                    earlier = found.get(index, entry)
                    found[index] = earlier if earlier and earlier["classification"] == label else None
    for index in range(answers, len(items)):
        found.setdefault(index, {"reason": "", "classification": "present"})
    return {index: entry for index, entry in found.items() if entry is not None}


def _to_lists(items: Sequence[str], entries: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    lists: dict[str, Any] = {label: [] for label in _THREE}
    for item, entry in zip(items, entries, strict=True):
        lists.get(entry["classification"], []).append({"statement": item, "reason": entry["reason"]})
    return lists
