"""What tests of judges need, for this package's tests and for yours: a server that plays a model, scripted judges.

Everything loads on first use, so that importing this costs nothing; the names stand in `__init__.pyi`.
"""

from magistrate._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
