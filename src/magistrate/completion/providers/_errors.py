"""A provider's exception becomes one of ours, by a table: when, becomes, message. The first row that fits counts.

Nothing of the original is kept but a shortened message without keys: its traceback and arguments carry request headers,
and LiteLLM's exceptions do not survive pickling.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Final

from magistrate.completion.models import ResolvedModel
from magistrate.completion.providers._transport import RedirectRefusedError, ReplyTooLargeError
from magistrate.errors import (
    JudgeAuthError,
    JudgeConnectionError,
    JudgeContextError,
    JudgeError,
    JudgeNotFoundError,
    JudgePolicyError,
    JudgeRateLimitError,
    JudgeRequestError,
    JudgeServerError,
    JudgeTimeoutError,
)
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

_NO_WAY_IN = re.compile(
    r"no module named|missing credentials|default credentials were not found|unable to locate credentials"
    r"|could not automatically determine credentials|no credentials|must be installed|pip install"
)
_THROTTLED = re.compile(
    r"throttl|too many requests|rate[ _-]?limit|please wait before|too many (?:tokens|calls), please"
)
_CONTEXT = re.compile(
    r"context[ _-]?(?:length|window|size)|maximum context|too many tokens|prompt is too long|input is too long"
    r"|exceeds? the (?:available |maximum )?(?:context|token)|reduce the length"
)
_POLICY = re.compile(r"content[ _-]?(?:policy|filter|management)|safety system|responsible ai|usage policies")
_QUOTA = re.compile(
    r"insufficient[ _-]?quota|exceeded your current quota|credit balance|out of credits|insufficient (?:balance|credit)"
    r"|payment required|billing (?:hard )?limit"
)
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
_REFUSED = re.compile(r"connection refused|connect call failed|name or service not known|getaddrinfo|nodename nor")
_UNTRUSTED = re.compile(r"certificate[ _]verify[ _]failed|self[- ]signed certificate|unable to get local issuer")
_NO_COMPLETION = re.compile(
    r"json|expecting value|unterminated|decod|incomplete|payload is not completed|invalid response|unable to get"
)


@dataclass(frozen=True, slots=True)
class Failure:
    """A provider's exception, taken apart."""

    model: str
    provider: str
    where: str
    status: int | None
    kinds: frozenset[str]
    short: str
    lower: str
    wait: float | None
    key: str

    def rejected(self, words: re.Pattern[str]) -> bool:
        """Whether the request was refused, in such words."""
        return self.status in _REJECTED and words.search(self.lower) is not None

    def unreached(self, words: re.Pattern[str]) -> bool:
        """Whether no answer came, and such words say why."""
        return "APIConnectionError" in self.kinds and words.search(self.lower) is not None

    def is_no_completion(self) -> bool:
        """Whether the answer is none that can be read; LiteLLM says so of Gemini's with a 422."""
        if self.unreached(_NO_COMPLETION):
            return True
        return self.status == _UNPROCESSABLE and "received" in self.lower and bool(_NO_COMPLETION.search(self.lower))

    def used_up(self) -> bool:
        """Whether the quota or credit is used up, which waiting does not mend.

        Anthropic says it with 400, OpenRouter and DeepSeek with 402, OpenAI with 429. Some providers call a limited
        rate a quota, too (Gemini), and some name billing in both (OpenAI): who says when to come back means the rate.
        """
        spoken = self.rejected(_QUOTA) or (self.status == 429 and _QUOTA.search(self.lower) is not None)  # noqa: PLR2004
        return self.status == 402 or (spoken and self.retry_after is None)  # noqa: PLR2004 - HTTP

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


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table."""

    when: Callable[[Failure], bool]
    becomes: type[JudgeError]
    message: str
    retryable: bool = False
    billable: bool = False
    details: Callable[[Failure], Mapping[str, Any]] = lambda _: {}


def _status(*statuses: int) -> Callable[[Failure], bool]:
    return lambda failure: failure.status in statuses


def _kind(*kinds: str) -> Callable[[Failure], bool]:
    return lambda failure: not failure.kinds.isdisjoint(kinds)


TABLE: Final = (
    Row(
        _kind(RedirectRefusedError.__name__),
        JudgeConnectionError,
        "{where} answers with a redirect, which is not followed, as prompt and key would travel to another address: "
        "give the right one with --api-base ({short})",
    ),
    Row(
        _kind(ReplyTooLargeError.__name__),
        JudgeServerError,
        "{where} sent an answer that is too large for a completion of {model}: {short}",
        billable=True,
    ),
    Row(
        lambda failure: failure.rejected(_THROTTLED),  # some say it with 400
        JudgeRateLimitError,
        "{where} limits the rate of calls to {model}{asked}: lower concurrency ({short})",
        retryable=True,
    ),
    Row(
        lambda failure: "ContextWindowExceededError" in failure.kinds or failure.rejected(_CONTEXT),
        JudgeContextError,
        "the prompt is longer than the context of {model}: {short}",
        details=lambda failure: {"limit": _window(failure.lower)},
    ),
    Row(Failure.used_up, JudgeRateLimitError, "{where}: the quota or credit for {model} is used up: {short}"),
    Row(
        lambda failure: "ContentPolicyViolationError" in failure.kinds or failure.rejected(_POLICY),
        JudgePolicyError,
        "{where} refused the request by its content policy: {short}",
    ),
    Row(
        lambda failure: bool(failure.kinds & {"Timeout", "APITimeoutError"}) or failure.status in {408, 504},
        JudgeTimeoutError,
        "{where} gave no answer in time for {model}: raise timeout or lower concurrency",
        retryable=True,
        billable=True,
    ),
    Row(  # it has many names, and mostly the status of a provider that fails
        lambda failure: failure.status in {None, 400, 500} and _NO_WAY_IN.search(failure.lower) is not None,
        JudgeAuthError,
        "{where} cannot be called for {model}: a key, credentials or a package is missing ({short})",
    ),
    Row(_status(401), JudgeAuthError, "{where} answered {status}: {key} is missing or wrong ({short})"),
    Row(_status(403), JudgeAuthError, "{where} answered {status}: {key} may not use {model} ({short})"),
    Row(
        _status(404),
        JudgeNotFoundError,
        "{where} knows no model {model!r}, or the address is wrong: check --model and --api-base ({short})",
    ),
    Row(
        _status(429),
        JudgeRateLimitError,
        "{where} limits the rate of calls to {model}{asked}: lower concurrency ({short})",
        retryable=True,
    ),
    Row(
        lambda failure: failure.unreached(_REFUSED),
        JudgeConnectionError,
        "nothing answers for {where}: {start} ({short})",
        retryable=True,
        details=lambda _: {"absent": True},
    ),
    Row(
        lambda failure: failure.unreached(_UNTRUSTED),
        JudgeConnectionError,
        "the certificate of {where} is not trusted: set SSL_CERT_FILE ({short})",
    ),
    Row(
        Failure.is_no_completion,
        JudgeServerError,
        "{where} sent an answer that is no completion: {short}",
        retryable=True,
        billable=True,
    ),
    Row(
        _kind("APIConnectionError"),
        JudgeConnectionError,
        "the connection to {where} failed in a call to {model}: {short}",
        retryable=True,
        billable=True,
    ),
    Row(
        lambda failure: failure.status is not None and (failure.status >= 500 or failure.status in _PASSING),  # noqa: PLR2004
        JudgeServerError,
        "{where} failed ({status}){asked}: {short}",
        retryable=True,
    ),
    Row(
        lambda failure: failure.status is not None and failure.status >= 400,  # noqa: PLR2004 - HTTP
        JudgeRequestError,
        "{where} refused the request for {model} ({status}): {short}",
    ),
    Row(lambda _: True, JudgeError, "the call to {model} failed: {short}"),
)


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
    row = next(row for row in TABLE if row.when(failure))
    return row.becomes(
        row.message.format(**failure.texts),
        model=model.name,
        provider_status=status,
        retryable=row.retryable,
        retry_after=failure.retry_after if row.retryable else None,
        billable=row.billable,
        **row.details(failure),
    )


def _soon(message: str) -> float | None:
    """Read from a message how long to wait, in seconds."""
    found = next((found for found in _SOON.finditer(message) if any(found.groups())), None)
    if found is None:
        return None
    hours, minutes, rest, unit = found.groups()
    seconds = float(rest or 0) * (0.001 if unit == "ms" else 1.0)
    return int(hours or 0) * 3600 + int(minutes or 0) * 60 + seconds


def _window(message: str) -> int | None:
    """Read from a message how many tokens a prompt may have."""
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
    status = getattr(error, "status_code", None)
    try:
        return int(status) if status is not None else None
    except (TypeError, ValueError):
        return None


def _headers(error: Exception) -> Mapping[str, Any]:
    headers = getattr(error, "litellm_response_headers", None)
    if headers is None:
        headers = getattr(getattr(error, "response", None), "headers", None)
    try:
        return {str(name).lower(): value for name, value in dict(headers or {}).items()}
    except (TypeError, ValueError):
        return {}


def retry_after_seconds(headers: Mapping[str, Any], *, now: float | None = None) -> float | None:
    """Read how long to wait from headers with lower-case names."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers[name]) * unit
        except (KeyError, TypeError, ValueError):
            continue
        if 0 <= seconds < float("inf"):
            return seconds
    if now is None:
        return None
    try:
        return max(0.0, parsedate_to_datetime(str(headers["retry-after"])).timestamp() - now)
    except (KeyError, TypeError, ValueError, OverflowError):
        return None


def _shorten(text: str) -> str:
    text = " ".join(text.partition("Traceback (most recent call last)")[0].split())
    for prefix in ("litellm.", "openai."):
        text = text.removeprefix(prefix)
    return text if len(text) <= _LONGEST_MESSAGE else text[: _LONGEST_MESSAGE - 1] + "…"
