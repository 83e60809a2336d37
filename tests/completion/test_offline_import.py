"""What happens when LiteLLM is loaded, seen from outside: in a process of its own, as it happens once per process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import magistrate

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
    done = subprocess.run(
        [sys.executable, "-W", "error", "script.py"],
        cwd=folder,
        env={**keep, "PYTHONPATH": str(Path(magistrate.__file__).parents[1])},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.stdout, done.stderr, done.returncode) == ("fine\n", "", 0)
