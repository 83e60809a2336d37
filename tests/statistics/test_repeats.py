"""The same cases judged several times."""

import itertools
import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.statistics import (
    flip_rate,
    majority,
    mcnemar_test,
    minimum_detectable_effect,
    noise_floor,
    run_stability,
    signed_rank_test,
)
from magistrate.verdict import Outcome, Verdict

cases = cases_of(__file__)

LABELS = st.lists(st.sampled_from(["yes", "no", "unclear", None]), max_size=12)
YES, NO, NEI = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.NOT_ENOUGH_INFO


class TestMajority:
    @cases("repeats: more than half of the votes decide or the reason is named")
    def test_more_than_half_of_the_votes_decide_or_the_reason_is_named(self, labels, label, reason):
        result = majority(labels)
        assert (result.label, result.reason) == (label, reason)

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


class TestFlipRate:
    @given(labels=LABELS)
    def test_it_counts_pairs(self, labels):
        said = [label for label in labels if label is not None]
        pairs = [(x, y) for k, x in enumerate(said) for y in said[:k]]
        if pairs:
            assert flip_rate(labels) == pytest.approx(sum(x != y for x, y in pairs) / len(pairs))
        else:
            assert flip_rate(labels) is None


class TestRunStability:
    REPEATS = (
        {"a": Outcome.PASS, "b": Outcome.PASS, "c": Outcome.FAIL, "d": Outcome.PASS},
        {"a": Outcome.PASS, "b": Outcome.FAIL, "c": Outcome.FAIL, "d": None},
        {"a": Outcome.PASS, "b": Outcome.FAIL, "c": Outcome.INCONCLUSIVE},
    )

    def test_the_run_lists_what_flipped_and_what_is_not_known(self):
        result = run_stability(self.REPEATS)
        assert result.flip_rate == pytest.approx(4 / 9)
        assert result.flipped == ("b", "c")
        assert result.left_out == ("d",)
        assert result.rates == pytest.approx({"a": 0.0, "b": 2 / 3, "c": 2 / 3, "d": None})

    def test_the_least_stable_case_comes_first(self):
        result = run_stability([{"a": 1, "b": 1}, {"a": 1, "b": 2}, {"a": 2, "b": 3}])
        assert result.flipped == ("b", "a")

    @pytest.mark.parametrize("repeats", [[], [{}], [{"a": 1}]])
    def test_one_repeat_says_nothing_of_stability(self, repeats):
        result = run_stability(repeats)
        assert (result.flip_rate, result.flipped) == (None, ())
        assert result.left_out == tuple(result.rates)


class TestNoiseFloor:
    def test_a_worked_example(self):
        # Means 0.75, 0.80, 0.70: standard deviation 0.05; t = 4.302653 for two degrees of freedom.
        floor = noise_floor([{"a": 1.0, "b": 0.5}, {"a": 1.0, "b": 0.6}, {"a": 0.9, "b": 0.5}])
        assert floor.means == pytest.approx((0.75, 0.8, 0.7))
        assert floor.sd == pytest.approx(0.05)
        assert floor.half_width == pytest.approx(4.302653 * math.sqrt(2) * 0.05, abs=1e-6)
        # Each case has a variance of 0.01 / 3; t = 2.776445 for 2 * 2 degrees of freedom.
        assert floor.sd_within == pytest.approx(math.sqrt(0.02 / 3) / 2)
        assert floor.half_width_within == pytest.approx(2.776445 * math.sqrt(2) * math.sqrt(0.02 / 3) / 2, abs=1e-6)
        assert (floor.n_repeats, floor.n_cases, floor.left_out) == (3, 2, ())

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

    def test_only_cases_scored_in_every_repeat_count_and_the_others_are_listed(self):
        floor = noise_floor([{"a": 0.5, "b": 1.0, "c": 0.1}, {"a": 0.5, "b": None}])
        assert (floor.n_cases, floor.means, floor.left_out) == (1, (0.5, 0.5), ("b", "c"))

    def test_repeats_that_agree_have_no_noise(self):
        floor = noise_floor([{"a": 0.5}] * 3)
        assert (floor.sd, floor.half_width, floor.sd_within, floor.half_width_within) == (0.0,) * 4

    @pytest.mark.parametrize(
        ("repeats", "means"), [([], ()), ([{"a": 0.5}], (0.5,)), ([{}, {}], ()), ([{"a": 1}, {}], ())]
    )
    def test_without_two_scores_of_a_case_noise_is_not_known(self, repeats, means):
        floor = noise_floor(repeats)
        assert floor.means == means
        assert (floor.sd, floor.half_width, floor.sd_within, floor.half_width_within) == (None,) * 4

    def test_what_is_no_score_is_refused_and_the_case_named(self):
        with pytest.raises(ValueError, match="case 'b' has a score that is not finite"):
            noise_floor([{"a": 0.5, "b": math.nan}])


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

    def test_equal_runs_give_no_evidence_and_no_cases_no_test(self):
        assert mcnemar_test([True, False], [True, False]).p_value == 1.0
        assert mcnemar_test([], []).p_value is None

    def test_a_half_pair_is_refused(self):
        with pytest.raises(ValueError, match="not 1 and 2"):
            mcnemar_test([True], [True, False])


def by_enumeration(ranks, w_plus):
    """The share of all assignments of signs to ranks that are at least as far from the middle."""
    sums = [
        sum(r for r, sign in zip(ranks, signs, strict=True) if sign)
        for signs in itertools.product((0, 1), repeat=len(ranks))
    ]
    middle = sum(ranks) / 2
    return sum(abs(s - middle) >= abs(w_plus - middle) - 1e-9 for s in sums) / len(sums)


class TestSignedRankTest:
    def test_a_worked_example_without_ties(self):
        test = signed_rank_test([0.6, 0.8, -0.1, 1.4, 0.3, -0.2])
        assert (test.w_plus, test.w_minus, test.n, test.n_zero) == (18.0, 3.0, 6, 0)
        assert test.p_value == pytest.approx(10 / 64)
        assert test.method == "exact Wilcoxon signed-rank test"

    @given(differences=st.lists(st.integers(-4, 4).map(lambda step: step / 4), min_size=1, max_size=9))
    def test_the_exact_p_value_is_that_of_all_assignments_of_signs_with_ties_and_zeros(self, differences):
        sizes = sorted(abs(d) for d in differences if d)
        ranks = [(2 * sizes.index(size) + 1 + sizes.count(size)) / 2 for size in sizes]
        test = signed_rank_test(differences)
        assert test.w_plus + test.w_minus == sum(ranks)
        assert test.p_value == pytest.approx(by_enumeration(ranks, test.w_plus))

    def test_sizes_that_differ_by_rounding_are_tied(self):
        test = signed_rank_test([0.3, -(0.1 + 0.2), 0.7])
        assert (test.w_plus, test.w_minus) == (4.5, 1.5)

    def test_above_a_hundred_differences_the_normal_approximation_continues_the_exact_value(self):
        differences = [(k % 7 - 2.5) / 10 * (1 + k / 1000) for k in range(101)]
        exact, approximate = signed_rank_test(differences[:-1]), signed_rank_test(differences)
        assert exact.method.startswith("exact")
        assert approximate.method == "normal approximation of the Wilcoxon signed-rank test"
        assert math.log(approximate.p_value) == pytest.approx(math.log(exact.p_value), rel=0.1)

    def test_without_a_difference_there_is_no_evidence(self):
        test = signed_rank_test([0.0, 0.0])
        assert (test.n, test.n_zero, test.p_value) == (0, 2, 1.0)

    def test_without_pairs_there_is_no_test(self):
        assert signed_rank_test([]).p_value is None

    def test_what_is_no_number_is_refused(self):
        with pytest.raises(ValueError, match="finite"):
            signed_rank_test([math.inf])


class TestMinimumDetectableEffect:
    def test_a_worked_example(self):
        # The quantiles for many cases are 1.96 and 0.8416: 2.8016 * 0.3 / 100.
        assert minimum_detectable_effect(0.3, 10_000) == pytest.approx(0.0084048, rel=1e-3)

    @pytest.mark.parametrize(("sd", "n"), [(0.3, 0), (0.3, 1), (0.0, 50)])
    def test_fewer_than_two_pairs_or_no_spread_detect_nothing(self, sd, n):
        assert minimum_detectable_effect(sd, n) is None

    @pytest.mark.parametrize("arguments", [{"sd": -0.1}, {"sd": math.nan}, {"n": -1}])
    def test_impossible_arguments_are_refused(self, arguments):
        with pytest.raises(ValueError, match="standard deviation"):
            minimum_detectable_effect(**{"sd": 0.3, "n": 20} | arguments)
