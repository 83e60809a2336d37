import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.case import Case
from magistrate.metrics import ContextualPrecision, ContextualRecall
from magistrate.metrics.grounding.references import average_precision
from magistrate.verdict import Status

CASE = Case(
    question="What grows in the garden?",
    contexts=("Soil is brown.", "Beans grow there. Sand is warm.", "Roses grow there."),
    reference="Beans grow there. Roses grow there. Moss grows there.",
)


class TestRecall:
    def test_is_the_share_of_supported_reference_claims(self, rule_judge):
        assert ContextualRecall().evaluate_sync(CASE, rule_judge()).score == pytest.approx(2 / 3)

    def test_does_not_look_at_the_answer(self, rule_judge):
        judge = rule_judge()
        answered = CASE.model_copy(update={"answer": "Palms.", "statements": ("Palms grow.",)})
        assert ContextualRecall().evaluate_sync(answered, judge).score == pytest.approx(2 / 3)

    def test_a_missing_verdict_leaves_bounds(self, rule_judge):
        judge = rule_judge(lambda s, text: None if "Moss" in s else "supported" if s in text else "not_enough_info")
        result = ContextualRecall().evaluate_sync(CASE, judge)
        assert (result.status, result.score, result.bounds) == (Status.PARTIAL, None, (pytest.approx(2 / 3), 1.0))


class TestPrecision:
    def test_is_the_average_precision_of_the_ranking(self, rule_judge):
        result = ContextualPrecision().evaluate_sync(CASE, rule_judge())
        assert result.score == pytest.approx((1 / 2 + 2 / 3) / 2)
        assert [row["relevant"] for row in result.details["contexts"]] == [False, True, True]

    def test_asks_each_passage_on_its_own(self, rule_judge):
        judge = rule_judge()
        ContextualPrecision().evaluate_sync(CASE, judge)
        assert [asked[2] for asked in judge.asked if asked[0] == "verify"] == [(text,) for text in CASE.contexts]

    def test_an_unknown_passage_leaves_the_bounds_over_all_possibilities(self, rule_judge):
        def verdict(statement, text):
            return None if "Soil" in text else "supported" if statement in text else "not_enough_info"

        result = ContextualPrecision().evaluate_sync(CASE, rule_judge(verdict))
        either = [average_precision([flag, True, True]) for flag in (False, True)]
        assert (result.status, result.score, result.bounds) == (Status.PARTIAL, None, (min(either), max(either)))

    def test_a_right_order_is_best(self):
        for flags in itertools.product([False, True], repeat=4):
            assert average_precision(flags) <= average_precision(sorted(flags, reverse=True))

    @given(st.lists(st.booleans(), max_size=12))
    def test_average_precision_is_a_share(self, flags):
        assert 0.0 <= average_precision(flags) <= 1.0
