"""A run on disk: a folder with an append-only results.jsonl, readable after a crash at any moment; what it was asked.

The first line is the header: schema, version, configuration. Then a line a case, in the order in which they were
finished; the last line of a case counts. A line {"type": "end"} says how an invocation ended. A last line without its
line break was being written when the process was killed: it is cut off, and that case is judged again.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import json
import os
import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, Literal, overload

from magistrate.errors import StoreError
from magistrate.evaluation.files import BUFFER, RESULTS, SCHEMA, adapter_of
from magistrate.evaluation.runs.results import CaseResult, decode_result, encode_result
from magistrate.redact import without_secrets

_NOT_IDENTITY = frozenset({"cache", "budget", "concurrency", "client"})


def describe(part: Any) -> dict[str, Any]:
    """What identifies a judge or metric, as JSON holds it: what it says itself, else the arguments it was made with.

    Those are the constructor's parameters which the object keeps under the same name, as far as JSON holds them; a
    `Scale` or a `Policy` counts by its name. What is named like a secret is left out, and so is what decides where
    completions are kept and how many may be made: a run goes on with another cache or budget.
    """
    found: dict[str, Any] = {"class": f"{type(part).__module__}.{type(part).__qualname__}"}
    if callable(own := getattr(part, "describe", None)):
        found = dict(own())
        if members := getattr(part, "members", None):
            found["judges"] = [describe(each) for each in members]
    else:
        names = ["name", "policy", "threshold"]
        with contextlib.suppress(TypeError, ValueError):  # a class without a readable signature
            names += [name for name in inspect.signature(type(part)).parameters if not name.startswith("_")]
        for name in dict.fromkeys(names):
            plain, value = _plain(getattr(part, name, None))
            if plain and value is not None and name not in _NOT_IDENTITY:
                found[name] = value
    as_json: dict[str, Any] = json.loads(json.dumps(without_secrets(found), default=str))
    return as_json


def _plain(value: Any) -> tuple[bool, Any]:
    match value:
        case Enum():
            return True, value.value
        case None | bool() | int() | float() | str():
            return True, value
        case list() | tuple():
            items = [_plain(item) for item in value]
            return all(ok for ok, _ in items), [item for _, item in items]
        case Mapping():
            pairs = {str(key): _plain(item) for key, item in value.items()}
            return all(ok for ok, _ in pairs.values()), {key: item for key, (_, item) in pairs.items()}
        case _:
            name = getattr(value, "name", None)  # a Scale, a Policy
            return isinstance(name, str), name


def config_hash(config: Mapping[str, Any]) -> str:
    """First 12 hex digits of SHA-256 over the configuration."""
    text = json.dumps(config, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def differences(old: Mapping[str, Any], new: Mapping[str, Any], path: str = "") -> list[str]:
    """Name what differs between two configurations: "judge.name: 'gpt-4o' -> 'offline'"."""
    found: list[str] = []
    for key in dict.fromkeys([*old, *new]):
        left, right = old.get(key), new.get(key)
        here = f"{path}{key}"
        if isinstance(left, Mapping) and isinstance(right, Mapping):
            found.extend(differences(left, right, f"{here}."))
        elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
            before, after = ({str(at): one for at, one in enumerate(side)} for side in (left, right))
            found.extend(differences(before, after, f"{here}."))
        elif left != right:
            found.append(f"{here}: {left!r} -> {right!r}")
    return found


DEFAULT_ROOT = ".magistrate"
_RESCORED = re.compile(r"metrics\.\d+\.(?:threshold|policy): ")
"""Differences that need no judging: stored verdicts can be scored again."""
PREVIOUS = "results.previous.jsonl"
RunState = Literal["running", "complete", "interrupted", "over_budget", "judge_down", "pending", "failed"]

_DAMAGED = "the line is damaged; delete it to have its case judged again with --resume"
_STORED = "; of stored replies `magistrate audit FILE --save FOLDER` makes one"
_LOCK = ".lock"
_WIDEST_GAP = 20_000_000
"""A shard begins in the middle of a dataset, but none leaves out more cases."""
_CASE = b'{"type":"case",'
_HEAD = re.compile(rb'\{"type":"case","final":(true|false),"index":(\d{1,12}),"fingerprint":"([0-9a-f]*)"')


@dataclass(frozen=True, slots=True, kw_only=True)
class RunHeader:
    """What a run was asked to do.

    Attributes:
        config: Dataset, judge and metrics, as `describe` gives them. Two runs with equal configurations can continue
            one another.
        magistrate: Version of this package that began the run.
        created: When it began, ISO 8601, UTC.
        schema: Version of the file format.
        source: The run this one was derived from (by another policy, or another reading); None where it was judged.
        id: Drawn when it began, and kept when it goes on: who paid for a call. Empty for runs of older versions.
    """

    config: Mapping[str, Any]
    magistrate: str
    created: str
    schema: int = SCHEMA
    source: str | None = None
    id: str = ""

    @property
    def config_hash(self) -> str:
        """First 12 hex digits of SHA-256 over the configuration."""
        return config_hash(self.config)


@dataclass(slots=True)
class RunIndex:
    """Where each case stands in results.jsonl: 16 bytes a case, whatever its size."""

    header: RunHeader
    offsets: array[int] = field(default_factory=lambda: array("q"))
    finished: array[int] = field(default_factory=lambda: array("Q"))
    state: RunState = "running"
    message: str | None = None
    size: int = 0

    def is_finished(self, position: int, fingerprint: str) -> bool:
        """Whether this case was judged already, and is still the same."""
        return position < len(self.finished) and 0 != self.finished[position] == _number(fingerprint)

    def order(self, *, finished: bool = False) -> array[int]:
        """The offsets of the cases that are there, or not to be judged again, in the order of the dataset."""
        entries = zip(self.offsets, self.finished, strict=True)
        return array("q", (offset for offset, mark in entries if (mark if finished else offset >= 0)))

    def enter(self, line: bytes, path: Path, number: int | None = None) -> None:
        """Note a whole line, which begins where the last one ended; of a case that has several the last one counts."""
        entry: dict[str, Any] = {"type": "case"}
        try:
            if (head := _HEAD.match(line)) and line.endswith(b"}\n"):
                self._enter_case(int(head[2]), head[3], final=head[1] == b"true")
            elif (entry := json.loads(line))["type"] == "case":
                self._enter_case(entry["index"], entry.get("fingerprint", ""), final=entry["final"])
        except (ValueError, TypeError, KeyError, RecursionError):
            raise StoreError(f"{path if number is None else f'{path}:{number}'}: {_DAMAGED}") from None
        if entry["type"] == "resumed":
            self.state, self.message = "running", None
        elif entry["type"] == "end":
            self.state, self.message = entry.get("state", "failed"), entry.get("message")
            if isinstance(rows := entry.get("rows"), int):  # rows beyond are from an older version of the dataset
                del self.offsets[rows:], self.finished[rows:]
        self.size += len(line)

    def _enter_case(self, position: Any, fingerprint: str | bytes, *, final: bool) -> None:
        missing = position + 1 - len(self.offsets)
        if not isinstance(position, int) or position < 0 or missing > _WIDEST_GAP:
            raise ValueError
        if missing > 0:
            self.offsets.extend([-1] * missing)
            self.finished.extend([0] * missing)
        self.offsets[position], self.finished[position] = self.size, _number(fingerprint) if final else 0


def _number(fingerprint: str | bytes) -> int:
    """A fingerprint as the number it is; 0 for what is none, which no case has."""
    try:
        return int(fingerprint, 16) & 0xFFFF_FFFF_FFFF_FFFF
    except (ValueError, TypeError):
        return 0


def default_folder(dataset: str, config: Mapping[str, Any]) -> Path:
    """Where a run is kept if nothing else is said: `.magistrate/runs/<dataset>-<config hash>`."""
    stem = re.sub(r"(\.jsonl|\.ndjson|\.json|\.csv|\.tsv|\.yaml|\.yml|\.parquet|\.xlsx)?(\.gz)?$", "", dataset)
    safe = re.sub(r"[^\w.-]+", "-", stem).strip("-.")[:60] or "cases"
    return Path(DEFAULT_ROOT, "runs", f"{safe}-{config_hash(config)}")


def begun(folder: Path, header: RunHeader) -> bool:
    """Whether a folder holds a run of this configuration.

    Raises:
        StoreError: If it holds one of another.
    """
    path = folder / RESULTS
    if not path.exists() or not path.stat().st_size:
        return False
    if changed := differences(read_index(path, cases=False).header.config, header.config):
        scored = f"; magistrate score {folder} needs no judging for that"
        raise StoreError(
            f"{folder} holds a run of another configuration ({'; '.join(changed[:4])}): choose another folder, "
            f"or delete it{scored if all(map(_RESCORED.match, changed)) else ''}"
        )
    return True


def read_index(path: Path, *, cases: bool = True) -> RunIndex:
    """Read where the cases of a run stand, without reading the cases."""
    try:
        with path.open("rb", BUFFER) as file:
            first = file.readline()
            index = RunIndex(_header(first, path), size=len(first))
            for number, line in enumerate(file if cases else (), 2):
                if not line.endswith(b"\n"):
                    break
                index.enter(line, path, number)
            return index
    except OSError as error:
        raise StoreError(f"{path}: cannot be read: {error.strerror or error}") from None


def _header(line: bytes, path: Path) -> RunHeader:
    try:
        entry = json.loads(line)
        schema = entry["schema"]
        if entry.pop("type") != "run" or not isinstance(schema, int):
            raise ValueError  # noqa: TRY301 - one message for all that is no header
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise StoreError(f"{path}: is no run of magistrate: its first line is no header{_STORED}") from None
    check_schema(schema, path, entry.get("magistrate"))
    try:
        return adapter_of(RunHeader).validate_python(entry)
    except ValueError as error:
        raise StoreError(f"{path}: the header is incomplete: {error}") from None


def check_schema(schema: int, path: Path, version: object = None) -> None:
    """Refuse what a newer version wrote."""
    by = f"by magistrate {version} " if version else ""
    upgrade = ": upgrade with pip install -U magistrate" if schema > SCHEMA else ""
    if not 1 <= schema <= SCHEMA:
        raise StoreError(f"{path}: written {by}in schema {schema}; this version reads 1 to {SCHEMA}{upgrade}")


class LazyResults(Sequence[CaseResult]):
    """Results that a function makes of items when they are asked for."""

    def __init__(self, items: Sequence[Any], make: Callable[[Iterable[Any]], Iterator[CaseResult]]) -> None:
        self._items, self._make = items, make

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, index: int) -> CaseResult: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[CaseResult]: ...
    def __getitem__(self, index: int | slice) -> CaseResult | Sequence[CaseResult]:
        found = self._items[index]
        return LazyResults(found, self._make) if isinstance(index, slice) else next(self._make((found,)))

    def __iter__(self) -> Iterator[CaseResult]:
        return self._make(self._items)


def stored_results(path: Path, offsets: Sequence[int]) -> LazyResults:
    """The results of a run that begin at these places of its file, each read when it is asked for."""

    def read(some: Iterable[int]) -> Iterator[CaseResult]:
        with path.open("rb") as file:
            for offset in some:
                file.seek(offset)
                try:
                    result = decode_result(file.readline())
                except ValueError:  # its message would quote the case
                    raise StoreError(f"{path}: the result at byte {offset} cannot be read: {_DAMAGED}") from None
                yield result

    return LazyResults(offsets, read)


class RunWriter:
    """Appends results to a run. One process at a time."""

    def __init__(self, folder: Path, header: RunHeader, *, resume: bool = False) -> None:
        from filelock import FileLock, Timeout  # noqa: PLC0415 - it takes longer to load than a stored run to read

        self.folder = folder
        self.path = folder / RESULTS
        self._lock = FileLock(folder / _LOCK, timeout=0, mode=0o600)
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            # Runs hold texts of cases and replies: under .magistrate, where they go by themselves, git ignores them.
            for parent in folder.parents:
                if parent.name == DEFAULT_ROOT and not (parent / ".gitignore").exists():
                    (parent / ".gitignore").write_text("*\n")
            self._lock.acquire()
            try:
                self._open(header, resume=resume)
            except BaseException:
                self._lock.release()
                raise
        except Timeout:
            raise StoreError(f"{folder} is in use by another process: wait for it, or choose another --run") from None
        except OSError as error:
            raise StoreError(f"{folder}: cannot be written: {error.strerror or error}") from None

    def _open(self, header: RunHeader, *, resume: bool) -> None:
        self.index = RunIndex(header)
        earlier = begun(self.folder, header)
        if earlier and not resume:
            self.path.replace(self.folder / PREVIOUS)
        self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        if earlier and resume:
            self.index = read_index(self.path)
            os.ftruncate(self._file, self.index.size)
            self._write({"type": "resumed", "created": header.created, "magistrate": header.magistrate})
        else:
            self._write({"type": "run", **asdict(header)})

    def _write(self, entry: Mapping[str, Any]) -> None:
        self._append(json.dumps(entry, default=str).encode() + b"\n")

    def _append(self, line: bytes) -> None:
        view = memoryview(line)
        try:
            while view:
                view = view[os.write(self._file, view) :]
        except OSError as error:  # a full disk: what was written of the line is taken back
            os.ftruncate(self._file, self.index.size)
            raise StoreError(f"{self.path}: cannot be written: {error.strerror or error}") from None
        self.index.enter(line, self.path)

    def earlier(self, position: int) -> CaseResult | None:
        """What is written down for a row so far; None where there is nothing."""
        at = self.index.offsets[position : position + 1]
        return stored_results(self.path, at)[0] if at and at[0] >= 0 else None

    def results(self, *, finished: bool = False) -> LazyResults:
        """The results so far, or those that are not to be judged again, in the order of the dataset."""
        return stored_results(self.path, self.index.order(finished=finished))

    def append(self, result: CaseResult) -> None:
        """Write a result. When this returns, killing the process does not lose it."""
        final = b"true" if result.finished else b"false"
        self._append(_CASE + b'"final":' + final + b"," + encode_result(result)[1:] + b"\n")

    def append_line(self, line: bytes) -> None:
        """Write the line of a result that another run holds; its other lines are passed over."""
        if line.startswith(_CASE):
            self._append(line)

    def end(self, state: RunState, *, message: str | None = None, rows: int | None = None, ended: str = "") -> None:
        """Write how the invocation ended."""
        self._write({"type": "end", "state": state, "message": message, "rows": rows, "ended": ended})
        os.fsync(self._file)

    def close(self) -> None:
        """Close the file and give the lock back."""
        os.close(self._file)
        self._lock.release()


def wait_for_lock(folder: Path) -> None:
    """Wait until no other process writes to the run in a folder."""
    from filelock import FileLock  # noqa: PLC0415 - see RunWriter

    with FileLock(folder / _LOCK, mode=0o600):
        pass
