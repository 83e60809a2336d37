"""A provider's exception becomes one of ours, by the table in `errors.toml`: when, becomes, message.

Nothing of the original is kept but a shortened message without keys: its traceback and arguments carry request headers,
and LiteLLM's exceptions do not survive pickling.
"""

import os
import re
import time
import tomllib
from collections.abc import Collection, Iterable, Mapping
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
_REJECTED: Final = (400, 413, 422)
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
class _Failure:
    status: int | None
    kinds: frozenset[str]
    said: str
    wait: float | None

    def fits(self, row: Mapping[str, Any]) -> bool:
        """Whether a row of the table is about it."""
        return (
            not self.kinds.isdisjoint(row.get("kinds", ()))
            or self.status in row.get("statuses", ())
            or (self.status or 0) >= row.get("from", 1000)
            or ("rejected" in row and self._says(row["rejected"], row.get("with", _REJECTED)))
            or ("unreached" in row and "APIConnectionError" in self.kinds and self._says(row["unreached"]))
            or ("used_up" in row and self._used_up())
        )

    def _says(self, words: str, statuses: Collection[int] = ()) -> bool:
        return (not statuses or (self.status or 0) in statuses) and _WORDS[words].search(self.said) is not None

    def _used_up(self) -> bool:
        """Whether the quota or credit is used up, which waiting does not mend.

        Anthropic says it with 400, OpenRouter and DeepSeek with 402, OpenAI with 429. Some providers call a limited
        rate a quota, too (Gemini), and some name billing in both (OpenAI): who says when to come back means the rate.
        """
        spoken = self._says("quota", (*_REJECTED, 429))
        return self.status == 402 or (spoken and self.retry_after is None)  # noqa: PLR2004 - HTTP

    @property
    def retry_after(self) -> float | None:
        """Seconds the provider asked to wait; where its status says that the rate is limited, also in words."""
        return _soon(self.said) if self.wait is None and self.status == 429 else self.wait  # noqa: PLR2004 - HTTP


def translate(error: Exception, model: ResolvedModel, secrets: Iterable[str] = ()) -> JudgeError:
    """Turn an exception of a model's provider into ours, without its keys and further secrets."""
    secrets = (*filter(None, (model.api_key, os.environ.get(model.key_variable or ""))), *secrets)
    provider, where = model.provider, redact_text(model.api_base) if model.api_base else None
    message = redact_text(str(error), secrets)
    causes = _causes(error)
    kinds = {kind.__name__ for kind in type(error).__mro__} | (_OURS & {type(cause).__name__ for cause in causes})
    if isinstance(error, TimeoutError):
        kinds.add("Timeout")
    status = None
    with suppress(TypeError, ValueError):
        status = int(getattr(error, "status_code", None))  # type: ignore[arg-type]
    if any(_UNREACHED & {kind.__name__ for kind in type(cause).__mro__} for cause in causes):
        kinds.add("APIConnectionError")
        status = None
        message = f"{message}: {redact_text(str(causes[-1]), secrets)}" if len(causes) > 1 else message
    failure = _Failure(
        status, frozenset(kinds), message.casefold(), retry_after_seconds(_headers(error), now=time.time())
    )
    row = next(row for row in _DATA["rows"] if failure.fits(row))
    wait, window = failure.retry_after, _WINDOW.search(failure.said)
    becomes: type[JudgeError] = getattr(errors, row["becomes"])
    limit = next((int(number) for number in window.groups() if number), None) if window else None
    named = {
        "where": f"{provider} at {where}" if where else provider,
        "model": model.name,
        "short": _shorten(message),
        "status": status,
        "key": f"the key in {model.key_variable}" if model.key_variable else "the key",
        "asked": "" if wait is None else f" and asks to wait {wait:.6g} s",
        "start": "start it with `ollama serve`" if provider.startswith("ollama") else "is the server running?",
    }
    return becomes(
        row["message"].format(**named),
        model=model.name,
        provider_status=status,
        retryable=row.get("retryable", False),
        retry_after=wait if row.get("retryable") else None,
        billable=row.get("billable", False),
        **row.get("details", {}),
        **({"limit": limit} if becomes is errors.JudgeContextError else {}),
    )


def _soon(message: str) -> float | None:
    found = next((found for found in _SOON.finditer(message) if any(found.groups())), None)
    if found is None:
        return None
    hours, minutes, rest, unit = found.groups()
    seconds = float(rest or 0) * (0.001 if unit == "ms" else 1.0)
    return int(hours or 0) * 3600 + int(minutes or 0) * 60 + seconds


def _causes(error: BaseException) -> list[BaseException]:
    """Return an error and what it was raised from, down to the first cause."""
    chain: list[BaseException] = [error]
    while (
        len(chain) < _DEEPEST_CAUSE and (cause := chain[-1].__cause__ or chain[-1].__context__) and cause not in chain
    ):
        chain.append(cause)
    return chain


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
