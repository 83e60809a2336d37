"""The change between two figures, and how it is written."""

from __future__ import annotations

import math

TOLERANCE = 1e-9
"""Scores nearer than this are equal: they are ratios, and sums of ratios round differently in different orders."""


def difference(before: float, after: float) -> float:
    """The change after - before, exactly 0.0 where they are within 1e-9 of each other."""
    change = after - before
    return change if abs(change) > TOLERANCE else 0.0


def relative_change(before: float, after: float) -> float | None:
    """The change in percent of the first figure: 100 (after - before) / |before|.

    Returns:
        A finite number, positive where the figure grew, whichever direction is better; None where the baseline is zero
        (within 1e-9), since there is no relative change from nothing. Never infinite, never NaN.

    Raises:
        ValueError: If a figure is not finite.
    """
    if not (math.isfinite(before) and math.isfinite(after)):
        raise ValueError(f"a relative change needs finite figures, not {before} and {after}")
    if abs(before) <= TOLERANCE:
        return None
    change = 100.0 * (difference(before, after) / abs(before))
    return change if math.isfinite(change) else None


def format_change(percent: float | None, *, decimals: int = 1) -> str | None:
    """A relative change as text: "+41.5%", "-75.0%", "+0.0%" (what rounds to zero has no direction)."""
    if percent is None:
        return None
    text = f"{percent:+.{decimals}f}%"
    return text if any(digit in text for digit in "123456789") else "+" + text[1:]
