"""Files of a report: each appears whole or not at all, and a path that cannot be written is found out early."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from magistrate.errors import StoreError

__all__ = ["check_target", "replacing"]


@contextlib.contextmanager
def replacing(path: Path, *, private: bool = True) -> Iterator[BinaryIO]:
    """Write a file beside its place, and move it there when all of it is written.

    Args:
        path: The file. Folders on the way are made.
        private: Whether only its owner may read it: it holds texts of cases. Else who the process's umask lets.

    Raises:
        StoreError: If it cannot be written; then an older file is as it was.
    """
    check_target(path)
    draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        mode = 0o600 if private else 0o666
        with os.fdopen(os.open(draft, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, mode), "wb") as file:
            yield file
        draft.replace(path)
    except OSError as error:
        raise StoreError(f"{path}: cannot be written: {error.strerror or error}") from None
    finally:
        with contextlib.suppress(OSError):
            draft.unlink()


def check_target(path: Path) -> None:
    """Find out whether a file could be written, before anything is spent on what goes into it.

    Raises:
        StoreError: If the path is a folder, lies below a file, or lies in a folder that may not be written to.
    """
    if path.is_dir():
        raise StoreError(f"{path} is a folder: name a file, such as {path / 'report'}")
    there = path.parent
    while not there.exists() and there != there.parent:
        there = there.parent
    if not there.is_dir():
        raise StoreError(f"{path}: cannot be written: {there} is a file, not a folder")
    if not os.access(there, os.W_OK | os.X_OK):
        raise StoreError(f"{path}: cannot be written: there is no permission to write in {there}")
