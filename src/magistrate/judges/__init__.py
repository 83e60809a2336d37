"""Judges: what answers a metric's questions about statements and contexts."""

from magistrate._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
