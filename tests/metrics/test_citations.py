"""Metrics of citations."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of, tables_of

from magistrate import metrics
from magistrate.case import Case
from magistrate.errors import ConfigurationError
from magistrate.judges.offline import OfflineJudge
from magistrate.metrics import CitationAccuracy, CitationPrecision, CitationRecall, CitationScore, score_citations
from magistrate.metrics.citations._attribution import is_gold, read_citations, statements_with_marks, without_marks
from magistrate.metrics.citations.scores import redundancy
from magistrate.verdict import IssueCode, Outcome, Status

cases = cases_of(__file__)

CONTEXTS = ("The toll is 3 crowns.", "The bridge opened in 1904.", "Geese fly south.")


def case(answer, **fields):
    return Case(question="What about the bridge?", answer=answer, contexts=CONTEXTS, **fields)


def both(_, text):
    return "supported" if "3 crowns" in text and "1904" in text else "not_enough_info"


@cases("citations: what counts")
def test_what_counts(rule_judge, metric, answer, score):
    assert getattr(metrics, metric)().evaluate_sync(case(answer), rule_judge()).score == score


def test_citations_that_support_only_together_count(rule_judge):
    answer = case("The toll of the bridge of 1904 is 3 crowns [1][2].")
    assert CitationPrecision().evaluate_sync(answer, rule_judge(both)).score == 1.0


class TestAccuracy:
    def test_with_gold_the_passage_must_be_one_a_right_answer_cites(self, rule_judge):
        gold = {"gold_citations": [{"context": 1}]}
        answer = "The toll is 3 crowns [1]. The bridge opened in 1904 [2]."
        result = CitationAccuracy().evaluate_sync(case(answer, metadata=gold), rule_judge())
        assert [row["correct"] for row in result.details["citations"]] == [False, True]

    @cases("citations: checks the quote")
    def test_checks_the_quote(self, rule_judge, quote, correct, kind):
        citation = {"marker": "[1]", "quote": quote}
        result = CitationAccuracy().evaluate_sync(
            case("The toll is 3 crowns [1].", citations=(citation,)), rule_judge()
        )
        (row,) = result.details["citations"]
        assert (row["correct"], row["quote"]) == (correct, kind)
        assert (IssueCode.EVIDENCE_NOT_FOUND in {issue.code for issue in result.issues}) is not correct

    def test_a_missing_verdict_leaves_bounds(self, rule_judge):
        judge = rule_judge(lambda s, _: None if "1904" in s else "supported")
        result = CitationAccuracy().evaluate_sync(
            case("The toll is 3 crowns [1]. The bridge opened in 1904 [2]."), judge
        )
        assert (result.status, result.score, result.bounds) == (Status.PARTIAL, None, (0.5, 1.0))

    def test_the_judge_sees_no_marks(self, rule_judge):
        judge = rule_judge()
        CitationAccuracy().evaluate_sync(case("The toll is 3 crowns [1]."), judge)
        assert judge.batches()[0] == ("The toll is 3 crowns.",)

    def test_an_answer_without_citations_recalls_nothing(self, rule_judge):
        judge = rule_judge()
        result = CitationRecall().evaluate_sync(case("The toll is 3 crowns."), judge)
        assert (result.score, judge.asked) == (0.0, [])


@pytest.mark.parametrize("metric", [CitationAccuracy(), CitationPrecision()])
def test_an_answer_without_citations_has_no_score(rule_judge, metric):
    result = metric.evaluate_sync(case("The toll is 3 crowns."), rule_judge())
    assert (result.status, result.score, result.outcome) == (Status.VACUOUS, None, Outcome.INCONCLUSIVE)


def test_statements_that_cite_the_same_share_a_call(rule_judge):
    judge = rule_judge()
    CitationAccuracy().evaluate_sync(case("The toll is 3 crowns [1]. Tolls are paid [1]. Geese fly south [3]."), judge)
    assert len(judge.asked) == 2


def cited(answer, contexts=("a", "b", "c"), **fields):
    case = Case(answer=answer, contexts=contexts, **fields)
    return read_citations(case, statements_with_marks(case))


class TestMarks:
    @cases("citations: are found in their many forms")
    def test_are_found_in_their_many_forms(self, answer, contexts):
        assert [list(citation.contexts) for citation in cited(answer)] == contexts

    def test_that_name_no_passage_say_so(self):
        (citation,) = cited("It is so [7].")
        assert citation.contexts == ()
        assert "number 7" in citation.missing

    def test_belong_to_the_sentence_they_stand_behind(self):
        assert [c.statement for c in cited("One thing [1]. Another thing [2].")] == [0, 1]

    def test_are_no_part_of_the_statement(self):
        assert without_marks("It is so [1], and so [2, 3].") == "It is so, and so."

    @given(st.text(max_size=200))
    def test_any_text_is_read(self, text):
        for citation in cited(text):
            assert all(0 <= index < 3 for index in citation.contexts)


@cases("citations: name passages by document index or marker")
def test_citations_of_the_case_name_passages_by_document_index_or_marker(citation, statement, contexts):
    documents = {"documents": ["rules", "news", "rules"]}
    (found,) = cited("It is so. Another [2].", citations=(citation,), metadata=documents)
    assert (found.statement, list(found.contexts)) == (statement, contexts)
    assert bool(found.missing) is not bool(contexts)


class TestGold:
    @cases("citations: gold is read from the metadata")
    def test_is_read_from_the_metadata(self, gold, known):
        (citation,) = cited("", ("a page",), citations=[{"document": "x"}], metadata={"documents": ["x"]})
        assert is_gold(citation, Case(contexts=("a page",), metadata={"gold_citations": [gold, 7]})) is known

    @pytest.mark.parametrize("metadata", [{}, {"gold": None}, {"gold_citations": "x"}, {"gold": {"citations": 3}}])
    def test_that_is_not_there_is_not_known(self, metadata):
        (citation,) = cited("It is so [1].")
        assert is_gold(citation, Case(metadata=metadata)) is None


CASE = Case(**tables_of(__file__)["citations: case"])
HARBOUR, FERRY, _ = CASE.contexts
texts = st.lists(st.text(alphabet="abcde fghi", max_size=30), max_size=4)


class TestTheFourScores:
    def test_of_an_answer_that_its_citations_bear_out(self):
        scores = score_citations(["The harbour closes at dusk.", "The ferry crosses."], CASE.question, [HARBOUR, FERRY])
        assert (scores.faithfulness, scores.coverage, scores.redundancy) == (1.0, 1.0, 0.0)
        assert scores.overall == pytest.approx(1.0)

    def test_weights_are_made_to_add_up_to_one(self):
        by_two = score_citations(["dusk"], "dusk", [HARBOUR], weights=(2, 2, 1))
        assert by_two.overall == score_citations(["dusk"], "dusk", [HARBOUR]).overall

    @pytest.mark.parametrize(
        "weights", [(0, 0, 0), (-1, 1, 1), (1, 1), ("a", 1, 1), (math.nan, 1, 1), (math.inf, 1, 1)]
    )
    def test_other_weights_are_refused(self, weights):
        with pytest.raises(ConfigurationError):
            score_citations(["a"], "a", ["a"], weights=weights)

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
    @cases("citations: reports each axis under its name")
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
        assert judge.asked[0][1][1] == (HARBOUR, FERRY)

    def test_a_missing_verdict_leaves_bounds_of_the_weighted_score(self, rule_judge):
        judge = rule_judge(lambda statement, _: "supported" if "ferry" in statement else None)
        result = CitationScore(method="judge").evaluate_sync(CASE, judge)
        assert (result.status, result.score) == (Status.PARTIAL, None)
        assert result.bounds == (pytest.approx(0.8), pytest.approx(1.0))

    def test_a_reply_that_failed_is_no_score(self, rule_judge):
        result = CitationScore(method="judge").evaluate_sync(CASE, rule_judge(lambda *_: Status.REFUSED))
        assert (result.status, result.score) == (Status.REFUSED, None)
