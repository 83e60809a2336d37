"""The judge through the real LiteLLM and Instructor, over real HTTP, on good and on bad days."""

import asyncio
import gc
import json
import random
import time

import pytest
from pydantic import BaseModel
from tests.case_tables import cases_of, tables_of
from tests.serving import judge_of, served, verdicts_of

from magistrate.completion.budget import Budget
from magistrate.completion.providers._library import library
from magistrate.completion.retry import RetryPolicy
from magistrate.judges import Verify
from magistrate.judges.llm.reading import read_verdicts
from magistrate.testing import FAULTS, Fault, FaultServer
from magistrate.verdict import IssueCode, Status, Verdict

cases = cases_of(__file__)

CONTEXTS = ("The museum opens at 10 and costs 12 euros.", "Guided tours start at 11 and take 45 minutes.")
STATEMENTS = tuple(tables_of(__file__)["llm_http: statements"])
RIGHT = [Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.NOT_ENOUGH_INFO, Verdict.SUPPORTED]


async def verify(faults=None, model="gpt-4o", **options):
    async with served(model, serve={"faults": faults}, **options) as (judge, server):
        return await judge.verify(STATEMENTS, CONTEXTS), server


class TestGoodDays:
    @pytest.mark.parametrize("model", ["gpt-4o", "openai/own-model", "claude-haiku-4-5", "ollama_chat/llama3.1"])
    async def test_every_family_is_judged_right_in_one_call(self, model):
        reply, server = await verify(model=model)
        assert verdicts_of(reply) == RIGHT
        assert (reply.status, server.stats.calls, reply.usage.calls) == (Status.SCORED, 1, 1)
        assert reply.usage.prompt_tokens == server.stats.prompt_tokens

    async def test_the_other_questions_work_too(self):
        class Colour(BaseModel):
            name: str

        async with served("gpt-4o") as (judge, _):
            statements = await judge.extract("It is red. It is new.")
            single = await judge.extract_and_verify(" ".join(STATEMENTS), CONTEXTS)
            score = await judge.grade("Be fair.", {"answer": "One. Two."}, low=0, high=5)
            colour = await judge.structured("Statements:\n1. Rust is a colour.", Colour)
        assert list(statements) == ["It is red.", "It is new."]
        assert verdicts_of(single.verdicts) == RIGHT
        assert score.value == 2.0
        assert colour.status is Status.SCORED

    async def test_calls_on_two_loops_leave_no_task_behind_that_is_destroyed_while_it_waits(self, caplog, monkeypatch):
        async def listen(*_): ...

        monkeypatch.setattr(library(), "success_callback", [listen])  # only then there is a worker to end
        with FaultServer() as server:
            judge = judge_of(server, "gpt-4o")
            for _ in range(2):
                assert verdicts_of(await judge.verify(STATEMENTS, CONTEXTS)) == RIGHT
                assert verdicts_of(judge.verify_sync(STATEMENTS, CONTEXTS)) == RIGHT
                gc.collect()
            await judge.close()
            judge.close_sync()
        assert "destroyed" not in caplog.text


class TestBadReplies:
    async def test_a_judge_that_always_loses_a_row_is_asked_about_the_last_one_with_two(self):
        def shorten(text):
            value = json.loads(text)
            last = [key for key in value if key != "token"][-1]
            return json.dumps({key: item for key, item in value.items() if not key.startswith(last)})

        reply, _ = await verify(lambda _: Fault(text=shorten))
        assert verdicts_of(reply) == RIGHT
        assert [call.statements for call in reply.calls] == [(0, 1, 2, 3), (3,), (3, 3)]
        assert read_verdicts(reply.calls, Verify(STATEMENTS, CONTEXTS)) == reply

    @staticmethod
    def last(reply):
        """A verdict is lost, then all of the second reply; then this is the reply to the statement put twice."""

        def says(call):
            text = json.dumps({"token": call.task.token, **reply})
            lost = {1: lambda text: text.replace('"s3":"not_enough_info"', '"s3":"??"'), 2: lambda _: "??"}
            return Fault(text=lost.get(call.number, lambda _: text))

        return says

    async def test_a_reply_that_was_asked_for_with_two_rows_and_has_one_is_read(self):
        reply, server = await verify(self.last({"verdicts": [{"verdict": "not_enough_info"}]}))
        assert (verdicts_of(reply), server.stats.calls) == (RIGHT, 3)
        assert len(server.calls[2].task.statements) == 2

    async def test_two_rows_that_disagree_about_the_same_statement_settle_nothing(self):
        reply, _ = await verify(self.last({"s1": "supported", "s2": "not_enough_info"}))
        assert verdicts_of(reply) == [*RIGHT[:2], None, RIGHT[3]]
        assert IssueCode.CONFLICTING_VERDICTS in {issue.code for issue in reply[2].issues}

    @cases("llm_http: what is lost on its way")
    async def test_what_is_lost_on_its_way_is_asked_for_more_often_than_what_cannot_be_read(self, left, fields, calls):
        reply, server = await verify(
            lambda _: Fault(text=lambda t: t[:left] if isinstance(left, int) else left, **fields)
        )
        assert (verdicts_of(reply), server.stats.calls) == ([None] * 4, calls)
        assert len({call.request.user for call in server.calls}) == calls
        limits = [call.request.max_tokens or 0 for call in server.calls]
        assert max(limits) <= 4 * limits[0]


async def test_bad_providers_a_day_that_stays_bad_is_a_status():
    reply, server = await verify(lambda _: Fault(status=503, message="try tomorrow"))
    assert (reply.status, verdicts_of(reply), server.stats.calls) == (Status.JUDGE_ERROR, [None] * 4, 6)
    assert {issue.code for issue in reply.issues} == {IssueCode.JUDGE_ERROR}
    assert "try tomorrow" in reply.issues[0].message
    assert reply.usage.calls == 6


@pytest.mark.slow
async def test_a_short_outage_costs_no_verdict():
    ended = []

    def fault(call):
        if call.number >= 30 and not ended:
            ended.append(time.monotonic() + 0.5)
        return Fault(status=503) if ended and time.monotonic() < ended[0] else None

    async with served(serve={"faults": fault}) as (judge, _):
        replies = await asyncio.gather(*(judge.verify(STATEMENTS, CONTEXTS) for _ in range(50)))
    assert all(verdicts_of(reply) == RIGHT for reply in replies)


@pytest.mark.slow
class TestLimits:
    async def test_calls_at_a_time_are_bounded(self):
        async with served(serve={"latency": 0.5}, max_concurrency=3) as (judge, server):
            await asyncio.gather(*(judge.verify(STATEMENTS, CONTEXTS) for _ in range(12)))
            assert server.stats.most_at_once == 3

    async def test_a_provider_that_turns_calls_away_gets_fewer_at_a_time_and_every_verdict_comes(self):
        """More than four at once are turned away, without a word about when to come back."""
        async with served(serve={"latency": 0.03}) as (judge, server):
            server.faults = lambda _: Fault(status=429) if server.under_way > 4 else None
            replies = await asyncio.gather(*(judge.verify(STATEMENTS, CONTEXTS) for _ in range(60)))
        assert all(verdicts_of(reply) == RIGHT for reply in replies)

    async def test_calls_a_minute_are_bounded(self):
        async with served(rpm=30) as (judge, server):
            jobs = [asyncio.ensure_future(judge.verify([f"S {n}."], CONTEXTS)) for n in range(5)]
            await asyncio.wait(jobs, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.sleep(0.2)
            assert server.stats.calls == 1
            for job in jobs:
                job.cancel()


KEY = "sk-test-a-very-secret-key-1234"
CONTEXT = "The ferry leaves at seven."


async def judged(name, *, once=False, seconds=20, prices=None):
    def fault(call):
        return None if once and call.number > 1 else FAULTS[name](random.Random(1))  # noqa: S311 - a fault

    retry = RetryPolicy(attempts=2, limited_attempts=2, base=0.01, longest=0.02)
    paid = {"prices": prices, "budget": Budget(max_cost=1.0)} if prices else {}
    async with served(serve={"faults": fault}, api_key=KEY, retry=retry, timeout=seconds, **paid) as (judge, _):
        reply = await judge.verify([CONTEXT], [CONTEXT])
    assert "litellm" not in " ".join(issue.message for issue in reply.issues).casefold()
    assert "Traceback" not in repr(reply)
    assert KEY not in repr(reply)
    return reply


@cases("llm_http: read as it is")
async def test_read_as_it_is(name):
    reply = await judged(name)
    assert ([one.verdict for one in reply], reply.usage.calls) == ([Verdict.SUPPORTED], 1)
    without = IssueCode.TOKEN_MISSING in {issue.code for issue in reply.issues}
    assert without is name.startswith("token-")


@cases("llm_http: mended by another call")
async def test_mended_by_another_call(name):
    reply = await judged(name, once=True)
    assert [one.verdict for one in reply] == [Verdict.SUPPORTED]
    assert reply.usage.calls == 2


@cases("llm_http: given up with a reason")
async def test_given_up_with_a_reason(name, seconds):
    reply = await judged(name, seconds=seconds)
    assert (reply.status, [one.verdict for one in reply]) == (Status.JUDGE_ERROR, [None])
    assert reply.issues[0].message


@pytest.mark.parametrize("name", ["usage-missing", "usage-negative"])
async def test_usage_that_cannot_be_is_unknown_and_so_is_the_cost(name):
    reply = await judged(name, prices=(2.5, 10.0))
    assert reply.usage.cost is None
    assert reply.usage.prompt_tokens is None
