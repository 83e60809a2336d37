"""Words are data: every language has the same groups, and both sides of each pair."""

from __future__ import annotations

import pkgutil
import tomllib
from importlib import import_module, resources
from types import ModuleType

import pytest

from fuzz.stored import curated
from magistrate.parsing import layouts, rows, settle, wording
from magistrate.parsing.wording.languages import LANGUAGES
from magistrate.parsing.wording.patterns import WordPattern

REPLIES = list(curated())
FOLDER = resources.files("magistrate.parsing.wording") / "data"


def data(language: str) -> dict[str, dict[str, str]]:
    """The file of a language."""
    return tomllib.loads((FOLDER / f"{language}.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_the_groups_of_all(language: str) -> None:
    """A group that is missing in one language would be a hole that nobody sees."""
    ours, english = data(language), data("en")
    assert ours["name"]
    for section in ("verdict", "names", "prose"):
        assert ours[section].keys() == english[section].keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_both_sides_of_each_pair(language: str) -> None:
    """A language that can say yes and not no would read a list as far as it agrees."""
    words = data(language)["verdict"]
    assert words["yes"]
    assert words["no"]
    assert words["lack"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_replies_with_a_yes_and_a_no(language: str) -> None:
    groups = [one for one in REPLIES if one.name.startswith(f"languages-{language}-")]
    assert {verdict for one in groups for verdict in one.value} >= {"supported", "unsupported", "contradicted"}


@pytest.mark.parametrize("package", [wording, rows, layouts, settle], ids=lambda one: one.__name__)
def test_every_expression_names_groups_that_there_are(package: ModuleType) -> None:
    """An expression is built when a reply first needs it: one that names no group would show in production."""
    modules = [import_module(f"{package.__name__}.{one.name}") for one in pkgutil.iter_modules(package.__path__)]
    patterns = [one for module in modules for one in vars(module).values() if isinstance(one, WordPattern)]
    assert patterns
    assert all(one.expression.pattern for one in patterns)
