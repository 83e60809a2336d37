"""One run of the shards of a run: their results in the order of the dataset."""

from __future__ import annotations

import json
import os
import re
from array import array
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

from magistrate.errors import StoreError
from magistrate.evaluation.cases.dataset_checks import RepeatedIds
from magistrate.evaluation.plan import now
from magistrate.evaluation.problems import Problem
from magistrate.evaluation.runs.results import decode_result, encode_result
from magistrate.evaluation.runs.run import Run
from magistrate.evaluation.runs.store import RESULTS, RunHeader, State, StoredResults, read_index
from magistrate.evaluation.shards.manifest import Manifest, read_manifest
from magistrate.evaluation.shards.working import shard_folder, states

_CASE = re.compile(
    rb'(\{"type":"case","final":(?:true|false),"index":)(\d+)(,"fingerprint":"\w*","case":\{"id":"((?:[^"\\]++|\\.)*+)")?'
)


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
    state: State = "interrupted" if missing else "complete"
    header = RunHeader(config=manifest.config, magistrate=manifest.magistrate, created=manifest.created, id=manifest.id)
    offsets = array("q")
    draft = root / f".{RESULTS}.{os.getpid()}"
    try:
        with os.fdopen(os.open(draft, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "wb") as file:
            size = file.write(json.dumps({"type": "run", **asdict(header)}, default=str).encode() + b"\n")
            for line in _lines(root, manifest):
                offsets.append(size)
                size += file.write(line)
            end = {"type": "end", "state": state, "message": None, "rows": None, "ended": now()}
            file.write(json.dumps(end).encode() + b"\n")
        draft.replace(root / RESULTS)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise StoreError(f"{root}: cannot be written: {error.strerror or error}") from None
    results = StoredResults(root / RESULTS, offsets)
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
        with path.open("rb") as file:
            ended = 0
            for offset in read_index(path).order():
                if offset != ended:
                    file.seek(offset)
                line = file.readline()
                ended = offset + len(line)
                if found := _CASE.match(line):
                    place = int(found[2]) + shard.index
                    if shard.index:
                        line = b"%b%d%b" % (found[1], place, line[found.end(2) :])
                    if found[4] is not None:
                        line = _with_repeated_id(line, found[4], place + 1, ids, name, bare=bare)
                yield line


def _with_repeated_id(line: bytes, coded: bytes, place: int, ids: RepeatedIds, source: str, *, bare: bool) -> bytes:
    """The line of a case, with a problem where an earlier case has its id; without words where no text is kept."""
    if b'"blocking":true' in line:
        result = decode_result(_result_of(line))
        if any(one.blocking for one in result.problems) and not result.case.answer and not result.case.contexts:
            return line  # nothing could be read of it: its id is made up
    case_id = coded.decode() if b"\\" not in coded else json.loads(b'"' + coded + b'"')
    if ids.first_row(case_id, place) == place:
        return line
    result = decode_result(_result_of(line))
    problem = ids.problem(case_id, place, source, result.line)
    if bare or problem is None:
        problem = Problem(message="", line=result.line, row=place)
    changed = replace(result, problems=(*result.problems, problem))
    return line[: line.index(b'"index"')] + encode_result(changed)[1:] + b"\n"


def _result_of(line: bytes) -> bytes:
    return b"{" + line[line.index(b'"index"') :]
