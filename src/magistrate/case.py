"""One case to judge: a question, an answer, the contexts it should rest on; and what is wrong with a dataset's row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AliasChoices, AliasGenerator, BaseModel, BeforeValidator, ConfigDict, Field

ALIASES: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "case_id"),
    "question": ("question", "query", "input", "user_input"),
    "answer": ("answer", "response", "actual_output", "output"),
    "contexts": ("contexts", "context", "retrieval_context", "retrieved_contexts", "documents"),
    "category": ("category",),
    "citations": ("citations",),
    "reference": ("reference", "ground_truth", "expected_output", "reference_answer", "grounded_answer"),
    "expected_score": ("expected_score",),
    "statements": ("statements",),
    "metadata": ("metadata", "meta"),
}
"""The names under which each field of a case is found in a dataset, first match first."""

TEXT_KEYS = ("text", "content", "page_content")
"""Under one of these a document has its text."""


def _context_texts(value: Any) -> Any:
    """Accept one text for a list of one, and documents ({"text": ...}) for their texts."""
    if isinstance(value, str):
        return (value,)
    return tuple(map(document_text, value)) if isinstance(value, list | tuple) else value


def document_text(item: Any) -> Any:
    """The text of a document ({"text": ...}); anything else as it is."""
    if isinstance(item, Mapping):
        for key in TEXT_KEYS:
            if isinstance(item.get(key), str):
                return item[key]
    return item


def _no_truth_value(value: Any) -> Any:
    """Refuse true and false, which Pydantic takes for the numbers 1 and 0."""
    if isinstance(value, bool):
        raise ValueError("a number is expected, not true or false")  # noqa: TRY004 - Pydantic reports a ValueError
    return value


_Share = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]


class Citation(BaseModel):
    """One citation in an answer.

    Attributes:
        marker: The mark in the answer, such as "[1]".
        document: Which document it names: an id, or the 0-based index of a context.
        span: First and one-past-last character in that document, where given.
        quote: The quoted words, where given.
        statement: The statement it stands behind, where given.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    marker: str | None = None
    document: str | int | None = Field(
        default=None, validation_alias=AliasChoices("document", "doc_id", "doc", "source")
    )
    span: tuple[int, int] | None = None
    quote: str | None = Field(default=None, validation_alias=AliasChoices("quote", "text"))
    statement: str | None = Field(default=None, validation_alias=AliasChoices("statement", "claim"))


class Case(BaseModel):
    """A question, the answer to be judged, and the contexts it should be grounded in.

    Every field may be given under any of its names in `ALIASES` ("query", "response", "retrieved_contexts", ...).

    Attributes:
        id: Identifies the case in a run; a dataset gives "case-<n>" where there is none.
        question: What was asked.
        answer: The answer under judgement; None where the dataset has none.
        contexts: The passages it should rest on, in order.
        category: A group for breakdowns, such as "fact_single".
        citations: The citations of the answer.
        reference: A reference answer.
        expected_score: The score a right judge gives, in [0, 1].
        statements: The statements of the answer, where they are known already; then none are extracted.
        metadata: Whatever else travels with the case.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        validate_by_name=True,
        validate_by_alias=True,
        alias_generator=AliasGenerator(validation_alias=lambda name: AliasChoices(*ALIASES[name])),
    )

    id: str | None = Field(default=None, coerce_numbers_to_str=True)
    question: str | None = None
    answer: str | None = None
    contexts: Annotated[tuple[str, ...], BeforeValidator(_context_texts)] = ()
    category: str | None = None
    citations: tuple[Citation, ...] = ()
    reference: str | None = None
    expected_score: Annotated[_Share | None, BeforeValidator(_no_truth_value)] = None
    statements: tuple[str, ...] | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)

    if TYPE_CHECKING:  # what Pydantic takes, as the types of the fields say only what is kept

        def __init__(
            self,
            *,
            id: str | int | None = None,  # noqa: A002
            question: str | None = None,
            answer: str | None = None,
            contexts: str | Sequence[str | Mapping[str, Any]] = (),
            category: str | None = None,
            citations: Sequence[Citation | Mapping[str, Any]] = (),
            reference: str | None = None,
            expected_score: float | None = None,
            statements: Sequence[str] | None = None,
            metadata: Mapping[str, Any] | None = None,
            **other_names: Any,
        ) -> None: ...


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
