"""Which files of a folder are read, and what its configuration says of the labels."""

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


def put(folder, *names):
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"onnx")


@cases("folder: the model is the one that is given or model onnx or the only one")
def test_the_model_is_the_one_that_is_given_or_model_onnx_or_the_only_one(folder, files, given, model):
    put(folder, *files)
    found = read_folder(folder / given)
    assert (found.model, found.path, found.tokenizer) == (folder / model, folder, folder / "tokenizer.json")


def test_a_tokenizer_beside_the_model_that_is_given_goes_before(folder):
    put(folder, "onnx/model_int8.onnx", "onnx/tokenizer.json")
    assert read_folder(folder / "onnx/model_int8.onnx").tokenizer == folder / "onnx/tokenizer.json"


@cases("folder: none is chosen among several or missed in silence or downloaded")
def test_none_is_chosen_among_several_or_missed_in_silence_or_downloaded(folder, files, given, match):
    put(folder, *files)
    with pytest.raises(ConfigurationError, match=match):
        read_folder(folder / given)


def test_the_other_files_may_be_missing_save_the_tokenizer(folder, monkeypatch):
    monkeypatch.setenv("HOME", str(folder.parent))
    put(folder, "model.onnx")
    (folder / "tokenizer_config.json").write_text('{"model_max_length": 128}', "utf-8")
    found = read_folder(f"~/{folder.name}")
    assert (found.config, found.tokenizer_config) == ({"model_type": "bert"}, {"model_max_length": 128})
    (folder / "config.json").unlink()
    assert read_folder(folder).config == {}
    (folder / "tokenizer.json").unlink()
    with pytest.raises(ConfigurationError, match=r"tokenizer\.json is missing"):
        read_folder(folder)


@pytest.mark.parametrize("text", ["{", "[1]", '"x"', "\x00", "[" * 100_000])
def test_files_that_are_no_json_objects_are_named(folder, text):
    put(folder, "model.onnx")
    (folder / "config.json").write_text(text, "utf-8")
    with pytest.raises(ConfigurationError, match=r"config\.json"):
        read_folder(folder)


@cases("folder: labels are found in any spelling and in either field")
def test_labels_are_found_in_any_spelling_and_in_either_field(config, places):
    labels = read_labels(config, "config.json")
    assert [labels.entailment, labels.neutral, labels.contradiction] == places
    assert len(labels.names) == (2 if places[1] is None else 3)


@cases("folder: labels that do not tell are refused with file and field")
def test_labels_that_do_not_tell_are_refused_with_file_and_field(config, match):
    with pytest.raises(ConfigurationError, match=rf"config\.json.*{match}"):
        read_labels(config, "config.json")
