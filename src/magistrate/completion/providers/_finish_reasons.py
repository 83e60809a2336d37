"""How a reply ended.

LiteLLM calls every word that it does not know "stop", and some that it knows; what the provider said is beside it.
"""

from __future__ import annotations

from typing import Any, Final

BROKEN: Final = "error"
"""The provider failed in the middle of its reply: what is there may be a part, whatever it looks like."""

_ENDINGS: Final = {
    **dict.fromkeys(
        ("error", "network_error", "server_error", "abort", "aborted", "cancelled", "canceled", "failed"), BROKEN
    ),
    **dict.fromkeys(
        (
            "max_tokens",
            "max_output_tokens",
            "max_new_tokens",
            "max_length",
            "model_length",
            "token_limit",
            "incomplete",
        ),
        "length",
    ),
    **dict.fromkeys(
        ("safety", "recitation", "blocklist", "blocked", "prohibited_content", "spii", "sensitive", "content_filtered"),
        "content_filter",
    ),
    "refusal": "refusal",
}


def finish_reason(choice: Any) -> str | None:
    """Return why a reply ended, as LiteLLM reports it, "refusal" or `BROKEN`; None where unknown."""
    reported = getattr(choice, "finish_reason", None)
    of_message = getattr(choice.message, "provider_specific_fields", None) or {}
    of_choice = getattr(choice, "provider_specific_fields", None) or {}
    for native in (of_message.get("stop_reason"), of_choice.get("native_finish_reason")):
        ending = _ENDINGS.get(native.casefold()) if isinstance(native, str) else None
        if ending is not None:
            return ending
    return reported if isinstance(reported, str) else None
