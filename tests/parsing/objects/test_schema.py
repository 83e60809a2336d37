"""Values and a caller's schema: as they stand, with the liberties of a careful reader, or not at all."""

from __future__ import annotations

import json
from typing import Any, Literal

import pytest
from pydantic import AliasChoices, AliasPath, BaseModel, ConfigDict, Field, field_validator

from magistrate.parsing import parse_object
from magistrate.parsing.decode.nodes import Gap
from magistrate.parsing.objects.leaves import NOTHING, as_type, choose, kind_of, same
from magistrate.parsing.objects.schema import Fit, Schema
from magistrate.parsing.objects.target import target_of
from magistrate.parsing.rows.walk import is_schema, schema_values


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
    @pytest.mark.parametrize(
        ("value", "kind"),
        [
            (None, "null"),
            (True, "boolean"),
            (3, "integer"),
            (3.0, "number"),
            (float("nan"), "nonfinite"),
            (float("inf"), "nonfinite"),
            ("3", "string"),
            ([], "array"),
            ({}, "object"),
            (Gap.MISSING, "gap"),
        ],
    )
    def test_of_a_value(self, value: Any, kind: str) -> None:
        assert kind_of(value) == kind

    @pytest.mark.parametrize(
        ("left", "right", "equal"),
        [
            (1, 1.0, True),
            (1, True, False),
            (True, True, True),
            (0, False, False),
            ("a", "a", True),
            ([1, 2], [1, 2.0], True),
            ([1], [True], False),
            ([1], [1, 1], False),
            ({"a": 1}, {"a": 1.0}, True),
            ({"a": 1}, {"b": 1}, False),
            ({"a": True}, {"a": 1}, False),
        ],
    )
    def test_equal_as_json_is(self, left: Any, right: Any, equal: bool) -> None:
        assert same(left, right) is equal


class TestChoose:
    @pytest.mark.parametrize(
        ("value", "choices", "chosen"),
        [
            ("PASS", ["pass", "fail"], "pass"),
            (" *Fail*. ", ["pass", "fail"], "fail"),
            ("not_enough_info", ["not enough info"], "not enough info"),
            ("ＰＡＳＳ", ["pass"], "pass"),
            ("3", [1, 2, 3], 3),
            ("2.5", [2.5], 2.5),
            (3, ["1", "2", "3"], "3"),
            (True, ["true", "false"], "true"),
            (False, ["true", "false"], "false"),
        ],
    )
    def test_the_one_label_a_value_names(self, value: Any, choices: list[Any], chosen: Any) -> None:
        assert same(choose(value, choices), chosen)

    @pytest.mark.parametrize(
        ("value", "choices"),
        [
            ("passed", ["pass", "fail"]),
            ("pass or fail", ["pass", "fail"]),
            ("", ["pass"]),
            ("**", ["pass"]),
            ("Pass", ["pass", "PASS!"]),
            ("3", [1, 2, "three"]),
            ("4", [1, 2, 3]),
            (4, ["1", "2"]),
            (True, ["1", "0"]),
            (True, [1, 0]),
            (1.5, ["1.5"]),
            (None, ["null"]),
            ("p" * 300, ["p" * 300, "q"]),
        ],
    )
    def test_or_nothing(self, value: Any, choices: list[Any]) -> None:
        assert choose(value, choices) is NOTHING


class TestAsType:
    @pytest.mark.parametrize(
        ("value", "types", "read"),
        [
            ("4", ["integer"], (4, "quoted-number")),
            ("4.0", ["integer"], (4, "quoted-number")),
            ("-3", ["integer"], (-3, "quoted-number")),
            ('"4.5"', ["number"], (4.5, "quoted-number")),
            ("yes", ["boolean"], (True, "quoted-boolean")),
            ("No.", ["boolean"], (False, "quoted-boolean")),
            (7, ["string"], ("7", "unquoted-string")),
            ("4", ["integer", "number"], (4, "quoted-number")),
        ],
    )
    def test_what_reads_one_way_only(self, value: Any, types: list[str], read: tuple[Any, str]) -> None:
        found = as_type(value, types)
        assert same(found[0], read[0])
        assert found[1] == read[1]

    @pytest.mark.parametrize(
        ("value", "types"),
        [
            ("4.5", ["integer"]),
            ("four", ["number"]),
            ("4 of 5", ["number"]),
            ("٤", ["number"]),
            ("1e999", ["number"]),
            ("1" * 60, ["number"]),
            ("maybe", ["boolean"]),
            (1, ["boolean"]),
            (True, ["string"]),
            (1.5, ["string"]),
            (2**60, ["string"]),
            (None, ["string"]),
            ("1e300", ["integer"]),
        ],
    )
    def test_everything_else_is_nothing(self, value: Any, types: list[str]) -> None:
        assert as_type(value, types) == (NOTHING, "")


class TestFit:
    def test_a_value_that_fits_takes_no_liberties(self) -> None:
        schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
        found = fit({"n": 3}, schema)
        assert (found.value, found.flaws, found.liberties) == ({"n": 3}, [], [])

    @pytest.mark.parametrize(
        ("value", "schema", "code"),
        [
            ("3", {"type": "integer"}, "quoted-number"),
            ("true", {"type": "boolean"}, "quoted-boolean"),
            (3, {"type": "string"}, "unquoted-string"),
            ("PASS", {"enum": ["pass", "fail"]}, "label-spelling"),
            ("Pass", {"const": "pass"}, "label-spelling"),
        ],
    )
    def test_liberties_are_noted(self, value: Any, schema: Any, code: str) -> None:
        assert codes(value, schema) == [code]

    def test_a_whole_number_in_another_spelling_is_none(self) -> None:
        found = fit(3.0, {"type": "integer"})
        assert found.value == 3
        assert isinstance(found.value, int)
        assert found.liberties == []

    @pytest.mark.parametrize(
        ("value", "schema", "kind"),
        [
            (6, {"type": "integer", "maximum": 5}, "range"),
            (0, {"type": "integer", "minimum": 1}, "range"),
            (5, {"type": "number", "exclusiveMaximum": 5}, "range"),
            (1, {"type": "number", "exclusiveMinimum": 1}, "range"),
            (0.3, {"type": "number", "multipleOf": 0.5}, "range"),
            (float("nan"), {"type": "number"}, "range"),
            (7, {"enum": [1, 2, 3]}, "range"),
            ("maybe", {"enum": ["yes", "no"]}, "label"),
            (True, {"enum": [1, 0]}, "label"),
            (2.5, {"type": "integer"}, "other"),
            (True, {"type": "integer"}, "other"),
            (None, {"type": "string"}, "other"),
            ("ab", {"type": "string", "minLength": 3}, "other"),
            ("abcd", {"type": "string", "maxLength": 3}, "other"),
            ("abc", {"type": "string", "pattern": "^x"}, "other"),
            ([1], {"type": "array", "minItems": 2}, "count"),
            ([1, 2, 3], {"type": "array", "maxItems": 2}, "count"),
            ([1, 1], {"type": "array", "uniqueItems": True}, "other"),
            ([1, 2], {"type": "array", "contains": {"const": 3}}, "other"),
            ([1, "x"], {"type": "array", "items": {"type": "integer"}}, "other"),
            (Gap.MISSING, {"type": "integer"}, "missing"),
            (Gap.CUT, {"type": "integer"}, "cut"),
            (1, False, "other"),
            (3, {"not": {"type": "integer"}}, "other"),
            (3, {"if": {"minimum": 2}, "then": {"maximum": 2}}, "range"),
            (1, {"if": {"minimum": 2}, "then": {"maximum": 2}, "else": {"const": 0}}, "range"),
        ],
    )
    def test_what_does_not_fit_says_why(self, value: Any, schema: Any, kind: str) -> None:
        assert kind in kinds(value, schema)

    @pytest.mark.parametrize(
        ("value", "schema"),
        [
            (5, {"type": "integer", "minimum": 1, "maximum": 5}),
            (0.3, {"type": "number", "multipleOf": 0.1}),
            (None, {"type": "string", "nullable": True}),
            (None, {"type": ["string", "null"]}),
            (3, {"type": "number"}),
            ("abc", {"pattern": "b"}),
            ([1, "x"], {"prefixItems": [{"type": "integer"}, {"type": "string"}]}),
            ([1, "x"], {"items": [{"type": "integer"}], "additionalItems": {"type": "string"}}),
            ([1, 2], {"contains": {"const": 2}}),
            ([1, 2], {"uniqueItems": True}),
            (2, {"anyOf": [{"type": "string"}, {"type": "integer"}]}),
            (2, {"oneOf": [{"type": "string"}, {"type": "integer"}]}),
            (2, {"allOf": [{"minimum": 1}, {"maximum": 3}]}),
            (2, {"if": {"minimum": 2}, "then": {"maximum": 2}}),
            (1, {"if": {"minimum": 2}, "then": {"maximum": 2}}),
            ({"a": {"b": 1}}, True),
            (2, {}),
        ],
    )
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

    @pytest.mark.parametrize(
        "schema",
        [
            {"$ref": "#/$defs/none"},
            {"$ref": "http://elsewhere/x"},
            {"properties": {"a": {"type": "strin"}}},
            {"properties": {"a": {"pattern": "(?=x)y"}}},
            {"properties": {"a": {"pattern": "("}}},
            {"$recursiveRef": "#"},
            {"required": "a"},
            {"minLength": -1},
            {"type": object()},
        ],
    )
    def test_what_cannot_be_honoured_is_refused(self, schema: dict[str, Any]) -> None:
        with pytest.raises(ValueError, match=r"schema|stands"):
            parse_object("{}", schema)

    @pytest.mark.parametrize(
        ("value", "schema"),
        [
            ('{"a": 1}', {"dependentSchemas": {"a": {"required": ["b"]}}}),
            ('{"a": 1}', {"dependencies": {"a": ["b"]}}),
            ('{"a": 1, "b": 2}', {"properties": {"a": {}}, "unevaluatedProperties": False}),
            ('{"foo": []}', {"properties": {"foo": {}}, "patternProperties": {"f.o": {"minItems": 2}}}),
            ('{"v": 1.5}', {"properties": {"v": {"multipleOf": 1}}}),
            ('{"v": "b"}', {"properties": {"v": {"pattern": "^(a+)+$"}}}),
            ('{"v": [1, {"a": 1, "b": 2}, {"b": 2, "a": 1}]}', {"properties": {"v": {"uniqueItems": True}}}),
            ('{"v": [1, 2]}', {"properties": {"v": {"contains": {"const": 1}, "minContains": 2}}}),
        ],
    )
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
        assert parse_object('{"a": 1}', schema).value is None

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


class Inner(BaseModel):
    n: int = Field(ge=1, le=5)


class Wide(BaseModel):
    model_config = ConfigDict(populate_by_name=True)
    grade: Literal["A", "B"] = Field(validation_alias=AliasChoices("grade_letter", AliasPath("marks", 0)))
    inner: Inner | None = None

    @field_validator("inner")
    @classmethod
    def not_four(cls, value: Inner | None) -> Inner | None:
        if value is not None and value.n == 4:
            raise ValueError("four brings bad luck")
        return value


class TestTarget:
    def test_knows_the_names_of_a_model_and_their_aliases(self) -> None:
        target = target_of(Wide)
        assert {"grade", "grade_letter", "marks", "inner"} <= set(target.names)
        assert target.knows({"Grade Letter": "A", "other": 1}) == 1
        assert target.kinds == {"object"}

    def test_knows_the_kinds_of_a_schema(self) -> None:
        assert target_of({"enum": ["a", 1]}).kinds == {"string", "integer"}
        assert target_of({"const": None}).kinds == {"null"}
        assert target_of({"anyOf": [{"type": "array"}, {"properties": {"x": {}}}]}).kinds == {"array", "object"}

    def test_builds_the_callers_object(self) -> None:
        built, flaws = target_of(Wide).build({"grade_letter": "A", "inner": {"n": 2}})
        assert built == Wide(grade_letter="A", inner=Inner(n=2))
        assert flaws == []

    @pytest.mark.parametrize(
        ("value", "kind"),
        [
            ({"grade_letter": "A", "inner": {"n": 9}}, "range"),
            ({"grade_letter": "C"}, "label"),
            ({"grade_letter": "A", "inner": {"n": 4}}, "other"),
        ],
    )
    def test_or_says_what_its_validators_have_against_it(self, value: Any, kind: str) -> None:
        built, flaws = target_of(Wide).build(value)
        assert built is None
        assert [flaw.kind for flaw in flaws] == [kind]

    def test_a_validator_that_breaks_is_a_flaw(self) -> None:
        class Broken(BaseModel):
            n: int

            @field_validator("n")
            @classmethod
            def breaks(cls, value: int) -> int:
                raise RuntimeError(str(value))

        built, flaws = target_of(Broken).build({"n": 1})
        assert built is None
        assert "RuntimeError" in flaws[0].text

    @pytest.mark.parametrize("schema", ["x", 3, None, int, Inner(n=1)])
    def test_what_is_no_schema(self, schema: Any) -> None:
        with pytest.raises(TypeError, match="a schema is a Pydantic model or a JSON schema"):
            target_of(schema)


class TestEcho:
    def test_a_schema_is_told_from_an_answer(self) -> None:
        assert is_schema({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]})
        assert not is_schema({"type": "claim", "verdict": "yes"})

    def test_an_answer_in_the_place_of_the_properties_is_found(self) -> None:
        filled = {"type": "object", "properties": {"n": 3, "why": "so"}}
        assert schema_values(filled) == {"n": 3, "why": "so"}
        assert schema_values({"type": "object", "properties": {"n": {"type": "integer"}}}) is None
