"""A run on GitHub: annotations at the rows of the dataset, a step summary, outputs for later steps."""

import os
import re
import secrets
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Final, TextIO

from magistrate.evaluation.files import storing
from magistrate.evaluation.gate import exit_code
from magistrate.evaluation.runs.results import CaseResult
from magistrate.metrics.base import MetricResult
from magistrate.report.documents import markdown_summary
from magistrate.report.phrasing import GATE_WORD, STATUS_WHY, number, words_of
from magistrate.report.text import Level, clip, printable, workflow_command
from magistrate.report.view import RunView, failing, inside
from magistrate.verdict import Outcome

MOST_ANNOTATIONS: Final = 10
"""GitHub shows at most so many of each level for a step."""
_SUMMARY_LIMIT: Final = 1_000_000
"""GitHub takes 1 MiB from a step, and nothing at all of a larger summary."""
_LONGEST: Final = 300
_MOST_STATEMENTS: Final = 3


def publish(
    view: RunView,
    out: TextIO,
    *,
    files: Mapping[str, Path] | None = None,
    environment: Mapping[str, str] | None = None,
) -> None:
    """Tell GitHub about a run: annotations on the output, the step summary and outputs where their files are named."""
    environment = os.environ if environment is None else environment
    workspace = Path(environment["GITHUB_WORKSPACE"]) if environment.get("GITHUB_WORKSPACE") else Path.cwd()
    out.writelines(f"{line}\n" for line in annotate(view, workspace=workspace))
    out.flush()
    if path := environment.get("GITHUB_STEP_SUMMARY"):
        summary = markdown_summary(view)
        while len(summary.encode()) > _SUMMARY_LIMIT:
            summary = summary[: len(summary) // 2].rpartition("\n")[0] + "\n\nThe summary is cut here.\n"
        _append(Path(path), summary)
    if path := environment.get("GITHUB_OUTPUT"):
        # A delimiter that no text can know keeps a value from ending its own assignment and beginning another.
        end, values = f"end-{secrets.token_hex(16)}", step_outputs(view, files=files)
        _append(Path(path), "".join(f"{name}<<{end}\n{value}\n{end}\n" for name, value in values.items()))


def _append(path: Path, text: str) -> None:
    with storing(path), path.open("a", encoding="utf-8", errors="replace", newline="\n") as file:
        file.write(text)


def annotate(view: RunView, *, workspace: Path) -> Iterator[str]:
    """Yield an annotation for each gate that does not pass, each failing case and each case without a score.

    At most `MOST_ANNOTATIONS` of each level: an error is a gate, a warning a failing case, a notice a case without a
    score. A case is annotated at its row of the dataset, where that lies in the workspace.
    """
    for item in [item for item in view.checks or () if item.outcome is not Outcome.PASS][:MOST_ANNOTATIONS]:
        title = f"Magistrate: gate {GATE_WORD[item.outcome]}"
        yield workflow_command("error", f"{printable(item.metric)}: {printable(item.message)}", title=title)
    source = inside(view.dataset_path, workspace)
    failed = ((name, r) for name in view.run.summary.metrics for r in view.worst(name, outcome=Outcome.FAIL))
    for name, result in islice(failed, MOST_ANNOTATIONS):
        yield _annotation("warning", result, name, source)
    for name, result in view.undecided(MOST_ANNOTATIONS):
        yield _annotation("notice", result, name, source)
    for caveat in view.caveats:
        yield workflow_command("notice", printable(caveat), title="Magistrate")


def _annotation(level: Level, result: CaseResult, name: str, source: str | None) -> str:
    metric = result.metrics[name]
    score = number(metric.score) if metric.score is not None else words_of(metric.status)
    file, line = (source, result.line) if source is not None and result.line is not None else (None, None)
    title = f"{clip(name, 60)} {score}: case {clip(result.id, 60)}"
    return workflow_command(level, "\n".join(_message(metric)), file=file, line=line, title=title)


def _message(metric: MetricResult) -> Iterator[str]:
    if metric.score is None and not metric.verdicts:
        yield from filter(None, (STATUS_WHY[metric.status], clip(metric.reason or "", _LONGEST)))
        return
    statements = failing(metric)
    for verdict in statements[:_MOST_STATEMENTS]:
        reason = f" ({clip(verdict.reason, _LONGEST)})" if verdict.reason else ""
        yield f"{words_of(verdict.verdict)}: {clip(verdict.statement, _LONGEST)}{reason}"
    if len(statements) > _MOST_STATEMENTS:
        yield f"and {len(statements) - _MOST_STATEMENTS} more"
    if not statements:
        yield clip(metric.reason or STATUS_WHY[metric.status], _LONGEST)


def step_outputs(view: RunView, *, files: Mapping[str, Path] | None = None) -> dict[str, str]:
    """Name what later steps can use as `steps.<id>.outputs.<name>`."""
    run = view.run
    found = {
        "exit-code": str(int(exit_code(run.state, view.checks, judged=run.summary.judged))),
        "outcome": "none" if view.outcome is None else view.outcome.value,
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
