"""The pieces of a folded text."""

from __future__ import annotations

import pytest

from magistrate.parsing.pieces import MARKS, is_list_number, pieces_of, stands_alone


class TestPieces:
    def test_words_gaps_and_marks_are_told_apart(self) -> None:
        assert pieces_of("no, n/a") == [("word", "no", 2), ("mark", ",", 3), ("gap", " ", 4), ("word", "n/a", 7)]

    def test_an_accent_of_its_own_belongs_to_the_word(self) -> None:
        assert [kind for kind, _, _ in pieces_of("مدعوم جزئيًا")] == ["word", "gap", "word"]

    @pytest.mark.parametrize(
        ("text", "alone"), [("yes", True), ("yes, so", True), ("yes because", True), ("yes men", False)]
    )
    def test_a_word_ends_at_a_break_or_a_connecting_word(self, text: str, alone: bool) -> None:
        assert stands_alone(pieces_of(text), 1) is alone

    @pytest.mark.parametrize(("text", "number"), [("1. the log", True), ("1.", False), ("1, the log", False)])
    def test_a_number_with_a_stop_and_words_counts_items(self, text: str, number: bool) -> None:
        assert is_list_number(pieces_of(text), 1) is number

    def test_ticks_and_crosses_are_marks(self) -> None:
        assert {"✅", "✗"} <= MARKS
        assert "x" not in MARKS


class TestWhereAWordEnds:
    @pytest.mark.parametrize(
        "text",
        ["yes", "yes ", "yes.", "yes , so", "yes\nmen", "yes \nmen", "yes ✅", "yes✅", "yes per page 2", "yes weil"],
    )
    def test_at_the_end_of_a_line_or_before_a_mark(self, text: str) -> None:
        assert stands_alone(pieces_of(text), 1)

    @pytest.mark.parametrize("text", ["yes men", "yes  men", "yes\tmen", "yes#"])
    def test_not_before_another_word(self, text: str) -> None:
        assert not stands_alone(pieces_of(text), 1)


class TestListNumbers:
    @pytest.mark.parametrize("text", ["1. plate", "1) plate", "1.\nplate", "1. - plate", "1. \ue001"])
    def test_words_may_stand_anywhere_behind_the_sign(self, text: str) -> None:
        assert is_list_number(pieces_of(text), 1)

    @pytest.mark.parametrize("text", ["1", "1.", "1. ,", "1: plate", "1 plate"])
    def test_without_a_sign_or_words_it_is_a_number(self, text: str) -> None:
        assert not is_list_number(pieces_of(text), 1)

    def test_a_decimal_is_one_piece(self) -> None:
        assert pieces_of("1.5 l") == [("word", "1.5", 3), ("gap", " ", 4), ("word", "l", 5)]
