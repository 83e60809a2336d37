"""What was recorded of a stored reply: a score, a label or a verdict, as tools and tables keep it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import Any

from magistrate.parsing import parse_verdicts
from magistrate.verdict import Scale, Verdict

_DECIMAL_COMMA = re.compile(r"-?(?:0,\d+|\d+,(?:\d{1,2}|\d{4,}))")
"""0,67 and 12,5; 1,000 may be a thousand."""


class UnusableError(ValueError):
    """A row does not hold what it should, or a recorded value is none of those that were declared."""


def number(value: Any) -> float | None:
    """A number, also where a table has it as text; None where it is none, or not finite."""
    if isinstance(value, str):
        value = value.strip()
        if value.endswith("%"):
            share = None if "%" in value[:-1] else number(value[:-1])
            return None if share is None else share / 100
        value = value.replace(",", ".") if _DECIMAL_COMMA.fullmatch(value) else value.replace("_", "?")
    elif isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None


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

    def score(self, value: Any, top: float = 1.0) -> float | None:
        """A recorded score; None where none was recorded. A percentage is one of a top of 1 or 100, as in a reply.

        Raises:
            UnusableError: If it is no number, or a percentage of another top.
        """
        if type(value) is float and not self.equal and not self.missing:  # by far the most frequent
            return value if math.isfinite(value) else None
        if self.absent(value):
            return None
        said = self.equal.get(_key(value), value)
        found = number(said)
        if found is not None and isinstance(said, str) and "%" in said:
            found = found * top if top in {1.0, 100.0} else None
        if found is None:
            raise UnusableError(f"the recorded score is {_shown(value)}, expected a number, or --recorded WORD=NUMBER")
        return found

    def label(self, value: Any, choices: Sequence[str]) -> str | None:
        """A recorded label as one of the choices; None where none was recorded.

        Raises:
            UnusableError: If it is none of them.
        """
        if self.absent(value):
            return None
        stands_for = self.equal.get(_key(value), value)
        exact = (choice for choice in choices if choice == stands_for)
        alike = (choice for choice in choices if _key(choice) == _key(stands_for))
        if (found := next(chain(exact, alike), None)) is None:
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
