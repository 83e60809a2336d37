"""Judges and clients for unit tests."""

import pytest

from magistrate.errors import JudgeServerError
from magistrate.judges import Judge, Verify
from magistrate.judges.llm._requests import Asking, Attempt, verify_request
from magistrate.testing import FakeClient, ScriptedJudge
from magistrate.verdict import TERNARY, IssueCode, Status, Verdict

CONTEXTS = ["The pool opens at seven."]


class TestScriptedJudge:
    def test_is_a_judge(self):
        assert isinstance(ScriptedJudge(), Judge)

    async def test_says_what_it_was_told_by_statement(self):
        judge = ScriptedJudge({"a": Verdict.CONTRADICTED, "b": None}, default="supported")
        reply = await judge.verify(["a", "b", "c", " "], CONTEXTS)
        assert [row.verdict for row in reply] == [Verdict.CONTRADICTED, None, Verdict.SUPPORTED, None]
        assert reply.status is Status.PARTIAL
        assert [issue.code for issue in reply.issues] == [IssueCode.MISSING_VERDICT, IssueCode.BLANK_STATEMENT]

    async def test_keeps_to_the_statuses_of_a_real_judge(self):
        judge = ScriptedJudge()
        assert (await judge.verify([], CONTEXTS)).status is Status.VACUOUS
        assert (await judge.verify(["a"], [" "])).status is Status.NO_CONTEXT
        assert (await judge.extract("  ")).status is Status.NO_ANSWER
        assert (await judge.grade("r", {"a": "x"}, low=0, high=1)).status is Status.UNPARSEABLE

    async def test_raises_what_it_was_told_to_raise(self):
        with pytest.raises(JudgeServerError):
            await ScriptedJudge({"a": JudgeServerError("down")}).verify(["a"], CONTEXTS)

    async def test_notes_what_it_was_asked(self):
        judge = ScriptedJudge(score=0.5)
        await judge.extract_and_verify("One. Two.", CONTEXTS)
        await judge.grade("rubric", {"answer": "x"}, low=0, high=1)
        assert judge.asked == [("claims", ("One. Two.",)), ("verify", ("One.", "Two.")), ("grade", ("rubric", "x"))]


class TestFakeClient:
    async def test_without_a_script_it_answers_right(self):
        request = verify_request(
            Asking("m", b"k"), Verify(["The pool opens at seven."], CONTEXTS, scale=TERNARY), Attempt()
        )
        completion = await FakeClient().complete(request)
        assert completion.text is not None
        assert '"s1":"supported"' in completion.text
        assert str(request.token) in completion.text

    async def test_a_script_that_ends_too_early_fails_the_test(self):
        request = verify_request(Asking("m", b"k"), Verify(["a"], CONTEXTS, scale=TERNARY), Attempt())
        client = FakeClient(["{token}"])
        assert (await client.complete(request)).text == request.token
        with pytest.raises(AssertionError, match="request 2"):
            await client.complete(request)
