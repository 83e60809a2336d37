"""A provider that drops the front of a prompt and answers as ever: no verdict of such a reply is believed."""

import asyncio
import itertools
import random

import pytest
from pydantic import BaseModel

from magistrate.judges.llm import LLMJudge
from magistrate.judges.llm.itemized_schema import Rows
from magistrate.records import Completion, Usage
from magistrate.testing import FakeClient, Fault, FaultServer, Oracle
from magistrate.verdict import TERNARY, IssueCode, Status, Verdict

THINGS = ("kiln", "loom", "forge", "press", "lathe", "anvil", "wheel", "bench", "stove", "ladder", "vice", "saw")
WINDOWS = (20, 40, 60, 80, 100, 130, 160, 200, 250, 300, 400)
SIZES = ((1, 1), (1, 3), (3, 2), (6, 5), (12, 5), (30, 8))
"""Sentences of the contexts, and statements."""


def case(sentences, count, seed):
    """Contexts, statements, and the right verdicts: half of them are supported, the others mentioned nowhere."""
    rng = random.Random(f"{sentences}/{count}/{seed}")  # noqa: S311 - texts of a test
    facts = [
        f"The {rng.choice(THINGS)} in hall {at + 1} weighs {rng.randrange(20, 900)} kilos." for at in range(sentences)
    ]
    statements, right = [], []
    for at in range(count):
        if at % 2 == 0:
            statements.append(rng.choice(facts))
            right.append(Verdict.SUPPORTED)
        else:
            statements.append(f"The {rng.choice(THINGS)} in shed {at + 1} was sold in {rng.randrange(1900, 2000)}.")
            right.append(Verdict.NOT_ENOUGH_INFO)
    middle = (sentences + 1) // 2
    contexts = [" ".join(facts[:middle]), " ".join(facts[middle:])]
    return contexts, statements, right


def look_up(statement, passages):
    stated = statement in "\n".join(passages)
    return (Verdict.SUPPORTED if stated else Verdict.NOT_ENOUGH_INFO), "It was looked up in the passages."


ORACLE = Oracle(verdict=look_up)


class Shrinks:
    """A server's fault: a window of so many tokens, for every call."""

    def __init__(self):
        self.window = None
        self.usage = None

    def __call__(self, call):
        del call
        return Fault(window=self.window, usage=self.usage)


@pytest.mark.slow
@pytest.mark.parametrize(
    "usage", [None, (4000, 50), (None, 0)], ids=["counts what it saw", "counts what was sent", "counts nothing"]
)
async def test_no_window_and_no_size_of_a_case_gives_a_wrong_verdict(usage):
    shrinks = Shrinks()
    shrinks.usage = usage
    wrong = judged = cut = 0
    with FaultServer(ORACLE, faults=shrinks, keep=1) as server:
        async with LLMJudge("openai/gpt-4o", api_base=server.openai_url, api_key="k") as judge:
            for window, (sentences, count) in itertools.product(WINDOWS, SIZES):
                shrinks.window = window
                cases = [case(sentences, count, seed) for seed in range(2)]
                replies = await asyncio.gather(*(judge.verify(said, read) for read, said, _ in cases))
                for reply, (_, _, right) in zip(replies, cases, strict=True):
                    wrong += sum(
                        found.verdict is not None and found.verdict is not truth
                        for found, truth in zip(reply, right, strict=True)
                    )
                    judged += sum(found.verdict is not None for found in reply)
                    cut += reply.status is Status.CONTEXT_TRUNCATED
    assert wrong == 0
    assert judged > 100
    assert cut > len(WINDOWS) * len(SIZES) // 2


@pytest.mark.parametrize("window", [25, 60])
async def test_the_other_questions_notice_it_too(window):
    answer = " ".join(f"The {thing} in hall {at} weighs {at + 20} kilos." for at, thing in enumerate(THINGS))
    with FaultServer(ORACLE, faults=lambda _: Fault(window=window, usage=(None, 0))) as server:
        async with LLMJudge("openai/gpt-4o", api_base=server.openai_url, api_key="k") as judge:
            extracted = await judge.extract(answer)
            graded = await judge.grade("How long is it?", {"answer": answer}, low=0, high=20)
            single = await judge.extract_and_verify(answer, [answer])
    assert (extracted.status, tuple(extracted)) == (Status.CONTEXT_TRUNCATED, ())
    assert (graded.status, graded.value) == (Status.CONTEXT_TRUNCATED, None)
    assert single.verdicts.status is Status.CONTEXT_TRUNCATED


async def test_a_judge_that_was_careless_with_the_token_once_is_asked_again():
    contexts, statements, right = case(3, 2, 0)
    with FaultServer(ORACLE, faults=lambda call: Fault(window=40) if call.number == 1 else None) as server:
        async with LLMJudge("openai/gpt-4o", api_base=server.openai_url, api_key="k") as judge:
            reply = await judge.verify(statements, contexts, scale=TERNARY)
    assert [found.verdict for found in reply] == right
    assert [call.status for call in reply.calls] == ["head_unseen", "ok"]


class TestAPromptOfTheCallersOwn:
    """It carries no token; what the provider counts is the one sign."""

    LONG = "Sum up what the harbour master wrote in the log of that year. " * 60

    class Summary(BaseModel):
        text: str

    @pytest.mark.parametrize(("counted", "cut"), [(150, True), (900, False), (None, False)])
    async def test_gives_nothing_where_the_provider_saw_too_little_of_it(self, counted, cut):
        rows = Rows("texts", ("one", "two"), None, "text", entry=lambda _: {"type": "string"})
        said = Completion('{"text":"Calm.","texts":{"1":"a","2":"b"}}', "stop", usage=Usage(1, 0, counted, 9))
        judge = LLMJudge("m", client=FakeClient(lambda _: said))
        replies = [
            await judge.structured(self.LONG, self.Summary),
            await judge.structured(self.LONG, {"type": "object", "properties": {}}, rows=rows),
            await judge.text(self.LONG),
        ]
        for reply in replies:
            assert reply.status is (Status.CONTEXT_TRUNCATED if cut else Status.SCORED)
            assert len(reply.calls) == 1
            assert (reply.value is None) or not cut
        assert all(IssueCode.CONTEXT_TRUNCATED in {issue.code for issue in reply.issues} for reply in replies) is cut
