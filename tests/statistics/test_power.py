"""How small a change can be seen."""

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.statistics import minimum_detectable_effect
from magistrate.statistics.distributions import t_quantile

SPREADS = st.floats(0.01, 1.0)


class TestMinimumDetectableEffect:
    def test_a_worked_example(self):
        # The quantiles for many cases are 1.96 and 0.8416: 2.8016 * 0.3 / 100.
        assert minimum_detectable_effect(0.3, 10_000) == pytest.approx(0.0084048, rel=1e-3)

    @given(sd=SPREADS, n=st.integers(2, 500))
    def test_more_cases_see_less_and_more_spread_hides_more(self, sd, n):
        effect = minimum_detectable_effect(sd, n)
        assert minimum_detectable_effect(sd, n + 1) < effect < minimum_detectable_effect(1.1 * sd, n)

    @given(sd=SPREADS, n=st.integers(2, 500))
    def test_more_certainty_needs_a_larger_effect(self, sd, n):
        effect = minimum_detectable_effect(sd, n)
        assert minimum_detectable_effect(sd, n, alpha=0.01) > effect
        assert minimum_detectable_effect(sd, n, power=0.9) > effect

    def test_an_effect_of_that_size_is_found_about_as_often_as_it_says(self):
        draw = Random(5)
        n, sd = 20, 0.3
        effect = minimum_detectable_effect(sd, n)
        critical = t_quantile(0.975, n - 1)
        found = 0
        for _ in range(2000):
            sample = [draw.gauss(effect, sd) for _ in range(n)]
            mean = sum(sample) / n
            error = math.sqrt(sum((x - mean) ** 2 for x in sample) / (n - 1) / n)
            found += abs(mean / error) > critical
        assert found / 2000 == pytest.approx(0.8, abs=0.03)

    def test_at_even_odds_it_is_the_least_effect_that_is_significant(self):
        assert minimum_detectable_effect(0.3, 9, power=0.5) == pytest.approx(t_quantile(0.975, 8) * 0.1)

    @pytest.mark.parametrize("n", [0, 1])
    def test_fewer_than_two_pairs_detect_nothing(self, n):
        assert minimum_detectable_effect(0.3, n) is None

    def test_differences_without_spread_tell_nothing_of_their_spread(self):
        assert minimum_detectable_effect(0.0, 50) is None

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"sd": -0.1}, "standard deviation"),
            ({"sd": math.inf}, "standard deviation"),
            ({"sd": math.nan}, "standard deviation"),
            ({"n": -1}, "number of pairs"),
            ({"alpha": 0.0}, "alpha"),
            ({"alpha": 1.0}, "alpha"),
            ({"power": 0.4}, "power"),
            ({"power": 1.0}, "power"),
        ],
    )
    def test_impossible_arguments_are_refused(self, arguments, message):
        with pytest.raises(ValueError, match=message):
            minimum_detectable_effect(**{"sd": 0.3, "n": 20} | arguments)
