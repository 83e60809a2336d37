"""The classifier: which graphs it takes. That they judge alike: test_judge.py."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import TensorProto, helper
from tests.case_tables import cases_of
from tests.tiny_nli import WORDS, edited
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from magistrate.errors import ConfigurationError, JudgeError
from magistrate.judges.nli import NLIJudge
from magistrate.judges.nli._folder import read_folder
from magistrate.judges.nli._model import EntailmentModel, PairTokenizer
from magistrate.judges.nli._probes import check_labels, try_out

cases = cases_of(__file__)

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

    def test_may_take_32_bit_ids_and_call_its_only_output_anything(self, make_folder, model):
        folder = make_folder()
        retype(folder, TensorProto.INT32)
        relabel(folder, logits="output_0")
        assert weigh(load(folder), STATEMENT)[0] == pytest.approx(weigh(model, STATEMENT)[0], abs=1e-6)

    @pytest.mark.parametrize(("shape", "size"), [({}, 8), ({"inputs": ("input_ids",)}, 1), ({"rows": 2}, 2)])
    def test_is_batched_only_where_padding_is_told_apart(self, make_folder, shape, size):
        assert load(make_folder(**shape), batch_size=8).batch_size == size


def retype(folder, kind, name="input_ids"):
    """Let a graph take another type for an input."""
    with edited(folder) as graph:
        (node,) = [node for node in graph.input if node.name == name]
        node.type.tensor_type.elem_type = kind
        for user in graph.node:
            user.input[:] = ["wide_ids" if used == name else used for used in user.input]
        graph.node.insert(0, helper.make_node("Cast", [name], ["wide_ids"], to=TensorProto.INT64))


def relabel(folder, **changes):
    """Change the names of inputs and outputs."""
    with edited(folder) as graph:
        for node in (*graph.input, *graph.output):
            node.name = changes.get(node.name, node.name)
        for node in graph.node:
            node.input[:] = [changes.get(name, name) for name in node.input]
            node.output[:] = [changes.get(name, name) for name in node.output]


def two_outputs(folder):
    with edited(folder) as graph:
        graph.output[0].name = "first"
        for name in ("first", "second"):
            graph.node.append(helper.make_node("Identity", ["logits"], [name]))
        graph.output.append(helper.make_tensor_value_info("second", TensorProto.FLOAT, ["batch", 3]))


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

    @cases("model: and one that does not go with its configuration")
    def test_and_one_that_does_not_go_with_its_configuration(self, make_folder, write_json, length, config, match):
        folder = make_folder(length=length)
        write_json(folder / "config.json", **config)
        write_json(folder / "tokenizer_config.json", pad_token=None)
        with pytest.raises(ConfigurationError, match=match):
            load(folder)

    def test_gives_an_output_of_another_shape_than_it_says(self, spoiled):
        folder = spoiled(lambda nodes, logits: nodes.add("Concat", [logits, logits], axis=0))
        with pytest.raises(JudgeError, match=r"output of shape \(2, 3\), not \(1, 3\)"):
            weigh(load(folder), STATEMENT)


@pytest.fixture(scope="module")
def tokens(orchard):
    return PairTokenizer(read_folder(orchard))


def change(folder, edit):
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    edit(tokenizer)
    tokenizer.save(str(folder / "tokenizer.json"))
    return PairTokenizer(read_folder(folder))


TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join)


class TestAPair:
    @given(TEXTS, TEXTS)
    def test_is_what_the_tokenizer_makes_of_the_two_texts(self, orchard, tokens, premise, statement):
        whole = Tokenizer.from_file(str(orchard / "tokenizer.json")).encode(premise, statement)
        pair = tokens.pair(tokens.read(premise), tokens.read(statement))
        assert (pair.ids, pair.type_ids) == (whole.ids, whole.type_ids)

    def test_is_neither_cut_nor_padded_whatever_the_file_asks_for(self, make_folder):
        def edit(tokenizer):
            tokenizer.enable_truncation(8)
            tokenizer.enable_padding(length=40)

        tokens = change(make_folder(), edit)
        premise = tokens.read("the barn " * 20)
        assert premise.size == 40
        assert len(tokens.pair(premise, tokens.read("the mill")).ids) == 45

    def test_has_no_special_tokens_of_a_text_that_are_pieces_of_the_vocabulary(self, make_folder):
        def edit(tokenizer):
            pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "▁the", "▁mill", "▁"]
            tokenizer.model = models.Unigram([(piece, -1.0) for piece in pieces], unk_id=1)
            tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
            tokenizer.normalizer = None
            tokenizer.post_processor = processors.TemplateProcessing(
                single="[CLS] $A [SEP]",
                pair="[CLS] $A [SEP] $B:1 [SEP]:1",
                special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
            )

        tokens = change(make_folder(), edit)
        assert 3 not in tokens.read("the [SEP] mill").encoding.ids
        assert tokens.pair(tokens.read("the [SEP] mill"), tokens.read("mill")).ids.count(3) == 2


@cases("model: padding and length are read from the configuration")
def test_padding_and_length_are_read_from_the_configuration(make_folder, write_json, config, tokenizer_config, told):
    folder = make_folder()
    write_json(folder / "config.json", **config)
    write_json(folder / "tokenizer_config.json", **tokenizer_config)
    tokens = PairTokenizer(read_folder(folder))
    assert {name: getattr(tokens, name) for name in told} == told


def test_padding_is_read_from_the_tokenizer_last(make_folder, write_json):
    folder = make_folder()
    write_json(folder / "config.json", pad_token_id=None)
    write_json(folder / "tokenizer_config.json", pad_token=None)
    assert change(folder, lambda tokenizer: tokenizer.enable_padding(pad_id=2)).pad_id == 2


class TestATokenizerThatWillNotDo:
    def test_is_one_that_puts_nothing_between_the_texts(self, make_folder, write_json):
        folder = make_folder()
        write_json(folder / "tokenizer.json", post_processor=None)
        with pytest.raises(ConfigurationError, match=r"tokenizer\.json: post_processor"):
            PairTokenizer(read_folder(folder))

    @pytest.mark.parametrize("text", ["", "{}", "spam"])
    def test_is_one_that_cannot_be_read(self, make_folder, text):
        folder = make_folder()
        (folder / "tokenizer.json").write_text(text, "utf-8")
        with pytest.raises(ConfigurationError, match=r"tokenizer\.json is no tokenizer"):
            PairTokenizer(read_folder(folder))


def tried(folder, **options):
    model = load(folder, **options)
    try_out(model)
    return model


def scaled(factor):
    return lambda nodes, logits: nodes.add("Mul", [logits, nodes.constant(np.float32(factor))])


class TestTheLabels:
    NAMES = ("entailment", "neutral", "contradiction")

    @pytest.mark.parametrize("stated", list(permutations(NAMES))[1:], ids=str)
    def test_in_another_order_than_the_models_are_refused(self, make_folder, write_json, stated):
        folder = make_folder(labels=self.NAMES)
        write_json(folder / "config.json", id2label={str(index): name for index, name in enumerate(stated)})
        with pytest.raises(ConfigurationError, match=r"config\.json: id2label.*order of the model's outputs"):
            NLIJudge(folder)

    def test_of_two_the_wrong_way_round_are_refused_unless_they_are_not_to_be_checked(self, make_folder, write_json):
        folder = make_folder(labels=("entailment", "not_entailment"))
        write_json(folder / "config.json", id2label={"0": "not_entailment", "1": "entailment"})
        with pytest.raises(ConfigurationError, match=r"for a sentence that repeats its premise"):
            NLIJudge(folder)
        assert NLIJudge(folder, check_labels=False).labels == ("not_entailment", "entailment")

    @pytest.mark.parametrize("factor", [0, "nan"])
    def test_of_a_model_that_says_the_same_of_everything_or_no_number_are_taken(self, spoiled, factor):
        check_labels(tried(spoiled(scaled(factor))))


class TestWhatIsTriedOut:
    def test_outputs_that_are_logits_need_not_be_large(self, spoiled):
        assert not tried(spoiled(scaled(0.01))).normalized

    @pytest.mark.parametrize("stated", [60, 128])
    def test_a_length_that_the_model_does_not_have_is_found(self, spoiled, stated):
        def place(nodes, logits):
            """As encoders have it: a table of positions, here of 60."""
            zero, one = nodes.constant(np.int64(0)), nodes.constant(np.int64(1))
            tokens = nodes.add("Gather", [nodes.add("Shape", ["input_ids"]), one])
            table = [nodes.constant(np.zeros(60, np.float32)), nodes.add("Range", [zero, tokens, one])]
            types = nodes.add("Cast", ["token_type_ids"], to=TensorProto.FLOAT)
            placed = nodes.add("Mul", [types, nodes.add("Gather", table)])
            return nodes.add("Add", [logits, nodes.add("ReduceMax", [placed], axes=[1], keepdims=1)])

        folder = spoiled(place, max_tokens=stated)
        if stated == 60:
            assert tried(folder).length == 60
        else:
            with pytest.raises(ConfigurationError, match=r"up to 128 tokens.*set max_position_embeddings"):
                tried(folder)

    def test_batches_that_change_the_results_are_not_made(self, spoiled):
        def mix(nodes, logits):
            shared = nodes.add("ReduceMean", [logits], axes=[0], keepdims=1)
            return nodes.add("Add", [logits, nodes.add("Mul", [shared, nodes.constant(np.float32(0.01))])])

        assert tried(spoiled(mix), batch_size=4).batch_size == 1
