"""McNemar, Wilcoxon's signed ranks, how small a change can be seen."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.statistics import mcnemar_test, minimum_detectable_effect, signed_rank_test

DIFFERENCES = st.lists(st.floats(-1, 1), max_size=40)
STEPS = st.lists(st.integers(-4, 4).map(lambda step: step / 4), max_size=40)
PASSES = st.lists(st.tuples(st.booleans(), st.booleans()), max_size=60)


class TestMcNemarTest:
    def test_only_the_cases_that_pass_in_one_run_alone_count(self):
        a = [True] * 20 + [True] * 9 + [False] * 1 + [False] * 30
        b = [True] * 20 + [False] * 9 + [True] * 1 + [False] * 30
        test = mcnemar_test(a, b)
        assert (test.both, test.only_a, test.only_b, test.neither) == (20, 9, 1, 30)
        assert test.p_value == pytest.approx(22 / 1024)

    @given(pairs=PASSES, shuffle=st.randoms())
    def test_order_never_matters_and_exchange_mirrors(self, pairs, shuffle):
        test = mcnemar_test([a for a, _ in pairs], [b for _, b in pairs])
        shuffle.shuffle(pairs)
        assert mcnemar_test([a for a, _ in pairs], [b for _, b in pairs]) == test
        back = mcnemar_test([b for _, b in pairs], [a for a, _ in pairs])
        assert (back.only_a, back.only_b, back.p_value) == (test.only_b, test.only_a, test.p_value)

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
        assert test.rank_biserial == pytest.approx(15 / 21)
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

    @given(
        differences=st.one_of(DIFFERENCES, STEPS, st.lists(st.integers(-3, 3).map(float), min_size=120, max_size=200))
    )
    def test_order_never_matters_and_exchange_mirrors(self, differences):
        test = signed_rank_test(differences)
        assert signed_rank_test(differences[::-1]) == test
        back = signed_rank_test([-d for d in differences])
        assert (back.w_plus, back.w_minus) == (test.w_minus, test.w_plus)
        assert back.p_value == test.p_value

    @given(n=st.integers(1, 150))
    def test_a_rise_in_every_pair_is_the_strongest_evidence(self, n):
        test = signed_rank_test([k / 10 for k in range(1, n + 1)])
        assert (test.w_minus, test.rank_biserial) == (0.0, 1.0)
        if n <= 100:
            assert test.p_value == pytest.approx(2.0 ** (1 - n))

    def test_without_a_difference_there_is_no_evidence(self):
        test = signed_rank_test([0.0, 0.0])
        assert (test.n, test.n_zero, test.p_value, test.rank_biserial) == (0, 2, 1.0, None)

    def test_without_pairs_there_is_no_test(self):
        assert signed_rank_test([]).p_value is None

    def test_what_is_no_number_is_refused(self):
        with pytest.raises(ValueError, match="finite"):
            signed_rank_test([math.inf])


class TestMinimumDetectableEffect:
    def test_a_worked_example(self):
        # The quantiles for many cases are 1.96 and 0.8416: 2.8016 * 0.3 / 100.
        assert minimum_detectable_effect(0.3, 10_000) == pytest.approx(0.0084048, rel=1e-3)

    @given(sd=st.floats(0.01, 1.0), n=st.integers(2, 500))
    def test_more_cases_see_less_more_spread_and_certainty_need_more(self, sd, n):
        effect = minimum_detectable_effect(sd, n)
        assert minimum_detectable_effect(sd, n + 1) < effect < minimum_detectable_effect(1.1 * sd, n)

    @pytest.mark.parametrize(("sd", "n"), [(0.3, 0), (0.3, 1), (0.0, 50)])
    def test_fewer_than_two_pairs_or_no_spread_detect_nothing(self, sd, n):
        assert minimum_detectable_effect(sd, n) is None

    @pytest.mark.parametrize("arguments", [{"sd": -0.1}, {"sd": math.nan}, {"n": -1}])
    def test_impossible_arguments_are_refused(self, arguments):
        with pytest.raises(ValueError, match="standard deviation"):
            minimum_detectable_effect(**{"sd": 0.3, "n": 20} | arguments)
