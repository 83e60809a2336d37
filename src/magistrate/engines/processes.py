"""What an engine is, and the one of this machine: processes that are spawned, as a fork would share locks."""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from magistrate.completion.shared_limits import Limits, LimitsFile
from magistrate.errors import MagistrateError

Given = TypeVar("Given")
Got = TypeVar("Got")


@dataclass(frozen=True, slots=True)
class Task(Generic[Given, Got]):
    """A function that workers call, once for each item, again where a worker died meanwhile."""

    function: Callable[[Given, Callable[[], bool]], Got]
    items: Sequence[Given]


class Engine(Protocol):
    """Carries out the calls of a task, several at a time, in no particular order."""

    name: str

    def limits(self, folder: Path) -> Limits:
        """Where its workers keep limits together, as nothing was used of them."""
        ...

    def run(self, task: Task[Given, Got], workers: int) -> Iterator[Got]:
        """Yield what each call returns, as soon as it does."""
        ...

    def stop(self) -> None:
        """Ask the calls under way to end early; no further one is begun."""
        ...


_MOST_LOSSES = 20
"""Workers that may die in a row, with no call coming to its end between: then something kills them all."""

_state: dict[str, Any] = {}


class Processes:
    """Runs tasks in processes of this machine. A call whose process dies is made again."""

    name = "processes"

    def __init__(self) -> None:
        self._context = get_context("spawn")
        self._stopped = self._context.Event()

    def limits(self, folder: Path) -> Limits:
        """A file in the folder of the run; see `Engine`."""
        kept = LimitsFile(folder / "limits.json")
        kept.change(dict.clear)
        return kept

    def run(self, task: Task[Given, Got], workers: int) -> Iterator[Got]:
        """Yield what each call returns, as soon as it does; see `Engine`."""
        left, losses = list(task.items), 0
        while left and not self._stopped.is_set():
            with ProcessPoolExecutor(workers, self._context, _begin, (self._stopped, os.getpid())) as pool:
                calls: dict[Future[Got], Given] = {}
                try:
                    queue = iter(tuple(left))
                    while True:
                        for item in queue if not self._stopped.is_set() else ():
                            calls[pool.submit(_call, task.function, item)] = item
                            if len(calls) == workers:
                                break
                        if not calls:
                            return
                        done, _ = wait(calls, timeout=1.0, return_when=FIRST_COMPLETED)
                        for call in done:
                            result = call.result()
                            left.remove(calls.pop(call))
                            losses = 0
                            yield result
                except BrokenProcessPool:
                    losses += 1
                    if losses > _MOST_LOSSES:
                        raise MagistrateError(
                            "workers die again and again: is the memory of the machine full?"
                        ) from None
                except BaseException:
                    self.stop()
                    raise

    def stop(self) -> None:
        """Ask the calls under way to end early; no further one is begun."""
        self._stopped.set()


def _begin(stopped: Any, parent: int) -> None:
    """Begin a worker: Ctrl-C is for the process that has the others, which says so to them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(50_000)  # as in `magistrate.cli.main`
    _state.update(stopped=stopped, parent=parent, busy=threading.Lock())
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End when the process that has the workers is gone, killed maybe, and the call under way has ended."""
    if (parent := parent_process()) is not None:
        parent.join()
        with _state["busy"]:
            os._exit(1)


def _call(function: Any, item: Any) -> Any:
    with _state["busy"]:
        return function(item, _asked_to_end)


def _asked_to_end() -> bool:
    """Whether the calls are to end: they were asked to, or nobody waits for them any more."""
    return bool(_state["stopped"].is_set()) or os.getppid() != _state["parent"]
