"""One label from all that a reply says: agreement, conflict, withdrawal, the end of the reply."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_label
from magistrate.verdict import IssueCode, ParseStatus

CHOICES = ["A", "B"]


class TestData:
    @pytest.mark.parametrize(
        "reply",
        [
            '{"labels": [["A"]]}',
            '{"label": {"value": "A"}}',
            '{"label": ["A"]}',
            '[["A"]]',
            '{"final_label": "A"}',
            '{"label": "A", "grade": "A"}',
            "<label>A</label>",
        ],
    )
    def test_holds_one_label(self, reply: str) -> None:
        assert parse_label(reply, CHOICES).label == "A"

    @pytest.mark.parametrize(
        "reply",
        [
            '{"label": ["A", "B"]}',
            '{"x": {"label": "A"}, "y": {"label": "B"}}',
            '{"type": "object", "properties": {"label": {"enum": ["A", "B"]}}}',
            '{"label": null}',
            '{"label": true}',
            "<label>A",
        ],
    )
    def test_holds_none_where_it_says_several_or_nothing(self, reply: str) -> None:
        reading = parse_label(reply, CHOICES)
        assert (reading.label, reading.status) == (None, ParseStatus.UNPARSEABLE)

    @pytest.mark.parametrize(
        "reply",
        [
            '{"label": "A", "final_label": "B"}',
            "<label>A</label><label>B</label>",
            '{"label": "A"}\nLabel: B',
            'Label: C\n{"label": "A"}',
            "Label: A\nLabel: B",
        ],
    )
    def test_that_differs_decides_nothing_and_says_so(self, reply: str) -> None:
        reading = parse_label(reply, CHOICES)
        assert reading.label is None
        assert IssueCode.CONFLICTING_VERDICTS in {note.code for note in reading.issues}


class TestWithdrawals:
    def test_one_behind_all_labels_leaves_none(self) -> None:
        for reply in ('{"label": "A"}\nI take that back.', "Label: A. Actually, that is wrong."):
            reading = parse_label(reply, CHOICES)
            assert reading.label is None
            assert [note.code for note in reading.issues] == [IssueCode.CONFLICTING_VERDICTS]


class TestChangesOfMind:
    @pytest.mark.parametrize(
        "said",
        ["However, I change it to B.", "I would rather go with B.", "On balance I switch to B.", "Changed to B."],
    )
    @pytest.mark.parametrize("answer", ["Label: A", "[[A]]", '{"label": "A"}'])
    def test_take_the_label_back(self, answer: str, said: str) -> None:
        assert parse_label(f"{answer}\n{said}", CHOICES).label is None

    def test_changes_of_something_else_do_not(self) -> None:
        assert parse_label("Label: A\nThe spelling was changed to British.", CHOICES).label == "A"


class TestTheEnd:
    def test_what_is_complete_before_the_cut_stays(self) -> None:
        for reply in ('{"label": "A"', '{"label": "A", "reason": "so', "Label: A.\nIt is the"):
            assert parse_label(reply, CHOICES, finish_reason="length").label == "A"

    @pytest.mark.parametrize("reply", ['{"label": "A', '[{"label": "A"}, {"lab', "<think>A"])
    def test_what_is_torn_off_is_called_so_without_a_signal(self, reply: str) -> None:
        reading = parse_label(reply, CHOICES)
        assert (reading.label, reading.status) == (None, ParseStatus.TRUNCATED)

    @pytest.mark.parametrize("reply", ["", "   ", "``", "```\n```", "<think>x</think>", None])
    def test_nothing_is_called_empty(self, reply: str | None) -> None:
        reading = parse_label(reply, CHOICES)
        assert (reading.label, reading.status) == (None, ParseStatus.EMPTY)

    def test_a_word_that_is_no_choice_is_named_as_such(self) -> None:
        assert [note.code for note in parse_label("GRADE: C", CHOICES).issues] == [IssueCode.UNKNOWN_LABEL]
        assert parse_label("GRADE: C", CHOICES, finish_reason="length").status is ParseStatus.TRUNCATED


class TestEndlessReplies:
    def test_have_no_label(self) -> None:
        reading = parse_label('{"label": ' * 100_000 + "A", CHOICES)
        assert (reading.label, reading.status) == (None, ParseStatus.UNPARSEABLE)


class TestConclusions:
    @pytest.mark.parametrize(
        ("reply", "label"),
        [("Both are equally good, so it's a tie.", "tie"), ("Both miss the year, so A is better.", "A")],
    )
    def test_are_not_denied_by_what_leads_to_them(self, reply: str, label: str) -> None:
        assert parse_label(reply, ["A", "B", "tie"]).label == label


class TestTornLabels:
    @pytest.mark.parametrize(
        "reply", ["Label: A\nLabel: B", "A is better.\n\nFinal answer: B", "I prefer A.\nAnswer: B"]
    )
    def test_an_earlier_one_does_not_count_where_the_whole_reply_would_be_a_conflict(self, reply: str) -> None:
        reading = parse_label(reply, CHOICES, finish_reason="length")
        assert (reading.label, reading.status) == (None, ParseStatus.TRUNCATED)
        assert parse_label(reply, CHOICES).label is None

    def test_a_reason_that_breaks_off_takes_nothing_away(self) -> None:
        assert parse_label("Label: A\n\nThe second reply, B", CHOICES, finish_reason="length").label == "A"
