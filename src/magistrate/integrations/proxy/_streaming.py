"""Text that streams while the judge is asked for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from typing import Any

from magistrate.openai_protocol import event


class Pieces:
    """The text of a reply as it comes: `hear` may be called from any thread."""

    def __init__(self, ask: Callable[[Callable[[str], None]], Awaitable[Any]]) -> None:
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()
        self.asking = asyncio.ensure_future(ask(self._hear))
        self.asking.add_done_callback(lambda _: self._queue.put_nowait(None))

    def _hear(self, piece: str) -> None:
        self._loop.call_soon_threadsafe(self._queue.put_nowait, piece)

    async def next(self) -> str | None:
        """The next piece; None once the reply is there, or there will be none."""
        return await self._queue.get()


async def live(
    head: Mapping[str, Any], first: str, pieces: Pieces, ending: Callable[[asyncio.Future[Any]], bytes]
) -> AsyncGenerator[bytes, None]:
    """Write pieces as they come."""
    try:
        yield event(head, {"role": "assistant", "content": ""})
        piece: str | None = first
        while piece is not None:
            yield event(head, {"content": piece})
            piece = await pieces.next()
        await asyncio.wait([pieces.asking])
        yield ending(pieces.asking)
    finally:
        pieces.asking.cancel()  # where nobody reads on, the call ends too
