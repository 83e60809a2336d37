"""Whether a judge has changed: labelled cases in a file, judged again now and then; the looks are kept there too."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from magistrate.case import Case
from magistrate.errors import ConfigurationError, DatasetError, StoreError
from magistrate.evaluation.believing.labels import answer, as_yes, people_on
from magistrate.evaluation.cases.dataset import Dataset
from magistrate.evaluation.files import adapter_of, append_rows
from magistrate.evaluation.plan import now
from magistrate.evaluation.readers.base import checked_data
from magistrate.evaluation.runs.run import Run
from magistrate.evaluation.runs.store import config_hash, describe
from magistrate.judges import Judge, together
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.records import Usage
from magistrate.trust import DriftEvidence, Label, drift_evidence
from magistrate.verdict import StatementVerdict, Verdict

CANARIES = "canaries.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What a judge said of the canaries at one time."""

    at: str
    judge: str
    config: str
    models: tuple[str, ...] = ()
    verdicts: dict[str, Verdict | None] = field(default_factory=dict)


@dataclass(slots=True)
class Canaries:
    """Labelled cases and the looks at them so far."""

    path: Path
    cases: list[Case] = field(default_factory=list)
    labels: dict[str, bool] = field(default_factory=dict)
    looks: list[Look] = field(default_factory=list)

    def evidence(self, alpha: float = 0.05, looks: int | None = None) -> DriftEvidence:
        """What all looks say, or the first of them; see `drift_evidence`."""
        sides = [{key: as_yes(said) for key, said in look.verdicts.items()} for look in self.looks[:looks]]
        return drift_evidence(sides, self.labels, alpha=alpha)

    def series(self) -> list[dict[str, Any]]:
        """For each look when it was, the evidence up to it, and the share that agrees with people."""
        found = [(look, self.evidence(looks=number)) for number, look in enumerate(self.looks, 1)]
        return [
            {"at": at.at, "models": at.models, "e_value": e.e_value, "accuracy": e.accuracy_last, "alarm": e.alarm}
            for at, e in found
        ]


def read_canaries(path: str | Path) -> Canaries:
    """Read canaries: a case a line, with `statements` and `labels` of the same length, and the looks."""
    found = Canaries(Path(path))
    for line in Dataset(path, format="jsonl").rows():
        where = f"{path}:{line.line}"
        row = checked_data(line, where)
        try:
            if "look" in row:
                found.looks.append(adapter_of(Look).validate_python(row["look"]))
                continue
            labels = [answer(value, where) for value in row.pop("labels")]
            case = Case.model_validate({"id": f"case-{line.line}", **row})
        except (ValueError, TypeError, KeyError, AttributeError):
            raise DatasetError(f"{where}: is neither a case with contexts, statements and labels nor a look") from None
        if not case.contexts or len(case.statements or ()) != len(labels):
            raise DatasetError(f"{where}: contexts, and a label for each statement, are needed")
        found.cases.append(case)
        found.labels |= {f"{case.id} s{at}": label for at, label in enumerate(labels, 1) if label is not None}
    if not found.labels:
        raise DatasetError(f"{path}: holds no labelled case")
    return found


def write_canaries(run: Run, labels: Sequence[Label], path: Path, *, metric: str | None = None) -> Canaries:
    """Make canaries of a run's labelled cases; what the run's judge said is the first look."""
    found, said = people_on(run, labels, metric)
    lines: list[dict[str, Any]] = []
    verdicts: dict[str, Verdict | None] = {}
    for result in run.results:
        measured = result.metrics.get(found.metric)
        kept = [v for v in (measured.verdicts if measured else ()) if (result.id, v.id) in said]
        if kept:
            row = result.case.model_dump(mode="json", include={"question", "contexts"}, exclude_none=True)
            row |= {"id": result.id, "statements": [v.statement for v in kept]}
            lines.append(row | {"labels": [said[result.id, v.id] for v in kept]})
            verdicts |= _named(result.id, kept)
    if not lines:
        raise ConfigurationError("no statement of the run is labelled: `magistrate label` asks for labels")
    if path.exists():
        raise StoreError(f"{path} is there already: canaries stay as they are")
    judge: Any = run.header.config.get("judge") or {}
    made: Any = {"at": run.header.created, "judge": str(judge.get("name")), "config": config_hash(judge)}
    look = Look(**made, models=found.models, verdicts=verdicts)
    append_rows(path, [*lines, {"look": asdict(look)}])
    return read_canaries(path)


async def look_again(canaries: Canaries, judge: Judge, *, scale: str = "ternary") -> Usage:
    """Have a judge judge the canaries, and add the look to the file; what it cost is returned."""
    config = config_hash(describe(judge))
    if canaries.looks and canaries.looks[-1].config != config:
        raise ConfigurationError(
            f"{canaries.path}: the looks so far are of {canaries.looks[-1].judge} as it was set up then; "
            f"{judge.name} now is another judge, so nothing could be said of drift: begin another file"
        )
    judging = Faithfulness(scale=scale)
    replies = await together(
        [judging.verify(judge, case.statements or (), case.contexts, case.question) for case in canaries.cases]
    )
    verdicts: dict[str, Verdict | None] = {}
    models = set()
    for case, reply in zip(canaries.cases, replies, strict=True):
        verdicts |= _named(case.id, reply.verdicts)
        models |= {call.completion.model or call.requested_model for call in reply.calls if call.completion}
    look = Look(at=now(), judge=judge.name, config=config, models=tuple(sorted(models)), verdicts=verdicts)
    if any(verdicts.values()):
        append_rows(canaries.path, [{"look": asdict(look)}])
        canaries.looks.append(look)
    return sum((reply.usage for reply in replies), Usage())


def _named(case: str | None, verdicts: Sequence[StatementVerdict]) -> dict[str, Verdict | None]:
    return {f"{case} s{at}": one.verdict for at, one in enumerate(verdicts, 1)}
