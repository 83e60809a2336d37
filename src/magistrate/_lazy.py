"""Packages whose names load on first use: the names and their homes stand once, in the stub beside the package."""

from __future__ import annotations

import sys
from importlib import import_module

TYPE_CHECKING = False  # as `typing` and what it imports take longer to load than all the rest
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def attach(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` of a package, as its `__init__.pyi` says.

    The stub is read as the package is, from a folder or an archive.
    """
    module = sys.modules[package]
    stub = module.__spec__.loader.get_data(f"{module.__file__}i").decode()  # type: ignore[union-attr]
    homes: dict[str, str] = {}
    for statement in f"\n{stub}".split("\nfrom ")[1:]:
        home, _, names = statement.partition(" import ")
        names = names[1:].partition(")")[0] if names.startswith("(") else names.partition("\n")[0]
        homes |= {name.partition(" as ")[0].strip(): home for name in names.split(",") if name.strip()}

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = vars(module)[name] = getattr(import_module(homes[name]), name)
        return value

    return load, lambda: sorted({*vars(module), *homes}), sorted(homes)
