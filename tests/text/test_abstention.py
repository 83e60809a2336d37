import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.text import is_about_the_source, text_runs

cases = cases_of(__file__)


def about_the_source(text, language):
    return is_about_the_source(text_runs(text), language)


class TestWhatASourceLacks:
    @cases("abstention: is known in twelve languages")
    def test_is_known_in_twelve_languages(self, language, text):
        assert about_the_source(text, language)

    @pytest.mark.parametrize(
        "text",
        ["I don't know.", "I could not find the fee.", "No lo sé.", "Ich weiß nicht.", "Je ne sais pas.", "Я не знаю."],
    )
    def test_what_one_does_not_know_oneself_is_known_in_any(self, text):
        assert about_the_source(text, None)


class TestWhatTheWorldLacks:
    @cases("abstention: is a statement like any other")
    def test_is_a_statement_like_any_other(self, language, text):
        assert not about_the_source(text, language)


@given(st.text(), st.sampled_from(["en", "de", "zh", "ja", "xx", None]))
def test_any_text_is_read_without_error(text, language):
    assert about_the_source(text, language) in (True, False)
