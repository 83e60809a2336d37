import pytest

from magistrate.case import Case
from magistrate.judges.offline import OfflineJudge
from magistrate.metrics import Abstention
from magistrate.verdict import Outcome, Status

ANSWERS = {True: "The fee is 5 crowns [1].", False: "The documents do not mention a fee. They name a deposit of 9."}


def case(answerable, answered, **fields):
    return Case(
        question="What is the fee?",
        answer=ANSWERS[answered],
        contexts=("x",),
        metadata={"answerable": answerable},
        **fields,
    )


@pytest.mark.parametrize("answerable", [True, False])
@pytest.mark.parametrize("answered", [True, False])
class TestTheTable:
    def test_lexically(self, answerable, answered):
        result = Abstention().evaluate_sync(case(answerable, answered), OfflineJudge())
        assert result.score == float(answerable == answered)
        assert (result.details["answerable"], result.details["answered"]) == (answerable, answered)
        assert result.details["method"] == "lexical"

    def test_by_a_judge(self, rule_judge, answerable, answered):
        judge = rule_judge(grade=lambda fields: float(fields["answer"] == ANSWERS[True]))
        result = Abstention().evaluate_sync(case(answerable, answered), judge)
        assert result.score == float(answerable == answered)
        assert (result.details["method"], result.usage.calls) == ("judge", 1)


class TestWhetherItIsAnswerable:
    def test_follows_from_the_category(self):
        declined = Case(answer=ANSWERS[False], category="unanswerable")
        assert Abstention().evaluate_sync(declined, OfflineJudge()).outcome is Outcome.PASS

    def test_follows_from_a_reference(self):
        declined = Case(answer=ANSWERS[False], reference="5 crowns.")
        assert Abstention().evaluate_sync(declined, OfflineJudge()).outcome is Outcome.FAIL

    def test_may_not_be_known(self):
        result = Abstention().evaluate_sync(Case(answer=ANSWERS[True]), OfflineJudge())
        assert (result.status, result.score) == (Status.MISSING_INPUT, None)


def test_a_judge_that_refuses_leaves_no_score(rule_judge):
    result = Abstention().evaluate_sync(case(True, True), rule_judge(grade=lambda _: Status.REFUSED))
    assert (result.status, result.score) == (Status.REFUSED, None)
