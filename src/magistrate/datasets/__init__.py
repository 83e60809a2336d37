"""The bundled evaluation dataset: 23 documents, 100 queries, the answers of three systems, and gold verdicts.

Invented companies, studies and products throughout. `data/README.md` says how the verdicts were given.
"""

from magistrate.datasets.bundled import bundled_conflicts, bundled_documents, bundled_queries, load_bundled
from magistrate.datasets.schema import (
    DOMAINS,
    SYSTEMS,
    BundledAnswer,
    BundledCitation,
    BundledConflict,
    BundledDocument,
    BundledPassage,
    BundledQuery,
    BundledQuote,
    BundledStatement,
    CitationGold,
    ErrorKind,
)

__all__ = [
    "DOMAINS",
    "SYSTEMS",
    "BundledAnswer",
    "BundledCitation",
    "BundledConflict",
    "BundledDocument",
    "BundledPassage",
    "BundledQuery",
    "BundledQuote",
    "BundledStatement",
    "CitationGold",
    "ErrorKind",
    "bundled_conflicts",
    "bundled_documents",
    "bundled_queries",
    "load_bundled",
]
