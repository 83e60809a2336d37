"""Statistics of evaluations: intervals, paired comparisons, repeats. The standard library suffices.

Every function is pure and deterministic: no I/O, no clock, no global state; randomness comes from a seed. What is
undefined is None, never NaN or infinity. Impossible arguments raise ValueError.
"""

from magistrate._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
