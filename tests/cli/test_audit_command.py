"""`magistrate audit`."""

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


class TestExitCodes:
    @cases("audit_command: 0 unless more is wrong than allowed")
    def test_0_unless_more_is_wrong_than_allowed(self, magistrate, replies, limit, code):
        path = replies(GOOD, GOOD, WRONG, GOOD)
        assert magistrate("audit", path, *NAMES, *limit).code == code

    def test_2_where_there_is_no_score_to_audit(self, magistrate, replies):
        for path in (replies(), replies(("1. yes\n2. no", None)), replies(("1. yes\n2. no", "high"))):
            said = magistrate("audit", path, *NAMES)
            assert said.code == 2
            assert "not one recorded score" in said.err

    def test_2_and_only_the_error_where_no_row_has_the_reply(self, magistrate, replies):
        said = magistrate("audit", replies(GOOD), "--reply", "rwa", "--score", "score")
        assert (said.code, said.out) == (2, "")
        assert "'raw'" in said.err

    def test_2_for_a_gate_that_unusable_rows_leave_open(self, magistrate, replies):
        path = replies(GOOD, GOOD, GOOD, ("1. yes\n2. no", "high"))
        assert [magistrate("audit", path, *NAMES, *limit).code for limit in ((), ("--max-wrong", 1))] == [0, 0]
        said = magistrate("audit", path, *NAMES, "--max-wrong", "2%")
        assert said.code == 2
        assert "1 unusable row" in said.err

    def test_2_for_a_gate_where_a_file_breaks_off(self, magistrate, replies, tmp_path):
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

    @cases("audit_command: 2 for a usage error")
    def test_2_for_a_usage_error(self, magistrate, replies, arguments, message):
        said = magistrate("audit", replies(GOOD), *arguments)
        assert said.code == 2
        assert message in said.err


class TestOutput:
    def test_people_read_counts_means_and_the_worst(self, magistrate, replies):
        said = magistrate("audit", replies(GOOD, WRONG), *NAMES)
        assert "2 replies in 1 file" in said.out
        assert "mean recorded  0.75 over 2" in said.out
        assert "recorded 1, the reply says 0.5" in said.out
        assert "^^^^^^ s1 supported" in said.out

    def test_programs_read_json(self, magistrate, replies):
        found = json.loads(magistrate("audit", replies(GOOD, WRONG), *NAMES, "--json", "--worst", 0).out)
        assert (found["wrong"], found["worst"]) == (1, [])

    def test_every_finding_in_a_file(self, magistrate, replies, tmp_path):
        magistrate("audit", replies(GOOD, WRONG, ("", 0)), *NAMES, "--findings", "found.jsonl")
        found = [json.loads(line) for line in (tmp_path / "found.jsonl").read_text().splitlines()]
        assert [one["standing"] for one in found] == ["stands", "wrong", "undecided"]


class TestAgainstPeople:
    LABELS = ("--reply", "raw", "--label", "label", "--choices", "A>B,A=B,B>A")

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

    def test_labels_that_count_as_another_are_told(self, magistrate, labelled):
        same = ("--same", "A>>B", "A>B", "--same", "B>>A", "B>A")
        found = json.loads(magistrate("audit", labelled, *self.LABELS, *same, "--truth", "people", "--json").out)
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

    @pytest.mark.parametrize("same", [("A>>B", "A>>>B"), ("A>>B",)])
    def test_what_counts_as_nothing_is_refused(self, magistrate, labelled, same):
        assert magistrate("audit", labelled, *self.LABELS, "--same", *same).code == 2

    def test_it_is_for_labels(self, magistrate, labelled):
        assert magistrate("audit", labelled, "--reply", "raw", "--same", "a", "b").code == 2
