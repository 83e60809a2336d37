from __future__ import annotations

import pytest

from magistrate.integrations._prompts.inspect_grades import grade_in, letters_offered
from magistrate.verdict import Status


class TestGradeIn:
    @pytest.mark.parametrize(
        "text",
        [
            "GRADE: C",
            "It is right.\n\n**GRADE: C**",
            "```\nIt is right.\nGrade: Correct.\n```\nLet me know if you need more.",
            "One could say GRADE: I at first.\n> GRADE: C",
            "GRADE: C, I would say.",
            "GRADE: C\nOnce more:\nGRADE: c",
        ],
    )
    def test_one_grade_is_one(self, text: str) -> None:
        assert grade_in(text, "CI", "stop") == ("C", Status.SCORED)

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "It is right.",
            "GRADE: ",
            "GRADE: CI",
            "GRADE: P",
            "downgrade: C",
            "GRADE: C\nGRADE: I",
            "GRADE: C\nNo, after all I would say GRADE: I instead.",
            "One could say GRADE: C at first.\nGRADE: B",
            "GRADE: C or GRADE: I",
        ],
    )
    def test_none_or_two_or_another_is_none(self, text: str) -> None:
        assert grade_in(text, "CI", "stop") == (None, Status.UNPARSEABLE)

    def test_nothing_counts_where_the_reply_did_not_end_by_itself(self) -> None:
        assert grade_in("GRADE: C", "CI", "length") == (None, Status.TRUNCATED)
        assert grade_in("GRADE: C", "CI", "content_filter") == (None, Status.REFUSED)


class TestLettersOffered:
    def test_they_are_those_of_inspects_instructions(self) -> None:
        said = "reply with 'GRADE: $LETTER' (without quotes) where LETTER is one of CPI.  Please choose ONE"
        assert letters_offered(said) == "CPI"

    def test_other_prompts_offer_none(self) -> None:
        assert letters_offered("Is it right? End with GRADE: C or GRADE: I.") == ""
