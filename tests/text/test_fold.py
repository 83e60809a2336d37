import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.text import fold


class TestWhatFoldsTogether:
    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("LIGHTHOUSE", "lighthouse"),
            ("ＦＥＲＲＹ　１２", "ferry 12"),
            ("“quoted”", '"quoted"'),
            ("«quoted»", '"quoted"'),
            ("don’t", "don't"),
            ("12–14", "12-14"),
            ("STRASSE", "straße"),
            ("cafe\u0301", "café"),
            ("ｶﾞｽ", "ガス"),
            ("co\u00adoperate", "cooperate"),
            ("zero\u200bwidth", "zerowidth"),
            ("مُحَمَّد", "محمد"),
            ("أحمد", "احمد"),
            ("فـــي", "في"),
            ("ещё", "еще"),
            ("१२३", "123"),
            ("٤٢٪", "42%"),
            ("ﬁne", "fine"),
        ],
    )
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
