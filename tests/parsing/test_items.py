"""Items of a list in plain text: what belongs to an item, and what never counts as its verdict."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.verdict import IssueCode, ParseStatus, Verdict

ONE = ["The kiln fires at noon."]
TWO = [*ONE, "The glaze is blue."]


def _read(reply: str, asked: list[str], scale: str = "binary") -> list[Verdict | None]:
    return [one.verdict for one in parse_verdicts(reply, asked, scale=scale).verdicts]


class TestNumbersOfRows:
    @pytest.mark.parametrize("ending", [None, "stop", "length"])
    @pytest.mark.parametrize("close", ["", "\n"])
    @pytest.mark.parametrize(
        "head",
        [
            "```yaml\nverdicts:\n  - id: 1",
            "verdicts:\n  - id: 1",
            "verdicts:\n  - index: 0",
            "urteile:\n  - nr: 1",
            "- statement_id: 1",
            "**ID:** 1",
            '- "id": 1',
            "number: 1",
            "Statement: 1",
            "- entry: 1",
            "# 1",
            "| 1 |",
            "| # | Statement | Verdict |\n|---|---|---|\n| 1 |",
        ],
    )
    def test_are_no_verdicts(self, head: str, close: str, ending: str | None) -> None:
        reading = parse_verdicts(head + close, ONE, finish_reason=ending)
        assert reading.verdicts[0].verdict is None
        assert reading.status in {ParseStatus.UNPARSEABLE, ParseStatus.TRUNCATED}

    @pytest.mark.parametrize(
        "reply", ["1", "Verdict: 1", "Score: 1", "verdict = 1", "- verdict: 1", "The kiln fires at noon.: 1"]
    )
    def test_are_told_from_a_verdict_in_digits(self, reply: str) -> None:
        assert _read(reply, ONE) == [Verdict.SUPPORTED]

    def test_leave_the_verdict_below_them(self) -> None:
        assert _read("- id: 1\n  verdict: 0", ONE) == [Verdict.UNSUPPORTED]


class TestQuotedAnswers:
    """An answer that the reason of an item quotes never beats the word of the item."""

    @pytest.mark.parametrize("between", [" ", "\n", "\n   "])
    @pytest.mark.parametrize(
        "head",
        [
            "1. no - It says:",
            "1. no. It says:",
            "1) no (It says:",
            "**1.** no - It says:",
            "Statement 1: no\nReason: It says:",
            "1. The kiln fires at noon.: no - It says:",
            "Here are my verdicts:\n\n1. no - It says:",
        ],
    )
    @pytest.mark.parametrize(
        "quoted",
        [
            "| # | Statement | Verdict |\n|---|---|---|\n| 1 | The kiln fires at noon. | yes |",
            "| 1 | The kiln fires at noon. | yes |",
            "| 1 | yes |",
            '{"verdict": "yes"}',
            '[{"id": 1, "verdict": "yes"}]',
            '{"1": "yes"}',
            "<verdict>yes</verdict>",
            "- id: 1\n  verdict: yes",
            "Final verdict: yes",
            "Verdict: yes",
            "1. yes",
        ],
    )
    def test_do_not_count(self, head: str, between: str, quoted: str) -> None:
        assert Verdict.SUPPORTED not in _read(head + between + quoted, ONE)
        if "\n\n" not in head and "|" not in quoted[:1]:
            after = head.replace("1", "2", 1).replace(ONE[0], TWO[1]).replace(": no", ": yes").replace(" no", " yes")
            both = _read(f"{head}{between}{quoted}\n{after}", TWO)
            assert both[0] is not Verdict.SUPPORTED

    def test_do_not_count_in_a_cell_that_is_broken_over_two_lines(self) -> None:
        reply = "| 1 | no | It says:\n   Final verdict for each statement in order: Yes. Yes. |\n| 2 | yes | Page 4. |"
        assert _read(reply, TWO)[0] is not Verdict.SUPPORTED


class TestSlips:
    @pytest.mark.parametrize(
        "reply",
        [
            "1. yes\nSorry, I meant no for statement 1.\n2. no",
            "- 1: yes\n  Sorry, I meant no for statement 1.\n- 2: no",
            "Statement 1: yes\nWait, statement 1 should be no.\nStatement 2: no",
            "1. yes. Sorry, I meant no for statement 1.\n2. no",
            "1. yes\nSorry, I meant no.\n2. no",
        ],
    )
    def test_within_a_list_leave_the_statement_without_a_verdict(self, reply: str) -> None:
        reading = parse_verdicts(reply, TWO)
        assert [one.verdict for one in reading.verdicts] == [None, Verdict.UNSUPPORTED]
        assert IssueCode.CONFLICTING_VERDICTS in {note.code for note in reading.issues}

    def test_about_an_earlier_item_leave_the_one_they_follow(self) -> None:
        reply = "1. yes\n2. no\nSorry, I meant no for statement 1.\n3. yes"
        assert _read(reply, [*TWO, "The shop is shut."]) == [None, Verdict.UNSUPPORTED, Verdict.SUPPORTED]


class TestLinesWithoutANumber:
    @pytest.mark.parametrize("word", ["perhaps so", "yes2", "अपर्याप्त जानकारी2"])
    def test_give_the_item_above_no_verdict(self, word: str) -> None:
        assert _read(f"1: {word}\n: yes", TWO)[0] is None
        assert _read(f"1: {word}\n: yes\n2: no", TWO) == [None, Verdict.UNSUPPORTED]

    @pytest.mark.parametrize("head", ["1: perhaps so", "Statement 1: hm", "- 1: y2s"])
    def test_do_not_replace_a_word_that_cannot_be_read(self, head: str) -> None:
        assert _read(f"{head}\nyes\n2: no", TWO) == [None, Verdict.UNSUPPORTED]

    def test_under_a_repeated_statement_are_its_verdict(self) -> None:
        assert _read(f"1: {TWO[0]}\nyes\n2: {TWO[1]}\nno", TWO) == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]

    def test_under_a_number_alone_are_its_verdict(self) -> None:
        assert _read("1:\nyes\n2:\nno", TWO) == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]
