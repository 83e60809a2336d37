import unicodedata

from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.text import split_sentences, split_statements, split_text

cases = cases_of(__file__)


@cases("statements: of an answer")
def test_an_answer_gives_its_statements_and_leaves_out_by_name_what_states_nothing(text, statements, left_out):
    pieces = split_text(text)
    assert list(split_sentences(text)) == statements
    assert [[one.kind, one.text] for one in pieces if one.kind in ("heading", "courtesy")] == left_out
    assert all(text[one.start : one.end] == one.text for one in pieces)


@cases("statements: each layout is taken apart")
def test_each_layout_is_taken_apart(text, statements):
    assert list(split_sentences(text)) == statements


@cases("statements: courtesies")
def test_courtesies_state_nothing(text):
    assert [(one.kind, one.text) for one in split_text(text)] == [("courtesy", text)]


MARKS = ("\n\n", "```", "\n- ", "\n1. ", "\n2. ", "| a |\n|---|\n", "\n> ", "here are:", "---\n", "Title")
LAYOUT = st.lists(st.sampled_from([*" \n.!?。*#>|`~:-=_[]()“”abXДя中ก12", *MARKS])).map("".join)


@given(st.one_of(st.text(), LAYOUT))
def test_the_pieces_hold_all_but_white_space_once_and_every_letter_is_kept_or_left_out_by_name(text):
    place = 0
    pieces = split_text(text)
    for one in pieces:
        assert one.start >= place
        assert text[one.start : one.end] == one.text == one.text.strip() != ""
        assert not text[place : one.start].strip()
        place = one.end
    assert not text[place:].strip()
    named = "".join(
        one.text for one in pieces if one.kind in {"sentence", "row", "code", "heading", "courtesy", "marker"}
    )
    letters = sorted(c for c in text if unicodedata.category(c)[0] == "L")
    assert sorted(c for c in named if unicodedata.category(c)[0] == "L") == letters
    assert [one.text for one in split_statements(text)] == list(split_sentences(text))
