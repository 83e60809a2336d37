"""From what a judge wrote to verdicts, scores, labels, statements and objects: pure functions, total on any text."""

from magistrate.parsing.claims import parse_statements
from magistrate.parsing.labels import parse_label
from magistrate.parsing.objects import parse_object
from magistrate.parsing.reading import (
    LabelReading,
    ObjectReading,
    ScoreReading,
    StatementsReading,
    VerdictReading,
    Verdicts,
)
from magistrate.parsing.scores import parse_score
from magistrate.parsing.stream import VerdictReader
from magistrate.parsing.verdicts import parse_verdicts

__all__ = [
    "LabelReading",
    "ObjectReading",
    "ScoreReading",
    "StatementsReading",
    "VerdictReader",
    "VerdictReading",
    "Verdicts",
    "parse_label",
    "parse_object",
    "parse_score",
    "parse_statements",
    "parse_verdicts",
]
