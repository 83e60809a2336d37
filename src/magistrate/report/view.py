"""What there is to say of a run, worded once: each report lays out the same view."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from magistrate.errors import MagistrateError
from magistrate.evaluation.aggregate import Aggregate, CategoryAggregate
from magistrate.evaluation.believing.labels import LABELS, read_labels
from magistrate.evaluation.believing.report import TrustReport, trust, votes_of
from magistrate.evaluation.believing.trials import CANARIES, read_canaries, read_cascade
from magistrate.evaluation.comparison import Baseline, stability
from magistrate.evaluation.gate import Check, exit_code
from magistrate.evaluation.laws import LawResult
from magistrate.evaluation.runs.results import CaseResult
from magistrate.evaluation.runs.run import Run
from magistrate.metrics.base import MetricResult
from magistrate.report.phrasing import number, p_value, plural, usage_text, words_of, worst_first
from magistrate.report.text import clip
from magistrate.statistics import Comparison, Interval, Pair, format_change
from magistrate.verdict import Outcome, StatementVerdict, Status, Verdict

OFFLINE: Final = (
    "The judge is OFFLINE: it compares words, it does not understand. It tells supported from not enough info with "
    "moderate accuracy and cannot see contradictions. For a judgement, name a model: --model gpt-4o"
)
HEADINGS: Final = ("mean", "95 % interval", "scored", *(outcome.value for outcome in Outcome))
"""Of the columns of `figures_cells`."""
_READ: Final = 1000
"""Results without a score that are looked at for their reasons: a stored run is read from its file."""
_CARRIED_NEVER: Final = (
    "No reply of {} carries the request token: what somebody planted in the data is told from its answers with more "
    "calls, and less often. If it cannot repeat one, --no-token (token=False) asks for none: then nothing is asked "
    "again for it, and planted answers and prompts that lost their head are no longer told from others."
)
_ENDED: Final = {
    "interrupted": "it was interrupted",
    "over_budget": "the budget was spent",
    "judge_down": "the judge cannot be reached",
    "pending": "a batch is under way",
    "failed": "it failed",
}


def _agreement(run: Run) -> dict[str, Any] | None:
    """How often each two of several judges agree, over the statements on which both said something."""
    first = next((name for result in run.results for name, m in result.metrics.items() if m.verdicts), "")
    counted: dict[tuple[str, str], list[int]] = {}
    for _, said in votes_of(run, first):
        for one, other in combinations(said, 2):
            if said[one] is not None and said[other] is not None:
                pair = counted.setdefault((one, other), [0, 0])
                pair[0] += said[one] == said[other]
                pair[1] += 1
    return {"pairs": [[*names, same / n, n] for names, (same, n) in counted.items()]} if counted else None


class Unscored(NamedTuple):
    """Cases without a score for the same reason: the first one's id, why, and how many more there are."""

    id: str
    status: Status
    reason: str
    others: int


@dataclass(frozen=True)
class RunView:
    """A run and what goes with it into its reports.

    Args:
        run: The run.
        checks: The gated figures; None where nothing was gated.
        baselines: The runs it is compared with.
        laws: The laws that were checked.
        raw: Whether the raw completions go into a report that has room for them.
        trust: What people's labels say of it; None for those in its folder.
    """

    run: Run
    checks: Sequence[Check] | None = None
    baselines: Sequence[Baseline] = ()
    laws: Sequence[LawResult] = ()
    raw: bool = True
    trust: TrustReport | None = None

    @cached_property
    def believing(self) -> dict[str, Any] | None:
        """What labels, several judges, a cascade and canaries say of the run; None where there is nothing of them."""
        folder, found, parts = self.run.path, self.trust, dict[str, Any]()
        try:
            if found is None and folder is not None and (folder / LABELS).exists():
                found = trust(self.run, read_labels(folder / LABELS))
            if found is not None:
                parts["trust"] = found.to_dict()
            if cascade := read_cascade(folder):
                parts["cascade"] = {"curve": cascade.curve, "risk": cascade.fit.risk, "why": cascade.fit.why}
            if folder is not None and (folder / CANARIES).exists():
                parts["canaries"] = read_canaries(folder / CANARIES).series()
            if judges := _agreement(self.run):
                parts["judges"] = judges
        except MagistrateError as error:  # a report says what it can of a run, whatever lies beside it
            parts["why_not"] = error.message
        return parts or None

    @property
    def dataset(self) -> str:
        """The dataset's name as the run's header has it."""
        return str(self._config("dataset").get("name") or "cases")

    @property
    def dataset_path(self) -> str | None:
        """The dataset's absolute path; None where the cases did not come from a file."""
        path = self._config("dataset").get("path")
        return path if isinstance(path, str) and path else None

    def _config(self, key: str) -> dict[str, Any]:
        found: Any = self.run.header.config.get(key) or {}
        return dict(found)

    @cached_property
    def caveats(self) -> list[str]:
        """What a reader must know before the figures: an offline judge, a run that did not complete."""
        found = [OFFLINE] if self.run.judge == "offline" else []
        if self.run.state == "running":
            found.append("The run was killed or is still going on; --resume goes on with it.")
        elif self.run.state != "complete":
            ended = _ENDED.get(self.run.state, self.run.state)
            reason = f": {self.run.message}" if self.run.message else ""
            found.append(f"The run did not complete, {ended}{reason}. --resume goes on with it.")
        never = self.run.summary.without_token if self.run.summary.judged else ()
        found += [_CARRIED_NEVER.format(clip(model, 80)) for model in never]
        refused = self.run.summary.call_notes.get("refused", 0)
        if refused and "rephrase" not in (self._config("judge").get("prompts") or {"rephrase": ""}):
            found.append(f"{plural(refused, 'refusal')} would be put again in other words by --rephrase-refusals.")
        return found

    @property
    def exit_code(self) -> int | None:
        """The exit code that the gates give; None without gates."""
        return (
            None if self.checks is None else int(exit_code(self.run.state, self.checks, judged=self.run.summary.judged))
        )

    @property
    def outcome(self) -> Outcome | None:
        """Of all gates together; None without gates."""
        return together([item.outcome for item in self.checks or ()])

    @property
    def usage(self) -> str:
        """What all calls took, in a line."""
        no_calls = self.run.judge == "offline" or self.run.judge.startswith("nli:")
        usage, ended = self.run.summary.usage, self.run.state not in ("interrupted", "running")
        lost = "" if no_calls or ended or not usage.calls else "; calls that were given up are not counted"
        return usage_text(usage, whole=no_calls or self.run.state == "complete") + lost

    @cached_property
    def stability(self) -> Any:
        """Metric -> how far it depends on the judge's chance."""
        return stability(self.run)

    def unscored(self, metric: str, most: int) -> list[Unscored]:
        """The cases without a score by kind, at most so many kinds."""
        alike: dict[tuple[Status, str], list[str]] = {}
        results = (r for r in self.run.results if metric in r.metrics and r.metrics[metric].score is None)
        for result in islice(results, _READ):
            found = result.metrics[metric]
            reason = found.reason or ""
            kind = (found.status, "" if self.run.message and self.run.message in reason else reason)  # told already
            if kind in alike or len(alike) < most:
                alike.setdefault(kind, []).append(result.id)
        return [Unscored(ids[0], status, reason, len(ids) - 1) for (status, reason), ids in alike.items()]

    def worst(self, metric: str, most: int | None = None, outcome: Outcome | None = None) -> list[CaseResult]:
        """The cases that did worst, the worst first; only those of an outcome, if one is given."""
        entries = self.run.summary.worst.get(metric, ())
        results = (self.run.results[entry.position] for entry in entries)
        return [r for r in results if outcome is None or r.metrics[metric].outcome == outcome][:most]

    def undecided(self, most: int) -> Iterator[tuple[str, CaseResult]]:
        """The first inconclusive results without a score, each with its metric's name."""
        if any(figures.not_scored for figures in self.run.summary.metrics.values()):
            found = (
                (name, result)
                for result in self.run.results
                for name, metric in result.metrics.items()
                if metric.score is None and metric.outcome is Outcome.INCONCLUSIVE
            )
            yield from islice(found, most)


def inside(path: str | None, folder: Path) -> str | None:
    """The path as it is within a folder; None where it is not in it."""
    whole = folder.resolve()
    return Path(path).relative_to(whole).as_posix() if path is not None and Path(path).is_relative_to(whole) else None


def together(outcomes: Sequence[Outcome | None]) -> Outcome | None:
    """The outcome of several: fail if one fails, pass if all pass; None where there is none."""
    return next((o for o in (Outcome.FAIL, Outcome.INCONCLUSIVE, Outcome.PASS) if o in outcomes), None)


def wanted(threshold: float, direction: str) -> str:
    """What a score has to be: "at least 0.7"."""
    return f"at {'most' if direction == 'minimize' else 'least'} {threshold:g}"


def figures_rows(
    metrics: Sequence[tuple[str, Aggregate]], most: int
) -> Iterator[tuple[int, str, CategoryAggregate | None]]:
    """Depth, name and figures of each metric and category, of a metric the first categories."""
    for name, figures in metrics:
        yield 0, name, figures
        for category, part in islice(figures.categories.items(), most):
            yield 1, category, part
        if len(figures.categories) > most:
            yield 1, f"and {len(figures.categories) - most} more categories", None


def figures_cells(figures: CategoryAggregate) -> tuple[str, ...]:
    """Mean, interval, coverage and outcomes, as `HEADINGS` name them."""
    return (
        number(figures.mean),
        _between(figures.interval),
        f"{figures.n_scored} of {figures.n}",
        *(str(figures.outcomes.get(outcome, 0)) for outcome in Outcome),
    )


def _between(interval: Interval | None, sign: str = "") -> str:
    return f"{number(interval.low, sign=sign)} to {number(interval.high, sign=sign)}" if interval else ""


def change_cells(found: Comparison) -> dict[str, str]:
    """A comparison's figures, each under the heading of its column."""
    return {
        "baseline": number(found.mean_a),
        "this run": number(found.mean_b),
        "change": number(found.change, sign="+"),
        "95 % interval": _between(found.change_interval, "+") or "none",
        "relative": format_change(found.relative_change) or "none",
        "p": p_value(found.test.p_value),
        "better": str(len(found.wins)),
        "worse": str(len(found.losses)),
        "compared": f"{found.n} of {found.n_ids}",
    }


def flips(found: Comparison) -> list[tuple[Literal["fail", "pass"], tuple[Pair, ...]]]:
    """The cases that fail now, and those that pass now; neither where there are none."""
    sides = (found.flips.lost, found.flips.gained) if found.flips else ()
    both: Iterator[tuple[Literal["fail", "pass"], tuple[Pair, ...]]] = zip(("fail", "pass"), sides)  # noqa: B905
    return [(now, pairs) for now, pairs in both if pairs]


def score_text(metric: MetricResult) -> str:
    """A result's score, or what stands in for it: its status and bounds."""
    if metric.score is not None:
        return number(metric.score)
    bounds = f", between {number(metric.bounds[0])} and {number(metric.bounds[1])}" if metric.bounds else ""
    return f"{words_of(metric.status)}{bounds}"


def failing(metric: MetricResult) -> list[StatementVerdict]:
    """The statements that are not supported, the worst first."""
    found = (verdict for verdict in metric.verdicts if verdict.verdict is not Verdict.SUPPORTED)
    return sorted(found, key=lambda verdict: worst_first(verdict.verdict))
