"""Numbers near the name of a score that are no score, and scores that are put right afterwards."""

from __future__ import annotations

import json

import pytest

from magistrate.parsing import parse_score
from magistrate.parsing.figures import concluded, corrected_to, in_a_range, is_index, moved_to
from magistrate.verdict import IssueCode


class TestCounts:
    @pytest.mark.parametrize(
        "reply",
        [
            "7 out of 10 stops are named correctly.",
            "9 of 10 travellers agree.",
            "It gets 7 out of 10 departures right.",
            "I count 7 out of 10 as right.",
            "I am 9/10 confident.",
            "Score: 3 errors",
            "Score: 3 major errors found, so 7",
            "Score: 3 of the four departures",
            "Score: 8 points deducted",
            "Rate: 8 per day",
            "Score: 8 or less",
            "Score: 8 at most",
            "Score: 8 max",
            "Points deducted: 2",
            "Score difference: 2",
            "Score change: +1",
            "Confidence score: 9",
            "My confidence in this score is 9",
        ],
    )
    def test_are_no_scores(self, reply: str) -> None:
        assert parse_score(reply, 0, 10).value is None

    @pytest.mark.parametrize(
        ("reply", "value"),
        [
            ("Score: 7 points", 7),
            ("I'd give it 8/10 because the stops are in order.", 8),
            ("Score: 8 as the fares agree", 8),
            ("Score: 8 Reason: the fares agree", 8),
            ("8 out of 10.", 8),
        ],
    )
    def test_units_and_reasons_are_no_things(self, reply: str, value: float) -> None:
        assert parse_score(reply, 0, 10).value == value


class TestSums:
    @pytest.mark.parametrize(
        "reply",
        [
            "Weighted score: 0.4*8 + 0.6*6 = 6.8",
            "Score: 8 minus 1",
            "Score: 8 plus 1",
            "Score: 8+1",
            "Score: 9 x 0.5",
            "Base score 8, penalty 2, final 6",
            "Preliminary score: 8",
        ],
    )
    def test_a_term_is_no_score(self, reply: str) -> None:
        assert parse_score(reply, 0, 10).value is None


class TestParts:
    @pytest.mark.parametrize(
        "reply",
        [
            "It scores 8 for tone, 6 for facts.",
            "Rating 8 for style and 6 for substance",
            "I rate the tone 8/10; overall 7/10.",
            "Tone 8/10, facts 6/10",
            "6/10 - 7/10",
            "6/10 to 7/10",
            "Question: rate 1-10. Answer: 6",
            "Score: 4 - 5.",
            "(score: 3 – 4)",
            "I would rate it 3-4.",
            "Points: 8, 9 and 10 are missing.",
            "Score: 8 .5",
            "Score: 8\n9",
            "Score: 4/10 for tone, 3/10 for facts",
            "Score 1: 7\nScore 2: 8",
            "Tone: 3\nRefusal: 4\nHelpfulness score: 5",
            "Tone: 3\nHelpfulness score: 5",
        ],
    )
    def test_a_part_a_range_and_an_index_are_no_scores(self, reply: str) -> None:
        assert parse_score(reply, 0, 10).value is None


class TestRemarks:
    @pytest.mark.parametrize(
        "reply",
        [
            "Score (0 = worst, 10 = best): 7",
            "Rating [1=bad, 10=good]: 7",
            "Score (5 is average): 7",
            "**Overall** (3 criteria): 7",
            "Final score (out of 10): 7",
            "Rating (0-10, 10 best): 7",
            "Score (out of 10) = 7",
        ],
    )
    def test_what_stands_before_the_colon_is_passed_over(self, reply: str) -> None:
        assert parse_score(reply, 0, 10).value == 7

    @pytest.mark.parametrize(
        "reply", ["Score (0-100): 7", "Score (0-5): 4", "Score (out of 5): 4", "Score (100 is best): 9"]
    )
    def test_another_scale_stays_in_the_way(self, reply: str) -> None:
        assert parse_score(reply, 0, 10).value is None

    def test_a_number_in_brackets_is_the_score_where_no_colon_follows(self) -> None:
        assert parse_score("Score (7)", 0, 10).value == 7


class TestCorrections:
    @pytest.mark.parametrize(
        "reply",
        [
            "Score: 7. Correction: 6.",
            "Score: 7. Hmm, actually 6.",
            "Score: 7. Actually, 6.",
            "Score: 7. On second thought, 6.",
            "Score: 7. Wait, 6.",
            "Score: 7, no, 6.",
            "Score: 7... make that 6.",
            "Score: 7 -> corrected to 6",
            "Score: 7. Sorry, it's 6.",
            "Score: 7. Korrektur: 6.",
            "Score: 7。更正：6",
        ],
    )
    def test_another_number_in_its_place_leaves_none(self, reply: str) -> None:
        found = parse_score(reply, 0, 10)
        assert found.value is None
        assert IssueCode.CONFLICTING_VERDICTS in {issue.code for issue in found.issues}

    def test_a_whole_new_score_counts(self) -> None:
        assert parse_score("Score: 7\n\nCorrection: the score should be 6/10", 0, 10).value == 6

    def test_counts_behind_data_too(self) -> None:
        assert parse_score('{"score": 7}\nCorrection: 6', 0, 10).value is None

    @pytest.mark.parametrize(
        "reply",
        [
            "Score: 7. It actually names 3 of 4 stops.",
            "Score: 7. The correct year is 1804.",
            "Score: 7. Actually, 7.",
            "Score: 7. No 3rd stop is named.",
        ],
    )
    def test_the_same_number_and_other_words_leave_it(self, reply: str) -> None:
        assert parse_score(reply, 0, 10).value == 7

    def test_a_decimal_may_have_a_comma(self) -> None:
        assert corrected_to(". Korrektur: 6,5", 7.0)
        assert not corrected_to(". Korrektur: 7,0", 7.0)
        assert not corrected_to(". Correction: 6.5", 6.5)


class TestConcluded:
    @pytest.mark.parametrize(
        ("reason", "value"),
        [
            ("Two fares are wrong. So the score is 3.", 3.0),
            ("Thus, my final rating should be 4,5", 4.5),
            ("Two fares are wrong; grade = **2**", 2.0),
            ("The rating: 1.5/5", 1.5),
        ],
    )
    def test_a_reason_may_end_with_its_score(self, reason: str, value: float) -> None:
        assert concluded(reason) == value

    @pytest.mark.parametrize(
        "reason", ["", "The score is 3 of the fares.", "So the score is 3. The fares agree.", "It names 3."]
    )
    def test_or_with_something_else(self, reason: str) -> None:
        assert concluded(reason) is None


class TestPlacesOfNumbers:
    @pytest.mark.parametrize("follow", [": 7", " = +1", "** : .5", "：7"])
    def test_what_a_value_follows_is_an_index(self, follow: str) -> None:
        assert is_index(follow) is True

    @pytest.mark.parametrize("follow", ["", " 7", ": good", ", 7"])
    def test_what_none_follows_is_not(self, follow: str) -> None:
        assert is_index(follow) is False

    @pytest.mark.parametrize("before", ["6 - ", "6/10 – ", "6 to ", "6 oder "])
    def test_a_number_behind_a_range_ends_it(self, before: str) -> None:
        assert in_a_range(before) is True

    @pytest.mark.parametrize("before", ["", "6, ", "from ", "- "])
    def test_other_words_begin_none(self, before: str) -> None:
        assert in_a_range(before) is False


class TestMeasuredThings:
    @pytest.mark.parametrize(
        "reply",
        [
            "Sugar: 60 %",
            "**Sugar:** 60%",
            "The mix holds:\nSugar: 60 %",
            "Rye flour: 60 %",
            "Temperature: 60",
            "Population: 40",
            "Humidity: 60%",
            '{"temperature": 60}',
            '{"sugar": 60}',
        ],
    )
    def test_are_no_scores(self, reply: str) -> None:
        assert parse_score(reply, 0, 100).value is None

    @pytest.mark.parametrize(
        "reply",
        [
            "Score: 60 %",
            "Clarity: 60 %",
            "Faithfulness: 60%",
            "Overall match: 60%",
            "Relevanz: 60 %",
            "Klarheit: 60%",
            "Politeness: 60",
            "Tone: 60",
            '{"clarity": 60}',
        ],
    )
    def test_qualities_are(self, reply: str) -> None:
        assert parse_score(reply, 0, 100).value == 60


class TestMoved:
    @pytest.mark.parametrize(
        "text",
        [
            "However, considering the length, I lower it to 3.",
            "I'll bump it up to 3.",
            "I revise the score to 3",
            "Adjusted to 3 for the tone.",
            "I take one point off: 3.",
            "Minus one for the tone, so 3.",
            "I settle on 3.",
            "So overall it is a 3.",
            "I would drop it down to a 3/5.",
            "I lower it to 4, then reduce it to 3.",
        ],
    )
    def test_to_another_number(self, text: str) -> None:
        assert moved_to(text, 4.0)
        assert not moved_to(text, 3.0)
        assert parse_score(f"Score: 4\n{text}", 1, 5).value in {None, 3.0}
        assert parse_score(f"Score: 3\n{text}", 1, 5).value == 3.0
        assert parse_score(json.dumps({"score": 4, "reason": text}), 1, 5).value is None

    @pytest.mark.parametrize(
        "text",
        [
            "The river was lowered to 3 metres.",
            "The author changed it to 3 parts.",
            "I moved on to 3 further points of style.",
            "Overall, it is 3 sentences long.",
            "Deducting one point for the tone.",
        ],
    )
    def test_no_number_of_something_else(self, text: str) -> None:
        assert not moved_to(text, 4.0)
