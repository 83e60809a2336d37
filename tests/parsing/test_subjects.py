"""A rating of something else, or somebody else's, is no score; nor is a part of a whole that only stands in a text."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_score


class TestWhatIsRated:
    @pytest.mark.parametrize(
        "reply",
        [
            "The museum has a rating of 8.",
            "The museum is rated 8.",
            "The kettle's rating is 8.",
            "The context gives a score of 8 to the museum.",
            "The final score of the match was 8.",
            "Score of the match: 8",
        ],
    )
    def test_something_else_is_no_answer(self, reply: str) -> None:
        assert parse_score(reply, 0, 10).value is None

    @pytest.mark.parametrize(
        "reply",
        [
            "The answer has a rating of 8.",
            "The response is rated 8.",
            "The answer's rating is 8.",
            "The final score of the answer is 8.",
            "The score for this response is 8.",
            "The faithfulness is rated 8.",
            "The final score is 8.",
            "I give this answer a score of 8.",
            "The coherence of the text gets an 8.",
            "Score for coherence: 8",
        ],
    )
    def test_the_answer_and_its_qualities_are(self, reply: str) -> None:
        assert parse_score(reply, 0, 10).value == 8


class TestWhoseRatingItIs:
    @pytest.mark.parametrize(
        "reply",
        ["Rated 4/5 by visitors.", "Other reviewers gave 4/5.", "Visitors gave it a 4.", "Rating: 4 by customers"],
    )
    def test_other_peoples_counts_for_nothing(self, reply: str) -> None:
        assert parse_score(reply, 1, 5).value is None

    @pytest.mark.parametrize(
        "reply",
        [
            "A perfect answer would score 10.",
            "A flawless response gets 10.",
            "Answers with two slips get 8.",
            "To score 10, the answer must name the bridge.",
            "In order to get 10, a source is needed.",
            "A score of 8 is given for good answers.",
            "Score = 10 - slips",
        ],
    )
    def test_what_some_kind_of_answer_would_get_is_not_given(self, reply: str) -> None:
        assert parse_score(reply, 0, 10).value is None

    @pytest.mark.parametrize(
        "reply",
        [
            "Score: 4\n\nA perfect answer would score 5.",
            "Score: 4\n\nTo score 5, the answer must name the bridge.",
            "This is a good answer and gets 4.",
        ],
    )
    def test_beside_the_score_it_changes_nothing(self, reply: str) -> None:
        assert parse_score(reply, 1, 5).value == 4


class TestPartsOfAWhole:
    @pytest.mark.parametrize(
        ("reply", "top"),
        [
            ("Reviewed on 4/5. The bridge is old.", 5),
            ("On 3/5 it rained.", 5),
            ("Page 3/5", 5),
            ("Part 3/5: fine", 5),
            ("Question 4/5: the bridge is old.", 5),
            ("Date: 4/5", 5),
            ("3/5 done", 5),
            ("3/5 of the bridge is wood.", 5),
            ("The ratio is 4/5.", 5),
            ("The wall holds 60 % sand.", 100),
            ("60% sand", 100),
            ("It is 60 % full.", 100),
            ("60% of the claims are supported.", 100),
            ("I count 4/5 as right.", 5),
        ],
    )
    def test_in_a_text_are_no_scores(self, reply: str, top: int) -> None:
        assert parse_score(reply, 1 if top == 5 else 0, top).value is None

    @pytest.mark.parametrize(
        "reply",
        [
            "8/10",
            "**8/10**.",
            "8/10 - clear",
            "8/10 because it is clear",
            "8/10. It is clear.",
            "about 8/10",
            "I'd give it 8/10",
            "It deserves 8/10.",
            "Clear and short - 8/10",
            "Well above the middle: 8/10, mainly for its sources.",
            "A solid 8/10.",
            "This answer is an 8/10 for me.",
            "得分是8/10",
            "Nota: 8/10",
        ],
    )
    def test_alone_or_beside_a_word_for_it_they_are(self, reply: str) -> None:
        assert parse_score(reply, 0, 10).value == 8


class TestFieldsThatRateNothing:
    @pytest.mark.parametrize(
        "key",
        [
            "number_of_errors",
            "penalty",
            "points_lost",
            "hallucination_count",
            "numClaims",
            "total_facts",
            "rank",
            "human_score",
            "expected_score",
            "previousScore",
        ],
    )
    def test_the_only_number_under_such_a_key_is_no_score(self, key: str) -> None:
        assert parse_score(f'{{"{key}": 8}}', 0, 10).value is None

    @pytest.mark.parametrize("key", ["relevance", "final_score", "quality_score", "overallQuality", "factual_accuracy"])
    def test_under_the_name_of_a_quality_it_is(self, key: str) -> None:
        assert parse_score(f'{{"{key}": 8, "errors": 2}}', 0, 10).value == 8


class TestReasons:
    @pytest.mark.parametrize(
        "reason", ["So the score is 3.", "It is short. Score: 3", "Fine, thus the rating should be 3/5."]
    )
    def test_one_that_ends_with_another_score_leaves_none(self, reason: str) -> None:
        assert parse_score(f'{{"score": 4, "reason": "{reason}"}}', 1, 5).value is None

    @pytest.mark.parametrize(
        "reason",
        ["So the score is 4.", "A score of 5 would need sources.", "It has 3 of 4 facts.", "Score: 3 would be harsh"],
    )
    def test_others_change_nothing(self, reason: str) -> None:
        assert parse_score(f'{{"score": 4, "reason": "{reason}"}}', 1, 5).value == 4
