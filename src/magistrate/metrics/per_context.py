"""Statements judged against each context on its own: what one passage says, and what another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from magistrate.case import Case
from magistrate.judges import Judge, VerdictsReply
from magistrate.metrics.asking import gather
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.metrics.verification import is_blank, verify_statements

__all__ = ["documents_of", "verify_against_each"]


async def verify_against_each(
    judging: Faithfulness,
    judge: Judge,
    statements: Sequence[str],
    groups: Sequence[Sequence[str]],
    question: str | None,
) -> list[VerdictsReply]:
    """Judge the same statements against each group of passages on its own, all at the same time.

    Args:
        judging: On which scale, and how many statements a call.
        judge: Who judges.
        statements: The statements.
        groups: The passages of each group.
        question: What the statements answer.

    Returns:
        One reply for each group, with one entry per statement.
    """
    replies: list[VerdictsReply] = await gather(
        *(
            verify_statements(
                judge, statements, group, question=question, scale=judging.scale, batch_size=judging.batch_size
            )
            for group in groups
        )
    )
    return replies


def documents_of(case: Case) -> list[tuple[str, tuple[int, ...]]]:
    """The documents that a case's passages come from, each with the indices of its passages that are not blank.

    Which document a passage is from stands in the metadata, if anywhere: `documents` or `context_ids`, a list of names
    as long as the contexts, or `gold.contexts`, a list of objects with `document`. Where nothing says it, each passage
    is a document of its own, named by its number from 1.
    """
    names = _names(case.metadata, len(case.contexts))
    found: dict[str, list[int]] = {}
    for index, text in enumerate(case.contexts):
        if not is_blank(text):
            found.setdefault(names[index] if names else str(index + 1), []).append(index)
    return [(name, tuple(indices)) for name, indices in found.items()]


def _names(metadata: Mapping[str, Any], count: int) -> list[str] | None:
    gold = metadata.get("gold")
    listed = gold.get("contexts") if isinstance(gold, Mapping) else None
    candidates: list[Any] = [metadata.get("documents"), metadata.get("context_ids")]
    if isinstance(listed, Sequence) and all(isinstance(item, Mapping) for item in listed):
        candidates.append([item.get("document") for item in listed])
    for names in candidates:
        if isinstance(names, list | tuple) and len(names) == count and all(isinstance(n, str | int) for n in names):
            return [str(name) for name in names]
    return None
