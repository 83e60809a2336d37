"""Verdicts under their name, one a line or in running text."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.parsing.envelope import open_envelope
from magistrate.parsing.label_lines import read_labels
from magistrate.parsing.prose import mask
from magistrate.parsing.rows import Table
from magistrate.parsing.vocabulary import vocabulary_of
from magistrate.verdict import Verdict

WELL = ("The well is deep.", "It dried up in May.")
YES, NO = Verdict.SUPPORTED, Verdict.UNSUPPORTED


def _read(text: str, count: int = 2) -> Table | None:
    return read_labels(mask(open_envelope(text), WELL[:count]), vocabulary_of("binary"), count)


class TestOneALine:
    @pytest.mark.parametrize(
        "text",
        [
            "verdict: yes\nverdict: no",
            "VERDICT: yes\nVERDICT: no",
            "- verdict: yes\n- verdict: no",
            "*verdict*: yes\n'verdict' = no",
            "verdict: yes\nreason: It is deep.\n\nverdict: no\nreason: It is not.",
        ],
    )
    def test_each_line_is_a_row(self, text: str) -> None:
        table = _read(text)
        assert table is not None
        assert [row.reading for row in table.rows] == [YES, NO]
        assert [text[slice(*row.span)] for row in table.rows if row.span] == ["yes", "no"]
        assert (table.format, table.orderly) == ("key-value", True)

    @pytest.mark.parametrize("text", ["", "verdict: yes", "verdict yes\nverdict no", "Here it is.\nThe log is old."])
    def test_one_line_or_none_is_no_list(self, text: str) -> None:
        assert _read(text) is None

    def test_lines_without_end_are_no_list(self) -> None:
        assert _read("verdict: yes\n" * 200) is not None
        assert _read("verdict: yes\n" * 201) is None


class TestOtherLines:
    def test_what_stands_under_another_name_may_tell_which_statement_is_meant(self) -> None:
        table = _read('case: 2\nverdict: yes\n- "Case" = 1\nverdict: no')
        assert table is not None
        assert [row.hints for row in table.rows] == [(("case", "2"),), (("case", "1"),)]

    def test_several_names_are_kept(self) -> None:
        table = _read("case: 2\ntone: calm\nverdict: yes\ncase: 1\ntone: dry\nverdict: no")
        assert table is not None
        assert [row.hints for row in table.rows] == [
            (("case", "2"), ("tone", "calm")),
            (("case", "1"), ("tone", "dry")),
        ]

    def test_a_name_that_not_every_row_has_tells_nothing(self) -> None:
        table = _read("case: 2\nverdict: yes\nverdict: no")
        assert table is not None
        assert [row.hints for row in table.rows] == [(), ()]


class TestRepeatedStatementsBeside:
    @pytest.mark.parametrize("name", ["topic", "about", "reason"])
    @pytest.mark.parametrize("line", ["{name}: {text}\nverdict: {word}", "verdict: {word}\n{name}: {text}"])
    def test_say_which_one_a_verdict_is_about(self, name: str, line: str) -> None:
        rows = [line.format(name=name, text=text, word=word) for text, word in ((WELL[1], "yes"), (WELL[0], "no"))]
        assert parse_verdicts("\n".join(rows), WELL).found == [NO, YES]

    def test_another_statement_beside_one_verdict_takes_it_away(self) -> None:
        reply = f"reason: {WELL[1]}\nverdict: yes\nreason: so it is\nverdict: no"
        assert parse_verdicts(reply, WELL).found == [None, NO]

    def test_its_own_changes_nothing(self) -> None:
        reply = f"reason: {WELL[0]}\nverdict: yes\nreason: so it is\nverdict: no"
        assert parse_verdicts(reply, WELL).found == [YES, NO]

    def test_count_on_one_line_too(self) -> None:
        reply = f"Explanation: {WELL[1]} Verdict: Yes. Explanation: {WELL[0]} Verdict: No."
        assert parse_verdicts(reply, WELL).found == [NO, YES]

    def test_count_beside_any_number_of_other_lines(self) -> None:
        lines = "\n".join(f"name {letter}: calm" for letter in "abcdefghijkl")
        reply = f"case: 2\n{lines}\nverdict: yes\ncase: 1\n{lines}\nverdict: no"
        assert parse_verdicts(reply, WELL).found == [NO, YES]


class TestInRunningText:
    TEXT = "Explanation: it is deep. Verdict: Yes. Explanation: it is not. Verdict: No."

    def test_as_many_as_statements_are_rows(self) -> None:
        table = _read(self.TEXT)
        assert table is not None
        assert [row.reading for row in table.rows] == [YES, NO]
        assert [self.TEXT[slice(*row.span)] for row in table.rows if row.span] == ["Yes", "No"]

    @pytest.mark.parametrize(
        "text",
        [
            f"{TEXT} Verdict: no",
            "Explanation: it is deep. Verdict: Yes.",
            "Explanation: it is deep. Verdict: Yes. Explanation: it is not. Verdict: perhaps.",
            "Explanation: it is deep. Verdict: Yes, it is. Explanation: it is not. Verdict: No.",
        ],
    )
    def test_one_more_or_less_or_other_words_make_no_list(self, text: str) -> None:
        assert _read(text) is None

    def test_one_is_no_list_even_for_one_statement(self) -> None:
        assert _read("Explanation: it is deep. Verdict: Yes.", 1) is None
