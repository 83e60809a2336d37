from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.case import Case
from magistrate.errors import ConfigurationError
from magistrate.metrics.base import MetricResult, check_threshold, rescore
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.scoring import POLICIES
from magistrate.sync import run_sync
from magistrate.verdict import Outcome, Status, Verdict

CLAIMS = ["The museum opens at 10.", "Entry is free.", "Dogs are allowed.", "The cafe is on the roof."]
VERDICTS = {CLAIMS[1]: "contradicted", CLAIMS[2]: "not_enough_info"}
CASE = Case(question="When does it open?", answer="At 10, free, with dogs.", contexts=("Open from 10. Entry 5 EUR.",))


@pytest.fixture
async def result(scripted_judge):
    return await Faithfulness().evaluate(CASE, scripted_judge(VERDICTS, claims=CLAIMS))


class TestRescore:
    def test_reads_the_same_verdicts_under_another_policy(self, result):
        again = rescore(result, "deepeval")
        assert (result.policy, result.score, result.threshold, result.outcome) == ("strict", 0.5, 0.7, Outcome.FAIL)
        assert (again.policy, again.score, again.threshold, again.outcome) == ("deepeval-4", 0.75, 0.5, Outcome.PASS)

    def test_keeps_everything_else(self, result):
        again = rescore(result, "deepeval", 0.9)
        fields = {"policy", "score", "bounds", "threshold", "outcome"}
        for name in set(MetricResult.__slots__) - fields:
            assert getattr(again, name) == getattr(result, name)

    def test_i12_the_same_policy_gives_the_same_result(self, result):
        assert rescore(result) == result
        assert rescore(result, "strict", 0.7) == result

    @given(
        st.lists(st.sampled_from(["supported", "contradicted", "not_enough_info", None]), max_size=6),
        st.sampled_from(list(POLICIES)),
        st.sampled_from(list(POLICIES)),
    )
    def test_i12_going_through_another_policy_gives_what_evaluating_gives(self, scripted_judge, said, first, second):
        claims = [f"Claim {i}." for i in range(len(said))]

        def judged(policy):
            judge = scripted_judge(dict(zip(claims, said, strict=True)), claims=claims)
            return run_sync(Faithfulness(policy=policy).evaluate(CASE, judge))

        expected = judged(second)
        again = rescore(judged(first), second, expected.threshold)
        assert replace(again, latency_ms=0.0) == replace(expected, latency_ms=0.0)

    def test_a_given_threshold_wins(self, result):
        again = rescore(result, threshold=0.4)
        assert (again.policy, again.threshold, again.outcome) == ("strict", 0.4, Outcome.PASS)
        assert rescore(result, "deepeval", 0.8).outcome is Outcome.FAIL

    def test_a_policy_without_a_threshold_keeps_that_of_the_result(self, result):
        lenient = rescore(result, threshold=0.2)
        assert rescore(lenient, "ragas").threshold == 0.2

    def test_extra_verdicts_count_where_the_policy_counts_them(self, result):
        with_extra = replace(result, extra=(Verdict.CONTRADICTED,) * 4)
        assert rescore(with_extra, "ragas").score == 0.25
        assert rescore(with_extra, "strict").score == 0.5

    def test_a_result_without_verdicts_gets_what_the_policy_says(self, result):
        vacuous = replace(result, status=Status.VACUOUS, verdicts=(), statements=(), score=None, bounds=None)
        again = rescore(vacuous, "ragaliq")
        assert (again.score, again.outcome) == (1.0, Outcome.INCONCLUSIVE)

    def test_a_score_that_is_not_made_of_verdicts_stays(self, result):
        graded = replace(result, metric="relevance", verdicts=(), statements=(), score=0.6, bounds=(0.6, 0.6))
        again = rescore(graded, "deepeval")
        assert again == graded
        again = rescore(graded, "deepeval", 0.5)
        assert (again.score, again.policy, again.threshold, again.outcome) == (0.6, "strict", 0.5, Outcome.PASS)

    def test_a_partial_score_that_is_not_made_of_verdicts_is_decided_by_its_bounds(self, result):
        graded = replace(result, verdicts=(), statements=(), status=Status.PARTIAL, score=None, bounds=(0.6, 0.8))
        assert rescore(graded, threshold=0.5).outcome is Outcome.PASS
        assert rescore(graded, threshold=0.9).outcome is Outcome.FAIL

    def test_a_score_of_which_less_is_better_stays(self, result):
        rate = replace(result, metric="hallucination", direction="minimize", score=0.5, threshold=0.4)
        again = rescore(rate, "deepeval", 0.6)
        assert (again.score, again.policy, again.outcome) == (0.5, "strict", Outcome.PASS)
        assert rescore(rate, "deepeval").outcome is Outcome.FAIL

    def test_an_unknown_policy_fails(self, result):
        with pytest.raises(ConfigurationError, match="deepeval"):
            rescore(result, "deepval")


class TestCheckThreshold:
    @pytest.mark.parametrize("threshold", [0, 1, 0.0, 0.35, 1.0])
    def test_accepts_numbers_from_0_to_1(self, threshold):
        assert check_threshold(threshold) == threshold
        assert type(check_threshold(threshold)) is float

    @pytest.mark.parametrize("threshold", [-0.1, 1.1, 70, float("nan"), float("inf"), True, "0.7", None])
    def test_refuses_everything_else(self, threshold):
        with pytest.raises(ConfigurationError, match=r"^a threshold is a number from 0 to 1, not "):
            check_threshold(threshold)
