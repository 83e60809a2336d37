"""The classifier: pairs in, probabilities out, whatever shape the graph has."""

import math

import numpy as np
import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper

from magistrate.errors import ConfigurationError, JudgeError
from magistrate.judges.nli._folder import read_folder
from magistrate.judges.nli._model import EntailmentModel

PREMISE = "the gardener sells red apples at the market on monday"
STATEMENTS = [
    "the gardener sells red apples",
    "the gardener sells green apples",
    "the gardener never sells red apples",
    "the lodger paints the chapel",
]


def load(folder, **options):
    return EntailmentModel(read_folder(folder), **options)


def weigh(model, statement, *premises):
    return model.weigh([model.read(premise) for premise in premises or (PREMISE,)], model.read(statement))


@pytest.fixture(scope="module")
def model(orchard):
    return load(orchard)


class TestProbabilities:
    @pytest.mark.parametrize("statement", STATEMENTS)
    def test_add_up_to_one(self, model, statement):
        (row,) = weigh(model, statement)
        assert math.fsum(row) == pytest.approx(1, abs=1e-12)
        assert all(0 <= value <= 1 for value in row)

    def test_tell_entailment_from_the_rest(self, model):
        winners = [max(range(3), key=lambda i, row=row: row[i]) for (row,) in (weigh(model, s) for s in STATEMENTS)]
        assert winners == [0, 2, 2, 1]

    def test_are_a_softmax_in_64_bits(self, model):
        pair = model.pair(model.read(PREMISE), model.read(STATEMENTS[0]))
        logits = model.classifier.outputs([pair])[0]
        expected = [math.exp(value - max(logits)) for value in logits]
        assert weigh(model, STATEMENTS[0])[0] == pytest.approx([e / math.fsum(expected) for e in expected], abs=1e-15)

    def test_of_a_model_that_gives_probabilities_are_taken_as_they_are(self, make_folder, model):
        own = load(make_folder(softmax=True))
        own.classifier.normalized = True
        for statement in STATEMENTS:
            assert weigh(own, statement)[0] == pytest.approx(weigh(model, statement)[0], abs=1e-6)


SHAPES = {
    "fixed-tokens": {"length": 40},
    "fixed-rows": {"rows": 1},
    "fixed-tokens-and-rows": {"length": 48, "rows": 4},
    "no-token-types": {"inputs": ("input_ids", "attention_mask")},
    "no-mask": {"inputs": ("input_ids", "token_type_ids"), "length": 40},
    "ids-alone": {"inputs": ("input_ids",)},
    "other-order": {"inputs": ("token_type_ids", "attention_mask", "input_ids")},
}


class TestEveryShape:
    @pytest.mark.parametrize("shape", SHAPES)
    def test_gives_the_same_probabilities(self, make_folder, model, shape):
        other = load(make_folder(**SHAPES[shape]), batch_size=4)
        for statement in STATEMENTS:
            premises = [PREMISE, "the barn is open", "the gardener paints nine jars ."][: other.batch_size]
            rows = weigh(other, statement, *premises)
            assert rows == [pytest.approx(row, abs=1e-6) for row in weigh(model, statement, *premises)]

    def test_may_be_padded_on_the_left(self, make_folder, write_json, model):
        folder = make_folder(length=40)
        write_json(folder / "tokenizer_config.json", padding_side="left")
        assert weigh(load(folder), STATEMENTS[0])[0] == pytest.approx(weigh(model, STATEMENTS[0])[0], abs=1e-6)

    def test_may_take_32_bit_ids(self, make_folder, model):
        folder = make_folder()
        retype(folder, TensorProto.INT32)
        assert weigh(load(folder), STATEMENTS[0])[0] == pytest.approx(weigh(model, STATEMENTS[0])[0], abs=1e-6)

    def test_reads_no_more_than_it_is_fixed_at(self, make_folder):
        fixed = load(make_folder(length=40))
        assert fixed.length == 40
        assert fixed.room(fixed.read(STATEMENTS[0])) == 40 - 3 - 5
        assert fixed.longest_statement == 18

    def test_is_batched_only_where_padding_is_told_apart(self, make_folder):
        assert load(make_folder(), batch_size=8).batch_size == 8
        assert load(make_folder(inputs=("input_ids",)), batch_size=8).batch_size == 1
        assert load(make_folder(rows=2), batch_size=8).batch_size == 2


class TestABatch:
    @settings(deadline=None)
    @given(
        st.lists(
            st.sampled_from([PREMISE, "the barn is open .", "the gardener sells apples ."]), min_size=1, max_size=6
        )
    )
    def test_gives_each_pair_what_it_gets_alone(self, model, premises):
        for statement in STATEMENTS:
            together = weigh(model, statement, *premises)
            alone = [weigh(model, statement, premise)[0] for premise in premises]
            assert together == [pytest.approx(row, abs=1e-6) for row in alone]


class TestNumbersThatAreNone:
    def test_are_no_probabilities(self, make_folder, spoil, model):
        hives = model.read("hives").encoding.ids[0]
        folder = make_folder()

        def change(nodes, logits):
            found = nodes.add("Cast", [nodes.holds(hives)], to=TensorProto.BOOL)
            return nodes.add("Where", [found, nodes.constant(np.float32("nan")), logits])

        spoil(folder, change)
        rows = weigh(load(folder), STATEMENTS[0], PREMISE, "the beekeeper counts hives")
        assert rows[0] is not None
        assert rows[1] is None


class TestAModelThatFails:
    def test_says_so_for_that_batch(self, make_folder, spoil, model):
        hives = model.read("hives").encoding.ids[0]
        folder = make_folder()
        spoil(folder, lambda nodes, logits: fails_on(nodes, logits, hives))
        loaded = load(folder)
        assert weigh(loaded, STATEMENTS[0])[0] is not None
        with pytest.raises(JudgeError, match=r"model\.onnx failed: "):
            weigh(loaded, STATEMENTS[0], "the beekeeper counts hives")


def fails_on(nodes, logits, token):
    """A lookup behind the end of a table, where a row holds a token."""
    far = nodes.add("Mul", [nodes.holds(token), nodes.constant(np.float32(9))])
    place = nodes.add("Cast", [far], to=TensorProto.INT64)
    zero = nodes.add("Gather", [nodes.constant(np.zeros(2, np.float32)), place])
    return nodes.add("Add", [logits, zero])


def retype(folder, kind, name="input_ids"):
    """Let a graph take another type for an input."""
    path = folder / "model.onnx"
    model = onnx.load(str(path))
    (node,) = [node for node in model.graph.input if node.name == name]
    node.type.tensor_type.elem_type = kind
    for user in model.graph.node:
        user.input[:] = ["wide_ids" if used == name else used for used in user.input]
    model.graph.node.insert(0, helper.make_node("Cast", [name], ["wide_ids"], to=TensorProto.INT64))
    onnx.save(model, str(path))


def relabel(folder, **changes):
    """Change the names of inputs and outputs."""
    path = folder / "model.onnx"
    model = onnx.load(str(path))
    for node in (*model.graph.input, *model.graph.output):
        node.name = changes.get(node.name, node.name)
    for node in model.graph.node:
        node.input[:] = [changes.get(name, name) for name in node.input]
        node.output[:] = [changes.get(name, name) for name in node.output]
    onnx.save(model, str(path))


class TestAGraphThatWillNotDo:
    def test_has_inputs_that_nobody_knows(self, make_folder):
        folder = make_folder()
        relabel(folder, attention_mask="pixel_values")
        with pytest.raises(ConfigurationError, match=r"takes the inputs input_ids, pixel_values, token_type_ids"):
            load(folder)

    def test_has_inputs_of_another_kind(self, make_folder):
        folder = make_folder()
        retype(folder, TensorProto.DOUBLE)
        with pytest.raises(ConfigurationError, match=r"input input_ids is tensor\(double\)"):
            load(folder)

    def test_has_other_numbers_of_labels(self, make_folder, write_json):
        folder = make_folder()
        write_json(folder / "config.json", id2label={"0": "entailment", "1": "not_entailment"})
        with pytest.raises(ConfigurationError, match=r"output logits has the shape .*3.*, but the labels are 2"):
            load(folder)

    def test_has_several_outputs_and_none_called_logits(self, make_folder):
        folder = make_folder()
        path = folder / "model.onnx"
        model = onnx.load(str(path))
        model.graph.output[0].name = "first"
        for name in ("first", "second"):
            model.graph.node.append(helper.make_node("Identity", ["logits"], [name]))
        model.graph.output.append(helper.make_tensor_value_info("second", TensorProto.FLOAT, ["batch", 3]))
        onnx.save(model, str(path))
        with pytest.raises(ConfigurationError, match=r"has the outputs first, second, and none is called logits"):
            load(folder)

    def test_may_call_its_only_output_anything(self, make_folder, model):
        folder = make_folder()
        relabel(folder, logits="output_0")
        assert weigh(load(folder), STATEMENTS[0]) == weigh(model, STATEMENTS[0])

    def test_gives_an_output_of_another_shape_than_it_says(self, make_folder, spoil):
        folder = make_folder()
        spoil(folder, lambda nodes, logits: nodes.add("Concat", [logits, logits], axis=0))
        with pytest.raises(JudgeError, match=r"output of shape \(2, 3\), not \(1, 3\)"):
            weigh(load(folder), STATEMENTS[0])

    def test_is_fixed_and_nothing_says_what_to_pad_with(self, make_folder, write_json):
        folder = make_folder(length=40)
        write_json(folder / "config.json", pad_token_id=None)
        write_json(folder / "tokenizer_config.json", pad_token=None)
        with pytest.raises(ConfigurationError, match=r"set pad_token_id in config\.json"):
            load(folder)

    def test_is_fixed_at_too_few_tokens(self, make_folder):
        with pytest.raises(ConfigurationError, match=r"reads 8 tokens, 3 of them special"):
            load(make_folder(length=8))

    @pytest.mark.parametrize("content", [b"", b"spam", b"\x08\x09" * 50])
    def test_is_no_graph(self, make_folder, content):
        folder = make_folder()
        (folder / "model.onnx").write_bytes(content)
        with pytest.raises(ConfigurationError, match=r"model\.onnx cannot be loaded"):
            load(folder)
