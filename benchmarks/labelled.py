"""Labelled sets for the grounding benchmarks, and the figures that are computed from them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple


class Row(NamedTuple):
    """A claim, what it was to be found in, and whether people found it there."""

    contexts: tuple[str, ...]
    claim: str
    supported: bool


def read_sets(folder: Path) -> dict[str, list[Row]]:
    """Read every labelled set below a folder: JSON Lines with the fields contexts, claim, label.

    A row without a label is left out, and so is a file without such rows. A set is called by its file, or by its folder
    where that holds one such file only.
    """
    files = {path: list(_rows(path)) for path in sorted(folder.rglob("*.jsonl"))}
    files = {path: rows for path, rows in files.items() if rows}
    if not files:
        raise SystemExit(f"no JSON Lines file with contexts, claim and label below {folder}")
    beside = [path.parent for path in files]
    return {(path.parent.name if beside.count(path.parent) == 1 else path.stem): rows for path, rows in files.items()}


def _rows(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if row.get("label") and "contexts" in row and isinstance(row.get("claim"), str):
                yield Row(tuple(row["contexts"]), row["claim"], row["label"] == "supported")


def auc(scores: Sequence[float], labels: Sequence[bool]) -> float:
    """Area under the ROC curve: how often a supported claim scores above another one, ties counting half."""
    ranked = sorted(zip(scores, labels, strict=True), key=lambda pair: pair[0])
    positives = sum(labels)
    negatives = len(labels) - positives
    if not positives or not negatives:
        return float("nan")
    total = 0.0
    at = 0
    while at < len(ranked):
        end = at
        while end < len(ranked) and ranked[end][0] == ranked[at][0]:
            end += 1
        total += sum(label for _, label in ranked[at:end]) * (at + end + 1) / 2
        at = end
    return (total - positives * (positives + 1) / 2) / (positives * negatives)


def balanced_accuracy(called: Sequence[bool], labels: Sequence[bool]) -> float:
    """Mean of the shares of supported and of other claims that are called what they are."""
    right = {True: 0, False: 0}
    for call, label in zip(called, labels, strict=True):
        right[label] += call == label
    return (right[True] / max(1, sum(labels)) + right[False] / max(1, len(labels) - sum(labels))) / 2
