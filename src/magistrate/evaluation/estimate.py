"""What a run would cost, before anything is spent."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field

from magistrate.errors import ConfigurationError
from magistrate.evaluation.cases.dataset import Record
from magistrate.evaluation.execution.execute import selected
from magistrate.evaluation.execution.scheduling import run_cases
from magistrate.evaluation.execution.stop import Stop
from magistrate.evaluation.plan import Plan
from magistrate.evaluation.runs.results import fingerprint
from magistrate.evaluation.runs.store import RESULTS, read_index
from magistrate.judges import makes_calls
from magistrate.records import Usage
from magistrate.verdict import Status


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run would cost if every call is answered well at once.

    Calls are those of the first attempts: one more is made for each reply that lacks something, and for each fault. An
    answer is taken to have one statement a sentence. Tokens are estimated from characters; what a model thinks before
    it answers is not in them.

    Args:
        judge: The judge's name.
        cases: Cases to be judged; those that a resumed run has finished are not among them.
        finished: Cases that a resumed run has finished.
        unknown: Results that could not be estimated: a metric of the user's own failed on made-up replies.
        usage: Calls, tokens, and the cost in US dollars, None where the model's price is unknown. `cached` are replies
            that are in the cache already.
    """

    judge: str
    cases: int = 0
    finished: int = 0
    unknown: int = 0
    usage: Usage = field(default_factory=Usage)


async def estimate_plan(plan: Plan, *, cached: bool = True) -> Estimate:
    """Go through the cases of a plan, make every request and send none. Nothing is written either."""
    estimating = getattr(plan.judge, "estimating", None)
    if estimating is None and makes_calls(plan.judge.name):
        raise ConfigurationError(f"nothing is known of the calls that the judge {plan.judge.name!r} makes")
    is_done, cases, unknown = _Finished(plan), 0, 0
    if estimating is None:
        for record in selected(plan):
            cases += not is_done(record, fingerprint(record.case, record.problems))
        return Estimate(plan.judge.name, cases, is_done.count)
    judge, stop = estimating(cached=cached), Stop()
    running = run_cases(
        selected(plan),
        plan.metrics,
        judge,
        concurrency=1,
        stop=stop,
        is_done=is_done,
        blocking_source=plan.blocking_source,
        repeat=plan.options.repeat,
        swap=plan.options.swap,
    )
    async with contextlib.aclosing(running):
        async for result in running:
            cases += 1
            unknown += sum(metric.status is Status.JUDGE_ERROR for metric in result.metrics.values())
    if stop.error is not None:
        raise stop.error
    return Estimate(plan.judge.name, cases, is_done.count, unknown, judge.usage)


class _Finished:
    """Tells which records a run that is to be resumed has finished, and counts them."""

    def __init__(self, plan: Plan) -> None:
        stored = plan.folder is not None and plan.options.resume and (plan.folder / RESULTS).exists()
        self._index = read_index(plan.folder / RESULTS) if stored and plan.folder is not None else None
        self.count = 0

    def __call__(self, record: Record, mark: str) -> bool:
        known = self._index is not None and self._index.is_finished(record.index, mark)
        self.count += known
        return known
