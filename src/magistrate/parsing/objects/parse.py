"""parse_object: an object of any schema."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar, overload

from pydantic import BaseModel

from magistrate.parsing.decode.documents import Document, decode_text, is_blank
from magistrate.parsing.decode.nodes import Gap
from magistrate.parsing.decode.parts import Part, parts_of
from magistrate.parsing.decode.tags import read_markup, read_tags, strangers
from magistrate.parsing.objects.labelled import read_lines
from magistrate.parsing.objects.leaves import NOTHING, same
from magistrate.parsing.objects.schema import Flaw, Path
from magistrate.parsing.objects.target import Target, target_of
from magistrate.parsing.objects.yaml import read_blocks
from magistrate.parsing.readings import ObjectReading, issue
from magistrate.parsing.reply.source import as_text, ending
from magistrate.parsing.rows.walk import is_schema, schema_values
from magistrate.parsing.settle.acceptance import is_foreign, is_quoted, own_and_behind, takes_back
from magistrate.parsing.settle.ladder import repaired, why_none
from magistrate.parsing.settle.masks import masked
from magistrate.parsing.wording.courtesy import corrects, withdraws
from magistrate.parsing.wording.keys import Role, names_others, parts_of_key, role_of
from magistrate.parsing.wording.reasons import points_back
from magistrate.verdict import IssueCode, ParseStatus, Repair

M = TypeVar("M", bound=BaseModel)
DEEPEST: Final = 8
"""Wrappers around the object that are looked into."""
MOST_NODES: Final = 400
_CALL: Final = frozenset(
    "name arguments parameters input type function id tool tool_name tool_calls index recipient_name".split()
)
_CONTENTS: Final = frozenset({"arguments", "parameters", "input", "function"})
_LONGEST_MESSAGE: Final = 400
_NO_OBJECT: Final = frozenset({Role.ASIDE, Role.QUOTE, Role.REASON})
_HOLDERS: Final = (dict, list)
_OPENERS: Final = frozenset({"{", "[", '"', " ", "\n"})
_GOES_ON: Final = frozenset('[{",:')
_MEMBER: Final = re.compile(r"\s*,\s*\"[^\"\n]{1,80}\"\s*:")
_TEXT: Final = frozenset({"xml", "labelled", "text"})
_CODES: Final = {
    "range": IssueCode.OUT_OF_RANGE,
    "label": IssueCode.UNKNOWN_LABEL,
    "missing": IssueCode.MISSING_VERDICT,
    "conflict": IssueCode.CONFLICTING_VERDICTS,
    "count": IssueCode.COUNT_MISMATCH,
    "other": IssueCode.UNKNOWN_LABEL,
}
"""What no code is made for is reported as a value in the place of a leaf that is none of those that may stand there."""


@overload
def parse_object(
    text: str | bytes | None, schema: type[M], *, finish_reason: str | None = None, refusal: str | None = None
) -> ObjectReading[M]: ...
@overload
def parse_object(
    text: str | bytes | None, schema: Mapping[str, Any], *, finish_reason: str | None = None, refusal: str | None = None
) -> ObjectReading[Any]: ...
def parse_object(
    text: str | bytes | None,
    schema: type[BaseModel] | Mapping[str, Any],
    *,
    finish_reason: str | None = None,
    refusal: str | None = None,
) -> ObjectReading[Any]:
    """Read an object of the caller's schema.

    The object may stand in a fence, in prose, in a wrapper, in a tool call or in a string, and the JSON may have to be
    mended; it may be block YAML, elements, or a labelled line for each property. Numbers are not rescaled, clamped or
    coerced; labels count as whole words only; what was cut off, left out or given twice with different values gives no
    object.

    Args:
        text: The reply as the model gave it.
        schema: A Pydantic model, or a JSON schema.
        finish_reason: Why the provider says the reply ended.
        refusal: The provider's own refusal text.

    Returns:
        The object, or the reason why there is none.

    Raises:
        TypeError: If `schema` is neither, or `text` is neither text nor bytes.
        ValueError: If `schema` is an object that cannot be a JSON schema; the message says where.
    """
    target = target_of(schema)
    raw, end = as_text(text), ending(finish_reason)
    cases = [_Case(part, target) for part in parts_of(raw)]
    for case in cases:
        if not case.part.overrun:
            try:
                _search(case, cut=end is not None or bool(refusal))  # a refusal is one only if nothing was answered
            except RecursionError:
                case.found.clear()
    last = cases[-1]
    last.earlier = [found for case in cases[:-1] for found in case.found]
    return _settle(last, end, refusal)


@dataclass(slots=True)
class _Found:
    """An object of the schema in a reply."""

    value: Any
    plain: Any
    document: Document
    path: Path
    form: str
    liberties: list[tuple[str, Path]]


@dataclass(slots=True)
class _Case:
    part: Part
    target: Target
    found: list[_Found] = field(default_factory=list)
    flaws: list[Flaw] = field(default_factory=list)
    likeness: int = -1  # how many properties the value has that the flaws are about
    rivals: list[Mapping[str, Any]] = field(default_factory=list)  # what has properties of the object and is none
    earlier: list[_Found] = field(default_factory=list)  # objects in an earlier part of the reply


def _search(case: _Case, *, cut: bool) -> None:
    """Look for the object: in data, then in tags, then in labelled lines."""
    text, documents = case.part.text, case.part.documents
    view = masked(case.part)
    blocks = _look_at_blocks(case, view, cut=cut)
    others = strangers(read_tags(text, case.part.prose)) if "</" in text else []
    spoken_of = [
        one
        for one in documents
        if is_quoted(view, one.start, one.end)
        or points_back(text[one.end :])
        or any(start <= one.start < end for start, end in others)
    ]
    for document in own_and_behind(documents, lambda one: one in spoken_of or is_foreign(view, one.start)):
        if not any(block.start <= document.start < block.end for block in blocks):
            _look(case, document, "repaired-json" if document.notes else "json")
    case.found.sort(key=lambda one: one.document.start)
    if case.found or not ({"object"} & case.target.kinds or not case.target.kinds):
        if not case.found and not documents and not case.target.kinds & {"object", "array"}:
            _scalar(case, text)
        return
    if not documents and "<" in text:
        tagged = read_markup(text, read_tags(text, case.part.prose), documents)
        if tagged is not None:
            _look(case, tagged, "xml")
    if not case.found and case.target.names and not any(block.cut for block in blocks):
        lines = read_lines(case.part, case.target, cut=cut)
        if lines is not None and not is_foreign(view, text.rfind("\n", 0, lines.start) + 1, inline=False):
            _try(case, lines.value, lines, (), "labelled")
    for document in [] if case.found else case.part.documents:
        _bare_list(case, document, "repaired-json" if document.notes else "json")


def _look_at_blocks(case: _Case, view: str, *, cut: bool) -> list[Document]:
    """Look for the object in block YAML; return the blocks that hold it, or have maps or lists by indentation."""
    taken = []
    for block in read_blocks(case.part, case.target, view, cut=cut):
        before = len(case.found)
        flaws, rivals = (case.likeness, case.flaws), len(case.rivals)
        if isinstance(block.value, list) and "array" not in case.target.kinds:
            _bare_list(case, block, "yaml")
        _look(case, block, "yaml")
        if block.value is Gap.CUT:
            _miss(case, block.value, [Flaw((), "cut", "it is never closed")])
        if len(case.found) == before and any(block.start <= one.start < block.end for one in case.part.documents):
            (case.likeness, case.flaws), case.rivals[rivals:] = flaws, []  # a label before JSON
            continue
        taken.append(block)
    return taken


def _scalar(case: _Case, text: str) -> None:
    """A schema of a single value: the reply is that value and nothing else."""
    start, stop = (case.part.prose or [(0, 0)])[-1]
    words = text[start:stop].strip().strip("`").strip()
    value = decode_text(words) if words[:1] == '"' else words
    document = Document(text, start, stop, words)
    _try(case, words if value is None else value, document, (), "text")


def _look(case: _Case, document: Document, form: str) -> None:
    """Look through a document for the object: the outermost value that fits, level by level."""
    level: list[tuple[Path, Any]] = [((), document.value)]
    nodes = 0
    behind = document.text[document.end : document.end + _LONGEST_MESSAGE]
    if _MEMBER.match(behind) or (document.cut and behind[:1] and behind[:1] in _GOES_ON):
        _miss(case, document.value, [Flaw((), "cut", "the reply goes on where the object ends")])
        return
    for _ in range(DEEPEST):
        before = len(case.found)
        for path, value in level:
            _try(case, value, document, path, form)
        if len(case.found) > before:
            return
        if document.cut:  # a part of it may be one of a list, or the least of what was to come
            return
        level = [(path, value) for parent, holder in level for path, value in _inside(parent, holder)]
        nodes += len(level)
        if not level or nodes > MOST_NODES:
            return


def _inside(parent: Path, value: Any) -> Iterator[tuple[Path, Any]]:
    """What a value holds that may be the object; a JSON text in a string counts as what it says."""
    if isinstance(value, dict) and is_schema(value):
        inner = schema_values(value)
        if inner is not None:
            yield (*parent, "properties"), inner
        return
    mixed = isinstance(value, list) and not all(isinstance(item, dict | list | str) for item in value)
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    members = () if mixed else members
    for step, item in members:
        if isinstance(item, str):
            if item[:1] not in _OPENERS:
                continue
            item = decode_text(item)  # noqa: PLW2901 - the text is what it says
        if not isinstance(item, _HOLDERS):
            continue
        if not (isinstance(step, str) and (role_of(step) in _NO_OBJECT or names_others(parts_of_key(step)))):
            yield (*parent, step), item


def _try(case: _Case, value: Any, document: Document, path: Path, form: str) -> None:
    """Take a value if it is the object; else keep what is wrong with it."""
    target = case.target
    known = 0
    if isinstance(value, dict):
        if is_schema(value) and not target.names.keys() >= value.keys():
            return
        known = target.knows(value)
        if target.names and not known and (value or "object" not in target.kinds):
            return
        if value.keys() <= _CALL and value.keys() & _CONTENTS and not value.keys() <= target.names.keys():
            return  # a tool call around the answer
    elif isinstance(value, list):
        if "array" not in target.kinds:
            return
    elif form != "text":
        return
    fitted = target.schema.fit(value)
    made, flaws = (None, fitted.flaws) if fitted.flaws else target.build(fitted.value)
    if not flaws:
        liberties = fitted.liberties
        if form in _TEXT:  # there a number has no other way to be written
            liberties = [one for one in liberties if one[0] not in {"quoted-number", "quoted-boolean"}]
        case.found.append(_Found(made, fitted.value, document, path, form, liberties))
        return
    _miss(case, value, flaws)


def _miss(case: _Case, value: Any, flaws: list[Flaw]) -> None:
    """Keep what is wrong with what is most like the object."""
    known = case.target.knows(value) if isinstance(value, dict) else 0
    if isinstance(value, dict) and known:
        case.rivals.append(value)
    if known > case.likeness:
        case.likeness, case.flaws = known, flaws


def _bare_list(case: _Case, document: Document, form: str) -> None:
    names = case.target.names
    required = case.target.required or list(names)
    if len(required) != 1 or len(names) != 1 or not isinstance(document.value, list) or document.cut:
        return
    before = len(case.found)
    _try(case, {required[0]: document.value}, document, (), form)
    for found in case.found[before:]:
        found.liberties.append(("wrapper-added", ()))


def _settle(case: _Case, end: str | None, refusal: str | None) -> ObjectReading[Any]:
    if case.found:
        found = case.found[-1]
        conflict = _conflict(case)
        repairs = _repairs(found)
        notes = repaired([repair.code for repair in repairs])
        if conflict:
            notes.append(issue(IssueCode.CONFLICTING_VERDICTS, conflict))
            return ObjectReading(ParseStatus.UNPARSEABLE, None, tuple(notes), repairs, errors=(conflict,))
        if len(case.found) > 1:
            code = IssueCode.DUPLICATE_VERDICT if _agree(case.found) else IssueCode.CONFLICTING_VERDICTS
            notes.append(issue(code, f"the object is given {len(case.found)} times"))
        if found.document.dangling:
            notes.append(issue(IssueCode.TRUNCATED, "the reply was cut off after the object"))
        elif found.document.cut:
            notes.append(issue(IssueCode.UNCERTAIN_END, "the object is complete, but its closing brackets are missing"))
        return ObjectReading(ParseStatus.OK, found.value, tuple(notes), repairs, found.form)
    none = "the reply holds nothing of the kind that the schema asks for"
    status, why = why_none(case.part, end, none, refusal=refusal, answered=bool(case.flaws))
    kinds = {flaw.kind: flaw for flaw in reversed(case.flaws)}
    if status is ParseStatus.UNPARSEABLE and "cut" in kinds:
        status, why = ParseStatus.TRUNCATED, issue(IssueCode.TRUNCATED, "the reply was cut off")
    elif status is ParseStatus.UNPARSEABLE and [*kinds] == ["range"]:
        status = ParseStatus.OUT_OF_RANGE
    mended = next((one for one in case.part.documents if one.notes), None)
    repairs = mended.repairs if mended is not None else ()
    wrong = [issue(code, str(kinds[kind])) for kind, code in _CODES.items() if kind in kinds]
    notes = repaired([repair.code for repair in repairs])
    notes += wrong if wrong and why.code is IssueCode.MISSING_VERDICT else [why, *wrong]
    errors = tuple(dict.fromkeys(str(flaw) for flaw in case.flaws))
    return ObjectReading(status, None, tuple(notes), repairs, errors=errors)


def _agree(found: Sequence[_Found]) -> bool:
    return all(same(_bare(one.plain), _bare(found[0].plain)) for one in found[1:])


def _bare(value: Any) -> Any:
    """An object without its reasons: two that differ only in these agree."""
    if not isinstance(value, dict):
        return value
    return {key: item for key, item in value.items() if not (isinstance(item, str) and role_of(key) is Role.REASON)}


def _conflict(case: _Case) -> str | None:
    """Why the objects of a reply cannot all be meant; None where they agree, or the earlier ones were taken back."""
    found, text = case.found, case.part.text
    last = found[-1]
    if case.earlier and not _agree([*case.earlier, last]):
        return "an earlier part of the reply gives another object"
    if not _agree(found):
        differing = max(at for at, one in enumerate(found) if not same(_bare(one.plain), _bare(last.plain)))
        earlier = found[differing].document
        between = text[earlier.end : last.document.start]
        if earlier is last.document or not (corrects(between) or withdraws(between)):
            return "the reply gives different objects"
    for rival in case.rivals:
        for key, item in rival.items():
            own = last.plain.get(key, NOTHING) if isinstance(last.plain, dict) else NOTHING
            schema = case.target.names.get(key, True)
            labels = any("enum" in form or "const" in form for form in case.target.schema.forms([schema]))
            if own is NOTHING or isinstance(own, dict | list) or (isinstance(own, str) and not labels):
                continue
            other = case.target.schema.fit(item, schema)
            if not other.flaws and not same(other.value, own):
                return f"the reply gives different values for {key!r:.60}"
    behind = text[last.document.end :]
    if not is_blank(behind) and takes_back(behind[:2_000]):
        return "what stands behind the object takes it back, or says that it is another's"
    return None


def _repairs(found: _Found) -> tuple[Repair, ...]:
    liberties = [Repair(code, found.document.locate((*found.path, *path))[0]) for code, path in found.liberties]
    return tuple(sorted((*found.document.repairs, *liberties), key=lambda repair: repair.offset))
