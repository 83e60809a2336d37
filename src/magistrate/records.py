"""What crosses the seam to a model, and what is kept of it: plain frozen data, no behaviour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

REPHRASED = "+rephrase-"
"""Stands in the version of a prompt that was sent in other words, before the version of those words."""
TOO_LONG = "too_long"
"""Status of a call whose prompt is longer than the model's context."""


@dataclass(frozen=True, slots=True)
class PromptRef:
    """Which prompt was sent.

    Args:
        name: The prompt's file name without its ending.
        version: The version its front matter states.
        hash: First 16 hex digits of SHA-256 over the messages actually sent.
    """

    name: str
    version: str
    hash: str


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message.

    Args:
        role: Whose it is.
        content: Its text.
        images: Marks in the text, each with the address (https: or data:) of the image that stands there.
    """

    role: str
    content: str
    images: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    """One call to a model, complete: equal requests may share a completion.

    Args:
        model: The model's name, as LiteLLM takes it.
        messages: The messages to send.
        prompt: Which prompt they come from.
        schema: JSON schema the reply should satisfy; None for plain text.
        schema_name: A name for it, as providers ask for one.
        hint: The schema in words, for models that are not known to enforce it; sent in the first message, and like the
            schema's other forms no part of the prompt's hash.
        max_tokens: Most tokens of the reply.
        temperature: Sampling temperature.
        params: Further parameters for LiteLLM (api_version, extra_headers, seed, num_ctx, ...).
        repeat: Number of the repetition, for judging the same thing several times; part of the cache key.
        token: The request token that the reply must repeat; derived from the rest, so no part of the cache key.
        purpose: What the call is for: "extract", "verify", "single", "grade", "structured".
    """

    model: str
    messages: tuple[Message, ...]
    prompt: PromptRef
    schema: Mapping[str, Any] | None = None
    schema_name: str = "reply"
    hint: str = ""
    max_tokens: int = 1024
    temperature: float | None = 0.0
    params: Mapping[str, Any] = field(default_factory=dict)
    repeat: int = 0
    token: str | None = None
    purpose: str = "verify"


@dataclass(frozen=True, slots=True)
class Usage:
    """What calls cost, summed over one or more of them.

    Args:
        calls: Calls that reached a provider (a cached completion counts 0).
        cached: Completions that came from the cache.
        prompt_tokens: Tokens sent, as reported by the provider; None if some call reported none.
        completion_tokens: Tokens received, likewise.
        cost: US dollars; None if some call's price is unknown. Never a guess.
        latency_ms: Milliseconds spent waiting for providers, summed.
    """

    calls: int = 0
    cached: int = 0
    prompt_tokens: int | None = 0
    completion_tokens: int | None = 0
    cost: float | None = 0.0
    latency_ms: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        if other == _NOTHING:
            return self
        pairs: Any = zip(_PARTS(self), _PARTS(other), strict=True)
        sums: Any = (None if one is None or two is None else one + two for one, two in pairs)
        return Usage(*sums)

    @property
    def known_tokens(self) -> tuple[int, int]:
        """Tokens sent and received, 0 for what is unknown: for frameworks that know no unknown."""
        return self.prompt_tokens or 0, self.completion_tokens or 0


_NOTHING, _PARTS = Usage(), attrgetter(*Usage.__dataclass_fields__)


@dataclass(frozen=True, slots=True)
class Completion:
    """What a provider answered, raw.

    Args:
        text: The content of the message; None where there was none.
        finish_reason: As LiteLLM reports it ("stop", "length", "content_filter"), or "refusal"; None where unknown.
        refusal: The provider's own refusal text, where it has a field for that.
        reasoning: Reasoning text that came beside the content.
        model: The model that served the call, as the provider reports it.
        fingerprint: The provider's system fingerprint.
        mode: How the reply was asked for: "json_schema", "json", "md_json" or "text".
        usage: Tokens, cost and latency of this call.
        attempts: Calls that were made until this answer came.
        cached: Whether it came from the cache.
        dropped_params: Parameters that the model rejected and that were left out.
        logprobs: Start, end and log-probability of the tokens of the text that are not all but certain; None where
            nothing is known of them.
        renewed: Whether it was asked for again, as what a cache held from an earlier run was of no use.
    """

    text: str | None
    finish_reason: str | None = None
    refusal: str | None = None
    reasoning: str | None = None
    model: str | None = None
    fingerprint: str | None = None
    mode: str = "json_schema"
    usage: Usage = field(default_factory=Usage)
    attempts: int = 1
    cached: bool = False
    dropped_params: tuple[str, ...] = ()
    logprobs: tuple[tuple[int, int, float], ...] | None = None
    renewed: bool = False


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One call as a report keeps it: the request's identity, the raw completion, how it was read.

    Args:
        purpose: What the call was for.
        prompt: Which prompt was sent.
        requested_model: The model asked for.
        completion: What came back; None where the call failed.
        status: Parse status of the reading, "error", or "too_long" where the prompt did not fit the model.
        error: Class name and message of the failure, without secrets; None where there was none.
        statements: Indices (0-based) of the statements the call was about, in the order of the prompt.
        window: The part of the contexts that the call showed, as spans (index of the context, first character, one past
            the last); empty for all of them.
        scale: Name of the scale the call asked for; None where it asked for no verdicts.
        token: The request token, so that the completion can be read again later.
        key: The cache key of the request.
        attempts: Calls that were made where none brought a completion.
        free: Whether such a failed call is known to cost nothing (the provider said no).
        shared: Whether another metric of the same case made the call: its completion is kept there, under the same
            `key`, and its usage counted there.
    """

    purpose: str
    prompt: PromptRef
    requested_model: str
    completion: Completion | None = None
    status: str = "ok"
    error: str | None = None
    statements: tuple[int, ...] = ()
    window: tuple[tuple[int, int, int], ...] = ()
    scale: str | None = None
    token: str | None = None
    key: str = ""
    attempts: int = 0
    free: bool = True
    shared: bool = False
