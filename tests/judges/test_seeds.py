"""The plan for promptfoo issue 2468 through a whole judge: what a reply becomes, and which event says so.

The parser's part of it is in tests/parsing/test_seeds.py, the scores are in tests/compat/test_promptfoo_2468.py.
"""

import json
import logging

import pytest

from magistrate.case import Case
from magistrate.judges.llm import LLMJudge
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.records import Completion
from magistrate.testing import FakeClient
from magistrate.verdict import BINARY, IssueCode, Outcome, Status, Verdict

STATEMENTS = ("The orchard has 90 trees.", "Most of them bear pears.", "The harvest begins in May.")
CONTEXTS = ("The orchard has 90 trees, most of them pear trees. The harvest begins in September.",)
ANSWER = " ".join(STATEMENTS)
CASE = Case(query="What grows there?", output=ANSWER, contexts=CONTEXTS, statements=STATEMENTS)
YES, NO = Verdict.SUPPORTED, Verdict.UNSUPPORTED
SAID = [YES, YES, NO]
ROWS = [
    {"statement": one, "reason": "The passage says so.", "verdict": bit}
    for one, bit in zip(STATEMENTS, (1, 1, 0), strict=True)
]
PLANNED = json.dumps(ROWS)
CLOSING_LINE = "Final verdict for each statement in order: Yes. Yes. No."
REFUSED = Completion(None, "stop", refusal="I cannot help with that.")
POLICIES = ("strict", "promptfoo", "promptfoo-0.123")
Reply = str | Completion


@pytest.fixture
def events(caplog):
    """The events so far: (name, level, expected, actual)."""
    caplog.set_level(logging.DEBUG, "magistrate")

    def _events():
        lines = [record.getMessage() for record in caplog.records if "event=verdicts." in record.getMessage()]
        found = [dict(part.split("=", 1) for part in line.split() if "=" in part) for line in lines]
        return [(one["event"], one["level"], int(one["expected"]), int(one["actual"])) for one in found]

    return _events


async def verify(*replies):
    """Ask a judge that replies so; to every question in the same way where there is one reply."""
    client = FakeClient(list(replies) if len(replies) > 1 else lambda _: replies[0])
    return await LLMJudge("some-model", client=client).verify(STATEMENTS, CONTEXTS, scale=BINARY)


def said(reply):
    return [verdict.verdict for verdict in reply]


def named(*codes):
    return [json.dumps([{"id": at, "verdict": code} for at, code in enumerate(codes, 1)])]


class TestNoStatements:
    async def test_s3_6_no_statements_make_no_call_and_no_event(self, events):
        client = FakeClient([])
        reply = await LLMJudge("some-model", client=client).verify((), CONTEXTS)
        assert (reply.status, len(reply), len(client.requests)) == (Status.VACUOUS, 0, 0)
        assert events() == []


class TestRefusals:
    @pytest.mark.parametrize(
        "refusal", [REFUSED, "I apologize, but I am unable to judge this.", "That is against my policy."]
    )
    async def test_s3_7_a_refusal_is_a_status_and_an_event(self, refusal, events):
        reply = await verify(refusal)
        assert (reply.status, said(reply)) == (Status.REFUSED, [None] * 3)
        assert events()[0] == ("verdicts.refused", "warning", 3, 0)


class TestNoVerdicts:
    @pytest.mark.parametrize("text", ["", "   ", "The weather is fine today.", "[]", "{}"])
    async def test_s3_8_no_verdicts_are_a_status_and_an_event_and_no_half_score(self, text, events):
        reply = await verify(text)
        assert (reply.status, said(reply)) == (Status.UNPARSEABLE, [None] * 3)
        assert events()[0] == ("verdicts.mismatch", "warning", 3, 0)


class TestCounts:
    async def test_s3_9_fewer_verdicts_are_logged_and_only_the_missing_one_is_asked_for(self, events):
        reply = await verify(*named("yes", "yes"), *named("no"))
        assert (reply.status, said(reply), len(reply.calls)) == (Status.SCORED, SAID, 2)
        assert events() == [("verdicts.mismatch", "warning", 3, 2), ("verdicts.reasked", "info", 3, 2)]

    async def test_s3_9_more_verdicts_are_logged_and_none_takes_the_place_of_another(self, events):
        reply = await verify(*named("yes", "yes", "no", "yes"))
        assert said(reply) == SAID
        assert list(reply.extra) == [YES]
        assert events() == [("verdicts.mismatch", "warning", 3, 3)]

    @pytest.mark.parametrize("count", [1, 2, 4, 9])
    async def test_s3_9_verdicts_without_ids_are_not_cut_or_dealt_out_to_fit(self, count, events):
        reply = await verify(json.dumps([{"verdict": 1}] * count))
        assert said(reply) == [None] * 3
        assert IssueCode.COUNT_MISMATCH in {issue.code for issue in reply.issues}
        assert events()[0] == ("verdicts.mismatch", "warning", 3, 0)


class TestOffTheScale:
    @pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", "-1", "2", "0.5", "1e9"])
    async def test_s3_10_a_number_off_the_scale_is_no_verdict(self, value, events):
        rows = ",".join(f'{{"id":{at},"verdict":{value}}}' for at in (1, 2, 3))
        reply = await verify(f"[{rows}]")
        assert said(reply) == [None] * 3
        assert reply.status in {Status.OUT_OF_RANGE, Status.UNPARSEABLE}
        assert all(verdict.issues for verdict in reply)
        assert events()[0][1:] == ("warning", 3, 0)


class TestFormats:
    @pytest.mark.parametrize(
        "text",
        [
            PLANNED,
            json.dumps([{"verdict": row["verdict"]} for row in ROWS]),
            json.dumps([row | {"confidence": 0.9, "page": None} for row in ROWS]),
            json.dumps({"verdicts": ROWS}),
            f"Here they are:\n```json\n{PLANNED}\n```",
            CLOSING_LINE,
            f"1. It counts them. 2. It names them. 3. It says otherwise.\n{CLOSING_LINE}",
            "\n".join(
                f"{at}. {one}\nVerdict: {bit}"
                for at, (one, bit) in enumerate(zip(STATEMENTS, ("yes", "yes", "no"), strict=True), 1)
            ),
        ],
    )
    async def test_s3_12_every_format_of_the_plan_is_read_in_one_call_without_a_warning(self, text, events):
        reply = await verify(text)
        assert (reply.status, said(reply), len(reply.calls)) == (Status.SCORED, SAID, 1)
        assert [event for event in events() if event[1] == "warning"] == []

    async def test_s3_12_what_had_to_be_mended_is_said(self, events):
        reply = await verify(PLANNED[:-1] + ",]")
        assert said(reply) == SAID
        assert events() == [("verdicts.repaired", "info", 3, 3)]


class TestSuccessCriteria:
    """S3.13: formats old and new, refusals, no score outside [0, 1], and a log that says what happened."""

    @pytest.mark.parametrize("text", [PLANNED, CLOSING_LINE])
    async def test_s3_13_old_and_new_formats_score_alike(self, text):
        judge = LLMJudge("some-model", client=FakeClient(lambda _: text))
        for policy in POLICIES:
            result = await Faithfulness(threshold=0.6, policy=policy, scale="binary").evaluate(CASE, judge)
            assert (result.score, result.outcome) == (pytest.approx(2 / 3), Outcome.PASS)

    @pytest.mark.parametrize(
        "reply",
        [
            *("", "[]", "[" * 5000, '[{"verdict": NaN}]', '[{"id": 1, "verdict": 1'),
            *("no verdicts", "I cannot determine the verdicts.", REFUSED),
            "Final verdict for each statement in order:",
        ],
    )
    async def test_s3_13_no_reply_without_all_verdicts_passes_or_leaves_the_range(self, reply, events):
        judge = LLMJudge("some-model", client=FakeClient(lambda _: reply))
        for policy in POLICIES:
            result = await Faithfulness(threshold=0.0, policy=policy, scale="binary").evaluate(CASE, judge)
            assert result.outcome is not Outcome.PASS
            assert result.score is None or 0.0 <= result.score <= 1.0
            assert result.to_promptfoo()["pass"] is False
        assert "warning" in {level for _, level, _, _ in events()}

    async def test_s3_13_the_log_of_a_single_call_says_as_much(self, events):
        judge = LLMJudge("some-model", client=FakeClient(lambda _: REFUSED))
        reply = await judge.extract_and_verify(ANSWER, CONTEXTS, scale=BINARY)
        assert reply.verdicts.status is Status.REFUSED
        assert events()[0] == ("verdicts.refused", "warning", 0, 0)

    async def test_s3_13_statements_that_a_single_call_left_open_are_logged(self, events):
        rows = [{"statement": STATEMENTS[0], "verdict": "yes"}, {"statement": STATEMENTS[1], "verdict": "perhaps not"}]
        judge = LLMJudge("some-model", client=FakeClient([json.dumps({"statements": rows}), *named("yes")]))
        reply = await judge.extract_and_verify(ANSWER, CONTEXTS, scale=BINARY)
        assert said(reply.verdicts) == [YES, YES]
        assert events()[0] == ("verdicts.mismatch", "warning", 2, 1)
