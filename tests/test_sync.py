"""Coroutines from code that is not async: on one lasting loop, which is closed with the process."""

import asyncio
import concurrent.futures
import contextvars
import os
import sys
import threading

import pytest
from tests.running import ran

from magistrate.sync import run_sync

variable: contextvars.ContextVar[str] = contextvars.ContextVar("variable", default="unset")


async def where():
    await asyncio.sleep(0)
    return threading.get_ident(), id(asyncio.get_running_loop())


async def read():
    return variable.get()


class TestRunSync:
    def test_it_runs_where_no_loop_is_running(self):
        assert run_sync(where())[0] != threading.get_ident()

    async def test_it_runs_inside_a_running_loop_on_another_one(self):
        thread, loop = run_sync(where())
        assert thread != threading.get_ident()
        assert loop != id(asyncio.get_running_loop())

    def test_all_run_on_one_loop(self):
        assert run_sync(where()) == run_sync(where())

    def test_several_threads_share_it(self):
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda _: run_sync(where()), range(8)))
        assert len(set(found)) == 1

    def test_it_runs_inside_a_coroutine_that_it_runs_itself(self):
        async def outer():
            return run_sync(where())

        async def outermost():
            return run_sync(outer())

        assert len({run_sync(where()), run_sync(outer()), run_sync(outermost())}) == 3

    def test_an_error_comes_out_as_it_is(self):
        async def fail():
            raise LookupError("nothing there")

        with pytest.raises(LookupError, match="nothing there"):
            run_sync(fail())

    def test_the_callers_context_variables_are_seen(self):
        token = variable.set("set")
        try:
            assert run_sync(read()) == "set"
        finally:
            variable.reset(token)
        assert run_sync(read()) == "unset"

    def test_an_interrupt_cancels_what_runs_and_waits_for_its_end(self, monkeypatch):
        begun = threading.Event()
        tidied: list[bool] = []

        async def work():
            begun.set()
            try:
                await asyncio.sleep(60)
            finally:
                await asyncio.sleep(0.05)
                tidied.append(True)

        def interrupted(*_):
            assert begun.wait(5)
            raise KeyboardInterrupt

        monkeypatch.setattr(concurrent.futures.Future, "result", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run_sync(work())
        assert tidied == [True]


def run(code):
    """What a program prints, on both streams, with everything on that Python can warn of."""
    done = ran(sys.executable, "-W", "error", "-X", "dev", "-c", code)
    return done.stdout + done.stderr


@pytest.mark.slow
class TestTheEndOfTheProcess:
    def test_what_still_runs_is_ended_and_what_is_kept_per_loop_is_closed_on_it(self):
        printed = run("""
import asyncio
from magistrate.sync import run_sync

kept = []

async def connection():
    loop = asyncio.get_running_loop()
    try:
        yield
    finally:
        print("closed on its loop:", asyncio.get_running_loop() is loop)

async def work():
    kept.append(connection())
    await anext(kept[0])
    kept.append(asyncio.ensure_future(forever()))
    await asyncio.sleep(0)

async def forever():
    try:
        await asyncio.sleep(3600)
    finally:
        print("ended")

run_sync(work())
""")
        assert printed.splitlines() == ["ended", "closed on its loop: True"]

    def test_a_program_that_never_ran_anything_ends_as_quietly(self):
        assert run("import magistrate.sync") == ""

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
    def test_a_forked_process_gets_a_loop_of_its_own(self):
        printed = run("""
import os, sys, warnings
from magistrate.sync import run_sync

async def pid():
    return os.getpid()

run_sync(pid())
warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 warns of a fork beside threads: that is the case here
child = os.fork()
if child == 0:
    print(run_sync(pid()) == os.getpid(), flush=True)
    sys.exit()
os.waitpid(child, 0)
print(run_sync(pid()) == os.getpid())
""")
        assert printed.splitlines() == ["True", "True"]
