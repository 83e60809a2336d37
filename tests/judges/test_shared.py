import asyncio

from tests.case_tables import cases_of

from magistrate.errors import JudgeAuthError
from magistrate.judges import Grade, Verify
from magistrate.judges.shared import SharedJudge
from magistrate.testing.scripted import ScriptedJudge

cases = cases_of(__file__)


def ask_together(judge, *questions):
    async def ask():
        return await asyncio.gather(*map(judge.ask, questions), return_exceptions=True)

    return asyncio.run(ask())


def test_equal_questions_share_an_error():
    judge = SharedJudge(ScriptedJudge({"A fact.": JudgeAuthError("no key")}))
    errors = ask_together(judge, *[Verify(["A fact."], ["t"])] * 2)
    assert [type(error) for error in errors] == [JudgeAuthError, JudgeAuthError]


@cases("shared: questions")
def test_equal_questions_are_one_call_and_different_ones_are_put_apart(kind, questions, calls):
    inner = ScriptedJudge(score=1)
    made = [{"verify": Verify, "grade": Grade}[kind](*given, **options) for given, options in questions]
    ask_together(SharedJudge(inner), *made)
    assert len(inner.asked) == calls


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
        for task in tasks:
            assert not inner.cancelled
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    asyncio.run(ask())
    assert inner.cancelled
