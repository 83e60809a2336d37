"""Lettered labels as options are listed."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_label

LETTERS = ["A", "B"]
OUTPUTS = ["Output (a)", "Output (b)"]


class TestListedOptions:
    @pytest.mark.parametrize(
        "reply",
        [
            "B) The second reply, since it names the port.",
            "(B) The second reply.",
            "**B)** Second reply",
            "B) Because of its sources.",
        ],
    )
    def test_the_one_that_a_reply_begins_with_is_the_label(self, reply: str) -> None:
        assert parse_label(reply, LETTERS).label == "B"

    @pytest.mark.parametrize(
        "reply",
        [
            "A) The first reply\nB) The second reply",
            "A) No B) Yes",
            "A) Good. B) Better.",
            "B) is worse.",
            "B) has no source.",
            "B) The second, but only if dates count.",
            "b) both of them",
            "C) The third reply",
        ],
    )
    def test_beside_others_or_with_something_said_of_it_it_is_none(self, reply: str) -> None:
        assert parse_label(reply, LETTERS).label is None

    def test_words_have_no_letters(self) -> None:
        assert parse_label("PASS) The first reply", ["PASS", "FAIL"]).label is None


class TestNumbersBehindLabels:
    def test_that_are_their_own_say_the_same(self) -> None:
        assert parse_label("Output (b) (2)", OUTPUTS).label == "Output (b)"

    @pytest.mark.parametrize("reply", ["Output (b) (1)", "Output (b) (3)", "Output (a) (1), Output (b) (2)"])
    def test_others_do_not(self, reply: str) -> None:
        assert parse_label(reply, OUTPUTS).label is None

    def test_behind_words_they_are_counts(self) -> None:
        assert parse_label("FAIL (2)", ["PASS", "FAIL"]).label is None
