"""Mending where a value should stand: numbers, words, gaps, dots, members without an object."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.verdict import Verdict

Tell = Callable[..., tuple[str, ...]]


class TestNumbers:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            (
                "[-7, 007, 1.50, 1e3, 2E-2]x,",
                ("[-7, 7, 1.5, 1000.0, 0.02] 0-26 closed", "0 1-3, 1 5-8, 2 10-14, 3 16-19, 4 21-25"),
            ),
            ("[12 ,3]]", ("[12, 3] 0-7 closed", "0 1-3, 1 5-6")),
            (
                "[1234567890123456789012, 999999999999999999, 1]}",
                ("[1.2345678901234568e+21, 999999999999999999, 1] 0-47 closed", "0 1-23, 1 25-43, 2 45-46"),
            ),
            ("[1.5.2, 3]", ("['1.5.2', 3] 0-10 closed", "unquoted-value 1", "0 1-6, 1 8-9")),
            (
                '{"a": ５, "b": １２}',
                ("{'a': 5, 'b': 12} 0-17 closed", "unquoted-value 6, unquoted-value 14", "a 6-7, b 14-16"),
            ),
            ('{"a": 3,5}', ("{'a': '3,5'} 0-10 closed", "decimal-comma 6", "a 6-9")),
            ('{"a": 1 2, "b": 3}', ("{'a': '1 2', 'b': 3} 0-18 closed", "unquoted-value 6", "a 6-9, b 16-17")),
            ('{"a": 7/10,}', ("{'a': '7/10'} 0-12 closed", "stray-text 7, trailing-comma 11", "a 6-10")),
        ],
    )
    def test_digits_are_read_as_they_stand(self, text: str, told: tuple[str, ...], tell_mend: Tell) -> None:
        assert tell_mend(text) == told


class TestLiterals:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            (
                "[NaN, Infinity, -Infinity, nan, inf,]",
                (
                    "[nan, inf, -inf, nan, inf] 0-37 closed",
                    "trailing-comma 36",
                    "0 1-4, 1 6-14, 2 16-25, 3 27-30, 4 32-35",
                ),
            ),
            (
                "[true, false, null,]",
                ("[True, False, None] 0-20 closed", "trailing-comma 19", "0 1-5, 1 7-12, 2 14-18"),
            ),
            (
                '{"a": True"b": 2}',
                ("{'a': True, 'b': 2} 0-17 closed", "python-literal 6, missing-comma 10", "a 6-10, b 15-16"),
            ),
        ],
    )
    def test_other_spellings_are_written_down(self, text: str, told: tuple[str, ...], tell_mend: Tell) -> None:
        assert tell_mend(text) == told


class TestTextWithoutMarks:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            (
                '{"a": it said "no", "b": 1}',
                ("{'a': 'it said \"no', 'b': 1} 0-27 closed", "unquoted-value 6, missing-quote 6", "a 6-18, b 25-26"),
            ),
            ('{"a": yes', ("{'a': <cut> 0-9 cut, dangling", "missing-bracket 9", "a 6-9")),
            (
                '{"a": [yes, no], "b": see [1], "c": 2}',
                (
                    "{'a': ['yes', 'no'], 'b': 'see [1', 'c': 2} 0-38 closed",
                    "unquoted-value 7, unquoted-value 12, unquoted-value 22, surplus-bracket 28",
                    "a 6-15, a.0 7-10, a.1 12-14, b 22-28, c 36-37",
                ),
            ),
        ],
    )
    def test_it_ends_where_the_next_member_begins(self, text: str, told: tuple[str, ...], tell_mend: Tell) -> None:
        assert tell_mend(text) == told


class TestGaps:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ('{"a":}', ("{'a': <missing>} 0-6 closed", "missing-value 5", "a 5-5")),
            ("[,]", ("[<missing>] 0-3 closed", "blank-element 1, trailing-comma 2", "0 1-1")),
            ('{"a": "b": 2}', ("{'a': <missing>, 'b': 2} 0-13 closed", "missing-value 6", "a 6-6, b 11-12")),
            ('{"a":: 1}', ("{'a': 1} 0-9 closed", "surplus-colon 5", "a 7-8")),
            ('{"a": ： : 1}', ("{'a': 1} 0-12 closed", "full-width 6, surplus-colon 6", "a 10-11")),
            ('{"a": "k": x}', ("{'a': <cut> 0-13 cut, dangling", "missing-bracket 13", "a 6-13")),
        ],
    )
    def test_an_empty_place_stays(self, text: str, told: tuple[str, ...], tell_mend: Tell) -> None:
        assert tell_mend(text) == told


class TestDots:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("[1, ...]", ("[1, <ellipsis>] 0-8 closed", "ellipsis 4", "0 1-2, 1 4-7")),
            ('["a", … ,"b"]', ("['a', <ellipsis>, 'b'] 0-13 closed", "ellipsis 6", "0 1-4, 1 6-8, 2 9-12")),
            ('{"a": 1, ...}', ("{'a': 1} 0-13 closed", "ellipsis 9, trailing-comma 12", "a 6-7")),
        ],
    )
    def test_they_stand_for_what_was_left_out(self, text: str, told: tuple[str, ...], tell_mend: Tell) -> None:
        assert tell_mend(text) == told


class TestMembersInLists:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ('["a": 1, "b": 2]', ("{'a': 1, 'b': 2} 0-16 closed", "wrong-bracket 0", "a 6-7, b 14-15")),
            ('[["a": 1], 2]', ("[{'a': 1}, 2] 0-13 closed", "wrong-bracket 1", "0 1-9, 0.a 7-8, 1 11-12")),
            (
                '[{"a": 1}, "b": 2}]',
                (
                    "[{'a': 1}, 'b\": 2'] 0-19 closed",
                    "unescaped-quote 13, missing-quote 17, surplus-bracket 17",
                    "0 1-9, 1 11-17",
                ),
            ),
            (
                '[{"a": 1, "b": 2}, "a": 3, "b": 4}]',
                (
                    "[{'a': 1, 'b': 2}, {'a': 3, 'b': 4}] 0-35 closed",
                    "missing-bracket 19",
                    "0 1-17, 1 19-34, 1.a 24-25, 1.b 32-33",
                ),
            ),
            (
                '{"x": [1, 2, "y": 3}',
                ("{'x': [1, 2], 'y': 3} 0-20 closed", "missing-bracket 13", "x 6-13, x.0 7-8, x.1 10-11, y 18-19"),
            ),
        ],
    )
    def test_a_key_where_an_element_should_stand_tells_of_a_bracket(
        self, text: str, told: tuple[str, ...], tell_mend: Tell
    ) -> None:
        assert tell_mend(text) == told


class TestPlainObjects:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            (
                '[{"id": 1, "v": "yes",}, {"id": 2, "v": "no" , }]',
                (
                    "[{'id': 1, 'v': 'yes'}, {'id': 2, 'v': 'no'}] 0-49 closed",
                    "trailing-comma 21, trailing-comma 45",
                    "0 1-23, 1 25-48",
                ),
            ),
            (
                "[{'id': 1, 'v': 'yes'}, {'id': 2, 'v': None}]",
                (
                    "[{'id': 1, 'v': 'yes'}, {'id': 2, 'v': None}] 0-45 closed",
                    "single-quotes 2, single-quotes 25",
                    "0 1-22, 1 24-44",
                ),
            ),
            (
                '[{"a": 1, "a": 2}, {"b": 1},]',
                ("[{'a': 1 | 2}, {'b': 1}] 0-29 closed", "trailing-comma 28", "0 1-17, 1 19-27"),
            ),
            (
                '[{"a": "the "old" mill"}, {"a": "so"},]',
                (
                    "[{'a': 'the \"old\" mill'}, {'a': 'so'}] 0-39 closed",
                    "unescaped-quote 12, unescaped-quote 16, trailing-comma 38",
                    "0 1-24, 1 26-37",
                ),
            ),
            (
                '[{"a": "C:\\qed", "b": "\\u00e9\\n"}, {"a": "x"},]',
                (
                    "[{'a': 'C:\\\\qed', 'b': 'é\\n'}, {'a': 'x'}] 0-47 closed",
                    "invalid-escape 10, trailing-comma 46",
                    "0 1-33, 1 35-45",
                ),
            ),
            (
                '[{"a": "half "open"}, {"a": "x"},]',
                (
                    "[{'a': 'half \"open\"'}, {'a': 'x'}] 0-34 closed",
                    "unescaped-quote 13, unescaped-quote 18, missing-quote 19, trailing-comma 33",
                    "0 1-20, 0.a 7-19, 1 22-32",
                ),
            ),
            (
                '[{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,},]',
                (
                    "[{'a': 1, 'b': 2, 'c': 3, 'd': 4, 'e': 5, 'f': 6, 'g': 7, 'h': 8}] 0-53 closed",
                    "trailing-comma 49, trailing-comma 52",
                    "0 1-51",
                ),
            ),
            (
                '[{"v": "yes"}, {"v": ',
                ("[{'v': 'yes'}, {'v': <cut> 0-21 cut, dangling", "missing-bracket 21", "0 1-13, 1 15-21, 1.v 21-21"),
            ),
        ],
    )
    def test_many_are_taken_in_one_step(self, text: str, told: tuple[str, ...], tell_mend: Tell) -> None:
        assert tell_mend(text) == told


class TestNesting:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]],", ("given up at 33",)),
            (
                '{"a":' * 63 + "{}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}},",
                (
                    "{'a': " * 63 + "{" + "}" * 64 + " 0-380 closed",
                    "a 5-379, a.a 10-378, a.a.a 15-377, a.a.a.a 20-376, a.a.a.a.a ... " + ".a" * 16 + " 315-317",
                ),
            ),
            ("[1," * 64 + '{"a": 1}' + "]" * 64 + "x", ("given up at 192",)),
        ],
    )
    def test_it_is_followed_so_deep_and_no_deeper(self, text: str, told: tuple[str, ...], tell_mend: Tell) -> None:
        assert tell_mend(text) == told


class TestMapsWithoutAnyMarks:
    @pytest.mark.parametrize(
        "reply", ["{1: yes, 2: no}", "{s1: yes, s2: no}", "{\n 1: supported,\n 2: not supported\n}", "{2: no, 1: yes}"]
    )
    def test_end_a_value_where_the_next_number_and_its_colon_stand(self, reply: str) -> None:
        found = parse_verdicts(reply, ["The well is deep.", "It dried up."]).found
        assert found == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]

    @pytest.mark.parametrize("reply", ["{1: yes, at 12: no, 2: no}", "{1: yes, 2", "{verdict: yes, 2: no}"])
    def test_only_behind_a_number_and_where_all_of_it_is_one_word(self, reply: str) -> None:
        assert parse_verdicts(reply, ["The well is deep.", "It dried up."]).found == [None, None]
