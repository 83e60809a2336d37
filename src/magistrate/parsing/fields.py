"""The fields of one object: its verdict, its id, its reason, by the names of its keys."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from magistrate.parsing.decode.nodes import Gap, Obj
from magistrate.parsing.hints import MOST_HINTS, is_hint
from magistrate.parsing.keys import POLARITY, Role, asks_support, compact, role_of
from magistrate.parsing.languages import Sense
from magistrate.parsing.rows import Row, read_id
from magistrate.parsing.vocabulary import Vocabulary, fold
from magistrate.verdict import IssueCode, Verdict

__all__ = [
    "ABSTENTIONS",
    "Fields",
    "fields_of",
    "listed_verdict",
    "own_verdict",
    "place",
    "read_value",
    "text_of",
    "texts_of",
]

Fields = dict[Role, list[tuple[str, Any]]]

WIDEST: Final = 64
"""Members of an object up to which misspelt keys count: a larger one is a map, not a row."""
_UNDECIDED: Final = frozenset({IssueCode.CONFLICTING_VERDICTS, IssueCode.OUT_OF_RANGE})


def fields_of(value: dict[str, Any]) -> Fields:
    """Sort the members of an object by the part of a row that their keys name; a repeated key gives all its values."""
    found: Fields = {}
    twice = value.twice if isinstance(value, Obj) else {}
    near = len(value) <= WIDEST
    for key, item in value.items():
        role = role_of(key, near=near)
        if role is not None:
            found.setdefault(role, []).extend((key, each) for each in twice.get(key, (item,)))
    return found


def read_value(value: Any, words: Vocabulary, key: str = "verdict") -> Verdict | IssueCode:
    """Read what stands under a key that names a verdict."""
    if isinstance(value, Gap):
        return IssueCode.TRUNCATED if value is Gap.CUT else IssueCode.MISSING_VERDICT
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, dict | list):
        return IssueCode.UNKNOWN_LABEL
    if isinstance(value, str) and compact(key[:16]) == "status" and fold(value[:8]) in {"ok", "okay"}:
        return IssueCode.MISSING_VERDICT  # of the call, not of the statement
    reading = words.read(value)
    if reading is Verdict.CONTRADICTED and asks_support(key) and words.is_plain_no(value):
        return words.sense(Sense.LACK)  # {"supported": "no"} says "not supported" and no more
    return reading


def own_verdict(value: dict[str, Any], fields: Fields, words: Vocabulary) -> tuple[Verdict | IssueCode | None, Any]:
    """The verdict that an object's own fields give: all that say one must say the same.

    Returns:
        The reading and the value it was read from; None where no field names a verdict.
    """
    polar = _polar(value, words)
    strong = [(read_value(item, words, key), item) for key, item in fields.get(Role.VERDICT, []) if _scalar(item)]
    if polar is not None:
        strong = [(polar, value), *(pair for pair in strong if not isinstance(pair[1], bool))]
    weak = [(read_value(item, words, key), item) for key, item in fields.get(Role.WEAK_VERDICT, []) if _scalar(item)]
    if not strong:
        if any(not _scalar(item) for _, item in fields.get(Role.VERDICT, [])):
            return None, None
        strong, weak = [pair for pair in weak if isinstance(pair[0], Verdict)] or weak[:1], []
    if not strong:
        return _quality(value, words)
    verdicts = {reading for reading, _ in strong if isinstance(reading, Verdict)}
    verdicts |= {reading for reading, item in weak if isinstance(reading, Verdict) and isinstance(item, str)}
    if len(verdicts) > 1:
        return IssueCode.CONFLICTING_VERDICTS, strong[0][1]
    best = next((pair for pair in strong if isinstance(pair[0], Verdict)), strong[0])
    if isinstance(best[0], Verdict) and any(reading in _UNDECIDED for reading, _ in strong):
        return IssueCode.CONFLICTING_VERDICTS, best[1]
    if isinstance(best[0], Verdict) and (_repeated_unlike(value, words) or _abstains(value, best[0], words)):
        return IssueCode.CONFLICTING_VERDICTS, best[1]
    return best


ABSTENTIONS: Final = frozenset(
    "abstain abstained abstention abstains cannotdetermine cannotjudge undetermined undecided unknown uncertain unsure "
    "skip skipped notapplicable refused unanswerable".split()
)
"""Names of a flag with which a row takes back what it gives."""
_NO_ERROR: Final = frozenset({"", "none", "null", "no", "n/a", "-", "no error", "no errors", "false"})


def _abstains(value: dict[str, Any], reading: Verdict, words: Vocabulary) -> bool:
    """Whether an object takes its verdict back: by a flag, by an error beside a yes, by a score of nought beside it."""
    yes = reading is words.sense(Sense.YES)
    for key, item in value.items():
        name = compact(key[:32])
        if name in ABSTENTIONS and (item is True or (isinstance(item, str) and fold(item[:8]) in {"yes", "true"})):
            return True
        if yes and name == "error" and isinstance(item, str) and fold(item[:64]).strip(" .") not in _NO_ERROR:
            return True
        if yes and name == "score" and item == 0 and not isinstance(item, bool):
            return True
    return False


_QUALITIES: Final = frozenset(
    "factuality match matches present accurate isaccurate accuracy consistency correctness factualaccuracy".split()
)
"""Names of what a statement may be: a truth value under one of them is the verdict, a number a measure."""


def _quality(value: dict[str, Any], words: Vocabulary) -> tuple[Verdict | IssueCode | None, Any]:
    """The verdict that a truth value, a yes or a no under the one quality of an object gives: {"factuality": true}."""
    twice = value.twice if isinstance(value, Obj) else {}
    said = [
        (words.truth(yes=item) if isinstance(item, bool) else read_value(item, words, "supported"), item)
        for key, one in value.items()
        if compact(key[:32]) in _QUALITIES
        for item in twice.get(key, (one,))
    ]
    if any(not isinstance(item, bool | str) or (isinstance(item, str) and item.strip().isdigit()) for _, item in said):
        return None, None
    if len(said) > 1 and len({reading for reading, _ in said}) > 1:
        return IssueCode.CONFLICTING_VERDICTS, said[0][1]
    return said[0] if len(said) == 1 or (said and twice) else (None, None)


def listed_verdict(fields: Fields, words: Vocabulary) -> Verdict | IssueCode | None:
    """What the one list of several words under a verdict's key says of one statement; None where there is none."""
    lists = [item for _, item in fields.get(Role.VERDICT, []) if isinstance(item, list) and not _scalar(item)]
    if len(lists) != 1 or not lists[0] or any(isinstance(item, dict | list | Gap) for item in lists[0]):
        return None
    readings = {words.read(item) for item in lists[0]}
    return readings.pop() if len(readings) == 1 else IssueCode.CONFLICTING_VERDICTS


def _repeated_unlike(value: dict[str, Any], words: Vocabulary) -> bool:
    """Whether a repeated key holds a verdict once and something else the other time."""
    if not isinstance(value, Obj):
        return False
    return any(
        len({read_value(item, words, key) if _scalar(item) else None for item in items}) > 1
        for key, items in value.twice.items()
        if role_of(key) in {Role.VERDICT, Role.WEAK_VERDICT}
    )


def _scalar(item: Any) -> bool:
    """Whether a value is one thing: no container, or a list of one such thing."""
    if isinstance(item, list):
        return len(item) == 1 and isinstance(item[0], str | bool | int)
    return not isinstance(item, dict)


def _polar(value: dict[str, Any], words: Vocabulary) -> Verdict | IssueCode | None:
    """Read truth values under the names of verdicts: {"supported": false, "contradicted": true}."""
    said = {
        POLARITY[name]: truth
        for key, item in value.items()
        if (truth := _truth(item)) is not None and (name := compact(key[:64])) in POLARITY
    }
    if not said:
        return None
    true = [sense for sense, item in said.items() if item]
    supported = [item for key, item in value.items() if isinstance(item, bool) and asks_support(key)]
    if any(supported):
        return IssueCode.CONFLICTING_VERDICTS if true else words.sense(Sense.YES)
    if len(true) == 1:
        return words.sense(true[0])
    if true:
        return IssueCode.CONFLICTING_VERDICTS
    if len(said) == 1 and Sense.LACK in said:  # "not unsupported" on a scale of two leaves one
        return words.sense(Sense.YES) if len(words.scale.verdicts) == 2 else IssueCode.UNKNOWN_LABEL  # noqa: PLR2004
    return words.sense(Sense.LACK) if supported else IssueCode.UNKNOWN_LABEL


def _truth(item: Any) -> bool | None:
    """The truth value that a field holds; None where it holds another thing."""
    if isinstance(item, str):
        return _TRUTHS.get(item.strip().casefold()) if len(item) <= _LONGEST_TRUTH else None
    return item if isinstance(item, bool) else None


_TRUTHS: Final = {"yes": True, "true": True, "no": False, "false": False}
_LONGEST_TRUTH: Final = 8


def _repeats_unlike(value: Obj, *roles: Role) -> bool:
    """Whether a repeated key of such a role holds different things."""
    return any(
        role_of(key) in roles and any(item != items[0] for item in items[1:]) for key, items in value.twice.items()
    )


def place(row: Row, value: dict[str, Any], fields: Fields, knows: Callable[[str], bool]) -> None:
    """Fill in what is not the verdict: id, echo, reason, quotes, probability.

    A row whose id or text is given twice, each time another, is about no statement that can be told.
    """
    if isinstance(value, Obj) and _repeats_unlike(value, Role.ID, Role.ECHO):
        row.reading = IssueCode.CONFLICTING_VERDICTS
        return
    ids = {identity for _, item in fields.get(Role.ID, []) if (identity := _id(item)) is not None}
    if len(ids) == 1:
        row.id = ids.pop()
    elif ids:
        row.id = next((identity for _, item in fields[Role.ID] if (identity := _id(item)) is not None), None)
    for _, item in fields.get(Role.ECHO, []):
        identity = _id(item)
        if isinstance(identity, int) and not (isinstance(item, str) and knows(item)):
            row.id = identity if row.id is None else row.id
        elif isinstance(item, str) and item.strip() and item.lstrip()[0] not in "{[" and row.echo is None:
            row.echo = item
    if isinstance(row.id, str) and row.echo is None and knows(row.id):
        row.echo, row.id = row.id, None
    row.reason = next((text for _, item in fields.get(Role.REASON, []) if (text := text_of(item))), None)
    row.quotes = tuple(quote for _, item in fields.get(Role.QUOTE, []) for quote in texts_of(item))
    for _, item in fields.get(Role.PROBABILITY, []):
        if isinstance(item, int | float) and not isinstance(item, bool) and math.isfinite(item) and 0 <= item <= 1:
            row.probability = float(item)


def hints_of(value: dict[str, Any], knows: Callable[[str], bool]) -> tuple[tuple[str, Any], ...]:
    """What an object without id and statement holds under unknown names, and a reason that is a statement."""
    found = [
        (key, item)
        for key, item in value.items()
        if is_hint(item) and (role_of(key) is None or (role_of(key) is Role.REASON and knows(str(item))))
    ]
    return tuple(found[: MOST_HINTS + 1])  # one more shows that there are too many


def _id(item: Any) -> int | str | None:
    return None if isinstance(item, Gap | dict | list) else read_id(item)


def text_of(item: Any) -> str | None:
    """The text that a field holds, lines of a list put together; None where it holds none."""
    texts = texts_of(item)
    return "\n".join(texts) if texts else None


def texts_of(item: Any) -> list[str]:
    """The texts that a field holds: one, or a list of them."""
    if isinstance(item, str):
        return [clean(item)] if item.strip() else []
    if isinstance(item, list):
        return [clean(part) for part in item if isinstance(part, str) and part.strip()]
    return []


def clean(text: str) -> str:
    """A text that every encoder takes: lone halves of characters are replaced."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
