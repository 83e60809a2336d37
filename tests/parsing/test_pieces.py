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
