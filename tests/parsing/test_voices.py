"""Whose words a piece of a reply is, and what takes back what stood before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Tell = Callable[..., tuple[str, ...]]


class TestVoices:
    @pytest.mark.parametrize(
        ("before", "after", "told"),
        [
            ("The text says: ", "", ("foreign",)),
            ("The author writes ", "", ("foreign",)),
            ("My verdict: ", "", ("judge",)),
            ("For example: ", "", ("foreign",)),
            ("For example, it is so. ", "", ("judge",)),
            ("For example\n\n", "", ("foreign",)),
            ("Example! ", "", ("judge",)),
            ("Example? ", "", ("judge",)),
            ("Example; ", "", ("judge",)),
            ("Beispiel。", "", ("judge",)),
            ("Example:\n```json\n", "\n```", ("foreign",)),
            ("Output format:\n", "", ("foreign",)),
            ("First attempt: ", "", ("draft",)),
            ("At first I thought ", "", ("judge",)),
            ("Perhaps ", "", ("draft",)),
            ("At first. Now: ", "", ("judge",)),
            ("## Context\n", "", ("foreign",)),
            ("## Context\n\nIt is so.\n\n", "", ("judge",)),
            ("## Verdict\n", "", ("judge",)),
            ("<!-- ", " -->", ("foreign",)),
            ("<!-- x --> ", "", ("judge",)),
            ("", " (which I ignored)", ("judge",)),
            ("", ", which I ignore", ("foreign",)),
            ("", ". That is only an example.", ("foreign",)),
            ("", " is it", ("judge",)),
            ("", "\n```\nThis is just an example", ("foreign",)),
            ("The quoted verdict: ", "", ("foreign",)),
            ("My answer, not what the text says: ", "", ("foreign",)),
            ("The user said so. My verdict: ", "", ("judge",)),
            ('"', '"', ("judge",)),
            ('the text "', '"', ("foreign",)),
            ("the phrase: ", "", ("foreign",)),
            ("The context states that the ferry leaves. ", "", ("judge",)),
            ("The context states that ", "", ("foreign",)),
            ("the context-says ", "", ("judge",)),
            ("Draft: ", "", ("draft",)),
            ("下書き：", "", ("draft",)),
            ("例：", "", ("foreign",)),
            ("For example: " + "x" * 500, "", ("judge",)),
            ("The text says: " + "x" * 100, "", ("judge",)),
            ("template ", "", ("foreign",)),
            ("Schema: ", "", ("foreign",)),
            ("I roughly judge ", "", ("judge",)),
        ],
    )
    def test_the_words_that_lead_in_tell_whose_they_are(
        self, before: str, after: Any, told: tuple[str, ...], tell_voice: Tell
    ) -> None:
        assert tell_voice(before, "yes", after) == told


class TestWithdrawals:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("Correction: yes", ("withdraws True", "slips False", "by number False")),
            ("I must correct my answer", ("withdraws True", "slips False", "by number False")),
            ("Wait", ("withdraws None", "slips False", "by number False")),
            ("Wait, 2 should be no", ("withdraws None", "slips True", "by number True")),
            ("Sorry, I meant no", ("withdraws False", "slips True", "by number False")),
            ("Sorry, I meant no for 1", ("withdraws False", "slips True", "by number True")),
            ("I meant no", ("withdraws False", "slips True", "by number False")),
            ("On second thought", ("withdraws True", "slips False", "by number False")),
            ("The list above is wrong", ("withdraws True", "slips False", "by number False")),
            ("The list above is long", ("withdraws False", "slips False", "by number False")),
            ("my mistake", ("withdraws True", "slips False", "by number False")),
            ("Actually, it is so", ("withdraws None", "slips False", "by number False")),
            ("Actually, 3 is wrong", ("withdraws None", "slips True", "by number True")),
            ("no, wait", ("withdraws None", "slips False", "by number False")),
            ("Hold on", ("withdraws None", "slips False", "by number False")),
            ("Scratch that", ("withdraws True", "slips False", "by number False")),
            ("Ignore the above answer", ("withdraws True", "slips False", "by number False")),
            ("I misread it", ("withdraws True", "slips False", "by number False")),
            ("Ich korrigiere", ("withdraws True", "slips False", "by number False")),
            ("Corrección: no", ("withdraws True", "slips False", "by number False")),
            ("更正：否", ("withdraws True", "slips False", "by number False")),
            ("It is so.", ("withdraws False", "slips False", "by number False")),
            ("", ("withdraws False", "slips False", "by number False")),
            ("Oops, the second must be no", ("withdraws False", "slips True", "by number False")),
            ("(Wait, 1 is actually no)", ("withdraws None", "slips False", "by number True")),
            ("- Sorry, 2: no", ("withdraws False", "slips False", "by number True")),
            ("sorry about that", ("withdraws False", "slips False", "by number False")),
            ("He meant no", ("withdraws False", "slips False", "by number False")),
        ],
    )
    def test_are_told_from_slips_and_doubt(self, text: str, told: tuple[str, ...], tell_back: Tell) -> None:
        assert tell_back(text) == told
