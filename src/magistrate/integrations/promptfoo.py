"""promptfoo: a grader for its assertions (`call_api`), and an assertion with a component a statement (`get_assert`)."""

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from magistrate.errors import MagistrateError
from magistrate.integrations import _common as ours
from magistrate.judges import StructuredReply
from magistrate.judges.llm.itemized_schema import Rows
from magistrate.sync import run_sync
from magistrate.text import split_sentences
from magistrate.verdict import Outcome, Verdict

_OWN = frozenset({"model", "threshold", "question", "context", "basePath", "pythonExecutable", "timeout", "workers"})
_UNGRADED = {"graderError": True}
_TEXT: Mapping[str, Any] = {"type": "string"}
_GRADES: Mapping[str, Mapping[str, Any]] = {
    "llm-rubric": {
        "reason": _TEXT,
        "pass": {"type": "boolean"},
        "score": {"type": "number", "minimum": 0, "maximum": 1},
    },
    "factuality": {"reason": _TEXT, "category": {"type": "string", "enum": ["A", "B", "C", "D", "E"]}},
}


def call_api(prompt: str, options: Mapping[str, Any], context: Mapping[str, Any]) -> dict[str, Any]:
    """Grade, as promptfoo's Python provider. What cannot be read safely is an error, never a grade.

    A Python file of yours, `provider: file://grader.py`, is `from magistrate.integrations.promptfoo import call_api`.

    Args:
        prompt: promptfoo's prompt.
        options: The provider's options; `config` holds `model` and options of the judge.
        context: What the prompt was made of.
    """
    try:
        backend = _backend(_frozen(options.get("config") or {}))
        label = str((context.get("prompt") or {}).get("label") or "")
        reply, output = run_sync(_ask(backend, prompt, label, context.get("vars") or {}))
    except MagistrateError as error:
        return {"error": f"magistrate: {error}"}
    (sent, received), usage = reply.usage.known_tokens, reply.usage
    tokens = {"total": sent + received, "prompt": sent, "completion": received, "numRequests": usage.calls}
    told: dict[str, Any] = {"tokenUsage": tokens} | ({} if usage.cost is None else {"cost": usage.cost})
    return told | ({"error": f"magistrate: {ours.explain(reply)}"} if output is None else {"output": output})


async def _ask(
    backend: ours.Backend, prompt: str, label: str, values: Mapping[str, Any]
) -> tuple[StructuredReply[Any], str | None]:
    asked = _text_of(prompt)
    statements = values.get("statements")
    if label in {"context-faithfulness-nli", ""} and isinstance(statements, list) and statements:
        reply = await _verdicts(backend, asked, statements, "yes", "no")
        return reply, reply.value and "Final verdict for each statement in order: " + " ".join(
            f"{row['verdict'].capitalize()}." for row in reply.value["verdicts"]
        )
    truth = values.get("groundTruth")
    if label in {"context-recall", ""} and isinstance(truth, str) and (sentences := list(split_sentences(truth))):
        reply = await _verdicts(backend, asked, sentences, "attributed", "not attributed")
        return reply, reply.value and "\n".join(
            f"{at}. {_plain(sentence)}. [{row['verdict'].title()}]"
            for at, (sentence, row) in enumerate(zip(sentences, reply.value["verdicts"], strict=True), 1)
        )
    if label == "context-faithfulness-longform":
        schema = _object("statements", {"statements": {"type": "array", "items": _TEXT}})
        reply = await backend.ask(asked, schema, said=("statements", str(values.get("answer") or "")))
        return reply, reply.value and "\n".join(" ".join(text.split()) for text in reply.value["statements"])
    if label in _GRADES or re.search(r'"pass"\s*:|\{\s*reason\s*:\s*string\s*,\s*pass\s*:', prompt):
        grade = _GRADES.get(label, _GRADES["llm-rubric"])
        reply = await backend.ask(asked, _object(label or "grade", grade))
        return reply, reply.value and json.dumps(reply.value, ensure_ascii=False)
    reply = await backend.text(asked)
    return reply, reply.text if reply.status.value == "scored" else None


async def _verdicts(backend: ours.Backend, asked: str, items: Sequence[Any], *words: str) -> StructuredReply[Any]:
    entry = _object("entry", {"reason": _TEXT, "verdict": {"type": "string", "enum": list(words)}})
    schema = _object("verdicts", {"verdicts": {"type": "array", "items": entry}})
    return await backend.ask(asked, schema, Rows("verdicts", tuple(map(str, items)), noun="statement"))


def _object(title: str, properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"title": title, "type": "object", "properties": dict(properties), "required": list(properties)}


def _plain(sentence: str) -> str:
    """A sentence that promptfoo cannot split or mistake: it looks for full stops and for its tokens."""
    return re.sub(r"[.!?\[\]\s]+", " ", sentence).strip()


def _text_of(prompt: str) -> str:
    """Promptfoo sends a chat as JSON; the judge is asked with its texts, in order."""
    try:
        messages = json.loads(prompt)
    except (ValueError, RecursionError):
        return prompt
    if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
        return prompt
    texts = [message.get("content") for message in messages]
    return "\n\n".join(text for text in texts if isinstance(text, str)) or prompt


def get_assert(output: Any, context: Mapping[str, Any]) -> dict[str, Any]:
    """Judge an output, as promptfoo's Python assertion: one component per statement.

    A Python file of yours (`type: python`, `value: file://assertion.py`) imports it. promptfoo knows no assertion
    without a score, and takes an exception for a 0: where there is none that is safe to use, this fails with 0, the
    reason says why, `namedScores` is empty, and `metadata.graderError` is True as promptfoo's own graders set it.

    Args:
        output: What the model under test said.
        context: promptfoo's context; `vars` holds the question and the context, `config` the judge, a `threshold` and,
            where the variables have other names, `question` and `context`.
    """
    config = dict(context.get("config") or {})
    values = context.get("vars") or {}
    question = values.get(config.pop("question", "query"), values.get("question"))
    passages = values.get(config.pop("context", "context"), values.get("contexts"))
    try:
        result = _evaluator(_frozen(config)).evaluate_sync(ours.case_of(question, output, passages))
    except MagistrateError as error:
        return {"pass": False, "score": 0.0, "reason": f"magistrate: no verdict: {error}", "metadata": _UNGRADED}
    score = ours.safe_score(result)
    return {
        "pass": score is not None and result.outcome is Outcome.PASS,
        "score": score or 0.0,
        "reason": ours.headline(result),
        "namedScores": {} if score is None else {result.metric: score},
        "metadata": ours.details(result) | (_UNGRADED if score is None else {}),
        "componentResults": [
            {
                "pass": verdict.verdict is Verdict.SUPPORTED,
                "score": 1.0 if verdict.verdict is Verdict.SUPPORTED else 0.0,
                "reason": f"{verdict.verdict.value if verdict.verdict else 'no verdict'}: {verdict.statement}",
            }
            for verdict in result.verdicts
        ],
    }


def _frozen(config: Mapping[str, Any]) -> str:
    return json.dumps(config, sort_keys=True)


@lru_cache(maxsize=8)
def _backend(config: str) -> ours.Backend:
    model, options = _judge(json.loads(config))
    return ours.Backend(model, **options)


@lru_cache(maxsize=8)
def _evaluator(config: str) -> ours.Evaluator:
    given = json.loads(config)
    model, options = _judge(given)
    return ours.Evaluator(model, threshold=given.get("threshold"), **options)


def _judge(config: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    model = config.get("model")
    if not isinstance(model, str) or not model:
        raise MagistrateError('no judge: give config: {model: gpt-4o}, or "offline" for an assertion')
    return model, {key: value for key, value in config.items() if key not in _OWN}
