"""The rule that `magistrate fault-server` judges by."""

from __future__ import annotations

import pytest

from magistrate.testing.oracle import word_verdict
from magistrate.verdict import Verdict

PASSAGES = (
    "Der Anspruch auf Urlaub beträgt 30 Urlaubstage im Jahr. Eine Auszahlung ist nicht möglich.",
    "Up to five days may be carried over into the next year. Managers approve leave. Dogs are not allowed here.",
)
SAID = [
    ("Sie haben Anspruch auf 30 Urlaubstage.", Verdict.SUPPORTED),
    ("Sie haben Anspruch auf 28 Urlaubstage.", Verdict.CONTRADICTED),
    ("Der Urlaub kann ausgezahlt werden, auch im Ausland.", Verdict.NOT_ENOUGH_INFO),
    ("A manager approves the leave.", Verdict.SUPPORTED),
    ("Five days can be carried over to next year.", Verdict.SUPPORTED),
    ("Ten days can be carried over to next year.", Verdict.CONTRADICTED),
    ("Dogs are allowed here.", Verdict.CONTRADICTED),
    ("Dogs are not allowed here.", Verdict.SUPPORTED),
    ("Managers approve expenses.", Verdict.PARTIALLY_SUPPORTED),
    ("The canteen serves lobster.", Verdict.NOT_ENOUGH_INFO),
    ("", Verdict.NOT_ENOUGH_INFO),
]


@pytest.mark.parametrize(("statement", "verdict"), SAID)
def test_words_without_their_endings_numbers_and_denials_decide(statement: str, verdict: Verdict):
    assert word_verdict(statement, PASSAGES)[0] is verdict


def test_without_a_passage_nothing_is_known():
    assert word_verdict("A manager approves it.", ())[0] is Verdict.NOT_ENOUGH_INFO
