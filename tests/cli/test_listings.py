"""Commands that list what there is: policies, metrics, prompts, a cache."""

import json

import pytest
import typer
from tests.case_tables import cases_of

from magistrate.cli.app import model_arguments
from magistrate.evaluation.runs.run import load_run
from magistrate.judges.llm import LLMJudge
from magistrate.metrics import GROUPS, METRICS
from magistrate.prompts import prompt_names, prompt_text
from magistrate.scoring import POLICIES
from magistrate.testing import FakeClient, Fault, FaultServer

cases = cases_of(__file__)


class TestPolicies:
    def test_every_policy_is_listed_with_its_aliases(self, magistrate):
        said = magistrate("policies")
        assert said.code == 0
        assert [line.split()[0] for line in said.out.splitlines() if not line.startswith(" ")] == list(POLICIES)
        assert "deepeval-4 (also: deepeval)" in said.out

    def test_json_for_programs(self, magistrate):
        rows = json.loads(magistrate("policies", "--json").out)
        assert [row["policy"] for row in rows] == list(POLICIES)
        assert next(row for row in rows if row["policy"] == "deepeval-4")["aliases"] == ["deepeval"]


class TestModelArguments:
    @cases("listings: a value is json if it is json else a text")
    def test_a_value_is_json_if_it_is_json_else_a_text(self, pair, value):
        assert model_arguments([pair]) == {"k": value}

    @pytest.mark.parametrize("pairs", [["k"], ["=v"], [" =v"], ["k=1", "k=2"]])
    def test_what_is_no_pair_is_refused(self, pairs):
        with pytest.raises(typer.BadParameter):
            model_arguments(pairs)


def test_lists_every_metric_with_what_it_needs(magistrate):
    done = magistrate("metrics")
    assert done.code == 0
    for name in METRICS:
        assert f"\n{name}\n" in "\n" + done.out
    assert (
        "needs: question, answer; passes: at least 0.7; calls a case: 1, lexically none; offline: lexical" in done.out
    )


def test_shows_a_group(magistrate):
    done = magistrate("metrics", "rag_triad", "--json")
    assert [row["name"] for row in json.loads(done.out)] == sorted(GROUPS["rag_triad"], key=list(METRICS).index)


CASES = [
    {"answer": "The ferry leaves at seven.", "contexts": ["The ferry leaves at seven."], "question": f"Question {n}?"}
    for n in range(3)
]


def test_list_show_and_copy(magistrate, tmp_path):
    listed = magistrate("prompts", "list").out
    assert all(name in listed for name in prompt_names())
    assert magistrate("prompts", "show", "verify", "--file").out.strip() == prompt_text("verify").strip()
    assert magistrate("prompts", "copy", "mine", "verify").code == 0
    assert (tmp_path / "mine" / "verify.md").read_text() == prompt_text("verify")
    again = magistrate("prompts", "copy", "mine")
    assert (again.code, "mine/" in again.err) == (2, True)


def test_a_run_with_prompts_rules_and_examples_of_ones_own(magistrate, dataset, tmp_path):
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


def test_a_judge_that_never_carries_the_token_is_named_once(magistrate, dataset, tmp_path):
    def forgets(call):
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


def test_refusals_that_could_be_put_again_are_counted(magistrate, dataset):
    with FaultServer(faults=lambda _: Fault(refusal="No.")) as server:
        said = magistrate("eval", dataset(CASES), "--model", "openai/m", "--api-base", server.openai_url)
    assert "3 refusals" in said.out
    assert "--rephrase-refusals" in said.out


async def filled(folder):
    async with LLMJudge("some-model", client=FakeClient(), cache=folder) as judge:
        await judge.verify(["The mill has two wheels."], ["The mill has two wheels."])
        await judge.verify(["The mill is red."], ["The mill has two wheels."])


async def test_cache_stats_and_clear(magistrate, tmp_path):
    await filled(tmp_path / "c")
    found = json.loads(magistrate("cache", "stats", tmp_path / "c", "--json").out)
    assert (found["completions"], found["models"]) == (2, {"some-model": 2})
    assert "2 completions" in magistrate("cache", "stats", tmp_path / "c").out
    assert "2 completions deleted" in magistrate("cache", "clear", tmp_path / "c").out
    assert json.loads(magistrate("cache", "stats", tmp_path / "c", "--json").out)["completions"] == 0


def test_a_new_run_asks_again_for_what_could_not_be_read_and_says_how_many(magistrate, dataset):
    with FaultServer(faults=lambda _: Fault(text=lambda _text: "I see a garden.")) as server:
        command = ("eval", dataset(CASES[:2]), "--model", "openai/m", "--api-base", server.openai_url)
        first = magistrate(*command, "--decompose", "sentences")
        server.faults = None
        calls = server.stats.calls
        resumed = magistrate(*command, "--decompose", "sentences", "--resume")
        assert server.stats.calls == calls
        second = magistrate(*command, "--decompose", "sentences")
        assert server.stats.calls == calls + 2
        third = magistrate(*command, "--decompose", "sentences")
        assert server.stats.calls == calls + 2
    assert [first.code, resumed.code, second.code, third.code] == [3, 3, 0, 0]
    assert "2 asked again" in second.out
    assert "asked again" not in third.out
