"""JSON that is almost JSON: every change is written down, no gap is closed, nothing at a cut is trusted."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from magistrate.parsing.decode.nodes import Arr, Gap, Obj
from magistrate.parsing.decode.repair import GivenUp, Mended, mend


def mended(text: str) -> Mended:
    found = mend(text, 0)
    assert isinstance(found, Mended)
    return found


def notes(text: str) -> set[str]:
    return {code for code, _ in mended(text).notes}


class TestValid:
    @pytest.mark.parametrize(
        "value",
        [
            {},
            [],
            {"a": 1, "b": [True, False, None], "c": {"d": "e"}},
            [1, -2, 0.5, 1e3, 'x"y', "tab\there", "\u00e9", "\\"],
            {"a": {"b": {"c": [[[1]]]}}},
            {"reason": 'He said: "no", and left.', "verdict": "yes"},
        ],
    )
    def test_stays_what_it_is(self, value: Any) -> None:
        found = mended(json.dumps(value))
        assert found.value == value
        assert found.notes == []
        assert not found.cut
        assert found.end == len(json.dumps(value))


class TestChanges:
    @pytest.mark.parametrize(
        ("text", "value", "code"),
        [
            ('{"a": 1,}', {"a": 1}, "trailing-comma"),
            ("[1, 2,]", [1, 2], "trailing-comma"),
            ("{'a': 'b'}", {"a": "b"}, "single-quotes"),
            ("{\u201ca\u201d: \u201cb\u201d}", {"a": "b"}, "smart-quotes"),
            ("{a: 1}", {"a": 1}, "unquoted-key"),
            ('{"a": True, "b": None}', {"a": True, "b": None}, "python-literal"),
            ('{"a": 1 // one\n}', {"a": 1}, "comment"),
            ('{"a": /* one */ 1}', {"a": 1}, "comment"),
            ('{"a": 1 # one\n}', {"a": 1}, "comment"),
            ('[{"a": 1} {"a": 2}]', [{"a": 1}, {"a": 2}], "missing-comma"),
            ('{"a": 1 "b": 2}', {"a": 1, "b": 2}, "missing-comma"),
            ('{"a"： 1， "b": 2}', {"a": 1, "b": 2}, "full-width"),
            ('{"a": "x\ny"}', {"a": "x\ny"}, "control-character"),
            ('{"a": "the "old" mill"}', {"a": 'the "old" mill'}, "unescaped-quote"),
            ('{"a": "C:\\qed"}', {"a": "C:\\qed"}, "invalid-escape"),
            ('{"a": 1; "b": 2}', {"a": 1, "b": 2}, "wrong-punctuation"),
            ('{"a" 1}', {"a": 1}, "missing-colon"),
        ],
    )
    def test_are_made_and_written_down(self, text: str, value: Any, code: str) -> None:
        found = mended(text)
        assert found.value == value
        assert code in {one for one, _ in found.notes}
        assert all(0 <= offset <= len(text) for _, offset in found.notes)

    def test_stand_where_they_were_made(self) -> None:
        assert mended('{"a": 1,}').notes == [("trailing-comma", 7)]
        assert mended("{'a': 1}").notes[0] == ("single-quotes", 1)

    def test_are_listed_in_order(self) -> None:
        offsets = [offset for _, offset in mended("{'a': True, b: 'c',}").notes]
        assert offsets == sorted(offsets)


class TestGaps:
    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ('["yes", , "no"]', ["yes", Gap.MISSING, "no"]),
            ('[, "no"]', [Gap.MISSING, "no"]),
            ('{"a": , "b": 1}', {"a": Gap.MISSING, "b": 1}),
            ('["yes", ..., "no"]', ["yes", Gap.ELLIPSIS, "no"]),
            ('["yes", …]', ["yes", Gap.ELLIPSIS]),
            ("[undefined, 1]", [Gap.MISSING, 1]),
        ],
    )
    def test_are_never_closed(self, text: str, value: Any) -> None:
        assert mended(text).value == value


class TestKeys:
    def test_a_repeated_key_keeps_all_its_values(self) -> None:
        found = mended('{"a": 1, "a": 2, }').value
        assert isinstance(found, Obj)
        assert found["a"] == 1
        assert found.twice == {"a": [1, 2]}

    def test_spans_say_where_each_value_stands(self) -> None:
        text = '{"a": "xy", "b": [1, 22],}'
        found = mended(text).value
        assert isinstance(found, Obj)
        assert text[slice(*found.spans["a"])] == '"xy"'
        assert text[slice(*found.spans["b"])] == "[1, 22]"
        assert isinstance(found["b"], Arr)
        assert text[slice(*found["b"].spans[1])] == "22"


class TestCut:
    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ('{"a": 1', {"a": Gap.CUT}),
            ('{"a": "ye', {"a": Gap.CUT}),
            ('["yes", "n', ["yes", Gap.CUT]),
        ],
    )
    def test_a_value_at_the_end_is_none(self, text: str, value: Any) -> None:
        found = mended(text)
        assert found.value == value
        assert found.cut
        assert found.dangling

    def test_complete_values_before_it_stay(self) -> None:
        found = mended('[{"id": 1, "verdict": "yes"}, {"id": 2, "verd')
        assert isinstance(found.value, Arr)
        assert found.value[0] == {"id": 1, "verdict": "yes"}
        assert found.value.open

    def test_only_closing_brackets_missing_is_a_cut_without_loose_ends(self) -> None:
        found = mended('{"a": [{"b": "c"}')
        assert found.value == {"a": [{"b": "c"}]}
        assert found.cut
        assert not found.dangling
        assert ("missing-bracket", 17) in found.notes


class TestBrackets:
    @pytest.mark.parametrize(
        ("text", "value", "code"),
        [
            ('{"a": [1, 2}', {"a": [1, 2]}, "missing-bracket"),
            ('{"a": [1, 2]]}', {"a": [1, 2]}, "surplus-bracket"),
            ('[{"a": 1}}, {"a": 2}]', [{"a": 1}, {"a": 2}], "surplus-bracket"),
            ('{"a": [1, 2}, "b": 3}', {"a": [1, 2], "b": 3}, "wrong-bracket"),
            ('[{"a": 1], {"a": 2}]', [{"a": 1}, {"a": 2}], "wrong-bracket"),
        ],
    )
    def test_that_do_not_match(self, text: str, value: Any, code: str) -> None:
        found = mended(text)
        assert found.value == value
        assert code in {one for one, _ in found.notes}


class TestBounds:
    def test_what_opens_nothing_is_given_up(self) -> None:
        assert isinstance(mend("yes", 0), GivenUp)

    @pytest.mark.parametrize("unit", ["[", '{"a":', '{"a": ['])
    def test_nesting_without_end_is_given_up(self, unit: str) -> None:
        assert isinstance(mend(unit * 5_000, 0), GivenUp)

    @pytest.mark.parametrize("unit", ["]", ",", "1 ", "x, "])
    def test_so_are_more_repairs_than_an_answer_needs(self, unit: str) -> None:
        found = mend("[" + unit * 20_000, 0)
        assert isinstance(found, GivenUp) or found.end <= 20_001 * len(unit)

    def test_an_end_may_be_set(self) -> None:
        text = '{"a": "b"} and more'
        found = mend(text, 0, 10)
        assert isinstance(found, Mended)
        assert (found.value, found.end) == ({"a": "b"}, 10)


Tell = Callable[..., tuple[str, ...]]


class TestAfterAValue:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            (
                '["yes" indeed, "no"]',
                ("['yes\" indeed, \"no'] 0-20 closed", "unescaped-quote 5, unescaped-quote 15", "0 1-19"),
            ),
            ('["a" "b"]', ("['a', 'b'] 0-9 closed", "missing-comma 5", "0 1-4, 1 5-8")),
            ("[[1] [2]]", ("[[1], [2]] 0-9 closed", "missing-comma 5", "0 1-4, 0.0 2-3, 1 5-8, 1.0 6-7")),
            ('{"a": [1] "b": 2}', ("{'a': [1], 'b': 2} 0-17 closed", "missing-comma 10", "a 6-9, a.0 7-8, b 15-16")),
            ('["x", ```', ("['x' 0-6 cut, dangling", "missing-bracket 6", "0 1-4")),
            ('{"a": 1\n```\nmore', ("{'a': 1 0-8 cut", "missing-bracket 8", "a 6-7")),
            (
                '{"a": [1] (one), "b": 2}',
                ("{'a': [1], 'b': 2} 0-24 closed", "stray-text 10", "a 6-9, a.0 7-8, b 22-23"),
            ),
        ],
    )
    def test_a_comma_may_be_missing_or_text_may_stray(self, text: str, told: tuple[str, ...], tell_mend: Tell) -> None:
        assert tell_mend(text) == told


class TestBracketsInFull:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ('{"a": [1, 2}', ("{'a': [1, 2]} 0-12 closed", "missing-bracket 11", "a 6-11, a.0 7-8, a.1 10-11")),
            (
                '{"a": [1, 2}, "b": 3}',
                ("{'a': [1, 2], 'b': 3} 0-21 closed", "wrong-bracket 11", "a 6-12, a.0 7-8, a.1 10-11, b 19-20"),
            ),
            (
                '{"a": {"b": 1], "c": 2}',
                (
                    "{'a': {'b': 1, 'c': 2} 0-23 cut",
                    "surplus-bracket 13, missing-bracket 23",
                    "a 6-23, a.b 12-13, a.c 21-22",
                ),
            ),
            ("[1, 2}", ("[1, 2 0-6 cut", "surplus-bracket 5, missing-bracket 6", "0 1-2, 1 4-5")),
            (
                '{"a": [{"b": 1, "c": [2}]}',
                (
                    "{'a': [{'b': 1, 'c': [2]} 0-26 cut",
                    "surplus-bracket 23, missing-bracket 26",
                    "a 6-26, a.0 7-26, a.0.b 13-14, a.0.c 21-25, a.0.c.0 22-23",
                ),
            ),
            ("(1, 2)", ("given up at 0",)),
            (
                "【1，2】",
                ("[1, 2] 0-5 closed", "full-width 0, full-width 2, unquoted-value 3, full-width 4", "0 1-2, 1 3-4"),
            ),
        ],
    )
    def test_each_closes_what_it_can(self, text: str, told: tuple[str, ...], tell_mend: Tell) -> None:
        assert tell_mend(text) == told


class TestCutInFull:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ('["x",', ("['x' 0-5 cut, dangling", "missing-bracket 5", "0 1-4")),
        ],
    )
    def test_what_reaches_the_end_is_no_value(self, text: str, told: tuple[str, ...], tell_mend: Tell) -> None:
        assert tell_mend(text) == told
