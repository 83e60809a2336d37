"""The samples of an Inspect log, as .json or as .eval: one by one, in constant memory."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from magistrate.errors import DatasetError
from magistrate.evaluation.readers.base import MAX_ROW_BYTES, RawRow, bad_row
from magistrate.evaluation.readers.files import open_zstd
from magistrate.evaluation.readers.jsonl import line_row

_SAMPLES = "samples/"
_ZSTD = 93
"""The number of Zstandard among the methods of a ZIP file."""
_LOCAL_HEADER = 30
_TO_JSON = "convert it with: inspect log convert --to json --output-dir OUT LOG"


def read_eval_log(path: Path) -> Iterator[RawRow]:
    """Yield the samples of an .eval log, a ZIP archive with a JSON document for each."""
    try:
        with zipfile.ZipFile(path) as archive, path.open("rb") as file:
            members = [one for one in archive.infolist() if one.filename.startswith(_SAMPLES)]
            for member in members:
                yield _sample(_bytes(archive, file, member, path), member.filename)
    except (zipfile.BadZipFile, OSError) as error:
        raise DatasetError(f"{path.name}: cannot be read: {error}", path=str(path)) from None


def _sample(data: bytes | None, name: str) -> RawRow:
    if data is None:
        return bad_row(f"{name} is longer than {MAX_ROW_BYTES // 2**20} MiB")
    row = line_row(data, None, expected="an object") or bad_row("is blank")
    row.problems = [replace(one, message=f"{name}: {one.message}") if one.blocking else one for one in row.problems]
    return row


def _bytes(archive: zipfile.ZipFile, file: BinaryIO, member: zipfile.ZipInfo, path: Path) -> bytes | None:
    """The content of a member; None where it is too long."""
    try:
        with archive.open(member) as stream:
            data = stream.read(MAX_ROW_BYTES + 1)
    except NotImplementedError:  # zipfile's word for a compression that this Python has no module for
        if member.compress_type != _ZSTD:
            raise DatasetError(f"{path.name}: compressed in a way that is not known; {_TO_JSON}") from None
        with open_zstd(io.BytesIO(_raw(file, member))) as stream:
            data = stream.read(MAX_ROW_BYTES + 1)
    return data if len(data) <= MAX_ROW_BYTES else None


def _raw(file: BinaryIO, member: zipfile.ZipInfo) -> bytes:
    """The compressed bytes of a member: they follow its local header, two lengths in which say where they begin."""
    file.seek(member.header_offset)
    header = file.read(_LOCAL_HEADER)
    if len(header) < _LOCAL_HEADER:
        raise zipfile.BadZipFile("the archive is cut off")
    name, extra = (int.from_bytes(header[at : at + 2], "little") for at in (26, 28))
    file.seek(name + extra, io.SEEK_CUR)
    return file.read(member.compress_size)
