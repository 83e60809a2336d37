"""Where the designs contradict each other (C), and what holds whatever they say (I).

Further ones stand beside the code that they are about.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.case import Case
from magistrate.evaluation.api import evaluate
from magistrate.judges.llm import LLMJudge
from magistrate.metrics import Faithfulness
from magistrate.metrics.base import rescore
from magistrate.parsing import parse_label, parse_object, parse_score, parse_statements, parse_verdicts
from magistrate.records import Completion
from magistrate.scoring import POLICIES, score_verdicts
from magistrate.testing import FakeClient
from magistrate.testing.scripted import ScriptedJudge
from magistrate.testing.strategies import WRAPPINGS, replies
from magistrate.verdict import IssueCode, Outcome, ParseStatus, Status, Verdict

ROPE, BELL = "The rope is new.", "The bell rings at noon."
CASE = Case(id="tower", answer=f"{ROPE} {BELL}", contexts=("The rope is new.",))


def judged(verdicts, **options):
    return Faithfulness(**options).evaluate_sync(CASE, ScriptedJudge(verdicts))


class TestContradictions:
    def test_c2_one_stored_not_enough_info_counts_by_the_policy(self):
        result = judged({BELL: Verdict.NOT_ENOUGH_INFO})
        assert result.verdicts[1].verdict is Verdict.NOT_ENOUGH_INFO
        scores = {name: rescore(result, name).score for name in POLICIES}
        assert {name for name, score in scores.items() if score == 1.0} == {"deepeval-4"}
        assert scores["weighted"] == 0.75
        assert {score for name, score in scores.items() if name not in {"deepeval-4", "weighted"}} == {0.5}

    @pytest.mark.parametrize("policy", POLICIES)
    def test_c3_a_refusal_is_a_status_whose_number_is_the_policys(self, policy):
        score = score_verdicts((), status=Status.REFUSED, policy=policy).value
        assert score == (0.0 if policy in {"fail-closed", "promptfoo-2468", "promptfoo-0.123"} else None)

    def test_c11_how_the_answer_was_taken_apart_is_in_the_result(self):
        for way in ("claims", "sentences"):
            assert judged({}, decompose=way).details["decompose"] == way

    @pytest.mark.parametrize("text", ["7", "-0.5", "NaN", "inf", "1.01", '{"score": 2}'])
    def test_c12_a_number_out_of_range_is_not_clamped(self, text):
        read = parse_score(text, 0, 1)
        assert read.value is None
        assert read.status is not ParseStatus.OK

    def test_c12_a_judges_verdict_out_of_range_is_no_verdict_under_any_policy(self):
        read = parse_verdicts('[{"id": 1, "verdict": 2}, {"id": 2, "verdict": 1}]', [ROPE, BELL])
        assert [verdict.verdict for verdict in read.verdicts] == [None, Verdict.SUPPORTED]
        assert IssueCode.OUT_OF_RANGE in {issue.code for issue in read.verdicts[0].issues}
        result = judged({ROPE: None})
        assert all(rescore(result, policy, 0.6).outcome is not Outcome.PASS for policy in POLICIES)

    def test_c13_a_verdict_without_a_reason_gets_none_made_up(self):
        read = parse_verdicts('[{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]', [ROPE, BELL])
        assert [verdict.verdict for verdict in read.verdicts] == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]
        assert not any(verdict.reason for verdict in read.verdicts)

    def test_c14_a_result_says_which_metric_policy_and_prompt_it_is(self):
        text = '{"verdicts": [{"id": "s1", "verdict": "supported"}, {"id": "s2", "verdict": "supported"}]}'
        judge = LLMJudge("m", client=FakeClient([Completion(text)] * 3))
        given_ = CASE.model_copy(update={"statements": (ROPE, BELL)})
        result = evaluate([given_], [Faithfulness(policy="ragaliq")], judge).results[0].only()
        assert (result.metric, result.policy) == ("faithfulness", "ragaliq-adr6")
        assert len(result.calls[0].prompt.hash) == 16
        other = evaluate([CASE.model_copy(update={"statements": (ROPE,)})], judge=judge).results[0].only()
        assert other.calls[0].prompt.hash != result.calls[0].prompt.hash


class TestInvariants:
    @given(value=st.one_of(st.none(), st.text(), st.binary()), statements=st.lists(st.text(), max_size=4))
    def test_i3_every_reader_takes_anything(self, value, statements):
        assert parse_verdicts(value, statements).status in ParseStatus
        assert parse_score(value, 0, 1).status in ParseStatus
        assert parse_label(value, ["a", "b"]).status in ParseStatus
        assert parse_statements(value).status in ParseStatus
        assert parse_object(value, {"type": "object"}).status in ParseStatus

    @given(reply=replies(), fewer=st.integers(0, 3))
    def test_i4_each_statement_has_one_verdict_or_a_named_reason(self, reply, fewer):
        asked = reply.statements[: max(1, len(reply.statements) - fewer)]
        read = parse_verdicts(reply.text, asked, scale=reply.scale)
        assert [verdict.index for verdict in read.verdicts] == list(range(len(asked)))
        assert all(verdict.verdict is not None or verdict.issues for verdict in read.verdicts)

    @given(reply=replies(wrappings=["none"]))
    def test_i8_what_is_written_down_is_read_as_it_was_meant(self, reply):
        read = parse_verdicts(reply.text, reply.statements, scale=reply.scale)
        assert tuple(verdict.verdict for verdict in read.verdicts) == reply.verdicts

    @given(reply=replies(wrappings=["none"], languages=["en"]), name=st.sampled_from(sorted(WRAPPINGS)))
    def test_i9_what_stands_around_a_reply_changes_no_verdict(self, reply, name):
        before, behind = WRAPPINGS[name]
        plain, wrapped = (
            parse_verdicts(text, reply.statements, scale=reply.scale).verdicts
            for text in (reply.text, before + reply.text + behind)
        )
        assert [verdict.verdict for verdict in wrapped] == [verdict.verdict for verdict in plain]
