"""Corrections count, contradictions void."""

from __future__ import annotations

import json

import pytest

from magistrate.parsing import VerdictReading, parse_verdicts
from magistrate.verdict import IssueCode, Verdict

LOFT = ["The loft has a window.", "It was rebuilt in 1990."]
HOUSE = [*LOFT, "Its floor is oak."]
LIST = "1. yes\n2. no"
LONG_LIST = f"{LIST}\n3. no"
YES, NO = Verdict.SUPPORTED, Verdict.UNSUPPORTED


def _messages(reading: VerdictReading) -> list[str]:
    return [issue.message for issue in reading.issues]


def _with_note(note: str) -> str:
    rows = [{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]
    return json.dumps({"verdicts": rows, "note": note})


class TestAfterTheAnswer:
    def test_a_correction_in_so_many_words_counts_and_is_reported(self) -> None:
        reading = parse_verdicts(f"{LIST}\n\nCorrection: statement 2 is supported.", LOFT)
        assert reading.found == [Verdict.SUPPORTED, Verdict.SUPPORTED]
        assert IssueCode.CONFLICTING_VERDICTS in {issue.code for issue in reading.issues}

    def test_a_contradiction_voids_what_it_names(self) -> None:
        assert parse_verdicts(f"{LIST}\n\nStatement 2 is supported after all.", LOFT).found == [Verdict.SUPPORTED, None]

    def test_what_is_taken_back_without_another_verdict_is_void(self) -> None:
        assert parse_verdicts(f"{LIST}\n\nI misread statement 1.", LOFT).found == [None, Verdict.UNSUPPORTED]

    def test_what_agrees_changes_nothing(self) -> None:
        reading = parse_verdicts(f"{LIST}\n\nStatement 1 is supported by the plan; 2 is not.", LOFT)
        assert reading.found == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]

    def test_a_correction_stands_where_its_words_stand(self) -> None:
        reply = f"{LIST}\n\nCorrection: statement 2 is supported."
        span = parse_verdicts(reply, LOFT).verdicts[1].span
        assert span is not None
        assert reply[slice(*span)] == "statement 2 is supported."

    @pytest.mark.parametrize(
        "first", ["statement 1 is supported", "statement 7 is supported", "statement 1 is not there"]
    )
    def test_a_correction_behind_one_that_changes_nothing_counts(self, first: str) -> None:
        reading = parse_verdicts(f"{LONG_LIST}\n\nCorrection: {first}; statement 2 is supported.", HOUSE)
        assert reading.found[1:] == [YES, NO]

    def test_a_slip_voids_the_statement_that_it_names(self) -> None:
        reading = parse_verdicts(f"{LONG_LIST}\n\nI meant it the other way round for 3.", HOUSE)
        assert reading.found == [YES, NO, None]
        assert _messages(reading) == ["the judge says that something before was a slip"]

    @pytest.mark.parametrize("words", ["Sorry, I meant the opposite.", "I take that back."])
    def test_one_that_names_none_voids_all(self, words: str) -> None:
        assert parse_verdicts(f"{LONG_LIST}\n\n{words}", HOUSE).found == [None] * 3

    def test_what_is_taken_back_is_said_to_be_so(self) -> None:
        reading = parse_verdicts(f"{LONG_LIST}\n\nI misread claim #2.", HOUSE)
        assert reading.found == [YES, None, NO]
        assert _messages(reading) == ["the judge takes something back and does not say what instead"]

    @pytest.mark.parametrize(
        "words",
        [
            "Statement 1 should be no.",
            "The verdict for statement 1 was wrong.",
            "Hmm, 1 is not right.",
            "So the first is not supported.",
        ],
    )
    def test_the_only_statement_may_be_named_by_its_number(self, words: str) -> None:
        assert parse_verdicts(f'{{"verdict": "yes"}}\n\n{words}', LOFT[:1]).found == [None]

    @pytest.mark.parametrize("words", ["statements 1 and 3", "claims 1, 3", "items #1 and #3", "the statements 1 & 3"])
    def test_all_that_is_named_is_taken_back(self, words: str) -> None:
        assert parse_verdicts(f"{LONG_LIST}\n\nI misread {words}.", HOUSE).found == [None, NO, None]

    @pytest.mark.parametrize(
        "words",
        ["is only partially supported", "is not mentioned", "is unclear", "is at best partially supported"],
    )
    def test_what_is_neither_yes_nor_no_voids_a_yes_and_explains_a_no(self, words: str) -> None:
        reading = parse_verdicts(f"{LIST}\n\nStatement 1 {words}. Statement 2 {words}.", LOFT)
        assert reading.found == [None, NO]

    @pytest.mark.parametrize("words", ["The 2 was a typo.", "Sorry, typo in 2.", "My answer 2 is a slip of the pen."])
    def test_a_typing_error_voids_what_it_names(self, words: str) -> None:
        assert parse_verdicts(f"{LONG_LIST}\n\n{words}", HOUSE).found == [YES, None, NO]

    def test_a_slip_of_the_pen_that_names_none_voids_all(self) -> None:
        assert parse_verdicts(f"{LIST}\n\nThat was a slip of the pen.", LOFT).found == [None, None]

    def test_one_in_the_source_is_none_of_the_judges(self) -> None:
        assert parse_verdicts(f"{LIST}\n\nThe plan has a typo in its title.", LOFT).found == [YES, NO]

    @pytest.mark.parametrize("between", [0, 40, 200, 1000])
    def test_a_correction_at_the_end_of_long_prose_is_heard(self, between: int) -> None:
        reply = f"{LIST}\n\n{'The plan is old. ' * between}\nCorrection: statement 2 is supported."
        reading = parse_verdicts(reply, LOFT)
        assert reading.found == [YES, YES]
        assert reply[slice(*reading.verdicts[1].span)] == "statement 2 is supported."

    def test_but_no_half_of_a_sentence(self) -> None:
        doubt = "I doubt " + "x" * 30 + " that statement 2 is supported"
        for more in range(0, 90, 7):
            reply = f"{LIST}\n\n{'The plan is old. ' * 200}{doubt}{' by it' * 320}{'!' * more}"
            assert parse_verdicts(reply, LOFT).found[1] in {NO, None}


class TestChangesOfMind:
    @pytest.mark.parametrize(
        ("said", "kept"),
        [
            ("I change 1 to no.", 2),
            ("I change statement 1 to no.", 2),
            ("I'm switching my verdict on 1 to no.", 2),
            ("I take 1 back.", 2),
            ("Changing statement 2 to yes.", 1),
        ],
    )
    @pytest.mark.parametrize("between", ["\n", "\n\n"])
    def test_leave_what_they_name_without_a_verdict(self, between: str, said: str, kept: int) -> None:
        found = parse_verdicts(f"{LIST}{between}{said}", LOFT).found
        assert found[2 - kept] is None
        assert found[kept - 1] in {None, YES if kept == 1 else NO}

    @pytest.mark.parametrize(
        "said", ["I change it to no.", "I'd rather say no.", "Revised to no.", "I have now revised this to no."]
    )
    @pytest.mark.parametrize("answer", ["yes", '{"verdict": "yes"}'])
    def test_leave_a_lone_one_without_its_verdict(self, answer: str, said: str) -> None:
        assert parse_verdicts(f"{answer}\n\n{said}", LOFT[:1]).found == [None]

    @pytest.mark.parametrize("said", ["The year was changed to 1990.", "I changed nothing.", "I counted 2 windows."])
    def test_changes_of_something_else_cost_nothing(self, said: str) -> None:
        assert parse_verdicts(f"1. yes - {said}\n2. no - {said}", LOFT).found == [YES, NO]


class TestNotesInTheData:
    def test_a_note_that_takes_something_back_is_heard(self) -> None:
        reading = parse_verdicts(_with_note("I misread statement 1."), LOFT)
        assert reading.found == [None, NO]

    @pytest.mark.parametrize("note", ["2 is yes", "Statement 2 is supported, as the deed says."])
    def test_a_note_that_says_otherwise_voids_what_it_names(self, note: str) -> None:
        reading = parse_verdicts(_with_note(note), LOFT)
        assert reading.found == [YES, None]
        assert "the text after the answer says otherwise" in _messages(reading)

    @pytest.mark.parametrize("note", ["The deed is from 1990.", "Statement 2 is not supported.", "both fine"])
    def test_other_notes_change_nothing(self, note: str) -> None:
        reading = parse_verdicts(_with_note(note), LOFT)
        assert reading.found == [YES, NO]
        assert reading.issues == ()


class TestSummaries:
    def test_one_verdict_for_all_contradicts_a_list_that_gives_another(self) -> None:
        reading = parse_verdicts(f"All are supported.\n\n{LONG_LIST}", HOUSE)
        assert reading.found == [YES, None, None]
        assert set(_messages(reading)) == {"the text beside the list says otherwise of all statements"}

    def test_a_correction_below_the_list_stands_above_it(self) -> None:
        reply = f"All are supported.\n\n{LIST}\n\nCorrection: statement 2 is supported."
        assert parse_verdicts(reply, LOFT).found == [YES, YES]

    def test_a_row_without_a_verdict_is_not_contradicted(self) -> None:
        reading = parse_verdicts("All are supported.\n\n1. yes\n2. yes\n3. maybe", HOUSE)
        assert reading.found == [YES, YES, None]
        assert IssueCode.CONFLICTING_VERDICTS not in {issue.code for issue in reading.issues}


class TestReasonsOfRows:
    def test_each_row_is_checked_whatever_stands_before_it(self) -> None:
        rows = [
            {"id": 1, "verdict": "maybe", "reason": "The deed is torn."},
            {"id": 2, "verdict": "yes", "reason": "The statement is not supported by the deed."},
        ]
        reading = parse_verdicts(json.dumps({"verdicts": rows}), LOFT)
        assert reading.found == [None, None]
        assert [issue.index for issue in reading.issues if issue.code is IssueCode.REASON_CONTRADICTS] == [1]
