"""Metrics that count claims: what each makes of a case and of what a judge says of its claims."""

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of, tables_of

from magistrate import metrics
from magistrate.case import Case
from magistrate.judges.offline import OfflineJudge
from magistrate.metrics import (
    AnswerCorrectness,
    ContextualPrecision,
    CrossDocumentFaithfulness,
    GroundingF1,
    Hallucination,
    SourceConflict,
)
from magistrate.metrics.grounding.references import average_precision, f_score
from magistrate.verdict import Outcome, Status

cases = cases_of(__file__)

CASES = {name: Case(**fields) for name, fields in tables_of(__file__)["claims: cases"].items()}
MILL, FERRY, GARDEN, KILN, DAM = CASES.values()


def in_text(**otherwise):
    """Supported where a passage holds the claim; a claim with one of these words gets what is said of it."""

    def verdict(claim, text):
        told = [said for word, said in otherwise.items() if word in claim]
        return told[0] if told else "supported" if claim in text else "not_enough_info"

    return verdict


def of_ferry(**changed):
    said = {"costs": "supported", "sails": "contradicted", "blue": "not_enough_info", "Dogs": "supported", **changed}
    return lambda claim, _: next(verdict for word, verdict in said.items() if word in claim)


def of_dam(**changed):
    """What each document says; of both together what one of them supports is supported."""
    said = {"high survey": "supported", "high guide": "contradicted", "1930 guide": "supported", **changed}
    said = {tuple(key.split()): verdict for key, verdict in said.items()}

    def verdict(claim, text):
        names = [name for name in ("survey", "guide") if name in text]
        found = [next((v for (word, n), v in said.items() if word in claim and n == name), "no") for name in names]
        found = ["not_enough_info" if one == "no" else one for one in found]
        if len(found) == 1:
            return found[0]
        return "supported" if "supported" in found else "not_enough_info"

    return verdict


def soil_unknown(claim, text):
    return None if "Soil" in text else "supported" if claim in text else "not_enough_info"


def only_together(_, text):
    return "supported" if "survey" in text and "guide" in text else "not_enough_info"


def burned_unknown(claim, text):
    unknown = claim == "It burned down." and "four floors" in text
    return None if unknown else "supported" if claim in text else "not_enough_info"


RULES = {
    "in_text": in_text,
    "of_ferry": of_ferry,
    "of_dam": of_dam,
    "soil_unknown": lambda: soil_unknown,
    "only_together": lambda: only_together,
    "burned_unknown": lambda: burned_unknown,
    "probability": lambda of: lambda *_: of,
}


@cases("claims: each score or the bounds that missing verdicts leave")
def test_each_score_or_the_bounds_that_missing_verdicts_leave(rule_judge, row):
    metric = getattr(metrics, row["metric"])(**row.get("options", {}))
    rule = RULES[row.get("rule", "in_text")](**row.get("said", {}))
    case = CASES[row["case"]].model_copy(update=row.get("changes", {}))
    result = metric.evaluate_sync(case, rule_judge(rule))
    expected = [float(Fraction(score)) for score in row["score"]]
    if len(expected) > 1:
        assert (result.status, result.score, result.bounds) == (Status.PARTIAL, None, pytest.approx(tuple(expected)))
    else:
        assert (result.status, result.score) == (Status.SCORED, pytest.approx(expected[0]))


@cases("claims: a judge that fails gives its status")
def test_a_judge_that_fails_gives_its_status(rule_judge, metric, case):
    result = getattr(metrics, metric)().evaluate_sync(CASES[case], rule_judge(lambda *_: Status.TRUNCATED))
    assert (result.status, result.score) == (Status.TRUNCATED, None)


@cases("claims: a judge that never contradicts cannot tell")
def test_a_judge_that_never_contradicts_cannot_tell(metric, options, case):
    result = getattr(metrics, metric)(**options).evaluate_sync(CASES[case], OfflineJudge())
    assert (result.status, result.score, result.outcome) == (Status.REFUSED, None, Outcome.INCONCLUSIVE)
    assert "never says contradicted" in result.reason


class TestWhatTheyEqual:
    @given(st.floats(0, 1), st.floats(0, 1))
    def test_f1_lies_between_its_parts(self, precision, recall):
        assert 0.0 <= f_score(precision, recall) <= max(precision, recall) + 1e-12

    @given(st.lists(st.booleans(), max_size=12))
    def test_average_precision_is_a_share(self, flags):
        assert 0.0 <= average_precision(flags) <= 1.0

    def test_a_right_order_is_best(self):
        for flags in itertools.product([False, True], repeat=4):
            assert average_precision(flags) <= average_precision(sorted(flags, reverse=True))


class TestWhatTheyReport:
    @cases("claims: a rate has a name for each direction")
    def test_a_rate_has_a_name_for_each_direction(self, options, reported):
        metric = Hallucination(**options)
        assert (metric.name, metric.direction, metric.threshold) == tuple(reported)

    @pytest.mark.parametrize(("threshold", "outcome"), [(0.5, Outcome.PASS), (0.49, Outcome.FAIL)])
    def test_a_rate_passes_at_or_below_its_threshold(self, rule_judge, threshold, outcome):
        assert Hallucination(threshold=threshold).evaluate_sync(FERRY, rule_judge(of_ferry())).outcome is outcome

    def test_a_conflict_names_the_documents(self, rule_judge):
        result = SourceConflict().evaluate_sync(DAM, rule_judge(of_dam()))
        assert (result.outcome, result.direction) == (Outcome.FAIL, "minimize")
        assert result.details["statements"][0]["conflicts"] == [["survey", "guide"]]
        assert "survey supports it, guide contradicts it" in result.reason

    def test_details_say_what_counted(self, rule_judge):
        across = CrossDocumentFaithfulness().evaluate_sync(DAM, rule_judge(of_dam()))
        assert [row["counts"] for row in across.details["statements"]] == [False, True, False]
        ranked = ContextualPrecision().evaluate_sync(GARDEN, rule_judge())
        assert [row["relevant"] for row in ranked.details["contexts"]] == [False, True, True]
        both = GroundingF1().evaluate_sync(MILL, rule_judge())
        assert (both.details["precision"], both.details["recall"]) == (pytest.approx(2 / 3), 0.5)


class TestWhatTheyAsk:
    def test_each_passage_on_its_own(self, rule_judge):
        judge = rule_judge()
        ContextualPrecision().evaluate_sync(GARDEN, judge)
        assert [asked[1][1] for asked in judge.asked if asked[0] == "verify"] == [(text,) for text in GARDEN.contexts]

    def test_answer_and_reference_of_each_other_whatever_the_contexts(self, rule_judge):
        judge = rule_judge()
        AnswerCorrectness().evaluate_sync(KILN.model_copy(update={"contexts": ("It is hot.",)}), judge)
        assert {asked[1][1] for asked in judge.asked if asked[0] == "verify"} == {(KILN.reference,), (KILN.answer,)}

    def test_nothing_where_all_passages_are_of_one_document(self, rule_judge):
        judge = rule_judge()
        one = DAM.model_copy(update={"metadata": {"documents": ["survey", "survey"]}})
        result = SourceConflict().evaluate_sync(one, judge)
        assert (result.status, result.score, judge.asked) == (Status.VACUOUS, None, [])
