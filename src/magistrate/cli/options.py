"""Options that several commands share, and how their texts are read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any

import typer

__all__ = [
    "LogLevel",
    "MinCoverage",
    "NoRaw",
    "Output",
    "Prices",
    "Rpm",
    "RunArgument",
    "Threshold",
    "Tpm",
    "Trace",
    "Verbose",
    "model_arguments",
    "model_prices",
    "start_logging",
    "start_tracing",
    "unit_interval",
]


def unit_interval(value: float | None) -> float | None:
    """Refuse what is no number from 0 to 1."""
    if value is not None and not 0.0 <= value <= 1.0:
        raise typer.BadParameter(f"{value} is not in the range 0 to 1.")
    return value


RunArgument = Annotated[
    str, typer.Argument(help="A run: its folder, its results.jsonl, or a report.json.", metavar="RUN")
]
Threshold = Annotated[
    float | None,
    typer.Option(
        help="Score a case needs to pass; the mean over all cases must reach it too, or the exit code says so.",
        callback=unit_interval,
    ),
]
MinCoverage = Annotated[
    float | None,
    typer.Option(
        help="Least share of cases that must have a score, from 0 to 1; below it the exit code is 1.",
        callback=unit_interval,
    ),
]
Output = Annotated[
    list[str] | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write a report; its name says which: .html, .json, .xml (JUnit), .md, .csv, .parquet (.statements.csv: a "
        "row for each statement), .svg (a badge). Repeatable.",
    ),
]
NoRaw = Annotated[bool, typer.Option("--no-raw", help="Leave the raw completions out of the report.")]
Prices = Annotated[
    str | None,
    typer.Option(
        help="US dollars per million prompt and completion tokens, such as 2.5,10; default: what LiteLLM knows.",
        metavar="IN,OUT",
    ),
]
Rpm = Annotated[float | None, typer.Option(help="Most calls a minute.", metavar="N", min=0.01)]
Tpm = Annotated[float | None, typer.Option(help="Most tokens a minute, prompt and reply together.", metavar="N", min=1)]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Log what happens (same as --log-level info).")]
LogLevel = Annotated[
    str | None, typer.Option(help="Log to stderr from this level on: debug, info, warning or error.", metavar="LEVEL")
]
Trace = Annotated[
    bool,
    typer.Option(
        "--trace", help="Make OpenTelemetry spans, for the tracer provider of the process; see docs/tracing.md."
    ),
]
LogJson = Annotated[bool, typer.Option("--log-json", help="Log as JSON, one object a line.")]


def start_logging(level: str | None, verbose: bool, as_json: bool = False) -> None:
    """Configure the log as the options say."""
    from magistrate.log import configure  # noqa: PLC0415

    try:
        configure(level or ("info" if verbose else "warning"), json=as_json)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--log-level") from None


def start_tracing(asked: bool) -> None:
    """Make spans if that is asked for.

    Raises:
        MissingExtraError: If OpenTelemetry is not installed.
        ConfigurationError: If the spans would go nowhere.
    """
    if asked:
        from magistrate.tracing import enable, require_provider  # noqa: PLC0415

        require_provider()
        enable()


def model_arguments(pairs: Sequence[str] | None) -> dict[str, Any]:
    """Read `key=value` pairs: the value is JSON if it is JSON, else a text.

    Raises:
        typer.BadParameter: If a pair has no "=", or a key comes twice.
    """
    found: dict[str, Any] = {}
    for pair in pairs or ():
        key, equals, text = pair.partition("=")
        key = key.strip()
        if not equals or not key:
            raise typer.BadParameter(f"{pair!r}: expected key=value, such as seed=7", param_hint="--model-arg")
        if key in found:
            raise typer.BadParameter(f"{key!r} is given twice", param_hint="--model-arg")
        found[key] = _json_or_text(text)
    return found


def _json_or_text(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return text


def _no_constant(name: str) -> Any:
    raise ValueError(name)


def model_prices(text: str | None) -> tuple[float, float] | None:
    """Read the prices of a model.

    Raises:
        typer.BadParameter: If they are no two numbers from 0 up.
    """
    if text is None:
        return None
    try:
        prompt, completion = (float(part) for part in text.split(","))
    except ValueError:
        prompt = completion = -1.0
    if not (0 <= prompt < float("inf") and 0 <= completion < float("inf")):
        raise typer.BadParameter(f"{text!r}: expected two numbers, such as 2.5,10", param_hint="--prices")
    return prompt, completion
