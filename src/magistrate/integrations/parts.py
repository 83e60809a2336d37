"""Where the question, the answer and the passages are, in frameworks whose inputs and outputs are the user's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from magistrate.case import Case
from magistrate.integrations.evaluator import case_of

_QUESTIONS = ("question", "input", "query")
_ANSWERS = ("answer", "output", "response", "content")
_CONTEXTS = ("context", "contexts", "documents", "retrieved_contexts")


class Parts:
    """Finds the parts of a case under the keys that a user's inputs and outputs have.

    Args:
        question: The key of the inputs that holds the question; None for the usual ones, or the inputs' only one.
        answer: The key of the outputs that holds the answer; likewise.
        context: The key of the passages, in the outputs, the inputs or the reference; None for the usual ones.
    """

    def __init__(self, question: str | None, answer: str | None, context: str | None) -> None:
        self._question = (question,) if question else _QUESTIONS
        self._answer = (answer,) if answer else _ANSWERS
        self._context = (context,) if context else _CONTEXTS

    def case(self, inputs: Any, outputs: Any, reference: Any, given: Mapping[str, Any]) -> Case:
        """Make a case.

        Args:
            inputs: What the system under test was given.
            outputs: What it gave.
            reference: What it should have given.
            given: Further arguments, which come first where the passages are looked for.
        """
        places = (given, outputs, inputs, reference)
        passages = next((found for place in places if (found := _held(place, self._context)) is not None), None)
        return case_of(
            _part(inputs, self._question, passages),
            _part(outputs, self._answer, passages),
            passages,
            reference=_part(reference, self._answer, passages),
        )


def _held(place: Any, keys: Sequence[str]) -> Any:
    held = place if isinstance(place, Mapping) else {}
    return next((held[key] for key in keys if held.get(key) is not None), None)


def _part(place: Any, keys: Sequence[str], passages: Any) -> Any:
    """The text that stands under one of some keys; else the only one there is, beside the passages."""
    if not isinstance(place, Mapping):
        return place
    found = _held(place, keys)
    if found is not None:
        return found
    messages = place.get("messages")
    if isinstance(messages, list) and messages:
        last = messages[-1]
        return last.get("content") if isinstance(last, Mapping) else getattr(last, "content", None)
    others = [value for value in place.values() if value is not None and value is not passages]
    return others[0] if len(others) == 1 and isinstance(others[0], str) else None
