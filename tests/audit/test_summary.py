"""What an audit adds up to."""

import json
import tracemalloc
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.audit import (
    AuditSummary,
    Finding,
    Mean,
    Place,
    ScoreTask,
    Standing,
    audit_files,
    audit_part,
    audit_parts,
)
from magistrate.report.programs.replies import audit_dict


def finding(standing=Standing.STANDS, row=1, **fields):
    return Finding(place=Place("a.jsonl", row), standing=standing, **fields)


class TestCounts:
    def test_wrong_is_what_the_reply_does_not_say_or_cannot(self):
        summary = AuditSummary.of(
            [
                finding(recorded=1.0, read=1.0),
                finding(Standing.WRONG, recorded=1.0, read=0.5),
                finding(Standing.IMPOSSIBLE, recorded=1.0, bounds=(0.0, 0.5)),
                finding(Standing.UNDECIDED, recorded=1.0, bounds=(0.0, 1.0), why="truncated", reproduced=True),
                finding(Standing.UNRECORDED, read=0.5),
                finding(Standing.UNRECORDED),
                finding(Standing.UNUSABLE, why="the row has no field 'x'"),
            ]
        )
        assert (summary.total, summary.judged, summary.wrong, summary.recovered, summary.reproduced) == (7, 4, 2, 1, 1)
        assert summary.reasons == {"truncated": 1}
        assert summary.unusable == {"the row has no field 'x'": 1}

    def test_what_is_only_rounded_is_counted_also_at_the_end_of_what_is_possible(self):
        third, rounded = 1 / 3, 0.3333
        whole = finding(Standing.WRONG, recorded=rounded, read=third, bounds=(third, third))
        part = finding(Standing.IMPOSSIBLE, recorded=rounded, bounds=(third, 2 / 3))
        other = finding(Standing.WRONG, recorded=0.5, read=third, bounds=(third, third))
        assert AuditSummary.of([whole, part, other]).rounded == 2
        swapped = finding(Standing.WRONG, recorded=0.5, read=0.5, bounds=(0.5, 0.5))  # the verdicts differ
        assert AuditSummary.of([swapped]).rounded == 0

    def test_where_each_reason_was_found_first_and_which_file_was_not_read_to_its_end(self):
        summary = AuditSummary.of(
            [finding(Standing.UNUSABLE, row, why=f"row {row % 2}", last=row == 4) for row in range(1, 5)]
        )
        assert {why: place.row for why, place in summary.first.items()} == {"row 1": 1, "row 0": 2}
        assert summary.unfinished == ["a.jsonl"]


class TestMeans:
    def test_before_after_on_the_same_replies_and_what_is_possible(self):
        summary = AuditSummary.of(
            [
                finding(recorded=1.0, read=1.0),
                finding(Standing.WRONG, recorded=1.0, read=0.0),
                finding(Standing.UNDECIDED, recorded=1.0, bounds=(0.25, 0.75)),
                finding(Standing.UNDECIDED, recorded=0.5),
                finding(Standing.UNRECORDED, read=0.5),
            ]
        )
        assert (summary.recorded.value, summary.recorded.count) == (0.875, 4)
        assert (summary.read.value, summary.read.count) == (0.5, 3)
        assert (summary.both.value, summary.reread.value, summary.both.count) == (1.0, 0.5, 2)
        assert (summary.lowest.value, summary.highest.value) == ((1 + 0.25 + 0.5) / 4, (1 + 0.75 + 0.5) / 4)

    def test_labels_are_counted_before_and_after(self):
        summary = AuditSummary.of([finding(recorded="A", read="A"), finding(Standing.WRONG, recorded="A", read="B")])
        assert summary.labels == {"A": (2, 1), "B": (0, 1)}
        assert summary.recorded.count == 0


class TestWorst:
    @given(differences=st.lists(st.sampled_from([0.1, 0.25, 0.5, 1.0]), max_size=40), kept=st.integers(0, 12))
    def test_the_largest_and_of_equals_the_first(self, differences, kept):
        found = [finding(Standing.WRONG, row, recorded=1.0, difference=off) for row, off in enumerate(differences)]
        worst = AuditSummary.of(found, worst=kept).worst
        expected = sorted(found, key=lambda one: (-one.difference, one.place.row))[:kept]
        assert [one.place.row for one in worst] == [one.place.row for one in expected]

    def test_differences_that_are_equal_but_for_the_rounding_of_floats_are_equal(self):
        pairs = [(0.0, 0.6), (0.2, 0.8), (0.4, 1.0), (0.1, 0.7)]
        found = [
            finding(Standing.WRONG, row, recorded=old, read=new, difference=abs(old - new))
            for row, (old, new) in enumerate(pairs)
        ]
        assert [one.place.row for one in AuditSummary.of(found).worst] == [0, 1, 2, 3]
        assert [one.place.row for one in AuditSummary.of(found, worst=2).worst] == [0, 1]

    @pytest.mark.parametrize("standing", [Standing.STANDS, Standing.UNDECIDED, Standing.UNRECORDED, Standing.UNUSABLE])
    def test_what_is_not_wrong_is_none_of_them(self, standing):
        assert AuditSummary.of([finding(standing, difference=1.0)]).worst == []


def test_memory_does_not_grow_with_the_number_of_findings():
    def found(count):
        return (
            finding(Standing.WRONG, row, recorded=1.0, read=0.0, reply="x" * 2000, difference=row)
            for row in range(count)
        )

    AuditSummary.of(found(50))
    tracemalloc.start()
    AuditSummary.of(found(3_000))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 200_000


class TestParts:
    @pytest.mark.parametrize("count", [1, 2, 7])
    def test_parts_add_up_to_the_whole(self, tmp_path, count, monkeypatch):
        monkeypatch.setattr("magistrate.audit._audit._FEWEST_ROWS", 10)
        for name, sizes in (("a.jsonl", 70), ("b.jsonl", 25)):
            rows = [
                {"reply": f"Score: {n % 6}" if n % 9 else "no idea", "score": (n * 0.1) % 5, "id": f"{name}-{n}"}
                for n in range(sizes)
            ]
            (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows) + "broken\n")
        task, paths = ScoreTask(low=0, high=5), {"reply": "reply", "score": "score", "id": "id"}
        files = [str(tmp_path / "*.jsonl")]
        whole = AuditSummary.of(audit_files(files, task, paths))
        parts = audit_parts(files, count)
        assert len(parts) >= count
        merged = AuditSummary()
        for part in parts:
            merged.merge(AuditSummary.of(audit_part(part, task, paths)))
        assert audit_dict(merged, task.describe()) == audit_dict(whole, task.describe())
        assert merged.total == 97

    @given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1), st.integers(0, 20))
    def test_a_mean_is_exact_however_it_is_cut(self, values, cut):
        whole, first, second = Mean(), Mean(), Mean()
        for value in values:
            whole.add(value)
        for mean, part in ((first, values[:cut]), (second, values[cut:])):
            for value in part:
                mean.add(value)
        first.merge(second)
        assert first.value == whole.value == float(sum(map(Fraction, values)) / len(values))
