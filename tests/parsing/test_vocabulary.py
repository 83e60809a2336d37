"""The words of a scale: whole words, in any width and case; what is not in the table is unknown."""

from __future__ import annotations

from collections.abc import Callable
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


Tell = Callable[..., tuple[str, ...]]


class TestReadings:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("yes", ("word supported", "read supported", "lead supported to 3")),
            ("YES!", ("word supported", "read supported", "lead supported to 3")),
            ("**No**", ("word unsupported", "read unsupported", "lead unsupported to 4")),
            ("not supported", ("word unsupported", "read unsupported", "lead unsupported to 13")),
            ("isn’t supported", ("word unsupported", "read unsupported", "lead unsupported to 15")),
            ("unsupported", ("word unsupported", "read unsupported", "lead unsupported to 11")),
            ("supported by it", ("word None", "read supported", "lead supported to 9")),
            ("supported, as it says", ("word None", "read supported", "lead supported to 9")),
            ("supported because of it", ("word None", "read supported", "lead supported to 9")),
            ("yes?", ("word unknown-label", "read unknown-label", "lead unknown-label to 3")),
            ("yes? no", ("word None", "read unsupported", "lead unsupported to 3")),
            ("yes?? ", ("word unknown-label", "read unknown-label", "lead unknown-label to 3")),
            ("Supported? No.", ("word None", "read unsupported", "lead unsupported to 3")),
            ("yes - no", ("word None", "read conflicting-verdicts", "lead conflicting-verdicts to 3")),
            ("yes / no", ("word None", "read conflicting-verdicts", "lead conflicting-verdicts to 3")),
            ("yes and no", ("word None", "read conflicting-verdicts", "lead conflicting-verdicts to 3")),
            ("yes or maybe", ("word None", "read unknown-label", "lead unknown-label to 3")),
            ("yes (no)", ("word None", "read conflicting-verdicts", "lead conflicting-verdicts to 3")),
            ("yes (it says so)", ("word None", "read supported", "lead supported to 3")),
            ("yes (yes)", ("word None", "read supported", "lead supported to 3")),
            ("yes [no]", ("word None", "read conflicting-verdicts", "lead conflicting-verdicts to 3")),
            ("(yes", ("word supported", "read supported", "lead supported to 4")),
            ("[yes]", ("word supported", "read supported", "lead supported to 4")),
            ("yes)", ("word supported", "read supported", "lead supported to 3")),
            ("{yes", ("word None", "read supported", "lead supported to 4")),
            ("✅", ("word supported", "read supported", "lead supported to 1")),
            ("✅ yes", ("word None", "read supported", "lead supported to 5")),
            ("✅ no", ("word None", "read conflicting-verdicts", "lead conflicting-verdicts to 4")),
            ("❌", ("word unsupported", "read unsupported", "lead unsupported to 1")),
            ("✅❌", ("word None", "read conflicting-verdicts", "lead conflicting-verdicts to 2")),
            ("✅ supported", ("word None", "read supported", "lead supported to 11")),
            ("🟡 yes", ("word None", "read supported", "lead supported to 5")),
            ("❓ yes", ("word None", "read supported", "lead supported to 5")),
            ("...", ("word None", "read missing-verdict", "no lead")),
            ("", ("word None", "read missing-verdict", "no lead")),
            ("  ", ("word None", "read missing-verdict", "no lead")),
            ("1", ("word supported", "read supported", "lead supported to 1", "without numbers no lead")),
            ("0", ("word unsupported", "read unsupported", "lead unsupported to 1", "without numbers no lead")),
            ("1.", ("word supported", "read supported", "lead supported to 1", "without numbers no lead")),
            ("1. yes", ("word None", "read unknown-label", "no lead")),
            ("1) no", ("word None", "read unknown-label", "no lead")),
            ("1.0", ("word supported", "read supported", "lead supported to 3", "without numbers no lead")),
            ("01", ("word supported", "read supported", "lead supported to 2", "without numbers no lead")),
            ("2", ("word out-of-range", "read out-of-range", "lead out-of-range to 1", "without numbers no lead")),
            ("100%", ("word out-of-range", "read out-of-range", "lead out-of-range to 4", "without numbers no lead")),
            (
                "123456789",
                ("word out-of-range", "read out-of-range", "lead out-of-range to 9", "without numbers no lead"),
            ),
            ("1-0", ("word None", "read unknown-label", "no lead")),
            ("1 no", ("word None", "read unknown-label", "no lead")),
            (
                "1 (no)",
                ("word None", "read conflicting-verdicts", "lead conflicting-verdicts to 1", "without numbers no lead"),
            ),
            (
                "0 - supported",
                ("word None", "read conflicting-verdicts", "lead conflicting-verdicts to 1", "without numbers no lead"),
            ),
            ("1: yes", ("word None", "read supported", "lead supported to 1", "without numbers no lead")),
            ("1 0", ("word None", "read unknown-label", "no lead")),
            ("y", ("word supported", "read supported", "lead supported to 1")),
            ("n", ("word unsupported", "read unsupported", "lead unsupported to 1")),
            ("t", ("word supported", "read supported", "lead supported to 1")),
            ("ok", ("word supported", "read supported", "lead supported to 2")),
            ("okay", ("word supported", "read supported", "lead supported to 4")),
            ("OK.", ("word supported", "read supported", "lead supported to 2")),
            ("no no", ("word None", "read unknown-label", "no lead")),
            ("no, yes", ("word None", "read conflicting-verdicts", "lead conflicting-verdicts to 2")),
            ("No. Yes, they say so, but no", ("word None", "read unsupported", "lead unsupported to 2")),
            ("No. Yes, they do", ("word None", "read unsupported", "lead unsupported to 2")),
            ("No; yes", ("word None", "read conflicting-verdicts", "lead conflicting-verdicts to 2")),
            ("nope", ("word unsupported", "read unsupported", "lead unsupported to 4")),
            ("maybe", ("word None", "read unknown-label", "no lead")),
            ("yesno", ("word None", "read unknown-label", "no lead")),
            ("yes-no", ("word None", "read unknown-label", "no lead")),
            ("yes_no", ("word None", "read unknown-label", "no lead")),
            ("notsupported", ("word unsupported", "read unsupported", "lead unsupported to 12")),
            ("NotSupported", ("word unsupported", "read unsupported", "lead unsupported to 12")),
            ("NOT_SUPPORTED", ("word unsupported", "read unsupported", "lead unsupported to 13")),
            ("not_supported", ("word unsupported", "read unsupported", "lead unsupported to 13")),
            ("not-supported", ("word unsupported", "read unsupported", "lead unsupported to 13")),
            ("is supported", ("word supported", "read supported", "lead supported to 12")),
            ("it is supported", ("word None", "read supported", "no lead")),
            ("was not supported", ("word None", "read unsupported", "no lead")),
            ("are unsupported", ("word None", "read unsupported", "no lead")),
            ("fully supported", ("word supported", "read supported", "lead supported to 15")),
            ("is clearly supported by the text", ("word None", "read supported", "lead supported to 20")),
            ("supported in part", ("word out-of-range", "read out-of-range", "lead out-of-range to 17")),
            ("only supported", ("word None", "read unknown-label", "no lead")),
            ("not really supported", ("word None", "read unsupported", "lead unsupported to 20")),
            ("yes if it rains else no", ("word None", "read unknown-label", "no lead")),
            ("yes unless it rains", ("word None", "read unknown-label", "no lead")),
            ("yes but not all", ("word None", "read unknown-label", "no lead")),
            ("yes, mostly", ("word None", "read conflicting-verdicts", "lead conflicting-verdicts to 3")),
            ("yes, partly", ("word None", "read conflicting-verdicts", "lead conflicting-verdicts to 3")),
            ("yes, except one", ("word None", "read unknown-label", "lead unknown-label to 3")),
            ("unknown", ("word out-of-range", "read out-of-range", "lead out-of-range to 7")),
            ("n/a", ("word out-of-range", "read out-of-range", "lead out-of-range to 3")),
            ("none", ("word None", "read unknown-label", "no lead")),
            ("null", ("word None", "read unknown-label", "no lead")),
            ("so yes", ("word None", "read unknown-label", "no lead")),
            ("Yes, the ferry leaves", ("word None", "read supported", "lead supported to 3")),
            ("Yes the ferry leaves", ("word None", "read unknown-label", "no lead")),
            ("no information in it", ("word None", "read out-of-range", "lead out-of-range to 14")),
            ("not enough information in the text", ("word None", "read out-of-range", "lead out-of-range to 22")),
            ("not enough information about it", ("word None", "read out-of-range", "lead out-of-range to 22")),
            ("not enough information", ("word out-of-range", "read out-of-range", "lead out-of-range to 22")),
            ("supported\nno", ("word None", "read unknown-label", "no lead")),
            ("supported\n\nbecause", ("word None", "read supported", "lead supported to 9")),
            ("ＹＥＳ", ("word supported", "read supported", "lead supported to 3")),
            ("ye\u200bs", ("word supported", "read supported", "lead supported to 3")),
            ("是", ("word supported", "read supported", "lead supported to 1")),
            ("是。", ("word supported", "read supported", "lead supported to 1")),
            ("不是", ("word unsupported", "read unsupported", "lead unsupported to 2")),
            ("不支持", ("word unsupported", "read unsupported", "lead unsupported to 3")),
            ("支持，因为", ("word None", "read supported", "lead supported to 2")),
            ("はい", ("word supported", "read supported", "lead supported to 2")),
            ("sí", ("word supported", "read supported", "lead supported to 2")),
            ("si", ("word supported", "read supported", "lead supported to 2")),
            ("ja", ("word supported", "read supported", "lead supported to 2")),
            ("nein", ("word unsupported", "read unsupported", "lead unsupported to 4")),
            ("oui", ("word supported", "read supported", "lead supported to 3")),
            ("да", ("word supported", "read supported", "lead supported to 2")),
            ("нет", ("word unsupported", "read unsupported", "lead unsupported to 3")),
            ("نعم", ("word supported", "read supported", "lead supported to 3")),
            ("लागू नहीं", ("word out-of-range", "read out-of-range", "lead out-of-range to 9")),
            ('"yes"', ("word supported", "read supported", "lead supported to 4")),
            ("`no`", ("word unsupported", "read unsupported", "no lead")),
            ("<yes>", ("word supported", "read supported", "lead supported to 4")),
            ("yes:", ("word supported", "read supported", "lead supported to 3")),
            ("yes: no", ("word None", "read conflicting-verdicts", "lead conflicting-verdicts to 3")),
            ("yes; it is", ("word None", "read supported", "lead supported to 3")),
            ("yes! no!", ("word None", "read conflicting-verdicts", "lead conflicting-verdicts to 3")),
            ("true", ("word supported", "read supported", "lead supported to 4")),
            ("FALSE", ("word unsupported", "read unsupported", "lead unsupported to 5")),
            ("T", ("word supported", "read supported", "lead supported to 1")),
            ("F", ("word unsupported", "read unsupported", "lead unsupported to 1")),
            ("supported/unsupported", ("word None", "read conflicting-verdicts", "lead conflicting-verdicts to 9")),
            ("supported | unsupported", ("word None", "read conflicting-verdicts", "lead conflicting-verdicts to 9")),
            ("yes=no", ("word None", "read conflicting-verdicts", "lead conflicting-verdicts to 3")),
            ("yes → no", ("word None", "read conflicting-verdicts", "lead conflicting-verdicts to 3")),
            ("yes — no", ("word None", "read conflicting-verdicts", "lead conflicting-verdicts to 3")),
            ("x" * 300, ("word None", "read unknown-label", "no lead")),
            ("yes " + "x" * 300, ("word None", "read unknown-label", "no lead")),
            ("yes " * 100, ("word None", "read unknown-label", "no lead")),
        ],
    )
    def test_words_of_a_yes_and_a_no(self, text: str, told: tuple[str, ...], tell_word: Tell) -> None:
        assert tell_word(text, "binary") == told

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("no", ("word contradicted", "read contradicted", "lead contradicted to 2")),
            ("not supported", ("word out-of-range", "read out-of-range", "lead out-of-range to 13")),
            ("contradicted", ("word contradicted", "read contradicted", "lead contradicted to 12")),
            ("false", ("word contradicted", "read contradicted", "lead contradicted to 5")),
            ("unknown", ("word not_enough_info", "read not_enough_info", "lead not_enough_info to 7")),
            ("NEI", ("word not_enough_info", "read not_enough_info", "lead not_enough_info to 3")),
            ("not enough info", ("word not_enough_info", "read not_enough_info", "lead not_enough_info to 15")),
            ("NotEnoughInfo", ("word not_enough_info", "read not_enough_info", "lead not_enough_info to 13")),
            ("not enough evidence in it", ("word None", "read not_enough_info", "lead not_enough_info to 19")),
            ("neutral", ("word not_enough_info", "read not_enough_info", "lead not_enough_info to 7")),
            ("❓", ("word not_enough_info", "read not_enough_info", "lead not_enough_info to 1")),
            ("❌", ("word contradicted", "read contradicted", "lead contradicted to 1")),
            ("✅", ("word supported", "read supported", "lead supported to 1")),
            ("1", ("word out-of-range", "read out-of-range", "lead out-of-range to 1", "without numbers no lead")),
            ("0", ("word out-of-range", "read out-of-range", "lead out-of-range to 1", "without numbers no lead")),
            ("partially", ("word out-of-range", "read out-of-range", "lead out-of-range to 9")),
            ("supported", ("word supported", "read supported", "lead supported to 9")),
            ("🟡 not enough information", ("word None", "read not_enough_info", "lead not_enough_info to 24")),
            ("neither", ("word not_enough_info", "read not_enough_info", "lead not_enough_info to 7")),
            ("no evidence", ("word not_enough_info", "read not_enough_info", "lead not_enough_info to 11")),
            ("no evidence of it", ("word None", "read unknown-label", "no lead")),
            ("unsupported", ("word out-of-range", "read out-of-range", "lead out-of-range to 11")),
            ("yes", ("word supported", "read supported", "lead supported to 3")),
        ],
    )
    def test_words_of_three_kinds(self, text: str, told: tuple[str, ...], tell_word: Tell) -> None:
        assert tell_word(text, "ternary") == told

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("partially", ("word partially_supported", "read partially_supported", "lead partially_supported to 9")),
            (
                "partly supported",
                ("word partially_supported", "read partially_supported", "lead partially_supported to 16"),
            ),
            ("half true", ("word partially_supported", "read partially_supported", "lead partially_supported to 9")),
            ("mostly", ("word partially_supported", "read partially_supported", "lead partially_supported to 6")),
            ("yes", ("word supported", "read supported", "lead supported to 3")),
            ("no", ("word contradicted", "read contradicted", "lead contradicted to 2")),
            ("🟡", ("word partially_supported", "read partially_supported", "lead partially_supported to 1")),
            ("1", ("word out-of-range", "read out-of-range", "lead out-of-range to 1", "without numbers no lead")),
        ],
    )
    def test_words_of_four_kinds(self, text: str, told: tuple[str, ...], tell_word: Tell) -> None:
        assert tell_word(text, "graded") == told


class TestPartsOfOne:
    @pytest.mark.parametrize(
        "reply", [".1", "Verdict: .1", '{"verdict": ".1"}', "1. .1", '{"verdict": .1}', "[[.1]]", "- .1", "Verdict: ,1"]
    )
    def test_a_point_before_a_digit_belongs_to_the_number(self, reply: str) -> None:
        assert [*parse_verdicts(reply, ["The ferry leaves at six."]).found] == [None]

    @pytest.mark.parametrize("reply", ["1", "1.0", "(1)", "Verdict: 1.", "The answer is 1."])
    def test_a_point_behind_it_does_not(self, reply: str) -> None:
        assert [*parse_verdicts(reply, ["The ferry leaves at six."]).found] == [Verdict.SUPPORTED]


class TestNamesOfAQuality:
    @pytest.mark.parametrize(
        "reply",
        [
            "Support: none",
            "Support: weak",
            "Support - lacking",
            "Support (lacking)",
            "Support: none found in the log at all",
            "Entailment: none",
            '{"verdict": "support: none"}',
        ],
    )
    def test_followed_by_how_much_there_is_of_it_say_no_yes(self, reply: str) -> None:
        assert [*parse_verdicts(reply, ["The ferry leaves at six."]).found] == [None]

    @pytest.mark.parametrize(
        "reply", ["Support", "Support.", "Support: yes", "Support: the log gives the hour in line two.", "Entailment"]
    )
    def test_alone_or_with_a_reason_say_yes(self, reply: str) -> None:
        assert [*parse_verdicts(reply, ["The ferry leaves at six."]).found] == [Verdict.SUPPORTED]


class TestExactWords:
    def test_holds_the_words_as_models_write_them(self) -> None:
        exact = vocabulary_of("binary").exact
        for word in ("supported", "SUPPORTED", "Supported", "yes", "YES", "Yes", "true", "TRUE", "True"):
            assert exact[word] is YES
        for word in (
            "not supported",
            "NOT SUPPORTED",
            "Not supported",
            "not_supported",
            "NOT_SUPPORTED",
            "notsupported",
        ):
            assert exact[word] is NO

    def test_holds_what_the_scale_offers_and_no_more(self) -> None:
        assert set(vocabulary_of("binary").exact.values()) == {YES, NO}
        assert set(vocabulary_of("ternary").exact.values()) == {YES, CONTRA, NEI}
        assert "not enough info" not in vocabulary_of("binary").exact

    def test_numbers_and_truth_values_are_words_of_a_yes_and_a_no(self) -> None:
        exact = vocabulary_of("binary").exact
        assert {value: exact[value] for value in (1, 0, "1", "0")} == {1: YES, 0: NO, "1": YES, "0": NO}
        assert (exact[True], exact[False]) == (YES, NO)
        for value in (1, 0, "1", "0", True, False):
            assert value not in vocabulary_of("ternary").exact
            assert value not in vocabulary_of("graded").exact

    def test_a_scale_without_a_yes_or_without_a_denial_has_no_numbers(self) -> None:
        for verdicts in ((NO, CONTRA), (YES, NEI), (YES, PARTLY)):
            assert 1 not in Vocabulary(Scale("own", verdicts)).exact
        assert Vocabulary(Scale("own", (YES, CONTRA))).exact[0] is CONTRA

    def test_names_of_verdicts_are_words_in_one_piece_too(self) -> None:
        words = vocabulary_of("ternary")
        for written in ("notenoughinfo", "NotEnoughInfo", "not_enough_info", "NOT-ENOUGH-INFO"):
            assert words.read(written) is NEI
        assert vocabulary_of("graded").read("PartiallySupported") is PARTLY

    def test_own_words_of_many_words_are_read_whole(self) -> None:
        own = Scale("own", (YES, NO), words={"as far as one can tell from all of the pages yes": YES})
        assert Vocabulary(own).read("As far as one can tell from all of the pages yes, so it is") is YES


class TestKept:
    @pytest.fixture(autouse=True)
    def _nothing_kept(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("magistrate.parsing.vocabulary.KNOWN", {})
        monkeypatch.setattr("magistrate.parsing.vocabulary._LAST", [])

    def test_the_words_of_a_scale_are_put_together_once(self) -> None:
        own = Scale("once", (YES, NO))
        words = vocabulary_of(own)
        assert vocabulary_of(own) is words
        assert vocabulary_of(Scale("once", (YES, NO))) is words
        assert vocabulary_of("binary") is vocabulary_of("binary") is vocabulary_of(BINARY)
        assert vocabulary_of("ternary") is not vocabulary_of("binary")

    def test_many_scales_one_after_the_other_keep_their_own_words(self) -> None:
        scales = [Scale(f"kept-{at}", (YES, NO), words={f"word{at}": YES}) for at in range(80)]
        for _ in range(2):
            for at, one in enumerate(scales):
                assert vocabulary_of(one).read(f"word{at}") is YES
                assert vocabulary_of(one).read(f"word{at + 1}") is UNKNOWN


class TestHeads:
    @pytest.mark.parametrize(
        ("text", "lead"),
        [
            ("yes", (YES, 3)),
            ("yes because", (YES, 3)),
            ("yes\nbecause", (YES, 3)),
            ("yes\nand so on", (YES, 3)),
            ("yes ", (YES, 3)),
            ("yes it is", None),
            ("yes ✅", (YES, 3)),
            ("yes✅", (YES, 3)),
            ("yes ❌", (CONFLICT, 3)),
            ("not  supported", None),
            ("not supported by it", (NO, 13)),
            ("not directly supported", (NO, 22)),
            ("(yes)", (YES, 4)),
            ("✅", (YES, 1)),
            ("✅ it is", (YES, 2)),
            ("✅❌ it is", (CONFLICT, 3)),
            ("✅ no", (CONFLICT, 4)),
            ("yes, no", (CONFLICT, 3)),
            ("yes?", (UNKNOWN, 3)),
            ("yes? no", (NO, 3)),
            ("yes؟ no", (NO, 3)),
            ("yes？ no", (NO, 3)),
            ("1", (YES, 1)),
            ("1. the plate", None),
            ("1) the plate", None),
            ("1.", (YES, 1)),
            ("1, it says", (YES, 1)),
            ("-1", (RANGE, 2)),
            ("", None),
            ("...", None),
            ("supported, partly", (CONFLICT, 9)),
            ("supported, but in part", (UNKNOWN, 9)),
            ("yes if it rains else no", None),
        ],
    )
    def test_a_word_that_stands_by_itself_leads(self, text: str, lead: Any) -> None:
        assert vocabulary_of("binary").lead(text) == lead

    def test_numbers_lead_only_where_they_may(self) -> None:
        for text in ("1", "-1", "1, it says"):
            assert vocabulary_of("binary").lead(text, numbers=False) is None

    @pytest.mark.parametrize(("room", "reading"), [(119, UNKNOWN), (300, YES)])
    def test_hedges_count_near_the_word(self, room: int, reading: Any) -> None:
        text = "yes," + "x" * (room - 9) + " in part, so"
        lead = vocabulary_of("binary").lead(text)
        assert lead is not None
        assert lead[0] is reading

    @pytest.mark.parametrize("word", ["in", "from", "about", "on", "im", "en", "dans", "nel", "no", "в"])
    def test_where_information_is_missing_may_follow(self, word: str) -> None:
        lead = vocabulary_of("ternary").lead(f"not enough information {word} it")
        assert lead == (NEI, 22)
        assert vocabulary_of("ternary").lead("not enough information under it") is None


class TestTheLetterN:
    def test_is_a_no_where_there_are_two_answers_only(self) -> None:
        statements = ["The ferry leaves at six.", "Tea is sold on board."]
        assert [*parse_verdicts("1. Y\n2. N", statements).found] == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]
        assert [*parse_verdicts("1. E\n2. N", statements, scale="ternary").found] == [None, None]
