"""Gates from a TOML file: what the figures of each metric must reach."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from magistrate.errors import ConfigurationError
from magistrate.evaluation.gate import Gate

__all__ = ["load_gates", "shipped_gates"]

_KEYS = ("threshold", "min_coverage", "max_drop")
_MOST_BYTES = 100_000


def load_gates(source: str | Path) -> list[Gate]:
    """Load the gates of a file, or those that the package ships under a name: "vera", "seeds".

    The file holds a table for each metric, and one for what holds for all that do not say otherwise:

        [default]
        min_coverage = 0.95

        [metrics.faithfulness]
        threshold = 0.85      # least mean; greatest where less is better
        max_drop = 0.02       # against the baseline, which --baseline names

    Raises:
        ConfigurationError: If there is no such file, or it says something else; the message names the entry.
    """
    name, text = _read(source)
    try:
        given: Mapping[str, Any] = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigurationError(f"{name}: no TOML: {error}") from None
    for key in given:
        if key not in ("default", "metrics"):
            raise ConfigurationError(f"{name}: unknown table [{key}]: a gate file holds [default] and [metrics.NAME]")
    default = _checked(given.get("default", {}), name, "default")
    tables = given.get("metrics")
    if not isinstance(tables, Mapping) or not tables:
        raise ConfigurationError(f"{name}: no [metrics.NAME] table, so nothing would be gated")
    gates = []
    for metric, table in tables.items():
        own = {**default, **_checked(table, name, f"metrics.{metric}")}
        if not own:
            raise ConfigurationError(f"{name}: [metrics.{metric}] asks for nothing: give {', '.join(_KEYS)}")
        gates.append(Gate(metric=metric, gate_mean="threshold" in own, **own))
    return gates


def shipped_gates() -> list[str]:
    """The names of the gate files that the package ships."""
    return sorted(item.name.removesuffix(".toml") for item in _folder().iterdir() if item.name.endswith(".toml"))


def _read(source: str | Path) -> tuple[str, str]:
    path = Path(source)
    if path.suffix == "" and not path.exists():
        shipped = shipped_gates()
        if str(source) in shipped:
            return str(source), (_folder() / f"{source}.toml").read_text("utf-8")
        near = difflib.get_close_matches(str(source), shipped, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"the package ships {', '.join(shipped)}"
        raise ConfigurationError(f"{path}: no such gate file; {hint}")
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read: {error.strerror or error}") from None
    if len(data) > _MOST_BYTES:
        raise ConfigurationError(f"{path}: a gate file of more than {_MOST_BYTES:,} bytes")
    try:
        return str(path), data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path}: not UTF-8: {error.reason} at byte {error.start}") from None


def _checked(table: Any, name: str, where: str) -> dict[str, float]:
    if not isinstance(table, Mapping):
        raise ConfigurationError(f"{name}: {where} is a table, such as [{where}]")
    for key, value in table.items():
        if key not in _KEYS:
            near = difflib.get_close_matches(key, _KEYS, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else f"; it may hold {', '.join(_KEYS)}"
            raise ConfigurationError(f"{name}: [{where}] holds {key!r}{hint}")
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0.0 <= value <= 1.0:
            raise ConfigurationError(f"{name}: [{where}] {key} is a number from 0 to 1, not {value!r}")
    return {key: float(value) for key, value in table.items()}


def _folder() -> Traversable:
    """Find the shipped gates: inside an installed wheel, or beside the sources of an editable install or an sdist."""
    packaged = files("magistrate") / "_gates"
    if packaged.is_dir():
        return packaged
    source = Path(__file__).resolve().parents[3] / "gates"
    if source.is_dir():
        return source
    raise ConfigurationError(f"no gates found, neither at {packaged} nor at {source}: reinstall magistrate")
