"""Objects of the user's own, named "module:name": imported from the working directory too, with their own faults."""

import importlib
import inspect
import sys
import tomllib
import traceback
from contextlib import suppress
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from magistrate.errors import ConfigurationError

_MOST_BYTES = 100_000
USER_FAULTS = (Exception, SystemExit)
"""What foreign code may raise that is its own fault. A script's `sys.exit` is none of our exit codes."""


def load_object(name: str, *, what: str = "") -> Any:
    """Import what "module:name" names; the name may have dots."""
    module, _, attribute = name.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        # A console script's path holds its own folder, not that of the user; what is installed is not hidden by a file.
        sys.path.append(here)
    try:
        found: Any = importlib.import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except USER_FAULTS as error:
        found = module.removeprefix("./").removesuffix(".py").replace("/", ".")
        hint = "" if attribute and found == module else f" (write {found}:{attribute or 'NAME'})"
        why = str(error)
        if not isinstance(error, ImportError | AttributeError | ValueError | SyntaxError):
            frame = traceback.extract_tb(error.__traceback__)[-1]
            why = f"{type(error).__name__}: {error} ({Path(frame.filename).name}, line {frame.lineno})"
        raise ConfigurationError(f"{f'{what} {name}'.strip()}: cannot be imported: {why}{hint}") from None
    return found


def takes(function: Any, *counts: int, **named: Any) -> bool:
    """Whether a function can be called with one of these numbers of arguments; True where that cannot be told."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return True
    for count in counts:
        with suppress(TypeError):
            signature.bind(*range(count), **named)
            return True
    return False


def read_toml(path: Path | Traversable, what: str) -> dict[str, Any]:
    """Read a small TOML file of the user's.

    Raises:
        ConfigurationError: If it cannot be read, is larger than 100 kB, or no TOML.
    """
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        if len(data) <= _MOST_BYTES:
            return tomllib.loads(data.decode("utf-8"))
        why = f"{what} of more than {_MOST_BYTES:,} bytes"
    except OSError as error:
        why = f"cannot be read: {error.strerror or error}"
    except UnicodeDecodeError as error:
        why = f"not UTF-8: {error.reason} at byte {error.start}"
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        why = f"no TOML: {error}"
    raise ConfigurationError(f"{path}: {why}")
