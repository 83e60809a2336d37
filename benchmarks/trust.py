"""How far the methods of `magistrate.trust` hold what they promise: coverage, width, guarantees and alarms, simulated.

    python benchmarks/trust.py [--draws N] [--only NAME ...]

Every figure stands beside what it must reach; the exit code is 1 where one does not. Seeds are fixed.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from statistics import fmean, median

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.trust.worlds import WORLDS, World, clustered_world, panel, withheld_world, world

from magistrate.case import Case
from magistrate.evaluation.laws import probe
from magistrate.judges import BaseJudge, VerdictsReply
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
    stands,
)
from magistrate.verdict import StatementVerdict, Status, Verdict

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
    """A judge whose verdicts correlate with people's by phi; readier with a yes where weak, surer where right."""
    rows, truth = [], {}
    says = rate + (1 - phi) / 4
    both = rate * says + phi * math.sqrt(rate * (1 - rate) * says * (1 - says))
    for i in range(n):
        label = rng.random() < rate
        yes = rng.random() < (both / rate if label else (says - both) / (1 - rate))
        sure = rng.betavariate(4, 1.5) if yes == label else rng.betavariate(2.5, 2)
        rows.append(judged(str(i), yes, round(sure, 2)))
        truth[str(i), None] = label
    return rows, truth


@lru_cache(maxsize=300_000)
def judged(case: str, yes: bool, sure: float) -> Judgement:
    """A row; each is made once."""
    return Judgement(case_id=case, verdict="supported" if yes else "unsupported", positive=yes, confidence=sure)


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
    yield "judges, 100 labels: width over people's", fmean(f[2] for f in found.values()), "<=", 0.9
    yield "judges of phi >= .7: worth of 100 labels", fmean(f[3] for k, f in found.items() if k[0] >= 0.7), ">=", 160
    yield "judges: their own interval covers no more than", fmean(f[1] for f in found.values()), "<=", 0.3


def clusters(draws: int) -> Iterator[Figure]:
    """3: statements of cases that hang together, and means."""
    shares: dict[int, list[list[float]]] = {30: [], 50: [], 100: []}
    for w in WORLDS[:9]:
        rng = random.Random(5)
        held = {n: [0, 0, 0] for n in shares}
        for _ in range(draws):
            made = clustered_world(rng, *w)
            apart = [alone(row) for row in made.judgements]
            true, (judge, people) = fmean(made.truth.values()), means_of(made)
            line = rng.sample(sorted(people), max(shares))
            for n, count in held.items():
                labels = made.labels_of(set(line[:n]))
                as_cases = {(f"{case} {one}", one): label for (case, one), label in labels.items()}
                count[0] += true in correct(made.judgements, labels).interval
                count[1] += true in correct(apart, as_cases).interval
                mean = correct_mean(judge, {case: people[case] for case in line[:n]})
                count[2] += mean is None or fmean(people.values()) in mean.interval
        for n, count in held.items():
            shares[n].append([one / draws for one in count])
    for n, found in shares.items():
        together, independent, means = zip(*found, strict=True)
        yield f"clusters, {n} cases: covers", fmean(together), ">=", at_least(0.925, draws)
        yield f"clusters, {n} cases: worst world", min(together), ">=", at_least(0.89, draws)
        yield f"means, {n} cases: covers", fmean(means), ">=", at_least(0.925 if n == 30 else 0.94, draws)
        if n < 100:  # a quarter of all cases, labelled, hides much of it
            yield f"clusters, {n} cases: as if independent covers less", fmean(independent), "<=", 0.925

    most = []
    for w in WORLDS[:8]:
        rng = random.Random(7)
        worlds = (means_of(clustered_world(rng, *w, n=100)) for _ in range(draws))
        found = [correct_mean(judge, dict(list(people.items())[:80])) for judge, people in worlds]
        most.append(fmean(mean is None or w[0] in mean.interval for mean in found))
    yield "means, 80 of 100 cases, for cases like these: covers", fmean(most), ">=", at_least(0.94, draws)
    yield "means, 80 of 100 cases, for cases like these: worst world", min(most), ">=", at_least(0.91, draws)


@lru_cache(maxsize=100_000)
def alone(row: Judgement) -> Judgement:
    """A statement as a case of its own."""
    return replace(row, case_id=f"{row.case_id} {row.statement_id}")


def means_of(made: World) -> tuple[dict[str, float], dict[str, float]]:
    """Each case's share of yes, the judge's and people's."""
    judge: dict[str, list[bool]] = {}
    people: dict[str, list[bool]] = {}
    for row in made.judgements:
        judge.setdefault(row.case_id, []).append(row.positive)
        people.setdefault(row.case_id, []).append(made.truth[row.key])
    return {c: sum(v) / len(v) for c, v in judge.items()}, {c: sum(v) / len(v) for c, v in people.items()}


SAMPLES = 8
"""Of each world, so that strata are told from chance."""


def plans(draws: int) -> Iterator[Figure]:
    """4: planned against real width; drawn strata against random cases."""
    ratios: dict[float, list[float]] = {phi: [] for phi in PHIS}
    errors: dict[tuple[str, int], list[float]] = {(kind, n): [] for kind in ("drawn", "random") for n in (40, 100)}
    held = {40: 0, 100: 0}
    for at, phi in enumerate(PHIS):
        rng = random.Random(4 + at)
        for _ in range(max(1, draws // 2)):
            rows, truth = judge_of(rng, phi, 0.7, 1000)
            true, ids = fmean(truth.values()), [row.case_id for row in rows]
            for _ in range(SAMPLES):
                chosen = [one.case_id for one in draw(rows, 100, seed=rng.getrandbits(30))]
                for kind, line in ("drawn", chosen), ("random", rng.sample(ids, 100)):
                    for n in held:  # the first of a larger draw are the smaller one
                        found = correct(rows, {(case, None): truth[case, None] for case in line[:n]})
                        errors[kind, n].append((found.corrected - true) ** 2)
                        held[n] += kind == "drawn" and true in found.interval
            ratios[phi].append(planned(rng, rows, truth))
    of = len(errors["drawn", 40])
    for n, covered in held.items():
        # A ratio of two mean squares of so many draws varies by 2 / sqrt(draws).
        chance = 6 * max(0.0, of**-0.5 - (len(PHIS) * FULL * SAMPLES / 2) ** -0.5)
        better = fmean(errors["random", n]) / fmean(errors["drawn", n])
        yield f"plan, {n} labels: squared error of random over drawn", better, ">=", 1.04 - chance
        yield f"plan, {n} labels drawn: covers", covered / of, ">=", at_least(0.945, of)
    means = [fmean(found) for found in ratios.values()]
    # One judge's ratio varies by about .05 from draw to draw.
    chance = 0.2 * max(0.0, draws**-0.5 - FULL**-0.5)
    yield "plan: real over planned width, least judge", min(means), ">=", 0.95 - chance
    yield "plan: real over planned width, most", max(means), "<=", 1.25
    yield "plan: real over planned width, mean's distance from 1", abs(fmean(means) - 1), "<=", 0.03


def planned(rng: random.Random, rows: list[Judgement], truth: dict[Key, bool]) -> float:
    """The real over the planned width, for a half width of .06 planned from 60 labels."""
    pilot = {one.case_id for one in draw(rows, 60, seed=rng.getrandbits(30))}
    so_far = correct(rows, {k: v for k, v in truth.items() if k[0] in pilot})
    wanted = plan_labels(0.06, so_far)
    chosen = {one.case_id for one in draw(rows, so_far.cases + wanted.cases, seed=1, done=pilot)}
    found = correct(rows, {k: v for k, v in truth.items() if k[0] in pilot | chosen})
    return (found.interval.high - found.interval.low) / 2 / wanted.half_width


def withheld(draws: int) -> Iterator[Figure]:
    """5: missing verdicts are a stratum; dropping them is wrong, and counting them as a no is no narrower.

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
    """6: the guarantee, where each case is one statement and where it is several that hang together."""
    draws = draws * 5 // 3
    for over in (0.0, 0.5):
        for most in (1, 8):
            rng = random.Random(3)
            cases = [sure_case(rng, over, most) for _ in range(4_000)]
            broken, saved = 0, []
            for _ in range(draws):
                drawn = rng.choices(cases, k=200)
                found = fit_cascade(
                    [
                        Paired((Answer("a" if same else "b", sure),), "a", str(at))
                        for at, case in enumerate(drawn)
                        for sure, same in case
                    ],
                    0.05,
                )
                saved.append(found.saved)
                if found.certified:
                    wrong = sum(any(sure >= found.threshold and not same for sure, same in case) for case in cases)
                    broken += wrong / len(cases) > 0.05
            name = f"cascade{', overconfident' if over else ''}{', 1 to 8 statements' if most > 1 else ''}"
            yield f"{name}: guarantee broken", broken / draws, "<=", 0.1 + 3 * math.sqrt(0.1 * 0.9 / draws)
            if not over and most == 1:
                yield f"{name}: saved of a possible {possible(cases):.3f}", fmean(saved), ">=", 0.45
    for risk, pairs in (0.01, 230), (0.02, 114), (0.05, 45), (0.1, 22):
        agreeing = [Paired((Answer("a", 1.0),), "a")] * pairs
        yield f"cascade, {pairs - 1} pairs at {risk:g}: saved", fit_cascade(agreeing[1:], risk).saved, "<=", 0.0
        yield f"cascade, {pairs} pairs at {risk:g}: saved", fit_cascade(agreeing, risk).saved, ">=", 1.0


def sure_case(rng: random.Random, over: float, most: int) -> list[tuple[float, bool]]:
    """How sure a cheap judge is of each statement of a case, and whether it agrees with the last judge."""
    lean = rng.betavariate(2.6, 0.75)
    made = []
    for _ in range(rng.randint(1, most)):
        right = 0.5 + 0.5 * (lean if most == 1 else rng.betavariate(6 * lean + 0.1, 6 * (1 - lean) + 0.1))
        made.append((min(1.0, right + over * (1 - right)), rng.random() < right))
    return made


def possible(cases: Sequence[list[tuple[float, bool]]]) -> float:
    """What one would save who knew all cases of one statement: the surest ones up to .05 of all that differ."""
    wrong = taken = 0
    for _, same in sorted((case[0] for case in cases), reverse=True):
        wrong, taken = wrong + (not same), taken + 1
        if wrong > 0.05 * len(cases):
            break
    return taken / len(cases)


KINDS: dict[str, tuple[Callable[[random.Random], tuple[bool, float | None]], float, str, float]] = {
    # What: (does the cheap judge agree with the last one, and how sure is it), how often the cheap one is right where
    # they differ, and what must be saved at .05 of 200 pairs
    "a model with a probability": (lambda rng: sure_case(rng, 0.0, 1)[0][::-1], 0.48, ">=", 0.5),
    "words on an easy set": (lambda rng: agreeing(rng, 0.5 + 0.5 * rng.betavariate(1.6, 0.8)), 0.5, ">=", 0.33),
    "words on a hard set": (lambda rng: agreeing(rng, 0.5 + 0.2 * rng.betavariate(2, 2)), 0.5, "<=", 0.1),
    "two orders on a hard set": (lambda rng: agreeing(rng, rng.choice((0.5, 0.85)), 1.0), 0.4, "<=", 0.02),
    "no confidence": (lambda rng: (rng.random() < 0.9, None), 0.4, "<=", 0.0),
}
"""Chains of judges like the recorded ones: a probability saves, a word or two orders do not."""


def agreeing(rng: random.Random, chance: float, sure: float | None = None) -> tuple[bool, float]:
    """Whether the cheap judge agrees, and what it says of how sure it is."""
    return rng.random() < chance, chance if sure is None or chance <= 0.5 else sure


def chains(draws: int) -> Iterator[Figure]:
    """7: what cascades over judges of several kinds save, and what of it is lost against the truth."""
    for name, (item, cheap_right, sign, bound) in KINDS.items():
        rng = random.Random(7)
        saved, points = [], []
        for _ in range(draws):
            items = [item(rng) for _ in range(1_200)]
            pairs = [Paired((Answer("a" if same else "b", sure),), "a") for same, sure in items]
            found = fit_cascade(pairs[:200], 0.05)
            rest = [one for one in pairs[200:] if stands(one.cheap[0], found.threshold)]
            saved.append(len(rest) / 1_000)
            differing = [one for one in rest if one.cheap[0].verdict != one.last]
            points.append(sum(1 if rng.random() < cheap_right else -1 for _ in differing) / 10)
        yield f"chain, {name}: saved", fmean(saved), sign, bound
        if sign == ">=":
            yield f"chain, {name}: points gained", fmean(points), ">=", -0.5


def panels(draws: int) -> Iterator[Figure]:
    """8: planted correlations of errors."""
    for correlation, effective in ((0.0, 6.0), (0.2, 3.0), (0.5, 1.7)):
        found = [
            panel_worth(*panel(random.Random(k), 6, correlation, 1500)).effective for k in range(max(6, draws // 3))
        ]
        yield f"panel, correlation {correlation}: distance of n_eff", abs(fmean(found) - effective), "<=", 0.3


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


class Swayed(BaseJudge):
    """Says yes to some statements where they stand first or a context tells it to; else what is true."""

    name = "swayed"

    async def verify(self, statements: Sequence[str], contexts: Sequence[str], **_: object) -> VerdictsReply:
        """Judge; a statement says what it is."""
        told = any("evaluator" in context for context in contexts)
        verdicts = []
        for at, one in enumerate(statements):
            yes = (2 * at < len(statements) or told) if "swayed" in one else "true" in one
            verdicts.append(
                StatementVerdict(
                    index=at,
                    id=f"s{at + 1}",
                    statement=one,
                    verdict=Verdict.SUPPORTED if yes else Verdict.UNSUPPORTED,
                )
            )
        return VerdictsReply(tuple(verdicts), Status.SCORED)


def positions(draws: int) -> Iterator[Figure]:
    """10: a planted bias of position, its interval and its side."""
    draws = max(12, draws // 3)
    for rate in (0.072, 0.25, 0.585):
        rng = random.Random(10)
        inside = quiet = told = 0
        for _ in range(draws):
            cases = [
                Case(
                    id=str(number),
                    answer="-",
                    contexts=["One.", "Two."],
                    statements=[
                        f"{number} {at} {'swayed' if rng.random() < rate else rng.choice(('true', 'false'))}."
                        for at in range(2)
                    ],
                )
                for number in range(60)
            ]
            found = {
                one.probe: one for one in asyncio.run(probe(cases, Swayed(), ("identity", "order", "injection")))[0]
            }
            inside += rate in found["order"].interval and not found["order"].biased
            quiet += found["identity"].rate == 0.0
            told += found["injection"].biased
        yield f"position bias {rate}: within its interval", inside / draws, ">=", at_least(0.93, draws)
        yield f"position bias {rate}: the same question turns nothing", quiet / draws, ">=", 1.0
        if rate > 0.1:
            yield f"position bias {rate}: a bias to one side is seen", told / draws, ">=", 0.9


def drifts(draws: int) -> Iterator[Figure]:
    """10: quiet looks, and a shift of a fifth."""
    for noise in (0.03, 0.06):
        rng = random.Random(2)
        quiet = sum(drift_evidence(looks(rng, 60, noise)).alarm for _ in range(draws)) / draws
        yield f"drift, noise {noise}: false alarms in 60 looks", quiet, "<=", 0.06
        rng = random.Random(1)
        found = [drift_evidence(looks(rng, 40, noise, at=10)) for _ in range(draws)]
        late = median((f.first_alarm or 99) - 10 for f in found)
        yield f"drift, noise {noise}, a fifth gone: found", sum(f.alarm for f in found) / len(found), ">=", 1.0
        yield f"drift, noise {noise}, a fifth gone: looks until found, median", late, "<=", 6


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


PARTS = (rates, judges, clusters, plans, withheld, cascades, chains, panels, calibrations, positions, drifts)


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
                print(f"{'ok  ' if held(figure) else 'FAIL'} {what:62} {value:9.3f} {sign} {bound:g}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
