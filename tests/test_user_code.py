"""Code of the user's own: whatever is wrong with it is said to be theirs."""

import sys

import pytest
from tests.case_tables import cases_of

from magistrate.errors import ConfigurationError
from magistrate.user_code import load_object, takes

cases = cases_of(__file__)


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Writes a module into the working directory, and returns its name."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])

    def write(source):
        name = f"own_code_{abs(hash(source))}"
        (tmp_path / f"{name}.py").write_text(source)
        return name

    return write


class TestLoadObject:
    def test_finds_what_stands_in_the_working_directory_and_inside_a_class(self, module):
        name = module("class Box:\n    lid = 7\n")
        assert load_object(f"{name}:Box.lid") == 7

    def test_a_file_there_hides_nothing_that_is_installed(self, module, tmp_path):
        module("")
        (tmp_path / "wave.py").write_text("open = 7")
        assert load_object("wave:open") != 7

    @cases("user_code: whatever a module raises is told as its fault")
    def test_whatever_a_module_raises_is_told_as_its_fault(self, module, source, said):
        with pytest.raises(ConfigurationError, match="cannot be imported: ") as caught:
            load_object(f"{module(source)}:f", what="metric")
        assert said in str(caught.value)
        assert str(caught.value).startswith("metric own_code_")

    @pytest.mark.parametrize(
        ("name", "hint"), [("json", "json:NAME"), ("./json.py:dumps", "json:dumps"), ("a/b.py", "a.b:NAME")]
    )
    def test_how_to_write_it_is_said(self, name, hint):
        with pytest.raises(ConfigurationError, match=rf"\(write {hint}\)"):
            load_object(name)

    @pytest.mark.parametrize("name", ["", ":", ":f", "json:", "json", ".json:dumps"])
    def test_a_name_that_names_nothing_is_refused(self, name):
        with pytest.raises(ConfigurationError, match="cannot be imported"):
            load_object(name)


class TestTakes:
    @pytest.mark.parametrize(
        ("function", "counts", "fits"),
        [
            (lambda: 0, (1,), False),
            (lambda a: a, (1,), True),
            (lambda a, b: a + b, (1,), False),
            (lambda a, b: a + b, (1, 2), True),
            (lambda a, b=1: a + b, (1,), True),
            (lambda *a: a, (1,), True),
            (lambda a, *, b: a + b, (1, 2), False),
            (str, (1,), True),
        ],
    )
    def test_a_number_of_arguments(self, function, counts, fits):
        assert takes(function, *counts) is fits

    def test_with_arguments_that_are_given_by_name(self):
        assert takes(lambda a, *, b: a + b, 1, b=0)
        assert not takes(lambda a, b: a + b, 2, b=0)
        assert not takes(lambda a: a, 1, b=0)
