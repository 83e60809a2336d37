"""Lists of claims in plain text: their forms, what is taken off them, and what is no list."""

from __future__ import annotations

import pytest

from magistrate.parsing import StatementsReading, parse_statements
from magistrate.parsing.claim_text import says_none, says_something, tidy
from magistrate.verdict import ParseStatus

TWO = ["The mill grinds rye.", "It is old."]


def _listed(reply: str, **more: str) -> StatementsReading:
    return parse_statements(reply, **more)


class TestForms:
    @pytest.mark.parametrize(
        ("reply", "form"),
        [
            ("1. The mill grinds rye.\n2. It is old.", "numbered"),
            ("1) The mill grinds rye. 2) It is old.", "numbered"),
            ("The claims: (1) The mill grinds rye. (2) It is old.", "numbered"),
            ("A. The mill grinds rye.\nB. It is old.", "numbered"),
            ("The claims:\ni. The mill grinds rye.\nii. It is old.", "numbered"),
            ("1. The mill grinds rye.\n- It is old.", "numbered"),
            ("- The mill grinds rye.\n- It is old.", "bullets"),
            ("- The mill grinds rye.\n---\n- It is old.", "bullets"),
            ("- The mill grinds rye. - It is old.", "bullets"),
            ("• The mill grinds rye.\n• It is old.\n\nI hope this helps!", "bullets"),
            ("The mill grinds rye.\nIt is old.", "lines"),
            ("The claims:\nThe mill grinds rye.\nIt is old.", "lines"),
            ("The claims：\r\n\r\nThe mill grinds rye.\r\nIt is old.", "lines"),
            ('"The mill grinds rye.",\n"It is old."', "lines"),
            ("The claims:\n“The mill grinds rye.”\n“It is old.”", "lines"),
            ("| # | Claim |\n|---|---|\n| 1 | The mill grinds rye. |\n| 2 | It is old. |", "table"),
            ("The claims:\n\n| **Claim** |\n|---|\n| The mill grinds rye. |\n| It is old. |", "table"),
        ],
    )
    def test_each_claim_is_listed(self, reply: str, form: str) -> None:
        reading = _listed(reply)
        assert reading.statements == TWO
        assert (reading.status, reading.format) == (ParseStatus.OK, form)

    @pytest.mark.parametrize(
        "reply",
        [
            "The mill grinds rye.",
            "The mill grinds rye. It is old.",
            "So it is (1) The mill grinds rye.",
            "| # | Claim |\n|---|---|\n| 1 | The mill grinds rye. |\n\nDone.\nAll of it.",
            "| Claim | Statement |\n|---|---|\n| The mill. | It is old. |",
            "| Claim |\n|---|",
            "A. The mill grinds rye.",
        ],
    )
    def test_anything_else_is_no_list(self, reply: str) -> None:
        assert _listed(reply).statements == []


class TestItems:
    def test_a_line_that_goes_on_belongs_to_its_item(self) -> None:
        for reply in ("1. The mill\n   grinds rye.\n2. It is old.", "1. The mill\ngrinds rye.\n2. It is old."):
            assert _listed(reply).statements == TWO

    def test_a_number_within_a_sentence_begins_no_item(self) -> None:
        assert _listed("1. The wheel has 2. parts.\n2. It is old.").statements == [
            "The wheel has 2. parts.",
            "It is old.",
        ]

    def test_dots_and_empty_items_are_no_claims(self) -> None:
        assert _listed("1. ...\n2. It is old.").statements == ["It is old."]
        assert _listed("1. It is old.\n2.").statements == ["It is old."]

    def test_dots_at_the_end_say_that_there_are_more(self) -> None:
        assert _listed("1. It is old.\n2. …").status is ParseStatus.TRUNCATED

    @pytest.mark.parametrize("reply", ["1. It is old.\n2. It is bri", "- It is old.\n- It is", "1. It is old.\n2."])
    def test_the_last_one_of_a_cut_is_left_out(self, reply: str) -> None:
        reading = _listed(reply, finish_reason="length")
        assert (reading.statements, reading.status) == (["It is old."], ParseStatus.TRUNCATED)

    def test_places_are_those_of_the_reply(self) -> None:
        reply = "1. **The mill grinds rye.**\n2. It is old."
        spans = _listed(reply).spans
        assert spans is not None
        assert [reply[slice(*span)] for span in spans if span] == ["**The mill grinds rye.**", "It is old."]


class TestTidy:
    @pytest.mark.parametrize(
        ("text", "tidied"),
        [
            (" It is old. ", "It is old."),
            ("It is\n  old.", "It is old."),
            ('"It is old."', "It is old."),
            ('"It is old.",', "It is old."),
            ("“It is old.”", "It is old."),
            ("**It is old.**", "It is old."),
            ("__It is old.__", "It is old."),
            ("*It is old.*", "It is old."),
            ('**"It is old."**', '"It is old."'),
            ('"It" is "old"', '"It" is "old"'),
            ("“The mill”, they say.", "“The mill”, they say."),
            ("**Mill** and **wheel**", "**Mill** and **wheel**"),
            ("2 * 3 * 4", "2 * 3 * 4"),
            ('""', '""'),
            ("**", "**"),
            ("****", "****"),
        ],
    )
    def test_takes_off_what_stands_around_it(self, text: str, tidied: str) -> None:
        assert tidy(text) == tidied


class TestNothing:
    @pytest.mark.parametrize(
        "reply", ["No claims.", "There are no factual claims in the text.", "None", "1. None", "[]"]
    )
    def test_may_be_there(self, reply: str) -> None:
        reading = _listed(reply)
        assert (reading.statements, reading.status) == ([], ParseStatus.EMPTY)

    def test_an_essay_does_not_say_so(self) -> None:
        assert says_none("There are no claims in it.")
        assert not says_none("There are no claims in it. " + "The mill is old. " * 60)

    @pytest.mark.parametrize(
        ("text", "says"), [("a", True), ("7", True), ("麦", True), ("...", False), ("", False), ("- *", False)]
    )
    def test_marks_say_nothing(self, text: str, says: bool) -> None:
        assert says_something(text) is says
