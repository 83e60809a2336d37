"""The judge that is a language model, with a client that makes no calls. Over HTTP: test_llm_http.py."""

import asyncio
import json
import pickle
from dataclasses import replace

import pytest
from pydantic import BaseModel
from tests.case_tables import cases_of

from magistrate.completion.cache import CompletionCache
from magistrate.errors import (
    BudgetExceededError,
    ConfigurationError,
    JudgeAuthError,
    JudgeNotFoundError,
    JudgePolicyError,
    JudgeServerError,
    JudgeTimeoutError,
)
from magistrate.judges.llm import LLMJudge
from magistrate.judges.llm.reading import read_score, read_single, read_statements, read_verdicts
from magistrate.records import Completion, Usage
from magistrate.testing import FakeClient
from magistrate.verdict import BINARY, TERNARY, IssueCode, Status, Verdict

cases = cases_of(__file__)

CONTEXTS = ("The ferry leaves at 7 and costs 4 euros.", "Dogs travel free on every ferry.")
STATEMENTS = ("The ferry leaves at 7.", "The ferry leaves at 9.", "The captain is tall.")
RIGHT = [Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.NOT_ENOUGH_INFO]


def judge(replies=None, **options):
    client = FakeClient(replies)
    return LLMJudge("test-model", client=client, **options), client


def row(number, verdict):
    return f'"s{number}_why":"because","s{number}":"{verdict}"'


def rows(*verdicts):
    return "{" + ",".join(['"token":"{token}"', *(row(at, verdict) for at, verdict in enumerate(verdicts, 1))]) + "}"


def claims(*entries):
    """Statements with their verdicts, as a single call gives them."""
    made = [{"claim": claim, "why": "w", "label": label} for claim, label in entries]
    return json.dumps({"token": "{token}", "rows": made})


def codes(reply):
    return {issue.code for issue in reply.issues}


def found(reply):
    return [verdict.verdict for verdict in reply]


class TestConstruction:
    @cases("llm: options out of range are refused")
    def test_options_out_of_range_are_refused(self, wrong):
        with pytest.raises(ConfigurationError):
            judge(**wrong)

    def test_offline_is_no_model(self):
        with pytest.raises(ConfigurationError, match="offline judge"):
            LLMJudge("offline")
        with pytest.raises(ConfigurationError, match="a model is a name"):
            LLMJudge(None)

    async def test_leaving_its_block_closes_client_and_own_cache(self, tmp_path):
        made, client = judge(cache=tmp_path)
        async with made:
            pass
        assert client.closed

    async def test_a_cache_of_the_callers_stays_open(self, tmp_path):
        cache = CompletionCache(tmp_path)
        made, _ = judge(cache=cache)
        await made.close()
        assert cache.stats().completions == 0
        cache.close()


class TestVerify:
    async def test_batches_are_asked_separately_and_joined_in_order(self):
        made, client = judge(batch_size=2)
        reply = await made.verify(STATEMENTS * 2, CONTEXTS)
        assert found(reply) == RIGHT * 2
        assert sorted(call.statements for call in reply.calls) == [(0, 1), (2, 3), (4, 5)]
        assert len(client.requests) == 3
        assert [verdict.statement for verdict in reply] == list(STATEMENTS * 2)

    async def test_quotes_are_looked_up_in_the_contexts(self):
        text = '{"s1_why":"w","s1_quotes":["costs 4 euros"],"s1":"supported","token":"{token}"}'
        made, _ = judge([text], quotes=True)
        (verdict,) = await made.verify(["It costs 4 euros."], CONTEXTS)
        assert verdict.evidence[0].found
        assert verdict.evidence[0].context == 0


class TestNothingToJudge:
    @cases("llm: makes no call and says why")
    async def test_makes_no_call_and_says_why(self, statements, contexts, status):
        made, client = judge()
        reply = await made.verify(statements, contexts)
        assert (reply.status, reply.usage, client.requests) == (status, Usage(), [])
        assert found(reply) == [None] * len(statements)
        assert all(verdict.issues for verdict in reply)

    async def test_blank_statements_among_others_get_no_verdict_and_are_not_sent(self):
        made, client = judge()
        reply = await made.verify(["", STATEMENTS[0], " "], CONTEXTS)
        assert found(reply) == [None, Verdict.SUPPORTED, None]
        assert reply.status is Status.PARTIAL
        assert codes(reply) == {IssueCode.BLANK_STATEMENT}
        assert reply.calls[0].statements == (1,)
        assert "s2" not in client.requests[0].messages[-1].content

    async def test_blank_answers_and_fields_make_no_call(self):
        made, client = judge()
        assert (await made.extract(" \n")).status is Status.NO_ANSWER
        assert (await made.extract("", kind="truths")).status is Status.NO_CONTEXT
        assert (await made.grade("r", {"a": " "}, low=0, high=1)).status is Status.MISSING_INPUT
        assert (await made.extract_and_verify(" ", CONTEXTS)).verdicts.status is Status.NO_ANSWER
        assert (await made.extract_and_verify("a", [" "])).verdicts.status is Status.NO_CONTEXT
        assert client.requests == []


class TestAskingAgain:
    async def test_only_for_what_is_missing(self):
        short = '{"s1_why":"w","s1":"supported","s3_why":"w","s3":"not_enough_info","token":"{token}"}'
        made, client = judge([short, rows("contradicted")])
        reply = await made.verify(STATEMENTS, CONTEXTS)
        assert found(reply) == RIGHT
        assert reply.status is Status.SCORED
        assert [call.statements for call in reply.calls] == [(0, 1, 2), (1,)]
        second = client.requests[1].messages[-1].content
        assert STATEMENTS[1] in second
        assert STATEMENTS[0] not in second
        assert reply.usage.calls == 2

    async def test_a_cut_reply_keeps_its_safe_verdicts_and_gets_more_room(self):
        def reply_to(request):
            if len(client.requests) == 1:
                text = f'{{"token":"{request.token}","s1_why":"w","s1":"supported","s2_why":"w","s2":"contra'
                return Completion(text, "length", usage=Usage(1))
            return rows("contradicted", "not_enough_info")

        made, client = judge(reply_to)
        reply = await made.verify(STATEMENTS, CONTEXTS)
        assert found(reply) == RIGHT
        assert [call.statements for call in reply.calls] == [(0, 1, 2), (1, 2)]
        first, second = client.requests
        assert second.max_tokens / 2 > first.max_tokens / 3

    async def test_rounds_that_disagree_leave_the_statement_without_a_verdict(self):
        made, _ = judge(['{"token":"{token}","s1_why":"w","s1":"supported"}', rows("contradicted", "supported")])
        first, second = (await made.verify(STATEMENTS, CONTEXTS)).calls
        # As if a later parser found more in the first reply: the second one is said to be about all three.
        text = rows("contradicted", "supported", "supported").replace("{token}", str(second.token))
        again = replace(second, statements=(0, 1, 2), completion=Completion(text, "stop"))
        merged = read_verdicts([first, again], STATEMENTS, CONTEXTS, scale=TERNARY)
        assert found(merged) == [None, Verdict.SUPPORTED, Verdict.SUPPORTED]
        assert merged.status is Status.PARTIAL
        assert IssueCode.CONFLICTING_VERDICTS in codes(merged)

    async def test_a_statement_that_is_never_judged_leaves_a_partial_reply(self):
        first = '{"s1_why":"w","s1":"supported","s2_why":"w","s2":"contradicted","token":"{token}"}'
        made, client = judge(lambda request: first if "s3:" in request.messages[-1].content else "no idea")
        reply = await made.verify(STATEMENTS, CONTEXTS)
        assert found(reply) == [Verdict.SUPPORTED, Verdict.CONTRADICTED, None]
        assert (reply.status, len(client.requests)) == (Status.PARTIAL, 3)


@pytest.mark.parametrize(
    ("reply", "status", "code"),
    [
        (Completion(None, "stop", refusal="I will not judge this.", usage=Usage(1)), Status.REFUSED, IssueCode.REFUSAL),
        (Completion("", "content_filter", usage=Usage(1)), Status.REFUSED, IssueCode.REFUSAL),
        (Completion(None, "refusal", usage=Usage(1)), Status.REFUSED, IssueCode.REFUSAL),
        (Completion("I'm sorry, but I cannot help with that.", "stop"), Status.REFUSED, IssueCode.REFUSAL),
        (JudgePolicyError("the policy forbids it"), Status.REFUSED, IssueCode.REFUSAL),
        (JudgeServerError("down"), Status.JUDGE_ERROR, IssueCode.JUDGE_ERROR),
    ],
)
async def test_refusals_and_failures_are_a_status_of_every_question_and_not_asked_again(reply, status, code):
    made, client = judge(lambda _: reply)
    answers = [
        await made.verify(STATEMENTS, CONTEXTS),
        await made.extract("Text."),
        (await made.extract_and_verify("Text.", CONTEXTS)).verdicts,
        await made.grade("r", {"a": "x"}, low=0, high=1),
        await made.structured("p", Colour),
    ]
    assert [one.status for one in answers] == [status] * 5
    assert all(code in {issue.code for issue in one.issues} for one in answers)
    assert len(client.requests) == 5


class TestFailedCalls:
    async def test_one_failed_batch_leaves_the_others(self):
        made, _ = judge(
            lambda request: JudgeServerError("down") if "9" in request.messages[-1].content else rows("supported"),
            batch_size=1,
        )
        reply = await made.verify(STATEMENTS, CONTEXTS)
        assert found(reply) == [Verdict.SUPPORTED, None, Verdict.SUPPORTED]
        assert reply.status is Status.PARTIAL

    async def test_their_attempts_count_as_calls(self):
        made, _ = judge([JudgeServerError("down", attempts=5)])
        usage = (await made.verify(STATEMENTS, CONTEXTS)).usage
        assert (usage.calls, usage.cost) == (5, 0.0)

    async def test_a_call_without_answer_may_have_cost_something(self):
        made, _ = judge([JudgeTimeoutError("late", billable=True)])
        assert (await made.verify(STATEMENTS, CONTEXTS)).usage.cost is None

    @pytest.mark.parametrize(
        "fatal",
        [
            JudgeAuthError("no key"),
            JudgeNotFoundError("no model"),
            ConfigurationError("wrong"),
            BudgetExceededError("spent"),
        ],
    )
    async def test_what_ends_a_run_is_raised_from_every_question(self, fatal):
        made, _ = judge(lambda _: fatal)
        for question in (
            made.verify(STATEMENTS, CONTEXTS),
            made.extract("Text."),
            made.extract_and_verify("Text.", CONTEXTS),
            made.grade("r", {"a": "x"}, low=0, high=1),
            made.structured("p", Colour),
            made.text("p"),
        ):
            with pytest.raises(type(fatal)) as caught:
                await question
            assert str(pickle.loads(pickle.dumps(caught.value))) == str(fatal)

    async def test_the_first_fatal_error_ends_the_other_batches(self):
        class Client(FakeClient):
            done = 0

            async def complete(self, request):
                if "leaves at 9" in request.messages[-1].content:
                    raise JudgeAuthError("no key")
                await asyncio.sleep(5)
                Client.done += 1
                return await super().complete(request)

        made = LLMJudge("m", client=Client(), batch_size=1)
        with pytest.raises(JudgeAuthError):
            await asyncio.wait_for(made.verify(STATEMENTS, CONTEXTS), 2)
        assert Client.done == 0


class TestAPromptThatWasCut:
    LONG = ("The harbour was built in 1890 and rebuilt after the storm of 1953, when two cranes fell. " * 40,)

    async def test_gives_no_verdict_however_good_the_reply_looks(self):
        good = rows("supported").replace("{token}", "x")
        made, client = judge(
            lambda request: Completion(good.replace('"x"', f'"{request.token}"'), "stop", usage=Usage(1, 0, 300, 20))
        )
        reply = await made.verify(["It was built in 1890."], self.LONG)
        assert (reply.status, len(client.requests)) == (Status.CONTEXT_TRUNCATED, 1)
        assert found(reply) == [None]
        assert codes(reply) == {IssueCode.CONTEXT_TRUNCATED}
        assert reply.calls[0].status == "context_truncated"

    @pytest.mark.parametrize(("tokens", "contexts"), [(None, LONG), (0, LONG), (900, LONG), (3, CONTEXTS)])
    async def test_an_unknown_or_plausible_count_and_one_of_a_short_prompt_is_no_sign_of_it(self, tokens, contexts):
        good = rows("supported")
        made, _ = judge(
            lambda sent: Completion(good.replace("{token}", str(sent.token)), "stop", usage=Usage(1, 0, tokens, 20))
        )
        assert (await made.verify(["It was built in 1890."], contexts)).status is Status.SCORED


MILL, BREAD = "The mill grinds on Mondays.", "Bread is sold at noon."


class TestExtract:
    async def test_none_found_is_vacuous(self):
        made, client = judge(['{"statements":[],"token":"{token}"}'])
        reply = await made.extract("Hello there!")
        assert (reply.status, len(reply), len(client.requests)) == (Status.VACUOUS, 0, 1)

    @pytest.mark.parametrize(
        ("listed", "options", "kept", "reported"),
        [
            ([MILL], {}, 1, [IssueCode.SENTENCE_WITHOUT_STATEMENT]),
            ([MILL, BREAD, MILL.lower()], {}, 2, [IssueCode.DUPLICATE_VERDICT]),  # it counts once
            ([MILL, "Loaves can be bought at midday."], {}, 2, []),  # in other words it may be any sentence
            ([MILL], {"kind": "truths"}, 1, []),  # these need not hold all of a passage
            ([MILL, BREAD, "It is old."], {"kind": "truths", "limit": 2}, 2, [IssueCode.COUNT_MISMATCH]),
        ],
    )
    async def test_what_is_left_out_or_listed_too_often_is_reported(self, listed, options, kept, reported):
        made, _ = judge([json.dumps({"statements": listed, "token": "{token}"})])
        reply = await made.extract(f"{MILL} {BREAD} Hope this helps!", **options)
        assert (list(reply), [issue.code for issue in reply.issues]) == (listed[:kept], reported)

    async def test_a_cut_list_is_never_used_as_if_it_were_whole(self):
        cut = Completion('{"statements":["one","two","thr', "length", usage=Usage(1))
        made, client = judge(lambda _: cut)
        reply = await made.extract("Text.")
        assert reply.statements == ()
        assert reply.status in {Status.TRUNCATED, Status.UNPARSEABLE}
        limits = [request.max_tokens for request in client.requests]
        assert len(limits) == 3
        assert limits == sorted(limits)
        assert limits[2] >= 2 * limits[0]


class TestGrade:
    async def test_gives_the_number_and_its_reason(self):
        made, _ = judge(['{"why":"clear enough","score":4,"token":"{token}"}'])
        reply = await made.grade("Clarity.", {"answer": "It is."}, low=1, high=5)
        assert (reply.value, reply.status, reply.reason) == (4.0, Status.SCORED, "clear enough")

    async def test_a_number_out_of_range_is_never_clamped(self):
        made, client = judge(lambda _: '{"score":7}')
        reply = await made.grade("Clarity.", {"answer": "It is."}, low=1, high=5)
        assert (reply.value, reply.status, reply.reason) == (None, Status.OUT_OF_RANGE, None)
        assert len(client.requests) == 3


class TestSingleCall:
    ANSWER = " ".join(STATEMENTS)

    async def test_statements_and_verdicts_come_from_one_call(self):
        made, client = judge()
        reply = await made.extract_and_verify(self.ANSWER, CONTEXTS)
        assert list(reply.statements) == list(STATEMENTS)
        assert found(reply.verdicts) == RIGHT
        assert (reply.verdicts.status, len(client.requests)) == (Status.SCORED, 1)
        assert reply.statements.usage == Usage()
        assert reply.verdicts.usage.calls == 1

    async def test_a_statement_that_is_not_in_the_answer_gets_no_verdict(self):
        text = claims((STATEMENTS[0], "supported"), ("Elephants invented the telephone in Vienna.", "supported"))
        made, client = judge([text])
        reply = await made.extract_and_verify(self.ANSWER, CONTEXTS)
        assert found(reply.verdicts) == [Verdict.SUPPORTED, None]
        assert (reply.verdicts.status, len(client.requests)) == (Status.PARTIAL, 1)
        assert IssueCode.UNKNOWN_STATEMENT in codes(reply.verdicts)

    async def test_a_cut_reply_is_never_taken_for_the_whole(self):
        cut = '{"rows":[{"claim":"The ferry leaves at 7.","why":"w","label":"supported"},{"claim":"The fer'
        made, client = judge(lambda _: Completion(cut, "length", usage=Usage(1)))
        reply = await made.extract_and_verify(self.ANSWER, CONTEXTS)
        assert found(reply.verdicts) == []
        assert reply.verdicts.status in {Status.TRUNCATED, Status.UNPARSEABLE}
        assert len(client.requests) == 3
        assert client.requests[2].max_tokens >= 2 * client.requests[0].max_tokens

    async def test_no_statement_found_is_vacuous(self):
        made, _ = judge(lambda _: '{"rows":[],"token":"{token}"}')
        reply = await made.extract_and_verify("Hello!", CONTEXTS)
        assert (reply.verdicts.status, reply.statements.status) == (Status.VACUOUS, Status.VACUOUS)
        assert len(reply.verdicts) == 0

    async def test_a_statement_that_is_repeated_counts_once(self):
        row = (STATEMENTS[0], "supported")
        made, _ = judge([claims(row, row, (STATEMENTS[2], "supported"), row)])
        reply = await made.extract_and_verify(self.ANSWER, CONTEXTS)
        assert list(reply.statements) == [STATEMENTS[0], STATEMENTS[2]]
        assert [verdict.index for verdict in reply.verdicts] == [0, 1]
        assert IssueCode.DUPLICATE_VERDICT in codes(reply.verdicts)

    async def test_a_statement_that_is_repeated_with_another_verdict_is_asked_for_alone(self):
        text = claims((STATEMENTS[0], "supported"), (STATEMENTS[0], "contradicted"))
        made, client = judge([text, rows("supported")])
        reply = await made.extract_and_verify(self.ANSWER, CONTEXTS)
        assert found(reply.verdicts) == [Verdict.SUPPORTED]
        assert len(client.requests) == 2

    async def test_a_sentence_that_the_judge_passes_over_is_reported(self):
        made, _ = judge([claims((STATEMENTS[0], "supported"))])
        reply = await made.extract_and_verify(self.ANSWER, CONTEXTS)
        assert reply.verdicts.status is Status.SCORED
        (issue,) = reply.verdicts.issues
        assert (issue.code, issue.index) == (IssueCode.SENTENCE_WITHOUT_STATEMENT, None)
        assert issue.message.startswith("2 of 3 sentences")


class Colour(BaseModel):
    name: str
    red: int


class TestStructured:
    async def test_a_reply_that_does_not_fit_is_asked_again_and_then_says_where(self):
        made, client = judge(lambda _: '{"name":"rust"}')
        reply = await made.structured("Name a colour.", Colour)
        assert (reply.value, reply.status, len(client.requests)) == (None, Status.UNPARSEABLE, 3)
        assert any("red" in error for error in reply.errors)
        assert reply.text == '{"name":"rust"}'
        assert len(reply.calls) == 3

    async def test_plain_text_comes_back_as_text(self):
        made, client = judge(
            ["Good morning.", Completion(None, "stop", refusal="No.", usage=Usage(1)), JudgeServerError("x")]
        )
        reply = await made.text("Greet me.")
        assert (reply.text, reply.status) == ("Good morning.", Status.SCORED)
        assert client.requests[0].schema is None
        assert (await made.text("Greet me.")).status is Status.REFUSED
        assert (await made.text("Greet me.")).status is Status.JUDGE_ERROR

    @cases("llm: plain text that is not whole says so")
    async def test_plain_text_that_is_not_whole_says_so(self, ended, status):
        made, _ = judge([Completion("Good mor", ended, usage=Usage(1))])
        reply = await made.text("Greet me.")
        assert (reply.text, reply.status) == ("Good mor", status)


class TestReadingAgain:
    async def test_stored_calls_give_the_same_replies_without_a_call(self):
        made, _ = judge(batch_size=2)
        verdicts = await made.verify(STATEMENTS, CONTEXTS, scale=BINARY)
        assert read_verdicts(verdicts.calls, STATEMENTS, CONTEXTS, scale=BINARY) == verdicts
        statements = await made.extract("It is red. It is new.")
        assert read_statements(statements.calls, "It is red. It is new.") == statements
        score = await made.grade("r", {"a": "One. Two."}, low=0, high=5)
        assert read_score(score.calls, {"a": "One. Two."}, low=0, high=5) == score
        answer = " ".join(STATEMENTS)
        single = await made.extract_and_verify(answer, CONTEXTS)
        assert read_single(single.verdicts.calls, answer, CONTEXTS, scale=TERNARY) == single

    async def test_calls_of_another_purpose_are_left_aside(self):
        made, _ = judge()
        statements, verdicts = await made.extract("It is red."), await made.verify(STATEMENTS, CONTEXTS)
        calls = (*statements.calls, *verdicts.calls)
        assert read_verdicts(calls, STATEMENTS, CONTEXTS, scale=TERNARY) == verdicts
        assert read_statements(calls, "It is red.") == statements


class TestWithoutAsync:
    def test_every_question_has_a_twin(self):
        other, _ = judge(['{"name":"rust","red":1}', "hello"])
        assert other.structured_sync("p", Colour).value == Colour(name="rust", red=1)
        assert other.text_sync("p").text == "hello"
        made, client = judge()
        assert found(made.verify_sync(STATEMENTS, CONTEXTS)) == RIGHT
        assert list(made.extract_sync("It is red.")) == ["It is red."]
        assert made.grade_sync("r", {"a": "One."}, low=0, high=5).value == 1.0
        assert found(made.extract_and_verify_sync(" ".join(STATEMENTS), CONTEXTS).verdicts) == RIGHT
        made.close_sync()
        assert client.closed
