"""Loose objects, and the words before or behind each that name its statement."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.verdict import Verdict

WELL = ["The well is deep.", "It dried up in May."]
YES, NO = Verdict.SUPPORTED, Verdict.UNSUPPORTED


class TestNamed:
    @pytest.mark.parametrize(
        ("one", "two"),
        [
            ("1: {}", "2: {}"),
            ("Statement 1:\n```json\n{}\n```", "Statement 2:\n```json\n{}\n```"),
            ("for the first: {}", "For the second one: {}"),
            ("a) {}", "b) {}"),
            ("[1] {}", "[2] {}"),
            ("The verdict on 1: {}", "The verdict on 2: {}"),
            (WELL[0] + " {}", WELL[1] + " {}"),
            ("### " + WELL[0] + "\n{}", "### " + WELL[1] + "\n{}"),
            ("{} (statement 1)", "{} (statement 2)"),
        ],
    )
    def test_each_goes_to_the_statement_that_its_words_name(self, one: str, two: str) -> None:
        lines = [two.format('{"verdict": "no"}'), one.format('{"verdict": "yes"}')]
        assert parse_verdicts("\n".join(lines), WELL).found == [YES, NO]
        assert parse_verdicts("\n".join(lines[::-1]), WELL).found == [YES, NO]

    def test_twice_they_conflict(self) -> None:
        reply = 'Statement 1: {"verdict": "yes"}\nStatement 1: {"verdict": "no"}'
        assert parse_verdicts(reply, WELL).found == [None, None]


class TestUnnamed:
    @pytest.mark.parametrize(
        "leads", [("", ""), ("Answer: ", "Answer: "), ("Here are the 2 verdicts:\n", ""), ("First, I read it. ", "")]
    )
    def test_their_places_count(self, leads: tuple[str, str]) -> None:
        reply = f'{leads[0]}{{"verdict": "yes"}}\n{leads[1]}{{"verdict": "no"}}'
        assert parse_verdicts(reply, WELL).found == [YES, NO]

    def test_unless_one_is_named_that_stands_in_another_place(self) -> None:
        reply = 'Statement 2: {"verdict": "no"}\n{"verdict": "yes"}'
        assert parse_verdicts(reply, WELL).found == [None, None]
