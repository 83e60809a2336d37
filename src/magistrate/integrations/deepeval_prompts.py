"""What DeepEval's prompts say about the reply that its models leave open: how many entries, which numbers.

DeepEval writes the items of a prompt as a Python list, on one line. Each is looked for where nothing that an answer or
a context holds can come between: on the line before the prompt's last word, or before anything of theirs.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from magistrate.integrations.backend import Limits
from magistrate.judges.rows import Rows
from magistrate.text import split_sentences

_LONGEST_LIST = 1_000_000

_AT_END = re.compile(r"\n[^\n]*:\n(\[[^\n]*\])\n\nJSON:\s*\Z")
_ABOUT = re.compile(
    r"^(?:Expected Role: .*\n\n)?Based on these [a-zA-Z ]{3,40} statements: (\[[^\n]*\])$", re.MULTILINE
)
_CONTEXTS = re.compile(r"\n\*\*\n\nContexts:\n(\[[^\n]*\])\n\nActual Output:\n")
_INSTRUCTIONS = re.compile(r"\n\*\* *\n\nPrompt Instructions:\n(\[[^\n]*\])\n\nInput:\n")
_EXCHANGES = re.compile(r"\nExchanges: (\[[^\n]*\])\n\nFor each exchange,")
_SENTENCES = re.compile(r"\n\*\*\n\n(?:Expected|Assistant) Output:\n")
_AFTER_SENTENCES = "\n\nRetrieval Context:\n"
_TOOLS = re.compile(r"\n\nTool Calls:\n\[(ToolCall\(\n.*\n\))\]\n\nJSON:\s*\Z", re.DOTALL)
_NEXT_TOOL = re.compile(r"^\), ToolCall\(\n    (?=name=)", re.MULTILINE)


def rows_of(model: type[BaseModel], prompt: str) -> Rows | None:
    """The list of a reply that must have one entry for each item of the prompt.

    Args:
        model: What the reply should be.
        prompt: The prompt.
    """
    kind = (_feature(model), model.__name__)
    find = _FINDERS.get(kind)
    items = find(prompt) if find is not None else ()
    if not items:
        return None
    if model.__name__ == "Answers":
        return Rows("answers", tuple(items), noun="question", limits={"": {"enum": ["yes", "no"]}})
    return Rows("verdicts", tuple(items), noun=_NOUNS.get(kind[0], "item"))


def rows_of_verdicts(prompt: str) -> Rows | None:
    """The same, where nothing is known but that the reply is a list of verdicts and the prompt is one of DeepEval's."""
    for pattern in (_AT_END, _ABOUT):
        if items := _by(pattern)(prompt):
            return Rows("verdicts", tuple(items))
    return None


def limits_of(model: type[BaseModel], prompt: str) -> Limits | None:
    """Field of a reply -> the range that the prompt states and the model does not."""
    feature, name = _feature(model), model.__name__
    if (feature, name) == ("arena_g_eval", "Winner"):
        names = _contestants(prompt)
        return {"winner": {"enum": names}} if names else None
    if (feature, name) in _UNIT_SCORES:
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
_UNIT_SCORES = frozenset(
    {
        ("goal_accuracy", "GoalScore"),
        ("goal_accuracy", "PlanScore"),
        ("mcp", "TaskScore"),
        ("mcp", "ToolScore"),
        ("mcp", "ArgsScore"),
        ("mcp_use_metric", "MCPPrimitivesScore"),
        ("mcp_use_metric", "MCPArgsScore"),
        ("plan_adherence", "PlanAdherenceScore"),
        ("plan_quality", "PlanQualityScore"),
        ("step_efficiency", "EfficiencyVerdict"),
        ("task_completion", "TaskCompletionVerdict"),
        ("tool_correctness", "ToolSelectionScore"),
        ("tool_use", "ToolSelectionScore"),
        ("tool_use", "ArgumentCorrectnessScore"),
    }
)


_CONTESTANTS = re.compile(r"\nContestants:\n(?=\{)")


def _contestants(prompt: str) -> list[str]:
    """The names in the arena: any other winner is one that DeepEval cannot look up."""
    starts = [match.end() for match in _CONTESTANTS.finditer(prompt)]
    try:
        given, _ = json.JSONDecoder().raw_decode(prompt[starts[-1] :]) if starts else ({}, 0)
    except (ValueError, RecursionError):
        return []
    named = given.get("arena_test_cases")
    return sorted(named) if isinstance(named, dict) else []


def _feature(model: type[BaseModel]) -> str:
    """The folder of the metric that a model belongs to: many have a model of the same name."""
    parts = model.__module__.split(".")
    return parts[-2] if len(parts) > 1 else ""


def _listed(text: str | None) -> Sequence[str]:
    """The items of a list as Python prints it."""
    if text is None or len(text) > _LONGEST_LIST:
        return ()
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return ()
    return [item if isinstance(item, str) else repr(item) for item in value] if isinstance(value, list) else ()


def _by(pattern: re.Pattern[str]) -> Callable[[str], Sequence[str]]:
    """Finds the list that the first match of a pattern holds."""

    def find(prompt: str) -> Sequence[str]:
        match = pattern.search(prompt)
        return _listed(match[1] if match else None)

    return find


def _contexts(prompt: str) -> Sequence[str]:
    items = _by(_CONTEXTS)(prompt)
    stated = re.search(r"SHOULD BE STRICTLY EQUAL TO (\d{1,6})\.", prompt)
    return items if stated and int(stated[1]) == len(items) else ()


def _sentences(prompt: str) -> Sequence[str]:
    start = _SENTENCES.search(prompt)
    end = prompt.rfind(_AFTER_SENTENCES)
    return list(split_sentences(prompt[start.end() : end])) if start and end > start.end() else ()


def _tools(prompt: str) -> Sequence[str]:
    match = _TOOLS.search(prompt)
    return [" ".join(part.split()) for part in _NEXT_TOOL.split(match[1])] if match else ()


_FINDERS: Mapping[tuple[str, str], Callable[[str], Sequence[str]]] = {
    **{
        (feature, "Verdicts"): _by(_AT_END)
        for feature in (
            "faithfulness",
            "turn_faithfulness",
            "answer_relevancy",
            "bias",
            "toxicity",
            "summarization",
            "contextual_precision",
            "turn_contextual_precision",
        )
    },
    **{(feature, "Verdicts"): _by(_ABOUT) for feature in ("misuse", "non_advice", "pii_leakage", "role_violation")},
    ("summarization", "Answers"): _by(_AT_END),
    ("hallucination", "Verdicts"): _contexts,
    ("prompt_alignment", "Verdicts"): _by(_INSTRUCTIONS),
    ("transcription_accuracy", "Verdicts"): _by(_EXCHANGES),
    ("contextual_recall", "Verdicts"): _sentences,
    ("turn_contextual_recall", "Verdicts"): _sentences,
    ("argument_correctness", "Verdicts"): _tools,
}
_NOUNS: Mapping[str, Any] = {
    "faithfulness": "claim",
    "turn_faithfulness": "claim",
    "summarization": "claim",
    "bias": "opinion",
    "toxicity": "opinion",
    "hallucination": "context",
    "contextual_precision": "document",
    "turn_contextual_precision": "document",
    "contextual_recall": "sentence",
    "turn_contextual_recall": "sentence",
    "prompt_alignment": "instruction",
    "argument_correctness": "tool call",
    "transcription_accuracy": "exchange",
    **dict.fromkeys(("answer_relevancy", "misuse", "non_advice", "pii_leakage", "role_violation"), "statement"),
}
