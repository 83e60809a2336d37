"""Load the bundled dataset: as typed records, or as cases ready to be judged."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Literal

from magistrate.case import Case, Citation
from magistrate.datasets.schema import (
    DOMAINS,
    SYSTEMS,
    BundledAnswer,
    BundledCitation,
    BundledConflict,
    BundledDocument,
    BundledQuery,
    BundledQuote,
)
from magistrate.errors import ConfigurationError

Name = Literal["all", "legal", "research", "technical"]
System = Literal["reference", "naive", "simple", "verified"]


def load_bundled(name: Name = "all", *, system: System = "verified", with_statements: bool = True) -> tuple[Case, ...]:
    """Return the bundled queries as cases, each with the answer of one system.

    The cases of all systems have the same ids and contexts, in the same order. Everything that is known of a case is
    under `metadata["gold"]`:

    - `statements`: text, verdict, error (a name or None), abstention, evidence (quotes) of each statement in order;
    - `citations`: the gold quotes, each with document, span, quote, context (its index) and context_span (there);
    - `contexts`: document, span and relevant of each context;
    - `conflict`: the id of the planted conflict between sources, or None.

    Beside it stand `dataset`, `domain`, `system` and `answerable`. Each citation of a case carries, as extra fields,
    the `context` it points to and `gold` (correct, wrong_passage or unsupported_statement). Only citations of the
    reference answer have a quote; those of the systems name document and passage.

    Args:
        name: A domain, or "all".
        system: Whose answers: "reference" (grounded, abstains where there is no answer), "naive", "simple", "verified".
        with_statements: Whether the cases carry their statements, so that none are extracted and each verdict can be
            compared with the gold one. Without them, the statements are still under `metadata["gold"]`.

    Raises:
        ConfigurationError: If there is no dataset or system of that name.
    """
    if system not in SYSTEMS:
        raise ConfigurationError(f"no bundled answers of system {system!r}: use {_listed(SYSTEMS)}")
    return tuple(_case(query, system, with_statements=with_statements) for query in bundled_queries(name))


def bundled_queries(name: Name = "all") -> tuple[BundledQuery, ...]:
    """Return the bundled queries of a domain, or of all, with the answers of every system.

    Raises:
        ConfigurationError: If there is no dataset of that name.
    """
    return tuple(query for domain in _domains(name) for query in _queries(domain))


def bundled_documents(name: Name = "all") -> tuple[BundledDocument, ...]:
    """Return the bundled documents of a domain, or of all.

    Raises:
        ConfigurationError: If there is no dataset of that name.
    """
    domains = _domains(name)
    return tuple(document for document in _documents().values() if document.domain in domains)


@cache
def bundled_conflicts() -> tuple[BundledConflict, ...]:
    """Return the conflicts that were planted between documents, one for each query of category contradiction."""
    return tuple(BundledConflict.model_validate(row) for row in _rows(_data() / "conflicts.jsonl"))


def _domains(name: str) -> tuple[str, ...]:
    if name == "all":
        return DOMAINS
    if name not in DOMAINS:
        raise ConfigurationError(f"no bundled dataset {name!r}: use {_listed(('all', *DOMAINS))}")
    return (name,)


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(map(repr, names))


def _data() -> Traversable:
    return files("magistrate.datasets") / "data"


def _rows(path: Traversable) -> Iterator[dict[str, Any]]:
    # Not str.splitlines: it also splits at characters that JSON allows inside a string.
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line:
            yield json.loads(line)


@cache
def _documents() -> dict[str, BundledDocument]:
    folder = _data() / "documents"
    documents = {}
    for row in _rows(_data() / "documents.jsonl"):
        path = folder / row["domain"] / f"{row['id']}.md"
        # Decoded from bytes: text mode would turn line ends of a Windows checkout into one character and hide that the
        # file, and with it every span, has changed.
        documents[row["id"]] = BundledDocument(**row, text=path.read_bytes().decode("utf-8"))
    return documents


@cache
def _queries(domain: str) -> tuple[BundledQuery, ...]:
    return tuple(BundledQuery.model_validate(row) for row in _rows(_data() / "queries" / f"{domain}.jsonl"))


def _case(query: BundledQuery, system: str, *, with_statements: bool) -> Case:
    answer = query.answers[system]
    quotes = [_quote(query, quote) for quote in query.citations]
    gold = {
        "statements": [
            {
                "text": statement.text,
                "verdict": statement.verdict.value,
                "error": statement.error.value if statement.error else None,
                "abstention": statement.abstention,
                "evidence": [quotes[index] for index in statement.evidence],
            }
            for statement in answer.statements
        ],
        "citations": quotes,
        "contexts": [passage.model_dump(mode="json") for passage in query.contexts],
        "conflict": query.conflict,
    }
    documents = _documents()
    return Case(
        id=query.id,
        question=query.query,
        answer=answer.answer,
        contexts=tuple(documents[passage.document].text[slice(*passage.span)] for passage in query.contexts),
        category=query.category,
        citations=tuple(
            _citation(query, answer, citation, quoted=system == "reference") for citation in answer.citations
        ),
        reference=query.grounded_answer,
        expected_score=answer.expected_score,
        statements=tuple(statement.text for statement in answer.statements) if with_statements else None,
        metadata={
            "dataset": "bundled",
            "domain": query.domain,
            "system": system,
            "answerable": query.grounded_answer is not None,
            "gold": gold,
        },
    )


def _quote(query: BundledQuery, quote: BundledQuote) -> dict[str, Any]:
    index = next(i for i, passage in enumerate(query.contexts) if passage.holds(quote))
    offset = query.contexts[index].span[0]
    start, end = quote.span
    return {
        **quote.model_dump(mode="json"),
        "context": index,
        "context_span": [start - offset, end - offset],
    }


def _citation(query: BundledQuery, answer: BundledAnswer, citation: BundledCitation, *, quoted: bool) -> Citation:
    passage = query.contexts[citation.context]
    statement = answer.statements[citation.statement]
    span, quote = passage.span, None
    if quoted:
        evidence = next(q for q in map(query.citations.__getitem__, statement.evidence) if passage.holds(q))
        span, quote = evidence.span, evidence.quote
    return Citation.model_validate(
        {
            "marker": citation.marker,
            "document": passage.document,
            "span": span,
            "quote": quote,
            "statement": statement.text,
            "context": citation.context,
            "gold": citation.gold.value,
        }
    )
