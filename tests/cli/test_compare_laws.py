"""`magistrate compare`, `magistrate laws`, `--laws`, `--repeat`, `magistrate dataset new`."""

import json
import shutil

import pytest

from magistrate.testing.oracle import Oracle
from magistrate.testing.server import FaultServer
from magistrate.verdict import Verdict

from .conftest import judged_once

GOOD = "The lighthouse is 31 metres tall."
WRONG = "Whales sing in the deep ocean at midnight."


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


class TestLaws:
    def test_of_a_judge_are_printed_with_the_offending_cases(self, magistrate, dataset):
        path = dataset([{"answer": WRONG, "contexts": [GOOD, "Tea is hot."]}, {"answer": GOOD, "contexts": [GOOD]}])
        done = magistrate("laws", path)
        assert done.code == 1
        assert "contradiction: a contradiction never raises the score, but" in done.out
        assert "c0" in done.out

    def test_as_json_have_status_and_rate(self, magistrate, dataset):
        path = dataset([{"answer": f"{GOOD} {GOOD[:-1]} high.", "contexts": [GOOD]}])
        done = magistrate("laws", path, "--json", "--tolerance", "1")
        found = json.loads(done.out)
        assert done.code == 0
        assert found["functor_identity"]["status"] == "PASS"
        assert found["functor_identity"]["measured"]["rate"] == 0.0
        assert found["functor_composition"]["exact"]["violations"] == 0

    def test_of_no_case_are_an_error(self, magistrate, dataset):
        assert magistrate("laws", dataset([])).code == 2
