"""Point estimates of trust and statistics against those of ppi-python, krippendorff and statsmodels.

make test-conformance
"""

from __future__ import annotations

import random
import sys

import krippendorff
import numpy as np
from ppi_py import ppi_mean_pointestimate
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from magistrate.statistics import mcnemar_test, wilson_limits
from magistrate.trust import Judgement, agreement, benjamini_yekutieli, correct_mean, krippendorff_alpha, upper_limit

CLOSE = 1e-9


def means(rng: random.Random) -> tuple[float, float]:
    """PPI++ with our weight."""
    people = {str(i): rng.random() for i in range(300)}
    judge = {case: min(1.0, max(0.0, score + rng.gauss(0, 0.2))) for case, score in people.items()}
    known = dict(list(people.items())[:60])
    found = correct_mean(judge, known)
    y, f = np.array(list(known.values())), np.array([judge[case] for case in known])
    others = np.array([score for case, score in judge.items() if case not in known])
    theirs = ppi_mean_pointestimate(y, f, others, lam=found.weight)
    return found.corrected, float(np.ravel(theirs)[0])


def kappas(rng: random.Random) -> tuple[float, float]:
    """Cohen's kappa of a random table."""
    rows = [Judgement(case_id=str(i), verdict="v", positive=rng.random() < 0.6) for i in range(200)]
    labels = {row.key: row.positive if rng.random() < 0.7 else rng.random() < 0.5 for row in rows}
    table = np.zeros((2, 2))
    for row in rows:
        table[int(row.positive), int(labels[row.key])] += 1
    return agreement(rows, labels).kappa, cohens_kappa(table).kappa


def alphas(rng: random.Random) -> tuple[float, float]:
    """Krippendorff's alpha of four people, each of whom left a third unanswered."""
    answers = [[None if rng.random() < 0.3 else rng.random() < 0.4 for _ in range(4)] for _ in range(80)]
    table = [[np.nan if one is None else float(one) for one in people] for people in zip(*answers, strict=True)]
    theirs = krippendorff.alpha(reliability_data=table, level_of_measurement="nominal", value_domain=[0.0, 1.0])
    return krippendorff_alpha([[one for one in unit if one is not None] for unit in answers]), float(theirs)


def wilson(rng: random.Random) -> tuple[float, float]:
    """The lower limit of Wilson's interval."""
    n = rng.randint(5, 300)
    k = rng.randint(0, n)
    return wilson_limits(k / n, n, 1.959963984540054)[0], proportion_confint(k, n, method="wilson")[0]


def exact(rng: random.Random) -> tuple[float, float]:
    """Clopper and Pearson's upper limit."""
    n = rng.randint(5, 300)
    k = rng.randint(0, n - 1)
    return upper_limit(k, n, 0.1), proportion_confint(k, n, alpha=0.2, method="beta")[1]


def pairs(rng: random.Random) -> tuple[float, float]:
    """McNemar's exact test."""
    before = [rng.random() < 0.6 for _ in range(120)]
    after = [(not one) if rng.random() < 0.2 else one for one in before]
    table = np.zeros((2, 2))
    for one, other in zip(before, after, strict=True):
        table[int(one), int(other)] += 1
    return mcnemar_test(before, after).p_value, float(mcnemar(table, exact=True).pvalue)


def discoveries(rng: random.Random) -> tuple[float, float]:
    """Benjamini and Yekutieli: how many are rejected."""
    p = [rng.random() ** 4 for _ in range(12)]
    return sum(benjamini_yekutieli(p, 0.05)), sum(multipletests(p, 0.05, method="fdr_by")[0])


def main() -> int:
    """Compare each over a number of draws; the exit code is 1 where one differs."""
    failed = 0
    for check in (means, kappas, alphas, wilson, exact, pairs, discoveries):
        rng = random.Random(1)
        worst = max(abs(ours - theirs) for ours, theirs in (check(rng) for _ in range(100)))
        failed += worst > CLOSE
        print(f"{'ok  ' if worst <= CLOSE else 'FAIL'} {check.__name__:12} differs by {worst:.1e} at most")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
