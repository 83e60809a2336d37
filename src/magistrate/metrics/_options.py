"""Fields of a metric that keep what they are given as what it stands for, and attributes made of the metric."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

from magistrate.errors import ConfigurationError

Given = TypeVar("Given")
Kept = TypeVar("Kept")


class Option(Generic[Given, Kept]):
    """A field that takes what it is given and keeps what that stands for: `policy="strict"` is kept as the `Policy`.

    Args:
        default: What it is given by default.
        keep: Makes what is kept of (the metric, what is given); raises a ConfigurationError where that is wrong. It may
            read the metric's other fields.
    """

    def __init__(self, default: Given, keep: Callable[[Any, Given], Kept]) -> None:
        self.default = default
        self._keep = keep
        self._name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, metric: None, owner: type | None = None) -> Given: ...
    @overload
    def __get__(self, metric: object, owner: type | None = None) -> Kept: ...
    def __get__(self, metric: object | None, owner: type | None = None) -> Given | Kept:
        if metric is None:
            return self.default
        kept: dict[str, Any] = vars(metric)
        if self._name not in kept:
            kept[self._name] = self._keep(metric, kept[f"given_{self._name}"])
        return kept[self._name]  # type: ignore[no-any-return]

    def __set__(self, metric: object, given: Given) -> None:
        vars(metric)[f"given_{self._name}"] = given


class Choice(Option[Any, Any]):
    """A field that takes one of some words; the first is the default."""

    def __init__(self, *words: str) -> None:
        super().__init__(words[0], self._checked)
        self._words = words

    def _checked(self, _: Any, given: Any) -> Any:
        if given not in self._words:
            raise ConfigurationError(f"{self._name} is {' or '.join(map(repr, self._words))}, not {given!r}")
        return given


class By(Generic[Kept]):
    """What a metric has that is no option: made of the metric each time it is looked at."""

    def __init__(self, find: Callable[[Any], Kept]) -> None:
        self._find = find

    def __get__(self, metric: object | None, owner: type | None = None) -> Kept:
        return self._find(owner if metric is None else metric)
