"""Gates on a drop against a baseline, and gates from a file."""

import pytest

from magistrate.errors import ConfigurationError
from magistrate.evaluation.api import evaluate
from magistrate.evaluation.comparison import compare_with
from magistrate.evaluation.gate import Gate, check, exit_code, load_gates, shipped_gates
from magistrate.metrics import METRICS, Hallucination, metric
from magistrate.verdict import Outcome

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

    def test_of_a_single_case_has_no_interval_and_is_undecided(self):
        found = drop([1.0], [0.9], 0.5)
        assert found.outcome is Outcome.INCONCLUSIVE
        assert "cannot be known" in found.message

    def test_beyond_it_fails_and_names_the_cases(self):
        found = drop([1.0] * N, [1.0] * (N - 12) + [0.0] * 12, 0.05)
        assert found.outcome is Outcome.FAIL
        assert set(found.cases) == {f"c{n}" for n in range(N - 12, N)}
        assert "c28" in found.message
        assert "95 % interval" in found.message

    def test_that_may_be_chance_is_undecided(self):
        before = [1.0, 0.0] * 5
        after = [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0]
        found = drop(before, after, 0.05)
        assert found.outcome is Outcome.INCONCLUSIVE

    def test_that_missing_scores_could_hide_is_no_pass(self):
        found = drop([1.0] * N, [1.0] * (N - 10) + [None] * 10, 0.05)
        assert found.outcome is Outcome.INCONCLUSIVE
        assert "too few scores to tell: the drop may be up to 0.250" in found.message

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

    def test_that_missing_scores_may_push_beyond_the_limit_with_the_interval_is_no_pass(self):
        after = [1.0] * (N - 2) + [0.0, None]
        assert drop([1.0] * N, after, 0.15).outcome is Outcome.INCONCLUSIVE

    def test_follows_the_metrics_direction(self):
        worse = drop([0.0] * N, [1.0] * 12 + [0.0] * (N - 12), 0.05, direction="minimize")
        better = drop([1.0] * N, [0.0] * N, 0.05, direction="minimize")
        assert (worse.outcome, better.outcome) == (Outcome.FAIL, Outcome.PASS)

    def test_without_a_common_case_is_undecided(self):
        assert drop([1.0], [None], 0.0).outcome is Outcome.INCONCLUSIVE

    def test_below_the_noise_is_refused_with_the_number(self):
        with pytest.raises(ConfigurationError, match=r"0\.0310"):
            drop([1.0] * N, [1.0] * N, 0.02, noise={"given": 0.031})

    def test_needs_a_baseline(self):
        with pytest.raises(ConfigurationError, match="--baseline"):
            check(run_of([1.0]).summary, [Gate(metric="given", max_drop=0.1)])


class TestAGate:
    def test_on_a_metric_that_was_not_measured_is_undecided(self):
        checks = check(run_of([1.0]).summary, [Gate(metric="given", threshold=0.9), Gate(metric="faithfulness")])
        assert [item.outcome for item in checks] == [Outcome.PASS, Outcome.INCONCLUSIVE]
        assert exit_code("complete", checks) == 3

    def test_for_all_metrics_holds_its_threshold_where_more_is_better(self):
        case = {"id": "a", "answer": "The gate is open.", "contexts": ["The gate is open."]}
        from magistrate.metrics import Faithfulness

        run = evaluate([case], metrics=[Faithfulness(), Hallucination()])
        assert [c.metric for c in check(run.summary, [Gate(threshold=0.9)])] == ["faithfulness"]
        assert [
            c.metric for c in check(evaluate([case], metrics=[Hallucination()]).summary, [Gate(threshold=0.1)])
        ] == ["unsupported_rate"]


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

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("[metrics.a]\ntreshold = 1", "Did you mean 'threshold'"),
            ("[metrics.a]\nthreshold = 85", "from 0 to 1"),
            ("[metrics.a]\nthreshold = true", "from 0 to 1"),
            ("[metric.a]\nthreshold = 1", "unknown table"),
            ("[default]\nmin_coverage = 1", "nothing would be gated"),
            ("[metrics.a]", "asks for nothing"),
            ("metrics = 3", "no .metrics.NAME. table"),
            ("[[metrics]]", "no .metrics.NAME. table"),
            ("threshold", "no TOML"),
        ],
    )
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

    def test_of_vera_holds_veras_targets(self):
        targets = {gate.metric: gate.threshold for gate in load_gates("vera")}
        assert targets == {
            "grounding_precision": 0.90,
            "citation_accuracy": 0.95,
            "context_relevance": 0.80,
            "answer_relevance": 0.85,
        }

    def test_that_is_not_there_is_an_error(self, tmp_path):
        with pytest.raises(ConfigurationError, match="cannot be read"):
            load_gates(tmp_path / "gone.toml")
        with pytest.raises(ConfigurationError, match="'vera'"):
            load_gates("verra")
