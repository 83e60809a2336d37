"""Which field of a row is its verdict, where several could be, or none is plain."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.verdict import IssueCode, Verdict

YES, NO = Verdict.SUPPORTED, Verdict.UNSUPPORTED
DOVES = ["The loft holds nine doves.", "The loft is painted blue."]


def said(reply: str, scale: str = "binary") -> Verdict | None:
    return parse_verdicts(reply, DOVES[:1], scale=scale).found[0]


class TestSupportedOrNot:
    """A no under "supported" says "not supported"; a scale that has no word for it gives no verdict."""

    @pytest.mark.parametrize(
        "reply", ['{"supported": "no"}', '{"is_supported": "no", "reason": "x"}', '{"supported": false}']
    )
    def test_a_no_is_one_on_a_scale_of_two_only(self, reply: str) -> None:
        assert said(reply) is NO
        reading = parse_verdicts(reply, DOVES[:1], scale="ternary")
        assert (list(reading.found), [note.code for note in reading.issues]) == ([None], [IssueCode.OUT_OF_RANGE])

    def test_not_unsupported_is_supported_where_nothing_else_is_left(self) -> None:
        assert said('{"unsupported": false}') is YES
        assert said('{"unsupported": false}', "ternary") is None

    def test_two_that_are_both_true_decide_nothing(self) -> None:
        assert said('{"contradicted": true, "unsupported": true}', "ternary") is None
        assert said('{"supported": true, "contradicted": true}', "ternary") is None
        assert said('{"supported": false, "contradicted": true}', "ternary") is Verdict.CONTRADICTED


class TestSeveralFields:
    @pytest.mark.parametrize(
        "reply",
        [
            '{"verdict": "", "label": "yes"}',
            '{"verdict": null, "label": "yes"}',
            '{"answer": "x", "result": "yes"}',
            '{"verdict": ["yes"]}',
            '{"verdict": "yes", "note": "a", "note": "b"}',
            '{"verdict": "yes", "verdict": "Yes."}',
            '{"verdict": "yes", "verdict": ["yes"]}',
        ],
    )
    def test_the_one_that_says_a_verdict_counts(self, reply: str) -> None:
        assert said(reply) is YES

    @pytest.mark.parametrize(
        "reply",
        ['{"verdict": "yes", "label": "n/a"}', '{"verdict": "yes", "label": 5}', '{"verdict": "yes", "label": "no"}'],
    )
    def test_a_verdict_beside_its_denial_is_none(self, reply: str) -> None:
        reading = parse_verdicts(reply, DOVES[:1])
        assert list(reading.found) == [None]
        assert IssueCode.CONFLICTING_VERDICTS in {note.code for note in reading.issues}

    @pytest.mark.parametrize(
        "reply",
        [
            '{"verdict": {"x": 1}}',
            '{"verdict": [{"x": "yes"}]}',
            '{"verdict": {"x": 1}, "answer": "yes"}',
            '{"verdict": ["yes", "no"]}',
            '{"answer": "perhaps", "result": 7}',
        ],
    )
    def test_what_is_no_single_word_says_nothing(self, reply: str) -> None:
        assert said(reply) is None


class TestTheOtherFields:
    def test_of_two_ids_the_first_counts(self) -> None:
        reply = '[{"id": 2, "index": 1, "verdict": "no"}, {"id": 1, "index": 0, "verdict": "yes"}]'
        assert list(parse_verdicts(reply, DOVES).found) == [YES, NO]

    @pytest.mark.parametrize(
        ("given", "kept"),
        [
            ("0", 0.0),
            ("1", 1.0),
            ("0.5", 0.5),
            ("1.5", None),
            ("-0.1", None),
            ("true", None),
            ('"0.5"', None),
            ("NaN", None),
        ],
    )
    def test_a_probability_is_a_number_from_0_to_1(self, given: str, kept: float | None) -> None:
        (one,) = parse_verdicts(f'{{"verdict": "yes", "probability": {given}}}', DOVES[:1]).verdicts
        assert (one.verdict, one.probability) == (YES, kept)

    def test_half_a_character_in_a_reason_is_replaced(self) -> None:
        reply = '{"verdict": "yes", "reason": "caf\\u00e9 \\ud83d x", "label": "yes"}'
        (one,) = parse_verdicts(reply, DOVES[:1]).verdicts
        assert one.reason == "caf\u00e9 \ufffd x"
