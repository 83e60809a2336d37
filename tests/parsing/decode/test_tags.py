"""Elements as data: names, attributes, texts, what is never closed."""

from __future__ import annotations

from typing import Any

import pytest
from tests.case_tables import cases_of

from magistrate.parsing.decode.parts import parts_of
from magistrate.parsing.decode.tags import Element, read_tags

cases = cases_of(__file__)


def outline(elements: list[Element]) -> list[Any]:
    """Name, places, whether it was closed, and children of each element."""
    return [[e.name, e.start, e.inner, e.stop, e.end, e.closed, outline(e.children)] for e in elements]


class TestTags:
    @cases("tags: open and close elements")
    def test_open_and_close_elements(self, text: str, elements: list[Any]) -> None:
        assert outline(read_tags(text, [(0, len(text))])) == elements

    def test_those_outside_the_parts_do_not_count(self) -> None:
        assert outline(read_tags("<a>x</a> <b>y</b>", [(0, 8)])) == [["a", 0, 3, 4, 8, True, []]]
        assert outline(read_tags("<a>x</a> <b>y", [(8, 12)])) == [["b", 9, 12, 12, 12, False, []]]
        assert read_tags("<a>", []) == []

    def test_attributes_are_kept_as_written(self) -> None:
        (element,) = read_tags('<a id="1" name=\'b&amp;c\' n=3 empty="">x</a>', [(0, 43)])
        assert (element.name, element.key) == ("a", "b&c")
        assert element.attributes == {"id": "1", "n": "3", "empty": ""}


class TestEmbedded:
    @pytest.mark.parametrize("name", ["reason", "explanation", "quote", "evidence", "statement"])
    def test_data_in_an_element_for_others_words_is_no_answer(self, name: str) -> None:
        text = f'<{name} n="1">{{"a": 1}}</{name}>{{"b": 2}}<row><{name} n="2">x {{"c": 3}}</{name}></row>'
        assert [document.value for document in parts_of(text, ())[-1].documents] == [{"b": 2}]

    @pytest.mark.parametrize("name", ["answer", "verdict", "row", "output"])
    def test_in_any_other_it_may_be_one(self, name: str) -> None:
        text = f'<{name}>{{"a": 1}}</{name}>'
        assert [document.value for document in parts_of(text, ())[-1].documents] == [{"a": 1}]
