from __future__ import annotations

import importlib
import sys
import tomllib
from pathlib import Path

import pytest

from magistrate.errors import MissingExtraError
from magistrate.integrations.extras import needs

EXTRAS = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]["optional-dependencies"]
FRAMEWORKS = {
    "ragas": "ragas",
    "deepeval": "deepeval",
    "autoevals": "autoevals",
    "inspect_ai": "inspect_ai",
    "mlflow": "mlflow",
    "pydantic_evals": "pydantic_ai",
    "trulens": "trulens",
    "phoenix": "phoenix",
    "opik": "opik",
}


@pytest.mark.parametrize(("module", "library"), FRAMEWORKS.items())
def test_a_missing_framework_is_one_line_with_the_command(
    module: str, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == library.split(".", maxsplit=1)[0]]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library.split(".", maxsplit=1)[0], None)
    for name in list(sys.modules):
        if name.startswith(f"magistrate.integrations.{module}"):
            monkeypatch.delitem(sys.modules, name)
    with pytest.raises(MissingExtraError) as caught:
        importlib.import_module(f"magistrate.integrations.{module}")
    message = str(caught.value)
    extra = caught.value.extra
    assert "\n" not in message
    assert f'pip install "magistrate[{extra}]"' in message
    assert extra in EXTRAS


def test_other_errors_pass() -> None:
    with pytest.raises(ZeroDivisionError), needs("ragas"):
        _ = 1 / 0


def test_nothing_in_the_package_imports_a_framework_by_itself() -> None:
    source = Path(importlib.import_module("magistrate").__file__ or "").parent
    for path in source.rglob("*.py"):
        if "integrations" not in path.parts:
            assert not any(
                line.startswith((f"import {library}", f"from {library}"))
                for line in path.read_text().splitlines()
                for library in FRAMEWORKS.values()
            ), path
