"""How long calls take where the provider refuses some of them, in virtual time; none is given up."""

import asyncio
import math
import random
import selectors

import pytest

from magistrate.completion.retry import RetryingClient, RetryPolicy
from magistrate.completion.traffic import Traffic, TrafficClient
from magistrate.errors import JudgeRateLimitError
from magistrate.records import Completion

AT_ONCE, SECONDS = 64, 0.05


class VirtualSelector(selectors.SelectSelector):
    """Waits for nothing: the time passes at once."""

    now = 0.0

    def select(self, timeout=None):
        self.now += timeout or 0.0
        return super().select(0)


def every(nth):
    return lambda number, _: number % nth == 0


def bucket(rate, size):
    left, last = size, 0.0

    def refuses(_, now):
        nonlocal left, last
        left, last = min(size, left + (now - last) * rate), now
        if left < 1:
            return True
        left -= 1
        return False

    return refuses


class Provider:
    def __init__(self, refuses, retry_after, latency):
        self.refuses = refuses
        self.latency = latency
        self.retry_after = retry_after
        self.calls = 0

    async def complete(self, _request):
        self.calls += 1
        if self.refuses(self.calls, asyncio.get_running_loop().time()):
            await asyncio.sleep(0.005)
            raise JudgeRateLimitError("slow down", retryable=True, retry_after=self.retry_after)
        await asyncio.sleep(self.latency)
        return Completion("fine", "stop")

    async def close(self):
        pass


def seconds(refuses, retry_after, *, traffic, seed=1, latency=SECONDS, calls=200, at_once=AT_ONCE):
    """How long it takes; every call must come through."""
    selector = VirtualSelector()
    loop = asyncio.SelectorEventLoop(selector)
    loop.time = lambda: selector.now
    request = _Request()

    async def run():
        provider = Provider(refuses, retry_after, latency)
        inner = TrafficClient(provider, Traffic("p", clock=loop.time)) if traffic else provider
        policy = RetryPolicy(rng=random.Random(seed), limited_attempts=10 if traffic else 99)  # noqa: S311
        client = RetryingClient(inner, policy)
        slots = asyncio.Semaphore(at_once)

        async def call():
            async with slots:
                await client.complete(request)

        await asyncio.gather(*(call() for _ in range(calls)))
        return loop.time()

    try:
        return loop.run_until_complete(run())
    finally:
        loop.close()


class _Request:
    purpose, messages, max_tokens = "p", (), 1


@pytest.mark.parametrize("latency", [0.05, 1.0])
@pytest.mark.parametrize("nth", [5, 20, 100])
def test_a_call_refused_now_and_then_costs_about_what_it_costs_where_only_that_call_waits(nth, latency):
    alone = seconds(every(nth), 1.0, traffic=False, latency=latency)
    assert seconds(every(nth), 1.0, traffic=True, latency=latency) <= 1.1 * alone


@pytest.mark.parametrize("latency", [0.05, 5.0])
@pytest.mark.parametrize("retry_after", [1.0, 0.05, None])
def test_a_bucket_of_tokens_is_emptied_as_fast_as_it_fills(retry_after, latency):
    least = max((400 - 10) / 20, latency * math.ceil(400 / AT_ONCE))
    assert seconds(bucket(20, 10), retry_after, traffic=True, latency=latency, calls=400) <= 1.1 * least


@pytest.mark.parametrize(
    ("rate", "size", "calls"),
    [(100, 100, 200), (50, 1, 200), (5, 10, 200), (1, 5, 200), (0.2, 1, 100), (1 / 60, 1, 30)],
)
@pytest.mark.parametrize("retry_after", [1.0, 0.05, None])
@pytest.mark.parametrize("at_once", [1, 64, 200])
def test_no_call_is_given_up_however_slowly_a_bucket_fills(rate, size, calls, retry_after, at_once):
    least = max((calls - size) / rate, SECONDS * calls / at_once)
    took = seconds(bucket(rate, size), retry_after, traffic=True, calls=calls, at_once=at_once)
    assert took <= 2 * least + 2


@pytest.mark.parametrize("retry_after", [6.0, 20.0, 60.0])
def test_no_call_is_given_up_where_all_are_asked_to_wait_for_long(retry_after):
    assert seconds(bucket(1 / 6, 10), retry_after, traffic=True, calls=200) <= 1.1 * (200 - 10) * 6


@pytest.mark.parametrize("latency", [0.05, 1.0])
@pytest.mark.parametrize(("part", "each"), [(0.4, 0.25), (0.5, 1), (0.6, 4)])
def test_a_provider_that_refuses_at_random_whatever_is_asked_does_not_make_calls_ever_slower(part, each, latency):
    chance = random.Random(5)  # noqa: S311 - a fault
    assert seconds(lambda *_: chance.random() < part, 1.0, traffic=True, latency=latency) < 200 * each
