"""How sure a model was: the probability of a verdict's token, wherever the verdict stands in the reply."""

import asyncio
import math
from types import SimpleNamespace

import pytest

from magistrate.completion.cache import CompletionCache
from magistrate.completion.providers._client import _doubtful
from magistrate.judges.llm import LLMJudge
from magistrate.records import Completion
from magistrate.testing.scripted import FakeClient

STATEMENTS = ["It rains.", "It snows."]


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
    return asyncio.run(judge.verify(STATEMENTS, ["It rains."])).verdicts


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


def test_without_probabilities_nothing_is_known_and_all_the_rest_is_as_ever():
    assert [v.confidence for v in judged(Completion("1. supported\n2. contradicted", "stop"))] == [None, None]


def test_tokens_that_are_all_but_certain_make_a_certain_verdict():
    assert [v.confidence for v in judged(Completion("1. supported\n2. contradicted", "stop", logprobs=()))] == [
        1.0,
        1.0,
    ]


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
