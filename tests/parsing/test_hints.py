"""Rows that say in members of unknown name which statement they are about."""

from __future__ import annotations

import json

import pytest

from magistrate.parsing import parse_verdicts
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
