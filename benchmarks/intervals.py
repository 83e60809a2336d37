"""How fast intervals are, and how often they hold the true value.

    python benchmarks/intervals.py [--trials 400] [--only speed,coverage]

Speed: an interval of 10,000 cases (from 400 resamples), in CPU time, next to the floor of drawing every case with
`random.choices` and taking two percentiles, in the same run.

Coverage: samples of known distributions, and how many of the 95 % intervals hold the true mean. The default of
`mean_interval` (expanded BCa, with Student's interval for fewer than 8 cases and a bound of its own where all are
equal) next to the plain percentile interval as the floor, and Student's. "low" and "high" count the
intervals that lie below and above the true mean. Exit code 1 if the default is slower than the floor, or covers less
than it in the mean of all rows, or less than 93 % in the mean of the rows with 20 cases or more.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from magistrate.statistics import (
    Bootstrap,
    Interval,
    change_interval,
    mean_interval,
    percentile,
    relative_change_interval,
)
from magistrate.statistics.intervals import t_interval

CASES, RESAMPLES = 10_000, 2_000
SIZES = (5, 10, 20, 50, 100, 300)
LEAST_COVERAGE = 0.93


def floor_interval(values: Sequence[float], *, resamples: int = RESAMPLES) -> tuple[float, float]:
    """The percentile bootstrap as it is usually written."""
    choices = Random(0).choices
    means = sorted(sum(choices(values, k=len(values))) / len(values) for _ in range(resamples))
    return percentile(means, 0.025), percentile(means, 0.975)


def cpu(call: Callable[[], object]) -> float:
    """CPU seconds of one call, the best of three."""
    times = []
    for _ in range(3):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


def speed() -> bool:
    """Print the times; whether every interval of a mean is faster than the floor."""
    draw = Random(1)
    different = [draw.random() for _ in range(CASES)]
    fractions = [draw.randint(0, whole) / whole for whole in (draw.randint(1, 12) for _ in range(CASES))]
    passes = [float(draw.random() < 0.8) for _ in range(CASES)]
    later = [min(1.0, value + draw.random() / 10) for value in different]
    better = [max(value, other) for value, other in zip(fractions, reversed(fractions), strict=True)]
    floor = cpu(lambda: floor_interval(different))
    print(f"{CASES:,} cases, {RESAMPLES:,} resamples: CPU seconds, and how many times the floor is slower")
    print(f"  {'floor: random.choices, percentile':46} {floor:7.3f}")
    means = {
        "mean, all values different": lambda: mean_interval(different),
        "mean, fractions up to 12/12": lambda: mean_interval(fractions),
        "mean, passed or failed": lambda: mean_interval(passes),
        "change, all pairs different": lambda: change_interval(different, later),
        "change, fractions up to 12/12": lambda: change_interval(fractions, better),
    }
    ratios = []
    for name, call in means.items():
        seconds = cpu(call)
        ratios.append(floor / seconds)
        print(f"  {name:46} {seconds:7.3f} {ratios[-1]:6.1f} x")
    for name, first, second in (
        ("all pairs different", different, later),
        ("fractions up to 12/12", fractions, better),
    ):
        seconds = cpu(lambda first=first, second=second: relative_change_interval(first, second))
        print(f"  {'relative change (two sums), ' + name:46} {seconds:7.3f} {floor / seconds:6.1f} x")
    return min(ratios) > 1.0


@dataclass(frozen=True)
class Population:
    """Values with a known mean.

    Attributes:
        name: What it is like.
        draw: Draws one value.
        mean: Its true mean.
        low: Least possible value.
    """

    name: str
    draw: Callable[[Random], float]
    mean: float
    low: float = 0.0


POPULATIONS = (
    Population("uniform", lambda rng: rng.random(), 0.5),
    Population("skewed, most near 1", lambda rng: 1.0 - rng.random() ** 3, 0.75),
    Population("fifths, each 85 % likely", lambda rng: sum(rng.random() < 0.85 for _ in range(5)) / 5, 0.85),
    Population("80 % are 1, else uniform", lambda rng: 1.0 if rng.random() < 0.8 else rng.random(), 0.9),
    Population("90 % pass", lambda rng: float(rng.random() < 0.9), 0.9),
    Population(
        "changes: 80 % 0, else -.6 to 1", lambda rng: rng.uniform(-0.6, 1.0) if rng.random() < 0.2 else 0.0, 0.04, -1.0
    ),
)


def student(values: Sequence[float]) -> Interval:
    """Student's interval as in every textbook."""
    n = len(values)
    mean = math.fsum(values) / n
    error = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (n - 1) / n)
    return t_interval(mean, error, n)


def methods(population: Population, seed: int) -> dict[str, Callable[[Sequence[float]], Interval | None]]:
    """The intervals to compare."""
    plan = Bootstrap(resamples=1000, seed=seed)
    return {
        "default": lambda values: mean_interval(values, plan, low=population.low),
        "percentile": lambda values: Interval(*floor_interval(values, resamples=1000), "percentile"),
        "Student": student,
    }


@dataclass
class Tally:
    """Where the true mean was."""

    held: int = 0
    below: int = 0
    above: int = 0
    widths: list[float] = field(default_factory=list)

    def add(self, interval: Interval, mean: float) -> None:
        """Count one interval."""
        self.below += interval.high < mean - 1e-12
        self.above += interval.low > mean + 1e-12
        self.held += interval.low - 1e-12 <= mean <= interval.high + 1e-12
        self.widths.append(interval.high - interval.low)


def tallies(population: Population, n: int, trials: int) -> dict[str, Tally]:
    """Intervals of many samples of n values."""
    rng = Random(1000 * n)
    found: dict[str, Tally] = {}
    for trial in range(trials):
        values = [population.draw(rng) for _ in range(n)]
        equal = max(values) == min(values)
        for name, method in methods(population, trial).items():
            # Without spread a plain bootstrap gives the value itself; only the default knows better.
            interval = Interval(values[0], values[0], name) if equal and name != "default" else method(values)
            if interval is None:
                raise AssertionError(f"{name} gave no interval for {values}")
            found.setdefault(name, Tally()).add(interval, population.mean)
    return found


def rows(trials: int) -> Iterator[tuple[int, dict[str, Tally]]]:
    """Print a row a population and size, and yield it."""
    print(
        f"\ncoverage of nominal 95 %, {trials} samples a row: share that holds the mean (too low/too high), mean width"
    )
    for population in POPULATIONS:
        for n in SIZES:
            found = tallies(population, n, trials)
            cells = (
                f"{name} {tally.held / trials:.3f} ({tally.below / trials:.3f}/{tally.above / trials:.3f}) "
                f"{sum(tally.widths) / trials:.3f}"
                for name, tally in found.items()
            )
            print(f"  {population.name:31} n={n:<4}", "   ".join(cells), flush=True)
            yield n, found


def coverage(trials: int) -> bool:
    """Print the table; whether the default keeps what it says, and more than the floor does."""
    table = list(rows(trials))

    def mean_of(name: str, least: int) -> float:
        shares = [found[name].held / trials for n, found in table if n >= least]
        return sum(shares) / len(shares)

    names = tuple(table[0][1])
    for least in (min(SIZES), 20):
        print(f"  mean, n >= {least}:", "   ".join(f"{name} {mean_of(name, least):.3f}" for name in names))
    everywhere = min(SIZES)
    return mean_of("default", 20) >= LEAST_COVERAGE and mean_of("default", everywhere) >= mean_of(
        "percentile", everywhere
    )


def main() -> int:
    """Run what was asked for; 1 if it falls short."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--trials", type=int, default=400, help="samples a row of the coverage table")
    parser.add_argument("--only", default="speed,coverage", help="speed, coverage or both")
    options = parser.parse_args()
    parts = {"speed": speed, "coverage": lambda: coverage(options.trials)}
    done = [parts[name]() for name in options.only.split(",")]
    return 0 if all(done) else 1


if __name__ == "__main__":
    sys.exit(main())
