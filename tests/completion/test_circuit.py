"""When a provider counts as down."""

import math

import pytest

from magistrate.completion.traffic._limits import Circuit


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
    @pytest.mark.parametrize(
        ("events", "now", "ready_at"),
        [
            ([(0, 0)] * 2, 7.0, 7.0),  # too few
            ([(0, 0)] * 3, 0.0, 0.0),  # one is tried at once
            ([(0, 0)] * 4, 0.0, 1.0),  # and then later
            ([*[(0, 0)] * 3, "fine"], 9.0, 9.0),
            ([*[(0, 0)] * 3, (50, 0, "late")], 50.0, 0.0),  # one that began before does not put the try off
            ([(0, 0), (0, 0), "fine"] * 100, 5.0, 5.0),
        ],
    )
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

    @pytest.mark.parametrize(
        ("events", "answered", "now", "refuses"),
        [
            ([*[(100, 100)] * 3, (159, 158)], True, 159.0, False),
            ([*[(100, 100)] * 3, (159, 158), (161, 160)], True, 161.0, True),
            ([(120, 0)] * 3, True, 120.0, True),  # calls that hang count from their beginning
            ([(500, 0)] * 2, True, 500.0, False),  # a few failures are no outage however long they take
            ([*[(0, 0)] * 3, (10, 10)], False, 10.0, True),  # one that never answered is given less time
            ([(0, 0, "absent"), (0.5, 0.5, "absent"), (1.5, 1.5, "absent")], False, 1.5, True),
            ([*[(0, 0, "absent")] * 3, (30, 30, "absent")], True, 30.0, False),  # it answered before
        ],
    )
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
    assert [circuit.refuses(at) for at in (59.0, 60.0)] == [True, False]
    if comes_back:
        circuit.begin()
        circuit.succeed()
    else:
        circuit.fail(61.0, 60.0, "no answer", trying=circuit.begin())
    assert circuit.refuses(100.0) is not comes_back
