"""How many calls at a time, and how many a minute."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.completion.traffic._limits import AdaptiveLimit, AdaptiveRate, Circuit, Pace
from magistrate.errors import ConfigurationError

cases = cases_of(__file__)


def succeed(limit, times):
    for _ in range(times):
        limit.succeed(int(limit.value))


def turn_away(limit):
    """Turn all calls under way away."""
    under_way, epoch = int(limit.value), limit.epoch
    for _ in range(under_way):
        limit.turned_away(epoch, under_way)


class TestCallsAtATime:
    @pytest.mark.parametrize(("start", "half", "grown"), [(64, 32, 36), (16, 8, 10), (2, 1, 3)])
    def test_are_halved_when_calls_are_turned_away_and_then_grow_by_an_eighth_a_round_or_two(self, start, half, grown):
        limit = AdaptiveLimit(start=start, most=100)
        turn_away(limit)
        assert limit.value == half
        succeed(limit, half)
        assert grown - 0.2 < limit.value <= grown

    def test_double_a_round_until_an_overload_is_met(self):
        limit = AdaptiveLimit(start=64, most=500)
        succeed(limit, 64)
        assert limit.value == 128

    @pytest.mark.parametrize(("nth", "stays"), [(100, True), (5, True), (3, False)])
    def test_stay_while_no_more_than_a_quarter_of_the_calls_is_turned_away(self, nth, stays):
        limit = AdaptiveLimit(start=8)
        for number in range(1, 500):
            if number % nth:
                limit.succeed(int(limit.value))
            else:
                limit.turned_away(limit.epoch, int(limit.value))
        assert (limit.value >= 8) is stays

    def test_never_pass_their_bounds(self):
        limit = AdaptiveLimit(start=2, most=3)
        succeed(limit, 50)
        assert limit.value == 3
        for _ in range(50):
            turn_away(limit)
        assert limit.allows(0)
        assert not limit.allows(1)

    def test_less_than_one_is_refused(self):
        with pytest.raises(ConfigurationError):
            AdaptiveLimit(most=0)


def offered(rate, seconds, lets_through):
    """Ask for calls all the time; return when those began that were let through."""
    now, began = 0.0, []
    while now < seconds:
        now = max(now + 0.001, rate.ready_at)
        rate.begin(now)
        if lets_through(now, began):
            began.append(now)
            rate.succeed(now)
        else:
            rate.turned_away(now + 0.0005, now)
    return began


class TestCallsASecond:
    def test_are_many_again_soon_after_the_limit_is_gone(self):
        rate = AdaptiveRate()
        began = offered(rate, 40, lambda now, began: now > 20 or not began or now - began[-1] >= 1)
        assert rate.gap == 0
        assert len(began) > 5_000

    def test_are_made_half_as_often_from_the_fourth_in_a_row_that_is_turned_away(self):
        rate, gaps = AdaptiveRate(), []
        for _ in range(15):
            now = max(0.0, rate.ready_at)
            rate.begin(now)
            rate.turned_away(now, now)
            gaps.append(rate.gap)
        assert gaps[:3] == [0.5] * 3
        assert gaps[3:] == [1, 2, 4, 8, 15, *[15] * 7]
        rate.succeed(now)
        assert rate.gap == 7.5


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

    @pytest.mark.parametrize("wrong", [0, -1, float("inf"), float("nan")])
    def test_impossible_limits_are_refused(self, wrong):
        with pytest.raises(ConfigurationError):
            Pace(wrong)


def after(*events, answered=True):
    """A circuit that takes 3 failures and 60 s, after calls that failed (when, began) or were answered ("fine")."""
    circuit = Circuit(failures=3, patience=60.0)
    for event in ("fine", *events) if answered else events:
        if isinstance(event, str):
            circuit.begin()
            circuit.succeed()
        else:
            trying = circuit.begin() if "late" not in event else False
            circuit.fail(event[0], event[1], "no answer", trying=trying, absent="absent" in event)
    return circuit


class TestAProviderThatFails:
    @cases("limits: is tried with one call once enough failed in a row")
    def test_is_tried_with_one_call_once_enough_failed_in_a_row(self, events, now, ready_at):
        assert after(*events).ready_at(now) == ready_at

    def test_is_tried_at_growing_intervals_with_nothing_beside(self):
        circuit = after(*[(0, 0)] * 3)
        circuit.patience, now, waits = 1000.0, 0.0, []
        for _ in range(9):
            at = circuit.ready_at(now)
            waits.append(at - now)
            assert circuit.begin()
            assert circuit.ready_at(at) == math.inf
            circuit.fail(at, at, "no answer", trying=True)
            now = at
        assert waits == [0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0]
        assert not circuit.is_open

    @cases("limits: is down when its time is up")
    def test_is_down_when_its_time_is_up(self, events, answered, now, refuses):
        assert after(*events, answered=answered).refuses(now) is refuses

    def test_a_try_that_is_cancelled_makes_room_for_another(self):
        circuit = after(*[(0, 0)] * 3)
        circuit.give_up(trying=circuit.begin())
        assert circuit.ready_at(1.0) == 0.0


@pytest.mark.parametrize("comes_back", [True, False])
def test_a_provider_that_is_down_is_tried_once_more_later(comes_back):
    circuit = after()
    circuit.trip(0.0, "the credit is used up")
    circuit.fail(50.0, 0.0, "no answer", trying=False)  # one that was under way puts nothing off
    assert [circuit.refuses(at) for at in (59.0, 60.0)] == [True, False]
    if comes_back:
        circuit.begin()
        circuit.succeed()
    else:
        circuit.fail(61.0, 60.0, "no answer", trying=circuit.begin())
    assert circuit.refuses(100.0) is not comes_back
