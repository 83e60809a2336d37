"""What each fault of a provider comes to: a right verdict, with so many calls, or a status that says why not."""

import random

import pytest

from magistrate.completion.budget import Budget
from magistrate.completion.retry import RetryPolicy
from magistrate.judges.llm import LLMJudge
from magistrate.testing import FAULTS, FaultServer
from magistrate.verdict import IssueCode, Status, Verdict

KEY = "sk-test-a-very-secret-key-1234"
CONTEXT = "The ferry leaves at seven."


async def judged(name, *, once=False, seconds=20, prices=None):
    def fault(call):
        return None if once and call.number > 1 else FAULTS[name](random.Random(1))  # noqa: S311 - a fault

    retry = RetryPolicy(attempts=2, limited_attempts=2, base=0.01, longest=0.02)
    with FaultServer(faults=fault) as server:
        async with LLMJudge(
            "openai/own",
            api_base=server.openai_url,
            api_key=KEY,
            retry=retry,
            timeout=seconds,
            prices=prices,
            budget=Budget(max_cost=1.0) if prices else None,
        ) as judge:
            reply = await judge.verify([CONTEXT], [CONTEXT])
    assert "litellm" not in " ".join(issue.message for issue in reply.issues).casefold()
    assert "Traceback" not in repr(reply)
    assert KEY not in repr(reply)
    return reply


@pytest.mark.parametrize(
    "name",
    [
        *("unknown-end", "second-tool-call", "key-echoed", "usage-missing", "usage-negative", "usage-words"),
        *("token-placeholder", "token-left-out", "missing-bracket", "single-quotes", "fence-with-prose"),
        *("trailing-comma", "thinking"),
    ],
)
async def test_read_as_it_is(name):
    reply = await judged(name)
    assert ([one.verdict for one in reply], reply.usage.calls) == ([Verdict.SUPPORTED], 1)
    without = IssueCode.TOKEN_MISSING in {issue.code for issue in reply.issues}
    assert without is name.startswith("token-")


@pytest.mark.parametrize(
    "name",
    [
        *("throttled-400", "null-message", "broken-off", "content-parts", "answer-in-reasoning"),
        *("429", "500", "503", "529", "truncated-length", "truncated-stop"),
    ],
)
async def test_mended_by_another_call(name):
    reply = await judged(name, once=True)
    assert [one.verdict for one in reply] == [Verdict.SUPPORTED]
    assert reply.usage.calls == 2


@pytest.mark.parametrize(
    ("name", "seconds"),
    [
        ("redirect", 20),
        ("too-large", 20),
        ("gzip-bomb", 20),
        ("drip", 0.1),
        ("null-message", 20),
        ("content-parts", 20),
    ],
)
async def test_given_up_with_a_reason(name, seconds):
    reply = await judged(name, seconds=seconds)
    assert (reply.status, [one.verdict for one in reply]) == (Status.JUDGE_ERROR, [None])
    assert reply.issues[0].message


@pytest.mark.parametrize("name", ["usage-missing", "usage-negative"])
async def test_usage_that_cannot_be_is_unknown_and_so_is_the_cost(name):
    reply = await judged(name, prices=(2.5, 10.0))
    assert reply.usage.cost is None
    assert reply.usage.prompt_tokens is None
