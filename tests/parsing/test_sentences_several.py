"""Sentences about several statements by their numbers: each says what it says, and nothing of the others."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.verdict import IssueCode, Verdict

YES, NO = Verdict.SUPPORTED, Verdict.UNSUPPORTED
BEES = ["The hive has two doors.", "The hive faces east.", "The hive is made of straw."]


def found(reply: str) -> list[Verdict | None]:
    return list(parse_verdicts(reply, BEES).found)


class TestSentences:
    @pytest.mark.parametrize(
        "reply",
        [
            "Statement 1 is supported. Statement 2 is not supported. Statement 3 is supported.",
            "Statements 1 and 3 are supported, but statement 2 is not.",
            "All statements are supported except 2.",
            "Only statement 2 is not supported; the others are supported.",
            "The first is supported, the second is not, the third is supported.",
            "If statement 2 is supported, so be it. Statement 2 is not supported. Statements 1 and 3 are supported.",
        ],
    )
    def test_give_each_statement_its_own(self, reply: str) -> None:
        assert found(reply) == [YES, NO, YES]

    def test_not_alone_denies_what_was_said_before_it(self) -> None:
        assert found("Statement 1 is not. Statement 2 is supported. Statement 3 is not.") == [None, YES, NO]
        assert found("None of the statements is supported.") == [NO, NO, NO]

    @pytest.mark.parametrize(
        "reply",
        ["Without statement 2, all are supported.", "Statement 1 is supported, and statement 4 is not supported."],
    )
    def test_what_they_leave_open_stays_open(self, reply: str) -> None:
        assert found(reply) == [None, None, None]

    def test_two_about_one_that_differ_decide_nothing(self) -> None:
        reading = parse_verdicts("Statement 1 is supported. Statement 1 is not supported.", BEES)
        assert list(reading.found) == [None, None, None]
        assert IssueCode.CONFLICTING_VERDICTS in {note.code for note in reading.verdicts[0].issues}

    def test_that_count_from_zero_are_heard_so(self) -> None:
        reply = "Statement 0 is supported. Statement 1 is not supported. Statement 2 is supported."
        assert found(reply) == [YES, NO, YES]


class TestGroups:
    @pytest.mark.parametrize(
        "reply",
        [
            "Supported: 1, 3. Unsupported: 2.",
            "Supported: 1, 3\nUnsupported: 2",
            "Supported: 1 and 3; unsupported: 2",
            "1, 3: supported\n2: unsupported",
            "Here they are.\nSupported: 1, 3\n\nUnsupported: 2",
        ],
    )
    def test_list_the_statements_of_each_verdict(self, reply: str) -> None:
        assert found(reply) == [YES, NO, YES]

    def test_may_be_empty(self) -> None:
        assert found("Supported: 1, 2, 3") == [YES, YES, YES]
        assert found("Supported: 1-3\nUnsupported: none") == [YES, YES, YES]

    @pytest.mark.parametrize(
        "reply",
        [
            "Supported: 1\nUnsupported: 2",
            "Supported: 3-1",
            "Supported: 2\nUnsupported: 1",
            "Supported: 1, 2, 3\nUnsupported: 1",
            "Supported: 1, 2\nUnsupported: 3, 4",
        ],
    )
    def test_anything_less_than_each_once_may_be_counts(self, reply: str) -> None:
        assert found(reply) == [None, None, None]


class TestOneOfTwo:
    @pytest.mark.parametrize(
        "reply",
        [
            "Either statement 1 or statement 2 is supported.",
            "Statement 1 instead of statement 2 is supported.",
            "Statement 1 rather than statement 2 is supported.",
        ],
    )
    def test_says_nothing_of_the_one_that_is_named_last(self, reply: str) -> None:
        assert parse_verdicts(reply, ["The well is deep.", "It dried up in May."]).found[1] is None
