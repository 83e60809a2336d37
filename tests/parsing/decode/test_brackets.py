"""Brackets in a text: which open data, which belong to a sentence, which hold nothing."""

from __future__ import annotations

import pytest
from tests.case_tables import cases_of

from magistrate.parsing.decode.documents import Document, goes_on, is_blank, is_hollow, stands_alone
from magistrate.parsing.decode.nodes import Arr, Gap, Obj

cases = cases_of(__file__)


class TestBlank:
    @pytest.mark.parametrize("text", ["", " ", "\n\t", "\ufeff", "\u200b \x00", "\xa0", " \ufeff\xa0 ", "\u3000"])
    def test_says_nothing(self, text: str) -> None:
        assert is_blank(text)

    @pytest.mark.parametrize("text", ["x", " x ", "\ufeffx", ".", "\u200bx\xa0", "```"])
    def test_anything_else_does(self, text: str) -> None:
        assert not is_blank(text)

    @cases("brackets: a line goes on where more than blanks follow")
    def test_a_line_goes_on_where_more_than_blanks_follow(self, text: str, at: int, more: bool) -> None:
        assert goes_on(text, at) is more


def holds(value: Obj | Arr, *, cut: bool = True, length: int = 10) -> bool:
    return not is_hollow(Document("x" * 400, 5, 5 + length, value, [], cut, False))


class TestHollow:
    @pytest.mark.parametrize("value", [Arr(), Obj(), [Gap.CUT], {"a": Gap.MISSING}, [[], [{}]], {"a": [Gap.CUT]}])
    def test_brackets_that_were_never_closed_and_hold_nothing(self, value: Obj | Arr) -> None:
        assert not holds(value)

    @pytest.mark.parametrize(
        "value", [[1], {"a": "b"}, [Gap.CUT, "a"], [[], [{"a": 0}]], {"a": [None]}, [{"a": []}, 1]]
    )
    def test_a_value_anywhere_in_them_is_something(self, value: Obj | Arr) -> None:
        assert holds(value)

    def test_closed_ones_are_not(self) -> None:
        assert holds(Arr(), cut=False)

    def test_nor_are_long_ones(self) -> None:
        assert not holds(Arr(), length=200)
        assert holds(Arr(), length=201)


def alone(text: str, *, words: bool) -> bool:
    return stands_alone(text, text.index("["), text.index("]") + 1, words=words)


class TestAlone:
    @pytest.mark.parametrize("text", ["[1, 2]", " [1, 2]\n"])
    def test_brackets_that_are_all_there_is(self, text: str) -> None:
        assert alone(text, words=False)

    @cases("brackets: those on a line of their own or after a lead in")
    def test_those_on_a_line_of_their_own_or_after_a_lead_in(self, text: str) -> None:
        assert alone(text, words=False)
        assert alone(text, words=True)

    @pytest.mark.parametrize("text", ["So.\n[1, 2] say it.", "So.\nThe verdicts: [1, 2] as is."])
    def test_words_in_them_may_be_followed_by_more(self, text: str) -> None:
        assert not alone(text, words=False)
        assert alone(text, words=True)

    @cases("brackets: those in a sentence are not")
    def test_those_in_a_sentence_are_not(self, text: str) -> None:
        assert not alone(text, words=False)
        assert not alone(text, words=True)

    def test_a_mark_before_them_is_on_their_own_line(self) -> None:
        assert alone("It says >\n[1, 2]\nx", words=False)
        assert not alone(f"{'a' * 130} [1, 2]\nx", words=True)
