"""A tiny entailment model of an orchard, in every shape that models come in."""

import json

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from tests.tiny_nli import edited, write_tiny_nli

from magistrate.judges.nli import NLIJudge


@pytest.fixture(scope="session")
def orchard(tmp_path_factory):
    """The folder of the model as it comes; tests that change one make their own with `make_folder`."""
    return write_tiny_nli(tmp_path_factory.mktemp("orchard"))


@pytest.fixture(scope="session")
def judge(orchard):
    """The judge with windows of one sentence."""
    return NLIJudge(orchard, window_sentences=1)


@pytest.fixture
def make_folder(tmp_path):
    """Write a model of another shape."""

    def make(name="model", **options):
        return write_tiny_nli(tmp_path / name, **options)

    return make


@pytest.fixture
def make_judge(make_folder):
    """Write a model of another shape and load it, with windows of one sentence."""

    def make(folder=None, *, name="model", judge=(), **options):
        return NLIJudge(folder or make_folder(name, **options), **{"window_sentences": 1, **dict(judge)})

    return make


@pytest.fixture
def write_json():
    """Change fields of a JSON file; a field set to None is taken out."""

    def write(path, **fields):
        value = json.loads(path.read_text("utf-8")) | fields
        path.write_text(json.dumps({key: field for key, field in value.items() if field is not None}), "utf-8")

    return write


@pytest.fixture
def spoiled(make_folder):
    """A folder whose model has nodes behind its logits: `change(nodes, logits)` adds them and names the new output."""

    def make(change, **options):
        folder = make_folder(**options)
        with edited(folder) as graph:
            for node in graph.node:
                node.output[:] = ["sound" if name == "logits" else name for name in node.output]
            nodes = Nodes(graph)
            nodes.add("Identity", [change(nodes, "sound")], output="logits")
        onnx.checker.check_model(onnx.load(str(folder / "model.onnx")))
        return folder

    return make


class Nodes:
    """Adds nodes to a graph."""

    def __init__(self, graph):
        self._graph = graph

    def add(self, kind, inputs, *, output=None, **attributes):
        name = output or f"added_{len(self._graph.node)}"
        self._graph.node.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def constant(self, value):
        name = f"added_constant_{len(self._graph.initializer)}"
        self._graph.initializer.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def holds(self, token):
        """Whether a row holds a token: 0.0 or 1.0, [rows, 1]."""
        same = self.add("Equal", ["input_ids", self.constant(np.int64(token))])
        return self.add("ReduceMax", [self.add("Cast", [same], to=TensorProto.FLOAT)], axes=[1], keepdims=1)
