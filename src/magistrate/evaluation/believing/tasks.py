"""What a person is asked to label: whole cases, drawn, without the judge's verdicts."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from magistrate.evaluation.believing.judgements import Judged, judged
from magistrate.evaluation.runs.run import Run
from magistrate.trust import Label, draw


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One case to label.

    Attributes:
        case_id: The case.
        question: What was asked; None where the case has no question.
        contexts: The passages.
        statements: (id, text) of each statement.
        stratum: What the case was drawn from; None for a second opinion on a case that was not drawn.
        fingerprint: Of the judge it was drawn beside.
    """

    case_id: str
    question: str | None
    contexts: tuple[str, ...]
    statements: tuple[tuple[str | None, str], ...]
    stratum: str | None
    fingerprint: str

    def label(self, statement: int, answer: bool | None, by: str) -> Label:
        """The label of a statement, given now."""
        name, text = self.statements[statement]
        return Label(
            case_id=self.case_id,
            statement_id=name,
            label=answer,
            statement=text,
            by=by,
            at=datetime.now(UTC).isoformat(timespec="seconds"),
            stratum=self.stratum,
            fingerprint=self.fingerprint,
        )


def label_tasks(
    run: Run,
    labels: Sequence[Label],
    *,
    n: int = 50,
    by: str = "",
    second: float | None = None,
    metric: str | None = None,
    seed: int | None = None,
) -> list[Task]:
    """The cases that a person has still to label.

    Args:
        run: The run.
        labels: What has been labelled so far, by anybody.
        n: Cases wanted in all; a later call with a larger number goes on with the same draw.
        by: The person.
        second: Instead, this share of the cases that others have labelled, for the agreement of people.
        metric: The metric; None where only one gives verdicts.
        seed: Of the draw; None: made of the run.

    Raises:
        ConfigurationError: If the run has no such metric.
    """
    found = judged(run, metric)
    seed = zlib.crc32((run.header.id or run.header.config_hash).encode()) if seed is None else seed
    strata = {one.case_id: one.stratum for one in draw(found.rows, len(found.rows), seed=seed)}
    if second is not None:
        others = list(dict.fromkeys(label.case_id for label in labels if label.by != by))
        wanted = others[: round(second * len(others))]
        strata = {label.case_id: label.stratum or "" for label in labels if label.by != by}
    else:
        wanted = [one.case_id for one in draw(found.rows, n, seed=seed)]
    answered = {(label.case_id, label.statement) for label in labels if label.by == by}
    return _tasks(run, found, wanted, strata, answered)


def _tasks(
    run: Run, found: Judged, wanted: Sequence[str], strata: dict[str, str], answered: set[tuple[str, str | None]]
) -> list[Task]:
    made = {}
    for result in run.results:
        if result.id in wanted:
            verdicts = result.metrics[found.metric].verdicts
            left = tuple((v.id, v.statement) for v in verdicts if (result.id, v.statement) not in answered)
            if left:
                made[result.id] = Task(
                    case_id=result.id,
                    question=result.case.question,
                    contexts=result.case.contexts,
                    statements=left,
                    stratum=strata.get(result.id) or None,
                    fingerprint=found.fingerprint,
                )
    return [made[case] for case in wanted if case in made]
