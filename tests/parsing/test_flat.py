"""Rows whose parts stand side by side."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.parsing.flat import split_part
from magistrate.parsing.keys import Role
from magistrate.verdict import IssueCode, ParseStatus, Verdict

STATEMENTS = ["The tram runs on Sundays.", "A ticket costs 2 euros."]
TOKEN = "tok"
PLAIN = '{"token":"tok","s1_why":"it says so","s1":"supported","s2_why":"it says 3","s2":"contradicted"}'


class TestKeys:
    @pytest.mark.parametrize(
        ("key", "part"),
        [
            ("s1", (1, Role.VERDICT)),
            ("s12_why", (12, Role.REASON)),
            ("3_reason", (3, Role.REASON)),
            ("Statement 2 verdict", (2, Role.VERDICT)),
            ("s4-quotes", (4, Role.QUOTE)),
            ("reason_5", (5, Role.REASON)),
            ("verdict_5", (5, Role.VERDICT)),
            ("token", None),
            ("s1_colour", None),
            ("why", None),
            ("x" * 200 + "1_why", None),
        ],
    )
    def test_name_a_statement_and_a_part_or_nothing(self, key: str, part: tuple[int, Role] | None) -> None:
        assert split_part(key) == part


class TestReading:
    def test_each_statement_gets_its_verdict_and_its_reason(self) -> None:
        reading = parse_verdicts(PLAIN, STATEMENTS, scale="ternary", token=TOKEN)
        assert reading.status is ParseStatus.OK
        assert [(row.verdict, row.reason) for row in reading.verdicts] == [
            (Verdict.SUPPORTED, "it says so"),
            (Verdict.CONTRADICTED, "it says 3"),
        ]
        assert PLAIN[slice(*reading.verdicts[1].span)] == '"contradicted"'

    def test_the_long_way_gives_the_same(self) -> None:
        damaged = parse_verdicts(PLAIN[:-1] + ",}", STATEMENTS, scale="ternary", token=TOKEN)
        plain = parse_verdicts(PLAIN, STATEMENTS, scale="ternary", token=TOKEN)
        assert [(row.verdict, row.reason) for row in damaged.verdicts] == [
            (row.verdict, row.reason) for row in plain.verdicts
        ]

    def test_quotes_stand_beside_too(self) -> None:
        text = (
            '{"s1_why":"w","s1_quotes":["on Sundays"],"s1":"supported","s2_why":"w","s2_quotes":[],"s2":"contradicted"}'
        )
        reading = parse_verdicts(text, STATEMENTS, scale="ternary", contexts=["It runs on Sundays."])
        assert [evidence.quote for evidence in reading.verdicts[0].evidence] == ["on Sundays"]

    def test_the_order_of_the_keys_does_not_matter(self) -> None:
        text = '{"s2":"contradicted","s1":"supported","s1_why":"a","s2_why":"b"}'
        reading = parse_verdicts(text, STATEMENTS, scale="ternary")
        assert [row.reason for row in reading.verdicts] == ["a", "b"]

    def test_a_statement_with_a_reason_only_has_no_verdict(self) -> None:
        reading = parse_verdicts('{"s1_why":"a","s1":"supported","s2_why":"b"}', STATEMENTS, scale="ternary")
        assert [row.verdict for row in reading.verdicts] == [Verdict.SUPPORTED, None]
        assert reading.status is ParseStatus.PARTIAL

    @pytest.mark.parametrize(
        "text",
        [
            '{"s1_why":"a","s1":"supported","s1":"contradicted","s2_why":"b","s2":"supported"}',
            '{"s1_why":"a","s1":"supported","s1_verdict":"contradicted","s2_why":"b","s2":"supported"}',
        ],
    )
    def test_a_contradiction_stays_one(self, text: str) -> None:
        reading = parse_verdicts(text, STATEMENTS, scale="ternary")
        assert [row.verdict for row in reading.verdicts] == [None, Verdict.SUPPORTED]
        assert IssueCode.CONFLICTING_VERDICTS in {issue.code for issue in reading.issues}

    def test_a_cut_verdict_is_not_trusted(self) -> None:
        reading = parse_verdicts(PLAIN[:-8], STATEMENTS, scale="ternary", token=TOKEN, finish_reason="length")
        assert [row.verdict for row in reading.verdicts] == [Verdict.SUPPORTED, None]

    def test_an_object_per_statement_is_left_to_the_usual_way(self) -> None:
        text = '{"s1":{"why":"a","verdict":"supported"},"s2":{"why":"b","verdict":"contradicted"}}'
        reading = parse_verdicts(text, STATEMENTS, scale="ternary")
        assert [row.reason for row in reading.verdicts] == ["a", "b"]
