"""Judges by a script, learners, and the pytest plugin."""

import os
import sys

import pytest
from tests.case_tables import cases_of
from tests.running import ran

from magistrate.judges import Verify
from magistrate.judges.llm._requests import Asking, Attempt, verify_request
from magistrate.testing import FakeClient, ScriptedJudge
from magistrate.testing.oracle import word_verdict
from magistrate.verdict import TERNARY, IssueCode, Status, Verdict

cases = cases_of(__file__)

CONTEXTS = ["The pool opens at seven."]


class TestScriptedJudge:
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

    async def test_notes_what_it_was_asked(self):
        judge = ScriptedJudge(score=0.5)
        await judge.extract_and_verify("One. Two.", CONTEXTS)
        await judge.grade("rubric", {"answer": "x"}, low=0, high=1)
        assert judge.asked == [("claims", ("One. Two.",)), ("verify", ("One.", "Two.")), ("grade", ("rubric", "x"))]


class TestFakeClient:
    @staticmethod
    def request(statement):
        return verify_request(Asking("m", b"k"), Verify([statement], CONTEXTS, scale=TERNARY), Attempt())

    async def test_without_a_script_it_answers_right(self):
        request = self.request("The pool opens at seven.")
        completion = await FakeClient().complete(request)
        assert '"s1":"supported"' in completion.text
        assert str(request.token) in completion.text

    async def test_a_script_that_ends_too_early_fails_the_test(self):
        request, client = self.request("a"), FakeClient(["{token}"])
        assert (await client.complete(request)).text == request.token
        with pytest.raises(AssertionError, match="request 2"):
            await client.complete(request)


@cases("scripted: words without their endings numbers and denials decide")
def test_words_without_their_endings_numbers_and_denials_decide(passages, statement, verdict):
    assert word_verdict(statement, passages)[0] == verdict


TEST = """
import sys

def test_nothing_is_loaded():
    assert "hypothesis" not in sys.modules
    assert "litellm" not in sys.modules

def test_a_judge(fuzz_judge):
    fuzz_judge("magistrate", seconds=60, count=20)

def test_a_bad_judge(fuzz_judge):
    try:
        fuzz_judge(lambda reply, statements: [True] * len(statements), seconds=60, count=20)
    except AssertionError as error:
        assert "silently wrong" in str(error)
    else:
        raise RuntimeError("nothing was found")
"""


@pytest.mark.slow
def test_the_fixture_fuzzes_a_judge_and_loads_nothing_before(tmp_path):
    (tmp_path / "test_it.py").write_text(TEST)
    plugins = ["-p", "magistrate.testing.pytest_plugin", "-p", "pytest_asyncio.plugin"]
    alone = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    said = ran(sys.executable, "-m", "pytest", "-q", *plugins, "test_it.py", cwd=tmp_path, env=alone)
    assert "3 passed" in said.stdout, said.stdout + said.stderr
