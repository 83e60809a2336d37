"""What is wrong with a row of a dataset: where it is, and what is expected instead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is wrong with one row, for people to read and for programs to count.

    Attributes:
        source: The file, or "stdin".
        line: The line on which the row starts (1-based); None where the format has no lines.
        row: Number of the row in the dataset (1-based).
        field: The field or column it is about ("answer", "contexts[2]"); None for the row as a whole.
        message: What is wrong.
        expected: What is expected instead; None where the message says it.
        severity: "error" where something of the row is lost, "warning" where it was read with a change.
        blocking: Whether the row cannot be judged. Then its results have status `missing_input`.
        hint: How to mend it, one line; None where that is plain.
    """

    message: str
    source: str = ""
    line: int | None = None
    row: int | None = None
    field: str | None = None
    expected: str | None = None
    severity: Severity = "error"
    blocking: bool = False
    hint: str | None = None

    @property
    def where(self) -> str:
        """The place in the form that editors and compilers use: "cases.jsonl:7"."""
        if self.line is not None:
            return f"{self.source}:{self.line}"
        return f"{self.source}: row {self.row}" if self.row is not None else self.source

    def __str__(self) -> str:
        parts = [self.where]
        if self.field is not None:
            parts.append(self.field)
        text = f"{': '.join(part for part in parts if part)}: {self.message}"
        if self.expected:
            text += f"; expected {self.expected}"
        if self.hint:
            text += f" ({self.hint})"
        return text
