"""An audit on the terminal and as JSON."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.audit import AuditSummary, LabelTask, Place, ScoreTask, VerdictsTask
from magistrate.audit._stored import Stored
from magistrate.report.programs.replies import audit_dict, finding_dict, finding_line
from magistrate.report.terminal.replies import print_audit

from .conftest import HOSTILE

cases = cases_of(__file__)

ASKED = ("The pass is open.", "The pass is steep.")
MIXED = [
    ("1. yes\n2. yes", 1.0),
    ("1. yes\n2. no", 1.0),
    ("1. no\n2. perhaps", 1.0),
    ("", 0.0),
    ("1. yes\n2. no", None),
    ("1. yes\n2. no", "much"),
]


def audit(rows, task=None, field="score", **more):
    task = task or VerdictsTask()
    asked = ASKED if isinstance(task, VerdictsTask) else None
    return AuditSummary.of(
        task.audit(Stored(place=Place("a.jsonl", at, at), reply=text, statements=asked, **{field: value}, **more))
        for at, (text, value) in enumerate(rows, 1)
    ), task.describe()


class TestPrintAudit:
    def test_of_very_many_verdicts_those_recorded_otherwise_are_shown_first(self, shown):
        count = 3000
        reply = json.dumps(
            [{"id": at, "verdict": "no" if at == 2900 else "yes"} for at in range(1, count + 1)], indent=0
        )
        asked = tuple(f"Pass number {at} is open." for at in range(count))
        stored = Stored(place=Place("a.jsonl", 1, 1), reply=reply, statements=asked, verdicts=(1,) * count)
        task = VerdictsTask()
        text = shown(print_audit, AuditSummary.of([task.audit(stored)]), task.describe())
        assert "s2900 unsupported" in text
        assert "and 2,900 more verdicts" in text
        assert text.count("\n") < 1000

    def test_what_is_printed_of_hostile_rows_is_inert(self, shown):
        place = Place(HOSTILE, 1, id=HOSTILE)
        task = VerdictsTask()
        rows = [
            Stored(place=place, reply=f"1. yes {HOSTILE}\n2. no", statements=(HOSTILE, "b"), score=1.0),
            Stored(place=place, reply="", score=HOSTILE),
            Stored(place=place, problem=HOSTILE),
        ]
        text = shown(print_audit, AuditSummary.of(map(task.audit, rows)), task.describe())
        assert not set(text) & set("\x1b\u202e\x07")


class TestJson:
    def test_what_it_adds_up_to(self):
        found = audit_dict(*audit(MIXED))
        assert (found["kind"], found["task"], found["policy"]) == ("magistrate-audit", "verdicts", "strict")
        assert (found["replies"], found["recorded"], found["wrong"], found["recovered"]) == (6, 4, 2, 1)
        assert found["standings"]["impossible"] == 1
        assert found["undecided"] == {"empty": 1}
        assert found["means"]["recorded"] == {"mean": 0.75, "count": 4}
        assert [one["line"] for one in found["worst"]] == [2, 3]
        assert found["worst"][0]["verdicts"][1] == {
            "id": "s2", "statement": "The pass is steep.", "verdict": "unsupported", "span": (7, 12),
        }  # fmt: skip

    @given(text=st.text(), recorded=st.none() | st.floats() | st.text())
    def test_it_is_strict_json_whatever_the_row(self, text, recorded):
        for task, field in (
            (VerdictsTask(), "score"),
            (ScoreTask(low=0, high=1), "score"),
            (LabelTask(choices=("a", "b")), "label"),
        ):
            summary, told = audit([(text, recorded)], task, field)
            json.loads(json.dumps(audit_dict(summary, told), allow_nan=False))
            finding = task.audit(Stored(place=Place("a", 1), reply=text, **{field: recorded}))
            line = finding_line(finding)
            assert line.isascii()
            assert json.loads(line) == json.loads(json.dumps(finding_dict(finding)))

    @pytest.mark.parametrize("text", ["\ud800", "\u2028"])
    def test_a_finding_is_one_line(self, text):
        line = finding_line(VerdictsTask().audit(Stored(place=Place("a", 1), reply=text, statements=ASKED, score=1)))
        assert line.splitlines() == [line.rstrip("\n")]
        assert json.loads(line)["reply"] == text


class TestHints:
    @cases("audit_report: several numbers off the range are another range")
    def test_several_numbers_off_the_range_are_another_range(self, shown, values, task, hinted, not_hinted):
        text = shown(print_audit, *audit([("Rating: 3", value) for value in values], task and ScoreTask(**task)))
        assert hinted in text
        assert not_hinted not in text

    @pytest.mark.parametrize(("value", "hinted"), [(0.33, True), (0.3333, True), (0.34, False), (1 / 3, False)])
    def test_a_score_that_was_rounded_is_not_the_judge_s_fault(self, shown, value, hinted):
        summary, task = audit([("Rating: 2", value)] * 2, ScoreTask(low=1, high=4, normalized=True))
        merged = AuditSummary()
        merged.merge(summary)
        assert ("2 are the score read, but rounded" in shown(print_audit, merged, task)) is hinted

    def test_a_field_that_holds_something_else_is_asked_about(self, shown):
        read, other = ("1. yes\n2. no", 0.5), (json.dumps([{"statement": "It rains.", "verdict": "yes"}]), 1.0)
        for rows, asked in (([read], None), ([("Dear all", 1.0)] * 3, "--reply"), ([other] * 2, "--statements")):
            text = shown(print_audit, *audit(rows))
            assert [name for name in ("--reply", "--statements") if f"field of {name}" in " ".join(text.split())] == (
                [asked] if asked else []
            )

    def test_percentages_are_no_scores_of_verdicts(self, shown):
        rows = [("1. yes\n2. no", 50.0), ("1. yes\n2. yes", 100.0)]
        assert "percentages" in shown(print_audit, *audit(rows))
        assert "percentages" not in shown(print_audit, *audit(rows, ScoreTask(low=1, high=5)))

    @pytest.mark.parametrize(("by", "hinted"), [(5, True), (10, False)])
    def test_a_number_that_was_divided_is_not_brought_to_the_range(self, shown, by, hinted):
        rows = [(f"Rating: {n}", n / by) for n in (1, 2, 3, 4, 5) * 4]
        task = ScoreTask(low=1, high=5, normalized=True)
        assert ("--range 0 5 --normalized" in shown(print_audit, *audit([*rows, ("Rating: 2", 1.0)], task))) is hinted

    def test_the_first_undecided_are_named_with_why(self, shown):
        summary, task = audit([("", 1.0)] * 12)
        text = shown(print_audit, summary, task)
        assert all(f"a.jsonl:{line}: empty" in text for line in range(1, 11))
        assert "a.jsonl:11" not in text
        assert "--findings" in text
        assert len(AuditSummary.of(summary.undecided, worst=0).undecided) == 5
        merged = AuditSummary()
        for part in (summary, summary):
            merged.merge(part)
        assert merged.undecided == summary.undecided
