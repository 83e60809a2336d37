"""From decoded values to rows: lists, maps, columns, groups, wrappers, one object."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from magistrate.parsing import parse_verdicts, shape
from magistrate.parsing.fields import own_verdict
from magistrate.verdict import IssueCode, Verdict

Tell = Callable[..., tuple[str, ...]]

STATEMENTS = [
    "The ferry leaves at six.",
    "The harbour freezes in May.",
    "Gulls nest on the pier.",
    "The keeper paints the rail.",
]


class TestLists:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ('["yes", "no"]', ("ok json", "s1: supported 1-6", "s2: unsupported 8-12")),
            ('["1. yes", "2. no"]', ("ok json", "s1: supported 1-9", "s2: unsupported 11-18")),
            ('[["1", "yes"], ["2", "no"]]', ("ok json", "s1: supported 1-13", "s2: unsupported 15-26")),
            ("[[1, 1], [2, 0]]", ("ok json", "s1: supported 1-7", "s2: unsupported 9-15")),
            ('[[1, "yes", "why", 3], [2, "no", "so", 4]]', ("ok json", "s1: supported 1-21", "s2: unsupported 23-41")),
            (
                '[[1, "yes", 1, 2, 3], [2, "no", 1, 2, 3]]',
                (
                    "unparseable None",
                    "s1: None",
                    "s2: None",
                    "extra supported, supported, supported, unsupported, supported",
                    "count-mismatch: 5 verdicts for 2 statements",
                    "missing-verdict 1: the reply says nothing of this statement",
                    "missing-verdict 2: the reply says nothing of this statement",
                ),
            ),
            (
                '[["The harbour freezes in May.", "no"], ["The ferry leaves at six.", "yes"]]',
                ("ok json", "s1: supported 40-75", "s2: unsupported 1-38"),
            ),
            ('[["yes", "no"]]', ("ok json", "s1: supported 2-7", "s2: unsupported 9-13")),
            (
                '["yes", ...]',
                (
                    "partial repaired-json",
                    "s1: supported 1-6",
                    "s2: None",
                    "count-mismatch: 1 verdicts for 2 statements",
                    "repaired-json: the reply had to be mended: ellipsis",
                    "missing-verdict 2: the reply says nothing of this statement",
                    "ellipsis 8",
                ),
            ),
            ('["yes", "no", "..."]', ("ok json", "s1: supported 1-6", "s2: unsupported 8-12")),
            ("[true, false]", ("ok json", "s1: supported 1-5", "s2: unsupported 7-12")),
            ("[1, 0]", ("ok json", "s1: supported 1-2", "s2: unsupported 4-5")),
            ('["yes", {"verdict": "no"}]', ("ok json", "s1: supported 1-6", "s2: unsupported 8-25")),
            ('[{"verdict": "yes"}, "no"]', ("ok json", "s1: supported 1-19", "s2: unsupported 21-25")),
            (
                '[{"verdict": "yes"}, {"result": {"verdict": "no"}}]',
                ("ok json", "s1: supported 1-19", "s2: unsupported 21-50"),
            ),
            (
                '[{"verdicts": ["yes", "no"]}, {"verdicts": ["yes", "no"]}]',
                (
                    "ok json",
                    "s1: supported 15-20",
                    "s2: unsupported 22-26",
                    "duplicate-verdict 1: the verdict is given 2 times",
                    "duplicate-verdict 2: the verdict is given 2 times",
                ),
            ),
            (
                '[{"id": 1}, {"id": 2, "verdict": "no"}]',
                (
                    "partial json",
                    "s1: None 1-10",
                    "s2: unsupported 12-38",
                    "count-mismatch: 1 verdicts for 2 statements",
                    "missing-verdict 1: the row of this statement gives no verdict",
                ),
            ),
            ('["yes", [1, "no"]]', ("ok json", "s1: supported 9-10", "s2: unsupported 12-16")),
        ],
    )
    def test_rows_words_pairs_and_numbered_words(self, reply: str, told: tuple[str, ...], tell_verdicts: Tell) -> None:
        assert tell_verdicts(reply, STATEMENTS[:2]) == told


class TestMaps:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ('{"1": "yes", "2": "no"}', ("ok json", "s1: supported 6-11", "s2: unsupported 18-22")),
            (
                '{"The harbour freezes in May.": "no", "The ferry leaves at six.": "yes"}',
                ("ok json", "s1: supported 66-71", "s2: unsupported 32-36"),
            ),
            (
                '{"s1": {"verdict": "yes", "reason": "why"}, "s2": {"verdict": "no"}}',
                ("ok json", "s1: supported 7-42 because 'why'", "s2: unsupported 50-67"),
            ),
            ('{"first": "yes", "second": "no"}', ("ok json", "s1: supported 10-15", "s2: unsupported 27-31")),
            (
                '{"1. The ferry leaves at six.": "yes", "2. The harbour freezes in May.": "no"}',
                ("ok json", "s1: supported 32-37", "s2: unsupported 73-77"),
            ),
            ('{"1": "yes", "2": ["no"]}', ("ok json", "s1: supported 6-11", "s2: unsupported 18-24")),
            (
                '{"1": "yes", "2": "{\\"verdict\\": \\"no\\"}"}',
                ("ok json", "s1: supported 6-11", "s2: unsupported 18-41"),
            ),
            ('{"1": "yes", "reason": "so", "2": "no"}', ("ok json", "s1: supported 6-11", "s2: unsupported 34-38")),
            (
                '{"1": "yes", "x": "no"}',
                (
                    "unparseable None",
                    "s1: None",
                    "s2: None",
                    "count-mismatch: 0 verdicts for 2 statements",
                    "missing-verdict 1: the reply says nothing of this statement",
                    "missing-verdict 2: the reply says nothing of this statement",
                ),
            ),
            (
                '{"statement_1": "yes", "statement_2": "no"}',
                ("ok json", "s1: supported 16-21", "s2: unsupported 38-42"),
            ),
            (
                '{"1": {"verdict": "yes", "id": 2}, "2": {"verdict": "no"}}',
                ("ok json", "s1: supported 6-33", "s2: unsupported 40-57"),
            ),
            ('{"0": "yes", "1": "no"}', ("ok json", "s1: supported 6-11", "s2: unsupported 18-22")),
            ('{"verdicts": {"1": "yes", "2": "no"}}', ("ok json", "s1: supported 19-24", "s2: unsupported 31-35")),
            ('{"1": {"a": {"verdict": "yes"}}, "2": "no"}', ("ok json", "s1: supported 6-31", "s2: unsupported 38-42")),
        ],
    )
    def test_keys_name_statements_by_number_text_or_order(
        self, reply: str, told: tuple[str, ...], tell_verdicts: Tell
    ) -> None:
        assert tell_verdicts(reply, STATEMENTS[:2]) == told


class TestSideBySide:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            (
                '{"s1": "yes", "s1_reason": "why", "s2": "no", "s2_reason": "so"}',
                ("ok json", "s1: supported 7-12 because 'why'", "s2: unsupported 40-44 because 'so'"),
            ),
            ('{"s1_verdict": "yes", "s2_verdict": "no"}', ("ok json", "s1: supported 15-20", "s2: unsupported 36-40")),
            (
                '{"verdict_1": "yes", "verdict_2": "no", "quote_1": "q", "evidence_1": ["r"]}',
                ("ok json", "s1: supported 14-19 ['q' None None-None] ['r' None None-None]", "s2: unsupported 34-38"),
            ),
            (
                '{"s1_reason": " ", "s1": "yes", "s2": "no"}',
                ("ok json", "s1: supported 25-30", "s2: unsupported 38-42"),
            ),
        ],
    )
    def test_parts_of_a_row_stand_side_by_side(self, reply: str, told: tuple[str, ...], tell_verdicts: Tell) -> None:
        assert tell_verdicts(reply, STATEMENTS[:2]) == told


class TestGroups:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ('{"supported": [1], "unsupported": [2]}', ("ok json", "s1: supported 15-16", "s2: unsupported 35-36")),
            (
                '{"supported": [1], "unsupported": [2], "reason": "why"}',
                ("ok json", "s1: supported 15-16", "s2: unsupported 35-36"),
            ),
            ('{"yes": [1], "no": [2], "token": "x"}', ("ok json", "s1: supported 9-10", "s2: unsupported 20-21")),
        ],
    )
    def test_statements_stand_under_their_verdict(self, reply: str, told: tuple[str, ...], tell_verdicts: Tell) -> None:
        assert tell_verdicts(reply, STATEMENTS[:2]) == told


class TestColumns:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ('{"ids": [2, 1], "verdicts": ["yes", "no"]}', ("ok json", "s1: unsupported 36-40", "s2: supported 29-34")),
            (
                '{"ids": [1, 2], "verdicts": ["yes", "no"], "reasons": ["p"]}',
                ("ok json", "s1: supported 29-34", "s2: unsupported 36-40"),
            ),
            (
                '{"verdicts": ["yes", "no"], "labels": ["yes", "no"], "ids": [1, 2]}',
                ("ok json", "s1: supported 14-19", "s2: unsupported 21-25"),
            ),
            (
                '{"verdicts": ["yes", "no"], "reasons": ["p", "q"]}',
                ("ok json", "s1: supported 14-19", "s2: unsupported 21-25"),
            ),
            ('{"answers": ["yes", "no"], "ids": [1, 2]}', ("ok json", "s1: supported 13-18", "s2: unsupported 20-24")),
        ],
    )
    def test_they_are_read_side_by_side(self, reply: str, told: tuple[str, ...], tell_verdicts: Tell) -> None:
        assert tell_verdicts(reply, STATEMENTS[:2]) == told


class TestWrappers:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            (
                '{"result": {"output": [{"verdicts": ["yes", "no"]}]}}',
                ("ok json", "s1: supported 37-42", "s2: unsupported 44-48"),
            ),
            (
                '{"draft": ["yes", "no"]}',
                (
                    "unparseable None",
                    "s1: None",
                    "s2: None",
                    "count-mismatch: 0 verdicts for 2 statements",
                    "missing-verdict 1: the reply says nothing of this statement",
                    "missing-verdict 2: the reply says nothing of this statement",
                ),
            ),
            ('{"reasoning": ["yes", "no"]}', ("ok json", "s1: supported 15-20", "s2: unsupported 22-26")),
            ('{"analysis": ["yes", "no"]}', ("ok json", "s1: supported 14-19", "s2: unsupported 21-25")),
            (
                '{"reasoning": ["no", "no"], "verdicts": ["yes", "no"]}',
                ("ok json", "s1: supported 41-46", "s2: unsupported 48-52"),
            ),
            ('{"verdicts": "[\\"yes\\", \\"no\\"]"}', ("ok json", "s1: supported 13-32", "s2: unsupported 13-32")),
            (
                '{"type": "object", "properties": {"verdicts": ["yes", "no"]}}',
                ("ok json", "s1: supported 47-52", "s2: unsupported 54-58"),
            ),
            (
                '{"name": "judge", "arguments": {"verdicts": ["yes", "no"]}}',
                ("ok json", "s1: supported 45-50", "s2: unsupported 52-56"),
            ),
            (
                '{"name": "judge", "arguments": "{\\"verdicts\\": [\\"yes\\", \\"no\\"]}"}',
                ("ok json", "s1: supported 31-66", "s2: unsupported 31-66"),
            ),
            (
                '{"choices": [{"message": {"role": "assistant", "content": "[\\"yes\\", \\"no\\"]"}}]}',
                ("ok json", "s1: supported 58-77", "s2: unsupported 58-77"),
            ),
            (
                '{"a":' * 20 + '["yes", "no"]}}}}}}}}}}}}}}}}}}}}',
                ("ok json", "s1: supported 101-106", "s2: unsupported 108-112"),
            ),
            (
                "[" * 47 + '"yes", "no"]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]',
                ("ok json", "s1: supported 47-52", "s2: unsupported 54-58"),
            ),
            (
                "[" * 50 + '"yes", "no"]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]',
                (
                    "unparseable None",
                    "s1: None",
                    "s2: None",
                    "count-mismatch: 0 verdicts for 2 statements",
                    "missing-verdict 1: the reply says nothing of this statement",
                    "missing-verdict 2: the reply says nothing of this statement",
                ),
            ),
            ('{"score": 0.5, "verdicts": ["yes", "no"]}', ("ok json", "s1: supported 28-33", "s2: unsupported 35-39")),
            (
                '{"overall_verdict": "no", "verdicts": ["yes", "no"]}',
                ("ok json", "s1: supported 39-44", "s2: unsupported 46-50"),
            ),
            (
                '{"verdict": "no", "statements": [{"verdict": "yes"}, {"verdict": "no"}]}',
                ("ok json", "s1: supported 33-51", "s2: unsupported 53-70"),
            ),
        ],
    )
    def test_any_level_is_looked_through_but_drafts_and_quotations(
        self, reply: str, told: tuple[str, ...], tell_verdicts: Tell
    ) -> None:
        assert tell_verdicts(reply, STATEMENTS[:2]) == told


class TestOneObject:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            (
                '{"verdict": "yes", "verdict": null}',
                ("unparseable None", "s1: None 0-35 json", "conflicting-verdicts 1: 'yes' says more than one thing"),
            ),
            (
                '{"verdict": ',
                (
                    "truncated None",
                    "s1: None 0-12 repaired-json",
                    "count-mismatch: 0 verdicts for 1 statements",
                    "repaired-json: the reply had to be mended: missing-bracket",
                    "truncated: the reply was cut off",
                    "truncated 1: the verdict was cut off",
                    "missing-bracket 12",
                ),
            ),
            (
                '{"id": 1, "id": 2, "verdict": "yes"}',
                ("unparseable None", "s1: None 0-36 json", "conflicting-verdicts 1: 'yes' says more than one thing"),
            ),
        ],
    )
    def test_it_is_the_row_of_the_one_statement(self, reply: str, told: tuple[str, ...], tell_verdicts: Tell) -> None:
        assert tell_verdicts(reply, STATEMENTS[:1]) == told


class TestChains:
    def test_a_chain_of_wrappers_is_walked_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        seen = []

        def counted(*parts: Any) -> Any:
            seen.append(1)
            return own_verdict(*parts)

        monkeypatch.setattr(shape, "own_verdict", counted)
        reply = '{"a": ' * 40 + '["yes", "no"]' + "}" * 40
        assert list(parse_verdicts(reply, STATEMENTS[:2]).found) == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]
        assert len(seen) <= 45

    @pytest.mark.parametrize("text", ["yes, no", "1. yes 2. no"])
    def test_words_in_one_string_stand_where_the_string_stands(self, text: str) -> None:
        reply = f'{{"verdicts": "{text}"}}'
        spans = [one.span for one in parse_verdicts(reply, STATEMENTS[:2]).verdicts]
        assert spans == [(13, 15 + len(text))] * 2


class TestGroupsUnderLongNames:
    def test_are_those_of_the_word_they_begin_with(self) -> None:
        reply = '{"supported_statements": [1], "unsupported_claims": [2]}'
        said = parse_verdicts(reply, ["The ferry leaves at six.", "Tea is sold on board."])
        assert [*said.found] == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]


class TestAFenceInsideAString:
    def test_is_taken_off(self) -> None:
        reply = json.dumps({"response": '```json\n{"verdicts": ["yes", "no"]}\n```'})
        said = parse_verdicts(reply, ["The ferry leaves at six.", "Tea is sold on board."])
        assert [*said.found] == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]


class TestAVerdictBesideAListOfOne:
    @pytest.mark.parametrize(
        "reply",
        [
            '{"verdicts": [{"id": 1, "verdict": "yes"}], "verdict": "no"}',
            '{"verdict": "no", "verdicts": [{"id": 1, "verdict": "yes"}]}',
        ],
    )
    def test_is_about_the_same_statement_and_must_agree(self, reply: str) -> None:
        said = parse_verdicts(reply, ["The ferry leaves at six."])
        assert [*said.found] == [None]
        assert IssueCode.CONFLICTING_VERDICTS in {issue.code for issue in said.issues}

    def test_where_it_agrees_it_changes_nothing(self) -> None:
        reply = '{"verdicts": [{"id": 1, "verdict": "yes"}], "verdict": "yes"}'
        assert [*parse_verdicts(reply, ["The ferry leaves at six."]).found] == [Verdict.SUPPORTED]


class TestReasonsSideBySide:
    """A reason that stands beside its verdict is that row's own, as one within a row is: it amends no list."""

    ASKED = ("The ferry leaves at six.", "Tea is sold on board.")

    @pytest.mark.parametrize(
        "reason",
        [
            "Correction: all statements are supported.",
            "Answer only: every statement is supported.",
            "Statement 2 is true.",
        ],
    )
    @pytest.mark.parametrize(
        "keys", [("s1_why", "s1", "s2_why", "s2"), ("reason_1", "verdict_1", "reason_2", "verdict_2")]
    )
    def test_take_no_verdict_back(self, keys: tuple[str, ...], reason: str) -> None:
        reply = json.dumps(dict(zip(keys, (reason, "no", "", "no"), strict=True)))
        assert [*parse_verdicts(reply, self.ASKED).found] == [Verdict.UNSUPPORTED, Verdict.UNSUPPORTED]

    def test_contradict_their_own_verdict(self) -> None:
        reply = '{"s1_why": "It is on the card. Verdict: yes", "s1": "no", "s2_why": "", "s2": "no"}'
        assert [*parse_verdicts(reply, self.ASKED).found] == [None, Verdict.UNSUPPORTED]

    def test_what_stands_beside_all_rows_is_heard(self) -> None:
        reply = '{"note": "Correction: all statements are supported.", "s1": "no", "s2": "no"}'
        assert [*parse_verdicts(reply, self.ASKED).found] == [None, None]
