"""From files to findings, one reply at a time."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

from magistrate.audit._findings import Finding
from magistrate.audit._stored import Fields, Place, Stored, stored_replies
from magistrate.audit._tasks import AuditTask
from magistrate.audit.sources import DEFAULTS, SourceKind, open_source
from magistrate.errors import ConfigurationError
from magistrate.evaluation.readers.base import RawRow
from magistrate.evaluation.readers.files import Start, dataset_files

_AT_ONCE = 16
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
    sources = [open_source(file, kind=kind, format=format) for file in _files(files)]
    # A mistake in the paths shows before the first file is read.
    fields: dict[SourceKind, Fields] = {}
    for source in sources:
        if source.kind is not SourceKind.RUN and source.kind not in fields:
            try:
                fields[source.kind] = fields_for(source.kind, task, paths or {})
            except ConfigurationError as error:
                first = () if source.path is None else islice((row.data for _, row in source.rows() if row.data), 1)
                there = ", ".join(repr(str(key)[:60]) for data in first for key in islice(data, 20))
                has = f". {source.name} has {there}" if there else ""
                raise ConfigurationError(error.message + has) from None
    for source in sources:
        if source.kind is SourceKind.RUN and source.path is not None:
            from magistrate.audit._runs import audit_run  # noqa: PLC0415 - loads judges and metrics

            yield from audit_run(source.path, source.name)
        else:
            yield from _audit_rows(source.rows(), fields[source.kind], task)


def fields_for(kind: SourceKind, task: AuditTask, paths: Mapping[str, str]) -> Fields:
    """Where the rows of a kind of file hold what a task needs: what the caller names, and the kind's own places."""
    known = dict(DEFAULTS[kind])
    # A caller who says where one recorded thing is does not mean the kind's own place of another.
    if any(name in paths for name in _RECORDED):
        known = {name: path for name, path in known.items() if name not in _RECORDED}
    wanted = "score" if "label" in task.unfit else "label"
    for name in task.unfit:
        known.pop(name, None)
        if name in paths:
            raise ConfigurationError(f"a field for {name!r} is not for an audit of a {wanted}: name --{wanted} FIELD")
    named = {**known, **paths}
    fields = Fields.of(named, optional=kind is SourceKind.INSPECT and "reply" not in paths)
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
    from magistrate.evaluation.shards.manifest import RowPlaces  # noqa: PLC0415 - loads judges and metrics

    files = _files(files)
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


def _files(given: Sequence[str]) -> list[str]:
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
    if part == AuditPart(file=part.file):
        yield from audit_files([part.file], task, paths, kind=kind, format=format)
        return
    source = open_source(part.file, kind=kind, format=format)
    fields = fields_for(source.kind, task, paths or {})
    with contextlib.closing(source.rows(part, part.first)) as rows:
        yield from _audit_rows(islice(rows, part.rows), fields, task)


def _audit_rows(rows: Iterator[tuple[Place, RawRow]], fields: Fields, task: AuditTask) -> Iterator[Finding]:
    """A few rows at a time: to do one thing to each of them, then the next, takes 0.8 times as long."""
    while some := [*islice(rows, _AT_ONCE)]:
        stored = [one for place, row in some for one in _stored(place, row, fields)]
        yield from [*map(task.audit, stored)]


def _stored(place: Place, row: RawRow, fields: Fields) -> Iterable[Stored]:
    blocking = [problem for problem in row.problems if problem.blocking] if row.problems else []
    if row.data is not None and not blocking:
        return stored_replies(row.data, fields, place)
    why = []
    for problem in blocking or row.problems:
        what = f"{problem.field}: {problem.message}" if problem.field is not None else problem.message
        why.append(f"the row {what}, not an object" if what.startswith("is ") else what)
    return (Stored(place, problem="; ".join(why), last=row.last),)
