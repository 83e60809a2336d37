"""Excel workbooks as datasets."""

import io

import pytest
from openpyxl import Workbook, load_workbook

from magistrate.errors import DatasetError
from magistrate.evaluation.cases.dataset import Dataset


def workbook(path, *rows):
    book = Workbook()
    book.active.title = "empty"
    sheet = book.create_sheet("cases")
    for row in rows:
        sheet.append(row)
    book.save(path)
    return path


HEAD = ["question", "answer", "contexts"]


class TestRows:
    def test_the_first_sheet_with_cells_is_read(self, tmp_path):
        path = workbook(tmp_path / "a.xlsx", HEAD, ["When?", "At six.", '["a", "b"]'], [None] * 3, ["Q", 3, "c"])
        first, second = Dataset(path)
        assert (first.case.question, first.case.contexts, first.line) == ("When?", ("a", "b"), 2)
        assert (second.case.answer, second.line) == ("3", 4)

    def test_sheets_that_are_not_read_are_named_once(self, tmp_path):
        path = workbook(tmp_path / "a.xlsx", HEAD, ["Q", "A", "c"], ["Q", "A", "c"])
        book = load_workbook(path)
        book.create_sheet("more").append(HEAD)
        book.save(path)
        first, second = Dataset(path)
        assert ["'more'" in problem.message for problem in first.problems] == [True]
        assert not first.blocked
        assert not second.problems

    def test_a_pipe_is_known_by_its_beginning(self, tmp_path):
        data = workbook(tmp_path / "a.xlsx", HEAD, ["Q", "A", "c"]).read_bytes()
        [record] = Dataset("-", stdin=io.BytesIO(data))
        assert record.case.answer == "A"

    def test_cells_beyond_the_header_have_no_name(self, tmp_path):
        [record] = Dataset(workbook(tmp_path / "a.xlsx", HEAD, ["Q", "A", "c", "x"]))
        assert record.blocked

    @pytest.mark.parametrize("rows", [[["answer", "answer"], ["a", "b"]]])
    def test_a_header_that_names_a_column_twice_is_refused(self, tmp_path, rows):
        with pytest.raises(DatasetError, match="twice"):
            list(Dataset(workbook(tmp_path / "a.xlsx", *rows)))

    def test_what_is_no_workbook_is_refused(self, tmp_path):
        (tmp_path / "a.xlsx").write_bytes(b"PK\x03\x04 no more")
        with pytest.raises(DatasetError, match="not a readable Excel workbook"):
            list(Dataset(tmp_path / "a.xlsx"))
