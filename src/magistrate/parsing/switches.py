"""Layouts, acceptance rules and groups of words can be switched off by name, to measure what each is worth."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import Final, Protocol, TypeVar
from weakref import WeakSet

T = TypeVar("T", bound=Callable[..., object])
V = TypeVar("V")
_OFF: Final[set[str]] = set()
_CACHES: Final[list[Callable[[], None]]] = []


class Forgetful(Protocol):
    """What is built from words, and can be built anew."""

    def forget(self) -> None:
        """Drop what was built."""


_BUILT: Final[WeakSet[Forgetful]] = WeakSet()
keep_in_step: Final = _BUILT.add
"""Takes what is to be built anew when something is switched off or on, for as long as it is in use."""


def is_on(name: str) -> bool:
    """Whether a part is in use: "layout:table", "rule:lead-in", "words:hedge"."""
    return name not in _OFF


def cached(function: T) -> T:
    """Keep the results of a function until something is switched off or on."""
    memory = cache(function)
    _CACHES.append(memory.cache_clear)
    return memory  # type: ignore[return-value]


def kept(build: Callable[[], V]) -> Callable[[], V]:
    """Keep what a function of no arguments builds, as `cached` does."""
    return cached(build)


def cached_for(size: int) -> Callable[[T], T]:
    """Keep the last results of a function, as `cached` does."""

    def decorate(function: T) -> T:
        memory = lru_cache(maxsize=size)(function)
        _CACHES.append(memory.cache_clear)
        return memory  # type: ignore[return-value]

    return decorate


@contextmanager
def switched_off(*names: str) -> Iterator[None]:
    """Read without these parts: for measurements in one thread, never for production.

    Args:
        names: "layout:NAME", "rule:NAME" or "words:GROUP".
    """
    fresh = set(names) - _OFF
    _OFF.update(fresh)
    _forget()
    try:
        yield
    finally:
        _OFF.difference_update(fresh)
        _forget()


def _forget() -> None:
    for clear in _CACHES:
        clear()
    for one in _BUILT:
        one.forget()
