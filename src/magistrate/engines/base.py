"""What an engine is: it schedules tasks and tries again what a dead worker left; what a task does is not its matter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

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

    def run(self, task: Task[Given, Got], workers: int) -> Iterator[Got]:
        """Yield what each call returns, as soon as it does."""
        ...

    def stop(self) -> None:
        """Ask the calls under way to end early; no further one is begun."""
        ...
