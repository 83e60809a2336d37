"""Puts the client of a model together: one call, inside the budget, as the traffic allows, inside the retries."""

from collections.abc import Iterable
from dataclasses import dataclass

from magistrate.completion.base import CompletionClient, WrappedClient
from magistrate.completion.batches._loopback import NO_KEY
from magistrate.completion.batches.client import BatchClient, Batching
from magistrate.completion.budget import Budget, BudgetedClient
from magistrate.completion.models import KNOWN, LOCAL_PREFIX, OFFLINE, ResolvedModel, resolve_model
from magistrate.completion.providers._client import LiteLLMClient
from magistrate.completion.retry import RetryingClient, RetryPolicy
from magistrate.completion.traffic import Pace, TrafficClient, traffic_for
from magistrate.errors import ConfigurationError
from magistrate.records import Completion, CompletionRequest
from magistrate.tracing import chat_span, set_attributes

_THINKING_TOKENS = 4096
"""What a model that thinks first may think, on top of its answer."""


def open_model(
    name: str,
    *,
    api_base: str | None = None,
    api_key: str | None = None,
    params: Iterable[str] = (),
    timeout: float = 120.0,
    retry: RetryPolicy | None = None,
    budget: Budget | None = None,
    prices: tuple[float, float] | None = None,
    most_calls: int = 500,
    rpm: float | Pace | None = None,
    tpm: float | Pace | None = None,
    batching: Batching | None = None,
) -> tuple[CompletionClient, LiteLLMClient, str | None, int]:
    """Look a model up and put its client together: with what makes the calls, its address, tokens it thinks with."""
    retry = retry or RetryPolicy()
    if not isinstance(name, str):
        raise ConfigurationError(f"a model is a name, such as 'gpt-4o', not {name!r}")
    if name.strip().casefold() == OFFLINE:
        raise ConfigurationError('"offline" is no model: use the offline judge, OfflineJudge() or judge="offline"')
    if name.strip().startswith(LOCAL_PREFIX):
        if batching is not None:
            raise ConfigurationError("a local model answers at once: it takes no batches")
        from magistrate.completion._local import LocalClient, start_local  # noqa: PLC0415 - needs an extra

        server = start_local(name.strip().removeprefix(LOCAL_PREFIX))
        served = ResolvedModel(name, f"openai/{server.model}", "openai", server.api_base, "unused")
        caller = LiteLLMClient(served, timeout=timeout, prices=(0.0, 0.0))
        client: CompletionClient = TracedClient(LocalClient(caller, server), served)
        client = client if budget is None else BudgetedClient(client, budget, caller.worst_cost)
        return RetryingClient(client, retry), caller, server.identity, 0
    try:
        resolved = resolve_model(name, api_base=api_base, api_key=api_key, params=params)
    except ConfigurationError:
        if batching is None or batching.direct:
            raise
        resolved = resolve_model(name, api_base=api_base, api_key=NO_KEY, params=params)
    caller = LiteLLMClient(resolved, timeout=timeout, prices=prices)
    client = TracedClient(caller, resolved)
    if budget is not None:
        budget.check_price(known=caller.price_known)
        client = BudgetedClient(client, budget, caller.worst_cost)
    traffic = traffic_for(
        resolved.provider, resolved.api_base, most=most_calls, rpm=rpm, tpm=tpm, patience=retry.patience
    )
    client = RetryingClient(TrafficClient(client, traffic), retry)
    if batching is not None:
        direct = client if batching.direct else None
        client = BatchClient(batching, resolved, budget=budget, prices=prices, direct=direct)
    return client, caller, resolved.api_base, _THINKING_TOKENS if caller.thinks else 0


@dataclass(eq=False)
class TracedClient(WrappedClient):
    """Makes a span of each call that is made, once `magistrate.tracing.enable` was called: inside retries and cache."""

    model: ResolvedModel

    async def complete(self, request: CompletionRequest) -> Completion:
        """Answer one request, inside a span."""
        provider, base = self.model.provider, self.model.api_base
        shown = KNOWN["telemetry"].get(provider, provider)
        name = self.model.name.removeprefix(f"{provider}/")
        with chat_span(name, provider=shown, api_base=base, request=request) as span:
            completion = await self.inner.complete(request)
            set_attributes(
                span,
                {
                    "gen_ai.response.model": completion.model,
                    "gen_ai.response.finish_reasons": completion.finish_reason and (completion.finish_reason,),
                    "gen_ai.usage.input_tokens": completion.usage.prompt_tokens,
                    "gen_ai.usage.output_tokens": completion.usage.completion_tokens,
                },
            )
            return completion
