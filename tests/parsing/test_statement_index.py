"""Finding the statement that a judge means: by its id in the prompt, or by its text."""

from __future__ import annotations

import pytest

from magistrate.parsing.rows import Row
from magistrate.parsing.statement_index import Statements, default_ids, echo_key
from magistrate.verdict import Verdict

TEXTS = ("The lamp is lit at 7.", "The lamp is not lit in June.", "Ships pass in spring.")


def echoed(*texts: str, among: tuple[str, ...] = TEXTS) -> list[int | None]:
    return Statements(among).echoes([Row(Verdict.SUPPORTED, echo=text) for text in texts])


class TestIds:
    def test_numbers_count_from_one(self) -> None:
        known = Statements(TEXTS)
        assert [known.by_id(number) for number in (0, 1, 3, 4)] == [None, 0, 2, None]
        assert known.by_id("one") is None

    def test_ids_of_the_prompt_are_found_in_any_case(self) -> None:
        known = Statements(TEXTS, ("Alpha", "beta", "c-3"))
        assert [known.by_id(one) for one in ("alpha", "BETA", "c 3", "delta")] == [0, 1, 2, None]

    def test_their_numbers_too_where_each_has_one_of_its_own(self) -> None:
        known = Statements(TEXTS, ("s4", "s5", "s9"))
        assert [known.by_id(number) for number in (4, 5, 9, 1)] == [0, 1, 2, None]

    def test_not_where_two_have_the_same(self) -> None:
        known = Statements(TEXTS, ("s4", "claim 4", "s9"))
        assert known.by_id(4) is None
        assert known.by_id("claim 4") == 1

    def test_default_ids(self) -> None:
        assert default_ids(3) == ("s1", "s2", "s3")
        assert Statements(TEXTS).ids == ("s1", "s2", "s3")
        assert len(default_ids(600)) == 600

    @pytest.mark.parametrize(
        ("ids", "shift"),
        [((1, 2, 3), 0), ((0, 1, 2), 1), ((2,), 0), ((0, 1), None), ((1, 2, 3, 0), 0), ((4,), None), (("x",), None)],
    )
    def test_what_to_add_to_count_from_one(self, ids: tuple[int | str, ...], shift: int | None) -> None:
        assert Statements(TEXTS).base(ids) == shift

    def test_ids_of_the_prompt_need_no_shift(self) -> None:
        assert Statements(TEXTS, ("a", "b", "c")).base((0, 1, 2)) == 0


class TestTexts:
    def test_a_text_word_for_word(self) -> None:
        assert echoed(TEXTS[2], TEXTS[0]) == [2, 0]

    def test_case_marks_and_blanks_do_not_count(self) -> None:
        assert echoed("the LAMP is lit, at 7") == [0]

    def test_nor_does_a_small_slip(self) -> None:
        assert echoed("Ships pass in the spring.") == [2]

    @pytest.mark.parametrize("text", ["The lamp is lit at 8.", "The lamp is not lit at 7.", "The lamp is lit in June."])
    def test_another_number_or_negation_is_another_statement(self, text: str) -> None:
        assert echoed(text) == [None]

    def test_a_text_near_two_is_neither(self) -> None:
        among = ("The red door leads to the yard.", "The red door leads to the bard.")
        assert echoed("The red door leads to the card.", among=among) == [None]

    def test_the_same_text_twice_names_neither(self) -> None:
        assert echoed("It rains.", among=("It rains.", "It rains.")) == [None]
        assert echoed("it rains", among=("It rains.", "It rains.")) == [None]

    def test_signs_of_negation_in_other_scripts_count(self) -> None:
        assert echoed("灯在七点没有点亮。", among=("灯在七点有点亮。", "船在春天经过。")) == [None]

    def test_no_text_no_statement(self) -> None:
        assert Statements(TEXTS).echoes([Row(Verdict.SUPPORTED), Row(Verdict.SUPPORTED, echo="")]) == [None, None]
        assert echoed("...", TEXTS[0]) == [None, 0]

    def test_what_is_known_already_is_taken(self) -> None:
        assert Statements(TEXTS).echoes([Row(Verdict.SUPPORTED, echo_index=1)]) == [1]

    def test_strangers_without_end_are_not_compared(self) -> None:
        known = Statements(TEXTS)
        rows = [Row(Verdict.SUPPORTED, echo=f"Stranger number {number} walks by.") for number in range(200)]
        rows.append(Row(Verdict.SUPPORTED, echo="Ships pass in the spring."))
        assert known.echoes(rows) == [None] * 201

    def test_knows_its_statements(self) -> None:
        known = Statements(TEXTS)
        assert known.knows(TEXTS[0])
        assert known.knows("ships pass in spring")
        assert not known.knows("Ships pass.")
        assert not known.knows("")
        assert not known.knows("x" * 5_000)


class TestEchoKey:
    def test_words_and_numbers_only(self) -> None:
        assert echo_key("  The «Lamp»: 7 % — isn't lit! ") == "the lamp 7 % isn't lit"

    def test_other_scripts_keep_their_marks(self) -> None:
        assert echo_key("灯在七点。") == "灯在七点"
        assert "जलता" in echo_key("दीप जलता है।")
