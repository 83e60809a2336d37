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


class TestLanguages:
    @pytest.mark.parametrize("code", SENTENCES)
    def test_a_sentence_tells_its_language_and_is_not_english(self, code):
        text, script, runs = SENTENCES[code], main_script(SENTENCES[code]), text_runs(SENTENCES[code])
        assert detect_language(script, runs) == code
        assert may_be(code, script, runs)
        if code not in ("en", "zh", "ja", "ko", "th"):
            assert not may_be("en", script, runs), text

    @cases("language: of a text")
    def test_of_a_text_that_says_nothing_or_looks_like_another(self, text, codes):
        assert detect_language(main_script(text), text_runs(text)) in codes

    @pytest.mark.parametrize("code", ["en", "fr"])
    def test_a_short_text_may_be_in_many(self, code):
        assert may_be(code, "latin", text_runs("Skerry Point 1874"))

    @cases("language: the script that prevails")
    def test_the_script_is_the_one_that_prevails(self, text, script):
        assert main_script(text) == script

    def test_of_a_long_text_it_is_told_by_its_middle_too(self):
        assert main_script("Title in English. " + "灯塔的高度是四十二米。" * 500) == "han"

    @cases("language: traditional and simplified Chinese")
    def test_traditional_is_told_from_simplified(self, text, variant):
        assert chinese_variant(text) == variant


def numbers(text, **options):
    return [set(number) for number in read_numbers(text_runs(text), **options)]


class TestNumbers:
    @cases("numbers: agree")
    def test_agree_in_many_forms_and_others_do_not(self, one, other, same):
        (first,), (second,) = numbers(one), numbers(other)
        assert (not first.isdisjoint(second)) is same

    @cases("numbers: are read in all their readings")
    def test_are_read_in_all_their_readings(self, text, offered, readings):
        assert numbers(text, offered=offered) == [set(one) for one in readings]

    @cases("numbers: are written in plain digits")
    def test_are_written_in_plain_digits(self, text, plain):
        assert plain_digits(text) == plain

    @given(st.text(st.sampled_from("0123456789.,' 万億千百十三一〇兆억천만 kmM٫٬-/"), max_size=60))
    @example("9" * 400 + ".5")
    @example("1." * 50 + "99")
    @example("1.2." + "3" * 5000)
    @example("9" * 30 + "万")
    def test_any_mess_of_digits_is_read_without_error(self, text):
        for offered in (True, False):
            assert all(read_numbers(text_runs(text), offered=offered))

    @given(st.integers(0, 10**12))
    def test_an_integer_is_found_however_it_is_grouped(self, value):
        for mark in (",", ".", " ", ""):
            (found,) = numbers(f"{value:,}".replace(",", mark))
            assert float(value) in found or str(value) in found


@cases("abstention: what a source lacks and what the world lacks")
def test_what_a_source_lacks_is_told_from_what_the_world_lacks(language, text, about):
    assert is_about_the_source(text_runs(text), language) is about


@given(st.text(), st.sampled_from(["en", "de", "zh", "ja", "xx", None]))
def test_any_text_is_read_without_error_and_has_a_language_or_none(text, language):
    runs, script = text_runs(text), main_script(text)
    assert is_about_the_source(runs, language) in (True, False)
    found = detect_language(script, runs)
    assert found is None or may_be(found, script, runs)
