"""The files of the bundled dataset, each row as records.yaml describes it."""

import json
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import yaml

from magistrate.datasets import DOMAINS, data_folder

SCHEMAS = yaml.safe_load(Path(__file__).with_name("records.yaml").read_text("utf-8"))
ERRORS = SCHEMAS["$defs"]["statement"]["properties"]["error"]["enum"]


class Record(SimpleNamespace):
    """A row; what it may leave out and does is None."""

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)

    def holds(self, quote):
        return quote.document == self.document and self.span[0] <= quote.span[0] and quote.span[1] <= self.span[1]


FILES = {**{f"queries/{domain}.jsonl": "query" for domain in DOMAINS}, "documents.jsonl": "document"}
FILES["conflicts.jsonl"] = "conflict"


def rows(name, **options):
    lines = data_folder().joinpath(name).read_text("utf-8").split("\n")
    return [json.loads(line, **options) for line in lines if line]


@cache
def _records(name):
    return rows(name, object_hook=lambda fields: Record(**fields))


def bundled_queries():
    return [query for domain in DOMAINS for query in _records(f"queries/{domain}.jsonl")]


@cache
def bundled_documents():
    rows = _records("documents.jsonl")
    for row in rows:  # decoded from bytes: text mode would change the line ends
        row.text = data_folder().joinpath("documents", row.domain, f"{row.id}.md").read_bytes().decode("utf-8")
    return rows


def bundled_conflicts():
    return _records("conflicts.jsonl")
