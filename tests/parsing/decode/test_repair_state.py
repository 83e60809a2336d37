"""The state of mending: comments, full-width signs, marks and escapes of strings, repeated keys, bounds."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Tell = Callable[..., tuple[str, ...]]


class TestComments:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ('{/* one */"a": 1}', ("{'a': 1} 0-17 closed", "comment 1", "a 15-16")),
            ("[1, // one\n 2]", ("[1, 2] 0-14 closed", "comment 4", "0 1-2, 1 12-13")),
            ('{"a": 1, /* no end "b": 2}', ("{'a': 1 0-9 cut, dangling", "missing-bracket 9", "a 6-7")),
            ('{"a": 1 // last', ("{'a': 1 0-15 cut", "comment 8, missing-bracket 15", "a 6-7")),
            ('/* x */ {"a": 1}', ("given up at 0",)),
        ],
    )
    def test_they_are_passed_and_written_down(self, text: str, told: tuple[str, ...], tell_mend: Tell) -> None:
        assert tell_mend(text) == told


class TestSigns:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("[1; 2]", ("[1, 2] 0-6 closed", "wrong-punctuation 2", "0 1-2, 1 4-5")),
            (
                '{"a":［1，2］}',
                ("{'a': [1, 2]} 0-11 closed", "full-width 5, full-width 7, full-width 9", "a 5-10, a.0 6-7, a.1 8-9"),
            ),
        ],
    )
    def test_full_width_forms_and_semicolons_stand_for_structure(
        self, text: str, told: tuple[str, ...], tell_mend: Tell
    ) -> None:
        assert tell_mend(text) == told


class TestStrings:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            (
                "['a', \"b\", “c”, `d`, „e“, «f», 「g」, ＂h＂, ‘i’, 『j』]",
                (
                    "['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'] 0-50 closed",
                    (
                        "single-quotes 1, smart-quotes 11, smart-quotes 16, smart-quotes 21, smart-quotes 26, "
                        "smart-quotes 31, smart-quotes 36, smart-quotes 41, smart-quotes 46"
                    ),
                    "0 1-4, 1 6-9, 2 11-14, 3 16-19, 4 21-24, 5 26-29, 6 31-34, 7 36-39, 8 41-44, 9 46-49",
                ),
            ),
            (
                '["a\\u00e9\\n\\q\\\'\\*"]x,',
                ('["aé\\n\\\\q\'*"] 0-19 closed', "invalid-escape 11, invalid-escape 13, invalid-escape 15", "0 1-18"),
            ),
            ('["\\ud83d\\ude00", "\\ud83d"],,', ("['😀', '�'] 0-26 closed", "0 1-15, 1 17-25")),
            (
                '[\\"a\\", \\"b \\n c\\"]',
                ("['a\", \"b \\n c'] 0-19 closed", "unescaped-quote 4, unescaped-quote 8", "0 1-18"),
            ),
            (
                '["a\tb\nc", "d\re"]',
                ("['a\\tb\\nc', 'd\\re'] 0-16 closed", "control-character 3, control-character 12", "0 1-8, 1 10-15"),
            ),
            ('{"a": "no end, "b": 2}', ("{'a': 'no end', 'b': 2} 0-22 closed", "missing-quote 13", "a 6-13, b 20-21")),
            (
                '{"a": "no end\n, "b": 2}',
                ("{'a': 'no end', 'b': 2} 0-23 closed", "missing-quote 13", "a 6-14, b 21-22"),
            ),
        ],
    )
    def test_marks_and_escapes_are_written_down(self, text: str, told: tuple[str, ...], tell_mend: Tell) -> None:
        assert tell_mend(text) == told


class TestRepeatedKeys:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            (
                '{"a": x, "a": y, "a": [1]}',
                ("{'a': 'x' | 'y' | [1]} 0-26 closed", "unquoted-value 6, unquoted-value 14", "a 6-7"),
            ),
        ],
    )
    def test_all_values_are_kept(self, text: str, told: tuple[str, ...], tell_mend: Tell) -> None:
        assert tell_mend(text) == told


class TestBounds:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            (
                "[" + "," * 500 + "1]",
                (
                    (
                        "[<missing>, <missing>, <missing>, <missing>, <missing>, <mis ... >, <missing>, "
                        "<missing>, 1] 0-503 closed"
                    ),
                    (
                        "blank-element 1, blank-element 2, blank-element 3, blank-ele ... 98, blank-element 499, "
                        "blank-element 500"
                    ),
                    (
                        "0 1-1, 1 2-2, 2 3-3, 3 4-4, 4 5-5, 5 6-6, 6 7-7, 7 8-8, 8 9- ... 8, 498 499-499, 499 "
                        "500-500, 500 501-502"
                    ),
                ),
            ),
            ("[" + "," * 501 + "1]", ("given up at 501",)),
            ("[" + "x," * 1600 + "1]", ("given up at 3065",)),
            ("[" + "'a'," * 1530 + "1]", ("given up at 5633",)),
            ('["' + 'a" b ' * 201 + '", 1]', ("[<cut> 0-1012 cut, dangling", "missing-bracket 1012", "0 1-1012")),
        ],
    )
    def test_more_than_any_answer_needs_is_given_up(self, text: str, told: tuple[str, ...], tell_mend: Tell) -> None:
        assert tell_mend(text) == told
