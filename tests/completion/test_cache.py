"""Raw completions by content, and what a run paid, counted once."""

import asyncio
import multiprocessing
import sqlite3
import stat
import time
from dataclasses import replace

import pytest
from tests.case_tables import cases_of

from magistrate.completion.cache import CachedClient, CompletionCache, cache_key, load_or_make_key
from magistrate.completion.cost_ledger import Payer, current_payer
from magistrate.errors import JudgeServerError, StoreError
from magistrate.records import Completion, Message, Usage
from magistrate.testing import FakeClient

cases = cases_of(__file__)


@pytest.fixture
def cache(tmp_path):
    opened = CompletionCache(tmp_path / "cache")
    yield opened
    opened.close()


FULL = Completion(
    text='{"answer":"ü \\ud800"}',
    finish_reason="stop",
    refusal=None,
    reasoning="because",
    model="served",
    fingerprint="fp",
    mode="json",
    usage=Usage(1, 0, 100, 20, 0.5, 12.5),
    attempts=2,
    dropped_params=("seed", "temperature"),
    logprobs=((3, 12, -0.105),),
)


class TestTheKey:
    def test_equal_requests_have_equal_keys(self, request_):
        assert cache_key(request_) == cache_key(replace(request_))

    def test_the_token_does_not_count(self, request_):
        messages = (Message("system", "Answer."), Message("user", "Where is the key? Token: zzzz2222"))
        other = replace(request_, messages=messages, token="zzzz2222")
        assert cache_key(request_) == cache_key(other)

    @pytest.mark.parametrize(
        "change",
        [
            {"model": "openai/other"},
            {"messages": (Message("user", "Where is the lock?"),)},
            {"params": {"seed": 1}},
            {"temperature": 1.0},
            {"max_tokens": 7},
            {"schema": None},
            {"repeat": 1},
        ],
    )
    def test_whatever_decides_the_answer_counts(self, change, request_):
        assert cache_key(request_) != cache_key(replace(request_, **change))

    def test_the_address_counts(self, request_):
        assert cache_key(request_, "http://one") != cache_key(request_, "http://two") != cache_key(request_)


class TestTheFile:
    async def test_a_completion_comes_back_as_it_was(self, cache):
        assert await cache.get("k") is None
        await cache.put("k", FULL, token="tok", model="m")
        assert await cache.get("k") == (FULL, "tok")

    async def test_the_first_one_stays(self, cache):
        await cache.put("k", FULL, token=None, model="m")
        await cache.put("k", replace(FULL, text="other"), token=None, model="m")
        assert await cache.get("k") == (FULL, None)

    async def test_only_its_owner_can_read_it(self, cache):
        await cache.put("k", FULL, token=None, model="m")
        load_or_make_key(cache.folder)
        for file in cache.folder.iterdir():
            assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0, file

    def test_closing_twice_is_fine_and_a_closed_cache_says_so(self, tmp_path):
        cache = CompletionCache(tmp_path)
        cache.close()
        cache.close()
        with pytest.raises(RuntimeError):
            cache.stats()

    @pytest.mark.parametrize("taken", ["cache", "cache/completions.sqlite3"])
    def test_a_folder_that_is_a_file_and_a_file_that_is_no_database_are_refused(self, tmp_path, taken):
        (tmp_path / taken).parent.mkdir(exist_ok=True)
        (tmp_path / taken).write_text("this is a text file, long enough to be no database header at all")
        with pytest.raises(StoreError, match="cannot be used"):
            CompletionCache(tmp_path / "cache")

    @pytest.mark.slow
    def test_several_processes_can_write_at_once(self, tmp_path):
        context = multiprocessing.get_context("spawn")
        with context.Pool(3) as pool:
            assert pool.starmap(_write_many, [(str(tmp_path), number) for number in range(3)]) == [40, 40, 40]
        cache = CompletionCache(tmp_path)
        # Half of the keys are shared by all three.
        assert cache.stats().completions == 20 + 3 * 20
        cache.close()

    @pytest.mark.slow
    def test_several_processes_can_open_and_close_at_once(self, tmp_path):
        with multiprocessing.get_context("spawn").Pool(4) as pool:
            assert pool.map(_open_many, [str(tmp_path)] * 4, chunksize=1) == [0] * 4


def _open_many(folder):
    """Open 40 caches that the other processes open and close too; return how many completions they hold."""
    held = 0
    for at in range(40):
        cache = CompletionCache(f"{folder}/{at}")
        held += cache.stats().completions
        cache.close()
    return held


def _write_many(folder, number):
    """Write 40 completions, half of them under keys that the other processes write too."""

    async def write():
        cache = CompletionCache(folder)
        for at in range(40):
            key = f"shared-{at}" if at < 20 else f"{number}-{at}"
            await cache.put(key, FULL, token=None, model="m")
        found = [await cache.get(f"shared-{at}" if at < 20 else f"{number}-{at}") for at in range(40)]
        cache.close()
        return sum(entry is not None for entry in found)

    return asyncio.run(write())


class TestTheKeyFile:
    def test_is_made_once_and_kept(self, tmp_path):
        first = load_or_make_key(tmp_path / "cache")
        assert len(first) == 32
        assert load_or_make_key(tmp_path / "cache") == first
        assert load_or_make_key(tmp_path / "other") != first
        assert [file.name for file in (tmp_path / "cache").iterdir()] == ["token.key"]

    @pytest.mark.parametrize(("content", "mode"), [(b"", 0o600), (b"short", 0o600), (b"k" * 32, 0o666)])
    def test_that_could_be_guessed_or_changed_by_others_is_refused(self, tmp_path, content, mode):
        path = tmp_path / "token.key"
        path.write_bytes(content)
        path.chmod(mode)
        with pytest.raises(StoreError, match=r"token\.key"):
            load_or_make_key(tmp_path)


class Slow(FakeClient):
    def __init__(self):
        super().__init__(lambda _: "fine")
        self.started = asyncio.Event()

    async def complete(self, request):
        self.started.set()
        await asyncio.sleep(0.05)
        return await super().complete(request)


class TestTheClient:
    async def test_a_cached_one_costs_nothing_and_keeps_its_token_counts(self, cache, request_):
        client = CachedClient(FakeClient([FULL]), cache)
        await client.complete(request_)
        usage = (await client.complete(request_)).usage
        assert usage == Usage(calls=0, cached=1, prompt_tokens=100, completion_tokens=20, cost=0.0, latency_ms=0.0)

    async def test_equal_requests_under_way_are_made_once(self, cache, request_):
        inner = Slow()
        client = CachedClient(inner, cache)
        answers = await asyncio.gather(*(client.complete(request_) for _ in range(5)))
        assert len(inner.requests) == 1
        assert sorted(answer.cached for answer in answers) == [False, True, True, True, True]

    async def test_when_the_one_that_asks_is_cancelled_another_one_asks(self, cache, request_):
        inner = Slow()
        client = CachedClient(inner, cache)
        first = asyncio.ensure_future(client.complete(request_))
        await inner.started.wait()
        second = asyncio.ensure_future(client.complete(request_))
        await asyncio.sleep(0)
        first.cancel()
        assert (await second).text == "fine"
        with pytest.raises(asyncio.CancelledError):
            await first

    async def test_an_error_is_not_kept(self, cache, request_):
        client = CachedClient(FakeClient([JudgeServerError("down"), "fine"]), cache)
        with pytest.raises(JudgeServerError):
            await client.complete(request_)
        assert (await client.complete(request_)).text == "fine"

    async def test_a_token_made_with_another_key_file_becomes_the_one_asked_with(self, cache, request_):
        client = CachedClient(FakeClient(['{"answer":"x","token":"{token}"}']), cache)
        await client.complete(request_)
        messages = tuple(replace(m, content=m.content.replace("abcd2345", "zzzz2222")) for m in request_.messages)
        again = await client.complete(replace(request_, messages=messages, token="zzzz2222"))
        assert again.cached
        assert again.text == '{"answer":"x","token":"zzzz2222"}'

    async def test_closing_it_leaves_a_shared_cache_open(self, cache):
        inner = FakeClient()
        await CachedClient(inner, cache).close()
        assert inner.closed
        assert cache.stats().completions == 0


@pytest.mark.parametrize(
    "body",
    [
        *("{", "[]", '{"text":"x"}', '{"text":"x","usage":{"no":1}}', '{"text":5,"usage":{}}'),
        *('{"text":"x","finish_reason":7,"usage":{}}', '{"text":"x","usage":{"prompt_tokens":"many"}}', "[" * 100_000),
    ],
)
async def test_a_damaged_entry_is_a_miss_and_is_replaced(cache, body):
    await cache.put("key", FULL, token=None, model="m")
    cache._thread.submit(cache._execute, "UPDATE completions SET body = ?", (body,)).result()
    assert await cache.get("key") is None
    await cache.put("key", FULL, token=None, model="m")
    assert await cache.get("key") == (FULL, None)


async def test_a_rejected_one_is_asked_for_again_by_another_run_alone(cache):
    mine, other = Payer("mine"), Payer("other")
    assert not await cache.put("k", FULL, token=None, model="m", payer=mine)
    await cache.reject("k")
    assert await cache.get("k", mine) is not None
    assert await cache.get("k", other) is None
    assert await cache.put("k", FULL, token=None, model="m", payer=other)
    assert await cache.get("k", Payer("third")) is not None


@pytest.mark.parametrize(
    ("completion", "days", "again"),
    [
        (FULL, 30, False),
        (Completion('{"a', "length"), 0, True),
        (Completion(" ", "stop"), 0, True),
        (Completion(None, "stop", refusal="No."), 0, False),
        (Completion(None, "stop", refusal="No."), 2, True),
        (Completion(None, "content_filter"), 2, True),
    ],
)
async def test_what_was_of_no_use_is_asked_for_again_by_another_run_and_never_by_its_own(
    cache, request_, completion, days, again
):
    client = FakeClient([completion, FULL])
    cached = CachedClient(client, cache)
    for run in ("first", "first", "second", "second"):
        current_payer.set(Payer(run))
        await cached.complete(request_)
        past = time.time() - 86_400 * days
        cache._thread.submit(cache._execute, "UPDATE completions SET created = ?", (past,)).result()
    assert len(client.requests) == 1 + again


PAID = Completion("fine", usage=Usage(1, 0, 100, 20, 0.5, 12.5), attempts=3)


def run(name, counted=()):
    """A run that begins, or goes on with results that count these keys."""
    keys = tuple(counted)
    return Payer(name, lambda: keys)


async def ask(cache, request, payer):
    """Ask as a case of this run would: the provider answers `PAID`."""
    current_payer.set(payer)
    return await CachedClient(FakeClient([PAID]), cache).complete(request)


class TestAPayment:
    @cases("cache: is that of the run that asked first until a result counts it")
    async def test_is_that_of_the_run_that_asked_first_until_a_result_counts_it(self, cache, request_, asked, paid):
        counted = {"a and counts it": [cache_key(request_)]}
        payers = {name: name and run(name[0], counted.get(name, ())) for name in asked}
        answers = [await ask(cache, request_, payers[name]) for name in asked]
        assert [not answer.cached for answer in answers] == paid
        assert [answer.usage.cost for answer in answers] == [PAID.usage.cost if one else 0.0 for one in paid]

    async def test_is_kept_for_each_of_two_runs_that_paid_for_the_same(self, cache, request_):
        """Both asked before either had the reply: the first reply is cache, both were paid for."""
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


async def test_an_older_cache_gets_the_table_and_keeps_its_completions_free(tmp_path, request_):
    first = CompletionCache(tmp_path)
    await ask(first, request_, None)
    first.close()
    with sqlite3.connect(tmp_path / "completions.sqlite3") as database:
        database.execute("DROP TABLE payments")
    database.close()
    second = CompletionCache(tmp_path)
    assert (await ask(second, request_, run("a"))).cached
    second.close()
