"""A list deep inside a JSON document."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.errors import DatasetError
from magistrate.evaluation.readers import json_document
from magistrate.evaluation.readers.json_document import first_keys, read_json_at

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
ROWS = st.lists(st.dictionaries(st.text(max_size=5), VALUES, max_size=3), max_size=5)


def rows(text, *path):
    return [row.data for row in read_json_at(io.BytesIO(text.encode()), path)]


class TestReadJsonAt:
    def test_the_elements_of_the_list_under_the_keys_with_their_lines(self):
        text = '{"version": 3,\n "results": {"stats": [{"a": 1}], "results": [\n{"n": 1},\n{"n": 2}], "z": 0}}'
        found = list(read_json_at(io.BytesIO(text.encode()), ("results", "results")))
        assert [(row.data, row.line) for row in found] == [({"n": 1}, 3), ({"n": 2}, 4)]

    def test_without_keys_the_document_is_the_list(self):
        assert rows('[{"n": 1}]') == [{"n": 1}]

    def test_an_element_that_is_no_object_is_a_bad_row(self):
        found = list(read_json_at(io.BytesIO(b'{"x": [1, {"n": 2}]}'), ("x",)))
        assert [row.data for row in found] == [None, {"n": 2}]
        assert "is a number" in found[0].problems[0].message

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("[]", "the document is no object with 'x'"),
            ('{"y": 1, "z": 2}', "x is not there; the object has 'y', 'z'"),
            ("{}", "the object has no key"),
            ('{"x": {}}', "x is no list"),
            ('{"x" 1}', "x is not there"),
            ('{"y": "open', "x is not there"),
            ("", "is no object"),
        ],
    )
    def test_no_such_list_is_an_error_that_says_what_is_there(self, text, message):
        with pytest.raises(DatasetError, match=message):
            rows(text, "x")

    @given(
        before=st.dictionaries(st.text(max_size=6), VALUES, max_size=4), found=ROWS, indent=st.sampled_from([None, 1])
    )
    def test_whatever_stands_before_it(self, before, found, indent):
        before.pop("rows", None)
        text = json.dumps({**before, "rows": found, "after": [[{"n": 1}]]}, indent=indent)
        assert rows(text, "rows") == found

    @given(found=ROWS, size=st.integers(1, 7))
    def test_wherever_a_chunk_ends(self, found, size):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(json_document, "_CHUNK", size)
            text = json.dumps({'a\\"': ['"\\'], "b": {"c": "]}"}, "rows": found}, ensure_ascii=False)
            assert rows(text, "rows") == found


class TestFirstKeys:
    @pytest.mark.parametrize(
        ("head", "keys"),
        [
            ('{"a": 1, "b": {"c": [1, "}"]}, "d": "x", "e', ["a", "b", "d"]),
            ('{"a": {"b": 1', ["a"]),
            ("{}", []),
            ("[1]", []),
            ("", []),
            ('{"a" 1', []),
        ],
    )
    def test_as_far_as_the_beginning_shows_them(self, head, keys):
        assert first_keys(head) == keys
