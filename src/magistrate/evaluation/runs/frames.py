"""Runs and results as data frames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from magistrate.errors import MissingExtraError

if TYPE_CHECKING:
    import pandas as pd

    from magistrate.metrics.base import MetricResult

__all__ = ["STATEMENT_COLUMNS", "make_frame", "statement_rows"]

STATEMENT_COLUMNS: Final = ("metric", "id", "statement", "verdict", "reason", "probability", "quotes", "issues")


def make_frame(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> pd.DataFrame:
    """Make a data frame.

    Args:
        rows: The rows, by column.
        columns: The columns, in order; they are there without rows too.

    Raises:
        MissingExtraError: If pandas is not installed.
    """
    try:
        import pandas as pd  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtraError('to_pandas() needs pandas: pip install "magistrate[pandas]"', extra="pandas") from None
    return pd.DataFrame(list(rows), columns=list(columns))


def statement_rows(metrics: Mapping[str, MetricResult]) -> Iterator[dict[str, Any]]:
    """One row for each metric and statement of a case: its verdict, why, and what is to be known of it."""
    for name, metric in metrics.items():
        for verdict in metric.verdicts:
            yield {
                "metric": name,
                "id": verdict.id,
                "statement": verdict.statement,
                "verdict": verdict.verdict.value if verdict.verdict else None,
                "reason": verdict.reason,
                "probability": verdict.probability,
                "quotes": tuple(evidence.quote for evidence in verdict.evidence),
                "issues": tuple(issue.code.value for issue in verdict.issues),
            }
