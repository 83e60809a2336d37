"""`magistrate proxy`: a chat endpoint whose replies fit the schema asked for."""

from __future__ import annotations

import contextlib
import secrets
import signal
import threading
from typing import Annotated

import typer

from magistrate.cli.options import model_arguments

__all__ = ["HELP", "proxy"]

HELP = """Serve one model to programs that speak OpenAI's protocol, on 127.0.0.1.

A reply to a request with a JSON schema (or with one tool that must be called) fits it: read strictly, mended where that
is safe, asked for again where it is not, else an error 422 that says why. Other requests go through as they are.
"""


def proxy(
    model: Annotated[str, typer.Option(help="The model's name; requests must name the same.")],
    port: Annotated[int, typer.Option(help="Port to listen on; 0 for a free one.", min=0, max=65535)] = 0,
    api_base: Annotated[str | None, typer.Option(help="Address of the model's API.")] = None,
    model_arg: Annotated[
        list[str] | None,
        typer.Option(help="An option of the judge, such as temperature=0; repeatable.", metavar="KEY=VALUE"),
    ] = None,
    budget: Annotated[float | None, typer.Option(help="Most US dollars to spend.", min=0)] = None,
) -> None:
    """Serve a model."""
    from magistrate.integrations._common.backend import Backend  # noqa: PLC0415 - loads a provider library
    from magistrate.integrations.proxy import Proxy  # noqa: PLC0415

    options = model_arguments(model_arg)
    if api_base is not None:
        options["api_base"] = api_base
    if budget is not None:
        from magistrate.completion.budget import Budget  # noqa: PLC0415

        options["budget"] = Budget(max_cost=budget)
    token = secrets.token_urlsafe(32)
    stopped = threading.Event()
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, lambda *_: stopped.set())
    with Proxy(Backend(model, **options), token).server(port) as server:
        typer.echo(f"base_url: {server.url}/v1\napi_key:  {token}\nmodel:    {model}")
        with contextlib.suppress(KeyboardInterrupt):
            while not stopped.wait(0.5):
                pass
