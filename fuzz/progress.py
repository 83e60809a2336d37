"""What a fuzzer's log says: executions and edges covered over time."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Progress", "read_progress"]

_EVENT = re.compile(r"^#(?P<runs>\d+)\s+\w+\s+cov: (?P<edges>\d+) .*?exec/s: (?P<rate>\d+)", re.MULTILINE)
_DONE = re.compile(r"^Done (?P<runs>\d+) runs in (?P<seconds>\d+) second", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Progress:
    """A run.

    Args:
        executions: Inputs run.
        seconds: How long it took.
        edges: Edges covered at the end.
        late: Edges that were first covered in the last third of the executions.
        curve: Executions and edges, as the log has them.
    """

    executions: int
    seconds: float
    edges: int
    late: int
    curve: tuple[tuple[int, int], ...] = ()

    @property
    def rate(self) -> float:
        """Executions a second."""
        return self.executions / max(self.seconds, 1.0)


def read_progress(log: Path) -> Progress:
    """Read a log. Where a run was ended and started again, executions and seconds add up."""
    text = log.read_text(encoding="utf-8", errors="replace")
    curve: list[tuple[int, int]] = []
    before = last = 0
    for match in _EVENT.finditer(text):
        runs, edges = int(match["runs"]), int(match["edges"])
        if runs < last:
            before += last
        last = runs
        curve.append((before + runs, max(edges, curve[-1][1] if curve else 0)))
    executions = before + last
    done = list(_DONE.finditer(text))
    seconds = sum(float(match["seconds"]) for match in done)
    if done:
        executions = max(executions, before + int(done[-1]["runs"]))
    edges = curve[-1][1] if curve else 0
    early = max((covered for runs, covered in curve if runs <= executions * 2 / 3), default=0)
    return Progress(executions, seconds, edges, edges - early, tuple(curve))
