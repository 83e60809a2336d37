"""Where a text about one statement gives its verdict, and what stands beside it."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.parsing.verdict_text import MOST_SIGNS, _gives_value, closing_label, judge_text
from magistrate.parsing.vocabulary import vocabulary_of
from magistrate.verdict import IssueCode, Verdict

BINARY = vocabulary_of("binary")
YES, NO, TORN = Verdict.SUPPORTED, Verdict.UNSUPPORTED, IssueCode.CONFLICTING_VERDICTS


def _judged(text: str, *, whole: bool = False) -> tuple[object, str] | None:
    """The reading, and the words that it stands in."""
    said, _ = judge_text(text, 0, BINARY, whole=whole)
    return None if said is None else (said.reading, text[slice(*said.span)])


class TestNames:
    def test_an_overall_verdict_is_one_only_where_the_text_is_all_there_is(self) -> None:
        text = "Overall verdict: yes, so far. Verdict: no"
        assert _judged(text) == (NO, "no")
        assert _judged(text, whole=True) == (TORN, "yes, so far. Verdict: no")

    @pytest.mark.parametrize("other", ["Expected verdict: yes", "The expected verdict is yes."])
    def test_the_verdict_of_somebody_else_does_not_hide_the_judges(self, other: str) -> None:
        assert _judged(f"{other}\nMy verdict: no, as it says.") == (NO, "no")

    def test_a_text_that_is_all_colons_says_nothing(self) -> None:
        assert _judged("word: " * (MOST_SIGNS - 1) + "Verdict: yes, so far") == (YES, "yes")
        assert _judged("word: " * (MOST_SIGNS + 1) + "Verdict: yes, so far") is None

    def test_a_label_far_behind_in_a_reason_closes_it(self) -> None:
        assert closing_label("The log is old. " * 40 + "\nVerdict: yes", BINARY) is YES
        assert closing_label("Verdict: yes" + " and the log is old" * 20, BINARY) is None


class TestTwoQuestions:
    @pytest.mark.parametrize(
        "text",
        ["Is it named? Yes\nIs it dated? No", "Named? *Yes*. Dated? no", "Does it say so? No.\nIs it dated? Yes."],
    )
    def test_that_are_answered_differently_leave_none(self, text: str) -> None:
        found = _judged(text)
        assert found is not None
        assert found[0] is TORN

    def test_that_are_answered_alike_give_the_answer(self) -> None:
        assert _judged("Is it named? No\nIs it stated? No") == (NO, "No")


class TestSentencesBeside:
    @pytest.mark.parametrize("turn", ["", "However, "])
    def test_a_sentence_behind_the_label_that_says_otherwise_leaves_none(self, turn: str) -> None:
        found = _judged(f"Verdict: yes. {turn}the claim is false.")
        assert found is not None
        assert found[0] is TORN

    def test_a_sentence_that_the_label_turns_from_does_not_count(self) -> None:
        assert _judged("The claim is false, however. Verdict: yes, so far") == (YES, "yes")

    def test_one_that_agrees_changes_nothing(self) -> None:
        assert _judged("The log is old; the statement is true. So: yes") == (YES, "yes")


class TestClosingWords:
    @pytest.mark.parametrize(
        ("text", "word"),
        [
            ("Well, the log is old.\n\nno", "no"),
            ("no\nwell, the log is old, is it not so?", "no"),
            ("The log: ❌", "❌"),
            ("The log: ✘ torn", "✘ torn"),
            ("is it\nN", "N"),
        ],
    )
    def test_stand_at_the_end_of_the_first_line_or_of_all(self, text: str, word: str) -> None:
        assert _judged(text) == (NO, word)

    @pytest.mark.parametrize(
        "text", ["It holds\n{yes", "a. y", "so: b", "log: 1", "the answer, of course: 0", "verdict\nx: 1"]
    )
    def test_letters_numbers_and_torn_ends_under_no_name_are_none(self, text: str) -> None:
        assert _judged(text) is None

    @pytest.mark.parametrize(
        "text",
        [
            "It is not, in fact, supported",
            "not. supported",
            "The log says so. un.supported",
            "It is, isn't, so to say, supported",
        ],
    )
    def test_what_a_mark_cut_off_from_its_not_is_none(self, text: str) -> None:
        found = _judged(text)
        assert found is not None
        assert found[0] is TORN

    @pytest.mark.parametrize("text", ["unsupported: false", "contradiction: no", "Correct, wrong: no"])
    def test_a_no_to_the_contrary_is_none(self, text: str) -> None:
        found = _judged(text)
        assert found is not None
        assert found[0] is TORN

    def test_a_no_to_support_is_a_no(self) -> None:
        assert _judged("supported: no") == (NO, "no")


class TestGivesValue:
    @pytest.mark.parametrize(
        "before", ["score →", "'verdict':", "(verdict) :", "my last word, verdict:", "log.:", "**label**:"]
    )
    def test_a_number_behind_the_name_of_a_verdict_is_one(self, before: str) -> None:
        assert _gives_value(f"{before}1", len(before))

    @pytest.mark.parametrize("before", ["", "log:", "the answer, of course:", "verdict\nx:", "verdict"])
    def test_behind_any_other_it_may_be_anything(self, before: str) -> None:
        assert not _gives_value(f"{before}1", len(before))


class TestCells:
    @pytest.mark.parametrize("text", ["| yes | it says |", "| 1 | yes | it says so |", "it | yes | so"])
    def test_a_torn_row_does_not_tell_which_cell_is_meant(self, text: str) -> None:
        assert _judged(text) is None

    @pytest.mark.parametrize("text", ["yes | it says", "log | yes"])
    def test_two_cells_do(self, text: str) -> None:
        found = _judged(text)
        assert found is not None
        assert found[0] is YES


class TestPlaces:
    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("  yes ", "yes"),
            ("\n 1 (unsupported) ", "1 (unsupported)"),
            (" [x] yes [ ] no", "[x] yes [ ] no"),
            ("Verdict: yes. However, the claim is false.", "yes. However, the claim is false"),
            ("It is supported. However, it is not.", "It is supported. However, it is not"),
            ("Is it named? Yes\nIs it dated? No", "No"),
            ("Verdict: yes\nCorrection: Verdict: no", "no"),
            ("The log names it. Verdict: (no), so far", "no"),
        ],
    )
    def test_are_those_of_the_reply(self, text: str, words: str) -> None:
        said, _ = judge_text(text, 40, BINARY)
        assert said is not None
        assert text[said.span[0] - 40 : said.span[1] - 40] == words


class TestFormsWithOptions:
    @pytest.mark.parametrize("mark", ["-", "—", "[ ]", "☐", ""])
    def test_an_option_left_open_above_another_is_not_chosen(self, mark: str) -> None:
        assert parse_verdicts(f"Supported: {mark}\nUnsupported: 1", ["The lock is iron."]).found == [None]

    def test_one_that_is_marked_is(self) -> None:
        assert parse_verdicts("Supported: 1\nUnsupported: -", ["The lock is iron."]).found == [Verdict.SUPPORTED]
        assert parse_verdicts("Supported: 0\nUnsupported: 1", ["The lock is iron."]).found == [Verdict.UNSUPPORTED]
