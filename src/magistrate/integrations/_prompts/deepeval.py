"""What DeepEval's prompts say of replies: items stand where nothing that an answer or context holds comes between."""

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from typing import Any

from pydantic import BaseModel

from magistrate.integrations._common import Limits
from magistrate.integrations._prompts import first_object, printed_list
from magistrate.judges.llm.itemized_schema import Rows
from magistrate.text import split_sentences

_DATA = tomllib.loads(files(__package__).joinpath("deepeval.toml").read_text("utf-8"))

_PATTERNS = {name: re.compile(pattern, re.MULTILINE) for name, pattern in _DATA["places"].items()}
_SENTENCES = re.compile(r"\n\*\*\n\n(?:Expected|Assistant) Output:\n")
_AFTER_SENTENCES = "\n\nRetrieval Context:\n"
_TOOLS = re.compile(r"\n\nTool Calls:\n\[(ToolCall\(\n.*\n\))\]\n\nJSON:\s*\Z", re.DOTALL)
_NEXT_TOOL = re.compile(r"^\), ToolCall\(\n    (?=name=)", re.MULTILINE)


def rows_of(model: type[BaseModel], prompt: str) -> Rows | None:
    """The list of a reply that must have one entry for each item of the prompt."""
    feature, name = _feature(model), model.__name__
    if (feature, name) == ("summarization", "Answers"):
        questions = tuple(_printed("end", prompt))
        return Rows("answers", questions, noun="question", limits={"": {"enum": ["yes", "no"]}}) if questions else None
    place, noun = _LISTS.get(feature, ("", "item"))
    items: Sequence[str] = ()
    if place and name == "Verdicts":
        items = _PLACES[place](prompt) if place in _PLACES else _printed(place, prompt)
    return Rows("verdicts", tuple(items), noun=noun) if items else None


def rows_of_verdicts(prompt: str) -> Rows | None:
    """The same, where nothing is known but that the reply is a list of verdicts and the prompt is one of DeepEval's."""
    items = _printed("end", prompt) or _printed("about", prompt)
    return Rows("verdicts", tuple(items)) if items else None


def limits_of(model: type[BaseModel], prompt: str) -> Limits | None:
    """Field of a reply -> the range that the prompt states and the model does not."""
    feature, name = _feature(model), model.__name__
    if (feature, name) == ("arena_g_eval", "Winner"):
        names = _contestants(prompt)
        return {"winner": {"enum": names}} if names else None
    if name in _DATA["unit_scores"].get(feature, ()):
        return {"verdict" if name == "TaskCompletionVerdict" else "score": {"minimum": 0, "maximum": 1}}
    if feature in {"g_eval", "conversational_g_eval", "arena_g_eval"} and name == "ReasonScore":
        stated = _G_EVAL_RANGE.search(prompt)
        return {"score": {"minimum": int(stated[1]), "maximum": int(stated[2])}} if stated else None
    if name == "ReasonScore" and feature.startswith(("image_", "text_to_image")):
        score = model.model_fields["score"].annotation
        single = {"minimum": 0, "maximum": 10}
        return {"score": single if score in {int, float} else {"type": "array", "items": {"type": "number", **single}}}
    return None


_G_EVAL_RANGE = re.compile(r'`"score"`: [aA]n integer (?:between|from) (\d{1,3}) (?:and|to) (\d{1,3})\b')
_CONTESTANTS = re.compile(r"\nContestants:\n(?=\{)")


def _contestants(prompt: str) -> list[str]:
    """The names in the arena: any other winner is one that DeepEval cannot look up."""
    starts = [match.end() for match in _CONTESTANTS.finditer(prompt)]
    named = ((first_object(prompt[starts[-1] :]) if starts else None) or {}).get("arena_test_cases")
    return sorted(named) if isinstance(named, dict) else []


def _feature(model: type[BaseModel]) -> str:
    """The folder of the metric that a model belongs to: many have a model of the same name."""
    parts = model.__module__.split(".")
    return parts[-2] if len(parts) > 1 else ""


def _printed(place: str, prompt: str) -> Sequence[str]:
    """The list that the first match of a place's pattern holds."""
    match = _PATTERNS[place].search(prompt)
    return printed_list(match[1] if match else None)


def _contexts(prompt: str) -> Sequence[str]:
    items = _printed("contexts", prompt)
    stated = re.search(r"SHOULD BE STRICTLY EQUAL TO (\d{1,6})\.", prompt)
    return items if stated and int(stated[1]) == len(items) else ()


def _sentences(prompt: str) -> Sequence[str]:
    start = _SENTENCES.search(prompt)
    end = prompt.rfind(_AFTER_SENTENCES)
    return list(split_sentences(prompt[start.end() : end])) if start and end > start.end() else ()


def _tools(prompt: str) -> Sequence[str]:
    match = _TOOLS.search(prompt)
    return [" ".join(part.split()) for part in _NEXT_TOOL.split(match[1])] if match else ()


_PLACES: Mapping[str, Callable[[str], Sequence[str]]] = {
    "contexts": _contexts,
    "sentences": _sentences,
    "tools": _tools,
}
_LISTS: Mapping[str, tuple[str, Any]] = {
    feature: (row["place"], row["noun"]) for row in _DATA["lists"] for feature in row["features"]
}
