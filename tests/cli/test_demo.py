"""`magistrate demo`, and completion for shells."""

import json

import pytest

from magistrate.cli import app


class TestDemo:
    def test_the_tour_judges_gates_reads_and_audits(self, magistrate, tmp_path):
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
