"""What commands take from files or straight from the command line: lists of texts, scales, replies."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer

from magistrate.cli import late

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
    else:
        path = Path(source)
        if path.is_dir():
            raise typer.BadParameter(f"{source!r} is a folder, expected a file with {what}", param_hint=hint)
        try:
            with path.open("rb") as file:
                data = file.read(MAX_BYTES + 1)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise typer.BadParameter(f"{source!r} cannot be read: {reason}", param_hint=hint) from None
    if len(data) > MAX_BYTES:
        raise typer.BadParameter(f"{what} is larger than {MAX_BYTES // 2**20} MiB", param_hint=hint)
    return data


def read_json_file(source: str, *, what: str, hint: str) -> Any:
    """Read a JSON file."""
    try:
        return json.loads(read_bytes(source, what=what, hint=hint).decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise typer.BadParameter(f"{source!r} is not valid JSON: {error}", param_hint=hint) from None


def read_texts(values: Sequence[str] | None, *, hint: str) -> list[str] | None:
    """Read texts, each given as it is or as the name of a file that holds some."""
    if values is None or not values:
        return None
    texts: list[str] = []
    for value in values:
        texts.extend(_texts_of_file(value, hint) if _is_file(value, hint) else [value])
    if not texts:
        raise typer.BadParameter("there is not one text in it", param_hint=hint)
    return texts


def _is_file(value: str, hint: str) -> bool:
    if len(value) > _LONGEST_NAME or "\n" in value or "\0" in value:
        return False
    if value and Path(value).is_file():
        return True
    if value.endswith(_LIST_SUFFIXES) and (" " not in value or os.sep in value):
        raise typer.BadParameter(f"{value!r}: no such file", param_hint=hint)
    return False


def _texts_of_file(name: str, hint: str) -> list[str]:
    try:
        text = read_bytes(name, what="a list of texts", hint=hint).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise typer.BadParameter(f"{name!r} is not UTF-8 text", param_hint=hint) from None
    suffix = Path(name).suffix.lower()
    lines = [line for line in text.splitlines() if line.strip()]
    try:
        if suffix == ".json":
            items = json.loads(text)
        elif suffix in {".jsonl", ".ndjson"}:
            items = [json.loads(line) for line in lines]
        else:
            return [line.strip() for line in lines]
    except (ValueError, RecursionError) as error:
        raise typer.BadParameter(f"{name!r} is not valid JSON: {error}", param_hint=hint) from None
    texts = [_text_of(item) for item in items] if isinstance(items, list) else [None]
    if None in texts:
        raise typer.BadParameter(f"{name!r}: expected a list of texts, or of objects with a statement", param_hint=hint)
    return [text for text in texts if text is not None]


def _text_of(item: Any) -> str | None:
    if isinstance(item, dict):
        item = next((item[key] for key in ("statement", "text", "claim") if key in item), None)
    return item if isinstance(item, str) else None


def read_scale(name: str, words: Sequence[str] | None = None) -> late.Scale:
    """Read a scale: "binary", "ternary", "graded", or verdicts separated by commas, with further words for them."""
    try:
        if "," in name:
            verdicts = tuple(_verdict(part, "--scale") for part in name.split(","))
            scale = late.Scale("custom", verdicts)
        else:
            scale = late.resolve_scale(name.strip().casefold())
        if not words:
            return scale
        return late.Scale(f"{scale.name}+words", scale.verdicts, dict(_word(pair) for pair in words))
    except ValueError as error:
        known = ", ".join(verdict.value for verdict in late.Verdict)
        raise typer.BadParameter(
            f"{error}; or verdicts separated by commas, of {known}", param_hint="--scale"
        ) from None


def _word(pair: str) -> tuple[str, Any]:
    word, equals, verdict = pair.rpartition("=")
    if not equals or not word.strip():
        raise typer.BadParameter(f"{pair!r}: expected WORD=VERDICT, such as grounded=supported", param_hint="--word")
    return word, _verdict(verdict, "--word")


def _verdict(text: str, hint: str) -> Any:
    name = text.strip().casefold().replace("-", "_").replace(" ", "_")
    try:
        return late.Verdict(name)
    except ValueError:
        known = ", ".join(verdict.value for verdict in late.Verdict)
        raise typer.BadParameter(f"{text.strip()!r} is no verdict; verdicts: {known}", param_hint=hint) from None


def read_choices(values: Sequence[str] | None) -> list[str] | None:
    """Read labels, separated by commas or given one by one; None where none were given."""
    if not values:
        return None
    return [label.strip() for value in values for label in value.split(",")]
