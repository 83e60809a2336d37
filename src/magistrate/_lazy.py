"""Packages whose names load on first use: the names and their homes stand once, in the stub beside the package."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

_IMPORT = re.compile(r"^from ([\w.]+) import (?:\(([^)]*)\)|(.*))$", re.MULTILINE)


def attach(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` of a package, as its `__init__.pyi` says.

    The stub is read as the package is, from a folder or an archive; a regular expression does, as importing `ast` would
    take longer than all the rest.
    """
    module = sys.modules[package]
    stub = module.__spec__.loader.get_data(f"{module.__file__}i").decode()  # type: ignore[union-attr]
    homes = {
        name.partition(" as ")[0].strip(): home
        for home, several, one in _IMPORT.findall(stub)
        for name in (several or one).split(",")
        if name.strip()
    }

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = vars(module)[name] = getattr(import_module(homes[name]), name)
        return value

    return load, lambda: sorted({*vars(module), *homes}), sorted(homes)
