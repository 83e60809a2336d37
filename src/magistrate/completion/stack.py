"""Puts the client of a model together: one call, inside the budget, inside the retries."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from magistrate.completion.base import CompletionClient
from magistrate.completion.budget import Budget, BudgetedClient
from magistrate.completion.litellm_client import LiteLLMCatalog, LiteLLMClient
from magistrate.completion.models import LOCAL_PREFIX, OFFLINE, ResolvedModel, resolve_model
from magistrate.completion.retry import RetryingClient, RetryPolicy
from magistrate.errors import ConfigurationError

__all__ = ["OpenModel", "open_model"]

_THINKING_TOKENS = 4096
"""What a model that thinks first may think, on top of its answer."""


@dataclass(frozen=True, slots=True)
class OpenModel:
    """A model that is ready to be called.

    Args:
        client: What answers requests.
        model: The name as LiteLLM takes it.
        address: What tells it from another model of the same name: the address in use, where it is not the provider's
            own, or the file of a local model.
        spare_tokens: Tokens to add to a computed limit of a reply.
    """

    client: CompletionClient
    model: str
    address: str | None
    spare_tokens: int


@lru_cache(maxsize=1)
def _catalog() -> LiteLLMCatalog:
    return LiteLLMCatalog()


def open_model(
    name: str,
    *,
    api_base: str | None = None,
    api_key: str | None = None,
    timeout: float = 120.0,
    retry: RetryPolicy | None = None,
    budget: Budget | None = None,
    prices: tuple[float, float] | None = None,
) -> OpenModel:
    """Look a model up and put its client together. No call is made.

    Raises:
        UnknownModelError: If no provider is known for the name.
        MissingExtraError: If a local model is asked for and its extra is not installed.
        ConfigurationError: If the name is "offline", which is no model, or the key is missing.
    """
    if name.strip() == OFFLINE:
        raise ConfigurationError('"offline" is no model: use the offline judge')
    if name.strip().startswith(LOCAL_PREFIX):
        from magistrate.completion.local import LocalClient, start_local  # noqa: PLC0415 - needs an extra

        server = start_local(name.strip().removeprefix(LOCAL_PREFIX))
        served = ResolvedModel(name, f"openai/{server.model}", "openai", server.api_base, "unused")
        inner: CompletionClient = LocalClient(LiteLLMClient(served, timeout=timeout, prices=(0.0, 0.0)), server)
        return OpenModel(_wrapped(inner, None, retry, budget), served.name, server.identity, 0)
    resolved = resolve_model(name, _catalog(), api_base=api_base, api_key=api_key)
    client = LiteLLMClient(resolved, timeout=timeout, prices=prices)
    spare = _THINKING_TOKENS if client.thinks else 0
    return OpenModel(_wrapped(client, client, retry, budget), resolved.name, resolved.api_base, spare)


def _wrapped(
    client: CompletionClient, priced: LiteLLMClient | None, retry: RetryPolicy | None, budget: Budget | None
) -> CompletionClient:
    if budget is not None:
        client = BudgetedClient(client, budget, priced.worst_cost if priced is not None else lambda _: 0.0)
    return RetryingClient(client, retry)
