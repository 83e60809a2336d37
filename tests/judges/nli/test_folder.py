"""Which files of a folder are read."""

import pytest
from tests.case_tables import cases_of

from magistrate.errors import ConfigurationError
from magistrate.judges.nli._folder import read_folder, read_labels

cases = cases_of(__file__)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "tokenizer.json").write_text("{}", "utf-8")
    (tmp_path / "config.json").write_text('{"model_type": "bert"}', "utf-8")
    return tmp_path


def put(*paths):
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"onnx")


@cases("folder: the model is model onnx or the only one")
def test_the_model_is_model_onnx_or_the_only_one(folder, files, model):
    put(*(folder / name for name in files))
    assert read_folder(folder).model == folder / model


@cases("folder: none is chosen among several or missed in silence")
def test_none_is_chosen_among_several_or_missed_in_silence(folder, files, match):
    put(*(folder / name for name in files))
    with pytest.raises(ConfigurationError, match=match):
        read_folder(folder)


@pytest.mark.parametrize("name", ["model_int8.onnx", "onnx/model_int8.onnx"])
def test_the_model_can_be_given_itself(folder, name):
    put(folder / "model.onnx", folder / name)
    found = read_folder(folder / name)
    assert (found.model, found.path, found.tokenizer) == (folder / name, folder, folder / "tokenizer.json")
    (folder / "onnx").mkdir(exist_ok=True)
    (folder / "onnx" / "tokenizer.json").write_text("{}", "utf-8")
    assert read_folder(folder / name).tokenizer.parent == (folder / name).parent


def test_the_other_files_may_be_missing_save_the_tokenizer(folder):
    put(folder / "model.onnx")
    (folder / "tokenizer_config.json").write_text('{"model_max_length": 128}', "utf-8")
    found = read_folder(folder)
    assert (found.config, found.tokenizer_config) == ({"model_type": "bert"}, {"model_max_length": 128})
    (folder / "config.json").unlink()
    assert read_folder(folder).config == {}
    (folder / "tokenizer.json").unlink()
    with pytest.raises(ConfigurationError, match=r"tokenizer\.json is missing"):
        read_folder(folder)


@pytest.mark.parametrize("text", ["{", "[1]", '"x"', "\x00", "[" * 100_000])
def test_files_that_are_no_json_objects_are_named(folder, text):
    put(folder / "model.onnx")
    (folder / "config.json").write_text(text, "utf-8")
    with pytest.raises(ConfigurationError, match=r"config\.json"):
        read_folder(folder)


@pytest.mark.parametrize("name", ["nowhere", "cross-encoder/nli-deberta-v3-small", ""])
def test_a_path_that_is_no_folder_is_refused_and_nothing_is_downloaded(tmp_path, name):
    with pytest.raises(ConfigurationError, match=r"nothing is downloaded|no ONNX model"):
        read_folder(tmp_path / name)


def test_a_path_may_begin_at_home(folder, monkeypatch):
    put(folder / "model.onnx")
    monkeypatch.setenv("HOME", str(folder.parent))
    assert read_folder(f"~/{folder.name}").path == folder


NAMES = ("entailment", "neutral", "contradiction")


def read(**config):
    return read_labels(config, "config.json")


@cases("folder: three labels are found in any spelling")
def test_three_labels_are_found_in_any_spelling(names):
    labels = read(id2label=names)
    assert (labels.entailment, labels.neutral, labels.contradiction) == (0, 1, 2)


@pytest.mark.parametrize(
    "other", ["not_entailment", "NOT-ENTAILMENT", "non entailment", "neutral", "contradiction", "hallucinated"]
)
def test_two_labels_are_entailment_and_all_else(other):
    labels = read(id2label={"0": other, "1": "entailment"})
    assert (labels.entailment, labels.contradiction, labels.neutral, len(labels.names)) == (1, None, None, 2)


@cases("folder: the other field serves where it does not disagree")
def test_the_other_field_serves_where_it_does_not_disagree(config):
    assert read(**config).entailment == 0


def test_the_fields_must_not_disagree():
    with pytest.raises(ConfigurationError, match=r"config\.json: id2label says .* label2id says"):
        read(id2label=dict(enumerate(NAMES)), label2id={"contradiction": 0, "neutral": 1, "entailment": 2})


@cases("folder: labels that do not tell are refused with file and field")
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
