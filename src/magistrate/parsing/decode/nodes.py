"""What decoding gives: plain values, in containers that know where they stand in the text and how they were mended."""

from enum import Enum
from typing import Any

Span = tuple[int, int]


class Gap(Enum):
    """What stands where a value should."""

    MISSING = "missing"  # nothing: the key has no value, the element is blank
    CUT = "cut"  # a value that reaches the end of a cut text: what was read of it may not be all
    ELLIPSIS = "ellipsis"  # dots: something was left out


class Obj(dict[str, Any]):
    """An object."""

    __slots__ = ("open", "span", "spans", "twice")

    def __init__(self, start: int = 0) -> None:
        self.span: Span = (start, start)  # where it stands in the text
        self.spans: dict[str, Span] = {}  # where the value of each key stands
        self.twice: dict[str, list[Any]] = {}  # all values of a repeated key, in order; the dict holds the first
        self.open = True  # whether its closing brace is missing


class Arr(list[Any]):
    """An array."""

    __slots__ = ("open", "span", "spans")

    def __init__(self, start: int = 0) -> None:
        self.span: Span = (start, start)  # where it stands in the text
        self.spans: list[Span] = []  # where each element stands
        self.open = True  # whether its closing bracket is missing
