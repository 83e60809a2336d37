"""A candidate: what one place of a reply says; and an answer: candidates that belong together."""

import re
from dataclasses import dataclass, field
from typing import Any, Final

from magistrate.parsing.decode.documents import Document
from magistrate.parsing.wording.fold import fold
from magistrate.parsing.wording.patterns import WordPattern
from magistrate.verdict import Repair

Path = tuple[str | int, ...]
Span = tuple[int, int]
LONGEST_ID: Final = 100
_MOST: Final = 1e9
_NAME: Final = r"(?:{item|number}|item|case|criterion|verdict|question|point|s|c|q|v|n|第|#)\s*+[.:#№]?\s*+"
_ID_PATTERN: Final = WordPattern(r"{name}{0,2}[#№(\[]?\s*+(\d{1,9})\s*+[.):\]]*+\s*+(?:번|番|项|条)?", name=_NAME)
_NUMBERED_PATTERN: Final = WordPattern(
    r"\s*+{name}?[#№(\[]?\s*+(?P<number>\d{1,4})[)\]]?\s*(?:[.):：、．)]|\s-|\s–|\s—|->|→)\s*+(?!\d)(?P<rest>\S.*)",
    re.IGNORECASE | re.DOTALL,
    name=_NAME,
)


def read_id(value: Any) -> int | str | None:
    """Read what stands in the place of an id: a number where it is one ("s3", "Statement 3", 3.0), else the text."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < _MOST else str(value)
    if not isinstance(value, str) or not value.strip():
        return None
    match = _ID_PATTERN.fullmatch(fold(value)) if len(value) <= LONGEST_ID else None
    return int(match[1]) if match else value.strip()


def split_numbered(text: str) -> tuple[int, str] | None:
    """Split "2: no" or "Statement 2. ..." into number and rest; None where the text begins with no number."""
    match = _NUMBERED_PATTERN.match(text)
    return (int(match["number"]), match["rest"]) if match else None


@dataclass(slots=True)
class Candidate:
    """What one place of a reply says."""

    value: Any  # a verdict, a number, a label, a statement; or the issue that says why there is none
    raw: Any = None  # what stands in the place of the value, as decoded
    span: Span | None = None  # where it stands in the text, if known already
    id: int | str | None = None  # the statement's number or id as the reply gives it
    echo: str | None = None  # the statement as the reply repeats it
    echo_index: int | None = None  # index of the statement that it repeats word for word, where that is known already
    reason: str | None = None  # the judge's reason
    quotes: tuple[str, ...] = ()  # the judge's evidence
    probability: float | None = None  # P(supported), where given
    # members of unknown name, as pairs, where nothing else says which statement it is about
    hints: tuple[tuple[str, Any], ...] = ()
    source: Document | None = None  # what it was decoded from, if anything
    path: Path = ()  # where it stands in the decoded value
    format: str | None = None  # what it was read from
    until: int = 0  # where the words end that make it an answer, if behind its span

    def located(self) -> Span | None:
        """Where it stands in the reply."""
        if self.span is None and self.source is not None:
            self.span = self.source.locate(self.path)
        return self.span


@dataclass(slots=True)
class Answer:
    """Candidates that belong together, in their order: one answer of a reply."""

    rows: list[Candidate]  # the candidates
    start: int = 0  # where the answer begins in the reply
    end: int = 0  # one past its last character
    format: str = "json"  # what it was read from: "json", "xml", "numbered", ...
    data: bool = True  # whether it is decoded data
    # whether the rows stand in the order of the statements if nothing in them says otherwise. A list does, loose
    # objects or the members of a map do not
    orderly: bool = True
    gap: int | None = None  # index of the first row after which rows are known to be missing ("...", a cut)
    cut: bool = False  # whether the answer was cut off
    token: str | None = None  # the request token it carries
    repairs: tuple[Repair, ...] = ()  # the repairs made to it
    notes: list[str] = field(default_factory=list)  # what the judge says beside the rows, in data


def together(answers: list[Answer]) -> list[Answer]:
    """Single rows found apart are rows of one answer; whole answers stay apart, as rivals."""
    if len(answers) > 1 and all(len(one.rows) == 1 and not one.orderly for one in answers):
        tokens = {one.token for one in answers}
        token = tokens.pop() if len(tokens) == 1 else None
        notes = [note for one in answers for note in one.notes]
        return [Answer([one.rows[0] for one in answers], orderly=False, token=token, notes=notes)]
    return answers
