"""DeepEval's decisions: questions about a state, and answers with probabilities, which have to agree with them."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from magistrate.judges.llm.itemized_schema import Rows
from magistrate.prompts import Block, prompt_for, render

Questions = Mapping[str, Any]

_FIELD = "answers"
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


def schema_of_answers() -> Mapping[str, Any]:
    """The schema of a reply; the entries' own are in `rows_of_questions`."""
    entries = {"type": "array", "items": {"type": "object"}}
    return {"title": "Decisions", "type": "object", "properties": {_FIELD: entries}, "required": [_FIELD]}


def rows_of_questions(questions: Questions) -> Rows:
    """The list of a reply: one entry for each question, under its number."""
    every = list(questions.values())
    told = [one.instructions for one in every]
    return Rows(
        _FIELD,
        tuple(one if isinstance(one, str) else json.dumps(one, ensure_ascii=False, default=str) for one in told),
        noun="question",
        entry=lambda index: _entry(every[index]),
        check=lambda index, entry: _agrees(every[index], entry),
        build=lambda entries: {_FIELD: list(entries)},
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
