"""Gates and exit codes: certain failure is 1, a matter of missing scores is 3."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of
from tests.making import make_result

from magistrate.errors import ConfigurationError
from magistrate.evaluation.aggregate import summarize
from magistrate.evaluation.api import evaluate
from magistrate.evaluation.comparison import compare_with
from magistrate.evaluation.gate import Check, ExitCode, Gate, check, exit_code, load_gates, shipped_gates
from magistrate.metrics import METRICS, Faithfulness, Hallucination, metric
from magistrate.verdict import Outcome, Status

cases = cases_of(__file__)

SCORES = st.lists(st.none() | st.sampled_from([0.0, 0.25, 0.5, 0.7, 0.75, 1.0]), min_size=1, max_size=8)


def summary(scores, **fields):
    return summarize(
        make_result(index, score, Status.REFUSED if score is None else Status.SCORED, metric=fields)
        for index, score in enumerate(scores)
    )


def code(scores, *gates, state="complete", **fields):
    return exit_code(state, check(summary(scores, **fields), gates) if gates else None)


class TestExitCodes:
    """The table of the design, row by row."""

    @cases("gate: a completed run")
    def test_a_completed_run(self, scores, gate, expected):
        assert code(scores, *([Gate(**gate)] if gate else [])) == expected

    @pytest.mark.parametrize("gated", [False, True])
    @pytest.mark.parametrize("scores", [[1.0], [0.0], [None]])
    @pytest.mark.parametrize(
        ("state", "expected"),
        [("failed", 2), ("judge_down", 3), ("over_budget", 4), ("interrupted", 4), ("running", 4), ("pending", 5)],
    )
    def test_a_run_that_did_not_complete_never_answers_for_its_gates(self, state, expected, scores, gated):
        assert code(scores, *([Gate(threshold=0.5)] if gated else []), state=state) == expected

    @pytest.mark.parametrize("outcomes", list(itertools.product(Outcome, repeat=2)))
    def test_a_certain_failure_outranks_an_undecided_gate_and_that_a_pass(self, outcomes):
        checks = [Check("f", "mean", outcome, "") for outcome in outcomes]
        expected = 1 if Outcome.FAIL in outcomes else 3 if Outcome.INCONCLUSIVE in outcomes else 0
        assert exit_code("complete", checks) == expected

    def test_where_less_is_better_the_mean_must_stay_below(self):
        assert code([0.1, 0.2], Gate(threshold=0.15), direction="minimize") == 0
        assert code([0.1, 0.4], Gate(threshold=0.15), direction="minimize") == 1
        assert code([0.0, 0.0, 0.0, None], Gate(threshold=0.15), direction="minimize") == 3

    def test_without_a_threshold_the_metrics_own_counts(self):
        assert code([0.69], Gate()) == 1
        assert code([0.71], Gate()) == 0


@given(scores=SCORES, threshold=st.sampled_from([0.0, 0.3, 0.5, 0.7, 1.0]), data=st.data())
def test_certainty_no_way_to_fill_the_missing_scores_contradicts_a_certain_answer(scores, threshold, data):
    answer = code(scores, Gate(threshold=threshold))
    filled = [s if s is not None else data.draw(st.floats(0, 1)) for s in scores]
    passes = sum(filled) / len(filled) >= threshold - 1e-9
    if answer == ExitCode.OK:
        assert passes
    elif answer == ExitCode.GATE_FAILED:
        assert not passes
    else:
        assert None in scores


N = 40


def run_of(scores, name="given", direction="maximize"):
    """A run whose cases have these scores; None for no score."""

    @metric(name=name, direction=direction)
    def given(case):
        return case.metadata["score"]

    return evaluate([{"id": f"c{n}", "score": score} for n, score in enumerate(scores)], metrics=[given])


def drop(before, after, most, direction="maximize", noise=None):
    old, new = run_of(before, direction=direction), run_of(after, direction=direction)
    gate = Gate(metric="given", gate_mean=False, max_drop=most)
    (found,) = check(new.summary, [gate], compare_with(new, old, "before"), noise)
    return found


class TestADrop:
    def test_within_what_is_allowed_up_to_the_end_of_its_interval_passes(self):
        assert drop([1.0] * N, [1.0] * (N - 1) + [0.0], 0.15).outcome is Outcome.PASS
        assert drop([0.0] * N, [0.0] * (N - 1) + [1.0], 0.15, direction="minimize").outcome is Outcome.PASS

    @pytest.mark.parametrize("direction", ["maximize", "minimize"])
    def test_within_what_is_allowed_but_not_to_the_end_of_its_interval_is_undecided(self, direction):
        good, bad = (1.0, 0.0) if direction == "maximize" else (0.0, 1.0)
        found = drop([good] * N, [good] * (N - 1) + [bad], 0.05, direction=direction)
        assert found.outcome is Outcome.INCONCLUSIVE
        assert "too few cases to tell: the drop may be up to 0.1" in found.message
        assert found.cases == (f"c{N - 1}",)
        assert exit_code("complete", [found]) == 3

    @pytest.mark.parametrize("n", [1, 2, 5, N])
    def test_where_no_case_got_worse_passes_however_few_there_are(self, n):
        assert drop([1.0] * n, [1.0] * n, 0.0).outcome is Outcome.PASS
        assert drop([0.5] * n, [1.0] * n, 0.0).outcome is Outcome.PASS

    def test_beyond_it_fails_and_names_the_cases(self):
        found = drop([1.0] * N, [1.0] * (N - 12) + [0.0] * 12, 0.05)
        assert found.outcome is Outcome.FAIL
        assert set(found.cases) == {f"c{n}" for n in range(N - 12, N)}
        assert "c28" in found.message
        assert "95 % interval" in found.message

    @cases("gate: a drop that may be none is undecided")
    def test_that_may_be_none_is_undecided(self, before, after, most, why):
        found = drop(before, after, most)
        assert found.outcome is Outcome.INCONCLUSIVE
        assert why in found.message

    def test_leaves_out_and_counts_the_cases_that_neither_run_scored(self):
        scores = [1.0] * (N - 10) + [None] * 10
        found = drop(scores, scores, 0.0)
        assert found.outcome is Outcome.PASS
        assert found.message.endswith("10 cases left out that neither run scored")
        mixed = drop([*scores[:-1], 1.0], scores, 0.02)
        assert mixed.outcome is Outcome.INCONCLUSIVE
        assert f"between {-1 / (N - 9):+.3f} and +0.000" in mixed.message

    def test_counts_the_cases_that_only_one_run_has(self):
        assert drop([1.0] * N, [1.0] * (N - 1), 0.0).message.endswith("1 case left out that only one run has")

    def test_follows_the_metrics_direction(self):
        worse = drop([0.0] * N, [1.0] * 12 + [0.0] * (N - 12), 0.05, direction="minimize")
        better = drop([1.0] * N, [0.0] * N, 0.05, direction="minimize")
        assert (worse.outcome, better.outcome) == (Outcome.FAIL, Outcome.PASS)

    def test_needs_a_baseline_and_more_than_the_noise(self):
        with pytest.raises(ConfigurationError, match=r"0\.0310"):
            drop([1.0] * N, [1.0] * N, 0.02, noise={"given": 0.031})
        with pytest.raises(ConfigurationError, match="--baseline"):
            check(run_of([1.0]).summary, [Gate(metric="given", max_drop=0.1)])


class TestAGate:
    def test_on_a_metric_that_was_not_measured_is_undecided(self):
        checks = check(run_of([1.0]).summary, [Gate(metric="given", threshold=0.9), Gate(metric="faithfulness")])
        assert [item.outcome for item in checks] == [Outcome.PASS, Outcome.INCONCLUSIVE]
        assert exit_code("complete", checks) == 3

    def test_for_all_metrics_holds_its_threshold_where_more_is_better(self):
        case = {"id": "a", "answer": "The gate is open.", "contexts": ["The gate is open."]}
        both, less = evaluate([case], [Faithfulness(), Hallucination()]), evaluate([case], [Hallucination()])
        assert [c.metric for c in check(both.summary, [Gate(threshold=0.9)])] == ["faithfulness"]
        assert [c.metric for c in check(less.summary, [Gate(threshold=0.1)])] == ["unsupported_rate"]


class TestAGateFile:
    def test_holds_a_table_a_metric_and_what_holds_for_all(self, tmp_path):
        path = tmp_path / "gate.toml"
        path.write_text(
            "[default]\nmin_coverage = 0.9\n[metrics.faithfulness]\nthreshold = 0.85\nmax_drop = 0.02\n"
            "[metrics.abstention]\nmin_coverage = 0.5\n"
        )
        assert load_gates(path) == [
            Gate(metric="faithfulness", threshold=0.85, min_coverage=0.9, max_drop=0.02),
            Gate(metric="abstention", min_coverage=0.5, gate_mean=False),
        ]

    @cases("gate: that is wrong says what and where")
    def test_that_is_wrong_says_what_and_where(self, tmp_path, text, says):
        path = tmp_path / "gate.toml"
        path.write_text(text)
        with pytest.raises(ConfigurationError, match=says) as caught:
            load_gates(path)
        assert str(path) in str(caught.value)

    @pytest.mark.parametrize("name", ["vera", "seeds"])
    def test_of_the_seeds_are_shipped_and_name_known_metrics(self, name):
        assert name in shipped_gates()
        assert {gate.metric for gate in load_gates(name)} <= set(METRICS)

    def test_that_is_not_there_is_an_error(self, tmp_path):
        with pytest.raises(ConfigurationError, match="cannot be read"):
            load_gates(tmp_path / "gone.toml")
        with pytest.raises(ConfigurationError, match="'vera'"):
            load_gates("verra")
