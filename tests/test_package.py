"""The public names of the package: each there, each loaded on first use."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import magistrate


class TestPublicNames:
    @pytest.mark.parametrize("name", magistrate.__all__)
    def test_each_name_is_there_and_carries_its_own_name(self, name: str):
        value = getattr(magistrate, name)
        assert getattr(value, "__name__", name) == name

    def test_they_are_the_names_that_type_checkers_see(self):
        tree = ast.parse(Path(magistrate.__file__).read_text(encoding="utf-8"))
        (block,) = (node for node in tree.body if isinstance(node, ast.If))
        seen = {alias.name for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names}
        assert seen == set(magistrate.__all__)

    def test_they_are_listed_by_dir(self):
        assert set(magistrate.__all__) <= set(dir(magistrate))

    def test_a_name_that_is_not_there_is_an_attribute_error(self):
        with pytest.raises(AttributeError, match="no attribute 'Faithfullness'"):
            magistrate.Faithfullness  # noqa: B018 - the access is the test

    @pytest.mark.slow
    def test_a_star_import_brings_them_all(self):
        code = "from magistrate import *\nimport magistrate\nprint(set(magistrate.__all__) <= set(globals()))"
        done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
        assert done.stdout.strip() == "True"
