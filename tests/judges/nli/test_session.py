"""The classifier: which graphs it takes. That they judge alike: test_judge.py."""

import onnx
import pytest
from onnx import TensorProto, helper

from magistrate.errors import ConfigurationError, JudgeError
from magistrate.judges.nli._folder import read_folder
from magistrate.judges.nli._model import EntailmentModel

PREMISE = "the gardener sells red apples at the market on monday"
STATEMENT = "the gardener sells red apples"
RUBBISH = (b"", b"spam", b"\x08\x09" * 50)


def load(folder, **options):
    return EntailmentModel(read_folder(folder), **options)


def weigh(model, statement, *premises):
    return model.weigh([model.read(premise) for premise in premises or (PREMISE,)], model.read(statement))


@pytest.fixture(scope="module")
def model(orchard):
    return load(orchard)


class TestEveryShape:
    def test_may_be_padded_on_the_left(self, make_folder, write_json, model):
        folder = make_folder(length=40)
        write_json(folder / "tokenizer_config.json", padding_side="left")
        assert weigh(load(folder), STATEMENT)[0] == pytest.approx(weigh(model, STATEMENT)[0], abs=1e-6)

    def test_may_take_32_bit_ids(self, make_folder, model):
        folder = make_folder()
        retype(folder, TensorProto.INT32)
        assert weigh(load(folder), STATEMENT)[0] == pytest.approx(weigh(model, STATEMENT)[0], abs=1e-6)

    def test_reads_no_more_than_it_is_fixed_at(self, make_folder):
        fixed = load(make_folder(length=40))
        assert fixed.length == 40
        assert fixed.room(fixed.read(STATEMENT)) == 40 - 3 - 5
        assert fixed.longest_statement == 18

    def test_is_batched_only_where_padding_is_told_apart(self, make_folder):
        assert load(make_folder(), batch_size=8).batch_size == 8
        assert load(make_folder(inputs=("input_ids",)), batch_size=8).batch_size == 1
        assert load(make_folder(rows=2), batch_size=8).batch_size == 2


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


def two_outputs(folder):
    path = folder / "model.onnx"
    model = onnx.load(str(path))
    model.graph.output[0].name = "first"
    for name in ("first", "second"):
        model.graph.node.append(helper.make_node("Identity", ["logits"], [name]))
    model.graph.output.append(helper.make_tensor_value_info("second", TensorProto.FLOAT, ["batch", 3]))
    onnx.save(model, str(path))


class TestAGraphThatWillNotDo:
    @pytest.mark.parametrize(
        ("change", "match"),
        [
            (lambda folder: relabel(folder, attention_mask="pixel_values"), "takes the inputs input_ids, pixel_values"),
            (lambda folder: retype(folder, TensorProto.DOUBLE), r"input input_ids is tensor\(double\)"),
            (two_outputs, "has the outputs first, second, and none is called logits"),
            *(
                (lambda folder, c=c: (folder / "model.onnx").write_bytes(c), r"model\.onnx cannot be loaded")
                for c in RUBBISH
            ),
        ],
    )
    def test_is_refused_with_what_is_wrong(self, make_folder, change, match):
        folder = make_folder()
        change(folder)
        with pytest.raises(ConfigurationError, match=match):
            load(folder)

    @pytest.mark.parametrize(
        ("length", "config", "match"),
        [
            (8, {}, "reads 8 tokens, 3 of them special"),
            (40, {"pad_token_id": None}, r"set pad_token_id in config\.json"),
            (
                None,
                {"id2label": {"0": "entailment", "1": "not_entailment"}},
                "output logits has the shape .*3.*, but the labels are 2",
            ),
        ],
    )
    def test_and_one_that_does_not_go_with_its_configuration(self, make_folder, write_json, length, config, match):
        folder = make_folder(length=length)
        write_json(folder / "config.json", **config)
        write_json(folder / "tokenizer_config.json", pad_token=None)
        with pytest.raises(ConfigurationError, match=match):
            load(folder)

    def test_may_call_its_only_output_anything(self, make_folder, model):
        folder = make_folder()
        relabel(folder, logits="output_0")
        assert weigh(load(folder), STATEMENT) == weigh(model, STATEMENT)

    def test_gives_an_output_of_another_shape_than_it_says(self, make_folder, spoil):
        folder = make_folder()
        spoil(folder, lambda nodes, logits: nodes.add("Concat", [logits, logits], axis=0))
        with pytest.raises(JudgeError, match=r"output of shape \(2, 3\), not \(1, 3\)"):
            weigh(load(folder), STATEMENT)
