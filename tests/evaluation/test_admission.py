"""A budget pays for whole cases: near its end fewer of them are begun at a time."""

import pytest

from magistrate.case import Case
from magistrate.completion.budget import Budget
from magistrate.evaluation.api import evaluate
from magistrate.judges.llm import LLMJudge
from magistrate.testing import FaultServer

pytestmark = pytest.mark.slow


def cases(count):
    return [
        Case(id=f"c{n}", answer=f"Tram {n} is green. It runs at night.", contexts=(f"Tram {n} is green.",))
        for n in range(count)
    ]


@pytest.fixture
def server():
    with FaultServer(latency=0.02) as running:
        yield running


def judged(server, count, budget, *, repeat=1):
    judge = LLMJudge("gpt-4o", api_base=server.openai_url, api_key="none", budget=budget)
    try:
        return evaluate(cases(count), judge=judge, concurrency=8, repeat=repeat)
    finally:
        judge.close_sync()


def scored(run):
    return sum(result.score is not None for result in run)


class TestCalls:
    @pytest.mark.parametrize(("calls", "whole"), [(1, 0), (2, 1), (5, 2), (8, 4), (11, 5)])
    def test_as_many_cases_are_scored_as_the_calls_pay_for(self, server, calls, whole):
        run = judged(server, 8, Budget(max_calls=calls))
        assert server.stats.calls == calls
        assert scored(run) == whole
        assert run.state == "over_budget"

    def test_of_repetitions_too(self, server):
        run = judged(server, 8, Budget(max_calls=11), repeat=2)
        assert server.stats.calls == 11
        assert scored(run) >= 2
        assert sum(result.usage.calls > 0 for result in run) - scored(run) <= 1

    def test_far_from_the_end_nothing_waits(self, server):
        run = judged(server, 24, Budget(max_calls=48))
        assert (scored(run), run.state) == (24, "complete")
        assert server.stats.most_at_once > 4


class TestMoney:
    def test_as_many_cases_are_scored_as_the_money_pays_for(self, server):
        [one] = judged(server, 1, Budget(max_cost=10.0))
        assert one.usage.cost is not None
        run = judged(server, 12, Budget(max_cost=6.5 * one.usage.cost))
        assert run.state == "over_budget"
        begun = sum(result.usage.calls > 0 for result in run)
        assert begun - scored(run) <= 1
        assert 1 <= scored(run) <= 6

    def test_far_from_the_end_nothing_waits(self, server):
        run = judged(server, 24, Budget(max_cost=10.0))
        assert scored(run) == 24
        assert server.stats.most_at_once > 4
