"""From files of rows, promptfoo results, Inspect logs and runs of this package to findings, one reply at a time."""

import contextlib
import io
import json
import zipfile
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from magistrate.audit._stored import Fields, Place, Stored, field_names, stored_replies
from magistrate.audit._summary import Finding
from magistrate.audit._tasks import AuditTask
from magistrate.case import Problem
from magistrate.errors import ConfigurationError, DatasetError
from magistrate.evaluation.cases.dataset import Dataset
from magistrate.evaluation.files import REPORT_KIND, RESULTS
from magistrate.evaluation.readers.base import MAX_ROW_BYTES, RawRow, bad_row
from magistrate.evaluation.readers.files import BEGIN, RowPlaces, Start, dataset_files, format_by_name, open_zstd
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
        """Yield the rows and where each stands; not for a run, which is read as such."""
        at: tuple[str, ...] | None = ("samples",) if self.kind is SourceKind.INSPECT else None
        if self.kind is SourceKind.PROMPTFOO and self.dataset and "results" in first_keys(self.dataset.beginning()):
            at = ("results", "results")  # one document, not a line for each result
        read = read_eval_log(Path(self.name)) if self.dataset is None else self.dataset.rows(at, start)
        with contextlib.closing(read) as rows:
            for number, row in enumerate(rows, before + 1):
                yield Place(self.name, number, row.line), row


def open_source(source: str, *, kind: SourceKind | None = None, format: str | None = None) -> Source:  # noqa: A002
    """Find out what a file is."""
    path = Path(source)
    if source != "-" and path.is_dir():
        if not (path / RESULTS).exists():
            raise DatasetError(f"{path} is a folder, and holds no run: there is no {RESULTS} in it", path=str(path))
        return Source(source, SourceKind.RUN, path)
    other = kind is SourceKind.ROWS or format or format_by_name(path)  # a workbook of Excel is an archive, too
    with contextlib.suppress(OSError), path.open("rb") as file:  # what is wrong is said when it is opened as a dataset
        if source != "-" and not other and file.read(len(_ARCHIVE)) == _ARCHIVE:
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
    if "testCases" in found:
        raise DatasetError("DeepEval's results hold scores and reasons, and not what its judge replied")
    if {"evalId", "results"} <= found or {"gradingResult", "promptIdx"} <= found:
        return SourceKind.PROMPTFOO
    return SourceKind.INSPECT if {"version", "status", "eval"} <= found else SourceKind.ROWS


_SAMPLES, _OBJECT = "samples/", "an object"
_ZSTD = 93
"""The number of Zstandard among the methods of a ZIP file."""
_LOCAL_HEADER = 30
_TO_JSON = "convert it with: inspect log convert --to json --output-dir OUT LOG"


def read_eval_log(path: Path) -> Generator[RawRow, None, None]:
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


_AT_ONCE = 16
"""Rows of which one thing is done to each, then the next: that takes 0.8 times as long."""
_FEWEST_ROWS = 1_000
"""Rows below which a file is not cut: a part costs a little."""
_RECORDED = ("score", "label", "verdicts")


def audit_files(
    files: Sequence[str],
    task: AuditTask,
    paths: Mapping[str, str] | None = None,
    *,
    kind: SourceKind | None = None,
    format: str | None = None,  # noqa: A002 - the word of the command line
) -> Iterator[Finding]:
    """Audit files of stored replies.

    Args:
        files: Paths, patterns such as "replies/*.jsonl", or "-" for standard input. Rows (JSONL, JSON, CSV, Parquet,
            ...), promptfoo results, Inspect logs, and runs of this package, which need no paths and follow their own
            scale and policy.
        task: What the replies are read for.
        paths: Where a row holds what: names out of `FIELDS` to paths such as `result.reply` or `replies[*].text`.
        kind: What wrote the files; None to look.
        format: Format of files of rows; None to go by their names.

    Yields:
        A finding a reply, in the order of the files.

    Raises:
        ConfigurationError: If a path is none, or nothing says where the replies are or what was recorded.
        DatasetError: If a file cannot be read at all.
        StoreError: If a run cannot be read.
    """
    sources = [open_source(file, kind=kind, format=format) for file in listed_files(files)]
    # A mistake in the paths shows before the first file is read.
    for source, fields in [(source, _fields(source, task, paths or {})) for source in sources]:
        yield from _audited(source, fields, task, AuditPart(file=source.name))


def _fields(source: Source, task: AuditTask, paths: Mapping[str, str]) -> Fields:
    """Where the rows of a file hold what a task needs; a mistake is told with the fields that there are."""
    try:
        return Fields({}) if source.kind is SourceKind.RUN else _fields_for(source.kind, task, paths)
    except ConfigurationError as error:
        rows = [] if source.path is None else [*islice((row for _, row in source.rows()), _AT_ONCE)]
        keys = next((field_names(row.data) for row in rows if row.data), ())
        told = [f"{source.name} has {', '.join(repr(key[:60]) for key in keys[:20])}"] if keys else []
        told += dict.fromkeys(f"{source.name}: {_told(one)}" for row in rows for one in row.problems if one.hint)
        raise ConfigurationError(". ".join([error.message, *told])) from None


def _fields_for(kind: SourceKind, task: AuditTask, paths: Mapping[str, str]) -> Fields:
    # A caller who says where one recorded thing is does not mean the kind's own place of another.
    elsewhere = _RECORDED if any(name in paths for name in _RECORDED) else ()
    own = {name: path for name, path in DEFAULTS[kind].items() if name not in (*elsewhere, *task.unfit)}
    wanted = "score" if "label" in task.unfit else "label"
    if unfit := next((name for name in task.unfit if name in paths), None):
        raise ConfigurationError(f"a field for {unfit!r} is not for an audit of a {wanted}: name --{wanted} FIELD")
    fields = Fields.of({**own, **paths}, optional=kind is SourceKind.INSPECT and "reply" not in paths)
    if fields.paths.keys().isdisjoint(_RECORDED):
        raise ConfigurationError(f"which field holds what was recorded? Name it with --{wanted} FIELD")
    return fields


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditPart(Start):
    """A part of an audit: a file, or rows of it that follow one another.

    Attributes:
        file: The file.
        first: How many rows of it come before.
        rows: How many rows; None for the whole file.
    """

    file: str
    first: int = 0
    rows: int | None = None


def audit_parts(
    files: Sequence[str],
    count: int,
    *,
    kind: SourceKind | None = None,
    format: str | None = None,  # noqa: A002 - the word of the command line
) -> list[AuditPart]:
    """Cut an audit into about so many parts, in order; what is no file of rows is not cut.

    Raises:
        DatasetError: If a file cannot be read.
    """
    files = listed_files(files)
    sources = [open_source(file, kind=kind, format=format) for file in files]
    places = {
        source.name: RowPlaces(source.path, format)
        for source in sources
        if source.kind is SourceKind.ROWS and source.path is not None
    }
    step = max(_FEWEST_ROWS, -(-sum(one.rows for one in places.values()) // count))
    parts = []
    for file, source in zip(files, sources, strict=True):
        found = places.get(source.name)
        if found is None or found.rows <= step:
            parts.append(AuditPart(file=file))
            continue
        for first in range(0, found.rows, step):
            last = first + step >= found.rows  # the last one also says where the file breaks off
            rows = None if last else step
            parts.append(AuditPart(file=file, first=first, rows=rows, **asdict(found.of(first))))
    return parts


def listed_files(given: Sequence[str]) -> list[str]:
    """The files that paths and patterns name."""
    return [str(file) for one in given for file in ([one] if one == "-" or Path(one).exists() else dataset_files(one))]


def audit_part(
    part: AuditPart,
    task: AuditTask,
    paths: Mapping[str, str] | None = None,
    *,
    kind: SourceKind | None = None,
    format: str | None = None,  # noqa: A002
) -> Iterator[Finding]:
    """Audit one part: what `audit_files` finds in it."""
    source = open_source(part.file, kind=kind, format=format)
    yield from _audited(source, _fields(source, task, paths or {}), task, part)


def _audited(source: Source, fields: Fields, task: AuditTask, part: AuditPart) -> Iterator[Finding]:
    if source.kind is SourceKind.RUN and source.path is not None:
        from magistrate.audit._runs import audit_run  # noqa: PLC0415 - loads judges and metrics

        yield from audit_run(source.path, source.name)
        return
    with contextlib.closing(source.rows(part, part.first)) as rows:
        wanted = islice(rows, part.rows)
        while some := [*islice(wanted, _AT_ONCE)]:
            stored = [one for place, row in some for one in _stored(place, row, fields)]
            yield from [*map(task.audit, stored)]


def _stored(place: Place, row: RawRow, fields: Fields) -> Iterable[Stored]:
    blocking = [problem for problem in row.problems if problem.blocking] if row.problems else []
    notes = tuple(f"{place.source}: {_told(one)}" for one in row.problems if one.hint and one not in blocking)
    if row.data is not None and not blocking:
        found = stored_replies(row.data, fields, place)
        return (one._replace(notes=notes) for one in found) if notes else found
    why = []
    for problem in blocking or row.problems:
        what = _told(problem) if problem.field is None else f"{problem.field}: {problem.message}"
        why.append(f"the row {what}, not an object" if what.startswith("is ") else what)
    return (Stored(place, problem="; ".join(why), notes=notes, last=row.last),)


def _told(problem: Problem) -> str:
    return f"{problem.message} ({problem.hint})" if problem.hint else problem.message
