"""Lines that announce all verdicts, lone words, sentences about several statements."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.verdict import IssueCode, ParseStatus, Verdict

Tell = Callable[..., tuple[str, ...]]

STATEMENTS = [
    "The ferry leaves at six.",
    "The harbour freezes in May.",
    "Gulls nest on the pier.",
    "The keeper paints the rail.",
]


class TestFinalLines:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            (
                "Final verdict for each statement in order: Yes. No.",
                ("ok legacy-final", "s1: supported 43-46", "s2: unsupported 48-50"),
            ),
            (
                "Final verdict for each statement in order: Yes, No",
                ("ok legacy-final", "s1: supported 43-46", "s2: unsupported 48-50"),
            ),
            (
                "Final verdict for each statement in order:\nYes. No.",
                ("ok legacy-final", "s1: supported 43-46", "s2: unsupported 48-50"),
            ),
            (
                "Final verdict for each statement in order:\n1. Yes\n2. No",
                ("ok legacy-final", "s1: supported 46-49", "s2: unsupported 53-55"),
            ),
            ("Final verdicts: yes no", ("ok legacy-final", "s1: supported 16-19", "s2: unsupported 20-22")),
            ("Verdicts: yes, no", ("ok legacy-final", "s1: supported 10-13", "s2: unsupported 15-17")),
            ("Verdict: yes, no", ("ok legacy-final", "s1: supported 9-12", "s2: unsupported 14-16")),
            ('Verdicts: ["yes", "no"]', ("ok json", "s1: supported 11-16", "s2: unsupported 18-22")),
            ("The verdicts are: yes and no.", ("ok legacy-final", "s1: supported 18-21", "s2: unsupported 26-28")),
            ("Verdicts: 1. yes 2. no", ("ok legacy-final", "s1: supported 13-16", "s2: unsupported 20-22")),
            ("Verdicts: 1: yes, 2: no", ("ok legacy-final", "s1: supported 13-17", "s2: unsupported 21-23")),
            (
                "Verdicts: 1) perhaps 2) no",
                (
                    "partial legacy-final",
                    "s1: None 13-21",
                    "s2: unsupported 24-26",
                    "count-mismatch: 1 verdicts for 2 statements",
                    "unknown-label 1: 'perhaps' is no word of any scale",
                ),
            ),
            ("Verdicts: Y N", ("ok legacy-final", "s1: supported 10-11", "s2: unsupported 12-13")),
            ("Verdicts: ✅❌", ("ok legacy-final", "s1: supported 10-11", "s2: unsupported 11-12")),
            ("Verdicts: ✅ ❌", ("ok legacy-final", "s1: supported 10-11", "s2: unsupported 12-13")),
            ("Verdicts: 1, 0", ("ok legacy-final", "s1: supported 10-11", "s2: unsupported 13-14")),
            ("Verdicts: 1 0", ("ok legacy-final", "s1: supported 10-11", "s2: unsupported 12-13")),
            (
                "Verdicts: Yes, it is so. No, it is not.",
                ("ok legacy-final", "s1: supported 10-24", "s2: unsupported 25-39"),
            ),
            (
                (
                    "1. The text says it. Verdict: Yes.\n2. It does not. Verdict: No.\nFinal verdict for each "
                    "statement in order: Yes. No."
                ),
                ("ok numbered", "s1: supported 0-34", "s2: unsupported 35-63"),
            ),
            (
                "1. Verdict: Yes.\n2. Verdict: No.\nFinal verdict for each statement in order: No. No.",
                (
                    "partial numbered",
                    "s1: None 0-16",
                    "s2: unsupported 17-32",
                    "conflicting-verdicts 1: the reply gives different verdicts",
                ),
            ),
            ("Verdicts in order: sí. no.", ("ok legacy-final", "s1: supported 19-21", "s2: unsupported 23-25")),
            ("Urteile: ja, nein", ("ok legacy-final", "s1: supported 9-11", "s2: unsupported 13-17")),
            ("判定：はい、いいえ", ("ok legacy-final", "s1: supported 3-5", "s2: unsupported 6-9")),
            ("yes, no", ("ok words", "s1: supported 0-3", "s2: unsupported 5-7")),
            ("yes no", ("ok words", "s1: supported 0-3", "s2: unsupported 4-6")),
            ("yes\nno", ("ok words", "s1: supported 0-3", "s2: unsupported 4-6")),
            ("- yes\n- no", ("ok words", "s1: supported 2-5", "s2: unsupported 8-10")),
            ("yes\n\nno", ("ok words", "s1: supported 0-3", "s2: unsupported 5-7")),
            ("Here you go:\nyes\nno", ("ok words", "s1: supported 13-16", "s2: unsupported 17-19")),
            ("yes.\nno.", ("ok words", "s1: supported 0-3", "s2: unsupported 5-7")),
            ("Verdict: yes\nVerdict: no", ("ok key-value", "s1: supported 9-12", "s2: unsupported 22-24")),
            (
                "verdict: yes\nreason: a\nverdict: no\nreason: b",
                ("ok key-value", "s1: supported 9-12", "s2: unsupported 32-34"),
            ),
            ("Label: yes\n\nLabel: no", ("ok key-value", "s1: supported 7-10", "s2: unsupported 19-21")),
            ("The first is yes, the second is no.", ("ok sentences", "s1: supported 0-35", "s2: unsupported 18-35")),
            (
                "Statement 1 is supported, whereas statement 2 is not supported.",
                ("ok sentences", "s1: supported 0-55", "s2: unsupported 34-63"),
            ),
            (
                "Statement 1 is supported; the rest are not.",
                ("ok sentences", "s1: supported 0-24", "s2: unsupported 26-43"),
            ),
            ("Supported: 1\nUnsupported: 2", ("ok groups", "s1: supported 0-12", "s2: unsupported 13-27")),
            ("| yes\n| no", ("ok words", "s1: supported 2-5", "s2: unsupported 8-10")),
            ("1. yes\n2. no\nVerdicts: yes, no", ("ok numbered", "s1: supported 0-6", "s2: unsupported 7-12")),
            (
                "Verdicts:",
                (
                    "unparseable None",
                    "s1: None",
                    "s2: None",
                    "count-mismatch: 0 verdicts for 2 statements",
                    "missing-verdict 1: the reply says nothing of this statement",
                    "missing-verdict 2: the reply says nothing of this statement",
                ),
            ),
            ("Verdicts: \n\nyes, no", ("ok legacy-final", "s1: supported 12-15", "s2: unsupported 17-19")),
            ("yes → no", ("ok words", "s1: supported 0-3", "s2: unsupported 6-8")),
        ],
    )
    def test_a_line_that_announces_all(self, reply: str, told: tuple[str, ...], tell_verdicts: Tell) -> None:
        assert tell_verdicts(reply, STATEMENTS[:2]) == told


_THREE = ("The ferry leaves at six.", "The pier is painted green.", "Tea is sold on board.")


def _said(reply: str, statements: tuple[str, ...] = _THREE, scale: str = "binary") -> str:
    """One letter a statement: S(upported), U(nsupported), C(ontradicted), N(ot enough), dash for none."""
    letters = {None: "-", Verdict.SUPPORTED: "S", Verdict.UNSUPPORTED: "U", Verdict.CONTRADICTED: "C"}
    return "".join(letters.get(one, "N") for one in parse_verdicts(reply, statements, scale=scale).found)


class TestAFenceThatIsNeverClosed:
    @pytest.mark.parametrize(
        ("reply", "said"),
        [
            ("```yaml\n- id: 1\n  verdict: 아니요\n- id: 2\n  verdict: 지지", "U-"),
            ("```yaml\n- id: 1\n  verdict: yes\n- id: 2\n  verdict: no", "S-"),
            ("```yaml\n- id: 1\n  verdict: yes\n- id: 2\n  verdict: no\n", "SU"),
            ("```yaml\n- id: 1\n  verdict: yes\n- id: 2\n  verdict: no\n```", "SU"),
            ("```yaml\n- id: 1\n  verdict: no\n- id: 2\n  verdict: yes", "US"),
            ("```\n1. yes\n2. no", "S-"),
        ],
    )
    def test_leaves_a_last_word_that_may_go_on_unread(self, reply: str, said: str) -> None:
        assert _said(reply, _THREE[:2]) == said

    def test_is_reported(self) -> None:
        reading = parse_verdicts("```\n1. yes\n2. no", _THREE[:2])
        assert IssueCode.TRUNCATED in {note.code for note in reading.issues}


class TestListsForOneStatement:
    @pytest.mark.parametrize("reply", ["3. no\n4. yes\n5. yes", "3. no\n4. yes\n5.", "2. yes\n3. yes"])
    def test_that_do_not_number_it_say_nothing_of_it(self, reply: str) -> None:
        assert _said(reply, _THREE[:1]) == "-"

    def test_say_of_it_what_stands_under_its_number(self) -> None:
        assert _said("1. yes\n2. no", _THREE[:1]) == "S"

    def test_the_number_before_the_repeated_statement_is_no_verdict(self) -> None:
        statement = _THREE[0]
        assert _said(f"1. {statement}\n\nThe answer is: 1. {statement}", _THREE[:1]) == "-"


class TestOneItemThatContradictsItself:
    @pytest.mark.parametrize("heading", ["", "## Assessment\n\n", "# Result\n", "Assessment\n\n", "Assessment:\n"])
    @pytest.mark.parametrize("item", ["1. no - Verdict: yes", "1. unsupported (Verdict: yes)", "1. no. Verdict: yes"])
    def test_has_no_verdict_whatever_stands_above_it(self, heading: str, item: str) -> None:
        assert parse_verdicts(heading + item, ["The ferry leaves at six."]).found == [None]

    def test_a_verdict_below_it_is_another_matter(self) -> None:
        reply = "## Steps\n\n1. The passage says no. Is it yes?\n\nVerdict: yes"
        assert parse_verdicts(reply, ["The ferry leaves at six."]).found == [Verdict.SUPPORTED]


FERRY = STATEMENTS[:2]
YES, NO = Verdict.SUPPORTED, Verdict.UNSUPPORTED


class TestCutText:
    """What touches the end of a reply that was cut may be the beginning of another word."""

    @pytest.mark.parametrize(
        "reply", ["| # | Verdict |\n|---|---|\n| 1 | yes |\n| 2 | no", "id,verdict\n1,yes\n2,no", "1 | yes\n2 | no"]
    )
    def test_the_last_cell_of_a_table_is_not_trusted(self, reply: str) -> None:
        cut = parse_verdicts(reply, FERRY, finish_reason="length")
        assert [*cut.found] == [YES, None]
        assert IssueCode.TRUNCATED in {note.code for note in cut.verdicts[1].issues}
        assert [*parse_verdicts(reply, FERRY).found] == [YES, NO]

    @pytest.mark.parametrize(
        "reply",
        [
            "The answer is no",
            "I think: no",
            "Verdict: no",
            'It says otherwise. So the verdict is "no"',
            "1. It says nothing of that. Verdict: no",
            "1. The timetable says five.\n2. So the verdict is no",
        ],
    )
    def test_the_last_word_about_one_statement_is_not(self, reply: str) -> None:
        cut = parse_verdicts(reply, FERRY[:1], finish_reason="length")
        assert ([*cut.found], cut.status) == ([None], ParseStatus.TRUNCATED)
        assert [*parse_verdicts(reply, FERRY[:1]).found] == [NO]

    @pytest.mark.parametrize("reply", ["Verdict: no.", "1. no. The ferry leaves at five"])
    def test_a_word_that_is_known_to_have_ended_is(self, reply: str) -> None:
        assert [*parse_verdicts(reply, FERRY[:1], finish_reason="length").found] == [NO]


class TestWithdrawnLists:
    @pytest.mark.parametrize(
        "words", ["The list above is wrong.", "Correction:", "Scratch that.", "Wait, the list above is wrong. Now:"]
    )
    def test_the_later_one_counts_and_the_change_is_told(self, words: str) -> None:
        reading = parse_verdicts(f"1. no\n2. no\n\n{words}\n\n1. yes\n2. no", FERRY)
        assert [*reading.found] == [YES, NO]
        assert [note.code for note in reading.issues] == [IssueCode.CONFLICTING_VERDICTS]

    def test_without_a_withdrawal_between_them_they_conflict(self) -> None:
        assert [*parse_verdicts("1. no\n2. no\n\n1. yes\n2. no", FERRY).found] == [None, NO]
        assert [*parse_verdicts("The list below is new.\n\n1. yes\n2. no", FERRY).found] == [YES, NO]

    def test_one_that_is_taken_back_and_not_replaced_has_no_verdicts(self) -> None:
        assert [*parse_verdicts("1. no\n2. no\n\nThe list above is wrong.", FERRY).found] == [None, None]


class TestLongerListsForOneStatement:
    @pytest.mark.parametrize("reply", ["1. yes\n2. no", "1. yes\n2. no\n3. yes", "1. yes\n2. no\n3. may"])
    def test_its_number_counts_and_the_others_are_told(self, reply: str) -> None:
        reading = parse_verdicts(reply, FERRY[:1])
        assert [*reading.found] == [YES]
        assert IssueCode.UNKNOWN_STATEMENT in {note.code for note in reading.issues}

    @pytest.mark.parametrize("reply", ["1. yes\n2. maybe\n3. no", "3. yes\n4. no", "1. yes\n3. no", "a) yes\nb) no"])
    def test_what_is_no_count_from_one_is_not_read(self, reply: str) -> None:
        assert [*parse_verdicts(reply, FERRY[:1]).found] == [None]
