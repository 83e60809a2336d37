"""The rest of RagaliQ's design record (S0) that its list of 21 behaviours leaves out."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from magistrate.case import Case
from magistrate.judges import StatementsReply
from magistrate.metrics import Faithfulness
from magistrate.scoring import POLICIES, score_verdicts
from magistrate.testing.scripted import ScriptedJudge
from magistrate.verdict import GRADED, StatementVerdict, Status, Verdict

S, C, N = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.NOT_ENOUGH_INFO
PARIS = Case(query="Capital?", response="Paris is the capital. It is large.", context=["The capital is Paris."])


def scored(policy, *verdicts):
    listed = [
        StatementVerdict(index=n, id=f"s{n + 1}", statement=f"Claim {n}.", verdict=verdict)
        for n, verdict in enumerate(verdicts)
    ]
    return score_verdicts(listed, status=Status.SCORED if listed else Status.VACUOUS, policy=policy)


@pytest.mark.parametrize(("verdicts", "score"), [((S, S), 1.0), ((S, C), 0.5), ((N, C), 0.0), ((), 1.0)])
def test_s0_1_the_four_acceptance_scores(verdicts, score):
    assert scored("ragaliq-adr6", *verdicts).value == score


@pytest.mark.parametrize("policy", POLICIES)
def test_s0_1_the_same_three_in_every_policy_that_counts_not_enough_info_as_nothing(policy):
    if policy.startswith("deepeval-4") and policy != "deepeval-4-penalize":
        assert scored(policy, N, N).value == 1.0
    else:
        assert scored(policy, S, S).value == 1.0
        assert scored(policy, C, C).value == 0.0


async def test_s0_2_claims_are_extracted_first():
    reply = await ScriptedJudge().extract("Paris is the capital. It is large.")
    assert isinstance(reply, StatementsReply)
    assert list(reply) == ["Paris is the capital.", "It is large."]
    assert reply.usage.calls == 1


@pytest.mark.parametrize("policy", ["strict", "ragaliq-adr6", "ragaliq-0.2"])
def test_s0_4_not_enough_info_and_contradicted_both_count_nothing(policy):
    assert scored(policy, S, N, C, S).value == 0.5


def test_s0_6_records_are_immutable():
    verdict = StatementVerdict(index=0, id="s1", statement="A.", verdict=S)
    with pytest.raises(ValidationError):
        verdict.verdict = C
    with pytest.raises(ValidationError):
        PARIS.answer = "Lyon"


@pytest.mark.parametrize(("score", "passes"), [(0.75, False), (0.8, True), (0.8 - 1e-12, True), (None, False)])
def test_s0_7_a_score_passes_from_the_threshold(score, passes):
    evaluator = Faithfulness(threshold=0.8)
    assert evaluator.is_passing(score) is passes
    assert (evaluator.name, evaluator.threshold) == ("faithfulness", 0.8)
    assert evaluator.description
    assert "0.8" in repr(evaluator)


def test_s0_8_the_result_has_the_records_shape():
    judge = ScriptedJudge({"It is large.": N})
    raw = Faithfulness(policy="ragaliq").evaluate_sync(PARIS, judge).to_ragaliq()
    assert raw["evaluator_name"] == "faithfulness"
    assert (raw["score"], raw["passed"]) == (0.5, False)
    claims = raw["raw_response"]
    assert (claims["total_claims"], claims["supported_claims"]) == (2, 1)
    assert [claim["verdict"] for claim in claims["claims"]] == ["SUPPORTED", "NOT_ENOUGH_INFO"]


def test_s0_11_partial_support_and_weights_are_there():
    assert Verdict.PARTIALLY_SUPPORTED in GRADED.verdicts
    assert scored("strict-partial", Verdict.PARTIALLY_SUPPORTED).value == 0.5
    assert scored("weighted", S, C, N, S).value == pytest.approx((1 + (1 - 1 + 0 + 1) / 4) / 2)


def test_s0_12_the_gates_of_the_build_are_tests_lint_and_types():
    root = Path(__file__).parents[2]
    makefile, build = ((root / name).read_text(encoding="utf-8") for name in ("Makefile", ".ci/run"))
    for tool in ("pytest", "ruff", "mypy"):
        assert tool in makefile + build
    assert "make lint" in build
    assert "make test" in build


def test_s2_8_hallucination_is_higher_where_more_is_hallucinated():
    from magistrate.metrics import Hallucination

    case = Case(statements=("A.", "B."), contexts=("text",))
    more, less = (
        Hallucination().evaluate_sync(case, ScriptedJudge(dict.fromkeys(wrong, C))).score
        for wrong in (["A.", "B."], ["A."])
    )
    assert more > less
