import asyncio

import pytest

from magistrate.errors import JudgeAuthError
from magistrate.judges.shared import SharedJudge
from magistrate.testing.scripted import ScriptedJudge
from magistrate.verdict import BINARY, TERNARY


def ask_together(*questions):
    async def ask():
        return await asyncio.gather(*(question() for question in questions), return_exceptions=True)

    return asyncio.run(ask())


class TestEqualQuestions:
    def test_share_an_error(self):
        judge = SharedJudge(ScriptedJudge({"A fact.": JudgeAuthError("no key")}))
        errors = ask_together(lambda: judge.verify(["A fact."], ["t"]), lambda: judge.verify(["A fact."], ["t"]))
        assert [type(error) for error in errors] == [JudgeAuthError, JudgeAuthError]


class TestDifferentQuestions:
    @pytest.mark.parametrize(
        ("first", "second"),
        [
            ({"contexts": ["a"]}, {"contexts": ["b"]}),
            ({"contexts": ["a", "b"]}, {"contexts": ["b", "a"]}),
            ({"contexts": ["a"], "question": "x"}, {"contexts": ["a"], "question": "y"}),
            ({"contexts": ["a"], "scale": TERNARY}, {"contexts": ["a"], "scale": BINARY}),
        ],
    )
    def test_are_put_apart(self, first, second):
        inner = ScriptedJudge()
        judge = SharedJudge(inner)
        ask_together(lambda: judge.verify(["A fact."], **first), lambda: judge.verify(["A fact."], **second))
        assert len(inner.asked) == 2

    def test_grades_are_told_apart_by_rubric_fields_and_range(self):
        inner = ScriptedJudge(score=1)
        judge = SharedJudge(inner)
        for rubric, fields, high in [
            ("r", {"a": "x"}, 4),
            ("r", {"a": "x"}, 4),
            ("q", {"a": "x"}, 4),
            ("r", {"a": "y"}, 4),
            ("r", {"a": "x"}, 5),
        ]:
            asyncio.run(SharedJudge(inner).grade(rubric, fields, low=0, high=high))
        ask_together(*[lambda: judge.grade("r", {"a": "x"}, low=0, high=4)] * 3)
        assert len(inner.asked) == 6


def test_if_everybody_stops_waiting_the_call_is_cancelled():
    class Slow(ScriptedJudge):
        cancelled = False

        async def ask(self, _question):
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                self.cancelled = True
                raise

    inner = Slow()

    async def ask():
        judge = SharedJudge(inner)
        tasks = [asyncio.ensure_future(judge.extract("text")) for _ in range(2)]
        await asyncio.sleep(0)
        tasks[0].cancel()
        await asyncio.gather(tasks[0], return_exceptions=True)
        assert not inner.cancelled
        tasks[1].cancel()
        await asyncio.gather(tasks[1], return_exceptions=True)

    asyncio.run(ask())
    assert inner.cancelled
