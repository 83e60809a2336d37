"""Gates and exit codes: certain failure is 1, a matter of missing scores is 3."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.making import make_result

from magistrate.evaluation.aggregate import summarize
from magistrate.evaluation.gate import Check, ExitCode, Gate, check, exit_code
from magistrate.verdict import Outcome, Status

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

    @pytest.mark.parametrize(
        ("scores", "gate", "expected"),
        [
            ([1.0, 0.0], None, 0),
            ([None, None], None, 0),
            ([0.9, 0.8], Gate(threshold=0.85), 0),
            ([0.9, 0.7], Gate(threshold=0.85), 1),
            ([0.7, 0.7, 0.7], Gate(threshold=0.7), 0),
            ([1.0] * 9 + [None], Gate(threshold=0.85), 0),
            ([1.0] * 9 + [None], Gate(threshold=0.95), 3),
            ([0.1] * 9 + [None], Gate(threshold=0.5), 1),
            ([None, None], Gate(threshold=0.5), 3),
            ([1.0] * 9 + [None], Gate(threshold=0.85, min_coverage=0.9), 0),
            ([1.0] * 9 + [None], Gate(threshold=0.85, min_coverage=0.95), 1),
            ([0.0] * 9 + [None], Gate(min_coverage=0.9, gate_mean=False), 0),
            ([1.0] * 8 + [None] * 2, Gate(min_coverage=0.9, gate_mean=False), 1),
            ([1.0, 1.0, 1.0, None], Gate(threshold=0.8, min_coverage=0.5), 3),
        ],
    )
    def test_a_completed_run(self, scores, gate, expected):
        assert code(scores, *([gate] if gate else [])) == expected

    @pytest.mark.parametrize("gated", [False, True])
    @pytest.mark.parametrize("scores", [[1.0], [0.0], [None]])
    @pytest.mark.parametrize(
        ("state", "expected"), [("failed", 2), ("over_budget", 4), ("interrupted", 4), ("running", 4)]
    )
    def test_a_run_that_did_not_complete_never_answers_for_its_gates(self, state, expected, scores, gated):
        assert code(scores, *([Gate(threshold=0.5)] if gated else []), state=state) == expected

    @pytest.mark.parametrize("outcomes", list(itertools.product(Outcome, repeat=2)))
    def test_a_certain_failure_outranks_an_undecided_gate_and_that_a_pass(self, outcomes):
        checks = [Check("f", "mean", outcome, "") for outcome in outcomes]
        expected = 1 if Outcome.FAIL in outcomes else 3 if Outcome.INCONCLUSIVE in outcomes else 0
        assert exit_code("complete", checks) == expected

    def test_a_gate_that_no_metric_answers_to_is_undecided(self):
        assert code([1.0], Gate(metric="another", threshold=0.5)) == ExitCode.UNDECIDED

    def test_a_single_case_never_sets_the_code(self):
        assert code([0.0] + [1.0] * 9, Gate(threshold=0.7)) == ExitCode.OK

    def test_where_less_is_better_the_mean_must_stay_below(self):
        assert code([0.1, 0.2], Gate(threshold=0.15), direction="minimize") == 0
        assert code([0.1, 0.4], Gate(threshold=0.15), direction="minimize") == 1
        assert code([0.0, 0.0, 0.0, None], Gate(threshold=0.15), direction="minimize") == 3

    def test_without_a_threshold_the_metrics_own_counts(self):
        assert code([0.69], Gate()) == 1
        assert code([0.71], Gate()) == 0


class TestRunsThatDidNotComplete:
    @pytest.mark.parametrize("gates", [[], [Gate(threshold=0.5)], None])
    def test_a_judge_that_is_down_decides_nothing_whatever_is_gated(self, gates):
        checks = None if gates is None else check(summary([0.0, None]), gates)
        assert exit_code("judge_down", checks) == ExitCode.UNDECIDED


class TestCertainty:
    @given(scores=SCORES, threshold=st.sampled_from([0.0, 0.3, 0.5, 0.7, 1.0]), data=st.data())
    def test_no_way_to_fill_the_missing_scores_contradicts_a_certain_answer(self, scores, threshold, data):
        answer = code(scores, Gate(threshold=threshold))
        filled = [s if s is not None else data.draw(st.floats(0, 1)) for s in scores]
        passes = sum(filled) / len(filled) >= threshold - 1e-9
        if answer == ExitCode.OK:
            assert passes
        elif answer == ExitCode.GATE_FAILED:
            assert not passes
        else:
            assert None in scores


class TestMessages:
    def test_a_check_says_what_was_asked_and_what_came_out(self):
        checks = check(summary([1.0, None]), [Gate(threshold=0.8, min_coverage=0.9)])
        assert [c.message for c in checks] == [
            "coverage 0.500 (1 of 2 cases scored); at least 0.9 is required",
            "mean between 0.500 and 1.000: 1 of 2 cases without a score; at least 0.8 is required",
        ]
