"""What a reply says after its score, and why there is none."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_score
from magistrate.verdict import ParseStatus


class TestAgainstIt:
    @pytest.mark.parametrize(
        ("reply", "message"),
        [
            ("Score: 4. I take that back.", "the judge takes the score back after it"),
            ('{"score": 4}\nI take that back.', "the judge takes the score back after it"),
            ('{"score": 4, "reason": "Two fares are wrong. So the score is 2."}', "the reason ends with another score"),
            ("Score: 4\nScore: 5", "the reply gives different scores"),
        ],
    )
    def test_the_reply_leaves_none_and_says_why(self, reply: str, message: str) -> None:
        reading = parse_score(reply, 1, 5)
        assert reading.value is None
        assert message in [issue.message for issue in reading.issues]

    @pytest.mark.parametrize(
        "reply",
        [
            '{"score": 4, "reason": "Two fares are wrong. So the score is 4."}',
            '{"score": 4, "reason": "Two fares are wrong. So the score is 4.0/5."}',
            "Score: 4\nScore: 4.0",
            "Score: 4. The log takes it back to 1990.",
        ],
    )
    def test_where_it_agrees_nothing_changes(self, reply: str) -> None:
        reading = parse_score(reply, 1, 5)
        assert (reading.value, reading.issues) == (4, ())


class TestCutOff:
    @pytest.mark.parametrize("reply", ["I give it a 4. Score: 5", "The score is 4. Overall score: 5"])
    def test_an_earlier_number_does_not_take_the_place_of_the_last(self, reply: str) -> None:
        reading = parse_score(reply, 1, 5, finish_reason="length")
        assert reading.value is None
        assert [issue.message for issue in reading.issues] == ["the reply was cut off"]

    @pytest.mark.parametrize("reply", ["Score: 4\n\n[[5]]", "4 - fine\n[[5]]"])
    def test_what_stands_in_brackets_has_ended(self, reply: str) -> None:
        assert parse_score(reply, 1, 5, finish_reason="length").value == 5


class TestTornScores:
    @pytest.mark.parametrize("reply", ["4\nScore: 5", "4/5\nScore: 5", "I rate it 4. I rate it 5"])
    def test_an_earlier_one_does_not_count_where_the_whole_reply_would_be_a_conflict(self, reply: str) -> None:
        reading = parse_score(reply, 1, 5, finish_reason="length")
        assert (reading.value, reading.status) == (None, ParseStatus.TRUNCATED)
        assert parse_score(reply, 1, 5).value is None

    def test_a_reason_that_breaks_off_takes_nothing_away(self) -> None:
        assert parse_score("Score: 4\n\nThe summary holds 3", 1, 5, finish_reason="length").value == 4
