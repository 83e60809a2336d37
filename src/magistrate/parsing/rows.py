"""A row: what a reply says of one statement, before it is known which statement that is."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final

from magistrate.parsing.decode.documents import Document
from magistrate.parsing.vocabulary import fold
from magistrate.verdict import Issue, IssueCode, Repair, Verdict

__all__ = ["Path", "Row", "Table", "read_id", "split_numbered"]

Path = tuple[str | int, ...]
Span = tuple[int, int]

LONGEST_ID: Final = 100

_NAMES: Final = (
    r"(?:statement|claim|sentence|fact|item|case|criterion|verdict|question|point|aussage|behauptung|satz|afirmación|declaración|affirmation"
    r"|énoncé|déclaration|affermazione|dichiarazione|enunciato|afirmação|declaração|утверждение|number|no|nr|n|id|s|c|q|v"
    r"|陈述|陳述|声明|语句|命题|主張|文|진술|주장|문장|العبارة|عبارة|कथन|वाक्य|第|#)"
)
_ID: Final = re.compile(rf"(?:{_NAMES}\s*+[.:#№]?\s*+)?[#№(\[]?\s*+(\d{{1,9}})\s*+[.):\]]*+\s*+(?:번|番|项|条)?")
_NUMBERED: Final = re.compile(
    rf"\s*+(?:{_NAMES}\s*+[.:#№]?\s*+)?[#№(\[]?\s*+(?P<number>\d{{1,4}})[)\]]?\s*(?:[.):：、．)]|\s-|\s–|\s—|->|→)\s*+(?!\d)(?P<rest>\S.*)",
    re.IGNORECASE | re.DOTALL,
)


def read_id(value: Any) -> int | str | None:
    """Read what stands in the place of an id: a number where it is one ("s3", "Statement 3", 3.0), else the text."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 1e9 else str(value)  # noqa: PLR2004 - no list is longer
    if not isinstance(value, str) or not value.strip():
        return None
    match = _ID.fullmatch(fold(value)) if len(value) <= LONGEST_ID else None
    return int(match[1]) if match else value.strip()


def split_numbered(text: str) -> tuple[int, str] | None:
    """Split "2: no" or "Statement 2. ..." into number and rest; None where the text begins with no number."""
    match = _NUMBERED.match(text)
    return (int(match["number"]), match["rest"]) if match else None


@dataclass(slots=True)
class Row:
    """What a reply says of one statement.

    Args:
        reading: The verdict, or why the row has none.
        value: What stands in the place of the verdict, as decoded.
        id: The statement's number or id as the reply gives it; None where it gives none.
        echo: The statement as the reply repeats it.
        echo_index: Index of the statement that it repeats word for word, where that is known already.
        reason: The judge's reason.
        reason_span: Where the reason stands in the text, where it is not in `reason` already.
        quotes: The judge's evidence.
        probability: P(supported), where given.
        hints: Members of unknown name, as pairs, where nothing else says which statement it is about.
        source: What it was decoded from, if anything.
        path: Where the row stands in the decoded value.
        span: Where it stands in the text, if known already.
        repairs: The repairs that touched it.
        issues: What is to be known about it.
        format: What it was read from.
    """

    reading: Verdict | IssueCode
    value: Any = None
    id: int | str | None = None
    echo: str | None = None
    echo_index: int | None = None
    reason: str | None = None
    reason_span: Span | None = None
    quotes: tuple[str, ...] = ()
    probability: float | None = None
    hints: tuple[tuple[str, Any], ...] = ()
    source: Document | None = None
    path: Path = ()
    span: Span | None = None
    repairs: tuple[Repair, ...] = ()
    issues: tuple[Issue, ...] = ()
    format: str | None = None


@dataclass(slots=True)
class Table:
    """The rows of one answer, in its order.

    Args:
        rows: The rows.
        format: What they were read from: "json", "xml", "numbered", ...
        gap: Index of the first row after which rows are known to be missing ("...", a cut); None where there is none.
        orderly: Whether the rows stand in the order of the statements if nothing in them says otherwise. A list does,
            loose objects or the members of a map do not.
        token: The request token it carries.
        repairs: The repairs made to the answer as a whole.
        cut: Whether the answer was cut off.
        notes: What the judge says beside the rows.
    """

    rows: list[Row]
    format: str = "json"
    gap: int | None = None
    orderly: bool = True
    token: str | None = None
    repairs: tuple[Repair, ...] = ()
    cut: bool = False
    notes: list[str] = field(default_factory=list)
