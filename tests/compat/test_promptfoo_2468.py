"""promptfoo's plan for its issue 2468, as far as it scores: what becomes of statements, verdicts and refusals."""

from dataclasses import replace

import pytest

from magistrate.case import Case
from magistrate.judges import VerdictsReply
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.verdict import Outcome, Status, Verdict

SENTENCES = ("The dam was built in 1961.", "It is 88 m high.", "It feeds two turbines.", "Boats are allowed.")
CASE = Case(
    query="How high is the dam?",
    output=" ".join(SENTENCES),
    context="Built in 1961, the dam rises 88 m and feeds two turbines. Boats are banned.",
    statements=SENTENCES,
)


@pytest.fixture
def grade(scripted_judge):
    """Grade the answer with a judge that gives these verdicts, as promptfoo's GradingResult."""

    async def _grade(
        verdicts=None,
        threshold=0.7,
        case=CASE,
        reply=lambda reply: reply,
        policy="promptfoo",
    ):
        metric = Faithfulness(threshold=threshold, policy=policy, scale="binary")
        result = await metric.evaluate(case, scripted_judge(verdicts, verify_reply=reply))
        assert result.outcome is not Outcome.PASS or result.status in (Status.SCORED, Status.PARTIAL)
        return result.to_promptfoo()

    return _grade


def ended(status):
    return lambda _: VerdictsReply(status=status)


class TestGradingResult:
    async def test_s3_6_no_statements(self, grade):
        graded = await grade(case=CASE.model_copy(update={"statements": ()}))
        assert (graded["pass"], graded["score"]) == (False, 0)
        assert graded["reason"] == "No statements generated for faithfulness calculation"

    async def test_s3_7_a_refusal(self, grade):
        graded = await grade(reply=ended(Status.REFUSED))
        assert (graded["pass"], graded["score"]) == (False, 0)
        assert graded["reason"] == "LLM refused to provide faithfulness verdicts"

    async def test_s3_8_no_verdicts(self, grade):
        graded = await grade(reply=ended(Status.UNPARSEABLE), threshold=0.4)
        assert (graded["pass"], graded["score"]) == (False, 0.5)
        assert graded["reason"] == "No faithfulness verdicts provided"

    async def test_s3_9_fewer_verdicts_than_statements(self, grade):
        graded = await grade({SENTENCES[2]: None, SENTENCES[3]: "unsupported"})
        assert graded["score"] == 2 / 3
        assert graded["reason"] == "Faithfulness 0.67 is < 0.7"

    async def test_s3_9_more_verdicts_than_statements(self, grade):
        def longer(reply):
            return replace(reply, extra=(Verdict.UNSUPPORTED,) * 3)

        assert (await grade({SENTENCES[3]: "unsupported"}, reply=longer))["score"] == 0.75
        assert (await grade({SENTENCES[3]: "unsupported"}, reply=longer, policy="promptfoo-0.123"))["score"] == 0.0

    async def test_s3_9_released_promptfoo_counts_what_is_missing_as_unsupported(self, grade):
        graded = await grade({SENTENCES[2]: None, SENTENCES[3]: "unsupported"}, policy="promptfoo-0.123")
        assert graded["score"] == 0.5

    async def test_s3_10_verdicts_off_the_scale(self, grade):
        graded = await grade(reply=ended(Status.OUT_OF_RANGE), threshold=0.4)
        assert (graded["pass"], graded["score"]) == (False, 0.5)
        assert graded["reason"] == "Faithfulness calculation error"

    async def test_s3_11_a_pass_and_its_reason(self, grade):
        graded = await grade({SENTENCES[3]: "unsupported"})
        assert (graded["pass"], graded["score"]) == (True, 0.75)
        assert graded["reason"] == "Faithfulness 0.75 is >= 0.7"

    async def test_s3_11_a_fail_and_its_reason(self, grade):
        graded = await grade({SENTENCES[3]: "unsupported"}, threshold=0.8)
        assert (graded["pass"], graded["reason"]) == (False, "Faithfulness 0.75 is < 0.8")

    async def test_s3_11_tokens_are_reported(self, grade):
        assert (await grade())["tokensUsed"] == {"total": 110, "prompt": 100, "completion": 10, "numRequests": 1}


class TestErrorConditions:
    """S3.12 and S3.13: no input leads out of [0, 1], and no failure passes."""

    @pytest.mark.parametrize("policy", ["promptfoo", "promptfoo-0.123"])
    @pytest.mark.parametrize("extra", [0, 1, 9])
    @pytest.mark.parametrize("word", ["supported", "unsupported", None])
    async def test_s3_12_every_count_of_verdicts_scores_between_0_and_1(self, grade, policy, extra, word):
        def longer(reply):
            return replace(reply, extra=(Verdict.UNSUPPORTED,) * extra)

        graded = await grade(dict.fromkeys(SENTENCES, word), reply=longer, policy=policy)
        assert 0.0 <= graded["score"] <= 1.0

    @pytest.mark.parametrize("policy", ["promptfoo", "promptfoo-0.123"])
    @pytest.mark.parametrize(
        "status", [Status.REFUSED, Status.UNPARSEABLE, Status.TRUNCATED, Status.OUT_OF_RANGE, Status.JUDGE_ERROR]
    )
    async def test_s3_13_no_failure_passes(self, grade, policy, status):
        assert (await grade(reply=ended(status), threshold=0.0, policy=policy))["pass"] is False
