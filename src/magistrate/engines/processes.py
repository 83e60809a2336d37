"""Processes of this machine. They are spawned, as a fork would share locks."""

import gc
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import RawValue, get_context, parent_process
from pathlib import Path
from typing import Any, cast

from magistrate.completion.shared_limits import Limits, LimitsFile
from magistrate.engines.base import Given, Got, Task, calls
from magistrate.errors import MagistrateError

_MOST_LOSSES = 20
"""Workers that may die in a row, with no call coming to its end between: then something kills them all."""

_here: dict[str, Any] = {"busy": threading.Lock()}


class Processes:
    """Runs tasks in processes of this machine. A call whose process dies is made again."""

    name = "processes"

    def __init__(self) -> None:
        self._stopped = RawValue("b")  # without a lock, which a process that is killed could hold

    def limits(self, folder: Path) -> Limits:
        """A file in the folder of the run; see `Engine`."""
        return LimitsFile(folder / "limits.json")

    def run(self, task: Task[Given, Got], workers: int) -> Iterator[Got]:
        """Yield what each call returns, as soon as it does; see `Engine`."""
        left, losses = list(task.items), 0
        while left and not self._stopped.value:
            with ProcessPoolExecutor(workers, get_context("spawn"), _begin, (self._stopped,)) as pool:
                begin = partial(cast("Any", pool.submit), _call, task.function)
                try:
                    for item, call in calls(begin, tuple(left), workers, lambda: self._stopped.value):
                        yield call.result()
                        left.remove(item)
                        losses = 0
                except BrokenProcessPool:
                    if (losses := losses + 1) > _MOST_LOSSES:
                        raise MagistrateError("workers die again and again: is the machine's memory full?") from None
                except BaseException:
                    self.stop()
                    raise

    def stop(self) -> None:
        """Ask the calls under way to end early; no further one is begun."""
        self._stopped.value = True


def _begin(stopped: Any) -> None:
    """Begin a worker: Ctrl-C is for the process that has the others, which says so to them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(50_000)  # as in `magistrate.cli.main`
    _here["stopped"] = stopped
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End when the process that has the workers is gone, killed maybe, and the call under way has ended."""
    parent_process().join()  # type: ignore[union-attr]  # a worker has one
    _here["stopped"].value = True
    with _here["busy"]:
        os._exit(1)


def _call(function: Any, item: Any) -> Any:
    with _here["busy"]:
        return function(item, lambda: bool(_here["stopped"].value))
