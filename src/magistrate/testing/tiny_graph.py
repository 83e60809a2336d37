"""The ONNX graph of the tiny entailment model: from token ids to logits. The only importer of onnx."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

__all__ = ["Network", "Vocabulary", "export"]

_OPSET = 17
_IR = 9


class Vocabulary(NamedTuple):
    """What the graph is told of each token.

    Attributes:
        content: 1 for a word that says something.
        denial: 1 for a word that denies.
        group: The number of the group a word stands in with others of its kind; 0 for none.
        pad: Id of the padding.
        end: Id of the separator.
    """

    content: tuple[float, ...]
    denial: tuple[float, ...]
    group: tuple[float, ...]
    pad: int
    end: int


class Network(NamedTuple):
    """A hidden layer of tanh and a linear one."""

    first: NDArray[np.float64]
    first_bias: NDArray[np.float64]
    second: NDArray[np.float64]
    second_bias: NDArray[np.float64]


class _Graph:
    """Nodes and constants, named as they come."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def constant(self, value: NDArray[np.generic]) -> str:
        name = f"constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(value, name))
        return name

    def number(self, value: float) -> str:
        return self.constant(np.array(value, dtype=np.float32))

    def node(self, kind: str, *inputs: str, name: str | None = None, **attributes: object) -> str:
        name = name or f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))  # type: ignore[arg-type]
        return name

    def floats(self, name: str) -> str:
        return self.node("Cast", name, to=TensorProto.FLOAT)

    def column(self, name: str, axis: int) -> str:
        return self.node("Unsqueeze", name, self.constant(np.array([axis], dtype=np.int64)))

    def largest(self, name: str, axis: int, *, keep: int = 0) -> str:
        return self.node("ReduceMax", name, axes=[axis], keepdims=keep)

    def total(self, name: str) -> str:
        return self.node("ReduceSum", name, self.constant(np.array([1], dtype=np.int64)), keepdims=1)


def export(
    path: Path,
    network: Network,
    vocabulary: Vocabulary,
    *,
    length: int | None,
    rows: int | None,
    inputs: Sequence[str],
    softmax: bool,
) -> None:
    """Write the graph as a file; the arguments are those of `write_tiny_nli`."""
    graph = _Graph()
    premise, statement = _segments(graph, vocabulary, inputs)
    features = _features(graph, vocabulary, premise, statement)
    hidden = graph.node("Tanh", _layer(graph, features, network.first, network.first_bias))
    logits = _layer(graph, hidden, network.second, network.second_bias)
    graph.node("Softmax" if softmax else "Identity", logits, name="logits")
    shape = [rows or "batch", length or "sequence"]
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "tiny-nli",
            [helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name in inputs],
            [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [rows or "batch", len(network.second_bias)])],
            graph.constants,
        ),
        opset_imports=[helper.make_opsetid("", _OPSET)],
        ir_version=_IR,
        producer_name="magistrate",
    )
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, str(path))


def _segments(graph: _Graph, vocabulary: Vocabulary, inputs: Sequence[str]) -> tuple[str, str]:
    """Which tokens belong to the premise, which to the statement."""
    if "attention_mask" in inputs:
        real = graph.floats("attention_mask")
    else:
        pad = graph.constant(np.array(vocabulary.pad, dtype=np.int64))
        real = graph.floats(graph.node("Not", graph.node("Equal", "input_ids", pad)))
    if "token_type_ids" in inputs:
        second = graph.floats("token_type_ids")
        first = graph.node("Sub", graph.number(1.0), second)
    else:
        end = graph.constant(np.array(vocabulary.end, dtype=np.int64))
        ends = graph.floats(graph.node("Equal", "input_ids", end))
        before = graph.node("CumSum", ends, graph.constant(np.array(1, dtype=np.int64)), exclusive=1)
        first, second = (graph.floats(graph.node("Equal", before, graph.number(count))) for count in (0.0, 1.0))
    return graph.node("Mul", first, real), graph.node("Mul", second, real)


def _features(graph: _Graph, vocabulary: Vocabulary, premise: str, statement: str) -> str:
    """Coverage, whether only one of the two denies, whether the statement has another of a kind: [rows, 3]."""
    content, denial, group = (
        graph.node("Gather", graph.constant(np.array(values, dtype=np.float32)), "input_ids")
        for values in (vocabulary.content, vocabulary.denial, vocabulary.group)
    )
    in_premise = graph.column(premise, 1)

    def shared(values: str) -> str:
        """For each token whether one of the premise has the same value."""
        same = graph.floats(graph.node("Equal", graph.column(values, 2), graph.column(values, 1)))
        return graph.largest(graph.node("Mul", same, in_premise), 2)

    held = shared("input_ids")
    weight = graph.node("Mul", content, statement)
    covered = graph.total(graph.node("Mul", weight, held))
    coverage = graph.node("Div", covered, graph.node("Max", graph.total(weight), graph.number(1e-6)))
    denials = [graph.largest(graph.node("Mul", denial, segment), 1, keep=1) for segment in (premise, statement)]
    denied = graph.node("Abs", graph.node("Sub", *denials))
    grouped = graph.floats(graph.node("Greater", group, graph.number(0.0)))
    missing = graph.node("Sub", graph.number(1.0), held)
    rivals = [grouped, shared(group), missing, statement]
    rival = rivals[0]
    for factor in rivals[1:]:
        rival = graph.node("Mul", rival, factor)
    return graph.node("Concat", coverage, denied, graph.largest(rival, 1, keep=1), axis=1)


def _layer(graph: _Graph, values: str, weights: NDArray[np.float64], bias: NDArray[np.float64]) -> str:
    return graph.node(
        "Gemm", values, graph.constant(weights.astype(np.float32)), graph.constant(bias.astype(np.float32))
    )
