"""A provider's exception becomes one of ours, by the table in `errors.toml`: when, becomes, message.

Nothing of the original is kept but a shortened message without keys: its traceback and arguments carry request headers,
and LiteLLM's exceptions do not survive pickling.
"""

from __future__ import annotations

import os
import re
import time
import tomllib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from importlib.resources import files
from typing import Any, Final

from magistrate import errors
from magistrate.completion.models import ResolvedModel
from magistrate.completion.providers._library import RedirectRefusedError, ReplyTooLargeError
from magistrate.errors import JudgeError
from magistrate.redact import redact_text

_LONGEST_MESSAGE = 300
_DEEPEST_CAUSE = 12
_REJECTED: Final = frozenset({400, 413, 422})
_UNPROCESSABLE: Final = 422
_PASSING: Final = frozenset({409, 425})
"""Statuses below 500 that the same call may not meet again: a conflict with another one, a call that came too early."""
_UNREACHED: Final = frozenset({"OSError", "ConnectError", "ClientConnectionError", "ReadError", "RemoteProtocolError"})
"""Classes below an error that say that no HTTP answer came; LiteLLM calls some of them a status 500."""
_OURS: Final = frozenset({RedirectRefusedError.__name__, ReplyTooLargeError.__name__})

_SOON = re.compile(
    r"(?:retry[ _-]?delay|retry(?:ing)?|try again)\W{0,4}(?:in|after)?\W{0,3}"
    r"(?:(\d{1,3})\s?h)?\s?(?:(\d{1,4})\s?m(?!s))?\s?(?:(\d{1,6}(?:\.\d{1,9})?)\s?(ms|s))?"
)
"""How long to wait, where only the message says it: "Please try again in 1m3.5s", "retry in 34.07s"."""
_WINDOW = re.compile(
    r"(?:maximum context length|context (?:length|window|size)|n_ctx)\D{0,40}?(\d{3,8})"
    r"|> (\d{3,8}) (?:tokens? )?maximum|(?:limit|maximum) (?:of|is) (\d{3,8}) tokens"
)
"""How large the context window is, where the message says it."""
_DATA: Final = tomllib.loads(files(__package__).joinpath("errors.toml").read_text("utf-8"))
_WORDS: Final = {name: re.compile("|".join(words)) for name, words in _DATA["words"].items()}


@dataclass(frozen=True, slots=True)
class Failure:
    model: str
    provider: str
    where: str
    status: int | None
    kinds: frozenset[str]
    short: str
    lower: str
    wait: float | None
    key: str

    def fits(self, row: Mapping[str, Any]) -> bool:
        """Whether a row of the table is about it."""
        return (
            not self.kinds.isdisjoint(row.get("kinds", ()))
            or self.status in row.get("statuses", ())
            or ("rejected" in row and self._rejected(row["rejected"]))
            or ("unreached" in row and self._unreached(row["unreached"]))
            or ("test" in row and bool(getattr(self, row["test"])()))
        )

    def _says(self, words: str) -> bool:
        return _WORDS[words].search(self.lower) is not None

    def _rejected(self, words: str) -> bool:
        return self.status in _REJECTED and self._says(words)

    def _unreached(self, words: str) -> bool:
        return "APIConnectionError" in self.kinds and self._says(words)

    def no_way_in(self) -> bool:
        """Whether a key, credentials or a package is missing."""
        return self.status in {None, 400, 401, 500} and self._says("no_way_in")

    def is_no_completion(self) -> bool:
        """Whether the answer is none that can be read; LiteLLM says so of Gemini's with a 422."""
        unread = self.status == _UNPROCESSABLE and "received" in self.lower and self._says("no_completion")
        return unread or self._unreached("no_completion")

    def used_up(self) -> bool:
        """Whether the quota or credit is used up, which waiting does not mend.

        Anthropic says it with 400, OpenRouter and DeepSeek with 402, OpenAI with 429. Some providers call a limited
        rate a quota, too (Gemini), and some name billing in both (OpenAI): who says when to come back means the rate.
        """
        spoken = self._rejected("quota") or (self.status == 429 and self._says("quota"))  # noqa: PLR2004 - HTTP
        return self.status == 402 or (spoken and self.retry_after is None)  # noqa: PLR2004

    def failed(self) -> bool:
        """Whether the provider failed, or could not carry the call out just then."""
        return self.status is not None and (self.status >= 500 or self.status in _PASSING)  # noqa: PLR2004

    def refused(self) -> bool:
        """Whether the provider refused the request."""
        return self.status is not None and self.status >= 400  # noqa: PLR2004

    @property
    def retry_after(self) -> float | None:
        """Seconds the provider asked to wait; where its status says that the rate is limited, also in words."""
        return _soon(self.lower) if self.wait is None and self.status == 429 else self.wait  # noqa: PLR2004 - HTTP

    @property
    def texts(self) -> dict[str, Any]:
        """What the messages of the table name."""
        wait = self.retry_after
        asked = "" if wait is None else f" and asks to wait {wait:.6g} s"
        start = "start it with `ollama serve`" if self.provider.startswith("ollama") else "is the server running?"
        names = {"where": self.where, "model": self.model, "short": self.short, "status": self.status, "key": self.key}
        return {**names, "asked": asked, "start": start}


def translate(error: Exception, model: ResolvedModel, secrets: Iterable[str] = ()) -> JudgeError:
    """Turn an exception of a model's provider into ours, without its keys and further secrets."""
    secrets = (*filter(None, (model.api_key, os.environ.get(model.key_variable or ""))), *secrets)
    provider, where = model.provider, redact_text(model.api_base) if model.api_base else None
    message = redact_text(str(error), secrets)
    causes = _causes(error)
    kinds = {kind.__name__ for kind in type(error).__mro__} | (_OURS & {type(cause).__name__ for cause in causes})
    if isinstance(error, TimeoutError):
        kinds.add("Timeout")
    status = _status_of(error)
    if any(_UNREACHED & {kind.__name__ for kind in type(cause).__mro__} for cause in causes):
        kinds.add("APIConnectionError")
        status = None
        message = f"{message}: {redact_text(str(causes[-1]), secrets)}" if len(causes) > 1 else message
    failure = Failure(
        model.name,
        provider,
        f"{provider} at {where}" if where else provider,
        status,
        frozenset(kinds),
        _shorten(message),
        message.casefold(),
        retry_after_seconds(_headers(error), now=time.time()),
        f"the key in {model.key_variable}" if model.key_variable else "the key",
    )
    row = next(row for row in _DATA["rows"] if failure.fits(row))
    becomes: type[JudgeError] = getattr(errors, row["becomes"])
    limit = {"limit": _window(failure.lower)} if becomes is errors.JudgeContextError else {}
    return becomes(
        row["message"].format(**failure.texts),
        model=model.name,
        provider_status=status,
        retryable=row.get("retryable", False),
        retry_after=failure.retry_after if row.get("retryable") else None,
        billable=row.get("billable", False),
        **row.get("details", {}),
        **limit,
    )


def _soon(message: str) -> float | None:
    found = next((found for found in _SOON.finditer(message) if any(found.groups())), None)
    if found is None:
        return None
    hours, minutes, rest, unit = found.groups()
    seconds = float(rest or 0) * (0.001 if unit == "ms" else 1.0)
    return int(hours or 0) * 3600 + int(minutes or 0) * 60 + seconds


def _window(message: str) -> int | None:
    found = _WINDOW.search(message)
    return next((int(number) for number in found.groups() if number), None) if found else None


def _causes(error: BaseException) -> list[BaseException]:
    """Return an error and what it was raised from, down to the first cause."""
    chain: list[BaseException] = [error]
    while len(chain) < _DEEPEST_CAUSE:
        cause = chain[-1].__cause__ or chain[-1].__context__
        if cause is None or cause in chain:
            break
        chain.append(cause)
    return chain


def _status_of(error: Exception) -> int | None:
    with suppress(TypeError, ValueError):
        return int(getattr(error, "status_code", None))  # type: ignore[arg-type]
    return None


def _headers(error: Exception) -> Mapping[str, Any]:
    headers = getattr(error, "litellm_response_headers", None)
    if headers is None:
        headers = getattr(getattr(error, "response", None), "headers", None)
    with suppress(TypeError, ValueError):
        return {str(name).lower(): value for name, value in dict(headers or {}).items()}
    return {}


def retry_after_seconds(headers: Mapping[str, Any], *, now: float | None = None) -> float | None:
    """Read how long to wait from headers with lower-case names."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        with suppress(KeyError, TypeError, ValueError):
            if 0 <= (seconds := float(headers[name]) * unit) < float("inf"):
                return seconds
    if now is None:
        return None
    with suppress(KeyError, TypeError, ValueError, OverflowError):
        return max(0.0, parsedate_to_datetime(str(headers["retry-after"])).timestamp() - now)
    return None


def _shorten(text: str) -> str:
    text = " ".join(text.partition("Traceback (most recent call last)")[0].split())
    text = re.sub(r"(?:\w{1,20}:)?<[^<>]{1,80} object at 0x[0-9a-f]{1,16}> ?", "", text)
    text = re.sub(r"^(?:litellm\.)?(?:openai\.)?(?:(\w{1,60}: )(?=\1))?", "", text)  # LiteLLM says its name twice
    return text if len(text) <= _LONGEST_MESSAGE else text[: _LONGEST_MESSAGE - 1] + "…"
