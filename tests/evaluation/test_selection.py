"""A quick sample shows every category."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from magistrate.case import Case
from magistrate.evaluation.cases.dataset import Record
from magistrate.evaluation.cases.validation import QUICK, quick_sample


def records(categories: list[str]) -> list[Record]:
    return [Record(index, Case(id=str(index), category=category or None)) for index, category in enumerate(categories)]


class TestQuickSample:
    @given(categories=st.lists(st.sampled_from(["a", "b", "c", "", "d"]), max_size=60), seed=st.integers(0, 3))
    def test_it_is_ten_cases_in_order_with_some_of_every_category(self, categories: list[str], seed: int):
        sample = quick_sample(iter(records(categories)), seed=seed)
        assert len(sample) == min(QUICK, len(categories))
        assert [r.index for r in sample] == sorted({r.index for r in sample})
        assert {r.case.category or "" for r in sample} == set(categories)

    @given(categories=st.lists(st.sampled_from("abcd"), min_size=11, max_size=60))
    def test_the_same_seed_draws_the_same_cases(self, categories: list[str]):
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
