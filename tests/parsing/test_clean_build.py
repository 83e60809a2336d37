"""The verdict objects of a clean reply, and the places of their rows."""

from __future__ import annotations

import json

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.parsing.clean_build import _by_first_key, _spans
from magistrate.verdict import StatementVerdict, Verdict

ASKED = ["The ferry leaves at six.", "The harbour freezes in May."]


def rows_of(reply: str, **options: object) -> list[str | None]:
    """The part of a reply from which each verdict was read."""
    found = parse_verdicts(reply, ASKED, **options).verdicts
    return [one.span and reply[slice(*one.span)] for one in found]


FIRST = '{"id": 1, "verdict": "yes"}'
SECOND = '{"id": 2, "verdict": "no"}'


class TestPlaces:
    @pytest.mark.parametrize(
        "reply",
        [
            f"[{FIRST}, {SECOND}]",
            f"[{SECOND}, {FIRST}]",
            f'{{"verdicts": [{FIRST}, {SECOND}]}}',
            f'{{"verdicts": [{FIRST}, {SECOND}], "note": "}}"}}',
            f'{{"note": "{{\\"id\\"", "verdicts": [{FIRST}, {SECOND}]}}',
            f'{{"verdicts": [{SECOND},{FIRST}]}}',
            f" \n\t\r[{FIRST}\n,\n{SECOND}]\n ",
            f'\ufeff {{"verdicts" : [ {FIRST} , {SECOND} ] }}',
            f"```json\n[{FIRST}, {SECOND}]\n```",
            f'{{"results": [{FIRST}, {SECOND}]}}',
        ],
    )
    def test_are_those_of_the_rows(self, reply: str) -> None:
        assert rows_of(reply) == [FIRST, SECOND]

    @pytest.mark.parametrize(
        ("first", "second"),
        [
            ('{"id": 1, "verdict": "yes", "reason": "it says \\"id\\""}', SECOND),
            ('{"id": 1, "verdict": "yes", "reason": "a } b"}', '{"id": 2, "verdict": "no", "reason": "a } , { b"}'),
            ('{"id": 1, "verdict": "yes"}', '{"verdict": "no", "id": 2}'),
            ('{"verdict": "yes", "id": 1}', '{ "id": 2, "verdict": "no" }'),
            ('{"i\\u0064": 1, "verdict": "yes"}', '{"i\\u0064": 2, "verdict": "no"}'),
            ('{"id":1,"verdict":"yes"}', '{"id":2,"verdict":"no"}'),
            ('{\n  "id": 1,\n  "verdict": "yes"\n}', '{\n  "id": 2,\n  "verdict": "no"\n}'),
        ],
    )
    def test_whatever_the_rows_hold(self, first: str, second: str) -> None:
        for reply in (f"[{first}, {second}]", f'{{"verdicts": [{first}, {second}]}}', f"[{second}, {first}]"):
            assert rows_of(reply) == [first, second]

    @pytest.mark.parametrize("token", [None, "q7"])
    def test_under_the_ids_of_statements(self, token: str | None) -> None:
        first, second = '{"verdict": "yes"}', '{"verdict": "no", "reason": "}"}'
        head = f'"token": "{token}", ' if token else ""
        assert rows_of(f'{{{head}"s1": {first}, "s2": {second}}}', token=token) == [first, second]
        assert rows_of(f'{{{head}"s2": {second}, "s1": {first}}}', token=token) == [first, second]
        if token:
            assert rows_of(f'{{"s2": {second}, "token": "q7", "s1": {first}}}', token=token) == [first, second]
            assert rows_of(f'{{"s1": {first}, "s2": {second}, "token": "q7"}}', token=token) == [first, second]

    def test_of_one_object_about_one_statement(self) -> None:
        reply = ' \n{"verdict": "yes", "reason": "{}"}\n'
        one = parse_verdicts(reply, ASKED[:1]).verdicts[0]
        assert one.span is not None
        assert reply[slice(*one.span)] == reply.strip()


class TestFirstKey:
    def test_rows_that_begin_alike_are_found_by_that(self) -> None:
        raw = f"[{FIRST}, {SECOND}]"
        assert _by_first_key(raw, 0, 2) == [(1, 28), (30, 56)]
        assert _by_first_key(f"[{FIRST}]", 0, 1) == [(1, 28)]
        assert _by_first_key('[{"a": 1} ,{"a": 2}\n, {"a": 3}]', 0, 3) == [(1, 9), (11, 19), (22, 30)]
        assert _by_first_key('{{"a": 1}', 0, 1) == [(1, 9)]

    @pytest.mark.parametrize(
        ("raw", "count"),
        [
            ("[]", 1),
            (f"[{FIRST}, {SECOND}]", 1),
            (f"[{FIRST}, {SECOND}]", 3),
            ('[{"id": 1}, {"verdict": "no"}]', 2),
            ('[{"id": {"id": 1}}]', 1),
            ('[{"i\\u0064": 1}]', 1),
            ('[{"a\\"b": 1}, {"a\\"b": 1}]', 2),
        ],
    )
    def test_others_are_not(self, raw: str, count: int) -> None:
        assert _by_first_key(raw, 0, count) is None

    def test_a_place_is_found_either_way(self) -> None:
        rows = [{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]
        raw = json.dumps({"verdicts": rows})
        other = raw.replace('{"id": 2, "verdict": "no"}', '{"verdict": "no", "id": 2}')
        for text in (raw, other):
            assert _spans(text, 0, json.loads(text), rows, "verdicts", named=False) == [(14, 41), (43, 69)]


class TestObjects:
    REPLY = '{"verdicts": [{"id": 1, "verdict": "yes", "reason": " "}, {"id": 2, "verdict": "no", "reason": "wet"}]}'

    def test_are_what_pydantic_would_have_made(self) -> None:
        found = list(parse_verdicts(self.REPLY, ASKED).verdicts)
        made = [
            StatementVerdict(
                index=at,
                id=f"s{at + 1}",
                statement=ASKED[at],
                verdict=(Verdict.SUPPORTED, Verdict.UNSUPPORTED)[at],
                reason=(None, "wet")[at],
                format="json",
                span=((14, 56), (58, 101))[at],
            )
            for at in range(2)
        ]
        assert found == made
        for one, other in zip(found, made, strict=True):
            assert one.model_dump() == other.model_dump()
            assert one.model_fields_set == set(StatementVerdict.model_fields)
            assert one.model_extra is None
            assert one.model_copy(update={"reason": "dry"}).reason == "dry"
            assert hash(one) == hash(other)
            assert repr(one) == repr(other)
