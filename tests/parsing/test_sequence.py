"""Verdicts in a row: no gap is closed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.parsing.rows import Table
from magistrate.parsing.sequence import _enumerated, _pure, read_words
from magistrate.parsing.vocabulary import vocabulary_of
from magistrate.verdict import ParseStatus, Verdict

Tell = Callable[..., tuple[str, ...]]

STATEMENTS = [
    "The ferry leaves at six.",
    "The harbour freezes in May.",
    "Gulls nest on the pier.",
    "The keeper paints the rail.",
]


class TestThree:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            (
                "Final verdict for each statement in order: Yes. No.",
                (
                    "unparseable None",
                    "s1: None",
                    "s2: None",
                    "s3: None",
                    "extra supported, unsupported",
                    "count-mismatch: 2 verdicts for 3 statements",
                    "missing-verdict 1: the reply says nothing of this statement",
                    "missing-verdict 2: the reply says nothing of this statement",
                    "missing-verdict 3: the reply says nothing of this statement",
                ),
            ),
            (
                "Verdicts: yes, no, yes",
                ("ok legacy-final", "s1: supported 10-13", "s2: unsupported 15-17", "s3: supported 19-22"),
            ),
            (
                "yes\nno",
                (
                    "unparseable None",
                    "s1: None",
                    "s2: None",
                    "s3: None",
                    "extra supported, unsupported",
                    "count-mismatch: 2 verdicts for 3 statements",
                    "missing-verdict 1: the reply says nothing of this statement",
                    "missing-verdict 2: the reply says nothing of this statement",
                    "missing-verdict 3: the reply says nothing of this statement",
                ),
            ),
            ("yes\nno\nyes", ("ok words", "s1: supported 0-3", "s2: unsupported 4-6", "s3: supported 7-10")),
            (
                "Verdicts: 1. yes 2. no 3. yes",
                ("ok legacy-final", "s1: supported 13-16", "s2: unsupported 20-22", "s3: supported 26-29"),
            ),
            (
                "Verdicts: Yes, as it says. No, it does not. Yes.",
                ("ok legacy-final", "s1: supported 10-26", "s2: unsupported 27-43", "s3: supported 44-48"),
            ),
            ("yes no yes", ("ok words", "s1: supported 0-3", "s2: unsupported 4-6", "s3: supported 7-10")),
            (
                "Verdicts: yes no unknown",
                (
                    "partial legacy-final",
                    "s1: supported 10-13",
                    "s2: unsupported 14-16",
                    "s3: None 17-24",
                    "out-of-range 3: 'unknown' is not on the scale",
                ),
            ),
            ("yes, no, yes", ("ok words", "s1: supported 0-3", "s2: unsupported 5-7", "s3: supported 9-12")),
            (
                "1: yes, 2: no, 3: yes",
                ("ok numbered", "s1: supported 3-7", "s2: unsupported 11-14", "s3: supported 18-21"),
            ),
            (
                "(1) yes (2) no (3) yes",
                ("ok numbered", "s1: supported 4-7", "s2: unsupported 12-14", "s3: supported 19-22"),
            ),
            ("yes / no / yes", ("ok words", "s1: supported 0-3", "s2: unsupported 6-8", "s3: supported 11-14")),
            ("yes | no | yes", ("ok words", "s1: supported 0-3", "s2: unsupported 6-8", "s3: supported 11-14")),
            ("yes - no - yes", ("ok words", "s1: supported 0-3", "s2: unsupported 6-8", "s3: supported 11-14")),
            ("yes > no > yes", ("ok words", "s1: supported 0-3", "s2: unsupported 6-8", "s3: supported 11-14")),
            ("Y, N, Y", ("ok words", "s1: supported 0-1", "s2: unsupported 3-4", "s3: supported 6-7")),
            ("✅❌✅", ("ok words", "s1: supported 0-1", "s2: unsupported 1-2", "s3: supported 2-3")),
            ("1 1 0", ("ok words", "s1: supported 0-1", "s2: supported 2-3", "s3: unsupported 4-5")),
            ("yes, no and yes", ("ok words", "s1: supported 0-3", "s2: unsupported 5-7", "s3: supported 12-15")),
            ("sí, no y sí", ("ok words", "s1: supported 0-2", "s2: unsupported 4-6", "s3: supported 9-11")),
            ("- yes\n- no\n- yes", ("ok words", "s1: supported 2-5", "s2: unsupported 8-10", "s3: supported 13-16")),
            (
                "* yes\n* no\n* yes\nDone.",
                ("ok words", "s1: supported 2-5", "s2: unsupported 8-10", "s3: supported 13-16"),
            ),
            (
                "Final verdict for each statement in order:\n\nYes.\nNo.\nYes.",
                ("ok legacy-final", "s1: supported 44-47", "s2: unsupported 49-51", "s3: supported 53-56"),
            ),
            ("1-3: yes", ("ok groups", "s1: supported 0-8", "s2: supported 0-8", "s3: supported 0-8")),
            (
                "Statements 1 and 3 are supported. Statement 2 is not supported.",
                ("ok sentences", "s1: supported 0-63", "s2: unsupported 34-63", "s3: supported 0-63"),
            ),
            ("Yes: 1, 3\nNo: 2", ("ok groups", "s1: supported 0-9", "s2: unsupported 10-15", "s3: supported 0-9")),
            ("Yes - 1, 3\nNo - 2", ("ok groups", "s1: supported 0-10", "s2: unsupported 11-17", "s3: supported 0-10")),
        ],
    )
    def test_a_gap_is_never_closed(self, reply: str, told: tuple[str, ...], tell_verdicts: Tell) -> None:
        assert tell_verdicts(reply, STATEMENTS[:3]) == told


_THREE = ("The ferry leaves at six.", "The pier is painted green.", "Tea is sold on board.")


def _said(reply: str, statements: tuple[str, ...] = _THREE, scale: str = "binary") -> str:
    """One letter a statement: S(upported), U(nsupported), C(ontradicted), N(ot enough), dash for none."""
    letters = {None: "-", Verdict.SUPPORTED: "S", Verdict.UNSUPPORTED: "U", Verdict.CONTRADICTED: "C"}
    return "".join(letters.get(one, "N") for one in parse_verdicts(reply, statements, scale=scale).found)


class TestNumbersInARow:
    @pytest.mark.parametrize(
        ("reply", "said"),
        [
            ("1 yes, 2 no, 3 yes", "SUS"),
            ("1 yes; 2 no; 3 yes.", "SUS"),
            ("1 yes, 2 no, 3 perhaps", "---"),
            ("1 yes, 3 no, 2 yes", "---"),
            ("1. yes 3. no", "S-U"),
            ("2. no 1. yes", "SU-"),
            ("1. hmm 3. no", "--U"),
            ("1. hmm 2. no 3. yes", "-US"),
            ("1. yes 3. perhaps so", "---"),
            ("1. yes 1. no 3. yes", "--S"),
            ("yes\nno\nmaybe", "---"),
            ("Verdicts: 1, 0, 1", "SUS"),
            ("1,0,1", "SUS"),
        ],
    )
    def test_are_words_with_their_numbers_or_verdicts(self, reply: str, said: str) -> None:
        assert _said(reply) == said

    @pytest.mark.parametrize("reply", ["Final verdicts: 0.1, 1", "0.1, 1", "1.0.1", "Verdicts: .1, 1, 1"])
    def test_with_a_decimal_point_are_not_taken_apart(self, reply: str) -> None:
        assert _said(reply) == "---"

    @pytest.mark.parametrize(
        ("reply", "said"),
        [
            ("Supported: 1, 3\nUnsupported: 2", "SUS"),
            ("Supported (2): 1, 3\nUnsupported (1): 2", "SUS"),
            ("Supported: 1, 2, 3", "SSS"),
            ("Supported: 1, 3\nUnsupported: 1, 2", "---"),
            ("Supported: 2\nUnsupported: 1", "---"),
            ("Supported: 1, 0, 1", "SUS"),
        ],
    )
    def test_under_a_word_of_the_scale_are_those_of_its_statements(self, reply: str, said: str) -> None:
        assert _said(reply) == said


class TestDecimals:
    @pytest.mark.parametrize("reply", ["1.0", "0.1", "Verdict: 1.0", "Final verdict for each statement in order: 1.0"])
    def test_the_point_of_a_decimal_number_parts_no_verdicts(self, reply: str) -> None:
        assert [verdict.verdict for verdict in parse_verdicts(reply, STATEMENTS[:2]).verdicts] == [None, None]

    @pytest.mark.parametrize("reply", [".1 .0", ".1, .0", "1: .1\n2: .0", "[.1, .0]", '{"1": ".1", "2": ".0"}'])
    def test_a_number_below_one_is_neither_one_nor_nought(self, reply: str) -> None:
        assert [verdict.verdict for verdict in parse_verdicts(reply, STATEMENTS[:2]).verdicts] == [None, None]


class TestFigures:
    @pytest.mark.parametrize(
        "reply", ["| 1 | 5 |\n| 2 | 4 |", "| 1 | 0.1 |\n| 2 | 0.9 |", "1 5\n2 4", "1, 5\n2, 4", "1\t0.1\n2\t0.9"]
    )
    def test_the_numbers_of_rows_are_no_verdicts(self, reply: str) -> None:
        assert [verdict.verdict for verdict in parse_verdicts(reply, STATEMENTS[:2]).verdicts] == [None, None]

    def test_rows_of_two_numbers_are_not_read_as_four_verdicts(self) -> None:
        verdicts = parse_verdicts("1 0\n2 1", STATEMENTS).verdicts
        assert [verdict.verdict for verdict in verdicts] == [None] * 4


class TestTwoWordsForTwoStatements:
    @pytest.mark.parametrize("reply", ["yes / no", "Yes/No", "yes and no", "ja und nein", "supported or not supported"])
    def test_are_the_options_where_a_slash_or_a_conjunction_joins_them(self, reply: str) -> None:
        assert _said(reply, _THREE[:2]) == "--"

    @pytest.mark.parametrize("reply", ["yes, no", "yes no", "yes\nno", "Yes. No.", "Verdicts: yes / no"])
    def test_are_verdicts_otherwise(self, reply: str) -> None:
        assert _said(reply, _THREE[:2]) == "SU"

    @pytest.mark.parametrize("reply", ["yes\nno\nmaybe", "yes\nmaybe\nno"])
    def test_with_another_word_in_their_row_are_none(self, reply: str) -> None:
        assert _said(reply, _THREE[:2]) == "--"


def told_rows(table: Table | None) -> list[tuple[Any, ...]] | None:
    """Id, reading and place of each row."""
    return None if table is None else [(row.id, str(row.reading), row.span) for row in table.rows]


BINARY_WORDS = vocabulary_of("binary")


class TestWordsInARow:
    @pytest.mark.parametrize(
        ("text", "rows"),
        [
            ("yes, no", [(None, "supported", (0, 3)), (None, "unsupported", (5, 7))]),
            ("yes,\nno", [(None, "supported", (0, 3)), (None, "unsupported", (5, 7))]),
            ("1. yes\n2. no", [(1, "supported", (3, 6)), (2, "unsupported", (10, 12))]),
            ("1. yes 3. no", [(1, "supported", (3, 6)), (3, "unsupported", (10, 12))]),
            ("yes", None),
            ("yes, hm", None),
            ("1, 0", [(None, "supported", (0, 1)), (None, "unsupported", (3, 4))]),
            ("1, yes", None),
            ("1.5, 1", None),
            ("✅❌", [(None, "supported", (0, 1)), (None, "unsupported", (1, 2))]),
            ("", None),
            ("yes, no" + " " * 3_993, [(None, "supported", (0, 3)), (None, "unsupported", (5, 7))]),
            ("yes, no" + " " * 3_994, None),
        ],
    )
    def test_hold_all_verdicts_and_nothing_else(self, text: str, rows: Any) -> None:
        assert told_rows(read_words(text, BINARY_WORDS)) == rows

    @pytest.mark.parametrize("end", [".", ",", ";", "!", ")", "。", "\n", "，", "；", ". ", ".**", ".`\t"])
    def test_a_word_that_is_followed_by_something_is_all_there(self, end: str) -> None:
        table = _enumerated(f"1. yes 2. no{end}", 0, BINARY_WORDS, cut=True)
        assert table is not None
        assert [(row.id, row.reading) for row in table.rows] == [(1, Verdict.SUPPORTED), (2, Verdict.UNSUPPORTED)]
        assert not table.cut

    @pytest.mark.parametrize("end", ["", " ", "*", "`", "-", "x"])
    def test_one_that_is_not_may_go_on(self, end: str) -> None:
        table = _enumerated(f"1. yes 2. no{end}", 0, BINARY_WORDS, cut=True)
        assert told_rows(table) == [(1, "supported", (3, 6))]
        assert table is not None
        assert table.cut

    @pytest.mark.parametrize(
        ("text", "cut", "rows", "gap"),
        [
            ("yes. no", False, 2, None),
            ("yes. no", True, 1, 1),
            ("yes. no.", True, 2, 2),
            ("1. 0", True, 1, 1),
            ("1. 0.", True, 1, 1),
            ("1. 0)", True, 1, 1),
            ("1, 0,", True, 2, 2),
            ("yes! no!", True, 1, 1),
        ],
    )
    def test_after_a_cut_there_is_a_gap(self, text: str, cut: bool, rows: int, gap: int | None) -> None:
        table = _pure(text, 0, BINARY_WORDS, cut=cut)
        assert table is not None
        assert (len(table.rows), table.gap, table.cut) == (rows, gap, cut)


class TestNumbersInReasons:
    """Where numbers begin the lines in turn, another number in a line belongs to its reason."""

    HEAD = "Here are my verdicts for the statements:\n\n"

    @pytest.mark.parametrize(
        "reply",
        [
            "1. yes\n2. no - see paragraph 2.\n3. yes\n4. no",
            "1. yes - page 4.\n2. no - page 3.\n3. yes - page 2.\n4. no - page 1.",
            "1) yes\n2) no - line 3: it froze\n3) yes - Absatz 2.\n4) no",
        ],
    )
    def test_begin_no_item(self, reply: str) -> None:
        yes, no = Verdict.SUPPORTED, Verdict.UNSUPPORTED
        for text in (self.HEAD + reply, reply):
            assert parse_verdicts(text, STATEMENTS).found == [yes, no, yes, no]

    @pytest.mark.parametrize(
        "reply", ["1. yes\n2. no 3. yes\n3. no\n4. no", "1. yes\n2. no - see 3. yes\n3. no\n4. no"]
    )
    def test_with_a_verdict_behind_them_may_be_one(self, reply: str) -> None:
        for text in (self.HEAD + reply, reply):
            assert parse_verdicts(text, STATEMENTS).found[2] is None

    @pytest.mark.parametrize("reply", ["1. yes 2. no\n3. yes 4. no", "1. yes 2. no 3. yes 4.\nno"])
    def test_count_where_the_lines_hold_several(self, reply: str) -> None:
        yes, no = Verdict.SUPPORTED, Verdict.UNSUPPORTED
        assert parse_verdicts(self.HEAD + reply, STATEMENTS).found == [yes, no, yes, no]


class TestOneNumber:
    """Behind a line that announces a list, "1." is the number of an item as well as a verdict."""

    @pytest.mark.parametrize("head", ["Final verdicts: ", "Final verdict for each statement in order: "])
    @pytest.mark.parametrize("said", ["1.", "1)", "**1.**"])
    @pytest.mark.parametrize("end", [None, "stop", "length"])
    def test_with_a_stop_behind_it_gives_none(self, head: str, said: str, end: str | None) -> None:
        reading = parse_verdicts(head + said, STATEMENTS[:1], finish_reason=end)
        assert (reading.found, reading.status) == ([None], ParseStatus.TRUNCATED)

    @pytest.mark.parametrize("said", ["1", "yes.", "1. yes", "[1]"])
    def test_alone_or_with_a_word_it_gives_one(self, said: str) -> None:
        assert parse_verdicts(f"Final verdicts: {said}", STATEMENTS[:1]).found == [Verdict.SUPPORTED]

    def test_nought_numbers_no_item(self) -> None:
        assert parse_verdicts("Final verdicts: 0.", STATEMENTS[:1]).found == [Verdict.UNSUPPORTED]

    @pytest.mark.parametrize("said", ["Final verdict: 1.", "Final verdicts: 0.", "Verdict: 1."])
    def test_and_a_stop_at_a_cut_may_go_on(self, said: str) -> None:
        assert parse_verdicts(said, STATEMENTS[:1], finish_reason="length").found == [None]

    @pytest.mark.parametrize("said", ["1.", "**1.", "**1.** ", "- 1.", "1)", "#1:", "Statement 1:"])
    def test_is_none_where_it_is_the_whole_reply(self, said: str) -> None:
        assert parse_verdicts(said, STATEMENTS[:1]).found == [None]

    @pytest.mark.parametrize("said", ["1", "(1)", "**1**", "Verdict: 1.", '{"verdict": 1}'])
    def test_is_one_without_a_stop_or_under_the_name_of_a_verdict(self, said: str) -> None:
        assert parse_verdicts(said, STATEMENTS[:1]).found == [Verdict.SUPPORTED]

    def test_lines_of_figures_with_stops_are_verdicts(self) -> None:
        found = parse_verdicts("1.\n0.\n1.\n0.", STATEMENTS).found
        assert found in ([Verdict.SUPPORTED, Verdict.UNSUPPORTED] * 2, [None] * 4)


class TestTornWords:
    @pytest.mark.parametrize(("word", "torn"), [("مدعوم جزئيًا", 10), ("no respaldado", 9), ("mentioned nowhere", 14)])
    @pytest.mark.parametrize("end", [None, "length"])
    def test_of_two_parts_are_not_two_words(self, word: str, torn: int, end: str | None) -> None:
        found = parse_verdicts(word[:torn], STATEMENTS[:2], scale="graded", finish_reason=end).found
        assert found == [None, None]

    def test_whole_words_between_blanks_are(self) -> None:
        found = parse_verdicts("yes no yes", STATEMENTS[:3], scale="binary").found
        assert found == [Verdict.SUPPORTED, Verdict.UNSUPPORTED, Verdict.SUPPORTED]
