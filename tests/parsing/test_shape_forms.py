"""The forms in which data gives verdicts: lists, pairs, maps, columns, groups, layers."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.verdict import IssueCode, Verdict

YES, NO = Verdict.SUPPORTED, Verdict.UNSUPPORTED
OWLS = ["The owl sleeps.", "The owl eats hay.", "The owl turns."]


def found(reply: str, asked: int = 3) -> list[Verdict | None]:
    return list(parse_verdicts(reply, OWLS[:asked]).found)


class TestLists:
    @pytest.mark.parametrize("mark", ["...", "\u2026", " . ", " ... "])
    def test_that_leave_off_give_what_stands_before(self, mark: str) -> None:
        assert found(f'["yes", "no", "{mark}"]') == [YES, NO, None]
        assert found(f'{{"verdicts": ["yes", "{mark}"]}}') == [YES, None, None]
        assert found(f'["yes", "{mark}", "no"]') == [YES, None, None]

    def test_of_the_numbers_of_the_statements_say_nothing(self) -> None:
        assert found("[1, 2, 3]") == [None, None, None]

    @pytest.mark.parametrize("reply", ['["yes", "no", ""]', '["yes", "no", null]'])
    def test_an_empty_place_is_one(self, reply: str) -> None:
        assert found(reply) == [YES, NO, None]

    @pytest.mark.parametrize(
        "reply", ['["2. no", "1. yes", "3. yes"]', '["1. yes", "2. no", "3. yes"]', '["1: yes", "2: no", "3: yes"]']
    )
    def test_of_numbered_words_go_by_their_numbers(self, reply: str) -> None:
        assert found(reply) == [YES, NO, YES]

    def test_of_numbers_that_count_something_else_do_not(self) -> None:
        assert found('["1: yes", "2: no", "4: yes"]') == [None, None, None]


class TestPairs:
    @pytest.mark.parametrize(
        "reply",
        [
            '[[1, "yes"], [2, "no"], [3, "yes"]]',
            '[[2, "no"], [1, "yes"], [3, "yes"]]',
            '[[1, "yes", "so"], [2, "no", "so"], [3, "yes", "so"]]',
            '[["yes"], ["no"], ["yes"]]',
        ],
    )
    def test_are_a_number_and_a_word(self, reply: str) -> None:
        assert found(reply) == [YES, NO, YES]

    def test_with_a_number_twice_conflict_there(self) -> None:
        assert found('[[1, "yes"], [2, "no"], [2, "yes"]]') == [YES, None, None]

    def test_that_miss_a_part_say_nothing(self) -> None:
        assert found('[[], ["no"], ["yes"]]') == [None, None, None]


class TestMaps:
    @pytest.mark.parametrize(
        "reply",
        [
            '{"verdict": {"1": "yes", "2": "no", "3": "yes"}}',
            '{"1": {"verdict": "yes"}, "2": {"verdict": "no"}, "note": "x", "3": {"verdict": "yes"}}',
            '{"0": "yes", "1": "no", "2": "yes"}',
            '{"The owl eats hay.": {"verdict": "no"}, "The owl sleeps.": "yes", "The owl turns.": "yes"}',
            '{"ids": [2, 3, 1], "verdicts": ["no", "yes", "yes"]}',
            '{"id": [1, 2, 3], "verdict": ["yes", "no", "yes"]}',
        ],
    )
    def test_by_number_text_or_column(self, reply: str) -> None:
        assert found(reply) == [YES, NO, YES]

    def test_with_a_gap_in_the_numbers_name_no_base(self) -> None:
        assert found('{"1": "yes", "3": "no", "4": "yes"}') == [None, None, None]

    def test_with_columns_of_other_lengths_are_no_map(self) -> None:
        assert found('{"statements": ["x"], "verdicts": ["yes", "no", "yes"]}') == [None, None, None]


class TestGroups:
    @pytest.mark.parametrize(
        "reply",
        [
            '{"supported": [1, 3], "unsupported": [2]}',
            '{"yes": ["s1", "s3"], "no": ["s2"]}',
            '{"supported": ["The owl turns.", "The owl sleeps."], "unsupported": ["The owl eats hay."]}',
        ],
    )
    def test_list_the_statements_under_each_verdict(self, reply: str) -> None:
        assert found(reply) == [YES, NO, YES]

    def test_a_statement_in_two_of_them_is_in_conflict(self) -> None:
        reading = parse_verdicts('{"supported": [1, 2], "unsupported": [2, 3]}', OWLS)
        assert list(reading.found) == [YES, None, NO]
        assert IssueCode.CONFLICTING_VERDICTS in {note.code for note in reading.verdicts[1].issues}


class TestLayers:
    @pytest.mark.parametrize(
        "reply",
        [
            '{"a": {"b": {"c": {"verdicts": ["yes", "no", "yes"]}}}}',
            '{"role": "assistant", "content": "[\\"yes\\", \\"no\\", \\"yes\\"]"}',
            '{"content": [{"type": "text", "text": "{\\"verdicts\\": [\\"yes\\", \\"no\\", \\"yes\\"]}"}]}',
            '{"tool_calls": [{"function": {"arguments": "{\\"verdicts\\": [\\"yes\\", \\"no\\", \\"yes\\"]}"}}]}',
        ],
    )
    def test_are_taken_off(self, reply: str) -> None:
        assert found(reply) == [YES, NO, YES]

    def test_a_result_stands_for_the_statement_around_it(self) -> None:
        reply = '[{"statement": "%s", "result": {"verdict": "no"}}, {"statement": "%s", "result": {"verdict": "yes"}}]'
        assert found(reply % (OWLS[1], OWLS[0]), 2) == [YES, NO]

    def test_deeper_than_any_judge_goes_nothing_is_read(self) -> None:
        for depth in (100, 150):
            assert found("[" * depth + '"yes"' + "]" * depth, 1) == [None]
            assert found('{"a": ' * depth + '"yes"' + "}" * depth, 1) == [None]
        assert found("[" * 6 + '{"verdict": "yes"}' + "]" * 6, 1) == [YES]
