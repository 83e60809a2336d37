"""Servers: a model that misbehaves on request, and a proxy whose replies fit the schema asked for."""

from __future__ import annotations

import contextlib
import json
import signal
import threading
import time
from pathlib import Path
from typing import Any

import typer

from magistrate.cli import late
from magistrate.cli.app import model_arguments, wrong
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


def proxy(model: str, port: int = 0, *, calls: CallOptions) -> None:
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
    backend = late.Backend(model, **{name: value for name, value in options.items() if value is not None})
    with late.Proxy(backend, token).server(port) as server:
        typer.echo(f"base_url: {server.url}/v1\napi_key:  {token}\nmodel:    {model}")
        with contextlib.suppress(KeyboardInterrupt):
            while not stopped.wait(0.5):
                pass
