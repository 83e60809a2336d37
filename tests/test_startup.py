"""What is loaded when: starting stays cheap."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.case_tables import cases_of

import magistrate
import magistrate.testing

cases = cases_of(__file__)

HEAVY = tuple("litellm instructor openai tenacity structlog rich typer click yaml pyarrow pandas sqlite3".split())


def loaded(code):
    """The top-level modules that are loaded after the code has run in a fresh interpreter."""
    script = f"{code}\nimport sys\nsys.stderr.write(' '.join({{name.partition('.')[0] for name in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    return set(done.stderr.split())


@pytest.mark.slow
class TestImports:
    def test_importing_the_package_loads_nothing_heavy_not_even_pydantic(self):
        modules = loaded("import magistrate")
        assert not modules & {*HEAVY, "pydantic"}

    def test_the_vocabulary_needs_pydantic_only(self):
        modules = loaded("from magistrate import Case, Verdict")
        assert "pydantic" in modules
        assert not modules & set(HEAVY)

    @cases("startup: help loads typer and nothing else that is heavy")
    def test_help_loads_typer_and_nothing_else_that_is_heavy(self, command):
        modules = loaded(f"from magistrate.cli import run\nrun({command!r})")
        assert "typer" in modules
        assert not modules & (set(HEAVY) - {"typer", "click"})
        assert command != ["--help"] or "pydantic" not in modules

    def test_evaluating_offline_loads_no_provider_library(self):
        code = (
            "from magistrate.evaluation.api import evaluate\n"
            "evaluate([{'answer': 'Leave is 28 days.', 'contexts': ['Leave is 28 days a year.']}])"
        )
        assert not loaded(code) & {"litellm", "instructor", "openai", "tenacity", "rich", "typer", "structlog"}


@pytest.mark.slow
class TestCoreAlone:
    """magistrate-core without what calls models."""

    @pytest.mark.parametrize("missing", ["litellm", "tenacity"])
    def test_a_models_name_ends_in_one_line_that_says_what_to_install(self, missing):
        code = (
            f"import sys\nsys.modules[{missing!r}] = None\n"
            "from magistrate.cli import run\n"
            "sys.exit(run(['eval', 'examples/handbook.jsonl', '--model', 'gpt-4o', '--api-base', 'http://127.0.0.1:9']))"
        )
        done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
        assert done.returncode == 2
        assert 'pip install "magistrate-core[models]"' in done.stderr
        assert len([line for line in done.stderr.splitlines() if "loading" not in line]) == 1


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
