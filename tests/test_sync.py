from __future__ import annotations

import asyncio
import contextvars

import pytest

from magistrate.sync import run_sync

variable: contextvars.ContextVar[str] = contextvars.ContextVar("variable", default="unset")


async def double(number: int) -> int:
    await asyncio.sleep(0)
    return 2 * number


async def read() -> str:
    return variable.get()


async def fail() -> None:
    raise KeyError("missing")


class TestRunSync:
    def test_runs_without_a_loop(self) -> None:
        assert run_sync(double(3)) == 6

    async def test_runs_inside_a_running_loop(self) -> None:
        assert run_sync(double(3)) == 6

    async def test_errors_come_through_inside_a_running_loop(self) -> None:
        with pytest.raises(KeyError, match="missing"):
            run_sync(fail())

    async def test_context_variables_are_seen_inside_a_running_loop(self) -> None:
        token = variable.set("set")
        try:
            assert run_sync(read()) == "set"
        finally:
            variable.reset(token)
