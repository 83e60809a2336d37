"""Every class of a framework's metrics that asks a model, on magistrate's backend, under each fault."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from faults import FAULTS, Faults
from table import Result, gather, outcome

from magistrate.testing import FaultServer

__all__ = ["classes"]

Job = Callable[[], Any]
Jobs = Callable[[str, str], Mapping[str, Job]]
"""Takes a side and the server's address, gives for each class what scores one case."""

_MARKS = {"right": "right", "explicit": "error", "silently wrong": "WRONG", "crashed": "CRASHED"}


def classes(title: str, jobs: Jobs, explicit: tuple[type[BaseException], ...]) -> list[str]:
    """Print the table, and say which classes did not finish as they should.

    Right is what the class gives with the framework's own model class and whole replies.

    Args:
        title: What is shown.
        jobs: The classes.
        explicit: What the framework raises for a judge that failed.
    """
    right = _scores("theirs", jobs, "none", explicit, always=True)
    unusable = {name: result.error for name, result in right.items() if result.score is None}
    if unusable:
        raise SystemExit(f"no reference for {unusable}")
    failed: dict[str, list[str]] = {}
    once = {kind: _scores("magistrate", jobs, kind, explicit, always=False) for kind in FAULTS}
    always = {kind: _scores("magistrate", jobs, kind, explicit, always=True) for kind in FAULTS}
    damaged = "the first reply to each prompt damaged / every reply damaged, where that differs"
    print(f"\n{title}: {len(right)} classes; {damaged}\n")
    print(f"| class | {' | '.join(FAULTS)} |")
    print(f"|---{'|---' * len(FAULTS)}|")
    for name, reference in right.items():
        cells = []
        for kind in FAULTS:
            found = [outcome(runs[kind][name], reference.score or 0.0) for runs in (once, always)]
            cells.append(" / ".join(dict.fromkeys(_MARKS[what] for what in found)))
            for what, runs in zip(found, (once, always), strict=True):
                if what in {"silently wrong", "crashed"} or (kind == "none" and what != "right"):
                    result = runs[kind][name]
                    said = result.error or f"{result.score} in place of {reference.score}"
                    failed.setdefault(name, []).append(f"{name}, {kind}: {what}: {said}")
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    share = 1 - len(failed) / len(right)
    whole = f"{len(right) - len(failed)} of {len(right)} classes ({share:.0%})"
    print(f"\n{title}: {whole} finish with nothing silently wrong")
    for lines in failed.values():
        print("\n".join(lines))
    return [line for lines in failed.values() for line in lines]


def _scores(
    side: str, jobs: Jobs, kind: str, explicit: Sequence[type[BaseException]], *, always: bool
) -> dict[str, Result]:
    async def run(url: str) -> dict[str, Result]:
        named = jobs(side, url)

        def job(score: Job) -> Callable[[], Any]:
            async def one() -> Any:
                value = score()
                return await value if inspect.isawaitable(value) else value

            return one

        return dict(zip(named, await gather([job(score) for score in named.values()], tuple(explicit)), strict=True))

    with FaultServer(faults=Faults(kind, always=always), keep=1) as server:
        return asyncio.run(run(server.openai_url))
