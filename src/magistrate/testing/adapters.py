"""The parsers of other projects, as targets of `magistrate fuzz`: each imports its project when it is asked for.

An adapter does with a reply what its project does, and says of each statement what the project would count. It adds no
check of its own. Exceptions by which a project says that it cannot read a reply are named beside it.
"""

import importlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from magistrate.errors import ConfigurationError, MissingExtraError

Adapter = Callable[..., Any]


def _rows(value: Any) -> list[Any]:
    """Take the verdicts of a decoded reply as the frameworks do: the list under "verdicts", one after another."""
    if isinstance(value, Mapping):
        value = value.get("verdicts", value.get("statements"))
    if not isinstance(value, list):
        return []
    return [_word(item.get("verdict") if isinstance(item, Mapping) else item) for item in value]


def _word(item: Any) -> str | None:
    if isinstance(item, bool | int | float):
        return "yes" if item == 1 else "no" if item == 0 else None
    word = str(item).strip().casefold()
    known = {"yes", "no", "idk", "true", "false", "supported", "contradicted", "not_enough_info", "unsupported"}
    return word if word in known else None


def _magistrate(
    reply: str, statements: Sequence[str], *, scale: str, contexts: Sequence[str], finish_reason: str | None
) -> Any:
    from magistrate.parsing import parse_verdicts  # noqa: PLC0415

    return parse_verdicts(reply, statements, scale=scale, contexts=contexts, finish_reason=finish_reason)


_FINAL: Final = "final verdict for each statement in order:"


def _promptfoo(reply: str, statements: Sequence[str]) -> list[str]:
    """Read as promptfoo's context-faithfulness does: sentences without a yes after its final line, or the noes."""
    text = reply.lower().strip()
    if _FINAL in text:
        rest = text[text.index(_FINAL) + len(_FINAL) :]
        parts = [part.strip() for part in rest.split(".") if part.strip()]
        return ["yes" if "yes" in part else "no" for part in parts]
    found = re.findall(r"verdict:\s*(yes|no)", text)
    if len(found) == len(statements):
        return list(found)
    noes = text.count("verdict: no")
    return ["no"] * noes + ["yes"] * (len(statements) - noes)


_DECODERS: Final[Mapping[str, tuple[str, str, str, bool]]] = {
    "json": ("", "json", "loads", False),
    "json_repair": ("json_repair", "json_repair", "loads", False),
    "instructor": ("instructor", "instructor.utils.core", "extract_json_from_codeblock", True),
    "langchain": ("langchain-core", "langchain_core.output_parsers", "JsonOutputParser().parse", False),
    "deepeval": ("deepeval", "deepeval.metrics.utils", "trimAndLoadJson", False),
    "ragas": ("ragas", "ragas.prompt.utils", "extract_json", True),
}
"""By name the package, the module, the function in it, and whether that only finds the JSON in a reply."""

ADAPTERS: Final[Mapping[str, tuple[str, ...]]] = {
    "magistrate": (),
    "json": ("ValueError",),
    "json_repair": (),
    "instructor": ("ValueError",),
    "langchain": ("OutputParserException", "ValueError"),
    "deepeval": ("ValueError", "DeepEvalError"),
    "ragas": ("ValueError",),
    "promptfoo": (),
}
"""By name the exceptions by which a project says that it cannot read a reply."""


def _decoder(package: str, module: str, name: str, *, finds: bool) -> Adapter:
    try:
        found = importlib.import_module(module)
    except ImportError as error:
        message = f"{package} is needed to fuzz its parser: pip install {package} ({error})"
        raise MissingExtraError(message) from error
    kind, made, method = name.partition("().")
    load = getattr(getattr(found, kind)(), method) if made else getattr(found, name)
    return lambda reply, statements: _rows(json.loads(load(reply)) if finds else load(reply))[: len(statements) + 1]


def load_adapter(name: str) -> tuple[Adapter, tuple[str, ...]]:
    """Return a parser by its name, and the exceptions by which it says that it cannot read a reply."""
    if name not in ADAPTERS:
        raise ConfigurationError(f"{name!r} is neither module:function nor one of {', '.join(ADAPTERS)}")
    if name in _DECODERS:
        *where, finds = _DECODERS[name]
        return _decoder(*where, finds=finds), ADAPTERS[name]
    return (_magistrate if name == "magistrate" else _promptfoo), ADAPTERS[name]
