"""Labels in data, and what a reply says after its label."""

from __future__ import annotations

import pytest

from magistrate.parsing import LabelReading, parse_label
from magistrate.verdict import ParseStatus


def _read(reply: str, choices: tuple[str, ...] = ("A", "B"), **more: str) -> LabelReading:
    return parse_label(reply, choices, **more)


def _messages(reading: LabelReading) -> list[str]:
    return [issue.message for issue in reading.issues]


class TestTakenBack:
    @pytest.mark.parametrize(
        ("reply", "message"),
        [
            ("Label: A\nIt is so.\nI take that back.", "the judge takes the label back on a line below it"),
            ("Label: A. I take that back.", "the judge takes the label back after it"),
            ('{"label": "A"}\nI take that back.', "the judge takes the label back after it"),
            ("Label: A\nSorry, I meant B.", "the judge says that the label was a slip"),
            ("Label: A\nLabel: B", "the reply gives different labels"),
        ],
    )
    def test_or_given_twice_leaves_none_and_says_why(self, reply: str, message: str) -> None:
        reading = _read(reply)
        assert reading.label is None
        assert reading.status is ParseStatus.UNPARSEABLE
        assert _messages(reading) == [message]

    def test_with_another_one_counts(self) -> None:
        reading = _read("Label: A\nCorrection: Label: B")
        assert reading.label == "B"
        assert _messages(reading) == ["the judge took back an earlier label"]


class TestData:
    @pytest.mark.parametrize(
        "reply",
        [
            '{"label": "A"}',
            '{"x": {"label": "A"}}',
            '[{"label": "A"}]',
            '["A"]',
            '[["A"]]',
            '{"label": ["A"]}',
            '{"final_choice": "A"}',
            '{"reason": {"label": "B"}, "label": "A"}',
            '{"label": "A", "reason": "B is worse."}',
        ],
    )
    def test_one_label_is_read_wherever_it_stands(self, reply: str) -> None:
        assert _read(reply).label == "A"

    @pytest.mark.parametrize(
        "reply",
        [
            '{"x": {"label": "A"}, "y": {"label": "B"}}',
            '["A", "B"]',
            '{"label": "A", "label": "B"}',
            '{"label": "C"}',
            "{}",
            '{"type": {}}',
        ],
    )
    def test_two_or_none_give_none(self, reply: str) -> None:
        assert _read(reply).label is None

    def test_a_number_and_a_truth_value_may_be_labels(self) -> None:
        assert _read('{"label": 1}', ("1", "2")).label == "1"
        assert _read('{"label": true}', ("True", "False")).label == "True"
        assert _read('{"label": true}').label is None
        assert _read('{"label": 1.5}', ("1.5", "2")).label is None

    def test_the_first_reason_is_the_reason(self) -> None:
        assert _read('{"rationale": "It is.", "label": "A"}').reason == "It is."
        assert _read('{"rationale": 7, "reason": "It is.", "label": "A"}').reason == "It is."
        assert _read('{"label": "A"}').reason is None

    def test_places_are_those_of_the_label(self) -> None:
        reply = 'So: {"x": {"label": "A"}}'
        span = _read(reply).span
        assert span is not None
        assert reply[slice(*span)] == '"A"'


class TestNone:
    @pytest.mark.parametrize(
        ("reply", "end", "status"),
        [
            ("", "stop", ParseStatus.EMPTY),
            ("```\n```", "stop", ParseStatus.EMPTY),
            ("", "length", ParseStatus.EMPTY),
            ("Well, the", "length", ParseStatus.TRUNCATED),
            ("Label: A", "length", ParseStatus.TRUNCATED),
            ("I cannot help with that.", "stop", ParseStatus.REFUSAL),
            ("Hm.", "content_filter", ParseStatus.REFUSAL),
            ("Hm.", "stop", ParseStatus.UNPARSEABLE),
            ("Label: C", "stop", ParseStatus.UNPARSEABLE),
        ],
    )
    def test_has_a_status_that_tells_why(self, reply: str, end: str, status: ParseStatus) -> None:
        reading = _read(reply, finish_reason=end)
        assert (reading.label, reading.status) == (None, status)

    def test_what_was_read_before_the_cut_counts(self) -> None:
        assert _read('{"label": "A"}', finish_reason="length").label == "A"
        assert _read('{"label": "A", "reason": "it', finish_reason="length").label == "A"
