"""Every problem of a dataset, before anything is spent."""

from __future__ import annotations

from typing import Any

from magistrate.evaluation.cases.dataset import Dataset
from magistrate.evaluation.cases.validation import DatasetCheck, check_dataset

GOOD = {"id": "a", "answer": "x", "contexts": ["c"], "category": "k"}


def problems(*rows: Any) -> tuple[list[str], DatasetCheck]:
    result = DatasetCheck()
    found = [f"{p.severity} {p}" for p in check_dataset(Dataset(list(rows)), result)]
    return found, result


class TestCheckDataset:
    def test_a_clean_dataset_has_no_problem_and_is_counted(self):
        found, result = problems(GOOD, {**GOOD, "id": "b"})
        assert found == []
        assert (result.rows, result.contexts, dict(result.categories), result.ok) == (2, 2, {"k": 2}, True)

    def test_an_id_given_twice_is_an_error_that_names_the_first(self):
        found, result = problems(GOOD, {**GOOD, "id": "b"}, GOOD)
        assert found == ["error cases: row 3: id: the id 'a' is given to row 1 too; expected each id once"]
        assert not result.ok

    def test_rows_without_id_do_not_clash(self):
        assert problems(*[{"answer": "x", "contexts": ["c"]}] * 3)[0] == []

    def test_blank_and_empty_inputs_are_warnings(self):
        found, result = problems(
            {**GOOD, "answer": " "}, {**GOOD, "id": "b", "contexts": []}, {**GOOD, "id": "c", "contexts": ["", "x"]}
        )
        assert [line.split(": ", 2)[2] for line in found] == [
            "answer: is blank; expected a text to judge",
            "contexts: is empty: nothing to judge against",
            "contexts[0]: is blank",
        ]
        assert (result.errors, result.warnings, result.ok) == (0, 3, True)

    def test_no_cases_is_an_error(self):
        found, result = problems()
        assert found == ["error cases: holds no cases"]
        assert not result.ok

    def test_rows_that_cannot_be_judged_are_counted(self):
        _, result = problems(GOOD, 5, {"answer": {}, "contexts": ["c"]})
        assert (result.rows, result.unusable) == (3, 2)

    def test_so_are_rows_without_an_answer_or_without_a_context(self):
        rows = [
            {"answer": " ", "contexts": ["c"]},
            {"answer": None, "contexts": ["c"]},
            {"answer": "x"},
            {"answer": "x", "contexts": ["", " "]},
        ]
        _, result = problems(GOOD, *rows)
        assert (result.rows, result.unusable) == (5, 4)

    def test_statements_stand_for_an_answer(self):
        assert problems({"answer": None, "statements": ["x"], "contexts": ["c"]})[1].unusable == 0
