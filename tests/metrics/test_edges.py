"""Every metric over inputs that nobody meant: an explicit status, a number that is one, never a pass for nothing."""

from typing import Any

import pytest
from tests.case_tables import cases_of, tables_of

from magistrate.case import Case
from magistrate.errors import ConfigurationError
from magistrate.judges.offline import OfflineJudge
from magistrate.metrics import METRICS, make_metric
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.testing.scripted import ScriptedJudge
from magistrate.verdict import Outcome, Status, Verdict

cases = cases_of(__file__)

WHOLE, NOTHING = tables_of(__file__)["edges: whole"], tables_of(__file__)["edges: nothing"]
ODD: dict[str, dict[str, Any]] = {
    **tables_of(__file__)["edges: odd"],
    "half of the contexts blank": {"contexts": ("", WHOLE["contexts"][0])},
    "one context three times": {"contexts": (WHOLE["contexts"][0],) * 3},
    "one statement five times": {"statements": ("The pier is 300 metres long.",) * 5},
    "combining marks": {"answer": "e\u0301" * 50, "contexts": ("\u00e9" * 50,)},
    "a long answer": {"answer": "The pier is 300 metres long [1]. " * 60},
    "a long sentence": {"answer": "pier " * 2_000},
    "many contexts": {"contexts": tuple(f"Passage {n}." for n in range(60))},
}
JUDGES = {"offline": OfflineJudge(), "scripted": ScriptedJudge(score=3)}
EVERY = pytest.mark.parametrize("name", METRICS)


def judged(name, judge, **changed):
    return make_metric(name).evaluate_sync(Case(**{**WHOLE, **changed}), JUDGES[judge])


@EVERY
@pytest.mark.parametrize("judge", JUDGES)
def test_odd_inputs_the_result_is_a_number_or_says_why_there_is_none(name, judge):
    for odd, changed in ODD.items():
        result = judged(name, judge, **changed)
        if result.score is None:
            assert result.status is not Status.SCORED, odd
            assert result.reason, odd
            assert result.outcome is not Outcome.PASS or result.status is Status.PARTIAL, odd
        else:
            assert 0.0 <= result.score <= 1.0, odd
        if result.outcome is Outcome.PASS:
            assert result.status in {Status.SCORED, Status.PARTIAL}, odd


class TestNothing:
    """A metric that needs a field has no score where the field says nothing, and never passes."""

    @pytest.mark.parametrize(("name", "field"), [(name, need) for name in METRICS for need in make_metric(name).needs])
    @pytest.mark.parametrize("judge", JUDGES)
    def test_of_what_it_needs_is_no_score(self, name, field, judge):
        expected = {"answer": Status.NO_ANSWER, "contexts": Status.NO_CONTEXT}.get(field, Status.MISSING_INPUT)
        refused = Status.REFUSED if judge == "offline" else expected
        for nothing, text in NOTHING.items():
            result = judged(name, judge, **{field: (text, text) if field == "contexts" else text})
            assert result.status in {expected, refused}, nothing
            assert (result.score, result.outcome) == (None, Outcome.INCONCLUSIVE), nothing
            assert result.reason, nothing

    @pytest.mark.parametrize(
        "name", ["faithfulness", "unsupported_rate", "grounding_precision", "source_conflict", "answer_correctness"]
    )
    def test_of_an_answer_without_statements_is_vacuous(self, name):
        assert judged(name, "scripted", statements=()).status is Status.VACUOUS

    @EVERY
    def test_of_statements_is_no_score_or_the_recall_of_nothing(self, name):
        for statements in ((), ("", " "), ("...",)):
            result = judged(name, "scripted", statements=statements)
            if "answer" in make_metric(name).needs and name not in _READ_THE_ANSWER:
                none = (0.0, Outcome.FAIL) if name == "grounding_recall" else (None, Outcome.INCONCLUSIVE)
                assert (result.score, result.outcome) == none, f"{statements}; or is {name} of _READ_THE_ANSWER?"


_READ_THE_ANSWER = {"answer_relevance", "abstention"}
"""They look at the answer itself, whatever statements come with it."""


@cases("edges: wrong options are refused")
def test_wrong_options_are_refused(name, wrong):
    with pytest.raises(ConfigurationError):
        make_metric(name, **wrong)


def test_many_citations_each_is_looked_up_once():
    """Of 1,000 statements with a citation each, some million comparisons would be felt."""
    answer = "The pier is 300 metres long [1]. " * 1000
    result = judged("citation_accuracy", "scripted", answer=answer)
    assert result.score == 1.0
    assert len(result.details["citations"]) == 1000


@cases("edges: every way of judging agrees")
async def test_every_way_of_judging_agrees(options):
    table = tables_of(__file__)["edges: sauna"]
    result = await Faithfulness(**options).evaluate(Case(**table["case"]), OfflineJudge())
    assert (result.status, list(result.statements)) == (Status.SCORED, table["statements"])
    assert (result.verdicts[0].verdict, result.score) == (Verdict.SUPPORTED, 2 / 3)
    assert result.verdicts[2].verdict in (Verdict.NOT_ENOUGH_INFO, Verdict.UNSUPPORTED)
    assert (result.judge, result.usage.calls) == ("offline", 0)
