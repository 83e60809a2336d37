"""The bundled evaluation dataset: 23 documents, 100 queries, the answers of three systems, and gold verdicts.

Invented companies, studies and products throughout. `data/README.md` says how the verdicts were given.
"""

import json
from collections.abc import Iterator, Mapping
from copy import deepcopy
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Literal

from magistrate.case import Case, Citation
from magistrate.errors import ConfigurationError

__all__ = ["DOMAINS", "SYSTEMS", "load_bundled"]

DOMAINS = ("legal", "research", "technical")
"""The domains, in the order in which "all" lists them."""

SYSTEMS = ("reference", "naive", "simple", "verified")
"""Whose answers there are: the grounded reference, naive RAG, simple verification, verified generation."""

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
    if name not in ("all", *DOMAINS):
        raise ConfigurationError(f"no bundled dataset {name!r}: use {', '.join(map(repr, ('all', *DOMAINS)))}")
    if system not in SYSTEMS:
        raise ConfigurationError(f"no bundled answers of system {system!r}: use {', '.join(map(repr, SYSTEMS))}")
    domains = DOMAINS if name == "all" else (name,)
    rows = (row for domain in domains for row in _rows(f"queries/{domain}.jsonl"))
    return tuple(_case(row, system, with_statements=with_statements) for row in rows)


def data_folder() -> Traversable:
    """Where the files of the dataset are; `README.md` there says what they hold."""
    return files("magistrate.datasets") / "data"


@cache
def _rows(name: str) -> tuple[Mapping[str, Any], ...]:
    # Not str.splitlines: it also splits at characters that JSON allows inside a string.
    lines = data_folder().joinpath(name).read_text(encoding="utf-8").split("\n")
    return tuple(json.loads(line) for line in lines if line)


@cache
def _texts() -> Mapping[str, str]:
    """Documents by their ids, decoded from bytes: text mode would change the line ends, and so every span."""
    files_of = {row["id"]: f"documents/{row['domain']}/{row['id']}.md" for row in _rows("documents.jsonl")}
    return {name: data_folder().joinpath(path).read_bytes().decode("utf-8") for name, path in files_of.items()}


def _case(query: Mapping[str, Any], system: str, *, with_statements: bool) -> Case:
    answer, texts = query["answers"][system], _texts()
    quotes = [_placed(quote, query["contexts"]) for quote in query["citations"]]
    gold = {
        "statements": [
            {
                "text": row["text"],
                "verdict": row["verdict"],
                "error": row.get("error"),
                "abstention": row.get("abstention", False),
                "evidence": [quotes[index] for index in row.get("evidence", ())],
            }
            for row in answer["statements"]
        ],
        "citations": quotes,
        "contexts": query["contexts"],
        "conflict": query.get("conflict"),
    }
    return Case(
        id=query["id"],
        question=query["query"],
        answer=answer["answer"],
        contexts=tuple(texts[place["document"]][slice(*place["span"])] for place in query["contexts"]),
        category=query["category"],
        citations=tuple(_citations(query, answer, quoted=system == "reference")),
        reference=query["grounded_answer"],
        expected_score=answer["expected_score"],
        statements=tuple(row["text"] for row in answer["statements"]) if with_statements else None,
        metadata={
            "dataset": "bundled",
            "domain": query["domain"],
            "system": system,
            "answerable": query["grounded_answer"] is not None,
            "gold": deepcopy(gold),
        },
    )


def _holds(passage: Mapping[str, Any], quote: Mapping[str, Any]) -> bool:
    (first, last), (start, end) = passage["span"], quote["span"]
    return bool(passage["document"] == quote["document"] and first <= start and end <= last)


def _placed(quote: Mapping[str, Any], passages: list[Mapping[str, Any]]) -> dict[str, Any]:
    """A quote with the passage that it stands in, and its place there."""
    index = next(at for at, passage in enumerate(passages) if _holds(passage, quote))
    first = passages[index]["span"][0]
    return {**quote, "context": index, "context_span": [place - first for place in quote["span"]]}


def _citations(query: Mapping[str, Any], answer: Mapping[str, Any], *, quoted: bool) -> Iterator[Citation]:
    for row in answer["citations"]:
        passage, statement = query["contexts"][row["context"]], answer["statements"][row["statement"]]
        source = {"span": passage["span"], "quote": None}
        if quoted:
            evidence = (query["citations"][index] for index in statement["evidence"])
            source = next(quote for quote in evidence if _holds(passage, quote))
        yield Citation.model_validate(
            {**row, "document": passage["document"], "statement": statement["text"], "span": source["span"]}
            | {"quote": source["quote"]}
        )
