"""The text of one item, without what it says of other statements."""

from __future__ import annotations

import pytest

from magistrate.parsing.envelope import open_envelope
from magistrate.parsing.item_text import echo_alone, joined, without_others
from magistrate.parsing.prose import mask


class TestWithoutOthers:
    @pytest.mark.parametrize(
        ("text", "left"),
        [
            ("no. Statement 2 is deep. Yes.", "no. Yes."),
            ("no\nThe claim #2 is deep\nYes.", "no Yes."),
            ("Statement 2 is deep", ""),
            ("no; **item 2** is deep; yes", "no; ** is deep; yes"),
        ],
    )
    def test_a_sentence_that_begins_with_another_number_is_blanked_out(self, text: str, left: str) -> None:
        blanked = without_others(text, 1)
        assert len(blanked) == len(text)
        assert "2" not in blanked
        if "**" not in text:
            assert blanked.replace(" .", "").split() == left.split()

    @pytest.mark.parametrize(
        "text",
        ["no. Statement 1 is deep.", "The well on statement 2 is deep", "no, statement 2 is deep", "2 is deep", ""],
    )
    def test_other_sentences_stay(self, text: str) -> None:
        assert without_others(text, 1) == text


class TestJoined:
    def test_lines_keep_their_places(self) -> None:
        assert joined([("well", 10), ("deep", 17)], 10) == "well\n\n\ndeep"
        assert joined([("well", 10)], 8) == "\n\nwell"

    def test_lines_that_touch_have_nothing_between_them(self) -> None:
        assert joined([("well", 10), ("deep", 14)], 10) == "welldeep"

    def test_an_empty_line_takes_the_place_of_what_was_left_out(self) -> None:
        assert joined([("well", 10), ("", 15), ("deep", 17)], 10) == "well\n\n\ndeep"

    def test_no_lines_are_no_text(self) -> None:
        assert joined([], 5) == ""


class TestEchoAlone:
    TEXT = ("The well is deep.", "It dried up in May.")

    @pytest.mark.parametrize(
        ("line", "index"),
        [
            ("yes - It dried up in May.", 1),
            ("yes (“The well is deep.”)", 0),
            ("yes, as The well is deep.", None),
            ("yes", None),
        ],
    )
    def test_the_rest_of_a_line_that_is_a_statement_and_nothing_else(self, line: str, index: int | None) -> None:
        assert echo_alone(mask(open_envelope(f"{line}\nIt is old."), self.TEXT), 3) == index
