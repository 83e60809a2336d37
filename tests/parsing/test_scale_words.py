"""Senses and numbers on a scale."""

from __future__ import annotations

import pytest

from magistrate.parsing.languages import Sense
from magistrate.parsing.scale_words import numbers_of, verdict_of
from magistrate.verdict import IssueCode, Scale, Verdict

BINARY = Scale("b", (Verdict.SUPPORTED, Verdict.UNSUPPORTED))
TERNARY = Scale("t", (Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.NOT_ENOUGH_INFO))
BOTH = Scale("w", (Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.UNSUPPORTED))


class TestSenses:
    @pytest.mark.parametrize(
        ("sense", "scale", "verdict"),
        [
            (Sense.NO, BINARY, Verdict.UNSUPPORTED),
            (Sense.NO, TERNARY, Verdict.CONTRADICTED),
            (Sense.NO, BOTH, IssueCode.OUT_OF_RANGE),
            (Sense.LACK, TERNARY, IssueCode.OUT_OF_RANGE),
            (Sense.UNKNOWN, BINARY, IssueCode.OUT_OF_RANGE),
        ],
    )
    def test_are_the_verdict_that_the_scale_has_for_them(
        self, sense: Sense, scale: Scale, verdict: Verdict | IssueCode
    ) -> None:
        assert verdict_of(sense, frozenset(scale.verdicts)) is verdict


class TestNumbers:
    def test_are_words_of_a_two_valued_scale_only(self) -> None:
        assert numbers_of(BINARY, frozenset(BINARY.verdicts)) == {1: Verdict.SUPPORTED, 0: Verdict.UNSUPPORTED}
        assert numbers_of(TERNARY, frozenset(TERNARY.verdicts)) == {}
