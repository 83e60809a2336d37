"""Simulated judges and people, with what is true of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from magistrate.trust import Judgement, Key

PREVALENCES = (0.5, 0.8, 0.95)
JUDGES = ((0.95, 0.9), (0.85, 0.8), (0.9, 0.5), (0.7, 0.6))  # sensitivity, specificity
WORLDS = [(rate, *judge) for rate in PREVALENCES for judge in JUDGES]


@dataclass
class World:
    """All judgements, and what people would say of each."""

    judgements: list[Judgement]
    truth: dict[Key, bool]

    def labels_of(self, cases):
        return {key: label for key, label in self.truth.items() if key[0] in cases}


def world(rng, rate, sensitivity, specificity, *, n=1000):
    """One statement a case."""
    return judged_world(rng, (rng.random() < rate for _ in range(n)), sensitivity, specificity)


def judged_world(rng, truths, sensitivity, specificity):
    """A judge's verdict on each statement, one a case."""
    made = World([], {})
    for i, true in enumerate(truths):
        made.judgements.append(_judged(i, rng.random() < (sensitivity if true else 1 - specificity)))
        made.truth[str(i), None] = true
    return made


@lru_cache(maxsize=10_000)
def _judged(i, yes, statement=None):
    return Judgement(
        case_id=str(i), statement_id=statement, verdict="supported" if yes else "unsupported", positive=yes
    )


def withheld_world(rng, rate, sensitivity, specificity, *, n=1000):
    """A tenth of the statements has no verdict, and half of these are truly no, of as many as the rate leaves."""
    truths = [i < round(rate * n) for i in range(n)]
    rng.shuffle(truths)
    made = judged_world(rng, truths, sensitivity, specificity)
    for side in (True, False):
        for i in rng.sample([i for i, true in enumerate(truths) if true == side], n // 20):
            made.judgements[i] = Judgement(case_id=str(i))
    return made


def clustered_world(rng, rate, sensitivity, specificity, *, n=400):
    """Cases of one to eight statements that hang together: both truth and the judge's errors lean one way in a case."""
    rows, truth = [], {}
    for i in range(n):
        lean = _beta(rng, rate)
        hit, miss = _beta(rng, sensitivity, 6.0), _beta(rng, specificity, 6.0)
        for k in range(rng.randint(1, 8)):
            true = rng.random() < lean
            yes = rng.random() < (hit if true else 1 - miss)
            rows.append(_judged(i, yes, f"s{k + 1}"))
            truth[str(i), f"s{k + 1}"] = true
    return World(rows, truth)


def _beta(rng, mean, strength=2.0):
    return rng.betavariate(max(0.05, mean * strength), max(0.05, (1 - mean) * strength))


def panel(rng, members, correlation, n):
    """Judges whose errors, a fifth of their verdicts, are correlated as told."""
    labels = []
    verdicts = {f"judge {k}": [] for k in range(members)}
    for _ in range(n):
        labels.append(rng.random() < 0.6)
        shared = rng.random() < 0.2
        for given in verdicts.values():
            wrong = shared if rng.random() < math.sqrt(correlation) else rng.random() < 0.2
            given.append(labels[-1] != wrong)
    return verdicts, labels
