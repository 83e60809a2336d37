"""parse_statements: the list of statements that a judge was asked to make."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from magistrate.parsing import parse_statements
from magistrate.verdict import IssueCode, ParseStatus

CLAIMS = ["Bees make wax.", "Wax melts at 62 degrees.", "Candles were made of it."]
NO_LIST = "missing-verdict: the reply holds no single list of statements"


class TestRead:
    @pytest.mark.parametrize(
        "text",
        [
            '["Bees make wax.", "Wax melts at 62 degrees.", "Candles were made of it."]',
            '{"statements": ["Bees make wax.", "Wax melts at 62 degrees.", "Candles were made of it."]}',
            '{"result": {"claims": ["Bees make wax.", "Wax melts at 62 degrees.", "Candles were made of it."]}}',
            json.dumps([{"claim": claim} for claim in CLAIMS]),
            '{"1": "Bees make wax.", "2": "Wax melts at 62 degrees.", "3": "Candles were made of it."}',
            "```json\n['Bees make wax.', 'Wax melts at 62 degrees.', 'Candles were made of it.',]\n```",
            "1. Bees make wax.\n2. Wax melts at 62 degrees.\n3. Candles were made of it.",
            "- Bees make wax.\n- Wax melts at 62 degrees.\n- Candles were made of it.",
            "Here are the claims:\n\n* Bees make wax.\n* Wax melts at 62 degrees.\n* Candles were made of it.",
            f"<claims>{''.join(f'<claim>{claim}</claim>' for claim in CLAIMS)}</claims>",
            "<think>1. Bees?</think>\n1) Bees make wax.\n2) Wax melts at 62 degrees.\n3) Candles were made of it.",
        ],
    )
    def test_every_way_of_listing(self, text: str) -> None:
        reading = parse_statements(text)
        assert list(reading.statements) == CLAIMS
        assert reading.status is ParseStatus.OK

    def test_blank_ones_are_left_out(self) -> None:
        assert list(parse_statements('["Bees make wax.", "", "  "]').statements) == ["Bees make wax."]

    def test_one_claim_is_a_list(self) -> None:
        assert list(parse_statements('{"claims": ["Bees make wax."]}').statements) == ["Bees make wax."]


class TestNone:
    @pytest.mark.parametrize("text", ["[]", '{"statements": []}', "", None, "None", "There are no claims."])
    def test_no_claims_is_empty(self, text: Any) -> None:
        reading = parse_statements(text)
        assert list(reading.statements) == []
        assert reading.status is ParseStatus.EMPTY

    @pytest.mark.parametrize("text", ["I'm sorry, but I can't help with that."])
    def test_a_refusal(self, text: str) -> None:
        assert parse_statements(text).status is ParseStatus.REFUSAL
        assert parse_statements("", finish_reason="refusal").status is ParseStatus.REFUSAL

    @pytest.mark.parametrize("text", ['{"statements": ["<claim 1>", "<claim 2>"]}', '["{claim}", "[statement 1]"]'])
    def test_a_template_that_comes_back_is_none(self, text: str) -> None:
        assert list(parse_statements(text).statements) == []


class TestCut:
    def test_a_list_that_was_cut_is_not_the_whole(self) -> None:
        reading = parse_statements('["Bees make wax.", "Wax melts at 62 deg')
        assert reading.status is ParseStatus.TRUNCATED
        assert list(reading.statements) == ["Bees make wax."]
        assert IssueCode.TRUNCATED in {issue.code for issue in reading.issues}

    def test_nor_is_text_whose_end_the_provider_cut(self) -> None:
        reading = parse_statements("1. Bees make wax.\n2. Wax melts at 6", finish_reason="length")
        assert reading.status is ParseStatus.TRUNCATED
        assert "Wax melts at 6" not in reading.statements

    def test_dots_say_that_more_was_left_out(self) -> None:
        assert parse_statements('["Bees make wax.", ...]').status is ParseStatus.TRUNCATED


class TestOddItems:
    @pytest.mark.parametrize(
        ("text", "claims"),
        [
            ('[["Bees make wax."], ["Wax melts."]]', ["Bees make wax.", "Wax melts."]),
            ('["1. Bees make wax.", "2. Wax melts."]', ["Bees make wax.", "Wax melts."]),
            ('{"claims": "[\\"Bees make wax.\\"]"}', ["Bees make wax."]),
            ('["{\\"claim\\": \\"Bees make wax.\\"}"]', ["Bees make wax."]),
            ('{"claims": ["Bees make wax.", null]}', ["Bees make wax."]),
            ('{"claim": "Bees make wax."}\n{"claim": "Wax melts."}', ["Bees make wax.", "Wax melts."]),
            ('[{"sentence": "S.", "claims": ["Bees make wax.", "Wax melts."]}]', ["Bees make wax.", "Wax melts."]),
        ],
    )
    def test_are_read_as_claims(self, text: str, claims: list[str]) -> None:
        assert list(parse_statements(text).statements) == claims

    @pytest.mark.parametrize("text", ["[1, 2]", '["Bees make wax.", 3]', '["Bees make wax.", true]'])
    def test_what_is_no_text_makes_the_list_unreadable(self, text: str) -> None:
        reading = parse_statements(text)
        assert list(reading.statements) == []
        assert reading.status is ParseStatus.UNPARSEABLE

    def test_two_lists_that_differ_are_none(self) -> None:
        reading = parse_statements('["Bees make wax.", "Wax melts."]\n\n["Wax melts.", "Bees dance."]')
        assert list(reading.statements) == []
        assert IssueCode.CONFLICTING_VERDICTS in {issue.code for issue in reading.issues}

    def test_the_same_list_twice_is_one(self) -> None:
        one = '["Bees make wax.", "Wax melts."]'
        assert list(parse_statements(f"{one}\n\n{one}").statements) == ["Bees make wax.", "Wax melts."]

    def test_missing_brackets_after_complete_claims_are_told(self) -> None:
        reading = parse_statements('{"claims": ["Bees make wax.", "Wax melts."]')
        assert list(reading.statements) == ["Bees make wax.", "Wax melts."]
        assert IssueCode.UNCERTAIN_END in {issue.code for issue in reading.issues}

    def test_depth_without_end_is_no_list(self) -> None:
        assert list(parse_statements("[" * 100 + '"x"' + "]" * 100).statements) == []


Tell = Callable[..., tuple[str, ...]]


class TestJson:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ('["Bees make wax.", "Wax melts."]', ("ok json", "Bees make wax. 1-17", "Wax melts. 19-31")),
            ('{"statements": ["Bees make wax."]}', ("ok json", "Bees make wax. 16-32")),
            ('[{"text": "Bees make wax.", "reason": "line two"}]', ("ok json", "Bees make wax. 1-49")),
            (
                '[{"a": "Bees make wax.", "b": "Wax melts."}]',
                (
                    "unparseable json",
                    "unknown-statement: the list holds an object without a text that is clearly its statement",
                ),
            ),
            ('[{"id": "c1", "a": "Bees make wax."}]', ("ok json", "Bees make wax. 1-36")),
            ('{"1": "Bees make wax.", "2": "Wax melts."}', ("ok json", "Bees make wax. 6-22", "Wax melts. 29-41")),
            ('{"1": 5, "2": "Wax melts."}', ("unparseable None", NO_LIST)),
            (
                '{"statements": "[\\"Bees make wax.\\", \\"Wax melts.\\"]"}',
                ("ok json", "Bees make wax. 15-53", "Wax melts. 15-53"),
            ),
            (
                '"[\\"Bees make wax.\\"]"',
                (
                    "ok repaired-json",
                    "Bees make wax. 2-20",
                    "repaired-json: the reply had to be mended: over-escaped",
                    "over-escaped 1",
                ),
            ),
            (
                '["{\\"claim\\": \\"Bees make wax.\\"}", "Wax melts."]',
                ("ok json", "Bees make wax. 1-34", "Wax melts. 36-48"),
            ),
            (
                '[["Bees make wax."], ["Wax melts.", "It is soft."]]',
                ("ok json", "Bees make wax. 2-18", "Wax melts. 22-34", "It is soft. 36-49"),
            ),
            (
                (
                    '[{"sentence": "Bees make wax and honey.", "claims": ["Bees make wax.", "Bees make '
                    'honey."]}, {"sentence": "Wax melts.", "claims": ["Wax melts."]}]'
                ),
                ("ok json", "Bees make wax. 1-91", "Bees make honey. 1-91", "Wax melts. 93-145"),
            ),
            (
                '["Bees make wax.", 5]',
                ("unparseable json", "unknown-statement: the list holds a number in the place of a statement"),
            ),
            ('["Bees make wax.", null]', ("ok json", "Bees make wax. 1-17")),
            ('[" Bees make wax. ", "**Wax melts.**", ""]', ("ok json", "Bees make wax. 1-19", "Wax melts. 21-37")),
            ('["1. Bees make wax.", "2. Wax melts."]', ("ok json", "Bees make wax. 1-20", "Wax melts. 22-37")),
            ('{"type": "object", "properties": {"claims": ["Bees make wax."]}}', ("ok json", "Bees make wax. 45-61")),
            ('{"example": ["Bees make wax."]}', ("unparseable None", NO_LIST)),
            ("[" * 31 + '"Bees make wax."]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]', ("ok json", "Bees make wax. 31-47")),
            (
                "[" * 34 + '"Bees make wax."]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]',
                ("unparseable json", "unknown-statement: the list holds lists that are nested too deeply"),
            ),
            (
                '{"a":' * 32 + '["Bees make wax."]}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}',
                ("ok json", "Bees make wax. 161-177"),
            ),
            ('{"a":' * 33 + '["Bees make wax."]}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}', ("unparseable None", NO_LIST)),
        ],
    )
    def test_lists_are_found_by_their_shape_and_their_key(
        self, reply: str, told: tuple[str, ...], tell_claims: Tell
    ) -> None:
        assert tell_claims(reply) == told


class TestMended:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            (
                "['Bees make wax.', 'Wax melts.',]",
                (
                    "ok repaired-json",
                    "Bees make wax. 1-17",
                    "Wax melts. 19-31",
                    "repaired-json: the reply had to be mended: single-quotes, trailing-comma",
                    "single-quotes 1",
                    "single-quotes 19",
                    "trailing-comma 32",
                ),
            ),
            (
                '["Bees make wax.", "Wax me',
                (
                    "truncated repaired-json",
                    "Bees make wax. 1-17",
                    "repaired-json: the reply had to be mended: missing-bracket",
                    "truncated: the list is incomplete",
                    "missing-bracket 26",
                ),
            ),
            (
                '{"claims": ["Bees make wax."]',
                (
                    "ok repaired-json",
                    "Bees make wax. 12-28",
                    "repaired-json: the reply had to be mended: missing-bracket",
                    "uncertain-end: the list is complete, but closing brackets are missing",
                    "missing-bracket 29",
                ),
            ),
            (
                '["Bees make wax.", "..."]',
                ("truncated json", "Bees make wax. 1-17", "truncated: the list is incomplete"),
            ),
        ],
    )
    def test_a_list_with_a_gap_or_a_cut_is_known_as_such(
        self, reply: str, told: tuple[str, ...], tell_claims: Tell
    ) -> None:
        assert tell_claims(reply) == told


class TestSeveral:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ('["Bees make wax."]\n["Bees make wax."]', ("ok json", "Bees make wax. 1-17")),
            (
                '["Bees make wax."]\n["Wax melts."]',
                ("unparseable None", "conflicting-verdicts: the reply holds different lists"),
            ),
            (
                '{"claim": "Bees make wax."}\n{"claim": "Wax melts."}',
                ("ok json", "Bees make wax. 10-26", "Wax melts. 38-50"),
            ),
        ],
    )
    def test_lists_must_agree_unless_each_is_one_claim(
        self, reply: str, told: tuple[str, ...], tell_claims: Tell
    ) -> None:
        assert tell_claims(reply) == told


class TestTags:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            (
                "<claims><claim>Bees make wax.</claim><claim>Wax melts.</claim></claims>",
                ("ok xml", "Bees make wax. 15-29", "Wax melts. 44-54"),
            ),
            (
                "<claim>Bees make wax.</claim><claim>Wax me",
                ("truncated xml", "Bees make wax. 7-21", "truncated: the last statement was cut off"),
            ),
            ("<claim></claim>", ("empty xml",)),
            ("<claims>Bees make wax.\nWax melts.</claims>", ("unparseable None", NO_LIST)),
        ],
    )
    def test_each_leaf_of_that_name_is_one(self, reply: str, told: tuple[str, ...], tell_claims: Tell) -> None:
        assert tell_claims(reply) == told


class TestEnds:
    @pytest.mark.parametrize(
        ("reply", "end", "told"),
        [
            (
                "1. Bees make wax.\n2. Wax melts.",
                "length",
                ("truncated numbered", "Bees make wax. 3-17", "truncated: the reply was cut off"),
            ),
            (
                "1. Bees make wax.\n2. Wax melts.\n\nDone.",
                "length",
                ("truncated numbered", "Bees make wax. 3-17", "Wax melts. 21-31", "truncated: the reply was cut off"),
            ),
            ("", "content_filter", ("refusal None", "refusal: the provider reports a refusal")),
            ("", "length", ("empty None", "empty-reply: the reply holds no answer")),
            ("hello", "length", ("truncated None", "truncated: the reply was cut off")),
            ("I cannot do that.\n\n1. Bees make wax.", None, ("refusal None", "refusal: the judge refused")),
        ],
    )
    def test_the_end_signals_are_read_first(
        self, reply: str, end: Any, told: tuple[str, ...], tell_claims: Tell
    ) -> None:
        assert tell_claims(reply, end) == told


class TestShapes:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            (
                '[{"sentence": "x", "claims": ["Bees make wax.", 5]}]',
                ("unparseable json", "unknown-statement: the list holds a number in the place of a statement"),
            ),
            (
                '[{"sentence": "x", "claims": ["Bees make wax.", "..."]}]',
                ("truncated json", "Bees make wax. 1-55", "truncated: the list is incomplete"),
            ),
            (
                '[["Bees make wax.", "..."], ["Wax melts."]]',
                ("truncated json", "Bees make wax. 2-18", "Wax melts. 29-41", "truncated: the list is incomplete"),
            ),
            (
                '["Bees make wax.", "\\u2026"]',
                ("truncated json", "Bees make wax. 1-17", "truncated: the list is incomplete"),
            ),
            ('{"claims": "[\\"Bees make wax.\\"]", "other": ["x"]}', ("ok json", "Bees make wax. 11-33")),
        ],
    )
    def test_objects_lists_and_numbers(self, reply: str, told: tuple[str, ...], tell_claims: Tell) -> None:
        assert tell_claims(reply) == told
