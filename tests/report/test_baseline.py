"""A baseline in reports."""

import pytest
from tests.making import make_result, make_run

from magistrate.errors import ConfigurationError
from magistrate.evaluation.comparison import comparable, compare_with
from magistrate.evaluation.runs.run import Run
from magistrate.evaluation.runs.store import RunHeader
from magistrate.records import CallRecord, Completion, PromptRef
from magistrate.report.terminal.run import print_baseline
from magistrate.verdict import Status


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

    def test_what_has_no_score_is_not_compared(self):
        old, new = make_run([make_result(0)]), make_run([make_result(0, None, Status.REFUSED)])
        found = compare_with(new, old, "main").comparisons["faithfulness"]
        assert (found.n, found.unscored_in_b) == (0, ("c0",))


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

    def test_a_run_that_did_not_complete_is_said(self):
        whole, part = make_run([make_result(0)]), make_run([make_result(0)], state="interrupted")
        assert compare_with(whole, part, "x").notes == ("The baseline did not complete (interrupted).",)


class TestFlips:
    @pytest.mark.parametrize(
        ("before", "now", "one", "rest"),
        [
            (0.0, 1.0, "c0 now passes, 0.000 to 1.000", "and 2 more now pass"),
            (1.0, 0.0, "c0 now fails", "and 2 more now fail"),
        ],
    )
    def test_the_first_are_named_and_the_others_counted(self, shown, before, now, one, rest):
        old, new = (make_run([make_result(n, score) for n in range(12)]) for score in (before, now))
        said = shown(print_baseline, compare_with(new, old, "main"), width=120)
        assert one in said
        assert said.rstrip().endswith(rest)


class TestFigures:
    def test_a_probability_is_never_written_as_zero(self, shown):
        old, new = (make_run([make_result(n, score) for n in range(30)]) for score in (0.0, 1.0))
        assert "<0.001" in shown(print_baseline, compare_with(new, old, "main"), width=140)

    @pytest.mark.parametrize("width", [40, 80])
    def test_where_the_table_does_not_fit_no_figure_is_cut(self, shown, width):
        old, new = (make_run([make_result(n, score) for n in range(3)]) for score in (0.25, 0.5))
        said = " ".join(shown(print_baseline, compare_with(new, old, "main"), width=width).split())
        for figure in ("baseline 0.250, this run 0.500", "change +0.250", "better 3, worse 0, compared 3 of 3", "…"):
            assert (figure in said) is (figure != "…")
