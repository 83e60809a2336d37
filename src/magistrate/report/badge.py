"""A badge: the figure of a run as a small SVG picture for a readme."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from magistrate.evaluation.aggregate import Aggregate
from magistrate.evaluation.gate import Check, Gate, check
from magistrate.evaluation.runs.run import Run
from magistrate.report.files import replacing
from magistrate.report.text import clip, inert_lines
from magistrate.verdict import Outcome

__all__ = ["badge_svg", "write_badge"]

# White on each of them has a contrast of at least 4.5 : 1 (WCAG AA).
_COLOURS: Final = {
    Outcome.PASS: "#1a7f37",
    Outcome.FAIL: "#c62828",
    Outcome.INCONCLUSIVE: "#8a6100",
    None: "#57606a",
}
_LABEL_COLOUR: Final = "#3d444d"
_LONGEST: Final = 60
_NARROW: Final = frozenset("!'(),-.:;I[]`fijlrt| ")
_WIDE: Final = frozenset("%@MWmw")


def write_badge(run: Run, path: Path, *, metric: str | None = None, checks: Sequence[Check] | None = None) -> Path:
    """Write the badge of a run: the mean of its metric with its coverage, coloured by what the gates say.

    Without gates the colour says whether the mean reaches the metric's own threshold, whatever the missing scores would
    be. A run of several metrics shows how many of them do.

    Args:
        run: The run.
        path: The file.
        metric: Which metric to show; None for the only one, or the count.
        checks: The gated figures; None where nothing was gated.

    Raises:
        KeyError: If the run has no metric of that name.
        StoreError: If it cannot be written.
    """
    with replacing(path, private=False) as file:
        file.write(_badge(run, metric, checks).encode())
    return path


def _badge(run: Run, metric: str | None, checks: Sequence[Check] | None) -> str:
    figures = run.summary.metrics
    if metric is None and len(figures) == 1:
        metric = next(iter(figures))
    judged = check(run.summary, [Gate()]) if checks is None else checks
    if metric is not None:
        outcome = _together([item.outcome for item in judged if item.metric == metric])
        return badge_svg(metric, _figure(figures[metric]), outcome if run.state == "complete" else None)
    outcomes = [_together([item.outcome for item in judged if item.metric == name]) for name in figures]
    passing = outcomes.count(Outcome.PASS)
    message = f"{passing} of {len(figures)} pass" if figures else "no results"
    return badge_svg("magistrate", message, _together(outcomes) if run.state == "complete" else None)


def _together(outcomes: Sequence[Outcome | None]) -> Outcome | None:
    """The outcome of several: fail if one fails, pass if all pass; None where there is none."""
    for outcome in (Outcome.FAIL, Outcome.INCONCLUSIVE, Outcome.PASS):
        if outcome in outcomes:
            return outcome
    return None


def _figure(figures: Aggregate) -> str:
    if figures.mean is None:
        return "not scored"
    mean = f"{figures.mean:.2f}"
    return mean if figures.n_scored == figures.n else f"{mean} ({figures.n_scored} of {figures.n} scored)"


def badge_svg(label: str, message: str, outcome: Outcome | None = None) -> str:
    """Draw a badge as a self-contained SVG picture.

    Args:
        label: What it is about, on the left; clipped at 60 characters.
        message: The figure, on the right; likewise.
        outcome: Gives the right side its colour; grey for None. The title says it in words.
    """
    label, message = clip(label, _LONGEST), clip(message, _LONGEST)
    left, right = _width(label), _width(message)
    title = _escape(f"{label}: {message}" + (f" ({outcome.value})" if outcome else ""))
    total = left + right
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{total}" height="20" role="img" aria-label="{title}">'
        f"<title>{title}</title>"
        f'<clipPath id="r"><rect width="{total}" height="20" rx="3"/></clipPath>'
        f'<g clip-path="url(#r)"><rect width="{left}" height="20" fill="{_LABEL_COLOUR}"/>'
        f'<rect x="{left}" width="{right}" height="20" fill="{_COLOURS[outcome]}"/></g>'
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11" text-anchor="middle">'
        f"{_words(label, left / 2, left)}{_words(message, left + right / 2, right)}</g></svg>\n"
    )


def _words(text: str, x: float, width: int) -> str:
    # textLength: whatever font a viewer has, the words fill their half and no more.
    return f'<text x="{x:g}" y="14" textLength="{width - 12}" lengthAdjust="spacingAndGlyphs">{_escape(text)}</text>'


def _width(text: str) -> int:
    """Pixels of a text in 11 px Verdana, about, with 6 px of room on each side."""
    wide = (4.2 if c in _NARROW else 10.5 if c in _WIDE else 7.0 if c.isascii() else 11.0 for c in text)
    return round(sum(wide)) + 12


def _escape(text: str) -> str:
    return inert_lines(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
