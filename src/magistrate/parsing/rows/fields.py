"""The fields of one object: its verdict, its id, its reason, by the names of its keys."""

import math
import re
from collections.abc import Callable
from typing import Any, Final

from magistrate.parsing.decode.nodes import Gap, Obj
from magistrate.parsing.rows.candidate import Candidate, Path, read_id
from magistrate.parsing.rows.walk import members, text_of, texts_of
from magistrate.parsing.wording.courtesy import asks_fault
from magistrate.parsing.wording.fold import compact, fold
from magistrate.parsing.wording.keys import Role, asks_support, is_named, polarity_of, role_of
from magistrate.parsing.wording.languages import Sense, senses
from magistrate.parsing.wording.scales import Words
from magistrate.verdict import IssueCode, Verdict

Fields = dict[Role, list[tuple[str, Any]]]
WIDEST: Final = 64
"""Members of an object up to which misspelt keys count: a larger one is a map, not a row."""
MOST_HINTS: Final = 24
_LONGEST_HINT: Final = 2_000
_UNDECIDED: Final = frozenset({IssueCode.CONFLICTING_VERDICTS, IssueCode.OUT_OF_RANGE})
_OF_CALL: Final = frozenset({"ok", "okay", "success", "completed", "complete", "done", "finished"})
_NO_ERROR: Final = frozenset({"", "none", "null", "no", "n/a", "-", "no error", "no errors", "false"})
_WRAPPERS: Final = frozenset(
    {"data", "response", "list", "items", "array", "out", "values", "decisions", "evaluations"}
)
_UNDONE: Final = re.compile(
    r"error|skipped|pending|time(?:d )?out|incomplete"
    r"|not (?:yet )?(?:evaluated|judged|graded|assessed|checked|scored|run|done)"
)


def fields_of(value: dict[str, Any]) -> Fields:
    """Sort the members of an object by the part of a row that their keys name."""
    found: Fields = {}
    for key, item in members(value):
        role = role_of(key, near=len(value) <= WIDEST)
        if role is not None:
            found.setdefault(role, []).append((key, item))
    return found


def token_of(value: Any) -> str | None:
    """The request token that an object carries; None where it carries none, or several."""
    if not isinstance(value, dict):
        return None
    tokens = {
        _in_line(item)
        for key, item in members(value)
        if not key[-1:].isdigit() and role_of(key) is Role.TOKEN  # "s1" is asked of most keys, and is none
    }
    return tokens.pop() if len(tokens) == 1 else None


def _in_line(held: Any) -> str | None:
    """What a token's field holds as one text: a list of words, or an object of them, counts too."""
    items = held.values() if isinstance(held, dict) else held if isinstance(held, list) else [held]
    return " ".join(item.strip() for item in items) if all(isinstance(item, str) for item in items) else None


def read_value(value: Any, words: Words, key: str = "verdict") -> Verdict | IssueCode:
    """Read what stands under a key that names a verdict."""
    if isinstance(value, Gap):
        return IssueCode.TRUNCATED if value is Gap.CUT else IssueCode.MISSING_VERDICT
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, dict | list | Gap):
        return IssueCode.UNKNOWN_LABEL
    if isinstance(value, str) and compact(key[:16]) == "status" and fold(value[:10]) in _OF_CALL:
        return IssueCode.MISSING_VERDICT  # of the call, not of the statement
    return under_key(words.read(value), key, value, words)


def under_key(reading: Verdict | IssueCode, key: str, said: Any, words: Words) -> Verdict | IssueCode:
    """A reading under its key: {"supported": "no"} says "not supported" and no more."""
    denied = reading is Verdict.CONTRADICTED and isinstance(said, str) and asks_support(key)
    return words.verdicts[Sense.LACK] if denied and senses().get(fold(said[:40])) is Sense.NO else reading


def own_verdict(value: dict[str, Any], fields: Fields, words: Words) -> tuple[Verdict | IssueCode | None, Any]:
    """The verdict that an object's own fields give: all that say one must say the same."""
    strong = [(read_value(item, words, key), item) for key, item in fields.get(Role.VERDICT, []) if _is_scalar(item)]
    weak = [(read_value(item, words, key), item) for key, item in fields.get(Role.WEAK_VERDICT, []) if _is_scalar(item)]
    weak = [pair for pair in weak if pair[0] is not IssueCode.MISSING_VERDICT or not pair[1]]
    polarity = polar(value, words)
    if polarity is not None:
        named = [item for key, item in fields.get(Role.VERDICT, []) if isinstance(item, int) and asks_support(key)]
        strong = [(polarity, value), *(pair for pair in strong if not any(pair[1] is item for item in named))]
    if not strong:
        if any(not _is_scalar(item) for _, item in fields.get(Role.VERDICT, [])):
            return None, None
        quality = _quality(value, words)
        strong = [pair for pair in (*weak, *quality) if isinstance(pair[0], Verdict)] or weak[:1] or quality
        weak = []
    if not strong:
        return None, None
    said = {reading for reading, _ in strong}
    verdicts = {reading for reading in said if isinstance(reading, Verdict)}
    verdicts |= {reading for reading, item in weak if isinstance(reading, Verdict) and isinstance(item, str)}
    if len(verdicts) > 1 or (verdicts and (said & _UNDECIDED or _is_repeated(value, words))):
        return IssueCode.CONFLICTING_VERDICTS, strong[0][1]
    best = next((pair for pair in strong if isinstance(pair[0], Verdict)), strong[0])
    if isinstance(best[0], Verdict) and _abstains(value, best[0], words):
        return IssueCode.CONFLICTING_VERDICTS, best[1]
    return best


def _is_repeated(value: dict[str, Any], words: Words) -> bool:
    """Whether a repeated key holds a verdict once and something else the other time."""
    return isinstance(value, Obj) and any(
        len({read_value(item, words, key) if _is_scalar(item) else None for item in items}) > 1
        for key, items in value.twice.items()
        if role_of(key) in {Role.VERDICT, Role.WEAK_VERDICT}
    )


def repeats_its_verdict(value: Any, path: Path) -> bool:
    """Whether an object on the way to a verdict has the verdict's key twice, with different values."""
    for step in (*path, None):
        if isinstance(value, Obj) and any(
            role_of(key) in {Role.VERDICT, Role.WEAK_VERDICT} and any(item != items[0] for item in items)
            for key, items in value.twice.items()
        ):
            return True
        if isinstance(value, dict) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return False  # the end, or a row that is put together from columns
    return False


def _is_scalar(item: Any) -> bool:
    """Whether a value is one thing: no container, or a list of one such thing."""
    if isinstance(item, list):
        return len(item) == 1 and isinstance(item[0], str | bool | int)
    return not isinstance(item, dict)


def _abstains(value: dict[str, Any], reading: Verdict, words: Words) -> bool:
    """Whether an object takes its verdict back: by a flag, by an error beside a yes, by a score of nought beside it."""
    yes = reading is words.verdicts[Sense.YES]
    for key, item in value.items():
        if is_unjudged(key, item) and (yes or not is_error(key, item)):
            return True
        if yes and compact(key[:32]) == "score" and item == 0 and not isinstance(item, bool):
            return True
    return False


def is_unjudged(key: str, item: Any) -> bool:
    """Whether a member says that nothing was judged: an error, a flag, the state of a call that came to nothing."""
    name = compact(key[:32])
    truth = _truth(item)
    flagged = (truth is True and is_named(name, "abstention")) or (truth is False and is_named(name, "judged"))
    undone = name in {"status", "state"} and isinstance(item, str) and _UNDONE.fullmatch(fold(item[:32])) is not None
    return flagged or undone or is_error(key, item)


def is_error(key: str, item: Any) -> bool:
    """Whether a member says that something went wrong."""
    return isinstance(item, str) and compact(key[:8]) == "error" and fold(item[:64]).strip(" .") not in _NO_ERROR


def is_of_another_kind(key: str, item: Any) -> bool:
    """Whether a member says that the verdicts beside it tell something else: {"metric": "hallucination"}."""
    return isinstance(item, str) and is_named(key, "kind") and (polarity_of(item) is not None or asks_fault(item))


def is_list_of_others(key: str, item: Any) -> bool:
    """Whether a key that names no verdict holds a list of truth values: {"errors": [false, true]}."""
    if not isinstance(item, list) or not item or not all(isinstance(one, bool) for one in item):
        return False
    return polarity_of(key) is not None or (role_of(key) is None and compact(key) not in _WRAPPERS)


def polar(value: dict[str, Any], words: Words) -> Verdict | IssueCode | None:
    """Read truth values under the names of verdicts: {"supported": false, "contradicted": true}, or 0 and 1."""
    figures = [
        item for key, item in value.items() if type(item) is int and (asks_support(key) or polarity_of(key) is not None)
    ]
    if len(figures) > 1:
        if sorted(figures)[-2:] != [0, 1] or min(figures) < 0:
            return IssueCode.CONFLICTING_VERDICTS  # several are true, or statements are counted
        value = {key: bool(item) if type(item) is int else item for key, item in value.items()}
    said = {
        sense: truth
        for key, item in value.items()
        if (sense := polarity_of(key)) is not None and (truth := _truth(item)) is not None
    }
    if not said:
        return None
    supported = [item for key, item in value.items() if isinstance(item, bool) and asks_support(key)]
    true = [sense for sense, truth in said.items() if truth] + [Sense.YES] * any(supported)
    if len(true) == 1:
        return words.verdicts[true[0]]
    if true:
        return IssueCode.CONFLICTING_VERDICTS
    if Sense.LACK in said and len(said) == 1 and words.two_valued:
        return words.verdicts[Sense.YES]  # "not unsupported" on a scale of two leaves one
    return words.verdicts[Sense.LACK] if supported else IssueCode.UNKNOWN_LABEL


def _truth(item: Any) -> bool | None:
    if isinstance(item, str):
        sense = senses().get(fold(item[:16]))
        return {Sense.YES: True, Sense.NO: False}.get(sense) if sense is not None else None
    return item if isinstance(item, bool) else None


def _quality(value: dict[str, Any], words: Words) -> list[tuple[Verdict | IssueCode, Any]]:
    """The verdict that a truth value, a yes or a no under the one quality of an object gives: {"factuality": true}."""
    said = [
        (read_value(item, words, "supported"), item)
        for key, item in members(value)
        if is_named(key, "quality") and isinstance(item, bool | str) and not str(item).strip().isdigit()
    ]
    if len({reading for reading, _ in said}) > 1:
        return [(IssueCode.CONFLICTING_VERDICTS, said[0][1])]
    return said[:1]


def place(row: Candidate, value: dict[str, Any], fields: Fields, knows: Callable[[str], bool]) -> None:
    """Fill in what is not the verdict: id, echo, reason, quotes, probability.

    A row whose id or text is given twice, each time another, is about no statement that can be told.
    """
    twice = value.twice if isinstance(value, Obj) else {}
    if any(
        role_of(key) in {Role.ID, Role.ECHO} and any(one != items[0] for one in items) for key, items in twice.items()
    ):
        row.value = IssueCode.CONFLICTING_VERDICTS
    ids = [one for _, item in fields.get(Role.ID, []) if (one := _id(item)) is not None]
    row.id = ids[0] if ids else None
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
    if row.id is None and row.echo is None:
        row.hints = _hints(value, knows)
    elif len(fields.get(Role.ID, [])) > 1:
        row.hints = tuple(fields[Role.ID])


def _hints(value: dict[str, Any], knows: Callable[[str], bool]) -> tuple[tuple[str, Any], ...]:
    """What an object without id and statement holds under unknown names, and a reason that is a statement."""
    found = [
        (key, item)
        for key, item in value.items()
        if (isinstance(item, int) and not isinstance(item, bool))
        or (isinstance(item, str) and 0 < len(item) <= _LONGEST_HINT)
        if (role_of(key) is None and polarity_of(key) is None)
        or (role_of(key) is Role.REASON and knows(str(item)))
        or (role_of(key) in {Role.QUOTE, Role.ASIDE} and isinstance(item, int))
        or (role_of(key) is Role.WEAK_VERDICT and isinstance(item, int))
    ]
    return tuple(found[: MOST_HINTS + 1])  # one more shows that there are too many


def _id(item: Any) -> int | str | None:
    return None if isinstance(item, Gap | dict | list) else read_id(item)
