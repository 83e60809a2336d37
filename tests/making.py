"""Results and runs as judging makes them, for tests of what is made of them."""

from magistrate.case import Case
from magistrate.evaluation.runs.results import CaseResult
from magistrate.evaluation.runs.run import Run
from magistrate.evaluation.runs.store import RunHeader
from magistrate.metrics.base import MetricResult, decide
from magistrate.records import CallRecord, Completion, PromptRef
from magistrate.verdict import StatementVerdict, Status, Verdict


def make_result(
    index, score=1.0, status=Status.SCORED, *, verdicts=(), bounds=None, reason=None, problems=(), metric=None, **case
):
    """A metric's result on a case; `metric` holds further fields of that result, what else is given is the case's."""
    found = {"metric": "faithfulness", "threshold": 0.7, "direction": "maximize", **(metric or {})}
    result = MetricResult(
        policy="strict",
        status=status,
        score=score,
        bounds=bounds,
        outcome=decide(status, score, bounds, found["threshold"], direction=found["direction"]),
        reason=reason,
        verdicts=tuple(verdicts),
        judge="judge",
        **found,
    )
    case = Case(**{"id": f"c{index}", **case})
    return CaseResult(index=index, case=case, metrics={result.metric: result}, problems=problems)


def make_call(completion, statements=(0, 1), *, purpose="verify", scale="ternary", **fields):
    """A call that was made; a text stands for the completion that holds it."""
    held = Completion(completion, "stop") if isinstance(completion, str | None) else completion
    made = {"requested_model": "m", "completion": held, "statements": statements, "scale": scale, **fields}
    return CallRecord(purpose, PromptRef("verify", "1", "h"), **made)


def make_verdict(index, verdict=Verdict.CONTRADICTED, **fields):
    return StatementVerdict(
        index=index, id=f"s{index + 1}", verdict=verdict, **{"statement": f"statement {index}", **fields}
    )


def make_run(results, *, judge="gpt-4o", repeat=1, **fields):
    header = RunHeader(
        config={"dataset": {"name": "cases.jsonl"}, "judge": {"name": judge}, "metrics": [], "repeat": repeat},
        magistrate="0.1.0",
        created="2026-01-01T00:00:00+00:00",
    )
    return Run(results, header, **fields)
