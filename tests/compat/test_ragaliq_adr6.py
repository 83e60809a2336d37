"""The 21 behaviours that RagaliQ's design record lists for its FaithfulnessEvaluator (S0.10), in its six groups.

The evaluator asks about one claim a call and scores supported / claims; `policy="ragaliq"` is that record's convention.
"""

from __future__ import annotations

from typing import Any

import pytest

from magistrate.case import Case
from magistrate.metrics.base import MetricResult
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.verdict import IssueCode, Status

CONTEXT = "The observatory stands at 2,400 m. Its mirror measures 3.6 m. It opened in 1998."
CASE = Case(query="Where is the observatory?", response="It stands at 2,400 m and opened in 1998.", context=[CONTEXT])
HEIGHT, YEAR, MIRROR, COST = (
    "The observatory stands at 2,400 m.",
    "The observatory opened in 1998.",
    "Its mirror measures 4 m.",
    "It cost 20 million.",
)


def evaluator(threshold: float | None = None) -> Faithfulness:
    return Faithfulness(threshold=threshold, policy="ragaliq", batch_size=1)


@pytest.fixture
def evaluate(scripted_judge: Any) -> Any:
    """Evaluate an answer whose claims get these verdicts."""

    async def _evaluate(verdicts: dict[str, Any], threshold: float | None = None, case: Case = CASE) -> MetricResult:
        return await evaluator(threshold).evaluate(case, scripted_judge(verdicts, claims=tuple(verdicts)))

    return _evaluate


class TestAttributes:
    def test_s0_10_01_name(self) -> None:
        assert evaluator().name == "faithfulness"

    def test_s0_10_02_description(self) -> None:
        assert "supported by the contexts" in evaluator().description

    def test_s0_10_03_default_threshold(self) -> None:
        assert evaluator().threshold == 0.7

    def test_s0_10_04_custom_threshold(self) -> None:
        assert evaluator(0.9).threshold == 0.9

    def test_s0_10_05_repr(self) -> None:
        assert repr(evaluator(0.9)) == "Faithfulness(threshold=0.9, policy='ragaliq-adr6', batch_size=1)"


class TestAcceptanceCriteria:
    async def test_s0_10_06_all_claims_supported(self, evaluate: Any) -> None:
        result = await evaluate({HEIGHT: "supported", YEAR: "supported"})
        assert (result.score, result.to_ragaliq()["passed"]) == (1.0, True)

    async def test_s0_10_07_half_supported(self, evaluate: Any) -> None:
        result = await evaluate({HEIGHT: "supported", COST: "not_enough_info"})
        assert (result.score, result.to_ragaliq()["passed"]) == (0.5, False)

    async def test_s0_10_08_no_claims(self, evaluate: Any) -> None:
        result = await evaluate({})
        assert (result.score, result.status, result.to_ragaliq()["passed"]) == (1.0, Status.VACUOUS, True)

    async def test_s0_10_09_all_unsupported(self, evaluate: Any) -> None:
        result = await evaluate({MIRROR: "contradicted", COST: "not_enough_info"})
        assert (result.score, result.to_ragaliq()["passed"]) == (0.0, False)


class TestVerdictHandling:
    async def test_s0_10_10_contradicted_counts_nothing(self, evaluate: Any) -> None:
        assert (await evaluate({MIRROR: "contradicted"})).score == 0.0

    async def test_s0_10_11_not_enough_info_counts_nothing(self, evaluate: Any) -> None:
        assert (await evaluate({COST: "not_enough_info"})).score == 0.0

    async def test_s0_10_12_mixed_verdicts(self, evaluate: Any) -> None:
        verdicts = {HEIGHT: "supported", YEAR: "supported", MIRROR: "contradicted", COST: "not_enough_info"}
        assert (await evaluate(verdicts)).score == 0.5


class TestMetadata:
    async def test_s0_10_13_claim_details(self, evaluate: Any) -> None:
        result = await evaluate({HEIGHT: ("supported", "It says 2,400 m."), MIRROR: ("contradicted", "It says 3.6 m.")})
        assert result.to_ragaliq()["raw_response"]["claims"] == [
            {"claim": HEIGHT, "verdict": "SUPPORTED", "evidence": "It says 2,400 m."},
            {"claim": MIRROR, "verdict": "CONTRADICTED", "evidence": "It says 3.6 m."},
        ]

    async def test_s0_10_14_summary(self, evaluate: Any) -> None:
        raw = (await evaluate({HEIGHT: "supported", MIRROR: "contradicted"})).to_ragaliq()["raw_response"]
        assert (raw["total_claims"], raw["supported_claims"]) == (2, 1)


class TestResultStructure:
    async def test_s0_10_15_result(self, evaluate: Any) -> None:
        result = await evaluate({HEIGHT: "supported"})
        assert isinstance(result, MetricResult)
        assert set(result.to_ragaliq()) == {
            "evaluator_name",
            "score",
            "passed",
            "reasoning",
            "raw_response",
            "tokens_used",
        }

    async def test_s0_10_16_evaluator_name(self, evaluate: Any) -> None:
        assert (await evaluate({HEIGHT: "supported"})).to_ragaliq()["evaluator_name"] == "faithfulness"

    async def test_s0_10_17_reasoning(self, evaluate: Any) -> None:
        reasoning = (await evaluate({HEIGHT: "supported", MIRROR: "contradicted"})).to_ragaliq()["reasoning"]
        assert reasoning == "supported 1 of 2; s2 contradicted"


class TestEdgeCases:
    async def test_s0_10_18_single_claim(self, evaluate: Any) -> None:
        assert (await evaluate({HEIGHT: "supported"})).score == 1.0

    async def test_s0_10_19_precision_with_many_claims(self, evaluate: Any) -> None:
        verdicts = {f"Claim {i}.": "supported" if i % 3 else "contradicted" for i in range(100)}
        assert (await evaluate(verdicts)).score == 0.66

    async def test_s0_10_20_a_score_below_the_threshold_fails(self, evaluate: Any) -> None:
        verdicts = {HEIGHT: "supported", YEAR: "supported", "It is open.": "supported", COST: "not_enough_info"}
        result = await evaluate(verdicts, 0.8)
        assert (result.score, result.to_ragaliq()["passed"]) == (0.75, False)

    async def test_s0_10_21_a_score_at_the_threshold_passes(self, evaluate: Any) -> None:
        verdicts = {HEIGHT: "supported", COST: "not_enough_info"}
        assert (await evaluate(verdicts, 0.5)).to_ragaliq()["passed"] is True


class TestRestOfTheRecord:
    async def test_s0_3_one_call_per_claim(self, scripted_judge: Any) -> None:
        judge = scripted_judge(claims=(HEIGHT, YEAR, MIRROR))
        await evaluator().evaluate(CASE, judge)
        assert judge.batches() == [(HEIGHT,), (YEAR,), (MIRROR,)]

    async def test_s0_5_the_judge_is_injected_and_never_made(self, scripted_judge: Any) -> None:
        metric = evaluator()
        for name in ("one", "two"):
            judge = scripted_judge(claims=(HEIGHT,))
            judge.name = name
            assert (await metric.evaluate(CASE, judge)).judge == name

    @pytest.mark.parametrize("response", ["", "   \n"])
    async def test_s0_9_an_empty_or_blank_response_scores_1_without_a_call(self, evaluate: Any, response: str) -> None:
        result = await evaluate({HEIGHT: "supported"}, case=CASE.model_copy(update={"answer": response}))
        assert (result.score, result.status, result.usage.calls) == (1.0, Status.NO_ANSWER, 0)

    async def test_s0_9_empty_context_scores_0(self, evaluate: Any) -> None:
        result = await evaluate({HEIGHT: "supported"}, case=CASE.model_copy(update={"contexts": ()}))
        assert (result.score, result.to_ragaliq()["passed"]) == (0.0, False)

    async def test_s0_9_an_invalid_verdict_is_an_error(self, scripted_judge: Any) -> None:
        judge = scripted_judge({YEAR: None}, claims=(HEIGHT, YEAR))
        result = await evaluator(0.0).evaluate(CASE, judge)
        assert (result.score, result.verdicts[1].issues[0].code) == (None, IssueCode.MISSING_VERDICT)
        exported = result.to_ragaliq()
        assert exported["passed"] is False
        assert "s2 without verdict" in exported["error"]

    async def test_s0_11_many_claims_are_verified_at_the_same_time(self, scripted_judge: Any) -> None:
        judge = scripted_judge(claims=[f"Claim {i}." for i in range(120)])
        assert (await evaluator().evaluate(CASE, judge)).score == 1.0
        assert judge.most_at_once == 120
