"""Promise 5: one damaged character never changes a verdict unseen, but in that verdict's own word.
Promise 8: a repair never moves a value to another statement.
"""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magistrate.parsing import parse_verdicts
from magistrate.testing.strategies import FORMATS, SLIPS, Reply, damaged, replies
from magistrate.verdict import BINARY, TERNARY, Verdict

MANY = settings()  # of the profile: see CONTRIBUTING.md

NAMED_JSON = ["json list", "json map", "json side by side"]
MARKS = frozenset('{}[],:"')


class TestOneCharacter:
    @pytest.mark.parametrize("name", FORMATS)
    def test_damage_beside_a_verdict_does_not_change_it_unseen(self, name: str) -> None:
        @MANY
        @given(st.data())
        def holds(data: st.DataObject) -> None:
            reply = data.draw(replies(formats=[name], most=4))
            broken, at, kind = data.draw(damaged(reply))
            reading = parse_verdicts(broken.text, reply.statements, scale=reply.scale)
            changed = set(reply.wrong(reading.found)) - reply.touched(kind, at)
            assert not changed or reading.issues

        holds()

    @MANY
    @given(st.data())
    def test_nor_does_it_where_the_notation_was_wrong_before(self, data: st.DataObject) -> None:
        reply = data.draw(replies(formats=NAMED_JSON, slips=tuple(SLIPS), most=4))
        broken, at, kind = data.draw(damaged(reply))
        reading = parse_verdicts(broken.text, reply.statements, scale=reply.scale)
        changed = set(reply.wrong(reading.found)) - reply.touched(kind, at)
        assert not changed or reading.issues


class TestRepair:
    @MANY
    @given(st.data())
    def test_lost_marks_move_no_value_to_another_statement(self, data: st.DataObject) -> None:
        reply = data.draw(replies(formats=NAMED_JSON, wrappings=["none"], least=2, most=4))
        places = [
            at
            for at, char in enumerate(reply.text)
            if char in MARKS and not any(start <= at < end for start, end in reply.tokens)
        ]
        lost = data.draw(st.sets(st.sampled_from(places), min_size=1, max_size=2))
        text = "".join(char for at, char in enumerate(reply.text) if at not in lost)
        assert not reply.wrong(parse_verdicts(text, reply.statements, scale=reply.scale).found)

    @pytest.mark.parametrize("name", ["json words", "json list by position"])
    def test_a_part_torn_out_of_a_list_without_ids_closes_no_gap(self, name: str) -> None:
        @MANY
        @given(st.data())
        def holds(data: st.DataObject) -> None:
            reply = data.draw(replies(formats=[name], wrappings=["none"], least=3))
            # Any two places outside of the verdicts' words: whole words may go, but none of their parts.
            places = [at for at in range(len(reply.text) + 1) if not any(a < at < b for a, b in reply.tokens)]
            start, end = sorted(data.draw(st.lists(st.sampled_from(places), min_size=2, max_size=2, unique=True)))
            text = reply.text[:start] + reply.text[end:]
            assert not reply.wrong(parse_verdicts(text, reply.statements, scale=reply.scale).found)

        holds()

    @MANY
    @given(
        st.lists(st.sampled_from(["yes", "no"]), min_size=3, max_size=6),
        st.data(),
        st.sampled_from(["", "null", '""', '" "', "?", "-", "..."]),
    )
    def test_an_element_without_a_value_stays_a_gap(self, words: list[str], data: st.DataObject, blank: str) -> None:
        at = data.draw(st.integers(0, len(words) - 1))
        elements = [json.dumps(word) for word in words]
        elements[at] = blank
        statements = [f"Room {number} has {number + 2} windows." for number in range(len(words))]
        found = parse_verdicts(f"[{', '.join(elements)}]", statements).found
        meant = {"yes": Verdict.SUPPORTED, "no": Verdict.UNSUPPORTED}
        assert found[at] is None
        assert all(one in {None, meant[word]} for one, word in zip(found, words, strict=True))

    @MANY
    @given(replies(formats=NAMED_JSON, wrappings=["none"], least=2, most=5, scales=[BINARY, TERNARY]), st.data())
    def test_a_row_whose_verdict_is_gone_takes_none_from_its_neighbour(self, reply: Reply, data: st.DataObject) -> None:
        at = data.draw(st.integers(0, len(reply.tokens) - 1))
        start, end = reply.tokens[at]
        text = reply.text[:start] + reply.text[end:]
        found = parse_verdicts(text, reply.statements, scale=reply.scale).found
        assert found[at] is None
        assert not reply.wrong(found)
