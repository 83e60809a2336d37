"""What the package offers, and what it costs to load."""

import subprocess
import sys

import pytest

import magistrate.statistics as package


class TestPackage:
    def test_every_public_name_is_there_sorted_and_documented(self):
        assert package.__all__ == sorted(package.__all__)
        assert all(getattr(package, name).__doc__ for name in package.__all__)

    @pytest.mark.slow
    def test_it_needs_the_standard_library_only(self):
        script = (
            "import sys; before = set(sys.modules); import magistrate.statistics; "
            "print(*{name.partition('.')[0] for name in set(sys.modules) - before} - sys.stdlib_module_names)"
        )
        command = [sys.executable, "-c", script]
        loaded = subprocess.run(command, capture_output=True, text=True, check=False)
        assert loaded.stderr == ""
        assert loaded.stdout.split() == ["magistrate"]
