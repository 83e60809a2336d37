from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.text import find_statement, split_statements

cases = cases_of(__file__)

ANSWER = (
    "The lighthouse on Skerry Point was built in 1874 by Helen Marsh. It is 42 metres tall and not open in winter. "
    "Her brother, the painter Tom Marsh, kept the lamp for thirty years."
)


def found(statement, answer=ANSWER):
    place = find_statement(statement, answer)
    return None if place is None else answer[place[0] : place[1]]


class TestWordByWord:
    @cases("find: is found where it stands")
    def test_is_found_where_it_stands(self, statement):
        assert found(statement) == "It is 42 metres tall"

    def test_in_a_script_without_spaces(self):
        assert found("灯塔 高42米", "斯凯里角的灯塔高４２米，很漂亮。") == "灯塔高４２米"

    def test_is_not_found_inside_longer_words(self):
        assert found("rank", "The franking machine broke.") is None


class TestRephrased:
    @cases("find: is found in the sentences that hold it")
    def test_is_found_in_the_sentences_that_hold_it(self, statement, sentence):
        assert sentence in found(statement)

    @cases("find: in any language")
    def test_in_any_language(self, answer, statement):
        assert find_statement(statement, answer) == (0, len(answer))


class TestWhatTheAnswerDoesNotSay:
    @cases("find: is not found")
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
