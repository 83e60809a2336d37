"""Change modules in one place at a time, and see whether the tests notice: `python -m fuzz.mutants [MODULE...]`."""

from __future__ import annotations

import argparse
import hashlib
import json
import pickle
import random
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import pytest

import magistrate
from fuzz.mutants.changes import Mutant, mutants_of
from fuzz.mutants.live import fits, import_again, load, put, used_at_import
from fuzz.mutants.suite import Reach, Verdict, baseline, judge, measure, with_tests

_ROOT = Path(__file__).parent.parent.parent
_PACKAGE = Path(magistrate.__file__).parent
_ROOMS = ("parsing", "scoring")
_UNREACHED = Verdict(False, "no test reaches it")

Known = dict[tuple[Any, ...], Mapping[str, Any]]
"""What became of mutants in an earlier run."""


def _modules(asked: Sequence[str]) -> list[str]:
    """The dotted names that were asked for, rooms taken apart.

    Raises:
        SystemExit: If there is no such module.
    """
    found: list[str] = []
    for name in asked or _ROOMS:
        path = _PACKAGE / name.replace(".", "/")
        if path.is_dir():
            found += [f"{name}.{one.stem}" for one in sorted(path.glob("*.py")) if one.stem != "__init__"]
        elif path.with_suffix(".py").is_file():
            found.append(name)
        else:
            raise SystemExit(f"no module {name!r}: name them as parsing.align, scoring.score, or a whole room")
    return found


def _function_key(mutant: Mutant) -> tuple[Any, ...]:
    return (hashlib.sha256(mutant.function.encode()).hexdigest()[:12], *mutant.key)


def _known(path: Path) -> Known:
    if not path.is_file():
        return {}
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {(one["source"], one["function"], one["kind"], one["was"], one["nth"]): one for one in records}


def _record(mutant: Mutant, verdict: Verdict) -> dict[str, Any]:
    source, function, kind, was, nth = _function_key(mutant)
    told = {"killed": verdict.killed, "by": verdict.by, "all_run": verdict.all_run}
    return {"line": mutant.line, "function": function, "kind": kind, "was": was, "nth": nth, **told, "source": source}


def _try_module(name: str, items: list[pytest.Item], reach: Reach, asked: argparse.Namespace) -> Counter[str]:
    """Judge the mutants of one module, write down what became of each, and count."""
    module, source = load(name)
    filename = str(module.__file__)
    used = used_at_import(source)
    own = f"test_{name.rpartition('.')[2]}"
    again = frozenset[str]()
    if used:
        some = reach.order(items, name, (1, source.count("\n") + 1), own)[:200]
        again = used if baseline(items, some, lambda: import_again(module, source)) else again
    path = asked.build / f"{name}.jsonl"
    known = _known(path) if asked.again or asked.changed else {}
    mutants = [one for one in mutants_of(source, filename) if fits(module, one.path, one.code)]
    if asked.sample and len(mutants) > asked.sample:
        mutants = random.Random(name).sample(mutants, asked.sample)  # noqa: S311 - no secret
    counts: Counter[str] = Counter(all=len(mutants))
    with path.with_suffix(".new").open("w", encoding="utf-8") as file:
        for mutant in mutants:
            earlier = known.get(_function_key(mutant))
            if earlier is not None and (earlier["killed"] or asked.changed):
                verdict = Verdict(earlier["killed"], earlier["by"], earlier["all_run"])
            else:

                def change(mutant: Mutant = mutant) -> None:
                    put(module, mutant.path, mutant.code)
                    if mutant.path[0] in again:
                        import_again(module, source)

                lines = (1, source.count("\n") + 1) if mutant.path[0] in again else mutant.lines
                order = reach.order(items, name, lines, own)
                verdict = judge(items, order, reach, change, asked.patience) if order else _UNREACHED
            counts["killed" if verdict.killed else "survived"] += 1
            counts["unreached"] += verdict.by == _UNREACHED.by
            file.write(json.dumps(_record(mutant, verdict), ensure_ascii=False) + "\n")
            file.flush()
            if asked.survivors and not verdict.killed:
                print(f"  {name}:{mutant.line} {mutant.kind}: {mutant.was}")
    path.with_suffix(".new").replace(path)
    return counts


def _measured(items: list[pytest.Item], rooms: Sequence[str], build: Path) -> Reach:
    """What each test reaches; kept, as long as no file of the package and of the tests changes."""
    digest = hashlib.sha256(repr([item.nodeid for item in items]).encode())
    for folder in (_PACKAGE, _ROOT / "tests"):
        for path in sorted(folder.rglob("*.*")):
            if path.is_file() and path.suffix != ".pyc":
                digest.update(path.read_bytes())
    kept = build / f"{'-'.join(rooms)}.reach"
    if kept.is_file():
        known, reach = cast("tuple[str, Reach]", pickle.loads(kept.read_bytes()))  # noqa: S301 - our own
        if known == digest.hexdigest():
            return reach
    reach = measure(items, _PACKAGE, rooms)
    kept.write_bytes(pickle.dumps((digest.hexdigest(), reach)))
    return reach


def main() -> int:
    """Judge the mutants of the modules, and print how many the tests notice."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.mutants", description=__doc__)
    parser.add_argument(
        "modules", nargs="*", metavar="MODULE", help=f"a module or a room (default: {', '.join(_ROOMS)})"
    )
    parser.add_argument("--again", action="store_true", help="only what survived the last run, or has changed since")
    parser.add_argument("--changed", action="store_true", help="only what has changed since the last run, or is new")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="at most N mutants of each module")
    parser.add_argument(
        "--patience", type=float, default=5.0, help="seconds of processor time for one mutant's tests (default 5)"
    )
    parser.add_argument("--tests", nargs="+", default=[], metavar="PATH", help="these tests, not all of the rooms'")
    parser.add_argument("--survivors", action="store_true", help="print each mutant that no test notices")
    parser.add_argument("--build", type=Path, default=_ROOT / "build" / "mutants", help="where the results go")
    asked = parser.parse_args()
    asked.build.mkdir(parents=True, exist_ok=True)
    modules = _modules(asked.modules)
    rooms = sorted({name.partition(".")[0] for name in modules})
    sums: Counter[str] = Counter()

    def task(items: list[pytest.Item]) -> None:
        began = time.monotonic()
        reach = _measured(items, rooms, asked.build)
        print(f"{len(items)} tests, measured in {time.monotonic() - began:.0f} s")
        print(f"{'module':<28}{'mutants':>8}{'killed':>8}{'':>8}{'unreached':>11}{'seconds':>9}", flush=True)
        for name in modules:
            began = time.monotonic()
            counts = _try_module(name, items, reach, asked)
            sums.update(counts)
            print(_line(name, counts, time.monotonic() - began), flush=True)

    with_tests(asked.tests or [str(_ROOT / "tests" / room) for room in rooms], task)
    print(_line("all", sums, 0.0))
    return 0


def _line(name: str, counts: Counter[str], seconds: float) -> str:
    every, killed = counts["all"], counts["killed"]
    share = killed / every if every else 1.0
    return f"{name:<28}{every:>8}{killed:>8}{share:>8.1%}{counts['unreached']:>11}{seconds:>9.0f}"


if __name__ == "__main__":
    sys.exit(main())
