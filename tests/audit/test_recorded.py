"""Recorded values."""

import math

import pytest

from magistrate.audit._recorded import Recorded, UnusableError, number
from magistrate.verdict import BINARY, TERNARY, Verdict


class TestNumber:
    @pytest.mark.parametrize(
        ("value", "found"),
        [(1, 1.0), (0.5, 0.5), (" 0.25 ", 0.25), ("1e-1", 0.1), ("-3", -3.0)],
    )
    def test_numbers_also_as_texts(self, value, found):
        assert number(value) == found

    @pytest.mark.parametrize("value", [None, True, "", "yes", "1_0", math.nan, "nan", "inf", [1], 10**400])
    def test_everything_else_is_none(self, value):
        assert number(value) is None


class TestAbsent:
    @pytest.mark.parametrize("value", [None, math.nan, "", " ", "NaN", "null", "None"])
    def test_what_always_means_that_nothing_was_recorded(self, value):
        assert Recorded().absent(value)

    def test_what_the_caller_says_means_it(self):
        recorded = Recorded(missing=("-1", "N/A"))
        assert all(map(recorded.absent, [-1, -1.0, "-1", "n/a"]))
        assert not any(map(Recorded().absent, [-1, 0, False, "no"]))


class TestScore:
    def test_a_number_or_nothing(self):
        assert Recorded().score("0.5") == 0.5
        assert Recorded().score(None) is None
        assert Recorded({"good": "1"}).score("Good") == 1.0

    @pytest.mark.parametrize("value", ["high", [1], {"score": 1}, True])
    def test_anything_else_is_unknown(self, value):
        with pytest.raises(UnusableError, match="expected a number"):
            Recorded().score(value)


class TestLabel:
    def test_as_it_is_or_in_another_case(self):
        assert Recorded().label("A", ["A", "a"]) == "A"
        assert Recorded().label("pass", ["PASS", "FAIL"]) == "PASS"

    def test_what_it_stands_for(self):
        recorded = Recorded({"1": "PASS", "0": "FAIL"})
        assert [recorded.label(value, ["PASS", "FAIL"]) for value in (1, "0", 1.0, None)] == [
            "PASS",
            "FAIL",
            "PASS",
            None,
        ]

    def test_one_that_was_not_offered_is_unknown_and_the_message_says_how_to_declare_it(self):
        with pytest.raises(UnusableError, match=r"none of A, B \(--recorded OLD=NEW"):
            Recorded().label("C", ["A", "B"])


class TestVerdict:
    @pytest.mark.parametrize("value", ["yes", "supported", 1, "1", True, "Entailment"])
    def test_the_words_that_a_judge_would_be_read_by(self, value):
        assert Recorded().verdict(value, BINARY) is Verdict.SUPPORTED

    def test_none_and_unknown(self):
        assert Recorded().verdict(None, TERNARY) is None
        with pytest.raises(UnusableError, match="no word of the scale ternary"):
            Recorded().verdict("perhaps", TERNARY)
        assert Recorded({"perhaps": "not_enough_info"}).verdict("perhaps", TERNARY) is Verdict.NOT_ENOUGH_INFO
