"""Names of a quality and how much there is of it."""

from __future__ import annotations

import pytest

from magistrate.parsing.degrees import is_degree


class TestDegrees:
    @pytest.mark.parametrize("rest", [": none", " - lacking", " (weak)", "= low", ": no support is given in the text"])
    def test_a_few_words_or_a_word_of_measure_say_how_much(self, rest: str) -> None:
        assert is_degree(rest)

    @pytest.mark.parametrize("rest", ["", ".", " the log says so", ": the log gives this very hour", ":"])
    def test_a_reason_or_nothing_does_not(self, rest: str) -> None:
        assert not is_degree(rest)
