"""The same cases judged several times."""

import itertools
import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.statistics import (
    flip_rate,
    majority,
    mcnemar_test,
    noise_floor,
    signed_rank_test,
)
from magistrate.verdict import Verdict

LABELS = st.lists(st.sampled_from(["yes", "no", "unclear", None]), max_size=12)
YES, NO, NEI = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.NOT_ENOUGH_INFO


class TestMajority:
    @given(labels=LABELS, shuffle=st.randoms())
    def test_the_order_of_the_repeats_never_decides(self, labels, shuffle):
        other = list(labels)
        shuffle.shuffle(other)
        assert majority(other) == majority(labels)
        assert list(majority(other).votes) == list(majority(labels).votes)

    @given(labels=LABELS)
    def test_a_label_has_more_than_half_of_the_votes_and_is_none_otherwise(self, labels):
        result = majority(labels)
        assert (result.label is not None) == (result.reason == "majority")
        assert sum(result.votes.values()) + result.n_missing == result.n == len(labels)
        if result.label is not None:
            assert 2 * labels.count(result.label) > result.n - result.n_missing > result.n_missing


@given(labels=LABELS)
def test_flip_rate_it_counts_pairs(labels):
    said = [label for label in labels if label is not None]
    pairs = [(x, y) for k, x in enumerate(said) for y in said[:k]]
    if pairs:
        assert flip_rate(labels) == pytest.approx(sum(x != y for x, y in pairs) / len(pairs))
    else:
        assert flip_rate(labels) is None


class TestNoiseFloor:
    @pytest.mark.slow
    def test_noise_alone_stays_within_it_about_as_often_as_it_says(self):
        draw = Random(11)
        within = between = 0
        for _ in range(400):
            *repeats, a, b = ({f"q{k}": min(1.0, max(0.0, draw.gauss(0.6, 0.1))) for k in range(15)} for _ in range(5))
            floor = noise_floor(repeats)
            change = abs(sum(b.values()) - sum(a.values())) / 15
            between += change <= floor.half_width
            within += change <= floor.half_width_within
        assert between / 400 == pytest.approx(0.95, abs=0.035)
        assert within / 400 == pytest.approx(0.95, abs=0.035)

    def test_a_shift_of_all_cases_shows_in_the_one_and_hardly_in_the_other(self):
        floor = noise_floor([{f"q{k}": 0.5 + shift for k in range(100)} for shift in (0.0, 0.2)])
        assert floor.sd == pytest.approx(10 * floor.sd_within)


class TestMcNemarTest:
    def test_only_the_cases_that_pass_in_one_run_alone_count(self):
        a = [True] * 20 + [True] * 9 + [False] * 1 + [False] * 30
        b = [True] * 20 + [False] * 9 + [True] * 1 + [False] * 30
        test = mcnemar_test(a, b)
        assert (test.both, test.only_a, test.only_b, test.neither) == (20, 9, 1, 30)
        assert test.p_value == pytest.approx(22 / 1024)

    def test_many_cases_neither_overflow_nor_take_long(self):
        many = mcnemar_test([False] * 30_000 + [True] * 30_400, [True] * 30_000 + [False] * 30_400)
        assert many.p_value == pytest.approx(0.1043, abs=2e-4)
        assert mcnemar_test([True] * 20_000, [False] * 20_000).p_value == 0.0


def by_enumeration(ranks, w_plus):
    """The share of all assignments of signs to ranks that are at least as far from the middle."""
    sums = [
        sum(r for r, sign in zip(ranks, signs, strict=True) if sign)
        for signs in itertools.product((0, 1), repeat=len(ranks))
    ]
    middle = sum(ranks) / 2
    return sum(abs(s - middle) >= abs(w_plus - middle) - 1e-9 for s in sums) / len(sums)


class TestSignedRankTest:
    @given(differences=st.lists(st.integers(-4, 4).map(lambda step: step / 4), min_size=1, max_size=9))
    def test_the_exact_p_value_is_that_of_all_assignments_of_signs_with_ties_and_zeros(self, differences):
        sizes = sorted(abs(d) for d in differences if d)
        ranks = [(2 * sizes.index(size) + 1 + sizes.count(size)) / 2 for size in sizes]
        test = signed_rank_test(differences)
        assert test.w_plus + test.w_minus == sum(ranks)
        assert test.p_value == pytest.approx(by_enumeration(ranks, test.w_plus))

    def test_above_a_hundred_differences_the_normal_approximation_continues_the_exact_value(self):
        differences = [(k % 7 - 2.5) / 10 * (1 + k / 1000) for k in range(101)]
        exact, approximate = signed_rank_test(differences[:-1]), signed_rank_test(differences)
        assert exact.method.startswith("exact")
        assert approximate.method == "normal approximation of the Wilcoxon signed-rank test"
        assert math.log(approximate.p_value) == pytest.approx(math.log(exact.p_value), rel=0.1)
