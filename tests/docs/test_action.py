"""The GitHub Action: its steps are run as a runner does."""

import re

import pytest

from magistrate.testing import LEARNERS, FaultServer

from .stand_in import ROOT
from .steps import ACTION, run_action

EXAMPLES = ROOT / "examples"

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("programs")]


@pytest.mark.parametrize(("threshold", "code"), [("0.1", 0), ("0.99", 1)])
@pytest.mark.parametrize("judge", ["offline", "model"])
def test_a_gate_decides_the_step(tmp_path, judge, threshold, code):
    with FaultServer(LEARNERS) as server:
        model = f"openai/m --api-base {server.openai_url} --model-arg api_key=k" if judge == "model" else judge
        arguments = f"'{EXAMPLES / 'handbook.jsonl'}' --model {model} --threshold {threshold} --run 'a run'"
        found, outputs, printed = run_action(tmp_path, command="eval", arguments=arguments, install="")
    assert (found, outputs["exit-code"], outputs["run"]) == (code, str(code), "a run"), printed
    assert outputs["outcome"] == ("fail" if code else "pass")
    assert (tmp_path / "summary.md").read_text("utf-8")
    assert bool(server.stats.calls) is (judge == "model")


def test_what_is_named_is_installed_first(tmp_path):
    found, _, printed = run_action(tmp_path, command="policies", install="pyyaml")
    assert found == 0, printed
    assert "strict" in printed
    found, _, printed = run_action(tmp_path, command="policies", install="./no-such-folder")
    assert (found, "strict" in printed) == (1, False)


def test_an_audit(tmp_path):
    arguments = f"'{EXAMPLES / 'replies.jsonl'}' --reply reply --statements statements --score score"
    found, outputs, printed = run_action(tmp_path, command="audit", arguments=arguments, install="")
    assert str(found) == outputs["exit-code"]
    assert found in {0, 1}, printed


def test_fuzzing(tmp_path):
    found, outputs, printed = run_action(tmp_path, command="fuzz", arguments="json --count 60", install="")
    assert (found, outputs["exit-code"]) == (1, "1"), printed
    assert "silently wrong" in printed


def test_no_shell_sees_the_arguments(tmp_path):
    found, _, _ = run_action(
        tmp_path, command="eval", arguments="'$(touch made)' `touch made` --model offline", install=""
    )
    assert found == 2
    assert not (tmp_path / "made").exists()


def test_it_names_only_outputs_that_there_are():
    named = [
        re.fullmatch(r"\$\{\{ steps\.run\.outputs\.([\w-]+) \}\}", out["value"]) for out in ACTION["outputs"].values()
    ]
    assert all(named)
    assert {match[1] for match in named if match} == set(ACTION["outputs"])
