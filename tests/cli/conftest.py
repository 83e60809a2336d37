"""Running the command line in process, in a folder of its own."""

import contextlib
import io
import json
import shutil
from dataclasses import dataclass

import pytest

from magistrate.cli import run
from magistrate.testing import FaultServer

GOOD = {
    "question": "How many days?",
    "answer": "Full-time staff receive 28 days of annual leave.",
    "contexts": ["Annual leave. Full-time staff receive 28 days of annual leave per year."],
}
BAD = {
    "question": "What is for lunch?",
    "answer": "The canteen serves lobster on Fridays.",
    "contexts": ["Annual leave. Full-time staff receive 28 days of annual leave per year."],
}
UNSCORED = {"question": "How many days?", "answer": "Full-time staff receive 28 days.", "contexts": []}


@dataclass(frozen=True)
class Said:
    """What a command answered."""

    code: int
    out: str
    err: str


def judged_once(folder, rows, name="run"):
    """Judge cases offline into a folder, for all tests of a module: each takes a copy of it."""
    cases = folder / ("cases.jsonl" if name == "run" else f"{name}.jsonl")
    cases.write_text("".join(json.dumps({"id": f"c{n}", **row}) + "\n" for n, row in enumerate(rows)))
    with contextlib.redirect_stdout(io.StringIO()):
        assert run(["eval", str(cases), "--run", str(folder / name), "-q"]) == 0


@pytest.fixture(name="run")
def _run(kept, tmp_path):
    """A copy of the run that a module judged once, in its `kept`."""
    shutil.copytree(kept, tmp_path, dirs_exist_ok=True)
    return tmp_path / "run"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")


@pytest.fixture
def magistrate(capsys):
    def call(*arguments):
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Said(code, out, err)

    return call


@pytest.fixture
def dataset(tmp_path):
    def write(rows, name="cases.jsonl"):
        path = tmp_path / name
        path.write_text("".join(json.dumps({"id": f"c{n}", **row}) + "\n" for n, row in enumerate(rows)))
        return path

    return write


@pytest.fixture
def server(monkeypatch):
    """A provider of models, called over HTTP as any other."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-a-very-secret-key-1234")
    with FaultServer() as running:
        yield running
