from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.text import main_script, read_names

cases = cases_of(__file__)


def names(text, language="en"):
    return read_names(text, main_script(text), language)


class TestInScriptsWithCapitals:
    @cases("names: are capitalised words inside a sentence")
    def test_are_capitalised_words_inside_a_sentence(self, text, expected):
        assert names(text) == expected

    def test_a_title_has_none(self):
        assert names("How The Lighthouse On Skerry Point Was Built") == []

    def test_a_text_in_small_letters_has_none(self):
        assert names("helen marsh built the lighthouse") == []

    def test_each_comes_once(self):
        assert names("We met Anna, and Anna left.") == ["anna"]

    def test_german_nouns_are_none(self):
        assert names("Der Leuchtturm hat eine Lampe und ein Dach.", "de") == []

    def test_german_names_of_several_words_are(self):
        assert names("Gebaut hat ihn die Ingenieurin Helen Marsh mit der BASF.", "de") == [
            "ingenieurin",
            "helen",
            "marsh",
            "basf",
        ]

    def test_cyrillic(self):
        assert names("Маяк построила Хелен Марш.", "ru") == ["хелен", "марш"]


class TestInScriptsWithoutCapitals:
    def test_are_words_in_latin_letters(self):
        assert names("灯塔由 Helen Marsh 设计", "zh") == ["helen", "marsh"]
        assert names("यह Skerry Point पर है", "hi") == ["skerry", "point"]


@given(st.text())
def test_any_text_is_read_without_error(text):
    found = names(text, None)
    assert len(found) == len(set(found))
