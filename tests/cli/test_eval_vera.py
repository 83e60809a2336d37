"""`magistrate eval` with the flags of `vera eval`: metrics, gates, the JSON; `compare`, `laws`, `dataset new`."""

import json
import shutil

import pytest
from tests.case_tables import cases_of

from magistrate.testing.oracle import Oracle
from magistrate.testing.server import FaultServer
from magistrate.verdict import Verdict

from .conftest import judged_once

cases = cases_of(__file__)


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


class TestGates:
    @pytest.mark.usefixtures("gate")
    @cases("eval_vera: what is held against a baseline")
    def test_what_is_held_against_a_baseline(self, magistrate, lighthouses, *, wrong, options, code, said):
        done = magistrate("eval", lighthouses(wrong), "--model", "offline", *options.split())
        assert (done.code, [text for text in said if text not in done.out + done.err]) == (code, [])

    def test_against_a_stored_run_fails_as_well(self, magistrate, lighthouses, gate, tmp_path):
        assert magistrate("eval", lighthouses(), "--run", tmp_path / "monday").code == 0
        done = magistrate(
            "eval", lighthouses(wrong=8), "--model", "offline", "--baseline", tmp_path / "monday", "--gate", gate
        )
        assert done.code == 1
        assert "light-07" in done.out

    def test_decide_what_is_measured_where_nothing_is_said(self, magistrate, lighthouses, tmp_path):
        path = tmp_path / "abstain.toml"
        path.write_text("[metrics.answer_relevance]\nthreshold = 0.1\n")
        done = magistrate("eval", lighthouses(), "--model", "offline", "--gate", path)
        assert "answer_relevance" in done.out
        assert "faithfulness" not in done.out
        assert done.code == 0


def test_baselines_are_in_the_report(magistrate, lighthouses, tmp_path):
    magistrate("eval", lighthouses(), "--baseline", "naive-rag", "--output", tmp_path / "r.json", "--quiet")
    (baseline,) = json.loads((tmp_path / "r.json").read_text())["baselines"]
    found = baseline["metrics"]["faithfulness"]
    assert (baseline["name"], found["mean_baseline"], found["mean"]) == ("naive-rag", 0.5, 1.0)
    assert found["relative_change"] == 100.0
    assert len(found["wins"]) == len(found["now_passes"]) == 15


def test_stopping_within_a_baseline_is_a_stop_and_no_verdict_of_a_gate(magistrate, lighthouses, gate):
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


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Two stored runs over 24 rows; in the second, six answers went wrong."""
    folder = tmp_path_factory.mktemp("kept")
    for name, wrong in (("monday", 0), ("tuesday", 6)):
        judged_once(folder, [{"answer": WRONG if n < wrong else GOOD, "contexts": [GOOD]} for n in range(24)], name)
    return folder


@pytest.fixture
def runs(kept, tmp_path):
    shutil.copytree(kept, tmp_path, dirs_exist_ok=True)
    return tmp_path / "monday", tmp_path / "tuesday"


class TestCompare:
    def test_prints_the_change_with_interval_and_test_and_names_what_flipped(self, magistrate, runs):
        done = magistrate("compare", *runs)
        assert done.code == 0
        assert "1.000" in done.out
        assert "-0.250" in done.out
        assert "-25.0%" in done.out
        assert "c0 now fails, 1.000 to 0.000" in done.out

    def test_as_json_holds_every_figure(self, magistrate, runs):
        found = json.loads(magistrate("compare", *runs, "--json").out)["metrics"]["faithfulness"]
        assert found["change"] == -0.25
        assert found["test"] == "mcnemar"
        assert found["p_value"] == pytest.approx(2 * 0.5**6)
        low, high = found["change_interval"]
        assert low < -0.25 < high < 0
        assert [row["id"] for row in found["now_fails"]] == [f"c{n}" for n in range(6)]
        assert found["minimum_detectable_effect"] > 0

    def test_becomes_a_check_with_a_greatest_drop(self, magistrate, runs, tmp_path):
        before, after = runs
        done = magistrate("compare", before, after, "--max-drop", "0.1")
        assert done.code == 1
        assert "worse: c0, c1" in done.out
        assert magistrate("compare", after, before, "--max-drop", "0.1").code == 0
        (tmp_path / "gate.toml").write_text("[metrics.faithfulness]\nmax_drop = 0.5\n")
        assert magistrate("compare", before, after, "--gate", tmp_path / "gate.toml").code == 0

    def test_refuses_what_was_judged_differently(self, magistrate, runs, tmp_path):
        magistrate("eval", tmp_path / "monday.jsonl", "--run", tmp_path / "other", "--policy", "deepeval")
        done = magistrate("compare", runs[0], tmp_path / "other")
        assert done.code == 2
        assert "policy" in done.err
        allowed = magistrate("compare", runs[0], tmp_path / "other", "--allow-different")
        assert allowed.code == 0
        assert "Judged otherwise" in allowed.out

    def test_refuses_a_drop_below_the_noise(self, magistrate, dataset, tmp_path):
        flipping = iter([True, False, True] * 500)
        path = dataset([{"id": f"n{n}", "answer": GOOD, "contexts": [GOOD]} for n in range(8)], "noisy.jsonl")

        def verdict(statement, passages):
            del statement, passages
            return (Verdict.SUPPORTED if next(flipping) else Verdict.CONTRADICTED), "By the flip of a coin."

        with FaultServer(Oracle(verdict=verdict)) as server:
            done = magistrate(
                "eval", path, "--model", "gpt-4o", "--api-base", server.openai_url, "--model-arg", "api_key=k",
                "--repeat", "3", "--run", tmp_path / "noisy", "--decompose", "sentences",
            )  # fmt: skip
        assert done.code == 0
        assert "noise of the mean" in done.out
        refused = magistrate("compare", tmp_path / "noisy", tmp_path / "noisy", "--max-drop", "0.001")
        assert refused.code == 2
        assert "less than its measured noise of 0." in refused.err


def test_laws_as_json_have_status_and_rate(magistrate, dataset):
    path = dataset([{"answer": f"{GOOD} {GOOD[:-1]} high.", "contexts": [GOOD]}])
    done = magistrate("laws", path, "--json", "--tolerance", "1")
    found = json.loads(done.out)
    assert done.code == 0
    assert found["functor_identity"]["status"] == "PASS"
    assert found["functor_identity"]["measured"]["rate"] == 0.0
    assert found["functor_composition"]["exact"]["violations"] == 0
