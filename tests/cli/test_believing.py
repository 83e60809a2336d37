"""`magistrate label` and `magistrate trust`."""

import io
import json
import shutil
import subprocess
from pathlib import Path

import pytest

from magistrate.evaluation.believing.labels import read_labels

from .conftest import judged_once

GOOD = "The lighthouse is 31 metres tall."
WRONG = "Whales sing in the deep ocean at midnight."


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    rows = [
        {
            "answer": GOOD if n % 4 else WRONG,
            "contexts": [GOOD],
            "question": "How tall?",
            "metadata": {"gold": bool(n % 4)},
        }
        for n in range(40)
    ]
    folder = tmp_path_factory.mktemp("kept")
    judged_once(folder, rows)
    return folder


@pytest.fixture
def typing(monkeypatch):
    return lambda keys: monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{key}\n" for key in keys)))


class TestLabel:
    def test_answers_are_kept_as_they_are_given_and_the_judge_is_not_shown(self, magistrate, run, typing):
        typing(["y", "maybe", "n", "?", "s", "q"])
        done = magistrate("label", run, "--n", "10", "--by", "anna")
        assert done.code == 0
        assert "2 statements labelled" in done.out
        assert "not enough info" not in done.out
        kept = [json.loads(line) for line in (run / "labels.jsonl").read_text().splitlines()]
        assert [row["label"] for row in kept] == [True, False, None]
        assert {row["by"] for row in kept} == {"anna"}
        assert all(row["stratum"] and row["fingerprint"] for row in kept)
        assert [row["place"] for row in kept] == [1, 2, 3]

    def test_it_goes_on_where_it_stopped(self, magistrate, run, typing):
        typing(["y"] * 3)
        magistrate("label", run, "--n", "5", "--by", "anna")
        typing(["y"] * 9)
        assert "2 statements labelled" in magistrate("label", run, "--n", "5", "--by", "anna").out
        assert len((run / "labels.jsonl").read_text().splitlines()) == 5

    def test_a_page_for_somebody_else_holds_no_verdict_and_its_answers_come_back(self, magistrate, run, tmp_path):
        assert magistrate("label", run, "--html", tmp_path / "label.html").code == 0
        page = (tmp_path / "label.html").read_text()
        assert "Content-Security-Policy" in page
        assert GOOD in page
        assert "terms stand in the contexts" not in page
        (tmp_path / "back.jsonl").write_text('{"case_id": "c1", "statement_id": "s1", "label": true, "by": "bob"}\n')
        assert magistrate("label", run, "--import", tmp_path / "back.jsonl").code == 0
        assert json.loads((run / "labels.jsonl").read_text())["by"] == "bob"

    @pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js to run the page's script")
    def test_a_page_that_was_filled_in_corrects_the_run(self, magistrate, run, tmp_path):
        assert magistrate("label", run, "--n", "30", "--html", tmp_path / "label.html").code == 0
        fill = ["node", Path(__file__).with_name("fill_label_page.mjs"), tmp_path / "label.html", "bob", "Whales"]
        (tmp_path / "labels.jsonl").write_bytes(subprocess.run(fill, check=True, stdout=subprocess.PIPE).stdout)
        assert "30 labels added" in magistrate("label", run, "--import", tmp_path / "labels.jsonl").out
        given = read_labels(run / "labels.jsonl")
        assert {label.by for label in given} == {"bob"}
        assert [label.label for label in given].count(None) == 1
        assert [label.place for label in given] == list(range(1, 31))
        found = json.loads(magistrate("trust", run, "--json").out)
        assert (found["rate"]["labelled"], found["agreement"]["kappa"], found["verdict"]) == (29, 1.0, None)
        assert magistrate("label", run, "--n", "30", "--by", "bob").out.startswith("0 statements labelled")

    def test_a_text_cannot_end_the_data_of_the_page(self, magistrate, dataset, tmp_path):
        rows = [{"answer": "</script><b>x</b> is tall.", "contexts": ["<!--<script>"], "statements": ["</script>x"]}]
        magistrate("eval", dataset(rows), "--run", tmp_path / "r", "-q")
        assert magistrate("label", tmp_path / "r", "--html", tmp_path / "l.html").code == 0
        assert (tmp_path / "l.html").read_text().count("</script>") == 2

    def test_labels_outlive_a_run_that_starts_over(self, magistrate, dataset, typing, tmp_path):
        again = ("eval", dataset([{"answer": GOOD, "contexts": [GOOD]}] * 3), "--run", tmp_path / "r", "-q")
        magistrate(*again)
        typing(["y"] * 3)
        magistrate("label", tmp_path / "r", "--n", "3", "--by", "anna")
        magistrate(*again)
        assert len((tmp_path / "r" / "labels.jsonl").read_text().splitlines()) == 3

    def test_examples_for_a_prompt_correct_no_more(self, magistrate, run, tmp_path):
        labels = "".join(f"c{n},s1,{'yes' if n % 4 else 'no'}\n" for n in range(40))
        (tmp_path / "all.csv").write_text(f"case_id,statement_id,label\n{labels}")
        magistrate("label", run, "--import", tmp_path / "all.csv")
        assert magistrate("label", run, "--examples-out", "nowhere/e.jsonl").code == 2
        assert magistrate("label", run, "--examples-out", tmp_path / "e.jsonl").code == 0
        examples = [json.loads(line) for line in (tmp_path / "e.jsonl").read_text().splitlines()]
        assert len(examples) == 4
        assert {example["verdict"] for example in examples} <= {"supported", "not_enough_info"}
        found = json.loads(magistrate("trust", run, "--assume-random", "--json").out)
        assert found["rate"]["labelled"] == 36
        assert any("examples" in note for note in found["notes"])

    @pytest.mark.parametrize("share", ["0", "200%", "some"])
    def test_a_share_that_is_none_is_refused(self, magistrate, run, share):
        assert magistrate("label", run, "--second", share).code == 2


class TestTrust:
    def test_judge_people_and_corrected(self, magistrate, run, tmp_path):
        done = magistrate("trust", run, "--truth", "gold", "-o", tmp_path / "t.json", "-o", tmp_path / "t.md")
        assert done.code == 0
        assert "corrected  0.750" in done.out
        assert json.loads((tmp_path / "t.json").read_text())["rate"]["corrected"] == pytest.approx(0.75)
        assert "**0.750**" in (tmp_path / "t.md").read_text()
        assert json.loads(magistrate("trust", run, "--truth", "gold", "--json").out)["agreement"]["kappa"] == 1.0

    def test_what_more_labels_bring_is_always_printed(self, magistrate, run, tmp_path):
        (tmp_path / "half.csv").write_text(
            "case_id,statement_id,label\n" + "".join(f"c{n},s1,{'yes' if n % 4 else 'no'}\n" for n in range(20))
        )
        call = ("trust", run, "--labels", tmp_path / "half.csv", "--assume-random")
        for target in ("0.9", "0.16", "0.01"):
            found = json.loads(magistrate(*call, "--target", target, "--json").out)
            printed = magistrate(*call, "--target", target).out
            assert f"+-{target}" in printed
            assert f"20 more labels (about 20 cases): about +-{found['next']['half_width']:.3f}" in printed
        assert magistrate("trust", run, "--truth", "gold", "--target", "0.01").code == 0

    def test_the_lower_limit_is_a_gate(self, magistrate, run):
        assert magistrate("trust", run, "--truth", "gold", "--min-lower", "0.5").code == 0
        assert magistrate("trust", run, "--truth", "gold", "--min-lower", "0.74").code == 1

    def test_what_cannot_be_said_ends_with_three(self, magistrate, run, tmp_path):
        (tmp_path / "few.csv").write_text("case_id,statement_id,label\n" + "".join(f"c{n},s1,yes\n" for n in range(12)))
        done = magistrate("trust", run, "--labels", tmp_path / "few.csv")
        assert done.code == 3
        assert "--assume-random" in done.out
        assert magistrate("trust", run, "--labels", tmp_path / "few.csv", "--assume-random").code == 0

    def test_one_label_a_case_of_several_statements_is_told_the_way(self, magistrate, dataset, tmp_path):
        row = {"answer": GOOD, "contexts": [GOOD], "statements": [GOOD, WRONG], "metadata": {"gold": True}}
        magistrate("eval", dataset([row | {"id": str(n)} for n in range(1, 13)]), "--run", tmp_path / "r", "-q")
        (tmp_path / "l.csv").write_text("case_id,label\n" + "".join(f"{n},yes\n" for n in range(1, 13)))
        for where in (("--labels", tmp_path / "l.csv"), ("--truth", "gold")):
            done = magistrate("trust", tmp_path / "r", *where)
            assert done.code == 2
            assert "statements = [answer]" in done.err

    def test_what_is_wrong_with_the_call_is_said(self, magistrate, run):
        assert magistrate("trust", run, "--truth", "gold", "-o", "nowhere/t.md").code == 2
        assert magistrate("label", run, "--import", "nowhere.jsonl").code == 2
        assert "magistrate label" in magistrate("trust", run).err
        assert magistrate("trust", run, "--truth", "gold", "--labels", "x.csv").code == 2
        assert magistrate("trust", run, "--truth", "gold", "-o", "x.pdf").code == 2
        assert magistrate("trust", run, "--truth", "elsewhere").code == 2
        assert magistrate("trust", run, "--truth", "gold", "--metric", "relevance").code == 2


class TestTheReport:
    @staticmethod
    def head(path):
        text = path.read_text()
        start = text.index('id="head">') + len('id="head">')
        return json.loads(text[start : text.index("</script>", start)])

    def test_says_how_far_to_believe_it(self, magistrate, run, tmp_path):
        assert magistrate("trust", run, "--truth", "gold", "-o", tmp_path / "t.html").code == 0
        found = self.head(tmp_path / "t.html")["believing"]
        assert found["trust"]["rate"]["corrected"] == pytest.approx(0.75)
        assert [plan["labels"] for plan in found["trust"]["further"]] == [0]
        assert found["trust"]["reliability"]["before"]

    def test_takes_labels_cascades_and_canaries_that_lie_beside_the_run(self, magistrate, run, tmp_path):
        labels = "".join(f"c{n},s1,{'yes' if n % 4 else 'no'}\n" for n in range(20))
        (tmp_path / "some.csv").write_text(f"case_id,statement_id,label\n{labels}")
        assert magistrate("report", run, "-o", tmp_path / "r.html").code == 0
        assert self.head(tmp_path / "r.html")["believing"] is None
        magistrate("label", run, "--import", tmp_path / "some.csv")
        assert magistrate("drift", run / "canaries.jsonl", "--from", run).code == 0
        assert magistrate("report", run, "-o", tmp_path / "r.html").code == 0
        found = self.head(tmp_path / "r.html")["believing"]
        assert "--assume-random" in found["trust"]["verdict"]
        assert [look["alarm"] for look in found["canaries"]] == [False]

    def test_says_why_where_what_lies_beside_the_run_cannot_be_read(self, magistrate, run, tmp_path):
        (run / "labels.jsonl").write_text("no label\n")
        assert magistrate("report", run, "-o", tmp_path / "r.html").code == 0
        assert "labels.jsonl:1" in self.head(tmp_path / "r.html")["believing"]["why_not"]


def test_panels_against_people_a_panel_is_held_against_its_best_judge(magistrate, dataset, tmp_path):
    rows = [
        {"answer": GOOD if n % 4 else WRONG, "contexts": [GOOD], "metadata": {"gold": bool(n % 4)}} for n in range(40)
    ]
    model = "panel:offline+judge:tests.judges.test_several:contrary+judge:tests.cli.test_several:agreeing"
    magistrate("eval", dataset(rows), "--model", model, "--run", tmp_path / "p", "-q")
    found = json.loads(magistrate("trust", tmp_path / "p", "--truth", "gold", "--json").out)["panel"]
    assert (found["best"], found["accuracy"]["contrary"], found["accuracy"]["agreeing"]) == ("offline", 0.25, 0.75)
    assert "no better than offline alone" in magistrate("trust", tmp_path / "p", "--truth", "gold").out
    magistrate("report", tmp_path / "p", "-o", tmp_path / "p.html")
    pairs = TestTheReport.head(tmp_path / "p.html")["believing"]["judges"]["pairs"]
    assert ["offline", "agreeing", 0.75, 40] in pairs
