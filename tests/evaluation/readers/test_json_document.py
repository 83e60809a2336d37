"""JSON documents: arrays element by element, objects that hold a list."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.errors import DatasetError
from magistrate.evaluation.cases.columns import field_of
from magistrate.evaluation.readers import json_document
from magistrate.evaluation.readers.base import WRAPPERS
from magistrate.evaluation.readers.json_document import read_json


def rows(document):
    raw = document.encode() if isinstance(document, str) else document
    return list(read_json(io.BytesIO(raw), field_of))


def data(document):
    return [row.data for row in rows(document)]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


class TestArrays:
    @given(
        items=st.lists(st.dictionaries(st.text(max_size=6), JSON, max_size=3), max_size=5),
        indent=st.sampled_from([None, 1]),
        ascii_=st.booleans(),
        chunk=st.integers(1, 70),
    )
    def test_elements_are_cut_where_json_cuts_them_wherever_the_chunks_end(self, items, indent, ascii_, chunk):
        document = json.dumps(items, indent=indent, ensure_ascii=ascii_)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(json_document, "_CHUNK", chunk)
            assert data(document) == items

    @given(
        parts=st.lists(
            st.sampled_from(
                ['{"a":1}', '{"a":', '"', "\\", '\\"', "x", "]", "}", ",", "[", " ", "\n", '"a"', ":", "NaN"]
            ),
            max_size=12,
        ),
        chunk=st.integers(1, 20),
    )
    def test_broken_elements_are_cut_alike_wherever_the_chunks_end(self, parts, chunk):
        document = '[{"b": "]"}, ' + "".join(parts) + ', {"c": 1}]'
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(json_document, "_CHUNK", chunk)
            pieces = rows(document)
        assert pieces == rows(document)
        assert pieces[0].data == {"b": "]"}

    @pytest.mark.parametrize("chunk", [3, 1000])
    def test_what_strict_json_does_not_allow_is_said_of_its_element_alone(self, monkeypatch, chunk):
        monkeypatch.setattr(json_document, "_CHUNK", chunk)
        found = rows('[{"a": 1}, {"a": NaN}, {"a": 1, "a": 2}, {"a": "\\ud800"}, {"a": 1e999, "a": 2')
        assert [row.data for row in found] == [{"a": 1}, {"a": None}, {"a": 2}, {"a": "\ud800"}, None]
        assert [len(row.problems) for row in found] == [0, 1, 1, 0, 1]
        assert [problem.blocking for row in found for problem in row.problems] == [False, True, True]

    def test_a_bad_element_costs_itself_and_names_its_line(self):
        found = rows('[\n {"a": 1},\n {"a": },\n {"a": 3}}, 7,\n\n {"a": 5}\n]')
        assert [row.data for row in found] == [{"a": 1}, None, None, None, {"a": 5}]
        assert [row.line for row in found] == [2, 3, 4, None, 6]
        assert "not valid JSON" in found[1].problems[0].message

    def test_of_elements_that_begin_on_one_line_only_the_first_is_told_by_it(self):
        assert [row.line for row in rows('[{"a": 1}, {"a": 2},\n{"a": 3}, 5]')] == [1, None, 2, None]

    def test_an_array_that_is_not_closed_is_said_to_be(self):
        found = rows('[{"a": 1}, {"a": 2')
        assert found[0].data == {"a": 1}
        assert "the array is not closed" in found[1].problems[0].message

    def test_text_after_the_array_is_said_to_be_left_out(self):
        found = rows('[{"a": 1}]\n\n  {"a": 2}')
        assert found[0].data == {"a": 1}
        assert "text after the end of the array" in found[1].problems[0].message
        assert found[1].line == 3

    def test_an_empty_array_and_a_trailing_comma_are_no_problem(self):
        assert rows("[]") == []
        assert data('[{"a": 1},]\n\n') == [{"a": 1}]

    def test_invalid_bytes_cost_their_element(self):
        found = rows(b'[{"a": "x"}, {"a": "\xff"}, {"a": "y"}]')
        assert [row.data for row in found] == [{"a": "x"}, None, {"a": "y"}]
        assert "byte 0xff" in found[1].problems[0].message

    def test_an_element_without_end_is_the_last(self, monkeypatch):
        monkeypatch.setattr(json_document, "MAX_ROW_BYTES", 1000)
        monkeypatch.setattr(json_document, "_CHUNK", 100)
        found = rows('[{"a": 1}, {"a": "' + "x" * 5000)
        assert found[0].data == {"a": 1}
        assert found[1].last
        assert len(found) == 2


class TestObjects:
    @pytest.mark.parametrize("key", WRAPPERS)
    def test_a_list_under_a_known_key_holds_the_cases(self, key):
        assert data(json.dumps({"name": "set", key: [{"answer": "a"}], "documents": []})) == [{"answer": "a"}]

    def test_columns_of_equal_length_are_rows(self):
        assert data('{"answer": ["a", "b"], "contexts": [["c"], ["d"]]}') == [
            {"answer": "a", "contexts": ["c"]},
            {"answer": "b", "contexts": ["d"]},
        ]

    def test_one_case_is_a_dataset_of_one(self):
        case = {"question": "q", "answer": "a", "data": [1, 2]}
        assert data(json.dumps(case)) == [case]

    def test_objects_one_after_the_other_are_json_lines(self):
        assert data('{"answer": "a"}\n{"answer": "b"}\n') == [{"answer": "a"}, {"answer": "b"}]

    def test_an_object_without_cases_names_what_it_has_and_what_is_expected(self):
        with pytest.raises(DatasetError, match=r"expected one of cases, data.*the document has 'foo', 'bar'"):
            rows('{"foo": 1, "bar": []}')

    @pytest.mark.parametrize("document", ["3", '"text"', "null", '{"a": ', "{'a': 1}"])
    def test_anything_else_is_no_dataset(self, document):
        with pytest.raises(DatasetError):
            rows(document)

    def test_a_syntax_error_names_the_line(self):
        with pytest.raises(DatasetError) as caught:
            rows('{"cases": [\n {"answer": }\n]}')
        assert caught.value.line == 2

    def test_an_empty_document_has_no_rows(self):
        assert rows("  \n ") == []

    def test_deep_nesting_is_no_crash(self):
        with pytest.raises(DatasetError):
            rows('{"cases": ' * 100_000)
        assert rows("[" * 200_000)[0].data is None


class TestStrictness:
    def test_a_key_given_twice_with_two_values_blocks_the_row(self):
        [row] = rows('[{"answer": "a", "answer": "b"}]')
        assert row.problems[0].field == "answer"
        assert row.problems[0].blocking

    def test_a_key_given_twice_with_one_value_is_fine(self):
        [row] = rows('[{"answer": "a", "answer": "a"}]')
        assert row.problems == []

    @pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
    def test_constants_that_json_has_not_are_null_and_said_to_be(self, constant):
        [row] = rows(f'[{{"answer": {constant}}}]')
        assert row.data == {"answer": None}
        assert row.problems[0].message == f"{constant} is no JSON value, read as null"
        assert row.problems[0].severity == "warning"
