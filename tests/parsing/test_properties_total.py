"""Promise 1: any text, bytes or nothing gives a reading; never an exception, and work that grows with the size only.
Promise 2: one entry for each statement, in order, with a verdict or an issue that says why there is none.
"""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel
from tests.case_tables import tables_of

from magistrate.parsing import (
    VerdictReader,
    VerdictReading,
    parse_label,
    parse_object,
    parse_score,
    parse_statements,
    parse_verdicts,
)
from magistrate.testing.strategies import SLIPS, Reply, damaged, planted, replies, statement_lists
from magistrate.verdict import IssueCode, ParseStatus, Verdict

MANY = settings()  # of the profile: see CONTRIBUTING.md

STATEMENTS = ("The tram runs on Sundays.", "A ticket costs 2 euros.", "Dogs travel free.")
FINISH = st.sampled_from([None, "stop", "length", "content_filter", "refusal", "tool_calls", "max_tokens", "odd"])
PIECES = tables_of(__file__)["properties_total: pieces"]
RUBBLE = st.one_of(
    st.text(max_size=80),
    st.lists(st.sampled_from(PIECES), max_size=40).map("".join),
    st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=4)), max_size=30).map("".join),
)
"""Texts of the parts that replies are made of, put together without sense."""


class Grade(BaseModel):
    reason: str
    score: int
    tags: list[str] = []


@st.composite
def broken_replies(draw: st.DrawFn) -> Reply:
    """Replies with a slip, an answer planted, and up to four characters damaged."""
    reply = draw(replies(slips=draw(st.sampled_from([(), tuple(SLIPS)])), plant=draw(st.none() | st.just(planted()))))
    for _ in range(draw(st.integers(1, 4))):
        reply, _, _ = draw(damaged(reply))
    return reply


def check(reading: VerdictReading, statements: tuple[str, ...]) -> None:
    assert isinstance(reading.status, ParseStatus)
    assert [row.index for row in reading.verdicts] == list(range(len(statements)))
    assert [row.statement for row in reading.verdicts] == list(statements)
    for row, found in zip(reading.verdicts, reading.found, strict=True):
        assert row.verdict is found
        assert isinstance(found, Verdict) or (row.issues and all(isinstance(one.code, IssueCode) for one in row.issues))
    for issue in reading.issues:
        assert issue.index is None or 0 <= issue.index < len(statements)
    every = all(found is not None for found in reading.found)
    assert (reading.status is ParseStatus.OK) == (every and bool(statements))


class TestAnyText:
    @MANY
    @given(RUBBLE, FINISH, st.sampled_from(["binary", "ternary", "graded"]))
    def test_rubble_gives_an_entry_for_each_statement(self, text: str, finish: str | None, scale: str) -> None:
        check(parse_verdicts(text, STATEMENTS, scale=scale, finish_reason=finish), STATEMENTS)

    @MANY
    @given(broken_replies(), FINISH)
    def test_so_does_a_reply_beyond_repair(self, reply: Reply, finish: str | None) -> None:
        reading = parse_verdicts(reply.text, reply.statements, scale=reply.scale, finish_reason=finish)
        check(reading, reply.statements)

    @MANY
    @given(st.binary(max_size=120))
    def test_bytes_are_read_as_utf8_or_as_well_as_they_can_be(self, raw: bytes) -> None:
        check(parse_verdicts(raw, STATEMENTS), STATEMENTS)

    @pytest.mark.parametrize("nothing", [None, "", b"", " \n\t", "\ufeff", "\u200b"])
    def test_nothing_is_an_empty_reply(self, nothing: Any) -> None:
        reading = parse_verdicts(nothing, STATEMENTS)
        check(reading, STATEMENTS)
        assert reading.status is ParseStatus.EMPTY
        assert IssueCode.EMPTY_REPLY in {issue.code for issue in reading.issues}

    @MANY
    @given(RUBBLE, statement_lists(least=0, most=4), st.none() | st.just("t0k3n"), st.none() | RUBBLE)
    def test_tokens_contexts_and_refusals_change_nothing_about_that(
        self, text: str, statements: tuple[str, ...], token: str | None, refusal: str | None
    ) -> None:
        reading = parse_verdicts(text, statements, token=token, refusal=refusal, contexts=[text, "The tram."])
        assert [row.statement for row in reading.verdicts] == list(statements)

    @MANY
    @given(RUBBLE)
    def test_statements_may_be_taken_from_the_reply(self, text: str) -> None:
        reading = parse_verdicts(text, None)
        assert len(reading.verdicts) == len(reading.found)

    @MANY
    @given(RUBBLE, FINISH)
    def test_the_other_readers_are_total_too(self, text: str, finish: str | None) -> None:
        score = parse_score(text, 1, 5, finish_reason=finish)
        assert score.value is None or 1 <= score.value <= 5
        label = parse_label(text, ["A", "B", "tie"], finish_reason=finish)
        assert label.label in {None, "A", "B", "tie"}
        claims = parse_statements(text, finish_reason=finish)
        assert all(claim.strip() for claim in claims.statements)
        found = parse_object(text, Grade, finish_reason=finish)
        assert found.value is None or isinstance(found.value, Grade)

    @MANY
    @given(st.lists(RUBBLE, max_size=6), FINISH)
    def test_pieces_of_a_stream_are_too(self, pieces: list[str], finish: str | None) -> None:
        reader = VerdictReader(STATEMENTS)
        given_out = [row.index for piece in pieces for row in reader.feed(piece)]
        assert len(given_out) == len(set(given_out))
        check(reader.close(finish), STATEMENTS)

    @MANY
    @given(RUBBLE, FINISH)
    def test_the_same_text_is_read_the_same_way_twice(self, text: str, finish: str | None) -> None:
        first = parse_verdicts(text, STATEMENTS, finish_reason=finish)
        second = parse_verdicts(text, STATEMENTS, finish_reason=finish)
        assert (first.status, first.issues, list(first.verdicts)) == (
            second.status,
            second.issues,
            list(second.verdicts),
        )

    def test_deep_nesting_is_no_deep_recursion(self) -> None:
        for unit in ("[", '{"a":', "<a>", "> ", "<think>", '"{\\"a\\":'):
            check(parse_verdicts(unit * 20_000, STATEMENTS), STATEMENTS)

    @pytest.mark.parametrize(
        "unit", ["yes?", "No? ", "supported?", "yes\uff1f", "Score? 4 ", "A? ", "yes, ", "not ", "**"]
    )
    def test_nor_is_a_word_again_and_again(self, unit: str) -> None:
        text = unit * 3_000
        for asked in (STATEMENTS[:1], STATEMENTS):
            check(parse_verdicts(text, asked), asked)
        parse_score(text, 1, 5)
        parse_label(text, ["A", "yes"])
        parse_statements(text)


HOSTILE = tables_of(__file__)["properties_total: hostile"]


def steps(task: Callable[[], object]) -> int:
    """Count the calls, of Python functions and of C functions, that a task makes."""
    count = 0

    def profile(_frame: Any, event: str, _arg: Any) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        task()
    finally:
        sys.setprofile(before)
    return count


class TestGrowth:
    """Counted, not timed: a clock on a busy machine proves nothing. Times stand in benchmarks/parsing.py."""

    SIZE = 4_000

    @pytest.mark.parametrize("unit", HOSTILE, ids=repr)
    def test_four_times_the_text_is_about_four_times_the_work(self, unit: str) -> None:
        small, large = (unit * (size // len(unit) + 1) for size in (self.SIZE, 4 * self.SIZE))

        def read(text: str) -> Callable[[], object]:
            return lambda: parse_verdicts(text, STATEMENTS).issues

        read(small)()
        once, fourfold = steps(read(small)), steps(read(large))
        assert fourfold <= 6 * once + 2_000

    @pytest.mark.parametrize("unit", ["[", '{"a":', "1. yes\n", '"', "yes, ", '{"id": 1, "verdict": "yes"}', "| "])
    def test_memory_grows_with_the_text(self, unit: str) -> None:
        text = unit * (100_000 // len(unit))
        parse_verdicts(text, STATEMENTS)
        tracemalloc.start()
        try:
            parse_verdicts(text, STATEMENTS)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert peak <= 200 * len(text)
