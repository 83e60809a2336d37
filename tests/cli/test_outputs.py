"""Reports beside the table, and what a step of GitHub Actions gets."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import BAD, GOOD

OFFLINE = ("--model", "offline")


class TestOutput:
    def test_several_reports_at_once(self, magistrate, dataset):
        said = magistrate("eval", dataset([GOOD, BAD]), *OFFLINE, "--run", "r", "-o", "a.xml", "-o", "out/a.md")
        assert said.code == 0
        assert "report: a.xml" in said.out
        assert Path("out/a.md").exists()
        assert Path("r/report.json").exists()

    @pytest.mark.parametrize("name", ["report.pdf", "report"])
    def test_a_name_that_says_no_kind_costs_nothing(self, magistrate, dataset, name):
        said = magistrate("eval", dataset([GOOD]), *OFFLINE, "--run", "r", "-o", name)
        assert said.code == 2
        assert ".xml" in said.err
        assert not Path("r").exists()


def step(dataset, tmp_path, *options):
    """Run `magistrate eval` as a step of Actions does; exit code, output, summary and outputs."""
    summary, outputs = tmp_path / "summary.md", tmp_path / "outputs"
    environment = {
        **os.environ,
        "GITHUB_ACTIONS": "true",
        "GITHUB_WORKSPACE": str(tmp_path),
        "GITHUB_STEP_SUMMARY": str(summary),
        "GITHUB_OUTPUT": str(outputs),
    }
    script = "from magistrate.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", script, "eval", str(dataset), *OFFLINE, "--run", "r", *options],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    return done.returncode, done.stdout, summary.read_text(), outputs.read_text()


@pytest.mark.slow
class TestActions:
    def test_a_step_gets_annotations_a_summary_and_outputs(self, dataset, tmp_path):
        code, out, summary, outputs = step(dataset([GOOD, BAD]), tmp_path, "--threshold", "0.9", "-o", "a.xml")
        assert code == 1
        assert "::error title=Magistrate%3A gate failed::" in out
        assert "::warning file=cases.jsonl,line=2," in out
        assert "faithfulness" in summary
        assert "faithfulness-mean<<" in outputs
        assert "junit-report<<" in outputs

    def test_a_judged_text_gives_no_command(self, dataset, tmp_path):
        hostile = {**BAD, "id": "::set-output name=x::1", "answer": "Nothing.\n::error::owned ##[error]owned"}
        _, out, _, _ = step(dataset([hostile]), tmp_path)
        commands = [line for line in out.splitlines() if line.lstrip().startswith("::")]
        assert all(line.startswith(("::notice title=Magistrate", "::warning file=cases.jsonl")) for line in commands)
        assert "##[" not in out
