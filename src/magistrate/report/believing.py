"""How far a run can be believed, for the section of the HTML report that says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, Final

from magistrate.errors import MagistrateError
from magistrate.evaluation.believing.canaries import CANARIES, read_canaries
from magistrate.evaluation.believing.cascades import read_cascade
from magistrate.evaluation.believing.judgements import Judged, judged
from magistrate.evaluation.believing.labels import LABELS, matching, read_labels
from magistrate.evaluation.believing.report import TrustReport, trust, votes_of
from magistrate.evaluation.runs.run import Run
from magistrate.trust import Key, Label, agreement, consensus, cross_fitted, plan_further
from magistrate.trust.calibration import LEAST

_FURTHER: Final = (10, 20, 50, 100, 200)
_BINS: Final = 5


def believing(
    run: Run, labels: Sequence[Label] | None = None, found: TrustReport | None = None
) -> dict[str, Any] | None:
    """What labels, several judges, a cascade and canaries say of a run; None where there is nothing of them."""
    parts: dict[str, Any] = {}
    try:
        if labels is None and run.path is not None and (run.path / LABELS).exists():
            labels = read_labels(run.path / LABELS)
        if labels:
            parts |= _by_people(run, labels, found or trust(run, labels, group="category"))
        if cascade := read_cascade(run.path):
            parts["cascade"] = {"curve": cascade.curve, "risk": cascade.fit.risk, "why": cascade.fit.why}
        if run.path is not None and (run.path / CANARIES).exists():
            parts["canaries"] = read_canaries(run.path / CANARIES).series()
        if judges := _judges(run):
            parts["judges"] = judges
    except MagistrateError as error:  # a report says what it can of a run, whatever lies beside it
        parts["why_not"] = error.message
    return parts or None


def _by_people(run: Run, labels: Sequence[Label], found: TrustReport) -> dict[str, Any]:
    rows = judged(run, found.metric, group="category")
    said = consensus(matching(labels, rows)[0]).labels
    parts: dict[str, Any] = {
        "trust": found.to_dict(),
        "reliability": _reliability(rows, said),
        "groups": _groups(rows, said),
    }
    rate = found.rate
    if rate is not None:
        left = rate.n - rate.labelled
        parts["further"] = [
            [more, plan_further(rate, more).half_width] for more in sorted({0, left, *_FURTHER}) if more <= left
        ]
    return parts


def _reliability(rows: Judged, said: Mapping[Key, bool]) -> dict[str, Any] | None:
    """Said and true shares by fifths of what was said, before and after a calibration that did not see them."""
    known = [row for row in rows.rows if row.key in said and row.confidence is not None]
    sure = [(row.confidence or 0.0) if row.positive else 1 - (row.confidence or 0.0) for row in known]
    labels = [said[row.key] for row in known]
    if len(known) < LEAST or len(set(labels)) == 1:
        return None
    after, _ = cross_fitted(sure, labels, [row.case_id for row in known])
    return {"before": _binned(sure, labels), "after": _binned(after, labels)}


def _binned(chances: Sequence[float], labels: Sequence[bool]) -> list[tuple[float, float, int]]:
    """Mean of what was said, share of yes and number of labels in each fifth."""
    found = []
    for at in range(_BINS):
        inside = [k for k, p in enumerate(chances) if min(_BINS - 1, int(p * _BINS)) == at]
        if inside:
            n = len(inside)
            found.append((sum(chances[k] for k in inside) / n, sum(labels[k] for k in inside) / n, n))
    return found


def _groups(rows: Judged, said: Mapping[Key, bool]) -> dict[str, Any]:
    """Sensitivity and specificity by category, each with its number of labels."""
    found = {}
    for name in sorted({row.group for row in rows.rows if row.group is not None}):
        one = agreement([row for row in rows.rows if row.group == name], said)
        if one.n:
            found[name] = [one.sensitivity, one.specificity, one.n]
    return found


def _judges(run: Run) -> dict[str, Any] | None:
    """How often each two of several judges agree, over the statements on which both said something."""
    metrics = dict.fromkeys(name for result in run.results for name, m in result.metrics.items() if m.verdicts)
    counted: dict[tuple[str, str], list[int]] = {}
    for metric in metrics:
        for _, said in votes_of(run, metric):
            for one, other in combinations(said, 2):
                if said[one] is not None and said[other] is not None:
                    pair = counted.setdefault((one, other), [0, 0])
                    pair[0] += said[one] == said[other]
                    pair[1] += 1
        break
    return {"pairs": [[*names, same / n, n] for names, (same, n) in counted.items()]} if counted else None
