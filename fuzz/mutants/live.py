"""Mutants put into a process in which everything is loaded already: the code of a function is swapped."""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

__all__ = ["fits", "forget", "import_again", "load", "put", "used_at_import"]


def fits(module: ModuleType, path: tuple[str, ...], code: CodeType) -> bool:
    """Whether a function can be reached, and takes the code: both use the same variables around it."""
    function = _function(module, path)
    return function is not None and function.__code__.co_freevars == code.co_freevars


def put(module: ModuleType, path: tuple[str, ...], code: CodeType) -> None:
    """Give a function of a module other code that fits."""
    function = _function(module, path)
    assert function is not None
    function.__code__ = code


def _function(module: ModuleType, path: tuple[str, ...]) -> FunctionType | None:
    found: Any = module
    for name in path:
        found = vars(found).get(name)
    for _ in range(8):  # decorators, one around the other
        if isinstance(found, property):
            found = found.fget
        elif isinstance(found, staticmethod | classmethod):
            found = found.__func__
        elif isinstance(found, cached_property):
            found = found.func
        elif hasattr(found, "__wrapped__"):
            found = found.__wrapped__
        elif hasattr(found, "wrapped"):
            found = found.wrapped
    return found if isinstance(found, FunctionType) else None


@cache
def _caches() -> tuple[Callable[[], None], ...]:
    modules = [module for name, module in sys.modules.items() if name.partition(".")[0] == "magistrate"]
    found = {
        id(one): one.cache_clear for module in modules for one in vars(module).values() if hasattr(one, "cache_clear")
    }
    return tuple(found.values())


def forget() -> None:
    """Empty the caches of the functions of the package: they may hold what a function said before it was swapped.

    Those of the modules that were loaded at the first call; a copy of this process loads the others anew.
    """
    for clear in _caches():
        clear()


def used_at_import(source: str) -> frozenset[str]:
    """The functions of a module that run while it is imported."""
    tree = ast.parse(source)
    names = {node.name: _names(node) for node in tree.body if isinstance(node, ast.FunctionDef)}
    pending = [name for node in _tables(tree, frozenset(names)) for name in _names(node) if name in names]
    used: set[str] = set()
    while pending:
        name = pending.pop()
        if name not in used:
            used.add(name)
            pending += names[name] & names.keys()
    return frozenset(used)


def import_again(module: ModuleType, source: str) -> None:
    """Run the statements of a module that call its own functions once more, so that a swapped one shows.

    The names that they make get their new values, here and in the modules of the package that imported them. Classes
    and functions stay what they are.
    """
    tree = ast.parse(source)
    own = frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))
    space = dict(vars(module))
    for node in _tables(tree, own):
        exec(compile(ast.Module([node], []), str(module.__file__), "exec"), space)  # noqa: S102 - our own source
    for name, value in vars(module).copy().items():
        if space[name] is not value:
            _rebind(name, value, space[name])


def _tables(tree: ast.Module, own: frozenset[str]) -> list[ast.stmt]:
    """The assignments of a module that call its functions, and those that are made of them."""
    found: list[ast.stmt] = []
    made: set[str] = set()
    for node in tree.body:
        if (
            isinstance(node, ast.Assign | ast.AnnAssign)
            and node.value is not None
            and _names(node.value) & (own | made)
        ):
            found.append(node)
            made |= {one.id for target in _targets(node) for one in ast.walk(target) if isinstance(one, ast.Name)}
    return found


def _targets(node: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    return node.targets if isinstance(node, ast.Assign) else [node.target]


def _names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def _rebind(name: str, old: Any, new: Any) -> None:
    for module_name, module in list(sys.modules.items()):
        if module_name.partition(".")[0] == "magistrate" and vars(module).get(name) is old:
            setattr(module, name, new)


def load(name: str) -> tuple[ModuleType, str]:
    """A module of the package by its dotted name without "magistrate.", and its text."""
    module = importlib.import_module(f"magistrate.{name}")
    return module, Path(str(module.__file__)).read_text(encoding="utf-8")
