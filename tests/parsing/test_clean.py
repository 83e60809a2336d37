"""The short road: what takes it, what is read there, and what goes the long way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.verdict import IssueCode, Verdict

Tell = Callable[..., tuple[str, ...]]
STATEMENTS = [
    "The ferry leaves at six.",
    "The harbour freezes in May.",
    "Gulls nest on the pier.",
    "The keeper paints the rail.",
]


class TestShortRoad:
    @pytest.mark.parametrize(
        ("reply", "asked", "told"),
        [
            (
                '[{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]',
                (STATEMENTS[:2],),
                (
                    "ok json",
                    "s1: supported 1-28",
                    "s2: unsupported 30-56",
                    "mended: ok json",
                    "s1: supported 1-28",
                    "s2: unsupported 30-56",
                ),
            ),
            (
                '[{"verdict": "yes"}, {"verdict": "no"}]',
                (STATEMENTS[:2],),
                (
                    "ok json",
                    "s1: supported 1-19",
                    "s2: unsupported 21-38",
                    "mended: ok json",
                    "s1: supported 1-19",
                    "s2: unsupported 21-38",
                ),
            ),
            (
                '{"verdicts": [{"verdict": "yes"}, {"verdict": "no"}]}',
                (STATEMENTS[:2],),
                (
                    "ok json",
                    "s1: supported 14-32",
                    "s2: unsupported 34-51",
                    "mended: ok json",
                    "s1: supported 14-32",
                    "s2: unsupported 34-51",
                ),
            ),
            ('{"other": [{"verdict": "yes"}, {"verdict": "no"}]}', (STATEMENTS[:2],), ("the long way",)),
            ('{"verdicts": [{"verdict": "yes"}, {"verdict": "no"}], "x": 1}', (STATEMENTS[:2],), ("the long way",)),
            (
                '{"s1": {"verdict": "yes"}, "s2": {"verdict": "no"}}',
                (STATEMENTS[:2],),
                (
                    "ok json",
                    "s1: supported 7-25",
                    "s2: unsupported 33-50",
                    "mended: ok json",
                    "s1: supported 7-25",
                    "s2: unsupported 33-50",
                ),
            ),
            (
                '{"s2": {"verdict": "no", "reason": "b"}, "s1": {"verdict": "yes", "reason": "a"}}',
                (STATEMENTS[:2],),
                (
                    "ok json",
                    "s1: supported 47-80 because 'a'",
                    "s2: unsupported 7-39 because 'b'",
                    "mended: ok json",
                    "s1: supported 47-80 because 'a'",
                    "s2: unsupported 7-39 because 'b'",
                ),
            ),
            (
                '{"s1": {"verdict": "yes", "id": 1}, "s2": {"verdict": "no", "id": 2}}',
                (STATEMENTS[:2],),
                ("the long way",),
            ),
            ('{"s1": {"verdict": "yes"}, "x": {"verdict": "no"}}', (STATEMENTS[:2],), ("the long way",)),
            (
                '{"verdict": "yes"}',
                (STATEMENTS[:1],),
                ("ok json", "s1: supported 0-18", "mended: ok json", "s1: supported 0-18"),
            ),
            (
                '{"verdict": "yes", "reason": "a"}',
                (STATEMENTS[:1],),
                ("ok json", "s1: supported 0-33 because 'a'", "mended: ok json", "s1: supported 0-33 because 'a'"),
            ),
            ('{"verdict": "yes"}', (STATEMENTS[:2],), ("the long way",)),
            (
                '[{"verdict": "yes"}]',
                (STATEMENTS[:1],),
                ("ok json", "s1: supported 1-19", "mended: ok json", "s1: supported 1-19"),
            ),
            ("[]", (STATEMENTS[:1],), ("the long way",)),
            ("[]", ([],), ("the long way",)),
            ("{}", ([],), ("the long way",)),
            ('"x"', (STATEMENTS[:1],), ("the long way",)),
            (
                '[{"id": "s1", "verdict": "yes"}, {"id": "s2", "verdict": "no"}]',
                (STATEMENTS[:2],),
                (
                    "ok json",
                    "s1: supported 1-31",
                    "s2: unsupported 33-62",
                    "mended: ok json",
                    "s1: supported 1-31",
                    "s2: unsupported 33-62",
                ),
            ),
            ('[{"id": 2, "verdict": "yes"}, {"id": 1, "verdict": "no"}]', (STATEMENTS[:2],), ("the long way",)),
            ('[{"id": 0, "verdict": "yes"}, {"id": 1, "verdict": "no"}]', (STATEMENTS[:2],), ("the long way",)),
            ('[{"id": true, "verdict": "yes"}]', (STATEMENTS[:1],), ("the long way",)),
            (
                '[{"id": 1.0, "verdict": "yes"}]',
                (STATEMENTS[:1],),
                ("ok json", "s1: supported 1-30", "mended: ok json", "s1: supported 1-30"),
            ),
            (
                (
                    '[{"statement": "The harbour freezes in May.", "verdict": "no", "reason": "b"}, '
                    '{"statement": "The ferry leaves at six.", "verdict": "yes", "reason": "a"}]'
                ),
                (STATEMENTS[:2],),
                (
                    "ok json",
                    "s1: supported 79-153 because 'a'",
                    "s2: unsupported 1-77 because 'b'",
                    "mended: ok json",
                    "s1: supported 79-153 because 'a'",
                    "s2: unsupported 1-77 because 'b'",
                ),
            ),
            (
                (
                    '[{"statement": "The ferry leaves at six.", "verdict": "yes"}, {"statement": "The '
                    'harbour freezes in May.", "verdict": "no"}]'
                ),
                (STATEMENTS[:2],),
                (
                    "ok json",
                    "s1: supported 1-60",
                    "s2: unsupported 62-123",
                    "mended: ok json",
                    "s1: supported 1-60",
                    "s2: unsupported 62-123",
                ),
            ),
            (
                (
                    '[{"statement": "The ferry leaves at six.", "verdict": "yes"}, {"statement": "The ferry '
                    'leaves at six.", "verdict": "no"}]'
                ),
                (STATEMENTS[:2],),
                ("the long way",),
            ),
            (
                (
                    '[{"statement": "x", "verdict": "yes"}, {"statement": "The harbour freezes in May.", '
                    '"verdict": "no"}]'
                ),
                (STATEMENTS[:2],),
                ("the long way",),
            ),
            (
                (
                    '[{"id": 2, "statement": "The harbour freezes in May.", "verdict": "no"}, {"id": 1, '
                    '"statement": "The ferry leaves at six.", "verdict": "yes"}]'
                ),
                (STATEMENTS[:2],),
                ("the long way",),
            ),
            (
                '[{"verdict": true}, {"verdict": false}]',
                (STATEMENTS[:2],),
                (
                    "ok json",
                    "s1: supported 1-18",
                    "s2: unsupported 20-38",
                    "mended: ok json",
                    "s1: supported 1-18",
                    "s2: unsupported 20-38",
                ),
            ),
            (
                '[{"verdict": 1}, {"verdict": 0}]',
                (STATEMENTS[:2],),
                (
                    "ok json",
                    "s1: supported 1-15",
                    "s2: unsupported 17-31",
                    "mended: ok json",
                    "s1: supported 1-15",
                    "s2: unsupported 17-31",
                ),
            ),
            ('[{"verdict": "yes"}, {"verdict": 0}]', (STATEMENTS[:2],), ("the long way",)),
            ('[{"verdict": 1}, {"verdict": "no"}]', (STATEMENTS[:2],), ("the long way",)),
            ('[{"verdict": "maybe"}, {"verdict": "no"}]', (STATEMENTS[:2],), ("the long way",)),
            ('[{"verdict": ["yes"]}, {"verdict": "no"}]', (STATEMENTS[:2],), ("the long way",)),
            ('[{"verdict": "yes"}, {"label": "no"}]', (STATEMENTS[:2],), ("the long way",)),
            ('[{"verdict": "yes"}, {"verdict": "no"}, {"verdict": "no"}]', (STATEMENTS[:2],), ("the long way",)),
            (
                '[{"verdict": "yes", "reason": 5}, {"verdict": "no", "reason": "x"}]',
                (STATEMENTS[:2],),
                ("the long way",),
            ),
            (
                '[{"verdict": "yes", "reason": " "}, {"verdict": "no", "reason": ""}]',
                (STATEMENTS[:2],),
                (
                    "ok json",
                    "s1: supported 1-34",
                    "s2: unsupported 36-67",
                    "mended: ok json",
                    "s1: supported 1-34",
                    "s2: unsupported 36-67",
                ),
            ),
            (
                '[{"verdict": "yes", "reason": "Verdict: no"}, {"verdict": "no", "reason": "x"}]',
                (STATEMENTS[:2],),
                ("the long way",),
            ),
            (
                '[{"verdict": "yes", "reason": "Verdict: yes"}, {"verdict": "no", "reason": "x: y"}]',
                (STATEMENTS[:2],),
                (
                    "ok json",
                    "s1: supported 1-45 because 'Verdict: yes'",
                    "s2: unsupported 47-82 because 'x: y'",
                    "mended: ok json",
                    "s1: supported 1-45 because 'Verdict: yes'",
                    "s2: unsupported 47-82 because 'x: y'",
                ),
            ),
            (
                '[{"verdict": "yes", "evidence": "leaves"}, {"verdict": "no", "evidence": ["a", "b"]}]',
                (STATEMENTS[:2],),
                (
                    "ok json",
                    "s1: supported 1-41 ['leaves' None None]",
                    "s2: unsupported 43-84 ['a' None None] ['b' None None]",
                    "mended: ok json",
                    "s1: supported 1-41 ['leaves' None None]",
                    "s2: unsupported 43-84 ['a' None None] ['b' None None]",
                ),
            ),
            (
                '[{"verdict": "yes", "note": {"a": 1}}, {"verdict": "no", "note": 2}]',
                (STATEMENTS[:2],),
                ("the long way",),
            ),
            (
                '[{"verdict": "yes", "x": 1}, {"verdict": "no", "x": 2}]',
                (STATEMENTS[:2],),
                ("the long way",),
            ),
            ('[{"verdict": "yes", "label": "yes"}]', (STATEMENTS[:1],), ("the long way",)),
            ('[{"score": 1}]', (STATEMENTS[:1],), ("the long way",)),
            ('[{"verdict": "yes", "answer": "no"}]', (STATEMENTS[:1],), ("the long way",)),
            ('[{"verdict": "yes", "p": 0.5}]', (STATEMENTS[:1],), ("the long way",)),
            ('[{"verdict": "yes", "error": "x"}]', (STATEMENTS[:1],), ("the long way",)),
            ('[{"verdict": "yes", "unsupported": true}]', (STATEMENTS[:1],), ("the long way",)),
            ('[{"verdict": "yes", "verdict": "no"}]', (STATEMENTS[:1],), ("the long way",)),
            ('[{"verdict": "yes", "verdict": "yes"}]', (STATEMENTS[:1],), ("the long way",)),
            (
                '[{"verdict": "yes", "reason": "a \\"b\\" c"}]',
                (STATEMENTS[:1],),
                (
                    "ok json",
                    "s1: supported 1-42 because 'a \"b\" c'",
                    "mended: ok json",
                    "s1: supported 1-42 because 'a \"b\" c'",
                ),
            ),
            ('[{"verdict": "yes", "reason": "a \\"b\\" c", "reason": "d"}]', (STATEMENTS[:1],), ("not JSON",)),
            (
                '[{"supported": "yes"}, {"supported": "no"}]',
                (STATEMENTS[:2],),
                (
                    "ok json",
                    "s1: supported 1-21",
                    "s2: unsupported 23-42",
                    "mended: ok json",
                    "s1: supported 1-21",
                    "s2: unsupported 23-42",
                ),
            ),
            (
                '[{"supported": true}, {"supported": false}]',
                (STATEMENTS[:2],),
                (
                    "ok json",
                    "s1: supported 1-20",
                    "s2: unsupported 22-42",
                    "mended: ok json",
                    "s1: supported 1-20",
                    "s2: unsupported 22-42",
                ),
            ),
            ('[{"supported": "yes"}, {"supported": "no"}]', (STATEMENTS[:2], "ternary"), ("the long way",)),
            (
                '[{"verdict": "yes"}, {"verdict": "no"}]',
                (STATEMENTS[:2], "ternary"),
                (
                    "ok json",
                    "s1: supported 1-19",
                    "s2: contradicted 21-38",
                    "mended: ok json",
                    "s1: supported 1-19",
                    "s2: contradicted 21-38",
                ),
            ),
            ('[{"verdict": true}, {"verdict": false}]', (STATEMENTS[:2], "ternary"), ("the long way",)),
            ("[5, 6]", (STATEMENTS[:2],), ("the long way",)),
            ('[{"verdict": "yes"}, 5]', (STATEMENTS[:2],), ("the long way",)),
            ('["yes", "no"]', (STATEMENTS[:2],), ("the long way",)),
            ('{"verdicts": 5}', (STATEMENTS[:1],), ("the long way",)),
            (
                (
                    '[{"verdict": "yes", "k0": 1, "k1": 1, "k2": 1, "k3": 1, "k4": 1, "k5": 1, "k6": 1, '
                    '"k7": 1, "k8": 1, "k9": 1, "k10": 1}]'
                ),
                (STATEMENTS[:1],),
                ("the long way",),
            ),
            (
                (
                    '[{"verdict": "yes", "k0": 1, "k1": 1, "k2": 1, "k3": 1, "k4": 1, "k5": 1, "k6": 1, '
                    '"k7": 1, "k8": 1, "k9": 1, "k10": 1, "k11": 1}]'
                ),
                (STATEMENTS[:1],),
                ("the long way",),
            ),
            ('[{"v": "yes"}]', (STATEMENTS[:1],), ("the long way",)),
        ],
    )
    def test_rows_in_a_known_shape_take_it(
        self, reply: str, asked: Any, told: tuple[str, ...], tell_quick: Tell
    ) -> None:
        assert tell_quick(reply, *asked) == told

    @pytest.mark.parametrize(
        ("reply", "asked", "told"),
        [
            (
                '```json\n[{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]\n```',
                (STATEMENTS[:2],),
                ("ok json", "s1: supported 9-36", "s2: unsupported 38-64"),
            ),
            (
                '```\n[{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]\n```',
                (STATEMENTS[:2],),
                ("ok json", "s1: supported 5-32", "s2: unsupported 34-60"),
            ),
            (
                '```JSON\n[{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]\n```\n',
                (STATEMENTS[:2],),
                ("ok json", "s1: supported 9-36", "s2: unsupported 38-64"),
            ),
            (
                '```yaml\n[{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]\n```',
                (STATEMENTS[:2],),
                ("the long way",),
            ),
            (
                (
                    'Here are my verdicts:\n```json\n[{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": '
                    '"no"}]\n```\nLet me know if you need anything else!'
                ),
                (STATEMENTS[:2],),
                ("ok json", "s1: supported 31-58", "s2: unsupported 60-86"),
            ),
            (
                'Beware:\n```json\n[{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]\n```',
                (STATEMENTS[:2],),
                ("the long way",),
            ),
            (
                '```json\n[{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]\n```\nNo, wait.',
                (STATEMENTS[:2],),
                ("the long way",),
            ),
            (
                '<think>hm</think>[{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]',
                (STATEMENTS[:2],),
                ("ok json", "s1: supported 18-45", "s2: unsupported 47-73"),
            ),
            (
                '<think>hm</think>\n```json\n[{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]\n```',
                (STATEMENTS[:2],),
                ("ok json", "s1: supported 27-54", "s2: unsupported 56-82"),
            ),
            (
                '<think>a<think>b</think>[{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]',
                (STATEMENTS[:2],),
                ("the long way",),
            ),
            (
                '<think>hm[{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]',
                (STATEMENTS[:2],),
                ("the long way",),
            ),
            (
                '  [{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]  \n',
                (STATEMENTS[:2],),
                ("ok json", "s1: supported 3-30", "s2: unsupported 32-58"),
            ),
            (
                '\ufeff[{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]',
                (STATEMENTS[:2],),
                ("ok json", "s1: supported 2-29", "s2: unsupported 31-57"),
            ),
            (
                '[{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}] x',
                (STATEMENTS[:2],),
                ("not JSON", "mended: ok json", "s1: supported 1-28", "s2: unsupported 30-56"),
            ),
            ('x [{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]', (STATEMENTS[:2],), ("the long way",)),
            (
                '```json\n[{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]',
                (STATEMENTS[:2],),
                ("the long way",),
            ),
            (
                '```json [{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]```',
                (STATEMENTS[:2],),
                ("the long way",),
            ),
            (
                "here " * 70 + '\n```json\n[{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]\n```',
                (STATEMENTS[:2],),
                ("the long way",),
            ),
            (
                '```json\n[{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]\n```\n' + "here " * 70,
                (STATEMENTS[:2],),
                ("the long way",),
            ),
            (
                "here " * 55 + '\n```json\n[{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]\n```',
                (STATEMENTS[:2],),
                ("ok json", "s1: supported 285-312", "s2: unsupported 314-340"),
            ),
            (
                '{"verdict": "yes"',
                (STATEMENTS[:1],),
                (
                    "not JSON",
                    "mended: ok repaired-json",
                    "s1: supported 0-17",
                    "repaired-json: the reply had to be mended: missing-bracket",
                    "uncertain-end: the answer is complete, but its closing brackets are missing",
                    "missing-bracket 17",
                ),
            ),
            (
                '{verdict: "yes"}',
                (STATEMENTS[:1],),
                (
                    "not JSON",
                    "mended: ok repaired-json",
                    "s1: supported 0-16 unquoted-key 1",
                    "repaired-json: the reply had to be mended: unquoted-key",
                    "unquoted-key 1",
                ),
            ),
            (
                "[{'verdict': 'yes'}, {'verdict': 'no'}]",
                (STATEMENTS[:2],),
                (
                    "not JSON",
                    "mended: ok repaired-json",
                    "s1: supported 1-19 single-quotes 2",
                    "s2: unsupported 21-38 single-quotes 22",
                    "repaired-json: the reply had to be mended: single-quotes",
                    "single-quotes 2",
                    "single-quotes 22",
                ),
            ),
            (
                '{"verdicts": [{"verdict": "yes",}, {"verdict": "no"}]}',
                (STATEMENTS[:2],),
                (
                    "not JSON",
                    "mended: ok repaired-json",
                    "s1: supported 14-33 trailing-comma 31",
                    "s2: unsupported 35-52",
                    "repaired-json: the reply had to be mended: trailing-comma",
                    "trailing-comma 31",
                ),
            ),
            (
                '[{"verdict": "yes"}, {"verdict": "no"}',
                (STATEMENTS[:2],),
                (
                    "not JSON",
                    "mended: ok repaired-json",
                    "s1: supported 1-19",
                    "s2: unsupported 21-38",
                    "repaired-json: the reply had to be mended: missing-bracket",
                    "uncertain-end: the answer is complete, but its closing brackets are missing",
                    "missing-bracket 38",
                ),
            ),
            ('[{"verdict": "yes"}, {"verdict": "no"},', (STATEMENTS[:2],), ("not JSON",)),
            ('[{"verdict": "yes"}, {"verdict": ', (STATEMENTS[:2],), ("not JSON",)),
            ('[{"verdict": "yes", "verdict": "yes",}]', (STATEMENTS[:1],), ("not JSON",)),
            ('{"a": 1, "a": 2,}', (STATEMENTS[:1],), ("not JSON",)),
            (
                "{'s1': {'verdict': 'yes'}, 's2': {'verdict': 'no'}}",
                (STATEMENTS[:2],),
                (
                    "not JSON",
                    "mended: ok repaired-json",
                    "s1: supported 7-25 single-quotes 8",
                    "s2: unsupported 33-50 single-quotes 34",
                    "repaired-json: the reply had to be mended: single-quotes",
                    "single-quotes 1",
                    "single-quotes 8",
                    "single-quotes 27",
                    "single-quotes 34",
                ),
            ),
        ],
    )
    def test_what_stands_around_it_must_say_nothing(
        self, reply: str, asked: Any, told: tuple[str, ...], tell_quick: Tell
    ) -> None:
        assert tell_quick(reply, *asked) == told

    @pytest.mark.parametrize(
        ("reply", "asked", "told"),
        [
            (
                '{"token": "k7Q", "verdicts": [{"verdict": "yes"}, {"verdict": "no"}]}',
                (STATEMENTS[:2], "binary", "k7Q"),
                (
                    "ok json",
                    "s1: supported 30-48",
                    "s2: unsupported 50-67",
                    "mended: ok json",
                    "s1: supported 30-48",
                    "s2: unsupported 50-67",
                ),
            ),
            (
                '{"token": "zzz", "verdicts": [{"verdict": "yes"}, {"verdict": "no"}]}',
                (STATEMENTS[:2], "binary", "k7Q"),
                ("the long way",),
            ),
            (
                '{"verdicts": [{"verdict": "yes"}, {"verdict": "no"}]}',
                (STATEMENTS[:2], "binary", "k7Q"),
                ("the long way",),
            ),
            (
                '[{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]',
                (STATEMENTS[:2], "binary", "k7Q"),
                ("the long way",),
            ),
            (
                '{"token": "k7Q", "s1": {"verdict": "yes"}, "s2": {"verdict": "no"}}',
                (STATEMENTS[:2], "binary", "k7Q"),
                (
                    "ok json",
                    "s1: supported 23-41",
                    "s2: unsupported 49-66",
                    "mended: ok json",
                    "s1: supported 23-41",
                    "s2: unsupported 49-66",
                ),
            ),
            (
                '{"s1": {"verdict": "yes"}, "token": "k7Q", "s2": {"verdict": "no"}}',
                (STATEMENTS[:2], "binary", "k7Q"),
                (
                    "ok json",
                    "s1: supported 7-25",
                    "s2: unsupported 49-66",
                    "mended: ok json",
                    "s1: supported 7-25",
                    "s2: unsupported 49-66",
                ),
            ),
            ('{"verdict": "yes", "token": "k7Q"}', (STATEMENTS[:1], "binary", "k7Q"), ("the long way",)),
            (
                '{"token": "x", "verdicts": [{"verdict": "yes"}, {"verdict": "no"}]}',
                (STATEMENTS[:2],),
                (
                    "ok json",
                    "s1: supported 28-46",
                    "s2: unsupported 48-65",
                    "mended: ok json",
                    "s1: supported 28-46",
                    "s2: unsupported 48-65",
                ),
            ),
            (
                '[{"id": "q1", "verdict": "yes"}, {"id": "q2", "verdict": "no"}]',
                (STATEMENTS[:2], "binary", None, ["q1", "q2"]),
                (
                    "ok json",
                    "q1: supported 1-31",
                    "q2: unsupported 33-62",
                    "mended: ok json",
                    "q1: supported 1-31",
                    "q2: unsupported 33-62",
                ),
            ),
            (
                '[{"id": "q2", "verdict": "yes"}, {"id": "q1", "verdict": "no"}]',
                (STATEMENTS[:2], "binary", None, ["q1", "q2"]),
                ("the long way",),
            ),
            (
                '[{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]',
                (STATEMENTS[:2], "binary", None, ["q1", "q2"]),
                ("the long way",),
            ),
            (
                '{"q2": {"verdict": "no"}, "q1": {"verdict": "yes"}}',
                (STATEMENTS[:2], "binary", None, ["q1", "q2"]),
                (
                    "ok json",
                    "q1: supported 32-50",
                    "q2: unsupported 7-24",
                    "mended: ok json",
                    "q1: supported 32-50",
                    "q2: unsupported 7-24",
                ),
            ),
            (
                '[{"verdict": "yes", "evidence": "at six"}, {"verdict": "no", "evidence": "no such"}]',
                (STATEMENTS[:2], "binary", None, None, STATEMENTS[:1]),
                (
                    "ok json",
                    "s1: supported 1-41 ['at six' 0 17]",
                    "s2: unsupported 43-83 ['no such' None None]",
                    "mended: ok json",
                    "s1: supported 1-41 ['at six' 0 17]",
                    "s2: unsupported 43-83 ['no such' None None]",
                ),
            ),
            (
                '[{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]',
                (
                    STATEMENTS[:2],
                    "binary",
                    None,
                    None,
                    ['See [{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}] there.'],
                ),
                ("the long way",),
            ),
            (
                '[{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]',
                (STATEMENTS[:2], "binary", None, None, ['[{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}']),
                (
                    "ok json",
                    "s1: supported 1-28",
                    "s2: unsupported 30-56",
                    "mended: ok json",
                    "s1: supported 1-28",
                    "s2: unsupported 30-56",
                ),
            ),
            (
                "[{'verdict': 'yes', 'evidence': 'at six'}]",
                (STATEMENTS[:1], "binary", None, None, ["It leaves at six."]),
                (
                    "not JSON",
                    "mended: ok repaired-json",
                    "s1: supported 1-41 ['at six' 0 10] single-quotes 2",
                    "repaired-json: the reply had to be mended: single-quotes",
                    "single-quotes 2",
                ),
            ),
            (
                "[{'verdict': 'yes'}]",
                (STATEMENTS[:1], "binary", None, None, ["So [{'verdict': 'yes'}] is it."]),
                ("not JSON",),
            ),
        ],
    )
    def test_token_ids_and_contexts(self, reply: str, asked: Any, told: tuple[str, ...], tell_quick: Tell) -> None:
        assert tell_quick(reply, *asked) == told


class TestOneFormAgainAndAgain:
    """A judge answers in one form a hundred times: the last reply is read as carefully as the first."""

    @staticmethod
    def told(rows: str, **request: Any) -> Any:
        for number in range(6):
            parse_verdicts(rows.replace("<>", f"Page {number}."), STATEMENTS[:2])
        return parse_verdicts(rows.replace("<>", "Page 9."), STATEMENTS[:2], **request)

    ROWS = '[{"id": 1, "verdict": "yes", "reason": "<>"}, {"id": 2, "verdict": "no", "reason": "x"}]'

    def test_verdicts_reasons_and_places_are_there(self) -> None:
        reading = self.told(self.ROWS)
        assert [(one.verdict, one.reason, one.span) for one in reading.verdicts] == [
            (Verdict.SUPPORTED, "Page 9.", (1, 49)),
            (Verdict.UNSUPPORTED, "x", (51, 92)),
        ]

    def test_a_reason_that_closes_with_another_verdict_is_seen(self) -> None:
        self.told(self.ROWS)
        reading = parse_verdicts(self.ROWS.replace("<>", "So: verdict: no"), STATEMENTS[:2])
        assert [*reading.found] == [None, Verdict.UNSUPPORTED]
        assert [*parse_verdicts(self.ROWS.replace("<>", "Verdict: yes"), STATEMENTS[:2]).found] == [
            Verdict.SUPPORTED,
            Verdict.UNSUPPORTED,
        ]

    def test_a_reply_that_stands_in_a_context_is_no_answer(self) -> None:
        given = "Once it said: " + self.ROWS.replace("<>", "Page 9.")
        assert [*self.told(self.ROWS, contexts=[given]).found] == [None, None]
        assert [*self.told(self.ROWS, contexts=["Another page."]).found] == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]

    def test_the_token_is_still_asked_for(self) -> None:
        given = 'Reply with [{"id": 1, "verdict": "yes"}]'
        reading = self.told(self.ROWS, token="k7", contexts=[given])
        assert [*reading.found] == [None, None]
        assert IssueCode.TOKEN_MISSING in {note.code for note in reading.issues}

    def test_evidence_is_found(self) -> None:
        rows = '[{"verdict": "yes", "evidence": "<>"}, {"verdict": "no", "evidence": "x"}]'
        assert [[quote.quote for quote in one.evidence] for one in self.told(rows).verdicts] == [["Page 9."], ["x"]]


class TestRepeatedTexts:
    ROW = '{"statement": "%s", "verdict": "%s"}'

    def test_against_the_ids_decide_nothing(self) -> None:
        first, second = STATEMENTS[:2]
        for reply in (
            f'{{"s1": {self.ROW % (second, "yes")}, "s2": {self.ROW % (first, "no")}}}',
            f'[{{"id": 1, {self.ROW[1:] % (second, "yes")}, {{"id": 2, {self.ROW[1:] % (first, "no")}]',
        ):
            assert [*parse_verdicts(reply, [first, second]).found] == [None, None]

    def test_of_two_equal_statements_say_which_is_meant_by_their_order_alone(self) -> None:
        same = STATEMENTS[:1] * 2
        reply = f"[{self.ROW % (same[0], 'yes')}, {self.ROW % (same[0], 'no')}]"
        assert [*parse_verdicts(reply, same).found] == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]
        reply = f"[{self.ROW % (same[0], 'yes')}, {self.ROW % ('Tea is sold.', 'no')}]"
        assert [*parse_verdicts(reply, same).found] == [None, None]
