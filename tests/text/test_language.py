from pathlib import Path

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.text import (
    chinese_variant,
    detect_language,
    is_about_the_source,
    main_script,
    may_be,
    plain_digits,
    read_numbers,
    text_runs,
)

cases = cases_of(__file__)

SENTENCES = yaml.safe_load(Path(__file__).with_name("sentences.yaml").read_text(encoding="utf-8"))


def language(text):
    return detect_language(main_script(text), text_runs(text))


class TestDetectLanguage:
    @pytest.mark.parametrize("code", SENTENCES)
    def test_tells_a_sentence(self, code):
        assert language(SENTENCES[code]) == code

    @pytest.mark.parametrize("text", ["Skerry Point", "42 km", "Helen Marsh, Oslo", "", "...", "ABC-123", "Γειά"])
    def test_says_nothing_where_nothing_tells(self, text):
        assert language(text) is None

    @pytest.mark.parametrize(
        "text", ["Arsenal won the FA Cup in 2002.", "War and Peace is a novel.", "They come in red."]
    )
    def test_is_not_misled_by_words_that_look_like_another_language(self, text):
        assert language(text) in ("en", None)


class TestMayBe:
    def test_a_short_text_may_be_in_many(self):
        assert may_be("en", "latin", text_runs("Skerry Point 1874"))
        assert may_be("fr", "latin", text_runs("Skerry Point 1874"))

    @pytest.mark.parametrize("code", [code for code in SENTENCES if code not in ("en", "zh", "ja", "ko", "th")])
    def test_a_sentence_is_not_english_if_it_is_something_else(self, code):
        text = SENTENCES[code]
        assert not may_be("en", main_script(text), text_runs(text))
        assert may_be(code, main_script(text), text_runs(text))


class TestMainScript:
    @cases("language: is the one that prevails")
    def test_is_the_one_that_prevails(self, text, script):
        assert main_script(text) == script

    def test_of_a_long_text_is_told_by_its_middle_too(self):
        assert main_script("Title in English. " + "灯塔的高度是四十二米。" * 500) == "han"


class TestChineseVariant:
    def test_tells_traditional_from_simplified(self):
        assert chinese_variant("這個國家的鐵路還沒有開發") == "hant"
        assert chinese_variant("这个国家的铁路还没有开发") == "hans"

    def test_says_nothing_of_what_both_share(self):
        assert chinese_variant("山水人口") is None


@given(st.text())
def test_any_text_has_a_language_or_none(text):
    runs = text_runs(text)
    script = main_script(text)
    found = detect_language(script, runs)
    assert found is None or may_be(found, script, runs)


def numbers(text, **options):
    return [set(number) for number in read_numbers(text_runs(text), **options)]


def agree(one, other):
    (first,), (second,) = read_numbers(text_runs(one)), read_numbers(text_runs(other))
    return not first.isdisjoint(second)


class TestOneNumberInManyForms:
    @cases("numbers: agree")
    def test_agree(self, one, other):
        assert agree(one, other)

    @pytest.mark.parametrize(
        ("one", "other"), [("42", "24"), ("1.5", "15"), ("1.2.3", "1.2.4"), ("2 million", "2 billion"), ("12,5", "125")]
    )
    def test_other_numbers_do_not(self, one, other):
        assert not agree(one, other)


class TestWhatIsANumber:
    @cases("numbers: are read in all their readings")
    def test_are_read_in_all_their_readings(self, text, offered, readings):
        assert numbers(text, offered=offered) == [set(one) for one in readings]

    def test_more_digits_than_a_float_holds_are_a_text(self):
        assert numbers("9" * 20) == [{"9" * 20}]

    @pytest.mark.parametrize("text", ["一般的", "十分好", "三菱", "万が一"])
    def test_numerals_inside_words_are_not_read(self, text):
        assert numbers(text) == []


@cases("numbers: are written in plain digits")
def test_are_written_in_plain_digits(text, plain):
    assert plain_digits(text) == plain


@given(st.text(st.sampled_from("0123456789.,' 万億千百十三一〇兆억천만 kmM٫٬-/"), max_size=60))
@example("9" * 400 + ".5")
@example("1." * 50 + "99")
@example("1.2." + "3" * 5000)
@example("9" * 30 + "万")
def test_any_mess_of_digits_is_read_without_error(text):
    for offered in (True, False):
        for number in read_numbers(text_runs(text), offered=offered):
            assert number


@given(st.integers(0, 10**12))
def test_an_integer_is_found_however_it_is_grouped(value):
    for form in (f"{value}", f"{value:,}", f"{value:,}".replace(",", "."), f"{value:,}".replace(",", " ")):
        assert agree(form, str(value)), form


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
