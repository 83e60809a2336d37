"""What was recorded, as rows have it: numbers in texts, words of other lists, marks for "no score"."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from magistrate.parsing import parse_verdicts
from magistrate.verdict import Scale, Verdict


class UnusableError(ValueError):
    """A row does not hold what it should, or a recorded value is none of those that were declared."""


def number(value: Any) -> float | None:
    """A number, also where a table has it as text; None where it is none, or not finite."""
    if isinstance(value, str):
        try:
            value = float(value.strip()) if "_" not in value else None
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        value = float(value)
    except OverflowError:
        return None
    return value if math.isfinite(value) else None


@dataclass(frozen=True, slots=True)
class Recorded:
    """How recorded values are to be taken.

    Args:
        equal: What a recorded value stands for: {"1": "PASS"}. The recorded side is compared without regard to case.
        missing: Recorded values that mean "no score", beside null, NaN and a blank text.
    """

    equal: Mapping[str, str] = field(default_factory=dict)
    missing: Sequence[str] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "equal", {_key(old): new for old, new in self.equal.items()})
        object.__setattr__(self, "missing", frozenset(map(_key, self.missing)))

    def absent(self, value: Any) -> bool:
        """Whether a value means that nothing was recorded."""
        if value is None or (isinstance(value, float) and not math.isfinite(value)):
            return True
        return _key(value) in self.missing or (isinstance(value, str) and _key(value) in {"", "nan", "null", "none"})

    def score(self, value: Any) -> float | None:
        """A recorded score; None where none was recorded.

        Raises:
            UnusableError: If it is no number.
        """
        if type(value) is float and not self.equal and not self.missing:  # by far the most frequent
            return value if math.isfinite(value) else None
        if self.absent(value):
            return None
        found = number(self.equal.get(_key(value), value))
        if found is None:
            raise UnusableError(f"the recorded score is {_shown(value)}, expected a number")
        return found

    def label(self, value: Any, choices: Sequence[str]) -> str | None:
        """A recorded label as one of the choices; None where none was recorded.

        Raises:
            UnusableError: If it is none of them.
        """
        if self.absent(value):
            return None
        stands_for = self.equal.get(_key(value), value)
        exact = next((choice for choice in choices if choice == stands_for), None)
        found = exact or next((choice for choice in choices if _key(choice) == _key(stands_for)), None)
        if found is None:
            raise UnusableError(
                f"the recorded label is {_shown(value)}, none of {', '.join(choices)} "
                "(--recorded OLD=NEW says what it stands for, --missing VALUE that it stands for none)"
            )
        return found

    def verdict(self, value: Any, scale: Scale) -> Verdict | None:
        """A recorded verdict; None where none was recorded.

        Raises:
            UnusableError: If it is no word of the scale.
        """
        if self.absent(value):
            return None
        found = _word(json.dumps(self.equal.get(_key(value), value), default=str), scale)
        if found is None:
            raise UnusableError(f"the recorded verdict is {_shown(value)}, no word of the scale {scale.name}")
        return found


@lru_cache(maxsize=4096)
def _word(value: str, scale: Scale) -> Verdict | None:
    """A word as a judge would be read who wrote it."""
    return parse_verdicts(f'[{{"id": 1, "verdict": {value}}}]', ("-",), scale=scale).verdicts[0].verdict


def _key(value: Any) -> str:
    found = None if isinstance(value, bool) else number(value)
    return f"{found:.12g}" if found is not None else " ".join(str(value).casefold().split())


def _shown(value: Any) -> str:
    return f"{value!r:.60}"
