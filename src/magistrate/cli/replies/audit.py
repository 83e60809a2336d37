"""`magistrate audit`: hold recorded scores against the replies that they were read from."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import typer

from magistrate.cli import late
from magistrate.cli.app import pairs_of, say, wrong
from magistrate.cli.replies.parse import read_choices, read_scale

_REPORTS = (".html", ".md", ".json")
_KINDS = ("rows", "promptfoo", "inspect")
_INSPECT_GRADES = ("C", "P", "I")
_PARTS_A_WORKER = 4


@dataclass(frozen=True, kw_only=True)
class FieldOptions:
    """Which field of a row holds what."""

    reply: str | None = None
    statements: str | None = None
    score: str | None = None
    label: str | None = None
    verdicts: str | None = None
    truth: str | None = None
    id_: str | None = None
    finish_reason: str | None = None
    refusal: str | None = None
    contexts: str | None = None
    ids: str | None = None


@dataclass(frozen=True, kw_only=True)
class TaskOptions:
    """What the replies are read for."""

    single: bool = False
    scale: str | None = None
    word: list[str] | None = None
    policy: str | None = None
    range_: tuple[float, float] | None = None
    normalized: bool = False
    choices: list[str] | None = None
    recorded: list[str] | None = None
    missing: list[str] | None = None
    same: list[str] | None = None
    tolerance: float = 1e-6

    def task(self, graded: Callable[[], bool]) -> late.AuditTask:
        """The task; of labels also where nothing is said and files were graded by Inspect."""
        labels, same = read_choices(self.choices), pairs_of(self.same)
        given = [name for name in ("scale", "word", "policy", "single") if getattr(self, name)]
        recorded = _recorded(self.recorded, self.missing)
        if self.range_ is not None and labels is not None:
            wrong("--choices", "is for labels, and --range for scores: choose one")
        if given and (self.range_ is not None or labels is not None):
            wrong(f"--{given[0]}", "is for verdicts, not with --range or --choices")
        if self.normalized and self.range_ is None:
            wrong("--normalized", "needs --range")
        if same and labels is None:
            wrong("--same", "needs --choices")
        if self.range_ is not None:
            told: dict[str, Any] = {"recorded": recorded, "tolerance": self.tolerance}
            return late.ScoreTask(low=self.range_[0], high=self.range_[1], normalized=self.normalized, **told)
        if labels is None and not given and graded():
            labels = list(_INSPECT_GRADES)
        if labels is not None:
            return late.LabelTask(choices=tuple(labels), recorded=recorded, same=same)
        return late.VerdictsTask(
            scale=read_scale(self.scale or "binary", self.word),
            policy=self.policy or "strict",
            single=self.single,
            recorded=recorded,
            tolerance=self.tolerance,
        )


def audit(
    files: list[str],
    *,
    reading: TaskOptions,
    kind: str | None = None,
    format_: str | None = None,
    max_wrong: str | None = None,
    worst: int = 10,
    findings: str | None = None,
    save: str | None = None,
    output: list[str] | None = None,
    workers: int = 1,
    as_json: bool = False,
    fields: FieldOptions,
) -> None:
    """Read stored judge replies again, without a key or a model.

    Which recorded scores stand, which are silently wrong, which cannot be decided from their reply; the mean before and
    after, and the worst with their text.
    """
    if reading.single and fields.statements is not None:
        wrong("--single", "is for replies whose statement no field holds")
    allowed = _allowance(max_wrong)
    if kind is not None and kind not in _KINDS:
        wrong("--kind", f"{kind!r} is none of {', '.join(_KINDS)}")
    wrote = None if kind is None else late.SourceKind(kind)
    task = reading.task(lambda: all(_kind_of(one, wrote, format_) is late.SourceKind.INSPECT for one in files))
    paths = {name.strip("_"): path for name, path in vars(fields).items() if path is not None}
    if save is not None and (workers > 1 or not isinstance(task, late.VerdictsTask)):
        wrong("--save", "keeps verdicts, read by one process: not with --range, --choices or --workers")
    _check_files(files, findings, output or ())
    job = AuditJob(files, task, paths, wrote, format_, worst, findings, save)
    summary = job.carry_out()[1] if workers == 1 else _in_parts(job, workers)
    for file in output or ():
        late.write_audit(summary, task.describe(), Path(file))
    if as_json:
        typer.echo(json.dumps(late.audit_dict(summary, task.describe()), indent=2, allow_nan=False))
    elif summary.total > summary.unusable.total():  # else what is wrong with the rows is all there is
        late.print_audit(summary, task.describe(), late.make_console())
        for file in output or ():
            typer.echo(f"report: {file}")
        if save is not None:
            typer.echo(f"run: {save} (magistrate report, show, label and trust take it)")
    raise typer.Exit(_code(summary, job, allowed))


@dataclass(frozen=True)
class AuditJob:
    """What a process needs to audit files, or a part of them."""

    files: Sequence[str]
    task: late.AuditTask
    paths: Mapping[str, str]
    kind: late.SourceKind | None
    format: str | None
    worst: int
    findings: str | None
    save: str | None = None
    number: int = 0
    part: late.AuditPart | None = None

    def carry_out(self, _: object = None) -> tuple[int, late.AuditSummary]:
        """Audit the part, or the files where there is none; what was found comes with the part's number."""
        read: dict[str, Any] = {"kind": self.kind, "format": self.format}
        if self.part is None:
            found = late.audit_files(self.files, self.task, self.paths, **read)
        else:
            found = late.audit_part(self.part, self.task, self.paths, **read)
        if self.save is not None and isinstance(self.task, late.VerdictsTask):
            found = late.keep_run(found, self.task, Path(self.save), ", ".join(self.files))
        tolerance = self.task.describe().get("tolerance", 0.0)
        summary = late.AuditSummary.of(
            _written(found, self.findings, header=not self.number), worst=self.worst, tolerance=tolerance
        )
        return self.number, summary


def _in_parts(job: AuditJob, workers: int) -> late.AuditSummary:
    """Audit files in several processes, and put together what they found, in order."""
    if "-" in job.files:
        wrong("--workers", "standard input is read by one process")
    parts = late.audit_parts(job.files, workers * _PARTS_A_WORKER, kind=job.kind, format=job.format)
    pieces = [None if job.findings is None else f"{job.findings}.{number}" for number in range(len(parts))]
    jobs = [
        replace(job, number=number, part=part, findings=piece)
        for number, (part, piece) in enumerate(zip(parts, pieces, strict=True))
    ]
    found = dict(late.Processes().run(late.Task(AuditJob.carry_out, jobs), workers))
    summary = late.AuditSummary(worst_kept=job.worst)
    for number in range(len(parts)):
        summary.merge(found[number])
    if job.findings is not None:
        with Path(job.findings).open("wb") as out:
            for piece in map(Path, filter(None, pieces)):
                with piece.open("rb") as lines:
                    out.writelines(lines)
                piece.unlink()
    return summary


def _written(found: Iterator[late.Finding], file: str | None, *, header: bool) -> Iterator[late.Finding]:
    """The findings; each written to the file as it passes."""
    if file is None:
        yield from found
        return
    with late.storing(Path(file)), Path(file).open("w", encoding="utf-8", newline="") as out:
        add = late.csv_rows(out, late.FINDING_COLUMNS, header=header) if ".csv" in Path(file).suffixes[-2:] else None
        for finding in found:
            if add:
                add(late.finding_row(finding))
            else:
                out.write(late.finding_line(finding))
            yield finding


def _check_files(read: Sequence[str], findings: str | None, reports: Sequence[str]) -> None:
    """Refuse, before anything is read, to write to what is read, or a report whose name says not which is meant."""
    for file in reports:
        if Path(file).suffix not in _REPORTS:
            wrong("--output", f"{file}: the name says which report is meant: end it with {', '.join(_REPORTS)}")
    for file in filter(None, (findings, *reports)):
        late.check_target(Path(file), late.listed_files(read))


def _kind_of(file: str, kind: late.SourceKind | None, format_: str | None = None) -> late.SourceKind:
    from magistrate.audit._audit import open_source  # noqa: PLC0415

    return open_source(file, kind=kind, format=format_).kind


def _recorded(pairs: Sequence[str] | None, missing: Sequence[str] | None) -> late.Recorded:
    equal: dict[str, str] = {}
    for pair in pairs or ():
        old, _, new = map(str.strip, pair.partition("="))
        if not old or not new:
            wrong("--recorded", f"{pair!r}: expected OLD=NEW, such as 1=PASS")
        equal[old] = new
    return late.Recorded(equal, tuple(missing or ()))


def _allowance(text: str | None) -> Callable[[int, int], bool] | None:
    """A test whether so many wrong ones out of so many are allowed; None where none was asked for."""
    if text is None:
        return None
    is_share = text.strip().endswith("%")
    try:
        limit = float(text.strip().removesuffix("%"))
    except ValueError:
        limit = -1.0
    if not 0 <= limit < float("inf") or (is_share and limit > 100) or (not is_share and limit != int(limit)):  # noqa: PLR2004
        wrong("--max-wrong", f"{text!r}: expected a number such as 0, or a share such as 2%")
    return lambda bad, total: bad * 100 <= limit * total if is_share else bad <= limit


def _code(summary: late.AuditSummary, job: AuditJob, allowed: Callable[[int, int], bool] | None) -> int:
    if summary.judged == 0 and not summary.truths:
        say(f"there is not one recorded score that could be audited{_why_none(summary, job)}")
        return 2
    if allowed is None:
        return 0
    if not allowed(summary.wrong, summary.judged):
        say(f"{summary.wrong:,} of {late.plural(summary.judged, 'recorded score')} wrong: more than --max-wrong allows")
        return 1
    if not summary.decided:
        say("no reply decides its recorded score: --max-wrong cannot be decided")
        return 3
    for name in summary.unfinished:
        say(f"{name} could not be read to its end: what is wrong there is not known")
    lost = 0 if summary.unfinished else summary.unusable.total()
    if undecided := not allowed(summary.wrong + lost, summary.judged + lost):
        say(f"{late.plural(lost, 'unusable row')} may break the limit: it is not decided")
    return 2 if summary.unfinished or undecided else 0


def _why_none(summary: late.AuditSummary, job: AuditJob) -> str:
    """Why there is nothing to audit in files that could be read."""
    files, kinds = job.files, {_kind_of(file, job.kind) for file in job.files if file != "-"}
    if not summary.total and late.SourceKind.RUN in kinds:
        return ": the offline judge has no replies, and --no-store and --no-raw keep none"
    if not summary.total:
        return f": no row in {files[0] if len(files) == 1 else 'any of the files'}"
    if late.SourceKind.PROMPTFOO in kinds:
        return (
            ": promptfoo keeps what it graded and the score, and not what the judge replied, unless the judge's own "
            "call is what was evaluated"
        )
    counted = summary.unusable.most_common(4)
    lines = [f"{count:,} x {late.clip(f'{why} ({summary.first[why]})', 600)}" for why, count in counted]
    return "".join(f"\n  {line}" for line in [*lines, *(late.clip(note, 300) for note in summary.notes)])
