"""What of a statement the model is shown."""

import pytest

from magistrate.judges.nli._verdicts import claim_of
from magistrate.verdict import IssueCode


class TestTheClaim:
    @pytest.mark.parametrize(
        ("statement", "claim"),
        [
            ("The press is closed.", "The press is closed."),
            ("The press is closed [1].", "The press is closed."),
            ("The press is closed.[1][2]", "The press is closed."),
            ("The press is closed 【4†source】.", "The press is closed."),
            ("- The press is closed.", "The press is closed."),
            ("You're welcome! The press is closed.", "The press is closed."),
            ("The yard has 80 m².", "The yard has 80 m²."),
            ("果园在星期一开放。", "果园在星期一开放。"),
        ],
    )
    def test_has_no_marks_of_layout_or_citation(self, statement, claim):
        assert claim_of(statement) == claim


class TestNoClaim:
    @pytest.mark.parametrize("statement", ["", "  ", "...", "—", "\u200b", "**"])
    def test_is_in_a_blank_statement(self, statement):
        assert claim_of(statement)[0] is IssueCode.BLANK_STATEMENT

    @pytest.mark.parametrize("statement", ["[1]", "I hope this helps!", "- [3]"])
    def test_is_in_what_states_nothing(self, statement):
        code, message = claim_of(statement)
        assert code is IssueCode.MISSING_VERDICT
        assert "nothing to judge" in message

    @pytest.mark.parametrize(
        "statement", ["The passage does not say who runs the mill.", "Der Text nennt keinen Preis für die Birnen."]
    )
    def test_is_in_what_the_source_lacks(self, statement):
        code, message = claim_of(statement)
        assert code is IssueCode.MISSING_VERDICT
        assert "source lacks" in message
