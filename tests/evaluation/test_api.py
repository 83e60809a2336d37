"""`evaluate` and `aevaluate`."""

import asyncio
import json

import pytest
from tests.case_tables import cases_of

from magistrate.case import Case
from magistrate.errors import ConfigurationError, DatasetError, JudgeAuthError, StoreError
from magistrate.evaluation.api import aevaluate, evaluate
from magistrate.evaluation.files import RESULTS
from magistrate.evaluation.runs.run import load_run, write_report
from magistrate.verdict import Status

from .conftest import ScriptedJudge, SupportedShare, make_case

cases = cases_of(__file__)

CASES = [make_case(n, "ok", "bad" if n % 2 else "ok") for n in range(6)]
SCORES = [1.0, 0.5, 1.0, 0.5, 1.0, 0.5]


class TestEvaluate:
    @pytest.mark.parametrize("kind", ["cases", "mappings", "path", "generator"])
    def test_cases_come_in_any_form(self, kind, judge, metrics, write_jsonl):
        source = {
            "cases": [Case(**case) for case in CASES],
            "mappings": CASES,
            "path": write_jsonl(CASES),
            "generator": (case for case in CASES),
        }[kind]
        assert [result.score for result in evaluate(source, metrics, judge)] == SCORES

    def test_one_metric_need_not_be_in_a_list(self, judge):
        assert evaluate(CASES, SupportedShare(), judge).metrics["share"].n == 6
        assert evaluate(CASES, "faithfulness", judge).metrics["faithfulness"].n == 6
        assert set(evaluate(CASES, ["groundedness", "faithfulness"], judge).metrics) == {"groundedness", "faithfulness"}

    def test_progress_is_told_after_each_result(self, judge, metrics):
        seen = []

        evaluate(CASES, metrics, judge, progress=lambda progress: seen.append((progress.done, progress.total)))
        assert seen == [(n, 6) for n in range(1, 7)]
        assert judge.closed == 0  # it was given

    @cases("api: a wrong argument is refused")
    def test_a_wrong_argument_is_refused_before_anything_is_judged(self, metrics, judged_by, options, message):
        judge = ScriptedJudge()
        known = {"share": SupportedShare(), "class of shares": SupportedShare, "class of judges": ScriptedJudge}
        given = [known.get(name, name) for name in metrics] if isinstance(metrics, list) else metrics
        with pytest.raises(ConfigurationError, match=message):
            evaluate(CASES, given, known.get(judged_by, judged_by or judge), **options)
        assert judge.asked == []


class TestAevaluate:
    async def test_streamed_each_result_comes_when_it_is_there(self, judge, metrics):
        seen = [result async for result in aevaluate(CASES, metrics, judge, stream=True)]
        assert {result.index: result.score for result in seen} == dict(enumerate(SCORES))

    async def test_streamed_a_fatal_error_is_raised_at_the_end(self, metrics):
        judge = ScriptedJudge(fail=lambda _: JudgeAuthError("401"))
        seen = []

        async def listen():
            async for result in aevaluate(CASES, metrics, judge, stream=True):
                seen.append(result)  # noqa: PERF401 - what comes before the error counts

        with pytest.raises(JudgeAuthError):
            await listen()
        assert {result.status for result in seen} == {Status.NOT_RUN}

    async def test_leaving_a_stream_keeps_what_was_finished(self, judge, metrics, tmp_path):
        stream = aevaluate(CASES, metrics, judge, stream=True, run=tmp_path, concurrency=1)
        async for _ in stream:
            break
        await stream.aclose()
        assert judge.at_once == 0
        kept = load_run(tmp_path)
        assert kept.state == "interrupted"
        assert len(kept) == 1

    async def test_cancelling_ends_the_run_cleanly(self, metrics, tmp_path):
        judge = ScriptedJudge(delay=60)
        task = asyncio.ensure_future(aevaluate(CASES, metrics, judge, run=tmp_path))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert load_run(tmp_path).state == "interrupted"
        assert judge.at_once == 0


class TestStoredRuns:
    def test_a_stored_run_reads_like_one_in_memory(self, judge, metrics, tmp_path):
        memory = evaluate(CASES, metrics, judge)
        stored = evaluate(CASES, metrics, judge, run=tmp_path / "run")
        assert list(load_run(tmp_path / "run")) == list(stored)
        assert load_run(tmp_path / "run").summary == stored.summary
        assert stored.summary.digest == memory.summary.digest

    def test_resume_after_a_change_of_the_dataset_judges_what_changed(self, metrics, tmp_path, write_jsonl):
        path = write_jsonl(CASES)
        evaluate(path, metrics, ScriptedJudge(), run=tmp_path / "run")
        judge = ScriptedJudge()
        write_jsonl([*CASES[:2], make_case(2, "bad new"), *CASES[3:5]])
        run = evaluate(path, metrics, judge, run=tmp_path / "run", resume=True)
        assert judge.batches() == [("bad new",)]
        assert [result.score for result in run] == [1.0, 0.5, 0.0, 0.5, 1.0]


class TestWhatIsNoDataset:
    @pytest.mark.parametrize("given", [None, 5, 0.5, True, b"cases.jsonl", object()])
    def test_is_refused_by_name(self, judge, given):
        with pytest.raises(ConfigurationError, match="expected cases, or the path of a dataset, not "):
            evaluate(given, judge=judge)

    def test_a_list_without_cases_is_a_complete_run_without_results(self, judge, metrics):
        run = evaluate([], metrics, judge)
        assert (run.state, len(run), run.summary.n_problems) == ("complete", 0, 0)
        assert all(metric.mean is None for metric in run.summary.metrics.values())
        assert run._repr_html_()


class TestSaveAndLoad:
    @pytest.mark.parametrize("name", ["report.json", "folder"])
    def test_a_saved_run_can_be_loaded(self, judge, metrics, tmp_path, name):
        run = evaluate(CASES, metrics, judge)
        path = run.save(tmp_path / name)
        loaded = load_run(path)
        assert list(loaded) == list(run)
        assert loaded.header == run.header
        assert loaded.summary == run.summary

    def test_a_folder_that_holds_a_run_is_not_written_over(self, judge, metrics, tmp_path):
        run = evaluate(CASES, metrics, judge)
        run.save(tmp_path / "run")
        with pytest.raises(StoreError, match="holds a run already"):
            run.save(tmp_path / "run")

    def test_a_large_report_leaves_its_cases_to_the_folder(self, judge, metrics, tmp_path):
        run = evaluate(CASES, metrics, judge, run=tmp_path / "run")
        path = write_report(run, tmp_path / "report.json", most=5)
        report = json.loads(path.read_text())
        assert report["cases_left_out"] == 6
        assert "cases" not in report
        assert report["summary"]["metrics"]["share"]["mean"] == 0.75
        assert list(load_run(path)) == list(run)
        (tmp_path / "run" / RESULTS).unlink()
        with pytest.raises(StoreError, match="leaves its cases out"):
            load_run(path)

    @cases("api: what is no run is refused")
    def test_what_is_no_run_is_refused(self, tmp_path, name, content, message):
        if content is not None:
            (tmp_path / name).write_text(content)
        with pytest.raises(StoreError, match=message):
            load_run(tmp_path / name)


class TestTables:
    def test_a_data_frame_has_a_row_for_each_case_and_metric(self, judge):
        frame = evaluate(CASES, [SupportedShare(name="a"), SupportedShare(name="b")], judge).to_pandas()
        assert len(frame) == 12
        assert list(frame[frame.metric == "a"].score) == SCORES
        assert list(frame.columns[:7]) == ["index", "id", "category", "metric", "policy", "status", "score"]
        assert frame.supported.sum() == 2 * 9
        assert frame.contradicted.sum() == 2 * 3

    def test_a_results_frame_has_a_row_for_each_metric_and_statement(self, judge):
        metrics = [SupportedShare(name="a"), SupportedShare(name="b")]
        result, bare = evaluate([CASES[0], make_case(7, " ")], metrics, judge)
        frame = result.to_pandas()
        assert list(frame.metric.unique()) == ["a", "b"]
        verdicts = result.metrics["a"].verdicts
        assert list(frame[frame.metric == "a"].statement) == [verdict.statement for verdict in verdicts]
        assert list(frame[frame.metric == "a"].verdict) == [verdict.verdict.value for verdict in verdicts]
        assert bare.to_pandas().empty

    def test_a_run_prints_its_mean_with_its_coverage(self, judge, metrics):
        run = evaluate([*CASES, make_case(9, "none x")], metrics, judge)
        assert repr(run) == "<Run complete, 7 cases, judge scripted: share 0.750 (6 of 7 scored, 1 unparseable)>"
        assert repr(run.metrics["share"]).startswith("<share 0.750 (6 of 7 scored, 1 unparseable), ")
        assert ", 1 unparseable)" in repr(run.metrics["share"])

    def test_rows_of_a_frame_are_cases_or_statements_by_the_keys_of_labels(self, judge, metrics):
        run = evaluate(CASES, metrics, judge)
        assert list(run.to_pandas().case_id) == [result.case_id for result in run] == [result.id for result in run]
        frame = run.to_pandas("statements")
        keys = [(result.case_id, verdict.id, verdict.statement) for result in run for verdict in result.verdicts]
        assert list(zip(frame.case_id, frame.statement_id, frame.statement, strict=True)) == keys
        with pytest.raises(ConfigurationError, match="statements"):
            run.to_pandas("verdicts")

    def test_the_figures_are_a_row_for_each_metric(self):
        run = evaluate([*CASES, *CASES], ["faithfulness", "contradiction_rate"], "offline")
        frame = run.to_pandas("metrics").set_index("metric")
        found, interval = run.metrics["faithfulness"], run.metrics["faithfulness"].interval
        row = frame.loc["faithfulness"]
        assert tuple(row[["mean", "low", "high", "lower", "upper"]]) == (
            found.mean, interval.low, interval.high, *found.bounds
        )  # fmt: skip
        assert frame.loc["contradiction_rate", ["n", "n_scored"]].to_list() == [found.n, 0]

    def test_judging_a_stored_run_again_is_said_and_resuming_it_is_not(self, judge, metrics, tmp_path, caplog):
        said = []
        for resume in (False, True, False):
            caplog.clear()
            with caplog.at_level("WARNING", logger="magistrate"):
                evaluate(CASES, metrics, judge, run=tmp_path / "run", resume=resume)
            said.append("event=run.judged_anew" in caplog.text)
        assert said == [False, False, True]

    def test_columns_none_of_which_is_an_answer_are_refused_with_how_to_name_them(self):
        with pytest.raises(DatasetError, match=r"--map answer=antwort.*mapping="):
            evaluate([{"frage": "When?", "antwort": "At six."}])
        assert evaluate([{"frage": "When?", "antwort": "At six."}], mapping={"answer": "antwort"}).state == "complete"
        with pytest.raises(DatasetError, match="'answer': 'Antwort der KI', 'contexts': 'Gefundene Textstellen'"):
            evaluate([{"Antwort-Nr": 1, "Frage": "When?", "Antwort der KI": "At six.", "Gefundene Textstellen": "c"}])


def test_events_start_and_end_are_logged_without_any_text(judge, metrics, caplog):
    with caplog.at_level("INFO", logger="magistrate"):
        evaluate(CASES, metrics, judge, concurrency=3)
    started, ended = (record.getMessage() for record in caplog.records)
    assert "event=run.started judge=scripted cases=6 concurrency=3" in started
    assert "event=run.ended state=complete cases=6" in ended
    assert "ok" not in started + ended
