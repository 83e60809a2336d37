"""What DeepEval's prompts say of replies, and its decisions as prompts.

Items stand where nothing that an answer or context holds comes between. A decision is questions about a state, whose
answers come with probabilities that have to agree with them.
"""

import json
import math
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from typing import Any, NamedTuple

from pydantic import BaseModel

from magistrate.integrations._common import Limits
from magistrate.integrations._prompts import first_object, printed_list
from magistrate.judges.llm.itemized_schema import Rows
from magistrate.prompts import Block, prompt_for, render
from magistrate.text import split_sentences

_DATA = tomllib.loads(files(__package__).joinpath("deepeval.toml").read_text("utf-8"))

_PATTERNS = {name: re.compile(pattern, re.MULTILINE) for name, pattern in _DATA["places"].items()}
_SENTENCES = re.compile(r"\n\*\*\n\n(?:Expected|Assistant) Output:\n")
_AFTER_SENTENCES = "\n\nRetrieval Context:\n"
_TOOLS = re.compile(r"\n\nTool Calls:\n\[(ToolCall\(\n.*\n\))\]\n\nJSON:\s*\Z", re.DOTALL)
_NEXT_TOOL = re.compile(r"^\), ToolCall\(\n    (?=name=)", re.MULTILINE)


def known_of(model: type[BaseModel], prompt: str) -> tuple[Rows | None, Limits | None, tuple[str, str] | None]:
    """What a prompt says of a reply: its list of entries, limits, and the list of what a text says."""
    return rows_of(model, prompt), limits_of(model, prompt), said_in(model, prompt)


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


def said_in(model: type[BaseModel], prompt: str) -> tuple[str, str] | None:
    """The field of a reply that lists what an answer says, and the answer."""
    field = model.__name__.lower()
    match = _PATTERNS["said"].search(prompt) if field in _DATA["said"].get(_feature(model), ()) else None
    return (field, match[1]) if match else None


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


Questions = Mapping[str, Any]

_ENTRIES = {"type": "array", "items": {"type": "object"}}
DECISIONS = {"title": "Decisions", "type": "object", "properties": {"answers": _ENTRIES}, "required": ["answers"]}
"""The schema of a reply; the entries' own are in `rows_of_questions`."""
_ROUNDING = 0.005
"""Half of the last digit of a probability with two."""


def kind_of(question: Any) -> str:
    """What a question is: "choice", "score" or "noul", which is DeepEval's word for true or false."""
    if hasattr(question, "options"):
        return "choice"
    return "score" if hasattr(question, "levels") else "noul"


def _among(question: Any) -> list[Any]:
    """The options, with what is said of each, or the levels of a question, in their order."""
    if kind_of(question) == "score":
        return list(question.levels)
    return [name if about is None else {name: about} for name, about in question.options.items()]


def asked(state: Any, questions: Questions, judge: object = None) -> str:
    """The prompt that puts questions about a state to a language model."""
    prompt = prompt_for(judge, "decide")
    blocks = [
        Block(f"question {at}: {prompt.wordings[kind_of(question)]}", _written(_shown(question)))
        for at, question in enumerate(questions.values(), 1)
    ]
    return render(prompt, {"state": [Block("state", _written(state))], "questions": blocks})[-1].content


def _shown(question: Any) -> Any:
    if (kind := kind_of(question)) == "noul":
        criteria = {"statement": question.instructions, "true": question.true, "false": question.false}
        return {name: text for name, text in criteria.items() if name == "statement" or text is not None}
    named = "option" if kind == "choice" else "level"
    listed = {f"{named} {at}": each for at, each in enumerate(_among(question), 1)}
    return {"question": question.instructions, **listed}


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1, default=str)


def rows_of_questions(questions: Questions) -> Rows:
    """The list of a reply: one entry for each question, under its number."""
    every = list(questions.values())
    told = [one.instructions for one in every]
    return Rows(
        "answers",
        tuple(one if isinstance(one, str) else json.dumps(one, ensure_ascii=False, default=str) for one in told),
        noun="question",
        entry=lambda index: _entry(every[index]),
        check=lambda index, entry: _agrees(every[index], entry),
        build=lambda entries: {"answers": list(entries)},
    )


def _entry(question: Any) -> Mapping[str, Any]:
    probability = {"type": "number", "minimum": 0, "maximum": 1}
    if kind_of(question) == "noul":
        properties = {"answer": {"type": "boolean"}, "probability_true": probability}
    else:
        numbers = range(1, len(_among(question)) + 1)
        each = {f"p{number}": probability for number in numbers}
        listed = {"type": "object", "properties": each, "required": list(each)}
        properties = {"answer": {"type": "integer", "enum": list(numbers)}, "probabilities": listed}
    properties = {"reason": {"type": "string"}, **properties}
    return {"type": "object", "properties": properties, "required": list(properties)}


def _agrees(question: Any, entry: Mapping[str, Any]) -> bool:
    """Whether an answer and its probabilities say the same."""
    if kind_of(question) == "noul":
        probability = entry["probability_true"]
        return bool(probability >= 0.5 if entry["answer"] else probability <= 0.5)  # noqa: PLR2004 - as likely as not
    given = list(entry["probabilities"].values())
    near = max(4, len(given)) * _ROUNDING
    return abs(math.fsum(given) - 1) <= near + 1e-9 and entry["probabilities"][f"p{entry['answer']}"] == max(given)


def answers_of(questions: Questions, entries: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """DeepEval's answers, as plain data: the kinds' plurals -> the questions' keys -> an answer each."""
    found: dict[str, dict[str, Any]] = {"nouls": {}, "choices": {}, "scores": {}}
    for (key, question), entry in zip(questions.items(), entries, strict=True):
        kind = kind_of(question)
        if kind == "noul":
            found["nouls"][key] = {"probability": float(entry["probability_true"])}
            continue
        given = [float(entry["probabilities"][f"p{at}"]) for at in range(1, len(entry["probabilities"]) + 1)]
        # How decided it is, 0 to 1: (n * peak - 1) / (n - 1), as DeepEval's own models report it.
        peak, others = len(given) * max(given) - 1, len(given) - 1
        confidence = min(1.0, max(0.0, peak / others)) if others else 1.0
        if kind == "choice":
            names = list(question.options)
            told = {"choice": names[entry["answer"] - 1], "probabilities": dict(zip(names, given, strict=True))}
            found["choices"][key] = {**told, "confidence": confidence}
        else:
            mean = math.fsum(level * share for level, share in enumerate(given)) / math.fsum(given)
            told = {"score": mean, "probabilities": dict(enumerate(given))}
            found["scores"][key] = {**told, "confidence": confidence}
    return found


class Grounding(NamedTuple):
    """A question whether an item follows from a text."""

    statement: str
    contexts: tuple[str, ...]


_FOLLOWS = re.compile(
    r"(?:Is `(?P<claim>claim|sentence)` supported by|Can `(?P<sentence>claim|sentence)` be attributed to)"
    r"[a-z ]{1,40}`(?P<text>[a-z_]{1,40})`\?(?: Answer no if it contradicts them\.)?\s*"
)
"""How DeepEval asks whether something follows; "agrees with" and "is relevant to" are other questions, and so is one
with a condition of the user's own."""


def grounding_of(state: Any, question: Any) -> Grounding | None:
    """What an entailment model can be asked, where a question is one of DeepEval's about grounding; else None."""
    given = question.instructions
    if kind_of(question) != "noul" or question.true is not None or question.false is not None:
        return None
    said = given.get("question") if isinstance(given, Mapping) and isinstance(state, Mapping) else None
    match = _FOLLOWS.fullmatch(said) if isinstance(said, str) else None
    if match is None:
        return None
    statement, text = given.get(match["claim"] or match["sentence"]), state.get(match["text"])
    passages = [text] if isinstance(text, str) else text
    if isinstance(statement, str) and isinstance(passages, list) and all(isinstance(one, str) for one in passages):
        return Grounding(statement, tuple(passages))
    return None
