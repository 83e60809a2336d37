"""Hard limits on calls and money."""

import asyncio
import time
from contextlib import suppress
from types import SimpleNamespace

import pytest

from magistrate.completion import shared_limits
from magistrate.completion.budget import Budget, BudgetedClient
from magistrate.completion.shared_limits import LimitsFile, SharedBudget, SharedPace
from magistrate.errors import BudgetExceededError, ConfigurationError, JudgeError, JudgeServerError, JudgeTimeoutError
from magistrate.records import Completion, Usage
from magistrate.testing import FakeClient


def costing(cost):
    return Completion("fine", "stop", usage=Usage(1, 0, 10, 10, cost))


def client(budget, *costs, worst=0.5):
    inner = FakeClient([costing(cost) for cost in costs])
    return BudgetedClient(inner, budget, lambda _: worst), inner


@pytest.mark.parametrize("most", [0, 2])
async def test_calls_the_call_after_the_last_allowed_one_is_not_made(most, request_):
    limited, inner = client(Budget(max_calls=most), *[0.0] * most, worst=None)
    for _ in range(most):
        await limited.complete(request_)
    with pytest.raises(BudgetExceededError, match=f"limit of {most} calls"):
        await limited.complete(request_)
    assert len(inner.requests) == most


class TestMoney:
    async def test_what_a_call_cost_is_booked_not_what_it_might_have(self, request_):
        budget = Budget(max_cost=1.0)
        limited, _ = client(budget, 0.25, 0.25)
        await limited.complete(request_)
        await limited.complete(request_)
        assert budget.spent == pytest.approx(0.5)
        assert budget.calls == 2

    async def test_a_call_that_might_exceed_it_is_not_made(self, request_):
        limited, inner = client(Budget(max_cost=1.0), 0.25, 0.5)
        await limited.complete(request_)
        await limited.complete(request_)
        with pytest.raises(BudgetExceededError, match=r"\$0\.75"):
            await limited.complete(request_)
        assert len(inner.requests) == 2

    @pytest.mark.parametrize(
        ("reply", "spent"),
        [
            (costing(None), 0.5),  # unknown: at its highest
            (JudgeServerError("down"), 0.0),
            (JudgeTimeoutError("late", billable=True), 0.5),  # sent, and not answered
        ],
    )
    async def test_what_is_not_known_to_be_free_is_booked_at_its_highest(self, reply, spent, request_):
        budget = Budget(max_cost=1.0)
        with suppress(JudgeError):
            await BudgetedClient(FakeClient([reply]), budget, lambda _: 0.5).complete(request_)
        assert (budget.spent, budget.calls) == (spent, 1)

    async def test_an_unknown_price_cannot_be_limited(self, request_):
        limited, _ = client(Budget(max_cost=1.0), worst=None)
        with pytest.raises(ConfigurationError, match="price"):
            await limited.complete(request_)

    async def test_calls_in_flight_hold_back_what_they_may_cost_and_others_wait_for_them(self, request_):
        class Slow(FakeClient):
            def __init__(self):
                super().__init__(lambda _: costing(0.1))
                self.now = self.most = 0

            async def complete(self, request):
                self.now += 1
                self.most = max(self.most, self.now)
                await asyncio.sleep(0.02)
                self.now -= 1
                return await super().complete(request)

        budget, inner = Budget(max_cost=1.2), Slow()
        limited = BudgetedClient(inner, budget, lambda _: 0.5)
        await asyncio.gather(*(limited.complete(request_) for _ in range(6)))
        assert inner.most == 2
        assert budget.spent == pytest.approx(0.6)


@pytest.mark.parametrize("wrong", [{"max_cost": -1.0}, {"max_cost": float("nan")}, {"max_calls": -1}])
def test_impossible_limits_are_refused(wrong):
    with pytest.raises(ConfigurationError):
        Budget(**wrong)


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
        file.change(dict.clear)
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
        assert pace.ready_at() == pytest.approx(ready - 20.0 * 65 / 60, abs=0.1)
