"""How a reply ended.

By the lists of OpenAI, Anthropic, Gemini, Cohere, Mistral, Bedrock, DeepSeek, Zhipu, watsonx, TGI, vLLM and Ollama.
LiteLLM calls every word that it does not know "stop", and some that it knows; what the provider said is beside it. A
word on none of the lists goes on as it is: the parser takes it for no clean end.
"""

from __future__ import annotations

from typing import Any, Final

from magistrate.parsing.reply.source import ending

BROKEN: Final = "error"
"""The provider failed in the middle of its reply: what is there may be a part, whatever it looks like."""

_WORDS: Final = {
    BROKEN: (
        "error network_error server_error abort aborted cancelled canceled failed user_cancel timeout time_limit load "
        "unload insufficient_system_resource malformed_function_call malformed_response malformed_model_output "
        "malformed_tool_use"
    ),
    "length": (
        "length max_tokens max_output_tokens max_new_tokens max_length model_length token_limit error_limit incomplete "
        "not_finished pause_turn compaction continuation model_context_window_exceeded"
    ),
    "content_filter": (
        "content_filter content_filtered safety recitation blocklist blocked prohibited_content spii sensitive "
        "language other image_safety image_prohibited_content image_recitation image_other no_image escalation "
        "error_toxic guardrail_intervened"
    ),
    "refusal": "refusal",
}
_ENDINGS: Final = {word: end for end, words in _WORDS.items() for word in words.split()}


def finish_reason(choice: Any) -> str | None:
    """Return why a reply ended, as LiteLLM reports it, "refusal" or `BROKEN`; None where unknown.

    A word of the provider's that is on no list, which LiteLLM reports as "stop", is returned as it is.
    """
    reported = getattr(choice, "finish_reason", None)
    of_message = getattr(choice.message, "provider_specific_fields", None) or {}
    of_choice = getattr(choice, "provider_specific_fields", None) or {}
    for native in (of_message.get("stop_reason"), of_choice.get("native_finish_reason")):
        if not isinstance(native, str):
            continue
        known = _ENDINGS.get(native.casefold())
        if known is not None:
            return known
        if ending(native) is not None:
            return native[:_LONGEST]
    return reported if isinstance(reported, str) else None


_LONGEST: Final = 60
