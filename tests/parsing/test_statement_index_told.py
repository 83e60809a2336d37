"""Which statement a row means: by its id, by its text, by a text that is nearly the same."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from magistrate.parsing.rows import Row
from magistrate.parsing.statement_index import LONGEST_ECHO, Statements, default_ids, echo_key
from magistrate.verdict import Verdict

QUAY = ("The quay is stone.", "A crane stands on it.", "Ships load salt there.")


def _echoes(*texts: str, asked: Sequence[str] = QUAY) -> list[int | None]:
    return Statements(asked).echoes([Row(Verdict.SUPPORTED, echo=text) for text in texts])


class TestEchoes:
    @pytest.mark.parametrize(
        "text", ["The quay is stone.", "the QUAY is, stone", "The  quay is “stone”!", "The quay is stones"]
    )
    def test_case_marks_and_a_letter_do_not_matter(self, text: str) -> None:
        assert _echoes(text) == [0]

    @pytest.mark.parametrize(
        "text", ["The quay is not stone.", "The quay is stone 2.", "A crane", "Gulls nest there.", "", " . "]
    )
    def test_a_negation_a_number_and_other_words_do(self, text: str) -> None:
        assert _echoes(text) == [None]

    def test_a_text_that_two_statements_have_means_neither(self) -> None:
        assert _echoes("Same.", "same", "Other words.", asked=["Same.", "Same.", "Other words."]) == [None, None, 2]

    def test_a_text_that_is_near_two_of_them_means_neither(self) -> None:
        years = ["The kiln was lit in the year 1904.", "The kiln was lit in the year 1905.", "It was lit in May."]
        assert _echoes("The kiln was lit in the years 1904", "The kiln was lit in the year 1904", asked=years) == [
            None,
            0,
        ]

    def test_each_row_is_told_by_itself(self) -> None:
        rows = [Row(Verdict.SUPPORTED), Row(Verdict.SUPPORTED, echo_index=2), Row(Verdict.SUPPORTED, echo=QUAY[1])]
        assert Statements(QUAY).echoes(rows) == [None, 2, 1]
        assert Statements(QUAY).echoes(rows[:1]) == [None]
        twice = Row(Verdict.SUPPORTED, echo=QUAY[0], echo_index=1)
        assert Statements(QUAY).echoes([twice]) == [1]

    @pytest.mark.parametrize(("strangers", "found"), [(75, 0), (76, None)])
    def test_among_too_many_strangers_only_the_exact_text_is_known(self, strangers: int, found: int | None) -> None:
        others = [f"Stranger number {at} of the list." for at in range(strangers)]
        assert _echoes(*others, "The quay is stones", "the quay is stone")[-2:] == [found, 0]


class TestKnows:
    def test_the_statements_and_what_differs_in_marks_alone(self) -> None:
        asked = Statements(QUAY)
        assert asked.knows(QUAY[0])
        assert asked.knows("THE QUAY is stone")
        for other in ("The quay", "The quay is stones", "", "..."):
            assert not asked.knows(other)

    def test_nothing_that_is_far_longer_than_any_statement(self) -> None:
        blanks = 2 * LONGEST_ECHO - len(QUAY[0])
        asked = Statements(QUAY)
        assert asked.knows(QUAY[0] + " " * blanks)
        assert not asked.knows(QUAY[0] + " " * (blanks + 1))

    def test_one_that_is_asked_about_twice(self) -> None:
        assert Statements(["Same.", "Same."]).knows("same")


class TestIds:
    @pytest.mark.parametrize(("ids", "in_order"), [(None, True), (["1", "2", "3"], True), (["s1", "s2", "s3"], True)])
    def test_that_count_from_one_stand_in_order(self, ids: list[str] | None, in_order: bool) -> None:
        assert Statements(QUAY, ids).in_order is in_order

    @pytest.mark.parametrize("ids", [["2", "1", "3"], ["a", "b", "c"], ["0", "1", "2"], ["1", "2", "4"]])
    def test_others_do_not(self, ids: list[str]) -> None:
        assert not Statements(QUAY, ids).in_order

    @pytest.mark.parametrize(
        ("given", "base"),
        [
            ([1, 2, 3], 0),
            ([3, 2, 1, 4], 0),
            ([1, 2], 0),
            ([0, 1, 2], 1),
            ([0, 2, 1], 1),
            ([2, 0, 1], None),
            ([0, 1], None),
            ([4], None),
            (["a"], None),
        ],
    )
    def test_tell_from_where_they_count(self, given: list[int | str], base: int | None) -> None:
        assert Statements(QUAY).base(given) == base

    def test_of_the_caller_count_from_nowhere(self) -> None:
        assert Statements(QUAY, ["7", "8", "9"]).base([0, 1, 2]) == 0

    def test_by_default_are_s1_to_sn(self) -> None:
        assert default_ids(3) == ("s1", "s2", "s3")
        assert default_ids(600)[-1] == "s600"
        assert default_ids(0) == ()


class TestKeys:
    @pytest.mark.parametrize(
        ("text", "key"),
        [
            ("It's 5% “so”!", "it's 5% so"),
            ("a\u2019b", "a'b"),
            ("a、b", "a b"),
            ("a（b", "a b"),
            ("水位—5", "水位 5"),
            ("ａ／ｂ", "a b"),
            ("a\u3030b", "a b"),
            ("é-à", "é à"),
            ("नमस्ते", "नमस्ते"),
        ],
    )
    def test_are_words_and_numbers(self, text: str, key: str) -> None:
        assert echo_key(text) == key
