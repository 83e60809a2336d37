import pytest

from magistrate.case import Case
from magistrate.judges.offline import OfflineJudge
from magistrate.metrics import Faithfulness, Hallucination
from magistrate.verdict import Outcome, Status

CASE = Case(
    question="What does the ferry cost?",
    statements=("The ferry costs 4 crowns.", "It sails daily.", "It is blue.", "Dogs pay half."),
    contexts=("a text",),
)
SAID = {
    "The ferry costs 4 crowns.": "supported",
    "It sails daily.": "contradicted",
    "It is blue.": "not_enough_info",
    "Dogs pay half.": "supported",
}


def by(said):
    return lambda statement, _: said[statement]


class TestUnsupportedRate:
    def test_is_one_minus_faithfulness(self, rule_judge):
        judge = rule_judge(by(SAID))
        rate = Hallucination().evaluate_sync(CASE, judge)
        faithful = Faithfulness().evaluate_sync(CASE, judge)
        assert rate.score == 0.5 == 1 - faithful.score
        assert (rate.metric, rate.direction) == ("unsupported_rate", "minimize")

    @pytest.mark.parametrize(("threshold", "outcome"), [(0.5, Outcome.PASS), (0.49, Outcome.FAIL)])
    def test_passes_at_or_below_its_threshold(self, rule_judge, threshold, outcome):
        assert Hallucination(threshold=threshold).evaluate_sync(CASE, rule_judge(by(SAID))).outcome is outcome

    def test_missing_verdicts_leave_bounds_and_no_score(self, rule_judge):
        result = Hallucination().evaluate_sync(CASE, rule_judge(by({**SAID, "It is blue.": None})))
        assert (result.status, result.score, result.bounds) == (Status.PARTIAL, None, (0.25, 0.5))
        assert result.outcome is Outcome.FAIL


class TestContradictionRate:
    def test_counts_only_what_is_contradicted(self, rule_judge):
        result = Hallucination(rate="contradicted").evaluate_sync(CASE, rule_judge(by(SAID)))
        assert (result.metric, result.score) == ("contradiction_rate", 0.25)

    def test_takes_a_binary_no_for_unknown(self, rule_judge):
        said = {**SAID, "It sails daily.": "unsupported", "It is blue.": "supported"}
        result = Hallucination(rate="contradicted").evaluate_sync(CASE, rule_judge(by(said)))
        assert (result.status, result.score, result.bounds) == (Status.PARTIAL, None, (0.0, 0.25))

    def test_has_no_score_from_a_judge_that_never_contradicts(self):
        result = Hallucination(rate="contradicted").evaluate_sync(CASE, OfflineJudge())
        assert (result.status, result.score, result.outcome) == (Status.REFUSED, None, Outcome.INCONCLUSIVE)
        assert "never says contradicted" in result.reason


class TestRagaliqsDirection:
    def test_is_one_minus_the_rate_and_more_is_better(self, rule_judge):
        result = Hallucination(direction="maximize").evaluate_sync(CASE, rule_judge(by(SAID)))
        assert (result.score, result.threshold, result.direction) == (0.5, 0.8, "maximize")
        assert result.metric == "not_unsupported"
