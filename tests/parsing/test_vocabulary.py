"""The words of a scale: whole words, in any width and case; what is not in the table is unknown."""

from __future__ import annotations

from typing import Any

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.parsing.vocabulary import Vocabulary, fold, vocabulary_of
from magistrate.verdict import BINARY, GRADED, TERNARY, IssueCode, Scale, Verdict

YES, NO, CONTRA = Verdict.SUPPORTED, Verdict.UNSUPPORTED, Verdict.CONTRADICTED
NEI, PARTLY = Verdict.NOT_ENOUGH_INFO, Verdict.PARTIALLY_SUPPORTED
UNKNOWN, RANGE = IssueCode.UNKNOWN_LABEL, IssueCode.OUT_OF_RANGE
MISSING, CONFLICT = IssueCode.MISSING_VERDICT, IssueCode.CONFLICTING_VERDICTS


class TestFold:
    @pytest.mark.parametrize(
        ("written", "folded"),
        [
            ("  Not_Enough-Info ", "not enough info"),
            ("ＹＥＳ", "yes"),
            ("can’t say", "can't say"),
            ("y\u200bes", "yes"),
            ("not\n supported", "not supported"),
            ("Sí", "sí"),
            ("Si\u0301", "sí"),
        ],
    )
    def test_one_form(self, written: str, folded: str) -> None:
        assert fold(written) == folded


class TestBinary:
    @pytest.mark.parametrize(
        ("value", "reading"),
        [
            ("yes", YES),
            ("Yes.", YES),
            ("**YES**", YES),
            ("supported", YES),
            ("(Supported)", YES),
            ("1", YES),
            (1, YES),
            (1.0, YES),
            (True, YES),
            ("✅", YES),
            ("✅ Yes", YES),
            ("no", NO),
            ("not supported", NO),
            ("Not Supported", NO),
            ("not directly supported", NO),
            ("0", NO),
            (0, NO),
            (False, NO),
            ("❌", NO),
            ("contradicted", NO),
            ("yes, the page says so", YES),
            ("No - it is closed", NO),
            ("Yes because the page says so", YES),
            ("idk", RANGE),
            ("not enough info", RANGE),
            ("partially supported", RANGE),
            ("n/a", RANGE),
            (2, RANGE),
            (0.5, RANGE),
            (-1, RANGE),
            ("2", RANGE),
            ("123456789", RANGE),
            ("yesterday", UNKNOWN),
            ("maybe", UNKNOWN),
            ("unsupportedly", UNKNOWN),
            ("supportednot", UNKNOWN),
            ("yes/no", CONFLICT),
            ("yes or no", CONFLICT),
            ("✅ No", CONFLICT),
            ("yes, but only in part", UNKNOWN),
            ("Supported, except the date", UNKNOWN),
            ("", MISSING),
            ("  ", MISSING),
            ("-", MISSING),
            (None, MISSING),
            ([], UNKNOWN),
            ({}, UNKNOWN),
        ],
    )
    def test_reading(self, value: Any, reading: Any) -> None:
        assert vocabulary_of("binary").read(value) is reading


class TestTernary:
    @pytest.mark.parametrize(
        ("value", "reading"),
        [
            ("supported", YES),
            ("contradicted", CONTRA),
            ("refutes", CONTRA),
            ("neutral", NEI),
            ("NotEnoughInfo", NEI),
            ("NOT_ENOUGH_INFO", NEI),
            ("no", CONTRA),
            ("false", CONTRA),
            ("not supported", RANGE),
            (False, RANGE),
            (True, YES),
            (1, RANGE),
            ("0", RANGE),
            ("partially supported", RANGE),
        ],
    )
    def test_reading(self, value: Any, reading: Any) -> None:
        assert vocabulary_of("ternary").read(value) is reading


class TestGraded:
    @pytest.mark.parametrize(
        ("value", "reading"),
        [("partially supported", PARTLY), ("mixed", PARTLY), ("fully supported", YES), ("half true", PARTLY)],
    )
    def test_reading(self, value: Any, reading: Any) -> None:
        assert vocabulary_of("graded").read(value) is reading


class TestOwnWords:
    def test_come_before_the_built_in_ones(self) -> None:
        scale = Scale("mine", (YES, NO), {"green": YES, "right": NO, "fully met": YES})
        words = Vocabulary(scale)
        assert words.read("GREEN") is YES
        assert words.read("right") is NO
        assert words.read("fully_met") is YES
        assert words.read("FullyMet") is YES

    def test_a_scale_with_two_denials_leaves_a_plain_no_open(self) -> None:
        words = Vocabulary(Scale("both", (YES, CONTRA, NO)))
        assert words.read("no") is RANGE
        assert words.read("contradicted") is CONTRA
        assert words.read("not supported") is NO

    def test_a_scale_of_yes_and_unknown_has_no_numbers(self) -> None:
        assert Vocabulary(Scale("two", (YES, NEI))).read(0) is RANGE
        assert Vocabulary(Scale("contra", (YES, CONTRA))).read(0) is CONTRA


class TestWord:
    @pytest.mark.parametrize(
        ("text", "reading"), [("yes", YES), ("*No*", NO), ("1", YES), ("3", RANGE), ("idk", RANGE)]
    )
    def test_a_text_that_is_one_word(self, text: str, reading: Any) -> None:
        assert vocabulary_of("binary").word(text) is reading

    @pytest.mark.parametrize("text", ["yes it is", "maybe", "", "<yes", "{no"])
    def test_or_is_none(self, text: str) -> None:
        assert vocabulary_of("binary").word(text) is None


class TestLead:
    @pytest.mark.parametrize(
        ("text", "reading"),
        [("yes, it says so", YES), ("not supported: no such page", NO), ("✅ yes - see page 3", YES)],
    )
    def test_the_word_at_the_head(self, text: str, reading: Any) -> None:
        found = vocabulary_of("binary").lead(text)
        assert found is not None
        assert found[0] is reading

    @pytest.mark.parametrize("text", ["the page says yes", "yes man", "1. the plate says so", "", "nobody knows"])
    def test_or_none(self, text: str) -> None:
        assert vocabulary_of("binary").lead(text) is None

    def test_numbers_are_words_only_where_asked_for(self) -> None:
        words = vocabulary_of("binary")
        assert words.lead("1 - it says so", numbers=False) is None
        found = words.lead("1 - it says so")
        assert found is not None
        assert found[0] is YES


class TestLookUp:
    def test_is_built_once(self) -> None:
        assert vocabulary_of("binary") is vocabulary_of(BINARY)
        scale = Scale("own", (YES, NO), {"ay": YES})
        assert vocabulary_of(scale) is vocabulary_of(scale)
        assert vocabulary_of(Scale("own", (YES, NO), {"ay": YES})) is vocabulary_of(scale)

    def test_an_unknown_name_is_an_error(self) -> None:
        with pytest.raises(ValueError, match="unknown scale"):
            vocabulary_of("octal")

    @pytest.mark.parametrize("scale", [BINARY, TERNARY, GRADED])
    def test_every_verdict_reads_as_itself(self, scale: Scale) -> None:
        words = vocabulary_of(scale)
        assert [words.read(verdict.value) for verdict in scale.verdicts] == list(scale.verdicts)

    def test_a_plain_no_is_told_from_contradicted(self) -> None:
        words = vocabulary_of("ternary")
        assert words.is_plain_no("No.")
        assert not words.is_plain_no("contradicted")
        assert not words.is_plain_no(0)


class TestNegativeNumbers:
    """A dash that stands directly before a digit is its sign: -1 is on no scale."""

    @pytest.mark.parametrize("text", ["-1", "-0", "\u22121", "\u20131", "**-1**", '"-1"', "(-1)", "-1.0", "- -1"])
    def test_are_not_on_the_scale(self, text: str) -> None:
        words = vocabulary_of("binary")
        assert words.word(text) is IssueCode.OUT_OF_RANGE
        assert words.read(text) is IssueCode.OUT_OF_RANGE

    @pytest.mark.parametrize("text", ["- 1", "-yes", "- yes", "1 -", "\u2014 yes"])
    def test_are_told_from_bullets_and_dashes(self, text: str) -> None:
        assert vocabulary_of("binary").read(text) is Verdict.SUPPORTED

    @pytest.mark.parametrize("reply", ['{"verdict": "-1"}', "Verdict: -1", "-1", "1. -1", '["-1"]', "-1: it says so"])
    def test_give_no_verdict_in_any_format(self, reply: str) -> None:
        reading = parse_verdicts(reply, ["The ferry leaves at six."])
        assert list(reading.found) == [None]
        assert reading.issues
