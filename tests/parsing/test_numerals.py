"""Numbers as people write them, on the scale that was declared."""

from __future__ import annotations

import math

import pytest

from magistrate.parsing import parse_score
from magistrate.parsing.numerals import Numeral, Scale, find_numeral, read_numeral

FIVE, TEN, HUNDRED, ONE, MANY = Scale(1, 5), Scale(0, 10), Scale(0, 100), Scale(0, 1), Scale(0, 10_000)


def value(text: str, scale: Scale) -> float | None:
    found = read_numeral(text, scale)
    return None if found is None else found.value


class TestPlain:
    @pytest.mark.parametrize(
        ("text", "number"),
        [
            ("4", 4),
            ("4.5", 4.5),
            ("**4**", 4),
            ('"3"', 3),
            ("-2", -2),
            ("\u22122", -2),
            ("+3", 3),
            ("４", 4),
            ("1e1", 10),
        ],
    )
    def test_a_number(self, text: str, number: float) -> None:
        assert value(text, TEN) == number

    @pytest.mark.parametrize("text", ["", "four", "4 or 5", "4-5", "x4", "1" * 80, "4.5.6 m"])
    def test_what_is_none(self, text: str) -> None:
        assert value(text, TEN) is None


class TestMarks:
    def test_a_decimal_comma(self) -> None:
        assert value("4,5", FIVE) == 4.5

    def test_a_comma_before_three_digits_is_unclear_on_a_small_scale(self) -> None:
        assert math.isnan(value("1,000", HUNDRED) or 0)

    def test_it_is_thousands_where_thousands_can_be_meant(self) -> None:
        assert value("1,000", MANY) == 1000
        assert value("1,000,000", HUNDRED) == 1_000_000

    def test_an_arabic_decimal_mark(self) -> None:
        assert value("4٫5", FIVE) == 4.5

    def test_two_points_are_no_number(self) -> None:
        assert math.isnan(value("4.5.6", TEN) or 0)


class TestFractions:
    @pytest.mark.parametrize(
        "text", ["8/10", "8 / 10", "8 out of 10", "8 von 10", "8 de 10", "8 sur 10", "8 из 10", "8／10"]
    )
    def test_a_part_of_the_declared_top_counts(self, text: str) -> None:
        found = read_numeral(text, TEN)
        assert found is not None
        assert found.value == 8
        assert found.fraction

    @pytest.mark.parametrize("text", ["4/10", "3 out of 4", "80/100"])
    def test_a_part_of_another_top_does_not(self, text: str) -> None:
        assert value(text, FIVE) == math.inf


class TestPercent:
    @pytest.mark.parametrize(
        ("text", "scale", "number"), [("85%", HUNDRED, 85), ("85 %", ONE, 0.85), ("85 percent", ONE, 0.85)]
    )
    def test_counts_where_the_top_is_a_hundred_or_one(self, text: str, scale: Scale, number: float) -> None:
        assert value(text, scale) == number

    @pytest.mark.parametrize("scale", [TEN, FIVE, Scale(1, 100), Scale(-1, 1)])
    def test_and_nowhere_else(self, scale: Scale) -> None:
        assert value("85%", scale) == math.inf


class TestFind:
    def test_at_a_place(self) -> None:
        found = find_numeral("score: 4 of 5.", 7, FIVE)
        assert found is not None
        assert (found.value, found.start, found.end) == (4, 7, 13)

    def test_nowhere_else(self) -> None:
        assert find_numeral("score: 4", 0, FIVE) is None

    def test_no_further_than_asked(self) -> None:
        found = find_numeral("45", 0, TEN, 1)
        assert found is not None
        assert found.value == 4


class TestScale:
    @pytest.mark.parametrize(
        ("number", "on"), [(1, True), (5, True), (0.99, False), (5.01, False), (math.nan, False), (math.inf, False)]
    )
    def test_holds_what_is_on_it(self, number: float, on: bool) -> None:
        assert FIVE.holds(number) is on


class TestLeadingMark:
    @pytest.mark.parametrize(
        "reply", [".5", "Score: .5", "**.5**", "(.5)", '{"score": .5}', '{"score": ".5"}', "[[.5]]"]
    )
    def test_a_point_before_the_first_digit_belongs_to_the_number(self, reply: str) -> None:
        assert parse_score(reply, 0, 10).value == 0.5

    @pytest.mark.parametrize("reply", ["-.5", "Score: -.5"])
    def test_a_sign_may_stand_before_it(self, reply: str) -> None:
        assert parse_score(reply, -1, 1).value == -0.5

    def test_a_comma_there_leaves_no_number(self) -> None:
        assert parse_score("Score: ,5", 0, 10).value is None

    @pytest.mark.parametrize("reply", ["4 points", "4 stars.", "4分", "4점"])
    def test_a_unit_may_stand_behind_a_number_that_stands_alone(self, reply: str) -> None:
        assert parse_score(reply, 1, 5).value == 4


class TestInFull:
    @pytest.mark.parametrize(
        ("text", "top", "value", "end", "fraction"),
        [
            ("-4", 5, -4.0, 2, False),
            ("\u22124", 5, -4.0, 2, False),
            ("(-4)", 5, -4.0, 2, False),
            ("4" + " " * 59, 5, 4.0, 1, False),
            ("4\u066b5", 5, 4.5, 3, False),
            ("4\u00b75", 5, 4.5, 3, False),
            ("1,000", 1000, 1000.0, 5, False),
            ("1,000,000", 5, 1_000_000.0, 9, False),
            ("2,000/2,000", 2000, 2000.0, 11, True),
            ("1,000/1,000", 1000, 1000.0, 11, True),
            ("1000/1,000", 1000, 1000.0, 10, True),
            ("85%", 100, 85.0, 3, True),
            ("85%", 1, 0.85, 3, True),
            ("85%", 5, math.inf, 3, True),
            ("4/5", 5, 4.0, 3, True),
            ("4/10", 5, math.inf, 4, True),
            ("4 points out of 5", 5, 4.0, 17, True),
            ("4e400", 5, math.inf, 5, False),
        ],
    )
    def test_its_value_its_end_and_whether_it_is_a_part_of_a_top(
        self, text: str, top: float, value: float, end: int, fraction: bool
    ) -> None:
        assert read_numeral(text, Scale(0, top)) == Numeral(value, 0, end, fraction)

    @pytest.mark.parametrize(("text", "top"), [("1,000", 999), ("1,000/5", 5)])
    def test_a_comma_that_may_be_either_mark_gives_no_value(self, text: str, top: float) -> None:
        numeral = read_numeral(text, Scale(0, top))
        assert numeral is not None
        assert math.isnan(numeral.value)

    @pytest.mark.parametrize("text", ["4" + " " * 60, "- 4", "-(4)", "--4", "4 5", "4 of a total 5", "", "NaN", ">4"])
    def test_more_or_less_than_a_number_is_none(self, text: str) -> None:
        assert read_numeral(text, Scale(0, 5)) is None

    def test_per_cent_of_a_range_that_does_not_begin_with_nought_is_none_of_it(self) -> None:
        assert read_numeral("85%", Scale(1, 100)) == Numeral(math.inf, 0, 3, fraction=True)
