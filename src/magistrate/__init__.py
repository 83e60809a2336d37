"""Magistrate turns what an LLM judge said into verdicts that can be trusted.

The public names stand in `__init__.pyi`. They load on first use, so that `import magistrate` costs next to nothing and
never loads a provider library.
"""

from magistrate._lazy import attach

__version__ = "0.2.0"

__getattr__, __dir__, __all__ = attach(__name__)
