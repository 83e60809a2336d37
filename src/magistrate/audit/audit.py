"""From files to findings, one reply at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from magistrate.audit.findings import Finding, Standing
from magistrate.audit.sources import DEFAULTS, Source, SourceKind, open_source
from magistrate.audit.stored import Fields, stored_replies
from magistrate.audit.tasks import AuditTask, LabelTask, ScoreTask
from magistrate.errors import ConfigurationError
from magistrate.evaluation.problems import Problem

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
        files: Paths, or "-" for standard input. Rows (JSONL, JSON, CSV, Parquet, ...), promptfoo results, Inspect logs,
            and runs of this package, which need no paths and follow their own scale and policy.
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
    sources = [open_source(file, kind=kind, format=format) for file in files]
    # A mistake in the paths shows before the first file is read.
    fields: dict[SourceKind, Fields] = {}
    for source in sources:
        if source.kind is not SourceKind.RUN and source.kind not in fields:
            try:
                fields[source.kind] = fields_for(source.kind, task, paths or {})
            except ConfigurationError as error:
                raise ConfigurationError(error.message + _columns(source)) from None
    for source in sources:
        if source.kind is SourceKind.RUN and source.path is not None:
            from magistrate.audit.runs import audit_run  # noqa: PLC0415 - loads judges and metrics

            yield from audit_run(source.path, source.name)
        else:
            yield from _audit_rows(source, fields[source.kind], task)


def fields_for(kind: SourceKind, task: AuditTask, paths: Mapping[str, str]) -> Fields:
    """Where the rows of a kind of file hold what a task needs: what the caller names, and the kind's own places.

    Raises:
        ConfigurationError: If a path is none, or nothing says where the replies are or what was recorded.
    """
    known = dict(DEFAULTS[kind])
    # A caller who says where one recorded thing is does not mean the kind's own place of another.
    if any(name in paths for name in _RECORDED):
        known = {name: path for name, path in known.items() if name not in _RECORDED}
    unfit: tuple[str, ...]
    if isinstance(task, LabelTask):
        wanted, unfit = "label", ("score", "verdicts", "statements")
    elif isinstance(task, ScoreTask):
        wanted, unfit = "score", ("label", "verdicts", "statements")
    else:
        wanted, unfit = "score", ("label",)
    for name in unfit:
        known.pop(name, None)
        if name in paths:
            raise ConfigurationError(f"a field for {name!r} is not for an audit of a {task.describe()['task']}")
    named = {**known, **paths}
    fields = Fields.of(named, optional=kind is SourceKind.INSPECT and "reply" not in paths)
    if fields.score is None and fields.label is None and fields.verdicts is None:
        raise ConfigurationError(f"which field holds what was recorded? Name it with --{wanted} FIELD")
    return fields


def _audit_rows(source: Source, fields: Fields, task: AuditTask) -> Iterator[Finding]:
    for place, row in source.rows():
        blocking = [problem for problem in row.problems if problem.blocking]
        if row.data is None or blocking:
            why = "; ".join(_message(problem) for problem in blocking or row.problems)
            yield Finding(place=place, standing=Standing.UNUSABLE, why=why, last=row.last)
            continue
        for stored in stored_replies(row.data, fields, place):
            yield task.audit(stored)


def _columns(source: Source) -> str:
    """The fields of a file's first row, for a message; nothing of a pipe, which can be read once."""
    if source.path is None:
        return ""
    data = next((row.data for _, row in source.rows() if row.data), None) or {}
    return f". {source.name} has {', '.join(repr(str(key)[:60]) for key in islice(data, 20))}" if data else ""


def _message(problem: Problem) -> str:
    if problem.field is not None:
        return f"{problem.field}: {problem.message}"
    return f"the row {problem.message}, not an object" if problem.message.startswith("is ") else problem.message
