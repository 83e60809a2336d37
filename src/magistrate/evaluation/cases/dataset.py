"""Datasets: from a file, a pipe or Python objects to a stream of cases, in constant memory."""

from __future__ import annotations

import contextlib
import difflib
import gzip
import io
import re
import sys
import zlib
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, Literal, get_args

from magistrate.case import Case
from magistrate.errors import ConfigurationError, DatasetError
from magistrate.evaluation.cases.building import build_case
from magistrate.evaluation.cases.columns import FieldMap, field_of, resolve_mapping
from magistrate.evaluation.cases.dataset_checks import RepeatedIds, UnseenColumns
from magistrate.evaluation.problems import Problem
from magistrate.evaluation.readers.base import WRAPPERS, RawRow, bad_row, kind
from magistrate.evaluation.readers.csv_table import read_table
from magistrate.evaluation.readers.json_document import read_json, read_json_at
from magistrate.evaluation.readers.jsonl import read_jsonl
from magistrate.evaluation.readers.streams import PEEK, Recoded, Unclosed
from magistrate.evaluation.readers.tables_in_memory import table_objects

Format = Literal["jsonl", "json", "csv", "tsv", "yaml", "parquet"]
FORMATS: tuple[str, ...] = get_args(Format)
_SUFFIXES: dict[str, Format] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".parquet": "parquet",
    ".pq": "parquet",
}
_WRAPPED = re.compile(rf'"(?:{"|".join(WRAPPERS)})"\s*:\s*\[\s*\{{')


@dataclass(frozen=True, slots=True)
class Record:
    """One row of a dataset as the runner takes it.

    Args:
        index: Position in the dataset (0-based).
        case: The case, with as much as could be read.
        problems: What is wrong with the row.
        line: The line on which it starts (1-based); None where the format has no lines.
    """

    index: int
    case: Case
    problems: tuple[Problem, ...] = ()
    line: int | None = None

    @property
    def blocked(self) -> bool:
        """Whether the row is unfit to judge."""
        return any(problem.blocking for problem in self.problems)


class Dataset:
    """A source of cases that can be read once (a pipe) or again (a file, a list).

    Args:
        source: A path, "-" for standard input, or cases: `Case` objects or mappings with the fields of a case, or a
            table of them: pandas, polars, Arrow, a Hugging Face dataset.
        format: One of `FORMATS`; None to take it from the file's name, else from its first bytes.
        mapping: Columns for fields with another name, {"answer": "claim"} or ["answer=claim"].
        stdin: The stream for "-"; None for the process's standard input.

    Raises:
        ConfigurationError: If the format or the mapping is wrong.
        DatasetError: If the file does not exist or cannot be opened.
    """

    def __init__(
        self,
        source: str | Path | Iterable[Case | Mapping[str, Any]],
        *,
        format: str | None = None,  # noqa: A002 - the word of the command line
        mapping: FieldMap | Sequence[str] | None = None,
        stdin: BinaryIO | None = None,
    ) -> None:
        if format is not None and format not in FORMATS:
            near = difflib.get_close_matches(format, FORMATS, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise ConfigurationError(f"unknown format {format!r}.{hint} Formats: {', '.join(FORMATS)}")
        self.mapping = resolve_mapping(mapping)
        self.format = format
        self._stdin = stdin
        self._objects: Iterable[Any] | None = None
        self.path: Path | None = None
        if isinstance(source, str | Path):
            if str(source) == "-":
                self.name = "stdin"
            else:
                self.path = Path(source)
                self.name = self.path.name
                _check_file(self.path)
        elif (table := table_objects(source)) is not None:
            self.name = "cases"
            self._objects = table
        elif isinstance(source, Mapping | Case):
            raise ConfigurationError("expected a list of cases or a path, not one case: put it in a list")
        elif isinstance(source, bytes | bytearray) or not isinstance(source, Iterable):
            what = "nothing" if source is None else kind(source)
            raise ConfigurationError(f"expected cases, or the path of a dataset, not {what}: {source!r:.60}")
        else:
            self.name = "cases"
            self._objects = source

    system: str | None = None
    """Whose answers the cases carry, where it is not those of the dataset itself."""

    @property
    def is_pipe(self) -> bool:
        """Whether the cases come from a stream that may block and cannot be read again."""
        return self.path is None and self._objects is None

    def size_hint(self) -> int | None:
        """How many rows to expect, where that is cheap to know; for progress displays only."""
        if self._objects is not None:
            return len(self._objects) if isinstance(self._objects, Sequence) else None
        if self.path is None or not self.path.is_file():
            return None
        kind_of_file = self.format or _SUFFIXES.get(self.path.suffix.lower())
        if kind_of_file == "parquet":
            from magistrate.evaluation.readers.parquet import count_parquet_rows  # noqa: PLC0415 - an extra

            return count_parquet_rows(str(self.path))
        if kind_of_file != "jsonl":
            return None
        with self.path.open("rb") as file:
            return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))

    def __iter__(self) -> Generator[Record, None, None]:
        """Read the cases. An id that an earlier row has too is a problem of the later one.

        Raises:
            ConfigurationError: At the end, if no row has a column that the mapping names.
            DatasetError: If the file cannot be read at all, naming file and line.
        """
        ids, unseen = RepeatedIds(), UnseenColumns(self.mapping)
        with contextlib.closing(self._records(unseen)) as records:
            for record in records:
                yield self._once(record, ids)
        unseen.check(self.name)

    def check_mapping(self) -> None:
        """Read as far as needed to see that each column of the mapping is there; a pipe is left as it is.

        Raises:
            ConfigurationError: If no row has a column that the mapping names; the message lists those that there are.
            DatasetError: If the file cannot be read at all.
        """
        unseen = UnseenColumns(self.mapping)
        again = self.path.is_file() if self.path else isinstance(self._objects, Sequence)
        if not unseen or not again:
            return
        with contextlib.closing(self._records(unseen)) as records:
            for _ in records:
                if not unseen:
                    return
        unseen.check(self.name)

    def rows(self, at: Sequence[str] | None = None) -> Generator[RawRow, None, None]:
        """Read the rows as the format gives them, before any column is taken for a field of a case.

        Args:
            at: In a JSON document, the keys that lead to the list of rows.

        Raises:
            ConfigurationError: If the cases are no file but objects.
            DatasetError: If the file cannot be read at all, naming file and line.
        """
        if self._objects is not None:
            raise ConfigurationError("only a file has rows")
        yield from self._rows(at)

    def beginning(self) -> str:
        """The first 64 KiB of a file as text, to tell what kind of file it is; "" for a pipe, which can be read once.

        Raises:
            DatasetError: If the file cannot be read.
        """
        if self.path is None:
            return ""
        try:
            with self._open() as stream:
                return stream.read(PEEK).decode("utf-8-sig", "replace")
        except OSError as error:
            raise DatasetError(f"{self.name}: cannot be read: {error.strerror or error}", path=str(self.path)) from None
        except (EOFError, zlib.error, UnicodeError) as error:
            raise DatasetError(f"{self.name}: cannot be read: {error}", path=str(self.path)) from None

    def _records(self, unseen: UnseenColumns) -> Generator[Record, None, None]:
        if self._objects is not None:
            yield from self._from_objects(self._objects, unseen)
            return
        with contextlib.closing(self._rows()) as rows:
            for index, row in enumerate(rows):
                unseen.look(row.data or {})
                yield self._record(index, row)

    def _once(self, record: Record, ids: RepeatedIds) -> Record:
        if record.blocked and not record.case.answer and not record.case.contexts:
            return record  # nothing could be read of it: its id is made up
        place = Problem(source=self.name, line=record.line, row=record.index + 1, message="")
        problems = ids.told(record.case.id, record.index + 1, record.problems, place)
        return record if problems == record.problems else replace(record, problems=problems)

    def _record(self, index: int, row: RawRow) -> Record:
        number = index + 1
        if row.data is None:
            case, found = Case(id=f"case-{number}"), list[Problem]()
        else:
            case, found = build_case(row.data, number, self.mapping, cells=self._cells)
        problems = (replace(p, source=self.name, line=row.line, row=number) for p in (*row.problems, *found))
        return Record(index, case, tuple(problems), row.line)

    _cells = False

    def _rows(self, at: Sequence[str] | None = None) -> Generator[RawRow, None, None]:
        try:
            with self._open() as stream:
                name = self.format or (self.path and _SUFFIXES.get(_suffix(self.path))) or _sniff(stream)
                self._cells = name in ("csv", "tsv", "parquet")
                yield from _guard(_reader(name, stream) if at is None else read_json_at(stream, at))
        except DatasetError as error:
            place = f"{self.name}:{error.line}" if error.line else self.name
            raise DatasetError(f"{place}: {error.message}", path=str(self.path or self.name), line=error.line) from None
        except OSError as error:
            raise DatasetError(f"{self.name}: cannot be read: {error.strerror or error}", path=str(self.path)) from None
        except (EOFError, zlib.error, UnicodeDecodeError) as error:  # broken off before the first row
            raise DatasetError(f"{self.name}: cannot be read: {error}", path=str(self.path)) from None

    @contextlib.contextmanager
    def _open(self) -> Iterator[BinaryIO]:
        with contextlib.ExitStack() as stack:
            raw: Any = stack.enter_context(self.path.open("rb")) if self.path else self._stdin or sys.stdin.buffer
            buffered: Any = io.BufferedReader(Unclosed(raw), PEEK)
            head = buffered.peek(4)[:4]
            if head.startswith(b"\x1f\x8b"):
                unzipped = stack.enter_context(gzip.GzipFile(fileobj=buffered))
                buffered = io.BufferedReader(Unclosed(unzipped), PEEK)
                head = buffered.peek(4)[:4]
            if head.startswith((b"\xff\xfe", b"\xfe\xff")):
                buffered = io.BufferedReader(Recoded(io.TextIOWrapper(buffered, "utf-16", newline="")), PEEK)
            elif (len(head) == 4 and head[1] == head[3] == 0) or head[:1] == b"\0":  # noqa: PLR2004
                raise DatasetError("looks like UTF-16 or a binary file; expected UTF-8 text or Parquet")
            yield buffered

    def _from_objects(self, objects: Iterable[Any], unseen: UnseenColumns) -> Iterator[Record]:
        for index, item in enumerate(objects):
            if isinstance(item, Case):
                case = item if item.id is not None else item.model_copy(update={"id": f"case-{index + 1}"})
                yield Record(index, case)
            elif isinstance(item, Mapping):
                row = {str(key): value for key, value in item.items()}
                unseen.look(row)
                yield self._record(index, RawRow(row))
            elif isinstance(item, Record):
                yield replace(item, index=index)
            else:
                yield self._record(index, bad_row(f"is {kind(item)}", expected="a Case or a mapping with its fields"))


def open_dataset(
    source: Any,
    *,
    format: str | None = None,  # noqa: A002
    mapping: FieldMap | Sequence[str] | None = None,
) -> Dataset:
    """Take whatever `evaluate` accepts as cases: a dataset, a path, "-", or cases."""
    if isinstance(source, Dataset):
        return source
    return Dataset(source, format=format, mapping=mapping)


def _check_file(path: Path) -> None:
    if path.is_dir():
        raise DatasetError(f"{path} is a folder, expected a dataset file", path=str(path))
    if path.exists():
        return
    siblings = [p.name for p in path.parent.iterdir()] if path.parent.is_dir() else []
    near = difflib.get_close_matches(path.name, siblings, n=1)
    hint = f"; did you mean {path.parent / near[0]}?" if near else ""
    raise DatasetError(f"{path}: no such file{hint}", path=str(path))


def _suffix(path: Path) -> str:
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] == ".gz":
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def _reader(name: str, stream: Any) -> Iterator[RawRow]:
    match name:
        case "jsonl":
            return read_jsonl(stream)
        case "json":
            return read_json(stream, field_of)
        case "csv":
            return read_table(stream)
        case "tsv":
            return read_table(stream, delimiter="\t")
        case "yaml":
            from magistrate.evaluation.readers.yaml_document import read_yaml  # noqa: PLC0415 - only where it is used

            return read_yaml(stream)
        case _:
            from magistrate.evaluation.readers.parquet import read_parquet  # noqa: PLC0415 - an extra

            return read_parquet(stream)


def _guard(rows: Iterator[RawRow]) -> Iterator[RawRow]:
    """A file that breaks off (a cut gzip, a disk error) ends with a bad row: what came before it is kept."""
    count = 0
    while True:
        try:
            row = next(rows, None)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            yield bad_row(f"the file breaks off here: {error}; nothing after it is read", last=True)
            return
        except UnicodeDecodeError as error:
            yield bad_row(f"not valid {error.encoding}: {error.reason}; nothing after it is read", last=True)
            return
        except DatasetError as error:
            if not count:
                raise
            yield bad_row(f"{error.message}; nothing after it is read", line=error.line, last=True)
            return
        if row is None:
            return
        count += 1
        yield row


def _sniff(stream: Any) -> Format:
    """Tell the format by the first bytes."""
    head = stream.peek(PEEK)[:PEEK].removeprefix(b"\xef\xbb\xbf")
    if head.startswith(b"PAR1"):
        return "parquet"
    text = head.decode("utf-8", "replace").lstrip()
    first, newline, _ = text.partition("\n")
    if text.startswith("["):
        return "json"
    if text.startswith("{"):
        several_lines = newline and not first.rstrip().endswith("}")
        return "json" if several_lines or _WRAPPED.search(first) else "jsonl"
    if text.startswith(("- ", "---", "%YAML", "#")) or first.rstrip().endswith(":"):
        return "yaml"
    return "tsv" if "\t" in first and "," not in first else "csv"
