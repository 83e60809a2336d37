"""Rows that say in members of unknown name which statement they are about."""

from __future__ import annotations

import json

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.parsing.hints import LONGEST, MOST_HINTS, is_hint, is_of_ids, mind_hints, misplaced, names_another
from magistrate.parsing.rows import Row
from magistrate.parsing.statement_index import Statements
from magistrate.verdict import IssueCode, Verdict

STATEMENTS = ("The ferry leaves at six.", "The pier is painted green.", "Tea is sold on board.")
_LETTERS = {None: "-", Verdict.SUPPORTED: "S", Verdict.UNSUPPORTED: "U"}
BACKWARDS = ((3, "yes"), (2, "no"), (1, "no"))


def _said(reply: str, ids: list[str] | None = None) -> str:
    return "".join(_LETTERS[one] for one in parse_verdicts(reply, STATEMENTS, ids=ids).found)


def _rows(key: str, values: list[object]) -> str:
    return json.dumps([{key: value, "verdict": word} for value, word in zip(values, ("yes", "no", "no"), strict=True)])


class TestIds:
    @pytest.mark.parametrize(
        "key", ["case_id", "criterion_id", "caseId", "span-id", "case no", "row", "rank", "check_idx"]
    )
    def test_numbers_under_a_name_of_ids_are_ids(self, key: str) -> None:
        assert _said(_rows(key, [3, 2, 1])) == "UUS"

    def test_a_gap_leaves_that_statement_without(self) -> None:
        assert _said('[{"case_id": 1, "verdict": "yes"}, {"case_id": 3, "verdict": "no"}]') == "S-U"

    @pytest.mark.parametrize("key", ["source_id", "doc_id", "page_no"])
    def test_ids_of_sources_are_none_of_statements(self, key: str) -> None:
        assert _said(_rows(key, [7, 7, 1])) == "SUU"

    def test_ids_of_the_callers_own_are_found_by_them(self) -> None:
        assert _said(_rows("case_id", [30, 20, 10]), ids=["10", "20", "30"]) == "UUS"

    @pytest.mark.parametrize(
        "reply",
        [
            "| Case | Verdict |\n|---|---|\n| 3 | yes |\n| 2 | no |\n| 1 | no |",
            "- case: 3\n  verdict: yes\n- case: 2\n  verdict: no\n- case: 1\n  verdict: no",
            "".join(f"<item><case>{at}</case><verdict>{word}</verdict></item>" for at, word in BACKWARDS),
            "Case 3: yes\nCase 2: no\nCase 1: no",
            '{"criterion_3": true, "criterion_2": false, "criterion_1": false}',
            "[[3, 1], [2, 0], [1, 0]]",
            "Third: yes. Second: no. First: no.",
        ],
    )
    def test_in_every_format(self, reply: str) -> None:
        assert _said(reply) == "UUS"


class TestOrder:
    @pytest.mark.parametrize("key", ["foo", "weight", "priority"])
    def test_another_count_than_the_rows_stand_in_leaves_none(self, key: str) -> None:
        reading = parse_verdicts(_rows(key, [3, 2, 1]), STATEMENTS)
        assert set(reading.found) == {None}
        assert IssueCode.UNKNOWN_STATEMENT in {issue.code for issue in reading.issues}

    @pytest.mark.parametrize(
        "values", [[1, 2, 3], [0, 1, 2], [5, 5, 4], [9, 4, 2], [True, False, True], ["a", "b", "c"]]
    )
    def test_other_values_do_not_matter(self, values: list[object]) -> None:
        assert _said(_rows("foo", values)) == "SUU"

    @pytest.mark.parametrize(
        ("words", "said"),
        [(["tea", "pier", "ferry"], "---"), (["ferry", "pier", "tea on board"], "SUU"), (["x", "y", "z"], "SUU")],
    )
    def test_words_of_other_statements_leave_none(self, words: list[object], said: str) -> None:
        assert _said(_rows("topic", words)) == said
        table = "| Topic | Verdict |\n|---|---|\n" + "".join(
            f"| {word} | {verdict} |\n" for word, verdict in zip(words, ("yes", "no", "no"), strict=True)
        )
        assert _said(table) == ("---" if said == "---" else "SUU")


class TestStatements:
    @pytest.mark.parametrize("key", ["s", "foo", "topic", "reason"])
    def test_a_statement_under_any_name_is_the_one_it_is_about(self, key: str) -> None:
        assert _said(_rows(key, [STATEMENTS[2], STATEMENTS[1], STATEMENTS[0]])) == "UUS"

    def test_a_column_of_objects_with_statements(self) -> None:
        claims = [{"claim": STATEMENTS[at]} for at in (2, 1, 0)]
        assert _said(json.dumps({"claims": claims, "verdicts": ["yes", "no", "no"]})) == "UUS"

    def test_a_reason_about_another_statement_voids_its_row(self) -> None:
        reasons = ["Statement 3 is on the card.", "Statement 2 is not.", "Statement 1 is not."]
        assert _said(_rows("reason", list(reasons))) == "-U-"

    def test_a_reason_about_its_own_changes_nothing(self) -> None:
        reasons = ["Statement 1 is on the card.", "Statement 2 is not.", "Tea is named."]
        assert _said(_rows("reason", list(reasons))) == "SUU"

    def test_the_number_in_a_repeated_statement_is_its_own(self) -> None:
        rows = [(f"{at + 1}. {STATEMENTS[at]}", word) for at, word in ((2, "no"), (0, "yes"), (1, "no"))]
        assert _said(json.dumps([{"statement": text, "verdict": word} for text, word in rows])) == "SUU"

    def test_a_number_against_its_statement_leaves_none(self) -> None:
        rows = [(f"{3 - at}. {STATEMENTS[at]}", word) for at, word in ((0, "yes"), (1, "no"), (2, "no"))]
        assert _said(json.dumps([{"statement": text, "verdict": word} for text, word in rows])) == "-U-"


class TestListsOfLists:
    @pytest.mark.parametrize(
        "reply", ['[["yes"], ["no"], ["no"]]', "[[1], [0], [0]]", '{"verdicts": [["yes"], ["no"], ["no"]]}']
    )
    def test_lists_of_one_word_are_words(self, reply: str) -> None:
        assert _said(reply) == "SUU"

    @pytest.mark.parametrize(
        "reply",
        ['[["yes", "no", "no"], ["no"]]', '[["yes"], ["no", "no"]]', "[[[1], 2], [[2], 3]]", "[[{}, 1], [1, 2]]"],
    )
    def test_lists_of_unlike_length_are_none(self, reply: str) -> None:
        assert _said(reply) == "---"


class TestCutAndDamaged:
    REPLY = '[{"case_id": 3, "verdict": "yes"}, {"case_id": 2, "verdict": "no"}, {"case_id": 1, "verdict": "no"}]'

    def test_every_beginning_says_the_same_or_nothing(self) -> None:
        for stop in range(len(self.REPLY)):
            reading = parse_verdicts(self.REPLY[:stop], STATEMENTS, finish_reason="length")
            found = "".join(_LETTERS[one] for one in reading.found)
            assert all(one in {"-", right} for one, right in zip(found, "UUS", strict=True)), self.REPLY[:stop]

    def test_a_misspelt_name_of_ids_moves_no_verdict(self) -> None:
        for at in range(self.REPLY.index("case_id"), self.REPLY.index("case_id") + 7):
            found = _said(self.REPLY[:at] + "x" + self.REPLY[at + 1 :])
            assert all(one in {"-", right} for one, right in zip(found, "UUS", strict=True))

    @pytest.mark.parametrize("ids", [(1, None, 2), (None, 1, 2), (0, None, 1)])
    def test_rows_without_a_number_among_others_that_count_another_way_have_none(
        self, ids: tuple[int | None, ...]
    ) -> None:
        rows = [{"verdict": "yes"} if number is None else {"case_id": number, "verdict": "yes"} for number in ids]
        assert _said(json.dumps(rows)) == "---"

    @pytest.mark.parametrize("ids", [(0, None, 2), (1, None, 3)])
    def test_they_are_counted_where_the_others_leave_room(self, ids: tuple[int | None, ...]) -> None:
        rows = [{"verdict": "yes"} if number is None else {"case_id": number, "verdict": "yes"} for number in ids]
        assert _said(json.dumps(rows)) == "SSS"


ASKED = Statements(STATEMENTS)


def _hinted(key: str, values: list[object]) -> list[Row]:
    return [Row(Verdict.SUPPORTED, hints=((key, value),) if value is not None else ()) for value in values]


class TestIsHint:
    @pytest.mark.parametrize("value", [0, 7, -1, "a", "x" * LONGEST])
    def test_numbers_and_short_texts_may_tell_the_place(self, value: object) -> None:
        assert is_hint(value)

    @pytest.mark.parametrize("value", [True, False, None, 1.5, "", "x" * (LONGEST + 1), [1], {}])
    def test_other_values_may_not(self, value: object) -> None:
        assert not is_hint(value)


class TestIsOfIds:
    @pytest.mark.parametrize("key", ["case_id", "caseId", "row", "span-id", "#", "item no", "check"])
    def test_names_of_ids(self, key: str) -> None:
        assert is_of_ids(key)

    @pytest.mark.parametrize("key", ["topic", "valid", "source_id", "page", "model_id", "weight", "bid"])
    def test_other_names(self, key: str) -> None:
        assert not is_of_ids(key)


class TestMindHints:
    @pytest.mark.parametrize("known", [{"id": 1}, {"echo": STATEMENTS[0]}, {"echo_index": 0}])
    def test_rows_of_which_one_knows_its_statement_need_none(self, known: dict[str, object]) -> None:
        rows = _hinted("case_id", [3, 2, 1])
        rows[0] = Row(Verdict.SUPPORTED, hints=rows[0].hints, **known)  # type: ignore[arg-type]
        assert not mind_hints(rows, ASKED)
        assert [row.id for row in rows[1:]] == [None, None]

    def test_numbers_of_the_statements_become_ids(self) -> None:
        rows = _hinted("case_id", [3, 1, 2])
        assert not mind_hints(rows, ASKED)
        assert [row.id for row in rows] == [3, 1, 2]

    def test_so_do_numbers_from_zero_in_order(self) -> None:
        rows = _hinted("case_id", [0, 1, 2])
        assert not mind_hints(rows, ASKED)
        assert [row.id for row in rows] == [0, 1, 2]

    @pytest.mark.parametrize("values", [[0, 2, 1], [1, 1, 2], [5, 4, 3], [2, 1, None]])
    def test_numbers_that_fit_no_statements_and_do_not_rise_leave_the_order_unclear(self, values: list[object]) -> None:
        rows = _hinted("case_id", values)
        assert mind_hints(rows, ASKED)
        assert [row.id for row in rows] == [None] * 3

    @pytest.mark.parametrize("values", [[10, 20, 30], [4, 5, 6]])
    def test_numbers_of_something_else_that_rise_do_not_matter(self, values: list[object]) -> None:
        rows = _hinted("case_id", values)
        assert not mind_hints(rows, ASKED)
        assert [row.id for row in rows] == [None] * 3

    @pytest.mark.parametrize("values", [[1, None, 3], [None, 2, 3], [0, None, 2]])
    def test_a_row_without_its_number_takes_the_place_that_is_left(self, values: list[object]) -> None:
        assert not mind_hints(_hinted("case_id", values), ASKED)

    @pytest.mark.parametrize("values", [[3, None, 5], [7, None, 8]])
    def test_unless_the_others_count_otherwise(self, values: list[object]) -> None:
        assert mind_hints(_hinted("case_id", values), ASKED)

    def test_a_repeated_statement_under_any_name_is_the_one_meant(self) -> None:
        rows = _hinted("topic", [STATEMENTS[1], STATEMENTS[2], STATEMENTS[0]])
        assert not mind_hints(rows, ASKED)
        assert [row.echo for row in rows] == [STATEMENTS[1], STATEMENTS[2], STATEMENTS[0]]

    def test_all_of_them_must_be_statements(self) -> None:
        rows = _hinted("topic", [STATEMENTS[1], "tea", STATEMENTS[0]])
        mind_hints(rows, ASKED)
        assert [row.echo for row in rows] == [None] * 3


class TestOtherCounts:
    """A list that was cut off may count all statements in any order."""

    @pytest.mark.parametrize(("values", "unclear"), [([3, 1], True), ([2, 1], True), ([1, 3], False), ([9, 1], False)])
    def test_numbers_that_fit_the_statements_and_fall_are_their_order(
        self, values: list[object], unclear: bool
    ) -> None:
        assert mind_hints(_hinted("weight", values), ASKED) is unclear

    def test_the_same_number_twice_counts_nothing(self) -> None:
        assert not mind_hints(_hinted("weight", [3, 3, 1]), Statements([*STATEMENTS, "The bell is brass."]))

    def test_a_whole_list_counts_from_zero_too(self) -> None:
        assert mind_hints(_hinted("weight", [2, 0, 1]), ASKED)
        assert not mind_hints(_hinted("weight", [3, 0, 1]), ASKED)

    def test_words_that_another_statement_has_leave_the_order_unclear(self) -> None:
        assert mind_hints(_hinted("topic", ["the pier", "the ferry", "the tea aboard"]), ASKED)

    @pytest.mark.parametrize(
        "words", [["the pier", "the pier", "tea"], ["pier", "ferry", 3], ["the pier and ferry", "pier", "tea"]]
    )
    def test_words_that_are_said_twice_or_shared_do_not(self, words: list[object]) -> None:
        assert not mind_hints(_hinted("topic", words), ASKED)

    def test_the_words_of_a_shorter_list_do_not(self) -> None:
        assert not mind_hints(_hinted("topic", ["pier", "ferry"]), ASKED)


class TestReasonsWithANumber:
    def test_a_reason_that_begins_with_the_number_of_another_is_misplaced(self) -> None:
        assert misplaced("Statement 2 is on the card.", 0)
        assert misplaced("(claim #12: no)", 1)

    @pytest.mark.parametrize(
        "reason", ["Statement 1 is on the card.", "Tea for 2 is sold.", "Statement 1.5 litres", "", None]
    )
    def test_others_are_not(self, reason: str | None) -> None:
        assert not misplaced(reason, 0)

    def test_one_is_enough(self) -> None:
        assert names_another(["Statement 1 is on the card.", "Statement 3 is not."])
        assert not names_another(["Statement 1 is on the card.", "Statement 2 is not."])
        assert not names_another([])


class TestManyMembers:
    @pytest.mark.parametrize("others", [6, 7, 12, MOST_HINTS - 1])
    def test_an_id_counts_behind_all_of_them(self, others: int) -> None:
        around = {f"name{at}": f"text {at}" for at in range(others)}
        assert _said(json.dumps([around | {"case_id": at, "verdict": word} for at, word in BACKWARDS])) == "UUS"

    def test_the_place_of_a_row_that_has_too_many_is_not_known(self) -> None:
        around = {f"name{at}": f"text {at}" for at in range(MOST_HINTS + 1)}
        assert _said(json.dumps([around | {"case_id": at, "verdict": word} for at, word in BACKWARDS])) == "---"

    def test_a_column_counts_behind_all_others(self) -> None:
        names = [f"Name {at}" for at in range(9)]
        rows = [f"| {' | '.join(names)} | {at} | {word} |" for at, word in BACKWARDS]
        assert _said("\n".join([f"| {' | '.join(names)} | Case id | Verdict |", "|---" * 11 + "|", *rows])) == "UUS"
