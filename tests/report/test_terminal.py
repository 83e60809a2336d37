"""The terminal report, and what changed since a baseline."""

import re
from dataclasses import replace

import pytest
from tests.case_tables import cases_of
from tests.making import make_result, make_run, make_verdict

from magistrate.case import Problem
from magistrate.errors import ConfigurationError
from magistrate.evaluation.comparison import comparable, compare_with
from magistrate.evaluation.runs.run import Run
from magistrate.evaluation.runs.store import RunHeader
from magistrate.records import CallRecord, Completion, PromptRef, Usage
from magistrate.report.phrasing import usage_text
from magistrate.report.terminal.run import print_baseline, print_case, print_run
from magistrate.verdict import Evidence, Issue, IssueCode, Status, Verdict

cases = cases_of(__file__)


class TestFigures:
    def test_a_mean_stands_beside_how_many_were_scored(self, shown):
        text = shown(
            print_run, make_run([make_result(0, 1.0), make_result(1, 0.5), make_result(2, None, Status.REFUSED)])
        )
        assert re.search(r"faithfulness +0\.750 +-?\d\.\d+ to \d\.\d+ +2 of 3 +1 +1 +1", text)
        assert "Not scored: 1 of 3 (1 refused)" in text
        assert "the mean lies between 0.500 and 0.833" in text

    def test_cases_without_a_score_for_the_same_reason_share_a_line(self, shown):
        failed = [make_result(n, None, Status.JUDGE_ERROR, reason="the port is closed") for n in range(7)]
        empty = make_result(7, None, Status.NO_ANSWER, reason="no answer to judge")
        text = shown(print_run, make_run([*failed, empty]))
        assert "c0  judge_error  the port is closed (and 6 alike)" in text
        assert "c7  no_answer  no answer to judge\n" in text
        assert "more" not in text

    @pytest.mark.parametrize("width", [24, 40, 52, 60])
    def test_no_name_and_no_figure_is_broken_or_cut_where_the_table_does_not_fit(self, shown, width):
        results = [make_result(n, n / 10, category="night trains") for n in range(5)]
        text = shown(print_run, make_run(results), width=width)
        assert max(map(len, text.splitlines())) <= width
        for whole in ("faithfulness", "night trains", "0.200", "5 of 5", "inconclusive"):
            assert whole in text.replace("\n  ", " ").replace("  ", " ")
        assert "\u2026" not in text

    @pytest.mark.parametrize("width", [30, 80, 90, 200])
    def test_no_line_is_filled_with_blanks(self, shown, width):
        run = make_run([make_result(0, 0.1, category="leave", verdicts=[make_verdict(0, statement="word " * 90)])])
        assert [line for line in shown(print_run, run, width=width).splitlines() if line.endswith(" ")] == []


@pytest.mark.parametrize("state", ["interrupted", "over_budget", "failed", "running"])
def test_notices_a_run_that_did_not_complete_says_so(shown, state):
    text = shown(print_run, make_run([make_result(0)], state=state, message="why"))
    assert "--resume goes on with it" in text.replace("\n", " ")
    assert ("why" in text) == (state != "running")


def test_worst_cases_failing_statements_stand_with_verdict_and_reason(shown):
    bad = [
        make_verdict(0, Verdict.SUPPORTED),
        make_verdict(1, Verdict.CONTRADICTED, statement="It is 45.", reason="the text says 54"),
        make_verdict(2, None, issues=(Issue(IssueCode.MISSING_VERDICT, "not in the reply"),)),
    ]
    text = shown(print_run, make_run([make_result(0), make_result(1, 0.3, verdicts=bad, category="fact")]))
    assert "c1  0.300  fail  fact" in text
    assert "s2 contradicted: It is 45.\n       the text says 54" in text
    assert "s3 no verdict: statement 2\n       missing-verdict: not in the reply" in text
    assert "s1" not in text


def test_a_metric_without_statements_gives_its_reason(shown):
    result = make_result(1, 0.3, verdicts=[], reason="1 of 3 figures stand in a passage")
    assert "1 of 3 figures stand in a passage" in shown(print_run, make_run([make_result(0), result]))


def test_problems_rows_with_problems_are_named_with_their_place(shown):
    problem = Problem(
        source="cases.jsonl", line=7, field="answer", message="is a list", expected="a text", blocking=True
    )
    results = [make_result(n, None, Status.MISSING_INPUT, problems=(replace(problem, line=7 + n),)) for n in range(3)]
    text = shown(print_run, make_run(results))
    assert "Errors in 3 rows of the dataset" in text
    assert "cases.jsonl:7: answer: is a list; expected a text (and 2 rows alike)" in text
    assert "cases.jsonl:8" not in text


class TestUsage:
    def call(self, model):
        completion = Completion("x", model=model, usage=Usage(latency_ms=1500))
        return CallRecord("verify", PromptRef("verify", "1", "h"), "gpt-4o", completion)

    def test_requested_and_served_model_and_latency_are_shown(self, shown):
        usage = Usage(calls=1, prompt_tokens=1200, completion_tokens=30, cost=0.0123)
        text = shown(
            print_run, make_run([make_result(0, metric={"calls": (self.call("gpt-4o-2024-08-06"),), "usage": usage})])
        )
        assert "1 call to gpt-4o, served by gpt-4o-2024-08-06" in text
        assert "1 call, 1,200 + 30 tokens, cost $0.0123" in text
        assert "latency of a call: median 1.50 s" in text

    @pytest.mark.parametrize("judge", ["offline", "nli:/models/small"])
    def test_a_judge_that_makes_no_calls_had_none_under_way(self, shown, judge):
        run = make_run([make_result(0, None, Status.NOT_RUN)], state="interrupted", judge=judge)
        assert "no model was called; cost $0" in shown(print_run, run)

    @cases("terminal: what is unknown is said to be")
    def test_what_is_unknown_is_said_to_be(self, usage, text):
        assert usage_text(Usage(**usage)) == text


def test_case_a_case_shows_everything_about_its_statements(shown):
    evidence = (Evidence("thirty days", 0, 0, 11, 1.0), Evidence("made up"))
    verdicts = [make_verdict(0, Verdict.SUPPORTED, reason="said", evidence=evidence)]
    told = {"question": "How long?", "answer": "Thirty.", "contexts": ["thirty days"]}
    result = make_result(0, 1.0, verdicts=verdicts, **told)
    text = shown(print_case, result)
    for part in (
        "question: How long?",
        "context 0: thirty days",
        "s1 supported: statement 0",
        '"thirty days" (context 0)',
        '"made up" (found in no context)',
    ):
        assert part in text


class TestComparison:
    def test_the_baseline_comes_first_and_cases_meet_by_id(self):
        old = make_run([make_result(0, 0.2, id="x"), make_result(1, 1.0, id="y"), make_result(2, 1.0, id="gone")])
        new = make_run([make_result(0, 0.5, id="y"), make_result(1, 0.8, id="x"), make_result(2, 0.1, id="new")])
        found = compare_with(new, old, "main").comparisons["faithfulness"]
        assert (found.mean_a, found.mean_b, found.n) == (0.6, 0.65, 2)
        assert (found.only_in_a, found.only_in_b) == (("gone",), ("new",))
        assert [pair.id for pair in found.flips.gained] == ["x"]
        assert [pair.id for pair in found.flips.lost] == ["y"]

    def test_one_id_with_two_questions_is_two_cases(self):
        old = make_run([make_result(n, n / 4, question=f"Question {n}?") for n in range(4)])
        new = make_run([make_result(n, n / 4, question=f"Question {n if n < 2 else 5 - n}?") for n in range(4)])
        made = compare_with(new, old, "main")
        found = made.comparisons["faithfulness"]
        assert (found.n, found.only_in_b) == (2, ("c2", "c3"))
        assert [note for note in made.notes if "c2, c3" in note]
        comparable(new, old)
        with pytest.raises(ConfigurationError, match="--map id="):
            comparable(make_run([make_result(0, question="Why?")]), make_run([make_result(0, question="When?")]))


class TestNotes:
    def test_runs_judged_alike_need_none(self):
        run = make_run([make_result(0)])
        assert compare_with(run, run, "itself").notes == ()

    def test_another_served_model_or_prompt_is_said(self):
        def run(served, version):
            prompt = PromptRef("verify", version, "h")
            call = CallRecord("verify", prompt, "gpt-4o", Completion("x", model=served))
            return make_run([make_result(0, metric={"calls": (call,)})])

        notes = compare_with(run("gpt-4o-new", "2"), run("gpt-4o-old", "1"), "x").notes
        assert any("gpt-4o-old" in note and "gpt-4o-new" in note for note in notes)
        assert any("verify 1" in note and "verify 2" in note for note in notes)

    def test_no_metric_in_common_is_said(self):
        def run(metric):
            result = make_result(0)
            config = {"metrics": [{"name": metric}]}
            results = [type(result)(index=0, case=result.case, metrics={metric: result.metrics["faithfulness"]})]
            return Run(results, RunHeader(config=config, magistrate="1", created="now"))

        found = compare_with(run("a"), run("b"), "x")
        assert found.comparisons == {}
        assert found.notes[0] == "The two runs have no metric in common."


@cases("terminal: the first are named and the others counted")
def test_flips_the_first_are_named_and_the_others_counted(shown, before, now, one, rest):
    old, new = (make_run([make_result(n, score) for n in range(12)]) for score in (before, now))
    said = shown(print_baseline, compare_with(new, old, "main"), width=120)
    assert one in said
    assert said.rstrip().endswith(rest)


class TestFiguresOfABaseline:
    def test_a_probability_is_never_written_as_zero(self, shown):
        old, new = (make_run([make_result(n, score) for n in range(30)]) for score in (0.0, 1.0))
        assert "<0.001" in shown(print_baseline, compare_with(new, old, "main"), width=140)

    @pytest.mark.parametrize("width", [40, 80])
    def test_where_the_table_does_not_fit_no_figure_is_cut(self, shown, width):
        old, new = (make_run([make_result(n, score) for n in range(3)]) for score in (0.25, 0.5))
        said = " ".join(shown(print_baseline, compare_with(new, old, "main"), width=width).split())
        for figure in ("baseline 0.250, this run 0.500", "change +0.250", "better 3, worse 0, compared 3 of 3", "…"):
            assert (figure in said) is (figure != "…")
