"""What is covered before a text is read: drafts under a heading, examples, quotations; and how statements are named."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.verdict import Verdict

YES, NO = Verdict.SUPPORTED, Verdict.UNSUPPORTED
WELL = ["The well has a lid.", "The well is never dry."]


def found(reply: str, asked: list[str] = WELL) -> list[Verdict | None]:
    return list(parse_verdicts(reply, asked).found)


class TestDraftsUnderAHeading:
    @pytest.mark.parametrize("behind", ["", "\n\n## Final remarks\nnone"])
    @pytest.mark.parametrize(
        "draft", ["## Draft\n1. no\n2. no\n", "## First draft\n1. no\n2. no\n## Second draft\n1. yes\n2. yes\n"]
    )
    def test_reach_to_the_next_one(self, draft: str, behind: str) -> None:
        reading = parse_verdicts(f"{draft}\n## Final verdict\n1. yes\n2. no{behind}", WELL)
        assert (list(reading.found), reading.issues) == ([YES, NO], ())

    def test_are_none_where_no_final_one_follows(self) -> None:
        assert found("## Final verdict\n1. yes\n2. no\n\n## Draft\n1. no\n2. no") == [None, NO]
        assert found("## Final draft\n1. yes\n2. no") == [YES, NO]

    def test_are_no_answer_alone(self) -> None:
        assert found("## Draft\n1. no\n2. no") == [None, None]


class TestExamples:
    def test_end_with_a_blank_line(self) -> None:
        assert found("For example:\n1. no\n2. no\n\nMine:\n1. yes\n2. no") == [YES, NO]


class TestQuotations:
    @pytest.mark.parametrize(
        "reply",
        [
            'They say "yes" to that. Verdict: no',
            'As they say: "the lid is fine, yes". Verdict: no',
            'The verdict "yes" is tempting. No.',
            'The answer is \u201cno\u201d, as "yes" is wrong.',
        ],
    )
    def test_are_somebody_elses_words(self, reply: str) -> None:
        assert found(reply, WELL[:1]) == [NO]

    @pytest.mark.parametrize("reply", ['"no"', "\u201cno\u201d", "`no`", 'Verdict: "no"', '"no" is my verdict'])
    def test_that_are_all_there_is_are_the_judges(self, reply: str) -> None:
        assert found(reply, WELL[:1]) == [NO]


class TestRepeatedStatements:
    @pytest.mark.parametrize(
        ("asked", "reply"),
        [
            (
                ["\u95e8\u662f\u5f00\u7684", "\u8336\u662f\u70ed\u7684"],
                "\u8336\u662f\u70ed\u7684\uff1ano\n\u95e8\u662f\u5f00\u7684\uff1ayes",
            ),
            (["It is cold", "It is hot"], "It is hot!: no\nIt is cold?: yes"),
            (WELL, "The well is never dry.The well is never dry.: no\nThe well has a lid: yes"),
        ],
    )
    def test_name_themselves_in_any_order(self, asked: list[str], reply: str) -> None:
        assert found(reply, asked) == [YES, NO]

    @pytest.mark.parametrize(
        ("asked", "reply"),
        [
            (["Ja", "OK"], "OK: no\nJa: yes"),
            (["\u95e8\u5f00", "\u8336\u70ed"], "\u8336\u70ed\uff1ano\n\u95e8\u5f00\uff1ayes"),
        ],
    )
    def test_that_are_too_short_to_be_sure_of_do_not(self, asked: list[str], reply: str) -> None:
        assert found(reply, asked) == [None, None]


class TestLineEnds:
    @pytest.mark.parametrize("reply", ["yes\r\nno\r\n", "1. yes\r\n2. no\r\n", "| 1 | yes |\r\n| 2 | no |\r\n"])
    def test_of_every_system_are_read(self, reply: str) -> None:
        assert found(reply) == [YES, NO]
