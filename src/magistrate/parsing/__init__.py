"""From what a judge wrote to verdicts, scores, labels, statements and objects: pure functions, total on any text."""

from magistrate._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
