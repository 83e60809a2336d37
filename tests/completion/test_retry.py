"""One layer of retries."""

import random
from dataclasses import replace

import pytest

from magistrate.completion.retry import RetryingClient, RetryPolicy
from magistrate.errors import (
    BudgetExceededError,
    ConfigurationError,
    JudgeAuthError,
    JudgeConnectionError,
    JudgeError,
    JudgeRateLimitError,
    JudgeServerError,
)
from magistrate.testing import FakeClient


class Clock:
    """Notes the waits instead of waiting."""

    def __init__(self):
        self.waits = []

    async def sleep(self, seconds):
        self.waits.append(seconds)


def policy(clock, attempts=5):
    return RetryPolicy(attempts=attempts, sleep=clock.sleep, rng=random.Random(1))  # noqa: S311 - jitter


def down():
    return JudgeServerError("down", retryable=True)


def busy(wait=None):
    return JudgeRateLimitError("too many", retryable=True, retry_after=wait)


async def ask(replies, rules, request):
    inner = FakeClient(replies)
    try:
        return await RetryingClient(inner, rules).complete(request), None, len(inner.requests)
    except (JudgeError, BudgetExceededError) as error:
        return None, error, len(inner.requests)


class TestWhatIsTriedAgain:
    async def test_a_call_that_works_is_made_once(self, request_):
        completion, _, calls = await ask(["fine"], policy(Clock()), request_)
        assert (completion.text, completion.attempts, calls) == ("fine", 1, 1)

    async def test_after_the_last_attempt_the_error_says_how_often(self, request_):
        _, error, calls = await ask([down()] * 3, policy(Clock(), attempts=3), request_)
        assert isinstance(error, JudgeServerError)
        assert (error.attempts, calls) == (3, 3)
        assert "tried 3 times" in str(error)
        assert error.__cause__ is None
        assert error.__suppress_context__

    @pytest.mark.parametrize("kind", [JudgeRateLimitError, JudgeConnectionError])
    async def test_calls_turned_away_for_their_rate_or_cut_off_have_a_count_of_their_own(self, kind, request_):
        def busy():
            return kind("not now", retryable=True)

        rules = replace(policy(Clock(), attempts=2), limited_attempts=4)
        completion, _, calls = await ask([busy(), busy(), down(), busy(), "fine"], rules, request_)
        assert (completion.attempts, calls) == (5, 5)
        _, error, calls = await ask([busy(), down(), busy(), down()], rules, request_)
        assert (type(error), calls) == (JudgeServerError, 4)
        _, error, calls = await ask([busy()] * 4, rules, request_)
        assert (type(error), calls) == (kind, 4)

    async def test_a_call_that_is_turned_away_while_others_pass_is_made_four_times_as_often(self, request_):
        def passed_by():
            error = busy()
            error.others_pass = True
            return error

        rules = replace(policy(Clock()), limited_attempts=2)
        assert (await ask([passed_by()] * 7 + ["fine"], rules, request_))[2] == 8
        _, error, calls = await ask([passed_by()] * 8, rules, request_)
        assert (type(error), calls) == (JudgeRateLimitError, 8)

    @pytest.mark.parametrize("fatal", [JudgeAuthError("no"), JudgeServerError("no"), BudgetExceededError("no")])
    async def test_what_cannot_work_later_is_not(self, fatal, request_):
        _, error, calls = await ask([fatal], policy(Clock()), request_)
        assert type(error) is type(fatal)
        assert calls == 1


class TestWaiting:
    async def test_the_waits_are_drawn_between_zero_and_a_growing_bound(self, request_):
        clock = Clock()
        await ask([down()] * 8, replace(policy(clock, attempts=8), base=1.0, longest=5.0), request_)
        assert len(clock.waits) == 7
        for wait, bound in zip(clock.waits, [1, 2, 4, 5, 5, 5, 5], strict=True):
            assert 0 <= wait <= bound
        assert len(set(clock.waits)) == 7

    async def test_what_the_provider_asks_for_is_the_least(self, request_):
        clock = Clock()
        await ask([busy(wait=7.5), "fine"], policy(clock), request_)
        assert 7.5 <= clock.waits[0] <= 8.5

    async def test_a_provider_that_asks_for_an_hour_is_not_waited_for(self, request_):
        clock = Clock()
        _, error, calls = await ask([busy(wait=3600)], policy(clock), request_)
        assert isinstance(error, JudgeRateLimitError)
        assert (calls, clock.waits) == (1, [])

    @pytest.mark.parametrize("wrong", [{"attempts": 0}, {"limited_attempts": 0}, {"base": -1.0}, {"patience": -1.0}])
    def test_impossible_policies_are_refused(self, wrong):
        with pytest.raises(ConfigurationError):
            RetryPolicy(**wrong)
