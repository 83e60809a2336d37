import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.text import content_terms, denies, ordered_terms, stem, stop_words, text_runs

cases = cases_of(__file__)


class TestStem:
    @cases("terms: forms of a word have one stem")
    def test_forms_of_a_word_have_one_stem(self, forms):
        assert len({stem(run) for run in text_runs(forms)}) == 1

    @pytest.mark.parametrize(
        ("one", "other"), [("harbour", "harvest"), ("ship", "shop"), ("1874", "1875"), ("маяк", "море")]
    )
    def test_other_words_have_another(self, one, other):
        assert stem(one) != stem(other)

    @given(st.text(min_size=1))
    def test_a_stem_is_never_empty(self, text):
        assert all(stem(run) for run in text_runs(text))


class TestContentTerms:
    def test_leave_out_words_without_content(self):
        assert content_terms(text_runs("The lamp of the lighthouse is on."), "en") == ["lamp", stem("lighthouse")]

    def test_are_pairs_of_characters_where_no_spaces_are(self):
        assert content_terms(text_runs("灯塔很高"), "zh") == ["灯塔", "塔很", "很高"]

    def test_of_one_character_are_that_character(self):
        assert content_terms(text_runs("灯 塔"), "zh") == ["灯", "塔"]

    def test_write_a_number_in_one_way(self):
        assert content_terms(text_runs("1,250 paintings"), "en") == content_terms(text_runs("1250 paintings"), "en")

    def test_of_nothing_but_words_without_content_are_those(self):
        assert content_terms(text_runs("It is."), "en") == ["it", "is"]

    def test_of_an_unknown_language_leave_out_the_words_of_all(self):
        assert content_terms(text_runs("der Hafen of the city")) == content_terms(text_runs("Hafen city"))

    def test_of_no_words_are_none(self):
        assert content_terms(text_runs("... !"), "en") == []

    @given(st.text())
    def test_are_among_all_terms(self, text):
        runs = text_runs(text)
        assert set(content_terms(runs)) <= set(ordered_terms(runs))
        assert bool(runs) == bool(content_terms(runs))


class TestDenies:
    @cases("terms: sees a denial")
    def test_sees_a_denial(self, language, text):
        assert denies(text_runs(text), language)

    @cases("terms: sees none where none is")
    def test_sees_none_where_none_is(self, language, text):
        assert not denies(text_runs(text), language)


def test_stop_words_of_a_language_without_a_list_are_none():
    assert stop_words("xx") == frozenset()
