"""Names of a quality and how much there is of it."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.parsing.degrees import is_degree
from magistrate.verdict import Verdict


class TestDegrees:
    @pytest.mark.parametrize("rest", [": none", " - lacking", " (weak)", "= low", ": no support is given in the text"])
    def test_a_few_words_or_a_word_of_measure_say_how_much(self, rest: str) -> None:
        assert is_degree(rest)

    @pytest.mark.parametrize("rest", ["", ".", " the log says so", ": the log gives this very hour", ":"])
    def test_a_reason_or_nothing_does_not(self, rest: str) -> None:
        assert not is_degree(rest)


class TestLabelsOfAClassifier:
    @pytest.mark.parametrize("rest", [" (0.93)", " - 0.97", " (confidence: 98%)", " (p=.81)", " (1.00)"])
    def test_with_a_probability_above_one_half_are_answers(self, rest: str) -> None:
        assert not is_degree(rest, "entailment")
        assert is_degree(rest, "support")

    @pytest.mark.parametrize("rest", [" (0.03)", " - 0.5", ": 0.93", " (12%)", " (1)", " (0.93 of it)"])
    def test_with_less_or_under_a_colon_are_degrees(self, rest: str) -> None:
        assert is_degree(rest, "entailment")

    @pytest.mark.parametrize(
        "rest", [" - see the text", " - page 3 agrees.", " (line 2, 3)", " \u2013 siehe Absatz 2."]
    )
    def test_with_a_few_words_of_reason_are_too(self, rest: str) -> None:
        assert not is_degree(rest, "entailment")

    @pytest.mark.parametrize(
        "rest",
        [
            " - very weak",
            " - in part",
            " (not given)",
            " - 3 pages",
            ": see the text",
            " - rebutted",
            " - nothing there",
        ],
    )
    def test_with_words_of_measure_or_denial_are_degrees(self, rest: str) -> None:
        assert is_degree(rest, "entailment")

    @pytest.mark.parametrize("reason", ["see the text", "Page 3 agrees.", "the log, and so does the chart"])
    def test_are_read_with_a_reason_behind_a_dash(self, reason: str) -> None:
        found = parse_verdicts(f"1. entailment - {reason}", ["The well is deep."], scale="ternary").found
        assert found == [Verdict.SUPPORTED]

    def test_are_read_beside_their_sisters(self) -> None:
        reply = "1: entailment (0.93)\n2: contradiction (0.88)\n3: neutral (0.51)"
        well = ["The well is deep.", "It dried up in May.", "It is lined with oak."]
        assert parse_verdicts(reply, well, scale="ternary").found == [
            Verdict.SUPPORTED,
            Verdict.CONTRADICTED,
            Verdict.NOT_ENOUGH_INFO,
        ]
