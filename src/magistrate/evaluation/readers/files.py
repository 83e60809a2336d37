"""From a file, a pipe or an address that fsspec reaches to raw rows: decompressed, in UTF-8, whatever the format."""

from __future__ import annotations

import contextlib
import glob
import gzip
import io
import itertools
import posixpath
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, Literal, get_args

from magistrate.errors import DatasetError, MissingExtraError, meant
from magistrate.evaluation.readers import tables
from magistrate.evaluation.readers.base import WRAPPERS, Borrowed, RawRow, bad_row
from magistrate.evaluation.readers.json_document import read_json, read_json_at, read_jsonl

Format = Literal["jsonl", "json", "csv", "tsv", "yaml", "parquet", "xlsx"]
FORMATS: tuple[str, ...] = get_args(Format)
CELLS = frozenset({"csv", "tsv", "parquet", "xlsx"})
"""Formats of tables, in whose cells lists may stand as texts."""
BEGINNING = 1 << 16
"""Bytes that are looked at to tell what a file is."""

_ALSO: dict[str, Format] = {".ndjson": "jsonl", ".tab": "tsv", ".yml": "yaml", ".pq": "parquet"}
_SUFFIXES: dict[str, Format] = {f".{name}": name for name in get_args(Format)} | _ALSO
_PACKED = (".gz", ".zst", ".zstd")
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
ENCODED = (_GZIP, _ZSTD, *_UTF_16)
"""How files begin whose bytes are not their text."""
_WRAPPED = re.compile(rf'"(?:{"|".join(WRAPPERS)})"\s*:\s*\[\s*\{{')
_BROKEN_OFF = (EOFError, zlib.error, OSError)


def format_by_name(path: Path | None) -> Format | None:
    """The format that the name of a file says, compressed or not; None where it says none."""
    suffixes = [suffix.lower() for suffix in path.suffixes] if path is not None else []
    if suffixes and suffixes[-1] in _PACKED:
        suffixes.pop()
    return _SUFFIXES.get(suffixes[-1]) if suffixes else None


def format_by_beginning(stream: Any) -> Format:
    """The format that the first bytes of a stream say."""
    head = stream.peek(BEGINNING)[:BEGINNING].removeprefix(b"\xef\xbb\xbf")
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith(b"PK\x03\x04"):
        return "xlsx"
    text = head.decode("utf-8", "replace").lstrip()
    first, newline, _ = text.partition("\n")
    if text.startswith("{"):
        several_lines = newline and not first.rstrip().endswith("}")
        return "json" if several_lines or _WRAPPED.search(first) else "jsonl"
    if text.startswith("["):
        return "json"
    if text.startswith(("- ", "---", "%YAML", "#")) or first.rstrip().endswith(":"):
        return "yaml"
    return "tsv" if "\t" in first and "," not in first else "csv"


@contextlib.contextmanager
def open_bytes(source: Path | BinaryIO) -> Iterator[Any]:
    """Open a file, or take a stream, as one of UTF-8 or Parquet: buffered, decompressed, recoded from UTF-16."""
    with contextlib.ExitStack() as stack:
        file: Any = source
        raw: Any = stack.enter_context(file.open("rb")) if hasattr(file, "suffixes") else file
        buffered: Any = io.BufferedReader(Borrowed(raw), BEGINNING)
        head = buffered.peek(4)[:4]
        if head.startswith((_GZIP, _ZSTD)):
            packed = gzip.GzipFile(fileobj=buffered) if head.startswith(_GZIP) else open_zstd(buffered)
            buffered = io.BufferedReader(Borrowed(stack.enter_context(packed)), BEGINNING)
            head = buffered.peek(4)[:4]
        if head.startswith(_UTF_16):
            text = io.TextIOWrapper(buffered, "utf-16", newline="")
            buffered = io.BufferedReader(Borrowed(buffered, lambda _: text.read(BEGINNING).encode()), BEGINNING)
        elif (len(head) == 4 and head[1] == head[3] == 0) or head[:1] == b"\0":  # noqa: PLR2004
            raise DatasetError("looks like UTF-16 or a binary file; expected UTF-8 text or Parquet")
        yield buffered


def open_zstd(stream: Any) -> Any:
    """Open Zstandard data. Python unpacks it from 3.14 on by itself; before, pyarrow does."""
    with contextlib.suppress(ImportError):
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415 - new in 3.14

        return zstd.ZstdFile(stream)
    try:
        import pyarrow as pa  # type: ignore[import-untyped]  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtraError.needed("Zstandard needs pyarrow, or Python 3.14", "parquet") from None
    return pa.CompressedInputStream(pa.PythonFile(stream, "r"), "zstd")


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """Where in a file to begin.

    Attributes:
        offset: Byte to begin at, in JSON Lines.
        line: The number of the line there (1-based).
        skip: Rows to leave out from there on.
    """

    offset: int = 0
    line: int = 1
    skip: int = 0


BEGIN = Start()


def read_rows(stream: Any, name: str, at: Sequence[str] | None = None, start: Start = BEGIN) -> Iterator[RawRow]:
    """Yield the rows of a stream. A file that breaks off ends with a bad row: what came before it is kept."""
    if start.offset:
        stream.seek(start.offset)
    rows = _reader(stream, name, start) if at is None else read_json_at(stream, at)
    row = where = None
    try:
        for row in rows:
            yield row
    except UnicodeDecodeError as error:
        message = f"not valid {error.encoding}: {error.reason}"
    except _BROKEN_OFF as error:
        if getattr(error, "errno", None) is not None:
            raise  # of the disk or the network, not of what is packed
        message = f"the file breaks off here: {error}"
    except DatasetError as error:
        if row is None:
            raise
        message, where = error.message, error.line
    else:
        return
    yield bad_row(f"{message}; nothing after it is read", line=where, last=True)


def _reader(stream: Any, name: str, start: Start) -> Iterator[RawRow]:
    name, _, sheet = name.partition(":")
    match name:
        case "jsonl":
            rows = read_jsonl(stream, line=start.line)
        case "json":
            rows = read_json(stream)
        case "csv" | "tsv":
            tables.check_encoding(stream.peek(BEGINNING)[:BEGINNING])
            rows = tables.read_table(stream, delimiter="\t" if name == "tsv" else None)
        case "yaml":
            from magistrate.evaluation.readers.yaml_document import read_yaml  # noqa: PLC0415 - only where it is used

            rows = read_yaml(stream)
        case "xlsx":
            rows = tables.read_excel(stream, sheet)
        case _:
            return tables.read_parquet(stream, skip=start.skip)
    return itertools.islice(rows, start.skip, None) if start.skip else rows


def dataset_files(source: str | Path) -> list[Path]:
    """The files that a path names, sorted: itself, the datasets of a folder by their names, or those of a pattern."""
    far = is_remote(source)
    place: Any = RemoteFile(str(source)) if far else Path(source)
    if glob.has_magic(str(source)) and (far or not place.exists()):
        found = place.rglob("*") if far else map(Path, glob.glob(str(source), recursive=True))  # noqa: PTH207
        none = "no file matches"
    elif place.is_dir():
        if not far and (place / "results.jsonl").exists():
            raise DatasetError(f"{place} is the folder of a run, expected a dataset", path=str(place))
        found = filter(format_by_name, place.rglob("*"))
        none = f"no dataset in this folder: expected {', '.join(_SUFFIXES)}"
    elif place.exists():
        return [place]
    else:
        siblings = [one.name for one in place.parent.iterdir()] if not far and place.parent.is_dir() else []
        raise DatasetError(f"{place}: no such file.{meant(place.name, siblings)}", path=str(place))
    files = sorted(one for one in found if one.is_file())
    if not files:
        raise DatasetError(f"{source}: {none}", path=str(source))
    return files


def count_rows(path: Path, name: str | None) -> int | None:
    """How many rows to expect in a file, where that is cheap to know."""
    if name == "parquet":
        return tables.count_parquet_rows(path)
    if name != "jsonl" or path.suffix in _PACKED or is_remote(path):
        return None
    with path.open("rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))


_STEP = 256
"""Rows of JSON Lines between two places that are noted."""


class RowPlaces:
    """The rows of a file: how many there are, and in JSON Lines where some of them begin."""

    def __init__(self, file: Path, name: str | None = None) -> None:
        self._noted: list[tuple[int, int]] = []
        with open_bytes(file) as stream, file.open("rb") as raw:
            name = name or format_by_name(file) or format_by_beginning(stream)
            known = count_rows(file, name) if name == "parquet" else None
            rows = read_rows(stream, name)
            if name == "jsonl" and not raw.read(4).startswith(ENCODED):
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

    def of(self, row: int) -> Start:
        """Where to begin to come to a row."""
        if not self._noted:
            return Start(skip=row)
        offset, line = self._noted[row // _STEP]
        return Start(offset=offset, line=line, skip=row % _STEP)


def is_remote(source: object) -> bool:
    """Whether a source is an address: it has a scheme."""
    scheme, mark, _ = str(source).partition("://")
    return bool(mark) and scheme.isidentifier()


class RemoteFile:
    """A file at an address, with what a `Path` has for those who read it."""

    def __init__(self, url: str) -> None:
        try:
            import fsspec  # type: ignore[import-untyped]  # noqa: PLC0415 - an extra
        except ImportError:
            raise MissingExtraError.needed(f"{url} needs fsspec", "remote") from None
        try:
            self._files, self._path = fsspec.core.url_to_fs(url)
        except ImportError as error:
            raise MissingExtraError(f"{url}: {error}", extra="remote") from None
        except ValueError as error:
            raise DatasetError(f"{url}: {error}", path=url) from None
        self._url = url
        self.name = posixpath.basename(self._path)
        self.suffixes = PurePosixPath(self.name).suffixes
        self.suffix = PurePosixPath(self.name).suffix
        asked = (self._files.exists, self._files.isfile, self._files.isdir)
        self.exists, self.is_file, self.is_dir = (partial(one, self._path) for one in asked)
        self.open = partial(self._files.open, self._path)
        self.resolve = lambda: self

    def __str__(self) -> str:
        return self._url

    def __lt__(self, other: RemoteFile) -> bool:
        return self._url < str(other)

    def rglob(self, _: str) -> Iterator[RemoteFile]:
        """What is below this folder, or fits where the address is a pattern."""
        listing = self._files.glob if glob.has_magic(self._path) else self._files.find
        return map(RemoteFile, map(self._files.unstrip_protocol, listing(self._path)))

    def version(self) -> tuple[int, str]:
        """Its size, and what changes with its bytes: the store's tag, or when it was written."""
        info: dict[str, Any] = self._files.info(self._path)
        known = (info.get(name) for name in ("ETag", "etag", "md5Hash", "mtime", "LastModified", "created"))
        return int(info["size"]), str(next((value for value in known if value), ""))


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file as it was when a run was cut into shards."""

    path: str
    size: int
    version: int | str

    @classmethod
    def of(cls, file: Path) -> SourceFile:
        """A file as it is now."""
        if isinstance(file, RemoteFile):
            return cls(str(file), *file.version())
        stat = file.stat()
        return cls(str(file.resolve()), stat.st_size, stat.st_mtime_ns)

    def check(self) -> Path:
        """The file, if it is still the same."""
        path = dataset_files(self.path)[0] if is_remote(self.path) else Path(self.path)
        try:
            now = SourceFile.of(path)
        except OSError as error:
            raise DatasetError(f"{path}: cannot be read: {error.strerror or error}", path=self.path) from None
        if now != self:
            raise DatasetError(f"{path} was changed since its shards were cut: begin a new run", path=self.path)
        return path
