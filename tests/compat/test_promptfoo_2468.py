"""promptfoo's plan for its issue 2468, as far as it scores: what becomes of statements, verdicts and refusals."""

from dataclasses import replace

import pytest
from tests.case_tables import cases_of

from magistrate.case import Case
from magistrate.judges import VerdictsReply
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.verdict import Outcome, Status, Verdict

cases = cases_of(__file__)

SENTENCES = ("The dam was built in 1961.", "It is 88 m high.", "It feeds two turbines.", "Boats are allowed.")
CASE = Case(
    query="How high is the dam?",
    output=" ".join(SENTENCES),
    context="Built in 1961, the dam rises 88 m and feeds two turbines. Boats are banned.",
    statements=SENTENCES,
)


@pytest.fixture
def grade(scripted_judge):
    """Grade the answer with a judge whose verdicts end so, as promptfoo's GradingResult."""

    async def _grade(verdicts=(), ended=None, extra=0, threshold=0.7, policy="promptfoo"):
        def reply(found):
            more = (Verdict.UNSUPPORTED,) * extra
            return replace(found, extra=more) if ended is None else VerdictsReply(status=Status(ended))

        case = CASE.model_copy(update={"statements": ()}) if verdicts is None else CASE
        said = dict(zip(SENTENCES, verdicts or (), strict=False))
        metric = Faithfulness(threshold=threshold, policy=policy, scale="binary")
        result = await metric.evaluate(case, scripted_judge(said, verify_reply=reply))
        assert result.outcome is not Outcome.PASS or result.status in (Status.SCORED, Status.PARTIAL)
        return result.to_promptfoo()

    return _grade


@cases("promptfoo: gradings")
async def test_s3_11_gradings_of_s3_6_to_s3_11(grade, requirement, given, told):
    graded = await grade(**given)
    assert {name: graded[name] for name in told} == told, requirement


POLICIES = pytest.mark.parametrize("policy", ["promptfoo", "promptfoo-0.123"])


@POLICIES
@pytest.mark.parametrize("extra", [0, 1, 9])
@pytest.mark.parametrize("word", ["supported", "unsupported", None])
async def test_s3_12_every_count_of_verdicts_scores_between_0_and_1(grade, policy, extra, word):
    assert 0.0 <= (await grade([word] * 4, extra=extra, policy=policy))["score"] <= 1.0


@POLICIES
@pytest.mark.parametrize("status", ["refused", "unparseable", "truncated", "out_of_range", "judge_error"])
async def test_s3_13_no_failure_passes(grade, policy, status):
    assert (await grade(ended=status, threshold=0.0, policy=policy))["pass"] is False
