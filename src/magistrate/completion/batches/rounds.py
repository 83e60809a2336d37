"""The batches of a run, on disk: `R/batches/round-N/`, readable after a kill at any moment.

A round holds what a run wanted to ask when it could go no further: files of requests, and what came back. Its
`batch.json` says of each file how far it is. What is about to be done is noted before it is done, so that nothing is
asked in two batches.
"""

import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any, Literal

from magistrate.completion.batches._shapes import Result, read_result
from magistrate.errors import DatasetError, StoreError

MOST_REQUESTS = 50_000
MOST_BYTES = 190_000_000
State = Literal["exported", "submitting", "submitted", "ended", "failed"]

_FOLDER = "batches"
_STATE = "batch.json"
_DRAFT = "draft"
_HEAD = re.compile(rb'\{"custom_id":"([0-9a-f]{64})","digest":"([0-9a-f]{64})","bytes":')


@dataclass(slots=True)
class Part:
    """One file of a round: the requests to one model.

    `state`: "exported": nobody was asked yet; "submitting": about to be, since `noted`; "submitted": as the provider's
    `batch`; "ended": what came back is here; "failed": nothing was carried out. `not_ours`: batches that were taken
    for this one and hold other requests.
    """

    name: str
    model: str
    provider: str
    requests: int
    sha256: str
    state: State = "exported"
    noted: float = 0.0
    batch: str | None = None
    status: str | None = None
    message: str | None = None
    not_ours: list[str] = field(default_factory=list)
    answered: int = 0
    refused: int = 0
    again: int = 0
    unknown: int = 0

    @property
    def is_open(self) -> bool:
        """Whether its requests wait for answers."""
        return self.state not in ("ended", "failed")


@dataclass(slots=True)
class Round:
    """The files of one round."""

    number: int
    folder: Path
    parts: list[Part]

    def requests(self, part: Part) -> Path:
        """The file of a part's requests: a line {"custom_id", "digest", "body"}, the body as LiteLLM takes it."""
        return self.folder / f"requests-{part.name}.jsonl"

    def output(self, part: Part) -> Path:
        """The file of what came back."""
        return self.folder / f"output-{part.name}.jsonl"

    def lines(self, part: Part) -> Iterator[dict[str, Any]]:
        """The requests of a part."""
        with self.requests(part).open("rb") as file:
            for line in file:
                yield json.loads(line)

    def save(self) -> None:
        """Write down how far each file is."""
        _write(self.folder / _STATE, json.dumps({"parts": [asdict(part) for part in self.parts]}, indent=1).encode())


def _private(path: Path) -> IO[bytes]:
    """A new file for its owner alone."""
    return os.fdopen(os.open(path, os.O_CREAT | os.O_TRUNC | os.O_RDWR, 0o600), "w+b")


def _write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, so that it is there after a power cut."""
    draft = path.with_name(f".{path.name}")
    with _private(draft) as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    _synced(path.parent)


def _synced(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def is_under_way(run: str | Path) -> bool:
    """Whether requests of a run wait in a batch."""
    return any(part.is_open for one in _read(Path(run) / _FOLDER) for part in one.parts)


def _read(folder: Path) -> list[Round]:
    found = []
    for path in folder.glob("round-*"):
        try:
            parts = [Part(**part) for part in json.loads((path / _STATE).read_bytes())["parts"]]
            found.append(Round(int(path.name.removeprefix("round-")), path, parts))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StoreError(f"{path / _STATE}: cannot be read: {error}") from None
    return sorted(found, key=lambda one: one.number)


class Rounds:
    """The rounds of a run. One process at a time."""

    def __init__(self, run: str | Path) -> None:
        from filelock import FileLock, Timeout  # noqa: PLC0415 - seldom needed

        self.folder = Path(run) / _FOLDER
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = FileLock(self.folder / ".lock", timeout=0, mode=0o600)
        try:
            self._lock.acquire()
        except Timeout:
            raise StoreError(f"{run}: another process is at work on its batches: wait for it") from None
        try:
            self.rounds = _read(self.folder)
        except StoreError:
            self._lock.release()
            raise
        self._draft = _Draft(self.folder / _DRAFT)
        self._digests: dict[str, list[tuple[str, Part]]] = {}
        self._places: dict[tuple[str, str], list[tuple[Part, Path, int]]] = {}
        for one in self.rounds:
            for part in one.parts:
                self._enter(one, part)

    def close(self) -> None:
        """Let others work on them."""
        self._draft.drop()
        self._lock.release()

    @property
    def open_parts(self) -> list[tuple[Round, Part]]:
        """What waits for answers."""
        return [(one, part) for one in self.rounds for part in one.parts if part.is_open]

    def _enter(self, one: Round, part: Part) -> None:
        if part.state == "failed":
            return
        with one.requests(part).open("rb") as file:
            for line in file:
                if head := _HEAD.match(line):
                    self._digests.setdefault(head[1].decode(), []).append((head[2].decode(), part))
        if part.state == "ended":
            self._enter_results(one, part)

    def _enter_results(self, one: Round, part: Part) -> None:
        """Note where each answer stands, and each refusal of a request as it was made; the first of several counts."""
        path, offset = one.output(part), 0
        with path.open("rb") as file:
            for line in file:
                result = read_result(line)
                if result is not None and result.kind != "again" and (digest := self._digest(result.key, part)):
                    place = (result.key, "" if result.kind == "answer" else digest)
                    self._places.setdefault(place, []).append((part, path, offset))
                offset += len(line)

    def _digest(self, key: str, part: Part) -> str | None:
        return next((digest for digest, other in self._digests.get(key, ()) if other is part), None)

    def find(self, key: str, digest: str) -> tuple[str, Result] | None:
        """What came back for a request: the provider that it was asked of, and the result."""
        places = self._places.get((key, "")) or self._places.get((key, digest))
        if not places:
            return None
        part, path, offset = places[0]
        with path.open("rb") as file:
            file.seek(offset)
            result = read_result(file.readline())
        return None if result is None else (part.provider, result)

    def reject(self, key: str) -> bool:
        """Pass over the answer to a request, which cannot be used; return whether there was one."""
        answers = self._places.get((key, ""))
        return bool(answers and answers.pop(0))

    def is_open(self, key: str) -> bool:
        """Whether a request waits in a batch."""
        return any(part.is_open for _, part in self._digests.get(key, ()))

    def tries(self, key: str) -> int:
        """In how many batches a request was."""
        return len(self._digests.get(key, ()))

    def note(self, key: str, model: str, provider: str, digest: str, body: Mapping[str, Any]) -> None:
        """Note a request for the next round."""
        self._draft.add(key, model, provider, digest, body)

    def close_round(self) -> Round | None:
        """Make what was noted the next round; None where nothing was."""
        parts = self._draft.finish()
        if not parts:
            return None
        number = max((one.number for one in self.rounds), default=0) + 1
        made = Round(number, self.folder / _DRAFT, parts)
        made.save()
        made.folder = self.folder / f"round-{number}"
        (self.folder / _DRAFT).rename(made.folder)
        _synced(self.folder)
        self.rounds.append(made)
        for part in parts:
            self._enter(made, part)
        return made

    def take(self, paths: Iterable[Path], only: Part | None = None) -> list[tuple[Round, Part]]:
        """Take results that came back; the parts that ended: what a part lacks of which there is a line was not done.

        `only` ends without a line, too, unless all are about something else.
        """
        taken: dict[int, list[tuple[bytes, Result]]] = {} if only is None else {id(only): []}
        unknown = 0
        for line, result in _results(paths):
            homes = [part for _, part in self._digests.get(result.key, ()) if part.is_open and only in (None, part)]
            unknown += not homes
            for part in homes:
                taken.setdefault(id(part), []).append((line, result))
        if unknown and not any(taken.values()):
            return []
        ended = [(one, part) for one, part in self.open_parts if id(part) in taken]
        for one, part in ended:
            _write(one.output(part), b"".join(line for line, _ in taken[id(part)]))
            kinds: dict[str, str] = {}
            for _, result in taken[id(part)]:
                kinds[result.key] = "answer" if kinds.get(result.key) == "answer" else result.kind
            found = list(kinds.values())
            part.answered, part.refused = found.count("answer"), found.count("refused")
            part.again, part.unknown = part.requests - part.answered - part.refused, part.unknown + unknown
            part.state, part.status = "ended", part.status or "imported"
            one.save()
            self._enter_results(one, part)
        return ended


def _results(paths: Iterable[Path]) -> Iterator[tuple[bytes, Result]]:
    for path in paths:
        try:
            data = path.read_bytes()
        except OSError as error:
            raise DatasetError(f"{path}: cannot be read: {error.strerror}", path=str(path)) from None
        lines = data.splitlines()
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            result = read_result(line)
            if result is None:
                cut = number == len(lines) and not data.endswith(b"\n")
                what = "the file is cut off here: fetch it again" if cut else "no line of a provider's results"
                raise DatasetError(f"{path}:{number}: {what}", path=str(path), line=number)
            yield line + b"\n", result


class _Draft:
    """What a run wants to ask, written as it comes: a file for each model, a further one where that is full."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: list[tuple[Part, IO[bytes]]] = []
        self._latest: dict[str, tuple[Part, IO[bytes]]] = {}
        self._keys: set[str] = set()
        shutil.rmtree(folder, ignore_errors=True)  # a process that was killed left it: nobody was asked yet

    def add(self, key: str, model: str, provider: str, digest: str, body: Mapping[str, Any]) -> None:
        if key in self._keys:
            return
        self._keys.add(key)
        text = json.dumps(body, separators=(",", ":"))
        line = f'{{"custom_id":"{key}","digest":"{digest}","bytes":{len(text)},"body":{text}}}\n'.encode()
        part, file = self._latest.get(model) or self._begin(model, provider)
        if part.requests == MOST_REQUESTS or (part.requests and file.tell() + len(line) > MOST_BYTES):
            part, file = self._begin(model, provider)
        file.write(line)
        part.requests += 1

    def _begin(self, model: str, provider: str) -> tuple[Part, IO[bytes]]:
        self._folder.mkdir(mode=0o700, exist_ok=True)
        part = Part(f"{len(self._files):03d}", model, provider, 0, "")
        self._latest[model] = part, _private(self._folder / f"requests-{part.name}.jsonl")
        self._files.append(self._latest[model])
        return self._latest[model]

    def finish(self) -> list[Part]:
        """Close the files; what was noted next begins a new draft."""
        for part, file in self._files:
            with file:
                file.seek(0)
                part.sha256 = hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]
                os.fsync(file.fileno())
        parts = [part for part, _ in self._files]
        self._files, self._latest, self._keys = [], {}, set()
        return parts

    def drop(self) -> None:
        """Leave nothing behind of what was not made a round."""
        self.finish()
        shutil.rmtree(self._folder, ignore_errors=True)
