"""How a context is cut into windows."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.judges.nli._windows import LONGEST, read_passage, windows

SENTENCES = [f"The picker fills basket number {number}." for number in range(1, 8)]
TEXT = " ".join(SENTENCES)


def words(text):
    return len(text.split())


def cut(text, *, tokens=1000, sentences=None, count=words):
    passage = read_passage(0, text, count)
    return [text[start:end] for start, end in windows(passage, count, tokens=tokens, sentences=sentences)]


class TestWindowsOfSentences:
    def test_are_one_where_all_fits(self):
        assert cut(TEXT) == [TEXT]

    def test_hold_no_more_sentences_than_asked_for_and_overlap_by_one(self):
        assert cut(TEXT, sentences=3) == [" ".join(SENTENCES[i : i + 3]) for i in (0, 2, 4)]

    def test_of_one_sentence_do_not_overlap(self):
        assert cut(TEXT, sentences=1) == SENTENCES

    def test_hold_no_more_tokens_than_fit(self):
        assert cut(TEXT, tokens=13) == [" ".join(SENTENCES[i : i + 2]) for i in range(6)]

    def test_end_with_the_text(self):
        assert cut(TEXT, sentences=5) == [" ".join(SENTENCES[:5]), " ".join(SENTENCES[4:])]

    def test_hold_the_text_as_it_is(self):
        text = "  The press\tis   closed. \n\n The barn is open!  "
        assert cut(text) == ["The press\tis   closed. \n\n The barn is open!"]

    def test_keep_bullets_with_what_they_stand_before(self):
        text = "- The press is closed.\n- The barn is open.\n"
        assert cut(text, sentences=1) == ["- The press is closed.", "- The barn is open."]

    @pytest.mark.parametrize("text", ["", "   \n", "\u200b"])
    def test_of_nothing_hold_no_word(self, text):
        assert [window for window in cut(text) if any(map(str.isalnum, window))] == []


class TestATokenizerThatJoinsAcrossWhiteSpace:
    @staticmethod
    def count(text):
        """More tokens than the parts have: three for every space between words."""
        return words(text) + 3 * text.strip().count(" ")

    def test_has_windows_that_fit_all_the_same(self):
        text = "One two. Three four. Five six."
        assert cut(text, tokens=13, count=self.count) == ["One two. Three four.", "Three four. Five six."]
        assert cut(text, tokens=12, count=self.count) == ["One two.", "Three four.", "Five six."]


class TestASentenceThatDoesNotFit:
    LONG = " ".join(f"Word{number}" for number in range(30)) + "."

    def test_is_read_in_stretches_that_overlap(self):
        stretches = cut(self.LONG, tokens=10)
        assert all(words(stretch) <= 10 for stretch in stretches)
        assert stretches[0].split()[0] == "Word0"
        assert stretches[-1].split()[-1] == "Word29."
        assert all(set(left.split()) & set(right.split()) for left, right in pairwise(stretches))

    def test_is_cut_at_white_space(self):
        assert {word for stretch in cut(self.LONG, tokens=10) for word in stretch.split()} == set(self.LONG.split())

    def test_stands_between_whole_ones(self):
        found = cut(f"{SENTENCES[0]} {self.LONG} {SENTENCES[1]}", tokens=10)
        assert found[0] == SENTENCES[0]
        assert found[-1] == SENTENCES[1]

    def test_without_white_space_is_cut_anyway(self):
        text = "x" * 50
        stretches = cut(text, tokens=20, count=len)
        assert all(len(stretch) <= 20 for stretch in stretches)
        assert sum(map(len, stretches)) >= 50

    def test_longer_than_a_page_is_measured_in_pieces(self):
        counted = []

        def count(text):
            counted.append(len(text))
            return words(text)

        text = "pears and plums " * 4000
        assert cut(text, tokens=100, count=count)
        assert max(counted) <= 2 * LONGEST

    def test_of_one_character_that_does_not_fit_is_still_a_window(self):
        assert cut("x", tokens=1, count=lambda text: 3 * len(text)) == ["x"]


TEXTS = st.lists(
    st.one_of(
        st.sampled_from(
            ["The press is closed.", "Yes.", "Who opens the barn?", "- ", "\n\n", "# Fruit\n", "  ", "1. "]
        ),
        st.text("abc .!?\n-", max_size=40),
        st.text(max_size=12),
    ),
    max_size=12,
).map(" ".join)


class TestEveryText:
    @given(TEXTS, st.integers(1, 30), st.one_of(st.none(), st.integers(1, 4)), st.sampled_from([words, len]))
    def test_stands_in_windows_whole_and_none_is_too_long(self, text, tokens, sentences, count):
        passage = read_passage(0, text, count)
        spans = list(windows(passage, count, tokens=tokens, sentences=sentences))
        covered = {index for start, end in spans for index in range(start, end)}
        assert {index for index, character in enumerate(text) if not character.isspace()} <= covered
        assert all(start < end and (count(text[start:end]) <= tokens or end - start == 1) for start, end in spans)
        assert all(left < right for left, right in pairwise(spans))

    @given(TEXTS, st.integers(1, 30), st.integers(2, 4))
    def test_has_neighbours_together_where_they_fit(self, text, tokens, sentences):
        passage = read_passage(0, text, words)
        spans = list(windows(passage, words, tokens=tokens, sentences=sentences))
        for left, right in pairwise(passage.pieces):
            if left.tokens + right.tokens <= tokens:
                assert any(start <= left.start and right.end <= end for start, end in spans)

    @given(TEXTS, st.integers(1, 4))
    def test_has_no_window_of_more_sentences_than_asked_for(self, text, sentences):
        passage = read_passage(0, text, words)
        for start, end in windows(passage, words, tokens=1000, sentences=sentences):
            assert sum(start <= piece.start and piece.end <= end for piece in passage.pieces) <= sentences
