"""Files beside a run: written whole or not at all, for their owner alone, and read back as what they hold."""

import contextlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from pydantic import TypeAdapter

from magistrate.errors import StoreError

T = TypeVar("T")
RESULTS = "results.jsonl"
"""The file of a run, in its folder."""
SCHEMA = 2
"""Version of its format. A reader refuses a newer one. 1 had fewer statuses, codes and fields."""
REPORT_KIND = "magistrate-report"
"""What a report.json says it is."""
BUFFER = 1 << 18
"""Bytes at once where all of a large file is read or written: a line is often longer than what Python takes."""


@contextlib.contextmanager
def storing(path: Path) -> Iterator[None]:
    """Say in a line that a file cannot be written, and why: a StoreError in place of the system's error."""
    try:
        yield
    except OSError as error:
        raise StoreError(f"{path}: cannot be written: {error.strerror or error}") from None


@contextlib.contextmanager
def replacing(path: Path, *, private: bool = True) -> Iterator[BinaryIO]:
    """Write a file beside its place, and move it there when all of it is written; else a StoreError says why."""
    check_target(path)
    draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with storing(path):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            mode = 0o600 if private else 0o666
            with os.fdopen(os.open(draft, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, mode), "wb", BUFFER) as file:
                yield file
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)


def write_text(path: Path, text: str, *, private: bool = True) -> Path:
    """Write a text to a file, as `replacing` does."""
    with replacing(path, private=private) as file:
        file.write(text.encode("utf-8", "replace"))
    return path


def check_target(path: Path, sources: Iterable[str | Path] = ()) -> None:
    """Raise a StoreError if a file could not be written or is one of the sources, before anything is spent on it."""
    if path.exists() and any(Path(one).exists() and path.samefile(one) for one in sources):
        raise StoreError(f"{path} is what is read: name another file to write to")
    if path.is_dir():
        raise StoreError(f"{path} is a folder: name a file, such as {path / 'report'}")
    there = path.parent
    while not there.exists() and there != there.parent:
        there = there.parent
    if not there.is_dir():
        raise StoreError(f"{path}: cannot be written: {there} is a file, not a folder")
    if not os.access(there, os.W_OK | os.X_OK):
        raise StoreError(f"{path}: cannot be written: there is no permission to write in {there}")


def read_text(path: Path) -> str:
    """Read a text file of UTF-8; a StoreError says why it cannot be."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None


_adapters: dict[type, TypeAdapter[Any]] = {}


def adapter_of(kind: type[T]) -> TypeAdapter[T]:
    """What reads and writes a class, made once."""
    if kind not in _adapters:
        _adapters[kind] = TypeAdapter(kind)
    return _adapters[kind]


def append_rows(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Add objects to JSON Lines that only their owner can read; nothing that stands there is touched."""
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    with storing(path), os.fdopen(os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600), "ab") as file:
        file.write(lines.encode("utf-8", "replace"))


def write_record(path: Path, value: Any) -> None:
    """Write a dataclass as JSON; what JSON has no word for as its text."""
    with replacing(path) as file:
        file.write(adapter_of(type(value)).dump_json(value, indent=2, fallback=str))


def read_record(path: Path, kind: type[T], what: str) -> T:
    """Read a dataclass back; a StoreError if the file cannot be read, or holds something else."""
    try:
        return adapter_of(kind).validate_json(path.read_bytes())
    except (OSError, ValueError) as error:
        raise StoreError(f"{path}: is no {what}: {type(error).__name__}") from None
