"""The vocabulary in words."""

from __future__ import annotations

import pytest

from magistrate.report.labels import STATUS_WHY, plural, words_of, worst_first
from magistrate.verdict import Outcome, Status, Verdict


class TestWords:
    def test_every_status_is_explained_in_a_sentence(self):
        assert set(STATUS_WHY) == set(Status)
        assert all(text.endswith(".") for text in STATUS_WHY.values())

    def test_a_missing_verdict_is_not_taken_for_a_bad_one(self):
        assert worst_first(None) > worst_first(Verdict.NOT_ENOUGH_INFO)

    @pytest.mark.parametrize(
        ("value", "text"),
        [
            (Verdict.NOT_ENOUGH_INFO, "not enough info"),
            (Status.CONTEXT_TRUNCATED, "context truncated"),
            (Outcome.FAIL, "fail"),
            (None, "no verdict"),
        ],
    )
    def test_underscores_are_spaces(self, value: Verdict | Outcome | Status | None, text: str):
        assert words_of(value) == text

    def test_a_count_agrees_with_its_word(self):
        assert [plural(n, "case") for n in (0, 1, 2000)] == ["0 cases", "1 case", "2,000 cases"]
