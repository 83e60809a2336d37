"""The loop: the corpus first, then generated replies; each new kind of failure is shrunk to a small example."""

import contextlib
import random
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import hypothesis
from hypothesis import HealthCheck, Phase, Verbosity

from magistrate.errors import ConfigurationError
from magistrate.testing.fuzz._report import Example, FuzzReport
from magistrate.testing.fuzz._target import Question, Target, Unreadable, corpus_questions, generated, load_target
from magistrate.user_code import USER_FAULTS

TASKS: Final = ("verdicts", "score", "label")
_SLOW: Final = 1.0
_STUCK: Final = 5
"""After how many times as long a reading that computes is stopped: an endless loop, a pattern that backtracks."""
_AGAIN: Final = 2
"""How often a reply that took long by the clock is read again."""
_SHRINK_SECONDS: Final = 5.0
_ROUND: Final = 2000


def fuzz(
    target: Target | Callable[..., Any] | str,
    *,
    seconds: float = 30.0,
    count: int | None = None,
    seed: int = 0,
    task: str = "verdicts",
    labels: Mapping[str, str] | None = None,
    path: str | None = None,
    raises: Sequence[str] = (),
    slow: float = _SLOW,
    most_kinds: int = 10,
) -> FuzzReport:
    """Have a target read replies, and compare with the right readings.

    Args:
        target: A function of (reply, statements), "module:function", the name of a framework's parser, or a `Target`.
        seconds: How long at most.
        count: How many replies at most; None for no limit but the time.
        seed: Seed of the generated replies.
        task: "verdicts", "score" or "label"; for the latter two there is the corpus only.
        labels: What the target's words mean: {"yes": "supported"}.
        path: Where in its answer the verdicts stand: "items[*].verdict".
        raises: Names of the exceptions by which the target says that it cannot read a reply; any other is a crash.
        slow: Seconds from which on a reading is too slow, where it takes as long each time.
        most_kinds: How many kinds of failure of generated replies are made small; without a count they end the search.

    Raises:
        ConfigurationError: If the target cannot be found or called, or an option is out of range.
    """
    if task not in TASKS:
        raise ConfigurationError(f"task is {task!r}: use {', '.join(TASKS)}")
    if seconds <= 0 or slow <= 0 or (count is not None and count < 1):
        raise ConfigurationError("seconds, count and slow must be positive")
    if not isinstance(target, Target):
        target = load_target(target, labels=labels, path=path, raises=raises)
    target.check(task)
    started = time.monotonic()
    search = _Search(target, FuzzReport(target.name, seed), slow, started + seconds, count, most_kinds)
    search.corpus(task)
    if task == "verdicts":
        search.generate(seed)
    search.report.unknown = sorted(target.unknown)
    search.report.seconds = time.monotonic() - started
    return search.report


class _Failed(Exception):  # noqa: N818 - tells Hypothesis what to shrink
    pass


class _Stuck(BaseException):  # passes through the handlers of the target
    pass


class _Enough(BaseException):  # passes through Hypothesis, which keeps no Exception
    pass


@dataclass
class _Search:
    target: Target
    report: FuzzReport
    slow: float
    until: float
    left: int | None
    to_shrink: int
    known: set[str] = field(default_factory=set)
    shrinking: str | None = None
    shrink_until: float = 0.0

    @property
    def over(self) -> bool:
        return time.monotonic() >= self.until or (self.left is not None and self.left <= 0)

    def corpus(self, task: str) -> None:
        knows_ends = self.target.accepts("finish_reason")
        for question in corpus_questions(task):
            if self.over:
                break
            if knows_ends or question.finish_reason in {None, "stop"}:
                self._try(question, f"corpus: {question.kind}")

    def generate(self, seed: int) -> None:
        questions = generated(ends=self.target.accepts("finish_reason"))
        rounds = random.Random(seed)  # noqa: S311 - examples, not secrets
        while not self.over and (self.to_shrink > 0 or self.left is not None):
            self._round(questions, rounds.getrandbits(64))

    def _round(self, questions: Any, seed: int) -> None:
        @hypothesis.seed(seed)
        @hypothesis.settings(
            max_examples=_ROUND,
            database=None,
            deadline=None,
            phases=(Phase.generate, Phase.shrink),
            verbosity=Verbosity.quiet,
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
            print_blob=False,
        )
        @hypothesis.given(questions)
        def look(question: Question) -> None:
            if self.shrinking is None and self.over:
                raise _Enough
            if self.shrinking is not None and time.monotonic() >= self.shrink_until:
                raise _Enough
            kind = question.kind.partition(",")[0]
            failure = self._try(question, kind, quiet=self.shrinking is not None)
            if failure is not None and (
                self.shrinking == failure or (not self.shrinking and failure not in self.known and self.to_shrink > 0)
            ):
                if self.shrinking is None:
                    self.shrinking = failure
                    self.shrink_until = min(time.monotonic() + _SHRINK_SECONDS, self.until + _SHRINK_SECONDS)
                raise _Failed

        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", hypothesis.errors.HypothesisWarning)
                look()
        except (_Failed, _Enough, hypothesis.errors.Flaky):
            pass
        if self.shrinking is not None:
            self.known.add(self.shrinking)
            self.to_shrink, self.shrinking = self.to_shrink - 1, None

    def _try(self, question: Question, kind: str, *, quiet: bool = False) -> str | None:
        """Have one reply read; return the kind of its failure."""
        if self.left is not None and not quiet:
            self.left -= 1
        started = time.perf_counter()
        read: tuple[Any, ...] | None = None
        outcome, error = "crash", None
        try:
            with _limited(self.slow * _STUCK):
                read = self.target.read(question)
        except Unreadable as unreadable:
            error = str(unreadable)
        except _Stuck:
            outcome, error = "slow", f"no answer after {self.slow * _STUCK:g} s of CPU time"
        except USER_FAULTS as raised:
            error = f"{type(raised).__name__}: {raised}"[:300]
        else:
            outcome = question.outcome(read)
        late = time.perf_counter() - started > self.slow  # so is a first reading, for which a parser gets ready
        if outcome in {"right", "withheld"} and late and self._waits(question):
            outcome = "slow"
        if not quiet:
            self.report.note(kind, outcome)
            self.report.answered |= read is not None and any(word is not None for word in read)
        if outcome in {"right", "withheld"}:
            return None
        failure = f"{outcome}: {kind}"
        about = (question.kind, question.reply, question.statements, question.scale, question.expect)
        told = {"case": question.case, "asked": question.asked, "why": question.why}
        self.report.keep(Example(failure, outcome, *about, read, error, **told))
        return failure

    def _waits(self, question: Question) -> bool:
        """Whether a reply takes long each time, computing or not: other programs, and a first use, do not do that."""
        for _ in range(_AGAIN):
            started = time.perf_counter()
            with contextlib.suppress(*USER_FAULTS):  # that it raised nothing the first time is what counts
                self.target.read(question)
            if time.perf_counter() - started <= self.slow:
                return False
        return True


@contextlib.contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Raise `_Stuck` after so much CPU time, where signals can do that: in the main thread, not on Windows."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(*_: object) -> None:
        raise _Stuck

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
