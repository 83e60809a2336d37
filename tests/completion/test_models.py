"""What a model name means, by LiteLLM's own map."""

import os
import pickle

import pytest
from tests.case_tables import cases_of

from magistrate.completion.models import KNOWN, RetiredModelWarning, resolve_model
from magistrate.errors import ConfigurationError, UnknownModelError

cases = cases_of(__file__)


class TestNames:
    @cases("models: claude 3 haiku is the retired model and a warning names its successor")
    def test_claude_3_haiku_is_the_retired_model_and_a_warning_names_its_successor(self, name):
        with pytest.warns(RetiredModelWarning, match="claude-haiku-4-5") as caught:
            model = resolve_model(name, api_key="k")
        assert model.name == "anthropic/claude-3-haiku-20240307"
        assert len(caught) == 1

    @pytest.mark.filterwarnings("ignore::magistrate.completion.models.RetiredModelWarning")
    @cases("models: a name means a model of a provider")
    def test_a_name_means_a_model_of_a_provider(self, name, address, found):
        model = resolve_model(name, api_base=address, api_key="k")
        assert (model.requested, model.name, model.provider, model.api_base) == (name, *found, address)

    def test_a_blank_name_is_refused(self):
        with pytest.raises(ConfigurationError, match="needs a name"):
            resolve_model("  ")


class TestUnknownNames:
    def test_a_misspelt_name_fails_with_the_nearest_names(self):
        with pytest.raises(UnknownModelError, match="gpt-4o") as caught:
            resolve_model("gtp-4o")
        assert "gpt-4o" in pickle.loads(pickle.dumps(caught.value)).suggestions

    @cases("models: a name as ollama has it or a class suggests that first")
    def test_a_name_as_ollama_has_it_or_a_class_suggests_that_first(self, name, meant):
        with pytest.raises(UnknownModelError) as caught:
            resolve_model(name)
        assert caught.value.suggestions[0] == meant

    def test_an_unknown_provider_fails_too_without_a_banner(self, capfd):
        with pytest.raises(UnknownModelError, match="nowhere/gpt-4o"):
            resolve_model("nowhere/gpt-4o")
        assert capfd.readouterr().out == ""


class TestKeys:
    @pytest.mark.parametrize("held", [None, "", " "])  # a secret that CI does not have is a blank variable there
    def test_a_missing_key_names_the_variable(self, monkeypatch, held):
        if held is not None:
            monkeypatch.setenv("OPENAI_API_KEY", held)
        with pytest.raises(ConfigurationError, match="set the environment variable OPENAI_API_KEY"):
            resolve_model("gpt-4o")

    def test_a_given_key_is_enough_and_is_not_shown(self):
        model = resolve_model("gpt-4o", api_key="very-secret-key")
        assert model.api_key == "very-secret-key"
        assert "very-secret-key" not in repr(model)

    def test_a_server_of_ones_own_needs_none(self):
        model = resolve_model("gpt-4o", api_base="http://127.0.0.1:1/v1")
        assert model.api_key


class TestSeveralWaysIn:
    @pytest.fixture(autouse=True)
    def _no_way(self, monkeypatch):
        for name in [name for name in os.environ if name.startswith(("AWS", "AZURE", "WATSONX", "WX"))]:
            monkeypatch.delenv(name)

    @cases("models: without any the variable is named")
    def test_without_any_the_variable_is_named(self, name, variable):
        with pytest.raises(ConfigurationError, match=variable):
            resolve_model(name, params=["max_tokens"])

    def test_one_is_enough(self, monkeypatch):
        assert resolve_model("azure/d", api_key="k").provider == "azure"
        assert resolve_model("azure/d", params=["azure_ad_token"]).provider == "azure"
        monkeypatch.setenv("AZURE_CLIENT_ID", "me")
        assert resolve_model("azure/d").provider == "azure"

    def test_aws_is_asked_for_its_own_before_the_first_call(self, monkeypatch, tmp_path):
        pytest.importorskip("botocore")
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        with pytest.raises(ConfigurationError, match="AWS_SECRET_ACCESS_KEY"):
            resolve_model("bedrock/anthropic.claude-3-haiku-20240307-v1:0")
        monkeypatch.setenv("AWS_BEARER_TOKEN_BEDROCK", "b")
        assert resolve_model("bedrock/anthropic.claude-3-haiku-20240307-v1:0").provider == "bedrock"

    def test_a_package_that_is_missing_is_named(self, monkeypatch):
        monkeypatch.setitem(KNOWN["packages"], "vertex_ai", ["no.such.module", "google-auth"])
        with pytest.raises(ConfigurationError, match="pip install google-auth"):
            resolve_model("vertex_ai/gemini-2.5-pro")
