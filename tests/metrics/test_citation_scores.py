import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.case import Case
from magistrate.errors import ConfigurationError
from magistrate.judges.offline import OfflineJudge
from magistrate.metrics import CitationScore, score_citations
from magistrate.metrics._lexical import redundancy
from magistrate.verdict import Outcome, Status

HARBOUR = "The old harbour closes at dusk."
FERRY = "A ferry crosses the strait every hour."
CASE = Case(
    question="When does the harbour close, and when does the ferry cross?",
    answer="The harbour closes at dusk [1]. The ferry crosses every hour [2].",
    contexts=(HARBOUR, FERRY, "Geese fly south."),
)
texts = st.lists(st.text(alphabet="abcde fghi", max_size=30), max_size=4)


class TestTheFourScores:
    def test_of_an_answer_that_its_citations_bear_out(self):
        scores = score_citations(["The harbour closes at dusk.", "The ferry crosses."], CASE.question, [HARBOUR, FERRY])
        assert (scores.faithfulness, scores.coverage, scores.redundancy) == (1.0, 1.0, 0.0)
        assert scores.overall == pytest.approx(1.0)

    def test_overall_is_04_f_plus_04_c_plus_02_one_minus_r(self):
        scores = score_citations(["Harbour wolves howl."], "ferry harbour", [HARBOUR, HARBOUR])
        assert (scores.faithfulness, scores.coverage, scores.redundancy) == (
            pytest.approx(1 / 3),
            0.5,
            pytest.approx(1),
        )
        assert scores.overall == pytest.approx(0.4 / 3 + 0.4 * 0.5 + 0.2 * 0)

    def test_weights_are_made_to_add_up_to_one(self):
        by_two = score_citations(["dusk"], "dusk", [HARBOUR], weights=(2, 2, 1))
        assert by_two.overall == score_citations(["dusk"], "dusk", [HARBOUR]).overall

    @pytest.mark.parametrize(
        "weights", [(0, 0, 0), (-1, 1, 1), (1, 1), ("a", 1, 1), (math.nan, 1, 1), (math.inf, 1, 1)]
    )
    def test_other_weights_are_refused(self, weights):
        with pytest.raises(ConfigurationError):
            score_citations(["a"], "a", ["a"], weights=weights)

    def test_it_is_blind_to_a_denial_by_design(self):
        said = score_citations(["The harbour closes at dusk."], "harbour", [HARBOUR])
        elsewhere = "Dogs are not allowed."
        denied = score_citations(["The harbour does not close at dusk."], "harbour", [HARBOUR, elsewhere])
        assert said.faithfulness == denied.faithfulness == 1.0

    @given(texts, st.text(alphabet="abcde fghi", max_size=30), texts)
    def test_are_shares_or_none(self, claims, question, cited):
        scores = score_citations(claims, question, cited)
        for value in (scores.faithfulness, scores.coverage, scores.redundancy, scores.overall):
            assert value is None or 0.0 <= value <= 1.0 + 1e-12
        assert (scores.overall is None) == (scores.faithfulness is None or scores.coverage is None)

    @given(texts)
    def test_redundancy_does_not_depend_on_the_order(self, cited):
        assert redundancy(cited) == pytest.approx(redundancy(cited[::-1]))


class TestTheMetric:
    @pytest.mark.parametrize(
        ("part", "name", "direction"),
        [
            ("overall", "citation_overall", "maximize"),
            ("faithfulness", "lexical_faithfulness", "maximize"),
            ("coverage", "citation_coverage", "maximize"),
            ("redundancy", "citation_redundancy", "minimize"),
        ],
    )
    def test_reports_each_axis_under_its_name(self, part, name, direction):
        result = CitationScore(part=part).evaluate_sync(CASE, OfflineJudge())
        assert (result.metric, result.direction, result.status) == (name, direction, Status.SCORED)
        assert result.details["method"] == "lexical"
        assert result.outcome is Outcome.PASS
        assert result.usage.calls == 0

    @pytest.mark.parametrize("part", ["overall", "faithfulness", "coverage", "redundancy"])
    def test_without_citations_nothing_is_scored(self, part):
        plain = CASE.model_copy(update={"answer": "The harbour closes at dusk."})
        result = CitationScore(part=part).evaluate_sync(plain, OfflineJudge())
        assert (result.status, result.score, result.outcome) == (Status.VACUOUS, None, Outcome.INCONCLUSIVE)

    def test_a_single_citation_has_no_redundancy_and_is_vacuous(self):
        one = CASE.model_copy(update={"answer": "The harbour closes at dusk [1]."})
        result = CitationScore(part="redundancy").evaluate_sync(one, OfflineJudge())
        assert (result.status, result.score, result.outcome) == (Status.VACUOUS, 0.0, Outcome.INCONCLUSIVE)

    def test_an_empty_question_leaves_only_faithfulness(self):
        mute = CASE.model_copy(update={"question": None})
        assert CitationScore(part="faithfulness").evaluate_sync(mute, OfflineJudge()).score == 1.0
        for part in ("coverage", "overall"):
            assert CitationScore(part=part).evaluate_sync(mute, OfflineJudge()).status is Status.MISSING_INPUT


class TestWithAJudge:
    def test_faithfulness_is_the_share_of_supported_statements(self, rule_judge):
        judge = rule_judge(lambda statement, _: "supported" if "ferry" in statement else "contradicted")
        result = CitationScore(part="faithfulness", method="judge").evaluate_sync(CASE, judge)
        assert (result.metric, result.score, result.details["method"]) == ("cited_faithfulness", 0.5, "judge")
        assert judge.asked[0][2] == (HARBOUR, FERRY)

    def test_a_missing_verdict_leaves_bounds_of_the_weighted_score(self, rule_judge):
        judge = rule_judge(lambda statement, _: "supported" if "ferry" in statement else None)
        result = CitationScore(method="judge").evaluate_sync(CASE, judge)
        assert (result.status, result.score) == (Status.PARTIAL, None)
        assert result.bounds == (pytest.approx(0.8), pytest.approx(1.0))

    def test_a_reply_that_failed_is_no_score(self, rule_judge):
        result = CitationScore(method="judge").evaluate_sync(CASE, rule_judge(lambda *_: Status.REFUSED))
        assert (result.status, result.score) == (Status.REFUSED, None)
