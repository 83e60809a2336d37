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


class TestElements:
    @pytest.mark.parametrize(
        ("one", "two"), [("Statement 1: {}", "Statement 2: {}"), ("1. {}", "2. {}"), (WELL[0] + " {}", WELL[1] + " {}")]
    )
    def test_among_words_are_about_what_these_name(self, one: str, two: str) -> None:
        lines = [two.format("<verdict>no</verdict>"), one.format("<verdict>yes</verdict>")]
        assert parse_verdicts("\n".join(lines), WELL).found == [YES, NO]


class TestBehindTheWord:
    @pytest.mark.parametrize(
        "reply",
        [
            '["no (statement 2)", "yes (statement 1)"]',
            f'["no - {WELL[1]}", "yes - {WELL[0]}"]',
            "Verdict: no. Statement: 2\nVerdict: yes. Statement: 1",
        ],
    )
    def test_a_statement_is_the_one_that_is_meant(self, reply: str) -> None:
        assert parse_verdicts(reply, WELL).found == [YES, NO]

    @pytest.mark.parametrize(
        "reply", ['["no (2)", "yes (1)"]', '["no [2]", "yes [1]"]', "Verdict: no (2)\nVerdict: yes (1)"]
    )
    def test_a_bare_number_in_another_order_leaves_none(self, reply: str) -> None:
        assert parse_verdicts(reply, WELL).found == [None, None]

    def test_in_the_order_of_the_rows_it_changes_nothing(self) -> None:
        assert parse_verdicts('["yes [1]", "no [2]"]', WELL).found == [YES, NO]


class TestOrderThatIsTold:
    @pytest.mark.parametrize(
        "reply",
        [
            "Verdicts (2, 1): no, yes",
            "Verdicts for statements 2 and 1: no, yes",
            "Final verdict in order 2, 1: no, yes",
            '{"note": "in reverse order", "verdicts": ["no", "yes"]}',
        ],
    )
    def test_is_not_that_of_the_statements(self, reply: str) -> None:
        assert parse_verdicts(reply, WELL).found == [None, None]

    def test_numbers_in_a_column_of_statements_are_theirs(self) -> None:
        assert parse_verdicts('{"statements": [2, 1], "verdicts": ["no", "yes"]}', WELL).found == [YES, NO]

    @pytest.mark.parametrize("named", [("2", "1"), (WELL[1], WELL[0])])
    def test_verdicts_that_stand_before_their_statements_are_not_given_to_the_one_before(
        self, named: tuple[str, str]
    ) -> None:
        reply = f"Verdict: no\nStatement: {named[0]}\n\nVerdict: yes\nStatement: {named[1]}"
        assert parse_verdicts(reply, WELL).found == [None, None]


class TestOtherPlaces:
    @pytest.mark.parametrize(
        ("reply", "found"),
        [
            ('["yes (statement 2)", "no"]', [None, NO]),
            ('["yes (statement 2)", "no (statement 2)"]', [None, NO]),
            ('["yes (statement 1)", "no (statement 2)"]', [YES, NO]),
        ],
    )
    def test_a_word_that_names_another_statement_is_no_verdict_of_its_place(self, reply, found):
        assert parse_verdicts(reply, WELL).found == found

    def test_an_object_for_several_statements_has_no_place(self):
        reply = 'Statements 1 and 2: {"verdict": "yes"}\nStatement 1: {"verdict": "no"}'
        assert parse_verdicts(reply, WELL).found == [None, None]


class TestPlacesToldBesideAList:
    @pytest.mark.parametrize(
        "reply",
        [
            "[2, 1] = [no, yes]",
            '[2, 1]: ["no", "yes"]',
            '["no", // 2\n"yes" // 1\n]',
            '["no", // statement 2\n"yes" // statement 1\n]',
            '["no" /* 2 */, "yes" /* 1 */]',
            '[\n"no", // statement 2: depth\n"yes" // statement 1: May\n]',
        ],
    )
    def test_that_a_list_is_given_leave_no_verdict(self, reply):
        assert parse_verdicts(reply, WELL).found == [None, None]

    @pytest.mark.parametrize(
        "reply",
        [
            "[1, 2] = [no, yes]",
            '["no", // 1\n"yes" // 2\n]',
            '["no", // 0\n"yes" // 1\n]',
            '["no", // 2 sources\n"yes" // plain\n]',
        ],
    )
    def test_that_are_its_own_do_not(self, reply):
        found = parse_verdicts(reply, WELL).found
        assert found[0] is NO
        assert found[1] in {YES, None}

    @pytest.mark.parametrize("reply", ["1->2: yes", "1 -> 2: yes", "1 → 2: yes\n2 → 1: no", "1 => 2 = yes"])
    def test_a_number_that_leads_to_another_one_is_no_item(self, reply):
        assert parse_verdicts(reply, WELL).found == [None, None]

    @pytest.mark.parametrize("reply", ["1 -> yes\n2 -> no", "1->yes, 2->no", "1 => yes; 2 => no"])
    def test_one_that_leads_to_a_word_is(self, reply):
        assert parse_verdicts(reply, WELL).found == [YES, NO]
