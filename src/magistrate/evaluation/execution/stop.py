"""How far a run is, and what ends it early."""

import asyncio
import contextlib
import time
from dataclasses import dataclass, field

from magistrate.errors import BudgetExceededError, JudgeDownError, MagistrateError, PendingError
from magistrate.evaluation.runs.results import CaseResult
from magistrate.evaluation.runs.store import RunState
from magistrate.records import Usage

GRACE_SECONDS = 0.8
"""How long cases that were begun may go on after an interrupt; then their calls are given up, paid or not. Those that
were not begun are listed for half as long after that: a run ends within two seconds, on a busy machine too."""

_STATES: dict[type[MagistrateError], RunState] = {BudgetExceededError: "over_budget", JudgeDownError: "judge_down"}


@dataclass(slots=True)
class Progress:
    """How far a run is.

    Attributes:
        total: Rows to expect; None where unknown.
        done: Rows with a result, those of an earlier invocation included.
        resumed: Rows that an earlier invocation finished.
        scored: Results with a score in this invocation.
        usage: What the results of this invocation cost, calls that an earlier one paid for without a result included.
        started: `time.monotonic()` at the start.
    """

    total: int | None = None
    done: int = 0
    resumed: int = 0
    scored: int = 0
    usage: Usage = field(default_factory=Usage)
    started: float = field(default_factory=time.monotonic)

    @property
    def rate(self) -> float:
        """Cases a second in this invocation."""
        elapsed = time.monotonic() - self.started
        return (self.done - self.resumed) / elapsed if elapsed > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Estimated seconds to the end; None where the total is unknown or nothing is done yet."""
        if self.total is None or not self.rate:
            return None
        return max(0.0, (self.total - self.done) / self.rate)

    def count(self, result: CaseResult) -> None:
        """Count one more result."""
        self.done += 1
        for metric in result.metrics.values():
            self.scored += metric.score is not None
            self.usage += metric.usage


class Stop:
    """Asks a run to end before its dataset does. The first request counts."""

    def __init__(self) -> None:
        self.requested = False
        self.reason = ""
        self.error: MagistrateError | None = None
        self.interrupted = False
        self.gave_up = False
        self.drain = True
        self.pending = False
        self.running: list[asyncio.Future[None]] = []

    @property
    def state(self) -> RunState:
        """How the run ends."""
        if not self.requested:
            return "pending" if self.pending else "complete"
        if self.interrupted:
            return "interrupted"
        return next((state for kind, state in _STATES.items() if isinstance(self.error, kind)), "failed")

    def interrupt(self, reason: str = "interrupted") -> None:
        """Begin no further case. A second call gives up on those that were begun, and on listing the rest."""
        if self.interrupted:
            self.drain = False
            self.cancel_running()
            return
        self.interrupted = True
        self._request(reason)
        with contextlib.suppress(RuntimeError):  # no loop is running: nothing has been begun
            loop = asyncio.get_running_loop()
            loop.call_later(GRACE_SECONDS, self.cancel_running)
            loop.call_later(1.5 * GRACE_SECONDS, setattr, self, "drain", False)

    def check(self) -> None:
        """Raise what made the run fail."""
        if self.error is not None and self.state == "failed":
            raise self.error

    def fail(self, error: MagistrateError) -> None:
        """End: the budget is spent, the provider is down, or every further case would fail alike, which counts most."""
        if isinstance(error, PendingError):
            self.pending = True
            return
        is_mild = isinstance(error, tuple(_STATES))
        self._request(error.message if is_mild else str(error))
        if self.error is None or (isinstance(self.error, tuple(_STATES)) and not is_mild):
            self.error = error

    def _request(self, reason: str) -> None:
        if not self.requested:
            self.requested = True
            self.reason = reason

    def cancel_running(self) -> None:
        """Cancel the cases that were begun."""
        self.gave_up = True
        for worker in self.running:
            worker.cancel()
