"""Sums over resamples: the distribution is that of drawing case by case."""

import math
from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magistrate.statistics.sampling import Resampler, draw_binomial, draw_counts

LIGHT = settings(deadline=None)


class ScriptedRandom(Random):
    """Gives the listed numbers first."""

    def __init__(self, *numbers):
        super().__init__(1)
        self.numbers = list(numbers)

    def random(self):
        return self.numbers.pop(0) if self.numbers else super().random()


def chi_square(observed, expected):
    return sum((observed[k] - e) ** 2 / e for k, e in expected.items())


class TestDrawBinomial:
    @pytest.mark.parametrize(
        ("n", "p"), [(5, 0.3), (30, 0.02), (200, 0.04), (40, 0.5), (60, 0.7), (1000, 0.03), (400, 0.25)]
    )
    def test_its_frequencies_are_those_of_the_formula(self, n, p):
        rng = Random(11)
        draws = 20_000
        observed = Counter(draw_binomial(n, p, rng) for _ in range(draws))
        expected = {k: draws * math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)}
        usual = {k: e for k, e in expected.items() if e >= 10}
        rest = sum(count for k, count in observed.items() if k not in usual)
        assert rest == pytest.approx(draws - sum(usual.values()), abs=60)
        # The mean of chi-square is its degrees of freedom, its variance twice that.
        freedom = len(usual)
        assert chi_square(observed, usual) < freedom + 4 * math.sqrt(2 * freedom)

    @LIGHT
    @given(n=st.integers(0, 10**6), p=st.floats(0, 1), seed=st.integers(0, 99))
    def test_it_is_a_count(self, n, p, seed):
        assert 0 <= draw_binomial(n, p, Random(seed)) <= n

    def test_what_is_certain_needs_no_chance(self):
        never = ScriptedRandom()
        state = never.getstate()
        assert [draw_binomial(0, 0.5, never), draw_binomial(9, 0.0, never), draw_binomial(9, 1.0, never)] == [0, 0, 9]
        assert never.getstate() == state

    def test_the_least_random_numbers_are_drawn_again(self):
        # A uniform number of exactly 0 has no place in the formulas of either method: logarithms and divisions.
        assert 0 <= draw_binomial(100, 0.4, ScriptedRandom(0.0, 0.3, 0.999, 0.0)) <= 100
        assert 0 <= draw_binomial(10, 0.4, ScriptedRandom(0.0)) <= 10


class TestDrawCounts:
    @LIGHT
    @given(sizes=st.lists(st.integers(1, 500), min_size=1, max_size=20), seed=st.integers(0, 99))
    def test_every_draw_lands_somewhere(self, sizes, seed):
        counts = draw_counts(sizes, Random(seed))
        assert sum(counts) == sum(sizes)
        assert min(counts) >= 0

    def test_groups_are_hit_in_proportion_to_their_size(self):
        rng = Random(5)
        sizes = [10, 30, 60]
        totals = [sum(column) for column in zip(*(draw_counts(sizes, rng) for _ in range(4000)), strict=True)]
        assert [total / 4000 for total in totals] == pytest.approx(sizes, rel=0.02)

    def test_no_groups_no_counts(self):
        assert draw_counts([], Random(1)) == []


def moments(resampler, draws=4000, seed=3):
    rng = Random(seed)
    sums = [resampler.sums(rng)[0] for _ in range(draws)]
    mean = sum(sums) / draws
    return mean, sum((s - mean) ** 2 for s in sums) / draws


class TestResampler:
    @pytest.mark.parametrize(
        "values",
        [
            [i / 10 for i in range(11)],  # less than a byte
            [math.sqrt(i) for i in range(256)],  # exactly one byte
            [math.sqrt(i) for i in range(600)],  # several blocks, the last one short
            [0.0] * 300 + [1.0] * 100,  # equal cases only
            [1.0] * 200 + [i / 97 for i in range(97)],  # both
        ],
        ids=["few", "a byte", "blocks", "equal", "mixed"],
    )
    def test_sums_have_the_mean_and_variance_of_independent_draws(self, values):
        n = len(values)
        mean = sum(values) / n
        variance = sum((v - mean) ** 2 for v in values)
        measured_mean, measured_variance = moments(Resampler(Counter((value,) for value in values)))
        assert measured_mean == pytest.approx(sum(values), abs=4 * math.sqrt(variance / 4000))
        assert measured_variance == pytest.approx(variance, rel=0.1)

    @pytest.mark.parametrize("size", [3, 100, 200, 256, 300])
    def test_every_case_is_drawn_equally_often(self, size):
        rng = Random(2)
        # A column of its own for each case, so that the sums tell how often each was drawn.
        rows = [tuple(float(k == column) for column in range(size)) for k in range(size)]
        resampler = Resampler(Counter(rows))
        rounds = 12_000 // size
        totals = Counter()
        for _ in range(rounds):
            for column, total in enumerate(resampler.sums(rng)):
                totals[column] += total
        assert chi_square(totals, dict.fromkeys(range(size), rounds)) < size + 4 * math.sqrt(2 * size)

    def test_columns_are_drawn_together(self):
        rows = [(float(i), 2.0 * i + 1.0) for i in range(70)] + [(5.0, 11.0)] * 70
        resampler = Resampler(Counter(rows))
        rng = Random(4)
        for _ in range(50):
            first, second = resampler.sums(rng)
            assert second == pytest.approx(2 * first + 140)

    @given(values=st.lists(st.floats(0, 1), min_size=1, max_size=80), shuffle=st.randoms(), seed=st.integers(0, 9))
    def test_the_order_of_the_cases_never_matters(self, values, shuffle, seed):
        other = list(values)
        shuffle.shuffle(other)
        one = Resampler(Counter((value,) for value in values))
        two = Resampler(Counter((value,) for value in other))
        assert one.sums(Random(seed)) == two.sums(Random(seed))

    def test_only_cases_that_differ_cost_a_draw(self):
        assert Resampler({(0.0,): 500, (1.0,): 64}).draws == 0
        assert Resampler({(0.0,): 500, (1.0,): 63}).draws == 63

    def test_a_block_that_is_never_hit_adds_nothing(self):
        resampler = Resampler({(0.0,): 5000, (1.0,): 1})
        rng = Random(1)
        sums = Counter(resampler.sums(rng)[0] for _ in range(300))
        assert sums[0.0] == pytest.approx(300 / math.e, abs=40)

    def test_no_cases_have_no_sums(self):
        resampler = Resampler({})
        assert (resampler.n, resampler.draws, resampler.sums(Random(1))) == (0, 0, [])
