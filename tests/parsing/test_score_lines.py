"""Scores that a line, an element or a field gives in one of the shapes of well-known rubrics."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_score
from magistrate.parsing.numerals import Scale
from magistrate.parsing.score_fields import Candidate
from magistrate.parsing.score_lines import alone, beside_others, leading, named, opening

FIVE = Scale(1, 5)


def _told(text: str, found: Candidate | None) -> tuple[float, str, str] | None:
    """The score, the words that it stands in, and what it was read from."""
    return None if found is None else (found.value, text[slice(*found.span)], found.format)


class TestOneNameAndOneNumber:
    @pytest.mark.parametrize(
        ("reply", "value"),
        [
            ("- Coherence: 4", 4),
            ("* **Fluency:** 3", 3),
            ("Evaluation Form (scores ONLY):\n- Consistency: 3", 3),
            ("Evaluation Form:\n\n- Coherence: 4", 4),
            ("On a 1-5 scale: 4", 4),
            ("The tea is left out, 1 detail.\nstars: 4", 4),
            ("#thereason: It names 2 teas.\n#thescore: 4.", 4),
            ("4 pts", 4),
        ],
    )
    def test_a_form_with_one_entry_is_read(self, reply: str, value: float) -> None:
        assert parse_score(reply, 1, 5).value == value

    @pytest.mark.parametrize(
        "reply",
        [
            "Evaluation Form:\n- Consistency: 3\n- Fluency: 4",
            "- taste (2/5): too mild\n- looks: 4 out of 5\n\nA fair cup.",
            "Scale: 5",
            "Score: 3\n4",
        ],
    )
    def test_several_entries_and_settings_are_not(self, reply: str) -> None:
        assert parse_score(reply, 1, 5).value is None


class TestEastAsianPoints:
    @pytest.mark.parametrize(
        "reply",
        [
            "我给这杯茶的描述打8分，因为它提到了3种茶中的2种。",
            "因此我给出8分。",
            "综上，得8分。",
            "评8分",
            "[評価] 8点\n[理由] 2つ足りません。",
            "【評価】8点",
        ],
    )
    def test_are_read_in_a_sentence_and_behind_a_heading(self, reply: str) -> None:
        assert parse_score(reply, 1, 10).value == 8


class TestElements:
    def test_the_one_called_the_score_counts_beside_others(self) -> None:
        assert parse_score("<score>4</score>\n<confidence>5</confidence>", 1, 5).value == 4
        assert parse_score("<taste>4</taste>\n<overall>5</overall>", 1, 5).value == 5

    @pytest.mark.parametrize("reply", ["<score>4</score>\n<score>5</score>", "<taste>4</taste>\n<looks>5</looks>"])
    def test_two_of_a_rank_are_none(self, reply: str) -> None:
        assert parse_score(reply, 1, 5).value is None

    def test_what_is_struck_out_is_not_said(self) -> None:
        assert parse_score("Score: <del>3</del> 4", 1, 5).value != 3


class TestNumbersWithAWord:
    @pytest.mark.parametrize("said", ["4.0 - good", "4 (good)", "Good (4)", "4: good", "4/5 (good)"])
    def test_are_read_in_a_field(self, said: str) -> None:
        assert parse_score(f'{{"score": "{said}"}}', 1, 5).value == 4

    @pytest.mark.parametrize(
        "said", ["less than (4)", "4 - 5", "4 (good)/10", "4 (out of 10)", "not good (4)", "4 or 5"]
    )
    def test_bounds_ranges_and_other_tops_are_not(self, said: str) -> None:
        assert parse_score(f'{{"score": "{said}"}}', 1, 5).value is None

    def test_an_overall_object_stands_above_its_parts(self) -> None:
        assert parse_score('{"taste": {"score": 2}, "looks": {"score": 3}, "overall": {"score": 4}}', 1, 5).value == 4


class TestTakenBack:
    @pytest.mark.parametrize(
        "reply", ["Score: 4\nI take that back.", "Score: 4. I take that back.", "Score: 4\nWait, scratch that."]
    )
    def test_in_the_next_words_leaves_none(self, reply: str) -> None:
        assert parse_score(reply, 1, 5).value is None

    def test_nor_does_another_field(self) -> None:
        assert parse_score("Score: 4\nReason: upon review, the tea is dry.", 1, 5).value == 4

    def test_later_words_may_speak_of_something_else(self) -> None:
        assert parse_score("Score: 4\n\nReason: it made a mistake in the second line.", 1, 5).value == 4


class TestOpening:
    @pytest.mark.parametrize(
        "reply",
        ["4 - The tea is described well.", "4: mostly right", "4/5 – fine", "**4** - fine\n\nThe year is left out."],
    )
    def test_a_number_before_a_dash_or_a_colon_is_the_score(self, reply: str) -> None:
        assert parse_score(reply, 1, 5).value == 4

    @pytest.mark.parametrize(
        "reply", ["1: yes\n2: no", "1 - fine\n2 - bad", "3 - 4 reasons", "4: 5", "4-bit tea", "4. The tea is green."]
    )
    def test_items_ranges_and_words_are_not(self, reply: str) -> None:
        assert parse_score(reply, 1, 5).value is None

    @pytest.mark.parametrize(
        "reply", ["On a scale from 1 to 5, this answer is a 4.", "This is a 4 because one tea is missing."]
    )
    def test_what_an_answer_is(self, reply: str) -> None:
        assert parse_score(reply, 1, 5).value == 4

    @pytest.mark.parametrize(
        "reply", ["This is a 4-star tea.", "The answer is a 4 page text.", "It is a 4.5 litre pot."]
    )
    def test_and_what_only_has_a_number(self, reply: str) -> None:
        assert parse_score(reply, 1, 5).value is None


class TestConclusions:
    @pytest.mark.parametrize(
        "reply", ["The score is [[4]]. All in all this tea is scored 3/5.", "Score: 4\n\nIn the end it deserves 3/5."]
    )
    def test_that_give_another_score_leave_none(self, reply: str) -> None:
        assert parse_score(reply, 1, 5).value is None

    @pytest.mark.parametrize(
        "reply", ["Score: 4\n\nAll in all this tea is scored 4/5.", "Its smell gets 3/5.\nScore: 4"]
    )
    def test_that_give_the_same_or_only_rate_a_part_change_nothing(self, reply: str) -> None:
        assert parse_score(reply, 1, 5).value == 4


class TestLeading:
    @pytest.mark.parametrize("line", ["4", "**4**", "`4`", "_4_", " \t4 ", "\n\n4", "4\r"])
    def test_the_first_line_is_the_score_where_it_is_a_number_and_nothing_else(self, line: str) -> None:
        text = f"{line}\nIt names 3 of the 5 teas."
        [found] = leading(text, FIVE)
        assert _told(text, found) == (4.0, "4", "number")

    def test_a_share_is_taken_whole(self) -> None:
        [found] = leading("4/5\nFine.", FIVE)
        assert (found.value, found.span) == (4.0, (0, 3))

    @pytest.mark.parametrize("text", ["", "7\nToo much.", "four\nFine.", "Tea: 4\nFine.", "Fine.\n4", "4.\nFine."])
    def test_any_other_first_line_leads_with_none(self, text: str) -> None:
        assert leading(text, FIVE) == []


class TestOpeningNumber:
    @pytest.mark.parametrize("text", ["4 - fine tea", " **4** - fine tea", "4: fine tea", "\n4 — fine tea\nNo more."])
    def test_stands_in_its_own_place(self, text: str) -> None:
        assert _told(text, opening(text, cut=False, scale=FIVE)) == (4.0, "4", "number")

    @pytest.mark.parametrize("text", ["4 - fine\n5 - bad", "Tea 4 - fine", "4 - 5 teas", "4-fold", "4 -"])
    def test_an_item_a_range_and_a_compound_open_nothing(self, text: str) -> None:
        assert opening(text, cut=False, scale=FIVE) is None

    def test_a_reply_that_was_cut_off_may_go_on_with_items(self) -> None:
        assert opening("4 - fine tea", cut=True, scale=FIVE) is None


class TestNamed:
    @pytest.mark.parametrize(
        "text",
        [
            "Coherence: 4",
            "\n**Coherence:** 4\n",
            "Form:\n- Coherence = 4",
            "_Coherence_：4",
            "On this scale: 4",
            "using the range: 4",
        ],
    )
    def test_one_name_and_one_number(self, text: str) -> None:
        assert _told(text, named(text, FIVE, cut=False)) == (4.0, "4", "labelled")

    @pytest.mark.parametrize(
        "text",
        [
            "Scale: 5",
            "Rating scale: 5",
            "Weight: 4",
            "line: 4",
            "Confidence: 4",
            "Number of errors: 4",
            "User rating: 4",
            "Coherence: high",
            "4: 4",
            "Coherence: 4\nTone: 4",
        ],
    )
    def test_settings_counts_and_the_ratings_of_others_are_none(self, text: str) -> None:
        assert named(text, FIVE, cut=False) is None

    def test_a_number_at_the_end_of_a_cut_may_go_on(self) -> None:
        assert named("Coherence: 4", FIVE, cut=True) is None


class TestBesideOthers:
    @staticmethod
    def _beside(text: str, found: str) -> bool:
        at = text.index(found) + len(found) - 1
        return beside_others(text, Candidate(4.0, (at, at + 1), "labelled"), FIVE)

    @pytest.mark.parametrize(
        "text", ["Tone: 3\nScore: 4", "Score: 4\nTone: 3", "Score: 4\n**Tone:** 3", "Score: 4\n- Tone = 3"]
    )
    def test_another_line_that_rates_differently(self, text: str) -> None:
        assert self._beside(text, "Score: 4")

    @pytest.mark.parametrize(
        "text",
        [
            "Score: 4",
            "Score: 4\nTone: 4",
            "Score: 4\nErrors: 2",
            "Score: 4\nConfidence: 3",
            "Score: 4\nTone: calm",
            "Score: 4\nTone 3",
        ],
    )
    def test_the_same_number_counts_and_its_own_line_do_not(self, text: str) -> None:
        assert not self._beside(text, "Score: 4")

    def test_its_own_line_may_give_it_in_another_form(self) -> None:
        assert not beside_others("Score: 5", Candidate(4.0, (0, 8), "labelled"), FIVE)
        assert not beside_others("Fine.\nScore: 5", Candidate(4.0, (6, 14), "labelled"), FIVE)


class TestAlone:
    @pytest.mark.parametrize(
        "text", ["4", "4\nFine tea.", "Fine tea.\n4", "Fine tea.\n\n \t4", "Score: 3\nA dry tea.\n4"]
    )
    def test_the_first_or_the_last_line_may_be_the_number(self, text: str) -> None:
        assert _told(text, alone(text, FIVE, cut=False)) == (4.0, "4", "number")

    @pytest.mark.parametrize("text", ["**4**", "[4]", "(4)", " `4`", "Fine tea.\n_4_"])
    def test_marks_around_it_do_not_matter(self, text: str) -> None:
        found = alone(text, FIVE, cut=False)
        assert found is not None
        assert found.value == 4
        assert text[slice(*found.span)] == "4"

    def test_of_two_that_agree_the_first_is_told(self) -> None:
        found = alone("4\nFine tea.\n4", FIVE, cut=False)
        assert found is not None
        assert found.span == (0, 1)

    @pytest.mark.parametrize("text", ["", "Fine tea.\n4\nIndeed.", "4\nFine tea.\n5", "Score: 3\n4", "Tea: **3**\n\n4"])
    def test_two_that_differ_and_one_in_the_midst_are_none(self, text: str) -> None:
        assert alone(text, FIVE, cut=False) is None

    def test_a_last_line_below_another_number_leaves_the_first(self) -> None:
        found = alone("4\nTone: 3\n5", FIVE, cut=False)
        assert found is not None
        assert found.value == 4

    def test_the_last_line_of_a_cut_may_go_on(self) -> None:
        assert alone("4", FIVE, cut=True) is None
        assert alone("Fine tea.\n4", FIVE, cut=True) is None
        found = alone("4\nFine tea.\n3", FIVE, cut=True)
        assert found is not None
        assert found.value == 4


class TestNumbersInWords:
    @pytest.mark.parametrize(
        "reply", ["Rating: four", "**Score:** Four out of five", "Dry.\nFinal score: four.\nDull."]
    )
    def test_behind_the_name_of_a_score_are_one(self, reply: str) -> None:
        assert parse_score(reply, 1, 5).value == 4

    @pytest.mark.parametrize(
        "reply", ["four", "Rating: fair", "Score: four out of ten", "Score: four\nScore: two", "Score: four or five"]
    )
    def test_alone_out_of_another_top_or_twice_they_are_none(self, reply: str) -> None:
        assert parse_score(reply, 1, 5).value is None

    @pytest.mark.parametrize("reply", ["⭐⭐⭐⭐☆ (4/5)", "★★★★☆ 4/5"])
    def test_stars_stand_before_a_part_of_the_top(self, reply: str) -> None:
        assert parse_score(reply, 1, 5).value == 4


class TestNamesOfCounts:
    @pytest.mark.parametrize("name", ["Token", "Tokens", "Lines", "Pages", "Versions", "Errors found", "Penalties"])
    def test_are_no_names_of_ratings_in_the_plural_either(self, name: str) -> None:
        assert parse_score(f"{name}: 4", 1, 5).value is None

    @pytest.mark.parametrize("name", ["Correctness", "Conciseness", "Clarity"])
    def test_a_quality_is_one_whatever_it_ends_with(self, name: str) -> None:
        assert parse_score(f"{name}: 4", 1, 5).value == 4
