"""How long 200 calls take where the provider refuses some of them, in virtual time."""

from __future__ import annotations

import asyncio
import random
import selectors
from collections.abc import Callable
from typing import Any

import pytest

from magistrate.completion.retry import RetryingClient, RetryPolicy
from magistrate.completion.traffic import Traffic, TrafficClient
from magistrate.errors import JudgeRateLimitError
from magistrate.records import Completion, CompletionRequest

CALLS, AT_ONCE, SECONDS = 200, 64, 0.05


class VirtualSelector(selectors.SelectSelector):
    """Waits for nothing: the time passes at once."""

    now = 0.0

    def select(self, timeout: float | None = None) -> Any:
        self.now += timeout or 0.0
        return super().select(0)


def every(nth: int) -> Callable[[int, float], bool]:
    return lambda number, _: number % nth == 0


def bucket(rate: float, size: float) -> Callable[[int, float], bool]:
    left, last = size, 0.0

    def refuses(_: int, now: float) -> bool:
        nonlocal left, last
        left, last = min(size, left + (now - last) * rate), now
        if left < 1:
            return True
        left -= 1
        return False

    return refuses


class Provider:
    def __init__(self, refuses: Callable[[int, float], bool], retry_after: float | None) -> None:
        self.refuses = refuses
        self.retry_after = retry_after
        self.calls = 0

    async def complete(self, _request: CompletionRequest) -> Completion:
        self.calls += 1
        if self.refuses(self.calls, asyncio.get_running_loop().time()):
            await asyncio.sleep(0.005)
            raise JudgeRateLimitError("slow down", retryable=True, retry_after=self.retry_after)
        await asyncio.sleep(SECONDS)
        return Completion("fine", "stop")

    async def close(self) -> None:
        pass


def seconds(refuses: Callable[[int, float], bool], retry_after: float | None, *, traffic: bool, seed: int = 1) -> float:
    """How long it takes; every call must come through."""
    selector = VirtualSelector()
    loop = asyncio.SelectorEventLoop(selector)
    loop.time = lambda: selector.now  # type: ignore[method-assign]
    request: Any = _Request()

    async def run() -> float:
        provider: Any = Provider(refuses, retry_after)
        inner = TrafficClient(provider, Traffic("p", clock=loop.time)) if traffic else provider
        policy = RetryPolicy(rng=random.Random(seed), limited_attempts=10 if traffic else 99)  # noqa: S311
        client = RetryingClient(inner, policy)
        slots = asyncio.Semaphore(AT_ONCE)

        async def call() -> None:
            async with slots:
                await client.complete(request)

        await asyncio.gather(*(call() for _ in range(CALLS)))
        return loop.time()

    try:
        return loop.run_until_complete(run())
    finally:
        loop.close()


class _Request:
    purpose, messages, max_tokens = "p", (), 1


@pytest.mark.parametrize("nth", [5, 100])
def test_a_call_refused_now_and_then_costs_about_what_it_costs_where_only_that_call_waits(nth: int) -> None:
    assert seconds(every(nth), 1.0, traffic=True) <= 1.5 * seconds(every(nth), 1.0, traffic=False)


@pytest.mark.parametrize("retry_after", [1.0, 0.05, None])
def test_a_bucket_of_tokens_is_emptied_as_fast_as_it_fills_and_no_call_is_given_up(retry_after: float | None) -> None:
    assert seconds(bucket(20, 10), retry_after, traffic=True) <= 1.1 * (CALLS - 10) / 20
