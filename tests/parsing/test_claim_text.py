"""Lists of statements in plain text."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from magistrate.parsing import parse_statements
from magistrate.verdict import ParseStatus

Tell = Callable[..., tuple[str, ...]]


class TestText:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ("1. Bees make wax.\n2. Wax melts.", ("ok numbered", "Bees make wax. 3-17", "Wax melts. 21-31")),
            (
                "* Bees make wax.\n  It is soft.\n* Wax melts.",
                ("ok bullets", "Bees make wax. It is soft. 2-30", "Wax melts. 33-43"),
            ),
            (
                "Here are the claims:\n\n1) Bees make wax.\n2) Wax melts.\n\nThat is all.",
                ("ok numbered", "Bees make wax. 25-39", "Wax melts. 43-53"),
            ),
            ("Bees make wax.", ("unparseable None", "missing-verdict: the reply holds no single list of statements")),
            ("Bees make wax.\nWax melts.", ("ok lines", "Bees make wax. 0-14", "Wax melts. 15-25")),
            ("1. ...", ("truncated numbered", "truncated: the list ends in dots")),
            (
                '**Claims:**\n- **Bees make wax.**\n- "Wax melts."',
                ("ok bullets", "Bees make wax. 14-32", "Wax melts. 35-47"),
            ),
            (
                "| # | Claim |\n|---|---|\n| 1 | Bees make wax. |\n| 2 | Wax melts. |",
                ("ok table", "Bees make wax. 29-45", "Wax melts. 52-64"),
            ),
            ("There are no claims in this text.", ("empty None",)),
        ],
    )
    def test_items_are_what_the_list_marks(self, reply: str, told: tuple[str, ...], tell_claims: Tell) -> None:
        assert tell_claims(reply) == told


class TestDotsBelow:
    @pytest.mark.parametrize("dots", ["...", "\u2026", "(...)"])
    def test_a_list_that_ends_in_dots_is_known_to_be_incomplete(self, dots: str) -> None:
        reading = parse_statements(f"1. Bees make wax.\n2. Wax melts.\n{dots}")
        assert reading.status is ParseStatus.TRUNCATED
        assert list(reading.statements) == ["Bees make wax.", "Wax melts."]


class TestInline:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            (
                "The claims: (1) Bees make wax. (2) Wax melts.",
                ("ok numbered", "Bees make wax. 16-31", "Wax melts. 35-45"),
            ),
        ],
    )
    def test_numbers_in_brackets_on_one_line(self, reply: str, told: tuple[str, ...], tell_claims: Tell) -> None:
        assert tell_claims(reply) == told


LEFT_OUT = "unknown-statement: a sentence between two items of the list was left out"


class TestGoingOn:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            (
                "1. Bees make wax!\nThey do.\n2. Wax melts?\nIt does.",
                ("ok numbered", "Bees make wax! 3-17", "Wax melts? 30-40", LEFT_OUT),
            ),
            ("1. 蜜蜂造蜡。\nThey do.\n2. Wax melts.", ("ok numbered", "蜜蜂造蜡。 3-8", "Wax melts. 21-31", LEFT_OUT)),
            (
                "1. “Bees make wax”\nThey do.\n2. Wax melts.",
                ("ok numbered", "Bees make wax 3-18", "Wax melts. 31-41", LEFT_OUT),
            ),
            (
                "1. Bees make wax\n\nand honey.\n2. Wax melts.",
                ("ok numbered", "Bees make wax 3-16", "Wax melts. 32-42", LEFT_OUT),
            ),
            (
                "1. Bees make wax.\nStray.\nand more.\n2. Wax melts.",
                ("ok numbered", "Bees make wax. 3-17", "Wax melts. 38-48", LEFT_OUT),
            ),
            ("- The facts:\n- Bees make wax.\n- Wax melts：", ("ok bullets", "Bees make wax. 15-29")),
        ],
    )
    def test_a_line_that_goes_on_belongs_to_the_item(
        self, reply: str, told: tuple[str, ...], tell_claims: Tell
    ) -> None:
        assert tell_claims(reply) == told


class TestLines:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ("Facts:\nBees make wax.\nWax melts.", ("ok lines", "Bees make wax. 7-21", "Wax melts. 22-32")),
            ("Facts：\nBees make wax.\nWax melts.", ("ok lines", "Bees make wax. 7-21", "Wax melts. 22-32")),
            ("Bees make wax.\n\nWax melts.\n", ("ok lines", "Bees make wax. 0-14", "Wax melts. 16-26")),
        ],
    )
    def test_one_sentence_a_line_without_talk(self, reply: str, told: tuple[str, ...], tell_claims: Tell) -> None:
        assert tell_claims(reply) == told


class TestTidy:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            (
                "1. **Bees make wax.**\n2. __Wax melts.__\n3. *It is soft.*",
                ("ok numbered", "Bees make wax. 3-21", "Wax melts. 25-39", "It is soft. 43-56"),
            ),
            ('1. "Bees" make "wax"\n2. Wax melts.', ("ok numbered", '"Bees" make "wax" 3-20', "Wax melts. 24-34")),
            ('- "x"\n- Wax melts.', ("ok bullets", "x 2-5", "Wax melts. 8-18")),
        ],
    )
    def test_marks_around_a_statement_are_taken_off(self, reply: str, told: tuple[str, ...], tell_claims: Tell) -> None:
        assert tell_claims(reply) == told


class TestClaims:
    @pytest.mark.parametrize(
        ("reply", "claims"),
        [
            ('1. ""\n2. Wax melts.', ["Wax melts."]),
            ("1. ** **\n2. **\n3. Wax melts.", ["Wax melts."]),
            ('["**", "-", "Wax melts."]', ["Wax melts."]),
            ('"Bees make wax."\n"Wax melts."', ["Bees make wax.", "Wax melts."]),
            ("The claims:\n\n“Bees make wax.”,\n“Wax melts.”", ["Bees make wax.", "Wax melts."]),
            ('He said "Bees make wax."\n"Wax melts."', []),
            ("(1) Bees make wax. (2) Wax melts.", ["Bees make wax.", "Wax melts."]),
            ("1. Bees make wax. 2. Wax melts.", ["Bees make wax.", "Wax melts."]),
            ("• Bees make wax. • Wax melts.", ["Bees make wax.", "Wax melts."]),
            ("1. The flat has 2. It is big.", ["The flat has 2. It is big."]),
            ("a) Bees make wax.\nb) Wax melts.", ["Bees make wax.", "Wax melts."]),
            ("① Bees make wax.\n② Wax melts.", ["Bees make wax.", "Wax melts."]),
            ("- claim: Bees make wax.\n- claim: Wax melts.", ["Bees make wax.", "Wax melts."]),
            ("- claim: Bees make wax.\n- Wax melts.", ["claim: Bees make wax.", "Wax melts."]),
            ("- A. Smith sells wax.\n- B. Brown does not.", ["A. Smith sells wax.", "B. Brown does not."]),
            ('{"statements": "1. Bees make wax.\\n2. Wax melts."}', ["Bees make wax.", "Wax melts."]),
            ("Draft:\n- Honey keeps.\n\nFinal:\n- Bees make wax.\n- Wax melts.", ["Bees make wax.", "Wax melts."]),
            ("1. Bees make wax.\n2. Wax melts. 3. Honey keeps.", ["Bees make wax.", "Wax melts.", "Honey keeps."]),
        ],
    )
    def test_are_one_each_and_more_than_marks(self, reply: str, claims: list[str]) -> None:
        assert parse_statements(reply).statements == claims


class TestBesideTheirSource:
    @pytest.mark.parametrize(
        ("reply", "claims"),
        [
            ("Original: Bees make wax.\nClaims: Bees make wax.", ["Bees make wax."]),
            ("**Source text:** Bees make soft wax.\n**Claim:** Bees make wax.", ["Bees make wax."]),
            ("Sentence: Bees make soft wax. It melts.\nClaim 1: Bees make wax.", ["Bees make wax."]),
        ],
    )
    def test_only_the_claims_are_claims(self, reply: str, claims: list[str]) -> None:
        assert parse_statements(reply).statements == claims

    @pytest.mark.parametrize(
        "reply",
        [
            "Original: Bees make wax.\nRewritten: Wax is made by bees.",
            "Original: Bees make wax.\nClaims: Bees make wax. Wax melts.",
        ],
    )
    def test_where_it_is_not_clear_which_they_are_there_are_none(self, reply: str) -> None:
        assert parse_statements(reply).statements == []
