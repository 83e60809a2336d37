import pytest

from magistrate.case import Case
from magistrate.judges.offline import OfflineJudge
from magistrate.metrics import CrossDocumentFaithfulness, SourceConflict
from magistrate.verdict import Outcome, Status

CASE = Case(
    statements=("The dam is 40 m high.", "It was built in 1930.", "It leaks."),
    contexts=("survey: 40 m", "guide: 35 m, 1930"),
    metadata={"documents": ["survey", "guide"]},
)
SAID = {
    ("The dam is 40 m high.", "survey"): "supported",
    ("The dam is 40 m high.", "guide"): "contradicted",
    ("It was built in 1930.", "guide"): "supported",
}


def by_document(said):
    def verdict(statement, text):
        names = [name for name in ("survey", "guide") if name in text]
        if len(names) == 1:
            return said.get((statement, names[0]), "not_enough_info")
        values = [said.get((statement, name)) for name in names]
        return "supported" if "supported" in values else "not_enough_info"

    return verdict


class TestSourceConflict:
    def test_is_the_share_of_statements_with_opposite_verdicts(self, rule_judge):
        result = SourceConflict().evaluate_sync(CASE, rule_judge(by_document(SAID)))
        assert result.score == pytest.approx(1 / 3)
        assert (result.outcome, result.direction) == (Outcome.FAIL, "minimize")
        assert result.details["statements"][0]["conflicts"] == [["survey", "guide"]]
        assert "survey supports it, guide contradicts it" in result.reason

    def test_sources_that_agree_pass(self, rule_judge):
        said = {**SAID, ("The dam is 40 m high.", "guide"): "supported"}
        result = SourceConflict().evaluate_sync(CASE, rule_judge(by_document(said)))
        assert (result.score, result.outcome) == (0.0, Outcome.PASS)

    @pytest.mark.parametrize("missing", [None, "unsupported"])
    def test_what_may_be_a_contradiction_leaves_bounds(self, rule_judge, missing):
        said = {**SAID, ("The dam is 40 m high.", "guide"): missing}
        result = SourceConflict().evaluate_sync(CASE, rule_judge(by_document(said)))
        assert (result.status, result.score, result.bounds) == (Status.PARTIAL, None, (0.0, pytest.approx(1 / 3)))

    def test_a_binary_no_beside_a_contradiction_is_no_conflict(self, rule_judge):
        said = {("It leaks.", "survey"): "unsupported", ("It leaks.", "guide"): "contradicted"}
        result = SourceConflict().evaluate_sync(CASE, rule_judge(by_document(said)))
        assert (result.status, result.score) == (Status.SCORED, 0.0)

    def test_passages_of_one_document_cannot_disagree(self, rule_judge):
        judge = rule_judge()
        one = CASE.model_copy(update={"metadata": {"documents": ["survey", "survey"]}})
        result = SourceConflict().evaluate_sync(one, judge)
        assert (result.status, result.score, judge.asked) == (Status.VACUOUS, None, [])


class TestCrossDocumentFaithfulness:
    def test_does_not_count_what_another_source_denies(self, rule_judge):
        result = CrossDocumentFaithfulness().evaluate_sync(CASE, rule_judge(by_document(SAID)))
        assert result.score == pytest.approx(1 / 3)
        assert [row["counts"] for row in result.details["statements"]] == [False, True, False]

    def test_counts_what_only_several_sources_together_bear_out(self, rule_judge):
        def together(_, text):
            return "supported" if "survey" in text and "guide" in text else "not_enough_info"

        assert CrossDocumentFaithfulness().evaluate_sync(CASE, rule_judge(together)).score == 1.0

    def test_a_missing_verdict_leaves_bounds(self, rule_judge):
        said = {**SAID, ("It was built in 1930.", "survey"): None}
        result = CrossDocumentFaithfulness().evaluate_sync(CASE, rule_judge(by_document(said)))
        assert (result.status, result.score, result.bounds) == (Status.PARTIAL, None, (0.0, pytest.approx(1 / 3)))


@pytest.mark.parametrize("metric", [SourceConflict(), CrossDocumentFaithfulness()])
class TestBoth:
    def test_have_no_score_from_a_judge_that_never_contradicts(self, metric):
        result = metric.evaluate_sync(CASE, OfflineJudge())
        assert (result.status, result.score) == (Status.REFUSED, None)
        assert "never says contradicted" in result.reason

    def test_pass_on_why_a_judge_failed(self, rule_judge, metric):
        result = metric.evaluate_sync(CASE, rule_judge(lambda *_: Status.TRUNCATED))
        assert (result.status, result.score) == (Status.TRUNCATED, None)
