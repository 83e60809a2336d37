"""Templates: what an expression puts in is untrusted, made inert as the kind of document asks, unless we made it."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from magistrate.report import phrasing
from magistrate.report.text import clip, inert_lines, printable

if TYPE_CHECKING:
    from jinja2 import Environment, Template

_TICKS: Final = re.compile("`+")
_LONGEST: Final = 200


def render(template: str, **values: Any) -> str:
    """Render a template of `report/templates`; the ending of its name says how texts are made inert."""
    return template_of(template).render(**values)


def template_of(name: str) -> Template:
    """A template of `report/templates`, such as "summary.md"."""
    return _environment(name.rpartition(".")[2]).get_template(f"{name}.j2")


def code_span(text: str, longest: int = _LONGEST) -> str:
    """Put untrusted text, clipped, into a code span that it cannot break out of; `|` would end a cell, so it is `¦`."""
    line = clip(text, longest).replace("|", "¦")
    if not line:
        return "` `"
    fence = "`" * (1 + max(map(len, _TICKS.findall(line)), default=0))
    room = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{room}{line}{room}{fence}"


@cache
def _environment(kind: str) -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415 - takes 50 ms
    from markupsafe import Markup, escape  # noqa: PLC0415

    def ours(make: Callable[..., str]) -> Callable[..., Markup]:
        """Mark what a function of ours gives as safe to put in."""
        return lambda *arguments: Markup(make(*arguments))  # noqa: S704 - vocabulary, numbers, or a code span

    def inert(value: Any) -> Any:
        if value is None:
            return ""
        if not isinstance(value, str) or hasattr(value, "__html__"):
            return value
        if kind == "md":
            return Markup(code_span(value))  # noqa: S704 - it cannot break out of it
        if kind == "xml":  # an attribute keeps its lines
            return escape(inert_lines(value)).replace("\n", Markup("&#10;")).replace("\t", Markup("&#9;"))
        return printable(value) if kind == "txt" else inert_lines(value)

    environment = Environment(
        loader=PackageLoader("magistrate.report"),
        autoescape=True,
        finalize=inert,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "clip": clip,
        "code": ours(code_span),
        "number": ours(phrasing.number),
        "p": ours(phrasing.p_value),
        "plural": ours(phrasing.plural),
        "words": ours(phrasing.words_of),
        "grouped": ours("{:,}".format),
        "usage": ours(phrasing.usage_text),
        "hashed": ours(lambda text: "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()),
    }
    environment.globals |= {
        "verdict_style": phrasing.VERDICT_STYLE,
        "outcome_style": phrasing.OUTCOME_STYLE,
        "sign": phrasing.OUTCOME_SIGN,
        "gate_word": phrasing.GATE_WORD,
        "why": phrasing.STATUS_WHY,
        "issue_text": phrasing.issue_text,
        "quote_place": phrasing.quote_place,
    }
    return environment
