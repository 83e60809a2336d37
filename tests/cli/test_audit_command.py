"""`magistrate audit`."""

import csv
import gzip
import json

import pytest
from tests.case_tables import cases_of

cases = cases_of(__file__)

ASKED = ["The quay is closed.", "The crane is red."]
NAMES = ["--reply", "raw", "--statements", "claims", "--score", "score"]


@pytest.fixture
def replies(tmp_path):
    def write(*rows, name="replies.jsonl"):
        path = tmp_path / name
        path.write_text(
            "".join(json.dumps({"raw": raw, "claims": ASKED, "score": score}) + "\n" for raw, score in rows)
        )
        return path

    return write


GOOD, WRONG = ("1. yes\n2. no", 0.5), ("1. yes\n2. no", 1.0)


@cases("audit_command: what it answers")
def test_what_it_answers(magistrate, replies, *, rows, arguments, code, out, err):
    said = magistrate("audit", replies(*rows), *arguments)
    assert (said.code, said.out == "") == (code, out is None)
    assert [text for text in out or [] if text not in said.out] == []
    assert err in said.err


def test_exit_codes_2_for_a_gate_where_a_file_breaks_off(magistrate, replies, tmp_path):
    more = b" " * 70_000 + b"\n"  # the beginning of the file is whole
    whole = gzip.compress(replies(GOOD).read_bytes() + more)
    cut = tmp_path / "cut.jsonl.gz"
    cut.write_bytes(whole[:-9])
    assert magistrate("audit", cut, *NAMES).code == 0
    said = magistrate("audit", cut, *NAMES, "--max-wrong", 0)
    assert said.code == 2
    assert "cut.jsonl.gz could not be read to its end" in said.err
    found = json.loads(magistrate("audit", cut, *NAMES, "--json").out)
    assert found["unfinished"] == [str(cut)]
    cut.write_bytes(gzip.compress(replies(WRONG).read_bytes() + more)[:-9])
    assert magistrate("audit", cut, *NAMES, "--max-wrong", 0).code == 1


class TestOutput:
    def test_every_finding_in_a_file(self, magistrate, replies, tmp_path):
        magistrate("audit", replies(GOOD, WRONG, ("", 0)), *NAMES, "--findings", "found.jsonl")
        found = [json.loads(line) for line in (tmp_path / "found.jsonl").read_text().splitlines()]
        assert [one["standing"] for one in found] == ["stands", "wrong", "undecided"]

    @pytest.mark.parametrize("more", [(), ("--workers", 2)])
    def test_every_finding_in_a_table(self, magistrate, replies, tmp_path, more):
        rows = [GOOD, WRONG, ("", 0), ("=1+1\n1. yes", "much")] * 600
        magistrate("audit", replies(*rows), *NAMES, "--findings", "found.csv", *more)
        with (tmp_path / "found.csv").open(encoding="utf-8", newline="") as file:
            found = list(csv.DictReader(file))
        assert [one["standing"] for one in found] == ["stands", "wrong", "undecided", "unusable"] * 600
        assert [found[1][name] for name in ("line", "recorded", "read")] == ["2", "1.0", "0.5"]
        assert found[3]["reply"].startswith("'=")

    def test_reports_hold_what_is_printed(self, magistrate, replies, tmp_path):
        path = replies(GOOD, ("1. yes <script>alert(1)</script>\n2. no", 1.0), ("1. no\n2. yes", 0.0))
        out = magistrate("audit", path, *NAMES, "-o", "a.html", "-o", "a.md", "-o", "a.json").out
        page, text = ((tmp_path / name).read_text() for name in ("a.html", "a.md"))
        figures = [line for line in out.splitlines() if line.startswith("  mean")]
        assert len(figures) == 2
        assert all(line in text and line in page for line in figures)
        assert "replies.jsonl" in text.splitlines()[1]
        assert "Content-Security-Policy" in page
        assert "<script>" not in page
        found = json.loads((tmp_path / "a.json").read_text())
        assert (found["wrong"], found["too_high"], found["too_low"]) == (2, 1, 1)

    @pytest.mark.parametrize("option", ["--findings", "-o"])
    def test_nothing_is_written_over_what_is_read(self, magistrate, replies, option):
        path = replies(GOOD, WRONG, name="replies.json")
        before = path.read_text()
        for named in (path, path.with_name("*.json")):
            said = magistrate("audit", named, *NAMES, "--format", "jsonl", option, path)
            assert (said.code, path.read_text()) == (2, before)
            assert "is what is read" in said.err

    def test_a_recorded_mean_that_no_reading_gives_is_told(self, magistrate, replies):
        cut = ("1. yes", 0.5)
        for rows, told in (
            ([WRONG, ("1. yes", 1.0)], "too high"),
            ([("1. yes\n2. yes", 0.0), cut], "too low"),
            ([GOOD, cut], ""),
        ):
            line = next(
                one for one in magistrate("audit", replies(*rows), *NAMES).out.splitlines() if "possible" in one
            )
            assert line.endswith(f": the recorded mean is {told}" if told else "whatever the undecided replies mean")


class TestSave:
    """Replies kept as a run."""

    def test_the_run_goes_on(self, magistrate, tmp_path):
        rows = [
            {
                "raw": f"1. yes\n2. {'no' if n % 3 else 'yes'}",
                "claims": ASKED,
                "score": 1.0,
                "id": f"r{n}",
                "saw": "A quay.",
            }
            for n in range(12)
        ]
        (tmp_path / "q.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        fields = ("--id", "id", "--contexts", "saw", "--findings", "f.jsonl")
        said = magistrate("audit", "q.jsonl", *NAMES, *fields, "--save", "R")
        assert said.code == 0
        assert said.out.splitlines()[-1].startswith("run: R")
        assert len((tmp_path / "f.jsonl").read_text().splitlines()) == 12
        shown = magistrate("show", "R", "r1")
        assert "A quay." in shown.out
        assert "q.jsonl:2: score: 1.0 was recorded; expected 0.5" in shown.out
        assert magistrate("report", "R", "-o", "r.html").code == 0
        labels = [f"r{n},s{k},{'yes' if k == 1 or n % 3 == 0 else 'no'}\n" for n in range(12) for k in (1, 2)]
        (tmp_path / "labels.csv").write_text("case_id,statement_id,label\n" + "".join(labels))
        found = json.loads(magistrate("trust", "R", "--labels", "labels.csv", "--json").out)
        assert found["rate"]["corrected"] == pytest.approx(16 / 24)
        (tmp_path / "others.csv").write_text("case_id,statement_id,label\n1,1,yes\n")
        said = magistrate("trust", "R", "--labels", "others.csv")
        assert said.code == 3
        assert "r0 s1" in said.out  # how the run names what the labels do not
        assert found["agreement"]["sensitivity"] == 1.0
        again = json.loads(magistrate("audit", "R", "--json").out)
        assert (again["standings"]["stands"], again["wrong"]) == (12, 0)

    @pytest.mark.parametrize(("more", "warned"), [((), True), (("--contexts", "claims"), False)])
    def test_who_labels_is_told_that_the_passages_are_missing(self, magistrate, replies, more, warned):
        assert magistrate("audit", replies(GOOD), *NAMES, *more, "--save", "R").code == 0
        said = magistrate("label", "R", "--html", "label.html")
        assert (said.code, "--contexts FIELD" in said.err) == (0, warned)

    def test_another_run_is_not_written_over(self, magistrate, replies):
        assert magistrate("audit", replies(GOOD), *NAMES, "--save", "R").code == 0
        said = magistrate("audit", replies(GOOD, name="other.jsonl"), *NAMES, "--save", "R")
        assert said.code == 2
        assert "R holds a run of another configuration" in said.err


class TestAgainstPeople:
    @pytest.fixture
    def labelled(self, tmp_path):
        rows = [
            ("[[A>>B]]", "A>B", "A>B"),
            ("[[A>B]]", "B>A", "A>>B"),
            ("[[B>>A]]", "B>A", "A>B"),
            ("[[A=B]]", "A=B", "A=B"),
        ]
        path = tmp_path / "labelled.jsonl"
        keys = ("raw", "label", "people")
        path.write_text("".join(json.dumps(dict(zip(keys, row, strict=True))) + "\n" for row in rows))
        return path

    @pytest.mark.parametrize("choices", ["A>B,A=B,B>A", "A>>B,A>B,A=B,B>A,B>>A"])
    def test_labels_that_count_as_another_are_told(self, magistrate, labelled, choices):
        told = ("--choices", choices, "--same", "A>>B", "A>B", "--same", "B>>A", "B>A", "--truth", "people", "--json")
        found = json.loads(magistrate("audit", labelled, "--reply", "raw", "--label", "label", *told).out)
        assert (found["standings"]["stands"], found["wrong"]) == (3, 1)
        assert found["against_people"]["read"]["share"] == 0.75
        assert found["against_people"]["recorded"]["share"] == 0.5
        assert found["against_people"]["read"]["kappa"] == pytest.approx((0.75 - 0.4375) / 0.5625)

    def test_scores_and_verdicts_too(self, magistrate, tmp_path):
        path = tmp_path / "v.jsonl"
        row = {"raw": "1. yes\n2. no", "claims": ASKED, "score": 0.5}
        path.write_text("".join(json.dumps({**row, "gold": gold}) + "\n" for gold in (["yes", "no"], 1.0, None)))
        found = json.loads(magistrate("audit", path, *NAMES, "--truth", "gold", "--json").out)
        assert (found["against_people"]["read"]["n"], found["against_people"]["read"]["share"]) == (2, 0.5)

    @pytest.mark.parametrize(("tolerance", "share"), [(0.005, 1.0), (1e-6, 0.0)])
    def test_scores_that_were_rounded_are_the_same_within_the_tolerance(self, magistrate, tmp_path, tolerance, share):
        row = {"raw": "1. yes\n2. no\n3. yes", "claims": [*ASKED, "The sea is calm."], "score": 0.67}
        for gold, name in ((["yes", "no", "yes"], "recorded"), (0.67, "read")):
            (tmp_path / "v.jsonl").write_text(json.dumps({**row, "gold": gold}))
            options = ("--truth", "gold", "--json", "--tolerance", tolerance)
            found = json.loads(magistrate("audit", "v.jsonl", *NAMES, *options).out)
            assert found["against_people"][name]["share"] == share
