"""What autoevals' prompts say about the reply that its schemas leave open: how many entries, which numbers.

Its metrics after ragas' take the mean of whatever entries come back, and any number for a verdict.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from magistrate.integrations._common.backend import Limits
from magistrate.integrations._prompts import printed_list
from magistrate.judges.llm.itemized_schema import Rows
from magistrate.text import split_sentences

_YES_NO: Mapping[str, Any] = {"enum": [0, 1]}
_LIMITS: Mapping[str, Limits] = {
    "ContextPrecisionVerification": {"verdict": _YES_NO},
    "generate_question": {"noncommittal": _YES_NO},
}
_TASK = "\nYour actual task:\n\n"
_RECALL = "Given a context, and an answer, analyze each sentence in the answer and classify"


def limits_of(name: str) -> Limits | None:
    """Property of a reply -> what its schema of that name does not say of it."""
    return _LIMITS.get(name)


def rows_of(name: str, prompt: str) -> Rows | None:
    """The list of a reply that must have one entry for each item of the prompt."""
    if name == "StatementFaithfulness":
        items = _statements(prompt)
        return Rows("faithfulness", items, "statement", "statement", {"verdict": _YES_NO}) if items else None
    if name == "extract_statements" and prompt.startswith(_RECALL):
        items = _sentences(prompt)
        return Rows("statements", items, "statement", "sentence", {"attributed": _YES_NO}) if items else None
    return None


def _statements(prompt: str) -> tuple[str, ...]:
    """The prompt ends with the statements as Python prints a list: on one line, whatever they hold."""
    lines = prompt.rstrip().rsplit("\n", 2)
    if len(lines) < 3 or lines[2] != "answer:" or not lines[1].startswith("statements: ["):  # noqa: PLR2004 - lines
        return ()
    return tuple(printed_list(lines[1].removeprefix("statements: "), texts=True))


def _sentences(prompt: str) -> tuple[str, ...]:
    """The sentences of the answer, where it is clear which part of the prompt it is."""
    task = prompt.rstrip().removesuffix("\nclassification:").rpartition(_TASK)[2]
    parts = task.split("\nanswer: ")
    return tuple(split_sentences(parts[1])) if len(parts) == 2 else ()  # noqa: PLR2004 - before it, and the answer
