"""Our prompts as they are sent, each with a small example of what it is filled with."""

from magistrate.judges._questions import Extract, ExtractAndVerify, Grade, Verify
from magistrate.judges.llm._requests import (
    Asking,
    claims_request,
    grade_request,
    own_request,
    single_request,
    verify_request,
)
from magistrate.judges.llm.itemized_schema import Rows
from magistrate.prompts import Prompt, load_prompt
from magistrate.records import CompletionRequest
from magistrate.verdict import TERNARY

_CONTEXT = "The ferry leaves at seven. Dogs travel free."
_STATEMENTS = ("The ferry leaves at seven.", "Cats travel free.")
_QUESTION = "When does it leave?"


def sent(prompt: Prompt) -> str:
    """The messages of a prompt with an example in its slots; one that others fill is shown with its slots."""
    asking = Asking("example", b"example", prompts={prompt.name: prompt})
    request = _request(asking, prompt)
    if request is None:
        parts = [("system", prompt.system), ("user", prompt.user)]
        return "\n".join(f"[{role}]\n{text}" for role, text in parts if text)
    first, *rest = request.messages
    hint = f"\n{request.hint}" if request.hint else ""
    shown = [(first.role, first.content + hint), *((message.role, message.content) for message in rest)]
    return "\n".join(f"[{role}]\n{text}" for role, text in shown)


def _request(asking: Asking, prompt: Prompt) -> CompletionRequest | None:  # noqa: PLR0911 - one return a prompt
    first, answer = asking.first, " ".join(_STATEMENTS)
    match prompt.name:
        case "verify":
            return verify_request(asking, Verify(_STATEMENTS, [_CONTEXT], question=_QUESTION, scale=TERNARY), first)
        case "verify-and-extract":
            asked = ExtractAndVerify(answer, [_CONTEXT], question=_QUESTION, scale=TERNARY)
            return single_request(asking, asked, first)
        case "extract-claims":
            return claims_request(asking, Extract(answer, question=_QUESTION), first)
        case "extract-truths":
            return claims_request(asking, Extract(_CONTEXT, kind="truths"), first)
        case "structured":
            schema = {"type": "object", "properties": {"verdicts": {"type": "object"}}}
            rows = Rows("verdicts", _STATEMENTS, noun="statement", entry=lambda _: {"type": "string"})
            return own_request(asking, "The caller's own prompt.", schema, "reply", 100, first, (rows, (0, 1)))
        case "grade":
            rubric = load_prompt("rubric-answer-relevance")
        case name if name.startswith("rubric-"):
            rubric = prompt
        case _:
            return None
    low, high = (float(rubric.wordings[key]) for key in ("low", "high"))
    fields = {"question": _QUESTION, "answer": answer}
    return grade_request(asking, Grade(rubric.user, fields, low=low, high=high), first)
