"""Lists of claims in further forms, what is none, and scores by further names."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_score, parse_statements
from magistrate.verdict import ParseStatus

TWO = ["The ferry leaves at six.", "Tea is sold on board."]


class TestForms:
    @pytest.mark.parametrize(
        "reply",
        [
            "| # | Claim |\n|---|---|\n| 1 | The ferry leaves at six. |\n| 2 | Tea is sold on board. |",
            "A. The ferry leaves at six.\nB. Tea is sold on board.",
            "i. The ferry leaves at six.\nii. Tea is sold on board.",
            "- [ ] The ferry leaves at six.\n- [x] Tea is sold on board.",
            "S1: The ferry leaves at six.\nS2: Tea is sold on board.",
            "[1] The ferry leaves at six.\n[2] Tea is sold on board.",
            "[C1] The ferry leaves at six.\n[C2] Tea is sold on board.",
            "- [1] The ferry leaves at six.\n- [2] Tea is sold on board.",
            "・The ferry leaves at six.\n・Tea is sold on board.",
            "● The ferry leaves at six.\n● Tea is sold on board.",
            "> The ferry leaves at six.\n> Tea is sold on board.",
            ">> 1. The ferry leaves at six.\n>> 2. Tea is sold on board.",
            ">\u3000> The ferry leaves at six.\n>\u3000> Tea is sold on board.",
        ],
    )
    def test_without_the_marks_of_their_list(self, reply: str) -> None:
        reading = parse_statements(reply)
        assert reading.statements == TWO
        assert [reply[slice(*span)].strip(" \u3000->") for span in reading.spans if span] == TWO

    def test_quotation_marks_without_end_are_no_ladder(self) -> None:
        assert parse_statements(">" * 20_000 + " The ferry leaves at six.").status is ParseStatus.UNPARSEABLE

    @pytest.mark.parametrize("blank", [" ", "\t", "\u3000", "\xa0", "\x0b", "\u2028", "\x85"])
    def test_quotations_of_nothing_hold_none(self, blank: str) -> None:
        for reply in (f">{blank}>", f">{blank}" * 2_000):
            assert parse_statements(reply).statements == []

    @pytest.mark.parametrize("stop", [40, 60, 80])
    def test_a_table_that_was_cut_is_not_complete(self, stop: int) -> None:
        reply = "| # | Claim |\n|---|---|\n| 1 | The ferry leaves at six. |\n| 2 | Tea is sold on board. |"
        assert parse_statements(reply[:stop], finish_reason="length").status is ParseStatus.TRUNCATED


class TestNone:
    @pytest.mark.parametrize(
        "reply",
        [
            '["None"]',
            '["N/A"]',
            "1. None",
            "- No factual claims",
            '["There are no claims in the text."]',
            "Claims: none",
        ],
    )
    def test_a_lone_element_that_says_none_is_none(self, reply: str) -> None:
        reading = parse_statements(reply)
        assert (reading.status, reading.statements) == (ParseStatus.EMPTY, [])

    @pytest.mark.parametrize("reply", ['["statement 1", "statement 2"]', "1. Claim one\n2. Claim two"])
    def test_what_a_template_holds_is_no_list(self, reply: str) -> None:
        assert parse_statements(reply).status is ParseStatus.UNPARSEABLE

    @pytest.mark.parametrize(
        "claim", ["Nothing happened.", "No claims were paid by the insurer.", "None of the tea is green."]
    )
    def test_a_claim_that_denies_is_a_claim(self, claim: str) -> None:
        assert parse_statements(f'["{claim}"]').statements == [claim]


class TestScores:
    @pytest.mark.parametrize(
        ("reply", "value"),
        [
            ('{"准确性": 8, "综合得分": 7}', 7.0),
            ('{"정확성": 8, "종합 점수": 7}', 7.0),
            ("准确性：8\n综合得分：7", 7.0),
            ("TONE_SCORE: 4\nTOTAL_SCORE: 7", 7.0),
            ("<|r|>It is plain.<|r|>\n<|j|>7<|j|>", 7.0),
            ("Score: $7$", 7.0),
            ("Score:\u200b 7\u200b", 7.0),
            ("[[ ## score ## ]]\n7\n\n[[ ## completed ## ]]", 7.0),
            ("First \\boxed{3}. But then \\boxed{5}.", None),
        ],
    )
    def test_by_further_names_and_marks(self, reply: str, value: float | None) -> None:
        assert parse_score(reply, 0, 10).value == value
