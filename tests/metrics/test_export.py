from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.case import Case
from magistrate.errors import ConfigurationError
from magistrate.metrics.base import MetricResult, check_threshold, rescore
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.records import Usage
from magistrate.scoring import POLICIES
from magistrate.sync import run_sync
from magistrate.verdict import Evidence, Issue, IssueCode, Outcome, StatementVerdict, Status, Verdict

cases = cases_of(__file__)


def entry(index, verdict, **fields):
    issues = () if verdict else (Issue(IssueCode.MISSING_VERDICT),)
    return StatementVerdict(
        index=index, id=f"s{index + 1}", statement=f"Claim {index + 1}.", verdict=verdict, issues=issues, **fields
    )


def result(*verdicts, status=Status.SCORED, policy="strict", **fields):
    entries = tuple(entry(index, verdict) for index, verdict in enumerate(verdicts))
    bare = MetricResult(
        metric="faithfulness",
        policy="strict",
        status=status,
        threshold=0.7,
        outcome=Outcome.INCONCLUSIVE,
        statements=tuple(e.statement for e in entries),
        verdicts=entries,
        usage=Usage(calls=2, prompt_tokens=120, completion_tokens=30),
        latency_ms=12.6,
        reason="because",
    )
    return replace(rescore(bare, policy, fields.pop("threshold", None)), **fields)


S, P, C, N, U = Verdict


def test_each_framework_has_its_own_words():
    found = result(S, P, C, N, U, None, status=Status.PARTIAL)
    theirs = [verdict["verdict"] for verdict in found.to_deepeval()["metadata"]["verdicts"]]
    assert theirs == ["yes", "idk", "no", "idk", "no", None]
    theirs = [claim["verdict"] for claim in found.to_ragaliq()["raw_response"]["claims"]]
    assert theirs == ["SUPPORTED", "PARTIALLY_SUPPORTED", "CONTRADICTED", "NOT_ENOUGH_INFO", "NOT_ENOUGH_INFO", None]


def test_to_deep_eval_lists_no_truths_where_none_were_extracted():
    for details in ({}, {"truths": None}):
        metadata = result(S, details=details).to_deepeval()["metadata"]
        assert (metadata["truths"], metadata["truths_extraction_limit"]) == ([], None)


class TestToRagaliq:
    def test_evidence_is_the_quotes_or_else_the_reason(self):
        quoted = entry(0, S, reason="It says so.", evidence=(Evidence("opens at 10"), Evidence("on Sundays")))
        reasoned = entry(1, S, reason="It says so.")
        claims = replace(result(S, S), verdicts=(quoted, reasoned)).to_ragaliq()["raw_response"]["claims"]
        assert [claim["evidence"] for claim in claims] == ["opens at 10 … on Sundays", "It says so."]

    def test_no_reason_is_an_empty_text(self):
        assert result(S, reason=None).to_ragaliq()["reasoning"] == ""

    def test_the_error_quotes_what_is_known_of_the_failure(self):
        failed = result(None, status=Status.JUDGE_ERROR, issues=(Issue(IssueCode.JUDGE_ERROR, "timed out"),))
        assert failed.to_ragaliq()["error"] == "judge_error: the call to the judge failed (timed out)"


class TestToPromptfoo:
    @cases("export: writes the threshold as javascript does")
    def test_writes_the_threshold_as_javascript_does(self, threshold, written):
        reason = result(S, threshold=threshold).to_promptfoo()["reason"]
        assert reason == f"Faithfulness 1.00 is >= {written}"

    @cases("export: rounds a half up as javascript does")
    def test_rounds_a_half_up_as_javascript_does(self, score, written):
        assert f" {written} " in replace(result(S), score=score).to_promptfoo()["reason"]

    @pytest.mark.parametrize("policy", ["promptfoo", "promptfoo-0.123", "strict", "deepeval"])
    @cases("export: what failed fails at any threshold and says so")
    def test_what_failed_fails_at_any_threshold_and_says_so(self, policy, verdicts, status, reason):
        exported = result(*verdicts, status=status, policy=policy, threshold=0.0).to_promptfoo()
        assert (exported["pass"], exported["reason"]) == (False, reason)

    def test_scores_a_half_where_the_plan_does(self):
        assert result(None, status=Status.UNPARSEABLE, policy="promptfoo").to_promptfoo()["score"] == 0.5
        assert result(None, status=Status.UNPARSEABLE).to_promptfoo()["score"] == 0.0

    def test_verdicts_that_only_promptfoo_counts_are_counted(self):
        found = replace(result(None, None, status=Status.UNPARSEABLE), extra=(S, S, S))
        exported = rescore(found, "promptfoo").to_promptfoo()
        assert (exported["pass"], exported["reason"]) == (True, "Faithfulness 1.00 is >= 0.7")

    def test_a_partial_result_without_score_fails_and_says_what_is_missing(self):
        exported = result(S, None, status=Status.PARTIAL, threshold=0.0).to_promptfoo()
        assert (exported["pass"], exported["score"]) == (False, 0.0)
        assert exported["reason"] == "partial: supported 1 of 2; s2 without verdict: missing-verdict"


FLAG_OF = {"deepeval": "success", "ragaliq": "passed", "promptfoo": "pass"}


class TestEveryFramework:
    @cases("export: has its own flag by its own rule")
    def test_has_its_own_flag_by_its_own_rule(self, verdicts, framework, flag, made, changed):
        status = Status(changed.get("status", "scored"))
        words = [verdict and Verdict(verdict) for verdict in verdicts]
        rest = {"policy" if name == "policy_of_the_users" else name: value for name, value in changed.items()}
        found = replace(result(*words, status=status, **made), **{**rest, "status": status})
        assert getattr(found, f"to_{framework}")()[FLAG_OF[framework]] is flag

    def test_names_the_metric_in_its_way(self):
        found = result(S, metric="answer_relevance")
        assert found.to_deepeval()["metric"] == "Answer Relevance"
        assert found.to_promptfoo()["reason"].startswith("Answer relevance 1.00 ")

    @pytest.mark.parametrize(("prompt", "completion", "total"), [(None, 30, 30), (30, None, 30), (None, None, 0)])
    def test_unknown_tokens_count_nothing(self, prompt, completion, total):
        found = result(S, usage=Usage(calls=1, prompt_tokens=prompt, completion_tokens=completion))
        assert found.to_ragaliq()["tokens_used"] == found.to_promptfoo()["tokensUsed"]["total"] == total


CLAIMS = ["The museum opens at 10.", "Entry is free.", "Dogs are allowed.", "The cafe is on the roof."]
VERDICTS = {CLAIMS[1]: "contradicted", CLAIMS[2]: "not_enough_info"}
CASE = Case(question="When does it open?", answer="At 10, free, with dogs.", contexts=("Open from 10. Entry 5 EUR.",))


@pytest.fixture
async def judged(scripted_judge):
    return await Faithfulness().evaluate(CASE, scripted_judge(VERDICTS, claims=CLAIMS))


class TestRescore:
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

    def test_a_given_threshold_wins_and_is_kept_by_a_policy_without_one(self, judged):
        again = rescore(judged, threshold=0.4)
        assert (again.policy, again.threshold, again.outcome) == ("strict", 0.4, Outcome.PASS)
        assert rescore(again, "ragas").threshold == 0.4
        assert rescore(judged, "deepeval", 0.8).outcome is Outcome.FAIL

    def test_a_score_that_is_not_made_of_verdicts_stays(self, judged):
        graded = replace(judged, metric="relevance", verdicts=(), statements=(), score=0.6, bounds=(0.6, 0.6))
        again = rescore(graded, "deepeval")
        assert again == graded
        again = rescore(graded, "deepeval", 0.5)
        assert (again.score, again.policy, again.threshold, again.outcome) == (0.6, "strict", 0.5, Outcome.PASS)

    def test_a_partial_score_that_is_not_made_of_verdicts_is_decided_by_its_bounds(self, judged):
        graded = replace(judged, verdicts=(), statements=(), status=Status.PARTIAL, score=None, bounds=(0.6, 0.8))
        assert rescore(graded, threshold=0.5).outcome is Outcome.PASS
        assert rescore(graded, threshold=0.9).outcome is Outcome.FAIL

    def test_a_score_of_which_less_is_better_stays(self, judged):
        rate = replace(judged, metric="hallucination", direction="minimize", score=0.5, threshold=0.4)
        again = rescore(rate, "deepeval", 0.6)
        assert (again.score, again.policy, again.outcome) == (0.5, "strict", Outcome.PASS)
        assert rescore(rate, "deepeval").outcome is Outcome.FAIL


class TestCheckThreshold:
    @pytest.mark.parametrize("threshold", [0, 1, 0.0, 0.35, 1.0])
    def test_accepts_numbers_from_0_to_1(self, threshold):
        assert check_threshold(threshold) == threshold
        assert type(check_threshold(threshold)) is float

    @pytest.mark.parametrize("threshold", [-0.1, 1.1, 70, float("nan"), float("inf"), True, "0.7", None])
    def test_refuses_everything_else(self, threshold):
        with pytest.raises(ConfigurationError, match=r"^a threshold is a number from 0 to 1, not "):
            check_threshold(threshold)
