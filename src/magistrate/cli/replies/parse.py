"""`magistrate parse`: read one reply, and show how it was read."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import typer

from magistrate.cli import late
from magistrate.cli.replies.inputs import read_bytes, read_choices, read_json_file, read_scale, read_texts

if TYPE_CHECKING:
    from magistrate.report.programs.replies import AnyReading

EXIT_CODES = "Exit codes: 0 the reply was read completely; 1 something has no verdict or value; 2 usage error."
TASKS = ("verdicts", "score", "label", "statements", "object")
_OWN_OPTIONS: Mapping[str, Sequence[str]] = {
    "verdicts": ("--statements", "--scale", "--word", "--contexts", "--refusal", "--token"),
    "score": ("--range",),
    "label": ("--choices",),
    "statements": (),
    "object": ("--schema", "--refusal"),
}


def parse(  # noqa: PLR0917 - the options of a command line
    file: str = "-",
    statements: list[str] | None = None,
    scale: str | None = None,
    word: list[str] | None = None,
    task: str | None = None,
    range_: tuple[float, float] | None = None,
    choices: list[str] | None = None,
    schema: str | None = None,
    contexts: list[str] | None = None,
    finish_reason: str | None = None,
    refusal: str | None = None,
    token: str | None = None,
    everything: bool = False,
    as_json: bool = False,
) -> None:
    """Read a judge's reply: print the verdicts, where each was read from, and what was done to read it."""
    given = {
        "--statements": statements,
        "--scale": scale,
        "--word": word,
        "--range": range_,
        "--choices": choices,
        "--schema": schema,
        "--contexts": contexts,
        "--refusal": refusal,
        "--token": token,
    }
    name = _task(task, [option for option, value in given.items() if value not in (None, [])])
    read, request = _reader(name, given, finish_reason)
    data = read_bytes(file, what="a reply", hint="FILE")
    if name == "verdicts" and not request["statements"]:
        typer.echo(
            "magistrate: no statements to find verdicts for: give them with -s (--statements), or another --task",
            err=True,
        )
    text = late.as_text(data)
    reply = late.ReadReply(text, read(text), {"finish_reason": finish_reason, **request})
    if as_json:
        typer.echo(json.dumps(late.reading_dict(reply), indent=2, allow_nan=False))
    else:
        late.print_reading(reply, late.make_console(), everything=everything)
    raise typer.Exit(0 if reply.complete else 1)


def _task(asked: str | None, options: Sequence[str]) -> str:
    """The task that was named, or the one that the options are for."""
    if asked is not None and asked not in TASKS:
        raise typer.BadParameter(f"{asked!r} is no task; tasks: {', '.join(TASKS)}", param_hint="--task")
    implied = {"--range": "score", "--choices": "label", "--schema": "object"}
    name = asked or next((implied[option] for option in options if option in implied), "verdicts")
    for option in options:
        if option not in _OWN_OPTIONS[name]:
            raise typer.BadParameter(f"is not for --task {name}", param_hint=option)
    needed = {"score": "--range", "label": "--choices", "object": "--schema"}.get(name)
    if needed and needed not in options:
        raise typer.BadParameter(f"--task {name} needs {needed}", param_hint=needed)
    return name


Read = Callable[[str], "AnyReading"]
Reader = tuple[Read, Mapping[str, Any]]
"""What reads a reply, and what it reads it for, as JSON holds it."""


def _reader(task: str, given: Mapping[str, Any], finish_reason: str | None) -> Reader:
    request: dict[str, Any] = {}
    match task:
        case "verdicts":
            request = {
                "statements": read_texts(given["--statements"], hint="--statements"),
                "contexts": read_texts(given["--contexts"], hint="--contexts"),
                "refusal": given["--refusal"],
                "token": given["--token"],
            }
            scale = read_scale(given["--scale"] or "binary", given["--word"])
            named = {
                "name": scale.name,
                "verdicts": [verdict.value for verdict in scale.verdicts],
                "words": {word: verdict.value for word, verdict in scale.words.items()},
            }
            return partial(late.parse_verdicts, scale=scale, finish_reason=finish_reason, **request), {
                **request,
                "scale": named,
            }
        case "score":
            low, high = given["--range"]
            read = _checked(partial(late.parse_score, low=low, high=high, finish_reason=finish_reason), "--range")
            return read, {"range": [low, high]}
        case "label":
            request = {"choices": read_choices(given["--choices"]) or []}
            return _checked(partial(late.parse_label, finish_reason=finish_reason, **request), "--choices"), request
        case "object":
            schema = read_json_file(given["--schema"], what="a JSON schema", hint="--schema")
            if not isinstance(schema, dict):
                raise typer.BadParameter(
                    f"{given['--schema']!r} holds no JSON schema: expected an object", param_hint="--schema"
                )
            request = {"schema": schema, "refusal": given["--refusal"]}
            return _checked(partial(late.parse_object, finish_reason=finish_reason, **request), "--schema"), request
        case _:
            return partial(late.parse_statements, finish_reason=finish_reason), request


def _checked(read: Read, hint: str) -> Read:
    """Find out now, with an empty reply, whether a range, labels or a schema can be used."""
    try:
        read("")
    except (ValueError, TypeError) as error:
        raise typer.BadParameter(str(error), param_hint=hint) from None
    return read
