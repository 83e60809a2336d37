"""`magistrate eval` without a model: the whole way from a file to an exit code."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.case_tables import cases_of

from magistrate.evaluation.runs.run import load_run

from .conftest import BAD, GOOD, UNSCORED

cases = cases_of(__file__)


OFFLINE = ("--model", "offline")


class TestRun:
    def test_it_prints_figures_and_keeps_the_run(self, magistrate, dataset):
        said = magistrate("eval", dataset([{**GOOD, "category": "leave"}, BAD]))
        assert said.code == 0
        assert "cases.jsonl: 2 cases, judge offline" in said.out
        assert "The judge is OFFLINE" in said.out
        assert "2 of 2" in said.out
        [folder] = Path(".magistrate/runs").iterdir()
        assert folder.name.startswith("cases-")
        assert Path(".magistrate/.gitignore").read_text() == "*\n"
        assert sorted(path.name for path in folder.glob("[!.]*")) == ["report.json", "results.jsonl"]
        assert [result.score for result in load_run(folder)] == [1.0, 0.0]

    def test_a_report_goes_where_it_is_asked_for(self, magistrate, dataset):
        assert magistrate("eval", dataset([GOOD]), "--output", "out/report.json", "--run", "r").code == 0
        report = json.loads(Path("out/report.json").read_text())
        assert report["run"]["folder"] == "r"
        assert report["cases"][0]["metrics"]["faithfulness"]["verdicts"][0]["verdict"] == "supported"
        assert not Path("r/report.json").exists()

    @pytest.mark.slow
    def test_dataset_may_be_an_option_or_a_pipe(self, magistrate, dataset):
        assert magistrate("eval", "--dataset", dataset([GOOD])).code == 0
        script = "from magistrate.cli import main; main()"
        done = subprocess.run(
            [sys.executable, "-c", script, "eval", "-", "--run", "piped"],
            input=dataset([GOOD, BAD]).read_bytes(),
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert [result.score for result in load_run("piped")] == [1.0, 0.0]

    def test_a_bad_row_is_a_row_of_the_report(self, magistrate, tmp_path):
        path = tmp_path / "cases.jsonl"
        path.write_text(json.dumps(GOOD) + "\n{broken\n" + json.dumps({**GOOD, "answer": ["x"]}) + "\n")
        said = magistrate("eval", path, "--run", "r")
        assert said.code == 0
        assert [result.status.value for result in load_run("r")] == ["scored", "missing_input", "missing_input"]
        assert "1 of 3" in said.out
        assert "cases.jsonl:2: not valid JSON" in said.out

    def test_a_mapped_column_that_some_rows_have_is_a_problem_of_the_others(self, magistrate, dataset):
        path = dataset([GOOD, {"claim": GOOD["answer"], "contexts": GOOD["contexts"]}])
        said = magistrate("eval", path, "--map", "answer=claim", "--run", "r")
        assert said.code == 0
        assert [result.status.value for result in load_run("r")] == ["missing_input", "scored"]

    def test_an_audit_of_an_offline_run_says_why_there_is_nothing_to_read(self, magistrate, dataset):
        magistrate("eval", dataset([GOOD]), "--run", "r")
        said = magistrate("audit", "r")
        assert said.code == 2
        assert "the offline judge has no replies" in said.err

    def test_limit_and_quick_take_a_part(self, magistrate, dataset):
        path = dataset([{**GOOD, "category": "ab"[n % 2]} for n in range(30)])
        magistrate("eval", path, "--limit", "3", "--run", "some")
        magistrate("eval", path, "--quick", "--run", "quick")
        assert len(load_run("some")) == 3
        assert len(load_run("quick")) == 10

    def test_quick_says_so_where_a_limit_leaves_it_nothing_to_choose(self, magistrate, dataset):
        path = dataset([GOOD] * 30)
        told = "--quick takes 10 of the first 3 cases (--limit): all of them"
        assert told in magistrate("eval", path, "--quick", "--limit", "3").err
        assert "--quick" not in magistrate("eval", path, "--quick", "--limit", "12").err

    def test_policy_threshold_and_scale_reach_the_metric(self, magistrate, dataset):
        magistrate("eval", dataset([BAD]), *OFFLINE, "--policy", "deepeval", "--threshold", "0.4", "--run", "r")
        [result] = load_run("r")
        assert (result.only().policy, result.threshold, result.score) == ("deepeval-4", 0.4, 1.0)

    def test_no_raw_completions_and_no_reasons_if_not_wanted(self, magistrate, dataset):
        magistrate("eval", dataset([BAD]), "--no-raw", "--no-reason", "--run", "r")
        assert load_run("r").results[0].reason is None


class TestExitCodes:
    def test_a_run_in_which_nothing_was_judged_says_so_in_a_line_though_quiet(self, magistrate, dataset):
        said = magistrate("eval", dataset([UNSCORED]), "-q")
        assert (said.code, said.out, said.err.count("\n")) == (3, "", 1)

    @cases("eval: the code follows the gates")
    def test_the_code_follows_the_gates(self, magistrate, dataset, rows, options, code):
        told = dataset([{"good": GOOD, "bad": BAD, "unscored": UNSCORED}[row] for row in rows])
        said = magistrate("eval", told, *(OFFLINE if options else ()), *options)
        assert said.code == code
        assert ("nothing was judged: 1 no_context" in said.err) is (rows == ["unscored"])
        assert ("gate" in said.out) == bool(options)

    @pytest.mark.slow
    def test_the_code_survives_a_reader_that_goes_away(self, dataset):
        script = "from magistrate.cli import main; main()"
        process = subprocess.Popen(
            [sys.executable, "-c", script, "eval", str(dataset([BAD] * 50)), *OFFLINE, "--threshold", "0.7"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        process.stdout.close()
        _, err = process.communicate(timeout=120)
        assert (process.returncode, err) == (1, b"")


class TestResume:
    def test_resume_goes_on_and_repeats_nothing(self, magistrate, dataset):
        path = dataset([GOOD] * 6)
        magistrate("eval", path, "--limit", "2")
        [folder] = Path(".magistrate/runs").iterdir()
        before = (folder / "results.jsonl").read_text().splitlines()
        assert magistrate("eval", path, "--resume").code == 0
        after = (folder / "results.jsonl").read_text().splitlines()
        assert after[: len(before)] == before
        assert sum('"type":"case"' in line for line in after) == 6
        assert load_run(folder).state == "complete"

    def test_without_resume_the_earlier_results_are_kept_aside(self, magistrate, dataset):
        path = dataset([GOOD])
        assert "--resume" not in magistrate("eval", path, "--run", "r").err
        assert "--resume" in magistrate("eval", path, "--run", "r").err
        assert len(load_run("r/results.previous.jsonl")) == 1

    def test_nothing_to_resume_is_said(self, magistrate, dataset):
        said = [magistrate("eval", dataset([GOOD]), "--run", "r", "--resume", "-q").err for _ in range(2)]
        assert ["nothing to resume" in text for text in said] == [True, False]

    def test_another_configuration_in_the_same_folder_is_refused(self, magistrate, dataset):
        path = dataset([GOOD])
        magistrate("eval", path, "--run", "r")
        said = magistrate("eval", path, "--run", "r", "--policy", "deepeval")
        assert said.code == 2
        assert "metrics.0.policy: 'strict' -> 'deepeval-4'" in said.err
        assert "magistrate score r " in said.err
        assert "anew" not in said.err

    def test_passages_that_are_not_read_are_told_before_anything_is_judged(self, magistrate, dataset):
        rows = [{"answer": "a is b", "p1": "a is b", "p2": "c is d"}]
        told = "--map contexts=p1 --map contexts=p2"
        assert told in magistrate("eval", dataset(rows), "--map", "contexts=p1").err
        assert told in magistrate("dataset", "validate", dataset(rows), "--map", "contexts=p1").out
        assert told not in magistrate("eval", dataset(rows), *told.split(), "--run", "both").err
        assert load_run("both").results[0].case.contexts == ("a is b", "c is d")


@pytest.mark.slow
class TestSignals:
    @pytest.mark.parametrize(
        ("number", "most"), [(signal.SIGINT, 5_000), (signal.SIGTERM, 5_000), (signal.SIGTERM, 100)]
    )
    def test_an_interrupt_ends_cleanly_with_code_4_and_lists_what_was_not_reached(
        self, dataset, tmp_path, number, most
    ):
        path = dataset([GOOD] * 200)
        script = f"""
import asyncio, itertools
from magistrate.cli import main
from magistrate.cli.runs import evaluate
from magistrate.judges.offline import OfflineJudge

evaluate._MOST_TOLD = {most}

count, ask = itertools.count(), OfflineJudge.ask

async def ask_some(judge, question, /):
    if next(count) >= 30:
        await asyncio.Event().wait()  # until the signal comes, however slow the machine is
    return await ask(judge, question)

OfflineJudge.ask = ask_some
main()
"""
        environment = {**os.environ, "COLUMNS": "160"}
        process = subprocess.Popen(
            [sys.executable, "-c", script, "eval", str(path), *OFFLINE, "--run", "r", "--threshold", "0.1"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        results = tmp_path / "r" / "results.jsonl"
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and not (results.exists() and results.read_bytes().count(b"\n") > 5):
            time.sleep(0.01)
        process.send_signal(number)
        out, err = process.communicate(timeout=120)
        assert process.returncode == 4, err
        assert "Traceback" not in err
        assert "--resume asks it again" in err
        by = "Ctrl-C" if number is signal.SIGINT else "SIGTERM"
        told = most > 200
        assert (f"The run did not complete, it was interrupted: {by}" in out) is told
        assert ("`magistrate report r` makes it" in err, (tmp_path / "r" / "report.json").exists()) == (not told, told)
        run = load_run("r")
        assert run.state == "interrupted"
        assert len(run) == 200
        statuses = run.metrics["faithfulness"].statuses
        assert {status.value for status in statuses} == {"scored", "not_run"}


class TestLaterCommands:
    @pytest.fixture
    def run(self, magistrate, dataset):
        rows = [{**GOOD, "id": "good"}, {**BAD, "id": "bad"}, {**UNSCORED, "id": "unscored"}]
        magistrate("eval", dataset(rows), "--run", "r")
        return "r"

    def test_score_reads_the_same_verdicts_under_another_policy(self, magistrate, run):
        said = magistrate("score", run, "--policy", "deepeval", "--threshold", "0.9", "--save", "new")
        assert "policy deepeval-4, a case passes with at least 0.9" in said.out
        assert said.code == 3
        assert [result.score for result in load_run("new")] == [1.0, 1.0, None]
        assert [result.score for result in load_run(run)] == [1.0, 0.0, None]
        assert load_run("new").header.source == "r"

    @pytest.mark.parametrize("source", ["r", "r/results.jsonl", "r/report.json"])
    @pytest.mark.usefixtures("run")
    def test_a_run_is_a_folder_a_results_file_or_a_report(self, magistrate, source):
        assert magistrate("score", source).code == 0
        assert magistrate("report", source).code == 0
        assert magistrate("show", source, "bad").code == 0

    def test_score_gates_like_eval(self, magistrate, run):
        assert magistrate("score", run, "--threshold", "0.9").code == 1
        assert magistrate("score", run, "--threshold", "0.2").code == 0
        assert magistrate("score", run, "--threshold", "0.5", "--min-coverage", "0.9").code == 1

    def test_show_prints_one_case_and_suggests_the_nearest(self, magistrate, run):
        said = magistrate("show", run, "bad")
        assert "s1 not enough info: The canteen serves lobster on Fridays." in said.out
        assert json.loads(magistrate("show", run, "bad", "--json").out)["case"]["id"] == "bad"
        said = magistrate("show", run, "baad")
        assert said.code == 2
        assert "Did you mean 'bad'?" in said.err

    def test_show_takes_the_number_of_a_row_for_its_case(self, magistrate, dataset):
        magistrate("eval", dataset([{**GOOD, "id": f"case-{n}"} for n in (1, 2)]), "--run", "r")
        assert "Did you mean 'case-2'?" in magistrate("show", "r", "2").err

    def test_reparse_leaves_the_offline_judges_verdicts_as_they_are(self, magistrate, run):
        said = magistrate("reparse", run)
        assert said.code == 0
        assert "\n0 of the verdicts changed\n2 results were not read again: not made from a model's" in f"\n{said.out}"
