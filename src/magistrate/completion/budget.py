"""A hard limit on calls and on money, checked before each call."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass

from magistrate.completion.base import WrappedClient
from magistrate.errors import BudgetExceededError, ConfigurationError, JudgeError
from magistrate.records import Completion, CompletionRequest

_POLL = 0.05


class Budget:
    """What a run may spend. One budget may be shared by several judges, event loops and threads.

    A call is let through only if it fits even at its highest possible price. While calls in flight hold back what they
    may still cost, a call that fits without them waits for them.

    Args:
        max_cost: US dollars; None for no limit.
        max_calls: Calls, each attempt counted; None for no limit.

    Raises:
        ConfigurationError: If a limit is negative.
    """

    def __init__(self, *, max_cost: float | None = None, max_calls: int | None = None) -> None:
        if (max_cost is not None and not max_cost >= 0) or (max_calls is not None and max_calls < 0):
            raise ConfigurationError("a budget is 0 or more US dollars, and 0 or more calls")
        self.max_cost = max_cost
        self.max_calls = max_calls
        self._lock = threading.Lock()
        self.spent = 0.0
        """US dollars spent so far."""
        self.calls = 0
        """Calls made so far."""
        self._held = 0.0

    @property
    def left(self) -> tuple[int | None, float | None]:
        """Calls and US dollars that are left, calls in flight as if they cost nothing; None where there is no limit."""
        calls = None if self.max_calls is None else max(0, self.max_calls - self.calls)
        return calls, None if self.max_cost is None else max(0.0, self.max_cost - self.spent)

    def check_price(self, *, known: bool) -> None:
        """Refuse a budget in dollars for a model whose price is unknown."""
        if self.max_cost is not None and not known:
            raise ConfigurationError(
                "a budget in dollars needs the model's price, and it is unknown: give prices, or limit the calls"
            )

    async def hold(self, worst: float | None) -> float:
        """Set aside what a call may cost at most, and count the call; return what is set aside, for `settle`."""
        self.check_price(known=worst is not None)
        while not self._try_hold(worst or 0.0):  # noqa: ASYNC110 - several event loops may share the budget
            await asyncio.sleep(_POLL)
        return worst or 0.0

    def _try_hold(self, worst: float) -> bool:
        with self._lock:
            if self.max_calls is not None and self.calls >= self.max_calls:
                raise BudgetExceededError(f"the limit of {self.max_calls} calls is reached")
            if self.max_cost is not None:
                if self.spent + worst > self.max_cost:
                    raise BudgetExceededError(
                        f"the next call may cost ${worst:.6f}; ${self.spent:.6f} of ${self.max_cost:.6f} is spent"
                    )
                if self.spent + self._held + worst > self.max_cost:
                    return False
            self._held += worst
            self.calls += 1
            return True

    def settle(self, held: float, cost: float | None) -> None:
        """Book what a call cost; None books what was set aside for it."""
        with self._lock:
            self._held -= held
            self.spent += held if cost is None else cost


@dataclass(eq=False)
class BudgetedClient(WrappedClient):
    """Lets a call through only if the budget does."""

    budget: Budget
    worst_cost: Callable[[CompletionRequest], float | None]

    async def complete(self, request: CompletionRequest) -> Completion:
        """Make one call, if the budget allows."""
        held = await self.budget.hold(self.worst_cost(request))
        cost: float | None = None
        try:
            completion = await self.inner.complete(request)
            cost = completion.usage.cost
        except JudgeError as error:
            cost = None if error.billable else 0.0  # one that may be charged for is booked at its highest price
            raise
        finally:
            self.budget.settle(held, cost)
        return completion
