"""What the mutation tester changes, and how it puts that into a living process."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import ModuleType

import pytest

from fuzz.mutants import live
from fuzz.mutants.changes import mutants_of
from fuzz.mutants.live import fits, forget, import_again, put, used_at_import


@pytest.fixture
def loaded(request: pytest.FixtureRequest) -> Iterator[ModuleType]:
    """A module of the package, of a text."""
    module = ModuleType("magistrate.loaded")
    module.__file__ = "loaded.py"
    exec(request.param, vars(module))  # noqa: S102 - the texts below
    sys.modules[module.__name__] = module
    yield module
    del sys.modules[module.__name__]


class TestChanges:
    @pytest.mark.parametrize(
        ("statement", "changes"),
        [
            ("return a < b", ["return: return a < b", "comparison: a < b"]),
            ("return a < b <= c", ["return: return a < b <= c", "comparison: a < b <= c", "comparison: a < b <= c"]),
            ("return not a", ["return: return not a", "not: not a"]),
            ("x = a and b", ["and/or: a and b"]),
            ("x = a + 1", ["arithmetic: a + 1", "number: 1"]),
            ("x = True", ["flag: True"]),
            ("if a: b()", ["condition: if a:", "call: b()"]),
            ("x = b if a else c", ["condition: b if a else c"]),
            ("x = [c for c in a if c]", ["filter: c"]),
            ("a += b", ["assignment: a += b"]),
            ("while a: break", ["condition: while a:", "break: break"]),
            ("for x in a: continue", ["continue: continue"]),
            ("x = 'word'", ["text: 'word'"]),
            ("return c in 'abc'", ["return: return c in 'abc'", "comparison: c in 'abc'", "signs: 'abc'"]),
            ("return a.strip(' ,')", ["return: return a.strip(' ,')", "signs: ' ,'"]),
        ],
    )
    def test_each_part_of_a_statement_is_changed_once(self, statement: str, changes: list[str]) -> None:
        found = mutants_of(f"def f(a, b, c):\n    {statement}\n", "f.py")
        assert [f"{one.kind}: {one.was}" for one in found] == changes

    @pytest.mark.parametrize(
        "source",
        [
            "LIMIT = 3\n",
            "def f(a=3):\n    '''Text.'''\n",
            "def f():\n    raise ValueError(3, 'text')\n",
            "def f():\n    x: Literal['word'] = f'{a} text'\n",
            "def f(a, b):\n    x = zip(a, b, strict=True)\n",
            "def f():\n    return\n",
            "def f():\n    return None\n",
        ],
    )
    def test_what_says_nothing_of_behaviour_is_left_alone(self, source: str) -> None:
        assert list(mutants_of(source, "f.py")) == []

    def test_each_has_one_change_and_its_place(self) -> None:
        source = "class C:\n    def f(self):\n        return (1,\n            2)\n"
        codes = {}
        for one in mutants_of(source, "f.py"):
            assert one.path == ("C", "f")
            assert one.lines == (3, 4)
            codes[one.line, one.kind] = one.code.co_consts
        assert (2, 2) in codes[3, "number"]
        assert (1, 3) in codes[4, "number"]

    def test_equal_changes_of_a_function_are_counted(self) -> None:
        keys = [one.key for one in mutants_of("def f(a):\n    a(1)\n    a(1)\n", "f.py") if one.kind == "number"]
        assert keys == [("f", "number", "1", 0), ("f", "number", "1", 1)]


class TestLive:
    SOURCE = (
        "def size():\n    return 3\n\ndef row():\n    return '-' * size()\n\nROW = row()\nWIDE = ROW + ROW\nREST = 1\n"
    )

    @pytest.mark.parametrize("loaded", [SOURCE], indirect=True)
    def test_a_function_that_made_a_table_makes_it_again(self, loaded: ModuleType) -> None:
        assert used_at_import(self.SOURCE) == {"size", "row"}
        longer = next(one for one in mutants_of(self.SOURCE, "loaded.py") if one.kind == "number")
        put(loaded, longer.path, longer.code)
        assert loaded.ROW == "---"
        import_again(loaded, self.SOURCE)
        assert (loaded.ROW, loaded.WIDE, loaded.REST) == ("----", "--------", 1)

    @pytest.mark.parametrize(
        ("loaded", "ask"),
        [
            ("from functools import cache\n\n@cache\ndef f():\n    return 3\n", lambda module: module.f()),
            ("class C:\n    @property\n    def f(self):\n        return 3\n", lambda module: module.C().f),
            ("class C:\n    @staticmethod\n    def f():\n        return 3\n", lambda module: module.C.f()),
            ("class C:\n    @classmethod\n    def f(cls):\n        return 3\n", lambda module: module.C.f()),
        ],
        indirect=["loaded"],
    )
    def test_decorated_functions_are_reached(
        self, loaded: ModuleType, ask: Callable[[ModuleType], object], request: pytest.FixtureRequest
    ) -> None:
        assert ask(loaded) == 3
        live._caches.cache_clear()
        forget()
        changed = next(mutants_of(request.node.callspec.params["loaded"], "loaded.py"))
        assert fits(loaded, changed.path, changed.code)
        put(loaded, changed.path, changed.code)
        assert ask(loaded) is None

    @pytest.mark.parametrize("loaded", ["f = 3\n"], indirect=True)
    def test_what_is_no_function_fits_nothing(self, loaded: ModuleType) -> None:
        code = next(mutants_of("def f():\n    return 3\n", "f.py")).code
        assert not fits(loaded, ("f",), code)
        assert not fits(loaded, ("g",), code)
