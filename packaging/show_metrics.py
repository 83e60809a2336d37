"""The reference shows a metric with its options: its base makes it a dataclass, which its source does not show."""

from __future__ import annotations

from typing import Any

import griffe


class Metrics(griffe.Extension):
    """Reads the classes of `magistrate.metrics` as if each had the decorator of a dataclass."""

    def on_class_instance(self, *, cls: griffe.Class, **_: Any) -> None:
        """Give a class that derives from a metric the decorator."""
        if cls.path.startswith("magistrate.metrics.") and any(str(base).endswith("Metric") for base in cls.bases):
            name = griffe.ExprName("dataclasses.dataclass")
            made = griffe.ExprCall(name, [griffe.ExprKeyword("kw_only", "True")])
            cls.decorators.append(griffe.Decorator(made, lineno=None, endlineno=None))
