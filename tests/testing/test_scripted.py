"""Judges by a script, learners, and the pytest plugin."""

import os
import subprocess
import sys

import pytest

from magistrate.judges import Verify
from magistrate.judges.llm._requests import Asking, Attempt, verify_request
from magistrate.testing import FakeClient, ScriptedJudge
from magistrate.testing.oracle import word_verdict
from magistrate.verdict import TERNARY, IssueCode, Status, Verdict

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


PASSAGES = (
    "Der Anspruch auf Urlaub beträgt 30 Urlaubstage im Jahr. Eine Auszahlung ist nicht möglich.",
    "Up to five days may be carried over into the next year. Managers approve leave. Dogs are not allowed here.",
)
SAID = [
    ("Sie haben Anspruch auf 30 Urlaubstage.", Verdict.SUPPORTED),
    ("Sie haben Anspruch auf 28 Urlaubstage.", Verdict.CONTRADICTED),
    ("Der Urlaub kann ausgezahlt werden, auch im Ausland.", Verdict.NOT_ENOUGH_INFO),
    ("A manager approves the leave.", Verdict.SUPPORTED),
    ("Five days can be carried over to next year.", Verdict.SUPPORTED),
    ("Ten days can be carried over to next year.", Verdict.CONTRADICTED),
    ("Dogs are allowed here.", Verdict.CONTRADICTED),
    ("Dogs are not allowed here.", Verdict.SUPPORTED),
    ("Managers approve expenses.", Verdict.PARTIALLY_SUPPORTED),
    ("The canteen serves lobster.", Verdict.NOT_ENOUGH_INFO),
    ("", Verdict.NOT_ENOUGH_INFO),
]


@pytest.mark.parametrize(("statement", "verdict"), SAID)
def test_words_without_their_endings_numbers_and_denials_decide(statement, verdict):
    assert word_verdict(statement, PASSAGES)[0] is verdict


def test_without_a_passage_nothing_is_known():
    assert word_verdict("A manager approves it.", ())[0] is Verdict.NOT_ENOUGH_INFO


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
    said = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *plugins, "test_it.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )
    assert "3 passed" in said.stdout, said.stdout + said.stderr
