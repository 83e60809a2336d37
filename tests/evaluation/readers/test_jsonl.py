"""JSON Lines."""

import io

import pytest

from magistrate.errors import DatasetError
from magistrate.evaluation.readers import base
from magistrate.evaluation.readers.json_document import read_jsonl


def rows(text):
    return list(read_jsonl(io.BytesIO(text)))


class TestLines:
    def test_each_line_is_a_row_and_blank_ones_are_none(self):
        found = rows(b'{"a": 1}\r\n\n   \n{"a": 2}')
        assert [(row.line, row.data) for row in found] == [(1, {"a": 1}), (4, {"a": 2})]

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            (b'{"a": 1', "not valid JSON"),
            (b'{"a": 1} {"a": 2}', "more than one JSON value, the second at column 10"),
            (b"{'a': 1}", "not valid JSON"),
            (b"[1, 2]", "is a list"),
            (b'"text"', "is a text"),
            (b"null", "is null"),
            (b'{"a": "\x00"}', "not valid JSON"),
            (b'{"a": "\xc3"}', "not valid UTF-8: byte 0xc3 at offset 7"),
            (b"[" * 100_000, "nested too deeply"),
            (b'{"a": ' + b"9" * 5000 + b"}", "not valid JSON"),
        ],
    )
    def test_a_bad_line_costs_itself(self, line, message):
        found = rows(b'{"a": 1}\n' + line + b'\n{"a": 3}\n')
        assert [row.data is None for row in found] == [False, True, False]
        assert message in found[1].problems[0].message
        assert found[1].problems[0].blocking
        assert found[1].line == 2

    def test_a_line_without_end_costs_itself_and_little_memory(self, monkeypatch):
        monkeypatch.setattr(base, "MAX_ROW_BYTES", 1000)
        found = rows(b'{"a": 1}\n{"a": "' + b"x" * 5000 + b'"}\n{"a": 3}\n')
        assert [row.line for row in found] == [1, 2, 3]
        assert "the line is longer than" in found[1].problems[0].message

    def test_a_line_of_just_the_limit_is_read(self, monkeypatch):
        line = b'{"a": 1}\n'
        monkeypatch.setattr(base, "MAX_ROW_BYTES", len(line))
        assert [row.data for row in rows(line * 3)] == [{"a": 1}] * 3

    @pytest.mark.parametrize("start", [b"[\n", b"{\n"])
    def test_a_document_over_several_lines_names_the_right_format(self, start):
        with pytest.raises(DatasetError, match="--format json"):
            rows(start + b'  "a": 1\n')
