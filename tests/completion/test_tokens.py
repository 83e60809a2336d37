"""Bounds on the tokens of a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.completion.tokens import lower_bound, upper_bound

PROSE = "The reading room opens at 9, closes at 18, and lends 5 books for 3 weeks; renewals are free. " * 20


class TestTheLowerBound:
    @pytest.mark.parametrize(
        ("text", "bound"),
        [
            ("One, two: 3!", int(0.85 * 6)),  # words, numbers and marks, less a margin
            ("図書館は毎日午前九時に開館します" * 10, int(0.85 * 160 / 4)),  # scripts without spaces: by characters
            (" \n\t " * 1000, 0),
        ],
    )
    def test_is_that_of_the_pieces_that_no_tokenizer_joins(self, text, bound):
        assert lower_bound(text) == bound

    def test_prose_has_more_tokens_and_falls_below_it_when_it_loses_a_third(self):
        assert len(PROSE) / 4 * 2 / 3 < lower_bound(PROSE) < len(PROSE) / 4

    @given(st.text(), st.text())
    def test_two_texts_have_no_less_than_either(self, left, right):
        assert lower_bound(f"{left} {right}") >= max(lower_bound(left), lower_bound(right))


class TestTheUpperBound:
    @given(st.text())
    def test_is_never_below_the_lower_bound(self, text):
        assert upper_bound(text) >= lower_bound(text)

    def test_other_scripts_count_more_than_ascii(self):
        assert upper_bound("ж" * 100) > 3 * upper_bound("z" * 100)
