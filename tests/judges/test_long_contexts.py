"""Contexts that are longer than the model takes, over real HTTP: judged in parts, and merged."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of, tables_of
from tests.serving import judge_of, served, verdicts_of

from magistrate.case import Case
from magistrate.completion.tokens import likely_tokens
from magistrate.evaluation.api import evaluate
from magistrate.evaluation.runs.derived import changes, reparsed
from magistrate.judges import ExtractAndVerify, Verify
from magistrate.judges.llm._windows import SMALLEST, merge_windows, spans_of, split_window
from magistrate.judges.llm.reading import read_single, read_verdicts
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.testing import Fault, FaultServer, seeded_faults
from magistrate.verdict import GRADED, Issue, IssueCode, StatementVerdict, Status, Verdict, resolve_scale

cases = cases_of(__file__)

FILLER = "The harbour office keeps a book of every vessel and its draught, and closes it at dusk. "
CONTEXTS = (
    FILLER * 30 + "The crane lifts 40 tonnes. " + FILLER * 30,
    "The pilot boards at buoy 7. " + FILLER * 20,
    FILLER * 10 + "The quay is 300 metres long.",
)
STATEMENTS = tuple(tables_of(__file__)["long contexts: statements"])
RIGHT = [Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.NOT_ENOUGH_INFO, Verdict.SUPPORTED]


async def verified(statements=STATEMENTS, contexts=CONTEXTS, *, window=2200, faults=None, **options):
    async with served(serve={"context_window": window, "faults": faults}, **options) as (judge, server):
        return await judge.verify(statements, contexts), server


def codes(found):
    return [issue.code for issue in found.issues]


class TestTooLong:
    @pytest.mark.parametrize(("model", "window"), [("openai/own", 2200), ("claude-haiku-4-5", 6600)])
    async def test_contexts_are_judged_in_parts_and_the_verdicts_are_right(self, model, window):
        reply, _ = await verified(model=model, window=window)
        assert (verdicts_of(reply), reply.status) == (RIGHT, Status.SCORED)
        assert IssueCode.CONTEXT_SPLIT in codes(reply)
        parts = [call for call in reply.calls if call.completion is not None]
        assert len(parts) > 1
        assert all(call.window for call in parts)
        assert read_verdicts(reply.calls, Verify(STATEMENTS, CONTEXTS)) == reply

    async def test_a_known_limit_is_not_tried_again(self):
        contexts = tuple(text * 2 for text in CONTEXTS)
        async with served(serve={"context_window": 2200}) as (judge, _):
            first = await judge.verify(STATEMENTS, contexts)
            second = await judge.verify(STATEMENTS[:2], contexts)
        assert first.calls[0].status == "too_long"
        assert all(call.status == "ok" for call in second.calls)
        assert verdicts_of(second) == RIGHT[:2]

    async def test_a_provider_that_names_no_limit_gets_halves(self):
        said = "Your input exceeds the context window of this model. Please adjust your input and try again."
        fault = Fault(status=400, message=said, code="context_length_exceeded")
        reply, _ = await verified(window=None, faults=lambda call: fault if call.request.prompt_chars > 8000 else None)
        assert verdicts_of(reply) == RIGHT

    async def test_a_contradiction_in_one_part_is_reported_beside_support_in_another(self):
        reply, _ = await verified(STATEMENTS[:1], (CONTEXTS[0], "The crane lifts 25 tonnes. " + FILLER * 30))
        assert verdicts_of(reply) == [Verdict.SUPPORTED]
        assert IssueCode.CONFLICTING_VERDICTS in codes(reply)

    async def test_quotes_are_found_where_they_stand_in_the_whole_context(self):
        reply, _ = await verified(STATEMENTS[3:], quotes=True)
        (quote,) = reply[0].evidence
        assert quote.start > 0
        found_there = CONTEXTS[quote.context][quote.start : quote.end]
        assert quote.quote.strip(". ").casefold() in found_there.casefold()

    async def test_what_no_cut_can_fit_says_so(self):
        reply, _ = await verified(contexts=CONTEXTS[2:], window=100)
        assert (reply.status, verdicts_of(reply)) == (Status.CONTEXT_TRUNCATED, [None] * 4)
        assert "100 tokens" in reply.issues[-1].message

    @pytest.mark.parametrize("said", [True, False])
    async def test_statements_that_leave_no_room_are_judged_in_halves(self, said):
        statements = [*STATEMENTS, *(f"The crane lifts {tonnes} tonnes." for tonnes in range(41, 57))]

        def refuse(call):
            if call.request.prompt_chars // 4 + call.request.max_tokens <= 2200:
                return None
            return Fault(status=400, message="Your input exceeds the context window of this model.")

        reply, _ = await verified(statements, window=2200 if said else None, faults=None if said else refuse)
        assert verdicts_of(reply) == [*RIGHT, *[Verdict.CONTRADICTED] * 16]
        assert read_verdicts(reply.calls, Verify(statements, CONTEXTS)) == reply

    async def test_it_can_be_switched_off(self):
        reply, server = await verified(map_contexts=False)
        assert (reply.status, set(codes(reply))) == (Status.CONTEXT_TRUNCATED, {IssueCode.CONTEXT_TRUNCATED})
        assert server.stats.calls == 1

    async def test_faults_in_the_parts_are_healed_or_said(self):
        reply, _ = await verified(faults=seeded_faults(["one-short", "500"], rate=0.4, seed=3))
        assert verdicts_of(reply) == RIGHT

    async def test_a_single_call_that_is_too_long_becomes_two_steps(self):
        answer = " ".join(STATEMENTS)
        async with served(serve={"context_window": 2200}) as (judge, _):
            single = await judge.extract_and_verify(answer, CONTEXTS)
            extracted = await judge.extract(FILLER * 200)
        assert (tuple(single.statements), verdicts_of(single.verdicts)) == (STATEMENTS, RIGHT)
        assert read_single(single.verdicts.calls, ExtractAndVerify(answer, CONTEXTS)) == single
        assert extracted.status is Status.CONTEXT_TRUNCATED

    async def test_a_small_part_that_the_judge_saw_only_the_end_of_gives_no_verdict(self):
        long = Fault(status=400, message="Your input exceeds the context window of this model.")
        contexts = ("The crane lifts 40 tonnes. " + FILLER * 5, FILLER * 5)
        reply, _ = await verified(
            contexts=contexts, window=None, faults=lambda call: long if call.number == 1 else Fault(unseen=True)
        )
        assert len(reply.calls) > 2
        assert (reply.status, verdicts_of(reply)) == (Status.CONTEXT_TRUNCATED, [None] * 4)


@pytest.mark.parametrize("mode", ["batched", "single"])
def test_stored_a_run_reads_its_parts_again_without_a_call(mode, tmp_path):
    case = Case(id="harbour", answer=" ".join(STATEMENTS), contexts=CONTEXTS)
    with FaultServer(context_window=2200) as server:
        made = judge_of(server)
        run = evaluate([case], metrics=[Faithfulness(mode=mode)], judge=made, run=tmp_path / "run")
        made.close_sync()
    assert [verdict.verdict for verdict in run.results[0].verdicts] == RIGHT
    assert list(changes(run, reparsed(run))) == []
    assert [v.verdict for v in reparsed(run).results[0].verdicts] == RIGHT


class TestSplitWindow:
    @given(
        contexts=st.lists(st.text(max_size=1200), min_size=1, max_size=5),
        most=st.none() | st.integers(-50, 400),
    )
    def test_windows_hold_every_character_in_order_and_each_is_smaller(self, contexts, most):
        windows = split_window(contexts, (), most)
        whole = spans_of(contexts, ())
        if not windows:
            assert sum(likely_tokens(contexts[i][s:e]) for i, s, e in whole) < 2 * SMALLEST + len(contexts)
            return
        seen = [set[int]() for _ in contexts]
        for window in windows:
            assert window != whole
            assert len({index for index, _, _ in window}) == len(window)
            for index, start, end in window:
                assert 0 <= start < end <= len(contexts[index])
                seen[index].update(range(start, end))
        assert all(seen[index] == set(range(len(contexts[index]))) for index, _, _ in whole)
        flat = [span for window in windows for span in window]
        assert flat == sorted(flat)

    @pytest.mark.parametrize("most", [None, 60, 1])
    def test_no_prompt_makes_thousands_of_windows(self, most):
        contexts = ["word " * 20_000]
        uncut, ends = [()], 0
        while uncut:
            parts = split_window(contexts, uncut.pop(), most)
            uncut += parts
            ends += not parts
        assert ends <= 200


def merged(verdicts, scale="graded"):
    windows = [
        StatementVerdict(
            index=0,
            id="s1",
            statement="One.",
            verdict=verdict,
            reason=f"part {at}",
            issues=() if verdict else (Issue(IssueCode.TRUNCATED, "cut", 0),),
        )
        for at, verdict in enumerate(verdicts, 1)
    ]
    return merge_windows(windows, resolve_scale(scale))


class TestMergeWindows:
    @cases("long contexts: what windows say together")
    def test_what_windows_say_together(self, verdicts, scale, verdict, part, issues):
        found = merged(verdicts, scale)
        assert (found.verdict, found.reason, codes(found)) == (verdict, f"part {part}", issues)

    @given(st.lists(st.sampled_from([*GRADED.verdicts, None]), min_size=2, max_size=6))
    def test_the_order_of_the_windows_never_decides(self, verdicts):
        assert merged(verdicts).verdict is merged(verdicts[::-1]).verdict
