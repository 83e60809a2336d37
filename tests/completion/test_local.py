"""A model file of one's own: what goes wrong before it is served. The real thing is in tests/test_local_llm.py."""

import sys

import pytest

from magistrate.completion._local import CONTEXT_VARIABLE, start_local
from magistrate.errors import ConfigurationError, MissingExtraError
from magistrate.judges.llm import LLMJudge


def test_without_the_extra_the_command_to_install_it_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    (tmp_path / "m.gguf").write_bytes(b"GGUF")
    with pytest.raises(MissingExtraError, match=r'pip install "magistrate-core\[local\]"') as caught:
        LLMJudge(f"local:{tmp_path / 'm.gguf'}")
    assert caught.value.extra == "local"


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ConfigurationError, match=r"no model file .*absent\.gguf"):
        LLMJudge(f"local:{tmp_path / 'absent.gguf'}")


def test_a_variable_that_is_no_number_is_refused(tmp_path, monkeypatch):
    class Params:
        class model:  # noqa: N801 - as xllamacpp names it
            path = ""

    class Library:
        CommonParams = Params

    monkeypatch.setitem(sys.modules, "xllamacpp", Library)
    monkeypatch.setenv(CONTEXT_VARIABLE, "many")
    (tmp_path / "m.gguf").write_bytes(b"GGUF")
    with pytest.raises(ConfigurationError, match=CONTEXT_VARIABLE):
        start_local(str(tmp_path / "m.gguf"))
