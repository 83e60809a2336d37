"""Calls to models: Instructor shapes the request, LiteLLM carries it, the raw completion comes back.

What the libraries make of a reply is not used; the raw completion is read by our parser.
"""

import asyncio
import json
import os
import re
import time
import weakref
from collections.abc import Awaitable, Callable, Mapping
from functools import cached_property
from typing import Any

from magistrate.completion.models import KNOWN, ResolvedModel, provider_of
from magistrate.completion.providers._capabilities import MODES, Accepted, capabilities_of
from magistrate.completion.providers._connections import LOOPS, minding_worker
from magistrate.completion.providers._errors import translate
from magistrate.completion.providers._library import library, not_while_calling, prepare_streams, quietly
from magistrate.completion.providers._request_schema import as_messages, prepare_shaping, shaped
from magistrate.completion.schemas import for_provider
from magistrate.completion.streams import Hear, listener, texts_of
from magistrate.completion.tokens import likely_tokens, upper_bound
from magistrate.errors import JudgeRequestError, JudgeServerError
from magistrate.parsing.reply.source import ending
from magistrate.records import Completion, CompletionRequest, Usage
from magistrate.redact import HIDDEN, secret_values

_WITH_VERDICTS = frozenset({"verify", "single"})
"""Purposes of calls whose replies hold verdicts: of those it is asked how sure the model was."""
_CERTAIN = -1e-4
_MOST_STEPS = 8
_BROKEN = "error"
"""The provider failed in the middle of its reply."""
_ENDINGS: dict[str, str] = {word: end for end, words in KNOWN["endings"].items() for word in words.split()}
_LONGEST_ENDING = 60
_SMALLEST_CONTEXT = 4096
_LARGEST_CONTEXT = 131_072
_SHORTEST_KEY = 8
_TOKENS_PER_IMAGE = 3_000
"""More than any provider counts for an image of its largest size."""

_ABOUT_REQUEST = re.compile(r"(?i)grammar|chat template|jinja|system role")
"""Some servers answer 500 to a request that they cannot take."""


Carrier = Callable[..., Awaitable[Any]]
"""Takes a call (model, LiteLLM's parameters, who listens to a stream), brings LiteLLM's answer or an error of ours."""


class LiteLLMClient:
    """Makes one call to one model per request. It neither retries nor caches."""

    def __init__(
        self,
        model: ResolvedModel,
        *,
        timeout: float = 120.0,
        prices: tuple[float, float] | None = None,
        carry: Carrier | None = None,
    ) -> None:
        library()
        prepare_shaping(MODES[0], not_while_calling)
        self.model = model
        self._carry = carry or carried
        self._timeout = timeout
        self._prices = prices
        self._capabilities = capabilities_of(model.name, model.api_base)
        self._loops: weakref.WeakSet[asyncio.AbstractEventLoop] = weakref.WeakSet()

    async def complete(self, request: CompletionRequest) -> Completion:
        """Make the call, stepping down where the model refuses how it is asked."""
        await LOOPS.enter(self._loops)
        for _ in range(_MOST_STEPS):
            accepted = self._capabilities.accepted
            sent = self._parameters(request, accepted)
            started = time.perf_counter()
            try:
                with quietly(priced=self._prices is None and self.price_known):
                    raw = await self._call(request, accepted, sent)
            except RefusedRequestError as refusal:
                error, said = refusal.args
                if self._capabilities.learn(said, accepted, sent):
                    continue
                raise error from None
            return self._completion(raw, accepted, (time.perf_counter() - started) * 1000.0, request.params)
        raise JudgeRequestError(
            f"{self.model.name} refused the request in every form that it can be made", model=self.model.name
        )

    async def close(self) -> None:
        """Close the connections of this event loop, if no other client uses them."""
        await LOOPS.leave(self._loops)

    def worst_cost(self, request: CompletionRequest) -> float | None:
        """Return the highest price of a request in US dollars; None where the price is unknown."""
        prices = self._token_prices()
        if prices is None:
            return None
        prompt = sum(
            upper_bound(message.content) + _TOKENS_PER_IMAGE * len(message.images) for message in request.messages
        )
        return (prompt + upper_bound(str(request.schema))) * prices[0] + request.max_tokens * prices[1]

    @property
    def price_known(self) -> bool:
        return self._token_prices() is not None

    def likely(self, request: CompletionRequest, reply_tokens: int) -> tuple[int, float | None]:
        """Return the likely tokens of a prompt, and the likely price of a call; None where the price is unknown."""
        accepted = self._capabilities.accepted
        enforced, prompt = False, 0
        if request.schema is not None and accepted.mode == MODES[0]:
            schema, enforced = for_provider(request.schema, binding=accepted.strict and self._enforces_schemas)
            prompt = likely_tokens(json.dumps(schema, separators=(",", ":"), ensure_ascii=False, default=dict))
        prompt += 0 if enforced else likely_tokens(request.hint)
        for message in request.messages:
            prompt += likely_tokens(message.content) + _TOKENS_PER_IMAGE * len(message.images)
        prices = self._token_prices()
        return prompt, None if prices is None else prompt * prices[0] + reply_tokens * prices[1]

    @cached_property
    def thinks(self) -> bool:
        """Whether the model is known to think before it answers, which the limit of its reply must leave room for."""
        return bool(library().supports_reasoning(model=self.model.name))

    def _token_prices(self) -> tuple[float, float] | None:
        if self._prices is not None:
            return self._prices[0] / 1e6, self._prices[1] / 1e6
        known = library().model_cost.get(self.model.name) or library().model_cost.get(self.model.name.partition("/")[2])
        if not known or known.get("input_cost_per_token") is None or known.get("output_cost_per_token") is None:
            return None
        return float(known["input_cost_per_token"]), float(known["output_cost_per_token"])

    def _parameters(self, request: CompletionRequest, accepted: Accepted) -> dict[str, Any]:
        """Collect the parameters of a call, less those that the model refused."""
        limit = request.max_tokens if accepted.limit is None else min(request.max_tokens, accepted.limit)
        sent: dict[str, Any] = dict(request.params)
        sent.setdefault(accepted.limit_name, limit)
        if request.temperature is not None:
            sent.setdefault("temperature", request.temperature)
        if self.model.provider.startswith("ollama") and "num_ctx" not in sent:
            sent["num_ctx"] = self._context_window(request)
        if request.purpose in _WITH_VERDICTS and self._tells_probabilities:
            sent.setdefault("logprobs", True)
        return {name: value for name, value in sent.items() if name not in accepted.dropped}

    def _context_window(self, request: CompletionRequest) -> int:
        """Choose a context window that the prompt is sure to fit: Ollama drops the front of one that does not."""
        needed = sum(upper_bound(message.content) for message in request.messages) + request.max_tokens
        window = max(_SMALLEST_CONTEXT, self._capabilities.num_ctx)
        while window < min(needed, _LARGEST_CONTEXT):
            window *= 2
        self._capabilities.num_ctx = max(window, self._capabilities.num_ctx)
        return window

    async def _call(self, request: CompletionRequest, accepted: Accepted, sent: Mapping[str, Any]) -> Any:
        mode, hearing = accepted.mode, None
        if request.schema is None or mode == "text":
            hearing = listener.get() if request.schema is None else None
            sent = {**sent, "messages": as_messages(request, system=accepted.system, enforced=False)}
        else:
            schema, strict = for_provider(request.schema, binding=accepted.strict and self._enforces_schemas)
            strict = strict and mode == MODES[0]
            messages = as_messages(request, system=accepted.system, enforced=strict)
            sent = {**sent, **shaped(mode, request.schema_name, schema, messages)}
            if strict:
                form = sent["response_format"]
                sent["response_format"] = {**form, "json_schema": {**form["json_schema"], "strict": True}}
        sent = {"timeout": self._timeout, **sent, "model": self.model.name}
        if self._route is not None:
            sent.setdefault("custom_llm_provider", self._route)
        if hearing is None:
            return await self._carry(self.model, sent)
        prepare_streams()
        sent |= {"stream": True, "stream_options": {"include_usage": True}}
        return await self._carry(self.model, sent, hearing)

    @cached_property
    def _route(self) -> str | None:
        """The provider; None where the name says it. LiteLLM would look for it in each call, address by address."""
        return None if "/" in self.model.name else provider_of(self.model.name, api_base=self.model.api_base)

    @cached_property
    def _enforces_schemas(self) -> bool:
        """Whether the model is known to enforce a strict schema. A hint, never a gate: others get a plain schema."""
        return bool(_told(library().supports_response_schema, model=self.model.name))

    @cached_property
    def _tells_probabilities(self) -> bool:
        """Whether LiteLLM says that the model gives the log-probabilities of its tokens."""
        named = {"model": self.model.name, "custom_llm_provider": self._route}
        return not self.thinks and "logprobs" in (_told(library().get_supported_openai_params, **named) or ())

    def _completion(self, raw: Any, accepted: Accepted, latency_ms: float, params: Mapping[str, Any]) -> Completion:
        choices: Any = getattr(raw, "choices", None) or [None]
        message = getattr(choices[0], "message", None)
        finish = None if message is None else _finish_reason(choices[0])
        if message is None or finish == _BROKEN:
            flaw = "broke off in the middle of its reply" if finish else "sent an answer without a message"
            name = self.model.name
            raise JudgeServerError(f"{name} {flaw}", model=name, retryable=True, billable=True)
        fields = getattr(message, "provider_specific_fields", None) or {}
        text, refusal = _text_of(message), getattr(message, "refusal", None) or fields.get("refusal")
        known = {self.model.api_key, os.environ.get(self.model.key_variable or ""), *secret_values(params)}
        keys = sorted((one for one in known if one and len(one) >= _SHORTEST_KEY), key=len, reverse=True)

        def without_keys(said: str | None) -> str | None:
            """What some servers send back, less the keys of its own call; nothing else in it is changed."""
            for key in keys:
                said = said and said.replace(key, HIDDEN)
            return said

        return Completion(
            text=without_keys(text),
            finish_reason=finish,
            refusal=without_keys(refusal) if isinstance(refusal, str) else None,
            reasoning=without_keys(getattr(message, "reasoning_content", None)),
            model=without_keys(getattr(raw, "model", None)),
            fingerprint=without_keys(getattr(raw, "system_fingerprint", None)),
            mode=accepted.mode,
            usage=self._usage(raw, latency_ms, blank=not text),
            dropped_params=tuple(sorted(accepted.dropped - {"logprobs"})),
            logprobs=_doubtful(getattr(choices[0], "logprobs", None), without_keys(text)),
        )

    def _usage(self, raw: Any, latency_ms: float, *, blank: bool) -> Usage:
        """What a call took. What a provider does not say, or cannot be, is unknown, and so is the cost then."""
        reported = getattr(raw, "usage", None)
        prompt, completion = (_count(getattr(reported, name, None)) for name in ("prompt_tokens", "completion_tokens"))
        prompt, completion = prompt or None, completion if completion or blank else None
        prices, cost = self._token_prices(), None
        if prices == (0.0, 0.0):
            cost = 0.0
        elif prices is not None and prompt is not None and completion is not None:
            cost = (getattr(raw, "_hidden_params", None) or {}).get("response_cost")
            if self._prices is not None or not isinstance(cost, int | float) or cost <= 0:
                cost = prompt * prices[0] + completion * prices[1]
        return Usage(1, 0, prompt, completion, cost, latency_ms)


def _told(ask: Callable[..., Any], **named: Any) -> Any:
    """What LiteLLM says of a name; None where it does not know it, for which it raises what it likes."""
    try:
        return ask(**named)
    except Exception:  # noqa: BLE001
        return None


def _finish_reason(choice: Any) -> str | None:
    """Why a reply ended, as LiteLLM reports it, "refusal" or `_BROKEN`; None where unknown.

    LiteLLM calls every word that it does not know "stop", and some that it knows; what the provider said is beside it.
    A word on none of the lists goes on as it is: the parser takes it for no clean end.
    """
    reported = getattr(choice, "finish_reason", None)
    of_message = getattr(choice.message, "provider_specific_fields", None) or {}
    of_choice = getattr(choice, "provider_specific_fields", None) or {}
    for native in (of_message.get("stop_reason"), of_choice.get("native_finish_reason")):
        if isinstance(native, str) and native.casefold() in _ENDINGS:
            return _ENDINGS[native.casefold()]
        if isinstance(native, str) and ending(native) is not None:
            return native[:_LONGEST_ENDING]
    return reported if isinstance(reported, str) else None


def _doubtful(logprobs: Any, text: str | None) -> tuple[tuple[int, int, float], ...] | None:
    """Place and log-probability of the tokens that are not all but certain; None unless all tokens make the text."""
    tokens = getattr(logprobs, "content", None) or []
    found, at = [], 0
    for token in tokens:
        said, value = getattr(token, "token", None), getattr(token, "logprob", None)
        if not isinstance(said, str) or not isinstance(value, int | float) or not text or not text.startswith(said, at):
            return None
        if value < _CERTAIN:
            found.append((at, at + len(said), round(float(value), 4)))
        at += len(said)
    return tuple(found) if tokens and at == len(text or "") else None


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _text_of(message: Any) -> str | None:
    """The text of a message: its content, or else what its calls of tools say."""
    calls = getattr(message, "tool_calls", None)
    if message.content is not None or not calls:
        return message.content if isinstance(message.content, str) else None
    texts = [getattr(call.function, "arguments", None) for call in calls]
    return "\n".join(text for text in texts if isinstance(text, str) and text.strip()) or None


class RefusedRequestError(Exception):
    """A refused request: our error, and all that the provider said, as what it teaches is not in the short message."""


async def carried(model: ResolvedModel, sent: dict[str, Any], hearing: Hear | None = None) -> Any:
    """Make the call, inside `quietly`; what is raised is ours."""
    if model.api_base is not None:
        sent["api_base"] = model.api_base
    if model.api_key is not None:
        sent["api_key"] = model.api_key
    chunks: list[Any] = []
    try:
        # The library's own timeouts count from one piece of an answer to the next.
        async with asyncio.timeout(sent["timeout"]):
            raw = await minding_worker(library().acompletion(num_retries=0, max_retries=0, **sent))
            if hearing is None:
                return raw
            async for chunk in raw:
                chunks.append(chunk)
                for text in texts_of(chunk):
                    hearing(text)
            return library().stream_chunk_builder(chunks, messages=sent["messages"])
    except Exception as error:  # noqa: BLE001 - whatever it is, it becomes one of ours
        ours, said = translate(error, model, secret_values(sent)), str(error)
    if any(map(texts_of, chunks)):
        raise ours.but(retryable=False) from None
    if isinstance(ours, JudgeRequestError) or (isinstance(ours, JudgeServerError) and _ABOUT_REQUEST.search(said)):
        raise RefusedRequestError(ours, said)
    raise ours from None  # its context would hold the request
