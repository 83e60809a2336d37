"""`magistrate parse`: read one reply, and show how it was read; and what commands take from files or as it is."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import typer

from magistrate.cli import late
from magistrate.cli.app import say, wrong

_OWN_OPTIONS: Mapping[str, Sequence[str]] = {
    "verdicts": ("--statements", "--scale", "--word", "--contexts", "--refusal", "--token"),
    "score": ("--range",),
    "label": ("--choices",),
    "statements": (),
    "object": ("--schema", "--refusal"),
}


@dataclass(frozen=True, kw_only=True)
class ParseOptions:
    """What a reply is read for."""

    statements: list[str] | None = None
    scale: str | None = None
    word: list[str] | None = None
    range_: tuple[float, float] | None = None
    choices: list[str] | None = None
    schema: str | None = None
    contexts: list[str] | None = None
    refusal: str | None = None
    token: str | None = None


def parse(
    file: str = "-",
    *,
    reading: ParseOptions,
    task: str | None = None,
    finish_reason: str | None = None,
    everything: bool = False,
    as_json: bool = False,
) -> None:
    """Read a judge's reply: print the verdicts, where each was read from, and what was done to read it."""
    given = {f"--{option.strip('_')}": value for option, value in vars(reading).items()}
    name = _task(task, [option for option, value in given.items() if value not in (None, [])])
    read, request = _reader(name, given, finish_reason)
    data = read_bytes(file, what="a reply", hint="FILE")
    if name == "verdicts" and not request["statements"]:
        say("no statements to find verdicts for: give them with -s (--statements), or another --task")
    text = late.as_text(data)
    reply = late.ReadReply(text, read(text), {"finish_reason": finish_reason, **request})
    if as_json:
        typer.echo(json.dumps(late.reading_dict(reply), indent=2, allow_nan=False))
    else:
        late.print_reading(reply, late.make_console(), everything=everything)
    raise typer.Exit(0 if reply.complete else 1)


def _task(asked: str | None, options: Sequence[str]) -> str:
    """The task that was named, or the one that the options are for."""
    if asked is not None and asked not in _OWN_OPTIONS:
        wrong("--task", f"{asked!r} is no task; tasks: {', '.join(_OWN_OPTIONS)}")
    implied = {"--range": "score", "--choices": "label", "--schema": "object"}
    name = asked or next((implied[option] for option in options if option in implied), "verdicts")
    for option in options:
        if option not in _OWN_OPTIONS[name]:
            wrong(option, f"is not for --task {name}")
    needed = next((option for option, task in implied.items() if task == name and option not in options), None)
    if needed:
        wrong(needed, f"--task {name} needs {needed}")
    return name


Read = Callable[[str], "late.AnyReading"]


def _reader(task: str, given: Mapping[str, Any], finish_reason: str | None) -> tuple[Read, Mapping[str, Any]]:
    """What reads a reply, and what it reads it for, as JSON holds it."""
    ended: dict[str, Any] = {"finish_reason": finish_reason}
    request: dict[str, Any] = {}
    match task:
        case "verdicts":
            texts = {name: read_texts(given[f"--{name}"], hint=f"--{name}") for name in ("statements", "contexts")}
            request = {**texts, "refusal": given["--refusal"], "token": given["--token"]}
            scale = read_scale(given["--scale"] or "binary", given["--word"])
            words = {word: verdict.value for word, verdict in scale.words.items()}
            named = {"name": scale.name, "verdicts": [verdict.value for verdict in scale.verdicts], "words": words}
            return partial(late.parse_verdicts, scale=scale, **ended, **request), {**request, "scale": named}
        case "score":
            low, high = given["--range"]
            return _checked(partial(late.parse_score, low=low, high=high, **ended), "--range"), {"range": [low, high]}
        case "label":
            request = {"choices": read_choices(given["--choices"]) or []}
            return _checked(partial(late.parse_label, **ended, **request), "--choices"), request
        case "object":
            source, schema = given["--schema"], None
            try:
                schema = json.loads(read_bytes(source, what="a JSON schema", hint="--schema").decode("utf-8-sig"))
            except (ValueError, RecursionError) as error:
                wrong("--schema", f"{source!r} is not valid JSON: {error}")
            if not isinstance(schema, dict):
                wrong("--schema", f"{source!r} holds no JSON schema: expected an object")
            request = {"schema": schema, "refusal": given["--refusal"]}
            return _checked(partial(late.parse_object, **ended, **request), "--schema"), request
        case _:
            return partial(late.parse_statements, **ended), request


def _checked(read: Read, hint: str) -> Read:
    """Find out now, with an empty reply, whether a range, labels or a schema can be used."""
    try:
        read("")
    except (ValueError, TypeError) as error:
        wrong(hint, str(error))
    return read


MAX_BYTES = 64 * 1024 * 1024
"""The largest file that is read whole."""
_LIST_SUFFIXES = (".txt", ".json", ".jsonl", ".ndjson", ".md")
_LONGEST_NAME = 1024


def read_bytes(source: str, *, what: str, hint: str) -> bytes:
    """Read a file, or standard input for "-"."""
    if source == "-":
        if sys.stdin.isatty():
            sys.stderr.write(f"reading {what} from standard input; Ctrl-D ends it\n")
        data = sys.stdin.buffer.read(MAX_BYTES + 1)
    elif Path(source).is_dir():
        wrong(hint, f"{source!r} is a folder, expected a file with {what}")
    else:
        try:
            with Path(source).open("rb") as file:
                data = file.read(MAX_BYTES + 1)
        except (OSError, ValueError) as error:
            wrong(hint, f"{source!r} cannot be read: {getattr(error, 'strerror', None) or error}")
    if len(data) > MAX_BYTES:
        wrong(hint, f"{what} is larger than {MAX_BYTES // 2**20} MiB")
    return data


def read_texts(values: Sequence[str] | None, *, hint: str) -> list[str] | None:
    """Read texts, each given as it is or as the name of a file that holds some."""
    if values is None or not values:
        return None
    texts = [text for value in values for text in (_texts_of_file(value, hint) if _is_file(value, hint) else [value])]
    if not texts:
        wrong(hint, "there is not one text in it")
    return texts


def _is_file(value: str, hint: str) -> bool:
    if len(value) > _LONGEST_NAME or "\n" in value or "\0" in value:
        return False
    there = bool(value) and Path(value).is_file()
    if not there and value.endswith(_LIST_SUFFIXES) and (" " not in value or os.sep in value):
        wrong(hint, f"{value!r}: no such file")
    return there


def _texts_of_file(name: str, hint: str) -> list[str]:
    suffix = Path(name).suffix.lower()
    try:
        text = read_bytes(name, what="a list of texts", hint=hint).decode("utf-8-sig")
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        if suffix not in {".json", ".jsonl", ".ndjson"}:
            return lines
        items = json.loads(text) if suffix == ".json" else list(map(json.loads, lines))
    except UnicodeDecodeError:
        wrong(hint, f"{name!r} is not UTF-8 text")
    except (ValueError, RecursionError) as error:
        wrong(hint, f"{name!r} is not valid JSON: {error}")
    texts = [_text_of(item) for item in items] if isinstance(items, list) else [None]
    if None in texts:
        wrong(hint, f"{name!r}: expected a list of texts, or of objects with a statement")
    return [text for text in texts if text is not None]


def _text_of(item: Any) -> str | None:
    if isinstance(item, dict):
        item = next((item[key] for key in ("statement", "text", "claim") if key in item), None)
    return item if isinstance(item, str) else None


def read_scale(name: str, words: Sequence[str] | None = None) -> late.Scale:
    """Read a scale: "binary", "ternary", "graded", or verdicts separated by commas, with further words for them."""
    try:
        if "," in name:
            scale = late.Scale("custom", tuple(_verdict(part, "--scale") for part in name.split(",")))
        else:
            scale = late.resolve_scale(name.strip().casefold())
        if not words:
            return scale
        return late.Scale(f"{scale.name}+words", scale.verdicts, dict(_word(pair) for pair in words))
    except ValueError as error:
        wrong("--scale", f"{error}; or verdicts separated by commas, of {', '.join(late.Verdict)}")


def _word(pair: str) -> tuple[str, late.Verdict]:
    word, equals, verdict = pair.rpartition("=")
    if not equals or not word.strip():
        wrong("--word", f"{pair!r}: expected WORD=VERDICT, such as grounded=supported")
    return word, _verdict(verdict, "--word")


def _verdict(text: str, hint: str) -> late.Verdict:
    try:
        return late.Verdict(text.strip().casefold().replace("-", "_").replace(" ", "_"))
    except ValueError:
        wrong(hint, f"{text.strip()!r} is no verdict; verdicts: {', '.join(late.Verdict)}")


def read_choices(values: Sequence[str] | None) -> list[str] | None:
    """Read labels, separated by commas or given one by one; None where none were given."""
    if not values:
        return None
    return [label.strip() for value in values for label in value.split(",")]
