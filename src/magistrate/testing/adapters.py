"""The parsers of other projects, as targets of `magistrate fuzz`: each imports its project when it is asked for.

An adapter does with a reply what its project does, and says of each statement what the project would count. It adds no
check of its own. Exceptions by which a project says that it cannot read a reply are named beside it.
"""

from __future__ import annotations

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


def _magistrate() -> Adapter:
    from magistrate.parsing import parse_verdicts  # noqa: PLC0415

    def read(
        reply: str, statements: Sequence[str], *, scale: str, contexts: Sequence[str], finish_reason: str | None
    ) -> Any:
        return parse_verdicts(reply, statements, scale=scale, contexts=contexts, finish_reason=finish_reason)

    return read


def _json() -> Adapter:
    return lambda reply, statements: _rows(json.loads(reply))[: len(statements) + 1]


def _json_repair() -> Adapter:
    loads = _project("json_repair", "json_repair").loads
    return lambda reply, statements: _rows(loads(reply))[: len(statements) + 1]


def _instructor() -> Adapter:
    extract = _project("instructor", "instructor.utils.core").extract_json_from_codeblock
    return lambda reply, statements: _rows(json.loads(extract(reply)))[: len(statements) + 1]


def _langchain() -> Adapter:
    parser = _project("langchain-core", "langchain_core.output_parsers").JsonOutputParser()
    return lambda reply, statements: _rows(parser.parse(reply))[: len(statements) + 1]


def _deepeval() -> Adapter:
    load = _project("deepeval", "deepeval.metrics.utils").trimAndLoadJson
    return lambda reply, statements: _rows(load(reply))[: len(statements) + 1]


def _ragas() -> Adapter:
    extract = _project("ragas", "ragas.prompt.utils").extract_json
    return lambda reply, statements: _rows(json.loads(extract(reply)))[: len(statements) + 1]


_FINAL: Final = "final verdict for each statement in order:"
_NO: Final = "verdict: no"


def _promptfoo() -> Adapter:
    """Read as promptfoo's context-faithfulness does: sentences without a yes after its final line, or the noes."""

    def read(reply: str, statements: Sequence[str]) -> list[str]:
        text = reply.lower().strip()
        if _FINAL in text:
            rest = text[text.index(_FINAL) + len(_FINAL) :]
            parts = [part.strip() for part in rest.split(".") if part.strip()]
            return ["yes" if "yes" in part else "no" for part in parts]
        found = re.findall(r"verdict:\s*(yes|no)", text)
        if len(found) == len(statements):
            return list(found)
        missing = len(statements) - text.count(_NO)
        return ["no"] * (len(statements) - missing) + ["yes"] * missing

    return read


ADAPTERS: Final[Mapping[str, tuple[Callable[[], Adapter], tuple[str, ...]]]] = {
    "magistrate": (_magistrate, ()),
    "json": (_json, ("ValueError",)),
    "json_repair": (_json_repair, ()),
    "instructor": (_instructor, ("ValueError",)),
    "langchain": (_langchain, ("OutputParserException", "ValueError")),
    "deepeval": (_deepeval, ("ValueError", "DeepEvalError")),
    "ragas": (_ragas, ("ValueError",)),
    "promptfoo": (_promptfoo, ()),
}
"""By name what makes the target, and the exceptions by which it says that it cannot read a reply."""


def _project(package: str, module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        message = f"{package} is needed to fuzz its parser: pip install {package} ({error})"
        raise MissingExtraError(message) from error


def load_adapter(name: str) -> tuple[Adapter, tuple[str, ...]]:
    """Return a parser by its name, and the exceptions by which it says that it cannot read a reply.

    Raises:
        ConfigurationError: If there is none of that name.
        MissingExtraError: If its project is not installed.
    """
    if name not in ADAPTERS:
        raise ConfigurationError(f"{name!r} is neither module:function nor one of {', '.join(ADAPTERS)}")
    make, raises = ADAPTERS[name]
    return make(), raises
