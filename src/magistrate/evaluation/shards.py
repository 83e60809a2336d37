"""A large run in parts: each shard is an ordinary run folder, judged anywhere and at any time, and merged in order.

How the dataset is cut stands in `shards.json`, settled before the first case, the same for all who work on it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import shutil
import time
from array import array
from bisect import bisect_left
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice, pairwise
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Literal

from magistrate.case import Problem
from magistrate.errors import ConfigurationError, StoreError
from magistrate.evaluation.api import close_judge, execute, selected
from magistrate.evaluation.believing.trials import settle_from
from magistrate.evaluation.cases.answer_sources import with_answers_of
from magistrate.evaluation.cases.columns import RepeatedIds
from magistrate.evaluation.cases.dataset import Dataset, Record, nothing_read
from magistrate.evaluation.files import BUFFER, RESULTS, adapter_of, read_record, replacing, write_record
from magistrate.evaluation.plan import Plan, RunOptions, make_plan, now
from magistrate.evaluation.readers import files
from magistrate.evaluation.readers.files import SourceFile
from magistrate.evaluation.running import Stop
from magistrate.evaluation.runs.results import decode_result, encode_result
from magistrate.evaluation.runs.run import Run
from magistrate.evaluation.runs.store import RunHeader, RunState, differences, read_index, stored_results, wait_for_lock
from magistrate.judges import Judge
from magistrate.metrics.base import Metric
from magistrate.sync import run_sync

MANIFEST = "shards.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part(files.Start):
    """Rows of one file that follow one another: which of the manifest's files, the place of the first, how many."""

    file: int
    index: int
    rows: int


@dataclass(frozen=True, slots=True)
class Shard:
    """Some rows of a dataset, in order: its number (from 1), where they stand."""

    number: int
    parts: tuple[Part, ...]

    @property
    def index(self) -> int:
        """The place of its first row (from 0)."""
        return self.parts[0].index if self.parts else 0

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return sum(part.rows for part in self.parts)


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
        quick: The seed by which ten of them were chosen; None where all are taken.
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
    quick: int | None = None
    kind: Literal["magistrate-shards"] = "magistrate-shards"
    schema: Literal[1] = 1


def write_manifest(plan: Plan, count: int) -> Manifest:
    """Cut the dataset of a plan into shards and write their manifest, unless it is there: then check that it fits.

    Nobody needs to be asked: it follows from the files and the number, whoever comes first writes it, and the others
    read what that one wrote.

    Args:
        plan: The run, with its folder.
        count: How many shards.

    Raises:
        ConfigurationError: If the dataset is no file.
        DatasetError: If a file cannot be read.
        StoreError: If the folder holds shards of another configuration or number, or of files as they were before.
    """
    if plan.folder is None:
        raise ConfigurationError("shards need a folder: --run FOLDER")
    if not plan.dataset.files:
        raise ConfigurationError("only files can be cut into shards: a pipe and a bundled dataset are judged by one")
    path, wanted = plan.folder / MANIFEST, _uncut(plan)
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with NamedTemporaryFile("wb", dir=path.parent, prefix=f".{path.name}.") as draft:
            draft.write(adapter_of(Manifest).dump_json(replace(wanted, shards=_cut(plan, count)), fallback=str))
            draft.flush()
            with contextlib.suppress(FileExistsError):  # what somebody else wrote meanwhile stays
                path.hardlink_to(draft.name)
    found = read_manifest(plan.folder)
    if changed := differences(_identity(found), _identity(wanted)):
        raise StoreError(f"{plan.folder} holds shards of another configuration ({'; '.join(changed[:4])})")
    if len(found.shards) != count:
        raise StoreError(f"{plan.folder} was cut into {len(found.shards)} shards, not into {count}")
    return found


def _identity(found: Manifest) -> dict[str, Any]:
    taken = {"limit": found.limit, "quick": found.quick, "files": {file.path: asdict(file) for file in found.files}}
    return {**found.config, **taken}


def read_manifest(folder: str | Path) -> Manifest:
    """Read the manifest of a run; a StoreError if there is none, or it cannot be read."""
    path = Path(folder) / MANIFEST
    if not path.exists():
        raise StoreError(f"{folder} holds no shards: there is no {MANIFEST} in it")
    return read_record(path, Manifest, "manifest of shards that this version can read")


def _uncut(plan: Plan) -> Manifest:
    return Manifest(
        **{name: getattr(plan.header, name) for name in ("config", "created", "magistrate", "id")},
        files=tuple(map(SourceFile.of, plan.dataset.files)),
        shards=(),
        limit=plan.options.limit,
        quick=plan.options.seed if plan.options.quick else None,
    )


def _cut(plan: Plan, count: int) -> tuple[Shard, ...]:
    places = [files.RowPlaces(file, plan.dataset.format) for file in plan.dataset.files]
    rows: Sequence[int] = range(min(sum(place.rows for place in places), plan.options.limit or 1 << 62))
    if plan.options.quick:
        rows = [record.index for record in selected(plan)]
    spans = pairwise(len(rows) * number // count for number in range(count + 1))
    return tuple(Shard(number, tuple(_parts(places, rows[slice(*span)]))) for number, span in enumerate(spans, 1))


def _parts(places: list[files.RowPlaces], rows: Sequence[int]) -> Iterator[Part]:
    """Where rows of the dataset stand: those of a range follow one another, chosen ones stand alone."""
    begins = 0
    for number, place in enumerate(places):
        here = rows[bisect_left(rows, begins) : bisect_left(rows, begins + place.rows)]
        spans = [(here[0], len(here))] if here and isinstance(here, range) else [(row, 1) for row in here]
        for first, count in spans:
            yield Part(file=number, index=first, rows=count, **asdict(place.of(first - begins)))
        begins += place.rows


DONE = "DONE"
TOKEN_KEY = "token.key"  # noqa: S105 - the name of a file
_LOOK_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class ShardOutcome:
    """How a shard ended.

    Args:
        number: Its number, from 1.
        state: As that of a run; only a complete shard is done.
        rows: Rows with a result.
        message: What ended it, where it did not complete.
        seconds: How long it took; 0 where it was done before.
    """

    number: int
    state: RunState
    rows: int
    message: str | None = None
    seconds: float = 0.0


def shard_folder(run: str | Path, number: int) -> Path:
    """The folder of a shard: an ordinary run."""
    return Path(run) / "shards" / f"{number:06d}"


def judge_shard(
    run: str | Path,
    number: int,
    metrics: Sequence[Metric] | None = None,
    judge: Judge | str | Callable[[Path], Judge] | None = None,
    *,
    options: RunOptions | None = None,
    stopped: Callable[[], bool] | None = None,
) -> ShardOutcome:
    """Judge one shard of a run whose manifest is written (`write_manifest`), or go on with it.

    Args:
        run: The run's folder, which all who work on it see.
        number: Which shard, from 1.
        metrics: As for `evaluate`; the same for every shard.
        judge: As for `evaluate`; or a function that makes one, given the folder in which to keep completions.
        options: As for `evaluate`, but where the run is kept.
        stopped: Asked now and then whether to end: then the cases that were begun are finished, and no more are begun.

    Returns:
        How it ended. `state` is "complete" only where every case was judged.

    Raises:
        ConfigurationError: If there is no such shard, or something does not fit together.
        DatasetError: If a file was changed since the shards were cut.
        StoreError: If there is no manifest, or the run is of another configuration.
    """
    manifest = read_manifest(run)
    if not 1 <= number <= len(manifest.shards):
        raise ConfigurationError(f"there is no shard {number}: the run has {len(manifest.shards)}")
    shard = manifest.shards[number - 1]
    folder = shard_folder(run, number)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    wait_for_lock(folder)  # a worker whose driver was killed finishes what it has begun
    if (done := _done(folder)) is not None:
        return done
    started = time.monotonic()
    with contextlib.suppress(FileNotFoundError):  # requests of all shards carry the same tokens
        if not (folder / TOKEN_KEY).exists():
            shutil.copy(Path(run) / TOKEN_KEY, folder / TOKEN_KEY)
    made: Any = judge(folder) if callable(judge) and not hasattr(judge, "name") else judge
    settle_from(made, Path(run))
    options = replace(options or RunOptions(), run=folder, resume=(folder / RESULTS).exists(), limit=None)
    options = replace(options, quick=manifest.quick is not None)
    dataset: Dataset = _ShardDataset(manifest, shard, options)
    if (system := manifest.config["dataset"].get("system")) is not None:
        dataset = with_answers_of(dataset, system)
    plan = make_plan(dataset, metrics, made, options)
    if changed := differences(manifest.config, {**plan.header.config, "dataset": manifest.config["dataset"]}):
        raise StoreError(f"{run} is a run of another configuration ({'; '.join(changed[:4])})")
    config = {**manifest.config, "shard": f"{number}/{len(manifest.shards)}"}
    plan = replace(plan, header=replace(plan.header, config=config))
    stop = Stop()

    async def work() -> int:
        watching = asyncio.ensure_future(_watch(stop, stopped))
        try:
            return len(await execute(plan, stop))
        finally:
            watching.cancel()
            if not plan.owns_judge and made is not judge:
                await close_judge(plan.judge)

    rows = run_sync(work())
    outcome = ShardOutcome(number, stop.state, rows, stop.reason or None, time.monotonic() - started)
    stop.check()
    if outcome.state == "complete":
        write_record(folder / DONE, outcome)
    return outcome


def _done(folder: Path) -> ShardOutcome | None:
    with contextlib.suppress(StoreError):
        return replace(read_record(folder / DONE, ShardOutcome, "shard"), seconds=0.0)
    return None


async def _watch(stop: Stop, stopped: Callable[[], bool] | None) -> None:
    while stopped is not None and not stop.requested:
        await asyncio.sleep(_LOOK_SECONDS)
        if stopped():
            stop.interrupt()


class _ShardDataset(Dataset):
    """The cases of a shard: their places are counted within it, their ids and rows within the whole."""

    is_pipe = False

    def __init__(self, manifest: Manifest, shard: Shard, options: RunOptions) -> None:
        super().__init__([], format=options.format, mapping=options.mapping)
        self._objects = None
        self.files = tuple(manifest.files[part.file].check() for part in shard.parts)
        self.path = next(iter(self.files), None)
        self.name = str(manifest.config["dataset"]["name"])
        self._shard = shard

    def size_hint(self) -> int:
        return self._shard.rows

    def check_mapping(self) -> None:
        """Nothing: the manifest was written of a dataset that was checked as a whole."""

    def missing_columns(self) -> tuple[list[str], list[str]]:
        return [], []

    def __iter__(self) -> Generator[Record, None, None]:
        for file, part in zip(self.files, self._shard.parts, strict=True):
            with contextlib.closing(self.records_of(file, part.index, part)) as rows:
                for record in islice(rows, part.rows):
                    yield replace(record, index=record.index - self._shard.index)


def states(run: str | Path, manifest: Manifest) -> dict[int, Any]:
    """Number of each shard -> its outcome, None where it is not done."""
    return {shard.number: _done(shard_folder(run, shard.number)) for shard in manifest.shards}


_TEXT = rb'"([^"\\]*+(?:\\.[^"\\]*+)*+)"'
_CASE = re.compile(
    rb'\{"type":"case","final":(?:true|false),"index":(\d+)(?:,"fingerprint":"\w*","case":\{"id":%b'
    rb'(?:,"question":%b)?+(,"answer":"[^"]|,"contexts":\[)?)?' % (_TEXT, _TEXT)
)
"""The place of a case, its id, its question, and the beginning of what is judged of it."""


def merge(run: str | Path, *, partly: bool = False) -> Run:
    """Put the results of all shards into one run in the run's folder, in the order of the dataset.

    What only the whole knows is done here: an id that two shards have is a problem of the later row.

    Args:
        run: The run's folder.
        partly: Whether to merge also where shards are not done; then the run is "interrupted".

    Raises:
        StoreError: If there is no manifest, a shard is not done, or a folder cannot be read or written.
    """
    root, manifest = Path(run), read_manifest(run)
    missing = [number for number, outcome in states(root, manifest).items() if outcome is None]
    if missing and not partly:
        raise StoreError(
            f"{root}: {len(missing)} of {len(manifest.shards)} shards are not done, the first of them shard "
            f"{missing[0]}: go on with them, then merge"
        )
    state: RunState = "interrupted" if missing else "complete"
    header = RunHeader(config=manifest.config, magistrate=manifest.magistrate, created=manifest.created, id=manifest.id)
    offsets = array("q")
    with replacing(root / RESULTS) as file:
        size = file.write(json.dumps({"type": "run", **asdict(header)}, default=str).encode() + b"\n")
        for line in _lines(root, manifest):
            offsets.append(size)
            size += file.write(line)
        end = {"type": "end", "state": state, "message": None, "rows": None, "ended": now()}
        file.write(json.dumps(end).encode() + b"\n")
    results = stored_results(root / RESULTS, offsets)
    return Run(results, header, state=state, path=root)


def _lines(root: Path, manifest: Manifest) -> Iterator[bytes]:
    """The lines of all cases in order, each under its place in the whole."""
    ids = RepeatedIds()
    name = str(manifest.config["dataset"]["name"])
    bare = manifest.config.get("store_text") is False
    for shard in manifest.shards:
        path = shard_folder(root, shard.number) / RESULTS
        if not path.exists():
            continue
        with path.open("rb", BUFFER) as file:
            for offset in read_index(path).order():
                file.seek(offset)
                line = file.readline()
                if found := _CASE.match(line):
                    index, coded, _, judged = found.groups()
                    place = int(index) + shard.index
                    if shard.index:
                        line = line.replace(index, b"%d" % place, 1)
                    if coded is not None and (judged or not nothing_read(decode_result(line))):
                        line = _with_repeated_id(line, coded, place + 1, ids, name, bare=bare)
                yield line


def _with_repeated_id(line: bytes, coded: bytes, place: int, ids: RepeatedIds, source: str, *, bare: bool) -> bytes:
    """The line of a case, with a problem where an earlier case has its id; without words where no text is kept."""
    case_id = coded.decode() if b"\\" not in coded else json.loads(b'"' + coded + b'"')
    if (problem := ids.problem(case_id, place, source, None)) is None:
        return line
    result = decode_result(line)
    problem = Problem(message="", line=result.line, row=place) if bare else replace(problem, line=result.line)
    changed = replace(result, problems=(*result.problems, problem))
    return line[: line.index(b'"index"')] + encode_result(changed)[1:] + b"\n"
