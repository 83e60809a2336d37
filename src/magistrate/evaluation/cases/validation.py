"""Check a dataset before anything is spent on it, or take a quick sample of it."""

from __future__ import annotations

import bisect
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from magistrate.evaluation.cases.dataset import Dataset, Record
from magistrate.evaluation.problems import Problem


@dataclass(slots=True)
class DatasetCheck:
    """What a dataset holds, filled while its problems are read."""

    rows: int = 0
    unusable: int = 0
    errors: int = 0
    warnings: int = 0
    categories: Counter[str] = field(default_factory=Counter)
    contexts: int = 0

    @property
    def ok(self) -> bool:
        """Whether there is something to judge, and no error."""
        return self.rows > 0 and not self.errors


def check_dataset(dataset: Dataset, result: DatasetCheck) -> Iterator[Problem]:
    """Read a dataset to its end, yield every problem as it is found, and count in `result`."""
    for record in dataset:
        case = record.case
        texts = (case.answer or "", *(case.statements or ()))
        result.rows += 1
        result.unusable += record.blocked or not any(map(str.strip, texts)) or not any(map(str.strip, case.contexts))
        result.contexts += len(case.contexts)
        result.categories.update([case.category] if case.category else ())
        for problem in (*record.problems, *_further(record, dataset.name)):
            result.errors += problem.severity == "error"
            result.warnings += problem.severity != "error"
            yield problem
    if not result.rows:
        result.errors += 1
        yield Problem(source=dataset.name, message="holds no cases")


def _further(record: Record, source: str) -> Iterator[Problem]:
    if record.blocked:
        return
    here = Problem(source=source, line=record.line, row=record.index + 1, message="")
    case = record.case
    if case.answer is not None and not case.answer.strip():
        yield replace(here, field="answer", message="is blank", expected="a text to judge", severity="warning")
    for index, text in enumerate(case.contexts):
        if not text.strip():
            yield replace(here, field=f"contexts[{index}]", message="is blank", severity="warning")
    if not case.contexts and not any((p.field or "").startswith("contexts") for p in record.problems):
        yield replace(here, field="contexts", message="is empty: nothing to judge against", severity="warning")


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
