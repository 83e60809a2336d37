"""How a context is cut into windows."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.judges.nli._windows import LONGEST, pieces_of, windows

SENTENCES = [f"The picker fills basket number {number}." for number in range(1, 8)]
TEXT = " ".join(SENTENCES)
LONG = " ".join(f"Word{number}" for number in range(30)) + "."


def words(text):
    return len(text.split())


def joining(text):
    """More tokens than the parts have: three for every space between words."""
    return words(text) + 3 * text.strip().count(" ")


def cut(text, *, tokens=1000, sentences=None, count=words):
    spans = windows(text, pieces_of(text), count, tokens=tokens, sentences=sentences)
    return [text[start:end] for start, end in spans]


@pytest.mark.parametrize(
    ("text", "options", "found"),
    [
        (TEXT, {}, [TEXT]),
        (TEXT, {"sentences": 3}, [" ".join(SENTENCES[i : i + 3]) for i in (0, 2, 4)]),
        (TEXT, {"sentences": 1}, SENTENCES),
        (TEXT, {"tokens": 13}, [" ".join(SENTENCES[i : i + 2]) for i in range(6)]),
        (TEXT, {"sentences": 5}, [" ".join(SENTENCES[:5]), " ".join(SENTENCES[4:])]),
        ("  The press\tis   closed. \n\n The barn!  ", {}, ["The press\tis   closed. \n\n The barn!"]),
        ("- The press.\n- The barn is open.\n", {"sentences": 1}, ["- The press.", "- The barn is open."]),
        ("A b. C d. E f.", {"tokens": 13, "count": joining}, ["A b. C d.", "C d. E f."]),
        ("A b. C d. E f.", {"tokens": 12, "count": joining}, ["A b.", "C d.", "E f."]),
        ("x", {"tokens": 1, "count": lambda text: 3 * len(text)}, ["x"]),
    ],
)
def test_windows_hold_whole_sentences_and_overlap_by_one(text, options, found):
    assert cut(text, **options) == found


def test_a_sentence_that_does_not_fit_is_read_in_stretches_that_overlap_at_white_space():
    first, *stretches, last = cut(f"{SENTENCES[0]} {LONG} {SENTENCES[1]}", tokens=10)
    assert (first, last) == (SENTENCES[0], SENTENCES[1])
    assert all(words(stretch) <= 10 for stretch in stretches)
    assert {word for stretch in stretches for word in stretch.split()} == set(LONG.split())
    assert all(set(left.split()) & set(right.split()) for left, right in pairwise(stretches))


def test_one_without_white_space_is_cut_anyway_and_one_longer_than_a_page_measured_in_pieces():
    stretches = cut("x" * 50, tokens=20, count=len)
    assert all(len(stretch) <= 20 for stretch in stretches)
    assert sum(map(len, stretches)) >= 50
    counted = []
    assert cut("pears and plums " * 4000, tokens=100, count=lambda text: counted.append(len(text)) or words(text))
    assert max(counted) <= 2 * LONGEST


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


@given(TEXTS, st.integers(1, 30), st.one_of(st.none(), st.integers(1, 4)), st.sampled_from([words, len]))
def test_every_text_stands_in_windows_whole_and_none_is_too_long(text, tokens, sentences, count):
    spans = list(windows(text, pieces_of(text), count, tokens=tokens, sentences=sentences))
    covered = {index for start, end in spans for index in range(start, end)}
    assert {index for index, character in enumerate(text) if not character.isspace()} <= covered
    assert all(start < end and (count(text[start:end]) <= tokens or end - start == 1) for start, end in spans)
    assert all(left < right for left, right in pairwise(spans))


@given(TEXTS, st.integers(1, 30), st.integers(2, 4))
def test_neighbours_that_fit_stand_together_and_no_more_sentences_than_asked_for(text, tokens, sentences):
    pieces = pieces_of(text)
    spans = list(windows(text, pieces, words, tokens=tokens, sentences=sentences))
    for (start, middle), (_, end) in pairwise(pieces):
        if words(text[start:end]) <= tokens and words(text[start:middle]) <= tokens:
            assert any(first <= start and end <= last for first, last in spans)
    for first, last in windows(text, pieces, words, tokens=1000, sentences=sentences):
        assert sum(first <= start and end <= last for start, end in pieces) <= sentences
