"""LiteLLM is loaded quietly: what is called to warm it up is no call of the user's."""

import os
import sys
import time
from pathlib import Path

import pytest
from tests.running import ran

import magistrate
from magistrate.completion._local import CONTEXT_VARIABLE, start_local
from magistrate.completion.providers._library import library, prepare_streams
from magistrate.errors import ConfigurationError, MissingExtraError
from magistrate.judges.llm import LLMJudge

HEARS = ("input_callback", "success_callback", "failure_callback")


@pytest.fixture
def heard(monkeypatch):
    litellm = library()
    found = []

    def hearing(name):
        return lambda *_, **__: found.append(name)

    for name in HEARS:
        monkeypatch.setattr(litellm, name, [hearing(name)])
    library.cache_clear()
    prepare_streams.cache_clear()
    yield found
    library.cache_clear()


def called(litellm):
    litellm.completion(model="gpt-4o", messages=[{"role": "user", "content": "hello"}], mock_response="hello")


def until(condition):
    end = time.monotonic() + 10
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()


def test_who_has_registered_hears_nothing_of_the_calls_that_warm_it_up(heard):
    prepare_streams()
    called(library())  # what it makes in a thread comes in order: this one is heard, and was made last
    assert until(lambda: "success_callback" in heard)
    assert sorted(heard) == ["input_callback", "success_callback"]


def test_who_has_registered_stays_registered(heard):
    del heard
    before = {name: list(getattr(library(), name)) for name in HEARS}
    prepare_streams()
    assert {name: list(getattr(library(), name)) for name in HEARS} == before


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


SCRIPT = """
import os, socket, sys, warnings

class Blocked(socket.socket):
    def connect(self, address):
        seen.append(address)
        raise OSError("the network is closed")
    connect_ex = connect

seen = []
socket.socket = Blocked
def no_names(*args, **kwargs):
    seen.append(args)
    raise OSError("the network is closed")
socket.getaddrinfo = no_names

import magistrate, magistrate.judges.llm, magistrate.testing
assert not {"litellm", "instructor", "tenacity", "openai"} & set(sys.modules), "loaded before a model was named"

filters = list(warnings.filters)
from magistrate.judges.llm import LLMJudge
judge = LLMJudge("gpt-4o", api_key="unused")
assert "litellm" in sys.modules and "instructor" in sys.modules
assert os.environ["LITELLM_OFFLINE_MODE"] == "true" and os.environ["LITELLM_MODE"] == "PRODUCTION"
assert list(warnings.filters) == filters, "the warning filters were changed"
assert seen == [], f"a connection was tried: {seen}"
assert "FROM_DOTENV" not in os.environ, "a .env was read"
print("fine")
"""


@pytest.mark.slow
def test_no_connection_is_tried_no_env_file_is_read_and_nothing_is_printed(tmp_path):
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    for place in (tmp_path, tmp_path / "a", folder):
        (place / ".env").write_text("FROM_DOTENV=1\nOPENAI_API_KEY=from-dotenv\n")
    (folder / "script.py").write_text(SCRIPT)
    keep = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "HOME") if name in os.environ}
    keep["PYTHONPATH"] = str(Path(magistrate.__file__).parents[1])
    done = ran(sys.executable, "-W", "error", "script.py", cwd=folder, env=keep, timeout=300)
    assert (done.stdout, done.stderr, done.returncode) == ("fine\n", "", 0)
