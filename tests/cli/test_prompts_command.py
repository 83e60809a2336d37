"""`magistrate prompts`, and the options that change what a judge is asked with."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from magistrate.evaluation.runs.run import load_run
from magistrate.prompts import prompt_names, prompt_text
from magistrate.testing import Call as ServerCall
from magistrate.testing import Fault, FaultServer

Call = Callable[..., Any]
CASES = [
    {"answer": "The ferry leaves at seven.", "contexts": ["The ferry leaves at seven."], "question": f"Question {n}?"}
    for n in range(3)
]


def test_list_show_and_copy(magistrate: Call, tmp_path: Path) -> None:
    listed = magistrate("prompts", "list").out
    assert all(name in listed for name in prompt_names())
    assert "Judge statements" in magistrate("prompts", "show", "verify").out
    assert magistrate("prompts", "show", "verify", "--file").out.strip() == prompt_text("verify").strip()
    assert magistrate("prompts", "show", "absent").code == 2
    assert magistrate("prompts", "copy", "mine", "verify").code == 0
    assert (tmp_path / "mine" / "verify.md").read_text() == prompt_text("verify")
    again = magistrate("prompts", "copy", "mine")
    assert (again.code, "mine/" in again.err) == (2, True)


def test_a_run_with_prompts_rules_and_examples_of_ones_own(magistrate: Call, dataset: Call, tmp_path: Path) -> None:
    magistrate("prompts", "copy", "mine", "verify")
    mine = tmp_path / "mine" / "verify.md"
    mine.write_text(mine.read_text().replace("\n{{how}}", " Look twice.\n{{how}}"))
    (tmp_path / "rules.txt").write_text("Seven means 7.")
    (tmp_path / "known.jsonl").write_text(json.dumps({"statement": "Trams stop.", "verdict": "not_enough_info"}))
    with FaultServer() as server:
        said = magistrate(
            *("eval", dataset(CASES), "--model", "openai/m", "--api-base", server.openai_url, "--run", "run"),
            *("--decompose", "sentences", "--prompts", "mine", "--instructions", "rules.txt"),
            *("--examples", "known.jsonl"),
        )
        assert said.code == 0
        for text in ("Look twice.", "Seven means 7.", "Statement: Trams stop."):
            assert all(text in call.request.system for call in server.calls)
    assert load_run(tmp_path / "run").header.config["judge"]["instructions"] == "Seven means 7."


def test_a_judge_that_never_carries_the_token_is_named_once(magistrate: Call, dataset: Call, tmp_path: Path) -> None:
    def forgets(call: ServerCall) -> Fault:
        token = str(call.task.token)
        return Fault(text=lambda text: text.replace(token, "<First>-<Last>"))

    with FaultServer(faults=forgets) as server:
        command = ("eval", dataset(CASES), "--model", "openai/m", "--api-base", server.openai_url)
        with_token = magistrate(*command, "--run", "a", "--decompose", "sentences")
        without = magistrate(*command, "--run", "b", "--decompose", "sentences", "--no-token")
    assert with_token.out.count("--no-token") == 1
    assert "--no-token" not in without.out
    runs = [load_run(tmp_path / name) for name in "ab"]
    assert [run.summary.without_token for run in runs] == [("openai/m",), ()]
    assert [run.summary.usage.calls for run in runs] == [3, 3]


def test_refusals_that_could_be_put_again_are_counted(magistrate: Call, dataset: Call) -> None:
    with FaultServer(faults=lambda _: Fault(refusal="No.")) as server:
        said = magistrate("eval", dataset(CASES), "--model", "openai/m", "--api-base", server.openai_url)
    assert "3 refusals" in said.out
    assert "--rephrase-refusals" in said.out


@pytest.mark.parametrize("option", ["--prompts", "--instructions", "--examples"])
def test_what_is_not_there_is_a_usage_error(magistrate: Call, dataset: Call, option: str) -> None:
    said = magistrate("eval", dataset(CASES), "--model", "openai/m", "--api-base", "http://127.0.0.1:9", option, "no")
    assert said.code == 2
