"""Single words set as formulas, in boxes, or between marks of their own: they stay in their places."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_label, parse_score, parse_verdicts
from magistrate.parsing.notation import plain
from magistrate.verdict import Verdict


class TestPlaces:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("$B$", " B "),
            ("a $$4.5$$ b", "a   4.5   b"),
            ("\\(4\\)", "  4  "),
            ("\\[ yes \\]", "   yes   "),
            ("\\text{yes}", "      yes "),
            ("so $\\mathbf{no}$.", "so          no  ."),
            ("<|score|>4<|/score|>", "\n        4         \n"),
            ("<|a|> no\n<|a|>", "\n     no\n    \n"),
        ],
    )
    def test_of_words_are_kept(self, text: str, told: str) -> None:
        assert plain(text) == told
        assert len(told) == len(text)

    @pytest.mark.parametrize("text", ["$x + y$", "\\text{two words}", "$ 4 and 5 $", "<|a|>4<|b|>", "<|a|>4 5<|a|>"])
    def test_what_is_more_than_a_word_stays_as_it_is(self, text: str) -> None:
        assert plain(text) == text


class TestReadings:
    def test_of_labels_and_scores(self) -> None:
        for reply in ("Answer: $B$", "The answer is \\(B\\).", "Answer: \\text{B}", "<|label|>B<|/label|>"):
            reading = parse_label(reply, ["A", "B"])
            assert reading.label == "B"
            assert reading.span is not None
            assert "B" in reply[slice(*reading.span)]
        for reply in ("Score: $4$", "Score: \\(4\\)", "<|score|>4<|/score|>", "$\\boxed{4}$"):
            assert parse_score(reply, 1, 5).value == 4

    @pytest.mark.parametrize(
        "reply",
        [
            "1. \\boxed{yes}\n2. \\boxed{no}",
            "1. **\\textbf{yes}**\n2. no",
            "1. $yes$\n2. $\\text{no}$",
            "1. yes<br/>2. no",
        ],
    )
    def test_of_verdicts(self, reply: str) -> None:
        read = parse_verdicts(reply, ["The tin is full.", "The tin is red."]).found
        assert list(read) == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]
