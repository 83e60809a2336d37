"""Which files of a folder are read."""

import pytest

from magistrate.errors import ConfigurationError
from magistrate.judges.nli._folder import read_folder


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "tokenizer.json").write_text("{}", "utf-8")
    (tmp_path / "config.json").write_text('{"model_type": "bert"}', "utf-8")
    return tmp_path


def put(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"onnx")
    return path


class TestTheModelFile:
    def test_is_model_onnx(self, folder):
        model = put(folder / "model.onnx")
        put(folder / "model_quantized.onnx")
        put(folder / "onnx" / "model.onnx")
        assert read_folder(folder).model == model

    def test_or_model_onnx_in_the_folder_onnx(self, folder):
        model = put(folder / "onnx" / "model.onnx")
        put(folder / "onnx" / "model_int8.onnx")
        assert read_folder(folder).model == model

    @pytest.mark.parametrize("name", ["model_quantized.onnx", "onnx/model_int8.onnx", "policy.onnx"])
    def test_or_the_only_one_there_is(self, folder, name):
        model = put(folder / name)
        assert read_folder(folder).model == model

    def test_is_not_chosen_among_several(self, folder):
        put(folder / "model_int8.onnx")
        put(folder / "onnx" / "model_fp16.onnx")
        with pytest.raises(ConfigurationError, match=r"model_int8\.onnx, .*model_fp16\.onnx.*give the path"):
            read_folder(folder)

    @pytest.mark.parametrize("name", ["model_int8.onnx", "onnx/model_int8.onnx"])
    def test_can_be_given_itself(self, folder, name):
        put(folder / "model.onnx")
        model = put(folder / name)
        found = read_folder(model)
        assert (found.model, found.path) == (model, folder)

    def test_may_have_its_tokenizer_beside_it_in_a_folder_called_onnx(self, folder):
        model = put(folder / "onnx" / "model.onnx")
        (folder / "onnx" / "tokenizer.json").write_text("{}", "utf-8")
        assert read_folder(model).tokenizer == folder / "onnx" / "tokenizer.json"

    def test_is_missed_by_name(self, folder):
        with pytest.raises(ConfigurationError, match=r"no ONNX model.*model\.onnx"):
            read_folder(folder)


class TestTheOtherFiles:
    def test_are_read(self, folder):
        put(folder / "model.onnx")
        (folder / "tokenizer_config.json").write_text('{"model_max_length": 128}', "utf-8")
        found = read_folder(folder)
        assert found.config == {"model_type": "bert"}
        assert found.tokenizer_config == {"model_max_length": 128}

    def test_may_be_missing_save_the_tokenizer(self, folder):
        put(folder / "model.onnx")
        (folder / "config.json").unlink()
        assert read_folder(folder).config == {}
        (folder / "tokenizer.json").unlink()
        with pytest.raises(ConfigurationError, match=r"tokenizer\.json is missing"):
            read_folder(folder)

    @pytest.mark.parametrize("text", ["{", "[1]", '"x"', "\x00", "[" * 100_000])
    def test_that_are_no_json_objects_are_named(self, folder, text):
        put(folder / "model.onnx")
        (folder / "config.json").write_text(text, "utf-8")
        with pytest.raises(ConfigurationError, match=r"config\.json"):
            read_folder(folder)


class TestAPathThatIsNoFolder:
    @pytest.mark.parametrize("name", ["nowhere", "cross-encoder/nli-deberta-v3-small", ""])
    def test_is_refused_and_nothing_is_downloaded(self, tmp_path, name):
        with pytest.raises(ConfigurationError, match=r"nothing is downloaded|no ONNX model"):
            read_folder(tmp_path / name)

    def test_may_begin_at_home(self, folder, monkeypatch):
        put(folder / "model.onnx")
        monkeypatch.setenv("HOME", str(folder.parent))
        assert read_folder(f"~/{folder.name}").path == folder
