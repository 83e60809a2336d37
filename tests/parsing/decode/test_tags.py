"""Elements as data: names, attributes, texts, what is never closed."""

from __future__ import annotations

from typing import Any

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.parsing.decode.parts import parts_of
from magistrate.parsing.decode.tags import Element, read_tags
from magistrate.verdict import Verdict


class TestTagsAroundAnAnswerInText:
    @pytest.mark.parametrize(
        "reply",
        [
            "<answer>\n1: yes\n2: no\n</answer>",
            "<answer>1. yes\n2. no</answer>",
            "<response>yes, no</response>",
            "<think>Hm.</think>\n<answer>\nStatement 1: Supported\nStatement 2: Not supported\n</answer>",
            '<answer>{"verdicts": ["yes", "no"]}</answer>',
            "<answer><verdict>yes</verdict><verdict>no</verdict></answer>",
        ],
    )
    def test_are_passed_as_a_fence_is(self, reply: str) -> None:
        said = [*parse_verdicts(reply, ["The ferry leaves at six.", "Tea is sold on board."]).found]
        assert said == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]

    def test_around_a_word_for_one_statement_hold_its_verdict(self) -> None:
        assert [*parse_verdicts("<answer>yes</answer>", ["Tea is sold."]).found] == [Verdict.SUPPORTED]
        assert [*parse_verdicts("<answer>No.\nIt is not.</answer>", ["Tea is sold."]).found] == [Verdict.UNSUPPORTED]


def outline(elements: list[Element]) -> list[Any]:
    """Name, places, whether it was closed, and children of each element."""
    return [(e.name, e.start, e.inner, e.stop, e.end, e.closed, outline(e.children)) for e in elements]


class TestTags:
    @pytest.mark.parametrize(
        ("text", "elements"),
        [
            ("<a>x</a>", [("a", 0, 3, 4, 8, True, [])]),
            ("<a><b/></a>", [("a", 0, 3, 7, 11, True, [("b", 3, 7, 7, 7, True, [])])]),
            ("<a><b>x</a>", [("a", 0, 3, 7, 11, True, [("b", 3, 6, 7, 7, False, [])])]),
            (
                "<a><b><c>x</a>",
                [("a", 0, 3, 10, 14, True, [("b", 3, 6, 10, 10, False, [("c", 6, 9, 10, 10, False, [])])])],
            ),
            ("<a>x", [("a", 0, 3, 4, 4, False, [])]),
            ("<a>x</A>", [("a", 0, 3, 4, 8, True, [])]),
            ("</a><b>x</b>", [("b", 4, 7, 8, 12, True, [])]),
            ("<a>x</a><a>y</a>", [("a", 0, 3, 4, 8, True, []), ("a", 8, 11, 12, 16, True, [])]),
            ("<a><a>x</a></a>", [("a", 0, 3, 11, 15, True, [("a", 3, 6, 7, 11, True, [])])]),
            ("<!--<a>--><b>x</b>", [("b", 10, 13, 14, 18, True, [])]),
            ("a < b", []),
            ("", []),
        ],
    )
    def test_open_and_close_elements(self, text: str, elements: list[Any]) -> None:
        assert outline(read_tags(text, [(0, len(text))])) == elements

    def test_those_outside_the_parts_do_not_count(self) -> None:
        assert outline(read_tags("<a>x</a> <b>y</b>", [(0, 8)])) == [("a", 0, 3, 4, 8, True, [])]
        assert outline(read_tags("<a>x</a> <b>y", [(8, 12)])) == [("b", 9, 12, 12, 12, False, [])]
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
