"""All classes of DeepEval's metrics that ask a model: for one turn, for conversations, images, an arena and graphs."""

from __future__ import annotations

import inspect
import random
import zlib
from collections.abc import Callable, Mapping
from typing import Any

from deepeval import metrics
from deepeval.metrics.community.citation_faithfulness.citation_faithfulness import CitationFaithfulnessMetric
from deepeval.metrics.conversational_dag import ConversationalBinaryJudgementNode, ConversationalVerdictNode
from deepeval.metrics.dag import BinaryJudgementNode, DeepAcyclicGraph, NonBinaryJudgementNode, TaskNode, VerdictNode
from deepeval.models import GPTModel
from deepeval.test_case import (
    ArenaTestCase,
    Contestant,
    ConversationalTestCase,
    LLMTestCase,
    MCPServer,
    MCPToolCall,
    MLLMImage,
    MultiTurnParams,
    SingleTurnParams,
    ToolCall,
    Turn,
)
from mcp.types import CallToolResult

from magistrate.integrations.deepeval import MagistrateModel

__all__ = ["every_class"]

_PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
_TOOLS = [
    ToolCall(name="boats", description="Looks for boats.", input_parameters={"day": "Monday"}, output="one at nine"),
    ToolCall(name="booking", description="Books a boat.", input_parameters={"hour": 9}, output="booked"),
]
_PASSAGES = [
    "The lighthouse on Skerry Point has been kept by two sisters since 1974.",
    "The clock of the lighthouse is wound on Sundays by a neighbour.",
]
_SERVER = {
    "server_name": "harbour",
    "available_tools": [{"name": "boats", "description": "Looks for boats.", "inputSchema": {"type": "object"}}],
}
_CALL = {
    "name": "boats",
    "args": {"day": "Monday"},
    "result": CallToolResult(content=[], structuredContent={"result": "one at nine"}),
}
_TRACE = {
    "name": "agent",
    "type": "agent",
    "input": "Book a boat.",
    "output": "It is booked.",
    "children": [
        {"name": "boats", "type": "tool", "input": {"day": "Monday"}, "output": "one at nine", "children": []}
    ],
}
_GIVEN: Mapping[str, Any] = {
    "name": "Plainness",
    "criteria": "Is the answer plain?",
    "evaluation_steps": ["Is it short?", "Is it clear?"],
    "role": "guide",
    "domain": "travel",
    "advice_types": ["medical"],
    "prompt_instructions": ["Answer in two sentences.", "Do not guess."],
    "available_tools": _TOOLS,
    "relevant_topics": ["boats", "lighthouses"],
    "task": "Book a boat.",
    "assessment_questions": ["Do sisters keep the lighthouse?", "Is it on Skerry Point?"],
}
_NO_SCORE_OF_A_MODEL = {
    "JevEval": "asks no LLM",
    "ConversationalJevEval": "asks no LLM",
    "AudioGlitchMetric": "the signal decides, the model writes the reason",
    "JsonCorrectnessMetric": "a schema decides, the model writes the reason",
}


def every_class(side: str, url: str) -> Mapping[str, Callable[[], Any]]:
    """The classes of `deepeval.metrics` that take a `model`: found, so that a new one is run too."""
    judge = GPTModel("gpt-4o", base_url=url) if side == "theirs" else MagistrateModel("gpt-4o", api_base=url)
    jobs: dict[str, Callable[[], Any]] = {}
    named = {name: getattr(metrics, name) for name in metrics.__all__}
    for name, kind in sorted({**named, "CitationFaithfulnessMetric": CitationFaithfulnessMetric}.items()):
        takes = inspect.signature(kind).parameters if inspect.isclass(kind) else {}
        if "model" not in takes or name in _NO_SCORE_OF_A_MODEL:
            continue
        jobs[name] = _job(kind, {"model": judge, **{key: _GIVEN[key] for key in takes if key in _GIVEN}})
    return jobs


def _job(kind: type, given: dict[str, Any]) -> Callable[[], Any]:
    name = kind.__name__
    talks = issubclass(kind, metrics.BaseConversationalMetric)
    if "evaluation_params" in inspect.signature(kind).parameters and name != "ToolCorrectnessMetric":
        given["evaluation_params"] = (
            [MultiTurnParams.CONTENT, MultiTurnParams.ROLE]
            if talks
            else [SingleTurnParams.INPUT, SingleTurnParams.ACTUAL_OUTPUT]
        )
    if name in {"GEval", "ConversationalGEval", "ArenaGEval"}:
        del given["criteria"]
    if name.endswith("DAGMetric"):
        given["dag"] = _conversation_graph() if talks else _graph()

    async def score() -> Any:
        random.seed(11)  # the arena hides its contestants behind names drawn by chance
        metric = kind(**given)
        case = _arena() if name == "ArenaGEval" else _talk(name) if talks else _case(name)
        value = await metric.a_measure(case, **({} if name == "ArenaGEval" else {"_show_indicator": False}))
        return value if isinstance(value, int | float) else float(zlib.crc32(repr(value).encode()))

    return score


def _graph() -> Any:
    task = TaskNode(
        instructions="Name the keepers.",
        output_label="keepers",
        evaluation_params=[SingleTurnParams.ACTUAL_OUTPUT],
        children=[
            NonBinaryJudgementNode(
                criteria="How many are they?",
                children=[VerdictNode(verdict="one", score=2), VerdictNode(verdict="two", score=10)],
            )
        ],
    )
    return DeepAcyclicGraph(
        root_nodes=[
            BinaryJudgementNode(
                criteria="Does it name keepers?",
                children=[VerdictNode(verdict=False, child=task), VerdictNode(verdict=True, child=task)],
                evaluation_params=[SingleTurnParams.ACTUAL_OUTPUT],
            )
        ]
    )


def _conversation_graph() -> Any:
    return DeepAcyclicGraph(
        root_nodes=[
            ConversationalBinaryJudgementNode(
                criteria="Is the boat booked?",
                children=[
                    ConversationalVerdictNode(verdict=False, score=0),
                    ConversationalVerdictNode(verdict=True, score=10),
                ],
                evaluation_params=[MultiTurnParams.CONTENT],
            )
        ]
    )


def _case(name: str) -> LLMTestCase:
    image = MLLMImage(dataBase64=_PIXEL, mimeType="image/png") if name.startswith(("Image", "TextToImage")) else ""
    asked = f"Show the lighthouse. {image}" if name == "ImageEditingMetric" else "Who keeps the lighthouse?"
    answer = f"Here it is. {image}" if image else "Two sisters keep it [1]. They took it over in 1974 [2]."
    case = LLMTestCase(
        input=asked,
        actual_output=f"{image}" if name in {"TextToImageMetric", "ImageEditingMetric"} else answer,
        expected_output="Two sisters have kept it since 1974. A neighbour winds the clock.",
        context=_PASSAGES,
        retrieval_context=_PASSAGES,
        tools_called=_TOOLS,
        expected_tools=_TOOLS[:1],
        mcp_servers=[MCPServer(**_SERVER)] if name.startswith("MCP") else None,
        mcp_tools_called=[MCPToolCall(**_CALL)] if name.startswith("MCP") else None,
    )
    case._trace_dict = _TRACE  # noqa: SLF001 - what DeepEval's tracing leaves there
    return case


def _talk(name: str) -> ConversationalTestCase:
    mcp = "MCP" in name
    answer = {"retrieval_context": _PASSAGES, "tools_called": _TOOLS}
    turns = [
        Turn(role="user", content="Book the boat to Skerry Point for Monday."),
        Turn(role="assistant", content="The boat at nine is booked.", **answer),
        Turn(
            role="user",
            content="Who keeps the lighthouse there?",
            provider_transcript="Who keeps the light house there?",
        ),
        Turn(role="assistant", content="Two sisters keep it, since 1974.", **answer),
    ]
    if mcp:
        turns[1].mcp_tools_called = [MCPToolCall(**_CALL)]
    return ConversationalTestCase(
        turns=turns,
        scenario="A guest asks for a boat.",
        expected_outcome="The boat is booked. The guest knows who keeps the lighthouse.",
        chatbot_role="a guide",
        mcp_servers=[MCPServer(**_SERVER)] if mcp else None,
    )


def _arena() -> ArenaTestCase:
    return ArenaTestCase(
        contestants=[
            Contestant(name=name, test_case=LLMTestCase(input="Who keeps the lighthouse?", actual_output=output))
            for name, output in (("first", "Two sisters keep it."), ("second", "I think a family does, or did."))
        ]
    )
