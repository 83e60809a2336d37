"""CSV and TSV."""

import csv
import decimal
import io
import sys
import tracemalloc

import pyarrow as pa
import pytest
from openpyxl import Workbook, load_workbook
from pyarrow import parquet
from tests.case_tables import cases_of

from magistrate.errors import DatasetError, MissingExtraError
from magistrate.evaluation.cases.dataset import Dataset
from magistrate.evaluation.readers import tables as table
from magistrate.evaluation.readers.tables import plain, read_parquet, read_table

cases = cases_of(__file__)


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

    @pytest.mark.parametrize("line", ["1,a,b", "1", '1,"a'])
    def test_a_row_with_other_cells_than_the_header_is_never_read_under_wrong_names(self, line):
        found = rows(f"id,answer\n{line}\n")
        assert found[0].data is None
        assert found[0].problems[0].blocking

    def test_a_bad_row_costs_itself(self):
        found = rows('id,answer\n1,"a"b\n2,ok\n')
        assert [row.data for row in found] == [None, {"id": "2", "answer": "ok"}]

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
    def test_a_name_given_twice_is_refused_and_a_column_without_one_gets_its_number(self):
        with pytest.raises(DatasetError, match="names a column twice: 'answer'"):
            rows("answer,answer\na,b\n")
        assert rows("answer,\na,b\n")[0].data == {"answer": "a", "column 2": "b"}

    @pytest.mark.parametrize("head", ["answer,contexts", "réponse,contexts"])
    def test_another_encoding_is_one_error_of_the_file(self, tmp_path, head):
        path = tmp_path / "a.csv"
        path.write_bytes(f"{head}\nCafé,thé\nplain,plain\nété,thé\n".encode("cp1252"))
        with pytest.raises(DatasetError, match="iconv -f cp1252"):
            list(Dataset(path))

    def test_a_workbook_under_the_name_of_a_table_is_told_with_its_format(self, tmp_path):
        path = workbook(tmp_path / "a.csv", ["answer", "contexts"], ["At six.", "It opens at six."])
        with pytest.raises(DatasetError, match=r"a\.csv: is a ZIP archive.*--format xlsx"):
            list(Dataset(path))
        assert [record.case.answer for record in Dataset(path, format="xlsx")] == ["At six."]

    def test_nothing_but_blank_lines_is_an_empty_table(self):
        assert rows("\n\n") == rows("answer\n") == []


def workbook(path, *rows):
    book = Workbook()
    book.active.title = "empty"
    sheet = book.create_sheet("cases")
    for row in rows:
        sheet.append(row)
    book.save(path)
    return path


HEAD = ["question", "answer", "contexts"]


class TestWorkbooks:
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

    def test_a_sheet_is_chosen_by_its_name(self, tmp_path):
        path = workbook(tmp_path / "a.xlsx", ["Overview"], ["of Q3", "spring"])
        book = load_workbook(path)
        for row in (HEAD, ["Q", "A", '["c", "d"]']):
            (book["Q3 answers"] if "Q3 answers" in book.sheetnames else book.create_sheet("Q3 answers")).append(row)
        book.save(path)
        [record] = Dataset(path, format="xlsx:Q3 answers")
        assert (record.case.answer, record.case.contexts, record.problems) == ("A", ("c", "d"), ())
        with pytest.raises(DatasetError, match=r"no sheet .Q3 answer.\. Did you mean 'Q3 answers'"):
            list(Dataset(path, format="xlsx:Q3 answer"))

    def test_where_the_answers_are_not_found_it_is_said_how_to_choose_a_sheet(self, tmp_path):
        data = Dataset(workbook(tmp_path / "a.xlsx", ["Author", "Date"], ["me", "today"]))
        assert "'Author', 'Date'" in (told := data.no_column(*data.missing_columns()))
        assert "--format xlsx:SHEET" in told

    def test_a_blank_answer_weighs_the_same_as_in_a_csv(self, tmp_path):
        [record] = Dataset(workbook(tmp_path / "a.xlsx", HEAD, ["Q", None, "c"]))
        assert [problem.severity for problem in record.problems] == ["warning"]
        assert not record.blocked

    def test_cells_beyond_the_header_have_no_name(self, tmp_path):
        [record] = Dataset(workbook(tmp_path / "a.xlsx", HEAD, ["Q", "A", "c", "x"]))
        assert record.blocked

    def test_what_is_no_workbook_or_names_a_column_twice_is_refused(self, tmp_path):
        with pytest.raises(DatasetError, match="twice"):
            list(Dataset(workbook(tmp_path / "a.xlsx", ["answer", "answer"], ["a", "b"])))
        (tmp_path / "a.xlsx").write_bytes(b"PK\x03\x04 no more")
        with pytest.raises(DatasetError, match="not a readable Excel workbook"):
            list(Dataset(tmp_path / "a.xlsx"))


NAMES = "question,answer,contexts\n"


def only(tmp_path, text):
    path = tmp_path / "cases.csv"
    path.write_text(text, encoding="utf-8")
    [record] = Dataset(path)
    return record


class TestCells:
    @pytest.mark.parametrize("cell", ["nan", "None", "N/A", "<NA>", " null "])
    def test_a_word_for_no_value_is_none_and_is_said(self, tmp_path, cell):
        record = only(tmp_path, f"{NAMES}Q,{cell},c\n")
        assert record.case.answer is None
        assert any(p.severity == "warning" and p.field == "answer" for p in record.problems)
        assert not record.blocked
        assert only(tmp_path, f"{NAMES}Q,{cell} of them.,c\n").case.answer == f"{cell} of them."

    @cases("tables: printed and nested lists are read and said")
    def test_printed_and_nested_lists_are_read_and_said(self, tmp_path, cell, contexts):
        record = only(tmp_path, NAMES + 'Q,A,"' + cell.replace('"', '""') + '"\n')
        assert record.case.contexts == tuple(contexts)
        assert [p.severity for p in record.problems] == ["warning"]

    @cases("tables: what is no list of texts is not guessed")
    def test_what_is_no_list_of_texts_is_not_guessed(self, tmp_path, cell):
        record = only(tmp_path, NAMES + 'Q,A,"' + cell.replace('"', '""') + '"\n')
        assert record.case.contexts in ((), (cell,))

    @pytest.mark.parametrize("cell", ["[Scored(node=Node(text='a'), score=1)]", "{'a', 'b'}", "('a' 'b')"])
    def test_what_looks_like_a_list_is_one_text_and_is_said(self, tmp_path, cell):
        record = only(tmp_path, f'{NAMES}Q,A,"{cell}"\n')
        assert record.case.contexts == (cell,)
        assert [p.severity for p in record.problems] == ["warning"]

    @pytest.mark.parametrize(
        "cell", ["a is b\n\nc is d", "['a is b', 'c is d']", "('a is b', 'c is d')", '[""a is b"", ""c is d""]']
    )
    def test_statements_are_a_list_or_a_line_each(self, tmp_path, cell):
        record = only(tmp_path, f'question,answer,contexts,statements\nQ,A,c,"{cell}"\n')
        assert record.case.statements == ("a is b", "c is d")

    @pytest.mark.parametrize(("columns", "more"), [("Context,Context 2", True), ("context,source", False)])
    def test_passages_in_several_columns_are_not_lost_without_a_word(self, tmp_path, columns, more):
        record = only(tmp_path, f"question,answer,{columns}\nQ,A,c,d\n")
        assert record.case.contexts == ("c",)
        assert [p.severity for p in record.problems] == ["error"] * more
        assert not record.blocked


class TestColumns:
    @pytest.mark.parametrize("first", ["sep=;", "SEP=;", '"sep=;"'])
    def test_a_line_says_what_separates_cells(self, tmp_path, first):
        record = only(tmp_path, f"{first}\nquestion;answer;contexts\nQ;A, b;c\n")
        assert (record.case.answer, record.line) == ("A, b", 3)

    def test_what_no_row_has_a_column_for(self, tmp_path):
        path = tmp_path / "a.csv"
        path.write_text("user_query,bot_reply,context\nQ,A,c\n")
        assert Dataset(path).missing_columns() == (["question", "answer"], ["user_query", "bot_reply", "context"])
        assert Dataset(path, mapping=["answer=bot_reply"]).missing_columns()[0] == ["question"]

    def test_a_column_in_any_row_is_one(self, tmp_path):
        path = tmp_path / "a.jsonl"
        path.write_text('{"question": "Q", "contexts": []}\n{"answer": null}\n')
        assert Dataset(path).missing_columns()[0] == []


def packed(**columns):
    sink = io.BytesIO()
    parquet.write_table(pa.table(columns), sink, row_group_size=2)
    return sink.getvalue()


class TestParquet:
    def test_lists_and_structs_are_lists_and_objects(self):
        raw = packed(answer=["a", "b"], contexts=[["c"], []], citations=[[{"marker": "[1]"}], None])
        assert [row.data for row in read_parquet(io.BytesIO(raw))] == [
            {"answer": "a", "contexts": ["c"], "citations": [{"marker": "[1]"}]},
            {"answer": "b", "contexts": [], "citations": None},
        ]

    def test_a_row_group_is_not_read_as_a_whole(self, tmp_path):
        path = tmp_path / "one.parquet"
        texts = [f"{number} " + "x" * 1000 for number in range(8_000)]
        parquet.write_table(
            pa.table({"answer": texts}), path, row_group_size=len(texts), compression="none", use_dictionary=False
        )
        del texts
        list(read_parquet(io.BytesIO(packed(answer=["a"]))))  # what is loaded and kept for good
        with path.open("rb") as file:
            tracemalloc.start()
            try:
                count = sum(1 for _ in read_parquet(file))
                peak = tracemalloc.get_traced_memory()[1]
            finally:
                tracemalloc.stop()
        assert count == 8_000
        assert peak < path.stat().st_size / 2

    def test_a_file_that_is_none_is_refused(self):
        with pytest.raises(DatasetError, match="not a readable Parquet file"):
            list(read_parquet(io.BytesIO(b"PAR1")))

    def test_damage_is_found_where_the_file_has_checksums(self):
        sink = io.BytesIO()
        table = pa.table({"answer": [f"answer {n}" for n in range(2000)]})
        parquet.write_table(table, sink, compression="none", use_dictionary=False, write_page_checksum=True)
        raw = sink.getvalue().replace(b"answer 1500", b"answer 9999")
        with pytest.raises(DatasetError):
            list(read_parquet(io.BytesIO(raw)))

    def test_without_pyarrow_the_message_says_what_to_install(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        with pytest.raises(MissingExtraError, match=r'pip install "magistrate-core\[parquet\]"'):
            list(read_parquet(io.BytesIO(b"PAR1")))

    @cases("tables: values become what json can hold")
    def test_values_become_what_json_can_hold(self, value, expected):
        assert plain(value) == expected
        assert plain({"a": (decimal.Decimal("1.10"), value)}) == {"a": ["1.10", expected]}
