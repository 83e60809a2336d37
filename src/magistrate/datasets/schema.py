"""What the files of the bundled dataset hold: plain frozen data.

Offsets are characters from the start of a document's text, first and one past the last, as everywhere in the package.
"""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from magistrate.verdict import Verdict

DOMAINS = ("legal", "research", "technical")
"""The domains, in the order in which "all" lists them."""

SYSTEMS = ("reference", "naive", "simple", "verified")
"""Whose answers there are: the grounded reference, naive RAG, simple verification, verified generation."""


class ErrorKind(StrEnum):
    """How a statement that is not supported came to be wrong. The list is closed."""

    WRONG_NUMBER = "wrong_number"
    WRONG_ENTITY = "wrong_entity"
    WRONG_DATE = "wrong_date"
    NEGATION = "negation"
    """The opposite of what the source says."""
    OVERGENERALISATION = "overgeneralisation"
    UNMENTIONED_ADDITION = "unmentioned_addition"
    """Something that no passage mentions."""
    WRONG_SOURCE = "wrong_source"
    """A finding of one document, put into the mouth of another."""
    MERGED_FACTS = "merged_facts"
    """A value that stands in the passages, but belongs to something else."""
    MISSING_CONDITION = "missing_condition"
    """A condition, limit or exception of the source is denied."""
    WRONG_INFERENCE = "wrong_inference"
    ANSWERED_UNANSWERABLE = "answered_unanswerable"
    WRONG_ABSTENTION = "wrong_abstention"
    """It says that the passages hold no answer, but they do."""
    IGNORED_CONFLICT = "ignored_conflict"
    """Sources that disagree are reported as agreeing."""


class CitationGold(StrEnum):
    """Whether a citation in an answer is right."""

    CORRECT = "correct"
    """The statement is supported, and the passage cited holds a gold quote for it."""
    WRONG_PASSAGE = "wrong_passage"
    """The statement is supported, but not by the passage cited."""
    UNSUPPORTED_STATEMENT = "unsupported_statement"
    """The statement is not supported, so no passage can stand behind it."""


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class BundledDocument(_Record):
    """One document.

    Attributes:
        id: Unique over all domains.
        domain: One of `DOMAINS`.
        names: The invented names of companies, places, people and products that occur in it.
        text: Its Markdown text.
    """

    id: str
    domain: str
    names: tuple[str, ...]
    text: str = Field(repr=False)

    @property
    def title(self) -> str:
        """The document's first heading, without its mark."""
        return self.text.partition("\n")[0].removeprefix("# ")


class BundledPassage(_Record):
    """A passage as a retriever gives it: a whole section of a document, its heading included.

    Attributes:
        document: Id of the document.
        span: Where the passage stands in it.
        relevant: Whether it holds a quote that the reference answer rests on.
    """

    document: str
    span: tuple[int, int]
    relevant: bool

    def holds(self, quote: BundledQuote) -> bool:
        """Whether the quote stands in this passage."""
        return quote.document == self.document and self.span[0] <= quote.span[0] and quote.span[1] <= self.span[1]


class BundledQuote(_Record):
    """Words of a document that settle a statement, verbatim.

    Attributes:
        document: Id of the document.
        span: Where the quote stands in it.
        quote: The words.
    """

    document: str
    span: tuple[int, int]
    quote: str


class BundledStatement(_Record):
    """One sentence of an answer, with its gold verdict against the query's passages.

    Attributes:
        text: The sentence, citation marks included.
        verdict: supported, partially_supported, contradicted or not_enough_info.
        error: What went wrong; None exactly where the verdict is supported.
        evidence: Which of the query's quotes support or contradict it, 0-based; empty where no passage speaks of it.
        abstention: Whether the sentence says that the passages hold no answer.
    """

    text: str
    verdict: Verdict
    error: ErrorKind | None = None
    evidence: tuple[int, ...] = ()
    abstention: bool = False


class BundledCitation(_Record):
    """One citation mark in an answer.

    Attributes:
        marker: The mark, "[1]" for the query's first passage.
        statement: The statement that carries it, 0-based.
        context: The passage it points to, 0-based.
        gold: Whether it is right.
    """

    marker: str
    statement: int
    context: int
    gold: CitationGold


class BundledAnswer(_Record):
    """What one system answered.

    Attributes:
        answer: The answer: its statements, joined by one space.
        statements: The statements, in order.
        citations: The citation marks, in order of occurrence.
        expected_score: Share of supported statements, in [0, 1]: faithfulness under the policy `strict`.
    """

    answer: str
    statements: tuple[BundledStatement, ...]
    citations: tuple[BundledCitation, ...]
    expected_score: float = Field(ge=0.0, le=1.0, allow_inf_nan=False)


class BundledQuery(_Record):
    """One query with everything that is known about it.

    Attributes:
        id: "<domain>-<number>".
        domain: One of `DOMAINS`.
        category: fact_single, fact_multiple, reasoning, summary, contradiction, cross_document or unanswerable.
        query: The question.
        contexts: The passages a retriever found, in order.
        grounded_answer: The reference answer; None where the documents hold no answer.
        citations: The gold quotes.
        expected_score: The score that the reference answer deserves.
        absent_terms: Words that an answer to an unanswerable query would have to rest on, and that its documents lack.
        conflict: Id of the planted conflict that the query is about.
        answers: One answer for each of `SYSTEMS`; for an unanswerable query the reference abstains.
    """

    id: str
    domain: str
    category: str
    query: str
    contexts: tuple[BundledPassage, ...]
    grounded_answer: str | None
    citations: tuple[BundledQuote, ...]
    expected_score: float = Field(ge=0.0, le=1.0, allow_inf_nan=False)
    absent_terms: tuple[str, ...] = ()
    conflict: str | None = None
    answers: dict[str, BundledAnswer]


class BundledConflict(_Record):
    """Two documents that contradict each other on purpose.

    Attributes:
        id: "K1" to "K10".
        topic: What they disagree about.
        sides: What each of them says.
    """

    id: str
    topic: str
    sides: tuple[BundledQuote, BundledQuote]
