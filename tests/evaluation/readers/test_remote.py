"""Datasets at addresses: what fsspec reaches is read like files."""

import gzip
import io
import json

import fsspec
import pyarrow as pa
import pytest
from pyarrow import parquet

from magistrate import Faithfulness, OfflineJudge, evaluate
from magistrate.audit import VerdictsTask, audit_files
from magistrate.errors import DatasetError
from magistrate.evaluation.cases.dataset import Dataset
from magistrate.evaluation.plan import RunOptions, make_plan
from magistrate.evaluation.shards import judge_shard, merge, write_manifest

ROWS = [{"id": f"c{n}", "answer": f"The lamp is {n}.", "contexts": [f"The lamp is {n}."]} for n in range(30)]


def lines(first=0, last=30):
    return "".join(json.dumps(row) + "\n" for row in ROWS[first:last]).encode()


def table():
    out = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist(ROWS), out, row_group_size=8)
    return out.getvalue()


@pytest.fixture
def put():
    files = fsspec.filesystem("memory")

    def write(name, data):
        files.pipe(f"/cases/{name}", data)
        return f"memory://cases/{name}"

    yield write
    files.store.clear()


@pytest.mark.parametrize(
    ("name", "data"),
    [("a.jsonl", lines()), ("a.jsonl.gz", gzip.compress(lines())), ("a.parquet", table()), ("a", lines())],
)
def test_a_file_is_read_as_if_it_were_here(name, data, put, tmp_path):
    here = tmp_path / name
    here.write_bytes(data)
    far = evaluate(put(name, data), [Faithfulness()])
    assert far.summary.digest == evaluate(here, [Faithfulness()]).summary.digest
    assert len(far) == len(ROWS)


def test_folders_and_patterns_are_read_in_order(put):
    put("b/2.jsonl", lines(10, 20))
    put("b/1.jsonl", lines(0, 10))
    put("b/notes.txt", b"none")
    put("c/1.jsonl", lines(20, 30))
    assert [record.case.id for record in Dataset("memory://cases/b")] == [row["id"] for row in ROWS[:20]]
    assert [record.case.id for record in Dataset("memory://cases/*/1.jsonl")] == [
        row["id"] for row in (*ROWS[:10], *ROWS[20:])
    ]


def test_what_is_not_there_is_an_error(put):
    put("x/notes.txt", b"none")
    for source in ("memory://cases/none.jsonl", "memory://cases/*.csv", "memory://cases/x", "nowhere://a/b.jsonl"):
        with pytest.raises(DatasetError):
            list(Dataset(source))


def test_shards_of_remote_files_merge_to_what_one_process_finds(put, tmp_path):
    put("s/1.jsonl", lines(0, 13))
    put("s/2.parquet", table())
    whole = evaluate("memory://cases/s", [Faithfulness()])
    write_manifest(make_plan("memory://cases/s", [Faithfulness()], OfflineJudge(), RunOptions(run=tmp_path)), 3)
    for number in (1, 2, 3):
        judge_shard(tmp_path, number, [Faithfulness()], "offline")
    assert merge(tmp_path).summary.digest == whole.summary.digest
    put("s/1.jsonl", lines(1, 14))
    (tmp_path / "shards/000001/DONE").unlink()
    with pytest.raises(DatasetError):
        judge_shard(tmp_path, 1, [Faithfulness()], "offline")


def test_an_audit_reads_them_too(put):
    row = {"reply": '{"verdicts": [{"verdict": "yes"}]}', "statements": ["a"], "score": 1.0}
    put("replies.jsonl", (json.dumps(row) + "\n").encode())
    assert len(list(audit_files(["memory://cases/*.jsonl"], VerdictsTask(), {name: name for name in row}))) == 1
