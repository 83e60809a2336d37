"""The public names of the package: each there, each loaded on first use."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import magistrate
import magistrate.testing


class TestPublicNames:
    @pytest.mark.parametrize("package", [magistrate, magistrate.testing])
    def test_each_name_is_there_and_carries_its_own_name(self, package):
        assert len(package.__all__) > 9
        for name in package.__all__:
            assert getattr(getattr(package, name), "__name__", name) == name

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


def test_the_changelog_begins_with_this_version():
    text = (Path(__file__).parents[1] / "CHANGELOG.md").read_text("utf-8")
    assert re.findall(r"^## (\S+)$", text, re.MULTILINE)[0] == magistrate.__version__
