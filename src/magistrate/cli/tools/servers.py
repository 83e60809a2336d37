"""Servers: a model that misbehaves on request, and a proxy whose replies fit the schema asked for."""

from __future__ import annotations

import contextlib
import json
import signal
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from magistrate.cli import late
from magistrate.cli.arguments import model_arguments
from magistrate.cli.options import CallOptions

if TYPE_CHECKING:
    from magistrate.testing import FaultServer


def fault_server(  # noqa: PLR0917 - the options of a command line
    fault: Annotated[
        list[str] | None,
        typer.Option("--fault", "-f", metavar="NAME", help='A fault to choose from; may be repeated. "all" for all.'),
    ] = None,
    rate: Annotated[float, typer.Option(help="The part of the calls that go wrong.", min=0, max=1)] = 0.2,
    seed: Annotated[int, typer.Option(help="Seed of the choice of faults.")] = 0,
    latency: Annotated[float, typer.Option(help="Seconds from a request to its reply.", min=0)] = 0.0,
    script: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help='Play these replies, the last one from then on: a JSON text, null (the right answer) or {"text": ..., '
            '"finish_reason": ...} a line of a .jsonl file; any other file is one reply.',
        ),
    ] = None,
    context_window: Annotated[
        int | None,
        typer.Option(help="Tokens (of four characters) a prompt and its reply may have; more is an error 400.", min=1),
    ] = None,
    port: Annotated[int, typer.Option(help="Port; 0 for a free one.", min=0, max=65535)] = 0,
    for_seconds: Annotated[
        float | None, typer.Option("--for", metavar="SECONDS", help="Stop by itself after so long.", min=0)
    ] = None,
    idle: Annotated[
        float, typer.Option(metavar="SECONDS", help="Stop by itself after so long without a call.", min=1)
    ] = 3600.0,
    names: Annotated[bool, typer.Option("--list", help="List the faults and stop.")] = False,
) -> None:
    """Serve a model on a free port of 127.0.0.1 that answers judge prompts right and misbehaves as told.

    Point any evaluation framework at it. It speaks OpenAI chat completions and responses, Anthropic messages and Ollama
    chat.
    """
    if names:
        typer.echo("\n".join(late.FAULTS))
        return
    if fault and script:
        raise typer.BadParameter("give faults or a script", param_hint="--script")
    chosen = list(late.FAULTS) if fault and "all" in fault else fault or []
    faults = (
        late.seeded_faults(chosen, rate=rate, seed=seed) if chosen else late.scripted_faults(script) if script else None
    )
    with late.FaultServer(
        late.LEARNERS, faults=faults, latency=latency, context_window=context_window, port=port, keep=1
    ) as server:
        typer.echo(f"OpenAI: {server.openai_url}   Anthropic, Ollama: {server.url}   (Ctrl-C stops it)")
        try:
            _wait(server, for_seconds, idle)
        except KeyboardInterrupt:
            typer.echo("", err=True)
        stats = server.stats
    figures = {"calls": stats.calls, "prompt_tokens": stats.prompt_tokens, "completion_tokens": stats.completion_tokens}
    typer.echo(json.dumps({**figures, "most_at_once": stats.most_at_once}))


def _wait(server: FaultServer, for_seconds: float | None, idle: float) -> None:
    """Return when the time is up, or nobody has called for long."""
    started = heard = time.monotonic()
    calls = 0
    while True:
        now = time.monotonic()
        if server.stats.calls != calls or server.under_way:
            calls, heard = server.stats.calls, now
        if now - heard >= idle or (for_seconds is not None and now - started >= for_seconds):
            return
        left = for_seconds - (now - started) if for_seconds is not None else 0.2
        time.sleep(max(0.0, min(0.2, left)))


def proxy(
    model: Annotated[str, typer.Option(help="The model's name; requests must name the same.")],
    port: Annotated[int, typer.Option(help="Port to listen on; 0 for a free one.", min=0, max=65535)] = 0,
    *,
    calls: CallOptions,
) -> None:
    """Serve one model to programs that speak OpenAI's protocol, on 127.0.0.1.

    A reply to a request with a JSON schema (or with one tool that must be called) fits it: read strictly, mended where
    that is safe, asked for again where it is not, else an error 422 that says why. Other requests go through as they
    are.
    """
    import secrets  # noqa: PLC0415 - `--help` does without it

    options = {**model_arguments(calls.model_arg), "api_base": calls.api_base, "budget": calls.limit()}
    token = secrets.token_urlsafe(32)
    stopped = threading.Event()
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, lambda *_: stopped.set())
    with late.Proxy(
        late.Backend(model, **{name: value for name, value in options.items() if value is not None}), token
    ).server(port) as server:
        typer.echo(f"base_url: {server.url}/v1\napi_key:  {token}\nmodel:    {model}")
        with contextlib.suppress(KeyboardInterrupt):
            while not stopped.wait(0.5):
                pass
