"""What every metric is, and the reasons it gives."""

from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.metrics.base import compose_reason, decide
from magistrate.verdict import Issue, IssueCode, Outcome, StatementVerdict, Status, Verdict

cases = cases_of(__file__)

scores = st.floats(0.0, 1.0)


class TestDecide:
    @cases("base: a scored result passes from the threshold on")
    def test_a_scored_result_passes_from_the_threshold_on(self, score, threshold, outcome):
        assert decide(Status.SCORED, score, (1.0, 1.0), threshold) == outcome

    def test_c9_a_rounding_error_below_the_threshold_passes(self):
        score = 0.1 + 0.7
        assert score < 0.8
        assert decide(Status.SCORED, score, None, 0.8) is Outcome.PASS
        assert decide(Status.SCORED, 0.7 - 1e-8, None, 0.7) is Outcome.FAIL

    @cases("base: a partial result is decided by its bounds whatever score a policy gives it")
    def test_a_partial_result_is_decided_by_its_bounds_whatever_score_a_policy_gives_it(self, bounds, outcome):
        assert {decide(Status.PARTIAL, score, bounds, 0.7) for score in (None, 0.0, 1.0)} == {outcome}

    @given(st.sampled_from(sorted(set(Status) - {Status.SCORED, Status.PARTIAL})), st.none() | scores, scores)
    def test_no_other_status_passes_or_fails(self, status, score, threshold):
        bounds = None if score is None else (score, score)
        assert decide(status, score, bounds, threshold) is Outcome.INCONCLUSIVE

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


S, P, C, N, U = Verdict
TIMED_OUT = Issue(IssueCode.JUDGE_ERROR, "timed out\nafter 30 s")
LEFT_OUT = Issue(IssueCode.SENTENCE_WITHOUT_STATEMENT, "1 of 3 sentences of the answer have no statement")


def composed(status, *said, issues=()):
    """What is composed of verdicts, each with a reason where it is a pair, or without where it is a tuple of codes."""
    verdicts = []
    for index, one in enumerate(said):
        verdict, reason = one if isinstance(one, tuple) else (one, None)
        codes = reason if verdict is None else ()
        verdicts.append(
            StatementVerdict(
                index=index,
                id=f"s{index + 1}",
                statement="The ferry is free.",
                verdict=verdict,
                reason=None if verdict is None else reason,
                issues=tuple(map(Issue, codes)),
            )
        )
    return compose_reason(status, verdicts, issues)


class TestComposeReason:
    def test_a_long_reason_is_cut(self):
        for length in (200, 201, 1_000_000):
            shown = composed(Status.SCORED, (C, "x" * length)).partition("contradicted: ")[2]
            assert (len(shown), shown.endswith("…")) == (200, length > 200)

    def test_every_status_without_verdicts_has_words_of_its_own(self):
        words = {composed(status, S) for status in set(Status) - {Status.SCORED, Status.PARTIAL}}
        assert len(words) == len(Status) - 2
        assert all(words)

    def test_quotes_the_first_message_where_there_is_no_verdict_and_what_was_not_judged_where_there_is(self):
        assert "timed out after 30 s" in composed(
            Status.JUDGE_ERROR, issues=[Issue(IssueCode.REPAIRED_JSON), TIMED_OUT]
        )
        assert composed(Status.SCORED, S, issues=[TIMED_OUT]) == "supported 1 of 1"
        assert LEFT_OUT.message in composed(Status.SCORED, S, issues=[LEFT_OUT])
