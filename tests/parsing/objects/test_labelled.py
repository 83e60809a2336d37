"""Labelled lines and elements as one object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Tell = Callable[..., tuple[str, ...]]


def bare(told: tuple[str, ...]) -> tuple[str, ...]:
    """What is told, without the words of messages."""
    return tuple(line if line.startswith(("{", "[")) else line.split(": ")[0] for line in told)


class TestLines:
    @pytest.mark.parametrize(
        ("reply", "schema", "told"),
        [
            (
                "n: 4\ntags:\n- a\n- 'b'\n- \"c\"\n* d\n1. e",
                {
                    "type": "object",
                    "properties": {
                        "tags": {"type": "array", "items": {"type": "string"}},
                        "note": {"type": "string"},
                        "n": {"type": "integer"},
                    },
                    "required": ["n"],
                },
                ("ok labelled", "{'n': 4, 'tags': ['a', 'b', 'c', 'd', 'e']}"),
            ),
            (
                "n: 4\ntags:\n- 'a'b'\n- ''",
                {
                    "type": "object",
                    "properties": {
                        "tags": {"type": "array", "items": {"type": "string"}},
                        "note": {"type": "string"},
                        "n": {"type": "integer"},
                    },
                    "required": ["n"],
                },
                ("ok labelled", "{'n': 4, 'tags': [\"'a'b'\", '']}"),
            ),
            (
                "n: 4\nnote:",
                {
                    "type": "object",
                    "properties": {
                        "tags": {"type": "array", "items": {"type": "string"}},
                        "note": {"type": "string"},
                        "n": {"type": "integer"},
                    },
                    "required": ["n"],
                },
                ("unparseable None", "None", "missing-verdict: note: nothing stands here", "note: nothing stands here"),
            ),
            (
                "n: 4\nn: 5",
                {
                    "type": "object",
                    "properties": {
                        "tags": {"type": "array", "items": {"type": "string"}},
                        "note": {"type": "string"},
                        "n": {"type": "integer"},
                    },
                    "required": ["n"],
                },
                (
                    "unparseable None",
                    "None",
                    "conflicting-verdicts: n: given twice, with different values",
                    "n: given twice, with different values",
                ),
            ),
            (
                "n: 'x'",
                {"type": "object", "properties": {"n": {"type": "string", "enum": ["x"]}}, "required": ["n"]},
                ("ok labelled", "{'n': 'x'}"),
            ),
        ],
    )
    def test_labels_name_properties(self, reply: str, schema: Any, told: tuple[str, ...], tell_object: Tell) -> None:
        assert tell_object(reply, schema) == tuple(
            line if line.startswith(("{", "[")) else line.split(": ")[0] for line in told
        )
