"""Parquet."""

import datetime as dt
import decimal
import io
import sys
import tracemalloc

import pyarrow as pa
import pytest
from pyarrow import parquet

from magistrate.errors import DatasetError, MissingExtraError
from magistrate.evaluation.readers.parquet import count_parquet_rows, plain, read_parquet


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

    def test_a_cut_file_is_refused(self):
        raw = packed(answer=["a"] * 100)
        with pytest.raises(DatasetError, match="not a readable Parquet file"):
            list(read_parquet(io.BytesIO(raw[: len(raw) // 2])))

    def test_the_footer_tells_how_many_rows_there_are(self, tmp_path):
        path = tmp_path / "cases.parquet"
        path.write_bytes(packed(answer=["a", "b", "c"]))
        assert count_parquet_rows(path) == 3
        path.write_bytes(b"no parquet")
        assert count_parquet_rows(path) is None

    def test_without_pyarrow_the_message_says_what_to_install(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        with pytest.raises(MissingExtraError, match=r'pip install "magistrate-core\[parquet\]"'):
            list(read_parquet(io.BytesIO(b"PAR1")))

    @pytest.mark.parametrize(
        ("value", "expected"),
        [
            (float("nan"), None),
            (float("-inf"), None),
            (dt.date(2026, 1, 2), "2026-01-02"),
            (dt.datetime(2026, 1, 2, 3, 4, tzinfo=dt.UTC), "2026-01-02T03:04:00+00:00"),
            (decimal.Decimal("1.10"), "1.10"),
            (b"text", "text"),
            (b"\xff", "/w=="),
            ({"a": (1, float("nan"))}, {"a": [1, None]}),
        ],
    )
    def test_values_become_what_json_can_hold(self, value, expected):
        assert plain(value) == expected
