"""The tiny entailment model: trained on the spot, right on what it was made for."""

import json

import numpy as np
import onnxruntime
import pytest
from tokenizers import Tokenizer

from magistrate.errors import ConfigurationError
from magistrate.testing.tiny_nli import WORDS, write_tiny_nli

PREMISE = "The carter repairs five crates at the river on Tuesday."
CASES = [
    ("The carter repairs five crates.", "entailment"),
    ("The carter repairs five crates at the river.", "entailment"),
    ("The carter never repairs five crates.", "contradiction"),
    ("The carter repairs six crates.", "contradiction"),
    ("The carter repairs five crates on Friday.", "contradiction"),
    ("The picker paints yellow hives at the chapel.", "neutral"),
]


def winner(folder, premise, statement):
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    pair = tokenizer.encode(premise, statement)
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"), providers=["CPUExecutionProvider"])
    columns = {"input_ids": pair.ids, "attention_mask": pair.attention_mask, "token_type_ids": pair.type_ids}
    (logits,) = session.run(None, {name: np.array([column], np.int64) for name, column in columns.items()})
    names = json.loads((folder / "config.json").read_text("utf-8"))["id2label"]
    return names[str(int(logits[0].argmax()))]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_tiny_nli(tmp_path_factory.mktemp("tiny"))


class TestTheModel:
    @pytest.mark.parametrize(("statement", "label"), CASES)
    def test_is_right_on_sentences_of_its_kind(self, folder, statement, label):
        assert winner(folder, PREMISE, statement) == label

    @pytest.mark.parametrize(("statement", "label"), CASES)
    def test_with_two_labels_is_right_too(self, tmp_path, statement, label):
        folder = write_tiny_nli(tmp_path, labels=("not_entailment", "entailment"))
        assert (winner(folder, PREMISE, statement) == "entailment") == (label == "entailment")

    def test_is_the_same_every_time(self, folder, tmp_path):
        again = write_tiny_nli(tmp_path)
        for file in ("model.onnx", "tokenizer.json", "config.json", "tokenizer_config.json"):
            assert (again / file).read_bytes() == (folder / file).read_bytes()

    def test_knows_its_words(self, folder):
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        assert all(tokenizer.token_to_id(word) is not None for word in WORDS)
        assert tokenizer.encode("zebra", add_special_tokens=False).tokens == ["[UNK]"]


def test_labels_that_do_not_tell_are_refused(tmp_path):
    with pytest.raises(ConfigurationError, match="does not tell entailment"):
        write_tiny_nli(tmp_path, labels=("yes", "no"))
