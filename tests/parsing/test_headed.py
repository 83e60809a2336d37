"""Statements under headings, and tables that list the statements of each verdict."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.parsing.envelope import open_envelope
from magistrate.parsing.headed import MOST_LINES, read_headed
from magistrate.parsing.prose import mask
from magistrate.parsing.rows import Table
from magistrate.parsing.vocabulary import vocabulary_of
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


class TestReadHeaded:
    """The lists under headings, with where the first begins and the last ends."""

    @staticmethod
    def _read(text: str, count: int = 3) -> tuple[Table | None, int, int] | None:
        return read_headed(mask(open_envelope(text), STATEMENTS[:count]), vocabulary_of("binary"), count)

    def test_each_number_is_a_row_with_the_word_of_its_heading(self) -> None:
        found = self._read("Here you are.\n\n**Supported:**\r\n1\r\n\r\nUnsupported:\r\n- 2\n- 3\n\nDone.")
        assert found is not None
        table, start, end = found
        assert table is not None
        assert [(row.id, row.value) for row in table.rows] == [(1, "Supported"), (2, "Unsupported"), (3, "Unsupported")]
        assert (table.format, table.orderly) == ("groups", False)
        assert (start, end) == (15, table.rows[-1].span[1])  # type: ignore[index]

    def test_what_follows_under_another_heading_is_something_else(self) -> None:
        found = self._read("Yes\n1\nNo\n2\n3\nPages read:\n4")
        assert found is not None
        assert found[0] is not None
        assert [row.id for row in found[0].rows] == [1, 2, 3]

    def test_all_statements_may_stand_under_one_heading(self) -> None:
        found = self._read("Supported:\n- " + "\n- ".join(STATEMENTS))
        assert found is not None
        assert found[0] is not None
        assert [row.echo_index for row in found[0].rows] == [0, 1, 2]

    @pytest.mark.parametrize(
        "reply", ["Supported:\n1\nUnsupported:\n2", "Supported:\n- " + "\n- ".join(STATEMENTS[:2]), "Yes:\n1\n1\n2\n3"]
    )
    def test_where_some_are_missing_there_is_no_table(self, reply: str) -> None:
        found = self._read(reply)
        assert found is not None
        assert found[0] is None

    @pytest.mark.parametrize("reply", ["", "Supported", "Yes: no.", "1\nyes\n2\nno", "The ferry is late."])
    def test_other_texts_are_not_of_that_form(self, reply: str) -> None:
        assert self._read(reply) is None

    @pytest.mark.parametrize("count", [1, 3])
    def test_a_text_of_too_many_lines_is_no_such_list(self, count: int) -> None:
        numbers = ", ".join(str(number + 1) for number in range(count))
        most = MOST_LINES + 8 * count
        text = f"Yes:\n{numbers}" + "\nThe tide is low." * (most - 2)
        assert self._read(text, count) is not None
        assert self._read(f"{text}\nThe tide is low.", count) is None


class TestBeside:
    """Lines that each repeat a statement behind its verdict."""

    def test_are_rows_from_the_first_to_the_last(self) -> None:
        text = f"Here:\n* Yes: {STATEMENTS[0]}\n* No - {STATEMENTS[1]}\n[No] {STATEMENTS[2]}\nDone."
        found = TestReadHeaded._read(text)
        assert found is not None
        table, start, end = found
        assert table is not None
        assert [(row.echo_index, row.value) for row in table.rows] == [(0, "Yes"), (1, "No"), (2, "No")]
        assert (table.format, table.orderly) == ("groups", False)
        lines = mask(open_envelope(text), STATEMENTS).lines()
        assert (start, end) == (lines[1].start, lines[3].end)

    @pytest.mark.parametrize(
        "last",
        [f"Purple: {STATEMENTS[1]}", f"The keeper says that {STATEMENTS[1]} is so", f"No {STATEMENTS[1]} at all"],
    )
    def test_a_line_that_repeats_a_statement_otherwise_makes_them_something_else(self, last: str) -> None:
        assert TestReadHeaded._read(f"Yes: {STATEMENTS[0]}\n{last}", 2) is None

    def test_one_line_is_no_list(self) -> None:
        assert TestReadHeaded._read(f"Yes: {STATEMENTS[0]}", 1) is None


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
