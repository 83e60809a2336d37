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
            ("Bees make wax.", ("unparseable None",)),
            ("Bees make wax.\nWax melts.", ("ok lines", "Bees make wax. 0-14", "Wax melts. 15-25")),
            ("1. ...", ("truncated numbered", "truncated: the list ends in dots")),
            (
                '**Claims:**\n- **Bees make wax.**\n- "Wax melts."',
                ("ok bullets", "Bees make wax. 14-32", "Wax melts. 35-47"),
            ),
            ("| # | Claim |\n|---|---|\n| 1 | Bees make wax. |\n| 2 | Wax melts. |", ("unparseable None",)),
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
