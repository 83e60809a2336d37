"""Scoring: stored verdicts and a named policy -> a score with bounds. Pure functions, no call, no clock."""

from magistrate._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
