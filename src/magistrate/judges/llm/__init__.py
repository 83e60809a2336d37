"""A judge that is a language model, and what became of its replies; stored replies are read without loading it."""

from magistrate._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
