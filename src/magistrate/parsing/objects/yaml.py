"""The object that is asked for as block YAML: PyYAML composes it, the schema says what its plain scalars are.

What judges write is taken, not all of YAML: a colon in a plain scalar is text, items may be bullets or numbers, keys
may be set in bold; anchors, aliases and tags give nothing. "4" is a number where one may stand and a text where only a
text may; "yes" and "off" are truth values only where the schema asks for nothing but one.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

from magistrate.parsing.decode.documents import Document
from magistrate.parsing.decode.nodes import Arr, Gap, Obj
from magistrate.parsing.decode.parts import Part
from magistrate.parsing.objects.labelled import own_text
from magistrate.parsing.objects.leaves import kind_of, same
from magistrate.parsing.objects.schema import Schema, items_of, members_of
from magistrate.parsing.objects.target import Target
from magistrate.parsing.reply.marks import ends_open, fence_lines
from magistrate.parsing.settle.acceptance import is_foreign
from magistrate.parsing.wording.courtesy import withdraws
from magistrate.parsing.wording.fold import compact

MOST_BLOCKS: Final = 20
"""Blocks that are looked at; a reply with more is no answer."""
_MARKER: Final = re.compile(r"^(?P<lead> *)(?:[*+\u2022]|\d{1,3}[.)])(?= )", re.MULTILINE)
_BOLD_KEY: Final = re.compile(
    r"^(?P<lead> *(?:- +)*)[*_`]{1,3}(?P<key>\w[^\n:*_`]{0,80})[*_`]{0,3}:[*_`]{0,3}(?=[ \r\n]|\Z)", re.MULTILINE
)
_LINE: Final = re.compile(
    r"(?P<indent> *)(?P<item>(?:- +|-$)*)(?:[\"']?(?P<key>\w[^\n:]{0,80}?)[\"']?:(?=[ \r]|$)[ \r]*)?(?P<rest>.*)",
    re.MULTILINE,
)
_END: Final = re.compile(r"(?:---|\.\.\.|#{2,6} )")
_PLAIN: Final = re.compile(r"[^\r\n\0]+?(?=[ \r]*(?:[\n\0]| #(?:[ \r\n\0])))")
_GOES_ON: Final = re.compile(r"[ \r]*\n(?:[ \r]*\n)*(?P<indent> *)(?=[^\s#])")
_NESTS: Final = re.compile(r"^[ -]|[\"'|>\[{]", re.MULTILINE)
"""Without any of these signs every value is one plain scalar."""
_QUOTED: Final = re.compile(r"(?:\"(?:[^\"\\]|\\.)*+\"|'(?:[^']|'')*+')[ \r]*(?P<ends>[\n\0]|#)?", re.DOTALL)
_WHOLE: Final = re.compile(r"[-+]?[0-9]{1,18}")
_NUMBER: Final = re.compile(r"[-+]?(?:[0-9]{1,18}(?:\.[0-9]{0,18})?|\.[0-9]{1,18})(?:[eE][-+]?[0-9]{1,3})?")
_WORDS: Final = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("null", "Null", "NULL", "~", ""), None),
}
_TRUTHS: Final = {"yes": True, "no": False, "on": True, "off": False}


def read_blocks(part: Part, target: Target, view: str, *, cut: bool) -> list[Document]:
    """The blocks of a reply that may hold the object; none where labelled lines say the same."""
    if target.kinds and not target.kinds & {"object", "array"}:
        return []
    said = own_text(part, data=True)
    regions = list(_regions(_as_yaml(said), target)) if "\n" in said.strip() else []
    if len(regions) > MOST_BLOCKS or not any(_NESTS.search(region) for _, region in regions):
        return []
    cut = cut or ends_open(fence_lines(part.text, part.prose))
    found, nested = [], False
    for start, region in regions:
        torn = cut and not said[start + len(region) :].strip()
        node: Any = Gap.CUT if torn else _composed(region)
        if node is None or is_foreign(view, part.text.rfind("\n", 0, start) + 1, inline=False):
            continue
        if node is Gap.CUT:
            found.append(Document(part.text, start, start + len(region), node, (), cut=True, dangling=True))
            nested = True
            continue
        values = node.value if node.id == "sequence" else [one for _, one in node.value]
        nested = nested or any(_is_nested(one) for one in values)
        value = _value(node, [target.schema.root], target.schema, start)
        found.append(Document(part.text, start, start + len(region), value))
    return found if nested else []


def _as_yaml(text: str) -> str:
    """The text as YAML has it, in as many signs."""
    text = _MARKER.sub(lambda found: (found["lead"] + "-").ljust(len(found.group())), text.replace("\t", " "))
    return _BOLD_KEY.sub(lambda found: f"{found['lead']}{found['key']}:".ljust(len(found.group())), text)


def _regions(text: str, target: Target) -> Iterator[tuple[int, str]]:
    """The parts of a text that begin with a property of what is asked for, or an item of it, and where they do."""
    lists = "array" in target.kinds or len(target.names) == 1
    lines = [
        found
        for found in (_LINE.match(text, at) for at in (0, *(one.end() for one in re.finditer("\n", text))))
        if found is not None
    ]
    at = 0
    while at < len(lines):
        line = lines[at]
        first, indent, at = at, len(line["indent"]), at + 1
        wraps = line["key"] and not line["rest"].strip() and at < len(lines) and len(lines[at]["indent"]) > indent
        if not (_is_known(line, target) or (line["item"] and lists) or (wraps and _is_known(lines[at], target))):
            continue
        while at < len(lines) and _belongs(lines, first, at, indent, target):
            at += 1
        last = at - 1
        while not lines[last].group().strip():
            last -= 1
        attached = last + 1 < len(lines) and lines[last + 1].group().strip()
        if attached and lines[last + 1]["key"] is None and not _END.match(lines[last + 1].group().lstrip()):
            continue  # the text goes on in another way right below it
        yield line.start(), text[line.start() : lines[last].end()]


def _is_known(line: re.Match[str], target: Target) -> bool:
    return line["key"] is not None and bool(target.knows({line["key"].strip(): None}))


def _belongs(lines: list[re.Match[str]], first: int, at: int, indent: int, target: Target) -> bool:
    """Whether a line goes on with the block that an earlier one began."""
    line, before = lines[at], lines[at - 1]
    if not line.group().strip() or line["rest"].startswith("# ") or len(line["indent"]) > indent:
        return True
    if len(line["indent"]) < indent or _END.match(line["item"] + line["rest"]):
        return False
    if line["item"]:
        return bool(lines[first]["item"]) or before["key"] is None or not before["rest"].strip()
    if line["key"] is None:
        return line["rest"].strip() in {"]", "}"}
    apart = not before.group().strip()
    return not lines[first]["item"] and (
        _is_known(line, target) or not (apart or withdraws(f"{line['key']}: {line['rest'][:2_000]}"))
    )


@cache
def _loader() -> Any:
    """A loader that takes the rest of a line behind a key or the mark of an item for text."""
    import yaml  # noqa: PLC0415 - only where something looks like YAML

    class Loader(yaml.SafeLoader):
        def _is_value(self) -> bool:
            return not (self.allow_simple_key or self.flow_level)

        def _refuse(self) -> None:
            raise yaml.YAMLError("a reference")

        fetch_anchor = fetch_tag = _refuse

        def fetch_alias(self) -> None:
            if self.peek(1) != "*" or not self._is_value():
                self._refuse()
            self.fetch_plain()

        def check_plain(self) -> bool:
            return super().check_plain() or (self._is_value() and self.peek() in "`@%,]}")

        def fetch_flow_scalar(self, style: str) -> None:
            quoted = _QUOTED.match(self.buffer, self.pointer)
            if self._is_value() and quoted is not None and quoted["ends"] is None:
                self.fetch_plain()  # "dry" is the word
            else:
                super().fetch_flow_scalar(style)

        def fetch_plain(self) -> None:
            self.value = self._is_value()
            super().fetch_plain()

        def scan_plain(self) -> Any:
            if not self.value:
                return super().scan_plain()
            start, said = self.get_mark(), []
            while found := _PLAIN.match(self.buffer, self.pointer):
                said.append(found.group())
                self.forward(len(said[-1]))
                end = self.get_mark()
                more = _GOES_ON.match(self.buffer, self.pointer)
                if more is None or len(more["indent"]) <= self.indent:
                    break
                self.forward(more.end() - self.pointer)
            return yaml.ScalarToken(" ".join(said), True, start, end)

    return Loader


def _composed(region: str) -> Any:
    """The nodes of a block; a gap where it is never closed, None where it is none."""
    import yaml  # noqa: PLC0415

    try:
        node = yaml.compose(region + "\n", Loader=_loader())
    except yaml.MarkedYAMLError as error:
        return Gap.CUT if "end" in str(error.problem).split() or "<stream" in str(error.problem) else None
    except yaml.YAMLError:
        return None
    except RecursionError:
        return Gap.CUT
    return node if isinstance(node, yaml.MappingNode | yaml.SequenceNode) else None


def _is_nested(node: Any) -> bool:
    """Whether a value is more than a labelled line has, or a list of texts under it."""
    if node.id == "scalar":
        return node.style is not None
    return node.id == "mapping" or any(one.id != "scalar" or one.style in {"|", ">"} for one in node.value)


def _value(node: Any, schemas: Sequence[Any], root: Schema, origin: int) -> Any:
    """What a node says, by what the schema has in its place."""
    forms = root.forms(schemas)
    kinds = _kinds(forms)
    if node.id == "scalar":
        if node.style is None and node.value in {"...", "\u2026"}:
            return Gap.ELLIPSIS
        return node.value if node.style else _scalar(node.value, forms, kinds)
    if "string" in kinds and not kinds & {"object", "array"}:  # "- Note: it is dry"
        return str(node.start_mark.buffer[node.start_mark.pointer : node.end_mark.pointer]).strip()
    start, end = (mark.index + origin for mark in (node.start_mark, node.end_mark))
    pairs = node.value
    if node.id == "sequence":
        if not kinds or "array" in kinds or "object" not in kinds or any(one.id != "mapping" for one in pairs):
            listed = Arr(start)
            listed.span, listed.open = (start, end), False
            listed.extend(_value(one, items_of(forms, at), root, origin) for at, one in enumerate(pairs))
            listed.spans = [(one.start_mark.index + origin, one.end_mark.index + origin) for one in pairs]
            return listed
        pairs = [pair for one in pairs for pair in one.value]  # "- tone: dry" and "- length: short" are one map
    held = Obj(start)
    held.span, held.open = (start, end), False
    spelled = {compact(name): name for form in forms for name in form.get("properties") or ()}
    for key, one in pairs:
        if key.id != "scalar":
            held.open = True  # such a key names nothing
            continue
        name = key.value.strip(" *`")
        said = _value(one, members_of(forms, spelled.get(compact(name), name)), root, origin)
        if name in held:
            held.twice.setdefault(name, [held[name]]).append(said)
        else:
            held[name], held.spans[name] = said, (one.start_mark.index + origin, one.end_mark.index + origin)
    return held


def _scalar(said: str, forms: Sequence[Mapping[str, Any]], kinds: set[str]) -> Any:
    typed = _typed(said)
    choices = [one for form in forms for one in _choices(form)]
    if said in choices:
        return said
    kind = kind_of(typed)
    if not kinds or kind in {*kinds, "null"} or (kind == "integer" and "number" in kinds):
        return typed
    if any(same(one, typed) for one in choices) or "string" in kinds:
        return typed if any(same(one, typed) for one in choices) else said
    bare = said.strip("*_`").strip()
    truth = _TRUTHS.get(bare.casefold()) if "boolean" in kinds else None
    return _typed(bare) if truth is None else truth


def _typed(text: str) -> Any:
    """A plain scalar as YAML has it: numbers, truth values, nothing; else a text."""
    if text in _WORDS:
        return _WORDS[text]
    return int(text) if _WHOLE.fullmatch(text) else float(text) if _NUMBER.fullmatch(text) else text


def _choices(form: Mapping[str, Any]) -> Sequence[Any]:
    choices = [form["const"]] if "const" in form else form.get("enum")
    return choices if isinstance(choices, list | tuple) else ()


def _kinds(forms: Sequence[Mapping[str, Any]]) -> set[str]:
    """The kinds of values that may stand in a place; empty where anything may."""
    found: set[str] = set()
    for form in forms:
        kind = form.get("type")
        said = {kind} if isinstance(kind, str) else set(map(str, kind or ()))
        said |= {"null"} if said and form.get("nullable") is True else set()
        said = said or set(map(kind_of, _choices(form)))
        said = said or ({"object"} if "properties" in form else {"array"} if "items" in form else set())
        if not said:
            return set()
        found |= said
    return found
