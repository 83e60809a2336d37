"""Metrics: what is measured in a case, with an injected judge."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from magistrate.metrics.base import Metric, MetricResult, decide
    from magistrate.metrics.faithfulness import Faithfulness
    from magistrate.metrics.rescoring import rescore

_HOME_OF = {
    "Faithfulness": "magistrate.metrics.faithfulness",
    "Metric": "magistrate.metrics.base",
    "MetricResult": "magistrate.metrics.base",
    "decide": "magistrate.metrics.base",
    "rescore": "magistrate.metrics.rescoring",
}

__all__ = ["Faithfulness", "Metric", "MetricResult", "decide", "rescore"]


def __getattr__(name: str) -> Any:
    module = _HOME_OF.get(name)
    if module is None:
        raise AttributeError(f"module 'magistrate.metrics' has no attribute {name!r}")
    return getattr(import_module(module), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
