"""Tables of text."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.parsing.grid import MOST_ROWS
from magistrate.verdict import Verdict

Tell = Callable[..., tuple[str, ...]]

STATEMENTS = [
    "The ferry leaves at six.",
    "The harbour freezes in May.",
    "Gulls nest on the pier.",
    "The keeper paints the rail.",
]


class TestTables:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            (
                "| # | Verdict |\n|---|---|\n| 1 | yes |\n| 2 | no |",
                ("ok table", "s1: supported 27-36", "s2: unsupported 39-47"),
            ),
            (
                ("| # | Statement | Verdict | Reason |\n|---|---|---|---|\n| 1 | x | yes | why |\n| 2 | y | no | so |"),
                ("ok table", "s1: supported 56-75 because 'why'", "s2: unsupported 78-95 because 'so'"),
            ),
            (
                (
                    "| Statement | Verdict |\n|---|---|\n| The harbour freezes in May. | no |\n| The ferry "
                    "leaves at six. | yes |"
                ),
                ("ok table", "s1: supported 72-104", "s2: unsupported 35-69"),
            ),
            (
                "| Verdict | # |\n|---|---|\n| no | 2 |\n| yes | 1 |",
                ("ok table", "s1: supported 38-47", "s2: unsupported 27-35"),
            ),
            ("| yes | no |", ("ok words", "s1: supported 2-5", "s2: unsupported 8-10")),
            ("1 | yes\n2 | no", ("ok numbered", "s1: supported 0-7", "s2: unsupported 8-14")),
            ("1\tyes\n2\tno", ("ok numbered", "s1: supported 0-5", "s2: unsupported 6-10")),
            ("id,verdict\n1,yes\n2,no", ("ok csv", "s1: supported 11-16", "s2: unsupported 17-21")),
            ("id;verdict\n1;yes\n2;no", ("ok csv", "s1: supported 11-16", "s2: unsupported 17-21")),
            (
                "id\tverdict\treason\n1\tyes\twhy\n2\tno\tso",
                ("ok table", "s1: supported 18-27 because 'why'", "s2: unsupported 28-35 because 'so'"),
            ),
            ("# Verdict\n1  yes\n2  no", ("ok numbered", "s1: supported 10-16", "s2: unsupported 17-22")),
            ("id  verdict\n1   yes\n2   no", ("ok table", "s1: supported 12-19", "s2: unsupported 20-26")),
            ("| # | Verdict |\n| 1 | yes |\n| 2 | no |", ("ok table", "s1: supported 17-26", "s2: unsupported 29-37")),
            ("| 1 | yes |\n| 2 | no |", ("ok table", "s1: supported 1-10", "s2: unsupported 13-21")),
            ("|1|yes|why|\n|2|no|so|", ("ok table", "s1: supported 1-10", "s2: unsupported 13-20")),
            (
                "| # | Verdict |\n|---|---|\n| 1 | yes |\n| 2 | n",
                ("ok table", "s1: supported 27-36", "s2: unsupported 39-45"),
            ),
            (
                "| # | Verdict | Verdict |\n|---|---|---|\n| 1 | yes | yes |\n| 2 | no | no |",
                ("ok table", "s1: supported 41-56", "s2: unsupported 59-72"),
            ),
            (
                "| # | First verdict | Final verdict |\n|---|---|---|\n| 1 | no | yes |\n| 2 | no | no |",
                ("ok table", "s1: supported 53-67", "s2: unsupported 70-83"),
            ),
            (
                "| # | 1 | 2 |\n|---|---|---|\n| Verdict | yes | no |",
                ("ok table", "s1: supported 5-44", "s2: unsupported 9-49"),
            ),
            (
                "| Statement 1 | Statement 2 |\n|---|---|\n| yes | no |",
                ("ok words", "s1: supported 42-45", "s2: unsupported 48-50"),
            ),
            (
                "| # | Verdict |\n|---|---|\n| **1** | **yes** |\n| **2** | `no` |",
                ("ok table", "s1: supported 27-44", "s2: unsupported 47-61"),
            ),
            (
                "| # | Reason | Verdict |\n|:--|:-:|--:|\n| 1 | no \\| yes | yes |\n| 2 | so | no |",
                ("ok table", "s1: supported 40-61 because 'no \\\\| yes'", "s2: unsupported 64-77 because 'so'"),
            ),
            ("│ 1 │ yes │\n│ 2 │ no │", ("ok table", "s1: supported 1-11", "s2: unsupported 13-22")),
            (
                "+---+---+\n| 1 | yes |\n+---+---+\n| 2 | no |\n+---+---+",
                ("ok table", "s1: supported 11-20", "s2: unsupported 33-41"),
            ),
            (
                "| # | Supported? |\n|---|---|\n| 1 | ✓ |\n| 2 | ✗ |",
                ("ok table", "s1: supported 30-37", "s2: unsupported 40-47"),
            ),
            (
                "| Claim | Yes | No |\n|---|---|---|\n| 1 | x | |\n| 2 | | x |",
                ("ok table", "s1: supported 36-45", "s2: unsupported 48-57"),
            ),
            (
                "| # | Verdict |\n|---|---|\n| 1 | 1 |\n| 2 | 0 |",
                ("ok table", "s1: supported 27-34", "s2: unsupported 37-44"),
            ),
            ("| Verdict |\n|---|\n| yes |\n| no |", ("ok table", "s1: supported 19-24", "s2: unsupported 27-31")),
            (
                "| id | verdict |\n| --- | --- |\n| s1 | yes |\n| s2 | no |",
                ("ok table", "s1: supported 32-42", "s2: unsupported 45-54"),
            ),
            ("Verdicts, see below: yes, no", ("ok legacy-final", "s1: supported 21-24", "s2: unsupported 26-28")),
            (
                'id,reason,verdict\n1,"a, b",yes\n2,c,no',
                ("ok csv", "s1: supported 18-30 because '\"a, b\"'", "s2: unsupported 31-37 because 'c'"),
            ),
        ],
    )
    def test_the_column_of_verdicts_is_found(self, reply: str, told: tuple[str, ...], tell_verdicts: Tell) -> None:
        assert tell_verdicts(reply, STATEMENTS[:2]) == told


class TestNumbersAcross:
    @pytest.mark.parametrize("head", ["| | 1 | 2 |", "| # | 1 | 2 |", "| Statement | 1 | 2 |"])
    def test_a_head_of_numbers_is_never_read_as_verdicts(self, head: str) -> None:
        reading = parse_verdicts(f"{head}\n|---|---|---|\n| Verdict | no | yes |", STATEMENTS[:2])
        assert list(reading.found) == [Verdict.UNSUPPORTED, Verdict.SUPPORTED]


class TestMore:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            (
                "| No | Verdict | Note |\n|---|---|---|\n| 1 | yes | no rain |\n| 2 | no | yes |",
                ("ok table", "s1: supported 39-58 because 'no rain'", "s2: unsupported 61-75 because 'yes'"),
            ),
            ("| 0 | yes |\n| 1 | no |", ("ok table", "s1: supported 1-10", "s2: unsupported 13-21")),
            ("| yes | 1 |\n| no | 2 |", ("ok table", "s1: supported 1-10", "s2: unsupported 13-21")),
            (
                "| The ferry leaves at six. | yes |\n| The harbour freezes in May. | no |",
                ("ok table", "s1: supported 1-33", "s2: unsupported 36-70"),
            ),
            ("| yes |\n| no |", ("ok table", "s1: supported 1-6", "s2: unsupported 9-13")),
            ("|yes|\n|no|", ("ok table", "s1: supported 1-4", "s2: unsupported 7-9")),
            ("1 | yes | dry\n2 | no | wet", ("ok table", "s1: supported 0-13", "s2: unsupported 14-26")),
            (
                "number;verdict;reason\n2;no;a\n1;yes;b",
                ("ok csv", "s1: supported 29-36 because 'b'", "s2: unsupported 22-28 because 'a'"),
            ),
            ("verdict\nyes\nno", ("ok words", "s1: supported 8-11", "s2: unsupported 12-14")),
            ("verdict,id\nno,2\nyes,1", ("ok csv", "s1: supported 16-21", "s2: unsupported 11-15")),
            ("id,verdict\n1,yes,extra\n2,no", ("ok csv", "s1: supported 11-22", "s2: unsupported 23-27")),
            (
                "| | Verdict |\n|---|---|\n| 1 | yes |\n| 2 | no |",
                ("ok table", "s1: supported 25-34", "s2: unsupported 37-45"),
            ),
            (
                "| # | Verdict |\n|---|---|\n| 1 | yes |\n|---|---|\n| 2 | no |",
                ("ok table", "s1: supported 27-36", "s2: unsupported 49-57"),
            ),
            (
                "| # | Verdict |\n|---|---|\n| 1 | yes\n| 2 | no",
                ("ok table", "s1: supported 27-35", "s2: unsupported 37-44"),
            ),
            ("# | Verdict\n--|--\n1 | yes\n2 | no", ("ok numbered", "s1: supported 18-25", "s2: unsupported 26-32")),
            (
                "| Statement | 1 | 2 |\n|---|---|---|\n| Verdict | yes | no |\n| Reason | a | b |",
                ("ok table", "s1: supported 13-72 because 'a'", "s2: unsupported 17-76 because 'b'"),
            ),
            (
                "#  Verdict  Reason\n1  yes      dry\n2  no       wet",
                ("ok table", "s1: supported 19-34 because 'dry'", "s2: unsupported 35-50 because 'wet'"),
            ),
            (
                "| # | Supported | Unsupported |\n|---|---|---|\n| 1 | x |  |\n| 2 |  | x |",
                ("ok table", "s1: supported 47-57", "s2: unsupported 60-70"),
            ),
            (
                "| # | Draft verdict | Verdict |\n|---|---|---|\n| 1 | no | yes |\n| 2 | no | no |",
                ("ok table", "s1: supported 47-61", "s2: unsupported 64-77"),
            ),
            (
                "| # | " + "x" * 220 + " | Verdict |\n|---|---|---|\n| 1 | a | yes |\n| 2 | b | no |",
                ("ok table", "s1: supported 254-267", "s2: unsupported 270-282"),
            ),
            (
                "│ # │ Verdict │\n├───┼───┤\n│ 1 │ yes │\n│ 2 │ no │",
                ("ok table", "s1: supported 27-37", "s2: unsupported 39-48"),
            ),
            ("｜1｜yes｜\n｜2｜no｜", ("ok table", "s1: supported 1-7", "s2: unsupported 9-14")),
            ("\tverdict\n1\tyes\n2\tno", ("ok numbered", "s1: supported 9-14", "s2: unsupported 15-19")),
        ],
    )
    def test_columns_and_separators(self, reply: str, told: tuple[str, ...], tell_verdicts: Tell) -> None:
        assert tell_verdicts(reply, STATEMENTS[:2]) == told


class TestColumnsThatAsk:
    def test_a_column_headed_ok_holds_the_verdicts(self) -> None:
        reply = "| # | OK? |\n|---|---|\n| 1 | ✓ |\n| 2 | ✗ |"
        said = [*parse_verdicts(reply, ["The ferry leaves at six.", "Tea is sold."]).found]
        assert said == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]


FERRY = ["The ferry leaves at six.", "The harbour freezes in May."]
YES, NO = Verdict.SUPPORTED, Verdict.UNSUPPORTED


class TestRowsInAnotherOrder:
    @pytest.mark.parametrize(
        "reply",
        [
            "| 2 | no | wet |\n| 1 | yes | dry |",
            "| no | 2 | 7 |\n| yes | 1 | 7 |",
            "| Verdict | # |\n|---|---|\nno | 2\nyes | 1",
            "| Claim | Supported | Unsupported |\n|---|---|---|\n| 2 | | x |\n| 1 | x | |",
            "|Statement|Verdict|\n|---|---|\n|The harbour freezes in May.|no|\n|The ferry leaves at six.|yes|",
            "| Text | Verdict |\n|---|---|\n| The harbour freezes in may | no |\n| The ferry leaves at six | yes |",
            "id, verdict, remark\n2, no, fine\n1, yes, fine",
        ],
    )
    def test_are_told_apart_by_their_numbers_and_texts(self, reply: str) -> None:
        assert [*parse_verdicts(reply, FERRY).found] == [YES, NO]

    def test_numbers_that_are_not_of_one_row_each_are_no_ids(self) -> None:
        assert [*parse_verdicts("| yes | 3 |\n| no | 3 |", FERRY).found] == [YES, NO]


class TestLines:
    @pytest.mark.parametrize("head", ["id, verdict, and what I think of it", "id, verdict, "])
    def test_a_sentence_with_commas_is_no_head(self, head: str) -> None:
        assert [*parse_verdicts(f"{head}\n2, yes, fine\n1, no, fine", FERRY).found] == [None, None]

    def test_verdicts_across_that_name_no_statement_are_not_read(self) -> None:
        reply = "| Verdict | yes | no |\n|---|---|---|\n| Reason | a | b |"
        assert [*parse_verdicts(reply, FERRY).found] == [None, None]


class TestSize:
    def test_a_table_of_far_more_rows_than_statements_is_none_of_verdicts(self) -> None:
        asked = [f"Row {number} is short." for number in range(1, 31)]
        for rows, read in ((MOST_ROWS + 4 * 30 - 1, True), (MOST_ROWS + 4 * 30, False)):
            table = "| # | Verdict |\n" + "".join(f"| {number} | yes |\n" for number in range(1, rows + 1))
            assert (parse_verdicts(table, asked).found[0] is YES) is read
