"""XML-like tags: read tolerantly into the same containers as JSON, so that one set of rules finds the rows."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from magistrate.parsing.decode.documents import Document
from magistrate.parsing.decode.nodes import Arr, Gap, Obj, Span
from magistrate.parsing.reply.masking import without_comments
from magistrate.parsing.switches import cached_for
from magistrate.parsing.wording.keys import Role, is_wrapper, role_of

MOST_TAGS: Final = 3_000
STRUCK: Final = frozenset({"s", "del", "strike"})
"""Elements that hold what was struck out."""
DEEPEST: Final = 48
_TAG: Final = re.compile(r"<(?P<close>/?)(?P<name>[A-Za-z_\u00c0-\uffef][\w.:-]{0,40})(?P<rest>[^<>]{0,300}+)>")
_NO_TAGS: Final = re.compile(r"<!--(?:[^-]|-(?!->))*+(?:-->)?|<!\[CDATA\[(?:[^\]]|\](?!\]>))*+(?:\]\]>)?")
_ATTRIBUTE: Final = re.compile(r"([\w:-]{1,40})\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([\w.-]{1,40}))")
_GIVEN: Final = re.compile(r"=([\w-]{1,40})")
_FORMS: Final = frozenset(
    "a b i u p em strong span div br hr ul ol li dl dt dd table thead tbody tr td th h1 h2 h3 h4 h5 h6 code pre small "
    "sup sub mark section article body html details font center s del strike ins".split()
)
"""Elements that only give a text its form."""
_ANSWERING: Final = frozenset({Role.VERDICT, Role.WEAK_VERDICT, Role.ECHO, Role.REASON, Role.QUOTE})
_NO_ANSWER: Final = frozenset({Role.REASON, Role.QUOTE, Role.ECHO, Role.ASIDE})
HOLDER: Final = re.compile(
    r"</?(?:(?:final_?)?answers?|(?:final_?)?output|(?:final_?)?response|results?|final|evaluation|assessment|verdicts|labels|judge?ments)>",
    re.IGNORECASE,
)
"""Tags that are put around an answer of any form."""
_ROW_OF_WORDS: Final = re.compile(r"[^\W\d]\w*(?: \w+){0,2}(?:\s*[,;]\s*[^\W\d]\w*(?: \w+){0,2}){1,400}[.]?")
_JUDGING: Final = frozenset({Role.VERDICT, Role.WEAK_VERDICT})


@dataclass(slots=True)
class Element:
    """One element."""

    name: str  # its name, in small letters
    key: str  # what it is called: its own name, or the one it gives, <parameter name="score">, <parameter=score>
    start: int  # where its opening tag begins
    inner: int  # where its content begins
    attributes: dict[str, str] = field(default_factory=dict)  # its attributes
    children: list[Element] = field(default_factory=list)  # the elements in it
    stop: int = -1  # where its content ends
    end: int = -1  # one past its closing tag
    closed: bool = False  # whether it has one


def read_tags(text: str, spans: Sequence[Span]) -> list[Element]:
    """The outermost elements in some parts of a text, in order; nobody changes them."""
    return _read_tags(text, tuple((start, end) for start, end in spans if start < end))


@cached_for(2)  # several steps look at the same parts
def _read_tags(text: str, spans: tuple[Span, ...]) -> list[Element]:
    roots: list[Element] = []
    stack: list[Element] = []
    seen = 0
    bare = _NO_TAGS.sub(lambda found: found.group().replace("<", " ").replace(">", " "), text) if "<!" in text else text
    for start, end in spans:
        for tag in _TAG.finditer(bare, start, end):
            seen += 1
            if seen > MOST_TAGS:
                return []
            if tag["close"]:
                _close(tag, stack)
                continue
            name, rest = tag["name"], tag["rest"]
            given = _ATTRIBUTE.finditer(rest) if "=" in rest else ()
            attributes = {one[1]: html.unescape(one[2] or one[3] or one[4] or "") for one in given}
            beside = stack[-1].children if stack else roots
            named = _GIVEN.fullmatch(rest) if rest[:1] == "=" else None
            key = named[1] if named else attributes.pop("name", name)
            if name == "arg_value" and beside and beside[-1].name == "arg_key":
                key = content_of(beside[-1], text)
            element = Element(name.casefold(), key, tag.start(), tag.end(), attributes)
            if len(stack) < DEEPEST:
                if element.name not in STRUCK:
                    beside.append(element)
                if rest[-1:] == "/":
                    element.stop, element.end, element.closed = tag.end(), tag.end(), True
                else:
                    stack.append(element)
    limit = spans[-1][1] if spans else 0
    for element in stack:
        element.stop = element.end = limit
    return roots


def _close(tag: re.Match[str], stack: list[Element]) -> None:
    """Close the innermost element of that name; what was opened inside it and not closed ends there, too."""
    name = tag["name"].casefold()
    for depth in range(len(stack) - 1, max(-1, len(stack) - 12), -1):
        if stack[depth].name == name:
            for element in stack[depth + 1 :]:
                element.stop = element.end = tag.start()
            stack[depth].stop, stack[depth].end, stack[depth].closed = tag.start(), tag.end(), True
            del stack[depth:]
            return


def others_words(text: str, spans: Sequence[Span] | None = None, *, strange: bool = False) -> list[Span]:
    """Where elements stand that hold other people's words, in order: reasons, quotations, statements.

    With `strange` those count, too, whose name is not known to hold an answer of the judge's.
    """
    roots = read_tags(text, spans or [(0, len(text))])
    others = [one for one in _all(roots) if one.closed and role_of(one.key) in _NO_ANSWER]
    return sorted({(one.inner, one.stop) for one in others} | set(strangers(roots) if strange else ()))


def strangers(roots: Sequence[Element]) -> list[Span]:
    """Where elements stand whose name is not known to hold an answer of the judge's."""
    return [(one.inner, one.stop) for one in _all(roots) if one.closed and not _may_answer(one.key)]


def _may_answer(key: str) -> bool:
    name = key.casefold()
    bare = name.strip("0123456789_-")
    return name in _FORMS or role_of(bare) in _ANSWERING or (role_of(bare) is not Role.ASIDE and is_wrapper(bare))


def read_markup(text: str, roots: Sequence[Element], documents: Sequence[Document]) -> Document | None:
    """Read the elements of a text as one container; None where there are none, or what they hold is JSON."""
    roots = [
        root
        for root in roots
        if not any(root.start <= document.start < root.end for document in documents) and not _holds_text(root, text)
    ]
    if not roots:
        return None
    value = Obj(roots[0].start)
    value.open = False  # an element that was never closed is a gap; what holds it is not cut off for that
    for root in roots:
        _add(value, root, text)
    end = max(root.end for root in roots)
    value.span = (roots[0].start, end)
    unclosed = [root for root in _all(roots) if not root.closed]
    return Document(
        text,
        roots[0].start,
        end,
        value,
        [("missing-tag", root.start) for root in unclosed[:50]],
        bool(unclosed),
        bool(unclosed),
    )


def _holds_text(element: Element, text: str) -> bool:
    """Whether an element stands around a whole answer in plain text, as a fence does: a list, words in a row."""
    if element.children or element.attributes or not HOLDER.match(text, element.start):
        return False
    content = text[element.inner : element.stop].strip()
    return "\n" in content or _ROW_OF_WORDS.fullmatch(content) is not None


def _all(roots: Sequence[Element]) -> list[Element]:
    found: list[Element] = []
    pending = list(roots)
    while pending:
        element = pending.pop()
        found.append(element)
        pending.extend(element.children)
    return found


def _add(holder: Obj, element: Element, text: str) -> None:
    """File an element under its name; elements of one name become a list."""
    value, span = _value(element, text), (element.start, element.end)
    known = holder.get(element.key)
    if element.key not in holder:
        holder[element.key] = value
        holder.spans[element.key] = span
    elif isinstance(known, Arr) and holder.twice.get(element.key) is None:
        known.append(value)
        known.spans.append(span)
        known.span = (known.span[0], span[1])
        holder.spans[element.key] = known.span
    else:
        listed = Arr(holder.spans[element.key][0])
        listed.open = False
        listed.extend([known, value])
        listed.spans = [holder.spans[element.key], span]
        listed.span = (listed.spans[0][0], span[1])
        holder[element.key] = listed
        holder.spans[element.key] = listed.span


def content_of(element: Element, text: str) -> str:
    """The text in an element: comments left out, character data as it stands, references resolved."""
    content = text[element.inner : element.stop].strip()
    if "<!" in content:
        content = without_comments(content, lambda _: "").strip()
        if content.startswith("<![CDATA["):
            return content.removeprefix("<![CDATA[").removesuffix("]]>").strip()
    return html.unescape(content)


def _value(element: Element, text: str) -> Any:
    if not element.closed and not element.children:
        return Gap.CUT
    content = content_of(element, text) if not element.children else ""
    if not element.children and not element.attributes:
        return content
    value = Obj(element.start)
    value.span, value.open = (element.start, element.end), False
    for name, attribute in element.attributes.items():
        value[name] = attribute
        value.spans[name] = value.span
    for child in element.children:
        _add(value, child, text)
    if content:
        given = not _JUDGING.isdisjoint(map(role_of, element.attributes))
        named = role_of(element.key) in _JUDGING | {Role.ECHO, Role.REASON}
        name = "reason" if given else element.key if named else "answer"
        value.setdefault(name, content)
        value.spans.setdefault(name, (element.inner, element.stop))
    return value
