"""Fit the constants of the offline judge: log-odds of "supported" from its measures.

    python benchmarks/fit_grounding.py --data FOLDER [--leave-out SET ...]

The weights of likeness by letters are held (`LETTERS`): more of them gains on sets of extracts and loses on small edits
of true sentences; these are the largest with which none of the sets they were chosen on loses more
than .01 of AUC.

Each set has the same weight, and within a set supported and other claims have. Every set gets an intercept of its own
while the weights are fitted, so that they learn what tells claims apart within a set and not which set a claim is from;
the intercept printed is then fitted to all sets together. A set left out is only measured. Leave-one-set-out figures
show what the weights are worth on a set they have not seen.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from pathlib import Path

from labelled import Row, auc, balanced_accuracy, read_sets

from magistrate.judges.lexical import measure, read_contexts
from magistrate.judges.lexical._verdicts import THRESHOLD, UNSURE, WEIGHTS, measures

NAMES = ("coverage", "order", "missing number", "missing name")
LETTERS = WEIGHTS[len(NAMES) :]
_EXACT = 1e-9
Example = tuple[tuple[float, ...], bool]


def examples(rows: Sequence[Row]) -> list[Example]:
    """The measures of every claim that is judged at all."""
    found = []
    for row in rows:
        (grounding,) = measure([row.claim], read_contexts(row.contexts))
        if grounding is not None:
            found.append((measures(grounding), row.supported))
    return found


def fit(sets: Sequence[Sequence[Example]], ridge: float = 1e-3) -> tuple[float, list[float]]:
    """Logistic regression by Newton's method; returns the common intercept and the weights."""
    size = len(NAMES)
    total = size + len(sets)
    weights = [0.0] * total
    rows = []
    for index, one in enumerate(sets):
        share = {label: 0.5 / max(1, sum(1 for _, y in one if y == label)) for label in (True, False)}
        for x, y in one:
            rows.append(([*x], size + index, y, share[y]))
    for _ in range(30):
        gradient = [-ridge * w for w in weights]
        hessian = [[ridge if i == j else 0.0 for j in range(total)] for i in range(total)]
        for x, own, y, share in rows:
            held = sum(w * v for w, v in zip(LETTERS, x[size:], strict=True))
            p = 1 / (1 + math.exp(-sum(w * v for w, v in zip(weights[:size], x, strict=False)) - weights[own] - held))
            places = [*enumerate(x[:size]), (own, 1.0)]
            for i, v in places:
                gradient[i] += share * (y - p) * v
                for j, u in places:
                    hessian[i][j] += share * p * (1 - p) * v * u
        step = solve(hessian, gradient)
        weights = [w + s for w, s in zip(weights, step, strict=True)]
        if max(map(abs, step)) < _EXACT:
            break
    found = [*weights[:size], *LETTERS]
    return common_intercept(rows, found), found


def common_intercept(rows: Sequence[tuple[list[float], int, bool, float]], weights: Sequence[float]) -> float:
    """The intercept that makes the mean probability the mean label over all sets."""
    low, high = -20.0, 20.0
    while high - low > _EXACT:
        middle = (low + high) / 2
        excess = sum(
            share * (1 / (1 + math.exp(-middle - sum(w * v for w, v in zip(weights, x, strict=True)))) - y)
            for x, _, y, share in rows
        )
        low, high = (low, middle) if excess > 0 else (middle, high)
    return low


def solve(matrix: list[list[float]], vector: list[float]) -> list[float]:
    """Gauss elimination with pivoting."""
    size = len(vector)
    rows = [[*matrix[i], vector[i]] for i in range(size)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(i + 1, size):
            factor = rows[r][i] / rows[i][i]
            for c in range(i, size + 1):
                rows[r][c] -= factor * rows[i][c]
    found = [0.0] * size
    for i in reversed(range(size)):
        found[i] = (rows[i][size] - sum(rows[i][j] * found[j] for j in range(i + 1, size))) / rows[i][i]
    return found


def chance(x: Sequence[float], intercept: float, weights: Sequence[float]) -> float:
    """P(supported) with these constants."""
    return 1 / (1 + math.exp(-intercept - sum(w * v for w, v in zip(weights, x, strict=True))))


def left_out(data: dict[str, list[Example]], used: Sequence[str]) -> None:
    """Measure each set with constants fitted on the others."""
    print("\nleave one set out: the set is measured with constants fitted on the others")
    print(f"{'set':18}{'claims':>7}{'AUC':>7}{'balanced accuracy':>20}")
    areas = []
    for name, own in data.items():
        intercept, weights = fit([data[other] for other in used if other != name])
        scores = [chance(x, intercept, weights) for x, _ in own]
        labels = [y for _, y in own]
        areas.append(auc(scores, labels))
        right = balanced_accuracy([score >= THRESHOLD for score in scores], labels)
        print(f"{name:18}{len(labels):7}{areas[-1]:7.3f}{right:20.3f}")
    print(f"{'mean':18}{'':7}{sum(areas) / len(areas):7.4f}")


def calibration(data: Sequence[Sequence[Example]], intercept: float, weights: Sequence[float]) -> None:
    """How far the probability can be trusted: same weight for each set, labels balanced."""
    bins = [[0.0, 0.0] for _ in range(20)]
    bands = {"inside": [0.0, 0.0], "outside": [0.0, 0.0]}
    for one in data:
        share = {label: 0.5 / max(1, sum(1 for _, y in one if y == label)) / len(data) for label in (True, False)}
        for x, y in one:
            p = chance(x, intercept, weights)
            cell = bins[min(19, int(p * 20))]
            cell[0] += share[y]
            cell[1] += share[y] * y
            band = bands["inside" if UNSURE[0] <= p <= UNSURE[1] else "outside"]
            band[0] += share[y]
            band[1] += share[y] * ((p >= THRESHOLD) == y)
    print("\nhow far the probability can be trusted (all sets, same weight each, labels balanced)")
    print(f"{'P(supported)':16}{'share':>8}{'supported':>11}")
    for index, (mass, supported) in enumerate(bins):
        if mass:
            print(f"{index / 20:.2f} - {(index + 1) / 20:.2f}     {mass:8.3f}{supported / mass:11.3f}")
    for name, (mass, right) in bands.items():
        print(f"{name} {UNSURE[0]:.2f} to {UNSURE[1]:.2f}: {mass:.2f} of the claims, right {right / mass:.3f}")


def main() -> None:
    """Fit, and print what to write into `magistrate.judges.lexical._verdicts`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of labelled sets")
    parser.add_argument("--leave-out", action="append", default=[], metavar="SET", help="measure but do not fit")
    arguments = parser.parse_args()
    data = {name: examples(rows) for name, rows in read_sets(arguments.data).items()}
    used = [name for name in data if name not in arguments.leave_out]
    intercept, weights = fit([data[name] for name in used])
    print(f"fitted on {sum(len(data[n]) for n in used)} claims of {len(used)} sets: {', '.join(used)}")
    print(f"INTERCEPT: Final = {intercept:.2f}")
    print(f"WEIGHTS: Final = ({', '.join(f'{weight:.2f}' for weight in weights)})  # {', '.join(NAMES)}, letters")
    left_out(data, used)
    calibration([data[name] for name in used], intercept, weights)


if __name__ == "__main__":
    main()
