"""parse_score: one number on a declared range, never moved onto it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import pytest

from magistrate.parsing import parse_score
from magistrate.verdict import IssueCode, ParseStatus


def issues(reading: Any) -> set[IssueCode]:
    return {issue.code for issue in reading.issues}


class TestRead:
    @pytest.mark.parametrize(
        ("text", "low", "high", "value"),
        [
            ("4", 1, 5, 4),
            ("**4**", 1, 5, 4),
            ('{"score": 4}', 1, 5, 4),
            ('{"reason": "Two slips, 3 strengths.", "score": 4.5}', 1, 5, 4.5),
            ('{"score": "4"}', 1, 5, 4),
            ('{"scores": {"clarity": 2, "style": 3}, "overall_score": 3}', 1, 5, 3),
            ('{"result": {"rating": 7}}', 0, 10, 7),
            ('{"faithfulness": 0.8}', 0, 1, 0.8),
            ("```json\n{'score': 4,}\n```", 1, 5, 4),
            ("Rating: [[5]]", 1, 5, 5),
            ("The answer is fair. [[3]]", 1, 5, 3),
            ("Score: 8/10", 0, 10, 8),
            ("I would rate this 7 out of 10.", 0, 10, 7),
            ("Score: 85%", 0, 100, 85),
            ("Score: 85%", 0, 1, 0.85),
            ("Final score: 3", 1, 5, 3),
            ("**Score:** 4\n\nThe text is clear.", 1, 5, 4),
            ("Clarity score: 2\nStyle score: 3\nOverall score: 4", 1, 5, 4),
            ("<score>4</score>", 1, 5, 4),
            ("Punktzahl: 4,5", 1, 5, 4.5),
            ("评分：4", 1, 5, 4),
            ("I give it a score of 4.", 1, 5, 4),
            ("On a scale from 1 to 5, I would give this a 4.", 1, 5, 4),
            ("[RESULT] 4", 1, 5, 4),
            ("<think>Maybe 2. Score: 2</think>\nScore: 4", 1, 5, 4),
        ],
    )
    def test_the_number_the_judge_gave(self, text: str, low: float, high: float, value: float) -> None:
        reading = parse_score(text, low, high)
        assert reading.status is ParseStatus.OK
        assert reading.value == pytest.approx(value)
        assert reading.span is not None
        assert text[slice(*reading.span)].strip()


class TestOutOfRange:
    @pytest.mark.parametrize(
        "text", ['{"score": 6}', '{"score": 0}', '{"score": -3}', "Score: 8/10", "Score: 80%", '{"score": 1e400}']
    )
    def test_is_named_and_not_clamped(self, text: str) -> None:
        reading = parse_score(text, 1, 5)
        assert reading.value is None
        assert reading.status is ParseStatus.OUT_OF_RANGE
        assert IssueCode.OUT_OF_RANGE in issues(reading)


class TestNone:
    @pytest.mark.parametrize(
        ("text", "status"),
        [
            ("", ParseStatus.EMPTY),
            (None, ParseStatus.EMPTY),
            ("I'm sorry, but I can't assess this.", ParseStatus.REFUSAL),
            ("The text has 3 strong points and 2 weak ones.", ParseStatus.UNPARSEABLE),
            ('{"score": NaN}', ParseStatus.UNPARSEABLE),
            ('{"score": true}', ParseStatus.UNPARSEABLE),
            ('{"score": null}', ParseStatus.UNPARSEABLE),
            ('{"score": "high"}', ParseStatus.UNPARSEABLE),
            ('{"clarity": 3, "style": 4}', ParseStatus.UNPARSEABLE),
            ('{"error": {"code": 4}}', ParseStatus.UNPARSEABLE),
            ('{"score": 4, "score": 2}', ParseStatus.UNPARSEABLE),
            ('{"score": 4}\n{"score": 2}', ParseStatus.UNPARSEABLE),
            ("Score: 3 or 4", ParseStatus.UNPARSEABLE),
            ("Score: 3-4", ParseStatus.UNPARSEABLE),
            ('{"score": ', ParseStatus.TRUNCATED),
            ('{"score": 1', ParseStatus.TRUNCATED),
            ("<think>Score: 4", ParseStatus.TRUNCATED),
        ],
    )
    def test_says_how_it_ended(self, text: Any, status: ParseStatus) -> None:
        reading = parse_score(text, 1, 5)
        assert reading.value is None
        assert reading.status is status

    def test_a_number_at_a_cut_may_be_the_head_of_another(self) -> None:
        assert parse_score("Score: 1", 0, 10, finish_reason="length").value is None
        assert parse_score("Score: 1", 0, 10, finish_reason="stop").value == 1
        assert parse_score("1", 0, 10, finish_reason="length").status is ParseStatus.TRUNCATED

    def test_a_refusal_of_the_provider(self) -> None:
        assert parse_score("", 0, 10, finish_reason="refusal").status is ParseStatus.REFUSAL
        assert parse_score("", 0, 10, finish_reason="content_filter").status is ParseStatus.REFUSAL


class TestConflict:
    def test_two_scores_are_none(self) -> None:
        reading = parse_score("Score: 2\n\nScore: 4", 1, 5)
        assert reading.value is None
        assert IssueCode.CONFLICTING_VERDICTS in issues(reading)

    def test_the_same_twice_is_one(self) -> None:
        assert parse_score('{"score": 4}\n\nScore: 4', 1, 5).value == 4

    def test_a_correction_lets_the_later_one_count(self) -> None:
        reading = parse_score("Score: 2\n\nCorrection: the score above is wrong.\n\nScore: 4", 1, 5)
        assert reading.value == 4
        assert IssueCode.CONFLICTING_VERDICTS in issues(reading)

    def test_data_and_text_that_disagree_are_none(self) -> None:
        assert parse_score('I rate it 2 out of 5.\n\n{"score": 4}', 1, 5).value is None


class TestArguments:
    @pytest.mark.parametrize(("low", "high"), [(5, 1), (1, 1), (0, math.inf), (math.nan, 1), (-math.inf, 0)])
    def test_a_range_that_is_none(self, low: float, high: float) -> None:
        with pytest.raises(ValueError, match="is no range"):
            parse_score("4", low, high)

    def test_what_was_mended_is_told(self) -> None:
        reading = parse_score("{'score': 4, }", 1, 5)
        assert reading.value == 4
        assert reading.repairs
        assert IssueCode.REPAIRED_JSON in issues(reading)

    def test_a_reason_beside_it_is_kept(self) -> None:
        assert parse_score(json.dumps({"reason": "Well made.", "score": 4}), 1, 5).reason == "Well made."


Tell = Callable[..., tuple[str, ...]]


class TestData:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ('{"score": 4}', ("ok 4.0 json 10-11",)),
            ('{"score": "4"}', ("ok 4.0 json 10-13",)),
            ('{"score": 4.5}', ("ok 4.5 json 10-13",)),
            (
                '{"score": 9}',
                ("out_of_range None json 10-11", "out-of-range: the score is not on the scale from 1 to 5"),
            ),
            ('{"result": {"score": 4}}', ("ok 4.0 json 21-22",)),
            (
                '{"score": 4, "rating": 3}',
                ("unparseable None None", "conflicting-verdicts: one key holds different scores"),
            ),
            ('{"score": 4, "rating": 4}', ("ok 4.0 json 10-11",)),
            (
                '{"score": "four"}',
                (
                    "unparseable None None",
                    "unknown-label: what stands in place of the score is no number, or may be read as more than one",
                ),
            ),
            (
                '{"score": true}',
                (
                    "unparseable None None",
                    "unknown-label: what stands in place of the score is no number, or may be read as more than one",
                ),
            ),
            (
                '{"score": NaN}',
                (
                    "unparseable None None",
                    "unknown-label: what stands in place of the score is no number, or may be read as more than one",
                ),
            ),
            (
                '{"score": 4',
                (
                    "truncated None None",
                    "repaired-json: the reply had to be mended: missing-bracket",
                    "truncated: the reply was cut off",
                    "missing-bracket 11",
                ),
            ),
            (
                '{"score": 4}\n{"score": 3}',
                ("unparseable None None", "conflicting-verdicts: the reply gives different scores"),
            ),
            ('{"clarity": 4}', ("ok 4.0 json 12-13",)),
            (
                '{"clarity": 4, "depth": 3}',
                ("unparseable None None", "missing-verdict: the reply gives no single number as its score"),
            ),
            ("4", ("ok 4.0 number 0-1",)),
            ('{"example": {"score": 1}, "score": 4}', ("ok 4.0 json 35-36",)),
            (
                "{'score': 4,}",
                (
                    "ok 4.0 repaired-json 10-11",
                    "repaired-json: the reply had to be mended: single-quotes, trailing-comma",
                    "single-quotes 1",
                    "trailing-comma 11",
                ),
            ),
            ("<score>4</score>", ("ok 4.0 xml 7-8",)),
            ("<score>4", ("unparseable None None", "missing-verdict: the reply gives no single number as its score")),
        ],
    )
    def test_the_field_of_the_score(self, reply: str, told: tuple[str, ...], tell_score: Tell) -> None:
        assert tell_score(reply, 1, 5) == told


class TestEnds:
    @pytest.mark.parametrize(
        ("reply", "end", "told"),
        [
            ("", "refusal", ("refusal None None", "refusal: the provider reports a refusal")),
            ("", "content_filter", ("refusal None None", "refusal: the provider reports a refusal")),
        ],
    )
    def test_why_there_is_none(self, reply: str, end: Any, told: tuple[str, ...], tell_score: Tell) -> None:
        assert tell_score(reply, 1, 5, end) == told


class TestTags:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ("<a><score>4</score></a><b>x</b>", ("ok 4.0 xml 10-11",)),
        ],
    )
    def test_elements_and_reasons(self, reply: str, told: tuple[str, ...], tell_score: Tell) -> None:
        assert tell_score(reply, 1, 5) == told


class TestWithdrawn:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            (
                '{"score": 4}\nCorrection:\n{"score": 3}',
                ("ok 3.0 json 35-36", "conflicting-verdicts: the judge took back an earlier score"),
            ),
        ],
    )
    def test_a_later_one_counts_where_the_first_is_taken_back(
        self, reply: str, told: tuple[str, ...], tell_score: Tell
    ) -> None:
        assert tell_score(reply, 1, 5) == told


class TestAttributes:
    @pytest.mark.parametrize(
        "reply",
        [
            '<evaluation score="4" max="5"/>',
            "<evaluation score='4'></evaluation>",
            '<score value="4"/>',
            '<review rating="4/5"><reason>It is short.</reason></review>',
            '<review score="4"><part name="tone" score="3"/></review>',
            'Here:\n<rating value="4" scale="1-5" />\nThat is all.',
            '<score number="1">4</score>',
        ],
    )
    def test_that_are_called_the_score_hold_it(self, reply: str) -> None:
        reading = parse_score(reply, 1, 5)
        assert (reading.value, reading.format) == (4, "xml")

    @pytest.mark.parametrize(
        "reply",
        [
            '<evaluation score="4" max="10"/>',
            '<all><part name="tone" score="3"/><part name="sources" score="4"/></all>',
            '<review score="4"/><score>3</score>',
            '<evaluation score="4',
            '<img width="4"/>',
            '<evaluation confidence="4"/>',
            '<reason score="4">It is short.</reason>',
        ],
    )
    def test_others_and_several_do_not(self, reply: str) -> None:
        assert parse_score(reply, 1, 5).value is None

    def test_the_place_is_that_of_the_number(self) -> None:
        reply = '<evaluation id="4" score="4"/>'
        reading = parse_score(reply, 1, 5)
        assert reading.span is not None
        assert reply[slice(*reading.span)] == "4"
