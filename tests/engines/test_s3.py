"""Datasets in S3, served by moto on this machine."""

import io
import json

import pytest

from magistrate import Faithfulness, evaluate

pytestmark = pytest.mark.engines
ROWS = [{"id": f"c{n}", "answer": f"The lamp is {n}.", "contexts": [f"The lamp is {n}."]} for n in range(30)]


@pytest.fixture
def bucket(monkeypatch):
    import boto3
    from moto.server import ThreadedMotoServer

    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    server = ThreadedMotoServer(port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    store = boto3.client("s3")
    store.create_bucket(Bucket="bucket")
    yield store
    server.stop()


def test_files_of_a_bucket_are_read_as_if_they_were_here(bucket):
    import pyarrow as pa
    from pyarrow import parquet

    out = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist(ROWS[:20]), out)
    bucket.put_object(Bucket="bucket", Key="cases/1.parquet", Body=out.getvalue())
    bucket.put_object(Bucket="bucket", Key="cases/2.jsonl", Body="\n".join(map(json.dumps, ROWS[20:])).encode())
    found = evaluate("s3://bucket/cases/*", [Faithfulness()])
    assert found.summary.digest == evaluate(ROWS, [Faithfulness()]).summary.digest
