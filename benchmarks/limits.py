"""How long 400 calls take where the provider limits their rate: this package beside the openai client.

Run: python benchmarks/limits.py

A local server answers after 50 ms. It refuses every 5th, 20th or 100th call (429, `Retry-After: 1`), or whatever a
bucket of tokens does not let through (20 a second, 10 at once). 64 calls are made at a time. Fails where this package
takes more than 1.5 times as long as the openai client with every n-th call refused, or more than 1.1 times as long as
the bucket needs, or where a call is given up.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import sys
import time
from collections.abc import Callable, Coroutine
from typing import Any

from aiohttp import web
from openai import AsyncOpenAI, OpenAIError

from magistrate.judges.llm import LLMJudge
from magistrate.verdict import Status

CALLS, AT_ONCE = 400, 64
LATENCY, RATE, SIZE = 0.05, 20.0, 10.0
EVERY = (5, 20, 100)
MOST_BESIDE, MOST_OF_FLOOR = 1.5, 1.1
FLOOR = (CALLS - SIZE) / RATE
REPLY = {
    "id": "1",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "fine"}}],
    "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
}


class Provider:
    """Counts the calls to each path: /every-5/..., /bucket/..."""

    def __init__(self) -> None:
        self.calls: dict[str, int] = {}
        self.left, self.last = SIZE, time.monotonic()

    def refuses(self, path: str) -> bool:
        """Whether the next call to a path is refused."""
        self.calls[path] = self.calls.get(path, 0) + 1
        if not path.startswith("bucket"):
            return self.calls[path] % int(path.split("-")[1]) == 0
        now = time.monotonic()
        self.left, self.last = min(SIZE, self.left + (now - self.last) * RATE), now
        if self.left < 1:
            return True
        self.left -= 1
        return False

    async def answer(self, request: web.Request) -> web.Response:
        """Answer a call, or refuse it."""
        if self.refuses(request.path.split("/")[1]):
            error = {"error": {"message": "Rate limit reached", "type": "rate_limit"}}
            return web.json_response(error, status=429, headers={"Retry-After": "1"})
        await asyncio.sleep(LATENCY)
        return web.json_response(REPLY)


def serve(ready: Any) -> None:
    """Serve in a process of its own, and send the port."""

    async def run() -> None:
        app = web.Application()
        app.router.add_post("/{path:.*}", Provider().answer)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0, backlog=1024).start()
        ready.send(runner.addresses[0][1])
        await asyncio.Event().wait()

    asyncio.run(run())


async def timed(call: Callable[[], Coroutine[Any, Any, bool]]) -> tuple[float, int]:
    """Make all calls; return the seconds they took, and how many were given up."""
    slots = asyncio.Semaphore(AT_ONCE)

    async def one() -> bool:
        async with slots:
            return await call()

    started = time.perf_counter()
    answered = await asyncio.gather(*(one() for _ in range(CALLS)))
    return time.perf_counter() - started, CALLS - sum(answered)


async def ours(address: str) -> tuple[float, int]:
    """The calls of this package."""
    async with LLMJudge("openai/m", api_base=address, api_key="none") as judge:

        async def call() -> bool:
            return (await judge.text("Say fine.")).status is Status.SCORED

        return await timed(call)


async def theirs(address: str) -> tuple[float, int]:
    """The calls of the openai client, each as often as it takes."""
    async with AsyncOpenAI(base_url=address, api_key="none", max_retries=20) as client:

        async def call() -> bool:
            try:
                await client.chat.completions.create(model="m", messages=[{"role": "user", "content": "Say fine."}])
            except OpenAIError:
                return False
            return True

        return await timed(call)


async def main() -> int:
    """Measure, print, and say whether the goals are met."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(sender,), daemon=True)
    server.start()
    base = f"http://127.0.0.1:{receiver.recv()}"
    missed = 0
    try:
        await ours(f"{base}/every-1000000/v1")  # the libraries load
        for nth in EVERY:
            other, other_lost = await theirs(f"{base}/every-{nth}-theirs/v1")
            took, lost = await ours(f"{base}/every-{nth}-ours/v1")
            ok = took <= MOST_BESIDE * other and not lost
            missed += not ok
            print(
                f"every {nth:3}. call refused: {took:5.1f} s, {lost} given up; the openai client {other:5.1f} s, "
                f"{other_lost} given up: {took / other:.2f} x{'' if ok else '  MISSED'}"
            )
        took, lost = await ours(f"{base}/bucket/v1")
        ok = took <= MOST_OF_FLOOR * FLOOR and not lost
        missed += not ok
        print(
            f"bucket of {RATE:g}/s:           {took:5.1f} s, {lost} given up; the least is {FLOOR:.1f} s: "
            f"{took / FLOOR:.2f} x{'' if ok else '  MISSED'}"
        )
    finally:
        server.terminate()
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
