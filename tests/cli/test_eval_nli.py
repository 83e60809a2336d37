"""`magistrate eval --model nli:FOLDER`: an entailment model in a folder, no call, no key."""

import pytest
from tests.tiny_nli import write_tiny_nli

from magistrate.evaluation.runs.run import load_run
from magistrate.verdict import Verdict

SUPPORTED = {"answer": "the red apple is ripe", "contexts": ["the red apple is ripe"]}


@pytest.fixture
def folder(tmp_path):
    pytest.importorskip("onnxruntime")
    return write_tiny_nli(tmp_path / "model")


class TestRun:
    def test_the_model_judges_and_says_how_sure_it_is(self, magistrate, dataset, folder):
        said = magistrate("eval", dataset([SUPPORTED]), "--model", f"nli:{folder}", "--run", "r")
        assert said.code == 0, said.err
        [result] = load_run("r")
        [verdict] = result.verdicts
        assert verdict.verdict is Verdict.SUPPORTED
        assert verdict.probability >= 0.7
        assert result.usage.calls == 0


class TestErrors:
    def test_a_folder_that_holds_no_model_is_named(self, magistrate, dataset, tmp_path):
        said = magistrate("eval", dataset([SUPPORTED]), "--model", f"nli:{tmp_path / 'empty'}")
        assert said.code == 2
        assert "empty" in said.err

    @pytest.mark.parametrize("option", [("--api-base", "http://127.0.0.1:9"), ("--model-arg", "seed=7")])
    def test_what_only_a_call_can_use_is_refused(self, magistrate, dataset, folder, option):
        said = magistrate("eval", dataset([SUPPORTED]), "--model", f"nli:{folder}", *option)
        assert said.code == 2
        assert option[0] in said.err
