import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.text import find_statement, split_statements

ANSWER = (
    "The lighthouse on Skerry Point was built in 1874 by Helen Marsh. It is 42 metres tall and not open in winter. "
    "Her brother, the painter Tom Marsh, kept the lamp for thirty years."
)


def found(statement, answer=ANSWER):
    place = find_statement(statement, answer)
    return None if place is None else answer[place[0] : place[1]]


class TestWordByWord:
    @pytest.mark.parametrize(
        "statement",
        [
            "It is 42 metres tall",
            "it is 42 METRES tall!",
            "“It is 42  metres\ntall.”",
            "**It is 42 metres tall**",
        ],
    )
    def test_is_found_where_it_stands(self, statement):
        assert found(statement) == "It is 42 metres tall"

    def test_in_a_script_without_spaces(self):
        assert found("灯塔 高42米", "斯凯里角的灯塔高４２米，很漂亮。") == "灯塔高４２米"

    def test_is_not_found_inside_longer_words(self):
        assert found("rank", "The franking machine broke.") is None


class TestRephrased:
    @pytest.mark.parametrize(
        ("statement", "sentence"),
        [
            (
                "Helen Marsh built the lighthouse in 1874.",
                "The lighthouse on Skerry Point was built in 1874 by Helen Marsh.",
            ),
            ("The lighthouse is on Skerry Point.", "The lighthouse on Skerry Point was built in 1874 by Helen Marsh."),
            ("Tom Marsh was a painter.", "Her brother, the painter Tom Marsh, kept the lamp for thirty years."),
            (
                "Tom Marsh kept the lamp for 30 years.",
                "Her brother, the painter Tom Marsh, kept the lamp for thirty years.",
            ),
            ("The lighthouse is not open in winter.", "It is 42 metres tall and not open in winter."),
        ],
    )
    def test_is_found_in_the_sentences_that_hold_it(self, statement, sentence):
        assert sentence in found(statement)

    @pytest.mark.parametrize(
        ("answer", "statement"),
        [
            ("Der Leuchtturm wurde 1874 von Helen Marsh gebaut.", "Helen Marsh baute 1874 den Leuchtturm."),
            ("El faro fue construido en 1874 por Helen Marsh.", "Helen Marsh construyó el faro en 1874."),
            ("Маяк построила в 1874 году Хелен Марш.", "В 1874 году Хелен Марш построила маяк."),
            ("灯塔由海伦·马什于1874年建造。", "海伦·马什于1874年建造了灯塔。"),
            ("灯台は1874年にヘレン・マーシュによって建てられた。", "ヘレン・マーシュは1874年に灯台を建てた。"),
            ("بنت هيلين مارش المنارة عام 1874.", "المنارة بنتها هيلين مارش عام 1874."),
        ],
    )
    def test_in_any_language(self, answer, statement):
        assert find_statement(statement, answer) == (0, len(answer))


class TestWhatTheAnswerDoesNotSay:
    @pytest.mark.parametrize(
        "statement",
        [
            "The lighthouse was sold to a hotel chain.",
            "Helen Marsh built the lighthouse in 1875.",
            "Anna Marsh built the lighthouse in 1874.",
            "The lighthouse is open in winter.",
            "The lighthouse on Skerry Point was not built by Helen Marsh.",
            "The tower costs nothing.",
            "",
            "...",
        ],
    )
    def test_is_not_found(self, statement):
        assert found(statement) is None

    def test_in_an_empty_answer_nothing_is_found(self):
        assert find_statement("The lighthouse is tall.", "") is None


@given(st.text(), st.text())
def test_any_texts_give_a_place_in_the_answer_or_none(statement, answer):
    place = find_statement(statement, answer)
    assert place is None or 0 <= place[0] < place[1] <= len(answer)


@given(
    st.lists(st.sampled_from(["The lamp is lit. ", "灯塔很高。", "Он ушёл. ", "It fell in 1874. ", "\n- Dogs "])).map(
        "".join
    )
)
def test_every_statement_of_an_answer_is_found_in_it(answer):
    assert all(find_statement(statement.text, answer) is not None for statement in split_statements(answer))
