"""Labels in plain text: in brackets, after a name, alone, in a sentence that prefers one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Tell = Callable[..., tuple[str, ...]]


class TestPreference:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ("A is better.", ("ok 'A' sentence 0-1",)),
            ("I think that A is worse", ("unparseable None None",)),
            ("The judge says A is better", ("unparseable None None",)),
            ("Assistant B argues that A is better", ("unparseable None None",)),
            ("A is better. Therefore, B is better.", ("ok 'B' sentence 24-25",)),
            ("a is better", ("unparseable None None",)),
            (
                "A is better than B\nB is better than A",
                ("unparseable None None", "conflicting-verdicts: the reply gives different labels"),
            ),
            ("A is better unless it rains", ("unparseable None None",)),
            ("Winner: a", ("ok 'A' labelled 8-9",)),
        ],
    )
    def test_sentences_that_prefer_one(self, reply: str, told: tuple[str, ...], tell_label: Tell) -> None:
        assert tell_label(reply, ["A", "B"]) == told


class TestBrackets:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ("[[C]] so", ("unparseable None None",)),
            ("For example, [[A]]. Mine: [[B]]", ("ok 'B' bracketed 28-29",)),
        ],
    )
    def test_doubled_and_single(self, reply: str, told: tuple[str, ...], tell_label: Tell) -> None:
        assert tell_label(reply, ["A", "B"]) == told


class TestWords:
    @pytest.mark.parametrize(
        ("reply", "choices", "told"),
        [
            ("A>B", ["A>>B", "A>B", "A=B"], ("ok 'A>B' label 0-3",)),
            ('"A>>B"', ["A>>B", "A>B", "A=B"], ("ok 'A>>B' label 1-5",)),
            ("✅ good", ["very good", "good", "bad"], ("ok 'good' label 0-6",)),
        ],
    )
    def test_labels_of_several_words_and_signs(
        self, reply: str, choices: Any, told: tuple[str, ...], tell_label: Tell
    ) -> None:
        assert tell_label(reply, choices) == told
