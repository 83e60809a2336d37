"""All calls to one provider as one stream."""

import asyncio
import threading

import pytest

from magistrate.completion.traffic import Ticket, Traffic, TrafficClient, traffic_for
from magistrate.errors import (
    JudgeConnectionError,
    JudgeDownError,
    JudgeError,
    JudgePolicyError,
    JudgeRateLimitError,
    JudgeServerError,
    JudgeTimeoutError,
)
from magistrate.log import current_metric
from magistrate.records import Completion, Usage
from magistrate.testing import FakeClient

FINE = Completion("fine", "stop", usage=Usage(1, 0, 60, 40))
DOWN = JudgeServerError("500: no answer", retryable=True, provider_status=500)


class Clock:
    """A clock that a test moves."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def traffic(clock):
    return Traffic("openai", clock=clock)


async def settle():
    """Let everything run that can."""
    for _ in range(10):
        await asyncio.sleep(0)


def ask(traffic, **how):
    return asyncio.ensure_future(traffic.enter(**how))


async def through(traffic, outcome):
    traffic.leave(await traffic.enter(), outcome)


async def suspected(traffic):
    """Let calls fail until the provider is only tried."""
    await through(traffic, FINE)
    for _ in range(5):
        await through(traffic, DOWN)


class TestCallsAtATime:
    async def test_wait_for_one_to_end_where_no_more_are_allowed(self, clock):
        traffic = Traffic("openai", most=2, clock=clock)
        first = [await traffic.enter() for _ in range(2)]
        third = ask(traffic)
        await settle()
        assert not third.done()
        traffic.leave(first[0], FINE)
        await settle()
        assert third.done()
        assert traffic.under_way == 2

    async def test_a_cancelled_wait_takes_no_place(self, clock):
        traffic = Traffic("openai", most=1, clock=clock)
        first = await traffic.enter()
        waiting = [ask(traffic) for _ in range(3)]
        await settle()
        waiting[0].cancel()
        await settle()
        traffic.leave(first, FINE)
        await settle()
        assert [task.done() for task in waiting] == [True, True, False]
        traffic.leave(waiting[1].result(), FINE)
        traffic.leave(await waiting[2], FINE)
        assert traffic.under_way == 0

    async def test_a_call_cancelled_in_the_moment_it_is_let_through_gives_its_place_back(self, clock):
        traffic = Traffic("openai", most=1, clock=clock)
        first = await traffic.enter()
        second = ask(traffic)
        await settle()
        traffic.leave(first, FINE)
        second.cancel()
        await settle()
        assert traffic.under_way == 0
        assert (await traffic.enter()) is not None


async def test_metrics_a_client_stands_in_the_line_of_the_metric_that_calls(clock, request_):
    traffic = Traffic("openai", most=1, clock=clock)
    client = TrafficClient(FakeClient(lambda _: "fine"), traffic)
    ticket = await traffic.enter()
    order = []

    async def call(metric):
        current_metric.set(metric)
        await client.complete(request_)
        order.append(metric)

    calls = [asyncio.ensure_future(call(metric)) for metric in ("a", "a", "a", "b")]
    await settle()
    traffic.leave(ticket, None)
    await asyncio.gather(*calls)
    assert order == ["a", "b", "a", "a"]


class TestAProviderThatAsksToWait:
    async def test_for_long_makes_every_call_wait(self, traffic, clock):
        await through(traffic, JudgeRateLimitError("slow down", retryable=True, retry_after=30))
        tasks = [ask(traffic) for _ in range(3)]
        await settle()
        assert not any(task.done() for task in tasks)
        clock.now += 30
        tasks.append(ask(traffic))
        for task in tasks:
            await settle()
            assert task.done()
            clock.now += 1
            traffic.leave(task.result(), FINE)

    async def test_for_a_moment_lets_the_others_go_on(self, traffic):
        for _ in range(9):
            await through(traffic, FINE)
        await through(traffic, JudgeRateLimitError("slow down", retryable=True, retry_after=1))
        await asyncio.wait_for(asyncio.gather(*[ask(traffic) for _ in range(3)]), 10)

    @pytest.mark.parametrize("retry_after", [None, 60.0])
    async def test_a_call_that_is_turned_away_is_told_whether_others_pass(self, traffic, clock, retry_after):
        ticket = Ticket(clock.now, 0, trying=False, tokens=0.0)
        for outcome, seconds, passed in ((None, 0, False), (FINE, 0, True), (None, 119, True), (None, 2, False)):
            clock.now += seconds
            traffic.leave(ticket, outcome)
            error = JudgeRateLimitError("slow down", retryable=True, retry_after=retry_after)
            traffic.leave(ticket, error)
            assert error.others_pass is passed

    @pytest.mark.parametrize(
        ("how", "down"),
        [((40, None, 119), True), ((20, None, 119), False), ((40, FINE, 119), False), ((40, None, 600), False)],
    )
    async def test_and_lets_no_call_through_for_its_patience_counts_as_down(self, traffic, clock, how, down):
        ticket, error = Ticket(clock.now, 0, trying=False, tokens=0.0), JudgeRateLimitError("slow down", retryable=True)
        calls, outcome, pause = how
        for ended in (*[error] * calls, outcome):
            traffic.leave(ticket, ended)
        clock.now += pause
        traffic.leave(ticket, error)
        assert not traffic.circuit.is_open
        clock.now += 1
        traffic.leave(ticket, error)
        assert traffic.circuit.is_open is down
        if down:
            with pytest.raises(JudgeDownError, match="no call passes for 120 s: slow down"):
                await traffic.enter()

    @pytest.mark.parametrize(
        ("error", "why"),
        [
            (JudgeRateLimitError("tomorrow", retryable=True, retry_after=3600), "asks to wait 3600 s: tomorrow"),
            (JudgeRateLimitError("the credit is used up"), "the credit is used up"),
            (JudgeConnectionError("the certificate is not trusted"), "certificate"),
        ],
    )
    async def test_for_longer_than_anybody_waits_counts_as_down(self, traffic, error, why):
        await through(traffic, error)
        with pytest.raises(JudgeDownError, match=why):
            await traffic.enter()


class TestAProviderThatFails:
    async def test_is_tried_with_one_call_while_the_others_wait(self, traffic):
        await suspected(traffic)
        tasks = [ask(traffic) for _ in range(5)]
        await settle()
        assert [task.done() for task in tasks] == [True, False, False, False, False]
        assert tasks[0].result().trying
        traffic.leave(tasks[0].result(), FINE)
        await settle()
        assert all(task.done() for task in tasks)

    async def test_and_stays_so_ends_every_wait_with_one_message(self, traffic, clock):
        await suspected(traffic)
        tasks = [ask(traffic) for _ in range(50)]
        await settle()
        clock.now += 200
        traffic.leave(tasks[0].result(), DOWN)
        errors = await asyncio.gather(*tasks[1:], return_exceptions=True)
        assert {type(error) for error in errors} == {JudgeDownError}
        assert len({str(error) for error in errors}) == 1
        assert str(errors[0]).startswith("openai is down, or takes no further call: Judge")
        assert "6 calls in a row failed" in str(errors[0])
        assert "500: no answer" in str(errors[0])

    @pytest.mark.parametrize("error", [JudgePolicyError("no"), JudgeError("odd")])
    async def test_an_answer_that_is_no_failure_of_the_provider_is_a_sign_of_life(self, traffic, error):
        await suspected(traffic)
        await through(traffic, error)
        assert not traffic.circuit.suspects

    async def test_a_redirect_of_one_that_answered_concerns_its_call_alone_unless_all_are(self, traffic, clock):
        await through(traffic, FINE)
        for _ in range(5):
            await through(traffic, JudgeConnectionError("a redirect"))
        clock.now += 121
        await through(traffic, JudgeConnectionError("a redirect"))
        with pytest.raises(JudgeDownError, match="a redirect"):
            await traffic.enter()

    async def test_timeouts_and_lost_connections_count_like_server_errors(self, traffic):
        for error in (JudgeTimeoutError, JudgeConnectionError) * 3:
            await through(traffic, error("gone", retryable=True))
        assert traffic.circuit.suspects

    @pytest.mark.parametrize(
        "error",
        [
            JudgeServerError("503: no capacity", retryable=True, provider_status=503),
            JudgeTimeoutError("no answer in time", retryable=True),
        ],
    )
    async def test_an_overloaded_one_gets_fewer_calls_at_a_time(self, traffic, error):
        tickets = [await traffic.enter() for _ in range(64)]
        for ticket in tickets:
            traffic.leave(ticket, error)
        assert traffic.limit.value == 32
        await through(traffic, DOWN)
        assert traffic.limit.value == 32


class TestTokensAMinute:
    async def test_are_taken_from_what_the_provider_reports(self, clock):
        traffic = Traffic("openai", tpm=6000, clock=clock)
        ticket = await traffic.enter(tokens=5000)
        traffic.leave(ticket, FINE)  # 100 tokens
        clock.now += 0.02
        assert await traffic.enter(tokens=5000)
        waiting = ask(traffic)
        await settle()
        assert not waiting.done()
        waiting.cancel()

    async def test_a_call_that_failed_took_none(self, clock):
        traffic = Traffic("openai", tpm=6000, clock=clock)
        traffic.leave(await traffic.enter(tokens=5000), DOWN)
        clock.now += 0.1
        assert await traffic.enter(tokens=1)


class TestThreads:
    def test_event_loops_share_the_limit(self):
        traffic = Traffic("openai", most=3)
        lock, at_once, most, done = threading.Lock(), 0, 0, 0

        async def call():
            nonlocal at_once, most, done
            ticket = await traffic.enter()
            with lock:
                at_once += 1
                most = max(most, at_once)
            await asyncio.sleep(0.001)
            with lock:
                at_once -= 1
                done += 1
            traffic.leave(ticket, FINE)

        async def calls():
            await asyncio.gather(*(call() for _ in range(40)))

        threads = [threading.Thread(target=asyncio.run, args=(calls(),)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert (done, traffic.under_way) == (160, 0)
        assert most <= 3

    def test_a_loop_that_went_away_does_not_hold_up_the_others(self):
        traffic = Traffic("openai", most=1)
        held = []

        async def abandon():
            held.append(await traffic.enter())
            task = ask(traffic)
            await settle()
            task.cancel()

        asyncio.run(abandon())

        async def go_on():
            waiting = ask(traffic)
            await settle()
            traffic.leave(held[0], FINE)
            await asyncio.wait_for(waiting, 10)

        asyncio.run(go_on())


def test_sharing_clients_of_one_provider_share_its_traffic_unless_it_is_down():
    one = traffic_for("openai", "http://a")
    assert traffic_for("openai", "http://a") is one
    assert traffic_for("openai", "http://b") is not one
    one.circuit.trip(0.0, "no credit")
    assert traffic_for("openai", "http://a") is not one


@pytest.mark.parametrize("reply", ["fine", JudgeServerError("down", retryable=True), RuntimeError("a fault of ours")])
async def test_the_client_gives_its_place_back_however_the_call_ends(traffic, reply, request_):
    client = TrafficClient(FakeClient([reply]), traffic)
    outcome = lambda: client.complete(request_)  # noqa: E731
    if isinstance(reply, Exception):
        with pytest.raises(type(reply)):
            await outcome()
    else:
        assert (await outcome()).text == "fine"
    assert traffic.under_way == 0
