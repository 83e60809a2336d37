"""Promise 3: what is written in any supported format and any benign wrapping reads back as it was meant."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magistrate.parsing import VerdictReader, parse_verdicts
from magistrate.testing.strategies import FORMATS, SLIPS, WORDS, WRAPPINGS, Reply, replies
from magistrate.verdict import BINARY, GRADED, TERNARY, ParseStatus

MANY = settings()  # of the profile: see CONTRIBUTING.md

# What a careful reader may leave open: the last value of a list that never closes.
OPEN_ENDED = "missing closing brackets"


def reads_back(reply: Reply) -> None:
    reading = parse_verdicts(reply.text, reply.statements, scale=reply.scale)
    assert tuple(reading.found) == reply.verdicts
    assert reading.status is ParseStatus.OK
    for row, (start, end) in zip(reading.verdicts, reply.tokens, strict=True):
        assert row.span is not None
        assert row.span[0] < end
        assert start < row.span[1]
    assert tuple(row.verdict for row in reading.verdicts) == reply.verdicts


class TestRoundTrip:
    @pytest.mark.parametrize("name", FORMATS)
    def test_every_format(self, name: str) -> None:
        MANY(given(replies(formats=[name], scales=[BINARY, TERNARY, GRADED]))(reads_back))()

    @pytest.mark.parametrize("wrapping", WRAPPINGS)
    def test_every_wrapping(self, wrapping: str) -> None:
        MANY(given(replies(wrappings=[wrapping]))(reads_back))()

    @pytest.mark.parametrize("language", WORDS)
    def test_every_language(self, language: str) -> None:
        MANY(given(replies(languages=[language], scales=[BINARY, TERNARY, GRADED]))(reads_back))()

    @settings(MANY, max_examples=max(5, MANY.max_examples // 3))
    @given(replies(least=40, most=90, wrappings=["none"], languages=["en"]))
    def test_long_lists(self, reply: Reply) -> None:
        assert tuple(parse_verdicts(reply.text, reply.statements, scale=reply.scale).found) == reply.verdicts

    @MANY
    @given(replies())
    def test_bytes_say_the_same(self, reply: Reply) -> None:
        reading = parse_verdicts(reply.text.encode(), reply.statements, scale=reply.scale)
        assert tuple(reading.found) == reply.verdicts


class TestSlips:
    @pytest.mark.parametrize("slip", sorted(SLIPS))
    def test_mistakes_of_notation_are_mended_and_reported(self, slip: str) -> None:
        @MANY
        @given(replies(formats=[name for name, form in FORMATS.items() if form.slips], slips=[slip]))
        def holds(reply: Reply) -> None:
            reading = parse_verdicts(reply.text, reply.statements, scale=reply.scale)
            assert not reply.wrong(reading.found)
            if slip != OPEN_ENDED:
                assert tuple(reading.found) == reply.verdicts
            assert reading.repairs or tuple(reading.found) == reply.verdicts
            shown = [row.verdict for row in reading.verdicts]
            assert [row.index for row in reading.verdicts] == list(range(len(reply.statements)))  # all fields are read
            assert shown == [row.verdict for row in reading.verdicts] == list(reading.found)

        holds()


class TestStream:
    @MANY
    @given(replies(), st.integers(1, 60))
    def test_what_is_shown_early_is_what_is_meant(self, reply: Reply, size: int) -> None:
        reader = VerdictReader(reply.statements, scale=reply.scale)
        shown = [row for at in range(0, len(reply.text), size) for row in reader.feed(reply.text[at : at + size])]
        assert all(row.verdict == reply.verdicts[row.index] for row in shown)
        assert len({row.index for row in shown}) == len(shown)
        assert tuple(reader.close("stop").found) == reply.verdicts
