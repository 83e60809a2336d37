"""parse_statements: the list of statements that a judge was asked to make."""

from __future__ import annotations

import json
from typing import Any

import pytest

from magistrate.parsing import parse_statements
from magistrate.verdict import IssueCode, ParseStatus

CLAIMS = ["Bees make wax.", "Wax melts at 62 degrees.", "Candles were made of it."]


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
