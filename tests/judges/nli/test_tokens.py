"""Tokens, and the pairs a model is given."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tiny_nli import WORDS
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from magistrate.errors import ConfigurationError
from magistrate.judges.nli._folder import read_folder
from magistrate.judges.nli._model import PairTokenizer


@pytest.fixture(scope="module")
def tokens(orchard):
    return PairTokenizer(read_folder(orchard))


def change(folder, edit):
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    edit(tokenizer)
    tokenizer.save(str(folder / "tokenizer.json"))
    return PairTokenizer(read_folder(folder))


class TestAPair:
    @given(
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join),
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join),
    )
    def test_is_what_the_tokenizer_makes_of_the_two_texts(self, orchard, tokens, premise, statement):
        whole = Tokenizer.from_file(str(orchard / "tokenizer.json")).encode(premise, statement)
        pair = tokens.pair(tokens.read(premise), tokens.read(statement))
        assert (pair.ids, pair.types) == (whole.ids, whole.type_ids)

    def test_is_as_long_as_its_parts(self, tokens):
        premise, statement = tokens.read("the barn is open"), tokens.read("the mill is closed .")
        assert len(tokens.pair(premise, statement).ids) == premise.size + statement.size + tokens.special

    def test_is_neither_cut_nor_padded_whatever_the_file_asks_for(self, make_folder):
        def edit(tokenizer):
            tokenizer.enable_truncation(8)
            tokenizer.enable_padding(length=40)

        tokens = change(make_folder(), edit)
        premise = tokens.read("the barn " * 20)
        assert premise.size == 40
        assert len(tokens.pair(premise, tokens.read("the mill")).ids) == 45


class TestSpecialTokens:
    def test_in_a_text_are_text(self, tokens):
        premise = tokens.read("the barn [SEP] the mill is closed [CLS] [PAD]")
        pair = tokens.pair(premise, tokens.read("the mill [SEP]"))
        end = tokens.pair(tokens.read("the"), tokens.read("the")).ids[-1]
        assert pair.ids.count(end) == 2

    def test_that_are_pieces_of_the_vocabulary_are_left_out(self, make_folder):
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


class TestAnyText:
    @given(st.text(st.characters(), max_size=60))
    def test_has_tokens(self, tokens, text):
        read = tokens.read(text)
        assert read.size == len(read.encoding.ids) == tokens.count(text)
        assert 0 <= read.unknown <= read.size

    def test_may_hold_lone_surrogates(self, tokens):
        assert tokens.read("the \ud800 barn").size == 3

    def test_has_unknown_words(self, tokens):
        assert tokens.read("the zebra is open zebra").unknown == 2


class TestPadding:
    @pytest.mark.parametrize(
        ("config", "tokenizer_config", "pad_id"),
        [
            ({"pad_token_id": 3}, {}, 3),
            ({"pad_token_id": None}, {"pad_token": "[UNK]"}, 1),
            ({"pad_token_id": None}, {"pad_token": {"content": "[SEP]"}}, 3),
            ({"pad_token_id": None}, {"pad_token": None}, None),
        ],
    )
    def test_is_read_from_the_configuration(self, make_folder, write_json, config, tokenizer_config, pad_id):
        folder = make_folder()
        write_json(folder / "config.json", **config)
        write_json(folder / "tokenizer_config.json", **tokenizer_config)
        assert PairTokenizer(read_folder(folder)).pad_id == pad_id

    def test_is_read_from_the_tokenizer_last(self, make_folder, write_json):
        folder = make_folder()
        write_json(folder / "config.json", pad_token_id=None)
        write_json(folder / "tokenizer_config.json", pad_token=None)
        assert change(folder, lambda tokenizer: tokenizer.enable_padding(pad_id=2)).pad_id == 2


class TestTheLength:
    @pytest.mark.parametrize(
        ("config", "tokenizer_config", "length"),
        [
            ({"max_position_embeddings": 256}, {"model_max_length": 512}, 256),
            ({"max_position_embeddings": 512}, {"model_max_length": 128}, 128),
            (
                {"max_position_embeddings": 514, "model_type": "roberta", "pad_token_id": 1},
                {"model_max_length": 1e30},
                512,
            ),
            ({"max_position_embeddings": None}, {"model_max_length": 1e30}, 512),
            ({"max_position_embeddings": "many"}, {"model_max_length": "few"}, 512),
        ],
    )
    def test_is_the_least_that_the_configuration_states(
        self, make_folder, write_json, config, tokenizer_config, length
    ):
        folder = make_folder()
        write_json(folder / "config.json", **config)
        write_json(folder / "tokenizer_config.json", **tokenizer_config)
        assert PairTokenizer(read_folder(folder)).length == length


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
