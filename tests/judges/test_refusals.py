"""Refusals: never retried blindly; on demand put once more in other words; always said."""

import asyncio
from io import StringIO

import pytest

from magistrate.case import Case
from magistrate.completion.retry import RetryPolicy
from magistrate.errors import JudgePolicyError
from magistrate.evaluation.api import evaluate
from magistrate.judges.llm import LLMJudge
from magistrate.prompts import load_prompt
from magistrate.records import Completion, Usage
from magistrate.report.terminal import make_console
from magistrate.report.terminal.run import print_run
from magistrate.report.view import RunView
from magistrate.testing import FakeClient, Fault, FaultServer
from magistrate.verdict import IssueCode, Status, Verdict

STATEMENTS = ("The siren sounds at noon.", "The siren sounds at night.")
CONTEXTS = ("The siren sounds at noon on the first of the month.",)
RIGHT = '{"token":"{token}","s1":"supported","s2":"not_enough_info"}'
REFUSALS = [
    Completion(None, "stop", refusal="I will not judge this.", usage=Usage(1)),
    Completion("", "content_filter", usage=Usage(1)),
    Completion(None, "refusal", usage=Usage(1)),
    Completion("I'm sorry, but I can't help with that.", "stop", usage=Usage(1)),
    JudgePolicyError("the policy forbids it"),
]


def judge(replies, *, rephrase=True):
    client = FakeClient(replies)
    return LLMJudge("test-model", client=client, rephrase_refusals=rephrase), client


class TestRephrased:
    @pytest.mark.parametrize("refusal", REFUSALS)
    async def test_the_second_attempt_counts_and_the_refusal_is_said(self, refusal):
        made, client = judge([refusal, RIGHT])
        reply = await made.verify(STATEMENTS, CONTEXTS)
        assert [verdict.verdict for verdict in reply] == [Verdict.SUPPORTED, Verdict.NOT_ENOUGH_INFO]
        assert IssueCode.REFUSAL in {issue.code for issue in reply.issues}
        first, second = client.requests
        words = load_prompt("rephrase").user
        assert words in second.messages[-1].content
        assert words not in first.messages[-1].content
        assert first.prompt.version == load_prompt("verify").version
        assert second.prompt.version == f"{first.prompt.version}+rephrase-1"

    @pytest.mark.parametrize("refusal", REFUSALS)
    async def test_refused_again_is_refused(self, refusal):
        made, client = judge([refusal, refusal])
        reply = await made.verify(STATEMENTS, CONTEXTS)
        assert (reply.status, len(client.requests)) == (Status.REFUSED, 2)
        assert all(verdict.verdict is None for verdict in reply)

    async def test_a_short_reply_after_it_is_still_asked_for_the_rest(self):
        made, client = judge(
            [REFUSALS[0], '{"token":"{token}","s1":"supported"}', '{"token":"{token}","s1":"not_enough_info"}']
        )
        reply = await made.verify(STATEMENTS, CONTEXTS)
        assert (reply.status, len(client.requests)) == (Status.SCORED, 3)

    async def test_a_refusal_at_the_third_attempt_is_final(self):
        made, client = judge(['{"token":"{token}","s1":"supported"}', "nothing to say", REFUSALS[0]])
        reply = await made.verify(STATEMENTS, CONTEXTS)
        assert (reply.status, len(client.requests)) == (Status.PARTIAL, 3)

    async def test_every_question_has_it(self):
        for ask, right in (
            (lambda made: made.extract("It rains. It pours."), '{"token":"{token}","statements":["It rains."]}'),
            (lambda made: made.grade("Be fair.", {"answer": "x"}, low=0, high=1), '{"token":"{token}","score":1}'),
        ):
            made, client = judge([REFUSALS[0], right])
            assert (await ask(made)).status is Status.SCORED
            assert len(client.requests) == 2

    async def test_over_http_a_content_policy_is_met_once(self):
        said = "The response was filtered due to the prompt triggering the content management policy."

        def refuse(call):
            rephrased = load_prompt("rephrase").user in call.request.user
            return None if rephrased else Fault(status=400, message=said, code="content_filter")

        with FaultServer(faults=refuse) as server:
            retry = RetryPolicy(base=0.01, longest=0.02)
            async with LLMJudge(
                "openai/own", api_base=server.openai_url, api_key="unused", retry=retry, rephrase_refusals=True
            ) as made:
                replies = await asyncio.gather(*(made.verify(STATEMENTS, CONTEXTS) for _ in range(3)))
            assert server.stats.calls == 6
        assert {reply.status for reply in replies} == {Status.SCORED}


class TestCounted:
    def test_a_run_counts_refusals_and_other_words(self, tmp_path):
        made, _ = judge([REFUSALS[0], RIGHT, REFUSALS[0], REFUSALS[0]])
        cases = [Case(id=str(n), answer="-", statements=STATEMENTS, contexts=CONTEXTS) for n in range(2)]
        run = evaluate(cases, judge=made, run=tmp_path / "run", concurrency=1)
        assert dict(run.summary.call_notes) == {"refused": 3, "asked in other words": 2}
        assert [result.status for result in run.results] == [Status.SCORED, Status.REFUSED]

    def test_a_run_counts_calls_without_a_parameter_that_the_model_rejects(self, tmp_path):
        def strict(call):
            said = "Unsupported parameter: 'temperature' is not supported with this model."
            return Fault(status=400, message=said) if "temperature" in call.request.raw else None

        cases = [Case(id=str(n), answer="-", statements=STATEMENTS, contexts=CONTEXTS) for n in range(3)]
        with FaultServer(faults=strict) as server:
            made = LLMJudge("openai/own", api_base=server.openai_url, api_key="unused", retry=RetryPolicy(base=0.01))
            run = evaluate(cases, judge=made, run=tmp_path / "run", concurrency=1)
            assert server.stats.calls == 4  # it is left out once and for all
        made.close_sync()
        assert dict(run.summary.call_notes) == {"sent without temperature": 3}
        output = StringIO()
        print_run(RunView(run), make_console(output))
        assert "3 sent without temperature" in output.getvalue()
