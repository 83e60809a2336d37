"""Statements under headings, and tables that list the statements of each verdict."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.verdict import Verdict

STATEMENTS = ("The ferry leaves at six.", "The pier is painted green.", "Tea is sold on board.")
_LETTERS = {None: "-", Verdict.SUPPORTED: "S", Verdict.UNSUPPORTED: "U", Verdict.CONTRADICTED: "C"}


def _said(reply: str, count: int = 3, scale: str = "binary", finish_reason: str | None = None) -> str:
    reading = parse_verdicts(reply, STATEMENTS[:count], scale=scale, finish_reason=finish_reason)
    return "".join(_LETTERS.get(one, "N") for one in reading.found)


ROWS = (("Statement", "Verdict"), (1, "Yes"), (2, "No"), (3, "No"))
HEADED = [
    "Supported:\n1\nUnsupported:\n2\n3",
    "Yes\n1\nNo\n2\n3",
    "Unsupported:\n- 2\n- 3\nSupported:\n- 1",
    "SUPPORTED\n1, \nUNSUPPORTED\n2, 3",
    "Supported (1):\n1\nUnsupported (2):\n2\n3",
    "✅ Supported:\n1\n❌ Not supported:\n2\n3",
    "## Supported\n- Statement 1\n\n## Unsupported\n- Statement 2\n- Statement 3",
    f"Supported statements:\n- {STATEMENTS[0]}\n\nUnsupported statements:\n- {STATEMENTS[1]}\n- {STATEMENTS[2]}",
    f"**Supported**\n1. {STATEMENTS[0]}\n\n**Not supported**\n1. {STATEMENTS[1]}\n2. {STATEMENTS[2]}",
]


class TestHeadings:
    @pytest.mark.parametrize("reply", HEADED)
    def test_what_stands_below_a_heading_has_its_verdict(self, reply: str) -> None:
        assert _said(reply) == "SUU"

    @pytest.mark.parametrize("reply", HEADED)
    def test_every_beginning_of_it_says_the_same_or_nothing(self, reply: str) -> None:
        for stop in range(len(reply)):
            found = _said(reply[:stop], finish_reason="length")
            assert all(one in {"-", right} for one, right in zip(found, "SUU", strict=True)), reply[:stop]

    @pytest.mark.parametrize("reply", ["Supported:\n1\nUnsupported:\n2", "Yes\n2\nNo\n2\n3"])
    def test_numbers_that_may_be_counts_give_none(self, reply: str) -> None:
        assert _said(reply) == "---"

    def test_numbers_before_their_words_are_items(self) -> None:
        assert _said("1\nyes\n2\nno\n3\nno") == "SUU"

    def test_one_statement_under_both_headings_has_none(self) -> None:
        reply = f"Yes:\n- {STATEMENTS[0]}\n- {STATEMENTS[1]}\nNo:\n- {STATEMENTS[1]}\n- {STATEMENTS[2]}"
        assert _said(reply) == "S-U"


class TestTables:
    @pytest.mark.parametrize(
        "reply",
        [
            "| Supported | 1 |\n| Unsupported | 2, 3 |",
            "| Supported | Unsupported |\n|---|---|\n| 1 | 2, 3 |",
            "<table>" + "".join(f"<tr><td>{at}</td><td>{word}</td></tr>" for at, word in ROWS) + "</table>",
            "1. √\n2. ×\n3. ×",
        ],
    )
    def test_each_verdict_with_its_statements(self, reply: str) -> None:
        assert _said(reply) == "SUU"

    def test_numbers_that_may_be_counts_give_none(self) -> None:
        assert _said("| Supported | 1 |\n| Unsupported | 2 |") == "---"

    @pytest.mark.parametrize(
        ("reply", "said"),
        [
            ("| Statement | No | Yes |\n|---|---|---|\n| The ferry leaves at six. | x |  |", "U"),
            ("| Claim | Unsupported | Supported |\n|---|---|---|\n| 1. The ferry leaves at six. | x |  |", "U"),
            ("| Supported | Unsupported |\n|---|---|\n| x |  |", "S"),
            ("| Statement | Unsupported | Supported |\n|---|---|---|\n| 1 | x |  |", "U"),
            ("| Statement | Supported |\n|---|---|\n| The ferry leaves at six. | - |", "-"),
            ("| Statement | Supported |\n|---|---|\n| The ferry leaves at six. |  |", "-"),
            ("| Statement | Supported |\n|---|---|\n| The ferry leaves at six. | ? |", "-"),
        ],
    )
    def test_the_head_of_a_table_is_no_verdict_of_one_statement(self, reply: str, said: str) -> None:
        assert _said(reply, 1) == said

    def test_a_tick_in_the_row_of_a_repeated_statement(self) -> None:
        rows = f"| {STATEMENTS[0]} | x |  |\n| {STATEMENTS[1]} |  | x |"
        assert _said(f"| Statement | No | Yes |\n|---|---|---|\n{rows}", 2) == "US"


class TestTornTables:
    def test_a_row_that_lost_a_bar_has_no_tick_that_can_be_told(self) -> None:
        assert _said("| Statement | No | Yes |\n|---|---|---|\n| 1 | x |  |\n| 2   | x |", 2) == "U-"


class TestTornSentences:
    @pytest.mark.parametrize(
        "reply",
        ["La afirmación no está. respaldada.", "La afirmación no está: respaldada.", "Die Aussage ist nicht beleg.t."],
    )
    def test_what_a_mark_cut_off_is_no_verdict(self, reply: str) -> None:
        assert _said(reply, 1) == "-"
