"""Coroutines from code that is not async."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading

import pytest

from magistrate.judges.sync import run_sync


async def where() -> tuple[int, int]:
    await asyncio.sleep(0)
    return threading.get_ident(), id(asyncio.get_running_loop())


def test_runs_outside_of_a_loop() -> None:
    assert run_sync(where())[0] != threading.get_ident()


async def test_runs_inside_a_running_loop() -> None:
    thread, loop = run_sync(where())
    assert thread != threading.get_ident()
    assert loop != id(asyncio.get_running_loop())


def test_all_run_on_one_loop() -> None:
    assert run_sync(where()) == run_sync(where())


def test_an_error_comes_out_as_it_is() -> None:
    async def fail() -> None:
        raise LookupError("nothing there")

    with pytest.raises(LookupError, match="nothing there"):
        run_sync(fail())


def test_an_interrupt_cancels_what_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    cancelled = threading.Event()

    async def wait() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.set()
            raise

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(concurrent.futures.Future, "result", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_sync(wait())
    assert cancelled.wait(5)
