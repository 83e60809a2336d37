"""A model file of one's own (GGUF), served inside this process and called like any other model.

Needs `magistrate[local]`: xllamacpp, which holds llama.cpp's own server. It listens on 127.0.0.1, and enforces JSON
schemas by a grammar.
"""

import asyncio
import importlib
import os
import threading
import weakref
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from magistrate.completion.base import WrappedClient
from magistrate.errors import ConfigurationError, MissingExtraError
from magistrate.records import Completion, CompletionRequest

THREADS_VARIABLE = "MAGISTRATE_LOCAL_THREADS"
CONTEXT_VARIABLE = "MAGISTRATE_LOCAL_CONTEXT"
_CONTEXT = 8192


@dataclass(slots=True)
class LocalServer:
    """A served model file."""

    path: Path
    model: str
    api_base: str
    handle: Any
    users: int = 0

    @property
    def identity(self) -> str:
        """What a cache knows the file by: its place, size and time, as the address changes with each start."""
        facts = self.path.stat()
        return f"local:{self.path}:{facts.st_size}:{facts.st_mtime_ns}"


_SERVERS: dict[Path, LocalServer] = {}
_LOCK = threading.Lock()


def start_local(name: str) -> LocalServer:
    """Serve a model file (with MAGISTRATE_LOCAL_THREADS, _CONTEXT), or return the server that does already."""
    path = Path(name).expanduser().resolve()
    if not path.is_file():
        raise ConfigurationError(f"there is no model file {path}: local:PATH takes the path of a GGUF file")
    with _LOCK:
        if path not in _SERVERS:
            try:
                xllamacpp = importlib.import_module("xllamacpp")
            except ImportError:
                raise MissingExtraError.needed("local:PATH serves a model with xllamacpp", "local") from None
            params = xllamacpp.CommonParams()
            params.model.path = str(path)
            params.n_ctx = _number(CONTEXT_VARIABLE, _CONTEXT)
            params.n_parallel = 1
            threads = _number(THREADS_VARIABLE, max(1, (os.cpu_count() or 2) // 2))
            params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
            params.hostnames = ["127.0.0.1"]
            params.port = 0
            params.warmup = params.ui = False
            params.verbosity = -1
            try:
                handle = xllamacpp.Server(params)
            except RuntimeError as error:
                raise ConfigurationError(f"the model file {path} cannot be loaded: {error}") from None
            _SERVERS[path] = LocalServer(path, path.stem, f"{handle.listening_address}/v1", handle)
        server = _SERVERS[path]
        server.users += 1
        return server


def _number(variable: str, default: int) -> int:
    text = os.environ.get(variable, "")
    if not text:
        return default
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise ConfigurationError(f"{variable} is {text!r}, and must be a whole number from 1")
    return int(text)


@dataclass(eq=False)
class LocalClient(WrappedClient):
    """Calls a served model file, one call at a time: a call that waits for its turn is not yet timed."""

    server: LocalServer | None
    _turns: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = field(
        default_factory=weakref.WeakKeyDictionary, init=False
    )

    async def complete(self, request: CompletionRequest) -> Completion:
        """Answer one request when its turn comes."""
        async with self._turns.setdefault(asyncio.get_running_loop(), asyncio.Lock()):
            return await self.inner.complete(request)

    async def close(self) -> None:
        """Close the inner client, and stop the server if nobody else uses it."""
        await super().close()
        server, self.server = self.server, None
        if server is not None:
            with _LOCK:
                server.users -= 1
                if server.users <= 0 and _SERVERS.pop(server.path, None) is not None:
                    server.handle = None
