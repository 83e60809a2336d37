"""Datasets: from a file, a pipe or Python objects to a stream of cases, in constant memory; checked, or sampled."""

import asyncio
import bisect
import contextlib
import hashlib
import queue
import sys
import threading
import zlib
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Protocol, cast

from magistrate.case import Case, Problem
from magistrate.errors import ConfigurationError, DatasetError, meant
from magistrate.evaluation.cases import columns as named
from magistrate.evaluation.cases.building import build_case
from magistrate.evaluation.cases.columns import FieldMap, RepeatedIds, UnseenColumns, field_of, resolve_mapping
from magistrate.evaluation.readers import files
from magistrate.evaluation.readers.base import RawRow, bad_row, kind
from magistrate.evaluation.readers.tables import TableRows, table_objects

_LOOKED_AT = 1000
"""Rows that are looked at for their columns."""


@dataclass(frozen=True, slots=True)
class Record:
    """One row of a dataset as the runner takes it."""

    index: int
    case: Case
    problems: tuple[Problem, ...] = ()
    line: int | None = None

    @property
    def blocked(self) -> bool:
        """Whether the row is unfit to judge."""
        return any(problem.blocking for problem in self.problems)


def nothing_read(row: Any) -> bool:
    """Whether nothing could be read of a row: its id is made up."""
    return not row.case.answer and not row.case.contexts and any(one.blocking for one in row.problems)


class Table(Protocol):
    """A table in memory: of pandas, polars or Arrow."""

    @property
    def columns(self) -> Any:
        """Its columns."""


class Dataset:
    """A source of cases that can be read once (a pipe) or again (a file, a list).

    Args:
        source: A path (a file, a folder of files, or a pattern such as "data/*.parquet"; their files are read in the
            order of their names), the same at an address that fsspec reaches ("s3://bucket/cases/*.parquet"), "-" for
            standard input, or cases: `Case` objects or mappings with the fields of a case, or a table of them: pandas,
            polars, Arrow, a Hugging Face dataset.
        format: One of `FORMATS`, or "xlsx:SHEET" for a sheet of a workbook; None to take it from the file's name, else
            from its first bytes.
        mapping: Columns for fields with another name, {"answer": "claim"} or ["answer=claim"]; several for contexts in
            several columns, {"contexts": ["passage 1", "passage 2"]}.
        stdin: The stream for "-"; None for the process's standard input.

    Raises:
        ConfigurationError: If the format or the mapping is wrong.
        DatasetError: If the file does not exist or cannot be opened.
    """

    system: str | None = None
    """Whose answers the cases carry, where it is not those of the dataset itself."""

    def __init__(
        self,
        source: str | Path | Table | Iterable[Case | Mapping[str, Any]],
        *,
        format: str | None = None,  # noqa: A002 - the word of the command line
        mapping: FieldMap | Sequence[str] | None = None,
        stdin: BinaryIO | None = None,
    ) -> None:
        if format is not None and format not in files.FORMATS and not format.startswith("xlsx:"):
            near, known = meant(format, files.FORMATS), ", ".join(files.FORMATS)
            raise ConfigurationError(f"unknown format {format!r}.{near} Formats: {known}")
        self.mapping = resolve_mapping(mapping)
        self.format = format
        self.name = "cases"
        self.path: Path | None = None
        self.files: tuple[Path, ...] = ()
        self._stdin = stdin
        self._unseen = UnseenColumns(self.mapping)
        self._objects: Iterable[Any] | None = None
        if isinstance(source, str | Path):
            self.name = "stdin"
            if str(source) != "-":
                self.files = tuple(files.dataset_files(source))
                self.path = cast("Path", files.RemoteFile(str(source))) if files.is_remote(source) else Path(source)
                self.name = Path(source).name
            return
        table = table_objects(source)
        if table is None and isinstance(source, Case | Mapping):
            raise ConfigurationError(
                "expected a list of cases or a path, not one case: put it in a list (or columns: in a DataFrame)"
            )
        if table is None and (isinstance(source, bytes | bytearray) or not isinstance(source, Iterable)):
            what = "nothing" if source is None else kind(source)
            raise ConfigurationError(f"expected cases, or the path of a dataset, not {what}: {source!r:.60}")
        self._objects = cast("Iterable[Any]", source) if table is None else table

    @property
    def is_pipe(self) -> bool:
        """Whether the cases come from a stream that may block and cannot be read again."""
        return not self.files and self._objects is None

    def size_hint(self) -> int | None:
        """How many rows to expect, where that is cheap to know; for progress displays only."""
        if self._objects is not None:
            return len(self._objects) if isinstance(self._objects, Sized) else None
        sizes = [
            files.count_rows(file, self.format or files.format_by_name(file)) for file in self.files if file.is_file()
        ]
        return sum(size or 0 for size in sizes) if sizes and None not in sizes else None

    def __iter__(self) -> Generator[Record, None, None]:
        """Read the cases. An id that an earlier row has too is a problem of the later one."""
        ids = RepeatedIds()
        with contextlib.closing(self._records()) as records:
            for record in records:
                place = record.index + 1, self.name, record.line
                problem = None if nothing_read(record) else ids.problem(record.case.id, *place)
                yield record if problem is None else replace(record, problems=(*record.problems, problem))
        self._unseen.check(self.name)

    def check_mapping(self) -> None:
        """Read as far as needed to see that each column of the mapping is there; a pipe is left as it is."""
        again = all(file.is_file() for file in self.files) if self.files else isinstance(self._objects, Sequence)
        if self._unseen and again:
            with contextlib.closing(self._records()) as records:
                any(not self._unseen for _ in records)
            self._unseen.check(self.name)

    def left_out(self) -> Problem | None:
        """Of the first rows, a problem of passages not read, or read as one; None of what cannot be read again."""
        rows = islice(self, _LOOKED_AT // 10) if self.path is not None and self.path.is_file() else ()
        return next((one for row in rows for one in row.problems if (one.hint or "").startswith(named.ALL)), None)

    def no_column(self, missing: Sequence[str], columns: list[str]) -> str:
        """Say what `missing_columns` found, and how to name the columns that are meant."""
        there, how = named.listed(dict.fromkeys(columns)), named.how_to_name(missing, columns)
        none = f"no row of {self.name} has a column for {', '.join(missing)}. Its columns: {there}"
        sheet = " Of a workbook a sheet's first row is read as its columns: --format xlsx:SHEET chooses the sheet."
        workbook = any(files.format_by_name(file) == "xlsx" for file in self.files)
        return f"{none}. Name those that are meant: {how}.{sheet if workbook else ''}"

    def missing_columns(self) -> tuple[list[str], list[str]]:
        """Look at the first rows for the fields that judging rests on: those that none has, and the columns there are.

        Neither of what cannot be read again, and of cases, which have no columns.
        """
        known = self.path.is_file() if self.path is not None else isinstance(self._objects, Sequence | TableRows)
        if not known:
            return [], []
        missing = [field for field in ("question", "answer", "contexts") if field not in self.mapping]
        columns: dict[str, None] = {}
        rows: Iterable[Any] = (row.data or {} for row in self.rows()) if self._objects is None else self._objects
        for row in islice(rows, _LOOKED_AT):
            names = [*map(str, row)] if isinstance(row, Mapping) else ["question", "answer", "contexts"]
            columns |= dict.fromkeys(names)
            there = {field_of(column) for column in names}
            missing = [field for field in missing if field not in there]
            if not missing:
                break
        return (missing if columns else []), list(columns)

    def rows(self, at: Sequence[str] | None = None, start: files.Start = files.BEGIN) -> Generator[RawRow, None, None]:
        """Read the rows as the format gives them, before any column is taken for a field of a case."""
        if self._objects is not None:
            raise ConfigurationError("only a file has rows")
        for file in self.files or (None,):
            with self._opened(file) as (stream, name):
                yield from files.read_rows(stream, name, at, start)

    def beginning(self) -> str:
        """The first 64 KiB of a file as text, to tell what kind it is; "" for a pipe, which can be read once."""
        if not self.files:
            return ""
        with self._opened(self.files[0]) as (stream, _):
            return str(stream.peek(files.BEGINNING)[: files.BEGINNING].decode("utf-8-sig", "replace"))

    @contextlib.contextmanager
    def _opened(self, file: Path | None) -> Iterator[tuple[Any, str]]:
        """The stream of a file, or of standard input, and its format; what goes wrong with it names the file."""
        source = self.name if file is None else file.name
        try:
            with files.open_bytes(file or self._stdin or sys.stdin.buffer) as stream:
                yield stream, self.format or files.format_by_name(file) or files.format_by_beginning(stream)
        except DatasetError as error:
            place = f"{source}:{error.line}" if error.line else source
            raise DatasetError(f"{place}: {error.message}", path=str(file or source), line=error.line) from None
        except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or error
            raise DatasetError(f"{source}: cannot be read: {why}", path=str(file)) from None

    def _records(self) -> Generator[Record, None, None]:
        if self._objects is not None:
            yield from self._from_objects(self._objects)
            return
        index = 0
        for file in self.files or (None,):
            for record in self.records_of(file, index):
                yield record
                index += 1

    def records_of(
        self, file: Path | None, index: int, start: files.Start = files.BEGIN
    ) -> Generator[Record, None, None]:
        """Read the cases of one file."""
        with self._opened(file) as (stream, name):
            source = self.name if file is None else file.name
            for number, row in enumerate(files.read_rows(stream, name, start=start), index):
                yield self._record(number, row, source, cells=name.partition(":")[0] in files.CELLS)

    def _record(self, index: int, row: RawRow, source: str, *, cells: bool = False) -> Record:
        number = index + 1
        self._unseen.look(row.data or {})
        if row.data is None:
            case, found = Case(id=f"case-{number}"), list[Problem]()
        else:
            case, found = build_case(row.data, number, self.mapping, cells=cells)
        problems = (replace(p, source=source, line=row.line, row=number) for p in (*row.problems, *found))
        return Record(index, case, tuple(problems), row.line)

    def _from_objects(self, objects: Iterable[Any]) -> Iterator[Record]:
        for index, item in enumerate(objects):
            if isinstance(item, Case):
                named = {} if item.id is not None else {"id": f"case-{index + 1}"}
                yield Record(index, item.model_copy(update=named) if named else item)
            elif isinstance(item, Mapping):
                row = RawRow({str(key): value for key, value in item.items()})
                yield self._record(index, row, self.name, cells=isinstance(objects, TableRows))
            else:
                row = bad_row(f"is {kind(item)}", expected="a Case or a mapping with its fields")
                yield self._record(index, row, self.name)


_LOOK_SECONDS = 0.01
"""How often it is looked whether a pipe has brought a record."""


class ReadAhead:
    """Reads in a daemon thread: a read from a pipe may block, and cannot be interrupted when the process ends."""

    def __init__(self, records: Iterator[Record]) -> None:
        self._records = records
        self._ready: queue.Queue[Record | Exception | None] = queue.Queue(maxsize=32)
        self._turn = asyncio.Lock()
        self._closed = False
        threading.Thread(target=self._read, name="magistrate-dataset", daemon=True).start()

    def _read(self) -> None:
        end: Exception | None = None
        try:
            for record in self._records:
                self._ready.put(record)
                if self._closed:
                    return
        except Exception as error:  # noqa: BLE001 - raised again where the record is awaited
            end = error
        self._ready.put(end)

    async def next(self, stopped: Callable[[], bool]) -> Record | None:
        """The next record; None at the end, or once it is stopped while none is there."""
        async with self._turn:
            while not stopped():
                with contextlib.suppress(queue.Empty):
                    item = self._ready.get_nowait()
                    break
                await asyncio.sleep(_LOOK_SECONDS)
            else:
                return None
            if not isinstance(item, Record):
                self._ready.put(item)  # the end, or what ended it, is for everybody who waits
        if isinstance(item, Exception):
            raise item
        return item

    def close(self) -> None:
        """Let the thread end at its next record."""
        self._closed = True
        with contextlib.suppress(queue.Empty):
            self._ready.get_nowait()


@dataclass(slots=True)
class DatasetCheck:
    """What a dataset holds, filled while its problems are read."""

    rows: int = 0
    unusable: int = 0
    errors: int = 0
    warnings: int = 0
    categories: Counter[str] = field(default_factory=Counter)
    contexts: int = 0

    @property
    def ok(self) -> bool:
        """Whether there is something to judge, and no error."""
        return self.rows > 0 and not self.errors


def check_dataset(dataset: Dataset, result: DatasetCheck) -> Iterator[Problem]:
    """Read a dataset to its end, yield every problem as it is found, and count in `result`."""
    for record in dataset:
        case = record.case
        texts = (case.answer or "", *(case.statements or ()))
        result.rows += 1
        result.unusable += record.blocked or not any(map(str.strip, texts)) or not any(map(str.strip, case.contexts))
        result.contexts += len(case.contexts)
        result.categories.update([case.category] if case.category else ())
        for problem in (*record.problems, *_further(record, dataset.name)):
            result.errors += problem.severity == "error"
            result.warnings += problem.severity != "error"
            yield problem
    if not result.rows:
        result.errors += 1
        yield Problem(source=dataset.name, message="holds no cases")


def _further(record: Record, source: str) -> Iterator[Problem]:
    if record.blocked:
        return
    here = Problem(source=source, line=record.line, row=record.index + 1, message="")
    case = record.case
    if case.answer is not None and not case.answer.strip():
        yield replace(here, field="answer", message="is blank", expected="a text to judge", severity="warning")
    for index, text in enumerate(case.contexts):
        if not text.strip():
            yield replace(here, field=f"contexts[{index}]", message="is blank", severity="warning")
    if not case.contexts and not any((p.field or "").startswith("contexts") for p in record.problems):
        yield replace(here, field="contexts", message="is empty: nothing to judge against", severity="warning")


QUICK = 10
"""Cases of a quick run."""


def quick_sample(records: Iterable[Record], *, size: int = QUICK, seed: int = 0) -> list[Record]:
    """Draw a sample that shows every category, in the order of the dataset, the same for the same seed.

    Each category gets a share in proportion to its cases, and at least one while there are places. One pass, holding at
    most `size` cases of each category.
    """
    counts: Counter[str] = Counter()
    kept: dict[str, list[tuple[bytes, int, Record]]] = {}
    for record in records:
        counts[category := record.case.category or ""] += 1
        best = kept.setdefault(category, [])
        key = hashlib.sha256(f"{seed}:{record.index}".encode()).digest()
        if len(best) < size or key < best[-1][0]:
            bisect.insort(best, (key, record.index, record))
            del best[size:]
    places = _places(counts, size)
    chosen = [record for category, best in kept.items() for _, _, record in best[: places[category]]]
    return sorted(chosen, key=lambda record: record.index)


def _places(counts: dict[str, int], size: int) -> Counter[str]:
    """Divide the places: one for each category, largest first, then each to the category that is owed most."""
    total, places = sum(counts.values()), []
    for rank, (category, count) in enumerate(sorted(counts.items(), key=lambda one: (-one[1], one[0]))):
        owed = size * count / total
        places += [(had > 0, had and had - owed, rank, category) for had in range(min(count, size))]
    return Counter(category for *_, category in sorted(places)[:size])
