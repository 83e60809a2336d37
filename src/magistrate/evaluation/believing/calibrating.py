"""Calibrate the judge of a run by people's labels, and judge with what was found."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from magistrate.errors import ConfigurationError
from magistrate.evaluation.believing.labels import people_on
from magistrate.evaluation.configuration import describe, differences
from magistrate.evaluation.files import read_record
from magistrate.evaluation.runs.run import Run
from magistrate.judges import Judge
from magistrate.judges.calibrated import CalibratedJudge
from magistrate.trust import Calibration, Label, calibrate


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCalibration:
    """A calibration and what it holds for."""

    calibration: Calibration
    metric: str
    judge: dict[str, Any]
    models: tuple[str, ...]
    cases: tuple[str, ...]
    others: int


def calibrate_run(
    run: Run, labels: Sequence[Label], *, metric: str | None = None, share: float = 0.5
) -> RunCalibration:
    """Calibrate a run's judge by the labels of some of its cases."""
    found, said = people_on(run, labels, metric)
    rows = [row for row in found.rows if row.key in said and row.confidence is not None]
    if not said:
        raise ConfigurationError("no statement of the run is labelled: there is nothing to calibrate by")
    if not rows:
        raise ConfigurationError(
            "no labelled statement has a confidence: a model with token probabilities, --repeat, a panel, the offline "
            "judge and nli: have one"
        )
    labelled = sorted({row.case_id for row in rows}, key=lambda case: hashlib.sha256(case.encode()).digest())
    used = set(labelled[: max(1, round(share * len(labelled)))])
    chosen = [
        (p, said[row.key], row.case_id) for row in rows if row.case_id in used and (p := row.probability) is not None
    ]
    try:
        made = calibrate(*zip(*chosen, strict=True), fingerprint=found.fingerprint)
    except ValueError as error:
        raise ConfigurationError(f"{error} (from {share:.0%} of the {len(labelled)} labelled cases)") from None
    return RunCalibration(
        calibration=made,
        metric=found.metric,
        judge=dict(run.header.config.get("judge") or {}),
        models=found.models,
        cases=tuple(sorted(used)),
        others=len(labelled) - len(used),
    )


def calibrated_judge(judge: Judge, path: str | Path) -> CalibratedJudge:
    """The judge with the calibration in a file."""
    found = read_record(Path(path), RunCalibration, "calibration")
    if changed := differences(found.judge, describe(judge)):
        raise ConfigurationError(f"{path} is of another judge ({'; '.join(changed[:3])}): calibrate anew")
    return CalibratedJudge(judge, found.calibration, cases=found.cases, models=found.models)
