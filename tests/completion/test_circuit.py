"""When a provider counts as down."""

from __future__ import annotations

import math

from magistrate.completion.traffic._circuit import Circuit


def broken(circuit: Circuit, times: int, *, at: float = 0.0) -> None:
    """Let calls fail that all began at the same time."""
    for _ in range(times):
        circuit.fail(at, at, "no answer", trying=circuit.begin())


def answered(patience: float = 60.0) -> Circuit:
    circuit = Circuit(failures=3, patience=patience)
    circuit.begin()
    circuit.succeed()
    return circuit


class TestAProviderThatAnswers:
    def test_gets_every_call(self) -> None:
        circuit = answered()
        broken(circuit, 2)
        assert circuit.ready_at(7.0) == 7.0
        assert not circuit.refuses(7.0)

    def test_is_trusted_again_after_one_answer(self) -> None:
        circuit = answered()
        for moment in range(500):
            broken(circuit, 2, at=moment)
            circuit.succeed()
        assert not circuit.suspects


class TestAProviderThatFails:
    def test_is_tried_with_one_call_at_a_time_at_growing_intervals(self) -> None:
        circuit = answered(patience=1000.0)
        broken(circuit, 3)
        now, waits = 0.0, []
        for _ in range(9):
            at = circuit.ready_at(now)
            waits.append(at - now)
            assert circuit.begin()
            assert circuit.ready_at(at) == math.inf
            circuit.fail(at, at, "no answer", trying=True)
            now = at
        assert waits == [0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0]
        assert not circuit.is_open

    def test_gets_every_call_again_once_the_try_succeeds(self) -> None:
        circuit = answered()
        broken(circuit, 3)
        circuit.begin()
        circuit.succeed()
        assert circuit.ready_at(9.0) == 9.0

    def test_calls_that_began_before_and_fail_late_do_not_put_the_try_off(self) -> None:
        circuit = answered(patience=1000.0)
        broken(circuit, 3)
        circuit.fail(50.0, 0.0, "no answer", trying=False)
        assert circuit.ready_at(50.0) == 0.0

    def test_is_down_when_its_time_is_up(self) -> None:
        circuit = answered(patience=60.0)
        broken(circuit, 3, at=100.0)
        circuit.fail(159.0, 158.0, "no answer", trying=circuit.begin())
        assert not circuit.is_open
        circuit.fail(161.0, 160.0, "503: overloaded", trying=circuit.begin())
        assert circuit.refuses(161.0)
        assert circuit.why == "5 calls in a row failed within 61 s, the last one: 503: overloaded"

    def test_calls_that_hang_count_from_their_beginning(self) -> None:
        circuit = answered(patience=60.0)
        for _ in range(3):
            circuit.fail(120.0, 0.0, "timeout", trying=False)
        assert circuit.refuses(120.0)

    def test_a_few_failures_are_no_outage_however_long_they_take(self) -> None:
        circuit = answered(patience=60.0)
        for _ in range(2):
            circuit.fail(500.0, 0.0, "timeout", trying=False)
        assert not circuit.suspects

    def test_one_that_never_answered_is_given_less_time(self) -> None:
        circuit = Circuit(failures=3, patience=60.0)
        broken(circuit, 3)
        broken(circuit, 1, at=10.0)
        assert circuit.refuses(10.0)

    def test_one_where_nothing_listens_is_given_a_moment(self) -> None:
        circuit = Circuit(failures=3, patience=60.0)
        broken(circuit, 3)
        assert not circuit.refuses(0.0)
        circuit.fail(1.0, 0.9, "refused", trying=circuit.begin(), absent=True)
        assert circuit.refuses(1.0)

    def test_one_where_nothing_listens_is_known_by_a_single_call(self) -> None:
        circuit = Circuit(failures=5, patience=60.0)
        for at in (0.0, 0.5, 1.5):
            circuit.fail(at, at, "refused", trying=circuit.begin(), absent=True)
        assert circuit.refuses(1.5)

    def test_one_that_answered_before_gets_its_time_though_nothing_listens_now(self) -> None:
        circuit = answered(patience=60.0)
        for at in (0.0, 0.0, 0.0, 30.0):
            circuit.fail(at, at, "refused", trying=circuit.begin(), absent=True)
        assert not circuit.refuses(30.0)

    def test_a_try_that_is_cancelled_makes_room_for_another(self) -> None:
        circuit = answered()
        broken(circuit, 3)
        circuit.give_up(trying=circuit.begin())
        assert circuit.ready_at(1.0) == 0.0


class TestAProviderThatIsDown:
    def test_is_tried_once_more_later_and_may_come_back(self) -> None:
        circuit = answered(patience=60.0)
        circuit.trip(0.0, "the credit is used up")
        assert circuit.refuses(59.0)
        assert not circuit.refuses(60.0)
        assert circuit.begin()
        circuit.succeed()
        assert not circuit.is_open

    def test_stays_down_if_the_late_try_fails(self) -> None:
        circuit = answered(patience=60.0)
        circuit.trip(0.0, "the credit is used up")
        circuit.fail(61.0, 60.0, "no answer", trying=circuit.begin())
        assert circuit.refuses(100.0)
        assert circuit.why.endswith("no answer")
