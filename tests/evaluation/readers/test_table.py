"""CSV and TSV."""

import csv
import io

import pytest

from magistrate.errors import DatasetError
from magistrate.evaluation.readers import tables as table
from magistrate.evaluation.readers.tables import read_table


def rows(text, **options):
    return list(read_table(io.BytesIO(text.encode() if isinstance(text, str) else text), **options))


class TestRows:
    def test_cells_are_texts_and_lines_are_counted_across_quoted_breaks(self):
        found = rows('id,answer\n1,"two\nlines, ""quoted"""\n\n2,x\n')
        assert [row.data for row in found] == [
            {"id": "1", "answer": 'two\nlines, "quoted"'},
            {"id": "2", "answer": "x"},
        ]
        assert [row.line for row in found] == [2, 5]

    @pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
    def test_the_delimiter_is_the_one_of_the_header(self, delimiter):
        assert rows(f"id{delimiter}answer\n1{delimiter}a\n")[0].data == {"id": "1", "answer": "a"}

    def test_a_table_of_tabs_keeps_its_commas(self):
        assert rows("id\tanswer\n1\ta, b\n", delimiter="\t")[0].data == {"id": "1", "answer": "a, b"}

    @pytest.mark.parametrize("line", ["1,a,b", "1", '1,"a'])
    def test_a_row_with_other_cells_than_the_header_is_never_read_under_wrong_names(self, line):
        found = rows(f"id,answer\n{line}\n")
        assert found[0].data is None
        assert found[0].problems[0].blocking

    def test_a_bad_row_costs_itself(self):
        found = rows('id,answer\n1,"a"b\n2,ok\n')
        assert [row.data for row in found] == [None, {"id": "2", "answer": "ok"}]

    def test_a_nul_character_stays_in_its_cell(self):
        assert rows(b"id,answer\n1,a\x00b\n2,c\n")[1].data == {"id": "2", "answer": "c"}

    def test_a_cell_longer_than_the_csv_modules_own_limit_is_read(self):
        before = csv.field_size_limit()
        assert len(rows("id,answer\n1," + "x" * (before + 10) + "\n")[0].data["answer"]) == before + 10
        assert csv.field_size_limit() == before

    def test_a_row_without_end_costs_itself(self, monkeypatch):
        monkeypatch.setattr(table, "MAX_ROW_BYTES", 100)
        found = rows("id,answer\n1," + "x" * 500 + "\n2,ok\n")
        assert found[0].data is None
        assert found[-1].data == {"id": "2", "answer": "ok"}


class TestHeader:
    def test_a_name_given_twice_is_refused(self):
        with pytest.raises(DatasetError, match="names a column twice: 'answer'"):
            rows("answer,answer\na,b\n")

    def test_a_column_without_name_gets_its_number(self):
        assert rows("answer,\na,b\n")[0].data == {"answer": "a", "column 2": "b"}

    def test_nothing_but_blank_lines_is_an_empty_table(self):
        assert rows("\n\n") == []
        assert rows("answer\n") == []
