from dataclasses import replace

import pytest

from magistrate.metrics.base import MetricResult, rescore
from magistrate.records import Usage
from magistrate.verdict import Evidence, Issue, IssueCode, Outcome, StatementVerdict, Status, Verdict


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


S, P, C, N, U = (
    Verdict.SUPPORTED,
    Verdict.PARTIALLY_SUPPORTED,
    Verdict.CONTRADICTED,
    Verdict.NOT_ENOUGH_INFO,
    Verdict.UNSUPPORTED,
)


class TestToDeepEval:
    def test_has_exactly_the_fields_of_deepeval(self):
        found = result(
            S,
            S,
            S,
            C,
            policy="deepeval",
            details={"truths": [["T1.", "T2."], [], ["T3."]], "truths_extraction_limit": 2},
        )
        assert found.to_deepeval() == {
            "metric": "Faithfulness",
            "score": 0.75,
            "success": True,
            "threshold": 0.5,
            "reason": "because",
            "latency_ms": 13,
            "metadata": {
                "truths": ["T1.", "T2.", "T3."],
                "claims": ["Claim 1.", "Claim 2.", "Claim 3.", "Claim 4."],
                "verdicts": [
                    {"verdict": "yes", "reason": None},
                    {"verdict": "yes", "reason": None},
                    {"verdict": "yes", "reason": None},
                    {"verdict": "no", "reason": None},
                ],
                "truths_extraction_limit": 2,
            },
        }

    def test_speaks_deepevals_words(self):
        exported = result(S, P, C, N, U, None, status=Status.PARTIAL).to_deepeval()
        words = [verdict["verdict"] for verdict in exported["metadata"]["verdicts"]]
        assert words == ["yes", "idk", "no", "idk", "no", None]

    def test_keeps_the_judges_reasons(self):
        found = replace(result(C), verdicts=(entry(0, C, reason="The lid is tin."),))
        assert found.to_deepeval()["metadata"]["verdicts"] == [{"verdict": "no", "reason": "The lid is tin."}]

    def test_lists_no_truths_where_none_were_extracted(self):
        for details in ({}, {"truths": None}):
            metadata = result(S, details=details).to_deepeval()["metadata"]
            assert (metadata["truths"], metadata["truths_extraction_limit"]) == ([], None)

    def test_no_score_is_no_success(self):
        exported = result(S, None, status=Status.PARTIAL, threshold=0.0).to_deepeval()
        assert (exported["score"], exported["success"]) == (None, False)

    def test_succeeds_where_deepeval_does_though_the_outcome_is_inconclusive(self):
        found = result(status=Status.VACUOUS, policy="deepeval")
        assert found.outcome is Outcome.INCONCLUSIVE
        assert (found.to_deepeval()["score"], found.to_deepeval()["success"]) == (1.0, True)

    def test_the_flag_has_no_tolerance(self):
        found = result(S, S, S, C, threshold=0.75 + 1e-10)
        assert found.outcome is Outcome.PASS
        assert found.to_deepeval()["success"] is False
        assert result(S, S, S, C, threshold=0.75).to_deepeval()["success"] is True

    def test_names_other_metrics_in_title_case(self):
        assert result(S, metric="answer_relevance").to_deepeval()["metric"] == "Answer Relevance"

    def test_less_is_better_where_the_metric_says_so(self):
        rate = result(S, metric="hallucination", direction="minimize")
        assert replace(rate, score=0.2, threshold=0.2).to_deepeval()["success"] is True
        assert replace(rate, score=0.3, threshold=0.2).to_deepeval()["success"] is False
        assert replace(rate, score=0.75 + 2.0**-53, threshold=0.75).to_promptfoo()["pass"] is True

    def test_the_number_of_a_graded_metric_is_compared_as_it_is(self):
        graded = replace(result(), policy="deepeval-4", threshold=0.5, score=0.4)
        assert graded.to_deepeval()["success"] is False
        assert replace(graded, score=0.6).to_deepeval()["success"] is True


class TestToRagaliq:
    def test_has_exactly_the_fields_of_ragaliq(self):
        assert result(S, N, policy="ragaliq").to_ragaliq() == {
            "evaluator_name": "faithfulness",
            "score": 0.5,
            "passed": False,
            "reasoning": "because",
            "raw_response": {
                "claims": [
                    {"claim": "Claim 1.", "verdict": "SUPPORTED", "evidence": ""},
                    {"claim": "Claim 2.", "verdict": "NOT_ENOUGH_INFO", "evidence": ""},
                ],
                "total_claims": 2,
                "supported_claims": 1,
            },
            "tokens_used": 150,
        }

    def test_speaks_ragaliqs_words(self):
        exported = result(S, P, C, N, U, None, status=Status.PARTIAL).to_ragaliq()
        words = [claim["verdict"] for claim in exported["raw_response"]["claims"]]
        assert words == ["SUPPORTED", "PARTIALLY_SUPPORTED", "CONTRADICTED", "NOT_ENOUGH_INFO", "NOT_ENOUGH_INFO", None]

    def test_evidence_is_the_quotes_or_else_the_reason(self):
        quoted = entry(0, S, reason="It says so.", evidence=(Evidence("opens at 10"), Evidence("on Sundays")))
        reasoned = entry(1, S, reason="It says so.")
        claims = replace(result(S, S), verdicts=(quoted, reasoned)).to_ragaliq()["raw_response"]["claims"]
        assert [claim["evidence"] for claim in claims] == ["opens at 10 … on Sundays", "It says so."]

    def test_no_reason_is_an_empty_text(self):
        assert result(S, reason=None).to_ragaliq()["reasoning"] == ""

    def test_no_score_is_an_error_that_says_why(self):
        exported = result(S, None, status=Status.PARTIAL, policy="ragaliq", threshold=0.0).to_ragaliq()
        assert (exported["score"], exported["passed"]) == (0.0, False)
        assert exported["error"] == "partial: supported 1 of 2; s2 without verdict: missing-verdict"

    def test_the_error_quotes_what_is_known_of_the_failure(self):
        failed = result(None, status=Status.JUDGE_ERROR, issues=(Issue(IssueCode.JUDGE_ERROR, "timed out"),))
        assert failed.to_ragaliq()["error"] == "judge_error: the call to the judge failed (timed out)"

    def test_the_flag_has_no_tolerance(self):
        for policy in ("ragaliq", "strict"):
            assert result(S, S, S, C, policy=policy, threshold=0.75).to_ragaliq()["passed"] is True
            assert result(S, S, S, C, policy=policy, threshold=0.75 + 1e-10).to_ragaliq()["passed"] is False

    def test_unknown_tokens_count_nothing(self):
        usage = Usage(calls=1, prompt_tokens=None, completion_tokens=30)
        assert result(S, usage=usage).to_ragaliq()["tokens_used"] == 30
        usage = Usage(calls=1, prompt_tokens=30, completion_tokens=None)
        assert result(S, usage=usage).to_ragaliq()["tokens_used"] == 30

    def test_released_ragaliq_fails_an_answer_without_claims_at_any_threshold(self):
        assert result(status=Status.VACUOUS, policy="ragaliq-0.2", threshold=0.0).to_ragaliq()["passed"] is False
        assert result(status=Status.VACUOUS, policy="ragaliq", threshold=1.0).to_ragaliq()["passed"] is True

    def test_a_number_set_by_another_frameworks_policy_does_not_pass(self):
        assert result(status=Status.VACUOUS, policy="deepeval").to_ragaliq()["passed"] is False


class TestToPromptfoo:
    def test_has_exactly_the_fields_of_promptfoo(self):
        assert result(S, S, S, C, policy="promptfoo").to_promptfoo() == {
            "pass": True,
            "score": 0.75,
            "reason": "Faithfulness 0.75 is >= 0.7",
            "tokensUsed": {"total": 150, "prompt": 120, "completion": 30, "numRequests": 2},
        }

    def test_says_when_it_is_below(self):
        assert result(S, C, policy="promptfoo").to_promptfoo()["reason"] == "Faithfulness 0.50 is < 0.7"

    @pytest.mark.parametrize(
        ("threshold", "written"), [(1.0, "1"), (0.0, "0"), (0.25, "0.25"), (0.00005, "0.00005"), (1e-7, "1e-7")]
    )
    def test_writes_the_threshold_as_javascript_does(self, threshold, written):
        reason = result(S, threshold=threshold).to_promptfoo()["reason"]
        assert reason == f"Faithfulness 1.00 is >= {written}"

    @pytest.mark.parametrize(
        ("score", "written"),
        [(0.125, "0.13"), (0.375, "0.38"), (2 / 3, "0.67"), (1.0, "1.00"), (0.005, "0.01"), (1.005 - 1, "0.00")],
    )
    def test_rounds_a_half_up_as_javascript_does(self, score, written):
        assert f" {written} " in replace(result(S), score=score).to_promptfoo()["reason"]

    @pytest.mark.parametrize("policy", ["promptfoo", "promptfoo-0.123", "strict", "deepeval"])
    @pytest.mark.parametrize(
        ("verdicts", "status", "reason"),
        [
            ((), Status.VACUOUS, "No statements generated for faithfulness calculation"),
            ((), Status.NO_ANSWER, "No statements generated for faithfulness calculation"),
            ((None, None), Status.REFUSED, "LLM refused to provide faithfulness verdicts"),
            ((None, None), Status.UNPARSEABLE, "No faithfulness verdicts provided"),
            ((None, None), Status.TRUNCATED, "No faithfulness verdicts provided"),
            ((None, None), Status.OUT_OF_RANGE, "Faithfulness calculation error"),
            ((None,), Status.JUDGE_ERROR, "judge_error: the call to the judge failed"),
            ((), Status.NO_CONTEXT, "no_context: no context to judge against"),
        ],
    )
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

    def test_passes_up_to_an_epsilon_below_the_threshold(self):
        for policy in ("promptfoo", "strict"):
            assert result(S, S, S, C, policy=policy, threshold=0.75 + 2.0**-53).to_promptfoo()["pass"] is True
            assert result(S, S, S, C, policy=policy, threshold=0.75 + 2.0**-51).to_promptfoo()["pass"] is False

    def test_a_partial_result_without_score_fails_and_says_what_is_missing(self):
        exported = result(S, None, status=Status.PARTIAL, threshold=0.0).to_promptfoo()
        assert (exported["pass"], exported["score"]) == (False, 0.0)
        assert exported["reason"] == "partial: supported 1 of 2; s2 without verdict: missing-verdict"

    def test_names_the_metric(self):
        assert result(S, metric="context_relevance").to_promptfoo()["reason"].startswith("Context relevance 1.00 ")

    def test_unknown_tokens_count_nothing(self):
        exported = result(S, usage=Usage(calls=1, prompt_tokens=None, completion_tokens=None)).to_promptfoo()
        assert exported["tokensUsed"] == {"total": 0, "prompt": 0, "completion": 0, "numRequests": 1}

    def test_a_policy_of_the_users_own_is_compared_by_the_frameworks_rule(self):
        assert replace(result(S), policy="promptfoo-mine").to_promptfoo()["pass"] is True
        assert replace(result(S), policy="promptfoo-mine", score=0.1).to_promptfoo()["pass"] is False
