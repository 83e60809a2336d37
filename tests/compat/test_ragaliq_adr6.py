"""The 21 behaviours that RagaliQ's design record lists for its FaithfulnessEvaluator (S0.10), in its six groups.

The evaluator asks about one claim a call and scores supported / claims; `policy="ragaliq"` is that record's convention.
"""

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


def evaluator(threshold=None):
    return Faithfulness(threshold=threshold, policy="ragaliq", batch_size=1)


@pytest.fixture
def evaluate(scripted_judge):
    """Evaluate an answer whose claims get these verdicts."""

    async def _evaluate(verdicts, threshold=None, case=CASE):
        return await evaluator(threshold).evaluate(case, scripted_judge(verdicts, claims=tuple(verdicts)))

    return _evaluate


def test_s0_10_01_to_05_attributes():
    assert (evaluator().name, evaluator().threshold, evaluator(0.9).threshold) == ("faithfulness", 0.7, 0.9)
    assert "supported by the contexts" in evaluator().description
    assert repr(evaluator(0.9)) == "Faithfulness(threshold=0.9, policy='ragaliq-adr6', batch_size=1)"


YES, NO, OPEN = "supported", "contradicted", "not_enough_info"
SCORES = {
    "06 all claims supported": ({HEIGHT: YES, YEAR: YES}, None, 1.0, True),
    "07 half supported": ({HEIGHT: YES, COST: OPEN}, None, 0.5, False),
    "08 no claims": ({}, None, 1.0, True),
    "09 all unsupported": ({MIRROR: NO, COST: OPEN}, None, 0.0, False),
    "10 contradicted counts nothing": ({MIRROR: NO}, None, 0.0, False),
    "11 not enough info counts nothing": ({COST: OPEN}, None, 0.0, False),
    "12 mixed verdicts": ({HEIGHT: YES, YEAR: YES, MIRROR: NO, COST: OPEN}, None, 0.5, False),
    "18 single claim": ({HEIGHT: YES}, None, 1.0, True),
    "19 precision with many claims": ({f"Claim {i}.": YES if i % 3 else NO for i in range(100)}, None, 0.66, False),
    "20 below the threshold": ({HEIGHT: YES, COST: OPEN}, 0.51, 0.5, False),
    "21 at the threshold": ({HEIGHT: YES, COST: OPEN}, 0.5, 0.5, True),
}


@pytest.mark.parametrize("behaviour", SCORES)
async def test_s0_10_06_to_21_scores(evaluate, behaviour):
    verdicts, threshold, score, passed = SCORES[behaviour]
    result = await evaluate(verdicts, threshold)
    assert (result.score, result.to_ragaliq()["passed"]) == (score, passed)
    assert result.status is (Status.SCORED if verdicts else Status.VACUOUS)


class TestMetadata:
    async def test_s0_10_13_claim_details(self, evaluate):
        result = await evaluate({HEIGHT: ("supported", "It says 2,400 m."), MIRROR: ("contradicted", "It says 3.6 m.")})
        assert result.to_ragaliq()["raw_response"]["claims"] == [
            {"claim": HEIGHT, "verdict": "SUPPORTED", "evidence": "It says 2,400 m."},
            {"claim": MIRROR, "verdict": "CONTRADICTED", "evidence": "It says 3.6 m."},
        ]

    async def test_s0_10_14_summary(self, evaluate):
        raw = (await evaluate({HEIGHT: "supported", MIRROR: "contradicted"})).to_ragaliq()["raw_response"]
        assert (raw["total_claims"], raw["supported_claims"]) == (2, 1)


class TestResultStructure:
    async def test_s0_10_15_result(self, evaluate):
        result = await evaluate({HEIGHT: "supported"})
        assert isinstance(result, MetricResult)
        assert set(result.to_ragaliq()) == set(
            """
            evaluator_name score passed reasoning raw_response tokens_used
        """.split()
        )

    async def test_s0_10_16_evaluator_name(self, evaluate):
        assert (await evaluate({HEIGHT: "supported"})).to_ragaliq()["evaluator_name"] == "faithfulness"

    async def test_s0_10_17_reasoning(self, evaluate):
        reasoning = (await evaluate({HEIGHT: "supported", MIRROR: "contradicted"})).to_ragaliq()["reasoning"]
        assert reasoning == "supported 1 of 2; s2 contradicted"


class TestRestOfTheRecord:
    async def test_s0_3_one_call_per_claim(self, scripted_judge):
        judge = scripted_judge(claims=(HEIGHT, YEAR, MIRROR))
        await evaluator().evaluate(CASE, judge)
        assert judge.batches() == [(HEIGHT,), (YEAR,), (MIRROR,)]

    async def test_s0_5_the_judge_is_injected_and_never_made(self, scripted_judge):
        metric = evaluator()
        for name in ("one", "two"):
            judge = scripted_judge(claims=(HEIGHT,))
            judge.name = name
            assert (await metric.evaluate(CASE, judge)).judge == name

    @pytest.mark.parametrize("response", ["", "   \n"])
    async def test_s0_9_an_empty_or_blank_response_scores_1_without_a_call(self, evaluate, response):
        result = await evaluate({HEIGHT: "supported"}, case=CASE.model_copy(update={"answer": response}))
        assert (result.score, result.status, result.usage.calls) == (1.0, Status.NO_ANSWER, 0)

    async def test_s0_9_empty_context_scores_0(self, evaluate):
        result = await evaluate({HEIGHT: "supported"}, case=CASE.model_copy(update={"contexts": ()}))
        assert (result.score, result.to_ragaliq()["passed"]) == (0.0, False)

    async def test_s0_9_an_invalid_verdict_is_an_error(self, scripted_judge):
        judge = scripted_judge({YEAR: None}, claims=(HEIGHT, YEAR))
        result = await evaluator(0.0).evaluate(CASE, judge)
        assert (result.score, result.verdicts[1].issues[0].code) == (None, IssueCode.MISSING_VERDICT)
        exported = result.to_ragaliq()
        assert exported["passed"] is False
        assert "s2 without verdict" in exported["error"]

    async def test_s0_11_many_claims_are_verified_at_the_same_time(self, scripted_judge):
        judge = scripted_judge(claims=[f"Claim {i}." for i in range(120)])
        assert (await evaluator().evaluate(CASE, judge)).score == 1.0
        assert judge.most_at_once == 120
