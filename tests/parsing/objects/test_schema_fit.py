"""Values and schemas: what fits, with which liberties, and what stands in the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from magistrate.parsing.decode.repair import Mended, mend

Tell = Callable[..., tuple[str, ...]]

SCORE: Any = {
    "type": "object",
    "properties": {"score": {"type": "integer"}, "note": {"type": "string"}},
    "required": ["score"],
}


def mended(text: str) -> Any:
    found = mend(text, 0)
    assert isinstance(found, Mended)
    return found.value


def _nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


class TestBounds:
    @pytest.mark.parametrize(
        ("value", "schema", "told"),
        [
            (0.3, {"multipleOf": 0.1}, ("0.3",)),
            (0.35, {"multipleOf": 0.1}, ("range the object: 0.35 is no multiple of 0.1",)),
            (8, {"multipleOf": 0}, ("8",)),
            (True, {"minimum": 5}, ("True",)),
            ("ab", {"minLength": 2}, ("'ab'",)),
            ("a", {"minLength": 2}, ("other the object: shorter than 2 characters",)),
            ("abc", {"maxLength": 2}, ("other the object: longer than 2 characters",)),
            ("abc", {"pattern": "^a"}, ("'abc'",)),
            ("bc", {"pattern": "("}, ("other the object: not of the pattern that the schema asks for",)),
        ],
    )
    def test_a_number_or_a_text_past_its_bound_does_not_fit(
        self, value: Any, schema: Any, told: tuple[str, ...], tell_fit: Tell
    ) -> None:
        assert tell_fit(value, schema) == told


class TestLists:
    @pytest.mark.parametrize(
        ("value", "schema", "told"),
        [
            ([1, 2], {"minItems": 2}, ("[1, 2]",)),
            ([1], {"minItems": 2}, ("count the object: fewer than 2 items",)),
            ([1, 2, 3], {"maxItems": 2}, ("count the object: more than 2 items",)),
            ([1, "2"], {"items": {"type": "integer"}}, ("[1, 2]", "quoted-number 1")),
            ([1, "x"], {"items": {"type": "integer"}}, ("other 1: integer expected, not string",)),
            ([], {"items": False}, ("[]",)),
            ([1, 1], {"prefixItems": [{"type": "string"}]}, ("['1', 1]", "unquoted-string 0")),
            (
                ["a", 1, "z"],
                {"items": [{"type": "string"}, {"type": "integer"}], "additionalItems": {"type": "boolean"}},
                ("other 2: boolean expected, not string",),
            ),
            ([1, 1], {"uniqueItems": True}, ("other the object: an item is there twice",)),
            ([1, True], {"uniqueItems": True}, ("[1, True]",)),
            ([{"a": 1}, {"a": 1}], {"uniqueItems": True}, ("other the object: an item is there twice",)),
            ([1, "a"], {"contains": {"type": "string"}}, ("[1, 'a']",)),
            (
                [1, 2],
                {"contains": {"type": "string"}},
                ("other the object: no item of the kind that the schema asks for",),
            ),
        ],
    )
    def test_length_kinds_and_repeats_are_looked_at(
        self, value: Any, schema: Any, told: tuple[str, ...], tell_fit: Tell
    ) -> None:
        assert tell_fit(value, schema) == told


class TestObjects:
    @pytest.mark.parametrize(
        ("value", "schema", "told"),
        [
            ({"score": 3, "note": "x"}, SCORE, ("{'score': 3, 'note': 'x'}",)),
            ({"Score": 3}, SCORE, ("{'score': 3}", "key-spelling Score")),
            ({"SCORE": 4, "score": 3}, SCORE, ("conflict SCORE: score is given twice, with different values",)),
            (
                {"Score": 4, "SCORE": 3},
                SCORE,
                ("key-spelling Score", "conflict SCORE: score is given twice, with different values"),
            ),
            ({"note": "x"}, SCORE, ("missing score: required",)),
            ({}, SCORE, ("missing score: required",)),
            ({"score": 3, "note": None}, SCORE, ("{'score': 3}", "null-left-out note")),
            ({"score": None}, SCORE, ("other score: integer expected, not null",)),
            ({"score": 3, "more": [1, {"a": None}]}, SCORE, ("{'score': 3, 'more': [1, {'a': None}]}",)),
            ({"score": 3, "more": float("nan")}, SCORE, ("{'score': 3}",)),
            ({"score": 3, "more": 1}, {**SCORE, "additionalProperties": False}, ("other more: no key of the schema",)),
            (
                {"score": 3, "more": "1"},
                {**SCORE, "additionalProperties": {"type": "integer"}},
                ("{'score': 3, 'more': 1}", "quoted-number more"),
            ),
            ({"Score": 3}, {**SCORE, "additionalProperties": True}, ("missing score: required",)),
            (
                {"score": 3, "x-a": 1},
                {**SCORE, "patternProperties": {"^x-": {"type": "integer"}}, "additionalProperties": False},
                ("{'score': 3, 'x-a': 1}",),
            ),
            (
                {"score": 3, "x-a": "q"},
                {**SCORE, "patternProperties": {"^x-": {"type": "integer"}}},
                ("other x-a: integer expected, not string",),
            ),
            (
                {"score": 3, "y-a": "q"},
                {**SCORE, "patternProperties": {"^x-": {"type": "integer"}}, "additionalProperties": False},
                ("other y-a: no key of the schema",),
            ),
            ({"a": 1}, {"minProperties": 2}, ("count the object: not as many keys as the schema asks for",)),
            ({"a": 1, "b": 2}, {"maxProperties": 1}, ("count the object: not as many keys as the schema asks for",)),
            (
                {"ab": 1},
                {"propertyNames": {"maxLength": 1}},
                ("other the object: a key that the schema does not allow",),
            ),
            ({"a": 1}, {"dependentRequired": {"a": ["b"]}}, ("missing b: required beside a",)),
            (
                {"kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk": 3},
                {
                    "properties": {
                        "KKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKK": {"type": "integer"}
                    },
                    "required": ["KKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKK"],
                },
                ("missing " + "K" * 65 + ": required",),
            ),
            (
                {"kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk": 3},
                {
                    "properties": {
                        "KKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKK": {"type": "integer"}
                    },
                    "required": ["KKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKK"],
                },
                ("{'" + "K" * 64 + "': 3}", "key-spelling " + "k" * 64),
            ),
            ({**{f"k{n}": 1 for n in range(201)}, "Score": 1}, SCORE, ("missing score: required",)),
            (
                {**{f"k{n}": 1 for n in range(198)}, "Score": 1},
                SCORE,
                (
                    (
                        "{'k0': 1, 'k1': 1, 'k2': 1, 'k3': 1, 'k4': 1, 'k5': 1, 'k6': ... 5': 1, 'k196': 1, "
                        "'k197': 1, 'score': 1}"
                    ),
                    "key-spelling Score",
                ),
            ),
            ({"score": 1.0}, SCORE, ("{'score': 1}",)),
            ({"anything": 1, "b": [float("inf")]}, {}, ("range b.0: not a finite number",)),
        ],
    )
    def test_keys_are_taken_by_name_or_another_spelling(
        self, value: Any, schema: Any, told: tuple[str, ...], tell_fit: Tell
    ) -> None:
        assert tell_fit(value, schema) == told


class TestForms:
    @pytest.mark.parametrize(
        ("value", "schema", "told"),
        [
            ("3", {"anyOf": [{"type": "boolean"}, {"type": "integer"}]}, ("3", "quoted-number")),
            (
                "yes",
                {"anyOf": [{"type": "boolean"}, {"enum": ["Yes", "No"]}]},
                ("other the object: fits more than one form of the schema",),
            ),
            (
                3,
                {"oneOf": [{"type": "number"}, {"type": "integer"}]},
                ("other the object: fits more than one form of the schema",),
            ),
            ("3", {"oneOf": [{"type": "number"}, {"type": "integer"}]}, ("3", "quoted-number")),
            (
                {"a": "x"},
                {
                    "anyOf": [
                        {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
                        {"type": "string"},
                    ]
                },
                ("other a: integer expected, not string",),
            ),
            (
                {"a": 1, "b": "x"},
                {
                    "anyOf": [
                        {"properties": {"a": {"type": "string"}, "b": {"type": "integer"}}},
                        {"properties": {"a": {"type": "string"}}},
                    ]
                },
                ("{'a': '1', 'b': 'x'}", "unquoted-string a"),
            ),
            (3, {"allOf": [{"minimum": 1}, {"maximum": 2}]}, ("range the object: 3 is more than 2",)),
            (3, {"not": {"type": "integer"}}, ("other the object: is what the schema excludes",)),
            (
                3,
                {"if": {"type": "integer"}, "then": {"maximum": 2}, "else": {"maxLength": 1}},
                ("range the object: 3 is more than 2",),
            ),
            (
                "ab",
                {"if": {"type": "integer"}, "then": {"maximum": 2}, "else": {"maxLength": 1}},
                ("other the object: longer than 1 characters",),
            ),
            ("ab", {"if": {"type": "integer"}, "then": {"maximum": 2}}, ("'ab'",)),
            (3.0, {"anyOf": [{"type": "integer"}, {"type": "number"}]}, ("3",)),
        ],
    )
    def test_one_of_several_is_taken_if_it_is_the_only_one(
        self, value: Any, schema: Any, told: tuple[str, ...], tell_fit: Tell
    ) -> None:
        assert tell_fit(value, schema) == told


class TestReferences:
    @pytest.mark.parametrize(
        ("value", "schema", "told"),
        [
            (
                3,
                {"$ref": "#/$defs/n", "maximum": 2, "$defs": {"n": {"type": "integer"}}},
                ("range the object: 3 is more than 2",),
            ),
            (3, {"$ref": "#/$defs/none"}, ("other the object: the schema allows nothing here",)),
            (3, {"$ref": "http://x/y"}, ("other the object: the schema allows nothing here",)),
            (3, {"$ref": "#/$defs/a~1b", "$defs": {"a/b": {"type": "string"}}}, ("'3'", "unquoted-string")),
            (3, {"$ref": "#/$defs/a~0b", "$defs": {"a~b": {"type": "integer"}}}, ("3",)),
            (
                3,
                {"$ref": "#/x/2", "x": [{"type": "string"}, {"type": "integer"}]},
                ("other the object: the schema allows nothing here",),
            ),
            (3, {"$ref": "#"}, ("other the object: the schema allows nothing here",)),
            (3, {"$ref": "#/$defs/50%25", "$defs": {"50%": {"type": "integer"}}}, ("3",)),
        ],
    )
    def test_they_are_followed_inside_the_schema(
        self, value: Any, schema: Any, told: tuple[str, ...], tell_fit: Tell
    ) -> None:
        assert tell_fit(value, schema) == told


class TestBoundsOfWork:
    @pytest.mark.parametrize(
        ("value", "schema", "told"),
        [
            (
                _nested(61),
                {"items": {}},
                ("[" * 61 + "1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",),
            ),
            (
                _nested(61),
                {"$defs": {"t": {"type": ["array", "integer"], "items": {"$ref": "#/$defs/t"}}}, "$ref": "#/$defs/t"},
                ("other " + "0." * 60 + ": nests too deep",),
            ),
        ],
    )
    def test_what_nests_too_deep_does_not_fit(
        self, value: Any, schema: Any, told: tuple[str, ...], tell_fit: Tell
    ) -> None:
        assert tell_fit(value, schema) == told


class TestMendedValues:
    @pytest.mark.parametrize(
        ("text", "schema", "told"),
        [
            ('{"score": 3, "note": "x"', SCORE, ("{'score': 3, 'note': 'x'}",)),
            ('{"score": 3', SCORE, ("cut score: cut off", "cut the object: the object was cut off")),
            ('{"score": 3, "score": 4,}', SCORE, ("conflict score: given twice, with different values",)),
            ('{"score": 3, "score": 3,}', SCORE, ("{'score': 3}",)),
            ('{"score": , "note": "x"}', SCORE, ("missing score: nothing stands here",)),
            ('{"x": 1, "x": 2, "score": 3,}', SCORE, ("{'x': 1, 'score': 3}",)),
            (
                '{"x": 1, "x": 2, "score": 3,}',
                {**SCORE, "additionalProperties": True},
                ("conflict x: given twice, with different values",),
            ),
            ("[1, 2", {"items": {"type": "integer"}}, ("cut the object: the list was cut off", "cut 1: cut off")),
        ],
    )
    def test_what_was_cut_left_out_or_given_twice_never_fits(
        self, text: str, schema: Any, told: tuple[str, ...], tell_fit: Tell
    ) -> None:
        assert tell_fit(mended(text), schema) == told
