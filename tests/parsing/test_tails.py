"""Verdicts given in passing, after the answers."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.parsing.tails import said_of_one, said_of_several, speaks_of_statements
from magistrate.parsing.vocabulary import vocabulary_of
from magistrate.verdict import IssueCode, Verdict

BINARY = vocabulary_of("binary")
YES, NO, TORN = Verdict.SUPPORTED, Verdict.UNSUPPORTED, IssueCode.CONFLICTING_VERDICTS
MILL = ["The mill grinds rye.", "It was built in 1804."]
DATA = '{"verdicts": [{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]}'


class TestSeveral:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("2 should be yes.", {1: {YES}}),
            ("Update: 2 is yes.", {1: {YES}}),
            ("Statement 1: not supported, since the ledger is older.", {0: {NO}}),
            ("The second is supported after all.", {1: {YES}}),
            ('The verdict for statement 2 should have been "yes".', {1: {YES}}),
            ("The verdict for statement 2 was wrong.", {1: {TORN}}),
            ("So both are supported.", {0: {YES}, 1: {YES}}),
            ("Neither is supported.", {0: {NO}, 1: {NO}}),
            ("Only the first is supported.", {0: {YES}, 1: {NO}}),
            ("I swapped the two verdicts.", {0: {TORN}, 1: {TORN}}),
            ("Statement 1 names a year, so that is wrong.", {0: {NO}}),
            ("After checking: no, no.", {0: {NO}, 1: {NO}}),
            ("The list above is wrong.", {0: {TORN}, 1: {TORN}}),
            ("Hmm, 1 is not right.", {0: {TORN}}),
        ],
    )
    def test_sentences_about_statements_are_heard(self, text: str, told: dict[int, set[object]]) -> None:
        assert said_of_several(text, BINARY, 2) == told

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "I hope this helps!",
            "If 2 is yes, the mill is old.",
            "Line 2 is supported by a photograph.",
            "Not all are supported.",
            "The ledger has 2 pages and 1 map.",
            "Let me know if both are fine.",
        ],
    )
    def test_other_sentences_are_not(self, text: str) -> None:
        assert said_of_several(text, BINARY, 2) == {}

    @pytest.mark.parametrize(
        "answer",
        [DATA, "1. yes\n2. no", "| # | Verdict |\n|---|---|\n| 1 | yes |\n| 2 | no |", "Verdicts: yes, no"],
    )
    def test_what_they_say_otherwise_voids_the_answer_in_every_format(self, answer: str) -> None:
        assert parse_verdicts(f"{answer}\n\n2 should be yes.", MILL).found == [YES, None]
        assert parse_verdicts(f"{answer}\n\nStatement 2 is not supported by the ledger.", MILL).found == [YES, NO]

    @pytest.mark.parametrize("answer", ["1. yes\n2. no", "Statement 1: yes\nStatement 2: no", "**1.** Yes\n**2.** No"])
    @pytest.mark.parametrize(
        ("line", "found"),
        [
            ("2 should be yes.", [YES, None]),
            ("So both are supported.", [YES, None]),
            ("Statement 1 is not supported.", [None, NO]),
            ("The list above is wrong.", [None, None]),
            ("I made a mistake with statement 2.", [YES, None]),
            ("Statement 1 is supported by the ledger; statement 2 is not.", [YES, NO]),
            ("Both verdicts rest on the ledger.", [YES, NO]),
        ],
    )
    def test_a_line_right_below_the_last_item_is_about_the_list(
        self, answer: str, line: str, found: list[Verdict | None]
    ) -> None:
        assert parse_verdicts(f"{answer}\n{line}", MILL).found == found

    def test_a_line_in_the_midst_of_a_list_is_heard(self) -> None:
        assert parse_verdicts("1. yes\n2 should be yes.\n2. no", MILL).found == [YES, None]

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("Statement 1 isn't supported.", {0: {NO}}),
            ("If I am right, all is well. 2 is yes.", {1: {YES}}),
            ("Statement 1 is supported and statement 2 is not supported.", {0: {YES}, 1: {NO}}),
            ("The verdict for statement 1 was wrong and statement 2 is supported.", {0: {TORN}, 1: {YES}}),
            ("All are purple, both are supported.", {0: {YES}, 1: {YES}}),
            ("If all are supported, fine; both are supported.", {0: {YES}, 1: {YES}}),
            ("Both are true to the letter.", {0: {YES}, 1: {YES}}),
            ('2 is "yes".', {1: {YES}}),
            ("Only 3 is supported.", {0: {NO}, 1: {NO}}),
            ("Again: *no, yes*.", {0: {NO}, 1: {YES}}),
            ("Again: no/yes", {0: {NO}, 1: {YES}}),
            ("Again: no,, yes", {0: {NO}, 1: {YES}}),
        ],
    )
    def test_what_stands_around_the_words_does_not_matter(self, text: str, told: dict[int, set[object]]) -> None:
        assert said_of_several(text, BINARY, 2) == told

    @pytest.mark.parametrize(
        "text",
        [
            "Statement 3 should be no.",
            "Statement 0 should be no.",
            "If 1 is yes, 2 is yes, too.",
            "Statement 1 names a year, if that is true.",
            "Statement 1 names a year, and that is a wonder.",
            "Only 1 is perhaps true.",
            "2 is purple.",
            "Again: no, perhaps",
            "Again: no, yes, no",
            "Again: no",
        ],
    )
    def test_other_numbers_conditions_and_lists_of_another_length_say_nothing(self, text: str) -> None:
        assert said_of_several(text, BINARY, 2) == {}

    @pytest.mark.parametrize(
        "text", ["I swapped the verdicts.", "The list above is wrong.", "Both are true.", "Again: no"]
    )
    def test_words_for_several_say_nothing_of_one(self, text: str) -> None:
        assert said_of_several(text, BINARY, 1) == {}

    def test_a_sentence_of_hundreds_of_characters_is_not_heard(self) -> None:
        sentence = "2 should be yes, as the ledger says"
        assert said_of_several(f"{sentence} {'x' * (400 - len(sentence) - 1)}", BINARY, 2) == {1: {YES}}
        assert said_of_several(f"{sentence} {'x' * (401 - len(sentence) - 1)}", BINARY, 2) == {}

    def test_a_quick_test_comes_first(self) -> None:
        assert speaks_of_statements("So both are supported.")
        assert speaks_of_statements("2 should be yes.")
        assert not speaks_of_statements("The ledger names rye.")

    def test_a_summary_beside_the_rows_is_heard(self) -> None:
        rows = '[{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "yes"}]'
        reply = f'{{"verdicts": {rows}, "summary": "Only the first is supported."}}'
        assert parse_verdicts(reply, MILL).found == [YES, None]


class TestOne:
    @pytest.mark.parametrize("text", ["Actually no.", "Wait, no.", "The statement is not supported."])
    def test_what_follows_the_answer_is_heard(self, text: str) -> None:
        assert said_of_one(text, BINARY) == {NO}
        assert parse_verdicts(f'{{"verdict": "yes"}}\n\n{text}', MILL[:1]).found == [None]
        assert parse_verdicts(f'{{"verdict": "no"}}\n\n{text}', MILL[:1]).found == [NO]

    @pytest.mark.parametrize("text", ["", "I hope this helps.", "The ledger names rye."])
    def test_a_courtesy_says_nothing(self, text: str) -> None:
        assert said_of_one(text, BINARY) == set()
