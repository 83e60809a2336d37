"""A cluster of Ray: each call is a task of Ray Core, which retries what a dead worker or machine left.

The cluster is the one that the environment names (`RAY_ADDRESS`), with the user's own settings; without one, Ray starts
on this machine. Only calls and what they return pass through it: results are written where the run is kept, which every
machine must see.
"""

import time
from collections.abc import Iterator
from functools import partial
from operator import methodcaller
from pathlib import Path
from typing import Any

from magistrate.completion.shared_limits import ActorLimits, Keeper, Limits, result_of
from magistrate.engines.base import Given, Got, Task, calls
from magistrate.errors import MagistrateError, MissingExtraError

_TRIES = 3
_PAUSE_SECONDS = 5.0
_TASK = {"num_cpus": 1, "max_retries": 5, "scheduling_strategy": "SPREAD"}


class RayCluster:
    """Runs tasks on a Ray cluster. A call whose worker dies is made again, up to five times.

    Raises:
        MissingExtraError: If Ray is not installed.
        MagistrateError: If no cluster can be reached or started.
    """

    name = "ray"

    def __init__(self, **options: Any) -> None:
        try:
            import ray  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415 - an extra
        except ImportError:
            raise MissingExtraError.needed("--engine ray needs Ray", "ray") from None
        for left in reversed(range(_TRIES)):  # on a busy machine its start may take longer than it waits for
            try:
                ray.init(ignore_reinit_error=True, log_to_driver=False, include_dashboard=False, **options)
                break
            except Exception as error:  # noqa: BLE001 - what Ray raises here has no common root
                ray.shutdown()
                if not left:
                    raise MagistrateError(f"Ray cannot be started: {' '.join(str(error).split())[:300]}") from None
                time.sleep(_PAUSE_SECONDS)
        self._ray = ray
        self._limits = ActorLimits(ray.remote(num_cpus=0)(Keeper).remote())

    def limits(self, folder: Path) -> Limits:
        """An actor, whatever the folder; see `Engine`."""
        del folder
        return self._limits

    def run(self, task: Task[Given, Got], workers: int) -> Iterator[Got]:
        """Yield what each call returns, as soon as it does; see `Engine`."""
        function = self._ray.remote(**_TASK)(task.function)
        asked = partial(self._limits.change, methodcaller("get", "stopped"))
        for _, call in calls(lambda item: function.remote(item, asked).future(), task.items, workers, asked):
            yield result_of(call)

    def stop(self) -> None:
        """Ask the calls under way to end early; no further one is begun."""
        self._limits.change(methodcaller("update", stopped=True))
