import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.text import fold

cases = cases_of(__file__)


class TestWhatFoldsTogether:
    @cases("fold: forms of one text")
    def test_forms_of_one_text(self, one, other):
        assert fold(one) == fold(other)


class TestWhatStaysApart:
    @pytest.mark.parametrize(("one", "other"), [("año", "ano"), ("schon", "schön"), ("a b", "ab"), ("1.5", "15")])
    def test_texts_that_mean_something_else(self, one, other):
        assert fold(one) != fold(other)


@given(st.text())
def test_folding_twice_changes_nothing(text):
    assert fold(fold(text)) == fold(text)


@given(st.text(st.characters(codec="ascii")))
def test_ascii_folds_as_the_rest_does(text):
    # The short way for ASCII gives what the long way gives.
    assert fold(text + "é") == fold(text) + "é"
