import os
import shutil
import sys
from pathlib import Path

import pytest
import yaml

from magistrate.testing import LEARNERS, FaultServer, server

from .pages import ROOT


@pytest.fixture
def programs(tmp_path_factory, monkeypatch):
    """Our commands on the path, and stand-ins for those of others."""
    folder = tmp_path_factory.mktemp("bin")
    known = yaml.safe_load((ROOT / "tests" / "docs" / "blocks.yaml").read_text("utf-8"))["programs"]
    for name, script in known.items():
        (folder / name).write_text(f"#!/bin/sh\npython='{sys.executable}' tree='{ROOT}'\n{script}\n")
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
        for name in ("ANTHROPIC_API_BASE", "OLLAMA_API_BASE", "MODEL_URL"):
            monkeypatch.setenv(name, model.url)
        yield tmp_path
