"""The strategies know the right reading of what they write, and say so in a form that any parser can use."""

import ast
import json
import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.testing import strategies
from magistrate.testing.strategies import (
    FORMATS,
    SLIPS,
    WORDS,
    WRAPPINGS,
    Reply,
    cut,
    damaged,
    planted,
    replies,
    statement_lists,
    with_token,
)
from magistrate.verdict import BINARY, GRADED, TERNARY, Verdict

cases = cases_of(__file__)

FEW = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
SMALLEST = settings(max_examples=400, deadline=None, database=None, phases=[Phase.generate, Phase.shrink])


def smallest(made, wanted):
    """The smallest reply of a kind; seeded, as from a few of all starts shrinking ends beside the very smallest."""
    return find(made, wanted, settings=SMALLEST, random=random.Random(5))  # noqa: S311


def a_reply(text='{"verdict": "yes"}', tokens=((12, 17),)):
    return Reply(text, ("One.",) * len(tokens), BINARY, (Verdict.SUPPORTED,) * len(tokens), "json list", tokens)


def test_public_names_nothing_here_looks_at_the_parser():
    for path in Path(strategies.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("magistrate"):
                assert node.module.startswith(("magistrate.verdict", "magistrate._lazy", strategies.__name__))


class TestReplies:
    @FEW
    @given(replies(scales=[BINARY, TERNARY, GRADED]))
    def test_say_each_verdict_in_a_word_of_their_language_within_their_wrapping(self, reply):
        before, behind = WRAPPINGS[reply.wrapping]
        assert reply.text.startswith(before)
        assert reply.text.endswith(behind)
        assert len(reply.verdicts) == len(reply.statements) == len(reply.tokens)
        for verdict, (start, end) in zip(reply.verdicts, reply.tokens, strict=True):
            assert len(before) <= start < end <= len(reply.text) - len(behind)
            said = reply.text[start:end].strip("'\"\\")
            truths = {"true", "1"} if verdict is Verdict.SUPPORTED else {"false", "0"}
            assert said in {*WORDS[reply.language][verdict], *(truths if FORMATS[reply.format].binary else ())}

    @FEW
    @given(replies(formats=["python", "json list", "json map", "json words", "json truth values"], wrappings=["none"]))
    def test_of_a_format_with_a_reader_are_what_it_reads(self, reply):
        read = ast.literal_eval if reply.format.startswith("python") else json.loads
        assert read(reply.text.removeprefix("```json\n").removesuffix("\n```"))

    @pytest.mark.slow
    @pytest.mark.parametrize("slip", sorted(SLIPS))
    def test_a_slip_leaves_something_to_repair(self, slip):
        def is_broken(reply):
            assert reply.slips == (slip,)
            try:
                json.loads(reply.text)
            except ValueError:
                return True
            return False

        found = smallest(replies(formats=["json list"], wrappings=["none"], slips=[slip], least=2), is_broken)
        assert len(found.statements) == 2

    @pytest.mark.slow
    def test_formats_that_cannot_slip_have_none(self):
        found = smallest(replies(formats=["table"], slips=tuple(SLIPS)), lambda _: True)
        assert found.slips == ()

    @pytest.mark.slow
    def test_they_shrink_to_one_short_plain_answer(self):
        found = smallest(replies(), lambda _: True)
        assert found.format.startswith("json list")
        assert (found.wrapping, found.language) == ("none", "en")
        assert len(found.text) <= 120
        assert found.verdicts == (Verdict.SUPPORTED,)

    @pytest.mark.slow
    def test_a_failure_shrinks_to_the_verdict_it_needs(self):
        found = smallest(replies(formats=["table"]), lambda reply: Verdict.CONTRADICTED in reply.verdicts)
        assert found.verdicts == (Verdict.CONTRADICTED,)
        assert found.wrapping == "none"

    @FEW
    @given(replies(formats=["labelled"], plant=planted()))
    def test_what_is_planted_stands_in_a_statement_a_reason_or_a_context(self, reply):
        where = "\n".join([*reply.statements, *reply.contexts, reply.text]).replace("\n", " ")
        assert reply.planted.replace("\n", " ") in where


@FEW
@given(statement_lists(least=2, most=9))
def test_statement_lists_no_two_are_alike(statements):
    assert 2 <= len(statements) <= 9
    assert len(set(statements)) == len(statements)


@cases("strategies: which verdicts of a reading are wrong")
def test_which_verdicts_of_a_reading_are_wrong(read, wrong):
    assert a_reply().wrong(read) == tuple(wrong)


class TestDamage:
    @FEW
    @given(st.data())
    def test_one_character_is_lost_put_in_or_exchanged(self, data):
        reply = data.draw(replies())
        broken, at, kind = data.draw(damaged(reply))
        size = {"delete": -1, "insert": 1, "swap": 0}[kind]
        assert len(broken.text) == len(reply.text) + size
        assert broken.text[:at] == reply.text[:at]
        tail = at + {"delete": 1, "insert": 0, "swap": 2}[kind]
        assert broken.text[tail + size :] == reply.text[tail:]

    @cases("strategies: touched tells damage to a word from damage beside it")
    def test_touched_tells_damage_to_a_word_from_damage_beside_it(self, kind, at, touched):
        assert a_reply().touched(kind, at) == (frozenset({0}) if touched else frozenset())

    @FEW
    @given(st.data())
    def test_a_cut_leaves_a_prefix(self, data):
        reply = data.draw(replies())
        left, size = data.draw(cut(reply))
        assert left.text == reply.text[:size]
        assert left.verdicts == reply.verdicts


@FEW
@given(st.data())
def test_with_token_the_answer_carries_the_token_and_the_planted_one_does_not(data):
    reply = data.draw(with_token(data.draw(replies())))
    assert reply.token is not None
    assert reply.text.count(reply.token) == 1
    for (start, end), verdict in zip(reply.tokens, reply.verdicts, strict=True):
        assert json.loads(reply.text[start:end]) == verdict


@given(replies(formats=["json list"], wrappings=["none"], reasons=st.just("The lamp is lit.")))
def test_reasons_may_come_from_a_strategy_of_ones_own(reply):
    assert '"reason"' not in reply.text or "The lamp is lit." in reply.text
