"""Scores in plain text: the number that is said to be it, on the declared range."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Tell = Callable[..., tuple[str, ...]]


class TestText:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ("4", ("ok 4.0 number 0-1",)),
            ("I give it a 4.", ("ok 4.0 sentence 12-13",)),
            ("I would rate this 4 out of 5.", ("ok 4.0 fraction 18-28",)),
            ("[[4]]", ("ok 4.0 json 2-3",)),
            ("Rating: [[4]]", ("ok 4.0 bracketed 10-11",)),
            ("[[4]] [[3]]", ("unparseable None None", "conflicting-verdicts: the reply gives different scores")),
            ("Score: 4\nScore: 3", ("unparseable None None", "conflicting-verdicts: the reply gives different scores")),
            ("Score: 4\nFinal score: 3", ("ok 3.0 labelled 22-23",)),
            (
                "Score: 4\nSorry, I meant 3.",
                ("unparseable None None", "conflicting-verdicts: the judge says that the score was a slip"),
            ),
            ("The score is 4 because 3 of 5 hold.", ("ok 4.0 labelled 13-14",)),
            (
                "Score: -4",
                ("out_of_range None labelled 7-9", "out-of-range: the score is not on the scale from 1 to 5"),
            ),
            (
                "Score: 4 - 5",
                ("unparseable None None", "missing-verdict: the reply gives no single number as its score"),
            ),
            ("Score: 4?", ("unparseable None None", "missing-verdict: the reply gives no single number as its score")),
            ("1. Clear: 3\n2. Deep: 4\nOverall: 4", ("ok 4.0 labelled 32-33",)),
            ("On a scale of 1 to 5, I give 4.", ("ok 4.0 sentence 29-30",)),
            ("Score (1-5): 4", ("ok 4.0 labelled 13-14",)),
            ("Score: 4e0", ("ok 4.0 labelled 7-10",)),
            ("I cannot rate this.", ("refusal None None", "refusal: the judge refused")),
            ("", ("empty None None", "empty-reply: the reply holds no answer")),
            ("Score 4", ("ok 4.0 labelled 6-7",)),
        ],
    )
    def test_the_number_that_is_said_to_be_it(self, reply: str, told: tuple[str, ...], tell_score: Tell) -> None:
        assert tell_score(reply, 1, 5) == told


class TestEnd:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ("Score: 4", ("truncated None None", "truncated: the reply was cut off")),
            ("Score: 4 because", ("ok 4.0 labelled 7-8",)),
            ("4", ("truncated None None", "truncated: the reply was cut off")),
        ],
    )
    def test_a_number_at_the_cut_is_not_all(self, reply: str, told: tuple[str, ...], tell_score: Tell) -> None:
        assert tell_score(reply, 1, 5, "length") == told


class TestMore:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ("Clarity score: 3\nDepth score: 3", ("ok 3.0 labelled 30-31",)),
            (
                "Clarity score: 3\nDepth score: 4",
                ("unparseable None None", "missing-verdict: the reply gives no single number as its score"),
            ),
            ("[RESULT] 4", ("ok 4.0 labelled 9-10",)),
            (
                "I give it 4 good reasons",
                ("unparseable None None", "missing-verdict: the reply gives no single number as its score"),
            ),
            ("4/5 overall", ("ok 4.0 fraction 0-3",)),
            ("Score: 4km", ("unparseable None None", "missing-verdict: the reply gives no single number as its score")),
            (
                "Date: 2020-04-04",
                ("unparseable None None", "missing-verdict: the reply gives no single number as its score"),
            ),
            ("| Score | 4 |", ("ok 4.0 labelled 10-11",)),
            ("Score: 4\n" * 70, ("ok 4.0 labelled 628-629",)),
            (
                (
                    "Score: 4\nScore: 3\nScore: 4\nScore: 3\nScore: 4\nScore: 3\nScore: 4\nScore: 3\nScore: 4\nScore: "
                    "3\nScore: 4\nScore: 3\nScore: 4\nScore: 3\nScore: 4\nScore: 3\nScore: 4\nScore: 3\nScore: "
                    "4\nScore: 3\nScore: 4\nScore: 3\nScore: 4\nScore: 3\nScore: 4\nScore: 3\nScore: 4\nScore: "
                    "3\nScore: 4\nScore: 3\nScore: 4\nScore: 3\nScore: 4\nScore: 3\nScore: 4\nScore: 3\nScore: "
                    "4\nScore: 3\nScore: 4\nScore: 3\nScore: 4\nScore: 3\nScore: 4\nScore: 3\nScore: 4\nScore: "
                    "3\nScore: 4\nScore: 3\nScore: 4\nScore: 3\nScore: 4\nScore: 3\nScore: 4\nScore: 3\nScore: "
                    "4\nScore: 3\nScore: 4\nScore: 3\nScore: 4\nScore: 3\nScore: 4\nScore: 3\nScore: 4\nScore: "
                    "3\nScore: 4\nScore: 3\nScore: 4\nScore: 3\nScore: 4\nScore: 3\nScore: 4\nScore: 3\nScore: "
                    "4\nScore: 3\nScore: 4\nScore: 3\nScore: 4\nScore: 3\nScore: 4\nScore: 3\n"
                ),
                ("unparseable None None", "missing-verdict: the reply gives no single number as its score"),
            ),
            (
                "Score: 3? No, 4",
                ("unparseable None None", "missing-verdict: the reply gives no single number as its score"),
            ),
            ("打4分", ("ok 4.0 sentence 1-2",)),
        ],
    )
    def test_where_the_number_stands(self, reply: str, told: tuple[str, ...], tell_score: Tell) -> None:
        assert tell_score(reply, 1, 5) == told


class TestMoreEnd:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ("It is dry.\n\nScore: 4 bec", ("truncated None None", "truncated: the reply was cut off")),
        ],
    )
    def test_at_a_cut(self, reply: str, told: tuple[str, ...], tell_score: Tell) -> None:
        assert tell_score(reply, 1, 5, "length") == told
