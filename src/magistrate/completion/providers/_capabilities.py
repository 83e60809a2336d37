"""What a model turned out not to accept, remembered per model and address, so that it is found out once.

Two things are learned from refused requests (400): how the reply may be asked for (the modes, from strict to plain),
and which parameters to leave out, rename or lower.
"""

import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache

MODES = ("json_schema", "json", "md_json", "text")
"""How a reply can be asked for, the most binding first."""

_REFUSAL = re.compile(
    r"not support|unsupported|unrecognized|unexpected|unknown|not permitted|not allowed|deprecated|extra inputs"
    r"|extra fields|invalid|must be|only .{0,40}default|too large|at most|exceed|cannot be used|incompatible"
)
_FORMAT = re.compile(
    r"response_format|json_schema|json_object|json mode|output_format|output_config|schema|tool_choice|tools"
)
_SYSTEM = re.compile(
    r"(?:system|developer)[ '\"`]{0,3}(?:role|message|prompt|instruction)s?|roles? .{0,20}\bsystem\b|must alternate"
)
_NUMBER = re.compile(r"\b\d{2,7}\b")
_LIMIT_NAMES = ("max_tokens", "max_completion_tokens", "max_output_tokens")
_KEPT = frozenset({"api_version", "extra_headers", "api_base", "api_key", "timeout", "headers", "response_format"})
_SMALLEST_LIMIT = 64


@dataclass(frozen=True, slots=True)
class Accepted:
    """What is known of a model at an address."""

    mode: str = MODES[0]
    strict: bool = True
    dropped: frozenset[str] = frozenset()
    limit_name: str = "max_tokens"
    limit: int | None = None
    system: bool = True


@dataclass(slots=True)
class Capabilities:
    """The memory for one model at one address. Threads and event loops share it."""

    accepted: Accepted = field(default_factory=Accepted)
    num_ctx: int = 0
    """The largest context window that was asked of an Ollama model: a change makes it load the model again."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def learn(self, message: str, tried: Accepted, sent: Mapping[str, object]) -> bool:
        """Learn from a refused request."""
        with self._lock:
            if self.accepted != tried:
                return True
            better = _lesson(message.casefold(), tried, sent)
            if better is None:
                return False
            self.accepted = better
            return True


def _lesson(message: str, tried: Accepted, sent: Mapping[str, object]) -> Accepted | None:
    """Return what a refusal teaches; None where it teaches nothing."""
    if not _REFUSAL.search(message):
        return None
    if tried.system and _SYSTEM.search(message):
        return replace(tried, system=False)
    if (limited := _about_limit(message, tried, sent)) is not None:
        return limited
    named = (name for name in sent if name not in {*_KEPT, *_LIMIT_NAMES} and _names(message, name))
    if (first := next(named, None)) is not None:
        return replace(tried, dropped=tried.dropped | {first})
    lower = MODES[MODES.index(tried.mode) + 1 :] if _FORMAT.search(message) else ()
    if lower and tried.mode == MODES[0] and tried.strict and "strict" in message:
        return replace(tried, strict=False)
    return replace(tried, mode=lower[0]) if lower else None


def _about_limit(message: str, tried: Accepted, sent: Mapping[str, object]) -> Accepted | None:
    named = [name for name in _LIMIT_NAMES if _names(message, name)]
    current = sent.get(tried.limit_name)
    if not named or not isinstance(current, int):
        return None
    if tried.limit_name in named:
        # OpenAI: Unsupported parameter 'max_tokens' is not supported with this model. Use 'max_completion_tokens'.
        others = [name for name in named if name not in {tried.limit_name, "max_output_tokens"}]
        if others:
            return replace(tried, limit_name=others[0])
    # Anthropic says that 6200 is more than 4096, which is the maximum allowed number of output tokens.
    lower = [int(number) for number in _NUMBER.findall(message) if _SMALLEST_LIMIT <= int(number) < current]
    if lower:
        return replace(tried, limit=max(lower))
    if tried.limit_name not in tried.dropped:
        return replace(tried, dropped=tried.dropped | {tried.limit_name})
    return None


def _names(message: str, name: str) -> bool:
    return re.search(rf"(?<![a-z0-9_]){re.escape(name.casefold())}(?![a-z0-9_])", message) is not None


@cache
def capabilities_of(model: str, api_base: str | None) -> Capabilities:  # noqa: ARG001 - what it is the memory of
    """Return the memory of this process for a model at an address."""
    return Capabilities()
