import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.metrics.base import Metric, MetricResult, decide
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.verdict import Outcome, Status

scores = st.floats(0.0, 1.0)


class TestDecide:
    @pytest.mark.parametrize(
        ("score", "threshold", "outcome"),
        [
            (0.7, 0.7, Outcome.PASS),
            (1.0, 0.7, Outcome.PASS),
            (0.0, 0.0, Outcome.PASS),
            (0.69, 0.7, Outcome.FAIL),
            (0.0, 0.7, Outcome.FAIL),
        ],
    )
    def test_a_scored_result_passes_from_the_threshold_on(self, score, threshold, outcome):
        assert decide(Status.SCORED, score, (score, score), threshold) is outcome

    def test_s0_7_a_score_of_0_75_fails_a_threshold_of_0_8(self):
        assert decide(Status.SCORED, 0.75, (0.75, 0.75), 0.8) is Outcome.FAIL

    def test_c9_a_rounding_error_below_the_threshold_passes(self):
        score = 0.1 + 0.7
        assert score < 0.8
        assert decide(Status.SCORED, score, None, 0.8) is Outcome.PASS
        assert decide(Status.SCORED, 0.7 - 1e-8, None, 0.7) is Outcome.FAIL

    @pytest.mark.parametrize(
        ("bounds", "outcome"),
        [
            ((0.7, 0.9), Outcome.PASS),
            ((0.6, 0.9), Outcome.INCONCLUSIVE),
            ((0.6, 0.7), Outcome.INCONCLUSIVE),
            ((0.1, 0.69), Outcome.FAIL),
            (None, Outcome.INCONCLUSIVE),
        ],
    )
    def test_a_partial_result_is_decided_by_its_bounds(self, bounds, outcome):
        assert decide(Status.PARTIAL, None, bounds, 0.7) is outcome

    @pytest.mark.parametrize("score", [1.0, 0.0, 0.5])
    def test_the_score_that_a_policy_gives_a_partial_result_does_not_decide(self, score):
        assert decide(Status.PARTIAL, score, (0.0, 1.0), 0.7) is Outcome.INCONCLUSIVE

    @given(st.sampled_from(sorted(set(Status) - {Status.SCORED, Status.PARTIAL})), st.none() | scores, scores)
    def test_no_other_status_passes_or_fails(self, status, score, threshold):
        bounds = None if score is None else (score, score)
        assert decide(status, score, bounds, threshold) is Outcome.INCONCLUSIVE

    def test_scored_without_a_score_is_inconclusive(self):
        assert decide(Status.SCORED, None, (1.0, 1.0), 0.7) is Outcome.INCONCLUSIVE

    def test_c6_less_is_better_where_the_metric_says_so(self):
        assert decide(Status.SCORED, 0.05, None, 0.1, direction="minimize") is Outcome.PASS
        assert decide(Status.SCORED, 0.1 + 1e-10, None, 0.1, direction="minimize") is Outcome.PASS
        assert decide(Status.SCORED, 0.2, None, 0.1, direction="minimize") is Outcome.FAIL
        assert decide(Status.PARTIAL, None, (0.05, 0.2), 0.1, direction="minimize") is Outcome.INCONCLUSIVE
        assert decide(Status.PARTIAL, None, (0.2, 0.3), 0.1, direction="minimize") is Outcome.FAIL
        assert decide(Status.PARTIAL, None, (0.0, 0.1), 0.1, direction="minimize") is Outcome.PASS

    @given(scores, scores, scores, scores)
    def test_i2_a_partial_result_passes_only_if_every_possible_score_does(self, one, other, threshold, share):
        lower, upper = sorted((one, other))
        possible = min(upper, max(lower, lower + share * (upper - lower)))
        outcome = decide(Status.PARTIAL, None, (lower, upper), threshold)
        if outcome is not Outcome.INCONCLUSIVE:
            assert decide(Status.SCORED, possible, None, threshold) is outcome

    def test_nan_never_passes(self):
        assert decide(Status.SCORED, math.nan, None, 0.0) is not Outcome.PASS


class TestMetric:
    def test_faithfulness_is_a_metric(self):
        assert isinstance(Faithfulness(), Metric)

    def test_a_result_cannot_be_changed(self):
        result = MetricResult(
            metric="m", policy="strict", status=Status.NOT_RUN, threshold=0.7, outcome=Outcome.INCONCLUSIVE
        )
        with pytest.raises(AttributeError):
            result.score = 1.0
