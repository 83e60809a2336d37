"""Model names: from what people write to what LiteLLM takes, checked before anything is spent.

An alias adds a provider or a date to a name. It never stands for another model.
"""

from __future__ import annotations

import difflib
import importlib.util
import os
import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from magistrate.completion.parameters import checked_address
from magistrate.errors import ConfigurationError, UnknownModelError

OFFLINE = "offline"
LOCAL_PREFIX = "local:"

_RETIRED: Mapping[str, tuple[str, str]] = {
    "claude-3-haiku": ("anthropic/claude-3-haiku-20240307", "claude-haiku-4-5"),
    "claude-3-sonnet": ("anthropic/claude-3-sonnet-20240229", "claude-sonnet-4-5"),
    "claude-3-opus": ("anthropic/claude-3-opus-20240229", "claude-opus-4-5"),
    "claude-3-5-haiku": ("anthropic/claude-3-5-haiku-20241022", "claude-haiku-4-5"),
    "claude-3-5-sonnet": ("anthropic/claude-3-5-sonnet-20241022", "claude-sonnet-4-5"),
    "claude-3-7-sonnet": ("anthropic/claude-3-7-sonnet-20250219", "claude-sonnet-4-5"),
    "gemini-1.5-pro": ("gemini/gemini-1.5-pro", "gemini/gemini-2.5-pro"),
    "gemini-1.5-flash": ("gemini/gemini-1.5-flash", "gemini/gemini-2.5-flash"),
}
"""Short names of models that their vendors retired: what the name means, and what the successor is called."""

_VENDORS = ("anthropic", "mistral", "deepseek", "xai", "cohere", "cohere_chat", "gemini", "moonshot", "perplexity")
"""Providers that serve their own models: a bare name that exactly one of them has is that model."""

_KEYED: Mapping[str, str] = {
    **{
        name: f"{name.upper()}_API_KEY"
        for name in (
            *("anthropic", "cerebras", "cohere", "deepseek", "fireworks_ai", "gemini", "groq", "mistral", "moonshot"),
            *("openai", "openrouter", "xai"),
        )
    },
    "cohere_chat": "COHERE_API_KEY",
    "perplexity": "PERPLEXITYAI_API_KEY",
    "together_ai": "TOGETHERAI_API_KEY",
}
"""Providers that need a key, and its variable; others (Azure, Bedrock, Vertex, own servers) have further ways in."""

_WAYS_IN: Mapping[str, tuple[str, ...]] = {
    "azure": (
        *("AZURE_API_KEY", "AZURE_OPENAI_API_KEY", "AZURE_AD_TOKEN", "AZURE_CLIENT_ID", "AZURE_USERNAME"),
        *("AZURE_CREDENTIAL", "AZURE_FEDERATED_TOKEN_FILE"),
    ),
    "watsonx": ("WATSONX_APIKEY", "WATSONX_API_KEY", "WATSONX_TOKEN", "WATSONX_ZENAPIKEY", "WX_API_KEY"),
}
"""Providers with several ways in, and the variables of which one must be set; the first is the one to name."""
_PACKAGES: Mapping[str, tuple[str, str]] = {
    "vertex_ai": ("google.auth", "google-auth"),
    "bedrock": ("boto3", "boto3"),
    "bedrock_converse": ("boto3", "boto3"),
    "sagemaker": ("boto3", "boto3"),
}
"""Providers that need a package which LiteLLM does not bring: its module, and what to install."""
_CREDENTIAL = re.compile(r"token|key|credential|header|secret|client|user", re.IGNORECASE)
"""Names of parameters that may be a way in."""

_OLLAMA_LIKE = re.compile(
    r"^(?:(?:code)?llama|gemma|qwen|qwq|mistral|mixtral|phi|deepseek|smollm|granite|command-r|yi|olmo|nous|falcon|gpt-oss)|:"
)
_UNUSED_KEY = "unused"


class RetiredModelWarning(UserWarning):
    """A model that its vendor has retired was asked for. The name still goes to the vendor as it is."""


class Catalog(Protocol):
    """What LiteLLM knows of models."""

    def provider_of(self, name: str) -> str | None:
        """Return the provider that a name is sent to; None where none is known."""
        ...

    def names(self) -> Sequence[str]:
        """Return every name in the price map."""
        ...

    def missing_keys(self, name: str) -> Sequence[str]:
        """Return the environment variables that a name needs and that are not set."""
        ...


@dataclass(frozen=True, slots=True)
class ResolvedModel:
    """A model name that can be called."""

    requested: str
    name: str
    provider: str
    api_base: str | None = None
    api_key: str | None = field(default=None, repr=False)
    key_variable: str | None = None


def resolve_model(
    name: str,
    catalog: Catalog | None = None,
    *,
    api_base: str | None = None,
    api_key: str | None = None,
    params: Iterable[str] = (),
) -> ResolvedModel:
    """Find out what a model name means. No call is made."""
    wanted = name.strip()
    if not wanted:
        raise ConfigurationError("a model needs a name, such as gpt-4o")
    if wanted == OFFLINE:
        return ResolvedModel(name, OFFLINE, OFFLINE)
    if wanted.startswith(LOCAL_PREFIX):
        return ResolvedModel(name, wanted, "local")
    if catalog is None:
        raise ConfigurationError(f"the model {wanted!r} cannot be looked up without LiteLLM")
    api_base = checked_address(api_base)
    full = _full_name(wanted, catalog, api_base)
    provider = catalog.provider_of(full)
    if provider is None:
        raise _unknown(wanted, catalog)
    package = _PACKAGES.get(provider)
    if package is not None and not _installed(package[0]):
        raise ConfigurationError(f"{wanted} needs the package {package[1]}: pip install {package[1]}")
    ways = _WAYS_IN.get(provider, ())
    if ways and not (api_key or any(map(os.environ.get, ways)) or any(map(_CREDENTIAL.search, params))):
        raise _no_key(wanted, ways[0])
    variable = None if api_key or provider not in _KEYED else _missing_key(full, provider, catalog)
    if variable is not None and api_base is not None:
        api_key, variable = _UNUSED_KEY, None  # a server of one's own seldom wants a key, its client always does
    if variable is not None:
        raise _no_key(wanted, variable)
    return ResolvedModel(name, full, provider, api_base, api_key, _KEYED.get(provider, ways[0] if ways else None))


def _no_key(wanted: str, variable: str) -> ConfigurationError:
    return ConfigurationError(
        f"{wanted} needs a key: set the environment variable {variable}, or pass api_key "
        "(on a command line --model-arg api_key=...)"
    )


def _installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # not even the package around it
        return False


def _full_name(wanted: str, catalog: Catalog, api_base: str | None) -> str:
    plain = wanted.replace("claude-3.5", "claude-3-5").replace("claude-3.7", "claude-3-7")
    for short, (full, successor) in _RETIRED.items():
        bare = full.partition("/")[2]
        if plain in {short, f"{short}-latest", bare, full}:
            warnings.warn(
                f"{bare} is retired by its vendor; the successor is called {successor}. "
                f"Calls still go to {bare}, and are likely to fail.",
                RetiredModelWarning,
                stacklevel=5,
            )
            return full
    if catalog.provider_of(wanted) is not None or "/" in wanted:
        return wanted
    known = set(catalog.names())
    homes = [f"{vendor}/{wanted}" for vendor in _VENDORS if f"{vendor}/{wanted}" in known]
    if len(homes) == 1:
        return homes[0]
    # An address says where the model is: an OpenAI-compatible server, as nearly all are.
    return f"openai/{wanted}" if api_base is not None else wanted


def _unknown(wanted: str, catalog: Catalog) -> UnknownModelError:
    bare = wanted.rpartition("/")[2]
    near: list[str] = []
    if "/" not in wanted and _OLLAMA_LIKE.search(wanted.casefold()):
        near.append(f"ollama_chat/{wanted}")
    names = [OFFLINE, *_RETIRED, *catalog.names()]
    near += sorted(candidate for candidate in names if candidate.endswith(f"/{bare}"))[:3]
    near += difflib.get_close_matches(wanted, names, n=3, cutoff=0.7)
    near += difflib.get_close_matches(bare, [candidate for candidate in names if "/" not in candidate], n=2, cutoff=0.7)
    suggestions = tuple(dict.fromkeys(near))[:5]
    nearest = f" Nearest names: {', '.join(suggestions)}." if suggestions else ""
    return UnknownModelError(
        f"no provider is known for the model {wanted!r}.{nearest} A server of your own: openai/NAME and api_base.",
        suggestions=suggestions,
    )


def _missing_key(full: str, provider: str, catalog: Catalog) -> str | None:
    """Return the variable to set; None where no key is missing."""
    missing = [variable for variable in catalog.missing_keys(full) if variable.endswith(("_KEY", "_TOKEN"))]
    return _KEYED[provider] if missing else None
