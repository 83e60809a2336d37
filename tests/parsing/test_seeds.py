"""The parsing part of a plan that many teams have written, requirement by requirement.

What it would count silently is a named issue here; what it guards against cannot happen.
"""

from __future__ import annotations

import json

import pytest
from tests.case_tables import cases_of

from magistrate.parsing import parse_verdicts
from magistrate.verdict import IssueCode, ParseStatus, Verdict

cases = cases_of(__file__)

ASKED = ["The kiln reaches 1200 degrees.", "The glaze is lead-free.", "The shop opens daily."]
YES, NO = Verdict.SUPPORTED, Verdict.UNSUPPORTED


def codes(reading) -> set[IssueCode]:
    return {issue.code for issue in reading.issues}


class TestS31JsonArray:
    """S3.1: an array of statement, reason and verdict."""

    def test_s3_1_perfect(self) -> None:
        rows = [
            {"statement": one, "reason": "It says so.", "verdict": said}
            for one, said in zip(ASKED, (1, 0, 1), strict=True)
        ]
        reading = parse_verdicts(json.dumps(rows), ASKED)
        assert list(reading.found) == [YES, NO, YES]
        assert [row.reason for row in reading.verdicts] == ["It says so."] * 3
        assert reading.status is ParseStatus.OK
        assert reading.issues == ()

    def test_s3_1_missing_fields_are_not_invented(self) -> None:
        reading = parse_verdicts(json.dumps([{"verdict": 1}, {"verdict": 0}, {"verdict": 1}]), ASKED)
        assert list(reading.found) == [YES, NO, YES]
        assert [row.reason for row in reading.verdicts] == [None] * 3
        assert [row.statement for row in reading.verdicts] == ASKED

    def test_s3_1_extra_fields_are_tolerated(self) -> None:
        rows = [{"statement": one, "verdict": 1, "confidence": 0.9, "page": 3, "note": None} for one in ASKED]
        assert list(parse_verdicts(json.dumps(rows), ASKED).found) == [YES] * 3

    @pytest.mark.parametrize("key", ["verdicts", "statements", "results", "evaluations"])
    def test_s3_1_in_a_wrapper(self, key: str) -> None:
        rows = [{"statement": one, "verdict": 1} for one in ASKED]
        assert list(parse_verdicts(json.dumps({key: rows}), ASKED).found) == [YES] * 3

    def test_s3_1_a_single_object_for_a_single_statement(self) -> None:
        assert list(parse_verdicts('{"statement": "x", "verdict": 0}', ASKED[:1]).found) == [NO]


class TestS32Truthiness:
    """S3.2: `verdict === 1 ? 1 : 0` counts "1", true and "yes" as no. Here each says what it says, or nothing."""

    @pytest.mark.parametrize("word", [1, "1", True, "true", "yes", "YES", 1.0])
    def test_s3_2_every_spelling_of_yes_is_yes(self, word: object) -> None:
        assert list(parse_verdicts(json.dumps([{"verdict": word}]), ASKED[:1]).found) == [YES]

    @pytest.mark.parametrize("word", [2, "2", "yep-ish", [], {}, None, -1, 0.5])
    def test_s3_2_what_is_neither_is_no_verdict(self, word: object) -> None:
        reading = parse_verdicts(json.dumps([{"verdict": word}]), ASKED[:1])
        assert list(reading.found) == [None]
        assert reading.verdicts[0].issues


class TestS33FinalVerdictLine:
    """S3.3: the marker line and its verdicts in order."""

    @cases("seeds: s3 3 every separator")
    def test_s3_3_every_separator(self, answers: str) -> None:
        reading = parse_verdicts(f"Final verdict for each statement in order: {answers}", ASKED)
        assert list(reading.found) == [YES, NO, YES]
        assert [row.reason for row in reading.verdicts] == [None] * 3

    def test_s3_3_after_explanations(self) -> None:
        steps = "\n".join(f"{at}. {one} The page agrees." for at, one in enumerate(ASKED, 1))
        reading = parse_verdicts(f"{steps}\nFinal verdict for each statement in order: Yes. Yes. No.", ASKED)
        assert list(reading.found) == [YES, YES, NO]

    @pytest.mark.parametrize(
        "answers", ["", "Yes.", "Yes. No.", "Yes. No. Yes. No.", "Maybe. Nope-ish. Hm.", "Not. Yesterday. Nobody."]
    )
    def test_s3_3_malformed_is_none_and_named(self, answers: str) -> None:
        reading = parse_verdicts(f"Final verdict for each statement in order: {answers}", ASKED)
        assert list(reading.found) == [None, None, None]
        assert reading.status is not ParseStatus.OK
        assert reading.issues


class TestS34Refusals:
    """S3.4: refusals, after the verdicts and not before them."""

    @cases("seeds: s3 4 patterns")
    def test_s3_4_patterns(self, text: str) -> None:
        reading = parse_verdicts(text, ASKED)
        assert reading.status is ParseStatus.REFUSAL
        assert IssueCode.REFUSAL in codes(reading)

    def test_s3_4_one_beside_a_verdict_does_not_hide_it(self) -> None:
        reading = parse_verdicts("I cannot verify the price.\nVerdict: no", ["It costs 2 euros."])
        assert list(reading.found) == [NO]

    def test_s3_4_an_empty_reply_is_empty(self) -> None:
        assert parse_verdicts("", ASKED).status is ParseStatus.EMPTY

    def test_s3_4_unrelated_text_is_unparseable(self) -> None:
        assert parse_verdicts("The weather is fine today.", ASKED).status is ParseStatus.UNPARSEABLE


class TestS35SingleVerdicts:
    """S3.5: "verdict: yes" lines."""

    def test_s3_5_one_per_statement(self) -> None:
        text = "\n".join(
            f"{at}. {one}\nVerdict: {said}"
            for at, (one, said) in enumerate(zip(ASKED, ("yes", "no", "yes"), strict=True), 1)
        )
        assert list(parse_verdicts(text, ASKED).found) == [YES, NO, YES]

    def test_s3_5_fewer_than_statements_without_numbers_are_not_dealt_out(self) -> None:
        reading = parse_verdicts("Verdict: yes\nVerdict: no", ASKED)
        assert list(reading.found) == [None, None, None]
        assert IssueCode.COUNT_MISMATCH in codes(reading)


class TestS39Counts:
    """S3.9: a count that does not fit is reported with both numbers, and nothing is cut to fit."""

    @pytest.mark.parametrize("count", [1, 2, 4, 7])
    def test_s3_9_without_ids(self, count: int) -> None:
        reading = parse_verdicts(json.dumps([{"verdict": 1}] * count), ASKED)
        assert list(reading.found) == [None, None, None]
        message = next(issue.message for issue in reading.issues if issue.code is IssueCode.COUNT_MISMATCH)
        assert str(count) in message
        assert "3" in message

    def test_s3_9_with_ids_the_ones_that_are_there_count(self) -> None:
        reading = parse_verdicts('[{"id": 3, "verdict": 1}, {"id": 1, "verdict": 0}]', ASKED)
        assert list(reading.found) == [NO, None, YES]
        assert reading.status is ParseStatus.PARTIAL
        assert reading.missing == (1,)


class TestS312Malformed:
    """S3.12: what is no JSON, or not quite."""

    @cases("seeds: s3 12 what can be mended is")
    def test_s3_12_what_can_be_mended_is(self, text: str) -> None:
        assert list(parse_verdicts(text, ASKED).found) == [YES, NO, YES]

    @pytest.mark.parametrize(
        "text", ['[{"verdict": NaN}]', '[{"verdict": Infinity}]', '[{"verdict": -1}]', '[{"verdict": 1e9}]']
    )
    def test_s3_12_numbers_that_are_no_verdicts(self, text: str) -> None:
        assert list(parse_verdicts(text, ASKED[:1]).found) == [None]

    def test_s3_12_no_statements_no_division(self) -> None:
        reading = parse_verdicts("[]", [])
        assert list(reading.verdicts) == []
