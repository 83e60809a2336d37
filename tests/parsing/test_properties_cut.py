"""Promise 4: a reply cut off anywhere gives, for each statement, the verdict that was meant or none."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from magistrate.parsing import VerdictReader, parse_verdicts
from magistrate.testing.strategies import FORMATS, Reply, cut, replies
from magistrate.verdict import BINARY, GRADED, TERNARY, ParseStatus, Verdict

HUNT = os.environ.get("MAGISTRATE_EXAMPLES")  # set it to look for new examples: see CONTRIBUTING.md
EXAMPLES = int(HUNT or 25)
MANY = settings(
    max_examples=EXAMPLES, derandomize=not HUNT, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)

CLOSED = [name for name, form in FORMATS.items() if form.closed]
OPEN = [name for name, form in FORMATS.items() if not form.closed]


def read(reply: Reply, text: str, finish_reason: str | None) -> tuple[Verdict | None, ...]:
    return tuple(parse_verdicts(text, reply.statements, scale=reply.scale, finish_reason=finish_reason).found)


class TestMarkedEnds:
    @pytest.mark.parametrize("name", CLOSED)
    def test_no_cut_changes_a_verdict_whatever_the_provider_says(self, name: str) -> None:
        @MANY
        @given(st.data(), st.sampled_from([None, "stop", "length"]))
        def holds(data: st.DataObject, finish_reason: str | None) -> None:
            left, _ = data.draw(cut(data.draw(replies(formats=[name], most=3, scales=[BINARY, TERNARY, GRADED]))))
            assert not left.wrong(read(left, left.text, finish_reason))

        holds()

    @MANY
    @given(replies(formats=["json list", "json map", "json words", "xml", "json side by side"], most=3))
    def test_every_place_of_a_reply(self, reply: Reply) -> None:
        for size in range(0, len(reply.text), 3):
            assert not reply.wrong(read(reply, reply.text[:size], None))

    @MANY
    @given(st.data())
    def test_complete_rows_before_the_cut_count(self, data: st.DataObject) -> None:
        reply = data.draw(replies(formats=["json lines"], wrappings=["none"], least=3))
        end = max(reply.tokens[0][1], reply.tokens[1][1]) + 1
        found = read(reply, reply.text[:end], "length")
        assert found[:2] == reply.verdicts[:2]


class TestOpenEnds:
    @pytest.mark.parametrize("name", OPEN)
    def test_no_cut_changes_a_verdict_where_the_provider_tells_of_it(self, name: str) -> None:
        @MANY
        @given(st.data())
        def holds(data: st.DataObject) -> None:
            left, _ = data.draw(cut(data.draw(replies(formats=[name], most=3, scales=[BINARY, TERNARY, GRADED]))))
            assert not left.wrong(read(left, left.text, "length"))

        holds()

    @pytest.mark.parametrize("name", OPEN)
    def test_a_cut_between_two_lines_changes_none_even_untold(self, name: str) -> None:
        @MANY
        @given(replies(formats=[name], most=4))
        def holds(reply: Reply) -> None:
            for at, char in enumerate(reply.text):
                if char == "\n":
                    assert not reply.wrong(read(reply, reply.text[:at], None))

        holds()


class TestStatus:
    @MANY
    @given(replies(formats=["json list", "json map"], wrappings=["none"]))
    def test_a_reply_without_its_end_is_not_ok(self, reply: Reply) -> None:
        body = reply.text.removeprefix("```json\n")
        first = min(start for start, _ in reply.tokens) - len(reply.text) + len(body)
        reading = parse_verdicts(body[:first], reply.statements, scale=reply.scale)
        assert reading.status is not ParseStatus.OK
        assert tuple(reading.found) == (None,) * len(reply.statements)


class TestStream:
    @MANY
    @given(st.data())
    def test_nothing_wrong_is_ever_shown(self, data: st.DataObject) -> None:
        left, _ = data.draw(cut(data.draw(replies(most=3))))
        reader = VerdictReader(left.statements, scale=left.scale)
        for char in left.text:
            assert all(row.verdict == left.verdicts[row.index] for row in reader.feed(char))
