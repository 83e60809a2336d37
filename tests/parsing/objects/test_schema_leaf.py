"""The leaves of a schema: a value in another spelling counts, nothing is coerced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Tell = Callable[..., tuple[str, ...]]


class TestTypes:
    @pytest.mark.parametrize(
        ("value", "schema", "told"),
        [
            ("3", {"type": "integer"}, ("3", "quoted-number")),
            ("3.0", {"type": "integer"}, ("3", "quoted-number")),
            ("3.5", {"type": "integer"}, ("other the object: integer expected, not string",)),
            (3.0, {"type": "integer"}, ("3",)),
            (3.5, {"type": "integer"}, ("other the object: integer expected, not number",)),
            ("3.5", {"type": "number"}, ("3.5", "quoted-number")),
            ("1e400", {"type": "number"}, ("other the object: number expected, not string",)),
            ("9007199254740993.0", {"type": "integer"}, ("other the object: integer expected, not string",)),
            ("3 apples", {"type": "number"}, ("other the object: number expected, not string",)),
            (
                "1111111111111111111111111111111111111111",
                {"type": "integer"},
                ("1111111111111111111111111111111111111111", "quoted-number"),
            ),
            ("yes", {"type": "boolean"}, ("True", "quoted-boolean")),
            (1, {"type": "boolean"}, ("other the object: boolean expected, not integer",)),
            (5, {"type": "string"}, ("'5'", "unquoted-string")),
            (True, {"type": "string"}, ("other the object: string expected, not boolean",)),
            (9007199254740992, {"type": "string"}, ("other the object: string expected, not integer",)),
            (None, {"type": "string"}, ("other the object: string expected, not null",)),
            (None, {"type": "string", "nullable": True}, ("None",)),
            ("3", {"type": ["integer", "number"]}, ("3", "quoted-number")),
            ([1], {"type": "string"}, ("other the object: string expected, not array",)),
            ({}, {"type": "array"}, ("other the object: array expected, not object",)),
            (float("nan"), {"type": "number"}, ("range the object: not a finite number",)),
        ],
    )
    def test_a_value_in_quotation_marks_may_be_of_its_type(
        self, value: Any, schema: Any, told: tuple[str, ...], tell_fit: Tell
    ) -> None:
        assert tell_fit(value, schema) == told


class TestLabels:
    @pytest.mark.parametrize(
        ("value", "schema", "told"),
        [
            ("a", {"enum": ["A", "B"]}, ("'A'", "label-spelling")),
            ("A or B", {"enum": ["A", "B"]}, ("label the object: 'A or B' is none of 'A', 'B'",)),
            ("", {"enum": ["A", ""]}, ("''",)),
            (
                "x" * 201,
                {"enum": ["x" * 201 + "!"]},
                ("label the object: '" + "x" * 59 + " is none of 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxx",),
            ),
            ("x" * 199 + ".", {"enum": ["x" * 199]}, ("'" + "x" * 199 + "'", "label-spelling")),
            (1, {"enum": ["1", "2"]}, ("'1'", "label-spelling")),
            (1.0, {"enum": [1, 2]}, ("1.0",)),
            ("1", {"enum": [1, 2]}, ("1", "label-spelling")),
            ("3", {"enum": [1, 2]}, ("label the object: '3' is none of 1, 2",)),
            ("1", {"enum": [1, "one"]}, ("label the object: '1' is none of 1, 'one'",)),
            (3, {"enum": [1, 2]}, ("range the object: 3 is none of 1, 2",)),
            (True, {"enum": ["true", "false"]}, ("'true'", "label-spelling")),
            (True, {"enum": [1, 0]}, ("label the object: True is none of 1, 0",)),
            ([1, 2], {"const": [1, 2]}, ("[1, 2]",)),
            ([1, 2], {"const": [1, 2, 3]}, ("label the object: [1, 2] is none of [1, 2, 3]",)),
            ({"a": 1.0}, {"const": {"a": 1}}, ("{'a': 1.0}",)),
            ({"a": 1}, {"const": {"b": 1}}, ("label the object: {'a': 1} is none of {'b': 1}",)),
            (
                "long " * 20,
                {"enum": ["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "b", "c", "d", "e", "f", "g"]},
                (
                    "label the object: 'long long long long long long long long long long long long is none of '"
                    + "a" * 29
                    + ", 'b', 'c', 'd', 'e', 'f'",
                ),
            ),
        ],
    )
    def test_a_label_counts_as_a_whole(self, value: Any, schema: Any, told: tuple[str, ...], tell_fit: Tell) -> None:
        assert tell_fit(value, schema) == told
