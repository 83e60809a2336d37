"""`magistrate eval` with the flags of `vera eval`: metrics, baselines, gates, the seed's JSON."""

import json

import pytest

from magistrate.testing.server import FaultServer

GOOD = "The lighthouse is 31 metres tall."
WRONG = "Whales sing in the deep ocean at midnight."


@pytest.fixture
def lighthouses(dataset):
    """A dataset of 30 rows with the answers of two systems; `wrong` of the newer one's are wrong."""

    def write(wrong=0, name="lights.jsonl"):
        rows = [
            {
                "id": f"light-{n:02}",
                "question": f"How tall is lighthouse {n}?",
                "answer": WRONG if n < wrong else GOOD,
                "contexts": [GOOD],
                "category": "fact_single" if n % 2 else "reasoning",
                "answers": {"naive": WRONG if n % 2 else GOOD, "last_week": GOOD},
            }
            for n in range(30)
        ]
        return dataset(rows, name)

    return write


@pytest.fixture
def gate(tmp_path):
    path = tmp_path / "gate.toml"
    path.write_text("[metrics.faithfulness]\nmax_drop = 0.05\n")
    return path


class TestARegressionPlantedInOneSystemsAnswers:
    def test_fails_the_gate_with_exit_1_and_names_the_cases(self, magistrate, lighthouses, gate):
        done = magistrate("eval", lighthouses(wrong=8), "--model", "offline", "--baseline", "last-week", "--gate", gate)
        assert done.code == 1
        assert "gate FAILED: faithfulness" in done.out
        for n in range(8):
            assert f"light-{n:02}" in done.out

    def test_against_a_stored_run_fails_as_well(self, magistrate, lighthouses, gate, tmp_path):
        assert magistrate("eval", lighthouses(), "--run", tmp_path / "monday").code == 0
        done = magistrate(
            "eval", lighthouses(wrong=8), "--model", "offline", "--baseline", tmp_path / "monday", "--gate", gate
        )
        assert done.code == 1
        assert "light-07" in done.out

    def test_of_no_cases_passes(self, magistrate, lighthouses, gate):
        done = magistrate("eval", lighthouses(), "--model", "offline", "--baseline", "last-week", "--gate", gate)
        assert done.code == 0
        assert "gate passed: faithfulness" in done.out


class TestGates:
    @pytest.mark.parametrize(("baseline", "says"), [([], "Give a --baseline"), (["gone.jsonl"], "no such run")])
    def test_on_a_drop_need_a_baseline(self, magistrate, lighthouses, gate, baseline, says):
        options = [text for one in baseline for text in ("--baseline", one)]
        done = magistrate("eval", lighthouses(), "--model", "offline", "--gate", gate, *options)
        assert done.code == 2
        assert says in done.err

    def test_decide_what_is_measured_where_nothing_is_said(self, magistrate, lighthouses, tmp_path):
        path = tmp_path / "abstain.toml"
        path.write_text("[metrics.answer_relevance]\nthreshold = 0.1\n")
        done = magistrate("eval", lighthouses(), "--model", "offline", "--gate", path)
        assert "answer_relevance" in done.out
        assert "faithfulness" not in done.out
        assert done.code == 0

    def test_on_what_is_not_measured_are_refused_before_anything_is_spent(self, magistrate, lighthouses, gate):
        done = magistrate(
            "eval", lighthouses(), "--model", "offline", "--gate", gate, "--metric", "abstention", "--baseline", "naive"
        )
        assert done.code == 2
        assert "--metric faithfulness" in done.err


class TestBaselines:
    def test_are_compared_case_by_case(self, magistrate, lighthouses):
        done = magistrate("eval", lighthouses(), "--baseline", "naive-rag", "--baseline", "last-week")
        assert done.code == 0
        assert "Against naive-rag" in done.out
        assert "Against last-week" in done.out
        assert "light-01 now passes, 0.000 to 1.000" in done.out

    def test_are_in_the_report(self, magistrate, lighthouses, tmp_path):
        magistrate("eval", lighthouses(), "--baseline", "naive-rag", "--output", tmp_path / "r.json", "--quiet")
        (baseline,) = json.loads((tmp_path / "r.json").read_text())["baselines"]
        found = baseline["metrics"]["faithfulness"]
        assert (baseline["name"], found["mean_baseline"], found["mean"]) == ("naive-rag", 0.5, 1.0)
        assert found["relative_change"] == 100.0
        assert len(found["wins"]) == len(found["now_passes"]) == 15

    def test_may_be_a_function_of_the_users(self, magistrate, lighthouses, tmp_path):
        (tmp_path / "own_baseline_for_test.py").write_text(f"def answer(question):\n    return {WRONG!r}\n")
        done = magistrate("eval", lighthouses(), "--baseline", "own_baseline_for_test:answer")
        assert done.code == 0
        assert "Against own_baseline_for_test:answer" in done.out


class TestStopping:
    def test_within_a_baseline_is_a_stop_and_no_verdict_of_a_gate(self, magistrate, lighthouses, gate):
        with FaultServer() as server:
            done = magistrate(
                "eval", lighthouses(), "--model", "gpt-4o", "--api-base", server.openai_url,
                "--model-arg", "api_key=k", "--decompose", "sentences", "--max-calls", "31", "--baseline", "naive",
                "--gate", gate,
            )  # fmt: skip
        assert done.code == 4


class TestTheSeedsJson:
    def test_goes_to_the_output_file(self, magistrate, lighthouses, tmp_path):
        done = magistrate("eval", lighthouses(), "--format", "vera", "--output", tmp_path / "report.json")
        assert json.loads((tmp_path / "report.json").read_text())["baseline_comparison"] is None
        assert "grounding_precision" in done.out

    def test_of_the_bundled_dataset_comes_in_one_command_without_a_key(self, magistrate):
        done = magistrate("eval", "bundled:legal", "--limit", "8", "--format", "vera")
        report = json.loads(done.out)
        assert done.code == 0
        assert (report["dataset"], report["queries_evaluated"]) == ("bundled-legal", 8)
        assert report["per_category_breakdown"]["fact_single"]["count"] == 4
        assert all(value is not None for value in report["metrics"].values())
        assert report["baseline_comparison"]["improvement_over_baseline"]["grounding_precision"].startswith("+")
