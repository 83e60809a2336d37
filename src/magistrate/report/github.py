"""A run on GitHub: annotations at the rows of the dataset, a step summary, outputs for later steps."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, TextIO

from magistrate.errors import StoreError
from magistrate.evaluation.comparison import Baseline
from magistrate.evaluation.gate import Check, exit_code
from magistrate.evaluation.runs.results import CaseResult
from magistrate.evaluation.runs.run import Run
from magistrate.metrics.base import MetricResult
from magistrate.report.actions import workflow_command
from magistrate.report.markdown import markdown_summary
from magistrate.report.notices import dataset_path, notices
from magistrate.report.text import clip, printable
from magistrate.report.words import STATUS_WHY, words_of, worst_first
from magistrate.verdict import Outcome, Verdict

__all__ = ["MOST_ANNOTATIONS", "annotate", "publish", "step_outputs"]

MOST_ANNOTATIONS: Final = 10
"""GitHub shows at most so many of each level for a step."""
_SUMMARY_LIMIT: Final = 1_000_000
"""GitHub takes 1 MiB from a step, and nothing at all of a larger summary."""
_LONGEST: Final = 300
_MOST_STATEMENTS: Final = 3


def publish(
    run: Run,
    out: TextIO,
    *,
    checks: Sequence[Check] | None = None,
    baselines: Sequence[Baseline] = (),
    files: Mapping[str, Path] | None = None,
    environment: Mapping[str, str] | None = None,
) -> None:
    """Tell GitHub about a run: annotations on the output, the step summary and outputs where their files are named.

    Args:
        run: The run.
        out: The step's output.
        checks: The gated figures; None where nothing was gated.
        baselines: The runs it is compared with.
        files: Kind -> report that was written ("html"), for the outputs.
        environment: GITHUB_WORKSPACE, GITHUB_STEP_SUMMARY, GITHUB_OUTPUT; None for the process's own.

    Raises:
        StoreError: If one of GitHub's files cannot be written.
    """
    environment = os.environ if environment is None else environment
    workspace = Path(environment["GITHUB_WORKSPACE"]) if environment.get("GITHUB_WORKSPACE") else Path.cwd()
    out.writelines(f"{line}\n" for line in annotate(run, checks=checks, workspace=workspace))
    out.flush()
    if path := environment.get("GITHUB_STEP_SUMMARY"):
        summary = markdown_summary(run, checks=checks, baselines=baselines)
        while len(summary.encode()) > _SUMMARY_LIMIT:
            summary = summary[: len(summary) // 2].rpartition("\n")[0] + "\n\nThe summary is cut here.\n"
        _append(Path(path), summary)
    if path := environment.get("GITHUB_OUTPUT"):
        _append(Path(path), _assignments(step_outputs(run, checks=checks, files=files)))


def _append(path: Path, text: str) -> None:
    try:
        with path.open("a", encoding="utf-8", errors="replace", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise StoreError(f"{path}: cannot be written: {error.strerror or error}") from None


def annotate(run: Run, *, checks: Sequence[Check] | None = None, workspace: Path) -> Iterator[str]:
    """Give workflow commands that annotate a run: gates, notices, the worst failing cases, cases without a score.

    A gate that does not pass is an error, a failing case a warning (no single case decides a run), a case without a
    score a notice. A case is annotated at its row of the dataset where the row is known and the dataset lies in the
    workspace.

    Args:
        run: The run.
        checks: The gated figures; None where nothing was gated.
        workspace: The root of the checkout.
    """
    source = _inside(dataset_path(run), workspace)
    for item in [item for item in checks or () if item.outcome is not Outcome.PASS][:MOST_ANNOTATIONS]:
        word = "failed" if item.outcome is Outcome.FAIL else "undecided"
        yield workflow_command(
            "error", f"{printable(item.metric)}: {printable(item.message)}", title=f"Magistrate: gate {word}"
        )
    found = [(level, result, name) for level, result, name in _cases(run)]
    for level in ("warning", "notice"):
        shown = [(result, name) for kind, result, name in found if kind == level]
        for result, name in shown[:MOST_ANNOTATIONS]:
            yield _annotation(level, result, name, source)
    for notice in notices(run):
        yield workflow_command("notice", printable(notice), title="Magistrate")


def _cases(run: Run) -> Iterator[tuple[str, CaseResult, str]]:
    for name in run.summary.metrics:
        for entry in run.summary.worst.get(name, ()):
            result = run.results[entry.position]
            if result.metrics[name].outcome is Outcome.FAIL:
                yield "warning", result, name
    if not any(figures.not_scored for figures in run.summary.metrics.values()):
        return
    left = MOST_ANNOTATIONS
    for result in run.results:
        for name, metric in result.metrics.items():
            if metric.score is None and metric.outcome is Outcome.INCONCLUSIVE:
                yield "notice", result, name
                left -= 1
        if left <= 0:
            return


def _annotation(level: str, result: CaseResult, name: str, source: str | None) -> str:
    metric = result.metrics[name]
    score = f"{metric.score:.3f}" if metric.score is not None else words_of(metric.status)
    title = f"{clip(name, 60)} {score}: case {clip(result.id, 60)}"
    file, line = (source, result.line) if source is not None and result.line is not None else (None, None)
    message = "\n".join(_message(metric))
    return workflow_command("warning" if level == "warning" else "notice", message, file=file, line=line, title=title)


def _message(metric: MetricResult) -> Iterator[str]:
    if metric.score is None and not metric.verdicts:
        yield STATUS_WHY[metric.status]
        if metric.reason:
            yield clip(metric.reason, _LONGEST)
        return
    failing = sorted(
        (verdict for verdict in metric.verdicts if verdict.verdict is not Verdict.SUPPORTED),
        key=lambda verdict: worst_first(verdict.verdict),
    )
    for verdict in failing[:_MOST_STATEMENTS]:
        reason = f" ({clip(verdict.reason, _LONGEST)})" if verdict.reason else ""
        yield f"{words_of(verdict.verdict)}: {clip(verdict.statement, _LONGEST)}{reason}"
    if len(failing) > _MOST_STATEMENTS:
        yield f"and {len(failing) - _MOST_STATEMENTS} more"
    if not failing:
        yield clip(metric.reason or STATUS_WHY[metric.status], _LONGEST)


def _inside(path: str | None, workspace: Path) -> str | None:
    if path is None:
        return None
    try:
        return Path(path).relative_to(workspace.resolve()).as_posix()
    except ValueError:
        return None


def step_outputs(
    run: Run, *, checks: Sequence[Check] | None = None, files: Mapping[str, Path] | None = None
) -> dict[str, str]:
    """Name what later steps can use as `steps.<id>.outputs.<name>`.

    `exit-code`, `outcome` (pass, fail, inconclusive; none without a gate), `state`, `cases`, `run`; for each metric
    `<metric>-mean` (empty where there is none), `-scored`, `-coverage`, `-pass`, `-fail`, `-inconclusive`; for each
    report `<kind>-report`.
    """
    outcomes = [item.outcome for item in checks or ()]
    outcome = next((o.value for o in (Outcome.FAIL, Outcome.INCONCLUSIVE, Outcome.PASS) if o in outcomes), "none")
    found = {
        "exit-code": str(int(exit_code(run.state, checks))),
        "outcome": outcome,
        "state": run.state,
        "cases": str(run.summary.n),
        "run": str(run.path or ""),
    }
    for name, figures in run.summary.metrics.items():
        key = re.sub(r"[^A-Za-z0-9_-]+", "-", name)
        found[f"{key}-mean"] = "" if figures.mean is None else f"{figures.mean:.6f}"
        found[f"{key}-scored"] = str(figures.n_scored)
        found[f"{key}-coverage"] = f"{figures.coverage:.6f}"
        for kind in Outcome:
            found[f"{key}-{kind.value}"] = str(figures.outcomes.get(kind, 0))
    for report, path in (files or {}).items():
        found[f"{report}-report"] = str(path)
    return found


def _assignments(values: Mapping[str, str]) -> str:
    # A delimiter that no text can know keeps a value from ending its own assignment and beginning another.
    end = f"end-{secrets.token_hex(16)}"
    return "".join(f"{name}<<{end}\n{value}\n{end}\n" for name, value in values.items())
