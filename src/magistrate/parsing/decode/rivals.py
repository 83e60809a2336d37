"""What a mended container says a second time: quoted inside its strings, or left behind its end.

A quotation whose marks nobody escaped looks like structure, and structure that was taken for a quotation looks like
text. So what such a string holds, and what stands behind the container, is never an answer; but where it gives a key of
the same object, or of the same item, another value, nobody can tell which of the two is meant: the key then counts as
given twice, with different values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from magistrate.parsing.decode.nodes import Arr, Gap, Obj

FARTHEST: Final = 4_000
"""Characters behind a container that are looked through."""
LONGEST: Final = 200
"""Characters of a string that may be an answer; a longer one is a text, of which a part may be quoted."""
MOST_PAIRS: Final = 400
_PAIR: Final = re.compile(
    r"(?P<open>\{\s{0,20})?[\"'\u201c]?(?P<key>[\w$#][\w -]{0,59})[\"'\u201d]\s{0,20}[:\uff1a]\s{0,20}"
    r"(?:[\"'\u201c](?P<text>[^\"'\u201c\u201d\n]{0,80})[\"'\u201d]|(?P<word>-?\d[\d.]{0,20}|true|false|null|True|False|None)\b)"
)
_ID_KEY: Final = re.compile(r"(?:.*[_ ])?(?:id|idx|index|no|nr|n|i|num|number|statement|claim|item)", re.IGNORECASE)
_ID: Final = re.compile(r"(?P<name>[a-z_ ]{0,20}?)[ _#-]?0{0,3}(?P<number>\d{1,6})", re.IGNORECASE)

Fragment = dict[str, str]


def mark_rivals(root: Obj | Arr, quoted: list[tuple[Obj | Arr, str]], behind: str) -> bool:
    """Mark the keys that are given another value in quotations or behind the container as given twice.

    Args:
        root: The container.
        quoted: The strings that hold marks nobody escaped, with what they stand in.
        behind: The text behind the container.

    Returns:
        Whether any is.
    """
    found = [(holder, fragment) for holder, text in quoted for fragment in _fragments(text)]
    tail = [*_fragments(behind[:FARTHEST])]
    if not found and not tail:
        return False
    found += [(last, fragment) for fragment in tail for last in _last(root)]
    objects = [*_objects(root)]
    marked = False
    for holder, fragment in found[:MOST_PAIRS]:
        number = next((_number(value) for key, value in fragment.items() if _ID_KEY.fullmatch(key)), None)
        for one in objects if len(objects) * len(found) < 100 * MOST_PAIRS else [holder]:
            if one is holder or (number is not None and number == _number_of(one)):
                marked |= _mark(one, fragment)
            elif number is not None and isinstance(one, Obj):
                marked |= _mark(one, {key: word for key in one if _number(key) == number for word in fragment.values()})
            else:
                marked |= _mark(one, {key: word for key, word in fragment.items() if _number(key) is not None})
    return marked


def _fragments(text: str) -> Iterator[Fragment]:
    """The pairs of keys and values in a text; a brace or a key that is there already begins anew."""
    fragment: Fragment = {}
    for count, pair in enumerate(_PAIR.finditer(text)):
        if count >= MOST_PAIRS:
            break
        if pair["open"] or pair["key"] in fragment:
            if fragment:
                yield fragment
            fragment = {}
        fragment[pair["key"]] = pair["text"] if pair["word"] is None else pair["word"]
    if fragment:
        yield fragment


def _mark(holder: Any, fragment: Fragment) -> bool:
    """Mark the keys of an object to which a fragment gives another value."""
    marked = False
    for key, word in fragment.items() if isinstance(holder, Obj) else ():
        if key not in holder or _ID_KEY.fullmatch(key) or isinstance(holder[key], dict | list | Gap):
            continue
        known = str(holder[key])
        if len(known) <= LONGEST and known.strip().casefold() != word.strip().casefold():
            holder.twice.setdefault(key, [holder[key]]).append(word)
            marked = True
    return marked


def _number(value: Any) -> int | None:
    """The number that an id has: of "s2", 2 and "statement 2" it is 2."""
    found = _ID.fullmatch(str(value)) if not isinstance(value, bool) else None
    return int(found["number"]) if found else None


def _number_of(value: Any) -> int | None:
    keys = (key for key in value if isinstance(key, str) and _ID_KEY.fullmatch(key)) if isinstance(value, Obj) else ()
    return next((_number(value[key]) for key in keys), None)


def _objects(root: Obj | Arr) -> Iterator[Obj]:
    pending: list[Any] = [root]
    while pending:
        value = pending.pop()
        if isinstance(value, Obj):
            yield value
        pending.extend(
            item for item in (value.values() if isinstance(value, dict) else value) if isinstance(item, Obj | Arr)
        )


def _last(root: Obj | Arr) -> Iterator[Obj]:
    """The objects that end last: what stands behind them may have been theirs."""
    value: Any = root
    while isinstance(value, Obj | Arr):
        if isinstance(value, Obj):
            yield value
        value = (list(value.values()) if isinstance(value, dict) else value)[-1] if value else None
