"""How a context is cut into windows."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.judges.nli._windows import LONGEST, pieces_of, windows

cases = cases_of(__file__)

SENTENCES = [f"The picker fills basket number {number}." for number in range(1, 8)]
TEXT = " ".join(SENTENCES)


def words(text):
    return len(text.split())


def cut(text, *, tokens=1000, sentences=None, count=words):
    spans = windows(text, pieces_of(text), count, tokens=tokens, sentences=sentences)
    return [text[start:end] for start, end in spans]


@cases("windows: whole sentences that overlap by one")
def test_windows_hold_whole_sentences_and_overlap_by_one(options, places):
    assert cut(TEXT, **options) == [" ".join(SENTENCES[start:end]) for start, end in places]


def test_a_sentence_that_does_not_fit_is_read_in_stretches_that_overlap_at_white_space():
    long = " ".join(f"Word{number}" for number in range(30)) + "."
    first, *stretches, last = cut(f"{SENTENCES[0]} {long} {SENTENCES[1]}", tokens=10)
    assert (first, last) == (SENTENCES[0], SENTENCES[1])
    assert all(words(stretch) <= 10 for stretch in stretches)
    assert {word for stretch in stretches for word in stretch.split()} == set(long.split())
    assert all(set(left.split()) & set(right.split()) for left, right in pairwise(stretches))


def test_one_longer_than_a_page_is_measured_in_pieces():
    counted = []
    assert cut("pears and plums " * 4000, tokens=100, count=lambda text: counted.append(len(text)) or words(text))
    assert max(counted) <= 2 * LONGEST


PIECES = ["The press is closed.", "Yes.", "Who opens the barn?", "- ", "\n\n", "# Fruit\n", "  ", "1. "]
TEXTS = st.one_of(st.sampled_from(PIECES), st.text("abc .!?\n-", max_size=40), st.text(max_size=12))


@given(st.lists(TEXTS, max_size=12).map(" ".join), st.integers(1, 30), st.none() | st.integers(1, 4), st.booleans())
def test_every_text_stands_in_windows_whole_and_none_is_too_long(text, tokens, sentences, by_word):
    count = words if by_word else len
    spans = list(windows(text, pieces_of(text), count, tokens=tokens, sentences=sentences))
    covered = {index for start, end in spans for index in range(start, end)}
    assert {index for index, character in enumerate(text) if not character.isspace()} <= covered
    assert all(start < end and (count(text[start:end]) <= tokens or end - start == 1) for start, end in spans)
    assert all(left < right for left, right in pairwise(spans))
