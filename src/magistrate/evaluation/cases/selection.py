"""Take a part of a dataset: the first cases, or a quick sample of every category."""

from __future__ import annotations

import bisect
import hashlib
from collections.abc import Iterable

from magistrate.evaluation.cases.dataset import Record

QUICK = 10
"""Cases of a quick run."""


def quick_sample(records: Iterable[Record], *, size: int = QUICK, seed: int = 0) -> list[Record]:
    """Draw a sample that shows every category, in the order of the dataset, the same for the same seed.

    Each category gets a share in proportion to its cases, and at least one while there are places. One pass, holding at
    most `size` cases of each category.
    """
    counts: dict[str, int] = {}
    kept: dict[str, list[tuple[bytes, int, Record]]] = {}
    for record in records:
        category = record.case.category or ""
        counts[category] = counts.get(category, 0) + 1
        best = kept.setdefault(category, [])
        key = hashlib.sha256(f"{seed}:{record.index}".encode()).digest()
        if len(best) < size or key < best[-1][0]:
            bisect.insort(best, (key, record.index, record))
            del best[size:]
    places = _places(counts, size)
    chosen = [record for category, best in kept.items() for _, _, record in best[: places.get(category, 0)]]
    return sorted(chosen, key=lambda record: record.index)


def _places(counts: dict[str, int], size: int) -> dict[str, int]:
    """Divide the places: one for each category, largest first, then each to the category that is owed most."""
    total = sum(counts.values())
    ranked = sorted(counts, key=lambda category: (-counts[category], category))
    places = dict.fromkeys(ranked[:size], 1)
    for _ in range(min(size, total) - len(places)):
        open_ = (category for category in places if places[category] < counts[category])
        places[max(open_, key=lambda category: size * counts[category] / total - places[category])] += 1
    return places
