"""Promise 4: a reply cut off anywhere gives, for each statement, the verdict that was meant or none."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.parsing import VerdictReader, parse_verdicts
from magistrate.testing.strategies import FORMATS, WORDS, Reply, cut, replies
from magistrate.verdict import BINARY, GRADED, TERNARY, ParseStatus, Scale, Verdict

cases = cases_of(__file__)

MANY = settings()  # of the profile: see CONTRIBUTING.md
FEW = settings(
    MANY, max_examples=max(3, MANY.max_examples // 8)
)  # each example is read once for each of its characters

SCALES = [BINARY, TERNARY, GRADED]
CLOSED = [name for name, form in FORMATS.items() if form.closed]
OPEN = [name for name, form in FORMATS.items() if not form.closed]
LONGEST = 40


def words_of(scale: Scale) -> frozenset[str]:
    """The words and numbers a reply of the kit may have on a scale, in every language."""
    written = {word.casefold() for lists in WORDS.values() for verdict in scale.verdicts for word in lists[verdict]}
    return frozenset(written | {verdict.value for verdict in scale.verdicts} | {"0", "1"})


OF_SCALE = {scale.name: words_of(scale) for scale in SCALES}


def may_go_on(text: str, scale: Scale) -> bool:
    """Whether the last token, blanks behind it aside, is a proper prefix of a word or number of the scale."""
    tail = text.rstrip(" ")[-LONGEST:].casefold()
    starts = [at for at, char in enumerate(tail) if char.isalnum() and not tail[at - 1 : at].isalnum()]
    return any(word != tail[at:] and word.startswith(tail[at:]) for at in starts for word in OF_SCALE[scale.name])


def is_figure(text: str) -> bool:
    """Whether a text ends in what is a whole answer on the binary scale: "1" may begin "1. no", and "[1]" "[1] no"."""
    return text[-1:].isdigit() or text.rstrip(" ").endswith("[1]")


def read(reply: Reply, text: str, finish_reason: str | None) -> tuple[Verdict | None, ...]:
    return tuple(parse_verdicts(text, reply.statements, scale=reply.scale, finish_reason=finish_reason).found)


class TestMarkedEnds:
    @pytest.mark.parametrize("name", CLOSED)
    def test_no_cut_changes_a_verdict_whatever_the_provider_says(self, name: str) -> None:
        @MANY
        @given(st.data(), st.sampled_from([None, "stop", "length"]))
        def holds(data: st.DataObject, finish_reason: str | None) -> None:
            left, _ = data.draw(cut(data.draw(replies(formats=[name], most=3, scales=SCALES))))
            assert not left.wrong(read(left, left.text, finish_reason))

        holds()

    @pytest.mark.parametrize("name", CLOSED)
    def test_every_place_of_a_reply(self, name: str) -> None:
        @FEW
        @given(replies(formats=[name], most=2, scales=SCALES), st.sampled_from([None, "stop", "length"]))
        def holds(reply: Reply, finish_reason: str | None) -> None:
            for size in range(len(reply.text)):
                left = reply.text[:size]
                assert not reply.wrong(read(reply, left, finish_reason))

        holds()

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
            left, _ = data.draw(cut(data.draw(replies(formats=[name], most=3, scales=SCALES))))
            assert not left.wrong(read(left, left.text, "length"))

        holds()

    @pytest.mark.parametrize("name", OPEN)
    def test_every_place_of_a_reply_where_it_is_told(self, name: str) -> None:
        @FEW
        @given(replies(formats=[name], most=2, scales=SCALES))
        def holds(reply: Reply) -> None:
            for size in range(len(reply.text)):
                assert not reply.wrong(read(reply, reply.text[:size], "length"))

        holds()

    @pytest.mark.parametrize("name", OPEN)
    def test_every_place_untold_where_the_last_token_is_no_part_of_a_longer_one(self, name: str) -> None:
        @FEW
        @given(replies(formats=[name], most=3, scales=SCALES), st.sampled_from([None, "stop"]))
        def holds(reply: Reply, finish_reason: str | None) -> None:
            for size in range(len(reply.text)):
                left = reply.text[:size]
                if may_go_on(left, reply.scale) or is_figure(left):
                    continue
                assert not reply.wrong(read(reply, left, finish_reason))

        holds()

    @cases("properties_cut: a token is part of a longer one by its letters")
    def test_a_token_is_part_of_a_longer_one_by_its_letters(self, text: str, longer: bool) -> None:
        assert any(may_go_on(text, scale) for scale in (BINARY, GRADED)) is longer

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
