"""All classes of ragas' metrics that ask a model: collections, the older ones, those with a prompt of one's own."""

from __future__ import annotations

import inspect
import itertools
import math
import zlib
from collections.abc import Callable, Mapping
from typing import Any

import ragas.metrics as older
import ragas.metrics.collections as newer
from langchain_openai import ChatOpenAI
from openai import AsyncOpenAI
from ragas.dataset_schema import MultiTurnSample, SingleTurnSample
from ragas.embeddings.base import BaseRagasEmbedding, BaseRagasEmbeddings
from ragas.llms import LangchainLLMWrapper, llm_factory
from ragas.messages import AIMessage, HumanMessage, ToolCall, ToolMessage
from ragas.metrics.base import MetricWithLLM
from ragas.run_config import RunConfig

from magistrate.integrations.ragas import MagistrateLegacyLLM, MagistrateLLM

__all__ = ["collections", "legacy", "with_prompt"]

QUESTION = "Who keeps the lighthouse on Skerry Point, and since when?"
ANSWER = "The lighthouse is kept by two sisters. They took it over in 1974. Their brother winds the clock."
REFERENCE = "Two sisters have kept the lighthouse since 1974. The clock is wound by a neighbour."
CONTEXTS = [
    "The lighthouse on Skerry Point has been kept by two sisters since 1974.",
    "The clock of the lighthouse is wound on Sundays by a neighbour.",
]
RUBRICS = {f"score{level}_description": f"The answer has {level - 1} facts of the passages." for level in range(1, 6)}
TALK = [
    HumanMessage(content="Book the boat to Skerry Point for Monday."),
    AIMessage(content="I look for boats.", tool_calls=[ToolCall(name="boats", args={"day": "Monday"})]),
    ToolMessage(content="The boat leaves at nine."),
    AIMessage(content="The boat at nine is booked."),
    HumanMessage(content="Thank you. Who keeps the lighthouse?"),
    AIMessage(content="Two sisters keep it."),
]
PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="
SAMPLE: dict[str, Any] = {
    "user_input": QUESTION,
    "response": ANSWER,
    "reference": REFERENCE,
    "retrieved_contexts": CONTEXTS,
    "reference_contexts": CONTEXTS,
}
TURNS: dict[str, Any] = {
    "user_input": TALK,
    "reference": "The boat at nine is booked.",
    "reference_topics": ["boats", "lighthouses"],
}
SQL: dict[str, Any] = {
    "response": "SELECT name FROM keepers WHERE year > 1974",
    "reference": "SELECT keepers.name FROM keepers WHERE keepers.year > 1974",
    "reference_contexts": ["Table keepers: name (text), year (integer)"],
}


class _Letters:
    """Embeddings that need no model: how often a text has each of 32 pairs of letters."""

    def vector(self, text: str) -> list[float]:
        counts = [1.0] * 32
        for first, second in itertools.pairwise(text):
            counts[zlib.crc32((first + second).encode()) % 32] += 1
        length = math.sqrt(sum(count * count for count in counts))
        return [count / length for count in counts]


class _New(_Letters, BaseRagasEmbedding):
    def embed_text(self, text: str, **kwargs: Any) -> list[float]:
        return self.vector(text)

    async def aembed_text(self, text: str, **kwargs: Any) -> list[float]:
        return self.vector(text)


class _Old(_Letters, BaseRagasEmbeddings):
    def embed_query(self, text: str) -> list[float]:
        return self.vector(text)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.vector(text) for text in texts]

    async def aembed_query(self, text: str) -> list[float]:
        return self.vector(text)

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        return self.embed_documents(texts)


def collections(side: str, url: str) -> Mapping[str, Callable[[], Any]]:
    """The classes of `ragas.metrics.collections` that take an `llm`: found, so that a new one is run too."""
    client = AsyncOpenAI(base_url=url, max_retries=0)
    llm = llm_factory("gpt-4o", client=client) if side == "theirs" else MagistrateLLM("gpt-4o", api_base=url)
    jobs: dict[str, Callable[[], Any]] = {}
    for name, kind in sorted(vars(newer).items()):
        takes = inspect.signature(kind).parameters if inspect.isclass(kind) and hasattr(kind, "ascore") else {}
        if "llm" not in takes:
            continue
        given: dict[str, Any] = {"llm": llm}
        if "embeddings" in takes:
            given["embeddings"] = _New()
        metric = kind(**given)
        values = {**SAMPLE, "rubrics": RUBRICS, **(TURNS if "Goal" in name or "Topic" in name else {})}
        values |= SQL if name.startswith("SQL") else {}
        if name.startswith("MultiModal"):
            values["retrieved_contexts"] = [*CONTEXTS, PIXEL]
        wanted = inspect.signature(kind.ascore).parameters
        arguments = {key: value for key, value in values.items() if key in wanted}
        jobs[name] = _collection(metric, arguments)
    return jobs


def _collection(metric: Any, arguments: dict[str, Any]) -> Callable[[], Any]:
    async def score() -> Any:
        return (await metric.ascore(**arguments)).value

    return score


_NOT_ASKED = {"MetricWithLLM", "FaithfulnesswithHHEM"}  # a base, and one where a classifier from a hub decides
_LEGACY: Mapping[str, Mapping[str, Any]] = {
    "AspectCritic": {"name": "kind", "definition": "Is the answer kind?"},
    "SimpleCriteriaScore": {"name": "brevity", "definition": "Score 0 to 5 by how brief the answer is."},
}


def legacy(side: str, url: str) -> Mapping[str, Callable[[], Any]]:
    """The classes of `ragas.metrics` that `evaluate()` takes, with the model class that its docs name."""
    if side == "theirs":
        llm: Any = LangchainLLMWrapper(ChatOpenAI(model="gpt-4o", base_url=url, max_retries=0))
    else:
        llm = MagistrateLegacyLLM("gpt-4o", api_base=url)
    jobs: dict[str, Callable[[], Any]] = {}
    for name, kind in sorted(_older().items()):
        metric = kind(**_LEGACY.get(name, {}))
        metric.llm = llm
        if hasattr(metric, "embeddings"):
            metric.embeddings = _Old()
            metric.embeddings.set_run_config(RunConfig())
        if hasattr(metric, "answer_similarity"):
            metric.answer_similarity = older.AnswerSimilarity(embeddings=metric.embeddings)
        columns = dict(metric.required_columns)
        values = {**SAMPLE, **(SQL if "SQL" in name else {})}
        if "InstanceRubrics" in name:
            values["rubrics"] = RUBRICS
        if "MultiModal" in name:
            values["retrieved_contexts"] = [*CONTEXTS, PIXEL]
        turns = "MULTI_TURN" in columns and "SINGLE_TURN" not in columns
        jobs[name] = _legacy(metric, values, turns=turns)
    return jobs


def _older() -> dict[str, type]:
    """The public classes by name; ragas hides them behind a warning until they are imported from their own modules."""
    found: dict[str, type] = {}
    for name, kind in vars(older).items():
        if inspect.isclass(kind) and issubclass(kind, MetricWithLLM) and not inspect.isabstract(kind):
            found[name.lstrip("_")] = kind
    return {name: kind for name, kind in found.items() if name not in _NOT_ASKED}


def _legacy(metric: Any, values: dict[str, Any], *, turns: bool) -> Callable[[], Any]:
    async def score() -> Any:
        if turns:
            return await metric.multi_turn_ascore(MultiTurnSample(**TURNS))
        return await metric.single_turn_ascore(SingleTurnSample(**values))

    return score


def with_prompt(side: str, url: str) -> Mapping[str, Callable[[], Any]]:
    """The classes that take a prompt of the user's."""
    client = AsyncOpenAI(base_url=url, max_retries=0)
    llm = llm_factory("gpt-4o", client=client) if side == "theirs" else MagistrateLLM("gpt-4o", api_base=url)
    discrete = older.DiscreteMetric(
        name="tone", prompt="Is {response} kind? Say yes or no.", allowed_values=["yes", "no"]
    )
    numeric = older.NumericMetric(
        name="brevity", prompt="How brief is {response}? A number from 0 to 1.", allowed_values=(0.0, 1.0)
    )
    ranking = older.RankingMetric(name="order", prompt="Order these: {response}.", allowed_values=3)

    def job(metric: Any) -> Callable[[], Any]:
        async def score() -> Any:
            value = (await metric.ascore(llm=llm, response=ANSWER)).value
            return value if isinstance(value, int | float) else float(zlib.crc32(repr(value).encode()))

        return score

    return {type(metric).__name__: job(metric) for metric in (discrete, numeric, ranking)}
