"""A dataset checked, and a sample of it."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from magistrate.case import Case
from magistrate.evaluation.cases.dataset import Dataset, Record
from magistrate.evaluation.cases.validation import QUICK, DatasetCheck, check_dataset, quick_sample

GOOD = {"id": "a", "answer": "x", "contexts": ["c"], "category": "k"}


def problems(*rows):
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


def records(categories):
    return [Record(index, Case(id=str(index), category=category or None)) for index, category in enumerate(categories)]


class TestQuickSample:
    @given(categories=st.lists(st.sampled_from(["a", "b", "c", "", "d"]), max_size=60), seed=st.integers(0, 3))
    def test_it_is_ten_cases_in_order_with_some_of_every_category(self, categories, seed):
        sample = quick_sample(iter(records(categories)), seed=seed)
        assert len(sample) == min(QUICK, len(categories))
        assert [r.index for r in sample] == sorted({r.index for r in sample})
        assert {r.case.category or "" for r in sample} == set(categories)

    @given(categories=st.lists(st.sampled_from("abcd"), min_size=11, max_size=60))
    def test_the_same_seed_draws_the_same_cases(self, categories):
        assert quick_sample(records(categories), seed=1) == quick_sample(records(categories), seed=1)

    def test_another_seed_draws_others(self):
        draws = {tuple(r.index for r in quick_sample(records(["a"] * 100), seed=seed)) for seed in range(5)}
        assert len(draws) == 5

    def test_shares_follow_the_dataset(self):
        sample = quick_sample(records(["a"] * 70 + ["b"] * 20 + ["c"] * 10))
        assert Counter(r.case.category for r in sample) == {"a": 7, "b": 2, "c": 1}

    def test_more_categories_than_places_show_the_largest(self):
        sample = quick_sample(records([f"k{n}" for n in range(30)] + ["k0"] * 5))
        assert len({r.case.category for r in sample}) == 10
        assert "k0" in {r.case.category for r in sample}
