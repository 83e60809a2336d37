"""A cluster of Ray: each call is a task of Ray Core, which retries what a dead worker or machine left.

The cluster is the one that the environment names (`RAY_ADDRESS`), with the user's own settings; without one, Ray starts
on this machine. Only calls and what they return pass through it: results are written where the run is kept, which every
machine must see.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from magistrate.completion.shared_limits import Found, Limits, State
from magistrate.engines.processes import Given, Got, Task
from magistrate.errors import MagistrateError, MissingExtraError

_TRIES = 3
_RETRIES = 5
_PAUSE_SECONDS = 5.0


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
        self._ray = ray
        self._stopped = False
        for attempt in range(_TRIES):  # on a busy machine its start may take longer than it waits for
            try:
                ray.init(ignore_reinit_error=True, log_to_driver=False, include_dashboard=False, **options)
            except Exception as error:  # noqa: BLE001 - what Ray raises here has no common root
                ray.shutdown()
                if attempt == _TRIES - 1:
                    raise MagistrateError(f"Ray cannot be started: {' '.join(str(error).split())[:300]}") from None
                time.sleep(_PAUSE_SECONDS)
            else:
                return

    def limits(self, folder: Path) -> Limits:
        """An actor, whatever the folder; see `Engine`."""
        del folder
        name = f"magistrate-limits-{secrets.token_hex(8)}"
        self._keeper = self._ray.remote(num_cpus=0)(_Keeper).options(name=name).remote()
        return ActorLimits(name)

    def run(self, task: Task[Given, Got], workers: int) -> Iterator[Got]:
        """Yield what each call returns, as soon as it does; see `Engine`."""
        call = self._ray.remote(num_cpus=1, max_retries=_RETRIES, scheduling_strategy="SPREAD")(task.function)
        left = iter(task.items)
        pending: list[Any] = []
        while not self._stopped:
            for item in left:
                pending.append(call.remote(item, bool))  # which is always false: a task is cancelled instead
                if len(pending) == workers:
                    break
            if not pending:
                return
            done, pending = self._ray.wait(pending, num_returns=1, timeout=1.0)
            for one in done:
                yield self._ray.get(one)
        for one in pending:
            self._ray.cancel(one)

    def stop(self) -> None:
        """Begin no further call, and cancel those under way: what they have written stays."""
        self._stopped = True


class _Keeper:
    """The actor: one call at a time changes what it keeps."""

    def __init__(self) -> None:
        self._state: State = {}

    def change(self, do: Callable[[State], Any]) -> Any:
        return do(self._state)


@dataclass(frozen=True, slots=True)
class ActorLimits:
    """Limits that a named actor keeps for all machines; see `Limits`."""

    name: str

    def change(self, do: Callable[[State], Found], /) -> Found:
        """Have the actor change what it keeps, by its own clock."""
        import ray  # noqa: PLC0415 - an extra

        try:
            found: Found = ray.get(_keeper(self.name).change.remote(do))
        except ray.exceptions.RayTaskError as error:
            raise error.cause from None
        return found


@cache
def _keeper(name: str) -> Any:
    import ray  # noqa: PLC0415 - an extra

    return ray.get_actor(name)
