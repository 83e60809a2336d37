"""The blocks of YAML in a reply that may hold the object that is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from magistrate.parsing.decode.documents import Document
from magistrate.parsing.decode.nodes import Arr, Gap, Obj, Span
from magistrate.parsing.decode.parts import Part
from magistrate.parsing.decode.yaml_block import Block, BlockText, Plain, begins_item, begins_key, lines_of, read_block
from magistrate.parsing.objects._text import Prose, is_own, mask
from magistrate.parsing.objects.target import Target
from magistrate.parsing.objects.yaml_fit import as_asked
from magistrate.parsing.reply.fences import ends_open, fence_lines
from magistrate.parsing.reply.masking import LONGEST_PROSE
from magistrate.parsing.wording.courtesy import withdraws
from magistrate.parsing.wording.fold import compact
from magistrate.parsing.wording.keys import Role, role_of

_LONGEST: Final = 64
"""Characters of a key that may name a property."""
MOST_TORN: Final = 20
"""Places that look like a block and are none, after which no more are looked at."""
MOST_BLOCKS: Final = 40
"""Blocks that may hold the object; a reply with more is no answer."""
_ASIDE: Final = frozenset({Role.ASIDE, Role.QUOTE, Role.REASON})


def read_blocks(part: Part, target: Target, *, cut: bool) -> list[Document]:
    """The blocks of a reply that hold more than lines with a key and a plain scalar each, in order.

    Args:
        part: The reply.
        target: What the caller asks for.
        cut: Whether the provider says that the reply was cut off: then its last value is not known to be whole.
    """
    if sum(end - start for start, end in part.prose) > LONGEST_PROSE:
        return []  # as `mask` has it
    said = "\n".join(part.text[start:end] for start, end in part.prose)
    several = "\n" in said.strip() or bool(part.documents) or "[" in said
    if not several or not _may_begin(said, target):
        return []
    prose = mask(Part(part.text, part.text, prose=_visible(part)))
    if prose.overlong:
        return []
    cut = cut or ends_open(fence_lines(part.text, part.prose))
    found: list[Document] = []
    for block in _blocks(prose.text, target):
        last = not prose.text[block.end :].strip()
        if block.ends_open or (cut and last):
            _tear(block.value)
        document = _placed(part.text, prose, block, target, dangling=block.ends_open or (cut and last))
        if is_own(part, part.text.rfind("\n", 0, document.start) + 1, inline=False):
            found.append(document)
    return found


def _may_begin(said: str, target: Target) -> bool:
    """A quick look whether a line names a property, or begins an item of the list that is asked for."""
    if ("array" in target.kinds or len(target.names) == 1) and _ITEM_LINE.search(said) is not None:
        return True
    return any(compact(line["name"]) in target.forms for line in _NAME_LINE.finditer(said))


_ITEM_LINE: Final = re.compile(r"^[ \t]{0,40}(?:[-*+\u2022]|\d{1,3}[.)])[ \t]", re.MULTILINE)
_NAME_LINE: Final = re.compile(
    r"^[^\w\n:\uff1a]{0,40}+(?:\d{1,3}[.)][ \t]{1,4}[^\w\n:\uff1a]{0,4})?(?P<name>\w[^\n:\uff1a]{0,80})[:\uff1a]",
    re.MULTILINE,
)


def belongs(document: Document, block: Document, target: Target) -> bool:
    """Whether JSON is a value of a block: under one of its properties, or inside what is under another key."""
    if not block.start <= document.start < block.end or not isinstance(block.value, dict):
        return block.start <= document.start < block.end
    return not any(block.locate((key,))[0] == document.start and not target.knows({key: None}) for key in block.value)


def spreads(value: Any, target: Target) -> bool:
    """Whether a block has properties of the object both at its head and further inside, or inside twice."""
    seen = 0
    level = [value]
    while level:
        seen += any(isinstance(one, Obj) and target.knows(one) for one in level)
        level = [
            item
            for one in level
            if isinstance(one, dict | list)
            for item in (one.values() if isinstance(one, dict) else one)
        ]
    return seen > 1


def _visible(part: Part) -> list[Span]:
    """What is left of the reply, JSON and all."""
    spans: list[Span] = []
    for start, end in sorted([*part.prose, *((one.start, one.end) for one in part.documents)]):
        if spans and spans[-1][1] >= start:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    return spans


def _blocks(text: str, target: Target) -> list[Block]:
    """The blocks of a text that may hold the object; none where labelled lines say the same."""
    blocks = list(islice(_all_blocks(text, target), MOST_BLOCKS + 1))
    if len(blocks) > MOST_BLOCKS:
        return []
    return blocks if any(block.rich and not _is_flat(block.value) for block in blocks) else []


def _all_blocks(text: str, target: Target) -> Iterator[Block]:
    def known(name: str) -> bool:
        return len(name) <= _LONGEST and compact(name) in target.forms

    lines = lines_of(text, 0, len(text))
    at = torn = 0
    while at < len(lines) and torn < MOST_TORN:
        line = lines[at]
        if line.blank or not (begins_key(text, line.start) or begins_item(text, line.start)):
            at += 1
            continue
        found = read_block(text, lines, at, known, _heads_another)
        if found is None:
            torn += 1
            while at < len(lines) and not lines[at].blank:
                at += 1
            continue
        block, after = found
        at = max(after, at + 1)
        whole = not text[: line.start].strip() and not text[block.end :].strip()
        block = _trimmed(block, target)
        if _may_hold(block, target, whole=whole):
            yield block


def _is_flat(value: Any) -> bool:
    """Whether a block is a map of plain scalars and of lists of texts: labelled lines say the same."""
    return isinstance(value, Obj) and all(
        item is None
        or isinstance(item, Plain | Gap)
        or (isinstance(item, Arr) and all(isinstance(one, str) and not isinstance(one, BlockText) for one in item))
        for item in value.values()
    )


def _may_hold(block: Block, target: Target, *, whole: bool) -> bool:
    """Whether a block may hold the object: it names a property somewhere, or is a list that is all there is."""
    if isinstance(block.value, Arr) and whole and ("array" in target.kinds or len(target.names) == 1):
        return True
    level: list[Any] = [block.value]
    while level:
        if any(isinstance(one, Obj) and target.knows(one) for one in level):
            return True
        level = [
            item
            for one in level
            if isinstance(one, dict | list)
            for key, item in (one.items() if isinstance(one, dict) else enumerate(one))
            if not (isinstance(key, str) and role_of(key) in _ASIDE)
        ]
    return False


def _trimmed(block: Block, target: Target) -> Block:
    """A block without what stands before and behind its properties and is no property: words that end in a colon."""
    value = block.value
    if not isinstance(value, Obj):
        return block
    keys = list(value)
    known = [at for at, key in enumerate(keys) if len(key) <= _LONGEST and compact(key) in target.forms]
    if not known:
        return block
    first = max((at for at in range(1, known[0] + 1) if block.heads[keys[at]][1]), default=0)
    while first < known[0] and value[keys[first]] is None:
        first += 1
    last = next((at for at in range(known[-1] + 1, len(keys)) if block.heads[keys[at]][1]), len(keys))
    last = next((at for at in range(first, last) if at not in known and _takes_back(keys[at], value)), last)
    if last <= known[0]:
        return block
    if first == 0 and last == len(keys):
        return block
    kept = Obj(block.heads[keys[first]][0])
    kept.open = value.open
    for key in keys[first:last]:
        kept[key], kept.spans[key] = value[key], value.spans[key]
        if key in value.twice:
            kept.twice[key] = value.twice[key]
    end = block.end if last == len(keys) else max(kept.spans[key][1] for key in kept)
    kept.span = (kept.span[0], end)
    block.value, block.end = kept, end
    return block


def _heads_another(name: str) -> bool:
    """Whether a key without a value heads what takes the place of what stands above: "Corrected:"."""
    return withdraws(f"{name}:")


def _takes_back(key: str, value: Obj) -> bool:
    """Whether a key that is no property, with what stands under it, takes back what stands above: "Correction: ..."."""
    item = value[key]
    return withdraws(f"{key}: {item if isinstance(item, str) else ''}"[:2_000])


def _tear(value: Any) -> None:
    """Mark what the end of a cut reply runs through: what is open there, and the last scalar without a closing mark."""
    holder: Any = value
    while isinstance(holder, Obj | Arr) and holder:
        holder.open = True
        step: Any = list(holder)[-1] if isinstance(holder, Obj) else len(holder) - 1
        last = holder[step]
        if last is None or isinstance(last, Plain | BlockText | Gap):
            holder[step] = Gap.CUT
            if isinstance(holder, Obj) and step in holder.twice:
                holder.twice[step][-1] = Gap.CUT
            return
        holder = last


def _placed(text: str, prose: Prose, block: Block, target: Target, *, dangling: bool) -> Document:
    """A block as data of the reply."""
    value = as_asked(block.value, target.schema, prose.text)
    start = block.value.span[0]
    inner = Document(prose.text, start, block.end, value, block.notes)
    notes = [(code, prose.place(offset)) for code, offset in block.notes]
    return Document(
        text,
        prose.place(start),
        prose.place(block.end),
        value,
        notes,
        cut=dangling,
        dangling=dangling,
        layer=prose,
        inner=inner,
    )
