"""Log events of a judge: fixed names and fields, and no text of a case in them; how sure a model was."""

import asyncio
import json
import logging
import math
from types import SimpleNamespace

import pytest

from magistrate.completion.cache import CompletionCache
from magistrate.completion.providers._client import _doubtful
from magistrate.judges import Extract, Grade
from magistrate.judges.llm import LLMJudge
from magistrate.log import current_case
from magistrate.records import Completion
from magistrate.testing import FakeClient

EVENTS = {
    f"verdicts.{name}"
    for name in ("mismatch", "refused", "truncated", "out_of_range", "repaired", "reasked", "context_split")
}
GRADE = Grade("Be fair.", {"answer": "The ferry sails."}, low=0, high=5)
EXTRACT = Extract("The ferry sails.")
STATEMENTS = ("The ferry carries 40 cars.", "The ferry sails at night.", "Tickets are sold on board.")
CONTEXTS = ("The ferry carries 40 cars and sails at noon.",)
WHOLE = '{"token":"{token}","s1":"supported","s2":"contradicted","s3":"not_enough_info"}'
SHORT = '{"token":"{token}","s1":"supported","s2":"contradicted"}'
REST = '{"token":"{token}","s1":"not_enough_info"}'


async def said(replies, caplog):
    caplog.set_level(logging.DEBUG, "magistrate")
    current_case.set("case-7")
    await LLMJudge("some-model", client=FakeClient(replies)).verify(STATEMENTS, CONTEXTS)
    return [record.getMessage() for record in caplog.records if "verdicts." in record.getMessage()]


def fields(line):
    return dict(part.split("=", 1) for part in line.split() if "=" in part)


class TestEvents:
    @pytest.mark.parametrize(
        ("replies", "event", "level"),
        [
            ([SHORT, REST], "verdicts.mismatch", "warning"),
            ([Completion(None, "stop", refusal="No.")], "verdicts.refused", "warning"),
            ([Completion('{"s1":"supp', "length")] * 3, "verdicts.truncated", "warning"),
            ([WHOLE[:-1]], "verdicts.repaired", "info"),
        ],
    )
    async def test_each_has_its_name_and_fields(self, replies, event, level, caplog):
        found = [fields(line) for line in await said(replies, caplog)]
        first = next(line for line in found if line["event"] == event)
        assert (first["level"], first["model"], first["case"], first["expected"]) == (
            level,
            "some-model",
            "case-7",
            "3",
        )
        assert "actual" in first
        assert {line["event"] for line in found} <= EVENTS

    async def test_none_holds_a_text_of_the_case(self, caplog):
        lines = await said([SHORT, Completion("I refuse: ferry", "stop"), REST], caplog)
        assert lines
        assert "ferry" not in json.dumps(lines).casefold()


NUMBER = '{"token":"{token}","score":3}'
LIST = '{"token":"{token}","statements":["The ferry sails."]}'
NO = Completion(None, "stop", refusal="No.")


@pytest.mark.parametrize(
    ("question", "replies", "events"),
    [
        (GRADE, [NUMBER], []),
        (GRADE, ["no number here", NUMBER], ["verdicts.mismatch", "verdicts.reasked"]),
        (GRADE, ['{"token":"{token}","score":9}'] * 3, ["verdicts.out_of_range"]),
        (GRADE, [NO], ["verdicts.refused"]),
        (GRADE, [Completion('{"score": 1', "length")] * 3, ["verdicts.truncated"]),
        (EXTRACT, [LIST], []),
        (EXTRACT, [NO], ["verdicts.refused"]),
        (EXTRACT, [Completion('{"token":"{token}","statements":["The fer', "length")] * 3, ["verdicts.truncated"]),
        (EXTRACT, ["??", LIST], ["verdicts.reasked"]),
    ],
)
async def test_other_questions_have_the_same_events_and_a_grade_counts_as_one_verdict(
    question, replies, events, caplog
):
    caplog.set_level(logging.DEBUG, "magistrate")
    await LLMJudge("some-model", client=FakeClient(replies)).ask(question)
    lines = [fields(record.getMessage()) for record in caplog.records if "verdicts." in record.getMessage()]
    assert set(events) <= {line["event"] for line in lines}
    assert bool(lines) is bool(events)
    assert question is not GRADE or all((line["expected"], line["model"]) == ("1", "some-model") for line in lines)


WEATHER = ["It rains.", "It snows."]


def reply(*pieces):
    """A completion of pieces; one that is a pair is doubtful."""
    text, doubtful = "", []
    for piece in pieces:
        said, chance = piece if isinstance(piece, tuple) else (piece, 1.0)
        if chance < 1.0:
            doubtful.append((len(text), len(text) + len(said), math.log(chance)))
        text += said
    return Completion(text, "stop", model="fake", logprobs=tuple(doubtful))


def judged(completion):
    judge = LLMJudge("fake", client=FakeClient([completion]))
    return asyncio.run(judge.verify(WEATHER, ["It rains."])).verdicts


@pytest.mark.parametrize(
    "completion",
    [
        reply(
            '```json\n{"verdicts": [{"id": "s1", "reason": "it is ', ("supported", 0.1), ', see 1", "verdict": "',
            ("supported", 0.9), '"}, {"id": "s2", "reason": "', ("not", 0.2), ' there", "verdict": "',
            ("not", 0.8), ("_enough_info", 0.75), '"}]}\n```',
        ),
        reply("1. ", ("supported", 0.9), "\n2. ", ("not_enough", 0.8), ("_info", 0.75)),
        reply(
            '{"s1": {"reason": "', ("yes", 0.3), '", "verdict": "', ("supported", 0.9),
            '"}, "s2": {"reason": "no", "verdict": "',
            ("not_enough", 0.6), ("_info", 1.0), '"}}',
        ),
    ],
)  # fmt: skip
def test_the_token_is_that_of_the_verdict_and_not_one_of_the_reason(completion):
    first, second = judged(completion)
    assert first.confidence == pytest.approx(0.9)
    assert second.confidence == pytest.approx(0.6)


@pytest.mark.parametrize(("logprobs", "confidence"), [(None, None), ((), 1.0)], ids=["unknown", "all but certain"])
def test_without_doubtful_tokens(logprobs, confidence):
    found = judged(Completion("1. supported\n2. contradicted", "stop", logprobs=logprobs))
    assert [verdict.confidence for verdict in found] == [confidence] * 2


async def test_a_cache_keeps_them(tmp_path):
    cache = CompletionCache(tmp_path)
    for completion in (reply("1. ", ("supported", 0.9)), Completion("x")):
        await cache.put(str(completion.text), completion, token=None, model="m")
        assert await cache.get(str(completion.text)) == (completion, None)
    cache.close()


@pytest.mark.parametrize(
    ("tokens", "text", "expected"),
    [
        ([("yes", -0.5), (" ok", 0.0)], "yes ok", ((0, 3, -0.5),)),
        ([("yes", 0.0)], "yes", ()),
        ([("yes", -0.5)], "yes ok", None),
        ([("no", -0.5)], "yes", None),
        ([("yes", None)], "yes", None),
        ([], "yes", None),
    ],
)
def test_tokens_that_do_not_make_the_text_say_nothing(tokens, text, expected):
    content = [SimpleNamespace(token=token, logprob=value) for token, value in tokens]
    assert _doubtful(SimpleNamespace(content=content), text) == expected
    assert _doubtful(None, text) is None
