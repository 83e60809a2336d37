"""A model's judge over HTTP, against a server that plays the model."""

from contextlib import asynccontextmanager

from magistrate.completion.retry import RetryPolicy
from magistrate.judges.llm import LLMJudge
from magistrate.testing import FaultServer

RETRY = RetryPolicy(base=0.01, longest=0.02)


def judge_of(server, model="openai/own", **options):
    base = server.openai_url if model.startswith(("gpt", "openai")) else server.url
    return LLMJudge(model, **{"api_base": base, "api_key": "unused", "retry": RETRY, **options})


@asynccontextmanager
async def served(model="openai/own", *, serve=(), **options):
    """A judge with these options and its server, made with the options `serve`."""
    with FaultServer(**dict(serve)) as server:
        async with judge_of(server, model, **options) as judge:
            yield judge, server


def verdicts_of(reply):
    return [verdict.verdict for verdict in reply]
