"""JSON documents: arrays element by element, objects that hold a list."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.errors import DatasetError
from magistrate.evaluation.readers import base, json_document
from magistrate.evaluation.readers.base import WRAPPERS
from magistrate.evaluation.readers.json_document import first_keys, read_json, read_json_at, read_jsonl

cases = cases_of(__file__)


def rows(document):
    raw = document.encode() if isinstance(document, str) else document
    return list(read_json(io.BytesIO(raw)))


def data(document):
    return [row.data for row in rows(document)]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


OBJECTS = st.lists(st.dictionaries(st.text(max_size=6), JSON, max_size=3), max_size=5)


class TestArrays:
    @given(items=OBJECTS, indent=st.sampled_from([None, 1]), ascii_=st.booleans(), chunk=st.integers(1, 70))
    def test_elements_are_cut_where_json_cuts_them_wherever_the_chunks_end(self, items, indent, ascii_, chunk):
        document = json.dumps(items, indent=indent, ensure_ascii=ascii_)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(json_document, "_CHUNK", chunk)
            assert data(document) == items

    @given(
        parts=st.lists(
            st.sampled_from([*'"\\x]},[ \n:', '{"a":1}', '{"a":', '\\"', '"a"', "NaN"]),
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

    def test_text_after_the_array_is_said_to_be_left_out_and_a_trailing_comma_is_no_problem(self):
        assert (rows("[]"), data('[{"a": 1},]\n\n')) == ([], [{"a": 1}])
        first, second = rows('[{"a": 1}]\n\n  {"a": 2}')
        assert (first.data, second.line) == ({"a": 1}, 3)
        assert "text after the end of the array" in second.problems[0].message

    def test_invalid_bytes_cost_their_element(self):
        found = rows(b'[{"a": "x"}, {"a": "\xff"}, {"a": "y"}]')
        assert [row.data for row in found] == [{"a": "x"}, None, {"a": "y"}]
        assert "byte 0xff" in found[1].problems[0].message

    def test_an_element_without_end_is_the_last(self, monkeypatch):
        monkeypatch.setattr(base, "MAX_ROW_BYTES", 1000)
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

    @pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
    def test_constants_that_json_has_not_are_null_and_said_to_be(self, constant):
        [row] = rows(f'[{{"answer": {constant}}}]')
        assert row.data == {"answer": None}
        assert row.problems[0].message == f"{constant} is no JSON value, read as null"
        assert row.problems[0].severity == "warning"


def rows_at(text, *path):
    return [row.data for row in read_json_at(io.BytesIO(text.encode()), path)]


class TestReadJsonAt:
    def test_the_elements_of_the_list_under_the_keys_with_their_lines(self):
        text = '{"version": 3,\n "results": {"stats": [{"a": 1}], "results": [\n{"n": 1},\n{"n": 2}], "z": 0}}'
        found = list(read_json_at(io.BytesIO(text.encode()), ("results", "results")))
        assert [(row.data, row.line) for row in found] == [({"n": 1}, 3), ({"n": 2}, 4)]

    @cases("json_document: no such list is an error that says what is there")
    def test_no_such_list_is_an_error_that_says_what_is_there(self, text, message):
        with pytest.raises(DatasetError, match=message):
            rows_at(text, "x")

    @given(before=OBJECTS, found=OBJECTS, indent=st.sampled_from([None, 1]), size=st.integers(1, 70))
    def test_whatever_stands_before_it_and_wherever_a_chunk_ends(self, before, found, indent, size):
        around = {'a\\"': ['"\\'], "b": {"c": "]}"}, "before": before, "rows": found, "after": [[{"n": 1}]]}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(json_document, "_CHUNK", size)
            assert rows_at(json.dumps(around, indent=indent, ensure_ascii=size % 2 == 0), "rows") == found


@cases("json_document: as far as the beginning shows them")
def test_first_keys_as_far_as_the_beginning_shows_them(head, keys):
    assert first_keys(head) == keys


def lines(text):
    return list(read_jsonl(io.BytesIO(text)))


class TestLines:
    def test_each_line_is_a_row_and_blank_ones_are_none(self):
        found = lines(b'{"a": 1}\r\n\n   \n{"a": 2}')
        assert [(row.line, row.data) for row in found] == [(1, {"a": 1}), (4, {"a": 2})]

    def test_blank_ones_without_end_are_named(self, monkeypatch):
        monkeypatch.setattr(base, "MOST_BLANK", 9)
        assert len(lines(b"\n" * 9 + b'{"a": 1}')) == 1
        with pytest.raises(DatasetError, match="more than 9 lines in a row are blank"):
            lines(b"\n" * 10 + b'{"a": 1}')

    @cases("json: a bad line costs itself")
    def test_a_bad_line_costs_itself(self, line, repeated, message):
        raw = line.replace(repeated, repeated * 100_000).encode("latin-1")
        found = lines(b'{"a": 1}\n' + raw + b'\n{"a": 3}\n')
        assert [row.data is None for row in found] == [False, True, False]
        assert message in found[1].problems[0].message
        assert found[1].problems[0].blocking
        assert found[1].line == 2

    def test_a_line_without_end_costs_itself_and_little_memory(self, monkeypatch):
        monkeypatch.setattr(base, "MAX_ROW_BYTES", 1000)
        found = lines(b'{"a": 1}\n{"a": "' + b"x" * 5000 + b'"}\n{"a": 3}\n')
        assert [row.line for row in found] == [1, 2, 3]
        assert "the line is longer than" in found[1].problems[0].message

    @pytest.mark.parametrize("start", [b"[\n", b"{\n"])
    def test_a_document_over_several_lines_names_the_right_format(self, start):
        with pytest.raises(DatasetError, match="--format json"):
            lines(start + b'  "a": 1\n')
