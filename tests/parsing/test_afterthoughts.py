"""Corrections count, contradictions void."""

from __future__ import annotations

from magistrate.parsing import parse_verdicts
from magistrate.verdict import IssueCode, Verdict

LOFT = ["The loft has a window.", "It was rebuilt in 1990."]
LIST = "1. yes\n2. no"


class TestAfterTheAnswer:
    def test_a_correction_in_so_many_words_counts_and_is_reported(self) -> None:
        reading = parse_verdicts(f"{LIST}\n\nCorrection: statement 2 is supported.", LOFT)
        assert reading.found == [Verdict.SUPPORTED, Verdict.SUPPORTED]
        assert IssueCode.CONFLICTING_VERDICTS in {issue.code for issue in reading.issues}

    def test_a_contradiction_voids_what_it_names(self) -> None:
        assert parse_verdicts(f"{LIST}\n\nStatement 2 is supported after all.", LOFT).found == [Verdict.SUPPORTED, None]

    def test_what_is_taken_back_without_another_verdict_is_void(self) -> None:
        assert parse_verdicts(f"{LIST}\n\nI misread statement 1.", LOFT).found == [None, Verdict.UNSUPPORTED]

    def test_what_agrees_changes_nothing(self) -> None:
        reading = parse_verdicts(f"{LIST}\n\nStatement 1 is supported by the plan; 2 is not.", LOFT)
        assert reading.found == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]
