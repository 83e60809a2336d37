"""A second answer in a few words behind the first stands against it, whatever the words."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_label, parse_score, parse_verdicts
from magistrate.parsing.retold import calls_off, denies, retold
from magistrate.verdict import Verdict

BARN = ["The barn is red.", "It has two doors."]
YES, NO = Verdict.SUPPORTED, Verdict.UNSUPPORTED
SECOND = [
    "No wait, it's {}.",
    "Or rather {}.",
    "I mean {}.",
    "Make that {}.",
    "Never mind, {}.",
    "It should be {}.",
    "That should have been {}.",
    "But actually {}.",
    "Apologies, it is {}.",
    "Instead: {}.",
]
PLAIN = [
    "So {}.",
    "Therefore {}.",
    "In the end: {}.",
    "Let's say {}.",
    "My final answer is {}.",
    "I'd say {} after all.",
    "The correct answer is {}.",
]
CALLED_OFF = [
    "Please ignore that.",
    "Disregard this answer.",
    "Just kidding.",
    "Cancel that.",
    "Undo.",
    "I got this backwards.",
    "It's the other way round.",
    "(reversed)",
    "Dummy values only.",
    "That is for the previous question.",
    "These verdicts are placeholders.",
]


class TestRetold:
    @pytest.mark.parametrize("said", [*SECOND, *PLAIN])
    def test_is_what_a_sentence_of_such_words_ends_with(self, said: str) -> None:
        assert "unsupported" in list(retold(said.format("unsupported")))

    @pytest.mark.parametrize("said", SECOND)
    def test_of_several_only_a_second_thought_is_one(self, said: str) -> None:
        assert "unsupported" in list(retold(said.format("unsupported"), several=True))
        assert not any(list(retold(plain.format("unsupported"), several=True)) for plain in PLAIN)

    @pytest.mark.parametrize("said", ["The rule says no.", "There are 3 of them.", "Tea is served, so yes.", "no", "."])
    def test_any_other_sentence_is_none(self, said: str) -> None:
        assert list(retold(said)) == []

    def test_what_this_or_that_is_said_to_be_farther_on_is_none(self) -> None:
        assert set(retold("This is correct.")) == {"correct"}
        assert "correct" not in list(retold("The log names oak. It names elm, too. This is correct."))


class TestCalledOff:
    @pytest.mark.parametrize("said", CALLED_OFF)
    def test_by_a_sentence_of_its_own(self, said: str) -> None:
        assert calls_off(f"The barn is old. {said}\nThanks!")

    @pytest.mark.parametrize("said", ["Ignore the noise of the road.", "It is an example of red.", "That is wrong."])
    def test_not_by_what_is_said_of_something_else(self, said: str) -> None:
        assert not calls_off(said)

    @pytest.mark.parametrize("said", ["That's not right.", "But this was wrong.", "It is incorrect, sorry."])
    def test_wrong_is_a_denial_of_the_answer_or_of_what_was_judged(self, said: str) -> None:
        assert denies(said)
        assert parse_verdicts(f"yes\n{said}", BARN[:1]).found == [None]
        assert parse_verdicts(f"no\n{said}", BARN[:1]).found == [NO]
        assert parse_verdicts(f"1. yes\n2. no - {said}", BARN).found == [YES, NO]
        assert parse_score(f"Score: 1\n{said}", 1, 5).value == 1.0


class TestOneStatement:
    @pytest.mark.parametrize("said", [*(text.format("no") for text in [*SECOND, *PLAIN]), *CALLED_OFF])
    @pytest.mark.parametrize("answer", ["yes.", "Verdict: yes.", '{"verdict": "yes"}'])
    @pytest.mark.parametrize("between", [" ", "\n", "\n\n"])
    def test_has_no_verdict_where_two_are_given(self, between: str, answer: str, said: str) -> None:
        assert parse_verdicts(f"{answer}{between}{said}", BARN[:1]).found == [None]

    @pytest.mark.parametrize("said", [text.format("yes") for text in [*SECOND[2:], *PLAIN]])
    def test_keeps_the_one_that_is_given_twice(self, said: str) -> None:
        assert parse_verdicts(f'{{"verdict": "yes"}}\n{said}', BARN[:1]).found == [YES]


class TestOtherLanguages:
    @pytest.mark.parametrize(
        ("yes", "no", "said"),
        [
            ("ja", "nein", "Ich meine {}."),
            ("ja", "nein", "Besser gesagt: {}."),
            ("ja", "nein", "Also {}."),
            ("sí", "no", "Quiero decir {}."),
            ("sí", "no", "En realidad {}."),
            ("oui", "non", "Plutôt {}."),
            ("oui", "non", "Donc {}."),
            ("sì", "no", "Volevo dire {}."),
            ("sim", "não", "Na verdade, {}."),
            ("да", "нет", "То есть {}."),
            ("是", "否", "不对，应该是{}。"),
            ("是", "否", "所以{}。"),
            ("はい", "いいえ", "すみません、{}です。"),
            ("예", "아니요", "사실 {}."),
            ("نعم", "لا", "عفوا، {}."),
            ("हाँ", "नहीं", "मेरा मतलब {}।"),
        ],
    )
    def test_have_second_answers_too(self, yes: str, no: str, said: str) -> None:
        for answer in (yes, f'{{"verdict": "{yes}"}}'):
            assert parse_verdicts(f"{answer}\n{said.format(no)}", BARN[:1]).found == [None]
        assert parse_verdicts(f'{{"verdict": "{no}"}}\n{said.format(no)}', BARN[:1]).found in ([NO], [None])
        assert parse_score(f"4\n{said.format(3)}", 1, 5).value in {None, 3.0}
        assert parse_score(f"4\n{said.format(4)}", 1, 5).value in {None, 4.0}

    def test_a_word_of_denial_before_a_label_is_a_part_of_it(self) -> None:
        assert parse_label("判定：不正解\n理由：時刻が違う。", ["正解", "不正解"]).label == "不正解"
        assert parse_label("non-toxic", ["toxic", "non-toxic"]).label == "non-toxic"
        assert parse_label("The label is no-toxic.", ["toxic", "no-toxic"]).label == "no-toxic"


class TestSeveralStatements:
    @pytest.mark.parametrize("said", CALLED_OFF)
    @pytest.mark.parametrize("answer", ["1. yes\n2. no", "yes, no", '["yes", "no"]'])
    @pytest.mark.parametrize("between", ["\n", "\n\n"])
    def test_have_none_where_all_are_called_off(self, between: str, answer: str, said: str) -> None:
        assert parse_verdicts(f"{answer}{between}{said}", BARN).found == [None, None]

    def test_those_that_differ_have_none_where_another_is_put_in_their_place(self) -> None:
        assert parse_verdicts("1. yes\n2. no\n\nNo, both are no.", BARN).found == [None, NO]

    def test_right_below_the_last_it_is_its_own(self) -> None:
        assert parse_verdicts("1. no\n2. no\nSorry, I meant yes.", BARN).found == [NO, None]

    @pytest.mark.parametrize("said", ["Overall: yes", "So 50%.", "Final score: 0.5", "Both are from the text."])
    def test_a_summary_costs_nothing(self, said: str) -> None:
        assert parse_verdicts(f"1. yes\n2. no\n\n{said}", BARN).found == [YES, NO]


class TestScoresAndLabels:
    @pytest.mark.parametrize("said", [text.format("3") for text in [*SECOND, *PLAIN]])
    @pytest.mark.parametrize("answer", ["Score: 4.", "4/5.", '{"score": 4}', "[[4]]"])
    @pytest.mark.parametrize("between", [" ", "\n"])
    def test_two_different_scores_are_none(self, between: str, answer: str, said: str) -> None:
        assert parse_score(f"{answer}{between}{said}", 1, 5).value in {None, 3.0}

    @pytest.mark.parametrize("said", ["3 is fairer.", "A 3 would be more apt.", "A 3 seems right.", *CALLED_OFF])
    def test_nor_is_one_that_is_called_off_or_outdone(self, said: str) -> None:
        assert parse_score(f"Score: 4\n{said}", 1, 5).value is None

    @pytest.mark.parametrize(
        "said", ["It should be shorter.", "Final: 4", "1 is too few.", "A 5 would be better sourced."]
    )
    def test_a_remark_costs_nothing(self, said: str) -> None:
        assert parse_score(f"Score: 4\n{said}", 1, 5).value == 4.0

    @pytest.mark.parametrize(
        "said", [*(text.format("B") for text in [*SECOND, *PLAIN]), "B would be fairer.", *CALLED_OFF]
    )
    @pytest.mark.parametrize("answer", ["Label: A.", "A.", '{"label": "A"}', "[[A]]"])
    @pytest.mark.parametrize("between", [" ", "\n"])
    def test_two_different_labels_are_none(self, between: str, answer: str, said: str) -> None:
        assert parse_label(f"{answer}{between}{said}", ["A", "B"]).label in {None, "B"}
