"""RagaliQ's design record (S0): the 21 behaviours that it lists for its FaithfulnessEvaluator (S0.10), and the rest.

The evaluator asks about one claim a call and scores supported / claims; `policy="ragaliq"` is that record's convention.
"""

from pathlib import Path

import pytest
from pydantic import ValidationError
from tests.case_tables import cases_of

from magistrate.case import Case
from magistrate.judges import StatementsReply
from magistrate.metrics import Faithfulness, Hallucination
from magistrate.metrics.base import MetricResult
from magistrate.scoring import POLICIES, score_verdicts
from magistrate.testing.scripted import ScriptedJudge
from magistrate.verdict import GRADED, IssueCode, StatementVerdict, Status, Verdict

cases = cases_of(__file__)

CONTEXT = "The observatory stands at 2,400 m. Its mirror measures 3.6 m. It opened in 1998."
CASE = Case(query="Where is the observatory?", response="It stands at 2,400 m and opened in 1998.", context=[CONTEXT])
HEIGHT, YEAR, MIRROR = "The observatory stands at 2,400 m.", "The observatory opened in 1998.", "Its mirror is 4 m."
LETTERS = {"S": "supported", "C": "contradicted", "N": "not_enough_info", "P": "partially_supported"}


def evaluator(threshold=None):
    return Faithfulness(threshold=threshold, policy="ragaliq", batch_size=1)


@pytest.fixture
def evaluate(scripted_judge):
    """Evaluate an answer whose claims get these verdicts."""

    async def _evaluate(verdicts, threshold=None, case=CASE):
        return await evaluator(threshold).evaluate(case, scripted_judge(verdicts, claims=tuple(verdicts)))

    return _evaluate


def scored(policy, letters):
    listed = [
        StatementVerdict(index=n, id=f"s{n + 1}", statement=f"Claim {n}.", verdict=LETTERS[letter])
        for n, letter in enumerate(letters)
    ]
    return score_verdicts(listed, status=Status.SCORED if listed else Status.VACUOUS, policy=policy).value


def test_s0_10_01_to_05_attributes():
    assert (evaluator().name, evaluator().threshold, evaluator(0.9).threshold) == ("faithfulness", 0.7, 0.9)
    assert "supported by the contexts" in evaluator().description
    assert repr(evaluator(0.9)) == "Faithfulness(threshold=0.9, policy='ragaliq-adr6', batch_size=1)"


@cases("ragaliq: scores")
async def test_s0_10_06_to_21_scores(evaluate, letters, threshold, score, passed):
    verdicts = {f"Claim {at}.": LETTERS[letter] for at, letter in enumerate(letters)}
    result = await evaluate(verdicts, threshold)
    assert (result.score, result.to_ragaliq()["passed"]) == (score, passed)
    assert result.status is (Status.SCORED if verdicts else Status.VACUOUS)


async def test_s0_10_13_to_17_the_result(evaluate):
    result = await evaluate({HEIGHT: ("supported", "It says 2,400 m."), MIRROR: ("contradicted", "It says 3.6 m.")})
    assert isinstance(result, MetricResult)
    exported = result.to_ragaliq()
    assert list(exported) == ["evaluator_name", "score", "passed", "reasoning", "raw_response", "tokens_used"]
    assert exported["evaluator_name"] == "faithfulness"
    assert exported["reasoning"].startswith("supported 1 of 2; s2 contradicted")
    assert exported["raw_response"] == {
        "claims": [
            {"claim": HEIGHT, "verdict": "SUPPORTED", "evidence": "It says 2,400 m."},
            {"claim": MIRROR, "verdict": "CONTRADICTED", "evidence": "It says 3.6 m."},
        ],
        "total_claims": 2,
        "supported_claims": 1,
    }


@cases("ragaliq: scores by policy")
def test_s0_1_the_four_acceptance_scores_and_s0_11_those_of_other_policies(policy, letters, score):
    assert scored(policy, letters) == pytest.approx(score)


@pytest.mark.parametrize("policy", POLICIES)
def test_s0_1_the_same_three_in_every_policy_that_counts_not_enough_info_as_nothing(policy):
    if policy.startswith("deepeval-4") and policy != "deepeval-4-penalize":
        assert scored(policy, "NN") == 1.0
    else:
        assert (scored(policy, "SS"), scored(policy, "CC")) == (1.0, 0.0)


async def test_s0_2_claims_are_extracted_first():
    reply = await ScriptedJudge().extract("Paris is the capital. It is large.")
    assert isinstance(reply, StatementsReply)
    assert (list(reply), reply.usage.calls) == (["Paris is the capital.", "It is large."], 1)


async def test_s0_3_one_call_per_claim(scripted_judge):
    judge = scripted_judge(claims=(HEIGHT, YEAR, MIRROR))
    await evaluator().evaluate(CASE, judge)
    assert judge.batches() == [(HEIGHT,), (YEAR,), (MIRROR,)]


@pytest.mark.parametrize("policy", ["strict", "ragaliq-adr6", "ragaliq-0.2"])
def test_s0_4_not_enough_info_and_contradicted_both_count_nothing(policy):
    assert scored(policy, "SNCS") == 0.5


async def test_s0_5_the_judge_is_injected_and_never_made(scripted_judge):
    metric = evaluator()
    for name in ("one", "two"):
        judge = scripted_judge(claims=(HEIGHT,))
        judge.name = name
        assert (await metric.evaluate(CASE, judge)).judge == name


def test_s0_6_records_are_immutable():
    verdict = StatementVerdict(index=0, id="s1", statement="A.", verdict=Verdict.SUPPORTED)
    with pytest.raises(ValidationError):
        verdict.verdict = Verdict.CONTRADICTED
    with pytest.raises(ValidationError):
        CASE.answer = "Lyon"


@pytest.mark.parametrize(("score", "passes"), [(0.75, False), (0.8, True), (0.8 - 1e-12, True), (None, False)])
def test_s0_7_a_score_passes_from_the_threshold(score, passes):
    assert Faithfulness(threshold=0.8).is_passing(score) is passes


def test_s0_8_the_result_has_the_records_shape():
    case = CASE.model_copy(update={"answer": "It stands. It is large."})
    raw = Faithfulness(policy="ragaliq").evaluate_sync(case, ScriptedJudge({"It is large.": "not_enough_info"}))
    claims = raw.to_ragaliq()["raw_response"]["claims"]
    assert [claim["verdict"] for claim in claims] == ["SUPPORTED", "NOT_ENOUGH_INFO"]


@cases("ragaliq: s0 9 an empty response scores 1 and empty context 0 without a call")
async def test_s0_9_an_empty_response_scores_1_and_empty_context_0_without_a_call(evaluate, change, score, status):
    result = await evaluate({HEIGHT: "supported"}, case=CASE.model_copy(update=change))
    assert (result.score, result.status, result.usage.calls) == (score, status, 0)
    assert result.to_ragaliq()["passed"] is bool(score)


async def test_s0_9_an_invalid_verdict_is_an_error(evaluate):
    result = await evaluate({HEIGHT: "supported", YEAR: None}, 0.0)
    assert (result.score, result.verdicts[1].issues[0].code) == (None, IssueCode.MISSING_VERDICT)
    exported = result.to_ragaliq()
    assert exported["passed"] is False
    assert "s2 without verdict" in exported["error"]


async def test_s0_11_many_claims_are_verified_at_the_same_time(scripted_judge):
    judge = scripted_judge(claims=[f"Claim {i}." for i in range(120)])
    assert (await evaluator().evaluate(CASE, judge)).score == 1.0
    assert judge.most_at_once == 120
    assert Verdict.PARTIALLY_SUPPORTED in GRADED.verdicts


def test_s0_12_the_gates_of_the_build_are_tests_lint_and_types():
    root = Path(__file__).parents[2]
    makefile, build = ((root / name).read_text(encoding="utf-8") for name in ("Makefile", ".ci/run"))
    for tool in ("pytest", "ruff", "mypy"):
        assert tool in makefile + build
    assert "make lint" in build
    assert "make test" in build


def test_s2_8_hallucination_is_higher_where_more_is_hallucinated():
    case = Case(statements=("A.", "B."), contexts=("text",))
    more, less = (
        Hallucination().evaluate_sync(case, ScriptedJudge(dict.fromkeys(wrong, "contradicted"))).score
        for wrong in (["A.", "B."], ["A."])
    )
    assert more > less
