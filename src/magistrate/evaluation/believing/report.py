"""What people's labels say of a run: judge, people, corrected, what a label is worth; and a calibration by them."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from magistrate.errors import ConfigurationError
from magistrate.evaluation.believing.labels import Judged, as_yes, judged, matching, people_on, refuse_chosen
from magistrate.evaluation.files import read_record
from magistrate.evaluation.runs.run import Run
from magistrate.evaluation.runs.store import describe, differences
from magistrate.judges import Judge
from magistrate.judges.calibrated import CalibratedJudge
from magistrate.scoring import POLICIES
from magistrate.statistics import Interval
from magistrate.trust._agreement import Agreement, PanelWorth, agreement, krippendorff_alpha, panel_worth
from magistrate.trust.calibration import LEAST, Calibration, binned, calibrate, cross_fitted
from magistrate.trust.correction import MeanCorrection, RateCorrection, correct, correct_mean
from magistrate.trust.drawing import Plan, plan_further, plan_labels
from magistrate.trust.records import Consensus, Judgement, Key, Label, consensus
from magistrate.verdict import Verdict

LEAST_LABELS = 10
"""Labelled statements below which no corrected figure is given."""
FURTHER = (0, 10, 20, 50, 100, 200)
FIFTHS = 5
STEP = 50
"""Further labels of which is said what they would bring, whatever the target."""
WEAK = 0.3
"""Correlation of judge and people below which the judge adds nothing worth its mention."""

_SHARES = {
    **{
        name: True
        for name, policy in POLICIES.items()
        if policy.entailment is None and all(policy.credit[one] == (one is Verdict.SUPPORTED) for one in policy.credit)
    },
    **dict.fromkeys(("1-unsupported-rate", "grounding-precision", "contextual-recall"), True),
    "unsupported-rate": False,
}
"""Policies whose score is the share of supported statements (True), or what is left of 1 (False)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """One statement on which judge and people differ."""

    case_id: str
    statement_id: str | None
    statement: str
    judge: str
    people: bool
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustReport:
    """How far the figures of a run can be believed.

    Attributes:
        metric: The metric.
        rate: The share of statements that are supported, whatever the metric's score; None where nothing can be said.
        mean: The metric's mean score; None with fewer than 30 cases of which every statement is labelled, and where it
            does not follow from which statements are supported.
        of_support: Whether the metric's score is that share; that of hallucination_rate is what is left of 1.
        agreement: Judge against people.
        groups: Part of the dataset -> its corrected share; None where it has too few labels.
        target: Half width of the interval that is wanted.
        wanted: The plan for the target, of 0 labels where it is reached; None where no number of them brings it.
        next: What 50 more labels would bring, or all that are left; None where nothing is known.
        full: What all labels would bring; None where nothing is known.
        further: What no, 10, 20, 50, 100 and 200 more labels would bring, and all that are left.
        reliability: By fifths of what the judge said: mean, share that people support, labels; "before" and "after" a
            calibration that did not see them. None with too few labels.
        sides: Part of the dataset (the category, unless another is asked for) -> sensitivity, specificity, labels.
        people_agree: How often two people who labelled the same statement agree, in [0, 1]; None where nobody did.
        people_alpha: The same beyond chance, Krippendorff's alpha; None where it is not defined.
        disagreements: Where judge and people differ, as (case, statement).
        panel: What a panel of judges is worth; None where one judge judged.
        notes: What is to be known about the figures.
        verdict: Why nothing can be said; None where something can.
    """

    metric: str
    rate: RateCorrection | None = None
    mean: MeanCorrection | None = None
    of_support: bool = True
    agreement: Agreement | None = None
    groups: dict[str, RateCorrection | None] = field(default_factory=dict)
    target: float = 0.05
    wanted: Plan | None = None
    next: Plan | None = None
    full: Plan | None = None
    further: tuple[Plan, ...] = ()
    reliability: dict[str, list[tuple[float, float, int]]] | None = None
    sides: dict[str, tuple[float | None, float | None, int]] = field(default_factory=dict)
    people_agree: float | None = None
    people_alpha: float | None = None
    disagreements: tuple[Disagreement, ...] = ()
    panel: PanelWorth | None = None
    notes: tuple[str, ...] = ()
    verdict: str | None = None

    @property
    def corrected(self) -> Interval | None:
        """The interval of the corrected share; None where nothing can be said."""
        return self.rate.interval if self.rate else None

    def __repr__(self) -> str:
        if self.rate is None or self.corrected is None:
            return f"<{self.metric}: nothing can be said: {self.verdict}>"
        judge = "" if self.rate.judge is None else f"; the judge said {self.rate.judge:.2f}"
        within = f"{self.rate.corrected:.2f} [{self.corrected.low:.2f}, {self.corrected.high:.2f}]"
        what = "" if self.of_support else "share supported, "
        return f"<{self.metric}: {what}corrected {within}{judge}; labels {self.rate.labelled} of {self.rate.n}>"

    def to_dict(self) -> dict[str, Any]:
        """Every field, as JSON holds it."""
        return asdict(self)


def trust(
    run: Run,
    labels: Sequence[Label],
    *,
    metric: str | None = None,
    target: float = 0.05,
    group: str | None = None,
    assume_random: bool = False,
) -> TrustReport:
    """Correct a run's figures by people's labels.

    Args:
        run: The run.
        labels: What people said of some of its statements, or of all.
        metric: The metric; None where only one gives verdicts.
        target: Half width of the interval that is wanted, in (0, 1).
        group: "category" or a key of the metadata: a corrected figure for each part.
        assume_random: Take labels that were not drawn from the run for a random choice of its cases.

    Raises:
        ConfigurationError: If the run has no such metric or group, or the target is no share.
    """
    if not 0.0 < target < 1.0:
        raise ConfigurationError(f"the target is a half width between 0 and 1, such as 0.05, not {target!r}")
    found = judged(run, metric, group=group or "category")
    if group and not any(row.group for row in found.rows):
        known = {"category" for result in run.results if result.case.category}
        known |= {key for result in run.results for key in result.case.metadata}
        raise ConfigurationError(f"no case has {group!r} to group by: there are {', '.join(sorted(known)) or 'none'}")
    fitting, foreign = matching(labels, found)
    calibration = (run.header.config.get("judge") or {}).get("calibration") or {}
    taught = set(calibration.get("cases", ()))
    own = [label for label in fitting if label.case_id not in taught]
    said = consensus(own)
    notes = _notes(found, own, foreign, len(fitting) - len(own), said)
    cannot = None
    try:
        notes += refuse_chosen(labels, found, assume_random=assume_random)
    except ConfigurationError as error:
        cannot = str(error)
    if len(said.labels) < LEAST_LABELS:
        cannot = f"statements with a label: {len(said.labels)}; {LEAST_LABELS} are needed to say anything"
    rate = None if cannot else correct(found.rows, said.labels)
    if cannot or rate is None:
        return TrustReport(metric=found.metric, target=target, notes=tuple(notes), verdict=cannot)
    phi = 0.0 if rate.judge in {0.0, 1.0} else rate.phi  # who always says the same tells nothing
    if phi is not None and abs(phi) < WEAK:
        notes.append(f"label alone; the judge adds nothing: it hardly goes together with people (phi {phi:.2f})")
    agreed = agreement(found.rows, said.labels)
    parts: dict[str | None, list[Judgement]] = {}
    for row in sorted(found.rows, key=lambda row: row.group or "none"):
        parts.setdefault(row.group, []).append(row)
    counted = _SHARES.get(found.policy)
    if counted is None:
        notes.append(
            f"the mean {found.metric} does not follow from which statements are supported: it is not corrected"
        )
    scores = {case: share if counted else 1 - share for case, share in _case_scores(found.rows, said.labels).items()}
    by_part = {part: agreement(rows, said.labels) for part, rows in parts.items()}
    left = rate.n - rate.labelled
    pairs = [pair for answers in said.answers for pair in combinations(answers, 2)]
    return TrustReport(
        metric=found.metric,
        rate=rate,
        mean=None if counted is None else correct_mean(found.scores, scores),
        of_support=counted is True,
        agreement=agreed,
        groups={
            part or "none": correct(parts[part], said.labels) if a.n + a.without_verdict >= LEAST_LABELS else None
            for part, a in (by_part if group else {}).items()
        },
        target=target,
        wanted=plan_labels(target, rate),
        next=plan_further(rate, STEP),
        full=plan_further(rate, rate.n),
        further=tuple(plan_further(rate, more) for more in sorted({*FURTHER, left}) if more <= left),
        reliability=_reliability(found.rows, said.labels),
        sides={part: (a.sensitivity, a.specificity, a.n) for part, a in by_part.items() if part and a.n},
        people_agree=sum(a == b for a, b in pairs) / len(pairs) if pairs else None,
        people_alpha=krippendorff_alpha(said.answers),
        disagreements=tuple(_disagreements(found, agreed, said.labels)),
        panel=_panel(run, found, said.labels),
        notes=tuple(notes),
    )


def _notes(found: Judged, own: Sequence[Label], foreign: int, made: int, said: Consensus) -> list[str]:
    untold = sum(label.statement is None for label in own)
    first = next(iter(found.said), ("none",))
    other = any(label.fingerprint not in (None, found.fingerprint) for label in own)
    notes = {
        f"labels of no statement of the run (its first is {' '.join(map(str, first))}), left out: {foreign}": foreign,
        f"labels without a statement's text, which hold if people saw just this run's statements: {untold}": untold,
        f"statements of which people were divided or could not tell, without a label: {said.split}": said.split,
        f"labels that serve as examples in the prompt and correct nothing: {said.examples}": said.examples,
        f"labels that made the judge's calibration and correct nothing: {made}": made,
        f"cases without a statement that was judged, in no figure: {found.without}": found.without,
        "some labels were drawn beside another judge: people's answers hold, the draw was for another judge": other,
    }
    return [note for note, holds in notes.items() if holds]


def votes_of(run: Run, metric: str) -> Iterator[tuple[Key, dict[str, bool | None]]]:
    """What each of several judges said of each statement, as yes or no; nothing where one judge judged."""
    for result in run.results:
        measured = result.metrics.get(metric)
        for said in measured.verdicts if measured else ():
            if len(said.votes) > 1:
                yield (result.id, said.id), {vote.judge: as_yes(vote.verdict) for vote in said.votes}


def _panel(run: Run, found: Judged, labels: Mapping[Key, bool]) -> PanelWorth | None:
    if not str((run.header.config.get("judge") or {}).get("name", "")).startswith("panel:"):
        return None
    rows = [(said, labels[key]) for key, said in votes_of(run, found.metric) if key in labels]
    names = list(rows[0][0]) if rows else []
    return panel_worth({n: [said.get(n) for said, _ in rows] for n in names}, [y for _, y in rows]) if rows else None


def _case_scores(rows: Sequence[Judgement], labels: Mapping[Key, bool]) -> dict[str, float]:
    """People's share of yes in each case of which every statement is labelled."""
    cases: dict[str, list[bool | None]] = {}
    for row in rows:
        cases.setdefault(row.case_id, []).append(labels.get(row.key))
    return {case: sum(map(bool, said)) / len(said) for case, said in cases.items() if None not in said}


def _reliability(
    rows: Sequence[Judgement], labels: Mapping[Key, bool]
) -> dict[str, list[tuple[float, float, int]]] | None:
    known = [(p, row) for row in rows if row.key in labels and (p := row.probability) is not None]
    said, people = [p for p, _ in known], [labels[row.key] for _, row in known]
    if len(known) < LEAST or len(set(people)) == 1:
        return None
    after, _ = cross_fitted(said, people, [row.case_id for _, row in known])
    return {"before": binned(people, said, FIFTHS), "after": binned(people, after, FIFTHS)}


def _disagreements(found: Judged, agreed: Agreement, labels: Mapping[Key, bool]) -> Iterator[Disagreement]:
    differing = {*agreed.false_yes, *agreed.false_no}
    return (
        Disagreement(
            case_id=key[0],
            statement_id=verdict.id,
            statement=verdict.statement,
            judge=verdict.verdict.value,
            people=labels[key],
            reason=verdict.reason,
        )
        for key, verdict in found.said.items()
        if key in differing and verdict.verdict is not None
    )


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
    run: Run, labels: Sequence[Label], *, metric: str | None = None, share: float = 0.5, assume_random: bool = False
) -> RunCalibration:
    """Calibrate a run's judge by the labels of some of its cases; of cases that somebody chose they are refused."""
    found, said = people_on(run, labels, metric)
    rows = [row for row in found.rows if row.key in said and row.confidence is not None]
    if not said:
        raise ConfigurationError("no statement of the run is labelled: there is nothing to calibrate by")
    if not rows:
        raise ConfigurationError(
            "no labelled statement has a confidence: a model with token probabilities, --repeat, a panel, the offline "
            "judge and nli: have one"
        )
    refuse_chosen(labels, found, assume_random=assume_random)
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
