"""Which report a file name asks for; and those that a template makes: Markdown, JUnit XML, badge, notebook's tables."""

import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from magistrate.errors import ConfigurationError
from magistrate.evaluation.comparison import keyed
from magistrate.evaluation.files import check_target, replacing, write_text
from magistrate.evaluation.gate import ExitCode, Gate, check
from magistrate.evaluation.running import Progress
from magistrate.evaluation.runs.results import CaseResult
from magistrate.evaluation.runs.run import Run
from magistrate.report import view as _view
from magistrate.report.phrasing import OUTCOME_STYLE, VERDICT_STYLE, cost_text, left_text, plural
from magistrate.report.rendering import render, template_of
from magistrate.report.text import clip
from magistrate.report.view import RunView, inside, together
from magistrate.verdict import Outcome

MOST_CASES: Final = 10
"""Failing cases that a summary names for each metric."""
_ENDED: Final[Mapping[int | None, str]] = {
    None: "",
    ExitCode.OK: ": ✅ passed",
    ExitCode.GATE_FAILED: ": ❌ failed",
    ExitCode.UNDECIDED: ": ⚠️ undecided",
    ExitCode.STOPPED: ": ⚠️ stopped early",
    ExitCode.USAGE: ": ❌ did not run",
}
# White on each of them has a contrast of at least 4.5 : 1 (WCAG AA).
_SHADES: Final = {"green": "#1a7f37", "red": "#c62828", "yellow": "#8a6100"}
_NO_COLOUR: Final = "#57606a"
_COLOURS: Final = {outcome: _SHADES[style] for outcome, style in OUTCOME_STYLE.items()} | {None: _NO_COLOUR}
_VERDICT_COLOURS: Final = {verdict: _SHADES[style] for verdict, style in VERDICT_STYLE.items()} | {None: _NO_COLOUR}
_LONGEST_LABEL: Final = 60
_BETWEEN_UPDATES: Final = 0.2  # seconds
_NARROW: Final = frozenset("!'(),-.:;I[]`fijlrt| ")
_WIDE: Final = frozenset("%@MWmw")


def write_markdown(view: RunView, path: Path) -> Path:
    """Write `markdown_summary` to a file, readable by its owner only; it appears whole or not at all."""
    return write_text(path, markdown_summary(view))


def markdown_summary(view: RunView, *, most: int = MOST_CASES) -> str:
    """Summarise a run in Markdown, for a pull request or a step summary. Untrusted text stands in code spans only."""
    return render("summary.md", view=view, words=_view, ended=_ENDED.get(view.exit_code, ""), most=most)


def write_junit(view: RunView, path: Path) -> Path:
    """Write a run as JUnit XML: a test case for each case and metric, and for each gate; inconclusive is `skipped`."""
    counts = Counter(item.outcome for item in view.checks or ())
    for figures in view.run.summary.metrics.values():
        counts.update(figures.outcomes)
    here = inside(view.dataset_path, Path()) or view.dataset_path
    told = {"counts": {one.value: counts[one] for one in Outcome}, "cases": keyed(view.run.results), "path": here}
    with replacing(path) as file:
        template_of("junit.xml").stream(view=view, words=_view, **told).dump(file, "utf-8")
    return path


def run_html(run: Run) -> str:
    """The figures of a run and its worst cases, as a notebook shows them."""
    return render("run.html", view=RunView(run), words=_view, colours=_COLOURS)


def result_html(result: CaseResult) -> str:
    """One case as a notebook shows it: its answer, and the verdict on each statement."""
    return render("case.html", result=result, words=_view, colours=_COLOURS, verdict_colours=_VERDICT_COLOURS)


def notebook_progress() -> Callable[[Progress], None] | None:
    """A bar below the cell that runs, to be called with how far a run is; None where this is no notebook."""
    python = sys.modules.get("IPython")
    if python is None or not hasattr(python.get_ipython(), "kernel"):
        return None
    handle = python.display.display(python.display.HTML(""), display_id=True)
    shown = 0.0

    def update(progress: Progress) -> None:
        nonlocal shown
        if time.monotonic() - shown >= _BETWEEN_UPDATES or progress.done == progress.total:
            shown = time.monotonic()
            handle.update(python.display.HTML(progress_html(progress)))

    return update


def progress_html(progress: Progress) -> str:
    """How far a run is, as a notebook shows it: a bar, cases, rate, cost, time left."""
    done, total = progress.done, progress.total
    cases = plural(done, "case") if total is None else f"{done:,} of {plural(total, 'case')}"
    parts = [cases, f"{progress.rate:.1f}/s", cost_text(progress), left_text(progress)]
    full = "" if progress.total is None else f" max='{progress.total}' value='{progress.done}'"
    return f"<progress{full}></progress> {' · '.join(filter(None, parts))}"


def write_badge(view: RunView, path: Path) -> Path:
    """Write the badge of a run: the mean of its metric with its coverage, coloured by what the gates say."""
    figures, complete = view.run.summary.metrics, view.run.state == "complete"
    checks = check(view.run.summary, [Gate()]) if view.checks is None else view.checks
    outcomes = [together([item.outcome for item in checks if item.metric == name]) for name in figures]
    label, message = "magistrate", f"{outcomes.count(Outcome.PASS)} of {len(figures)} pass" if figures else "no results"
    if len(figures) == 1:
        ((label, only),) = figures.items()
        coverage = "" if only.n_scored == only.n else f" ({only.n_scored} of {only.n} scored)"
        message = "not scored" if only.mean is None else f"{only.mean:.2f}{coverage}"
    return write_text(path, badge_svg(label, message, together(outcomes) if complete else None), private=False)


def badge_svg(label: str, message: str, outcome: Outcome | None = None) -> str:
    """Draw a badge as a self-contained SVG picture."""
    label, message = clip(label, _LONGEST_LABEL), clip(message, _LONGEST_LABEL)
    values: dict[str, Any] = {"left": _width(label), "right": _width(message), "colour": _COLOURS[outcome]}
    return render("badge.svg", label=label, message=message, outcome=outcome, **values)


def _width(text: str) -> int:
    """Pixels of a text in 11 px Verdana, about, with 6 px of room on each side."""
    wide = (4.2 if c in _NARROW else 10.5 if c in _WIDE else 7.0 if c.isascii() else 11.0 for c in text)
    return round(sum(wide)) + 12


_WRITERS: Final[Mapping[str, tuple[str, str, str]]] = {
    ".html": ("html", "html.page", "write_html"),
    ".json": ("json", "programs.run", "write_json_report"),
    ".xml": ("junit", "documents", "write_junit"),
    ".md": ("markdown", "documents", "write_markdown"),
    ".csv": ("csv", "programs.run", "write_csv"),
    ".parquet": ("parquet", "programs.run", "write_parquet"),
    ".svg": ("badge", "documents", "write_badge"),
}
"""The end of a file's name -> the kind of report that it gets, and what writes it, loaded when it is asked for."""


def report_kind(path: str | Path) -> str:
    """Say which report a file name asks for."""
    return _writer(path)[0]


def _writer(path: str | Path) -> tuple[str, str, str]:
    if found := _WRITERS.get(Path(path).suffix.casefold()):
        return found
    raise ConfigurationError(f"--output {path}: the name says which report is meant: end it with {', '.join(_WRITERS)}")


def check_outputs(paths: Sequence[str | Path], sources: Sequence[str] = ()) -> None:
    """Find out whether the reports can be written, before anything is spent on what goes into them."""
    for number, path in enumerate(paths):
        kind = report_kind(path)
        if path in paths[:number]:
            raise ConfigurationError(f"--output {path} is given twice")
        check_target(Path(path), sources)
        if kind == "parquet":
            from magistrate.evaluation.readers.tables import need_pyarrow  # noqa: PLC0415 - an extra

            need_pyarrow()


def write_reports(view: RunView, paths: Sequence[str | Path]) -> dict[str, Path]:
    """Write each report that a file name asks for."""
    written: dict[str, Path] = {}
    for name in paths:
        (kind, module, function), path = _writer(name), Path(name)
        getattr(import_module(f"magistrate.report.{module}"), function)(view, path)
        written[kind] = path
    return written
