"""From what a judge wrote to verdicts, scores, labels, statements and objects: pure functions, total on any text."""

from magistrate.parsing._api import parse_label, parse_score, parse_statements, parse_verdicts
from magistrate.parsing.objects import parse_object
from magistrate.parsing.readings import (
    LabelReading,
    ObjectReading,
    ScoreReading,
    StatementsReading,
    VerdictReading,
    Verdicts,
)
from magistrate.parsing.stream import VerdictReader

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
