import asyncio

import pytest

from magistrate.errors import ConfigurationError
from magistrate.judges import BaseJudge
from magistrate.judges.llm import LLMJudge
from magistrate.judges.offline import OfflineJudge
from magistrate.judges.several import MajorityJudge, Sample, repetitions
from magistrate.testing.scripted import FakeClient, ScriptedJudge
from magistrate.verdict import IssueCode, Status, Verdict

S, C, N = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.NOT_ENOUGH_INFO


def say(*verdicts):
    """What a majority of judges says that each give one of the verdicts."""
    judges = [ScriptedJudge({"It rains.": verdict}) for verdict in verdicts]
    return asyncio.run(MajorityJudge(judges).verify(["It rains."], ["text"]))


class TestAMajority:
    @pytest.mark.parametrize(
        ("verdicts", "expected"),
        [((S, S, C), S), ((C, N, C), C), ((S, S, None), S), ((S,), S), ((C, C, S, C, S), C)],
    )
    def test_gives_the_verdict(self, verdicts, expected):
        reply = say(*verdicts)
        assert (reply.verdicts[0].verdict, reply.status) == (expected, Status.SCORED)

    @pytest.mark.parametrize("verdicts", [(S, C), (C, S), (S, S, C, C), (S, C, N)])
    def test_that_is_none_gives_none_in_any_order(self, verdicts):
        reply = say(*verdicts)
        assert reply.verdicts[0].verdict is None
        assert reply.verdicts[0].issues[0].code is IssueCode.CONFLICTING_VERDICTS

    def test_of_too_few_votes_is_none(self):
        reply = say(S, None, None)
        assert reply.verdicts[0].verdict is None
        assert reply.verdicts[0].issues[0].code is IssueCode.MISSING_VERDICT

    def test_that_is_not_of_one_mind_says_so(self):
        assert IssueCode.LOW_CONFIDENCE in {issue.code for issue in say(S, S, C).verdicts[0].issues}
        assert say(S, S, S).verdicts[0].issues == ()

    def test_costs_what_all_of_them_cost(self):
        assert say(S, S, C).usage.calls == 3

    def test_extracts_once(self):
        judges = [ScriptedJudge() for _ in range(3)]
        reply = asyncio.run(MajorityJudge(judges).extract("It rains. It pours."))
        assert (len(reply), [len(judge.asked) for judge in judges]) == (2, [1, 0, 0])

    @pytest.mark.parametrize(
        ("grades", "expected"), [((1, 4, 3), 3), ((2, 3), 2.5), ((4, None, 4), 4), ((4, None), None), ((None,), None)]
    )
    def test_of_grades_is_their_median(self, grades, expected):
        judges = [ScriptedJudge(score=grade) for grade in grades]
        reply = asyncio.run(MajorityJudge(judges).grade("rubric", {"a": "x"}, low=0, high=4))
        assert reply.value == expected
        assert (reply.status is Status.SCORED) == (expected is not None)

    def test_cannot_be_had_in_a_single_call(self):
        for judge in (MajorityJudge([ScriptedJudge()]), Sample(ScriptedJudge(), ScriptedJudge())):
            with pytest.raises(ConfigurationError, match="batched"):
                asyncio.run(judge.extract_and_verify("It rains.", ["text"]))


class Positional(BaseJudge):
    """Takes whatever comes first for supported, and the rest for contradicted."""

    def __init__(self):
        self.seen = []

    async def verify(self, statements, contexts, **options):
        self.seen.append((statements, contexts))
        return await ScriptedJudge({statements[0]: S}, default=C).verify(statements, contexts, **options)


class TestASwappedRepetition:
    CONTEXTS = ("Tea is grown here.", "It rains in the hills.", "The road is closed.")
    STATEMENTS = ("It rains in the hills.", "", "The bridge is open.", "Tea is grown here.")

    def test_of_a_judge_that_order_does_not_matter_to_says_the_same(self):
        judge = OfflineJudge()
        plain, swapped = (
            asyncio.run(one.verify(self.STATEMENTS, self.CONTEXTS)) for one in repetitions(judge, 2, swap=True)
        )
        assert swapped.verdicts == plain.verdicts
        assert (swapped.status, swapped.issues) == (plain.status, plain.issues)

    def test_of_a_judge_that_goes_by_position_leaves_no_verdict(self):
        judges = repetitions(Positional(), 2, swap=True)
        reply = asyncio.run(MajorityJudge(judges).verify(["It rains.", "It pours."], ["text"]))
        assert [verdict.verdict for verdict in reply.verdicts] == [None, None]

    def test_sees_the_other_order(self):
        judge = Positional()
        asyncio.run(repetitions(judge, 2, swap=True)[1].verify(["a", "b"], ["x", "y"]))
        assert judge.seen == [(("b", "a"), ("y", "x"))]


class TestRepetitions:
    def test_of_a_model_have_numbers_of_their_own_and_share_the_rest(self):
        client = FakeClient()
        judges = repetitions(LLMJudge("gpt-4o", client=client), 3)
        assert [judge.describe()["repeat"] for judge in judges] == [0, 1, 2]
        for judge in judges:
            asyncio.run(judge.verify(["It rains."], ["It rains."]))
        assert [request.repeat for request in client.requests] == [0, 1, 2]

    def test_of_a_judge_without_chance_are_the_judge_itself(self):
        judge = OfflineJudge()
        assert repetitions(judge, 3) == [judge] * 3
