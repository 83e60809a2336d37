"""The labels on offer, single letters and words beside each other."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_label

PAIR = ["A", "B", "tie"]


class TestLettersBesideWords:
    @pytest.mark.parametrize(
        ("reply", "label"),
        [
            ("Response B", "B"),
            ("Winner: Assistant A", "A"),
            ('{"winner": "Model B"}', "B"),
            ("It's a tie.", "tie"),
            ("The result is a tie between A and B.", "tie"),
            ("I call this a tie", "tie"),
            ('{"winner": "a tie"}', "tie"),
            ("TIE", "tie"),
            ("A", "A"),
        ],
    )
    def test_a_noun_or_an_article_may_stand_before_a_label(self, reply: str, label: str) -> None:
        assert parse_label(reply, PAIR).label == label

    @pytest.mark.parametrize("reply", ["a good answer", "a is better", "A tie would be unfair.", "It is not a tie."])
    def test_an_article_is_no_label(self, reply: str) -> None:
        assert parse_label(reply, PAIR).label is None

    @pytest.mark.parametrize(
        ("reply", "label"),
        [("Answer: A dog", None), ("Answer: A because it barks", "A"), ("Answer: A", "A"), ("Answer: A is right", "A")],
    )
    def test_behind_a_name_too(self, reply: str, label: str | None) -> None:
        assert parse_label(reply, ["A", "B", "C"]).label == label

    @pytest.mark.parametrize(
        ("reply", "label"), [("GRADE: I think that it holds", None), ("GRADE: I", "I"), ("GRADE: C I am sure", "C")]
    )
    def test_nor_is_a_pronoun(self, reply: str, label: str | None) -> None:
        assert parse_label(reply, ["C", "I"]).label == label
