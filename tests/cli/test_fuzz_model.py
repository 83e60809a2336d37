"""`magistrate fuzz MODEL`: a model as the judge, behind real HTTP."""

import json
from pathlib import Path

import pytest

from magistrate.completion.providers import _capabilities as capabilities
from magistrate.testing import Fault, FaultServer, Oracle
from magistrate.verdict import Verdict

COUNT = ("--count", "20")


@pytest.fixture(autouse=True)
def _model(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-a-very-secret-key-1234")
    capabilities.forget_everything()


def model(server):
    return ("fuzz", "openai/gpt-4o", "--api-base", server.openai_url)


def credulous(statement, passages):
    del statement, passages
    return Verdict.SUPPORTED, "The passages say so, in words that match the statement closely."


class TestExitCodes:
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

    def test_0_where_a_fault_is_withheld_or_healed(self, magistrate):
        broken = Fault(text=lambda text: text[: len(text) // 2], finish_reason="length")
        with FaultServer(faults=lambda call: broken if call.number % 3 == 0 else None) as server:
            said = magistrate(*model(server), *COUNT)
        assert said.code == 0

    @pytest.mark.parametrize(
        ("wrong", "message"),
        [
            (("no-such-model",), "module:function"),
            (("openai/gpt-4o", "--labels", "yes=supported"), "for a parser"),
            (("openai/gpt-4o", "--task", "score"), "for a parser"),
            (("json", "--api-base", "http://127.0.0.1:1"), "is no model"),
            (("json:loads", "--model-arg", "seed=1"), "is no model"),
        ],
    )
    def test_2_on_usage(self, magistrate, wrong, message):
        said = magistrate("fuzz", *wrong)
        assert said.code == 2
        assert message in said.err

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
