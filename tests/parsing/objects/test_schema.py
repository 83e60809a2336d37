"""Values and a caller's schema: as they stand, with the liberties of a careful reader, or not at all."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.case_tables import cases_of

from magistrate.parsing import parse_object
from magistrate.parsing.decode.nodes import Gap
from magistrate.parsing.objects.leaves import NOTHING, as_type, choose, kind_of, same
from magistrate.parsing.objects.schema import Fit, Schema
from magistrate.parsing.rows.walk import is_schema, schema_values

cases = cases_of(__file__)


def kinds(value: Any, schema: Any) -> list[str]:
    return [flaw.kind for flaw in fit(value, schema).flaws]


def codes(value: Any, schema: Any) -> list[str]:
    found = fit(value, schema)
    assert not found.flaws
    return [code for code, _ in found.liberties]


def fit(value: object, schema: object, root: dict[str, Any] | None = None) -> Fit:
    """A value fitted to a schema, or to a part of one."""
    return Schema(root if root is not None else {"allOf": [schema]}).fit(value, None if root is None else schema)


class TestKinds:
    @cases("schema: of a value")
    def test_of_a_value(self, value: Any, kind: str) -> None:
        assert kind_of(value) == kind

    @cases("schema: equal as json is")
    def test_equal_as_json_is(self, left: Any, right: Any, equal: bool) -> None:
        assert same(left, right) is equal


class TestChoose:
    @cases("schema: the one label a value names")
    def test_the_one_label_a_value_names(self, value: Any, choices: list[Any], chosen: Any) -> None:
        assert same(choose(value, choices), chosen)

    @cases("schema: or nothing")
    def test_or_nothing(self, value: Any, choices: list[Any]) -> None:
        assert choose(value, choices) is NOTHING


class TestAsType:
    @cases("schema: what reads one way only")
    def test_what_reads_one_way_only(self, value: Any, types: list[str], read: tuple[Any, str]) -> None:
        found = as_type(value, types)
        assert same(found[0], read[0])
        assert found[1] == read[1]

    @cases("schema: everything else is nothing")
    def test_everything_else_is_nothing(self, value: Any, types: list[str]) -> None:
        assert as_type(value, types) == (NOTHING, "")


class TestFit:
    def test_a_value_that_fits_takes_no_liberties(self) -> None:
        schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
        found = fit({"n": 3}, schema)
        assert (found.value, found.flaws, found.liberties) == ({"n": 3}, [], [])

    @cases("schema: liberties are noted")
    def test_liberties_are_noted(self, value: Any, schema: Any, code: str) -> None:
        assert codes(value, schema) == [code]

    def test_a_whole_number_in_another_spelling_is_none(self) -> None:
        found = fit(3.0, {"type": "integer"})
        assert found.value == 3
        assert isinstance(found.value, int)
        assert found.liberties == []

    @cases("schema: what does not fit says why")
    def test_what_does_not_fit_says_why(self, value: Any, schema: Any, kind: str) -> None:
        assert kind in kinds(value, schema)

    def test_a_gap_fits_nothing(self) -> None:
        assert kind_of(Gap.MISSING) == "gap"
        assert [kinds(gap, {"type": "integer"}) for gap in (Gap.MISSING, Gap.CUT)] == [["missing"], ["cut"]]

    @cases("schema: what fits has no flaws")
    def test_what_fits_has_no_flaws(self, value: Any, schema: Any) -> None:
        assert fit(value, schema).flaws == []

    def test_one_of_two_forms_that_both_fit_is_unclear(self) -> None:
        assert kinds(2, {"oneOf": [{"minimum": 1}, {"maximum": 3}]}) == ["other"]

    def test_the_nearest_form_says_what_is_wrong(self) -> None:
        schema = {
            "anyOf": [
                {"type": "null"},
                {"type": "object", "properties": {"n": {"type": "integer", "maximum": 5}}, "required": ["n"]},
            ]
        }
        assert kinds({"n": 9}, schema) == ["range"]

    def test_references_within_the_schema_are_followed(self) -> None:
        schema = {"$ref": "#/$defs/grade", "minimum": 2, "$defs": {"grade": {"type": "integer", "maximum": 5}}}
        assert Schema(schema).fit(4).flaws == []
        assert [flaw.kind for value in (6, 1) for flaw in Schema(schema).fit(value).flaws] == ["range", "range"]

    @cases("schema: what cannot be honoured is refused")
    def test_what_cannot_be_honoured_is_refused(self, schema: dict[str, Any]) -> None:
        with pytest.raises(ValueError, match=r"schema|stands"):
            parse_object("{}", schema)

    @cases("schema: each word counts")
    def test_each_word_counts(self, value: str, schema: dict[str, Any]) -> None:
        assert parse_object(value, {"type": "object", **schema}).value is None

    def test_a_pattern_takes_no_longer_than_its_text(self) -> None:
        schema = {"type": "object", "properties": {"v": {"pattern": "^(a+)+$"}}}
        assert parse_object(json.dumps({"v": "a" * 5_000 + "b"}), schema).value is None

    @pytest.mark.parametrize("number", ["1e308", "-1e308", "1" + "0" * 400, "0"])
    def test_any_number_has_its_multiples(self, number: str) -> None:
        schema = {"type": "object", "properties": {"v": {"type": "number", "multipleOf": 0.01}}}
        assert parse_object(f'{{"v": {number}}}', schema).status in {"ok", "out_of_range", "unparseable"}

    def test_a_schema_that_holds_itself_is_no_endless_work(self) -> None:
        schema: dict[str, Any] = {"anyOf": [{"$ref": "#"}, {"$ref": "#"}]}

        def called_from(depth: int) -> object:
            return called_from(depth - 1) if depth else parse_object('{"a": 1}', schema).value

        assert [called_from(0), called_from(500)] == [None, None]

    def test_missing_extra_and_misspelt_properties(self) -> None:
        schema = {
            "type": "object",
            "properties": {"finalScore": {"type": "integer"}, "why": {"type": "string"}},
            "required": ["finalScore"],
        }
        assert kinds({"why": "x"}, schema) == ["missing"]
        found = fit({"final_score": 3, "why": "x"}, schema)
        assert found.value == {"finalScore": 3, "why": "x"}
        assert [code for code, _ in found.liberties] == ["key-spelling"]
        assert kinds({"finalScore": 3, "more": 1}, {**schema, "additionalProperties": False}) in ([], ["other"])

    def test_a_flaw_reads_as_a_sentence_with_its_place(self) -> None:
        schema = {
            "type": "object",
            "properties": {"rows": {"type": "array", "items": {"type": "integer", "maximum": 5}}},
        }
        assert str(fit({"rows": [1, 9]}, schema).flaws[0]) == "rows.1: 9 is greater than the maximum of 5"
        assert str(fit("x", {"type": "integer"}).flaws[0]).startswith("the object: ")


class TestEcho:
    def test_a_schema_is_told_from_an_answer(self) -> None:
        assert is_schema({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]})
        assert not is_schema({"type": "claim", "verdict": "yes"})

    def test_an_answer_in_the_place_of_the_properties_is_found(self) -> None:
        filled = {"type": "object", "properties": {"n": 3, "why": "so"}}
        assert schema_values(filled) == {"n": 3, "why": "so"}
        assert schema_values({"type": "object", "properties": {"n": {"type": "integer"}}}) is None
