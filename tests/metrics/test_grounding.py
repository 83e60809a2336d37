import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.case import Case
from magistrate.metrics import Faithfulness, GroundingF1, GroundingPrecision, GroundingRecall
from magistrate.metrics.grounding.shares import f1
from magistrate.verdict import Outcome, Status

CONTEXT = "The mill has four floors. It grinds rye."
CASE = Case(
    answer="The mill has four floors. It grinds rye. It burned down.",
    contexts=(CONTEXT,),
    reference="The mill has four floors. It grinds rye. It is open on Sundays. It lies in Odra.",
)


class TestPrecision:
    def test_is_the_share_of_grounded_claims(self, rule_judge):
        result = GroundingPrecision().evaluate_sync(CASE, rule_judge())
        assert result.score == pytest.approx(2 / 3)

    @pytest.mark.parametrize(("probability", "score"), [(0.70, 1.0), (0.6999, 0.0), (0.95, 1.0)])
    def test_takes_a_probability_of_070_for_grounded(self, rule_judge, probability, score):
        result = GroundingPrecision().evaluate_sync(CASE, rule_judge(lambda *_: probability))
        assert result.score == score

    def test_equals_faithfulness_under_the_policy_vera(self, rule_judge):
        chances = iter([0.9, 0.69, 0.71, 0.9, 0.69, 0.71])
        judge = rule_judge(lambda *_: next(chances))
        ours = GroundingPrecision().evaluate_sync(CASE, judge)
        assert ours.score == Faithfulness(policy="vera").evaluate_sync(CASE, judge).score == pytest.approx(2 / 3)

    def test_a_claim_without_verdict_leaves_bounds(self, rule_judge):
        judge = rule_judge(lambda statement, _: None if "burned" in statement else "supported")
        result = GroundingPrecision().evaluate_sync(CASE, judge)
        assert (result.status, result.score, result.bounds) == (Status.PARTIAL, None, (2 / 3, 1.0))


class TestRecall:
    def test_counts_reference_claims_that_grounded_claims_entail(self, rule_judge):
        result = GroundingRecall().evaluate_sync(CASE, rule_judge())
        assert result.score == 0.5

    def test_what_is_not_grounded_does_not_count(self, rule_judge):
        guessing = CASE.model_copy(update={"answer": "It lies in Odra. It is open on Sundays."})
        result = GroundingRecall().evaluate_sync(guessing, rule_judge())
        assert (result.score, result.status) == (0.0, Status.SCORED)

    def test_an_unknown_claim_may_still_be_grounded(self, rule_judge):
        def verdict(statement, text):
            if statement == "It burned down." and "four floors" in text:
                return None
            return "supported" if statement in text else "not_enough_info"

        result = GroundingRecall().evaluate_sync(CASE, rule_judge(verdict))
        assert (result.status, result.score, result.bounds) == (Status.PARTIAL, None, (0.5, 1.0))


class TestF1:
    def test_is_the_harmonic_mean_of_both(self, rule_judge):
        result = GroundingF1().evaluate_sync(CASE, rule_judge())
        assert result.score == pytest.approx(2 * (2 / 3) * 0.5 / (2 / 3 + 0.5))
        assert (result.details["precision"], result.details["recall"]) == (pytest.approx(2 / 3), 0.5)

    def test_agrees_with_the_figures_of_vera(self):
        assert round(f1(0.92, 0.84), 2) == 0.88

    def test_is_zero_where_nothing_is_grounded(self, rule_judge):
        result = GroundingF1().evaluate_sync(CASE, rule_judge(lambda *_: "not_enough_info"))
        assert (result.score, result.outcome) == (0.0, Outcome.FAIL)

    @given(st.floats(0, 1), st.floats(0, 1))
    def test_lies_between_its_parts(self, precision, recall):
        assert 0.0 <= f1(precision, recall) <= max(precision, recall) + 1e-12


@pytest.mark.parametrize("metric", [GroundingPrecision(), GroundingRecall(), GroundingF1()])
def test_a_judge_that_fails_gives_its_status(rule_judge, metric):
    result = metric.evaluate_sync(CASE, rule_judge(lambda *_: Status.REFUSED))
    assert (result.status, result.score) == (Status.REFUSED, None)
