"""How many calls at a time, and how many a minute."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.completion.traffic._limits import AdaptiveLimit, Pace
from magistrate.errors import ConfigurationError


def succeed(limit, times):
    for _ in range(times):
        limit.succeed(int(limit.value))


class TestCallsAtATime:
    def test_grow_by_one_for_each_success_until_a_call_is_turned_away(self):
        limit = AdaptiveLimit(start=8, most=100)
        succeed(limit, 8)
        assert limit.value == 16

    def test_are_halved_when_calls_are_turned_away_and_then_grow_by_two_a_round(self):
        limit = AdaptiveLimit(start=64, most=100)
        limit.turned_away(limit.epoch)
        assert limit.value == 32
        succeed(limit, 32)
        assert 33.8 < limit.value <= 34

    def test_come_back_quickly_after_an_outage(self):
        limit = AdaptiveLimit(start=64, most=100)
        for _ in range(6):
            limit.turned_away(limit.epoch)
        assert limit.value == 1
        succeed(limit, 31)
        assert limit.value == 32
        succeed(limit, 31)
        assert limit.value < 34

    def test_are_halved_once_for_all_calls_that_began_together(self):
        limit = AdaptiveLimit(start=64)
        epoch = limit.epoch
        for _ in range(64):
            limit.turned_away(epoch)
        assert limit.value == 32

    def test_do_not_grow_while_fewer_are_made(self):
        limit = AdaptiveLimit(start=8)
        for _ in range(100):
            limit.succeed(7)
        assert limit.value == 8

    def test_never_pass_their_bounds(self):
        limit = AdaptiveLimit(start=2, most=3)
        succeed(limit, 50)
        assert limit.value == 3
        for _ in range(50):
            limit.turned_away(limit.epoch)
        assert limit.allows(0)
        assert not limit.allows(1)

    def test_hold_all_calls_longer_and_longer_once_only_one_is_made_and_it_is_turned_away(self):
        limit = AdaptiveLimit(start=4)
        assert [limit.turned_away(limit.epoch) for _ in range(9)] == [0, 0, 1, 2, 4, 8, 16, 30, 30]
        limit.succeed(1)
        assert limit.turned_away(limit.epoch) <= 1

    def test_less_than_one_is_refused(self):
        with pytest.raises(ConfigurationError):
            AdaptiveLimit(most=0)


def begin(pace, asked):
    """When calls begin that are asked for at these times."""
    now, began = 0.0, []
    for at in sorted(asked):
        now = max(now, at, pace.ready_at())
        pace.take(now)
        began.append(now)
    return began


class TestCallsAMinute:
    @given(
        rpm=st.integers(1, 400),
        asked=st.lists(st.floats(0, 200, allow_nan=False), min_size=1, max_size=500),
    )
    def test_no_minute_holds_more_than_allowed(self, rpm, asked):
        began = begin(Pace(rpm), asked)
        for at in began:
            assert sum(at <= other < at + 60 - 1e-6 for other in began) <= rpm

    @pytest.mark.parametrize("rpm", [3, 60, 6000])
    def test_nearly_all_that_is_allowed_is_used(self, rpm):
        began = begin(Pace(rpm), [0.0] * rpm * 3)
        assert began[-1] < 3 * 60 * 1.02 + 1

    def test_they_are_spread_evenly(self):
        assert begin(Pace(6), [0.0] * 4) == [0.0, 10.0, 20.0, 30.0]


class TestTokensAMinute:
    def test_a_call_waits_until_those_before_it_are_paid_off(self):
        pace = Pace(6000)
        pace.take(0.0, 3000)
        assert 29.0 < pace.ready_at() < 30.5

    def test_what_a_call_really_took_counts(self):
        pace = Pace(6000)
        pace.take(0.0, 3000)
        before = pace.ready_at()
        pace.correct(-1000)
        assert 9.9 < before - pace.ready_at() < 10.3

    @pytest.mark.parametrize("wrong", [0, -1, float("inf"), float("nan")])
    def test_impossible_limits_are_refused(self, wrong):
        with pytest.raises(ConfigurationError):
            Pace(wrong)
