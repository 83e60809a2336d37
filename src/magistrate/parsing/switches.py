"""Layouts, acceptance rules and groups of words can be switched off by name, to measure what each is worth."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import Final, TypeVar

T = TypeVar("T", bound=Callable[..., object])
_OFF: Final[set[str]] = set()
_CACHES: Final[list[Callable[[], None]]] = []


def is_on(name: str) -> bool:
    """Whether a part is in use: "layout:table", "rule:lead-in", "words:hedge"."""
    return name not in _OFF


on_switch: Final = _CACHES.append
"""Takes a function that is to be called when something is switched off or on."""


def cached(function: T) -> T:
    """Keep the results of a function until something is switched off or on."""
    kept = cache(function)
    on_switch(kept.cache_clear)
    return kept  # type: ignore[return-value]


def cached_for(size: int) -> Callable[[T], T]:
    """Keep the last results of a function, as `cached` does."""

    def decorate(function: T) -> T:
        kept = lru_cache(maxsize=size)(function)
        on_switch(kept.cache_clear)
        return kept  # type: ignore[return-value]

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
