"""Sentences about statements by number: what is denied, excepted, supposed, and said of the others."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.parsing.sentences import MOST_CLAUSES, denied, expand, read_amendments
from magistrate.parsing.vocabulary import vocabulary_of
from magistrate.verdict import IssueCode, Verdict

BINARY = vocabulary_of("binary")
QUAY = ["The quay is stone.", "A crane stands on it.", "Ships load salt there."]
_LETTERS = {None: "-", Verdict.SUPPORTED: "S", Verdict.UNSUPPORTED: "U"}


def _said(reply: str, count: int = 3, finish_reason: str | None = None) -> str:
    return "".join(_LETTERS[one] for one in parse_verdicts(reply, QUAY[:count], finish_reason=finish_reason).found)


class TestContractions:
    @pytest.mark.parametrize("verb", ["is not", "isn't", "isn’t", "was not", "wasn't"])
    def test_deny_as_not_does(self, verb: str) -> None:
        assert _said(f"Statement 1 is supported, statement 2 {verb} supported, and statement 3 {verb} true.") == "SUU"

    @pytest.mark.parametrize("verb", ["cannot", "can't", "can’t", "Can not"])
    def test_what_cannot_be_inferred_is_not_supported(self, verb: str) -> None:
        reply = f"Statements 1 and 2 can be inferred from the log. Statement 3 {verb} be inferred from it."
        assert _said(reply) == "SSU"

    def test_a_lone_not_denies_what_was_said_before(self) -> None:
        assert (
            _said("Statement 1 is supported. Statement 2 is not, as the log says. Statement 3 is supported.") == "SUS"
        )

    def test_there_must_be_something_before_it(self) -> None:
        assert _said("Statement 1 is not. Statement 2 is supported. Statement 3 is supported.") == "-SS"


class TestConditions:
    @pytest.mark.parametrize("lead", ["If", "Suppose", "Whether", "I wonder whether", "It might be that"])
    def test_what_is_supposed_is_not_said(self, lead: str) -> None:
        assert (
            _said(f"{lead} statement 1 is supported. Statement 2 is supported. Statement 3 is not supported.") == "-SU"
        )

    @pytest.mark.parametrize("rest", ["if the log is right", "unless the log is wrong", "provided that it is dated"])
    def test_nor_is_what_depends_on_something(self, rest: str) -> None:
        assert (
            _said(f"Statement 1 is supported {rest}. Statement 2 is supported. Statement 3 is not supported.") == "-SU"
        )

    @pytest.mark.parametrize("verb", ["must be", "should be", "ought to be", "has to be"])
    def test_nor_is_what_ought_to_be(self, verb: str) -> None:
        assert _said(f"Statement 1 {verb} supported. Statement 2 is supported. Statement 3 is not supported.") == "-SU"

    @pytest.mark.parametrize("verb", ["must be", "should be", "ought to be", "has to be"])
    def test_unless_it_corrects_something(self, verb: str) -> None:
        rows = read_amendments(f"Statement 2 {verb} supported.", 5, BINARY, 3)
        assert [(row.id, row.reading) for row in rows] == [(2, Verdict.SUPPORTED)]
        assert rows[0].span is not None
        assert rows[0].span[0] == 5


class TestAll:
    @pytest.mark.parametrize(
        ("reply", "said"),
        [
            ("All statements are supported.", "SSS"),
            ("None of the statements are supported.", "UUU"),
            ("All three statements are supported.", "SSS"),
            ("All 3 statements are supported.", "SSS"),
            ("All statements are supported except statement 2.", "SUS"),
            ("All statements are supported except for statements 1 and 3.", "USU"),
            ("All statements except statement 2 are supported.", "SUS"),
            ("Statement 2 is not supported. All other statements are supported.", "SUS"),
            ("Statement 2 is not supported. The others are supported.", "SUS"),
        ],
    )
    def test_and_the_others_and_all_but_some(self, reply: str, said: str) -> None:
        assert _said(reply) == said

    @pytest.mark.parametrize(
        "reply",
        [
            "Both statements are supported.",
            "All four statements are supported.",
            "All 4 statements are supported.",
            "Not all statements are supported.",
            "Nearly all statements are supported.",
            "Only all statements of the log are supported.",
            "All statements are supported except some.",
            "All statements are supported, with an exception.",
            "None of the statements is fully supported.",
            "All statements are supported except statements 3 to 1.",
            "Neither statement is supported.",
        ],
    )
    def test_another_number_of_them_or_not_quite_all_say_nothing(self, reply: str) -> None:
        assert _said(reply) == "---"

    def test_both_are_two(self) -> None:
        assert _said("Both statements are supported.", 2) == "SS"
        assert _said("Neither statement is supported.", 2) == "UU"


class TestWhoseWords:
    @pytest.mark.parametrize(
        "first",
        [
            "The candidate says statement 1 is supported.",
            "Statement 1 is supported, according to the author.",
            "I doubt that statement 1 is supported.",
            "It is not true that statement 1 is supported.",
            "All but statement 1 is supported.",
        ],
    )
    def test_what_others_say_or_the_judge_denies_is_not_said(self, first: str) -> None:
        assert _said(f"{first} Statement 2 is supported. Statement 3 is not supported.")[1:] == "SU"
        assert _said(f"{first} Statement 2 is supported. Statement 3 is not supported.")[0] != "S"


class TestEnds:
    def test_a_clause_at_the_end_of_a_cut_may_go_on(self) -> None:
        reply = "Statement 1 is supported. Statement 2 is supported"
        assert _said(reply, 2) == "SS"
        assert _said(reply, 2, "length") == "S-"
        assert _said(f"{reply}. The", 2, "length") == "SS"

    def test_a_text_that_runs_in_a_circle_says_nothing(self) -> None:
        turn = "Statement 1 is supported. "
        assert len(read_amendments(turn * (MOST_CLAUSES + 4), 0, BINARY, 1)) == MOST_CLAUSES + 4
        assert read_amendments(turn * (MOST_CLAUSES + 8), 0, BINARY, 1) == []


class TestGroupsOfANumber:
    @pytest.mark.parametrize(
        ("reply", "said"),
        [
            ("Supported: 1, 3\nNot supported: 2", "SUS"),
            ("1-2: supported\n3: not supported", "SSU"),
            ("Supported: 1. Not supported: 2, 3.", "SUU"),
            ("Here it is.\nSupported: 1\nThe log has 9 pages.\nNot supported: 2 and 3", "SUU"),
        ],
    )
    def test_name_each_statement_once(self, reply: str, said: str) -> None:
        assert _said(reply) == said

    @pytest.mark.parametrize(
        "reply", ["Supported: 1\nNot supported: 2", "Supported: 2\nNot supported: 1", "Supported: 3-1"]
    )
    def test_else_they_may_be_counts(self, reply: str) -> None:
        assert _said(reply) == "---"


class TestExpand:
    @pytest.mark.parametrize(
        ("text", "numbers"),
        [
            ("2", [2]),
            ("1, 3", [1, 3]),
            ("1, 2, and 4", [1, 2, 4]),
            ("1 & 3 + 5", [1, 3, 5]),
            ("2-4", [2, 3, 4]),
            ("3-3", [3]),
            ("1 and 3 to 5", [1, 3, 4, 5]),
            ("", []),
            ("5-3", None),
            ("1, 5-3", None),
        ],
    )
    def test_a_list_of_numbers_with_ranges(self, text: str, numbers: list[int] | None) -> None:
        assert expand(text) == numbers


class TestDenied:
    def test_only_the_opposite_of_a_yes_is_known(self) -> None:
        assert denied(Verdict.SUPPORTED, BINARY) is Verdict.UNSUPPORTED
        assert denied(Verdict.UNSUPPORTED, BINARY) is IssueCode.UNKNOWN_LABEL
        assert denied(Verdict.NOT_ENOUGH_INFO, vocabulary_of("ternary")) is IssueCode.UNKNOWN_LABEL
