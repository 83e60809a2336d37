"""What a vocabulary holds when it is built, for scales of two, of three and of a caller's own verdicts."""

from __future__ import annotations

from typing import Any

import pytest

from magistrate.parsing.vocabulary import Vocabulary
from magistrate.verdict import BINARY, GRADED, TERNARY, IssueCode, Scale, Verdict

YES, NO = Verdict.SUPPORTED, Verdict.UNSUPPORTED
OUT = IssueCode.OUT_OF_RANGE


class TestExactForms:
    @pytest.mark.parametrize(
        "form",
        [
            "not supported",
            "Not supported",
            "NOT SUPPORTED",
            "not_supported",
            "NOT_SUPPORTED",
            "no",
            "No",
            "NO",
            "n",
            "N",
        ],
    )
    def test_each_word_stands_there_in_the_cases_that_models_write(self, form: str) -> None:
        assert Vocabulary(BINARY).exact[form] is NO

    @pytest.mark.parametrize(("value", "verdict"), [(1, YES), (0, NO), ("1", YES), ("0", NO), (True, YES), (False, NO)])
    def test_numbers_and_truth_values_are_words_of_a_yes_and_a_no(self, value: Any, verdict: Verdict) -> None:
        assert Vocabulary(BINARY).look_up(value) is verdict

    @pytest.mark.parametrize("value", [1, 0, "1", "0", True, False])
    @pytest.mark.parametrize("scale", [TERNARY, GRADED])
    def test_of_no_other_scale(self, scale: Scale, value: Any) -> None:
        assert value not in Vocabulary(scale).exact

    @pytest.mark.parametrize("scale", [BINARY, TERNARY, GRADED])
    def test_every_value_is_a_verdict_that_is_offered(self, scale: Scale) -> None:
        assert set(Vocabulary(scale).exact.values()) == set(scale.verdicts)

    @pytest.mark.parametrize(("scale", "two"), [(BINARY, True), (TERNARY, False), (GRADED, False)])
    def test_two_verdicts_make_it_two_valued(self, scale: Scale, two: bool) -> None:
        assert Vocabulary(scale).two_valued is two


class TestWords:
    @pytest.mark.parametrize("scale", [BINARY, TERNARY, GRADED])
    def test_the_name_of_a_verdict_that_is_offered_says_it(self, scale: Scale) -> None:
        words = Vocabulary(scale)
        for verdict in scale.verdicts:
            assert words.word(verdict.value) is verdict

    def test_one_that_is_not_is_out_of_range(self) -> None:
        assert Vocabulary(BINARY).word("not_enough_info") is OUT
        assert Vocabulary(TERNARY).word("not supported") is OUT

    @pytest.mark.parametrize("written", ["NotEnoughInfo", "notenoughinfo", "not-enough-info", "NOT ENOUGH INFO"])
    def test_words_may_be_written_as_one(self, written: str) -> None:
        assert Vocabulary(TERNARY).word(written) is Verdict.NOT_ENOUGH_INFO

    def test_a_letter_that_two_verdicts_begin_with_says_none(self) -> None:
        assert Vocabulary(TERNARY).word("n") is None
        assert Vocabulary(BINARY).word("n") is NO

    def test_a_callers_own_words_may_be_longer_than_the_built_in_ones(self) -> None:
        own = Scale("own", (YES, NO), {"fully backed up in every way that we could think of": YES})
        words = Vocabulary(own)
        said = "fully backed up in every way that we could think of"
        assert words.lead(f"{said}, so far") == (YES, len(said))
        assert words.lead("fully backed up clearly in every way that we could think of, so") is not None


class TestNumbers:
    @pytest.mark.parametrize(
        ("text", "reading"), [("1.0", YES), ("0.0", NO), ("1.5", OUT), ("-1", OUT), ("2", OUT), ("123456789", OUT)]
    )
    def test_count_where_they_are_the_whole_word(self, text: str, reading: object) -> None:
        assert Vocabulary(BINARY).word(text) is reading

    @pytest.mark.parametrize("text", ["", "-", ".", "1.2.3", "1-2", "--1"])
    def test_what_is_no_number_is_no_word(self, text: str) -> None:
        assert Vocabulary(BINARY).word(text) in {None, OUT}
        assert Vocabulary(BINARY).word("1.2.3") is None


class TestBeginsAnother:
    @pytest.mark.parametrize("text", ["supp", "supported", "no", "n", "contra", ""])
    def test_where_more_letters_make_another_word(self, text: str) -> None:
        assert Vocabulary(BINARY).begins_another(text)

    @pytest.mark.parametrize("text", ["unsupported", "neutral", "yes", "zebra"])
    def test_not_where_they_make_none_or_the_same(self, text: str) -> None:
        assert not Vocabulary(BINARY).begins_another(text)


class TestReadAnew:
    @pytest.mark.parametrize(
        ("text", "reading"),
        [
            ("is supported", YES),
            ("it's supported", YES),
            ("supported: so yes", YES),
            ("supported: so no", IssueCode.CONFLICTING_VERDICTS),
            ("✅", YES),
            ("✅ ❌", IssueCode.CONFLICTING_VERDICTS),
            ("yes?", IssueCode.UNKNOWN_LABEL),
            ("Supported? No.", NO),
            ("Supported?", IssueCode.UNKNOWN_LABEL),
            ("Unsupported? No.", IssueCode.CONFLICTING_VERDICTS),
            ("yes / no", IssueCode.CONFLICTING_VERDICTS),
            ("1 (unsupported)", IssueCode.CONFLICTING_VERDICTS),
            ("supported (0)", IssueCode.CONFLICTING_VERDICTS),
            ("supported (1)", YES),
            ("not clearly supported", NO),
            ("not enough information in the log", OUT),
        ],
    )
    def test_a_value_of_a_few_words(self, text: str, reading: object) -> None:
        assert Vocabulary(BINARY).read(text) is reading
