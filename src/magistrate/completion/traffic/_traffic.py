"""All calls to one provider, as one stream: how many at a time, how many a minute, when to wait, when to stop.

Whoever wants to call waits in a line of its metric, and the lines are served in turn, so that a metric with many calls
does not keep another one waiting. What one call learns (the provider asks to wait, it does not answer) holds for all.
"""

import asyncio
import math
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from typing import Final

from magistrate.completion.base import WrappedClient
from magistrate.completion.tokens import likely_tokens
from magistrate.completion.traffic._limits import AdaptiveLimit, AdaptiveRate, Circuit, Pace
from magistrate.errors import (
    JudgeConnectionError,
    JudgeDownError,
    JudgeError,
    JudgeRateLimitError,
    JudgeServerError,
    JudgeTimeoutError,
)
from magistrate.log import current_metric, get_logger
from magistrate.records import Completion, CompletionRequest
from magistrate.redact import redact_text

_DOWN: Final = (JudgeConnectionError, JudgeTimeoutError, JudgeServerError)
"""How calls fail to a provider that is down."""
_OVERLOADED: Final = frozenset({503, 529})
"""Statuses besides 429 that say that there are too many calls."""
_LONG_WAIT: Final = 5.0
"""Seconds from which on a wait that the provider asks for is no matter of one call: its quota is used up."""
_ANSWERED: Final = 0.5
"""The part of the reply's limit that a reply is taken to use, until it is there."""

_log = get_logger("magistrate.traffic")


@dataclass(frozen=True, slots=True)
class Ticket:
    began: float
    epoch: int
    trying: bool
    tokens: float


@dataclass(slots=True, eq=False)
class _Waiter:
    future: asyncio.Future[Ticket]
    tokens: float
    line: str


class _Lines(dict[str, deque[_Waiter]]):
    """Who waits, in a line per metric; the lines take turns. None is empty."""

    def first(self) -> _Waiter:
        return next(iter(self.values()))[0]

    def take(self) -> _Waiter:
        """Take the first one out, and put its line behind the others."""
        waiter = self.first()
        line = self.pop(waiter.line)
        line.popleft()
        if line:
            self[waiter.line] = line
        return waiter

    def remove(self, waiter: _Waiter) -> None:
        line = self.get(waiter.line)
        if line and waiter in line:
            line.remove(waiter)
            if not line:
                del self[waiter.line]


class Traffic:
    """Lets calls to one provider through. Event loops and threads may share it."""

    def __init__(
        self,
        provider: str,
        *,
        most: int = 500,
        rpm: float | Pace | None = None,
        tpm: float | Pace | None = None,
        patience: float = 120.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.provider = provider
        self.circuit = Circuit(patience=patience)
        self.limit = AdaptiveLimit(most=most)
        self.rate = AdaptiveRate()
        self._calls = Pace(rpm) if isinstance(rpm, int | float) else rpm
        self._tokens = Pace(tpm) if isinstance(tpm, int | float) else tpm
        self._patience = patience
        self._clock = clock
        self._lock = threading.Lock()
        self._lines = _Lines()
        self.counts_tokens = tpm is not None
        self.under_way = 0
        self._quiet_until = -math.inf
        self._timer: asyncio.TimerHandle | None = None

    async def enter(self, *, line: str = "", tokens: float = 0.0) -> Ticket:
        """Wait until a call may be made."""
        with self._lock:
            now = self._clock()
            if self.circuit.refuses(now):
                raise self._down()
            if not self._lines and self._ready_at(now) <= now and self.limit.allows(self.under_way):
                return self._begin(now, tokens)
            waiter = _Waiter(asyncio.get_running_loop().create_future(), tokens, line)
            self._lines.setdefault(line, deque()).append(waiter)
        self._serve()
        try:
            return await waiter.future
        except asyncio.CancelledError:
            with self._lock:
                self._lines.remove(waiter)
            if waiter.future.done() and not waiter.future.cancelled() and waiter.future.exception() is None:
                self.leave(waiter.future.result())
            else:
                self._serve()
            raise

    def leave(self, ticket: Ticket, outcome: Completion | JudgeError | None = None) -> None:
        """Note how a call ended; None where it ended without a word about the provider."""
        with self._lock:
            now = self._clock()
            self._learn(now, ticket, outcome)
            self.under_way -= 1
        self._serve()

    def _learn(self, now: float, ticket: Ticket, outcome: Completion | JudgeError | None) -> None:
        if outcome is None:
            self.circuit.give_up(trying=ticket.trying)
            return
        if isinstance(outcome, Completion):
            self.circuit.succeed()
            self.limit.succeed(self.under_way)
            self.rate.succeed(now)
            used = (outcome.usage.prompt_tokens, outcome.usage.completion_tokens)
            if self._tokens is not None and used[0] is not None and used[1] is not None:
                self._tokens.correct(used[0] + used[1] - ticket.tokens)
            return
        lost = isinstance(outcome, JudgeConnectionError)
        failed = lost or (isinstance(outcome, _DOWN) and outcome.retryable)
        if lost and not outcome.retryable and not self.circuit.answered:
            self.circuit.trip(now, outcome.message)  # a wrong address: its certificate is not trusted, it redirects
        elif failed:
            suspected = self.circuit.suspects
            why, absent = f"{type(outcome).__name__}: {outcome.message}", getattr(outcome, "absent", False)
            self.circuit.fail(now, ticket.began, why, trying=ticket.trying, absent=absent)
            if self.circuit.suspects and not suspected:
                _log.warning("provider.suspected", provider=self.provider, error=type(outcome).__name__)
        else:
            self.circuit.succeed()
        if isinstance(outcome, JudgeRateLimitError):
            self._turned_away(now, ticket, outcome)
        elif failed and (outcome.provider_status in _OVERLOADED or isinstance(outcome, JudgeTimeoutError)):
            self.limit.turned_away(ticket.epoch, self.under_way)
        if self._tokens is not None and not outcome.billable:
            self._tokens.correct(-ticket.tokens)

    def _turned_away(self, now: float, ticket: Ticket, error: JudgeRateLimitError) -> None:
        asked, refused_for = error.retry_after or 0.0, self.rate.turned_away(now, ticket.began)
        if not error.retryable or asked > self._patience or refused_for >= self._patience:
            said = (
                f"it asks to wait {asked:.6g} s"
                if asked > self._patience
                else f"no call passes for {refused_for:.0f} s"
            )
            self.circuit.trip(now, f"{said}: {error.message}" if error.retryable else error.message)
            return
        # The refused call waits on its own (`RetryPolicy`); the others go on, fewer a second.
        error.others_pass = now - self.rate.passed_at < self._patience
        if asked >= _LONG_WAIT:
            self._quiet_until = max(self._quiet_until, now + asked)
        wait = round(max(0.0, max(self._quiet_until, self.rate.ready_at) - now), 3)
        _log.info("provider.limited", provider=self.provider, wait=wait, gap=round(self.rate.gap, 3))

    def _ready_at(self, now: float) -> float:
        at = max(self._quiet_until, self.rate.ready_at, self.circuit.ready_at(now))
        for pace in (self._calls, self._tokens):
            if pace is not None:
                at = max(at, pace.ready_at())
        return at

    def _begin(self, now: float, tokens: float) -> Ticket:
        self.under_way += 1
        self.rate.begin(now)
        if self._calls is not None:
            self._calls.take(now)
        if self._tokens is not None:
            self._tokens.take(now, tokens)
        return Ticket(now, self.limit.epoch, self.circuit.begin(), tokens)

    def _down(self) -> JudgeDownError:
        return JudgeDownError(f"{self.provider} is down, or takes no further call: {self.circuit.why}")

    def _serve(self) -> None:
        """Let through whoever may go, and see to it that the others are looked at in time."""
        with self._lock:
            now = self._clock()
            if self.circuit.refuses(now):
                for waiter in chain.from_iterable(self._lines.values()):
                    self._tell(waiter, self._down())
                self._lines.clear()
                return
            while self._lines and self.limit.allows(self.under_way):
                at = self._ready_at(now)
                if at > now:
                    self._look_again(at - now)
                    return
                waiter = self._lines.take()
                if not waiter.future.done():
                    self._tell(waiter, self._begin(now, waiter.tokens))

    def _look_again(self, seconds: float) -> None:
        if math.isinf(seconds):
            return  # the call that tries the provider out is under way; its end serves the others
        loop = self._lines.first().future.get_loop()

        def set_timer() -> None:
            at = loop.time() + seconds
            if self._timer is not None and not self._timer.cancelled() and loop.time() < self._timer.when() <= at:
                return
            self._timer = loop.call_at(at, self._serve)

        self._on(loop, set_timer)

    def _tell(self, waiter: _Waiter, what: Ticket | JudgeError) -> None:
        def tell() -> None:
            if waiter.future.done():  # cancelled meanwhile
                if isinstance(what, Ticket):
                    self.leave(what)
            elif isinstance(what, Ticket):
                waiter.future.set_result(what)
            else:
                waiter.future.set_exception(what)

        if not self._on(waiter.future.get_loop(), tell) and isinstance(what, Ticket):
            self.under_way -= 1
            self.circuit.give_up(trying=what.trying)

    @staticmethod
    def _on(loop: asyncio.AbstractEventLoop, do: Callable[[], object]) -> bool:
        """Do something on a loop; say whether it is still there."""
        try:
            loop.call_soon_threadsafe(do)
        except RuntimeError:  # the loop is closed, and whoever waited there is gone
            return False
        return True


@dataclass(eq=False)
class TrafficClient(WrappedClient):
    traffic: Traffic

    async def complete(self, request: CompletionRequest) -> Completion:
        tokens = 0.0
        if self.traffic.counts_tokens:
            tokens = sum(likely_tokens(message.content) for message in request.messages)
            tokens += request.max_tokens * _ANSWERED
        ticket = await self.traffic.enter(line=current_metric.get() or request.purpose, tokens=tokens)
        outcome: Completion | JudgeError | None = None
        try:
            outcome = await self.inner.complete(request)
        except JudgeError as error:
            outcome = error
            raise
        finally:
            self.traffic.leave(ticket, outcome)
        return outcome


_KNOWN: weakref.WeakValueDictionary[tuple[object, ...], Traffic] = weakref.WeakValueDictionary()
_KNOWN_LOCK = threading.Lock()


def traffic_for(
    provider: str,
    address: str | None,
    *,
    most: int = 500,
    rpm: float | Pace | None = None,
    tpm: float | Pace | None = None,
    patience: float = 120.0,
) -> Traffic:
    """Return the traffic to a provider: the one that others use already, unless the provider counts as down there."""
    key = (provider, address, most, rpm, tpm, patience)
    with _KNOWN_LOCK:
        found = _KNOWN.get(key)
        if found is None or found.circuit.is_open:
            name = f"{provider} at {redact_text(address)}" if address else provider
            found = _KNOWN[key] = Traffic(name, most=most, rpm=rpm, tpm=tpm, patience=patience)
        return found
