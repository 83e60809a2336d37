"""Items of a list in plain text: what belongs to an item, and what never counts as its verdict."""

from __future__ import annotations

from collections.abc import Callable

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


Tell = Callable[..., tuple[str, ...]]

STATEMENTS = [
    "The ferry leaves at six.",
    "The harbour freezes in May.",
    "Gulls nest on the pier.",
    "The keeper paints the rail.",
]


class TestNumbered:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ("1. yes\n2. no", ("ok numbered", "s1: supported 0-6", "s2: unsupported 7-12")),
            ("1) yes\n2) no", ("ok numbered", "s1: supported 0-6", "s2: unsupported 7-12")),
            ("(1) yes\n(2) no", ("ok numbered", "s1: supported 0-7", "s2: unsupported 8-14")),
            ("1: yes\n2: no", ("ok numbered", "s1: supported 0-6", "s2: unsupported 7-12")),
            ("1 - yes\n2 - no", ("ok numbered", "s1: supported 0-7", "s2: unsupported 8-14")),
            ("1 yes\n2 no", ("ok numbered", "s1: supported 0-5", "s2: unsupported 6-10")),
            ("[1] yes\n[2] no", ("ok numbered", "s1: supported 0-7", "s2: unsupported 8-14")),
            ("#1 yes\n#2 no", ("ok numbered", "s1: supported 0-6", "s2: unsupported 7-12")),
            ("**1.** yes\n**2.** no", ("ok numbered", "s1: supported 0-10", "s2: unsupported 11-20")),
            ("1. **yes**\n2. **no**", ("ok numbered", "s1: supported 0-10", "s2: unsupported 11-20")),
            ("- 1. yes\n- 2. no", ("ok numbered", "s1: supported 0-8", "s2: unsupported 9-16")),
            ("Statement 1: yes\nStatement 2: no", ("ok numbered", "s1: supported 0-16", "s2: unsupported 17-32")),
            (
                "Statement 1 is supported.\nStatement 2 is unsupported.",
                ("ok sentences", "s1: supported 0-25", "s2: unsupported 26-53"),
            ),
            ("S1: yes\nS2: no", ("ok numbered", "s1: supported 0-7", "s2: unsupported 8-14")),
            ("s1. yes\nc2. no", ("ok numbered", "s1: supported 0-7", "s2: unsupported 8-14")),
            ("1、是\n2、否", ("ok numbered", "s1: supported 0-3", "s2: unsupported 4-7")),
            ("（1）是\n（2）否", ("ok numbered", "s1: supported 0-4", "s2: unsupported 5-9")),
            ("1 -> yes\n2 -> no", ("ok numbered", "s1: supported 0-8", "s2: unsupported 9-16")),
            ("1 => yes\n2 => no", ("ok numbered", "s1: supported 0-8", "s2: unsupported 9-16")),
            ("1| yes\n2| no", ("ok numbered", "s1: supported 0-6", "s2: unsupported 7-12")),
            ("2. no\n1. yes", ("ok numbered", "s1: supported 6-12", "s2: unsupported 0-5")),
            (
                "1. Yes, it says so.\n2. No, it does not.",
                ("ok numbered", "s1: supported 0-19", "s2: unsupported 20-39"),
            ),
            (
                "1. The ferry leaves at six. - yes\n2. The harbour freezes in May. - no",
                ("ok numbered", "s1: supported 0-33", "s2: unsupported 34-69"),
            ),
            (
                "The ferry leaves at six. yes\nThe harbour freezes in May. no",
                ("ok numbered", "s1: supported 0-28", "s2: unsupported 29-59"),
            ),
            (
                "The ferry leaves at six.: yes\nThe harbour freezes in May.: no",
                ("ok numbered", "s1: supported 0-29", "s2: unsupported 30-61"),
            ),
            (
                '"The ferry leaves at six." - yes\n"The harbour freezes in May." - no',
                ("ok numbered", "s1: supported 0-32", "s2: unsupported 33-67"),
            ),
            (
                "- The ferry leaves at six. yes\n- The harbour freezes in May. no",
                ("ok numbered", "s1: supported 0-30", "s2: unsupported 31-63"),
            ),
            (
                "1.\nVerdict: yes\nReason: why\n2.\nVerdict: no\nReason: so",
                ("ok numbered", "s1: supported 0-27 because 'why'", "s2: unsupported 28-53 because 'so'"),
            ),
            (
                "1. Reason: why\n   Verdict: yes\n2. Reason: so\n   Verdict: no",
                ("ok numbered", "s1: supported 0-30 because 'why'", "s2: unsupported 31-59 because 'so'"),
            ),
            ("1. yes\n\n2. no\n\nOverall: no", ("ok numbered", "s1: supported 0-6", "s2: unsupported 8-13")),
            (
                "1. The text says it.\nVerdict: yes\n\n2. It does not.\nVerdict: no",
                ("ok numbered", "s1: supported 0-33", "s2: unsupported 35-62"),
            ),
            (
                "1. It is there.\n2. It is not.\n\nVerdict: no",
                (
                    "unparseable None",
                    "s1: None numbered",
                    "s2: None 16-42 numbered",
                    "count-mismatch: 0 verdicts for 2 statements",
                    "missing-verdict 1: the row of this statement gives no verdict",
                    "missing-verdict 2: the row of this statement gives no verdict",
                ),
            ),
            (
                "1: perhaps\nyes\n2: no",
                (
                    "partial numbered",
                    "s1: None",
                    "s2: unsupported 15-20",
                    "count-mismatch: 1 verdicts for 2 statements",
                    "unknown-label 1: 'perhaps' is no word of any scale",
                ),
            ),
            ("1. yes\n: no\n2. no", ("ok numbered", "s1: supported 0-6", "s2: unsupported 12-17")),
            ("2020 was dry.\n1. yes\n2. no", ("ok numbered", "s1: supported 14-20", "s2: unsupported 21-26")),
            ("1: yes, 2: no", ("ok numbered", "s1: supported 3-7", "s2: unsupported 11-13")),
            ("1: yes, 2: no.", ("ok numbered", "s1: supported 3-7", "s2: unsupported 11-14")),
            ("1. yes 2. no", ("ok numbered", "s1: supported 3-6", "s2: unsupported 10-12")),
            ("(1) yes; (2) no", ("ok numbered", "s1: supported 4-8", "s2: unsupported 13-15")),
            ("1=yes, 2=no", ("ok numbered", "s1: supported 2-6", "s2: unsupported 9-11")),
            ("Statement 1: yes. Statement 2: no.", ("ok numbered", "s1: supported 0-17", "s2: unsupported 28-34")),
            ("1. yes, 2. no\n", ("ok numbered", "s1: supported 3-7", "s2: unsupported 11-13")),
            ("verdicts: 1. yes 2. no", ("ok legacy-final", "s1: supported 13-16", "s2: unsupported 20-22")),
            (
                "verdicts:\n  - id: 1\n    verdict: yes\n  - id: 2\n    verdict: no",
                ("ok numbered", "s1: supported 10-36", "s2: unsupported 37-62"),
            ),
            (
                (
                    "- id: 1\n  reason: |\n    verdict: no\n  verdict: yes\n- id: 2\n  reason: >\n    it\n\n    is\n  "
                    "verdict: no"
                ),
                ("ok numbered", "s1: supported 0-50", "s2: unsupported 51-99"),
            ),
            (
                "```yaml\n- id: 1\n  verdict: yes\n- id: 2\n  verdict: no\n```",
                ("ok yaml", "s1: supported 8-30", "s2: unsupported 31-52"),
            ),
            (
                '"id": 1,\n"verdict": "yes",\n"id": 2,\n"verdict": "no"',
                ("ok numbered", "s1: supported 0-26", "s2: unsupported 27-51"),
            ),
            (
                '1. "The ferry leaves ..." - yes\n2. "The harbour freezes ..." - no',
                ("ok numbered", "s1: supported 0-31", "s2: unsupported 32-65"),
            ),
            ("1. ✅\n2. ❌", ("ok numbered", "s1: supported 0-4", "s2: unsupported 5-9")),
            ("1 ✅\n2 ❌", ("ok numbered", "s1: supported 0-3", "s2: unsupported 4-7")),
            ("1. yes\n2. no\nIn summary: no", ("ok numbered", "s1: supported 0-6", "s2: unsupported 7-12")),
            ("1. yes\n\nOverall, no.\n\n2. no", ("ok numbered", "s1: supported 0-6", "s2: unsupported 22-27")),
            (
                "1. yes\n2. no\nreason: it is dry",
                ("ok numbered", "s1: supported 0-6", "s2: unsupported 7-30 because 'it is dry'"),
            ),
            (
                "1. yes\nreason:   it is dry  \n2. no\nwhy: the sea",
                ("ok numbered", "s1: supported 0-28 because 'it is dry'", "s2: unsupported 29-47"),
            ),
            ("1.yes\n2.no", ("ok numbered", "s1: supported 0-5", "s2: unsupported 6-10")),
            ("0. yes\n1. no", ("ok numbered", "s1: supported 0-6", "s2: unsupported 7-12")),
            ("Item 1 yes\nItem 2 no", ("ok numbered", "s1: supported 0-10", "s2: unsupported 11-20")),
            (
                "1. Supported by the notice.\n2. Not supported by the notice.",
                ("ok numbered", "s1: supported 0-27", "s2: unsupported 28-59"),
            ),
            ("I. yes\nII. no", ("ok numbered", "s1: supported 0-6", "s2: unsupported 7-13")),
            ("a) yes\nb) no", ("ok numbered", "s1: supported 0-6", "s2: unsupported 7-12")),
            ("① yes\n② no", ("ok numbered", "s1: supported 0-5", "s2: unsupported 6-10")),
            ("First: yes\nSecond: no", ("ok numbered", "s1: supported 0-10", "s2: unsupported 11-21")),
            ("1/2: yes\n2/2: no", ("ok numbered", "s1: supported 0-8", "s2: unsupported 9-16")),
            ("1️⃣ yes\n2️⃣ no", ("ok numbered", "s1: supported 0-7", "s2: unsupported 8-14")),
        ],
    )
    def test_each_line_is_about_its_number(self, reply: str, told: tuple[str, ...], tell_verdicts: Tell) -> None:
        assert tell_verdicts(reply, STATEMENTS[:2]) == told


_THREE = ("The ferry leaves at six.", "The pier is painted green.", "Tea is sold on board.")


def _said(reply: str, statements: tuple[str, ...] = _THREE, scale: str = "binary") -> str:
    """One letter a statement: S(upported), U(nsupported), C(ontradicted), N(ot enough), dash for none."""
    letters = {None: "-", Verdict.SUPPORTED: "S", Verdict.UNSUPPORTED: "U", Verdict.CONTRADICTED: "C"}
    return "".join(letters.get(one, "N") for one in parse_verdicts(reply, statements, scale=scale).found)


class TestItemsOnOneLine:
    @pytest.mark.parametrize(
        ("reply", "said"),
        [
            ("Statement 1 - yes. Statement 2 - no. Statement 3 - yes.", "SUS"),
            ("Statement 1 - hmm. Statement 2 - no. Statement 3 - yes.", "-US"),
            ("Statement 1 - yes. Statement 2 - hmm. Statement 3 - no.", "S-U"),
            ("S1=yes; S2=no; S3=yes", "SUS"),
            ("S1=hmm; S2=no; S3=yes", "-US"),
            ("Claim 1 → yes, Claim 2 → no, Claim 3 → yes", "SUS"),
            ("Statement 1: yes | Statement 2: no | Statement 3: yes", "SUS"),
            ("1: The fare is 2, no more: yes", "S--"),
        ],
    )
    def test_each_has_the_verdict_behind_its_own_number(self, reply: str, said: str) -> None:
        assert _said(reply) == said


class TestMarksBeforeTheNumber:
    @pytest.mark.parametrize(
        ("reply", "said"),
        [
            ("✅ Statement 1\n❌ Statement 2\n✅ Statement 3", "SUS"),
            ("✅ 1\n❌ 2\n✅ 3", "SUS"),
            ("✅ 10 of 12 pages read\n❌ 2", "---"),
        ],
    )
    def test_a_tick_is_about_the_number_behind_it(self, reply: str, said: str) -> None:
        assert _said(reply) == said


class TestAWordThatIsNone:
    @pytest.mark.parametrize("reply", ["1. blorb\n- yes\n2. no\n3. yes", "1. blorb\n   yes\n2. no\n3. yes"])
    def test_is_not_replaced_by_the_word_below_it(self, reply: str) -> None:
        reading = parse_verdicts(reply, _THREE)
        assert [*reading.found] == [None, Verdict.UNSUPPORTED, Verdict.SUPPORTED]
        assert [note.code for note in reading.verdicts[0].issues] == [IssueCode.UNKNOWN_LABEL]

    def test_is_none_where_it_is_all_there_is(self) -> None:
        assert _said("1. blorb\n- yes", _THREE[:1]) == "-"

    def test_a_heading_or_the_statement_itself_may_stand_above_the_word(self) -> None:
        assert _said("1. Colour of the pier\n- no\n2. no\n3. yes") == "UUS"
        assert _said("1. Tea.\n- yes\n2. Rum.\n- no", ("Tea.", "Rum.")) == "SU"


class TestAVerdictBehindTheList:
    def test_is_about_no_single_statement(self) -> None:
        bare = "1. The ferry leaves at six.\n2. The pier is painted green.\n3. Tea is sold on board.\n\nVerdict: yes"
        assert _said(bare) == "---"
        assert _said(bare + "\n#1: Supported by the log") == "S--"


class TestItemsThatStickTogether:
    @pytest.mark.parametrize(
        ("reply", "found"),
        [
            ("1. 未得到支持2. 是", [Verdict.UNSUPPORTED, Verdict.SUPPORTED]),
            ("1. No2. Yes", [Verdict.UNSUPPORTED, Verdict.SUPPORTED]),
            ("1.いいえ2.はい", [Verdict.UNSUPPORTED, Verdict.SUPPORTED]),
            ("?\n1. 未得到支持2. 是?\n", [Verdict.UNSUPPORTED, None]),
            ("1. no2. perhaps", [Verdict.UNSUPPORTED, None]),
            ("1. supported by page2. Fine\n2. no", [Verdict.SUPPORTED, Verdict.UNSUPPORTED]),
        ],
    )
    def test_a_lost_line_break_moves_no_verdict_to_the_item_before(
        self, reply: str, found: list[Verdict | None]
    ) -> None:
        assert parse_verdicts(reply, ["The ferry leaves at six.", "The harbour freezes in May."]).found == found


class TestItemsGluedToTheWordBefore:
    @pytest.mark.parametrize(
        "reply", ["Claim 1: no\nClaim 2: noClaim 3: yes", "Claim 1 - 否\nClaim 2 - 否Claim 3 - 支持"]
    )
    def test_begin_where_their_name_stands(self, reply: str) -> None:
        found = parse_verdicts(reply, ["The kiln is hot.", "The clay is red.", "The glaze is old."]).found
        assert [*found] == [Verdict.UNSUPPORTED, Verdict.UNSUPPORTED, Verdict.SUPPORTED]


class TestAStatementBehindTheVerdict:
    FERRY, HARBOUR = STATEMENTS[:2]

    @pytest.mark.parametrize("line", ["{word} - {text}", "{word} ({text})", "**{word}**: {text}"])
    def test_says_what_the_item_is_about(self, line: str) -> None:
        there = [line.format(word="yes", text=self.FERRY), line.format(word="no", text=self.HARBOUR)]
        back = [line.format(word="yes", text=self.HARBOUR), line.format(word="no", text=self.FERRY)]
        assert parse_verdicts("1. {}\n2. {}".format(*there), STATEMENTS[:2]).found == [
            Verdict.SUPPORTED,
            Verdict.UNSUPPORTED,
        ]
        assert parse_verdicts("1. {}\n2. {}".format(*back), STATEMENTS[:2]).found == [
            Verdict.UNSUPPORTED,
            Verdict.SUPPORTED,
        ]

    def test_of_another_item_leaves_none(self) -> None:
        reply = f"1. yes - {self.FERRY}\n2. no - {self.FERRY}"
        assert parse_verdicts(reply, STATEMENTS[:2]).found == [Verdict.SUPPORTED, None]
