"""Mending where a key should stand: any marks or none, signs too many, members taken at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.verdict import Verdict

Tell = Callable[..., tuple[str, ...]]


class TestKeys:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            (
                "{a: 1, 'b': 2, “c”: 3, \"d\": 4}",
                (
                    "{'a': 1, 'b': 2, 'c': 3, 'd': 4} 0-30 closed",
                    "unquoted-key 1, single-quotes 7, smart-quotes 15",
                    "a 4-5, b 12-13, c 20-21, d 28-29",
                ),
            ),
            (
                "{a b: 1, c-d: 2, $e: 3}",
                (
                    "{'a b': 1, 'c-d': 2 0-17 cut, dangling",
                    "unquoted-key 1, unquoted-key 9, missing-bracket 17",
                    "a b 6-7, c-d 14-15",
                ),
            ),
            ('{"a b": 1, "c,d": 2,}', ("{'a b': 1, 'c,d': 2} 0-21 closed", "trailing-comma 19", "a b 8-9, c,d 18-19")),
            ('{"a: 1}', ("{'a': 1} 0-7 closed", "missing-quote 1", "a 5-6")),
            (
                '{"a" => 1, "b" = 2}',
                ("{'a': 1, 'b': 2} 0-19 closed", "wrong-punctuation 5, wrong-punctuation 15", "a 8-9, b 17-18"),
            ),
            ('{"a" 1}', ("{'a': 1} 0-7 closed", "missing-colon 5", "a 5-6")),
            ('{"a", "b": 1}', ("{'b': 1} 0-13 closed", "stray-text 1", "b 11-12")),
            ("{「a」: 1}", ("{'a': 1} 0-8 closed", "smart-quotes 1", "a 6-7")),
            (
                '{"say "hi" x": 1,}',
                (
                    "{'say \"hi\" x': 1} 0-18 closed",
                    "unescaped-quote 6, unescaped-quote 9, trailing-comma 17",
                    'say "hi" x 15-16',
                ),
            ),
            (
                '{"a": 1, "b"',
                ("{'a': 1, 'b': <cut> 0-12 cut, dangling", "missing-colon 12, missing-bracket 12", "a 6-7, b 12-12"),
            ),
            ('{"a": 1, "b', ("{'a': 1 0-11 cut, dangling", "missing-bracket 11", "a 6-7")),
            ('{"a": 1,', ("{'a': 1 0-8 cut, dangling", "missing-bracket 8", "a 6-7")),
            (
                '{"' + "k" * 80 + '": 1,}',
                ("{'" + "k" * 80 + "': 1} 0-88 closed", "trailing-comma 86", "k" * 80 + " 85-86"),
            ),
            ('{"' + "k" * 81 + '": 1,}', ("{ 0-89 cut, dangling", "missing-bracket 89")),
        ],
    )
    def test_they_are_read_in_any_spelling(self, text: str, told: tuple[str, ...], tell_mend: Tell) -> None:
        assert tell_mend(text) == told


class TestMembers:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            (
                "{'a': 'x', 'b': 2, 'c': None}",
                (
                    "{'a': 'x', 'b': 2, 'c': None} 0-29 closed",
                    "single-quotes 1, single-quotes 11, single-quotes 19",
                    "a 6-9, b 16-17, c 24-28",
                ),
            ),
            (
                '{"a": "x", "a": "y", "b": "the "old" mill",}',
                (
                    "{'a': 'x' | 'y', 'b': 'the \"old\" mill'} 0-44 closed",
                    "unescaped-quote 31, unescaped-quote 35, trailing-comma 43",
                    "a 6-9, b 26-42",
                ),
            ),
            (
                '{"a": "the "old" mill", "b": "one "more" time", "c": 1}',
                (
                    "{'a': 'the \"old\" mill', 'b': 'one \"more\" time', 'c': 1} 0-55 closed",
                    "unescaped-quote 11, unescaped-quote 15, unescaped-quote 34, unescaped-quote 39",
                    "a 6-22, b 29-46, c 53-54",
                ),
            ),
            (
                '{"a": "tab\there", "b": "x\ry"}',
                (
                    "{'a': 'tab\\there', 'b': 'x\\ry'} 0-29 closed",
                    "control-character 10, control-character 25",
                    "a 6-16, b 23-28",
                ),
            ),
            (
                '{"a": {"b": "c",}, "d": 1}',
                ("{'a': {'b': 'c'}, 'd': 1} 0-26 closed", "trailing-comma 15", "a 6-17, a.b 12-15, d 24-25"),
            ),
            (
                '{"a": "x", "b": "no end',
                ("{'a': 'x', 'b': <cut> 0-23 cut, dangling", "missing-bracket 23", "a 6-9, b 16-23"),
            ),
            (
                '{"a": "k": 1, "b": "y"}',
                ("{'a': <missing>, 'k': 1, 'b': 'y'} 0-23 closed", "missing-value 6", "a 6-6, k 11-12, b 19-22"),
            ),
            ('{"a": "x",, "b": 1}', ("{'a': 'x', 'b': 1} 0-19 closed", "surplus-comma 10", "a 6-9, b 17-18")),
            ('{{"a": 1}}', ("{'a': 1} 0-9 closed", "doubled-brace 1", "a 7-8")),
            ('{"a": 1, {"b": 2}}', ("{'a': 1 0-9 cut, dangling", "missing-bracket 9", "a 6-7")),
            (
                '[{"a": 1, {"b": 2}]',
                ("[{'a': 1}, {'b': 2}] 0-19 closed", "missing-bracket 10", "0 1-10, 0.a 7-8, 1 10-18"),
            ),
            ('[{"a": 1, ], 2]', ("[{'a': 1}] 0-11 closed", "missing-bracket 10", "0 1-10, 0.a 7-8")),
            (
                '{"x": {"a": 1, ], "y": 2}',
                ("{'x': {'a': 1}, 'y': 2} 0-25 closed", "missing-bracket 15", "x 6-16, x.a 12-13, y 23-24"),
            ),
        ],
    )
    def test_plain_ones_are_taken_at_once(self, text: str, told: tuple[str, ...], tell_mend: Tell) -> None:
        assert tell_mend(text) == told


class TestQuoteWithinAKey:
    @pytest.mark.parametrize(
        "row",
        [
            '{"id": 2, "verdic"t: 0}',
            '{"id": 2, "verdic"t": 0}',
            '{"id": 2, "v"erdict: "no"}',
            "{'id': 2, 'verdic't: 0}",
        ],
    )
    def test_what_follows_the_mark_belongs_to_the_key(self, row: str) -> None:
        reply = f'[{{"id": 1, "verdict": 1}}, {row}]'
        assert parse_verdicts(reply, ["One.", "Two."]).found == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]

    @pytest.mark.parametrize("value", ["t: 0", "supported: 0", "yes = false"])
    def test_a_word_that_names_a_value_is_not_the_verdict(self, value: str) -> None:
        assert parse_verdicts(f'{{"verdict": "{value}"}}', ["One."]).found == [None]


class TestMarksOfOtherScripts:
    @pytest.mark.parametrize(
        "reply",
        [
            "［｛＂n＂：1，＂verdict＂：＂yes＂｝，｛＂n＂：2，＂verdict＂：＂no＂｝］",
            "｛＂1＂：＂yes＂，＂2＂：＂no＂｝",
            "｛「1」：「yes」，「2」：「no」｝",
            "[{«id»: 1, «verdict»: «yes»}, {«id»: 2, «verdict»: «no»}]",
            "｛“1”：“yes”，“2”：“no”｝",
        ],
    )
    def test_a_key_ends_with_its_mark(self, reply: str) -> None:
        found = parse_verdicts(reply, ["The gate is open.", "The wall is high."]).found
        assert [*found] == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]


class TestTwoValuesForOneKey:
    @pytest.mark.parametrize("reply", ['{"s1": 1 "no", "s2": "yes"}', '{"1": true "no", "2": "yes"}'])
    def test_are_none(self, reply: str) -> None:
        assert [*parse_verdicts(reply, ["The gate is open.", "The wall is high."]).found] == [None, Verdict.SUPPORTED]


class TestNumbersAndBareWords:
    @pytest.mark.parametrize(
        "reply",
        ['{1: "yes", 2: no}', '{"1": "yes", 2: no}', "{1: 'yes', 2: no}", '{1: yes, 2: "no"}', '{1: "yes", 2: "no"}'],
    )
    def test_may_stand_beside_quoted_ones(self, reply: str) -> None:
        found = parse_verdicts(reply, ["The mill is old.", "It grinds rye."]).found
        assert found == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]

    def test_a_string_that_holds_the_like_is_one(self) -> None:
        reply = '{"1": "yes", "2": "no", "reason": "It says "rye", 2: no, and more"}'
        assert parse_verdicts(reply, ["The mill is old.", "It grinds rye."]).found[0] is Verdict.SUPPORTED
