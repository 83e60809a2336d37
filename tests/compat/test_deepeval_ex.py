"""DeepEvalEx's Faithfulness as its documentation describes it: two-sided extraction, idk counted as faithful."""

import pytest
from tests.case_tables import cases_of

from magistrate.case import Case
from magistrate.errors import JudgeRequestError
from magistrate.judges.llm import LLMJudge
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.testing import FakeClient
from magistrate.verdict import Outcome, Status

cases = cases_of(__file__)

SECTIONS = ["Section 2: the library lends 12 books at a time.", "Section 3: a loan lasts four weeks."]
CASE = Case(input="How many books may I borrow?", actual_output="Up to 12, for four weeks.", retrieval_context=SECTIONS)
BOOKS, WEEKS, FINE, ONLINE = (
    "The library lends 12 books at a time.",
    "A loan lasts six weeks.",
    "The fine is 1 EUR a day.",
    "Loans can be renewed online.",
)
TRUTHS = {SECTIONS[0]: ["12 books are lent at a time."], SECTIONS[1]: ["A loan lasts four weeks."]}
VERDICTS = {BOOKS: "supported", WEEKS: ("contradicted", "Four weeks, not six."), FINE: "not_enough_info"}


def metric(threshold=None, **options):
    return Faithfulness(threshold=threshold, policy="deepeval", two_sided=True, **options)


@pytest.fixture
def judge(scripted_judge):
    return scripted_judge({**VERDICTS, ONLINE: "supported"}, claims=(BOOKS, WEEKS, FINE, ONLINE), truths=TRUTHS)


async def test_s2_1_claims_and_truths_are_extracted_and_compared(judge):
    await metric().evaluate(CASE, judge)
    assert judge.kinds() == ["claims", "truths", "truths", "verify"]


@cases("deepeval_ex: s2 2 understanding scores")
async def test_s2_2_idk_counts_as_faithful(scripted_judge, verdicts, score):
    judge = scripted_judge(verdicts, claims=tuple(verdicts), truths=TRUTHS)
    assert (await metric().evaluate(CASE, judge)).score == score


def test_s2_3_input_actual_output_retrieval_context_and_context_as_an_alias():
    given = ("How many books may I borrow?", "Up to 12, for four weeks.", tuple(SECTIONS))
    assert (CASE.question, CASE.answer, CASE.contexts) == given
    assert Case(context=SECTIONS) == Case(retrieval_context=SECTIONS)


async def test_s2_4_defaults_and_the_limit_of_truths_per_document(judge):
    assert (metric().threshold, metric().include_reason, metric().truths_extraction_limit) == (0.5, True, None)
    result = await metric(truths_extraction_limit=10).evaluate(CASE, judge)
    assert [options["limit"] for _, _, options in judge.asked if options.get("kind") == "truths"] == [10, 10]
    assert result.to_deepeval()["metadata"]["truths_extraction_limit"] == 10


class TestFailures:
    async def test_s2_6_a_missing_retrieval_context_is_a_status_and_no_call(self, judge):
        result = await metric().evaluate(CASE.model_copy(update={"contexts": ()}), judge)
        assert (result.status, result.score, result.to_deepeval()["success"]) == (Status.NO_CONTEXT, None, False)
        assert judge.asked == []

    async def test_s2_6_an_error_of_the_api_is_a_status_that_tells_it(self):
        said = JudgeRequestError("no such deployment", provider_status=400)
        result = await metric().evaluate(CASE, LLMJudge("gpt-4o", client=FakeClient(lambda _: said)))
        assert (result.status, result.score, result.to_deepeval()["success"]) == (Status.JUDGE_ERROR, None, False)
        assert "no such deployment" in (result.reason or "")
        assert any("no such deployment" in (call.error or "") for call in result.calls)


@pytest.mark.parametrize(("threshold", "success"), [(1.0, False), (0.3, True)])
async def test_s2_9_strict_and_lenient_thresholds(judge, threshold, success):
    assert (await metric(threshold).evaluate(CASE, judge)).to_deepeval()["success"] is success


class TestResultStructure:
    async def test_s2_5_has_all_the_fields(self, judge):
        result = (await metric().evaluate(CASE, judge)).to_deepeval()
        latency = result.pop("latency_ms")
        assert isinstance(latency, int)
        assert result == {
            "metric": "Faithfulness",
            "score": 0.75,
            "success": True,
            "threshold": 0.5,
            "reason": "supported 2 of 4; s2 contradicted: Four weeks, not six.; s3 not enough info",
            "metadata": {
                "truths": ["12 books are lent at a time.", "A loan lasts four weeks."],
                "claims": [BOOKS, WEEKS, FINE, ONLINE],
                "verdicts": [
                    {"verdict": "yes", "reason": None},
                    {"verdict": "no", "reason": "Four weeks, not six."},
                    {"verdict": "idk", "reason": None},
                    {"verdict": "yes", "reason": None},
                ],
                "truths_extraction_limit": None,
            },
        }

    async def test_s2_7_the_reason_can_be_left_out_and_takes_no_call(self, judge):
        without = await metric(include_reason=False).evaluate(CASE, judge)
        assert without.to_deepeval()["reason"] is None
        assert (await metric().evaluate(CASE, judge)).usage.calls == without.usage.calls == 4


class TestWhereDeepEvalMisleads:
    """Its numbers are kept under its policy; the outcome is ours."""

    async def test_no_claims_are_its_perfect_score_and_inconclusive_here(self, scripted_judge):
        result = await metric().evaluate(CASE, scripted_judge(truths=TRUTHS))
        assert (result.score, result.to_deepeval()["success"]) == (1.0, True)
        assert (result.status, result.outcome) == (Status.VACUOUS, Outcome.INCONCLUSIVE)

    async def test_one_verdict_of_four_is_its_perfect_score_and_inconclusive_here(self, scripted_judge):
        judge = scripted_judge(dict.fromkeys((WEEKS, FINE, ONLINE)), claims=(BOOKS, WEEKS, FINE, ONLINE), truths=TRUTHS)
        result = await metric().evaluate(CASE, judge)
        assert (result.score, result.to_deepeval()["success"], result.bounds) == (1.0, True, (0.25, 1.0))
        assert (result.status, result.outcome) == (Status.PARTIAL, Outcome.INCONCLUSIVE)
