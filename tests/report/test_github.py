"""A run on GitHub: annotations, step summary, outputs."""

import io
import re
from dataclasses import replace
from pathlib import Path

import pytest
from tests.case_tables import tables_of
from tests.making import make_result, make_verdict

from magistrate.errors import StoreError
from magistrate.evaluation.gate import Gate, check
from magistrate.evaluation.runs.run import Run
from magistrate.evaluation.runs.store import RunHeader
from magistrate.report.documents import markdown_summary
from magistrate.report.github import MOST_ANNOTATIONS, annotate, publish, step_outputs
from magistrate.report.view import RunView
from magistrate.verdict import Status, Verdict


def make_run(results, path, **fields):
    placed = [replace(result, line=result.index + 1) for result in results]
    config = {"dataset": {"name": path.name, "path": str(path)}, "judge": {"name": "gpt-4o"}}
    return Run(placed, RunHeader(config=config, magistrate="1", created="now"), **fields)


def bad(index, **fields):
    verdicts = [make_verdict(0, statement="It is 45.", reason="it says 54"), make_verdict(1, Verdict.SUPPORTED)]
    return make_result(index, 0.3, verdicts=verdicts, **fields)


class TestAnnotations:
    def test_a_failing_case_is_a_warning_at_its_row(self, tmp_path):
        run = make_run([make_result(0), bad(1)], tmp_path / "data" / "cases.jsonl")
        [line] = annotate(RunView(run), workspace=tmp_path)
        assert line == (
            "::warning file=data/cases.jsonl,line=2,title=faithfulness 0.300%3A case c1::"
            "contradicted: It is 45. (it says 54)"
        )

    def test_a_case_without_a_score_is_a_notice_that_says_why(self, tmp_path):
        unscored = make_result(0, None, Status.REFUSED, reason="the judge refused (no thanks)")
        [line] = annotate(RunView(make_run([unscored], tmp_path / "c.jsonl")), workspace=tmp_path)
        assert line.startswith("::notice file=c.jsonl,line=1,title=faithfulness refused%3A case c0::")
        assert line.endswith("refused to answer.%0Athe judge refused (no thanks)")

    def test_a_gate_that_does_not_pass_is_an_error(self, tmp_path):
        run = make_run([make_result(0), make_result(1, None, Status.REFUSED)], tmp_path / "c.jsonl")
        checks = check(run.summary, [Gate(threshold=0.9, min_coverage=0.9)])
        errors = [line for line in annotate(RunView(run, checks), workspace=tmp_path) if line.startswith("::error")]
        assert [line.partition("::faithfulness")[0] for line in errors] == [
            "::error title=Magistrate%3A gate failed",
            "::error title=Magistrate%3A gate undecided",
        ]

    def test_there_are_no_more_than_github_shows(self, tmp_path):
        results = [bad(n) for n in range(30)] + [make_result(n, None, Status.REFUSED) for n in range(30, 60)]
        lines = list(annotate(RunView(make_run(results, tmp_path / "c.jsonl")), workspace=tmp_path))
        levels = [line[2:].split(" ")[0] for line in lines]
        assert {level: levels.count(level) for level in levels} == {
            "warning": MOST_ANNOTATIONS,
            "notice": MOST_ANNOTATIONS,
        }


class TestOutputs:
    def test_each_metric_has_its_figures(self, tmp_path):
        run = make_run([make_result(0), bad(1), make_result(2, None, Status.REFUSED)], tmp_path / "c.jsonl")
        checks = check(run.summary, [Gate(threshold=0.1)])
        found = step_outputs(RunView(run, checks), files={"html": Path("out/r.html")})
        assert found == tables_of(__file__)["github: outputs"]

    def test_no_mean_is_empty_not_zero(self, tmp_path):
        run = make_run([make_result(0, None, Status.REFUSED)], tmp_path / "c.jsonl")
        assert step_outputs(RunView(run))["faithfulness-mean"] == ""
        assert step_outputs(RunView(run))["outcome"] == "none"


class TestPublish:
    def environment(self, folder):
        return {
            "GITHUB_WORKSPACE": str(folder),
            "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
            "GITHUB_OUTPUT": str(folder / "output"),
        }

    def test_summary_and_outputs_are_added_to_what_is_there(self, tmp_path):
        (tmp_path / "summary.md").write_text("before\n")
        run = make_run([bad(0)], tmp_path / "c.jsonl")
        out = io.StringIO()
        publish(RunView(run), out, environment=self.environment(tmp_path))
        assert out.getvalue().startswith("::warning ")
        assert (tmp_path / "summary.md").read_text() == "before\n" + markdown_summary(RunView(run))
        output = (tmp_path / "output").read_text()
        found = dict(re.findall(r"^([\w-]+)<<(end-[0-9a-f]{32})$", output, re.MULTILINE))
        assert {"outcome", "faithfulness-mean"} <= set(found)
        assert len(set(found.values())) == 1
        assert f"cases<<{found['cases']}\n1\n{found['cases']}\n" in output

    def test_a_file_that_cannot_be_written_is_named(self, tmp_path):
        environment = {"GITHUB_STEP_SUMMARY": str(tmp_path / "none" / "summary.md")}
        with pytest.raises(StoreError, match=r"summary\.md: cannot be written: No such file"):
            publish(RunView(make_run([bad(0)], tmp_path / "c.jsonl")), io.StringIO(), environment=environment)

    @pytest.mark.slow
    def test_a_summary_is_never_larger_than_github_takes(self, tmp_path):
        results = [make_result(n, 0.5, category=f"{n} " + "x" * 58) for n in range(40)]
        metrics = {f"metric-{n}": next(iter(results[0].metrics.values())) for n in range(600)}
        wide = [replace(result, metrics=metrics) for result in results]
        publish(RunView(make_run(wide, tmp_path / "c.jsonl")), io.StringIO(), environment=self.environment(tmp_path))
        written = (tmp_path / "summary.md").read_bytes()
        assert 200_000 < len(written) <= 1_048_576
        assert written.endswith(b"The summary is cut here.\n")
