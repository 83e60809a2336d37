"""A repeated statement names itself, signs and small slips aside, unless a number differs or another is as near."""

from __future__ import annotations

import json

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.verdict import Verdict

YES, NO = Verdict.SUPPORTED, Verdict.UNSUPPORTED


def found(asked: list[str], *rows: tuple[str, str]) -> list[Verdict | None]:
    reply = json.dumps([{"statement": text, "verdict": word} for text, word in rows])
    return list(parse_verdicts(reply, asked).found)


class TestNearTexts:
    @pytest.mark.parametrize(
        ("statement", "repeated"),
        [
            ("The harbour freezes in May.", "The harbour frezes in May"),
            ("The mast \u2014 nine metres \u2014 leans!", "The mast, nine metres, leans"),
            ("Read\uff0fwrite access.", "Read write access"),
            (
                "\u300c\u9418\u300d\u306f\u4e5d\u6642\u306b\u9cf4\u308b\u3002",
                "\u9418\u306f\u4e5d\u6642\u306b\u9cf4\u308b",
            ),
            ("It costs 5 % more\u2026", "it costs 5% more"),
        ],
    )
    def test_are_told_apart_in_any_order(self, statement: str, repeated: str) -> None:
        assert found(["Gulls nest there.", statement], (repeated, "no"), ("Gulls nest there", "yes")) == [YES, NO]

    def test_one_alone_is_known_too(self) -> None:
        assert found(["The harbour freezes in May."], ("The harbour frezes in May", "no")) == [NO]

    def test_another_number_is_another_statement(self) -> None:
        gates = ["Gate 12 opens at nine.", "Gate 13 opens at nine."]
        assert found(gates, ("Gate 15 opens at nine", "yes"), ("Gate 13 opens at nine", "no")) == [None, NO]

    def test_what_is_as_near_to_two_names_neither(self) -> None:
        boats = ["The red boat is at the quay.", "The rod boat is at the quay."]
        assert found(boats, ("The rd boat is at the quay", "yes"), (boats[1], "no")) == [None, NO]

    def test_a_text_against_its_number_counts_where_the_number_is_unknown(self) -> None:
        rows = [{"id": 9, "statement": "B is.", "verdict": "no"}, {"id": 8, "statement": "A is.", "verdict": "yes"}]
        assert list(parse_verdicts(json.dumps(rows), ["A is.", "B is."]).found) == [YES, NO]


class TestQuotesInContexts:
    def test_have_their_place(self) -> None:
        reply = json.dumps({"verdict": "yes", "evidence": ["The tide", "low.", "moon", "calm"]})
        (one,) = parse_verdicts(reply, ["It is low."], contexts=["The tide is low.", "The sea is calm"]).verdicts
        assert [(quote.context, quote.start, quote.end) for quote in one.evidence] == [
            (0, 0, 8),
            (0, 12, 16),
            (None, None, None),
            (1, 11, 15),
        ]
