"""The pytest plugin: a fixture, and nothing imported before it is used."""

import os
import subprocess
import sys

import pytest

TEST = """
import sys

def test_nothing_is_loaded():
    assert "hypothesis" not in sys.modules
    assert "litellm" not in sys.modules

def test_a_judge(fuzz_judge):
    fuzz_judge(lambda reply, statements: None, seconds=60, count=20)

def test_a_bad_judge(fuzz_judge):
    try:
        fuzz_judge(lambda reply, statements: [True] * len(statements), seconds=60, count=20)
    except AssertionError as error:
        assert "silently wrong" in str(error)
    else:
        raise RuntimeError("nothing was found")
"""


@pytest.mark.slow
def test_the_fixture_fuzzes_a_judge_and_loads_nothing_before(tmp_path):
    (tmp_path / "test_it.py").write_text(TEST)
    plugins = ["-p", "magistrate.testing.pytest_plugin", "-p", "pytest_asyncio.plugin"]
    said = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *plugins, "test_it.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )
    assert "3 passed" in said.stdout, said.stdout + said.stderr
