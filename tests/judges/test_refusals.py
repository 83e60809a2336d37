"""Refusals: never retried blindly; on demand put once more in other words; always said."""

import asyncio
from io import StringIO

from tests.judges.replying import put, replies
from tests.serving import judge_of, served

from magistrate.case import Case
from magistrate.evaluation.api import evaluate
from magistrate.judges.llm import LLMJudge
from magistrate.prompts import load_prompt
from magistrate.records import Completion, Usage
from magistrate.report.terminal import make_console
from magistrate.report.terminal.run import print_run
from magistrate.report.view import RunView
from magistrate.testing import FakeClient, Fault, FaultServer
from magistrate.verdict import Status

STATEMENTS = ("The siren sounds at noon.", "The siren sounds at night.")
CONTEXTS = ("The siren sounds at noon on the first of the month.",)
RIGHT = '{"token":"{token}","s1":"supported","s2":"not_enough_info"}'
REFUSAL = Completion(None, "refusal", usage=Usage(1))
CASES = [Case(id=str(n), answer="-", statements=STATEMENTS, contexts=CONTEXTS) for n in range(3)]


class TestRephrased:
    @replies("rephrased")
    async def test_the_second_attempt_counts_and_the_refusal_is_said(self, row):
        await put(row)

    async def test_other_words_stand_in_the_prompt_and_in_its_version(self):
        client = FakeClient([REFUSAL, RIGHT])
        await LLMJudge("m", client=client, rephrase_refusals=True).verify(STATEMENTS, CONTEXTS)
        first, second = client.requests
        words = load_prompt("rephrase").user
        assert [words in request.messages[-1].content for request in client.requests] == [False, True]
        assert first.prompt.version == load_prompt("verify").version
        assert second.prompt.version == f"{first.prompt.version}+rephrase-1"

    async def test_over_http_a_content_policy_is_met_once(self):
        said = "The response was filtered due to the prompt triggering the content management policy."

        def refuse(call):
            rephrased = load_prompt("rephrase").user in call.request.user
            return None if rephrased else Fault(status=400, message=said, code="content_filter")

        async with served(serve={"faults": refuse}, rephrase_refusals=True) as (made, server):
            replies = await asyncio.gather(*(made.verify(STATEMENTS, CONTEXTS) for _ in range(3)))
            assert server.stats.calls == 6
        assert {reply.status for reply in replies} == {Status.SCORED}


class TestCounted:
    def test_a_run_counts_refusals_and_other_words(self, tmp_path):
        client = FakeClient([REFUSAL, RIGHT, REFUSAL, REFUSAL])
        made = LLMJudge("m", client=client, rephrase_refusals=True)
        run = evaluate(CASES[:2], judge=made, run=tmp_path / "run", concurrency=1)
        assert dict(run.summary.call_notes) == {"refused": 3, "asked in other words": 2}
        assert [result.status for result in run.results] == [Status.SCORED, Status.REFUSED]

    def test_a_run_counts_calls_without_a_parameter_that_the_model_rejects(self, tmp_path):
        def strict(call):
            said = "Unsupported parameter: 'temperature' is not supported with this model."
            return Fault(status=400, message=said) if "temperature" in call.request.raw else None

        with FaultServer(faults=strict) as server:
            made = judge_of(server)
            run = evaluate(CASES, judge=made, run=tmp_path / "run", concurrency=1)
            assert server.stats.calls == 4  # it is left out once and for all
        made.close_sync()
        assert dict(run.summary.call_notes) == {"sent without temperature": 3}
        output = StringIO()
        print_run(RunView(run), make_console(output))
        assert "3 sent without temperature" in output.getvalue()
