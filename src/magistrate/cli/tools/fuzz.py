"""`magistrate fuzz`: how a parser of judge replies, or a judge itself, fares where the right verdicts are known."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import typer

from magistrate.cli import late
from magistrate.cli.app import say, wrong
from magistrate.cli.options import CallOptions


def fuzz(  # noqa: PLR0917 - the options of a command line
    target: str,
    seconds: float | None = None,
    count: int | None = None,
    seed: int = 0,
    max_wrong: int = 0,
    task: str = "verdicts",
    labels: list[str] | None = None,
    path: str | None = None,
    raises: list[str] | None = None,
    accept: Path | None = None,
    write_accept: Path | None = None,
    as_json: Path | None = None,
    junit: Path | None = None,
    *,
    calls: CallOptions,
) -> int:
    """Fuzz whatever reads the replies of judges: a corpus, then generated replies, each with its right reading.

    Or fuzz a model as the judge: small cases with known verdicts, some with an answer planted in them.
    """
    try:
        from magistrate.testing.fuzz import fuzz as run  # noqa: PLC0415
    except ImportError as error:
        raise late.MissingExtraError.needed("Hypothesis is needed", "testing") from error
    from magistrate.testing.fuzz.model import COUNT, fuzz_model, names_model  # noqa: PLC0415 - needs Hypothesis too

    seconds = seconds or (600.0 if count else 30.0)
    known = late.read_known(accept) if accept is not None else ()
    if names_model(target):
        if task != "verdicts" or labels or path or raises:
            raise typer.BadParameter(f"{target} is a judge: --task, --labels, --path and --raises are for a parser")
        report = fuzz_model(_judge(target, calls), seconds=seconds, count=count or COUNT, seed=seed)
    elif calls != CallOptions():
        raise typer.BadParameter(f"{target} is no model: --api-base, --model-arg, --budget and --max-calls are for one")
    else:
        say(f"fuzzing {target}, at most {seconds:g} s")
        report = run(
            target,
            seconds=seconds,
            count=count,
            seed=seed,
            task=task,
            labels=_labels(labels or ()),
            path=path,
            raises=raises or (),
            **({"most_kinds": sys.maxsize} if accept or write_accept else {}),  # the known ones do not end the search
        )
    failed = report.failures(max_wrong=max_wrong, accepted=known)
    _write(report, known, as_json=as_json, junit=junit, accept=write_accept)
    typer.echo(report.text(known))
    spent = f" ({late.usage_text(report.usage)})" if report.usage is not None and report.usage.calls else ""
    what = "replies" if report.usage is None else f"cases{spent}"
    typer.echo(f"\n{report.total()} {what} in {report.seconds:.1f} s, seed {seed}: {report.conclusion(failed)}")
    if write_accept is None:
        return int(bool(failed))
    typer.echo(f"{write_accept}: {len(report.known())} failures, known from now on with --accept {write_accept}")
    return 0


def _judge(name: str, calls: CallOptions) -> late.Judge:
    try:
        return calls.judge(name)
    except (late.UnknownModelError, late.MissingExtraError) as error:
        no_parser = f"{name} is neither module:function nor a parser ({', '.join(late.ADAPTERS)})"
        raise type(error)(f"{no_parser}; as a model: {error.message}") from None


def _labels(values: Sequence[str]) -> dict[str, str]:
    pairs = [pair.partition("=") for value in values for pair in value.split(",") if pair.strip()]
    for word, sign, verdict in pairs:
        if not sign or not verdict.strip():
            wrong("--labels", f"{word!r} says nothing; write WORD=VERDICT")
    return {word.strip(): verdict.strip() for word, _, verdict in pairs}


def _write(
    report: late.FuzzReport, known: Sequence[str], *, as_json: Path | None, junit: Path | None, accept: Path | None
) -> None:
    new = {kind: "\n".join(examples[0].lines()) for kind, examples in report.new(known).items()}
    texts: dict[Path | None, Callable[[], str]] = {
        as_json: report.json,
        junit: lambda: report.junit(new),
        accept: lambda: json.dumps({"kinds": report.known()}, indent=2, ensure_ascii=False) + "\n",
    }
    for file, text in texts.items():
        if file is not None:
            with late.storing(file):
                file.write_text(text(), encoding="utf-8", errors="replace")
