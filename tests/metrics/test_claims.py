"""Metrics that count claims: what each makes of a case and of what a judge says of its claims."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.case import Case
from magistrate.judges.offline import OfflineJudge
from magistrate.metrics import (
    AnswerCorrectness,
    ContextualPrecision,
    ContextualRecall,
    CrossDocumentFaithfulness,
    GroundingF1,
    GroundingPrecision,
    GroundingRecall,
    Hallucination,
    SourceConflict,
)
from magistrate.metrics.grounding.references import average_precision
from magistrate.metrics.grounding.shares import f1
from magistrate.verdict import Outcome, Status

cases = cases_of(__file__)

MILL = Case(
    answer="The mill has four floors. It grinds rye. It burned down.",
    contexts=("The mill has four floors. It grinds rye.",),
    reference="The mill has four floors. It grinds rye. It is open on Sundays. It lies in Odra.",
)
FERRY = Case(
    question="What does the ferry cost?",
    statements=("The ferry costs 4 crowns.", "It sails daily.", "It is blue.", "Dogs pay half."),
    contexts=("a text",),
)
GARDEN = Case(
    question="What grows in the garden?",
    contexts=("Soil is brown.", "Beans grow there. Sand is warm.", "Roses grow there."),
    reference="Beans grow there. Roses grow there. Moss grows there.",
)
KILN = Case(
    question="What of the kiln?",
    answer="The kiln is brick. It is hot.",
    reference="The kiln is brick. It fires clay. It is old. It is round.",
)
DAM = Case(
    statements=("The dam is 40 m high.", "It was built in 1930.", "It leaks."),
    contexts=("survey: 40 m", "guide: 35 m, 1930"),
    metadata={"documents": ["survey", "guide"]},
)


def in_text(**otherwise):
    """Supported where a passage holds the claim; a claim with one of these words gets what is said of it."""

    def verdict(claim, text):
        told = [said for word, said in otherwise.items() if word in claim]
        return told[0] if told else "supported" if claim in text else "not_enough_info"

    return verdict


def of_ferry(**changed):
    said = {"costs": "supported", "sails": "contradicted", "blue": "not_enough_info", "Dogs": "supported", **changed}
    return lambda claim, _: next(verdict for word, verdict in said.items() if word in claim)


def of_dam(changed=()):
    """What each document says; of both together what one of them supports is supported."""
    said = {("high", "survey"): "supported", ("high", "guide"): "contradicted", ("1930", "guide"): "supported"}
    said.update(changed)

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


F1 = 2 * (2 / 3) * 0.5 / (2 / 3 + 0.5)
EITHER = [average_precision([flag, True, True]) for flag in (False, True)]
# what -> metric, case, rule of the judge, score; bounds in place of a score that missing verdicts leave open
SCORES = {
    "grounded claims": (GroundingPrecision(), MILL, in_text(), 2 / 3),
    "a probability of 0.70 is grounded": (GroundingPrecision(), MILL, lambda *_: 0.70, 1.0),
    "one below is not": (GroundingPrecision(), MILL, lambda *_: 0.6999, 0.0),
    "a claim without verdict": (GroundingPrecision(), MILL, in_text(burned=None), (2 / 3, 1.0)),
    "reference claims that grounded claims entail": (GroundingRecall(), MILL, in_text(), 0.5),
    "what is not grounded entails nothing": (
        GroundingRecall(),
        MILL.model_copy(update={"answer": "It lies in Odra. It is open on Sundays."}),
        in_text(),
        0.0,
    ),
    "an unknown claim may be grounded": (GroundingRecall(), MILL, burned_unknown, (0.5, 1.0)),
    "the harmonic mean of both": (GroundingF1(), MILL, in_text(), F1),
    "nothing is grounded": (GroundingF1(), MILL, lambda *_: "not_enough_info", 0.0),
    "unsupported": (Hallucination(), FERRY, of_ferry(), 0.5),
    "unsupported, one unknown": (Hallucination(), FERRY, of_ferry(blue=None), (0.25, 0.5)),
    "1 - unsupported": (Hallucination(direction="maximize"), FERRY, of_ferry(), 0.5),
    "contradicted alone": (Hallucination(rate="contradicted"), FERRY, of_ferry(), 0.25),
    "a binary no may be a contradiction": (
        Hallucination(rate="contradicted"),
        FERRY,
        of_ferry(sails="unsupported", blue="supported"),
        (0.0, 0.25),
    ),
    "supported reference claims": (ContextualRecall(), GARDEN, in_text(), 2 / 3),
    "whatever the answer": (ContextualRecall(), GARDEN.model_copy(update={"answer": "Palms."}), in_text(), 2 / 3),
    "a reference claim without verdict": (ContextualRecall(), GARDEN, in_text(Moss=None), (2 / 3, 1.0)),
    "the average precision of the ranking": (ContextualPrecision(), GARDEN, in_text(), (1 / 2 + 2 / 3) / 2),
    "an unknown passage": (ContextualPrecision(), GARDEN, soil_unknown, (min(EITHER), max(EITHER))),
    "claims of the answer in the reference": (AnswerCorrectness(measure="precision"), KILN, in_text(), 0.5),
    "claims of the reference in the answer": (AnswerCorrectness(measure="recall"), KILN, in_text(), 0.25),
    "both": (AnswerCorrectness(), KILN, in_text(), 1 / 3),
    "recall weighs more": (AnswerCorrectness(beta=2), KILN, in_text(), 5 * 0.5 * 0.25 / (4 * 0.5 + 0.25)),
    "equal answers": (AnswerCorrectness(), KILN.model_copy(update={"answer": KILN.reference}), in_text(), 1.0),
    "statements stand for the answer": (
        AnswerCorrectness(),
        Case(statements=("The kiln is brick.", "It is hot."), reference=KILN.reference),
        in_text(),
        1 / 3,
    ),
    "one of two unknown": (AnswerCorrectness(), KILN, in_text(hot=None), (1 / 3, 0.4)),
    "opposite verdicts": (SourceConflict(), DAM, of_dam(), 1 / 3),
    "sources agree": (SourceConflict(), DAM, of_dam({("high", "guide"): "supported"}), 0.0),
    "no verdict of one source": (SourceConflict(), DAM, of_dam({("high", "guide"): None}), (0.0, 1 / 3)),
    "a binary no of one source": (SourceConflict(), DAM, of_dam({("high", "guide"): "unsupported"}), (0.0, 1 / 3)),
    "a binary no beside a contradiction": (
        SourceConflict(),
        DAM,
        of_dam(
            {
                ("high", "survey"): "no",
                ("high", "guide"): "no",
                ("leaks", "survey"): "unsupported",
                ("leaks", "guide"): "contradicted",
            }
        ),
        0.0,
    ),
    "supported and denied by no other source": (CrossDocumentFaithfulness(), DAM, of_dam(), 1 / 3),
    "several sources together": (CrossDocumentFaithfulness(), DAM, only_together, 1.0),
    "another source may deny it": (CrossDocumentFaithfulness(), DAM, of_dam({("1930", "survey"): None}), (0.0, 1 / 3)),
}


@pytest.mark.parametrize("row", SCORES.values(), ids=SCORES)
def test_each_score_or_the_bounds_that_missing_verdicts_leave(rule_judge, row):
    metric, case, rule, expected = row
    result = metric.evaluate_sync(case, rule_judge(rule))
    if isinstance(expected, tuple):
        assert (result.status, result.score, result.bounds) == (Status.PARTIAL, None, pytest.approx(expected))
    else:
        assert (result.status, result.score) == (Status.SCORED, pytest.approx(expected))


@pytest.mark.parametrize(
    ("metric", "case"),
    [
        *((metric, MILL) for metric in (GroundingPrecision(), GroundingRecall(), GroundingF1())),
        *((metric, DAM) for metric in (SourceConflict(), CrossDocumentFaithfulness())),
    ],
)
def test_a_judge_that_fails_gives_its_status(rule_judge, metric, case):
    result = metric.evaluate_sync(case, rule_judge(lambda *_: Status.TRUNCATED))
    assert (result.status, result.score) == (Status.TRUNCATED, None)


@pytest.mark.parametrize(
    ("metric", "case"),
    [(Hallucination(rate="contradicted"), FERRY), (SourceConflict(), DAM), (CrossDocumentFaithfulness(), DAM)],
)
def test_a_judge_that_never_contradicts_cannot_tell(metric, case):
    result = metric.evaluate_sync(case, OfflineJudge())
    assert (result.status, result.score, result.outcome) == (Status.REFUSED, None, Outcome.INCONCLUSIVE)
    assert "never says contradicted" in result.reason


class TestWhatTheyEqual:
    @given(st.floats(0, 1), st.floats(0, 1))
    def test_f1_lies_between_its_parts(self, precision, recall):
        assert 0.0 <= f1(precision, recall) <= max(precision, recall) + 1e-12

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
