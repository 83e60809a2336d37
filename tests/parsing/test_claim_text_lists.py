"""Lists of claims in text: where an item ends, what marks it, and what is none."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_statements
from magistrate.verdict import IssueCode, ParseStatus


def claims(reply: str) -> list[str]:
    return parse_statements(reply).statements


WAX = ["Bees make wax.", "Wax melts."]


class TestSeveralOnALine:
    @pytest.mark.parametrize(
        "reply",
        [
            "1. Bees make wax. 2. Wax melts.",
            "1) Bees make wax. 2) Wax melts.",
            "- Bees make wax. - Wax melts.",
            "The claims: (1) Bees make wax. (2) Wax melts.",
            "The claims\uff1a (1) Bees make wax. (2) Wax melts.",
            "(1) Bees make wax. (2) Wax melts.",
        ],
    )
    def test_are_told_apart_by_their_marks(self, reply: str) -> None:
        reading = parse_statements(reply)
        assert reading.statements == WAX
        assert [reply[slice(*span)].strip() for span in reading.spans] == WAX

    def test_go_on_counting(self) -> None:
        assert claims("1. Bees make wax. 2. Wax melts. 3. Honey is sweet.") == [*WAX, "Honey is sweet."]
        assert claims("4. Bees make wax. 5. Wax melts.") == WAX

    @pytest.mark.parametrize(
        ("reply", "whole"),
        [
            ("1. Bees make wax. 3. Wax melts.", "Bees make wax. 3. Wax melts."),
            ("1. Bees make wax. 2) Wax melts.", "Bees make wax. 2) Wax melts."),
            ("- Bees make wax. * Wax melts.", "Bees make wax. * Wax melts."),
            ("(1) Bees make wax. (3) Wax melts.", "Bees make wax. (3) Wax melts."),
        ],
    )
    def test_another_number_or_mark_is_part_of_the_claim(self, reply: str, whole: str) -> None:
        assert claims(reply) == [whole]

    def test_a_sentence_before_them_that_announces_nothing_makes_them_none(self) -> None:
        assert claims("The claims, (1) Bees make wax. (2) Wax melts.") == []


class TestItemsOfSeveralLines:
    @pytest.mark.parametrize(
        ("reply", "first"),
        [
            ("- Bees make wax\n  and honey.", "Bees make wax and honey."),
            ("- Bees make wax.\n  and honey.", "Bees make wax. and honey."),
            ("- Bees make\nwax.", "Bees make wax."),
            ("- Bees make\nWax.", "Bees make Wax."),
            ('- Bees make "wax"\nAnd more.', 'Bees make "wax"'),
            ("- Bees make wax.\nAnd more.", "Bees make wax."),
            ("- Bees make wax\n\nand more.", "Bees make wax"),
        ],
    )
    def test_go_on_until_a_sentence_or_a_paragraph_ends(self, reply: str, first: str) -> None:
        assert claims(reply) == [first]


class TestWhatIsTakenOff:
    @pytest.mark.parametrize(
        "reply",
        [
            "- **Bees make wax.**\n- __Wax melts.__",
            "- *Bees make wax.*\n- Wax melts.",
            '- "Bees make wax.",\n- "Wax melts."',
            "a) Bees make wax.\nb) Wax melts.",
            "- a) Bees make wax.\n- b) Wax melts.",
            "- claim: Bees make wax.\n- claim: Wax melts.",
            "- ---\n- Bees make wax.\n- ***\n- Wax melts.",
            "- \n- Bees make wax.\n- ...\n- Wax melts.",
            '"Bees make wax.",\n"Wax melts.",',
            'Claims:\n"Bees make wax."\n"Wax melts."\n"..."',
            "Claims\uff1a\nBees make wax.\nWax melts.",
            "Bees make wax.\n\n  \nWax melts.\n",
            "Bees make wax.\r\nWax melts.\r\n",
        ],
    )
    def test_is_no_part_of_a_claim(self, reply: str) -> None:
        assert claims(reply) == WAX

    def test_letters_that_do_not_count_are(self) -> None:
        assert claims("1. a) Bees\n2. c) Wax") == ["a) Bees", "c) Wax"]

    def test_short_claims_keep_what_they_are(self) -> None:
        assert claims('- "a"\n- **b**\n- ""') == ["a", "b"]


class TestNone:
    def test_is_told_where_the_judge_says_so(self) -> None:
        assert parse_statements("There are no claims.").status is ParseStatus.EMPTY
        assert parse_statements("x " * 500 + "There are no claims.").status is ParseStatus.UNPARSEABLE


class TestSentencesBetween:
    @pytest.mark.parametrize("reply", ["1. {}\nIt is brick.\n2. {}", "- {}\n\nIt is brick.\n\n- {}"])
    def test_that_are_left_out_are_told(self, reply: str) -> None:
        reading = parse_statements(reply.format("The mill grinds rye.", "It is old."))
        assert reading.statements == ["The mill grinds rye.", "It is old."]
        assert [note.code for note in reading.issues] == [IssueCode.UNKNOWN_STATEMENT]

    @pytest.mark.parametrize("between", ["it is brick.", "From the second paragraph:", "I found one more.", "---"])
    def test_what_goes_on_heads_or_talks_is_no_loss(self, between: str) -> None:
        assert not parse_statements(f"1. The mill grinds rye.\n{between}\n2. It is old.").issues

    def test_a_sentence_behind_the_list_is_talk(self) -> None:
        assert not parse_statements("1. The mill grinds rye.\n2. It is old.\n\nThese cover the text.").issues
