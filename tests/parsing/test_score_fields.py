"""The score among the fields of an object, and in what it holds."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from magistrate.parsing import parse_score

Tell = Callable[..., tuple[str, ...]]


class TestFields:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ('{"score": 4, "rating": "good"}', ("ok 4.0 json 10-11",)),
            (
                '{"score": 4, "result": {"score": 3}}',
                ("unparseable None None", "conflicting-verdicts: one key holds different scores"),
            ),
            ('{"score": 4, "result": {"score": 4}}', ("ok 4.0 json 10-11",)),
            (
                '{"evidence": {"score": 4}}',
                ("unparseable None None", "missing-verdict: the reply gives no single number as its score"),
            ),
            ('{"type": "object", "properties": {"score": 4}}', ("ok 4.0 json 43-44",)),
            (
                '{"score": ' + "9" * 310 + "}",
                ("out_of_range None json 10-320", "out-of-range: the score is not on the scale from 1 to 5"),
            ),
            (
                '{"' + "k" * 65 + '": 4}',
                ("unparseable None None", "missing-verdict: the reply gives no single number as its score"),
            ),
            ('{"' + "k" * 64 + '": 4}', ("ok 4.0 json 69-70",)),
            (
                '{"a":' * 40 + '{"score": 4}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}',
                ("unparseable None None", "missing-verdict: the reply gives no single number as its score"),
            ),
            (
                "[" * 40 + '{"score": 4}]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]',
                ("unparseable None None", "missing-verdict: the reply gives no single number as its score"),
            ),
            ("[" + '{"a": "x"}, ' * 199 + '{"score": 4}]', ("ok 4.0 json 2399-2400",)),
            (
                "[" + '{"a": "x"}, ' * 200 + '{"score": 4}]',
                ("unparseable None None", "missing-verdict: the reply gives no single number as its score"),
            ),
        ],
    )
    def test_own_numbers_and_those_further_in(self, reply: str, told: tuple[str, ...], tell_score: Tell) -> None:
        assert tell_score(reply, 1, 5) == told


class TestTotals:
    @pytest.mark.parametrize(
        ("reply", "value"),
        [
            ('{"score": 4, "total": 5}', 4),
            ('{"score": 3, "total": 4}', None),
            ('{"total": 4}', 4),
            ('{"score": 5, "total": 5}', 5),
            ('{"clarity": 3, "depth": 4, "total": 4}', 4),
            ('{"score": 3, "total": 5, "overall": 4}', 4),
        ],
    )
    def test_beside_a_score_are_what_it_is_out_of(self, reply: str, value: float | None) -> None:
        assert parse_score(reply, 1, 5).value == value
