"""The public names of the package: each there, each loaded on first use."""

import subprocess
import sys

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
