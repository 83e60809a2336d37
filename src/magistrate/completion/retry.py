"""One retry layer for all calls. The only module that knows tenacity.

The libraries below are told not to retry: stacked layers multiply (a permanent 429 cost nine requests where three were
asked for), and theirs retry what no retry can mend.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from magistrate.completion.base import MODELS_MISSING, WrappedClient
from magistrate.errors import (
    ConfigurationError,
    JudgeConnectionError,
    JudgeError,
    JudgeRateLimitError,
    MissingExtraError,
)
from magistrate.records import Completion, CompletionRequest

try:
    import tenacity as _t
except ImportError:
    _t = None  # type: ignore[assignment]


_PASSED_BY = 0.25
"""What a call counts that is turned away while others are let through: its turn will come."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and how patiently a failed call is made again.

    Args:
        attempts: Calls at most that fail, the first included; at least 1.
        limited_attempts: Calls at most that the provider turns away for their rate (429), and those whose connection
            broke: they end at once, and say nothing about the request. One that is turned away counts a quarter
            where another was let through within the patience. At least 1.
        base: Seconds; the n-th wait is drawn evenly between 0 and base * 2**(n - 1) ("full jitter"), so that calls that
            failed together do not come back together.
        longest: Most seconds of such a wait.
        patience: Most seconds that a provider's Retry-After is followed; a longer one ends the attempts at once.
        sleep: What waits. A test gives its own.
        rng: What draws. A test gives a seeded one.

    Raises:
        ConfigurationError: If a value is out of range.
    """

    attempts: int = 6
    limited_attempts: int = 10
    base: float = 1.0
    longest: float = 30.0
    patience: float = 120.0
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    rng: random.Random = field(default_factory=random.Random)

    def __post_init__(self) -> None:
        if _t is None:
            raise MissingExtraError.needed(MODELS_MISSING, "models")
        if min(self.attempts, self.limited_attempts) < 1 or min(self.base, self.longest, self.patience) < 0:
            raise ConfigurationError("a retry policy needs at least 1 attempt, and no negative seconds")

    def wait(self, error: BaseException | None, attempt: int) -> float:
        """Return the seconds to wait after an attempt (1 for the first) that failed with this error."""
        asked = error.retry_after if isinstance(error, JudgeError) else None
        # How many calls are made while the provider limits their rate, and when all wait, `Traffic` sees to.
        rounds = min(attempt - 1, 1) if isinstance(error, JudgeRateLimitError) else attempt - 1
        jitter = self.rng.uniform(0.0, min(self.longest, self.base * 2.0**rounds))
        # What was asked for is the least; the jitter on top spreads what other processes were told at the same time.
        return jitter if asked is None else asked + jitter / 10

    def worth_it(self, error: BaseException) -> bool:
        """Whether the same call may succeed later, and soon enough."""
        return (
            isinstance(error, JudgeError)
            and error.retryable
            and (error.retry_after is None or error.retry_after <= self.patience)
        )


@dataclass(eq=False)
class RetryingClient(WrappedClient):
    """Makes the calls of another client again where that can help."""

    policy: RetryPolicy = field(default_factory=RetryPolicy)

    async def complete(self, request: CompletionRequest) -> Completion:
        """Answer one request, in as many attempts as the policy allows."""
        policy = self.policy
        attempts = away = 0
        limited = 0.0

        def stop(state: _t.RetryCallState) -> bool:
            nonlocal away, limited
            error = state.outcome.exception() if state.outcome else None
            if isinstance(error, JudgeRateLimitError | JudgeConnectionError):
                away += 1
                limited += _PASSED_BY if getattr(error, "others_pass", False) else 1.0
            return limited >= policy.limited_attempts or state.attempt_number - away >= policy.attempts

        retrying = _t.AsyncRetrying(
            stop=stop,
            retry=_t.retry_if_exception(policy.worth_it),
            wait=lambda state: policy.wait(state.outcome.exception() if state.outcome else None, state.attempt_number),
            sleep=policy.sleep,
            reraise=True,
        )
        try:
            async for attempt in retrying:
                with attempt:
                    attempts += 1
                    completion = await self.inner.complete(request)
        except JudgeError as error:
            raise error.after(attempts) from None
        return completion if attempts == 1 else replace(completion, attempts=completion.attempts + attempts - 1)
