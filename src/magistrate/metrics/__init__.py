"""Metrics: what is measured in a case, with an injected judge."""

from magistrate._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
