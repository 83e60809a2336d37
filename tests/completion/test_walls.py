"""Each third party has one home, and importing the package loads none of them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import magistrate

SOURCES = Path(magistrate.__file__).parent
HOMES = {
    "litellm": {"completion/library.py"},
    "instructor": {"completion/shaping.py"},
    "tenacity": {"completion/retry.py"},
    "xllamacpp": {"completion/local.py"},
}


def imported(path: Path) -> set[str]:
    """Return the top-level packages that a module imports, by statement or by `import_module` of a literal."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == "import_module":
            found |= {
                str(argument.value).partition(".")[0] for argument in node.args if isinstance(argument, ast.Constant)
            }
    return found


@pytest.mark.parametrize("library", HOMES)
def test_only_its_home_imports(library: str) -> None:
    importers = {path.relative_to(SOURCES).as_posix() for path in SOURCES.rglob("*.py") if library in imported(path)}
    # An integration may import the framework it integrates with, whatever that is.
    assert {path for path in importers if not path.startswith("integrations/")} == HOMES[library]
