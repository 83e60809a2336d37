"""When a case may begin: near the end of a budget only as many at a time as it is likely to pay for to their ends.

Cases that are judged at the same time all ask their first questions first. A budget that ends then has paid for many
beginnings and for no score.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from magistrate.completion.budget import Budget
from magistrate.records import Usage

_CALLS = 2
"""Calls that a metric makes on a case, until one has ended: it takes the statements out, and judges them."""

_MARGIN = 3
"""A budget in dollars lets a call through at its highest possible price alone, which is several times its usual one."""


class BudgetPacing:
    """Lets cases begin."""

    def __init__(self, judge: Any, results: int = 1) -> None:
        budget = getattr(judge, "budget", None)
        self._budget = budget if isinstance(budget, Budget) else None
        self._guess = _CALLS * results
        self._begun = 0
        self._ended = 0
        self._used = Usage()
        self._changed = asyncio.Condition()

    @asynccontextmanager
    async def case(self) -> AsyncIterator[None]:
        """Wait until a case may begin; it is under way inside."""
        if self._budget is None:
            yield
            return
        async with self._changed:
            await self._changed.wait_for(lambda: self._begun < self._most())
            self._begun += 1
        try:
            yield
        finally:
            self._begun -= 1
            async with self._changed:
                self._changed.notify_all()

    def ended(self, usage: Usage) -> None:
        """Note what a case used. One that came from a cache tells nothing of the next one."""
        if usage.calls:
            self._ended += 1
            self._used += usage

    def _most(self) -> int:
        """Cases that may be under way: always one."""
        calls_left, money_left = self._budget.left if self._budget is not None else (None, None)
        most = float("inf")
        if calls_left is not None:
            most = calls_left / (self._used.calls / self._ended if self._ended else self._guess)
        if money_left is not None:
            cost = self._used.cost
            most = min(most, money_left * self._ended / (cost * _MARGIN) if cost else 1 + self._ended)
        return max(1, int(min(most, 1e9)))
