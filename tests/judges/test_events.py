"""Log events of a judge: fixed names and fields, and no text of a case in them; how sure a model was."""

import logging
import math
from types import SimpleNamespace

import pytest
from tests.case_tables import cases_of
from tests.judges.replying import put, replies

from magistrate.completion.providers._client import _doubtful
from magistrate.judges.llm import LLMJudge
from magistrate.log import current_case
from magistrate.records import Completion
from magistrate.testing import FakeClient

cases = cases_of(__file__)


@replies("events")
async def test_each_has_its_level_and_counts(row, caplog):
    await put(row, caplog)


async def test_each_names_the_model_and_the_case_and_holds_no_text_of_it(caplog):
    caplog.set_level(logging.DEBUG, "magistrate")
    current_case.set("case-7")
    client = FakeClient(
        ['{"token":"{token}","s1":"supported"}', "I refuse: ferry", '{"token":"{token}","s1":"supported"}']
    )
    await LLMJudge("some-model", client=client).verify(["The ferry sails.", "The ferry is red."], ["The ferry sails."])
    lines = [record.getMessage() for record in caplog.records if "verdicts." in record.getMessage()]
    assert lines
    assert all(" model=some-model " in line and " case=case-7" in line for line in lines)
    assert "ferry" not in caplog.text.casefold()


def reply(*pieces):
    """A completion of pieces; one that is a pair is doubtful."""
    text, doubtful = "", []
    for piece in pieces:
        said, chance = (piece, 1.0) if isinstance(piece, str) else piece
        if chance < 1.0:
            doubtful.append((len(text), len(text) + len(said), math.log(chance)))
        text += said
    return Completion(text, "stop", model="fake", logprobs=tuple(doubtful))


async def confidences(completion):
    judge = LLMJudge("fake", client=FakeClient([completion]))
    return [verdict.confidence for verdict in await judge.verify(["It rains.", "It snows."], ["It rains."])]


@cases("events: pieces of a reply")
async def test_the_token_is_that_of_the_verdict_and_not_one_of_the_reason(pieces):
    assert await confidences(reply(*pieces)) == pytest.approx([0.9, 0.6])


@pytest.mark.parametrize(("logprobs", "confidence"), [(None, None), ((), 1.0)], ids=["unknown", "all but certain"])
async def test_without_doubtful_tokens(logprobs, confidence):
    completion = Completion("1. supported\n2. contradicted", "stop", logprobs=logprobs)
    assert await confidences(completion) == [confidence] * 2


@cases("events: tokens and what they say")
def test_tokens_that_do_not_make_the_text_say_nothing(tokens, text, expected):
    content = [SimpleNamespace(token=token, logprob=value) for token, value in tokens]
    assert _doubtful(SimpleNamespace(content=content), text) == (
        None if expected is None else tuple(map(tuple, expected))
    )
    assert _doubtful(None, text) is None
