"""A comparison of two runs: for the terminal, and as JSON holds it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from magistrate.evaluation.comparison import Baseline
from magistrate.report.text import clip, printable
from magistrate.statistics import Comparison, Interval, McNemarTest, Pair, format_change

__all__ = ["baseline_dict", "print_baseline"]

_FLIPS_SHOWN = 10
_HEADINGS = ("baseline", "this run", "change", "95 % interval", "relative", "p", "better", "worse", "of")
_WIDE = 1000
"""More columns than any such table needs."""
_LEAST_P = 0.001
"""p-values below are not written out: none is 0."""


def print_baseline(baseline: Baseline, console: Console, *, flips: int = _FLIPS_SHOWN) -> None:
    """Print what changed against a baseline: means, changes with their intervals, the test, the cases that flipped.

    Args:
        baseline: The comparison.
        console: Where to.
        flips: How many cases to name of those that flipped, per metric.
    """
    console.print()
    console.print(Text.assemble(("Against ", "bold"), (printable(baseline.name), "bold")))
    for note in baseline.notes:
        console.print(Text(printable(note), style="bold yellow"))
    if not baseline.comparisons:
        return
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", show_edge=False)
    table.add_column("", overflow="fold")
    for heading in _HEADINGS:
        table.add_column(heading, justify="right", no_wrap=True)
    for name, found in baseline.comparisons.items():
        table.add_row(Text(printable(name), style="bold"), *map(Text, _cells(found)))
    if Measurement.get(console, console.options.update(max_width=_WIDE), table).maximum <= console.width:
        console.print(table)
    else:  # where the table does not fit, a cut one would hide figures: a few lines a metric
        for name, found in baseline.comparisons.items():
            _print_lines(name, found, console)
    for name, found in baseline.comparisons.items():
        _print_notes(name, found, console, flips)


def _cells(found: Comparison) -> Iterator[str]:
    yield _figure(found.mean_a)
    yield _figure(found.mean_b)
    yield "none" if found.change is None else f"{found.change:+.3f}"
    interval = found.change_interval
    yield f"{interval.low:+.3f} to {interval.high:+.3f}" if interval else "none"
    yield format_change(found.relative_change) or "none"
    p = found.test.p_value
    yield "none" if p is None else "<0.001" if p < _LEAST_P else f"{p:.3f}"
    yield str(len(found.wins))
    yield str(len(found.losses))
    yield f"{found.n} of {found.n_ids}"


def _print_lines(name: str, found: Comparison, console: Console) -> None:
    before, now, change, interval, relative, p, better, worse, of = _cells(found)
    console.print(Text(printable(name), style="bold"))
    console.print(Text(f"  {before} to {now}, change {change} ({relative}), 95 % interval {interval}"))
    console.print(Text(f"  {better} better, {worse} worse, {of} compared; p {p}"))


def _print_notes(name: str, found: Comparison, console: Console, most: int) -> None:
    if found.minimum_detectable_effect is not None:
        console.print(
            Text(
                f"{printable(name)}: a true change below {found.minimum_detectable_effect:.3f} may well go unseen here"
            ),
            style="dim",
        )
    for note in found.notes:
        console.print(Text(f"{printable(name)}: {note}"), style="dim")
    if found.flips is None:
        return
    for verb, pairs, style in (("fail", found.flips.lost, "red"), ("pass", found.flips.gained, "green")):
        for pair in pairs[:most]:
            line = Text(f"{printable(name)}: ")
            line.append(clip(pair.id, 60), style="bold")
            line.append(f" now {verb}{'es' if verb == 'pass' else 's'}", style=style)
            line.append(f", {pair.a:.3f} to {pair.b:.3f}")
            console.print(line)
        if len(pairs) > most:
            console.print(f"{printable(name)}: and {len(pairs) - most} more now {verb}")


def _figure(value: float | None) -> str:
    return "none" if value is None else f"{value:.3f}"


def baseline_dict(baseline: Baseline) -> dict[str, Any]:
    """A comparison as JSON holds it; what is undefined is null and `notes` says why."""
    return {
        "name": baseline.name,
        "notes": list(baseline.notes),
        "metrics": {name: _comparison(found) for name, found in baseline.comparisons.items()},
    }


def _comparison(found: Comparison) -> dict[str, Any]:
    flips = found.flips
    return {
        "direction": found.direction,
        "cases": found.n_ids,
        "compared": found.n,
        "coverage": found.coverage,
        "mean_baseline": found.mean_a,
        "mean": found.mean_b,
        "change": found.change,
        "change_interval": _interval(found.change_interval),
        "change_bounds": list(found.change_bounds) if found.change_bounds else None,
        "relative_change": found.relative_change,
        "relative_change_interval": _interval(found.relative_change_interval),
        "confidence": found.confidence,
        "test": "mcnemar" if isinstance(found.test, McNemarTest) else "wilcoxon",
        "p_value": found.test.p_value,
        "minimum_detectable_effect": found.minimum_detectable_effect,
        "wins": _pairs(found.wins),
        "losses": _pairs(found.losses),
        "ties": len(found.ties),
        "now_passes": _pairs(flips.gained) if flips else None,
        "now_fails": _pairs(flips.lost) if flips else None,
        "unscored_in_baseline": list(found.unscored_in_a),
        "unscored": list(found.unscored_in_b),
        "unscored_in_both": list(found.unscored_in_both),
        "only_in_baseline": list(found.only_in_a),
        "only_in_run": list(found.only_in_b),
        "notes": list(found.notes),
    }


def _interval(interval: Interval | None) -> list[float] | None:
    return [interval.low, interval.high] if interval else None


def _pairs(pairs: tuple[Pair, ...]) -> list[dict[str, Any]]:
    return [{"id": pair.id, "baseline": pair.a, "score": pair.b} for pair in pairs]
