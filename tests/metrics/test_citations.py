import pytest

from magistrate.case import Case
from magistrate.metrics import CitationAccuracy, CitationPrecision, CitationRecall
from magistrate.verdict import IssueCode, Outcome, Status

CONTEXTS = ("The toll is 3 crowns.", "The bridge opened in 1904.", "Geese fly south.")


def case(answer, **fields):
    return Case(question="What about the bridge?", answer=answer, contexts=CONTEXTS, **fields)


class TestAccuracy:
    def test_counts_citations_whose_passage_supports_the_statement(self, rule_judge):
        result = CitationAccuracy().evaluate_sync(
            case("The toll is 3 crowns [1]. The bridge opened in 1904 [3]."), rule_judge()
        )
        assert result.score == 0.5
        assert [row["correct"] for row in result.details["citations"]] == [True, False]

    def test_a_citation_of_nothing_is_wrong(self, rule_judge):
        result = CitationAccuracy().evaluate_sync(case("The toll is 3 crowns [9]."), rule_judge())
        assert (result.score, result.outcome) == (0.0, Outcome.FAIL)

    def test_with_gold_the_passage_must_be_one_a_right_answer_cites(self, rule_judge):
        gold = {"gold_citations": [{"context": 1}]}
        answer = "The toll is 3 crowns [1]. The bridge opened in 1904 [2]."
        result = CitationAccuracy().evaluate_sync(case(answer, metadata=gold), rule_judge())
        assert [row["correct"] for row in result.details["citations"]] == [False, True]

    @pytest.mark.parametrize(
        ("quote", "correct", "kind"),
        [
            ("The toll is 3 crowns.", True, "verbatim"),
            ("The bridge opened in 1904.", False, "misattributed"),
            ("Nobody knows the price of it at all.", False, "fabricated"),
        ],
    )
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
        assert judge.asked[0][1] == ("The toll is 3 crowns.",)


class TestAlce:
    def test_precision_leaves_out_a_citation_the_statement_does_without(self, rule_judge):
        answer = case("The toll is 3 crowns [1][3].")
        assert CitationPrecision().evaluate_sync(answer, rule_judge()).score == 0.5
        assert CitationRecall().evaluate_sync(answer, rule_judge()).score == 1.0

    def test_precision_counts_citations_that_support_only_together(self, rule_judge):
        def both(_, text):
            return "supported" if "3 crowns" in text and "1904" in text else "not_enough_info"

        result = CitationPrecision().evaluate_sync(
            case("The toll of the bridge of 1904 is 3 crowns [1][2]."), rule_judge(both)
        )
        assert result.score == 1.0

    def test_precision_is_zero_for_a_statement_its_citations_do_not_support(self, rule_judge):
        assert CitationPrecision().evaluate_sync(case("Cats purr [1][2]."), rule_judge()).score == 0.0

    def test_recall_counts_statements_without_citations_as_unsupported(self, rule_judge):
        answer = case("The toll is 3 crowns [1]. The bridge opened in 1904.")
        assert CitationRecall().evaluate_sync(answer, rule_judge()).score == 0.5

    def test_recall_leaves_out_what_the_sources_lack(self, rule_judge):
        answer = case("The toll is 3 crowns [1]. The passages do not mention the length.")
        assert CitationRecall().evaluate_sync(answer, rule_judge()).score == 1.0

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
