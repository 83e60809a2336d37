"""`magistrate demo`, completion for shells, reports beside the table, and what a step of GitHub Actions gets."""

import json
import os
import sys
from pathlib import Path

import pytest
from tests.running import ran

from magistrate.cli import app

from .conftest import BAD, GOOD


def test_demo_the_tour_judges_gates_reads_and_audits(magistrate, tmp_path):
    (tmp_path / "tour").mkdir()
    said = magistrate("demo", tmp_path / "tour", "--no-browser")
    assert said.code == 0
    assert said.out.count("$ magistrate ") == 4
    assert [line for line in said.out.splitlines() if line.startswith("(exit code")] == [
        f"(exit code {code})" for code in (0, 3, 1, 0)
    ]
    report = json.loads((tmp_path / "tour" / "run" / "report.json").read_text())
    assert report["summary"]["metrics"]["faithfulness"]["scored"] == 2
    assert (tmp_path / "tour" / "report.html").is_file()


class TestCompletion:
    @pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
    def test_a_shell_gets_its_script(self, magistrate, monkeypatch, shell):
        monkeypatch.setenv("_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION", "1")
        monkeypatch.setattr(app, "command", app.command.__wrapped__)
        said = magistrate("--show-completion", shell)
        assert said.code == 0
        assert "_MAGISTRATE_COMPLETE" in said.out

    @pytest.mark.parametrize(("words", "found"), [("magistrate au", "audit"), ("magistrate eval --thr", "--threshold")])
    def test_commands_and_options_are_completed(self, magistrate, monkeypatch, words, found):
        monkeypatch.setenv("_MAGISTRATE_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", str(words.count(" ")))
        said = magistrate()
        assert (said.code, said.out.split()) == (0, [found])


OFFLINE = ("--model", "offline")


def test_output_several_reports_at_once(magistrate, dataset):
    said = magistrate("eval", dataset([GOOD, BAD]), *OFFLINE, "--run", "r", "-o", "a.xml", "-o", "out/a.md")
    assert said.code == 0
    assert "report: a.xml" in said.out
    assert Path("out/a.md").exists()
    assert Path("r/report.json").exists()


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
    command = ("-c", "from magistrate.cli import main; main()", "eval", str(dataset), *OFFLINE, "--run", "r")
    done = ran(sys.executable, *command, *options, env=environment)
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
