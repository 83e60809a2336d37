"""The fields of one row: verdict, id, repeated statement, reason, quotes, probability."""

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


class TestRows:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            (
                '[{"id": "s2", "verdict": "no"}, {"id": "s1", "verdict": "yes"}]',
                ("ok json", "s1: supported 32-62", "s2: unsupported 1-30"),
            ),
            (
                (
                    '[{"statement": "The harbour freezes in May.", "verdict": "no"}, {"statement": "The '
                    'ferry leaves at six.", "verdict": "yes"}]'
                ),
                ("ok json", "s1: supported 64-123", "s2: unsupported 1-62"),
            ),
            (
                '[{"statement": 2, "verdict": "no"}, {"statement": 1, "verdict": "yes"}]',
                ("ok json", "s1: supported 36-70", "s2: unsupported 1-34"),
            ),
            (
                '[{"statement": "2", "verdict": "no"}, {"statement": "1", "verdict": "yes"}]',
                ("ok json", "s1: supported 38-74", "s2: unsupported 1-36"),
            ),
            (
                (
                    '[{"id": "The harbour freezes in May.", "verdict": "no"}, {"id": "The ferry leaves at '
                    'six.", "verdict": "yes"}]'
                ),
                ("ok json", "s1: supported 57-109", "s2: unsupported 1-55"),
            ),
            (
                (
                    '[{"id": 1, "verdict": "no", "reason": ["a", " ", 3, "b"], "comment": "c"}, {"id": 2, '
                    '"verdict": "yes", "reason": "  "}]'
                ),
                ("ok json", "s1: unsupported 1-73 because 'a\\nb'", "s2: supported 75-118"),
            ),
            (
                '[{"id": 1, "verdict": "no", "p": 0.25}, {"id": 2, "verdict": "yes", "p": "0.5"}]',
                ("ok json", "s1: unsupported 1-38 p=0.25", "s2: supported 40-79"),
            ),
            (
                '[{"id": 1, "verdict": ["no"]}, {"id": 2, "verdict": ["yes", "yes"]}]',
                ("ok json", "s1: unsupported 1-29", "s2: supported 31-67"),
            ),
            (
                '[{"id": 1, "supported": false, "contradicted": false}, {"id": 2, "supported": true}]',
                ("ok json", "s1: unsupported 1-53", "s2: supported 55-83"),
            ),
            (
                '[{"id": 1, "supported": true, "contradicted": true}, {"id": 2, "supported": true}]',
                (
                    "partial json",
                    "s1: None 1-51",
                    "s2: supported 53-81",
                    (
                        "conflicting-verdicts 1: {'id': 1, 'supported': True, 'contradicted': True} says more "
                        "than one thing"
                    ),
                ),
            ),
            (
                '[{"id": 1, "contradicted": true, "unsupported": true}, {"id": 2, "unsupported": false}]',
                (
                    "partial json",
                    "s1: None 1-53",
                    "s2: supported 55-86",
                    (
                        "conflicting-verdicts 1: {'id': 1, 'contradicted': True, 'unsupported': True} says more "
                        "than one thing"
                    ),
                ),
            ),
            (
                ('[{"id": 1, "verdict": "yes", "unsupported": true}, {"id": 2, "verdict": "no", "unsupported": true}]'),
                (
                    "partial json",
                    "s1: None 1-49",
                    "s2: unsupported 51-98",
                    (
                        "conflicting-verdicts 1: {'id': 1, 'verdict': 'yes', 'unsupported': True} says more than "
                        "one thing"
                    ),
                ),
            ),
            (
                '[{"id": 1, "verdict": "yes", "score": 2}, {"id": 2, "verdict": "no", "score": "no"}]',
                ("ok json", "s1: supported 1-40", "s2: unsupported 42-83"),
            ),
            (
                '[{"id": 1, "verdict": "yes", "result": "no"}, {"id": 2, "status": "done", "answer": "no"}]',
                (
                    "partial json",
                    "s1: None 1-44",
                    "s2: unsupported 46-89",
                    "conflicting-verdicts 1: 'yes' says more than one thing",
                ),
            ),
            (
                '[{"id": 1, "reason": "a \\ud800 b", "verdict": "yes"}, {"id": 2, "verdict": "no"}]',
                ("ok json", "s1: supported 1-52 because 'a � b'", "s2: unsupported 54-80"),
            ),
            (
                ('[{"id": 1, "statement": "{x}", "verdict": "yes"}, {"id": 2, "statement": " ", "verdict": "no"}]'),
                ("ok json", "s1: supported 1-48", "s2: unsupported 50-94"),
            ),
            (
                '[{"id": true, "verdict": "yes"}, {"id": 2, "verdict": "no"}]',
                (
                    "partial json",
                    "s1: None",
                    "s2: unsupported 33-59",
                    "extra supported",
                    "unknown-statement: 1 verdicts are for no statement that was asked about",
                    "count-mismatch: 2 verdicts for 2 statements",
                    "missing-verdict 1: the reply says nothing of this statement",
                ),
            ),
            (
                '[{"id": 1.0, "verdict": "yes"}, {"id": 2.0, "verdict": "no"}]',
                ("ok json", "s1: supported 1-30", "s2: unsupported 32-60"),
            ),
            (
                '[{"id": "#1", "verdict": "yes"}, {"id": "2.", "verdict": "no"}]',
                ("ok json", "s1: supported 1-31", "s2: unsupported 33-62"),
            ),
        ],
    )
    def test_id_echo_reason_quotes_and_probability_are_filed(
        self, reply: str, told: tuple[str, ...], tell_verdicts: Tell
    ) -> None:
        assert tell_verdicts(reply, STATEMENTS[:2]) == told
