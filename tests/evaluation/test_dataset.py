"""Datasets: every format gives the same cases, and no bytes stop the reading."""

import csv
import gzip
import io
import json
from functools import partial

import pyarrow as pa
import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from openpyxl import Workbook
from pyarrow import parquet
from tests.case_tables import tables_of

from magistrate.case import Case
from magistrate.errors import ConfigurationError, DatasetError
from magistrate.evaluation.cases.dataset import Dataset, DatasetCheck, check_dataset
from magistrate.evaluation.readers.files import FORMATS

ROWS = tables_of(__file__)["dataset: rows"]


def write(rows, path, format_):
    """Write rows as a user would in each format."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    match format_:
        case "jsonl":
            path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        case "json":
            path.write_text(json.dumps(rows, ensure_ascii=False, indent=1), encoding="utf-8")
        case "yaml":
            path.write_text(yaml.safe_dump(rows, allow_unicode=True), encoding="utf-8")
        case "parquet":
            columns = {name: [row.get(name) for row in rows] for name in names}
            parquet.write_table(pa.table(columns), path, row_group_size=1)
        case "xlsx":
            book = Workbook()
            book.active.append(names)
            for row in rows:
                cells = (row.get(name) for name in names)
                book.active.append([json.dumps(cell) if isinstance(cell, list) else cell for cell in cells])
            book.save(path)
        case _:
            with path.open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, names, delimiter="\t" if format_ == "tsv" else ",")
                writer.writeheader()
                for row in rows:
                    writer.writerow({k: json.dumps(v) if isinstance(v, list) else v for k, v in row.items()})
    return path


def cases(source, **options):
    return [record.case for record in Dataset(source, **options)]


class TestFormats:
    @pytest.mark.parametrize("format_", FORMATS)
    def test_every_format_gives_the_same_cases(self, tmp_path, format_):
        path = write(ROWS, tmp_path / f"cases.{format_}", format_)
        assert cases(path) == [Case(**row) for row in ROWS]

    @pytest.mark.parametrize("format_", FORMATS)
    def test_a_pipe_is_read_like_a_file_without_naming_the_format(self, tmp_path, format_):
        data = write(ROWS, tmp_path / "cases", format_).read_bytes()

        class Pipe(io.BytesIO):
            def seekable(self):
                return False

        dataset = Dataset("-", stdin=Pipe(data))
        assert [record.case for record in dataset] == [Case(**row) for row in ROWS]
        assert dataset.is_pipe
        assert dataset.name == "stdin"

    @pytest.mark.parametrize("format_", FORMATS)
    def test_a_gzipped_file_is_read_like_a_plain_one(self, tmp_path, format_):
        plain = write(ROWS, tmp_path / f"cases.{format_}", format_)
        packed = tmp_path / f"packed.{format_}.gz"
        packed.write_bytes(gzip.compress(plain.read_bytes()))
        assert cases(packed) == cases(plain)

    def test_a_format_that_is_named_wins_over_the_file_name(self, tmp_path):
        path = write(ROWS, tmp_path / "cases.txt", "tsv")
        assert cases(path, format="tsv") == [Case(**row) for row in ROWS]

    def test_objects_are_cases_or_mappings_under_any_alias(self):
        found = cases([Case(answer="a"), {"response": "b", "context": "c"}])
        assert found == [Case(id="case-1", answer="a"), Case(id="case-2", answer="b", contexts=("c",))]

    def test_an_object_that_is_no_case_is_a_row_that_cannot_be_judged(self):
        records = list(Dataset([{"answer": "a", "contexts": ["c"]}, 7]))
        assert [record.blocked for record in records] == [False, True]
        assert "is a number; expected a Case" in str(records[1].problems[0])

    def test_keys_of_a_mapping_need_not_be_texts_but_one_is_no_list_of_cases(self):
        assert cases([{"answer": "a", 7: "b"}])[0].metadata == {"7": "b"}
        rows = [{"claim": "a", "contexts": ["c"]}, {7: "b", "contexts": ["c"]}]
        assert [record.blocked for record in Dataset(rows, mapping={"answer": "claim"})] == [False, True]
        with pytest.raises(ConfigurationError, match="put it in a list"):
            Dataset({"answer": "a"})

    def test_a_folder_or_pattern_without_datasets_and_the_folder_of_a_run_are_none(self, tmp_path):
        with pytest.raises(DatasetError, match="no dataset in this folder"):
            Dataset(tmp_path)
        with pytest.raises(DatasetError, match="no file matches"):
            Dataset(tmp_path / "*.jsonl")
        (tmp_path / "results.jsonl").write_text("")
        with pytest.raises(DatasetError, match="is the folder of a run"):
            Dataset(tmp_path)


class TestBytes:
    @pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
    @pytest.mark.parametrize("format_", ["jsonl", "json", "csv", "yaml"])
    def test_a_byte_order_mark_is_understood(self, tmp_path, format_, encoding):
        path = write(ROWS, tmp_path / f"cases.{format_}", format_)
        text = path.read_text(encoding="utf-8")
        mark = "\ufeff" if encoding.startswith("utf-16-") else ""
        path.write_bytes((mark + text).encode(encoding))
        assert cases(path) == [Case(**row) for row in ROWS]

    def test_utf_16_without_a_mark_is_named(self, tmp_path):
        path = tmp_path / "cases.csv"
        path.write_bytes("answer,contexts".encode("utf-16-le"))
        with pytest.raises(DatasetError, match="looks like UTF-16"):
            cases(path)

    @pytest.mark.parametrize("format_", ["jsonl", "csv", "tsv"])
    def test_crlf_line_ends_leave_no_trace(self, tmp_path, format_):
        rows = [{"id": "a", "answer": "one", "contexts": ["c"]}]
        path = write(rows, tmp_path / f"cases.{format_}", format_)
        path.write_bytes(path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
        assert cases(path) == [Case(**rows[0])]

    @pytest.mark.parametrize("format_", ["jsonl", "csv"])
    def test_a_row_in_another_encoding_costs_that_row_only(self, tmp_path, format_):
        rows = [{"id": str(n), "answer": f"Caf{'é' if n == 1 else 'e'} {n}", "contexts": ["c"]} for n in range(3)]
        path = tmp_path / f"cases.{format_}"
        if format_ == "jsonl":
            lines = [json.dumps(row, ensure_ascii=False).encode("latin-1") for row in rows]
        else:
            lines = [b"id,answer,contexts", *(f"{r['id']},{r['answer']},c".encode("latin-1") for r in rows)]
        path.write_bytes(b"\n".join(lines))
        records = list(Dataset(path))
        assert [record.blocked for record in records] == [False, True, False]
        assert "not valid UTF-8: byte 0xe9" in str(records[1].problems[0])

    @pytest.mark.parametrize(
        "pack", [gzip.compress, partial(pa.compress, codec="zstd", asbytes=True)], ids=["gz", "zst"]
    )
    def test_a_cut_archive_keeps_what_came_before(self, pack, tmp_path):
        rows = [{"answer": f"{n} {n * 7919 % 1000003}" * 40, "contexts": ["c"]} for n in range(3000)]
        data = pack(write(rows, tmp_path / "cases.jsonl", "jsonl").read_bytes())
        path = tmp_path / "cut.jsonl.packed"
        path.write_bytes(data[: len(data) // 2])
        records = list(Dataset(path, format="jsonl"))
        assert len(records) > 100
        assert [record.blocked for record in records[:-1]] == [False] * (len(records) - 1)
        assert "the file breaks off here" in str(records[-1].problems[0])

    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
    @given(data=st.binary(max_size=400), format_=st.sampled_from([*FORMATS, None]))
    @example(data=b'{"answer": "\\ud800"}', format_="jsonl")
    @example(data=b"[[[[[[", format_="yaml")
    @example(data=b"a: &a [*a, *a]", format_="yaml")
    @example(data=b'answer\n"\x00', format_="csv")
    def test_no_bytes_raise_anything_but_a_dataset_error(self, data, format_):
        result = DatasetCheck()
        try:
            for problem in check_dataset(Dataset("-", format=format_, stdin=io.BytesIO(data)), result):
                str(problem).encode("utf-8")
        except DatasetError as error:
            assert str(error).startswith("stdin")  # noqa: PT017 - one of two ways that are fine

    @settings(deadline=None)
    @given(place=st.integers(4, 10_000), byte=st.integers(0, 255))
    def test_one_damaged_byte_costs_at_most_the_lines_it_touches(self, place, byte):
        rows = [{"id": f"r{n}", "answer": f"answer {n}", "contexts": [f"context {n}"]} for n in range(6)]
        raw = bytearray("".join(json.dumps(row) + "\n" for row in rows).encode())
        place = 4 + place % (len(raw) - 4)  # the first four bytes tell UTF-16 and gzip
        raw[place] = byte
        found = cases("-", format="jsonl", stdin=io.BytesIO(bytes(raw)))
        line = raw[:place].count(b"\n")
        untouched = [Case(**row) for number, row in enumerate(rows) if number not in (line, line + 1)]
        assert [case for case in found if case in untouched] == untouched


TEXT = (
    st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1, max_size=30)
    .map(lambda text: text.strip() or "x")
    .filter(lambda text: text.casefold() not in {"null", "none", "nan", "n/a"})
)
LINES = st.lists(TEXT, min_size=1, max_size=3).map("\n".join)
ROW = st.fixed_dictionaries(
    {"id": TEXT, "answer": LINES, "contexts": st.lists(LINES, min_size=1, max_size=3)},
    optional={"question": LINES, "category": TEXT, "reference": LINES},
)
YAML_TRAPS = "no Yes on null ~ 2024-01-05 1.10 0x1F 1e5 12:30:00 010 1_000 .5 = <<".split()


class TestRoundTrip:
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
    @given(rows=st.lists(ROW, min_size=1, max_size=4, unique_by=lambda row: row["id"]))
    @pytest.mark.parametrize(
        "format_", [name for name in FORMATS if name != "xlsx"]
    )  # which holds no control characters
    def test_what_is_written_is_what_is_read(self, tmp_path, format_, rows):
        path = write(rows, tmp_path / f"cases.{format_}", format_)
        records = list(Dataset(path))
        assert [problem for record in records for problem in record.problems if problem.severity == "error"] == []
        assert [record.case for record in records] == [Case(**row) for row in rows]

    @pytest.mark.parametrize("text", YAML_TRAPS)
    @pytest.mark.parametrize("quoted", [False, True])
    def test_yaml_leaves_text_as_text(self, tmp_path, text, quoted):
        written = json.dumps(text) if quoted else text
        path = tmp_path / "cases.yaml"
        path.write_text(f"- id: a\n  answer: {written}\n  contexts: [{written}, more]\n")
        [case] = cases(path)
        if not quoted and text in ("null", "~"):
            assert case.answer is None
        else:
            assert case.answer == text
            assert case.contexts == (text, "more")


class TestPlaces:
    def test_ids_are_made_up_from_the_row_where_there_are_none(self, tmp_path):
        path = tmp_path / "cases.jsonl"
        path.write_text('{"answer": "a"}\n{"id": 7, "answer": "b"}\n{"case_id": "z", "answer": "c"}\n')
        assert [case.id for case in cases(path)] == ["case-1", "7", "z"]

    def test_the_size_is_known_where_that_is_cheap(self, tmp_path):
        for format_, expected in (("jsonl", 2), ("parquet", 2), ("csv", None)):
            assert Dataset(write(ROWS, tmp_path / f"c.{format_}", format_)).size_hint() == expected
        assert Dataset([{"answer": "a"}]).size_hint() == 1
        assert Dataset(iter([{"answer": "a"}])).size_hint() is None
