"""Limits that processes share."""

import time
from types import SimpleNamespace

import pytest

from magistrate.completion import shared_limits
from magistrate.completion.shared_limits import LimitsFile, SharedBudget, SharedPace
from magistrate.errors import BudgetExceededError


class TestSharedBudget:
    def test_calls_of_all_count(self, tmp_path):
        first, second = (SharedBudget(LimitsFile(tmp_path / "l.json"), max_calls=3) for _ in range(2))
        for budget in (first, second, first):
            assert budget._try_hold(0.0)
            budget.settle(0.0, 0.0)
        assert second.left == (0, None)
        with pytest.raises(BudgetExceededError):
            second._try_hold(0.0)

    def test_what_one_sets_aside_another_waits_for(self, tmp_path):
        first, second = (SharedBudget(LimitsFile(tmp_path / "l.json"), max_cost=1.0) for _ in range(2))
        assert first._try_hold(0.7)
        assert not second._try_hold(0.7)
        first.settle(0.7, 0.1)
        assert second._try_hold(0.7)
        second.settle(0.7, None)
        assert first.left[1] == pytest.approx(0.2)
        with pytest.raises(BudgetExceededError):
            first._try_hold(0.3)

    def test_a_new_invocation_begins_anew(self, tmp_path):
        file = LimitsFile(tmp_path / "l.json")
        budget = SharedBudget(file, max_calls=1)
        assert budget._try_hold(0.0)
        file.reset()
        assert budget._try_hold(0.0)


class TestSharedPace:
    def test_all_together_keep_it(self, tmp_path, monkeypatch):
        per_minute, seconds, made = 1200.0, 1.0, 0
        clock = SimpleNamespace(now=100.0, monotonic=lambda: clock.now)
        monkeypatch.setattr(shared_limits, "time", clock)
        paces = [SharedPace(LimitsFile(tmp_path / "l.json"), "rpm", per_minute) for _ in range(3)]
        while clock.now < 100.0 + seconds:
            for pace in paces:
                if pace.ready_at() <= clock.now:
                    pace.take(clock.now)
                    made += 1
            clock.now += 0.025
        assert made <= per_minute / 60 * (seconds + 1.0) + 3  # a second's worth may be made up for
        assert made >= per_minute / 60 * seconds * 0.85

    def test_tokens_that_a_call_took_are_corrected(self, tmp_path):
        pace = SharedPace(LimitsFile(tmp_path / "l.json"), "tpm", 60.0)
        assert pace.ready_at() == float("-inf")
        pace.take(0.0, 30.0)
        ready = pace.ready_at()
        assert ready > time.monotonic() + 20
        pace.correct(-20.0)
        assert pace.ready_at() == pytest.approx(ready - 20.0 * 62 / 60, abs=0.1)
