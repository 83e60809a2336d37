"""What the files of the bundled dataset hold, as records: their fields and values, as `data/README.md` names them."""

from __future__ import annotations

import json
from enum import StrEnum
from functools import cache

from pydantic import BaseModel, ConfigDict, Field

from magistrate.datasets import DOMAINS
from magistrate.datasets.bundled import data_folder
from magistrate.verdict import Verdict


class ErrorKind(StrEnum):
    """How a statement that is not supported came to be wrong. The list is closed."""

    WRONG_NUMBER = "wrong_number"
    WRONG_ENTITY = "wrong_entity"
    WRONG_DATE = "wrong_date"
    NEGATION = "negation"
    OVERGENERALISATION = "overgeneralisation"
    UNMENTIONED_ADDITION = "unmentioned_addition"
    WRONG_SOURCE = "wrong_source"
    MERGED_FACTS = "merged_facts"
    MISSING_CONDITION = "missing_condition"
    WRONG_INFERENCE = "wrong_inference"
    ANSWERED_UNANSWERABLE = "answered_unanswerable"
    WRONG_ABSTENTION = "wrong_abstention"
    IGNORED_CONFLICT = "ignored_conflict"


class CitationGold(StrEnum):
    CORRECT = "correct"
    WRONG_PASSAGE = "wrong_passage"
    UNSUPPORTED_STATEMENT = "unsupported_statement"


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Document(_Record):
    id: str
    domain: str
    names: tuple[str, ...]
    text: str = Field(repr=False)


class Passage(_Record):
    document: str
    span: tuple[int, int]
    relevant: bool

    def holds(self, quote: Quote) -> bool:
        return quote.document == self.document and self.span[0] <= quote.span[0] and quote.span[1] <= self.span[1]


class Quote(_Record):
    document: str
    span: tuple[int, int]
    quote: str


class Statement(_Record):
    text: str
    verdict: Verdict
    error: ErrorKind | None = None
    evidence: tuple[int, ...] = ()
    abstention: bool = False


class Mark(_Record):
    marker: str
    statement: int
    context: int
    gold: CitationGold


class Answer(_Record):
    answer: str
    statements: tuple[Statement, ...]
    citations: tuple[Mark, ...]
    expected_score: float = Field(ge=0.0, le=1.0, allow_inf_nan=False)


class Query(_Record):
    id: str
    domain: str
    category: str
    query: str
    contexts: tuple[Passage, ...]
    grounded_answer: str | None
    citations: tuple[Quote, ...]
    expected_score: float = Field(ge=0.0, le=1.0, allow_inf_nan=False)
    absent_terms: tuple[str, ...] = ()
    conflict: str | None = None
    answers: dict[str, Answer]


class Conflict(_Record):
    id: str
    topic: str
    sides: tuple[Quote, Quote]


def _rows(name: str):
    for line in data_folder().joinpath(name).read_text("utf-8").split("\n"):
        if line:
            yield json.loads(line)


@cache
def bundled_queries() -> tuple[Query, ...]:
    return tuple(Query.model_validate(row) for domain in DOMAINS for row in _rows(f"queries/{domain}.jsonl"))


@cache
def bundled_documents() -> tuple[Document, ...]:
    folder = data_folder() / "documents"
    return tuple(
        Document(**row, text=folder.joinpath(row["domain"], f"{row['id']}.md").read_bytes().decode("utf-8"))
        for row in _rows("documents.jsonl")
    )


@cache
def bundled_conflicts() -> tuple[Conflict, ...]:
    return tuple(Conflict.model_validate(row) for row in _rows("conflicts.jsonl"))
