"""What decoding gives: plain values, in containers that know where they stand in the text and how they were mended."""

from enum import Enum
from typing import Any

Span = tuple[int, int]


class Gap(Enum):
    """What stands where a value should."""

    MISSING = "missing"
    """Nothing: the key has no value, the element is blank."""
    CUT = "cut"
    """A value that reaches the end of a cut text: what was read of it may not be all."""
    ELLIPSIS = "ellipsis"
    """Dots: something was left out."""


class Obj(dict[str, Any]):
    """An object.

    Attributes:
        span: Where it stands in the text.
        spans: Where the value of each key stands.
        twice: All values of a repeated key, in order; the dict itself holds the first.
        open: Whether its closing brace is missing.
    """

    __slots__ = ("open", "span", "spans", "twice")

    def __init__(self, start: int = 0) -> None:
        self.span: Span = (start, start)
        self.spans: dict[str, Span] = {}
        self.twice: dict[str, list[Any]] = {}
        self.open = True


class Arr(list[Any]):
    """An array.

    Attributes:
        span: Where it stands in the text.
        spans: Where each element stands.
        open: Whether its closing bracket is missing.
    """

    __slots__ = ("open", "span", "spans")

    def __init__(self, start: int = 0) -> None:
        self.span: Span = (start, start)
        self.spans: list[Span] = []
        self.open = True
