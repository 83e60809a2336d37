"""What the judge said in a run, statement by statement."""

import hashlib
import json
from dataclasses import dataclass

from magistrate.errors import ConfigurationError
from magistrate.evaluation.runs.run import Run
from magistrate.trust import Judgement, Key
from magistrate.verdict import StatementVerdict, Verdict

_NO_IDENTITY = ("policy", "threshold", "include_reason")


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The statements of one metric of a run; of the cases `without` none is known, so they are in no figure."""

    metric: str
    rows: tuple[Judgement, ...]
    said: dict[Key, StatementVerdict]
    scores: dict[str, float | None]
    without: int
    fingerprint: str
    models: tuple[str, ...] = ()


def as_yes(verdict: Verdict | None) -> bool | None:
    """Whether a verdict counts as a yes; None where there is none."""
    return None if verdict is None else verdict is Verdict.SUPPORTED


def judged(run: Run, metric: str | None = None, *, group: str | None = None) -> Judged:
    """Collect what the judge said of each statement."""
    name = metric_with_verdicts(run, metric)
    rows: list[Judgement] = []
    said: dict[Key, StatementVerdict] = {}
    scores: dict[str, float | None] = {}
    models: set[str] = set()
    without = 0
    for result in run.results:
        if (found := result.metrics.get(name)) is None:
            continue
        if result.id in scores:
            raise ConfigurationError(f"two cases have the id {result.id!r}: labels could not tell them apart")
        scores[result.id] = found.score
        models |= {call.completion.model or call.requested_model for call in found.calls if call.completion}
        without += not found.verdicts
        part = result.case.category if group == "category" else result.case.metadata.get(group or "")
        for verdict in found.verdicts:
            row = Judgement(
                case_id=result.id,
                statement_id=verdict.id,
                verdict=verdict.verdict,
                positive=as_yes(verdict.verdict),
                confidence=None if verdict.verdict is None else verdict.sureness,
                group=None if part is None else str(part),
            )
            rows.append(row)
            said[row.key] = verdict
    return Judged(
        metric=name,
        rows=tuple(rows),
        said=said,
        scores=scores,
        without=without,
        fingerprint=_fingerprint(run, name, models),
        models=tuple(sorted(models)),
    )


def metric_with_verdicts(run: Run, name: str | None = None) -> str:
    """The metric of a run whose statements people can label."""
    names = list(dict.fromkeys(metric for result in run.results for metric, m in result.metrics.items() if m.verdicts))
    listed = ", ".join(names) or "none"
    if name is not None and name not in names:
        raise ConfigurationError(f"the run has no verdicts of a metric {name!r}: those with verdicts are {listed}")
    if not names:
        raise ConfigurationError("no metric of the run gives verdicts on statements: there is nothing to label")
    if name is None and len(names) > 1:
        raise ConfigurationError(f"the run has verdicts of {listed}: name one with --metric")
    return name or names[0]


def _fingerprint(run: Run, metric: str, models: set[str]) -> str:
    """First 16 hex digits of SHA-256 over what made the verdicts."""
    settings = [
        {key: value for key, value in each.items() if key not in _NO_IDENTITY}
        for each in run.header.config.get("metrics", ())
        if each.get("name") == metric
    ]
    identity = {"judge": run.header.config.get("judge"), "metric": settings, "models": sorted(models)}
    return hashlib.sha256(json.dumps(identity, sort_keys=True, default=str).encode()).hexdigest()[:16]
