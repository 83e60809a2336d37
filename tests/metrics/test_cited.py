import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.case import Case
from magistrate.metrics.citations._attribution import (
    gold_passages,
    read_citations,
    statements_with_marks,
    without_marks,
)


def cited(answer, contexts=("a", "b", "c"), **fields):
    case = Case(answer=answer, contexts=contexts, **fields)
    return read_citations(case, statements_with_marks(case))


class TestMarks:
    @pytest.mark.parametrize(
        ("answer", "contexts"),
        [
            ("It is so [1].", [(0,)]),
            ("It is so [1][3].", [(0,), (2,)]),
            ("It is so [1, 3].", [(0,), (2,)]),
            ("It is so [1-3].", [(0,), (1,), (2,)]),
            ("It is so [^2].", [(1,)]),
            ("It is so 【2】.", [(1,)]),
            ("It is so 【2†source】.", [(1,)]),
            ("It is so.²", [(1,)]),
            ("The hall is 20 m² large.", []),
            ("An array[x] and a list [a].", []),
        ],
    )
    def test_are_found_in_their_many_forms(self, answer, contexts):
        assert [citation.contexts for citation in cited(answer)] == contexts

    def test_that_name_no_passage_say_so(self):
        (citation,) = cited("It is so [7].")
        assert citation.contexts == ()
        assert "number 7" in citation.missing

    def test_belong_to_the_sentence_they_stand_behind(self):
        assert [c.statement for c in cited("One thing [1]. Another thing [2].")] == [0, 1]

    def test_are_no_part_of_the_statement(self):
        assert without_marks("It is so [1], and so [2, 3].") == "It is so, and so."

    @given(st.text(max_size=200))
    def test_any_text_is_read(self, text):
        for citation in cited(text):
            assert all(0 <= index < 3 for index in citation.contexts)


class TestCitationsOfTheCase:
    def test_name_a_passage_by_its_document(self):
        found = cited(
            "It is so.",
            citations=({"document": "rules", "statement": "It is so."},),
            metadata={"documents": ["rules", "news", "rules"]},
        )
        assert [(c.statement, c.contexts) for c in found] == [(0, (0, 2))]

    def test_name_a_passage_by_its_index(self):
        (citation,) = cited("It is so.", citations=({"document": 1, "statement": "It is so."},))
        assert citation.contexts == (1,)

    def test_that_name_an_unknown_document_point_nowhere(self):
        (citation,) = cited("It is so.", citations=({"document": "lost"},))
        assert (citation.contexts, citation.statement) == ((), None)
        assert "lost" in citation.missing

    def test_stand_where_their_marker_stands(self):
        found = cited("One thing [1]. Another [2].", citations=({"marker": "[2]"}, {"marker": "[1]"}))
        assert [(c.statement, c.contexts) for c in found] == [(1, (1,)), (0, (0,))]


class TestGold:
    def test_is_read_from_the_metadata(self):
        case = Case(contexts=("a",), metadata={"gold_citations": [{"context": 0, "quote": "a"}, {"doc_id": "x"}, 7]})
        assert [(g.context, g.document, g.quote) for g in gold_passages(case)] == [(0, None, "a"), (None, "x", None)]

    @pytest.mark.parametrize("metadata", [{}, {"gold": None}, {"gold_citations": "x"}, {"gold": {"citations": 3}}])
    def test_that_is_not_there_is_empty(self, metadata):
        assert gold_passages(Case(metadata=metadata)) == ()
