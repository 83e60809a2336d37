"""Tools for tests: a model that misbehaves on request, a proxy whose replies fit the schema asked for, fuzzing."""

from __future__ import annotations

import contextlib
import json
import math
import sys
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import typer

from magistrate.cli import late
from magistrate.cli.app import model_arguments, say, wrong
from magistrate.cli.options import CallOptions


def fault_server(  # noqa: PLR0917 - the options of a command line
    fault: list[str] | None = None,
    rate: float = 0.2,
    seed: int = 0,
    latency: float = 0.0,
    script: Path | None = None,
    context_window: int | None = None,
    port: int = 0,
    for_seconds: float | None = None,
    idle: float = 3600.0,
    names: bool = False,
) -> None:
    """Serve a model on a free port of 127.0.0.1 that answers judge prompts right and misbehaves as told.

    Without a fault it is a model to learn with: it judges by a rule, without a key (`magistrate eval` against it needs
    the extra `models`). It speaks OpenAI chat completions and responses, Anthropic messages and Ollama chat.
    """
    if names:
        typer.echo("\n".join(f"{name:20} {about}" for name, about in late.ABOUT_FAULTS.items()))
        return
    if fault and script:
        wrong("--script", "give faults or a script")
    chosen = list(late.FAULTS) if fault and "all" in fault else [name for name in fault or () if name != "none"]
    faults = late.scripted_faults(script) if script else None
    if chosen:
        faults = late.seeded_faults(chosen, rate=rate, seed=seed)
    given: dict[str, Any] = {"latency": latency, "context_window": context_window, "port": port}
    with late.FaultServer(late.LEARNERS, faults=faults, keep=1, **given) as server:
        typer.echo(f"OpenAI: {server.openai_url}   Anthropic, Ollama: {server.url}   (Ctrl-C stops it)")
        try:
            _wait(server, for_seconds, idle)
        except KeyboardInterrupt:
            typer.echo("", err=True)
        stats = server.stats
    figures = {"calls": stats.calls, "prompt_tokens": stats.prompt_tokens, "completion_tokens": stats.completion_tokens}
    typer.echo(json.dumps({**figures, "most_at_once": stats.most_at_once}))


def _wait(server: late.FaultServer, for_seconds: float | None, idle: float) -> None:
    """Return when the time is up, or nobody has called for long."""
    heard, calls = time.monotonic(), 0
    until = heard + (math.inf if for_seconds is None else for_seconds)
    while (now := time.monotonic()) < min(until, heard + idle):
        if server.stats.calls != calls or server.under_way:
            calls, heard = server.stats.calls, now
        time.sleep(min(0.2, until - now))


def proxy(model: str, port: int = 0, *, calls: CallOptions) -> None:
    """Serve one model to programs that speak OpenAI's protocol, on 127.0.0.1.

    A reply to a request with a JSON schema (or with one tool that must be called) fits it: read strictly, mended where
    that is safe, asked for again where it is not, else an error 422 that says why. Other requests go through as they
    are.
    """
    import secrets  # noqa: PLC0415 - `--help` does without it

    options = {**model_arguments(calls.model_arg), "api_base": calls.api_base, "budget": calls.limit()}
    token = secrets.token_urlsafe(32)
    if find_spec("litellm"):
        say("loading what calls models, which takes a few seconds")
    backend = late.Backend(model, **{name: value for name, value in options.items() if value is not None})
    with late.Proxy(backend, token).server(port) as server:
        typer.echo(f"base_url: {server.url}/v1\napi_key:  {token}\nmodel:    {model}")
        with contextlib.suppress(KeyboardInterrupt):
            while True:
                time.sleep(0.5)


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
    say(f"fuzzing {target}, at most {seconds:g} s")
    if names_model(target):
        if task != "verdicts" or labels or path or raises:
            raise typer.BadParameter(f"{target} is a judge: --task, --labels, --path and --raises are for a parser")
        report = fuzz_model(_judge(target, calls), seconds=seconds, count=count or COUNT, seed=seed)
    elif calls != CallOptions():
        raise typer.BadParameter(f"{target} is no model: --api-base, --model-arg, --budget and --max-calls are for one")
    else:
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
