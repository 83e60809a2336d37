"""Keys that name a part of the row of one statement: {"s1_why": "...", "s1": "supported", "s2_why": ...}.

A reply of this form needs half the schema of one with an object per statement.
"""

from __future__ import annotations

import re
from typing import Final

from magistrate.parsing.keys import Role, role_of
from magistrate.parsing.rows import read_id

__all__ = ["split_part"]

_PARTS: Final = {
    Role.REASON: Role.REASON,
    Role.QUOTE: Role.QUOTE,
    Role.VERDICT: Role.VERDICT,
    Role.WEAK_VERDICT: Role.VERDICT,
}
_PART_LAST: Final = re.compile(r"(.{0,40}\d)[ _.:-]{0,3}([^\d\W_].{0,40})")
_PART_FIRST: Final = re.compile(r"([^\d\W].{0,40}?)[ _.:-]{1,3}(\d{1,9})")
_LONGEST: Final = 80


def split_part(key: str) -> tuple[int, Role] | None:
    """Split a key into the number of a statement and the part of its row; a bare id names the verdict.

    Returns:
        None where the key names no part of a row.
    """
    identity = read_id(key)
    if isinstance(identity, int):
        return identity, Role.VERDICT
    if len(key) > _LONGEST:
        return None
    last = _PART_LAST.fullmatch(key)
    if last:
        identity, role = read_id(last[1]), role_of(last[2])
        if isinstance(identity, int) and role in _PARTS:
            return identity, _PARTS[role]
    first = _PART_FIRST.fullmatch(key)
    if first and (role := role_of(first[1])) in _PARTS:
        return int(first[2]), _PARTS[role]
    return None
