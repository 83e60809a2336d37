"""What a reader of a run must know before its figures."""

from __future__ import annotations

from typing import Any

from magistrate.evaluation.runs.run import Run

__all__ = ["OFFLINE_NOTICE", "dataset_name", "dataset_path", "judge_name", "notices"]

OFFLINE_NOTICE = (
    "The judge is OFFLINE: it compares words, it does not understand. It tells supported from not enough info with "
    "moderate accuracy and cannot see contradictions. For a judgement, name a model: --model gpt-4o"
)


_ENDED = {
    "interrupted": "it was interrupted",
    "over_budget": "the budget was spent",
    "judge_down": "the judge cannot be reached",
    "failed": "it failed",
}


def judge_name(run: Run) -> str:
    """The judge's name as the run's header has it."""
    judge: Any = run.header.config.get("judge") or {}
    return str(judge.get("model") or judge.get("name") or "unknown")


def dataset_name(run: Run) -> str:
    """The dataset's name as the run's header has it."""
    dataset: Any = run.header.config.get("dataset") or {}
    return str(dataset.get("name") or "cases")


def dataset_path(run: Run) -> str | None:
    """The dataset's absolute path; None where the cases did not come from a file."""
    dataset: Any = run.header.config.get("dataset") or {}
    path = dataset.get("path")
    return path if isinstance(path, str) and path else None


def notices(run: Run) -> list[str]:
    """Sentences to show before the figures: an offline judge, a run that did not complete."""
    found = []
    if judge_name(run) == "offline":
        found.append(OFFLINE_NOTICE)
    if run.state == "running":
        found.append("The run was killed or is still going on; --resume goes on with it.")
    elif run.state != "complete":
        reason = f": {run.message}" if run.message else ""
        found.append(f"The run did not complete, {_ENDED.get(run.state, run.state)}{reason}. --resume goes on with it.")
    return found
