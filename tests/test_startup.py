"""What is loaded when: starting stays cheap."""

import os
import re
import sys
from pathlib import Path
from types import FunctionType

import pytest
from tests.case_tables import cases_of
from tests.running import ran

import magistrate
import magistrate.datasets
import magistrate.metrics
import magistrate.testing
from magistrate.errors import MissingExtraError
from magistrate.integrations.proxy import openai_client

cases = cases_of(__file__)

PROVIDERS = "litellm instructor openai tenacity"
HEAVY = set(f"{PROVIDERS} structlog rich typer click yaml pyarrow pandas sqlite3 pydantic hypothesis".split())
HEAVY |= {"opentelemetry", "onnxruntime", "tokenizers", "numpy"}


@pytest.mark.slow
@cases("startup: loads no more than it needs")
def test_loads_no_more_than_it_needs(code, needed):
    """In a fresh interpreter; what measures the tests loads things of its own."""
    script = f"{code}\nimport sys\nsys.stderr.write(' '.join({{name.partition('.')[0] for name in sys.modules}}))"
    own = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    done = ran(sys.executable, "-c", script, check=True, env=own)
    assert "magistrate" in done.stderr.split()
    assert HEAVY & set(done.stderr.split()) <= set(needed)


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
        done = ran(sys.executable, "-c", code)
        assert done.returncode == 2
        assert 'pip install "magistrate-core[models]"' in done.stderr
        assert len([line for line in done.stderr.splitlines() if "loading" not in line]) == 1

    def test_help_shows_the_public_names(self):
        code = (
            "import sys\nsys.modules |= dict.fromkeys(('litellm', 'tenacity', 'openai'))\n"
            "import magistrate\nhelp(magistrate)"
        )
        done = ran(sys.executable, "-c", code, check=True)
        assert "class LLMJudge(" in done.stdout
        assert "as_openai_client(" in done.stdout

    def test_a_client_without_its_library_says_what_to_install(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "openai", None)
        openai_client._library.cache_clear()
        with pytest.raises(MissingExtraError, match=r"magistrate-core\[models\]"):
            magistrate.as_openai_client("ollama_chat/llama3.1")


def _members(kind):
    return [pair for base in getattr(kind, "__mro__", ()) if base is not object for pair in vars(base).items()]


class TestPublicNames:
    @pytest.mark.parametrize("package", [magistrate, magistrate.testing, magistrate.metrics, magistrate.datasets])
    def test_each_name_is_there_and_carries_its_own_name(self, package):
        assert package.__all__
        for name in package.__all__:
            found = getattr(package, name)
            assert not isinstance(found, type | FunctionType) or found.__name__ == name

    def test_the_types_that_their_signatures_name_are_among_them(self):
        named = set()
        for name in magistrate.__all__:
            kind = getattr(magistrate, name)
            for member in [kind, *(part for key, part in _members(kind) if key == "__init__" or key[0] != "_")]:
                home = vars(sys.modules[getattr(kind, "__module__", "magistrate")])
                for hint in getattr(getattr(member, "fget", member), "__annotations__", {}).values():
                    named |= {(word, home.get(word)) for word in re.findall(r"\b[A-Z]\w+", str(hint))}
        ours = {word for word, kind in named if isinstance(kind, type) and kind.__module__.startswith("magistrate")}
        ours -= {"EstimatingClient", "Rounds"}  # handed on within the package
        words = {"Account", "Cases", "Finding", "Metrics", "MetricFunction", "RunState", "Severity", "Showing"}
        assert words <= {word for word, _ in named}
        assert ours | words <= set(magistrate.__all__)

    def test_they_are_listed_by_dir(self):
        assert set(magistrate.__all__) <= set(dir(magistrate))

    def test_a_name_that_is_not_there_is_an_attribute_error(self):
        with pytest.raises(AttributeError, match="no attribute 'Faithfullness'"):
            magistrate.Faithfullness  # noqa: B018 - the access is the test

    @pytest.mark.slow
    def test_a_star_import_brings_them_all(self):
        code = "from magistrate import *\nimport magistrate\nprint(set(magistrate.__all__) <= set(globals()))"
        done = ran(sys.executable, "-c", code, check=True)
        assert done.stdout.strip() == "True"


def test_the_changelog_begins_with_this_version():
    text = (Path(__file__).parents[1] / "CHANGELOG.md").read_text("utf-8")
    assert re.findall(r"^## (\S+)$", text, re.MULTILINE)[0] == magistrate.__version__
