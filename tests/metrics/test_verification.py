import asyncio
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.errors import (
    ConfigurationError,
    JudgeAuthError,
    JudgeContextError,
    JudgePolicyError,
    JudgeTimeoutError,
)
from magistrate.judges import BaseJudge, ExtractAndVerify, SingleReply, VerdictsReply, Verify, together
from magistrate.metrics.base import is_blank
from magistrate.metrics.faithfulness import Faithfulness, ask, merge_replies
from magistrate.records import CallRecord, PromptRef
from magistrate.sync import run_sync
from magistrate.verdict import Issue, IssueCode, StatementVerdict, Status, Verdict

cases = cases_of(__file__)

CLAIMS = ["The kiln is gas-fired.", "It holds 40 plates.", "Firing takes nine hours.", "The lid is steel."]
CONTEXT = ["The gas kiln holds 40 plates."]


def codes(entry):
    return [issue.code for issue in entry.issues]


async def verify(judge, statements=CLAIMS, batch_size=50):
    return await Faithfulness(batch_size=batch_size).verify(judge, statements, CONTEXT, "How is it fired?")


@pytest.mark.parametrize("text", ["a", " .a ", "0", "é", "是。", "🙂", "\u200bx", "=", "5%"])
def test_is_blank_says_something(text):
    assert not is_blank(text)


class TestBatches:
    async def test_a_failed_batch_costs_its_own_statements_only(self, scripted_judge):
        judge = scripted_judge({CLAIMS[2]: JudgeTimeoutError("no answer in 30 s")})
        reply = await verify(judge, batch_size=2)
        assert [entry.verdict for entry in reply] == [Verdict.SUPPORTED, Verdict.SUPPORTED, None, None]
        message = "JudgeTimeoutError: no answer in 30 s"
        assert reply[2].issues == (Issue(IssueCode.JUDGE_ERROR, message, 2),)
        assert reply[3].issues == (Issue(IssueCode.JUDGE_ERROR, message, 3),)
        assert reply.issues == (Issue(IssueCode.JUDGE_ERROR, message),)
        assert reply.status is Status.PARTIAL

    @given(
        st.lists(st.sampled_from(["supported", "contradicted", "not_enough_info", None, "blank"]), max_size=12),
        st.integers(1, 5),
    )
    def test_each_verdict_reaches_its_own_statement_whatever_the_batch_size(self, scripted_judge, said, batch_size):
        statements = [f"Statement {i}." if word != "blank" else " " for i, word in enumerate(said)]
        judge = scripted_judge(dict(zip(statements, said, strict=True)))
        reply = run_sync(verify(judge, statements, batch_size))
        assert [entry.statement for entry in reply] == statements
        assert [entry.index for entry in reply] == list(range(len(said)))
        assert [entry.id for entry in reply] == [f"s{i + 1}" for i in range(len(said))]
        assert [entry.verdict for entry in reply] == [w if w != "blank" else None for w in said]
        assert all(issue.index == entry.index for entry in reply for issue in entry.issues)


class TestUntrustworthyReplies:
    """A judge is foreign code: what does not fit the statements asked about is no verdict."""

    async def test_entries_are_told_by_their_index_and_not_by_their_place(self, scripted_judge):
        judge = scripted_judge(
            {CLAIMS[1]: "contradicted"},
            verify_reply=lambda reply: replace(reply, verdicts=tuple(reversed(reply.verdicts))),
        )
        reply = await verify(judge)
        assert [entry.verdict for entry in reply][1] is Verdict.CONTRADICTED
        assert [entry.statement for entry in reply] == CLAIMS

    @pytest.mark.parametrize("indices", [(0, 1, 2), (0, 1, 2, 3, 3), (0, 1, 2, 0), (0, 1, 2, 9)], ids=str)
    async def test_a_count_that_does_not_fit_gives_no_verdicts(self, scripted_judge, indices):
        def tamper(reply):
            known = {**dict(enumerate(reply)), 9: reply[3].model_copy(update={"index": 9})}
            return replace(reply, verdicts=tuple(known[index] for index in indices))

        reply = await verify(scripted_judge(verify_reply=tamper))
        assert [codes(entry) for entry in reply] == [[IssueCode.COUNT_MISMATCH]] * 4
        assert "where 4" in reply[0].issues[0].message
        assert [entry.issues[0].index for entry in reply] == [0, 1, 2, 3]
        assert reply.status is Status.UNPARSEABLE

    async def test_a_verdict_on_another_statement_is_none(self, scripted_judge):
        def swap(reply):
            first = reply.verdicts[0].model_copy(update={"statement": "The kiln is electric."})
            return replace(reply, verdicts=(first, *reply.verdicts[1:]))

        reply = await verify(scripted_judge(verify_reply=swap))
        issue = Issue(IssueCode.UNKNOWN_STATEMENT, "the judge's entry is about another statement", 0)
        assert (reply[0].verdict, reply[0].issues) == (None, (issue,))
        assert (reply[0].statement, reply.status) == (CLAIMS[0], Status.PARTIAL)

    @cases("verification: a status that says there are no verdicts outweighs verdicts")
    async def test_a_status_that_says_there_are_no_verdicts_outweighs_verdicts(self, scripted_judge, status, code):
        reply = await verify(scripted_judge(verify_reply=lambda reply: replace(reply, status=status)))
        assert all(entry.verdict is None for entry in reply)
        assert reply[1].issues == (Issue(code, f"the reply is {status}", 1),)
        assert reply.status == status

    async def test_the_reasons_that_a_failed_reply_gives_itself_are_kept(self, scripted_judge):
        judge = scripted_judge(dict.fromkeys(CLAIMS))
        reply = await verify(judge, ["", *CLAIMS])
        assert reply[2].issues == (Issue(IssueCode.MISSING_VERDICT, "no row for it", 2),)
        assert reply.status is Status.UNPARSEABLE

    async def test_the_first_message_of_a_failed_reply_is_the_reason(self, scripted_judge):
        issues = (
            Issue(IssueCode.REFUSAL),
            Issue(IssueCode.REFUSAL, "I will not judge this."),
            Issue(IssueCode.REFUSAL, "No."),
        )
        refused = VerdictsReply(status=Status.REFUSED, issues=issues)
        reply = await verify(scripted_judge(verify_reply=lambda _: refused), CLAIMS[:1])
        assert reply[0].issues == (Issue(IssueCode.REFUSAL, "I will not judge this.", 0),)
        assert reply.issues == issues

    @pytest.mark.parametrize("status", [Status.SCORED, Status.PARTIAL, Status.VACUOUS])
    async def test_a_reply_without_verdicts_that_claims_to_be_fine_is_unparseable(self, scripted_judge, status):
        judge = scripted_judge(dict.fromkeys(CLAIMS), verify_reply=lambda reply: replace(reply, status=status))
        assert (await verify(judge)).status is Status.UNPARSEABLE


class TestMergeReplies:
    def reply(self, *verdicts, **fields):
        return VerdictsReply(verdicts, **fields)

    def entry(self, index, statement, *issues):
        verdict = Verdict.SUPPORTED
        return StatementVerdict(index=index, id="x", statement=statement, verdict=verdict, issues=issues)

    def test_indices_become_those_of_all_statements(self):
        low = Issue(IssueCode.LOW_CONFIDENCE, "hm", 0)
        first = self.reply(
            self.entry(0, "B."),
            issues=(Issue(IssueCode.DUPLICATE_VERDICT, "twice", 0), Issue(IssueCode.REPAIRED_JSON, "repaired")),
        )
        second = self.reply(self.entry(0, "A.", low), issues=(Issue(IssueCode.UNKNOWN_STATEMENT, "?", 1),))
        merged = merge_replies(["A.", "B."], [([1], first), ([0], second)])
        assert [(entry.index, entry.id, entry.statement) for entry in merged] == [(0, "s1", "A."), (1, "s2", "B.")]
        assert merged[0].issues == (Issue(IssueCode.LOW_CONFIDENCE, "hm", 0),)
        assert merged.issues == (
            Issue(IssueCode.DUPLICATE_VERDICT, "twice", 1),
            Issue(IssueCode.REPAIRED_JSON, "repaired"),
            Issue(IssueCode.UNKNOWN_STATEMENT, "?"),
        )
        assert merged.status is Status.SCORED

    def test_a_call_about_statements_that_were_not_asked_names_only_those_that_were(self):
        call = CallRecord("verify", PromptRef("verify", "1", "0"), "m", statements=(0, 1, -1))
        merged = merge_replies(["", "A."], [([1], self.reply(self.entry(0, "A."), calls=(call,)))])
        assert merged.calls[0].statements == (1,)


QUESTION = Verify(["It is."], ["It is."])


class Answering(BaseJudge):
    """Answers every question with the same, or raises it."""

    def __init__(self, answer):
        self.answer = answer

    async def ask(self, question, /):
        del question
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


FAILURES = {kind.__name__: kind for kind in (JudgeTimeoutError, JudgePolicyError, JudgeContextError, RuntimeError)}


class TestAsk:
    @cases("verification: any other failure is a reply")
    async def test_any_other_failure_is_a_reply(self, kind, message, status, code):
        error = FAILURES[kind](message)
        reply = await ask(Answering(error), QUESTION, VerdictsReply)
        assert (reply.status, [issue.code for issue in reply.issues]) == (status, [code])
        assert "sk-secret" not in repr(reply)
        single = await ask(Answering(error), ExtractAndVerify("It is.", ["It is."]), SingleReply)
        assert (single.statements.status, single.verdicts.status) == (status, status)

    async def test_a_reply_of_another_type_or_none_is_a_fault_of_the_judge(self):
        with pytest.raises(ConfigurationError):
            await ask(Answering(["yes"]), QUESTION, VerdictsReply)
        with pytest.raises(ConfigurationError):
            await ask(BaseJudge(), QUESTION, VerdictsReply)


async def after(steps):
    for _ in range(steps):
        await asyncio.sleep(0)
    return steps


class TestTogether:
    async def test_results_keep_their_order(self):
        assert await together([after(5), after(1), after(3)]) == [5, 1, 3]
        assert await together([]) == []

    async def test_an_error_cancels_the_others_and_waits_for_them(self):
        ended: list[str] = []

        async def lasting():
            try:
                await asyncio.Event().wait()
            finally:
                await after(10)
                ended.append("ended")
                raise ValueError("while cancelling")

        async def failing():
            await after(1)
            raise JudgeAuthError("no key")

        with pytest.raises(JudgeAuthError, match="no key"):
            await together([lasting(), failing(), lasting()])
        assert ended == ["ended", "ended"]

    async def test_cancelling_it_cancels_its_calls(self):
        ended: list[str] = []

        async def lasting():
            try:
                await asyncio.Event().wait()
            finally:
                ended.append("ended")

        task = asyncio.ensure_future(together([lasting(), lasting()]))
        await after(3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert ended == ["ended", "ended"]
