"""Labels in plain text: in brackets, after a name, alone, in a sentence that prefers one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from magistrate.parsing import parse_label
from magistrate.verdict import IssueCode

Tell = Callable[..., tuple[str, ...]]


class TestPreference:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ("A is better.", ("ok 'A' sentence 0-1",)),
            (
                "I think that A is worse",
                ("unparseable None None", "missing-verdict: the reply gives none of the choices as its answer"),
            ),
            (
                "The judge says A is better",
                ("unparseable None None", "missing-verdict: the reply gives none of the choices as its answer"),
            ),
            (
                "Assistant B argues that A is better",
                ("unparseable None None", "missing-verdict: the reply gives none of the choices as its answer"),
            ),
            ("A is better. Therefore, B is better.", ("ok 'B' sentence 24-25",)),
            (
                "a is better",
                ("unparseable None None", "missing-verdict: the reply gives none of the choices as its answer"),
            ),
            (
                "A is better than B\nB is better than A",
                ("unparseable None None", "conflicting-verdicts: the reply gives different labels"),
            ),
            (
                "A is better unless it rains",
                ("unparseable None None", "missing-verdict: the reply gives none of the choices as its answer"),
            ),
            ("Winner: a", ("ok 'A' labelled 8-9",)),
        ],
    )
    def test_sentences_that_prefer_one(self, reply: str, told: tuple[str, ...], tell_label: Tell) -> None:
        assert tell_label(reply, ["A", "B"]) == told


class TestBrackets:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            (
                "[[C]] so",
                ("unparseable None None", "missing-verdict: the reply gives none of the choices as its answer"),
            ),
            ("For example, [[A]]. Mine: [[B]]", ("ok 'B' bracketed 28-29",)),
        ],
    )
    def test_doubled_and_single(self, reply: str, told: tuple[str, ...], tell_label: Tell) -> None:
        assert tell_label(reply, ["A", "B"]) == told


class TestWords:
    @pytest.mark.parametrize(
        ("reply", "choices", "told"),
        [
            ("A>B", ["A>>B", "A>B", "A=B"], ("ok 'A>B' label 0-3",)),
            ('"A>>B"', ["A>>B", "A>B", "A=B"], ("ok 'A>>B' label 1-5",)),
            ("✅ good", ["very good", "good", "bad"], ("ok 'good' label 0-6",)),
        ],
    )
    def test_labels_of_several_words_and_signs(
        self, reply: str, choices: Any, told: tuple[str, ...], tell_label: Tell
    ) -> None:
        assert tell_label(reply, choices) == told


class TestSentences:
    """Each sentence is weighed for itself: what is said in one does not colour the next."""

    @pytest.mark.parametrize(
        "reply",
        [
            "I think that A is worse. I would choose B.",
            "I think A is worse. B is better.",
            "I would not say that A is better. B is better.",
            "The reviewer says that A is better. I prefer B.",
            "I prefer A at times. B is better.",
            "Neither is bad! I prefer B.",
            "Is either bad? I prefer B.",
            "I see no fault in either\nI prefer B.",
        ],
    )
    def test_one_that_does_not_count_is_passed_over(self, reply: str) -> None:
        assert parse_label(reply, ["A", "B"]).label == "B"

    @pytest.mark.parametrize("mark", [". ", "! ", "? ", "; ", ".\n"])
    def test_a_conclusion_is_one_in_its_own_sentence(self, mark: str) -> None:
        reply = f"Overall both are short{mark}I prefer A at first sight.\nOverall, B is better."
        assert parse_label(reply, ["A", "B"]).label == "B"

    def test_a_hundred_preferences_are_no_answer(self) -> None:
        assert parse_label("A is better. " * 100, ["A", "B"]).label == "A"
        assert parse_label("A is better. " * 101, ["A", "B"]).label is None
        assert parse_label("A is better. " * 101 + "\nAnswer: B", ["A", "B"]).label == "B"


class TestTheFirstLine:
    @pytest.mark.parametrize("reply", ["B\n---", "---\nB", "***\nB\n***", "B\n\n- - -"])
    def test_rules_are_no_lines(self, reply: str) -> None:
        assert parse_label(reply, ["A", "B"]).label == "B"

    @pytest.mark.parametrize("reply", ["A dog barks", "**A** dog barks", "A because it is short"])
    def test_a_word_that_a_sentence_goes_on_from_is_none(self, reply: str) -> None:
        assert parse_label(reply, ["A", "B"]).label is None

    @pytest.mark.parametrize("reply", ["**A**, because of the dog", "A - the dog barks", "A: the dog"])
    def test_one_with_a_stop_behind_it_is(self, reply: str) -> None:
        assert parse_label(reply, ["A", "B"]).label == "A"

    @pytest.mark.parametrize("reply", ["Yes. The label: no", "No, it is not. Verdict: yes"])
    def test_that_says_something_else_than_the_name_disputes_it(self, reply: str) -> None:
        reading = parse_label(reply, ["yes", "no"])
        assert (reading.label, [note.code for note in reading.issues]) == (None, [IssueCode.CONFLICTING_VERDICTS])


class TestOneOfSeveral:
    @pytest.mark.parametrize(
        "reply", ["Grade: A or B", "Answer: A / B", "Answer: A -> B", "Answer: A, B", "Answer: A | B"]
    )
    def test_a_menu_is_no_choice(self, reply: str) -> None:
        assert parse_label(reply, ["A", "B"]).label is None

    @pytest.mark.parametrize("reply", ["Previous verdict: A", "The user's answer: A"])
    def test_the_label_of_somebody_else_is_not_the_judges(self, reply: str) -> None:
        assert parse_label(reply, ["A", "B"]).label is None

    @pytest.mark.parametrize("reply", ["Verdict: **yes", "Verdict: yes", "yes", "**yes"])
    def test_one_that_a_cut_touches_is_not_trusted(self, reply: str) -> None:
        assert parse_label(reply, ["yes", "no"]).label == "yes"
        assert parse_label(reply, ["yes", "no"], finish_reason="length").label is None


class TestSeveralQuestions:
    @pytest.mark.parametrize(
        "reply",
        [
            "Unsafe request: yes\nRefused: no\nUnsafe response: no",
            "Unsafe request: no\nRefused: no\nUnsafe response: yes",
            "Request: yes\nResponse: no",
            "On topic: yes\nComplete: no",
        ],
    )
    def test_no_answer_of_one_is_the_answer(self, reply: str) -> None:
        assert parse_label(reply, ["yes", "no"]).label is None

    @pytest.mark.parametrize(
        "reply",
        [
            "On topic: yes\nComplete: yes\nFinal answer: no",
            "On topic: yes\n**Verdict:** no",
            "Unsafe response: no",
            "On topic: no\nComplete response: no",
        ],
    )
    def test_what_is_called_the_answer_counts_and_so_does_what_they_agree_on(self, reply: str) -> None:
        assert parse_label(reply, ["yes", "no"]).label == "no"


class TestReasonsAgainstTheLabel:
    @pytest.mark.parametrize(
        "reply",
        [
            "Explanation:\nResponse A is stronger.\nScore\nB",
            "Assistant A is clearly superior.\n[[B]]",
            "I prefer A.\n\nB",
            "Response A is better.\n\nVerdict: B",
            "B is worse. A is better.\n[[B]]",
            "B\n\nA is better because it names its source.",
        ],
    )
    def test_leave_none(self, reply: str) -> None:
        found = parse_label(reply, ["A", "B", "TIE"])
        assert found.label is None
        assert [issue.code for issue in found.issues] == [IssueCode.CONFLICTING_VERDICTS]

    @pytest.mark.parametrize(
        "reply",
        [
            "Response A is better in tone, but B has the fares right.\n\n[[B]]",
            "Response A is better in tone. However, B has the fares right.\n\n[[B]]",
            "Response A is better in tone. Response B is better overall.\n\n[[B]]",
            "Response A is not better.\n[[B]]",
            "The author says that A is better.\n[[B]]",
            "B is better because it names its source.\n[[B]]",
        ],
    )
    def test_what_was_weighed_before_does_not(self, reply: str) -> None:
        assert parse_label(reply, ["A", "B", "TIE"]).label == "B"


class TestTakenBack:
    @pytest.mark.parametrize("reply", ["Label: A\nI take that back.", "Label: A\nWait, scratch that."])
    def test_in_the_next_words_leaves_none(self, reply: str) -> None:
        assert parse_label(reply, ["A", "B"]).label is None

    @pytest.mark.parametrize("reply", ["Label: A\nCorrection: Label: B", "Label: A\n\nCorrection: Label: B"])
    def test_for_another_label_gives_that(self, reply: str) -> None:
        found = parse_label(reply, ["A", "B"])
        assert found.label == "B"
        assert [issue.code for issue in found.issues] == [IssueCode.CONFLICTING_VERDICTS]

    def test_later_words_may_speak_of_something_else(self) -> None:
        assert parse_label("Label: A\n\nThe second one made a mistake in the date.", ["A", "B"]).label == "A"
