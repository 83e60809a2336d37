"""`magistrate calibrate`, `magistrate drift` and `magistrate bias`."""

import json

import pytest
from tests.judging import ScriptedJudge

from .conftest import judged_once

FACT = "The lighthouse was built by the harbour council and is 31 metres tall"
PARTS = (
    "The lighthouse is 31 metres tall.",
    "The lighthouse was built in a storm by sailors.",
    "Whales sing at night.",
)


# Half of what shares some words with the context is supported, too: the judge's threshold is too high.
ROWS = [
    {"statements": [PARTS[n % 3]], "answer": PARTS[n % 3], "contexts": [FACT], "metadata": {"gold": n % 3 < 2}}
    for n in range(120)
]


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kept")
    judged_once(folder, ROWS)
    return folder


class TestCalibrate:
    def test_a_calibrated_judge_parts_yes_from_no_better(self, magistrate, run, tmp_path):
        done = magistrate("calibrate", run, "--truth", "gold", "-o", tmp_path / "c.json")
        assert done.code == 0
        made = json.loads((tmp_path / "c.json").read_text())
        assert made["calibration"]["accuracy_after"] > made["calibration"]["accuracy_before"]
        assert (len(made["cases"]), made["others"]) == (60, 60)
        options = ("--calibration", tmp_path / "c.json", "--run", tmp_path / "after", "-q")
        assert magistrate("eval", tmp_path / "cases.jsonl", *options).code == 0
        before = json.loads(magistrate("trust", run, "--truth", "gold", "--json").out)
        after = json.loads(magistrate("trust", tmp_path / "after", "--truth", "gold", "--json", "--assume-random").out)
        assert after["agreement"]["accuracy"] > before["agreement"]["accuracy"]
        assert after["rate"]["labelled"] == 60
        assert any("calibration" in note for note in after["notes"])

    def test_it_holds_for_the_judge_it_was_made_of(self, magistrate, run, tmp_path):
        magistrate("calibrate", run, "--truth", "gold", "-o", tmp_path / "c.json")
        model = "judge:tests.judges.test_several:contrary"
        done = magistrate("eval", tmp_path / "cases.jsonl", "--model", model, "--calibration", tmp_path / "c.json")
        assert (done.code, "another judge" in done.err) == (2, True)

    def test_what_cannot_be_calibrated_is_refused(self, magistrate, run, tmp_path):
        assert magistrate("calibrate", run, "--truth", "gold", "--share", "10%").code == 2
        assert magistrate("calibrate", run).code == 2
        rows = [f"c{n},s1,{'yes' if n % 3 < 2 else 'no'}" for n in range(0, 120, 2)]
        (tmp_path / "half.csv").write_text("\n".join(["case_id,statement_id,label", *rows]))
        chosen = ("calibrate", run, "--labels", tmp_path / "half.csv", "-o", tmp_path / "c.json")
        refused = magistrate(*chosen)
        assert (refused.code, "--assume-random" in refused.err) == (2, True)
        assert not (tmp_path / "c.json").exists()
        assert magistrate(*chosen, "--assume-random").code == 0
        (tmp_path / "none.json").write_text("{}")
        assert magistrate("eval", tmp_path / "cases.jsonl", "--calibration", tmp_path / "none.json").code == 2


STATE = {"after": False}


def turning():
    """A judge whose verdicts all turn once `STATE` says so."""
    from magistrate.testing.scripted import ScriptedJudge
    from magistrate.verdict import Verdict

    return ScriptedJudge(default=Verdict.CONTRADICTED if STATE["after"] else Verdict.SUPPORTED, name="turning")


class TestDrift:
    @pytest.fixture
    def canaries(self, magistrate, dataset, tmp_path):
        rows = [
            {"answer": f"Fact {n}.", "statements": [f"Fact {n}."], "contexts": ["x"], "metadata": {"gold": True}}
            for n in range(40)
        ]
        STATE["after"] = False
        model = ("--model", "judge:tests.cli.test_believing_judges:turning")
        magistrate("eval", dataset(rows), *model, "--run", tmp_path / "r", "-q")
        (tmp_path / "labels.csv").write_text("case_id,label\n" + "".join(f"c{n},yes\n" for n in range(40)))
        options = ("--from", tmp_path / "r", "--labels", tmp_path / "labels.csv")
        assert magistrate("drift", tmp_path / "c.jsonl", *options).code == 0
        return tmp_path / "c.jsonl", *model

    def test_a_judge_that_stays_gives_no_alarm_and_one_that_turns_does(self, magistrate, canaries):
        for _ in range(3):
            assert magistrate("drift", *canaries).code == 0
        STATE["after"] = True
        done = magistrate("drift", *canaries)
        assert (done.code, "has changed" in done.out) == (1, True)
        lines = [json.loads(line) for line in canaries[0].read_text().splitlines()]
        assert sum("look" in line for line in lines) == 5
        assert json.loads(magistrate("drift", *canaries, "--json").out)["accuracy_last"] == 0.0

    def test_another_judge_is_no_drift(self, magistrate, canaries):
        assert magistrate("drift", canaries[0], "--model", "offline").code == 2

    def test_cases_written_by_hand_begin_with_a_first_look(self, magistrate, tmp_path):
        row = {"statements": [FACT, PARTS[2]], "contexts": [FACT], "labels": [True, "no"]}
        (tmp_path / "c.jsonl").write_text(json.dumps(row) + "\n")
        done = magistrate("drift", tmp_path / "c.jsonl", "--model", "offline", "--json")
        assert (done.code, json.loads(done.out)["accuracy_last"]) == (0, 1.0)

    @pytest.mark.parametrize("line", ["{}", "no", '{"statements": ["a"], "contexts": ["b"], "labels": []}', "[]"])
    def test_a_line_that_is_no_canary_is_named(self, magistrate, tmp_path, line):
        (tmp_path / "c.jsonl").write_text(line + "\n")
        done = magistrate("drift", tmp_path / "c.jsonl", "--model", "offline")
        assert (done.code, "c.jsonl:1" in done.err) == (2, True)

    def test_the_file_is_never_written_over(self, magistrate, canaries, tmp_path):
        options = ("--from", tmp_path / "r", "--labels", tmp_path / "labels.csv")
        assert magistrate("drift", canaries[0], *options).code == 2
        assert magistrate("drift", canaries[0]).code == 2


def gullible():
    """A judge that takes a citation for support, and obeys."""
    judge = ScriptedJudge(
        lambda said, text: "supported" if "evaluator" in text or "Nature" in said else "not_enough_info"
    )
    judge.name = "gullible"
    return judge


class TestBias:
    def test_what_sways_a_judge_is_found_and_the_side_is_told(self, magistrate, dataset):
        model = ("--model", "judge:tests.cli.test_believing_judges:gullible")
        done = magistrate("bias", dataset(ROWS[:30]), *model, "--json")
        found = {one["probe"]: one for one in json.loads(done.out)}
        assert done.code == 1
        assert {name for name, one in found.items() if one["biased"]} == {"authority", "injection"}
        assert (found["authority"]["to_yes"], found["authority"]["to_no"]) == (30, 0)
        assert [found[name]["rate"] for name in ("identity", "order", "padding", "format")] == [0, 0, 0, 0]

    def test_a_judge_that_does_not_change_its_mind_has_an_identity_of_none(self, magistrate, dataset):
        done = magistrate("bias", dataset(ROWS[:30]), "--model", "offline", "--probe", "identity,order")
        assert (done.code, "0.000 of 30 verdicts change" in done.out) == (0, True)

    def test_an_unknown_probe_is_refused(self, magistrate, dataset):
        assert magistrate("bias", dataset(ROWS), "--model", "offline", "--probe", "height").code == 2
