"""Gates: from the figures of a run to an exit code."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

from magistrate.errors import ConfigurationError, meant
from magistrate.evaluation.aggregate import Aggregate, RunSummary
from magistrate.evaluation.comparison import Baseline
from magistrate.evaluation.runs.store import RunState
from magistrate.metrics.base import TOLERANCE
from magistrate.prompts import shipped_folder
from magistrate.statistics import Comparison
from magistrate.user_code import read_toml
from magistrate.verdict import Outcome

_NAMED = 8
_LONGEST_ID = 60


class ExitCode(IntEnum):
    """What the command line answers with."""

    OK = 0
    """Completed, and every gate passed, if there is one."""
    GATE_FAILED = 1
    """A gated figure fails, whatever the missing scores would be."""
    USAGE = 2
    """A wrong option, configuration or input."""
    UNDECIDED = 3
    """A gated figure passes or fails depending on scores that are missing, or the provider of the judge is down."""
    STOPPED = 4
    """The budget was spent, or the run was interrupted."""
    WAITING = 5
    """A batch of the provider is under way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """What the figures of one metric must reach.

    Attributes:
        metric: Name of the metric; None for every metric of the run.
        threshold: Least mean (greatest, where less is better); None for the metric's own threshold, if `gate_mean`.
        min_coverage: Least share of cases with a score, in [0, 1]; None to ask for none.
        gate_mean: Whether the mean is gated.
        max_drop: How much worse than the baseline's the mean may be, over the cases that both scored, in [0, 1]; None
            to ask for nothing.
    """

    metric: str | None = None
    threshold: float | None = None
    min_coverage: float | None = None
    gate_mean: bool = True
    max_drop: float | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """One gated figure: what was asked, what came out, in words; and the cases behind it, where it says which."""

    metric: str
    figure: str
    outcome: Outcome
    message: str
    cases: tuple[str, ...] = ()


def check(
    summary: RunSummary,
    gates: Iterable[Gate],
    baseline: Baseline | None = None,
    noise: Mapping[str, float] | None = None,
) -> list[Check]:
    """Hold the figures of a run against its gates.

    A gate without a metric holds for every metric; its threshold only for those of which more is better, if there are
    any.

    The mean is taken over all cases. Where a score is missing, the lowest and highest possible mean are used: the
    gate passes if even the lowest passes, fails if even the highest fails, and is undecided between. The coverage is
    known, so it passes or fails. A metric that was not measured is undecided.

    A drop passes if the interval of the change (95 %, BCa over the cases) holds no drop beyond `max_drop`, whatever the
    scores are that one of the runs lacks; or if no case got worse. It fails if it is beyond `max_drop` whatever they
    are, and the interval says that it is a drop at all. What the cases are too few to tell is undecided, and so never
    passes. Cases that neither run scored, and those that only one has, are left out and counted in the message.
    """
    checks: list[Check] = []
    directions = {figures.direction for figures in summary.metrics.values()}
    better = "maximize" if "maximize" in directions else "minimize"
    for gate in gates:
        if gate.metric is not None and gate.metric not in summary.metrics:
            message = f"{gate.metric} was not measured"
            checks.append(Check(gate.metric, "metric", Outcome.INCONCLUSIVE, message))
        for name, figures in summary.metrics.items():
            if gate.metric not in (None, name):
                continue
            if (least := gate.min_coverage) is not None:
                outcome = Outcome.PASS if figures.coverage >= least - TOLERANCE else Outcome.FAIL
                scored = f"{figures.n_scored} of {_cases(figures.n)} scored"
                message = f"coverage {figures.coverage:.3f} ({scored}); at least {least:g} is required"
                checks.append(Check(name, "coverage", outcome, message))
            if gate.gate_mean and (gate.metric or gate.threshold is None or figures.direction == better):
                checks.append(_mean(figures, figures.threshold if gate.threshold is None else gate.threshold))
            if gate.max_drop is not None:
                checks.append(_drop(name, gate.max_drop, baseline, (noise or {}).get(name)))
    return checks


def _drop(metric: str, most: float, baseline: Baseline | None, noise: float | None) -> Check:
    allowed = f"the gate allows {metric} a drop of {most:g}"
    if baseline is None:
        raise ConfigurationError(f"{allowed}, but against what? Give a --baseline")
    if noise is not None and most < noise - TOLERANCE:
        raise ConfigurationError(
            f"{allowed}, less than its measured noise of {noise:.4f}: it would fail by chance. Allow at least "
            f"{noise:.4f}, or judge with less noise"
        )
    found = baseline.comparisons.get(metric)
    if found is None or found.change is None or found.change_bounds is None:
        message = f"no case has a score in both runs to compare with {_clipped(baseline.name)}"
        return Check(metric, "drop", Outcome.INCONCLUSIVE, message)
    sign = 1.0 if found.direction == "maximize" else -1.0
    span = _span(found)
    drops = sorted(-sign * end for end in span)
    ends = sorted(-sign * end for end in (interval.low, interval.high)) if (interval := found.change_interval) else None
    # How much worse the worst end of the interval is than the change itself: so much further may each drop reach.
    room = 0.0 if not found.losses else None if ends is None else ends[1] + sign * found.change
    reach = None if room is None else drops[1] + room
    outcome = Outcome.INCONCLUSIVE
    if reach is not None and reach <= most + TOLERANCE:
        outcome = Outcome.PASS
    elif drops[0] > most + TOLERANCE and ends is not None and ends[0] > 0.0:
        outcome = Outcome.FAIL
    lost = found.flips.lost if found.flips else ()
    worse = tuple(dict.fromkeys(pair.id for pair in (*lost, *found.losses)))
    message = "; ".join(_said(found, baseline.name, most, span))
    if outcome is Outcome.INCONCLUSIVE:
        unknown = "cannot be known" if reach is None else f"may be up to {min(1.0, reach):.3f}"
        message += f"; too few {'cases' if drops[0] == drops[1] else 'scores'} to tell: the drop {unknown}"
    if outcome is not Outcome.PASS and worse:
        more = f" and {len(worse) - _NAMED} more" if len(worse) > _NAMED else ""
        message += f"; worse: {', '.join(_clipped(name) for name in worse[:_NAMED])}{more}"
    return Check(metric, "drop", outcome, message, worse)


def _said(found: Comparison, baseline: str, most: float, span: tuple[float, float]) -> Iterator[str]:
    """The change and what it is over, part by part."""
    interval = found.change_interval
    shown = f" (95 % interval {interval.low:+.3f} to {interval.high:+.3f})" if interval else ""
    yield (
        f"change {found.change:+.3f}{shown} against {_clipped(baseline)} over {_cases(found.n)}, a drop of at most "
        f"{most:g} allowed"
    )
    missing = len(found.unscored_in_a) + len(found.unscored_in_b)
    if missing:
        yield f"with the {_cases(missing)} that only one run scored it lies between {span[0]:+.3f} and {span[1]:+.3f}"
    if found.unscored_in_both:
        yield f"{_cases(len(found.unscored_in_both))} left out that neither run scored"
    alone = len(found.only_in_a) + len(found.only_in_b)
    if alone:
        yield f"{_cases(alone)} left out that only one run has"


def _span(found: Comparison) -> tuple[float, float]:
    """The bounds of the change without the cases that neither run scored: those tell of no change."""
    low, high = found.change_bounds or (0.0, 0.0)
    silent = len(found.unscored_in_both)
    shared = found.n + silent + len(found.unscored_in_a) + len(found.unscored_in_b)
    # Each of them may change by 1 either way, as far as the bounds over all cases know.
    return (low * shared + silent) / (shared - silent), (high * shared - silent) / (shared - silent)


def _cases(count: int) -> str:
    return "1 case" if count == 1 else f"{count} cases"


def _clipped(name: str) -> str:
    """A case id on one line: ids are a dataset's text."""
    line = " ".join(name.split())
    return line if len(line) <= _LONGEST_ID else line[: _LONGEST_ID - 1] + "…"


def _mean(figures: Aggregate, threshold: float) -> Check:
    if figures.bounds is None:
        return Check(figures.metric, "mean", Outcome.INCONCLUSIVE, "no case was judged")
    low, high = figures.bounds
    less, sign = ("at most", -1) if figures.direction == "minimize" else ("at least", 1)
    worst, best = sorted((sign * (low - threshold), sign * (high - threshold)))
    missing = f": {figures.n - figures.n_scored} of {_cases(figures.n)} without a score"
    value = f"mean between {low:.3f} and {high:.3f}{missing}"
    if figures.n_scored == figures.n and high - low <= TOLERANCE:
        value = f"mean {low:.3f} over {_cases(figures.n)}"
    outcome = Outcome.PASS if worst >= -TOLERANCE else Outcome.FAIL if best < -TOLERANCE else Outcome.INCONCLUSIVE
    return Check(figures.metric, "mean", outcome, f"{value}; {less} {threshold:g} is required")


def exit_code(state: RunState, checks: Sequence[Check] | None, *, judged: bool = True) -> ExitCode:
    """The exit code of a run that could be started."""
    if state != "complete":
        codes = {"failed": ExitCode.USAGE, "judge_down": ExitCode.UNDECIDED, "pending": ExitCode.WAITING}
        return codes.get(state, ExitCode.STOPPED)
    outcomes = {item.outcome for item in checks or ()}
    if Outcome.FAIL in outcomes:
        return ExitCode.GATE_FAILED
    undecided = checks is not None and (Outcome.INCONCLUSIVE in outcomes or not checks)
    return ExitCode.UNDECIDED if undecided or not judged else ExitCode.OK


_KEYS = ("threshold", "min_coverage", "max_drop")


def load_gates(source: str | Path) -> list[Gate]:
    """Load the gates of a file, or those that the package ships under a name: "vera", "seeds".

    The file holds a table for each metric, and one for what holds for all that do not say otherwise:

        [default]
        min_coverage = 0.95

        [metrics.faithfulness]
        threshold = 0.85      # least mean; greatest where less is better
        max_drop = 0.02       # against the baseline, which --baseline names
    """
    name, path, shipped = str(source), Path(source), shipped_gates()
    is_file = path.suffix or path.exists()
    if not is_file and name not in shipped:
        hint = meant(name, shipped) or f" The package ships {', '.join(shipped)}"
        raise ConfigurationError(f"{path}: no such gate file.{hint}")
    given = read_toml(path if is_file else shipped_folder("gates") / f"{name}.toml", "a gate file")
    if unknown := given.keys() - {"default", "metrics"}:
        key = min(unknown)
        raise ConfigurationError(f"{name}: unknown table [{key}]: a gate file holds [default] and [metrics.NAME]")
    default = _checked(given.get("default", {}), name, "default")
    tables = given.get("metrics")
    if not isinstance(tables, Mapping) or not tables:
        raise ConfigurationError(f"{name}: no [metrics.NAME] table, so nothing would be gated")
    gates = []
    for metric, table in tables.items():
        own = {**default, **_checked(table, name, f"metrics.{metric}")}
        if not own:
            raise ConfigurationError(f"{name}: [metrics.{metric}] asks for nothing: give {', '.join(_KEYS)}")
        gates.append(Gate(metric=metric, gate_mean="threshold" in own, **own))
    return gates


def shipped_gates() -> list[str]:
    """The names of the gate files that the package ships."""
    names = (item.name for item in shipped_folder("gates").iterdir())
    return sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml"))


def _checked(table: Any, name: str, where: str) -> dict[str, float]:
    if not isinstance(table, Mapping):
        raise ConfigurationError(f"{name}: {where} is a table, such as [{where}]")
    for key, value in table.items():
        if key not in _KEYS:
            hint = meant(key, _KEYS) or f" It may hold {', '.join(_KEYS)}"
            raise ConfigurationError(f"{name}: [{where}] holds {key!r}.{hint}")
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0.0 <= value <= 1.0:
            raise ConfigurationError(f"{name}: [{where}] {key} is a number from 0 to 1, not {value!r}")
    return {key: float(value) for key, value in table.items()}
