"""The judge that is a language model, with a client that makes no calls. Over HTTP: test_llm_http.py."""

import asyncio
import pickle
from dataclasses import replace

import pytest
from pydantic import BaseModel
from tests.case_tables import cases_of
from tests.judges.replying import completion, put, question, replies

from magistrate import errors
from magistrate.completion.cache import CompletionCache
from magistrate.judges import Extract, ExtractAndVerify, Grade, Verify
from magistrate.judges.llm import LLMJudge
from magistrate.judges.llm.reading import read_score, read_single, read_statements, read_verdicts
from magistrate.records import Completion, Usage
from magistrate.testing import FakeClient
from magistrate.verdict import BINARY, IssueCode, Status, Verdict

cases = cases_of(__file__)

STATEMENTS, CONTEXTS = question().statements, question().contexts
ANSWER = " ".join(STATEMENTS)
RIGHT = [Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.NOT_ENOUGH_INFO]


class Colour(BaseModel):
    name: str
    red: int


def judge(replies=None, **options):
    client = FakeClient(replies)
    return LLMJudge("test-model", client=client, **options), client


def found(reply):
    return [verdict.verdict for verdict in reply]


def questions():
    """One of each kind."""
    return [*map(question, ("verify", "extract", "extract_and_verify", "grade")), question("structured", model=Colour)]


@replies("verify", "cut prompts", "extract", "single", "text")
async def test_what_comes_of_replies(row):
    await put(row)


class TestConstruction:
    @cases("llm: options out of range are refused")
    def test_options_out_of_range_are_refused(self, wrong):
        with pytest.raises(errors.ConfigurationError):
            judge(**wrong)

    @pytest.mark.parametrize("name", ["offline", None])
    def test_what_is_no_model_is_refused(self, name):
        with pytest.raises(errors.ConfigurationError):
            LLMJudge(name)

    async def test_leaving_its_block_closes_client_and_own_cache_and_leaves_one_of_the_callers_open(self, tmp_path):
        made, client = judge(cache=tmp_path)
        async with made:
            pass
        assert client.closed
        cache = CompletionCache(tmp_path)
        await judge(cache=cache)[0].close()
        assert cache.stats().completions == 0
        cache.close()


class TestAskingAgain:
    async def test_a_cut_reply_gets_more_room_for_each_statement(self):
        made, client = judge(
            ['{"token":"{token}","s1_why":"w","s1":"supported","s2":"contra', '{"s1":"contradicted"}'] * 2
        )
        await made.verify(STATEMENTS, CONTEXTS)
        first, second, *_ = client.requests
        assert second.max_tokens / 2 > first.max_tokens / 3

    @cases("llm: a cut list is never used as if it were whole")
    async def test_a_cut_list_is_never_used_as_if_it_were_whole(self, cut):
        made, client = judge(lambda _: Completion(cut, "length", usage=Usage(1)))
        single = "rows" in cut
        left = (await made.extract_and_verify(ANSWER, CONTEXTS)).verdicts if single else await made.extract(ANSWER)
        assert (len(left), left.status in {Status.TRUNCATED, Status.UNPARSEABLE}) == (0, True)
        limits = [request.max_tokens for request in client.requests]
        assert (len(limits), limits) == (3, sorted(limits))
        assert limits[2] >= 2 * limits[0]

    async def test_rounds_that_disagree_leave_the_statement_without_a_verdict(self):
        made, _ = judge(
            ['{"token":"{token}","s1":"supported"}', '{"token":"{token}","s1":"contradicted","s2":"supported"}']
        )
        first, second = (await made.verify(STATEMENTS, CONTEXTS)).calls
        # As if a later parser found more in the first reply: the second one is said to be about all three.
        text = f'{{"token":"{second.token}","s1":"contradicted","s2":"supported","s3":"supported"}}'
        again = replace(second, statements=(0, 1, 2), completion=Completion(text, "stop"))
        merged = read_verdicts([first, again], Verify(STATEMENTS, CONTEXTS))
        assert found(merged) == [None, Verdict.SUPPORTED, Verdict.SUPPORTED]
        assert merged.status is Status.PARTIAL
        assert IssueCode.CONFLICTING_VERDICTS in {issue.code for issue in merged.issues}


@pytest.mark.parametrize("asked", questions()[:4], ids=lambda asked: asked.method)
async def test_an_answer_that_stands_in_the_reasoning_alone_is_none_and_named(asked):
    judge_, client = judge(lambda _: Completion("", "stop", reasoning='{"s1": "supported"}'))
    reply = await judge_.ask(asked)
    reply = getattr(reply, "verdicts", reply) if asked.method == "extract_and_verify" else reply
    assert (reply.status, len(client.requests)) == (Status.UNPARSEABLE, 6)
    assert {issue.code for issue in reply.issues} == {IssueCode.EMPTY_REPLY}
    assert all("reasoning alone" in issue.message for issue in reply.issues)


class TestFailedCalls:
    @cases("llm: refusals and failures")
    async def test_are_a_status_of_every_question_and_not_asked_again(self, reply, status, code):
        made, client = judge(lambda _: completion(reply))
        answers = [await made.ask(each) for each in questions()]
        answers[2] = answers[2].verdicts
        assert [one.status for one in answers] == [status] * 5
        assert all(code in {issue.code for issue in one.issues} for one in answers)
        assert len(client.requests) == 5

    async def test_one_failed_batch_leaves_the_others(self):
        down, right = errors.JudgeServerError("down"), '{"token":"{token}","s1":"supported"}'
        made, _ = judge(lambda request: down if "9" in request.messages[-1].content else right, batch_size=1)
        reply = await made.verify(STATEMENTS, CONTEXTS)
        assert found(reply) == [Verdict.SUPPORTED, None, Verdict.SUPPORTED]
        assert reply.status is Status.PARTIAL

    @pytest.mark.parametrize(
        "name", ["JudgeAuthError", "JudgeNotFoundError", "ConfigurationError", "BudgetExceededError"]
    )
    async def test_what_ends_a_run_is_raised_from_every_question(self, name):
        made, _ = judge(lambda _: completion({"error": name}))
        for each in (*questions(), question("structured")):
            with pytest.raises(getattr(errors, name)) as caught:
                await made.ask(each)
            assert str(pickle.loads(pickle.dumps(caught.value))) == "it is down"

    async def test_the_first_fatal_error_ends_the_other_batches(self):
        class Client(FakeClient):
            done = 0

            async def complete(self, request):
                if "leaves at 9" in request.messages[-1].content:
                    raise errors.JudgeAuthError("no key")
                await asyncio.sleep(5)
                Client.done += 1
                return await super().complete(request)

        made = LLMJudge("m", client=Client(), batch_size=1)
        with pytest.raises(errors.JudgeAuthError):
            await asyncio.wait_for(made.verify(STATEMENTS, CONTEXTS), 2)
        assert Client.done == 0


async def test_reading_again_stored_calls_give_the_same_replies_without_a_call():
    made, _ = judge(batch_size=2)
    verdicts = await made.verify(STATEMENTS, CONTEXTS, scale=BINARY)
    statements = await made.extract("It is red. It is new.")
    calls = (*statements.calls, *verdicts.calls)  # those of another purpose are left aside
    assert read_verdicts(calls, Verify(STATEMENTS, CONTEXTS, scale=BINARY)) == verdicts
    assert read_statements(calls, Extract("It is red. It is new.")) == statements
    score = await made.grade("r", {"a": "One. Two."}, low=0, high=5)
    assert read_score(score.calls, Grade("r", {"a": "One. Two."}, low=0, high=5)) == score
    single = await made.extract_and_verify(ANSWER, CONTEXTS)
    assert read_single(single.verdicts.calls, ExtractAndVerify(ANSWER, CONTEXTS)) == single
    assert single.statements.usage == Usage()  # a sum counts the call once


def test_without_async_every_question_has_a_twin():
    other, _ = judge(['{"name":"rust","red":1}', "hello"])
    assert other.structured_sync("p", Colour).value == Colour(name="rust", red=1)
    assert other.text_sync("p").text == "hello"
    made, client = judge()
    assert found(made.verify_sync(STATEMENTS, CONTEXTS)) == RIGHT
    assert list(made.extract_sync("It is red.")) == ["It is red."]
    assert made.grade_sync("r", {"a": "One."}, low=0, high=5).value == 1.0
    assert found(made.extract_and_verify_sync(ANSWER, CONTEXTS).verdicts) == RIGHT
    made.close_sync()
    assert client.closed
