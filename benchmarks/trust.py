"""How far the methods of `magistrate.trust` hold what they promise: coverage, width, guarantees and alarms, simulated.

    python benchmarks/trust.py [--draws N] [--only NAME ...]

Every figure stands beside what it must reach; the exit code is 1 where one does not. Seeds are fixed.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import fmean, median

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.trust.worlds import WORLDS, World, clustered_world, panel, withheld_world, world

from magistrate.trust import (
    Answer,
    Judgement,
    Key,
    Paired,
    balanced_accuracy,
    calibrate,
    calibration_error,
    correct,
    correct_mean,
    draw,
    drift_evidence,
    fit_cascade,
    panel_worth,
    plan_labels,
)

Figure = tuple[str, float, str, float]
"""What, the figure, ">=" or "<=", what it must reach."""

FULL = 600
"""Draws for which the bounds of coverage are meant; of fewer, chance is allowed for by three standard errors."""


def at_least(bound: float, draws: int) -> float:
    """A bound for a share of covering intervals."""
    return bound - max(0.0, 3 * math.sqrt(0.05 * 0.95) * (draws**-0.5 - FULL**-0.5))


PHIS = (0.1, 0.2, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85)
"""Correlations of judge and people, spread as those of recorded judges are."""


def judge_of(rng: random.Random, phi: float, rate: float, n: int) -> tuple[list[Judgement], dict[Key, bool]]:
    """A judge whose verdicts correlate with people's by phi and say yes as often as they; surer where it is right."""
    rows, truth = [], {}
    for i in range(n):
        label = rng.random() < rate
        yes = label if rng.random() < phi else rng.random() < rate
        sure = rng.betavariate(4, 1.5) if yes == label else rng.betavariate(2.5, 2)
        verdict = "supported" if yes else "unsupported"
        rows.append(Judgement(case_id=str(i), verdict=verdict, positive=yes, confidence=sure))
        truth[str(i), None] = label
    return rows, truth


def coverage(
    make: Callable[[random.Random], tuple[list[Judgement], dict[Key, bool]]], n: int, draws: int, seed: int
) -> tuple[float, float, float, float]:
    """Shares of draws whose interval holds the truth and the judge's own figure's does; mean widths, worth."""
    rng = random.Random(seed)
    held = alone = 0
    ratios, worths = [], []
    for _ in range(draws):
        rows, truth = make(rng)
        cases = set(rng.sample(sorted({row.case_id for row in rows}), n))
        found = correct(rows, {key: label for key, label in truth.items() if key[0] in cases})
        true = fmean(truth.values())
        held += true in found.interval
        own = 1.96 * math.sqrt(found.judge * (1 - found.judge) / found.judge_n)
        alone += abs(found.judge - true) <= own
        people = found.people_interval
        ratios.append((found.interval.high - found.interval.low) / (people.high - people.low))
        worths.append(found.worth)
    return held / draws, alone / draws, fmean(ratios), fmean(worths)


def of_world(made: World) -> tuple[list[Judgement], dict[Key, bool]]:
    """A simulated world as rows and labels."""
    return made.judgements, made.truth


def rates(draws: int) -> Iterator[Figure]:
    """1: coverage over 12 worlds."""
    for n in (20, 30, 50, 100, 200):
        found = [coverage(lambda rng, w=w: of_world(world(rng, *w)), n, draws, 1) for w in WORLDS]
        yield f"rates, {n} labels: covers", fmean(f[0] for f in found), ">=", at_least(0.945, draws)
        yield f"rates, {n} labels: worst world", min(f[0] for f in found), ">=", at_least(0.905, draws)
        if n >= 50:
            yield f"rates, {n} labels: width over people's", fmean(f[2] for f in found), "<=", 0.95


def judges(draws: int) -> Iterator[Figure]:
    """2: judges with the phi of recorded ones."""
    found = {
        (phi, rate): coverage(lambda rng, p=phi, r=rate: judge_of(rng, p, r, 1000), 100, draws, 2)
        for phi in PHIS
        for rate in (0.5, 0.75)
    }
    yield "judges, 100 labels: covers", fmean(f[0] for f in found.values()), ">=", at_least(0.945, draws)
    yield "judges, 100 labels: worst judge", min(f[0] for f in found.values()), ">=", at_least(0.89, draws)
    yield "judges of phi >= .7: worth of 100 labels", fmean(f[3] for k, f in found.items() if k[0] >= 0.7), ">=", 160


def clusters(draws: int) -> Iterator[Figure]:
    """3: statements of cases that hang together, and means."""
    for n in (30, 50, 100):
        found = [coverage(lambda rng, w=w: of_world(clustered_world(rng, *w)), n, draws, 5)[0] for w in WORLDS[:9]]
        yield f"clusters, {n} cases: covers", fmean(found), ">=", at_least(0.925, draws)
        yield f"clusters, {n} cases: worst world", min(found), ">=", at_least(0.89, draws)
        held = []
        for w in WORLDS[:9]:
            rng = random.Random(11)
            inside = 0
            for _ in range(draws):
                made = clustered_world(rng, *w)
                judge, people = means_of(made)
                known = {case: people[case] for case in rng.sample(sorted(people), n)}
                inside += fmean(people.values()) in correct_mean(judge, known).interval
            held.append(inside / draws)
        yield f"means, {n} cases: covers", fmean(held), ">=", at_least(0.925 if n == 30 else 0.94, draws)


def means_of(made: World) -> tuple[dict[str, float], dict[str, float]]:
    """Each case's share of yes, the judge's and people's."""
    judge: dict[str, list[bool]] = {}
    people: dict[str, list[bool]] = {}
    for row in made.judgements:
        judge.setdefault(row.case_id, []).append(row.positive)
        people.setdefault(row.case_id, []).append(made.truth[row.key])
    return {c: fmean(v) for c, v in judge.items()}, {c: fmean(v) for c, v in people.items()}


def plans(draws: int) -> Iterator[Figure]:
    """4: planned against real width; drawn strata against random cases."""
    ratios, drawn, random_ = [], [], []
    for at, phi in enumerate(PHIS):
        rng = random.Random(4 + at)
        for number in range(draws):
            rows, truth = judge_of(rng, phi, 0.7, 1000)
            true = fmean(truth.values())
            for errors, cases in (
                (drawn, {one.case_id for one in draw(rows, 40, seed=rng.getrandbits(30))}),
                (random_, set(rng.sample([row.case_id for row in rows], 40))),
            ):
                found = correct(rows, {k: v for k, v in truth.items() if k[0] in cases})
                errors.append((found.corrected - true) ** 2)
            if number % 4 == 0:
                pilot = {one.case_id for one in draw(rows, 60, seed=rng.getrandbits(30))}
                so_far = correct(rows, {k: v for k, v in truth.items() if k[0] in pilot})
                wanted = plan_labels(0.06, so_far)
                chosen = {one.case_id for one in draw(rows, so_far.cases + wanted.cases, seed=1, done=pilot)}
                found = correct(rows, {k: v for k, v in truth.items() if k[0] in pilot | chosen})
                ratios.append((found.interval.high - found.interval.low) / 2 / wanted.half_width)
    yield "plan: real over planned width, least", min(ratios), ">=", 0.8
    yield "plan: real over planned width, mean", fmean(ratios), ">=", 0.95
    yield "plan: real over planned width, mean", fmean(ratios), "<=", 1.25
    # A ratio of two mean squares of n draws varies by 2 / sqrt(n).
    chance = 6 * max(0.0, len(drawn) ** -0.5 - (len(PHIS) * FULL) ** -0.5)
    yield "plan: squared error of random over drawn, 40 labels", fmean(random_) / fmean(drawn), ">=", 1.0 - chance


def withheld(draws: int) -> Iterator[Figure]:
    """5: missing verdicts are a stratum; dropping them is wrong, and counting them as a no is wider.

    The rate of the world is that of all its statements: at .95 all that are truly no are among those without a verdict.
    """
    worlds = [w for w in WORLDS if w[1:] != (0.7, 0.6)]
    for n in (50, 100):
        kept, dropped, widths = [], [], []
        for w in worlds:
            rng = random.Random(3)
            inside = out = 0
            for _ in range(draws):
                made = withheld_world(rng, *w)
                labels = made.labels_of(set(rng.sample([r.case_id for r in made.judgements], n)))
                true = fmean(made.truth.values())
                found = correct(made.judgements, labels).interval
                inside += true in found
                out += true in correct([r for r in made.judgements if r.verdict is not None], labels).interval
                failed = correct([r if r.verdict else as_no(r) for r in made.judgements], labels).interval
                widths.append((found.high - found.low) / (failed.high - failed.low))
            kept.append(inside / draws)
            dropped.append(out / draws)
        yield f"missing verdicts, {n} labels: covers", fmean(kept), ">=", at_least(0.945, draws)
        yield f"missing verdicts, {n} labels: worst world", min(kept), ">=", at_least(0.91, draws)
        yield f"missing verdicts, {n} labels: width over that as a no", fmean(widths), "<=", 1.0
        if n == 100:
            yield "missing verdicts dropped: covers less than it says", fmean(dropped), "<=", 0.85
            yield "missing verdicts dropped: worst world", min(dropped), "<=", 0.3


def as_no(row: Judgement) -> Judgement:
    """A statement without a verdict as if the judge had said no."""
    return Judgement(case_id=row.case_id, verdict="unsupported", positive=False)


def cascades(draws: int) -> Iterator[Figure]:
    """6 and 7: the guarantee, and what is saved by judges of several kinds."""
    for over in (0.0, 0.5):
        rng = random.Random(3)
        items = [sure_item(rng, over) for _ in range(4_000)]
        broken, saved = 0, []
        for _ in range(draws * 3):
            pairs = [Paired((Answer("a" if same else "b", sure),), "a") for sure, same in rng.choices(items, k=200)]
            found = fit_cascade(pairs, 0.05)
            saved.append(found.saved)
            risk = sum(found.certified and sure >= found.threshold and not same for sure, same in items) / len(items)
            broken += risk > 0.05
        yield f"cascade, overconfident by {over}: guarantee broken", broken / (draws * 3), "<=", 0.128
        if not over:
            yield "cascade, calibrated: saved", fmean(saved), ">=", 0.3
    rng = random.Random(7)
    unsure = [Paired((Answer("a" if rng.random() < 0.7 else "b", 0.9),), "a") for _ in range(200)]
    yield "cascade, one level of confidence on a hard set: saved", fit_cascade(unsure, 0.05).saved, "<=", 0.02
    few = [Paired((Answer("a", 0.9),), "a")] * 44
    yield "cascade, 44 pairs at .05: saved", fit_cascade(few, 0.05).saved, "<=", 0.0


def sure_item(rng: random.Random, over: float) -> tuple[float, bool]:
    """How sure a cheap judge is of an item, and whether it agrees with the last one."""
    right = 0.5 + 0.5 * rng.betavariate(2, 1)
    return min(1.0, right + over * (1 - right)), rng.random() < right


def panels(draws: int) -> Iterator[Figure]:
    """8: planted correlations of errors."""
    for correlation, effective in ((0.0, 6.0), (0.2, 3.0), (0.5, 1.7)):
        found = fmean(panel_worth(*panel(random.Random(k), 6, correlation, 1500)).effective for k in range(draws // 10))
        yield f"panel, correlation {correlation}: distance of n_eff", abs(found - effective), "<=", 0.3


def calibrations(draws: int) -> Iterator[Figure]:
    """9: threshold from 30 labels, isotonic from 100, cross-fitted against held-out figures."""
    rng = random.Random(9)
    gained, errors, far = [], [], []
    for _ in range(draws):
        pool = [shifted(rng) for _ in range(1_000)]
        sides = [label for _, label in pool]
        before = balanced_accuracy([p >= 0.5 for p, _ in pool], sides)
        few = calibrate(*zip(*rng.sample(pool, 30), strict=True))
        gained.append(balanced_accuracy([p >= few.threshold for p, _ in pool], sides) - before)
        many = calibrate(*zip(*rng.sample(pool, 100), strict=True))
        errors.append(calibration_error(sides, [many.apply(p) for p, _ in pool]))
        far.append(many.accuracy_after - balanced_accuracy([p >= many.threshold for p, _ in pool], sides))
    yield "calibration, 30 labels: balanced accuracy gained", fmean(gained), ">=", 0.05
    yield "calibration, 100 labels: error", fmean(errors), "<=", 0.08
    yield "calibration: cross-fitted less held-out accuracy", abs(fmean(far)), "<=", 0.02


def shifted(rng: random.Random) -> tuple[float, bool]:
    """What a judge says that takes nearly everything for supported, and the label."""
    true = rng.betavariate(1.2, 1.2)
    return 0.5 + 0.5 * true**0.7, rng.random() < true


def drifts(draws: int) -> Iterator[Figure]:
    """10: quiet looks, and a shift of a fifth."""
    for noise in (0.03, 0.06):
        rng = random.Random(2)
        quiet = sum(drift_evidence(looks(rng, 60, noise)).alarm for _ in range(draws)) / draws
        yield f"drift, noise {noise}: false alarms in 60 looks", quiet, "<=", 0.06
    rng = random.Random(1)
    found = [drift_evidence(looks(rng, 40, 0.06, at=10)) for _ in range(draws)]
    yield "drift, a fifth gone: found", sum(f.alarm for f in found) / len(found), ">=", 1.0
    yield "drift, a fifth gone: looks until found, median", median((f.first_alarm or 99) - 10 for f in found), "<=", 6


def looks(rng: random.Random, n: int, noise: float, at: int | None = None) -> Sequence[dict[str, bool | None]]:
    """Looks at 40 statements; from one on a fifth of all has turned to no."""
    base = [rng.random() < 0.7 for _ in range(40)]
    gone = set(rng.sample([i for i, yes in enumerate(base) if yes], 8))
    return [
        {
            str(i): (yes and not (at is not None and t >= at and i in gone)) != (rng.random() < noise)
            for i, yes in enumerate(base)
        }
        for t in range(n)
    ]


def held(figure: Figure) -> bool:
    """Whether a figure is what it must be."""
    _, value, sign, bound = figure
    return value >= bound if sign == ">=" else value <= bound


PARTS = (rates, judges, clusters, plans, withheld, cascades, panels, calibrations, drifts)


def main() -> int:
    """Print each figure beside what it must reach."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=200, help="simulated draws of each kind")
    parser.add_argument("--only", action="append", choices=[part.__name__ for part in PARTS])
    arguments = parser.parse_args()
    failed = 0
    for part in PARTS:
        if not arguments.only or part.__name__ in arguments.only:
            for figure in part(arguments.draws):
                what, value, sign, bound = figure
                failed += not held(figure)
                print(f"{'ok  ' if held(figure) else 'FAIL'} {what:58} {value:9.3f} {sign} {bound:g}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
