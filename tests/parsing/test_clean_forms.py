"""Forms that were read before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Tell = Callable[..., tuple[str, ...]]
STATEMENTS = [
    "The ferry leaves at six.",
    "The harbour freezes in May.",
    "Gulls nest on the pier.",
    "The keeper paints the rail.",
]


class TestForms:
    @pytest.mark.parametrize(
        ("taught", "reply", "asked", "told"),
        [
            (
                '[{"id": 1, "reason": "a", "verdict": "yes"}, {"id": 2, "reason": "b", "verdict": "no"}]',
                '[{"id": 1, "reason": "cc", "verdict": "no"}, {"id": 2, "reason": "d: e", "verdict": "yes"}]',
                (STATEMENTS[:2],),
                (
                    "ok json",
                    "s1: unsupported 1-43 because 'cc'",
                    "s2: supported 45-90 because 'd: e'",
                    "reasons ['cc', 'd: e']",
                ),
            ),
            (
                '[{"id": 1, "reason": "a", "verdict": "yes"}, {"id": 2, "reason": "b", "verdict": "no"}]',
                '[{"id": 1, "reason": "cc", "verdict": "no"}, {"id": 2, "reason": "d: e", "verdict": "yes"}]',
                (STATEMENTS[:2], 3),
                ("unknown form",),
            ),
            (
                '[{"id": 1, "reason": "a", "verdict": "yes"}, {"id": 2, "reason": "b", "verdict": "no"}]',
                '[{"id": 1, "reason": "cc", "verdict": "no"}, {"id": 2, "reason": "d: e", "verdict": "yes"}]',
                (STATEMENTS[:2], 5),
                (
                    "ok json",
                    "s1: unsupported 1-43 because 'cc'",
                    "s2: supported 45-90 because 'd: e'",
                    "reasons ['cc', 'd: e']",
                ),
            ),
            (
                '[{"id": 1, "reason": "a", "verdict": "yes"}, {"id": 2, "reason": "b", "verdict": "no"}]',
                ('  [{"id": 1, "reason": "cc", "verdict": "no"}, {"id": 2, "reason": "d: e", "verdict": "yes"}]'),
                (STATEMENTS[:2],),
                (
                    "ok json",
                    "s1: unsupported 3-45 because 'cc'",
                    "s2: supported 47-92 because 'd: e'",
                    "reasons ['cc', 'd: e']",
                ),
            ),
            (
                '[{"id": 1, "reason": "a", "verdict": "yes"}, {"id": 2, "reason": "b", "verdict": "no"}]',
                '[{"id": 1, "reason": "cc", "verdict": "no"}, {"id": 2, "reason": "d: e", "verdict": "yes"}] ',
                (STATEMENTS[:2],),
                ("unknown form",),
            ),
            (
                '[{"id": 1, "reason": "a", "verdict": "yes"}, {"id": 2, "reason": "b", "verdict": "no"}]',
                ('[{"id": 1, "reason": "c\\\\c", "verdict": "no"}, {"id": 2, "reason": "d: e", "verdict": "yes"}]'),
                (STATEMENTS[:2],),
                ("unknown form",),
            ),
            (
                '[{"id": 1, "reason": "a", "verdict": "yes"}, {"id": 2, "reason": "b", "verdict": "no"}]',
                '[{"id": 1, "reason": "c\nc", "verdict": "no"}, {"id": 2, "reason": "d: e", "verdict": "yes"}]',
                (STATEMENTS[:2],),
                ("unknown form",),
            ),
            (
                '[{"id": 1, "reason": "a", "verdict": "yes"}, {"id": 2, "reason": "b", "verdict": "no"}]',
                '[{"id": 1, "reason": "c\tc", "verdict": "no"}, {"id": 2, "reason": "d: e", "verdict": "yes"}]',
                (STATEMENTS[:2],),
                ("unknown form",),
            ),
            (
                '[{"id": 1, "reason": "a", "verdict": "yes"}, {"id": 2, "reason": "b", "verdict": "no"}]',
                '[{"id": 1, "reason": "cc", "verdict": "no"}, {"id": 3, "reason": "d: e", "verdict": "yes"}]',
                (STATEMENTS[:2],),
                ("unknown form",),
            ),
            (
                '[{"id": 1, "reason": "a", "verdict": "yes"}, {"id": 2, "reason": "b", "verdict": "no"}]',
                '[{"id": 01, "reason": "cc", "verdict": "no"}, {"id": 2, "reason": "d: e", "verdict": "yes"}]',
                (STATEMENTS[:2],),
                ("unknown form",),
            ),
            (
                '[{"id": 1, "reason": "a", "verdict": "yes"}, {"id": 2, "reason": "b", "verdict": "no"}]',
                ('[{"id": 1, "reason": "cc", "verdict": "maybe"}, {"id": 2, "reason": "d: e", "verdict": "yes"}]'),
                (STATEMENTS[:2],),
                ("unknown form",),
            ),
            (
                '[{"id": 1, "reason": "a", "verdict": "yes"}, {"id": 2, "reason": "b", "verdict": "no"}]',
                '[{"id": 1, "reason": "cc", "verdict": "no"},{"id": 2, "reason": "d: e", "verdict": "yes"}]',
                (STATEMENTS[:2],),
                ("unknown form",),
            ),
            (
                '[{"id": 1, "reason": "a", "verdict": "yes"}, {"id": 2, "reason": "b", "verdict": "no"}]',
                '[{"id": 1, "reason": "cc", "verdict": "no"}, {"id": 2, "reason": "d: e", "verdict": "yes"} ]',
                (STATEMENTS[:2],),
                ("unknown form",),
            ),
            (
                '[{"id": 1, "reason": "a", "verdict": "yes"}, {"id": 2, "reason": "b", "verdict": "no"}]',
                (
                    '[{"id": 1, "reason": "cc", "verdict": "no"}, {"id": 2, "reason": "d: e", "verdict": '
                    '"yes"}, {"id": 3, "reason": "x", "verdict": "no"}]'
                ),
                (STATEMENTS[:2],),
                ("unknown form",),
            ),
            (
                '[{"id": 1, "reason": "a", "verdict": "yes"}, {"id": 2, "reason": "b", "verdict": "no"}]',
                '[{"id": 1, "why": "a", "verdict": "yes"}, {"id": 2, "why": "b", "verdict": "no"}]',
                (STATEMENTS[:2],),
                ("unknown form",),
            ),
            (
                '[{"id": 1, "reason": "a", "verdict": "yes"}, {"id": 2, "reason": "b", "verdict": "no"}]',
                '[{"id": 1, "reason": " ", "verdict": "no"}, {"id": 2, "reason": "d: e", "verdict": "yes"}]',
                (STATEMENTS[:2],),
                ("ok json", "s1: unsupported 1-42", "s2: supported 44-89 because 'd: e'", "reasons [' ', 'd: e']"),
            ),
            (
                '[{"verdict": "yes"}, {"verdict": "no"}]',
                '[{"verdict": "no"}, {"verdict": "no"}]',
                (STATEMENTS[:2],),
                ("ok json", "s1: unsupported 1-18", "s2: unsupported 20-37", "reasons None"),
            ),
            (
                '{"verdicts": [{"verdict": "yes"}, {"verdict": "no"}]}',
                '{"verdicts": [{"verdict": "no"}, {"verdict": "no"}]}',
                (STATEMENTS[:2],),
                ("ok json", "s1: unsupported 14-31", "s2: unsupported 33-50", "reasons None"),
            ),
            (
                '{"verdicts": [{"verdict": true}, {"verdict": false}]}',
                '{"verdicts": [{"verdict": false}, {"verdict": true}]}',
                (STATEMENTS[:2],),
                ("ok json", "s1: unsupported 14-32", "s2: supported 34-51", "reasons None"),
            ),
            (
                '[{"id": "s1", "verdict": "yes"}, {"id": "s2", "verdict": "no"}]',
                '[{"id": "s1", "verdict": "no"}, {"id": "s2", "verdict": "no"}]',
                (STATEMENTS[:2],),
                ("ok json", "s1: unsupported 1-30", "s2: unsupported 32-61", "reasons None"),
            ),
            (
                '[{"id": "s1", "verdict": "yes"}, {"id": "s2", "verdict": "no"}]',
                '[{"id": "s2", "verdict": "no"}, {"id": "s1", "verdict": "no"}]',
                (STATEMENTS[:2],),
                ("unknown form",),
            ),
            (
                '[{"id": "q1", "verdict": "yes"}, {"id": "q2", "verdict": "no"}]',
                '[{"id": "q1", "verdict": "no"}, {"id": "q2", "verdict": "no"}]',
                (STATEMENTS[:2], 4, "binary", ["q1", "q2"]),
                ("ok json", "q1: unsupported 1-30", "q2: unsupported 32-61", "reasons None"),
            ),
            (
                '[{"id": 1, "reason": "a", "verdict": "yes"}, {"id": 2, "reason": "b", "verdict": "no"}]',
                '[{"id": 1, "reason": "cc", "verdict": "no"}, {"id": 2, "reason": "d: e", "verdict": "yes"}]',
                (STATEMENTS[:2], 4, "binary", ["q1", "q2"]),
                ("unknown form",),
            ),
            (
                (
                    '[{"statement": "The ferry leaves at six.", "verdict": "yes"}, {"statement": "The '
                    'harbour freezes in May.", "verdict": "no"}]'
                ),
                (
                    '[{"statement": "The ferry leaves at six.", "verdict": "no"}, {"statement": "The harbour '
                    'freezes in May.", "verdict": "no"}]'
                ),
                (STATEMENTS[:2],),
                ("ok json", "s1: unsupported 1-59", "s2: unsupported 61-122", "reasons None"),
            ),
            (
                (
                    '[{"statement": "The ferry leaves at six.", "verdict": "yes"}, {"statement": "The '
                    'harbour freezes in May.", "verdict": "no"}]'
                ),
                (
                    '[{"statement": "The harbour freezes in May.", "verdict": "no"}, {"statement": "The '
                    'ferry leaves at six.", "verdict": "no"}]'
                ),
                (STATEMENTS[:2],),
                ("unknown form",),
            ),
            (
                '[{"supported": "yes"}, {"supported": "no"}]',
                '[{"supported": "no"}, {"supported": "no"}]',
                (STATEMENTS[:2],),
                ("ok json", "s1: unsupported 1-20", "s2: unsupported 22-41", "reasons None"),
            ),
            (
                '[{"supported": "yes"}, {"supported": "yes"}]',
                '[{"supported": "yes"}, {"supported": "yes"}]',
                (STATEMENTS[:2], 4, "ternary"),
                ("unknown form",),
            ),
            (
                '[{ "verdict" : "yes" }, { "verdict" : "no" }]',
                '[{ "verdict" : "no" }, { "verdict" : "yes" }]',
                (STATEMENTS[:2],),
                ("ok json", "s1: unsupported 1-21", "s2: supported 23-44", "reasons None"),
            ),
            (
                '[{"verdict": 1}, {"verdict": 0}]',
                '[{"verdict": 0}, {"verdict": 0}]',
                (STATEMENTS[:2],),
                ("unknown form",),
            ),
            (
                '[{"verdict": "yes", "id": 1}, {"verdict": "no", "id": 2}]',
                '[{"verdict": "no", "id": 1}, {"verdict": "no", "id": 2}]',
                (STATEMENTS[:2],),
                ("ok json", "s1: unsupported 1-27", "s2: unsupported 29-55", "reasons None"),
            ),
            (
                '[{"verdict": "yes", "x": "a"}, {"verdict": "no", "x": "b"}]',
                '[{"verdict": "no", "x": "a"}, {"verdict": "no", "x": "b"}]',
                (STATEMENTS[:2],),
                ("unknown form",),
            ),
            (
                '[          {"verdict": "yes"}, {"verdict": "no"}]',
                '[          {"verdict": "no"}, {"verdict": "no"}]',
                (STATEMENTS[:2],),
                ("ok json", "s1: unsupported 11-28", "s2: unsupported 30-47", "reasons None"),
            ),
            ('[{"verdict": "yes"}]', '[{"verdict": "no"}]', (STATEMENTS[:1],), ("unknown form",)),
            (
                '{"s1": {"verdict": "yes"}, "s2": {"verdict": "no"}}',
                '{"s1": {"verdict": "no"}, "s2": {"verdict": "no"}}',
                (STATEMENTS[:2],),
                ("unknown form",),
            ),
        ],
    )
    def test_one_that_was_read_often_is_known(
        self, taught: Any, reply: str, asked: Any, told: tuple[str, ...], tell_form: Tell
    ) -> None:
        assert tell_form(taught, reply, *asked) == told
