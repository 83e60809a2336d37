"""The tests, collected once by pytest: which of them reach a line, and whether one of them notices a change."""

from __future__ import annotations

import gc
import os
import pickle
import resource
import signal
import time
import traceback
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import coverage
import pytest
from _pytest.runner import runtestprotocol

from fuzz.mutants.live import forget

__all__ = ["Reach", "Verdict", "baseline", "judge", "measure", "with_tests"]

_NOTICED, _SLOW, _NO_TIME = 10, 11, 12
_SHORT = 0.3
"""Seconds: tests that take longer come last."""
_WHOLE = "test_readings"
"""The file of tests that compare everything: it notices most."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a mutant.

    Args:
        killed: Whether the tests notice it.
        by: The test that failed, "too slow", "crash", or "" where none did.
        all_run: Whether every test that reaches the change was run, or the time was up.
    """

    killed: bool
    by: str = ""
    all_run: bool = True


@dataclass(slots=True)
class Reach:
    """Which tests run a line, and how long each takes.

    Args:
        tests: File in the package -> line -> numbers of the tests.
        seconds: Processor time of each test.
    """

    tests: dict[str, dict[int, Sequence[int]]]
    seconds: list[float]
    recent: list[int] = field(default_factory=list)

    def order(self, items: Sequence[pytest.Item], module: str, lines: tuple[int, int], own: str) -> list[int]:
        """The tests that reach some lines of a module: the last finders first, then by file and time."""
        known = self.tests.get(f"{module.replace('.', '/')}.py", {})
        found = {test for line in range(lines[0], lines[1] + 1) for test in known.get(line, ())}
        first = {test: at for at, test in enumerate(self.recent)}

        def rank(test: int) -> tuple[bool, bool, int, int, float]:
            seconds = self.seconds[test]
            name = items[test].path.stem
            file = 0 if name == own or name.startswith(f"{own}_") else 1 if name == _WHOLE else 2
            place = -test if file == 1 else seconds  # the newest reading first: it was added for what the others miss
            return (seconds > _SHORT, test not in first, first.get(test, 0), file, place)

        return sorted(found, key=rank)

    def killed_by(self, test: int) -> None:
        """Remember a test that found a mutant: it may well find the next one."""
        if test in self.recent:
            self.recent.remove(test)
        self.recent.insert(0, test)
        del self.recent[40:]


class _Loop:
    """A pytest plugin that hands the collected tests to a function, and runs none itself."""

    def __init__(self, task: Callable[[list[pytest.Item]], None]) -> None:
        self.task = task

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            raise SystemExit("the tests cannot be collected")
        forget()  # finds the caches, here and not in every copy
        self.task(session.items)
        return True


def with_tests(paths: Sequence[str], task: Callable[[list[pytest.Item]], None]) -> None:
    """Collect tests, and call a function with them."""
    options = ["-q", "-s", "--no-header", "--no-summary", "--assert=plain", "--tb=no", "-p", "no:cacheprovider"]
    code = pytest.main(
        [*options, "-p", "no:randomly", "--ignore-glob=*test_properties_*", *paths], plugins=[_Loop(task)]
    )
    if code not in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}:
        raise SystemExit(f"pytest ended with {code!r}")


def _in_a_copy(task: Callable[[int], None], *, quiet: bool = True) -> tuple[int, bytes]:
    """Run a function in a copy of this process; its exit status, and what it wrote to the pipe it is given."""
    reading, writing = os.pipe()
    gc.freeze()
    copy = os.fork()
    if copy == 0:
        os.close(reading)
        if quiet:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1)
            os.dup2(nowhere, 2)
        try:
            task(writing)
        except BaseException:  # noqa: BLE001 - whatever it is, a test would have shown it
            traceback.print_exc()
            os._exit(_NOTICED)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    return os.waitpid(copy, 0)[1], told


def _passes(item: pytest.Item, following: pytest.Item | None) -> bool:
    reports = runtestprotocol(item, log=False, nextitem=following)
    return not any(report.failed for report in reports)


def measure(items: Sequence[pytest.Item], package: Path, rooms: Sequence[str]) -> Reach:
    """Run each test once, and note the lines that it reaches in some rooms of the package.

    Raises:
        SystemExit: If a test fails before anything was changed.
    """

    def task(pipe: int) -> None:
        folders = [f"{package / room}/*" for room in rooms]
        tracer = coverage.Coverage(data_file=None, config_file=False, include=folders)
        seconds = []
        failed = ""
        tracer.start()
        for at, item in enumerate(items):
            forget()
            tracer.switch_context(str(at))
            began = time.process_time()
            if not _passes(item, None if at + 1 == len(items) else items[at + 1]):
                failed = item.nodeid
                break
            seconds.append(time.process_time() - began)
        tracer.stop()
        data = tracer.get_data()
        tests = {
            str(Path(name).relative_to(package)): {
                line: array("H", sorted(int(one) for one in names if one))
                for line, names in data.contexts_by_lineno(name).items()
            }
            for name in data.measured_files()
        }
        with os.fdopen(pipe, "wb") as file:
            pickle.dump((failed, tests, seconds), file)

    _, told = _in_a_copy(task, quiet=False)
    failed, tests, seconds = pickle.loads(told)  # noqa: S301 - our own
    if failed:
        raise SystemExit(f"fails without any change: {failed}")
    return Reach(tests, seconds)


def judge(
    items: Sequence[pytest.Item], order: Sequence[int], reach: Reach, change: Callable[[], None], patience: float
) -> Verdict:
    """Make a change in a copy of this process, and run tests there until one fails.

    Args:
        items: All tests.
        order: Numbers of those to run.
        reach: How long each takes; the one that fails is remembered there.
        change: Makes the change.
        patience: Seconds of processor time after which no further test is begun.
    """

    def task(pipe: int) -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (int(patience) + 60, int(patience) + 60))
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        signal.signal(signal.SIGPROF, lambda *_: os._exit(_SLOW))
        change()
        forget()
        began = time.process_time()
        for at, number in enumerate(order):
            if time.process_time() - began > patience:
                os._exit(_NO_TIME)
            os.write(pipe, number.to_bytes(4, "big"))
            signal.setitimer(signal.ITIMER_PROF, max(2.0, 30 * reach.seconds[number]))
            following = items[order[at + 1]] if at + 1 < len(order) else None
            if not _passes(items[number], following):
                os._exit(_NOTICED)

    status, told = _in_a_copy(task)
    last = int.from_bytes(told[-4:], "big") if told else None
    code = os.waitstatus_to_exitcode(status)
    if code in {0, _NO_TIME}:
        return Verdict(False, all_run=code == 0)
    if code == _NOTICED and last is not None:
        reach.killed_by(last)
        return Verdict(True, items[last].nodeid)
    return Verdict(True, "too slow" if code == _SLOW else "crash")


def baseline(items: Sequence[pytest.Item], order: Sequence[int], change: Callable[[], None]) -> bool:
    """Whether tests pass after something that should change nothing."""

    def task(_pipe: int) -> None:
        change()
        forget()
        for number in order:
            if not _passes(items[number], None):
                os._exit(_NOTICED)

    return _in_a_copy(task)[0] == 0
