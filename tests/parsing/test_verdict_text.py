"""The verdict in plain text about one statement."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.verdict import Verdict

Tell = Callable[..., tuple[str, ...]]

STATEMENTS = [
    "The ferry leaves at six.",
    "The harbour freezes in May.",
    "Gulls nest on the pier.",
    "The keeper paints the rail.",
]


class TestOneStatement:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ("Score: 1", ("ok text", "s1: supported 7-8")),
            (
                "| 1 |",
                (
                    "unparseable None",
                    "s1: None",
                    "count-mismatch: 0 verdicts for 1 statements",
                    "missing-verdict 1: the reply says nothing of this statement",
                ),
            ),
            ("It is dry. Therefore, the statement is supported.", ("ok text", "s1: supported 22-48")),
            (
                "It is supported. It is not supported.",
                (
                    "unparseable None",
                    "s1: None 0-36 text",
                    "conflicting-verdicts 1: 'It is supported. It is not supported' says more than one thing",
                ),
            ),
            ("The text contradicts the claim.", ("ok text", "s1: unsupported 0-30")),
            (
                "yes\nno",
                (
                    "unparseable None",
                    "s1: None 0-6 words",
                    "conflicting-verdicts 1: 'yes\\nno' says more than one thing",
                ),
            ),
            ("The ferry leaves at six. - yes", ("ok numbered", "s1: supported 0-30")),
            (
                "1. yes\n2. no",
                (
                    "ok numbered",
                    "s1: supported 0-6",
                    "extra unsupported",
                    "unknown-statement: 1 verdicts are for no statement that was asked about",
                    "count-mismatch: 2 verdicts for 1 statements",
                ),
            ),
            ('The answer is "yes".', ("ok label", "s1: supported 15-19")),
            ("| yes |", ("ok text", "s1: supported 0-7")),
            ("| 1 | yes |", ("ok text", "s1: supported 6-9")),
            ("verdict: yes (confidence: 0)", ("ok label", "s1: supported 9-13")),
            (
                "Some of the statement is supported.",
                (
                    "unparseable None",
                    "s1: None",
                    "count-mismatch: 0 verdicts for 1 statements",
                    "missing-verdict 1: the reply says nothing of this statement",
                ),
            ),
        ],
    )
    def test_labels_leads_ends_and_sentences(self, reply: str, told: tuple[str, ...], tell_verdicts: Tell) -> None:
        assert tell_verdicts(reply, STATEMENTS[:1]) == told


class TestDenials:
    @pytest.mark.parametrize(
        "reply",
        [
            "So the statement is supported. However, it is not.",
            "It is supported. But it is not!",
            "It is so. Therefore the statement is supported; in fact, the claim is not",
        ],
    )
    def test_what_is_denied_after_it_was_said_is_no_verdict(self, reply: str) -> None:
        reading = parse_verdicts(reply, STATEMENTS[:1])
        assert list(reading.found) == [None]
        assert reading.issues

    @pytest.mark.parametrize("reply", ["No, it is not.", "Not supported. It is not.", "No; it is not."])
    def test_a_denial_that_agrees_takes_nothing_away(self, reply: str) -> None:
        assert list(parse_verdicts(reply, STATEMENTS[:1]).found) == [Verdict.UNSUPPORTED]
