"""What a run paid for a completion, counted once, however often the run is cut off."""

import asyncio
import sqlite3

import pytest

from magistrate.completion.cache import CachedClient, CompletionCache, cache_key
from magistrate.completion.cost_ledger import Payer, current_payer
from magistrate.records import Completion, Usage
from magistrate.testing import FakeClient

PAID = Completion("fine", usage=Usage(1, 0, 100, 20, 0.5, 12.5), attempts=3)


@pytest.fixture
def cache(tmp_path):
    opened = CompletionCache(tmp_path)
    yield opened
    opened.close()


def run(name, counted=()):
    """A run that begins, or goes on with results that count these keys."""
    keys = tuple(counted)
    return Payer(name, lambda: keys)


async def ask(cache, request, payer):
    """Ask as a case of this run would: the provider answers `PAID`."""
    current_payer.set(payer)
    return await CachedClient(FakeClient([PAID]), cache).complete(request)


class TestAPayment:
    async def test_is_the_first_askers(self, cache, request_):
        payer = run("a")
        assert await ask(cache, request_, payer) == PAID
        assert (await ask(cache, request_, payer)).cached

    async def test_is_taken_up_by_the_run_that_goes_on(self, cache, request_):
        await ask(cache, request_, run("a"))
        again = run("a")
        assert await ask(cache, request_, again) == PAID
        assert (await ask(cache, request_, again)).cached

    async def test_is_not_taken_up_where_a_finished_result_counts_it(self, cache, request_):
        await ask(cache, request_, run("a"))
        assert (await ask(cache, request_, run("a", [cache_key(request_)]))).cached

    async def test_is_taken_up_again_when_the_run_that_took_it_up_was_cut_off_too(self, cache, request_):
        for _ in range(3):
            assert await ask(cache, request_, run("a")) == PAID

    async def test_is_no_other_runs(self, cache, request_):
        await ask(cache, request_, run("a"))
        assert (await ask(cache, request_, run("b"))).usage.cost == 0.0
        assert (await ask(cache, request_, None)).usage.cost == 0.0
        assert await ask(cache, request_, run("a")) == PAID

    async def test_is_kept_for_each_of_two_runs_that_paid_for_the_same(self, cache, request_):
        """Both asked before either had the reply: the first reply is kept, both were paid for."""
        other = Completion("other", usage=Usage(1, 0, 7, 8, 0.25, 1.0))
        for payer, completion in ((run("a"), PAID), (run("b"), other)):
            await cache.put(cache_key(request_), completion, token=None, model="m", payer=payer)
        later = await ask(cache, request_, run("b"))
        assert (later.text, later.usage) == ("fine", other.usage)

    async def test_is_taken_once_by_many_at_a_time(self, tmp_path, request_):
        caches = [CompletionCache(tmp_path) for _ in range(3)]
        await ask(caches[0], request_, run("a"))
        again = run("a")
        answers = await asyncio.gather(*(ask(cache, request_, again) for cache in caches for _ in range(4)))
        assert sum(not answer.cached for answer in answers) == 1
        for cache in caches:
            cache.close()

    async def test_of_this_invocation_stays_counted_when_the_results_are_read(self, cache, request_):
        await cache.put("before", PAID, token=None, model="m", payer=run("a"))
        again = run("a")
        assert await ask(cache, request_, again) == PAID
        assert await cache.take_payment("before", again) == (PAID.usage, PAID.attempts)
        assert (await ask(cache, request_, again)).cached

    async def test_goes_with_the_completions(self, cache, request_):
        await ask(cache, request_, run("a"))
        cache.clear()
        assert await cache.take_payment(cache_key(request_), run("a")) is None

    async def test_many_are_marked(self, cache):
        keys = [f"k{number}" for number in range(503)]
        first = run("a")
        await asyncio.gather(*(cache.put(key, PAID, token=None, model="m", payer=first) for key in keys))
        again = run("a", keys[:-1])
        assert [key for key in keys if await cache.take_payment(key, again)] == keys[-1:]


class TestAnOlderCache:
    async def test_gets_the_table_and_keeps_its_completions_free(self, tmp_path, request_):
        first = CompletionCache(tmp_path)
        await ask(first, request_, None)
        first.close()
        with sqlite3.connect(tmp_path / "completions.sqlite3") as database:
            database.execute("DROP TABLE payments")
        database.close()
        second = CompletionCache(tmp_path)
        assert (await ask(second, request_, run("a"))).cached
        second.close()
