"""The request token: made, cut into its two words, found in a reply."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.judges.llm._request_token import carried_token, first_and_last, head_unseen, request_token

TOKEN = "k3x9a-7fq2c"


class TestMakingOne:
    @given(st.binary(min_size=1), st.lists(st.text()))
    def test_gives_two_different_words_of_five_letters_and_digits(self, key: bytes, parts: list[str]) -> None:
        first, last = first_and_last(request_token(key, parts))
        assert first != last
        for word in (first, last):
            assert len(word) == 5
            assert word.isascii()
            assert word.isalnum()
            assert word == word.lower()

    def test_counts_where_a_part_ends(self) -> None:
        assert request_token(b"k", ["ab", "c"]) != request_token(b"k", ["a", "bc"])

    def test_depends_on_the_key(self) -> None:
        assert request_token(b"k", ["ab"]) != request_token(b"l", ["ab"])

    def test_a_token_of_one_word_is_first_and_last(self) -> None:
        assert first_and_last("abcd2345") == ("abcd2345", "abcd2345")


class TestWhatAReplyCarries:
    @pytest.mark.parametrize(
        ("text", "carried"),
        [
            ('{"token":"k3x9a-7fq2c","s1":"supported"}', "k3x9a-7fq2c"),
            ('{"token":"k3x9a7fq2c"}', "k3x9a7fq2c"),
            ('{"token":"k3x9a 7fq2c"}', "k3x9a 7fq2c"),
            ('{"token":"k3x9a, 7fq2c"}', "k3x9a, 7fq2c"),
            ('{"token":"k3x9a"}', "k3x9a"),
            ('{"token":"7fq2c"}', TOKEN),
            ('{"token":"7fq2c-k3x9a"}', "k3x9a"),
            ("supported", TOKEN),
            ("", TOKEN),
            (None, TOKEN),
        ],
    )
    def test_is_what_is_looked_for_in_its_answer(self, text: str | None, carried: str) -> None:
        assert carried_token(TOKEN, text) == carried

    def test_is_nothing_where_no_token_was_asked_for(self) -> None:
        assert carried_token(None, '{"token":"k3x9a-7fq2c"}') is None


class TestAHeadThatWasNotSeen:
    @pytest.mark.parametrize(
        ("text", "unseen"),
        [
            ('{"token":"7fq2c","s1":"supported"}', True),
            ('{"token":"??????-7fq2c","s1":"supported"}', True),
            ('{"token":"k3x9a-7fq2c"}', False),
            ('{"token":"k3x9a"}', False),
            ('{"s1":"supported"}', False),
            ("", False),
            (None, False),
        ],
    )
    def test_is_told_by_the_last_word_without_the_first(self, text: str | None, unseen: bool) -> None:
        assert head_unseen(TOKEN, text) is unseen

    def test_cannot_be_told_by_a_token_of_one_word(self) -> None:
        assert not head_unseen("abcd2345", '{"token":"abcd2345"}')
        assert not head_unseen(None, "7fq2c")
