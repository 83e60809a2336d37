"""Check a dataset before anything is spent on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
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
    """Read a dataset to its end, yield every problem as it is found, and count in `result`.

    Besides what the reader finds: blank answers and contexts.
    """
    for record in dataset:
        result.rows += 1
        result.unusable += _unusable(record)
        result.contexts += len(record.case.contexts)
        if record.case.category:
            result.categories[record.case.category] += 1
        for problem in (*record.problems, *_further(record, dataset.name)):
            if problem.severity == "error":
                result.errors += 1
            else:
                result.warnings += 1
            yield problem
    if not result.rows:
        result.errors += 1
        yield Problem(source=dataset.name, message="holds no cases")


def _unusable(record: Record) -> bool:
    case = record.case
    texts = (case.answer or "", *(case.statements or ()))
    return record.blocked or not any(map(str.strip, texts)) or not any(map(str.strip, case.contexts))


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
