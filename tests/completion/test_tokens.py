"""Bounds on the tokens of a text."""

from hypothesis import given
from hypothesis import strategies as st

from magistrate.completion.tokens import lower_bound, upper_bound

PROSE = "The reading room opens at 9, closes at 18, and lends 5 books for 3 weeks; renewals are free. " * 20


class TestTheLowerBound:
    def test_counts_words_numbers_and_marks_less_a_margin(self):
        assert lower_bound("One, two: 3!") == int(0.85 * 6)

    def test_prose_has_more_tokens_than_the_bound_at_four_characters_a_token(self):
        assert lower_bound(PROSE) < len(PROSE) / 4

    def test_prose_that_lost_a_third_falls_below_the_bound_of_the_whole(self):
        assert len(PROSE) / 4 * 2 / 3 < lower_bound(PROSE)

    def test_scripts_without_spaces_count_by_characters(self):
        assert lower_bound("図書館は毎日午前九時に開館します" * 10) == int(0.85 * 160 / 4)

    def test_white_space_counts_nothing(self):
        assert lower_bound(" \n\t " * 1000) == 0

    @given(st.text(), st.text())
    def test_two_texts_have_no_less_than_either(self, left, right):
        assert lower_bound(f"{left} {right}") >= max(lower_bound(left), lower_bound(right))


class TestTheUpperBound:
    @given(st.text())
    def test_is_never_below_the_lower_bound(self, text):
        assert upper_bound(text) >= lower_bound(text)

    def test_other_scripts_count_more_than_ascii(self):
        assert upper_bound("ж" * 100) > 3 * upper_bound("z" * 100)
