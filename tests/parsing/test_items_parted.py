"""Items of several forms: in one line, for several statements at once, with words of other lines beside them."""

from __future__ import annotations

import pytest

from magistrate.parsing import VerdictReading, parse_verdicts
from magistrate.verdict import IssueCode, Verdict

MILL = ["The mill grinds rye.", "It was built in 1804.", "Its wheel is oak.", "It has two floors."]
_LETTERS = {None: "-", Verdict.SUPPORTED: "S", Verdict.UNSUPPORTED: "U"}


def _reading(reply: str, count: int) -> VerdictReading:
    return parse_verdicts(reply, MILL[:count])


def _said(reply: str, count: int = 2) -> str:
    return "".join(_LETTERS[one] for one in _reading(reply, count).found)


class TestOneLine:
    @pytest.mark.parametrize(
        "reply", ["1: yes 2: no", "1: yes2: no", "1) yes, 2) no", "1: yes; 2: no", "Statement 1: yes. Statement 2: no."]
    )
    def test_holds_several_items(self, reply: str) -> None:
        assert _said(reply) == "SU"

    def test_in_which_each_has_its_own_place(self) -> None:
        reply = "1: yes; 2: no; 3: no"
        spans = [one.span for one in _reading(reply, 3).verdicts]
        assert [reply[slice(*span)] for span in spans if span] == ["yes;", "no;", "no"]

    def test_a_word_that_is_none_leaves_only_its_own(self) -> None:
        assert _said("Statement 1: perhaps. Statement 2: no.") == "-U"

    def test_a_repeated_statement_in_it_is_known(self) -> None:
        assert _said(f"1: yes 2: “{MILL[1]}” no") == "SU"
        assert _said(f"1. {MILL[1]} yes\n2. {MILL[0]} no") == "US"


class TestRanges:
    @pytest.mark.parametrize(
        ("reply", "said"),
        [
            ("1-2: yes\n3-4: no", "SSUU"),
            ("Statements 1 and 3: no\nStatements 2 and 4: yes", "USUS"),
            ("1 and 2: yes. Statements 3 and 4: no", "SSUU"),
        ],
    )
    def test_give_several_statements_one_verdict(self, reply: str, said: str) -> None:
        assert _said(reply, 4) == said
        assert _reading(reply, 4).format == "groups"

    def test_one_that_reaches_further_than_the_statements_is_reported(self) -> None:
        reading = _reading("1-9: yes", 3)
        assert IssueCode.UNKNOWN_STATEMENT in {issue.code for issue in reading.issues}

    def test_numbers_of_something_else_are_none(self) -> None:
        assert _said("1804-1990: yes", 2) == "--"


class TestAWordInBrackets:
    @pytest.mark.parametrize(
        ("reply", "said"), [("0 (supported)", "-"), ("1 (supported)", "S"), ("(supported)", "S"), ("0 (no)", "U")]
    )
    def test_beside_a_figure_must_agree_with_it(self, reply: str, said: str) -> None:
        assert _said(reply, 1) == said

    def test_in_a_list_the_number_is_that_of_the_item(self) -> None:
        assert _said("1. (no)\n2. yes") == "US"
        assert _said("2. (no)") == "-U"


class TestStrayWords:
    @pytest.mark.parametrize("reply", ["1. maybe\nyes\n2. no", "1: perhaps\nyes\n2: no", "1: It is deep:\nyes\n2: no"])
    def test_below_a_word_that_is_none_are_not_its_verdict(self, reply: str) -> None:
        assert _said(reply) == "-U"

    def test_below_a_damaged_item_are_nobodys(self) -> None:
        assert _said("1: perhaps\nclaum 2: no") == "--"

    @pytest.mark.parametrize("reply", ["1. Rye:\nyes\n2. Year:\nno", "1: the rye in it\nyes\n2: no"])
    def test_below_a_heading_are(self, reply: str) -> None:
        assert _said(reply) == "SU"

    @pytest.mark.parametrize("reply", ["1. The page\n2. The log\n\nyes", "1.\n2.\n\nyes", "1. yes\n2.\n\nno"])
    def test_behind_the_list_are_not_the_last_items(self, reply: str) -> None:
        assert _said(reply).endswith("-")


class TestCorrectionsInAnItem:
    @pytest.mark.parametrize(
        "reply", ["1. no. Correction: yes.\n2. no", "1. Verdict: no. Correction: Verdict: yes\n2. no"]
    )
    def test_count_and_are_reported(self, reply: str) -> None:
        reading = _reading(reply, 2)
        assert reading.found == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]
        assert [(issue.code, issue.index, issue.message) for issue in reading.issues] == [
            (IssueCode.CONFLICTING_VERDICTS, 0, "the judge took back an earlier verdict")
        ]

    @pytest.mark.parametrize("line", ["1 should be no.", "Sorry, 1 should be no.", "Statement 1 is not supported."])
    def test_of_another_line_void_the_item(self, line: str) -> None:
        assert _said(f"1. yes\n{line}\n2. no") == "-U"

    def test_a_sentence_that_agrees_changes_nothing(self) -> None:
        assert _said("1. yes\nStatement 1 is supported, as it says.\n2. no") == "SU"

    def test_a_sentence_may_be_the_verdict_of_its_item(self) -> None:
        assert _said("1. The log names it.\nStatement 1 is supported.\n2. no") == "SU"


class TestGivenTwice:
    def test_verdicts_that_differ_leave_none(self) -> None:
        assert _said("1. yes\n1. no\n2. no") == "-U"

    def test_verdicts_that_agree_are_one(self) -> None:
        reading = _reading("1. yes\n2. no\n1. yes", 2)
        assert reading.found == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]
        assert IssueCode.DUPLICATE_VERDICT in {issue.code for issue in reading.issues}

    def test_a_list_of_words_before_the_answers_is_none(self) -> None:
        assert _said("1. It grinds rye\n1. yes\n2. no") == "SU"


class TestFormats:
    @pytest.mark.parametrize("language", ["yaml", "yml", "YAML"])
    def test_a_fence_tells_its_language(self, language: str) -> None:
        assert _reading(f"```{language}\n1: yes\n2: no\n```", 2).format == "yaml"

    def test_without_one_they_are_numbered(self) -> None:
        assert _reading("1: yes\n2: no", 2).format == "numbered"
