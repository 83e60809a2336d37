"""Where stored replies come from: files of rows, promptfoo results, Inspect logs, and runs of this package."""

from __future__ import annotations

import contextlib
import io
import json
import zipfile
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO

from magistrate.audit._stored import Place
from magistrate.errors import DatasetError
from magistrate.evaluation.cases.dataset import Dataset
from magistrate.evaluation.files import REPORT_KIND, RESULTS
from magistrate.evaluation.readers.base import MAX_ROW_BYTES, RawRow, bad_row
from magistrate.evaluation.readers.files import BEGIN, Start, open_zstd
from magistrate.evaluation.readers.json_document import first_keys, line_row

_ARCHIVE = b"PK\x03\x04"


class SourceKind(StrEnum):
    """What wrote a file."""

    ROWS = "rows"
    RUN = "run"
    PROMPTFOO = "promptfoo"
    INSPECT = "inspect"


DEFAULTS: Mapping[SourceKind, Mapping[str, str]] = {
    SourceKind.ROWS: {},
    SourceKind.RUN: {},
    SourceKind.PROMPTFOO: {
        "reply": "response.output",
        "statements": "vars.statements",
        "score": "score",
        "id": "id",
        "finish_reason": "response.finishReason",
    },
    SourceKind.INSPECT: {
        "reply": "scores[*].metadata.grading[-1].content",
        "label": "scores[*].value",
        "score": "scores[*].value",
        "id": "id",
    },
}
"""Where each kind keeps what is audited, unless the caller names another field."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file with stored replies."""

    name: str
    kind: SourceKind
    path: Path | None
    dataset: Dataset | None = None

    def rows(self, start: Start = BEGIN, before: int = 0) -> Generator[tuple[Place, RawRow], None, None]:
        """Yield the rows and where each stands; none for a run, which is read as such."""
        with contextlib.closing(self._rows(start)) as rows:
            for number, row in enumerate(rows, before + 1):
                yield Place(self.name, number, row.line), row

    def _rows(self, start: Start) -> Generator[RawRow, None, None]:
        if self.dataset is None:
            if self.path is not None and self.kind is SourceKind.INSPECT:
                yield from read_eval_log(self.path)
        elif self.kind is SourceKind.INSPECT:
            yield from self.dataset.rows(("samples",))
        elif self.kind is SourceKind.PROMPTFOO and "results" in first_keys(self.dataset.beginning()):
            yield from self.dataset.rows(("results", "results"))  # one document, not a line for each result
        else:
            yield from self.dataset.rows(start=start)


def open_source(source: str, *, kind: SourceKind | None = None, format: str | None = None) -> Source:  # noqa: A002
    """Find out what a file is."""
    path = Path(source)
    if source != "-" and path.is_dir():
        if not (path / RESULTS).exists():
            raise DatasetError(f"{path} is a folder, and holds no run: there is no {RESULTS} in it", path=str(path))
        return Source(source, SourceKind.RUN, path)
    with contextlib.suppress(OSError), path.open("rb") as file:  # what is wrong is said when it is opened as a dataset
        if source != "-" and file.read(len(_ARCHIVE)) == _ARCHIVE:
            return Source(source, SourceKind.INSPECT, path)
    dataset = Dataset(source, format=format)
    if dataset.is_pipe:
        return Source(dataset.name, kind or SourceKind.ROWS, None, dataset)
    kind = kind or _kind(dataset.beginning())
    return Source(source, kind, path, None if kind is SourceKind.RUN else dataset)


def _kind(beginning: str) -> SourceKind:
    """Tell what wrote a file by the keys with which it begins."""
    found = set(first_keys(beginning))
    if {"type", "config", "magistrate"} <= found:
        with contextlib.suppress(ValueError):
            return SourceKind.RUN if json.loads(beginning.partition("\n")[0])["type"] == "run" else SourceKind.ROWS
    if {"kind", "schema"} <= found and f'"{REPORT_KIND}"' in beginning[:1000]:
        return SourceKind.RUN
    if {"evalId", "results"} <= found or {"gradingResult", "promptIdx"} <= found:
        return SourceKind.PROMPTFOO
    return SourceKind.INSPECT if {"version", "status", "eval"} <= found else SourceKind.ROWS


_SAMPLES, _OBJECT = "samples/", "an object"
_ZSTD = 93
"""The number of Zstandard among the methods of a ZIP file."""
_LOCAL_HEADER = 30
_TO_JSON = "convert it with: inspect log convert --to json --output-dir OUT LOG"


def read_eval_log(path: Path) -> Iterator[RawRow]:
    """Yield the samples of an .eval log, a ZIP archive with a JSON document for each."""
    try:
        with zipfile.ZipFile(path) as archive, path.open("rb") as file:
            members = [one for one in archive.infolist() if one.filename.startswith(_SAMPLES)]
            for member in members:
                name, data = member.filename, _bytes(archive, file, member, path)
                too_long = f"is longer than {MAX_ROW_BYTES // 2**20} MiB" if len(data) > MAX_ROW_BYTES else None
                row = bad_row(too_long) if too_long else line_row(data, None, expected=_OBJECT) or bad_row("is blank")
                row.problems = [
                    replace(one, message=f"{name}: {one.message}") if one.blocking else one for one in row.problems
                ]
                yield row
    except (zipfile.BadZipFile, OSError) as error:
        raise DatasetError(f"{path.name}: cannot be read: {error}", path=str(path)) from None


def _bytes(archive: zipfile.ZipFile, file: BinaryIO, member: zipfile.ZipInfo, path: Path) -> bytes:
    """The content of a member, and no more of it than shows that it is too long."""
    with contextlib.suppress(NotImplementedError), archive.open(member) as stream:
        return stream.read(MAX_ROW_BYTES + 1)
    # That is zipfile's word for a compression that this Python has no module for.
    if member.compress_type != _ZSTD:
        raise DatasetError(f"{path.name}: compressed in a way that is not known; {_TO_JSON}")
    # The compressed bytes follow the member's local header, two lengths in which say where they begin.
    file.seek(member.header_offset)
    header = file.read(_LOCAL_HEADER)
    if len(header) < _LOCAL_HEADER:
        raise zipfile.BadZipFile("the archive is cut off")
    name, extra = (int.from_bytes(header[at : at + 2], "little") for at in (26, 28))
    file.seek(name + extra, io.SEEK_CUR)
    with open_zstd(io.BytesIO(file.read(member.compress_size))) as stream:
        return bytes(stream.read(MAX_ROW_BYTES + 1))
