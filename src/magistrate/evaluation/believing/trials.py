"""Cases that are judged for what they tell of the judge: canaries, again and again; a cascade's, by all its judges."""

from __future__ import annotations

import hashlib
import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from magistrate.case import Case
from magistrate.completion.cost_ledger import Payer
from magistrate.errors import ConfigurationError, DatasetError, StoreError
from magistrate.evaluation.believing.labels import LABELS, PASSED_OVER, answer, as_yes, people_on, read_labels
from magistrate.evaluation.cases.dataset import Dataset, Record
from magistrate.evaluation.files import adapter_of, append_rows, read_record, write_record
from magistrate.evaluation.plan import Plan, now
from magistrate.evaluation.readers.base import checked_data
from magistrate.evaluation.running import Stop, run_cases
from magistrate.evaluation.runs.results import CaseResult
from magistrate.evaluation.runs.run import Run
from magistrate.evaluation.runs.store import config_hash, describe
from magistrate.judges import Judge, together
from magistrate.judges.cascade import CascadeJudge
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.records import Usage
from magistrate.trust import DriftEvidence, Label, consensus, drift_evidence
from magistrate.trust.calibration import Answer, CascadeFit, Paired, fit_cascade, pairs_needed
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


CASCADE = "cascade.json"
RISKS = (0.01, 0.02, 0.05, 0.1, 0.15, 0.2)
"""Risks for which the file says what would be saved."""

HARDLY = 0.02
"""Share of the statements below which a cascade saves next to nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What was found out about a cascade, as the run's folder keeps it."""

    fit: CascadeFit
    cases: tuple[str, ...]
    usage: Usage = field(default_factory=Usage)
    curve: dict[str, float | None]
    judge: dict[str, Any]


def settle_from(judge: Judge, folder: Path) -> bool:
    """Settle a cascade by what the folder of its run says; whether it was settled, or is no cascade."""
    if not isinstance(judge, CascadeJudge) or judge.fit is not None:
        return True
    if (settled := read_cascade(folder)) is None:
        return False
    if settled.judge != describe(judge):
        raise ConfigurationError(f"{folder / CASCADE} is of another cascade: begin a new run")
    judge.settle(settled.fit)
    return True


def read_cascade(folder: Path | None) -> Settled | None:
    """What was found out about the cascade of a run; None where there is none."""
    if folder is None or not (folder / CASCADE).exists():
        return None
    return read_record(folder / CASCADE, Settled, "file of a cascade")


async def settle_cascade(plan: Plan, records: Iterable[Record], stop: Stop, payer: Payer | None = None) -> None:
    """Have all judges of a plan's cascade judge some cases, before any other, and settle it by them."""
    judge = plan.judge
    if not isinstance(judge, CascadeJudge) or judge.fit is not None:
        return
    if plan.options.resume and plan.folder is not None and settle_from(judge, plan.folder):
        return
    if plan.dataset.is_pipe:
        raise ConfigurationError("a cascade reads the cases twice: give it a file, not a stream")
    people = _people(plan, judge.against) if judge.by_people else None
    seed, among = plan.options.seed, {case for case, _ in people or ()}
    open_records = (r for r in records if not r.blocked and (people is None or r.case.id in among))
    drawn = heapq.nsmallest(
        judge.pairs, open_records, key=lambda r: hashlib.sha256(f"{seed}:{r.index}".encode()).digest()
    )
    if len(drawn) < (needed := pairs_needed(judge.risk)):
        what = "labelled cases" if people is not None else "cases"
        raise ConfigurationError(
            f"{len(drawn)} {what} can certify nothing at a risk of {judge.risk:g}: {needed} are needed"
        )
    judge.everybody = True
    running = run_cases(iter(drawn), plan.metrics, judge, concurrency=plan.options.concurrency, stop=stop, payer=payer)
    results = sorted([result async for result in running], key=lambda result: result.index)
    if stop.requested:
        return
    pairs = [pair for result in results for pair in _pairs(result, people)]
    fit = fit_cascade(pairs, judge.risk, of_standing=people is not None)
    if people is not None and not fit.certified:
        raise ConfigurationError(f"the cascade has no guarantee against people's labels: {fit.why}")
    judge.settle(fit)
    if plan.folder is not None:
        curve = {str(risk): fit_cascade(pairs, risk, of_standing=people is not None) for risk in RISKS}
        found = Settled(
            fit=fit,
            cases=tuple(result.id for result in results),
            usage=sum((result.usage for result in results), Usage()),
            curve={risk: other.saved if other.certified else None for risk, other in curve.items()},
            judge=describe(judge),
        )
        write_record(plan.folder / CASCADE, found)


def _people(plan: Plan, against: str) -> dict[tuple[str, str], bool]:
    """What people said, by case and statement; only of cases that were drawn."""
    own = None if plan.folder is None else plan.folder / LABELS
    path = own if against == "labels" else Path(against)
    if path is None or not path.exists():
        raise ConfigurationError(
            f"--against {against}: no labels; `magistrate label RUN` asks for them, then --against RUN/labels.jsonl"
        )
    labels = [label for label in read_labels(path) if label.stratum is not None and label.statement is not None]
    places = {label.place for label in labels if label.place is not None}
    if not labels or len(places) < (1 - PASSED_OVER) * max(places, default=0):
        raise ConfigurationError(
            f"--against {against}: {'a choice among the' if labels else 'no'} labels that `magistrate label` drew: "
            "nothing can be certified by cases that somebody chose"
        )
    said = consensus(labels).labels
    return {(label.case_id, label.statement or ""): said[label.key] for label in labels if label.key in said}


def _pairs(result: CaseResult, people: Mapping[tuple[str, str], bool] | None) -> Iterator[Paired]:
    """What all judges said of each statement of a case, of the first with verdicts; people of all, or none."""
    verdicts: tuple[StatementVerdict, ...] = next((m.verdicts for m in result.metrics.values() if m.verdicts), ())
    sides = {None: None, True: "yes", False: "no"}
    if people is not None and any((result.id, verdict.statement) not in people for verdict in verdicts):
        return
    for verdict in verdicts:
        votes = verdict.votes
        if people is None and votes:
            cheap = tuple(Answer(vote.verdict, vote.confidence) for vote in votes[:-1])
            yield Paired(cheap, votes[-1].verdict, result.id)
        elif people is not None:
            answers = tuple(Answer(sides[as_yes(vote.verdict)], vote.confidence) for vote in votes)
            yield Paired(answers, sides[people[result.id, verdict.statement]], result.id)


def cascade_summary(run: Run, judge: Judge) -> str | None:
    """What a run's cascade saved, what it may differ in, and who judged the rest; None where it is none."""
    if not isinstance(judge, CascadeJudge) or judge.fit is None:
        return None
    work, fit, settled = work_of(run), judge.fit, read_cascade(run.path)
    paid = settled.usage if settled else Usage()
    price = "cost unknown" if paid.cost is None else f"${paid.cost:.4f}"
    calls = f" ({paid.calls:,} calls, {price})" if paid.calls else ""
    asked = work[judge.members[-1].name]
    saved = 1 - asked / work[""] if work[""] else 0.0
    of = "people" if judge.by_people else judge.members[-1].name
    left = f"{work['people']:,} left to people" if judge.by_people else f"{asked:,} left to {of}"
    done = f"saved {saved:.1%} of {work['']:,} statements{'' if saved > HARDLY else ', which is not worth it'}"
    certain = f" (at most {fit.limit:.3f} with 90 % confidence)" if fit.certified else ""
    return (
        f"cascade: {fit.why}; {fit.pairs:,} cases were judged by all{calls}\n  {done}, "
        f"allowed {fit.risk:g} of the cases to differ from {of}{certain}, {left}"
    )


def work_of(run: Run) -> Counter[str]:
    """Judge -> statements that it was asked about, "" -> all statements, "people" -> those without a verdict."""
    asked = Counter({"": 0, "people": 0})
    for verdict in (said for result in run.results for metric in result.metrics.values() for said in metric.verdicts):
        asked.update(["", *(vote.judge for vote in verdict.votes)])
        asked["people"] += verdict.verdict is None
    return asked
