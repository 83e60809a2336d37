"""What a model has to show before it judges."""

from itertools import permutations

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from magistrate.errors import ConfigurationError
from magistrate.judges.nli import NLIJudge
from magistrate.judges.nli._folder import read_folder
from magistrate.judges.nli._model import EntailmentModel
from magistrate.judges.nli._probes import check_labels, try_out

NAMES = ("entailment", "neutral", "contradiction")


def load(folder, **options):
    model = EntailmentModel(read_folder(folder), **options)
    try_out(model)
    return model


class TestTheLabels:
    @pytest.mark.parametrize("stated", list(permutations(NAMES))[1:], ids=str)
    def test_in_another_order_than_the_models_are_refused(self, make_folder, write_json, stated):
        folder = make_folder(labels=NAMES)
        write_json(folder / "config.json", id2label={str(index): name for index, name in enumerate(stated)})
        with pytest.raises(ConfigurationError, match=r"config\.json: id2label.*order of the model's outputs"):
            NLIJudge(folder)

    def test_of_two_the_wrong_way_round_are_refused(self, make_folder, write_json):
        folder = make_folder(labels=("entailment", "not_entailment"))
        write_json(folder / "config.json", id2label={"0": "not_entailment", "1": "entailment"})
        with pytest.raises(ConfigurationError, match=r"for a sentence that repeats its premise"):
            NLIJudge(folder)

    def test_in_the_models_order_are_taken(self, orchard):
        check_labels(load(orchard))

    def test_are_taken_unchecked_where_that_is_asked_for(self, make_folder, write_json):
        folder = make_folder(labels=("entailment", "not_entailment"))
        write_json(folder / "config.json", id2label={"0": "not_entailment", "1": "entailment"})
        assert NLIJudge(folder, check_labels=False).labels == ("not_entailment", "entailment")

    def test_of_a_model_that_says_the_same_of_everything_are_taken(self, make_folder, spoil):
        folder = make_folder()
        spoil(folder, lambda nodes, logits: nodes.add("Mul", [logits, nodes.constant(np.float32(0))]))
        check_labels(load(folder))

    def test_of_a_model_that_gives_no_numbers_are_taken(self, make_folder, spoil):
        folder = make_folder()
        spoil(folder, lambda nodes, logits: nodes.add("Mul", [logits, nodes.constant(np.float32("nan"))]))
        check_labels(load(folder))


class TestTheOutputs:
    def test_are_logits_or_probabilities(self, orchard, make_folder):
        assert not load(orchard).classifier.normalized
        assert load(make_folder(softmax=True)).classifier.normalized

    def test_that_are_logits_need_not_be_large(self, make_folder, spoil):
        folder = make_folder()
        spoil(folder, lambda nodes, logits: nodes.add("Mul", [logits, nodes.constant(np.float32(0.01))]))
        assert not load(folder).classifier.normalized


class TestTheLength:
    def test_that_the_model_does_not_have_is_found(self, make_folder):
        folder = make_folder(max_tokens=128)
        positions(folder, 60)
        with pytest.raises(ConfigurationError, match=r"up to 128 tokens.*set max_position_embeddings"):
            load(folder)

    def test_that_it_has_is_used(self, make_folder):
        folder = make_folder(max_tokens=60)
        positions(folder, 60)
        assert load(folder).length == 60


class TestBatches:
    def test_that_change_the_results_are_not_made(self, make_folder, spoil):
        folder = make_folder()

        def change(nodes, logits):
            shared = nodes.add("ReduceMean", [logits], axes=[0], keepdims=1)
            return nodes.add("Add", [logits, nodes.add("Mul", [shared, nodes.constant(np.float32(0.01))])])

        spoil(folder, change)
        assert load(folder, batch_size=4).batch_size == 1

    def test_that_change_nothing_are_made(self, orchard):
        assert load(orchard, batch_size=4).batch_size == 4


def positions(folder, size):
    """Give a model a table of positions, as encoders have one."""
    path = folder / "model.onnx"
    model = onnx.load(str(path))
    constants = {"table": np.zeros(size, np.float32), "zero": np.int64(0), "one": np.int64(1)}
    model.graph.initializer.extend(onnx.numpy_helper.from_array(np.asarray(v), k) for k, v in constants.items())
    for node in model.graph.node:
        node.output[:] = ["sound" if name == "logits" else name for name in node.output]
    model.graph.node.extend(
        [
            helper.make_node("Shape", ["input_ids"], ["shape"]),
            helper.make_node("Gather", ["shape", "one"], ["tokens"]),
            helper.make_node("Range", ["zero", "tokens", "one"], ["places"]),
            helper.make_node("Gather", ["table", "places"], ["embedded"]),
            helper.make_node("Cast", ["token_type_ids"], ["types"], to=TensorProto.FLOAT),
            helper.make_node("Mul", ["types", "embedded"], ["placed"]),
            helper.make_node("ReduceMax", ["placed"], ["nothing"], axes=[1], keepdims=1),
            helper.make_node("Add", ["sound", "nothing"], ["logits"]),
        ]
    )
    onnx.save(model, str(path))
