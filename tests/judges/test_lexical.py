import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.judges.lexical._measures import PASSAGE, Grounding, ground, read_contexts, read_text
from magistrate.judges.lexical.calibration import measures, probability

CONTEXTS = (
    "The lighthouse on Skerry Point was built by Helen Marsh in 1874.",
    "",
    "The keeper paints the tower each spring.",
)


def measured(statement, contexts=CONTEXTS, language="en"):
    return ground(read_text(statement), language, read_contexts(contexts))


class TestCoverage:
    def test_of_what_one_context_holds_is_whole(self):
        assert measured("Helen Marsh built the lighthouse.").coverage == 1.0

    def test_of_what_no_context_holds_is_none(self):
        found = measured("A ferry sank.")
        assert found == Grounding(0.0, 0.0, found.alike, found.grams, (), (), ("ferry", "sank"), 2, 0, None)

    def test_counts_forms_of_a_word_as_one(self):
        assert measured("Keepers painted towers.").coverage == 1.0

    def test_of_what_is_scattered_over_far_contexts_is_less(self):
        filler = "Gulls, seals and crabs live on the rocks below. " * PASSAGE
        far = (CONTEXTS[0], filler, CONTEXTS[2])
        assert measured("Helen Marsh paints.", far).coverage < measured("Helen Marsh paints.").coverage

    def test_names_the_context_that_holds_most(self):
        assert measured("The tower is painted each spring.").best == 2


class TestOrder:
    def test_is_whole_where_the_words_come_in_the_same_order(self):
        assert measured("The lighthouse was built in 1874.").order == 1.0

    def test_is_less_where_they_do_not(self):
        assert measured("In 1874 built was lighthouse the.").order < 0.6

    def test_of_a_long_context_is_looked_for_in_its_passages(self):
        filler = "Gulls live on the rocks. " * 500
        assert measured("The lighthouse was built in 1874.", [filler + CONTEXTS[0] + filler]).order == 1.0


class TestWhatIsMissing:
    def test_are_numbers_names_and_other_words(self):
        found = measured("The lighthouse was sold to Olaf Berg for 1,500 crowns in 1874.")
        assert found.missing_numbers == ("1500",)
        assert found.missing_names == ("olaf", "berg")
        assert found.missing_words == ("sold", "crowns")

    def test_a_number_in_words_is_not(self):
        assert measured("It has two lamps.", ["It has 2 lamps."]).missing_numbers == ()


class TestProbability:
    def test_counts_order_only_where_no_number_and_no_name_is_missing(self):
        whole = Grounding(0.9, 1.0, 0.9, 0.9, (), (), (), 9, 9, 0)
        lacking = Grounding(0.9, 1.0, 0.9, 0.9, ("5",), (), (), 9, 8, 0)
        assert measures(whole)[1] == 1.0
        assert measures(lacking)[1] == 0.0
        assert probability(lacking) < 0.5 < probability(whole)

    @given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=4, max_size=4))
    def test_never_falls_when_more_is_held(self, shares):
        low = Grounding(*map(min, shares), (), (), (), 1, 1, 0)
        high = Grounding(*map(max, shares), (), (), (), 1, 1, 0)
        assert 0.0 < probability(low) <= probability(high) < 1.0


TEXTS = st.lists(
    st.sampled_from(["lamp ", "Marsh ", "1,250 ", "灯塔高", "маяк ", "है। ", "... ", "\n"]), max_size=30
).map("".join)


@given(TEXTS, st.lists(TEXTS, max_size=4))
def test_measures_are_shares(statement, contexts):
    found = measured(statement, contexts, None)
    assert 0.0 <= found.coverage <= 1.0
    assert 0.0 <= found.order <= 1.0
    assert 0 <= found.held <= found.terms


@pytest.mark.parametrize("text", ["", " ", "—"])
def test_a_text_without_words_has_none(text):
    assert measured(text).terms == 0
