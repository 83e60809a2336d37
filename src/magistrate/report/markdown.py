"""A run as a Markdown summary, for a pull request or a step summary: figures, gates, what failed, what has no score.

Untrusted text stands in code spans only. Nothing inside one is a link, an image, HTML, a mention or a reference, on
GitHub as elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from magistrate.evaluation.aggregate import Aggregate, CategoryAggregate
from magistrate.evaluation.comparison import Baseline
from magistrate.evaluation.gate import Check, ExitCode, exit_code
from magistrate.evaluation.runs.results import CaseResult
from magistrate.evaluation.runs.run import Run
from magistrate.metrics.base import MetricResult
from magistrate.report.files import replacing
from magistrate.report.notices import OFFLINE_NOTICE, dataset_name, judge_name, notices
from magistrate.report.terminal import usage_text
from magistrate.report.text import clip
from magistrate.report.words import STATUS_WHY, plural, words_of, worst_first
from magistrate.statistics import Comparison
from magistrate.verdict import Outcome, Status, Verdict

__all__ = ["MOST_CASES", "code_span", "markdown_summary", "write_markdown"]

MOST_CASES: Final = 10
"""Failing cases that a summary names for each metric."""
_MOST_STATEMENTS: Final = 3
_MOST_CATEGORIES: Final = 30
_MOST_FLIPPED: Final = 20
_LONGEST: Final = 200
_TICKS: Final = re.compile("`+")
_SIGN: Final = {Outcome.PASS: "✅", Outcome.FAIL: "❌", Outcome.INCONCLUSIVE: "⚠️"}
_GATE_WORD: Final = {Outcome.PASS: "passed", Outcome.FAIL: "failed", Outcome.INCONCLUSIVE: "undecided"}
_ENDED: Final = {
    ExitCode.OK: "✅ passed",
    ExitCode.GATE_FAILED: "❌ failed",
    ExitCode.UNDECIDED: "⚠️ undecided",
    ExitCode.STOPPED: "⚠️ stopped early",
    ExitCode.USAGE: "❌ did not run",
}


def write_markdown(
    run: Run, path: Path, *, checks: Sequence[Check] | None = None, baselines: Sequence[Baseline] = ()
) -> Path:
    """Write `markdown_summary` to a file, readable by its owner only; it appears whole or not at all.

    Raises:
        StoreError: If it cannot be written.
    """
    with replacing(path) as file:
        file.write(markdown_summary(run, checks=checks, baselines=baselines).encode())
    return path


def markdown_summary(
    run: Run, *, checks: Sequence[Check] | None = None, baselines: Sequence[Baseline] = (), most: int = MOST_CASES
) -> str:
    """Summarise a run in Markdown.

    Args:
        run: The run.
        checks: The gated figures; None where nothing was gated.
        baselines: The runs it is compared with.
        most: Failing cases to name for each metric.
    """
    return "\n".join(_lines(run, checks, baselines, most)) + "\n"


def code_span(text: str, longest: int = _LONGEST) -> str:
    """Put untrusted text, on one line and clipped, into a code span that it cannot break out of; also in a table.

    A table takes `|` for the end of a cell even inside a code span, so it becomes `¦`.
    """
    line = clip(text, longest).replace("|", "¦")
    if not line:
        return "` `"
    fence = "`" * (1 + max(map(len, _TICKS.findall(line)), default=0))
    room = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{room}{line}{room}{fence}"


def _lines(run: Run, checks: Sequence[Check] | None, baselines: Sequence[Baseline], most: int) -> Iterator[str]:
    summary = run.summary
    ended = "" if checks is None else f": {_ENDED[exit_code(run.state, checks)]}"
    yield f"## Magistrate{ended}"
    yield ""
    yield f"{code_span(dataset_name(run))}: {plural(summary.n, 'case')}, judge {code_span(judge_name(run))}"
    for notice in notices(run):
        yield ""
        yield f"> **Note:** {notice if notice == OFFLINE_NOTICE else code_span(notice, 400)}"
    if not summary.n:
        yield ""
        yield "No case was reached."
        return
    yield from _figures(run)
    yield from _gates(checks)
    for baseline in baselines:
        yield from _baseline(baseline)
    for name in summary.metrics:
        yield from _failing(run, name, most)
    for figures in summary.metrics.values():
        yield from _not_scored(figures)
        yield from _categories(figures)
    yield ""
    yield usage_text(summary.usage, whole=run.state == "complete") + "."


_HEAD: Final = ("mean", "95 % interval", "scored", "pass", "fail", "inconclusive")


def _figures(run: Run) -> Iterator[str]:
    yield ""
    yield _row("metric", *_HEAD)
    yield _row("---", "--:", "---", "--:", "--:", "--:", "--:")
    for name, figures in run.summary.metrics.items():
        yield _row(code_span(name), *_cells(figures))


def _cells(figures: CategoryAggregate) -> Iterator[str]:
    yield "none" if figures.mean is None else f"{figures.mean:.3f}"
    yield f"{figures.interval.low:.3f} to {figures.interval.high:.3f}" if figures.interval else ""
    yield f"{figures.n_scored} of {figures.n}"
    yield from (str(figures.outcomes.get(outcome, 0)) for outcome in Outcome)


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _gates(checks: Sequence[Check] | None) -> Iterator[str]:
    if not checks:
        return
    yield ""
    yield "**Gates**"
    yield ""
    for item in checks:
        said = f"{code_span(item.metric)}: {code_span(item.message, 600)}"  # it names cases
        yield f"- {_SIGN[item.outcome]} {_GATE_WORD[item.outcome]}: {said}"


def _baseline(baseline: Baseline) -> Iterator[str]:
    yield ""
    yield f"**Compared with {code_span(baseline.name)}**"
    for note in baseline.notes:
        yield ""
        yield f"> **Note:** {code_span(note, 400)}"
    if not baseline.comparisons:
        return
    yield ""
    yield _row("metric", "baseline", "this run", "change", "95 % interval", "better", "worse", "compared")
    yield _row("---", "--:", "--:", "--:", "---", "--:", "--:", "--:")
    for name, found in baseline.comparisons.items():
        yield _row(code_span(name), *_change(found))
    for name, found in baseline.comparisons.items():
        if found.flips is None:
            continue
        for word, pairs in (("Newly failing", found.flips.lost), ("Newly passing", found.flips.gained)):
            if pairs:
                shown = ", ".join(code_span(pair.id, 60) for pair in pairs[:_MOST_FLIPPED])
                more = f" and {len(pairs) - _MOST_FLIPPED} more" if len(pairs) > _MOST_FLIPPED else ""
                yield ""
                yield f"{word} in {code_span(name)} ({len(pairs)}): {shown}{more}"


def _change(found: Comparison) -> Iterator[str]:
    if found.mean_a is None or found.mean_b is None or found.change is None:
        yield from ("none", "none", "none", "", "", "")
    else:
        yield from (f"{found.mean_a:.3f}", f"{found.mean_b:.3f}")
        percent = "" if found.relative_change is None else f" ({found.relative_change:+.1f} %)"
        yield f"{found.change:+.3f}{percent}"
        interval = found.change_interval
        yield f"{interval.low:+.3f} to {interval.high:+.3f}" if interval else ""
        yield from (str(len(found.wins)), str(len(found.losses)))
    yield f"{found.n} of {found.n_ids}"


def _failing(run: Run, name: str, most: int) -> Iterator[str]:
    figures = run.summary.metrics[name]
    count = figures.outcomes.get(Outcome.FAIL, 0)
    worst = [run.results[entry.position] for entry in run.summary.worst.get(name, ())]
    failing = [result for result in worst if result.metrics[name].outcome is Outcome.FAIL][:most]
    if not failing:
        return
    yield ""
    of = f"{count}" if count == len(failing) else f"the worst {len(failing)} of {count}"
    yield f"**Failing cases, {code_span(name)}** ({of})"
    yield ""
    for result in failing:
        yield from _case(result, result.metrics[name])


def _case(result: CaseResult, metric: MetricResult) -> Iterator[str]:
    score = f"{metric.score:.3f}" if metric.score is not None else words_of(metric.status)
    category = f", {code_span(result.case.category, 40)}" if result.case.category else ""
    yield f"- {code_span(result.id, 60)}: {score}{category}"
    failing = sorted(
        (verdict for verdict in metric.verdicts if verdict.verdict is not Verdict.SUPPORTED),
        key=lambda verdict: worst_first(verdict.verdict),
    )
    for verdict in failing[:_MOST_STATEMENTS]:
        reason = f"<br>{code_span(verdict.reason)}" if verdict.reason else ""
        yield f"  - {words_of(verdict.verdict)}: {code_span(verdict.statement)}{reason}"
    if len(failing) > _MOST_STATEMENTS:
        yield f"  - and {plural(len(failing) - _MOST_STATEMENTS, 'more statement')}"


def _not_scored(figures: Aggregate) -> Iterator[str]:
    if not figures.not_scored:
        return
    yield ""
    yield f"**Not scored, {code_span(figures.metric)}**: {figures.n - figures.n_scored} of {figures.n}"
    yield ""
    for status, count in figures.not_scored.items():
        yield f"- {count} {words_of(Status(status))}: {STATUS_WHY[status]}"
    if figures.bounds:
        yield ""
        yield f"With those cases the mean lies between {figures.bounds[0]:.3f} and {figures.bounds[1]:.3f}."


def _categories(figures: Aggregate) -> Iterator[str]:
    if not figures.categories:
        return
    yield ""
    yield "<details><summary>By category</summary>"
    yield ""
    yield f"**{code_span(figures.metric)}**"
    yield ""
    yield _row("category", *_HEAD)
    yield _row("---", "--:", "---", "--:", "--:", "--:", "--:")
    for name, part in list(figures.categories.items())[:_MOST_CATEGORIES]:
        yield _row(code_span(name, 60), *_cells(part))
    left = len(figures.categories) - _MOST_CATEGORIES
    if left > 0:
        yield ""
        yield f"and {left} more categories"
    yield ""
    yield "</details>"
