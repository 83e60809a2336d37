"""The plan for promptfoo issue 2468 through a whole judge: what a reply becomes, and which event says so.

The parser's part of it is in tests/parsing/test_seeds.py, the scores are in tests/compat/test_promptfoo_2468.py.
"""

import logging

import pytest
from tests.case_tables import cases_of
from tests.judges.replying import completion, put, question, replies, row_of

from magistrate.case import Case
from magistrate.judges.llm import LLMJudge
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.testing import FakeClient
from magistrate.verdict import Outcome

cases = cases_of(__file__)

ASKED = question(**row_of("S3.7", "a refusal in a field")["given"])
CASE = Case(output=" ".join(ASKED.statements), contexts=ASKED.contexts, statements=ASKED.statements)


async def scored(reply, threshold):
    """What each policy makes of a reply."""
    judge = LLMJudge("some-model", client=FakeClient(lambda _: completion(reply)))
    for policy in ("strict", "promptfoo", "promptfoo-0.123"):
        yield await Faithfulness(threshold=threshold, policy=policy, scale="binary").evaluate(CASE, judge)


@replies("S3.6")
async def test_s3_6_no_statements_make_no_call_and_no_event(row, caplog):
    await put(row, caplog)


@replies("S3.7")
async def test_s3_7_a_refusal_is_a_status_and_an_event(row, caplog):
    await put(row, caplog)


@replies("S3.8")
async def test_s3_8_no_verdicts_are_a_status_and_an_event_and_no_half_score(row, caplog):
    await put(row, caplog)


@replies("S3.9")
async def test_s3_9_a_count_that_does_not_fit_is_logged_and_nothing_cut_or_dealt_out_to_fit(row, caplog):
    await put(row, caplog)


@replies("S3.10")
async def test_s3_10_a_number_off_the_scale_is_no_verdict(row, caplog):
    await put(row, caplog)


@replies("S3.12")
async def test_s3_12_every_format_of_the_plan_is_read_in_one_call_without_a_warning(row, caplog):
    await put(row, caplog)


@replies("S3.13")
async def test_s3_13_the_log_of_a_single_call_says_as_much(row, caplog):
    await put(row, caplog)


@replies("S3.12")
async def test_s3_13_old_and_new_formats_score_alike(row):
    text = row["replies"]
    async for result in scored(text[0] if isinstance(text, list) else text, 0.6):
        assert (result.score, result.outcome) == (pytest.approx(2 / 3), Outcome.PASS)


@cases("seeds: replies without all verdicts")
async def test_s3_13_no_reply_without_all_verdicts_passes_or_leaves_the_range(reply, caplog):
    caplog.set_level(logging.DEBUG, "magistrate")
    async for result in scored(reply, 0.0):
        assert result.outcome is not Outcome.PASS
        assert result.score is None or 0.0 <= result.score <= 1.0
        assert result.to_promptfoo()["pass"] is False
    assert "level=warning event=verdicts." in caplog.text
