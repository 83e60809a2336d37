import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.text import plain_digits, read_numbers, text_runs

cases = cases_of(__file__)


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

    def test_a_form_with_two_readings_keeps_both(self):
        assert numbers("1.234") == [{1.234, 1234.0}]

    def test_a_long_scale_billion_may_be_either(self):
        assert numbers("2 billion") == [{2e9, 2e12}]


class TestWhatIsANumber:
    def test_a_date_is_its_numbers(self):
        assert numbers("on 12.05.2024 at 10:30") == [{12.0}, {5.0}, {2024.0}, {10.0}, {30.0}]

    def test_a_version_is_a_text(self):
        assert numbers("release 3.11.2") == [{"3.11.2"}]

    def test_more_digits_than_a_float_holds_are_a_text(self):
        assert numbers("9" * 20) == [{"9" * 20}]

    def test_an_article_is_none(self):
        assert numbers("one of a hundred ways, une fois, una vez") == []

    def test_words_that_may_be_numbers_are_offered_only(self):
        assert numbers("once barcos") == []
        assert numbers("once barcos", offered=True) == [{11.0}]

    def test_a_column_of_numbers_offers_its_parts_too(self):
        assert numbers("12 345", offered=True) == [{12345.0}, {12.0}, {345.0}]

    @pytest.mark.parametrize("text", ["一般的", "十分好", "三菱", "万が一"])
    def test_numerals_inside_words_are_not_read(self, text):
        assert numbers(text) == []


class TestPlainDigits:
    def test_rewrites_nothing_else(self):
        assert plain_digits("高さは四十二メートル、1874年") == "高さは42メートル、1874年"

    def test_leaves_plain_numbers_alone(self):
        assert plain_digits("灯塔 12 34 米") == "灯塔 12 34 米"


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
