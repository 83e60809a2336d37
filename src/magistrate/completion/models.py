"""Model names, addresses and parameters: what people write and what LiteLLM takes, checked before anything is spent.

An alias adds a provider or a date to a name. It never stands for another model. A parameter that is refused here would
fail in every call, or change what is called while the reports name something else.
"""

import difflib
import importlib.util
import math
import os
import re
import tomllib
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, Final

from magistrate.completion.providers._library import library
from magistrate.errors import ConfigurationError, UnknownModelError

OFFLINE = "offline"
LOCAL_PREFIX = "local:"

KNOWN: Final = tomllib.loads(files("magistrate.completion").joinpath("providers.toml").read_text("utf-8"))
"""What is known of models and providers beside LiteLLM's own map."""
_VARIABLES: Final = KNOWN["keys"] | KNOWN["variables"] | {name: ways[0] for name, ways in KNOWN["ways_in"].items()}
_DECIDED: Final = {name: reason for reason, names in KNOWN["decided"].items() for name in names}
_CREDENTIAL = re.compile(r"token(?!s)|key|credential|header|secret|client|user|role|profile", re.IGNORECASE)
"""Names of parameters that may be a way in."""

_JUDGE_LIKE = re.compile(r"[A-Za-z_][\w.]*:[A-Z]\w*")
_OLLAMA_LIKE = re.compile(
    r"^(?:(?:code)?llama|gemma|qwen|qwq|mistral|mixtral|phi|deepseek|smollm|granite|command-r|yi|olmo|nous|falcon|gpt-oss)|:"
)


class RetiredModelWarning(UserWarning):
    """A model that its vendor has retired was asked for. The name still goes to the vendor as it is."""


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
    *,
    api_base: str | None = None,
    api_key: str | None = None,
    params: Iterable[str] = (),
) -> ResolvedModel:
    """Find out what a model name means. No call is made, but what AWS's library asks the machine for its role."""
    wanted = name.strip()
    if not wanted:
        raise ConfigurationError("a model needs a name, such as gpt-4o")
    api_base = checked_address(api_base)
    full, credential = _retired(wanted), any(map(_CREDENTIAL.search, params))
    full = full or _full_name(wanted, api_base)
    provider = provider_of(full)
    if provider is None:
        raise _unknown(wanted)
    package = KNOWN["packages"].get(provider)
    if package is not None and not _installed(package[0]):
        raise ConfigurationError(f"{wanted} needs the package {package[1]}: pip install {package[1]}")
    ways = KNOWN["ways_in"].get(provider, ())
    if ways and not (api_key or any(map(os.environ.get, ways)) or credential):
        raise _no_key(wanted, ways[0])
    if package is not None and package[0] == "boto3" and not (api_key or credential or _finds_aws_credentials()):
        raise _no_key(wanted, _VARIABLES[provider])
    if not api_key and (variable := _missing_key(full, provider)) is not None:
        if api_base is None:
            raise _no_key(wanted, variable)
        api_key = "unused"  # a server of one's own seldom wants a key, its client always does
    return ResolvedModel(name, full, provider, api_base, api_key, _variable(provider))


def provider_of(name: str, *, api_base: str | None = None) -> str | None:
    """Who serves a name, as LiteLLM knows it; None where it does not."""
    try:
        return str(library().get_llm_provider(name, api_base=api_base)[1])
    except library().BadRequestError:
        return None


def _no_key(wanted: str, variable: str) -> ConfigurationError:
    return ConfigurationError(
        f"{wanted} needs a key: set the environment variable {variable}, or pass api_key "
        "(on a command line --model-arg api_key=...)"
    )


def _finds_aws_credentials() -> bool:
    """Whether AWS's library finds a way in, wherever it looks: variables, files, the machine's own role."""
    found = bool(os.environ.get("AWS_BEARER_TOKEN_BEDROCK"))
    return found or importlib.import_module("botocore.session").Session().get_credentials() is not None


def _installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # not even the package around it
        return False


def _retired(wanted: str) -> str | None:
    plain = wanted.replace("claude-3.5", "claude-3-5").replace("claude-3.7", "claude-3-7")
    for short, (full, successor) in KNOWN["retired"].items():
        bare = full.partition("/")[2]
        if plain in {short, f"{short}-latest", bare, full}:
            warnings.warn(
                f"{bare} is retired by its vendor; the successor is called {successor}. "
                f"Calls still go to {bare}, and are likely to fail.",
                RetiredModelWarning,
                stacklevel=5,
            )
            return str(full)
    return None


def _full_name(wanted: str, api_base: str | None) -> str:
    if provider_of(wanted) is not None or "/" in wanted:
        return wanted
    known = library().model_cost
    homes = [f"{vendor}/{wanted}" for vendor in KNOWN["vendors"] if f"{vendor}/{wanted}" in known]
    if len(homes) == 1:
        return homes[0]
    # An address says where the model is: an OpenAI-compatible server, as nearly all are.
    return f"openai/{wanted}" if api_base is not None else wanted


def _unknown(wanted: str) -> UnknownModelError:
    bare = wanted.rpartition("/")[2]
    near = [f"judge:{wanted}"] if _JUDGE_LIKE.fullmatch(wanted) else []
    if "/" not in wanted and _OLLAMA_LIKE.search(wanted.casefold()):
        near.append(f"ollama_chat/{wanted}")
    names = [OFFLINE, *KNOWN["retired"], *library().model_cost]
    near += sorted(candidate for candidate in names if candidate.endswith(f"/{bare}"))[:3]
    near += difflib.get_close_matches(wanted, names, n=3, cutoff=0.7)
    near += difflib.get_close_matches(bare, [candidate for candidate in names if "/" not in candidate], n=2, cutoff=0.7)
    suggestions = tuple(dict.fromkeys(near))[:5]
    nearest = f" Nearest names: {', '.join(suggestions)}." if suggestions else ""
    return UnknownModelError(
        f"no provider is known for the model {wanted!r}.{nearest} Your own server: openai/NAME, api_base (--api-base).",
        suggestions=suggestions,
    )


def _missing_key(full: str, provider: str) -> str | None:
    """Return the variable to set; None where no key is missing."""
    if provider in KNOWN["keys"]:
        found = not any(
            name.endswith(("_KEY", "_TOKEN")) for name in library().validate_environment(full)["missing_keys"]
        )
    else:  # LiteLLM looks for the key itself, and would send that of OpenAI if there is none
        found = provider not in library().openai_compatible_providers or bool(library().get_llm_provider(full)[2])
    variable = _variable(provider)
    if variable is not None and not os.environ.get(variable, "-").strip():  # as a secret that CI does not have
        found = any(one[:4] == variable[:4] and one.endswith("_KEY") and key.strip() for one, key in os.environ.items())
    return None if found or provider in KNOWN["ways_in"] else variable


def _variable(provider: str) -> str | None:
    """Where the key of a provider is found; None where nothing is known of it."""
    usual = f"{provider.upper().replace('-', '_')}_API_KEY"
    known: str | None = _VARIABLES.get(provider)
    return known or (usual if provider in library().openai_compatible_providers else None)


_HEADERS: Final = ("extra_headers", "headers", "default_headers")


def checked_parameters(params: Mapping[str, Any] | None, *, timeout: float) -> tuple[dict[str, Any], float]:
    """Check the parameters that go along with each call."""
    checked = dict(params or {})
    for name in checked:
        if name in _DECIDED:
            raise ConfigurationError(f"the parameter {name} cannot be set: {_DECIDED[name]}")
    for name in _HEADERS:
        headers = checked.get(name)
        fine = isinstance(headers, Mapping) and all(isinstance(text, str) for pair in headers.items() for text in pair)
        if headers is not None and not fine:
            raise ConfigurationError(f'{name} must be an object of texts, such as {{"X-Team": "search"}}')
    if "timeout" in checked:
        seconds = checked.pop("timeout")
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds < math.inf:
            raise ConfigurationError(f"timeout is {str(seconds)[:40]!r}, and must be seconds, such as 300")
        timeout = float(seconds)
    return checked, timeout


def checked_address(address: str | None, *, name: str = "api_base") -> str | None:
    """Check the address of a provider."""
    if address is None:
        return None
    scheme, separator, rest = address.strip().partition("://")
    if not separator or scheme.casefold() not in {"http", "https"} or not rest.strip("/"):
        shown = f"{scheme}://..." if "@" in address else address[:100]
        raise ConfigurationError(f"{name} {shown!r} is no address: expected one such as http://localhost:8000/v1")
    return address.strip()
