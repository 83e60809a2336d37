"""What an engine is, and what all of them do: keep as many calls under way as there are workers."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from magistrate.completion.shared_limits import Limits

Given = TypeVar("Given")
Got = TypeVar("Got")


@dataclass(frozen=True, slots=True)
class Task(Generic[Given, Got]):
    """A function that workers call, once for each item, again where a worker died meanwhile.

    It is given the item and what tells, when it is called, whether to end early.
    """

    function: Callable[[Given, Callable[[], bool]], Got]
    items: Sequence[Given]


class Engine(Protocol):
    """Carries out the calls of a task, several at a time, in no particular order."""

    name: str

    def limits(self, folder: Path) -> Limits:
        """Where its workers keep limits together."""
        ...

    def run(self, task: Task[Given, Got], workers: int) -> Iterator[Got]:
        """Yield what each call returns, as soon as it does."""
        ...

    def stop(self) -> None:
        """Ask the calls under way to end early; no further one is begun."""
        ...


def calls(
    begin: Callable[[Given], Future[Got]], items: Iterable[Given], workers: int, stopped: Callable[[], Any]
) -> Iterator[tuple[Given, Future[Got]]]:
    """Begin a call for each item, until it is to stop, so many at a time; yield each with its item as it ends."""
    left, under_way = iter(items), dict[Future[Got], Given]()
    while True:
        room = 0 if stopped() else workers - len(under_way)
        under_way.update((begin(item), item) for item in islice(left, room))
        if not under_way:
            return
        done, _ = wait(under_way, timeout=1.0, return_when=FIRST_COMPLETED)
        for call in done:
            yield under_way.pop(call), call
