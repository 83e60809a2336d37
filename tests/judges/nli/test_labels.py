"""Which output of a model is entailment."""

from itertools import permutations

import pytest

from magistrate.errors import ConfigurationError
from magistrate.judges.nli._folder import read_labels

NAMES = ("entailment", "neutral", "contradiction")


def read(**config):
    return read_labels(config, "config.json")


@pytest.mark.parametrize("names", list(permutations(NAMES)), ids=str)
def test_three_labels_are_found_in_any_order(names):
    labels = read(id2label={str(index): name for index, name in enumerate(names)})
    found = (labels.entailment, labels.neutral, labels.contradiction)
    assert (labels.names, found) == (names, tuple(names.index(name) for name in NAMES))


@pytest.mark.parametrize(
    "names",
    [
        ["ENTAILMENT", "NEUTRAL", "CONTRADICTION"],
        ["Entailment ", "neutral.", "contradiction (2)"],
        ["entails", "neutral", "contradicts"],
        ["SUPPORTS", "NOT ENOUGH INFO", "REFUTES"],
        {2: "refuted", 0: "supported", 1: "not_enough_info"},
    ],
)
def test_three_labels_are_found_in_any_spelling(names):
    labels = read(id2label=names)
    assert (labels.entailment, labels.neutral, labels.contradiction) == (0, 1, 2)


@pytest.mark.parametrize(
    "other", ["not_entailment", "NOT-ENTAILMENT", "non entailment", "neutral", "contradiction", "hallucinated"]
)
def test_two_labels_are_entailment_and_all_else(other):
    labels = read(id2label={"0": other, "1": "entailment"})
    assert (labels.entailment, labels.contradiction, labels.neutral, len(labels.names)) == (1, None, None, 2)


@pytest.mark.parametrize(
    "config",
    [
        {"label2id": {"not_entailment": 1, "entailment": 0}},
        {"id2label": {"0": "entailment", "1": "not_entailment"}, "label2id": {"entailment": 0, "not": 1}},
        {"id2label": {"0": "entailment", "1": "not_entailment"}, "label2id": {"LABEL_0": 0, "LABEL_1": 1}},
    ],
)
def test_the_other_field_serves_where_it_does_not_disagree(config):
    assert read(**config).entailment == 0


def test_the_fields_must_not_disagree():
    with pytest.raises(ConfigurationError, match=r"config\.json: id2label says .* label2id says"):
        read(id2label=dict(enumerate(NAMES)), label2id={"contradiction": 0, "neutral": 1, "entailment": 2})


@pytest.mark.parametrize(
    "field",
    [
        ["LABEL_0", "LABEL_1", "LABEL_2"],
        ["entailment"],
        ["positive", "negative"],
        ["entailment", "entailment"],
        ["entailment", "entailment", "neutral"],
        ["entailment", "neutral", "LABEL_2"],
        ["neutral", "contradiction"],
        [*NAMES, "hidden"],
        {"1": "entailment", "2": "neutral"},
        {"0": "entailment", "2": "neutral"},
        {"a": "entailment", "b": "neutral"},
        {},
        "entailment",
        {"0": 1, "1": 2},
        7,
    ],
)
def test_labels_that_do_not_tell_are_refused_with_file_and_field(field):
    with pytest.raises(ConfigurationError, match=r"config\.json: id2label"):
        read(id2label=field)


@pytest.mark.parametrize("field", [[], {"entailment": "x"}, {"entailment": 1}])
def test_so_are_those_of_the_other_field(field):
    with pytest.raises(ConfigurationError, match=r"config\.json: label2id"):
        read(label2id=field)


def test_labels_that_are_missing_are_named():
    with pytest.raises(ConfigurationError, match=r"config\.json has no id2label"):
        read(num_labels=3)
