"""Runs that version 0.1.0 wrote are read for good."""

import shutil
from pathlib import Path

import pytest

from magistrate.cli import run
from magistrate.evaluation.comparison import comparable, compare_with
from magistrate.evaluation.runs.derived import changes, reparsed, rescored
from magistrate.evaluation.runs.run import load_run
from magistrate.verdict import Status

STORED = Path(__file__).parent / "stored_runs"
SCORES = {
    "offline": {"faithfulness": [2 / 3, 1.0, None, None]},
    "model": {"faithfulness": [1 / 3, 1.0, None, None]},
    "metrics": {"faithfulness": [1 / 3, 1.0], "context_relevance": [0.375, 0.25], "answer_relevance": [0.75, 0.25]},
}


def scores(run):
    return {name: [result.metrics[name].score for result in run] for name in run.metrics}


def magistrate(*arguments):
    return run([str(argument) for argument in arguments])


@pytest.fixture(params=SCORES)
def stored(request):
    return STORED / str(request.param)


class TestReading:
    def test_scores_and_statuses_are_those_that_were_written(self, stored):
        run = load_run(stored)
        found = scores(run)
        assert found == {name: pytest.approx(values) for name, values in SCORES[stored.name].items()}
        assert run.state == "complete"
        assert [result.metrics["faithfulness"].status for result in run][2:] in (
            [],
            [Status.NO_ANSWER, Status.NO_CONTEXT],
        )

    def test_a_report_gives_the_same_run(self):
        assert list(load_run(STORED / "model" / "report.json")) == list(load_run(STORED / "model"))

    def test_another_policy_makes_its_score_of_the_verdicts(self):
        assert scores(rescored(load_run(STORED / "model"), "weighted"))["faithfulness"][0] == pytest.approx(2 / 3)

    def test_replies_read_again_give_the_same_verdicts(self, stored):
        run = load_run(stored)
        again = reparsed(run)
        assert list(changes(run, again)) == []
        assert scores(again) == scores(run)

    def test_a_run_is_no_worse_than_itself(self, stored):
        run = load_run(stored)
        comparable(run, run)
        for name, comparison in compare_with(run, run, "itself").comparisons.items():
            assert comparison.change == 0.0, name


class TestCommands:
    @pytest.mark.parametrize("command", [("report",), ("score", "--policy", "ragas"), ("reparse",)])
    def test_they_take_a_stored_run(self, stored, command):
        assert magistrate(command[0], stored, *command[1:]) == 0

    def test_show_and_compare_take_them(self):
        assert magistrate("show", STORED / "model", "returns") == 0
        assert magistrate("compare", STORED / "model", STORED / "model") == 0

    def test_a_run_does_not_go_on_with_another_configuration(self, tmp_path, capsys):
        shutil.copytree(STORED / "model", tmp_path / "run")
        before = (tmp_path / "run" / "results.jsonl").read_bytes()
        options = ("--model", "offline", "--run", tmp_path / "run", "--resume")
        assert magistrate("eval", STORED / "cases.jsonl", *options) == 2
        [said] = capsys.readouterr().err.strip().splitlines()
        assert "another configuration" in said
        assert (tmp_path / "run" / "results.jsonl").read_bytes() == before
