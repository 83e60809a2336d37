"""Which number in a text is the score, where others stand beside it, and what a cut leaves of it."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_score


def score(reply: str, end: str | None = None) -> float | None:
    return parse_score(reply, 1, 5, finish_reason=end).value


class TestOneOfSeveralNumbers:
    @pytest.mark.parametrize(
        ("reply", "meant"),
        [
            ("**4**\nClarity score: 3", 4),
            ("4 \n\nIt is fine.", 4),
            ("Clarity score: 3\nStyle score: 3", 3),
            ("It gets 4 errors. I would give it 3.", 3),
            ("I rate it between 3 and 4. I rate it 4.", 4),
            ("Score: at least 4. Score: 3", 3),
            ("I would give 4 points", 4),
            ("I would rate this a 4 out of 5", 4),
            ("I give it a rating of 4", 4),
            ("rate 4", 4),
            ("4\nfine\n4", 4),
        ],
    )
    def test_the_score_is_the_one_that_is_given_as_it(self, reply: str, meant: float) -> None:
        assert score(reply) == meant

    @pytest.mark.parametrize(
        "reply",
        [
            "4\nReason: Score: 2 was too low.",
            "Clarity score: 3\nStyle score: 4",
            "Score: 4?",
            "Score: 4\uff1f",
            "Score: 4\u061f",
            "Score: 4+",
            "Score: 4 - 5",
            "The list gives 4 reasons",
            "Statements: 4",
            "scale: 4",
            "4\nfine\n3",
            "Score should be at most 4",
        ],
    )
    def test_a_question_a_range_a_bound_and_a_count_are_none(self, reply: str) -> None:
        assert score(reply) is None

    @pytest.mark.parametrize(
        ("reply", "span"),
        [("**Coherence**: 4", (15, 16)), ("Coherence: 4", (11, 12)), ("[4", (1, 2)), ("Result: 4", (8, 9))],
    )
    def test_it_has_its_place(self, reply: str, span: tuple[int, int]) -> None:
        reading = parse_score(reply, 1, 5)
        assert (reading.value, reading.span) == (4, span)

    def test_the_same_again_and_again_is_one_and_two_in_turn_are_none(self) -> None:
        assert score("Score: 4 " * 65) == 4
        assert score("Score: 4 Score: 3 " * 33) is None
        assert score("1 " * 200 + "Score: 4") == 4


class TestCutReplies:
    @pytest.mark.parametrize("reply", ["4", "Score: 4", "Because.\n\nScore: 4 so", "Coherence: 4", "**Score:** 4*"])
    def test_a_number_near_the_end_is_not_trusted(self, reply: str) -> None:
        assert score(reply) == 4
        assert score(reply, "length") is None

    @pytest.mark.parametrize(
        "reply",
        ["Score: 4\n\nBecause of it", "I would rate this a 4. It is", "[[4]] is what I think", "It is so.\n\n[[4]] as"],
    )
    def test_one_that_is_known_to_have_ended_is(self, reply: str) -> None:
        assert score(reply, "length") == 4


class TestATopBeforeItsScore:
    @pytest.mark.parametrize(
        "reply",
        [
            "점수는 5점 만점에 4점입니다.",
            "평점: 5점 만점에 4점",
            "5점 만점 중 4점",
            "点数は5点満点で4点です。",
            "5点満点中4点",
        ],
    )
    def test_is_not_the_score(self, reply: str) -> None:
        assert parse_score(reply, 1, 5).value == 4

    @pytest.mark.parametrize("reply", ["점수는 10점 만점에 4점입니다.", "点数は10点満点で4点です。"])
    def test_and_another_one_than_the_declared_leaves_none(self, reply: str) -> None:
        assert parse_score(reply, 1, 5).value is None
        assert parse_score(reply, 0, 100).value is None

    def test_a_rating_is_counted_in_points_of_any_language(self) -> None:
        assert parse_score("Puntuación: 4,5 puntos", 1, 5).value == 4.5
        assert parse_score("Nota: 4 pontos", 1, 5).value == 4
