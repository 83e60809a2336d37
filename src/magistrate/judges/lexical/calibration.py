"""From measures to P(supported): the fitted part of the offline judge."""

from __future__ import annotations

import math
from typing import Final

from magistrate.judges.lexical._measures import Grounding

# Log-odds of "supported", fitted by benchmarks/fit_grounding.py on labelled sets, each set with the same weight and
# within it each label with the same: the probability is the one where supported and not are equally likely beforehand.
INTERCEPT: Final = -3.50
WEIGHTS: Final = (3.31, 1.60, -0.66, -0.32, 1.00, 0.15)
"""Of coverage, order, a missing number, a missing name, likeness letter by letter, shared runs of four letters
(`measures`). The last two are held below what fits best: more of them takes small edits of a true sentence for support.
"""

THRESHOLD: Final = 0.5
"""P(supported) from which on a statement is called supported."""

UNSURE: Final = (0.30, 0.65)
"""P(supported) in this band is flagged `low-confidence`.

On the sets it was fitted to, 31 % of the claims fall into the band, and the verdict there is right 57 times in 100;
outside it 77 times.
"""


def measures(grounding: Grounding) -> tuple[float, float, float, float, float, float]:
    """What the log-odds are linear in: coverage, order, a number missing, a name missing, likeness, shared runs.

    Order counts only where no number and no name is missing: "opened in 1987" and "opened in 1978" agree in all but
    what matters, and measured they are supported no more often than a statement that shares half its words.
    """
    number, name = bool(grounding.missing_numbers), bool(grounding.missing_names)
    order = 0.0 if number or name else grounding.order
    return grounding.coverage, order, float(number), float(name), grounding.alike, grounding.grams


def probability(grounding: Grounding) -> float:
    """P(supported) in (0, 1) for a measured statement, where supported and not are equally likely beforehand."""
    odds = INTERCEPT + sum(weight * value for weight, value in zip(WEIGHTS, measures(grounding), strict=True))
    return 1.0 / (1.0 + math.exp(-odds))
