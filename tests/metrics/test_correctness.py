import pytest

from magistrate.case import Case
from magistrate.metrics import AnswerCorrectness
from magistrate.verdict import Status

CASE = Case(
    question="What of the kiln?",
    answer="The kiln is brick. It is hot.",
    reference="The kiln is brick. It fires clay. It is old. It is round.",
)


class TestTheMeasures:
    @pytest.mark.parametrize(("measure", "score"), [("precision", 0.5), ("recall", 0.25), ("f", 1 / 3)])
    def test_are_of_claims(self, rule_judge, measure, score):
        assert AnswerCorrectness(measure=measure).evaluate_sync(CASE, rule_judge()).score == pytest.approx(score)

    def test_beta_weighs_recall(self, rule_judge):
        result = AnswerCorrectness(beta=2).evaluate_sync(CASE, rule_judge())
        assert result.score == pytest.approx(5 * 0.5 * 0.25 / (4 * 0.5 + 0.25))

    def test_equal_answers_are_right(self, rule_judge):
        same = CASE.model_copy(update={"answer": CASE.reference})
        assert AnswerCorrectness().evaluate_sync(same, rule_judge()).score == 1.0

    def test_the_contexts_are_not_looked_at(self, rule_judge):
        judge = rule_judge()
        AnswerCorrectness().evaluate_sync(CASE.model_copy(update={"contexts": ("It is hot.",)}), judge)
        assert {asked[2] for asked in judge.asked if asked[0] == "verify"} == {(CASE.reference,), (CASE.answer,)}

    def test_statements_of_the_case_stand_for_the_answer(self, rule_judge):
        given = Case(statements=("The kiln is brick.", "It is hot."), reference=CASE.reference)
        assert AnswerCorrectness().evaluate_sync(given, rule_judge()).score == pytest.approx(1 / 3)

    def test_a_missing_verdict_leaves_bounds(self, rule_judge):
        judge = rule_judge(lambda s, text: None if s == "It is hot." else "supported" if s in text else "contradicted")
        result = AnswerCorrectness().evaluate_sync(CASE, judge)
        assert (result.status, result.score) == (Status.PARTIAL, None)
        assert result.bounds == (pytest.approx(1 / 3), pytest.approx(0.4))
