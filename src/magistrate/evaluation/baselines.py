"""What `--baseline` names: a stored run, another dataset, a system of the dataset, or a function."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from magistrate.errors import DatasetError
from magistrate.evaluation.cases.answer_sources import BUNDLED, open_source, with_answers_of
from magistrate.evaluation.cases.columns import FieldMap
from magistrate.evaluation.cases.dataset import Dataset
from magistrate.evaluation.runs.run import REPORT_KIND, Run, load_run
from magistrate.evaluation.runs.store import RESULTS

_HEAD = 4096


def open_baseline(baseline: str, dataset: Dataset, *, mapping: FieldMap | Sequence[str] | None = None) -> Run | Dataset:
    """Open a baseline."""
    path = Path(baseline)
    if path.is_dir() or path.name == RESULTS:
        return load_run(path)
    if path.is_file():
        return load_run(path) if _is_report(path) else Dataset(path, mapping=mapping)
    if baseline.startswith(BUNDLED):
        return open_source(baseline)
    if ":" not in baseline and (path.suffix or len(path.parts) > 1):
        raise DatasetError(f"{baseline}: no such run or dataset to compare with", path=baseline)
    return with_answers_of(dataset, baseline)


def baseline_name(baseline: str) -> str:
    """What reports call a baseline: the name of the system, or of the file or folder without its ending."""
    path = Path(baseline)
    if not path.exists():
        return baseline
    return path.parent.name if path.name in (RESULTS, "report.json") and path.parent.name else path.stem or baseline


def _is_report(path: Path) -> bool:
    if path.suffix != ".json":
        return False
    with path.open("rb") as file:
        return f'"kind": "{REPORT_KIND}"'.encode() in file.read(_HEAD)
