"""Rows of verdicts in decoded data: lists, maps keyed by id or statement, columns, groups.

Closed: an object is a row where one of its keys names a verdict; a map where all of its keys name statements; columns
where a list of verdicts stands beside a list of ids or statements; else a wrapper, and what is in it is looked at.
"""

import re
from collections.abc import Callable
from itertools import starmap
from typing import Any, Final

from magistrate.parsing.decode.nodes import Gap
from magistrate.parsing.rows.candidate import Answer, Candidate, Path, read_id, split_numbered, together
from magistrate.parsing.rows.fields import (
    fields_of,
    is_error,
    is_list_of_others,
    is_of_another_kind,
    own_verdict,
    place,
    read_value,
    token_of,
)
from magistrate.parsing.rows.walk import (
    DEEPEST,
    NO_ANSWER,
    Walk,
    column_of,
    inner_of,
    is_dots,
    members,
    text_of,
    texts_of,
)
from magistrate.parsing.wording.fold import compact, fold
from magistrate.parsing.wording.keys import Role, is_named, is_other_aspect, may_wrap, polarity_of, role_of
from magistrate.parsing.wording.languages import Sense, ranks
from magistrate.parsing.wording.scales import Words, is_plain
from magistrate.verdict import IssueCode, Verdict

WIDEST_ROW: Final = 500
_WIDEST_PAIR: Final = 4
_LONGEST_KEY: Final = 80
_BESIDE: Final = frozenset({Role.REASON, Role.TOKEN, Role.ASIDE})
_PARTS: Final = {
    Role.REASON: Role.REASON,
    Role.QUOTE: Role.QUOTE,
    Role.VERDICT: Role.VERDICT,
    Role.WEAK_VERDICT: Role.VERDICT,
}
_PART: Final = re.compile(
    r"(?P<id>\D{0,20}?\d{1,4})[ _.:-]{0,3}(?P<part>[^\d\W_]\D{0,40})|(?P<first>[^\d\W]\D{0,40}?)[ _.:-]{1,3}"
    r"(?P<n>\d{1,4})"
)
_GROUPED: Final = frozenset({"statements", "claims", "items", "facts", "sentences", "ids", "indices", "numbers"})
_TELLING: Final = frozenset({IssueCode.OUT_OF_RANGE, IssueCode.CONFLICTING_VERDICTS})


def _is_strange_flag(key: str, item: Any) -> bool:
    """Whether something of unknown name is true of all the rows beside it: {"dry_run": true}."""
    return item is True and role_of(key) is None and polarity_of(key) is None and not may_wrap(key)


class VerdictRows(Walk[Answer]):
    """Finds the rows of a decoded value."""

    widest = 2_500

    def __init__(self, words: Words, knows: Callable[[str], bool]) -> None:
        self._words = words
        self._knows = knows

    def answers(self, value: Any) -> list[Answer]:
        """The answers that a value holds; usually one, none where it holds no verdict."""
        found = self.walk(value)
        if not found or not isinstance(value, dict):
            return found
        token = token_of(value)
        reasons = {row.reason for answer in found for row in answer.rows}
        notes = {
            item: f"Reason: {item}" if is_named(key, "thinking") else item  # as in text
            for key, item in value.items()
            if isinstance(item, str) and role_of(key) not in {Role.ECHO, Role.QUOTE, Role.TOKEN} and item not in reasons
            if not any(char.isdigit() for char in key) and not self._is_list_of_words(item)
        }
        yes = self._words.verdicts[Sense.YES]
        void = {*Verdict} if any(starmap(is_of_another_kind, value.items())) else set[Any]()
        listed = any(len(row.path) > 1 for answer in found for row in answer.rows)
        void |= ({*Verdict} if listed else {yes}) if any(starmap(is_error, value.items())) else set()
        void |= {*Verdict} if any(self._sums_up(*member, found) for member in value.items()) else set()
        void |= {*Verdict} if listed and any(starmap(_is_strange_flag, value.items())) else set()
        for row in (row for answer in found for row in answer.rows if row.value in void):
            row.value = IssueCode.CONFLICTING_VERDICTS
        for answer in found:
            answer.token = answer.token or token
            raws = [row.raw for row in answer.rows]
            answer.notes += [note for item, note in notes.items() if item not in raws]
        only = found[0].rows[0] if len(found) == 1 and len(found[0].rows) == 1 else None
        if only is not None and only.path and isinstance(only.value, Verdict):
            own, _ = own_verdict(value, fields_of(value), self._words)  # beside a list of one it is about the same
            if isinstance(own, Verdict) and own is not only.value:
                only.value = IssueCode.CONFLICTING_VERDICTS
        return found

    def _is_list_of_words(self, item: str) -> bool:
        """Whether a text is all words of the scale, as a form lists them: "SUPPORTED / CONTRADICTED / UNKNOWN"."""
        said = {self._words.whole(part) for part in re.split("[/|]", item)} if "/" in item or "|" in item else set()
        return said >= {*self._words.scale.verdicts}

    def _sums_up(self, key: str, item: Any, found: list[Answer]) -> bool:
        """Whether a member sums up the rows beside it otherwise: {"all_supported": false}, {"overall": "no"}."""
        said = {row.value for answer in found for row in answer.rows if row.path}
        if not said or not isinstance(item, bool | str):
            return False
        yes = self._words.verdicts[Sense.YES]
        of_all = role_of(key) in {Role.VERDICT, Role.WEAK_VERDICT} or is_named(key, "of_all")
        if of_all and said == {yes} and isinstance(own := read_value(item, self._words, key), Verdict):
            return own is not yes
        head, _, rest = fold(key).partition(" ")
        whole = self._words.whole(rest if head in {"all", "any"} else fold(key)) if isinstance(item, bool) else None
        return isinstance(whole, Verdict) and item is not (whole in said if head == "any" else said == {whole})

    def placed(self, found: list[Answer], path: Path) -> list[Answer]:
        """What was decoded from a string stands where the string stands."""
        for answer in found:
            for row in answer.rows:
                row.path, row.span = path, None
        return found

    def wrapped(self, value: dict[str, Any], path: Path, depth: int) -> list[Answer]:
        """What stands one level further in; single rows found apart are rows of one answer."""
        others = {key for key, item in value.items() if is_other_aspect(key) or is_list_of_others(key, item)}
        rest = {key: item for key, item in value.items() if key not in others} if others else value
        found = together(super().wrapped(rest, path, depth))
        token = token_of(value)
        for answer in found:
            answer.token = answer.token or token
        return found

    # -- lists -------------------------------------------------------------------------------------------------------

    def in_list(self, values: list[Any], path: Path, depth: int) -> list[Answer]:
        """The rows of a list."""
        gap, cut = None, False
        elements: list[tuple[Any, Path]] = []
        for at, value in enumerate(values):
            if value is Gap.CUT or is_dots(value):
                gap, cut = len(elements) if gap is None else gap, cut or value is Gap.CUT
            else:
                inner = inner_of(value)
                elements.append((value if inner is None else inner, (*path, at)))
        answers = self._elements(elements, depth)
        if len(answers) == 1:
            answers[0].gap, answers[0].cut = gap, answers[0].cut or cut
        return answers

    def _elements(self, elements: list[tuple[Any, Path]], depth: int) -> list[Answer]:
        if any(isinstance(element, dict) for element, _ in elements):
            return self._objects(elements, depth)
        if any(isinstance(element, list) for element, _ in elements):
            return self._lists(elements, depth)
        parts = [split_numbered(element) if isinstance(element, str) else None for element, _ in elements]
        if elements and len({part[0] for part in parts if part}) == len(elements):
            named = zip(parts, elements, strict=True)
            return _useful(Answer([self._bare(one[1], path, one[0]) for one, (_, path) in named if one]))
        rows = [self._bare(element, path) for element, path in elements]
        numbers = any(isinstance(row.raw, int) and not isinstance(row.raw, bool) for row in rows)
        if numbers and any(isinstance(row.raw, str) and row.value is IssueCode.UNKNOWN_LABEL for row in rows):
            return []  # ["body", 1] is a path
        return _useful(Answer(rows))

    def _objects(self, elements: list[tuple[Any, Path]], depth: int) -> list[Answer]:
        rows: list[Candidate] = []
        for element, path in elements:
            row = self._row(element, path, depth) if isinstance(element, dict) else self._bare(element, path)
            if row is None:
                inside = self.walk(element, path, depth + 1)
                if len(inside) > 1 or (inside and len(inside[0].rows) != 1):
                    return together([one for each, at in elements for one in self.walk(each, at, depth + 1)])
                row = inside[0].rows[0] if inside else Candidate(IssueCode.MISSING_VERDICT, path=path)
            rows.append(row)
        return _useful(Answer(rows))

    def _lists(self, elements: list[tuple[Any, Path]], depth: int) -> list[Answer]:
        if all(isinstance(one, list) and len(one) == 1 and not isinstance(one[0], dict | list) for one, _ in elements):
            return _useful(Answer([self._bare(element[0], (*path, 0)) for element, path in elements]))
        if any(
            isinstance(one, str | bool) and isinstance(read_value(one, self._words), Verdict) for one, _ in elements
        ):
            return _useful(
                Answer([self._bare(element, path) for element, path in elements])
            )  # a list in a row of words
        pairs = [self._pair(element, path) for element, path in elements]
        if all(pair is not None for pair in pairs):
            return _useful(Answer([pair for pair in pairs if pair is not None]))
        found = [one for each, path in elements for one in self.walk(each, path, depth + 1)]
        lengths = {len(one.rows) for one in found if all(not isinstance(row.raw, dict) for row in one.rows)}
        return [] if len(lengths) > 1 else together(found)  # [["yes", "no"], ["no"]]: which is the answer?

    def _pair(self, element: Any, path: Path) -> Candidate | None:
        """[1, "yes"] or ["The statement.", "yes", ...]."""
        if not isinstance(element, list) or not 2 <= len(element) <= _WIDEST_PAIR:  # noqa: PLR2004
            return None
        if any(isinstance(item, dict | list) for item in element):
            return None
        key, row = element[0], self._bare(element[1], path)
        others = [read_value(item, self._words) for item in element[2:]]
        if any(isinstance(other, Verdict) and other is not row.value for other in others):
            row.value = IssueCode.CONFLICTING_VERDICTS
        if isinstance(key, str) and self._knows(key):
            row.echo = key
            return row
        identity = None if isinstance(key, Gap) else read_id(key)
        if isinstance(identity, int) and isinstance(element[1], str | bool):
            row.id = identity
            return row
        return None

    def _bare(self, value: Any, path: Path, identity: int | None = None) -> Candidate:
        return Candidate(read_value(value, self._words), value, id=identity, path=path)

    # -- objects -----------------------------------------------------------------------------------------------------

    def in_object(self, value: dict[str, Any], path: Path, depth: int) -> list[Answer]:
        """The rows of an object: groups, columns, a row, a map, or what it wraps."""
        groups = self._groups(value, path)
        if groups:
            return groups
        columns = self._columns(value, path)
        if columns is not None:
            return columns
        row = self._row(value, path, depth)
        if row is not None:
            return _useful(Answer([row], orderly=False))
        return self._map(value, path, depth) or self.wrapped(value, path, depth)

    def _row(self, value: dict[str, Any], path: Path, depth: int) -> Candidate | None:
        """Read an object as one row; None where it holds no verdict of its own."""
        if len(value) > WIDEST_ROW:
            return None
        fields = fields_of(value)
        reading, raw = own_verdict(value, fields, self._words)
        row = Candidate(IssueCode.MISSING_VERDICT if reading is None else reading, raw, path=path)
        place(row, value, fields, self._knows)
        is_placed = row.id is not None or row.echo is not None
        holds_rows = any(
            isinstance(item, list)
            and (any(isinstance(one, dict) for one in item) or (len(item) > 1 and role_of(key) is Role.VERDICT))
            for key, item in value.items()
        )
        if reading is not None and (is_placed or not holds_rows):
            wraps = isinstance(raw, str) and not isinstance(reading, Verdict) and not is_placed
            inside = self._inside(value, path, depth) if isinstance(reading, Verdict) else []
            turned = (not isinstance(raw, str) or is_plain(raw)) and any(starmap(is_of_another_kind, value.items()))
            if turned or any(isinstance(other.value, Verdict) and other.value is not reading for _, other in inside):
                row.value = IssueCode.CONFLICTING_VERDICTS
            return None if wraps and inner_of(raw) is not None else row
        lists = [item for _, item in fields.get(Role.VERDICT, []) if isinstance(item, list) and len(item) > 1]
        if is_placed and len(lists) == 1 and not any(isinstance(one, dict | list | Gap) for one in lists[0]):
            said = {read_value(one, self._words) for one in lists[0]}
            row.value = said.pop() if len(said) == 1 else IssueCode.CONFLICTING_VERDICTS
            return row
        if is_placed or len(value) == 1:
            nested = self._nested(value, path, depth)
            if nested is not None:
                nested.id = row.id if nested.id is None else nested.id
                nested.echo = row.echo if nested.echo is None else nested.echo
                nested.path = path
                return nested
        return row if is_placed and not any(isinstance(item, dict | list) for item in value.values()) else None

    def _nested(self, value: dict[str, Any], path: Path, depth: int) -> Candidate | None:
        """The one row that is a member of an object: {"id": 1, "result": {"verdict": "yes"}}."""
        found = [row for key, row in self._inside(value, path, depth) if may_wrap(key)]
        return found[0] if len(found) == 1 else None

    def _inside(self, value: dict[str, Any], path: Path, depth: int) -> list[tuple[str, Candidate]]:
        """The rows that are members of an object, and not named by ids or statements, each with its key."""
        return [
            (key, row)
            for key, item in (value.items() if depth < DEEPEST else ())
            if isinstance(item, dict)
            and role_of(key) not in {*NO_ANSWER, Role.REASON, Role.ECHO}
            and not is_other_aspect(key)
            and not isinstance(read_id(key), int)
            and not self._knows(key)
            and (row := self._row(item, (*path, key), depth + 1)) is not None
        ]

    def _groups(self, value: dict[str, Any], path: Path) -> list[Answer]:
        """Statements grouped under verdicts: {"supported": [1, 3], "unsupported": [2]}."""
        groups = [(key, item) for key, item in value.items() if role_of(key) not in {Role.REASON, Role.TOKEN}]
        if len(groups) < 2 or not all(isinstance(item, list) for _, item in groups):  # noqa: PLR2004
            return []
        rows: list[Candidate] = []
        for key, item in groups:
            head, _, last = fold(key).rpartition(" ")
            reading = self._words.whole(key) or (self._words.whole(head) if last in _GROUPED else None)
            if reading is None:
                return []
            for at, element in enumerate(item):
                known = isinstance(element, str) and self._knows(element)
                identity = None if known or isinstance(element, dict | list | Gap) else read_id(element)
                if not known and not isinstance(identity, int):
                    return []
                echo = element if known else None
                rows.append(Candidate(reading, key, id=identity, echo=echo, path=(*path, key, at)))
        return _useful(Answer(rows, orderly=False))

    def _columns(self, value: dict[str, Any], path: Path) -> list[Answer] | None:
        """{"statements": [...], "verdicts": [...]}; no answer where the columns are of unlike length."""
        columns: dict[Role, list[tuple[str, list[Any]]]] = {}
        for key, item in value.items():
            role, cells = role_of(key), column_of(item)
            if role is not None and cells is not None and not any(isinstance(one, dict | list) for one in cells):
                columns.setdefault(role, []).append((key, cells))
        verdicts = columns.get(Role.VERDICT, []) or columns.get(Role.WEAK_VERDICT, [])
        if len(verdicts) != 1 or not (Role.ID in columns or Role.ECHO in columns):
            return None
        key, column = verdicts[0]
        rows = [
            Candidate(read_value(one, self._words, key), one, path=(*path, key, at)) for at, one in enumerate(column)
        ]
        for role in (Role.ID, Role.ECHO, Role.REASON):
            other = columns[role][0][1] if role in columns else []
            if len(other) != len(rows):
                if other and role is not Role.REASON:
                    return []
                continue
            for row, item in zip(rows, other, strict=True):
                if role is Role.ECHO and isinstance(item, str):
                    row.echo = item
                elif role is Role.REASON:
                    row.reason = text_of(item)
                elif not isinstance(item, Gap) and row.id is None:
                    row.id = read_id(item)
        return _useful(Answer(rows))

    def _map(self, value: dict[str, Any], path: Path, depth: int) -> list[Answer]:
        """A map from ids or statements to verdicts or rows, or to the parts of rows ("s1_why", "s1")."""
        rows: list[Candidate] = []
        parts: dict[int, list[tuple[Role, Any]]] = {}
        for key, item in members(value):
            name, part = self.name_of(key)
            if name is None:
                if role_of(key) in _BESIDE or is_named(key, "of_all"):
                    continue
                return []
            if part is not Role.VERDICT:
                parts.setdefault(int(name), []).append((part, item))
                continue
            inner = item if isinstance(item, dict) else inner_of(item)
            row = self._row(inner, (*path, key), depth + 1) if isinstance(inner, dict) and depth < DEEPEST else None
            if row is None:
                row = Candidate(
                    IssueCode.MISSING_VERDICT if isinstance(item, dict) else read_value(item, self._words), item
                )
            if isinstance(name, int) and isinstance(row.id, int) and row.id != name:
                row.value = IssueCode.CONFLICTING_VERDICTS
            row.path = (*path, key)
            row.id, row.echo = (name, row.echo) if isinstance(name, int) else (row.id, str(name))
            rows.append(row)
        for row in rows:
            for role, item in parts.get(row.id, []) if isinstance(row.id, int) else []:
                row.reason = text_of(item) if role is Role.REASON else row.reason
                row.quotes = (*row.quotes, *texts_of(item)) if role is Role.QUOTE else row.quotes
        return _useful(Answer(rows, orderly=False))

    def name_of(self, key: str) -> tuple[int | str | None, Role]:
        """The statement that a key of a map names, and which part of its row stands under it."""
        if len(key) <= _LONGEST_KEY and not key.isdecimal() and len(key) > 2:  # noqa: PLR2004 - the shortest is "s1x"
            match = _PART.fullmatch(key)
            if match:
                number = read_id(match["id"]) if match["id"] else int(match["n"])
                role = _PARTS.get(role_of(match["part"] or match["first"]) or Role.ASIDE)
                if isinstance(number, int) and role is not None:
                    return number, role
        identity = read_id(key)
        if isinstance(identity, int):
            return identity, Role.VERDICT
        if self._knows(key):
            return key, Role.VERDICT
        ordinals = ranks("ordinals")
        if compact(key[:32]) in ordinals:
            return ordinals[compact(key[:32])], Role.VERDICT
        numbered = split_numbered(key) if len(key) > 8 else None  # noqa: PLR2004 - a number and a statement
        return (numbered[0], Role.VERDICT) if numbered and self._knows(numbered[1]) else (None, Role.ASIDE)


def _useful(answer: Answer) -> list[Answer]:
    """The answer, if it says something about verdicts."""
    told = (
        isinstance(row.value, Verdict)
        or row.value in _TELLING
        or (row.value is not IssueCode.UNKNOWN_LABEL and (row.id is not None or row.echo is not None))
        for row in answer.rows
    )
    return [answer] if any(told) else []
