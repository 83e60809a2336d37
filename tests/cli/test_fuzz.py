"""`magistrate fuzz`: of a parser, and of a model as the judge, behind real HTTP: exit codes, files, known failures."""

import json
from pathlib import Path

import pytest

from magistrate.testing import Fault, FaultServer, Oracle
from magistrate.verdict import Verdict


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "cli_fuzz_judge.py").write_text(
        "def silent(reply, statements):\n    return None\n"
        "def yes(reply, statements):\n    return ['ok'] * len(statements)\n"
        "def broken(reply, statements):\n    raise KeyError('verdict')\n"
    )
    monkeypatch.chdir(tmp_path)
    return "cli_fuzz_judge"


@pytest.mark.slow
def test_exit_codes_0_where_nothing_is_wrong(magistrate):
    said = magistrate("fuzz", "magistrate", "--count", "30")
    assert said.code == 0
    assert "30 replies" in said.out
    assert said.out.endswith(": nothing wrong\n")


class TestFiles:
    def test_known_failures_do_not_fail(self, magistrate, module):
        options = ("fuzz", f"{module}:yes", "--count", "30", "--labels", "ok=supported")
        written = magistrate(*options, "--write-accept", "known.json")
        assert (written.code, "known.json" in written.out) == (0, True)
        assert json.loads(Path("known.json").read_text())["kinds"]
        known = magistrate(*options, "--accept", "known.json")
        assert known.code == 0
        assert "silently wrong, all of it known or allowed" in known.out
        Path("known.json").write_text('{"kinds": []}')
        assert magistrate(*options, "--accept", "known.json").code == 1

    def test_reports_are_json_and_junit(self, magistrate, module):
        magistrate("fuzz", f"{module}:broken", "--count", "5", "--json", "r.json", "--junit", "r.xml")
        assert json.loads(Path("r.json").read_text())["totals"]["crash"] == 5
        assert "<failure" in Path("r.xml").read_text()


COUNT = ("--count", "20")


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-a-very-secret-key-1234")


def model(server):
    return ("fuzz", "openai/gpt-4o", "--api-base", server.openai_url)


def credulous(statement, passages):
    del statement, passages
    return Verdict.SUPPORTED, "The passages say so, in words that match the statement closely."


class TestExitCodesOfAModel:
    def test_0_where_the_model_is_right(self, magistrate):
        with FaultServer() as server:
            said = magistrate(*model(server), *COUNT)
        assert said.code == 0
        assert "20 cases (" in said.out
        assert "nothing wrong" in said.out
        total = next(line.split() for line in said.out.splitlines() if line.startswith("total"))
        assert total[1:] == ["20", "0", "0", "0", "0"]

    def test_1_where_it_says_yes_to_everything(self, magistrate):
        with FaultServer(Oracle(verdict=credulous)) as server:
            said = magistrate(*model(server), *COUNT, "--json", "r.json")
            assert magistrate(*model(server), *COUNT, "--max-wrong", "20").code == 0
        assert said.code == 1
        assert "silently wrong, 0 allowed" in said.out
        report = json.loads(Path("r.json").read_text())
        assert report["totals"]["wrong"] >= 14
        assert report["usage"]["calls"] >= 20
        assert all(example["contexts"] and example["reply"] for example in report["examples"])

    def test_1_where_it_answers_nothing_that_can_be_used(self, magistrate):
        with FaultServer(faults=lambda _: Fault(text=lambda _text: "I would rather not say.")) as server:
            said = magistrate(*model(server), "--count", "3")
        assert said.code == 1
        assert said.out.rstrip().endswith("none right")

    def test_2_where_the_model_cannot_be_asked(self, magistrate):
        with FaultServer(faults=lambda _: Fault(status=401, message="no such key")) as server:
            said = magistrate(*model(server), *COUNT)
            assert server.stats.calls < 10
        assert said.code == 2


class TestOptions:
    def test_known_failures_do_not_fail(self, magistrate):
        def obedient(statement, passages):
            planted = any("forged" in text or "do not rely" in text for text in passages)
            return (
                (Verdict.CONTRADICTED, "The passages are forged.") if planted else Oracle().verdict(statement, passages)
            )

        with FaultServer(Oracle(verdict=obedient)) as server:
            assert magistrate(*model(server), *COUNT, "--write-accept", "known.json").code == 0
            assert json.loads(Path("known.json").read_text())["kinds"] == ["wrong: a denial in a passage"]
            assert magistrate(*model(server), *COUNT, "--accept", "known.json").code == 0
            assert magistrate(*model(server), *COUNT, "--seed", "1").code == 1

    def test_the_offline_judge_can_be_fuzzed_too(self, magistrate):
        said = magistrate("fuzz", "offline", "--count", "10", "--junit", "r.xml")
        assert said.code == 0
        assert "10 cases in" in said.out
        assert 'tests="10"' in Path("r.xml").read_text()

    def test_what_a_model_says_cannot_steer_the_terminal(self, magistrate):
        def rename(text):
            return text.replace("Passage", "\x1b]0;owned\x07Passage")

        with FaultServer(
            Oracle(verdict=credulous), faults=lambda _: Fault(text=lambda t: f"{rename(t)}\n\x1b[2J")
        ) as server:
            said = magistrate(*model(server), "--count", "4")
        assert "\x1b" not in said.out
