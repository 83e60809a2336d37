"""A provider's exception becomes one of ours: by HTTP status first, by class second, by words where both are silent.

Nothing of the original is kept but a shortened message without keys: its traceback and arguments carry request headers,
and LiteLLM's exceptions do not survive pickling.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from typing import Any

from magistrate.completion.secrets import scrub
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

__all__ = ["retry_after_seconds", "translate"]

_LONGEST_MESSAGE = 300
_DEEPEST_CAUSE = 12
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
_PASSING = frozenset({409, 425})
"""Statuses below 500 that the same call may not meet again: a conflict with another one, a call that came too early."""
_UNREACHED = frozenset({"OSError", "ConnectError", "ClientConnectionError", "ReadError", "RemoteProtocolError"})
"""Classes below an error that say that no HTTP answer came; LiteLLM calls some of them a status 500."""
_NO_COMPLETION = re.compile(
    r"json|expecting value|unterminated|decod|incomplete|payload is not completed|invalid response|unable to get"
)


@dataclass(frozen=True, slots=True)
class Failure:
    """A provider's exception, taken apart.

    Args:
        model: The requested model.
        provider: The provider's name, as LiteLLM has it.
        where: The provider and its address, for messages.
        status: The HTTP status; None where there was no answer.
        kinds: The names of the exception's classes.
        short: Its message, without keys, shortened.
        lower: Its whole message in lower case.
        wait: Seconds the provider asked to wait.
        key_variable: The environment variable of the provider's key, where known.
    """

    model: str
    provider: str
    where: str
    status: int | None
    kinds: frozenset[str]
    short: str
    lower: str
    wait: float | None
    key_variable: str | None

    @property
    def asked(self) -> str:
        """How long the provider asked to wait, for messages; empty where it did not."""
        return "" if self.wait is None else f" and asks to wait {self.wait:.6g} s"

    def become(self, kind: type[JudgeError], message: str, *, retryable: bool = False, **details: Any) -> JudgeError:
        """Return one of our errors with what is known of this failure."""
        details["retry_after"] = self.wait if retryable else None
        return kind(message, model=self.model, provider_status=self.status, retryable=retryable, **details)


def translate(
    error: Exception,
    *,
    model: str,
    provider: str,
    api_base: str | None = None,
    key_variable: str | None = None,
    secrets: Iterable[str | None] = (),
) -> JudgeError:
    """Turn a provider's exception into ours.

    Args:
        error: What the call raised.
        model: The requested model.
        provider: The provider's name, as LiteLLM has it.
        api_base: The address in use, where one was given.
        key_variable: The environment variable that holds the provider's key.
        secrets: Keys to keep out of the message.

    Returns:
        The error to raise; do not chain it.
    """
    said = scrub(str(error), secrets)
    kinds = {kind.__name__ for kind in type(error).__mro__}
    if isinstance(error, TimeoutError):
        kinds.add("Timeout")
    status = _status(error)
    causes = _causes(error)
    if any(_UNREACHED & {kind.__name__ for kind in type(cause).__mro__} for cause in causes):
        kinds.add("APIConnectionError")
        status = None
        said = f"{said}: {scrub(str(causes[-1]), secrets)}" if len(causes) > 1 else said
    failure = Failure(
        model,
        provider,
        f"{provider} at {scrub(api_base)}" if api_base else provider,
        status,
        frozenset(kinds),
        _shorten(said),
        said.casefold(),
        retry_after_seconds(_headers(error), now=time.time()),
        key_variable,
    )
    return _by_words(failure) or _by_status(failure)


def _by_words(failure: Failure) -> JudgeError | None:
    """Find what several statuses stand for: used up credit, a prompt too long, a policy, a timeout."""
    rejected = failure.status in {400, 413, 422}
    if "ContextWindowExceededError" in failure.kinds or (rejected and _CONTEXT.search(failure.lower)):
        message = f"the prompt is longer than the context of {failure.model}: {failure.short}"
        return failure.become(JudgeContextError, message, limit=_window(failure.lower))
    # Anthropic says it with 400, OpenRouter and DeepSeek with 402, OpenAI with 429 (see `_rate_limit`).
    if failure.status == 402 or (rejected and _QUOTA.search(failure.lower)):  # noqa: PLR2004 - HTTP
        return _used_up(failure)
    if "ContentPolicyViolationError" in failure.kinds or (rejected and _POLICY.search(failure.lower)):
        return failure.become(
            JudgePolicyError, f"{failure.where} refused the request by its content policy: {failure.short}"
        )
    if failure.kinds & {"Timeout", "APITimeoutError"} or failure.status in {408, 504}:
        message = f"{failure.where} gave no answer in time for {failure.model}: raise timeout or lower concurrency"
        return failure.become(JudgeTimeoutError, message, retryable=True, billable=True)
    return None


def _by_status(failure: Failure) -> JudgeError:  # noqa: PLR0911 - one return per row of the table
    status, where, model, short = failure.status, failure.where, failure.model, failure.short
    if status in {401, 403}:
        return failure.become(JudgeAuthError, _auth_message(failure))
    if status == 404:  # noqa: PLR2004 - HTTP
        message = f"{where} knows no model {model!r}, or the address is wrong: check --model and --api-base ({short})"
        return failure.become(JudgeNotFoundError, message)
    if status == 429:  # noqa: PLR2004 - HTTP
        return _rate_limit(failure)
    if "APIConnectionError" in failure.kinds:
        return _connection(failure)
    if status is not None and (status >= 500 or status in _PASSING):  # noqa: PLR2004 - HTTP
        return failure.become(JudgeServerError, f"{where} failed ({status}){failure.asked}: {short}", retryable=True)
    if status == 422 and "received" in failure.lower and _NO_COMPLETION.search(failure.lower):  # noqa: PLR2004 - Gemini
        return _no_completion(failure)
    if status is not None and status >= 400:  # noqa: PLR2004 - HTTP
        return failure.become(JudgeRequestError, f"{where} refused the request for {model} ({status}): {short}")
    return failure.become(JudgeError, f"the call to {model} failed: {short}")


def _auth_message(failure: Failure) -> str:
    key = f"the key in {failure.key_variable}" if failure.key_variable else "the key"
    fault = "is missing or wrong" if failure.status == 401 else f"may not use {failure.model}"  # noqa: PLR2004 - HTTP
    return f"{failure.where} answered {failure.status}: {key} {fault} ({failure.short})"


def _rate_limit(failure: Failure) -> JudgeError:
    """Tell an exhausted quota, which waiting does not mend, from a limited rate; both have the same status.

    Some providers call both a quota (Gemini), and some name billing in both (OpenAI): one that says when to come back
    means the rate.
    """
    if failure.wait is None:
        failure = replace(failure, wait=_soon(failure.lower))
    if failure.wait is None and _QUOTA.search(failure.lower):
        return _used_up(failure)
    limits = f"{failure.where} limits the rate of calls to {failure.model}{failure.asked}"
    return failure.become(JudgeRateLimitError, f"{limits}: lower concurrency ({failure.short})", retryable=True)


def _used_up(failure: Failure) -> JudgeError:
    message = f"{failure.where}: the quota or credit for {failure.model} is used up: {failure.short}"
    return failure.become(JudgeRateLimitError, message)


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


def _connection(failure: Failure) -> JudgeError:
    if _REFUSED.search(failure.lower):
        ollama = failure.provider.startswith("ollama")
        hint = "start it with `ollama serve`" if ollama else "is the server running?"
        message = f"nothing answers for {failure.where}: {hint} ({failure.short})"
        return failure.become(JudgeConnectionError, message, retryable=True, absent=True)
    if _UNTRUSTED.search(failure.lower):
        message = f"the certificate of {failure.where} is not trusted: set SSL_CERT_FILE ({failure.short})"
        return failure.become(JudgeConnectionError, message)
    if _NO_COMPLETION.search(failure.lower):
        return _no_completion(failure)
    message = f"the connection to {failure.where} failed in a call to {failure.model}: {failure.short}"
    return failure.become(JudgeConnectionError, message, retryable=True, billable=True)


def _no_completion(failure: Failure) -> JudgeError:
    message = f"{failure.where} sent an answer that is no completion: {failure.short}"
    return failure.become(JudgeServerError, message, retryable=True, billable=True)


def _causes(error: BaseException) -> list[BaseException]:
    """Return an error and what it was raised from, down to the first cause."""
    chain: list[BaseException] = [error]
    while len(chain) < _DEEPEST_CAUSE:
        cause = chain[-1].__cause__ or chain[-1].__context__
        if cause is None or cause in chain:
            break
        chain.append(cause)
    return chain


def _status(error: Exception) -> int | None:
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
    """Read how long to wait from headers with lower-case names.

    Args:
        headers: The headers of the answer.
        now: The time, in seconds since the epoch, to count from where a date is given; None leaves dates unread.

    Returns:
        Seconds, at least 0; None where the headers do not say.
    """
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
    text = " ".join(text.split())
    for prefix in ("litellm.", "openai."):
        text = text.removeprefix(prefix)
    return text if len(text) <= _LONGEST_MESSAGE else text[: _LONGEST_MESSAGE - 1] + "…"
