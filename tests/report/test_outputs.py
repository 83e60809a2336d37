"""Which report a file name asks for, and files that appear whole or not at all; CSV and Parquet."""

import csv
import io
import json
import os
import sys
import xml.etree.ElementTree as ET

import pyarrow.parquet as pq
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.case_tables import cases_of
from tests.making import make_result, make_run, make_verdict

from magistrate import Case, evaluate
from magistrate.errors import ConfigurationError, MissingExtraError, StoreError
from magistrate.evaluation.files import replacing
from magistrate.evaluation.runs.run import COLUMNS
from magistrate.report import documents
from magistrate.report.documents import check_outputs, report_kind, write_reports
from magistrate.report.programs.run import STATEMENT_COLUMNS, statement_rows, write_csv, write_parquet
from magistrate.report.text import csv_cell
from magistrate.report.view import RunView
from magistrate.verdict import Evidence, Issue, IssueCode, Repair, Status, Verdict

cases = cases_of(__file__)

ENDINGS = tuple(documents._WRITERS)
PASSAGE = "The archive opens at nine. The reading room has forty seats."


@pytest.fixture
def run():
    return evaluate([Case(id="c1", answer="The archive opens at nine. Lunch is free.", contexts=[PASSAGE])])


class TestReportKind:
    @pytest.mark.parametrize(("name", "kind"), [("a.JSON", "json"), ("x/b.xml", "junit"), ("c.statements.csv", "csv")])
    def test_the_ending_decides_in_any_case(self, name, kind):
        assert report_kind(name) == kind

    @pytest.mark.parametrize("name", ["report", "report.pdf", ".csv"])
    def test_a_name_that_does_not_say_is_refused_with_the_endings(self, name):
        with pytest.raises(ConfigurationError, match=r"\.json, \.xml"):
            report_kind(name)


class TestCheckOutputs:
    def test_what_can_be_written_passes_and_nothing_is_made(self, tmp_path):
        check_outputs([tmp_path / "new" / f"report{suffix}" for suffix in ENDINGS])
        assert list(tmp_path.iterdir()) == []

    def test_a_file_named_twice_is_refused(self, tmp_path):
        with pytest.raises(ConfigurationError, match="twice"):
            check_outputs([tmp_path / "a.md", tmp_path / "a.md"])

    def test_a_folder_is_refused_and_so_is_a_file_in_its_place(self, tmp_path):
        (tmp_path / "a.md").mkdir()
        (tmp_path / "file").write_text("")
        for path, said in ((tmp_path / "a.md", "is a folder"), (tmp_path / "file" / "a.md", "cannot be written")):
            with pytest.raises(StoreError, match=said):
                check_outputs([path])

    def test_what_is_read_is_refused(self, tmp_path):
        (tmp_path / "cases.json").write_text("[]")
        with pytest.raises(StoreError, match="is what is read"):
            check_outputs([tmp_path / "cases.json"], [str(tmp_path / "cases.json"), "bundled:all"])


class TestWriteReports:
    def test_each_kind_is_written_and_named(self, run, tmp_path):
        paths = [tmp_path / f"report{suffix}" for suffix in ENDINGS]
        assert write_reports(RunView(run), paths) == dict(zip(map(report_kind, paths), paths, strict=True))
        assert json.loads((tmp_path / "report.json").read_text())["cases"][0]["case"]["id"] == "c1"
        assert ET.fromstring((tmp_path / "report.xml").read_text()).tag == "testsuites"
        assert (tmp_path / "report.parquet").read_bytes()[:4] == b"PAR1"
        assert (tmp_path / "report.svg").read_text().startswith("<svg")
        assert "faithfulness" in (tmp_path / "report.md").read_text()

    @pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")
    def test_what_holds_texts_is_for_its_owner_alone(self, run, tmp_path):
        for kind, path in write_reports(RunView(run), [tmp_path / f"report{suffix}" for suffix in ENDINGS]).items():
            if kind != "badge":
                assert path.stat().st_mode & 0o077 == 0, kind


class TestReplacing:
    def test_the_file_appears_at_the_end_with_the_folders_on_the_way(self, tmp_path):
        path = tmp_path / "a" / "b" / "report.txt"
        with replacing(path) as file:
            file.write(b"all of it")
            assert not path.exists()
        assert path.read_bytes() == b"all of it"
        assert [p.name for p in path.parent.iterdir()] == ["report.txt"]

    def test_a_failure_leaves_the_older_file_and_no_draft(self, tmp_path):
        path = tmp_path / "report.txt"
        path.write_text("old")

        def write():
            with replacing(path) as file:
                file.write(b"half")
                raise RuntimeError("stop")

        with pytest.raises(RuntimeError, match="stop"):
            write()
        assert path.read_text() == "old"
        assert len(list(tmp_path.iterdir())) == 1

    def test_a_full_disk_is_an_error_that_names_the_file(self, tmp_path):
        def write():
            with replacing(tmp_path / "report.txt"):
                raise OSError(28, "No space left on device")

        with pytest.raises(StoreError, match=r"report\.txt: cannot be written: No space left on device"):
            write()


def sample():
    verdicts = [
        make_verdict(
            0,
            Verdict.SUPPORTED,
            statement="Tea is hot.",
            reason="it says so",
            probability=0.75,
            evidence=(Evidence("hot tea", 0, 3, 10, 1.0), Evidence("cold tea")),
            format="json",
            repairs=(Repair("trailing-comma", 7),),
        ),
        make_verdict(1, None, statement="Ice too.", issues=(Issue(IssueCode.MISSING_VERDICT, "no row", 1),)),
    ]
    return make_run(
        [
            make_result(0, 0.5, verdicts=verdicts, category="drinks", question="Q?", answer="A."),
            make_result(1, None, Status.REFUSED, answer="=1+1"),
        ]
    )


def read(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


class TestCsv:
    def test_it_has_a_row_for_each_case_and_metric(self, tmp_path):
        rows = read(write_csv(RunView(sample()), tmp_path / "r.csv"))
        assert list(rows[0]) == list(COLUMNS)
        assert [(row["id"], row["score"], row["outcome"], row["supported"]) for row in rows] == [
            ("c0", "0.5", "fail", "1"),
            ("c1", "", "inconclusive", "0"),
        ]

    def test_or_a_row_for_each_statement(self, tmp_path):
        first, second = read(write_csv(RunView(sample()), tmp_path / "s.statements.csv"))
        assert tuple(first) == STATEMENT_COLUMNS
        names = ("id", "statement_id", "verdict", "probability")
        assert [first[name] for name in names] == ["c0", "s1", "supported", "0.75"]
        quote = {"quote": "hot tea", "context": 0, "start": 3, "end": 10, "similarity": 1.0}
        assert json.loads(first["quotes"])[0] == quote
        assert (first["quotes_found"], first["quotes_not_found"], first["repairs"]) == ("1", "1", "trailing-comma@7")
        assert (second["verdict"], second["issues"]) == ("", "missing-verdict")


class TestCells:
    @given(text=st.text())
    @example(text="\x0c")  # becomes a line feed
    def test_no_cell_begins_like_a_formula(self, text):
        cell = csv_cell(text)
        assert not cell.lstrip().startswith(("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20"))
        assert not cell.startswith(("\t", "\r", "\n"))

    @given(texts=st.lists(st.text(), min_size=1))
    def test_a_row_of_any_texts_is_read_back_as_it_was_made_safe(self, texts):
        file = io.StringIO(newline="")
        csv.writer(file).writerow(map(csv_cell, texts))
        file.seek(0)
        assert next(csv.reader(file)) == [csv_cell(text) for text in texts]

    @cases("outputs: what becomes of a text")
    def test_what_becomes_of_a_text(self, text, cell):
        assert csv_cell(text) == cell


class TestParquet:
    def test_types_do_not_depend_on_the_values(self, tmp_path):
        empty = pq.read_table(write_parquet(RunView(make_run([])), tmp_path / "empty.parquet"))
        full = pq.read_table(write_parquet(RunView(sample()), tmp_path / "full.parquet"))
        assert empty.schema == full.schema
        assert full.column_names == list(COLUMNS)
        assert full["score"].to_pylist() == [0.5, None]
        assert full["answer"].to_pylist() == ["A.", "=1+1"]

    def test_statements(self, tmp_path):
        run = sample()
        table = pq.read_table(write_parquet(RunView(run), tmp_path / "s.statements.parquet"))
        assert table.to_pylist() == list(statement_rows(run))

    def test_half_surrogate_pairs_do_not_end_it(self, tmp_path):
        run = make_run([make_result(0, answer="half \ud83d")])
        assert pq.read_table(write_parquet(RunView(run), tmp_path / "r.parquet"))["answer"].to_pylist() == [
            "half \ufffd"
        ]

    def test_without_pyarrow_the_error_names_the_extra(self, tmp_path, monkeypatch):
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        with pytest.raises(MissingExtraError, match=r"magistrate-core\[parquet\]"):
            write_parquet(RunView(sample()), tmp_path / "r.parquet")
        assert not list(tmp_path.iterdir())
