"""A schema that came back in place of an answer."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Tell = Callable[..., tuple[str, ...]]
STATEMENTS = [
    "The ferry leaves at six.",
    "The harbour freezes in May.",
    "Gulls nest on the pier.",
    "The keeper paints the rail.",
]


class TestSchemas:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            (
                '{"$defs": {}, "verdict": "yes"}',
                (
                    "unparseable None",
                    "s1: None",
                    "count-mismatch: 0 verdicts for 1 statements",
                    "missing-verdict 1: the reply says nothing of this statement",
                ),
            ),
            (
                '{"properties": {"verdict": "yes"}}',
                (
                    "unparseable None",
                    "s1: None",
                    "count-mismatch: 0 verdicts for 1 statements",
                    "missing-verdict 1: the reply says nothing of this statement",
                ),
            ),
            (
                '{"type": "object", "properties": {"verdict": {"type": ["yes"], "verdict": "yes"}}}',
                ("ok json", "s1: supported 45-80"),
            ),
            (
                '{"type": "object", "properties": {"verdict": {"type": "claim", "verdict": "yes"}}}',
                ("ok json", "s1: supported 45-80"),
            ),
        ],
    )
    def test_a_schema_that_came_back_is_no_answer(self, reply: str, told: tuple[str, ...], tell_verdicts: Tell) -> None:
        assert tell_verdicts(reply, STATEMENTS[:1]) == told
