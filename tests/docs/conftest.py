import os
import shutil
import sys
from pathlib import Path

import pytest

from magistrate.testing import LEARNERS, FaultServer, server

from .stand_in import ROOT

OTHER_PROGRAMS = ("pip", "make", "git", "promptfoo", "opentelemetry-instrument")


@pytest.fixture
def programs(tmp_path_factory, monkeypatch):
    """Our commands on the path, and stand-ins for those of others."""
    folder = tmp_path_factory.mktemp("bin")
    for name in OTHER_PROGRAMS:
        (folder / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" "{ROOT}/tests/docs/stand_in.py" {name} "$@"\n')
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{Path(sys.executable).parent}", prepend=os.pathsep)


@pytest.fixture
def beside_the_examples(tmp_path, monkeypatch, programs):  # noqa: ARG001 - they are on the path
    """A folder with the examples, in which a model's name leads to a server that judges by a rule."""
    shutil.copytree(ROOT / "examples", tmp_path, dirs_exist_ok=True)
    shutil.copy(ROOT / "examples" / "handbook.jsonl", tmp_path / "cases.jsonl")
    monkeypatch.setitem(server._ROUTES, "/openai/deployments/my-deployment/chat/completions", "openai")
    for name in ("OPENAI", "ANTHROPIC", "AZURE"):
        monkeypatch.setenv(f"{name}_API_KEY", "unused")
    with FaultServer(LEARNERS) as model:
        monkeypatch.setenv("OPENAI_BASE_URL", model.openai_url)
        monkeypatch.setenv("ANTHROPIC_API_BASE", model.url)
        monkeypatch.setenv("OLLAMA_API_BASE", model.url)
        monkeypatch.setenv("MODEL_URL", model.url)
        yield tmp_path
