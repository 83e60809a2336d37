"""Cascades in a run: some cases go to all judges first, and what they show settles who answers the rest."""

from __future__ import annotations

import hashlib
import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from magistrate.errors import ConfigurationError
from magistrate.evaluation.believing.labels import LABELS, PASSED_OVER, as_yes, read_labels
from magistrate.evaluation.files import read_record, write_record
from magistrate.evaluation.running import run_cases
from magistrate.evaluation.runs.store import describe
from magistrate.judges.cascade import CascadeJudge
from magistrate.records import Usage
from magistrate.trust import Answer, CascadeFit, Paired, consensus, fit_cascade, pairs_needed
from magistrate.verdict import StatementVerdict

if TYPE_CHECKING:
    from magistrate.completion.cost_ledger import Payer
    from magistrate.evaluation.cases.dataset import Record
    from magistrate.evaluation.plan import Plan
    from magistrate.evaluation.running import Stop
    from magistrate.evaluation.runs.results import CaseResult
    from magistrate.evaluation.runs.run import Run
    from magistrate.judges import Judge

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
            f"--against {against}: there are no labels; `magistrate label RUN` asks for them, in RUN/labels.jsonl"
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
    price = "price unknown" if paid.cost is None else f"${paid.cost:.4f}"
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
