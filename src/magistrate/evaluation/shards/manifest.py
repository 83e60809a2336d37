"""How a dataset is cut into shards: `shards.json`, settled before the first case, the same for all who work on it."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, BinaryIO, Literal

from magistrate.errors import ConfigurationError, DatasetError, StoreError
from magistrate.evaluation.configuration import differences
from magistrate.evaluation.files import adapter_of, read_record
from magistrate.evaluation.plan import Plan
from magistrate.evaluation.readers import files

MANIFEST = "shards.json"
_STEP = 256
"""Rows of JSON Lines between two places that are noted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part(files.Start):
    """Rows of one file that follow one another: which of the manifest's files it is, and how many rows."""

    file: int
    rows: int


@dataclass(frozen=True, slots=True)
class Shard:
    """A span of the rows of a dataset: its number (from 1), the place of its first row (from 0), where they stand."""

    number: int
    index: int
    parts: tuple[Part, ...]

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return sum(part.rows for part in self.parts)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file as it was when the shards were cut."""

    path: str
    size: int
    version: int | str

    @classmethod
    def of(cls, file: Path) -> SourceFile:
        """A file as it is now."""
        if isinstance(file, files.RemoteFile):
            return cls(str(file), *file.version())
        stat = file.stat()
        return cls(str(file.resolve()), stat.st_size, stat.st_mtime_ns)

    def check(self) -> Path:
        """The file, if it is still the same."""
        path = files.dataset_files(self.path)[0] if files.is_remote(self.path) else Path(self.path)
        try:
            now = SourceFile.of(path)
        except OSError as error:
            raise DatasetError(f"{path}: cannot be read: {error.strerror or error}", path=self.path) from None
        if now != self:
            raise DatasetError(f"{path} was changed since its shards were cut: begin a new run", path=self.path)
        return path


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What the shards of a run are.

    Attributes:
        config: The configuration of the run.
        created: When they were cut, ISO 8601, UTC.
        magistrate: Version of this package that cut them.
        id: Drawn then; the id of the merged run.
        files: The files of the dataset, in order.
        shards: The shards, in order.
        limit: The most rows that were to be taken; None for all.
        kind: What the file says it is.
        schema: Version of its format.
    """

    config: Mapping[str, Any]
    created: str
    magistrate: str
    id: str
    files: tuple[SourceFile, ...]
    shards: tuple[Shard, ...]
    limit: int | None = None
    kind: Literal["magistrate-shards"] = "magistrate-shards"
    schema: Literal[1] = 1

    @property
    def rows(self) -> int:
        """Rows of all shards."""
        return sum(shard.rows for shard in self.shards)

    def shard(self, number: int) -> Shard:
        """The shard of this number, from 1; a ConfigurationError if there is none."""
        if not 1 <= number <= len(self.shards):
            raise ConfigurationError(f"there is no shard {number}: the run has {len(self.shards)}")
        return self.shards[number - 1]


def write_manifest(plan: Plan, count: int) -> Manifest:
    """Cut the dataset of a plan into shards and write their manifest, unless it is there: then check that it fits.

    Nobody needs to be asked: it follows from the files and the number, whoever comes first writes it, and the others
    read what that one wrote.

    Args:
        plan: The run, with its folder.
        count: How many shards.

    Raises:
        ConfigurationError: If the dataset is no file, or only a sample of it is to be taken.
        DatasetError: If a file cannot be read.
        StoreError: If the folder holds shards of another configuration or number, or of files as they were before.
    """
    if plan.folder is None:
        raise ConfigurationError("shards need a folder: --run FOLDER")
    if not plan.dataset.files:
        raise ConfigurationError("only files can be cut into shards: a pipe and a bundled dataset are judged by one")
    if plan.options.quick:
        raise ConfigurationError("--quick takes ten cases: they are not cut into shards")
    path = plan.folder / MANIFEST
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with NamedTemporaryFile("wb", dir=path.parent, prefix=f".{path.name}.") as draft:
            draft.write(adapter_of(Manifest).dump_json(_cut(plan, count), fallback=str))
            draft.flush()
            with contextlib.suppress(FileExistsError):  # what somebody else wrote meanwhile stays
                path.hardlink_to(draft.name)
    found = read_manifest(plan.folder)
    now = map(SourceFile.of, plan.dataset.files)
    wanted = _identity(plan.header.config, plan.options.limit, now)
    if changed := differences(_identity(found.config, found.limit, found.files), wanted):
        raise StoreError(f"{plan.folder} holds shards of another configuration ({'; '.join(changed[:4])})")
    if len(found.shards) != count:
        raise StoreError(f"{plan.folder} was cut into {len(found.shards)} shards, not into {count}")
    return found


def _identity(config: Mapping[str, Any], limit: int | None, files: Iterable[SourceFile]) -> dict[str, Any]:
    return {**config, "limit": limit, "files": {file.path: asdict(file) for file in files}}


def read_manifest(folder: str | Path) -> Manifest:
    """Read the manifest of a run; a StoreError if there is none, or it cannot be read."""
    path = Path(folder) / MANIFEST
    if not path.exists():
        raise StoreError(f"{folder} holds no shards: there is no {MANIFEST} in it")
    return read_record(path, Manifest, "manifest of shards that this version can read")


def _cut(plan: Plan, count: int) -> Manifest:
    files, header = plan.dataset.files, plan.header
    places = [RowPlaces(file, plan.dataset.format) for file in files]
    rows = min(sum(place.rows for place in places), plan.options.limit or 1 << 62)
    spans = itertools.pairwise(rows * number // count for number in range(count + 1))
    return Manifest(
        config=header.config,
        created=header.created,
        magistrate=header.magistrate,
        id=header.id,
        files=tuple(map(SourceFile.of, files)),
        shards=tuple(Shard(n, span[0], tuple(_parts(places, *span))) for n, span in enumerate(spans, 1)),
        limit=plan.options.limit,
    )


def _parts(places: list[RowPlaces], first: int, last: int) -> Iterator[Part]:
    """Where the rows from one place of the dataset to another stand."""
    begins = 0
    for number, place in enumerate(places):
        start, end = max(first, begins), min(last, begins + place.rows)
        if start < end:
            yield Part(file=number, rows=end - start, **asdict(place.of(start - begins)))
        begins += place.rows


class RowPlaces:
    """The rows of a file: how many there are, and in JSON Lines where some of them begin."""

    def __init__(self, file: Path, name: str | None = None) -> None:
        self._noted: list[tuple[int, int]] = []
        with files.open_bytes(file) as stream, file.open("rb") as raw:
            name = name or files.format_by_name(file) or files.format_by_beginning(stream)
            known = files.count_rows(file, name) if name == "parquet" else None
            rows = files.read_rows(stream, name)
            if name == "jsonl" and not raw.read(4).startswith(files.ENCODED):
                next(rows, None)  # a document that is no JSON Lines says so now
                raw.seek(0)
                known = self._note(raw)
            self.rows = sum(1 for _ in rows) if known is None else known

    def _note(self, lines: BinaryIO) -> int:
        rows = offset = 0
        for number, line in enumerate(lines, 1):
            if line.strip(b" \t\r\n\xef\xbb\xbf"):
                if rows % _STEP == 0:
                    self._noted.append((offset if rows else 0, number if rows else 1))
                rows += 1
            offset += len(line)
        return rows

    def of(self, row: int) -> files.Start:
        """Where to begin to come to a row."""
        if not self._noted:
            return files.Start(skip=row)
        offset, line = self._noted[row // _STEP]
        return files.Start(offset=offset, line=line, skip=row % _STEP)
