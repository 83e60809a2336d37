"""Contexts that are longer than the model takes, over real HTTP: judged in parts, and merged."""

import asyncio

import pytest

from magistrate.case import Case
from magistrate.completion.retry import RetryPolicy
from magistrate.evaluation.api import evaluate
from magistrate.evaluation.runs.derived import changes, reparsed
from magistrate.judges.llm import LLMJudge
from magistrate.judges.llm.reading import read_single, read_verdicts
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.testing import Fault, FaultServer, seeded_faults
from magistrate.verdict import TERNARY, IssueCode, Status, Verdict

FILLER = "The harbour office keeps a book of every vessel and its draught, and closes it at dusk. "
CONTEXTS = (
    FILLER * 30 + "The crane lifts 40 tonnes. " + FILLER * 30,
    "The pilot boards at buoy 7. " + FILLER * 20,
    FILLER * 10 + "The quay is 300 metres long.",
)
STATEMENTS = (
    "The crane lifts 40 tonnes.",
    "The pilot boards at buoy 9.",
    "Divers paint the hull.",
    "The quay is 300 metres long.",
)
RIGHT = [Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.NOT_ENOUGH_INFO, Verdict.SUPPORTED]
RETRY = RetryPolicy(base=0.01, longest=0.02)


def found(reply):
    return [verdict.verdict for verdict in reply]


def judge(server, model="openai/own", **options):
    base = server.openai_url if model.startswith("openai") else server.url
    return LLMJudge(model, api_base=base, api_key="unused", retry=RETRY, **options)


class TestTooLong:
    @pytest.mark.parametrize(("model", "window"), [("openai/own", 2200), ("claude-haiku-4-5", 6600)])
    async def test_contexts_are_judged_in_parts_and_the_verdicts_are_right(self, model, window):
        with FaultServer(context_window=window) as server:
            async with judge(server, model) as made:
                reply = await made.verify(STATEMENTS, CONTEXTS)
        assert found(reply) == RIGHT
        assert reply.status is Status.SCORED
        assert IssueCode.CONTEXT_SPLIT in {issue.code for issue in reply.issues}
        parts = [call for call in reply.calls if call.completion is not None]
        assert len(parts) > 1
        assert all(call.window for call in parts)
        assert read_verdicts(reply.calls, STATEMENTS, CONTEXTS, scale=TERNARY) == reply

    async def test_a_known_limit_is_not_tried_again(self):
        contexts = tuple(text * 2 for text in CONTEXTS)
        with FaultServer(context_window=2200) as server:
            async with judge(server) as made:
                first = await made.verify(STATEMENTS, contexts)
                second = await made.verify(STATEMENTS[:2], contexts)
        assert first.calls[0].status == "too_long"
        assert all(call.status == "ok" for call in second.calls)
        assert found(second) == RIGHT[:2]

    async def test_a_provider_that_names_no_limit_gets_halves(self):
        def refuse(call):
            long = call.request.prompt_chars > 8000
            said = "Your input exceeds the context window of this model. Please adjust your input and try again."
            return Fault(status=400, message=said, code="context_length_exceeded") if long else None

        with FaultServer(faults=refuse) as server:
            async with judge(server) as made:
                reply = await made.verify(STATEMENTS, CONTEXTS)
        assert found(reply) == RIGHT

    async def test_a_contradiction_in_one_part_is_reported_beside_support_in_another(self):
        contexts = (CONTEXTS[0], "The crane lifts 25 tonnes. " + FILLER * 30)
        with FaultServer(context_window=2200) as server:
            async with judge(server) as made:
                reply = await made.verify(STATEMENTS[:1], contexts)
        assert found(reply) == [Verdict.SUPPORTED]
        assert IssueCode.CONFLICTING_VERDICTS in {issue.code for issue in reply.issues}

    async def test_quotes_are_found_where_they_stand_in_the_whole_context(self):
        with FaultServer(context_window=3200) as server:
            async with judge(server, quotes=True) as made:
                reply = await made.verify(STATEMENTS[:1], CONTEXTS)
        for quote in reply[0].evidence:
            assert quote.context is not None
            assert quote.quote.strip(". ").casefold() in CONTEXTS[quote.context][quote.start : quote.end].casefold()

    async def test_what_no_cut_can_fit_says_so(self):
        with FaultServer(context_window=100) as server:
            async with judge(server) as made:
                reply = await made.verify(STATEMENTS, CONTEXTS[2:])
        assert reply.status is Status.CONTEXT_TRUNCATED
        assert found(reply) == [None] * 4
        assert "maximum context length is 100 tokens" in reply.issues[-1].message

    async def test_it_can_be_switched_off(self):
        with FaultServer(context_window=2200) as server:
            async with judge(server, map_contexts=False) as made:
                reply = await made.verify(STATEMENTS, CONTEXTS)
            assert server.stats.calls == 1
        assert reply.status is Status.CONTEXT_TRUNCATED
        assert {issue.code for issue in reply.issues} == {IssueCode.CONTEXT_TRUNCATED}

    async def test_faults_in_the_parts_are_healed_or_said(self):
        with FaultServer(context_window=2200, faults=seeded_faults(["one-short", "500"], rate=0.4, seed=3)) as server:
            async with judge(server) as made:
                replies = await asyncio.gather(*(made.verify(STATEMENTS, CONTEXTS) for _ in range(2)))
        assert all(found(reply) == RIGHT for reply in replies)

    async def test_a_single_call_that_is_too_long_becomes_two_steps(self):
        answer = " ".join(STATEMENTS)
        with FaultServer(context_window=2200) as server:
            async with judge(server) as made:
                single = await made.extract_and_verify(answer, CONTEXTS)
        assert tuple(single.statements) == STATEMENTS
        assert found(single.verdicts) == RIGHT
        again = read_single(single.verdicts.calls, answer, CONTEXTS, scale=TERNARY)
        assert again == single

    async def test_a_text_too_long_to_take_statements_from_says_so(self):
        with FaultServer(context_window=1000) as server:
            async with judge(server) as made:
                reply = await made.extract(FILLER * 100)
        assert reply.status is Status.CONTEXT_TRUNCATED


class TestPartsThatWereNotSeen:
    async def test_a_small_part_that_the_judge_saw_only_the_end_of_gives_no_verdict(self):
        contexts = ("The crane lifts 40 tonnes. " + FILLER * 5, FILLER * 5)

        def blind(call):
            if call.number == 1:
                return Fault(status=400, message="Your input exceeds the context window of this model.")
            return Fault(unseen=True)

        with FaultServer(faults=blind) as server:
            async with judge(server) as made:
                reply = await made.verify(STATEMENTS, contexts)
        assert len(reply.calls) > 2
        assert found(reply) == [None] * 4
        assert reply.status is Status.CONTEXT_TRUNCATED


class TestStored:
    @pytest.mark.parametrize("mode", ["batched", "single"])
    def test_a_run_reads_its_parts_again_without_a_call(self, mode, tmp_path):
        case = Case(id="harbour", answer=" ".join(STATEMENTS), contexts=CONTEXTS)
        with FaultServer(context_window=2200) as server:
            made = judge(server)
            run = evaluate([case], metrics=[Faithfulness(mode=mode)], judge=made, run=tmp_path / "run")
            made.close_sync()
        assert [verdict.verdict for verdict in run.results[0].verdicts] == RIGHT
        assert list(changes(run, reparsed(run))) == []
        assert [v.verdict for v in reparsed(run).results[0].verdicts] == RIGHT
