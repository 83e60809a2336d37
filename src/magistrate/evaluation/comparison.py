"""A run held against another, against what `--baseline` names, or against its own repetitions: what may be chance."""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, cast
from weakref import WeakKeyDictionary

from magistrate import statistics
from magistrate.errors import ConfigurationError, DatasetError
from magistrate.evaluation.cases.answer_sources import BUNDLED, open_source, with_answers_of
from magistrate.evaluation.cases.columns import FieldMap
from magistrate.evaluation.cases.dataset import Dataset
from magistrate.evaluation.files import REPORT_KIND, RESULTS
from magistrate.evaluation.runs.results import CaseResult
from magistrate.evaluation.runs.run import Run, load_run
from magistrate.evaluation.runs.store import differences
from magistrate.metrics.base import MetricResult

_ADDRESS = "judge.api_base: "
"""Where a judge's model is served. The same model on another host or port judges the same."""
_NO_SCORE = ("threshold", "include_reason")
"""What decides no score in a metric's description: the threshold only says what passes."""
_SHOWN = 3
_LONGEST = 120
"""Differences that are named, and the characters of each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """A baseline as gates and reports take it."""

    name: str
    comparisons: Mapping[str, statistics.Comparison]
    notes: tuple[str, ...] = ()


def keyed(results: Iterable[CaseResult]) -> Iterator[tuple[str, CaseResult]]:
    """Give each result a key of its own: the case's id; "id (row 7)" where an earlier case has the same."""
    seen: set[str] = set()
    for result in results:
        key = result.id if result.id not in seen else f"{result.id} (row {result.index + 1})"
        seen.add(key)
        yield key, result


@dataclass(frozen=True, slots=True)
class _Facts:
    """What is compared of a run: by case the words of its question and, by metric, scores; who answered what prompt."""

    asked: dict[str, int] = field(default_factory=dict)
    scores: defaultdict[str, dict[str, float | None]] = field(default_factory=lambda: defaultdict(dict))
    calls: defaultdict[str, set[tuple[str, str]]] = field(default_factory=lambda: defaultdict(set))


_facts_of: WeakKeyDictionary[Run, _Facts] = WeakKeyDictionary()


def _facts(run: Run) -> _Facts:
    if (known := _facts_of.get(run)) is not None:
        return known
    facts = _Facts()
    for key, result in keyed(run.results):
        words = tuple((result.case.question or "").split())
        facts.asked[key] = hash(words) if words else 0
        for name, metric in result.metrics.items():
            facts.scores[name][key] = metric.score
            facts.calls[name].update(
                (call.completion.model or call.requested_model, f"{call.prompt.name} {call.prompt.version}")
                for call in result.calls_of(metric.metric if metric.metric in result.metrics else name)
                if call.completion is not None
            )
    return _facts_of.setdefault(run, facts)


def compare_with(run: Run, baseline: Run, name: str) -> Baseline:
    """Compare a run with a baseline, case by case, in every metric that both have."""
    apart = dict.fromkeys(others := other_questions(run, baseline), " (another question)")  # a key that no run has
    ours, theirs = _facts(run).scores, _facts(baseline).scores
    comparisons = {}
    for metric, figures in run.summary.metrics.items():
        if metric in theirs:
            direction = cast("Literal['maximize', 'minimize']", figures.direction)
            scores = {f"{key}{apart.get(key, '')}": score for key, score in theirs[metric].items()}
            comparisons[metric] = statistics.compare_paired(
                scores, ours[metric], threshold=figures.threshold, direction=direction
            )
    return Baseline(name=name, comparisons=comparisons, notes=tuple(_notes(run, baseline, set(comparisons), others)))


def other_questions(first: Run, second: Run) -> list[str]:
    """The ids under which two runs have different questions: they are not the same case."""
    asked, others = _facts(first).asked, _facts(second).asked
    return [key for key, words in others.items() if words and asked.get(key, 0) not in (0, words)]


def comparable(first: Run, second: Run, *, allow: bool = False) -> None:
    """Refuse to compare what was not judged alike."""
    shared = {name for name in first.summary.metrics if name in second.summary.metrics}
    if not shared:
        raise ConfigurationError(
            f"nothing to compare: one run measured {', '.join(first.summary.metrics) or 'nothing'}, the other "
            f"{', '.join(second.summary.metrics) or 'nothing'}"
        )
    shared_ids = _facts(first).asked.keys() & _facts(second).asked.keys()
    if not shared_ids:
        raise ConfigurationError("nothing to compare: the two runs have no case id in common")
    if len(others := other_questions(first, second)) == len(shared_ids):
        raise ConfigurationError(f"nothing to compare: {_asked_otherwise(others)}")
    found = [change for change in _differing(first, second) if not change.startswith(_ADDRESS)]
    if found and not allow:
        raise ConfigurationError(
            "the runs were judged differently, so their scores cannot be compared: "
            f"{judged_otherwise(first.header.config, second.header.config, found)}. --allow-different compares them "
            "all the same, and says so"
        )


def config_differences(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[str]:
    """What differs in how two runs are judged as far as their configurations tell, in the metrics that both have."""
    old, new = (
        {
            str(metric.get("name")): {key: value for key, value in metric.items() if key not in _NO_SCORE}
            for metric in config.get("metrics", ())
        }
        for config in (first, second)
    )
    shared = sorted(old.keys() & new.keys())
    return differences(
        {"judge": first.get("judge"), "metrics": {name: old[name] for name in shared}},
        {"judge": second.get("judge"), "metrics": {name: new[name] for name in shared}},
    )


def refused_differences(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[str]:
    """Those of `config_differences` that keep scores from being compared: all but the provider's address."""
    return [change for change in config_differences(first, second) if not change.startswith(_ADDRESS)]


def judged_otherwise(first: Mapping[str, Any], second: Mapping[str, Any], found: Iterable[str]) -> str:
    """What differs in how two runs were judged, in one line."""
    judges = [side.get("judge") or {} for side in (first, second)]
    old, new = (str(judge.get("model") or judge.get("name")) for judge in judges)
    if old != new:
        about = ("judge.", "judge: ", "served models: ", "prompts: ")
        found = [f"judge: {old!r} -> {new!r}", *(change for change in found if not change.startswith(about))]
    changes = [change if len(change) <= _LONGEST else f"{change[: _LONGEST - 1]}…" for change in found]
    more = [f"and {len(changes) - _SHOWN} more"] if len(changes) > _SHOWN else []
    return "; ".join([*changes[:_SHOWN], *more])


def _asked_otherwise(ids: Sequence[str]) -> str:
    listed = ", ".join(ids[:_SHOWN]) + (", ..." if len(ids) > _SHOWN else "")
    return f"{len(ids)} cases of one id have different questions ({listed}): --map id=COLUMN says which is which"


def _notes(run: Run, baseline: Run, shared: set[str], others: Sequence[str]) -> Iterator[str]:
    if not shared:
        yield "The two runs have no metric in common."
    if others:
        yield f"Not compared: {_asked_otherwise(others)}."
    if found := _differing(baseline, run):
        yield f"Judged otherwise: {judged_otherwise(baseline.header.config, run.header.config, found)}"
    for which, other in (("baseline", baseline), ("run", run)):
        if other.state != "complete":
            yield f"The {which} did not complete ({other.state})."


def _differing(first: Run, second: Run) -> list[str]:
    """What differs in how two runs were judged, in the metrics that both have."""
    shared = first.summary.metrics.keys() & second.summary.metrics.keys()
    found = config_differences(first.header.config, second.header.config)
    return found + differences(_served(first, shared), _served(second, shared))


def _served(run: Run, shared: Collection[str]) -> dict[str, Any]:
    """Which models answered which prompts, in the metrics that are compared."""
    calls = {call for name in shared for call in _facts(run).calls[name]}
    return {"served models": sorted({model for model, _ in calls}), "prompts": sorted({name for _, name in calls})}


_HEAD = 4096


def open_baseline(baseline: str, dataset: Dataset, *, mapping: FieldMap | Sequence[str] | None = None) -> Run | Dataset:
    """Open a baseline."""
    path = Path(baseline)
    if path.is_dir() or path.name == RESULTS:
        return load_run(path)
    if path.is_file():
        with path.open("rb") as file:
            is_report = path.suffix == ".json" and f'"kind": "{REPORT_KIND}"'.encode() in file.read(_HEAD)
        return load_run(path) if is_report else Dataset(path, mapping=mapping)
    if baseline.startswith(BUNDLED):
        return open_source(baseline)
    if ":" not in baseline and (path.suffix or len(path.parts) > 1):
        raise DatasetError(f"{baseline}: no such run or dataset to compare with", path=baseline)
    return with_answers_of(dataset, baseline)


def baseline_name(baseline: str) -> str:
    """What reports call a baseline: the name of the system, or of the file or folder without its ending."""
    path = Path(baseline)
    if not path.exists():
        return baseline
    return path.parent.name if path.name in (RESULTS, "report.json") and path.parent.name else path.stem or baseline


REPEATS = "repeats"
"""Where a result's details hold what the repetitions said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricStability:
    """How far a metric's results depend on the judge's chance, measured by repetitions."""

    repeats: int
    outcomes: statistics.RunStability
    verdict_flip_rate: float | None
    noise: statistics.NoiseFloor

    @property
    def half_width(self) -> float | None:
        """How much the mean changes between two single runs by chance, with 95 % confidence; None where unknown."""
        return self.noise.half_width_within


def with_repeats(result: MetricResult, repeats: Sequence[MetricResult]) -> MetricResult:
    """A majority's result, with what each repetition would have said and what all of them cost."""
    columns = zip(*(one.verdicts for one in repeats), strict=False)
    flips = [statistics.flip_rate([verdict.verdict for verdict in column]) for column in columns]
    rates = [rate for rate in flips if rate is not None]
    details = {
        **result.details,
        REPEATS: {
            "n": len(repeats),
            "scores": [one.score for one in repeats],
            "statuses": [one.status.value for one in repeats],
            "outcomes": [one.outcome.value for one in repeats],
            "flip_rate": statistics.flip_rate([one.outcome.value for one in repeats]),
            "verdict_flip_rate": math.fsum(rates) / len(rates) if rates else None,
        },
    }
    usage, calls = result.usage, result.calls
    for one in repeats:  # what the majority asked is counted there; a repetition may have gone its own way after that
        usage += one.usage
        calls += tuple(call for call in one.calls if not call.shared)
    return replace(result, details=details, usage=usage, calls=calls)


def stability(run: Run) -> dict[str, MetricStability]:
    """Name of the metric -> its stability; empty for a run without repetitions."""
    if run.header.config.get("repeat", 1) == 1:
        return {}
    found: dict[str, dict[str, Mapping[str, Any]]] = {}
    for key, result in keyed(run.results):
        for name, metric in result.metrics.items():
            if isinstance(said := metric.details.get(REPEATS), Mapping):
                found.setdefault(name, {})[key] = said
    return {name: _stability(said) for name, said in found.items()}


def _stability(cases: Mapping[str, Mapping[str, Any]]) -> MetricStability:
    n = max(len(said["scores"]) for said in cases.values())
    scores, outcomes = (
        [{key: said[what][at] for key, said in cases.items() if at < len(said[what])} for at in range(n)]
        for what in ("scores", "outcomes")
    )
    flips = [float(rate) for said in cases.values() if (rate := said.get("verdict_flip_rate")) is not None]
    return MetricStability(
        repeats=n,
        outcomes=statistics.run_stability(outcomes),
        verdict_flip_rate=math.fsum(flips) / len(flips) if flips else None,
        noise=statistics.noise_floor(scores),
    )


def noise_of(run: Run) -> dict[str, float]:
    """Name of the metric -> how much its mean changes by the judge's chance, where that was measured."""
    return {name: found.half_width for name, found in stability(run).items() if found.half_width is not None}
