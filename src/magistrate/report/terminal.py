"""A run on the terminal: figures with their coverage, what has no score and why, the worst cases with their reasons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from rich.console import Console
from rich.text import Text

from magistrate.evaluation.aggregate import Aggregate, RunSummary
from magistrate.evaluation.comparison import Baseline
from magistrate.evaluation.gate import Check
from magistrate.evaluation.laws import LawResult
from magistrate.evaluation.repeats import stability
from magistrate.evaluation.runs.results import CaseResult
from magistrate.evaluation.runs.run import Run
from magistrate.metrics.base import MetricResult
from magistrate.records import Usage
from magistrate.report.comparison_report import print_baseline
from magistrate.report.console import print_indented
from magistrate.report.figures import OUTCOME_STYLE, print_figures
from magistrate.report.laws_report import print_laws
from magistrate.report.notices import dataset_name, judge_name, notices
from magistrate.report.stability_report import print_stability
from magistrate.report.text import clip, printable
from magistrate.verdict import Outcome, StatementVerdict, Status, Verdict

__all__ = ["VERDICT_STYLE", "print_case", "print_checks", "print_run", "usage_text"]

_WORST_SHOWN = 5
_STATEMENTS_SHOWN = 4
_UNSCORED_SHOWN = 5
_UNSCORED_READ = 1000
_FEW_SHOWN = 2
"""Of each kind where a run has several metrics."""
_PROBLEMS_SHOWN = 5
VERDICT_STYLE = {
    Verdict.SUPPORTED: "green",
    Verdict.PARTIALLY_SUPPORTED: "yellow",
    Verdict.CONTRADICTED: "red",
    Verdict.NOT_ENOUGH_INFO: "yellow",
    Verdict.UNSUPPORTED: "red",
}


def print_run(
    run: Run,
    console: Console,
    *,
    checks: Sequence[Check] | None = None,
    baselines: Sequence[Baseline] = (),
    laws: Sequence[LawResult] = (),
) -> None:
    """Print a run: notices, figures, what was not scored, the worst cases, usage, gates."""
    summary = run.summary
    head = Text.assemble(
        (printable(dataset_name(run)), "bold"),
        f": {summary.n} {_plural(summary.n, 'case')}, judge ",
        (printable(judge_name(run)), "bold"),
    )
    print_indented(console, head, 0)
    for notice in notices(run):
        print_indented(console, Text(printable(notice), style="bold yellow"), 0)
    if not summary.n:
        console.print("No case was reached.")
        return
    for name, figures in summary.metrics.items():
        sign = "at most" if figures.direction == "minimize" else "at least"
        text = f"{printable(name)}: policy {printable(figures.policy)}, a case passes with {sign} {figures.threshold:g}"
        print_indented(console, Text(text), 0)
    console.print()
    print_figures(summary, console)
    for figures in summary.metrics.values():
        _print_unscored(run, figures, console)
        _print_left_out(figures, console)
    _print_problems(summary, console)
    for name in summary.metrics:
        _print_worst(run, name, console)
    for baseline in baselines:
        print_baseline(baseline, console)
    if laws:
        print_laws(laws, console)
    print_stability(stability(run), console)
    _print_usage(run, console)
    print_checks(checks, console)


def _print_left_out(figures: Aggregate, console: Console) -> None:
    if not figures.n_left_out:
        return
    text = (
        f"{printable(figures.metric)}: {figures.n_left_out} of {figures.n} answers have a sentence that no statement "
        "was taken from; what it says was not judged (issue sentence-without-statement)"
    )
    console.print()
    print_indented(console, Text(text, style="yellow"), 0)


def _print_unscored(run: Run, figures: Aggregate, console: Console) -> None:
    if not figures.not_scored:
        return
    counts = ", ".join(f"{count} {status.value}" for status, count in figures.not_scored.items())
    console.print()
    several = len(run.summary.metrics) > 1
    title = f"Not scored by {printable(figures.metric)}" if several else "Not scored"
    console.print(Text.assemble((f"{title}: {figures.n - figures.n_scored} of {figures.n}", "bold"), f" ({counts})"))
    if figures.bounds:
        low, high = figures.bounds
        console.print(f"  With those cases the mean lies between {low:.3f} and {high:.3f}.")
    most = _FEW_SHOWN if several else _UNSCORED_SHOWN
    alike: dict[tuple[Status, str], list[str]] = {}
    for result in _first_unscored(run, figures.metric):
        metric = result.metrics[figures.metric]
        kind = (metric.status, metric.reason or "")
        if kind in alike or len(alike) < most:
            alike.setdefault(kind, []).append(result.id)
    for (status, reason), (first, *others) in alike.items():
        line = Text.assemble(f"{clip(first, 40)}  ", (status.value, "yellow"))
        if reason:
            line.append(f"  {clip(reason, 300)}")
        if others:
            line.append(f" (and {len(others):,} alike)")
        print_indented(console, line, 2)
    left = sum(figures.not_scored.values()) - sum(map(len, alike.values()))
    if left > 0:
        console.print(f"  and {left:,} more")


def _first_unscored(run: Run, metric: str) -> Iterator[CaseResult]:
    """The first results without a score; not all of them, for a stored run is read from its file."""
    unscored = (r for r in run.results if metric in r.metrics and r.metrics[metric].score is None)
    return islice(unscored, _UNSCORED_READ)


def _print_problems(summary: RunSummary, console: Console) -> None:
    if not summary.n_problems:
        return
    console.print()
    title = f"Problems in {summary.n_problems} {_plural(summary.n_problems, 'row')} of the dataset"
    console.print(Text(title, style="bold"))
    for problem, count in summary.problems[:_PROBLEMS_SHOWN]:
        alike = f" (and {count - 1:,} {_plural(count - 1, 'row')} alike)" if count > 1 else ""
        print_indented(console, Text(clip(str(problem), 300) + alike), 2)
    if len(summary.problems) > _PROBLEMS_SHOWN:
        console.print(f"  and {len(summary.problems) - _PROBLEMS_SHOWN} other kinds")
    console.print("  All of them: magistrate dataset validate FILE", style="dim")


def _print_worst(run: Run, name: str, console: Console) -> None:
    worst = run.summary.worst.get(name, ())
    if not worst:
        return
    console.print()
    title = "Worst cases" if len(run.summary.metrics) == 1 else f"Worst cases by {printable(name)}"
    console.print(Text(title, style="bold"))
    for entry in worst[: _WORST_SHOWN if len(run.summary.metrics) == 1 else _FEW_SHOWN]:
        result = run.results[entry.position]
        metric = result.metrics[name]
        _print_head(result, metric, console)
        if len(run.summary.metrics) > 1:  # the same statements under every metric would bury the figures
            print_indented(console, Text(clip(metric.reason or "", 300), style="dim"), 4)
            continue
        failing = [v for v in metric.verdicts if v.verdict is not Verdict.SUPPORTED]
        for verdict in failing[:_STATEMENTS_SHOWN]:
            _print_verdict(verdict, console)
        if len(failing) > _STATEMENTS_SHOWN:
            left = len(failing) - _STATEMENTS_SHOWN
            console.print(f"    and {left} more {_plural(left, 'statement')}")


def _print_head(result: CaseResult, metric: MetricResult, console: Console) -> None:
    line = Text("  ")
    line.append(clip(result.id, 60), style="bold")
    line.append(f"  {_score(metric)}  ")
    line.append(metric.outcome.value, style=OUTCOME_STYLE[metric.outcome])
    if result.case.category:
        line.append(f"  {clip(result.case.category, 40)}", style="dim")
    console.print(line)


def _score(metric: MetricResult) -> str:
    if metric.score is not None:
        return f"{metric.score:.3f}"
    if metric.bounds is not None:
        return f"{metric.status.value}, between {metric.bounds[0]:.3f} and {metric.bounds[1]:.3f}"
    return metric.status.value


def _print_verdict(verdict: StatementVerdict, console: Console, *, longest: int = 200) -> None:
    word = verdict.verdict.value if verdict.verdict else "no verdict"
    line = Text(f"{clip(verdict.id, 12)} ")
    line.append(word.replace("_", " "), style=VERDICT_STYLE[verdict.verdict] if verdict.verdict else "yellow")
    line.append(f": {clip(verdict.statement, longest)}")
    print_indented(console, line, 4)
    if verdict.reason:
        print_indented(console, Text(clip(verdict.reason, longest), style="dim"), 7)
    for issue in verdict.issues[:3]:
        text = f"{issue.code.value}: {clip(issue.message, longest)}" if issue.message else issue.code.value
        print_indented(console, Text(text, style="dim yellow"), 7)


def _print_usage(run: Run, console: Console) -> None:
    summary = run.summary
    console.print()
    for (requested, served), calls in list(summary.models.items())[:4]:
        text = f"{calls} {_plural(calls, 'call')} to {printable(requested)}"
        if served and served != requested:
            text += f", served by {printable(served)}"
        console.print(Text(text))
    if summary.call_notes:
        notes = ", ".join(f"{count:,} {note}" for note, count in list(summary.call_notes.items())[:6])
        console.print(Text(f"of the calls: {printable(notes)}"))
    calls_none = judge_name(run) == "offline" or judge_name(run).startswith("nli:")
    console.print(usage_text(summary.usage, whole=calls_none or run.state == "complete"))
    latency = summary.call_latency
    if latency is not None:
        console.print(
            f"latency of a call: median {latency.p50 / 1000:.2f} s, p95 {latency.p95 / 1000:.2f} s, "
            f"p99 {latency.p99 / 1000:.2f} s"
        )


def usage_text(usage: Usage, *, whole: bool = True) -> str:
    """Calls, tokens and cost in one line; what is unknown is said to be.

    Args:
        usage: What was used.
        whole: Whether that is all: not where a run was stopped while calls were under way.
    """
    if not usage.calls and not usage.cached:
        return "no model was called; cost $0" if whole else "no call was finished; what was under way is not counted"
    parts = [f"{usage.calls:,} {_plural(usage.calls, 'call')}"]
    if usage.cached:
        parts.append(f"{usage.cached:,} from the cache")
    if usage.prompt_tokens is None or usage.completion_tokens is None:
        parts.append("tokens unknown")
    else:
        parts.append(f"{usage.prompt_tokens:,} + {usage.completion_tokens:,} tokens")
    parts.append("price unknown" if usage.cost is None else f"cost ${usage.cost:.4f}")
    return ", ".join(parts)


def print_checks(checks: Sequence[Check] | None, console: Console) -> None:
    """Print the gated figures."""
    for item in checks or ():
        word = {Outcome.PASS: "passed", Outcome.FAIL: "FAILED", Outcome.INCONCLUSIVE: "UNDECIDED"}[item.outcome]
        told = f": {printable(item.metric)}: {printable(item.message)}"
        print_indented(console, Text.assemble("gate ", (word, f"bold {OUTCOME_STYLE[item.outcome]}"), told), 0)


def print_case(result: CaseResult, console: Console) -> None:
    """Print one case: question, answer, contexts, and every statement with its verdict, reason, evidence and issues."""
    case = result.case
    console.print(Text(printable(result.id), style="bold"))
    for label, text in (("question", case.question), ("answer", case.answer), ("reference", case.reference)):
        if text:
            console.print(Text.assemble((f"{label}: ", "dim"), clip(text, 4000)))
    for number, context in enumerate(case.contexts):
        console.print(Text.assemble((f"context {number}: ", "dim"), clip(context, 1000)))
    for problem in result.problems:
        console.print(Text(clip(str(problem), 400), style="yellow"))
    for name, metric in result.metrics.items():
        console.print()
        line = Text(f"{printable(name)} ({printable(metric.policy)}): {_score(metric)} ")
        line.append(metric.outcome.value, style=OUTCOME_STYLE[metric.outcome])
        line.append(f", {metric.status.value}, threshold {metric.threshold:g}, judge {printable(metric.judge)}")
        console.print(line)
        if metric.reason and not metric.verdicts:
            console.print(Text(f"  {clip(metric.reason, 1000)}"))
        for verdict in metric.verdicts:
            _print_verdict(verdict, console, longest=1000)
            for quote in verdict.evidence:
                where = f"context {quote.context}" if quote.context is not None else "found in no context"
                text = f'"{clip(quote.quote, 400)}" ({where})'
                print_indented(console, Text(text, style="dim italic"), 7)
        for issue in metric.issues:
            console.print(Text(f"  {issue.code.value}: {clip(issue.message, 400)}", style="yellow"))
        console.print(Text(f"  {usage_text(metric.usage)}", style="dim"))


def _plural(count: int, word: str) -> str:
    return word if count == 1 else f"{word}s"
