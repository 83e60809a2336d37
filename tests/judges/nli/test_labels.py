"""Which output of a model is entailment."""

from itertools import permutations

import pytest

from magistrate.errors import ConfigurationError
from magistrate.judges.nli._folder import name_labels, read_labels

NAMES = ("entailment", "neutral", "contradiction")


def read(**config):
    return read_labels(config, "config.json")


class TestThreeLabels:
    @pytest.mark.parametrize("names", list(permutations(NAMES)), ids=str)
    def test_are_found_in_any_order(self, names):
        labels = read(id2label={str(index): name for index, name in enumerate(names)})
        found = (labels.entailment, labels.neutral, labels.contradiction)
        assert found == tuple(names.index(name) for name in NAMES)
        assert labels.names == names

    @pytest.mark.parametrize(
        "names",
        [
            ("ENTAILMENT", "NEUTRAL", "CONTRADICTION"),
            ("Entailment ", "neutral.", "contradiction (2)"),
            ("entails", "neutral", "contradicts"),
            ("SUPPORTS", "NOT ENOUGH INFO", "REFUTES"),
            ("supported", "not_enough_info", "refuted"),
        ],
    )
    def test_are_found_in_any_spelling(self, names):
        labels = name_labels(names)
        assert (labels.entailment, labels.neutral, labels.contradiction) == (0, 1, 2)

    def test_may_be_numbered_by_integers_out_of_order(self):
        assert read(id2label={2: "entailment", 0: "contradiction", 1: "neutral"}).entailment == 2

    def test_are_ordered_by_number_where_there_are_ten_and_more(self):
        names = {str(index): f"label {index}" for index in range(11)}
        with pytest.raises(ConfigurationError, match=r"'label 9', 'label 10'"):
            read(id2label=names)


class TestTwoLabels:
    @pytest.mark.parametrize(
        "other", ["not_entailment", "NOT-ENTAILMENT", "non entailment", "neutral", "contradiction", "hallucinated"]
    )
    def test_are_entailment_and_all_else(self, other):
        labels = read(id2label={"0": other, "1": "entailment"})
        assert (labels.entailment, labels.contradiction, labels.neutral, len(labels.names)) == (1, None, None, 2)


class TestTheOtherField:
    def test_is_read_where_id2label_is_missing(self):
        assert read(label2id={"not_entailment": 0, "entailment": 1}).entailment == 1

    def test_may_agree(self):
        labels = read(id2label={"0": "entailment", "1": "not_entailment"}, label2id={"entailment": 0, "not": 1})
        assert labels.entailment == 0

    def test_must_not_disagree(self):
        with pytest.raises(ConfigurationError, match=r"config\.json: id2label says .* label2id says"):
            read(
                id2label={"0": "entailment", "1": "neutral", "2": "contradiction"},
                label2id={"contradiction": 0, "neutral": 1, "entailment": 2},
            )

    def test_that_says_nothing_disagrees_with_nothing(self):
        labels = read(id2label={"0": "entailment", "1": "not_entailment"}, label2id={"LABEL_0": 0, "LABEL_1": 1})
        assert labels.entailment == 0


class TestLabelsThatDoNotTell:
    @pytest.mark.parametrize(
        "names",
        [
            {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"},
            {"0": "entailment"},
            {"0": "positive", "1": "negative"},
            {"0": "entailment", "1": "entailment"},
            {"0": "entailment", "1": "entailment", "2": "neutral"},
            {"0": "entailment", "1": "neutral", "2": "LABEL_2"},
            {"0": "neutral", "1": "contradiction"},
            {"0": "entailment", "1": "neutral", "2": "contradiction", "3": "hidden"},
        ],
    )
    def test_are_refused_with_file_and_field(self, names):
        with pytest.raises(ConfigurationError, match=r"config\.json: id2label.*entailment"):
            read(id2label=names)

    @pytest.mark.parametrize(
        "field",
        [
            {"1": "entailment", "2": "neutral"},
            {"0": "entailment", "2": "neutral"},
            {"a": "entailment", "b": "neutral"},
            {},
            "entailment",
            {"0": 1, "1": 2},
            7,
        ],
    )
    def test_are_refused_where_they_are_not_numbered(self, field):
        with pytest.raises(ConfigurationError, match=r"config\.json: id2label"):
            read(id2label=field)

    @pytest.mark.parametrize("field", [[], {"entailment": "x"}, {"entailment": 1}])
    def test_are_refused_in_the_other_field_too(self, field):
        with pytest.raises(ConfigurationError, match=r"config\.json: label2id"):
            read(label2id=field)

    def test_are_missed_by_name(self):
        with pytest.raises(ConfigurationError, match=r"config\.json has no id2label"):
            read(num_labels=3)


def test_a_list_numbers_itself():
    assert read(id2label=["contradiction", "entailment", "neutral"]).entailment == 1
