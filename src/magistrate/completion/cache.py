"""Raw completions by content: what was paid for once is never paid for again.

The key covers what decides the answer and nothing else: the messages (request token masked), the model, its address,
the parameters, the schema and the number of the repetition. It does not cover how the schema was enforced, so a
completion outlives a change of mode.

Beside a completion stands which run paid for it and how much (`payments`).
"""

import asyncio
import contextlib
import hashlib
import json
import os
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter

from magistrate.completion.base import Shared, WrappedClient
from magistrate.completion.cost_ledger import PAYMENTS, Payer, Payment, current_payer
from magistrate.errors import JudgeError, StoreError
from magistrate.prompts import message_digest, swap_token
from magistrate.records import Completion, CompletionRequest, Usage

R = TypeVar("R")

_SCHEMA = """
CREATE TABLE IF NOT EXISTS completions (
    key TEXT PRIMARY KEY, model TEXT NOT NULL, created REAL NOT NULL, token TEXT, body TEXT NOT NULL
) WITHOUT ROWID
"""
_REJECTED = "CREATE TABLE IF NOT EXISTS rejected (key TEXT PRIMARY KEY) WITHOUT ROWID"
"""Completions that could not be read by who asked for them."""
_BUSY_MS = 60_000
_PAUSE_S = 0.02
_FILE = "completions.sqlite3"
_INSERT = "INSERT OR IGNORE INTO completions VALUES (?, ?, ?, ?, ?)"
_REPLACE = _INSERT.replace("IGNORE", "REPLACE")
_KEY_BYTES = 32
_DAY = 86_400.0
_REFUSED = frozenset({"refusal", "content_filter"})
_WRITABLE_BY_OTHERS = 0o022
_COMPLETIONS = TypeAdapter(Completion)


def cache_key(request: CompletionRequest, api_base: str | None = None) -> str:
    """Return the key of a request: SHA-256, hex. Equal keys may share a completion."""
    parts = {
        "v": 1,
        "model": request.model,
        "api_base": api_base,
        "messages": message_digest(request.messages, request.token),
        "params": request.params,
        "temperature": request.temperature,
        "max_tokens": request.max_tokens,
        "schema": request.schema,
        "repeat": request.repeat,
    }
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), default=_plain)
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else repr(value)


@dataclass(frozen=True, slots=True)
class CacheStats:
    """What a cache holds."""

    path: str
    completions: int
    bytes: int
    models: Mapping[str, int]


class CompletionCache:
    """A cache in one SQLite file of a folder, safe with several processes, readable by its owner only."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.path = self.folder / _FILE
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with contextlib.suppress(FileExistsError):
                os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except OSError as error:
            raise StoreError(f"the cache at {self.folder} cannot be used: {error}") from None
        # One thread owns the connection: SQLite waits for other processes there, never on an event loop.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="completion-cache")
        try:
            self._database = self._thread.submit(self._wait_and_open).result()
        except sqlite3.Error as error:
            self._thread.shutdown()
            raise StoreError(f"the cache file {self.path} cannot be used: {error}") from None

    def _wait_and_open(self) -> sqlite3.Connection:
        """Open the file. SQLite's own waiting leaves out the moment in which another process makes or closes it."""
        patience = time.monotonic() + _BUSY_MS / 1000
        while True:
            try:
                return self._open()
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > patience:
                    raise
                time.sleep(_PAUSE_S)

    def _open(self) -> sqlite3.Connection:
        database = sqlite3.connect(self.path, timeout=_BUSY_MS / 1000, isolation_level=None)
        try:
            database.execute(f"PRAGMA busy_timeout={_BUSY_MS}")
            database.execute("PRAGMA journal_mode=WAL")
            # With WAL, NORMAL survives a killed process; only a power cut can lose the last completions.
            database.execute("PRAGMA synchronous=NORMAL")
            database.execute(_SCHEMA)
            database.execute(PAYMENTS)
            database.execute(_REJECTED)
        except sqlite3.Error:
            database.close()
            raise
        return database

    @contextlib.contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        try:
            yield self._database
        except sqlite3.Error as error:
            raise StoreError(f"the cache file {self.path} cannot be used: {error}") from None

    def _execute(self, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        with self._opened() as database:
            return database.execute(sql, values).fetchall()

    def _get(self, key: str, payer: Payer | None) -> tuple[Completion, str | None] | None:
        rows = self._execute("SELECT body, token, created FROM completions WHERE key = ?", (key,))
        completion = _load(rows[0][0]) if rows else None
        if completion is None and rows:  # damaged: another one takes its place
            self._execute("DELETE FROM completions WHERE key = ?", (key,))
        if completion is None or (payer is not None and self._asks_again(key, completion, rows[0][2], payer)):
            return None
        return completion, rows[0][1]

    def _asks_again(self, key: str, completion: Completion, created: float, payer: Payer) -> bool:
        """Whether a run asks again for what another paid for: it was of no use, or refused more than a day ago."""
        refused = completion.refusal is not None or completion.finish_reason in _REFUSED
        cut = completion.finish_reason == "length" or not (completion.text or "").strip()
        useless = cut or bool(self._execute("SELECT 1 FROM rejected WHERE key = ?", (key,)))
        if not (time.time() - created > _DAY if refused else useless):
            return False
        return not self._execute("SELECT 1 FROM payments WHERE run = ? AND key = ?", (payer.run, key))

    def _put(self, key: str, completion: Completion, token: str | None, model: str, payer: Payer | None) -> bool:
        entry = (key, model, time.time(), token, json.dumps(asdict(completion), separators=(",", ":")))
        renewed = payer is not None and self._get(key, payer) is None
        there = bool(self._execute("SELECT 1 FROM completions WHERE key = ?", (key,)))
        with self._opened() as database:
            if payer is not None:
                payer.mark(database, str(self.path))
            # Both or none: a completion whose payer is not known would be free for the run that paid for it.
            database.execute("BEGIN IMMEDIATE")
            with database:
                # The first completion stays, if it is of use: another process may have used it already.
                database.execute(_REPLACE if renewed else _INSERT, entry)
                if renewed:
                    database.execute("DELETE FROM rejected WHERE key = ?", (key,))
                if payer is not None:  # whoever asked counts it
                    paid = {"usage": asdict(completion.usage), "attempts": completion.attempts}
                    values = payer.run, key, json.dumps(paid, separators=(",", ":"))
                    database.execute("INSERT OR IGNORE INTO payments VALUES (?, ?, 1, ?)", values)
        return there and renewed

    def _take(self, key: str, payer: Payer) -> Payment | None:
        with self._opened() as database:
            payer.mark(database, str(self.path))
            update = "UPDATE payments SET counted = 1 WHERE run = ? AND key = ? AND counted = 0"
            if not database.execute(update, (payer.run, key)).rowcount:
                return None
            select = "SELECT body FROM payments WHERE run = ? AND key = ?"
            paid = _load(database.execute(select, (payer.run, key)).fetchone()[0])
        return None if paid is None else (paid.usage, paid.attempts)

    async def _on_thread(self, do: Callable[..., R], *given: Any) -> R:
        return await asyncio.get_running_loop().run_in_executor(self._thread, do, *given)

    async def get(self, key: str, payer: Payer | None = None) -> tuple[Completion, str | None] | None:
        """Return the completion of a key and the request token that it was asked with; None where there is none."""
        return await self._on_thread(self._get, key, payer)

    async def put(
        self, key: str, completion: Completion, *, token: str | None, model: str, payer: Payer | None = None
    ) -> bool:
        """Keep a completion, and who paid for it. One that is there already stays, if it is of use."""
        return await self._on_thread(self._put, key, completion, token, model, payer)

    async def reject(self, key: str) -> None:
        """Note that a completion could not be read: another run asks again."""
        await self._on_thread(self._execute, "INSERT OR IGNORE INTO rejected VALUES (?)", (key,))

    async def take_payment(self, key: str, payer: Payer) -> Payment | None:
        """Return what a run paid for a completion that none of its results counts yet, once; else None."""
        return await self._on_thread(self._take, key, payer)

    def stats(self) -> CacheStats:
        """Say what the cache holds."""
        count = "SELECT model, COUNT(*) FROM completions GROUP BY model ORDER BY model"
        rows = self._thread.submit(self._execute, count).result()
        models = {str(model): int(count) for model, count in rows}
        return CacheStats(str(self.path), sum(models.values()), self.path.stat().st_size, models)

    def clear(self) -> int:
        """Delete every completion and give the space back; return how many there were."""
        count = self.stats().completions
        for command in ("DELETE FROM completions", "DELETE FROM payments", "DELETE FROM rejected", "VACUUM"):
            self._thread.submit(self._execute, command).result()
        return count

    def close(self) -> None:
        """Close the file. It may be called more than once."""
        with contextlib.suppress(RuntimeError):  # its thread has ended: it was closed before
            self._thread.submit(self._database.close).result()
        self._thread.shutdown()


def _load(body: str | bytes) -> Completion | None:
    """Read a stored completion, or what was paid for one; None where it is damaged."""
    try:
        data = {"text": None, **json.loads(body)}
        Completion(**{**data, "usage": Usage(**data["usage"])})  # no name is missing, or another one
        return _COMPLETIONS.validate_python(data)
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def is_cache(folder: str | Path) -> bool:
    """Whether a folder holds a cache."""
    return (Path(folder) / _FILE).is_file()


def load_or_make_key(folder: str | Path) -> bytes:
    """Return the secret that request tokens are made with, kept beside a cache so that its completions stay usable."""
    path = Path(folder) / "token.key"
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft = path.with_name(f"token.{os.getpid()}.{secrets.token_hex(4)}.tmp")
        if not path.exists():
            with os.fdopen(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
                file.write(secrets.token_bytes(_KEY_BYTES))
            # A link fails where the name is taken: of two processes, both then read the first one's key.
            with contextlib.suppress(FileExistsError):
                os.link(draft, path)
            draft.unlink()
        key, mode = path.read_bytes(), path.stat().st_mode
    except OSError as error:
        raise StoreError(f"the key file {path} cannot be used: {error}") from None
    if len(key) < _KEY_BYTES or (os.name == "posix" and mode & _WRITABLE_BY_OTHERS):
        fault = "is too short" if len(key) < _KEY_BYTES else "can be written by others"
        raise StoreError(f"the key file {path} {fault}, so request tokens could be guessed: delete it for a new one")
    return key


@dataclass(eq=False)
class CachedClient(WrappedClient):
    """Answers from the cache, for nothing or at what this run paid before, and makes equal requests under way once."""

    cache: CompletionCache
    api_base: str | None = field(default=None, kw_only=True)
    _under_way: dict[tuple[int, str], Shared[Completion]] = field(default_factory=dict, init=False)

    async def complete(self, request: CompletionRequest) -> Completion:
        """Answer one request, from the cache where it is there."""
        key = cache_key(request, self.api_base)
        slot = (id(asyncio.get_running_loop()), key)
        shared = self._under_way.get(slot)
        mine = shared is None or shared.ended
        if shared is None or mine:
            shared = self._under_way[slot] = Shared(self._lookup_or_call(key, request))
        try:
            completion = await shared.result()
        except JudgeError as error:  # whoever only waited did not pay
            raise (error if mine else error.but(attempts=0, billable=False)) from None
        finally:
            if shared.ended and self._under_way.get(slot) is shared:
                del self._under_way[slot]
        return completion if mine else reused(completion, None, request)

    async def _lookup_or_call(self, key: str, request: CompletionRequest) -> Completion:
        payer = current_payer.get()
        found = await self.cache.get(key, payer)
        if found is not None:
            payment = None if payer is None else await self.cache.take_payment(key, payer)
            return reused(*found, request, payment)
        completion = await self.inner.complete(request)
        again = await self.cache.put(key, completion, token=request.token, model=request.model, payer=payer)
        return replace(completion, renewed=True) if again else completion

    async def reject(self, key: str) -> None:
        """Note that a completion could not be read."""
        await self.cache.reject(key)


def reused(
    completion: Completion, token: str | None, request: CompletionRequest, payment: Payment | None = None
) -> Completion:
    """A kept completion as one that cost nothing now, or what this run paid before, with this request's token."""
    text = completion.text
    if text is not None and token and request.token and token != request.token:
        text = swap_token(text, token, request.token)
        completion = replace(completion, logprobs=None)  # they are of places in the text as it was
    if payment is not None:
        usage, attempts = payment
        return replace(completion, text=text, usage=usage, attempts=attempts)
    kept = completion.usage
    usage = Usage(
        calls=0, cached=1, prompt_tokens=kept.prompt_tokens, completion_tokens=kept.completion_tokens, latency_ms=0.0
    )
    return replace(completion, text=text, cached=True, usage=usage)
