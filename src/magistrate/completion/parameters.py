"""Parameters of one's own for each call: which names a caller may set, and what their values must be.

A wrong one would fail in every call, or change what is called while the reports name something else; so it is refused
before the first.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from magistrate.errors import ConfigurationError

_DECIDED: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        ("model", "model_list", "fallbacks", "deployment_id"), "the model's name says which model is asked"
    ),
    **dict.fromkeys(("api_base", "base_url"), "the address is an argument of its own (--api-base)"),
    **dict.fromkeys(("messages", "prompt", "input"), "the prompt is the metric's"),
    **dict.fromkeys(("stream", "stream_options", "n"), "one whole reply is read"),
    **dict.fromkeys(
        ("response_format", "response_model", "tools", "tool_choice", "functions", "function_call", "strict"),
        "how a reply is asked for follows from the model",
    ),
    **dict.fromkeys(("max_retries", "num_retries"), "calls are made again as the provider asks"),
    **dict.fromkeys(("hooks", "context", "validation_context", "acompletion"), "it is not passed on"),
}
_HEADERS: Final = ("extra_headers", "headers", "default_headers")


def checked_parameters(params: Mapping[str, Any] | None, *, timeout: float) -> tuple[dict[str, Any], float]:
    """Check the parameters that go along with each call."""
    checked = dict(params or {})
    for name in checked:
        if name in _DECIDED:
            raise ConfigurationError(f"the parameter {name} cannot be set: {_DECIDED[name]}")
    for name in _HEADERS:
        headers = checked.get(name)
        if headers is not None and not _are_headers(headers):
            raise ConfigurationError(f'{name} must be an object of texts, such as {{"X-Team": "search"}}')
    if "timeout" in checked:
        seconds = checked.pop("timeout")
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds < math.inf:
            raise ConfigurationError(f"timeout is {str(seconds)[:40]!r}, and must be seconds, such as 300")
        timeout = float(seconds)
    return checked, timeout


def _are_headers(value: Any) -> bool:
    return isinstance(value, Mapping) and all(isinstance(text, str) for pair in value.items() for text in pair)


def checked_address(address: str | None, *, name: str = "api_base") -> str | None:
    """Check the address of a provider."""
    if address is None:
        return None
    scheme, separator, rest = address.strip().partition("://")
    if not separator or scheme.casefold() not in {"http", "https"} or not rest.strip("/"):
        shown = f"{scheme}://..." if "@" in address else address[:100]
        raise ConfigurationError(f"{name} {shown!r} is no address: expected one such as http://localhost:8000/v1")
    return address.strip()
