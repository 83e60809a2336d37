"""JSON that is almost JSON: every change is written down, no gap is closed, nothing at a cut is trusted."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.case_tables import cases_of

from magistrate.parsing.decode.nodes import Arr, Gap, Obj
from magistrate.parsing.decode.repair import mend
from magistrate.parsing.decode.repair_state import State

cases = cases_of(__file__)


def mended(text: str) -> State:
    found = mend(text, 0)
    assert found.value is not None
    return found


def notes(text: str) -> set[str]:
    return {code for code, _ in mended(text).notes}


class TestValid:
    @cases("repair: stays what it is")
    def test_stays_what_it_is(self, value: Any) -> None:
        found = mended(json.dumps(value))
        assert found.value == value
        assert found.notes == []
        assert not found.cut
        assert found.at == len(json.dumps(value))


class TestChanges:
    @cases("repair: are made and written down")
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
    @cases("repair: that do not match")
    def test_that_do_not_match(self, text: str, value: Any, code: str) -> None:
        found = mended(text)
        assert found.value == value
        assert code in {one for one, _ in found.notes}


class TestBounds:
    def test_what_opens_nothing_is_given_up(self) -> None:
        assert mend("yes", 0).value is None

    @pytest.mark.parametrize("unit", ["[", '{"a":', '{"a": ['])
    def test_nesting_without_end_is_given_up(self, unit: str) -> None:
        assert mend(unit * 5_000, 0).value is None

    @pytest.mark.parametrize("unit", ["]", ",", "1 ", "x, "])
    def test_so_are_more_repairs_than_an_answer_needs(self, unit: str) -> None:
        found = mend("[" + unit * 20_000, 0)
        assert found.value is None or found.at <= 20_001 * len(unit)

    def test_an_end_may_be_set(self) -> None:
        text = '{"a": "b"} and more'
        found = mend(text, 0, 10)
        assert (found.value, found.at) == ({"a": "b"}, 10)
