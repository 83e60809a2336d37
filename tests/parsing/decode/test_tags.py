"""Elements as data: names, attributes, texts, what is never closed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.parsing.decode.parts import parts_of
from magistrate.parsing.decode.tags import Element, embedded, read_tags
from magistrate.verdict import Verdict

Tell = Callable[..., tuple[str, ...]]


class TestElements:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ("<a>x</a>", ("{'a': 'x' 0-8", "a 0-8")),
            ("<a>x</a><a>y</a>", ("{'a': ['x', 'y' 0-16", "a 0-16, a.0 0-8, a.1 8-16")),
            ("<a>x</a><a>y</a><a>z</a>", ("{'a': ['x', 'y', 'z' 0-24", "a 0-24, a.0 0-8, a.1 8-16, a.2 16-24")),
            ("<r><a>x</a><b>y</b></r>", ("{'r': {'a': 'x', 'b': 'y' 0-23", "r 0-23, r.a 3-11, r.b 11-19")),
            ("<a>x", ("{'a': <cut> 0-4", "missing-tag 0", "a 0-4")),
            ("<a>x<b>y", ("{'a': {'b': <cut> 0-8", "missing-tag 0, missing-tag 4", "a 0-8, a.b 4-8")),
            ("<a><b>x</a>y", ("{'a': {'b': <cut> 0-11", "missing-tag 3", "a 0-11, a.b 3-7")),
            (
                "<a v=\"1\" w='2' u=3>x</a>",
                (
                    "{'a': {'v': '1', 'w': '2', 'u': '3', 'answer': 'x' 0-24",
                    "a 0-24, a.v 0-24, a.w 0-24, a.u 0-24, a.answer 19-20",
                ),
            ),
            ("<A>x</a>", ("{'A': 'x' 0-8", "A 0-8")),
            ("</a>x", ("no elements",)),
            ("<a><!-- n -->x</a>", ("{'a': 'x' 0-18", "a 0-18")),
            ("<!-- <a>n</a> --><b>x</b>", ("{'b': 'x' 17-25", "b 17-25")),
            ("<a><![CDATA[<b>x</b>]]></a>", ("{'a': '<b>x</b>' 0-27", "a 0-27")),
        ],
    )
    def test_they_become_members_lists_and_texts(self, reply: str, told: tuple[str, ...], tell_tags: Tell) -> None:
        assert tell_tags(reply) == told


class TestBoundsOfWork:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            (
                "<a><b><b><b><b><b><b><b><b><b><b><b>x</a>y",
                (
                    "{'a': {'b': {'b': {'b': {'b': {'b': {'b': {'b': {'b': {'b': {'b': {'b': <cut> 0-42",
                    (
                        "missing-tag 0, missing-tag 3, missing-tag 6, missing-tag 9, missing-tag 12, missing-tag "
                        "15, missing-tag 18, missing-tag 21, missing-tag 24, missing-tag 27, missing-tag 30, "
                        "missing-tag 33"
                    ),
                    (
                        "a 0-42, a.b 3-42, a.b.b 6-42, a.b.b.b 9-42, a.b.b.b.b 12-42, a.b.b.b.b.b 15-42, "
                        "a.b.b.b.b.b.b 18-42, a.b.b.b.b.b.b.b 21-42, a.b.b.b.b.b.b.b.b 24-42, "
                        "a.b.b.b.b.b.b.b.b.b 27-42, a.b.b.b.b.b.b.b.b.b.b 30-42, a.b.b.b.b.b.b.b.b.b.b.b 33-42"
                    ),
                ),
            ),
            (
                "<a/>" * 1999,
                (
                    (
                        "{'a': ['', '', '', '', '', '', '', '', '', '', '', '', '', ' ... ', '', '', '', '', '', "
                        "'', '', '' 0-7996"
                    ),
                    (
                        "a 0-7996, a.0 0-4, a.1 4-8, a.2 8-12, a.3 12-16, a.4 16-20,  ... 7988, a.1997 "
                        "7988-7992, a.1998 7992-7996"
                    ),
                ),
            ),
            ("<a>x</a>" * 6000, ("no elements",)),
        ],
    )
    def test_depth_and_number_are_bounded(self, reply: str, told: tuple[str, ...], tell_tags: Tell) -> None:
        assert tell_tags(reply) == told


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
        assert element.attributes == {"id": "1", "name": "b&c", "n": "3", "empty": ""}


class TestEmbedded:
    @pytest.mark.parametrize("name", ["reason", "explanation", "quote", "evidence", "statement"])
    def test_data_in_an_element_for_others_words_is_no_answer(self, name: str) -> None:
        text = f'<{name} n="1">{{"a": 1}}</{name}>{{"b": 2}}<row><{name} n="2">x {{"c": 3}}</{name}></row>'
        envelope = parts_of(text)[-1]
        inside = embedded(text, [(0, len(text))], envelope.documents)
        assert [text[at : at + 8] for at in sorted(inside)] == ['{"a": 1}', '{"c": 3}']

    @pytest.mark.parametrize("name", ["answer", "verdict", "row", "output"])
    def test_in_any_other_it_may_be_one(self, name: str) -> None:
        text = f'<{name}>{{"a": 1}}</{name}>'
        assert embedded(text, [(0, len(text))], parts_of(text)[-1].documents) == set()

    def test_without_data_or_tags_there_is_nothing_to_find(self) -> None:
        assert embedded("<reason>x</reason>", [(0, 18)], []) == set()
        text = '{"a": 1}'
        assert embedded(text, [(0, 8)], parts_of(text)[-1].documents) == set()
