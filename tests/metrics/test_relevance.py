import pytest

from magistrate.case import Case
from magistrate.errors import ConfigurationError
from magistrate.judges.offline import OfflineJudge
from magistrate.metrics import AnswerRelevance, ContextRelevance
from magistrate.verdict import IssueCode, Status

CASE = Case(
    question="Which harbour does the ferry leave from?",
    answer="The ferry leaves from the old harbour.",
    contexts=("The ferry leaves from the old harbour.", "Cheese is made of milk.", "The harbour is old."),
)
GRADES = {"The ferry leaves from the old harbour.": 4, "Cheese is made of milk.": 0, "The harbour is old.": 1}


def graded(fields):
    return GRADES[fields["passage"]]


class TestAnswerRelevance:
    def test_is_the_grade_as_a_share_of_the_range(self, rule_judge):
        result = AnswerRelevance().evaluate_sync(CASE, rule_judge(grade=lambda _: 3))
        assert (result.score, result.details["method"], result.usage.calls) == (0.75, "judge", 1)

    @pytest.mark.parametrize("grade", [5, -1, float("nan")])
    def test_a_grade_off_the_range_is_none(self, rule_judge, grade):
        result = AnswerRelevance().evaluate_sync(CASE, rule_judge(grade=lambda _: grade))
        assert (result.status, result.score) == (Status.OUT_OF_RANGE, None)

    def test_offline_is_the_share_of_the_questions_terms(self):
        result = AnswerRelevance().evaluate_sync(CASE, OfflineJudge())
        assert result.score == 1.0
        assert result.details["method"] == "lexical"
        assert result.reason.startswith("lexical")

    def test_words_in_different_scripts_cannot_be_compared(self):
        case = CASE.model_copy(update={"answer": "旧港から出航します。"})
        result = AnswerRelevance().evaluate_sync(case, OfflineJudge())
        assert (result.status, result.score) == (Status.REFUSED, None)
        assert result.issues[0].code is IssueCode.LANGUAGE_MISMATCH

    @pytest.mark.parametrize(
        ("change", "status"), [({"question": None}, Status.MISSING_INPUT), ({"answer": None}, Status.NO_ANSWER)]
    )
    def test_needs_question_and_answer(self, rule_judge, change, status):
        result = AnswerRelevance().evaluate_sync(CASE.model_copy(update=change), rule_judge())
        assert (result.status, result.score) == (status, None)


class TestContextRelevance:
    @pytest.mark.parametrize(
        ("aggregate", "score"),
        [
            ("mean", (1 + 0 + 0.25) / 3),
            ("rank_weighted", (1 + 0 / 2 + 0.25 / 3) / (1 + 1 / 2 + 1 / 3)),
            ("any", 1.0),
        ],
    )
    def test_puts_the_passages_together(self, rule_judge, aggregate, score):
        result = ContextRelevance(aggregate=aggregate).evaluate_sync(CASE, rule_judge(grade=graded))
        assert result.score == pytest.approx(score)
        assert result.usage.calls == 3

    def test_blank_passages_keep_no_rank(self, rule_judge):
        padded = CASE.model_copy(update={"contexts": (" ", *CASE.contexts)})
        metric = ContextRelevance(aggregate="rank_weighted")
        plain = metric.evaluate_sync(CASE, rule_judge(grade=graded))
        assert metric.evaluate_sync(padded, rule_judge(grade=graded)).score == plain.score

    @pytest.mark.parametrize(("aggregate", "bounds"), [("mean", (1 / 3, 2 / 3)), ("any", (1.0, 1.0))])
    def test_a_missing_grade_leaves_bounds(self, rule_judge, aggregate, bounds):
        grade = {4: 4, 0: 0, 1: Status.REFUSED}
        judge = rule_judge(grade=lambda fields: grade[graded(fields)])
        result = ContextRelevance(aggregate=aggregate).evaluate_sync(CASE, judge)
        assert (result.status, result.score, result.bounds) == (Status.PARTIAL, None, pytest.approx(bounds))

    def test_offline_is_lexical_and_says_so(self):
        result = ContextRelevance().evaluate_sync(CASE, OfflineJudge())
        assert result.details["method"] == "lexical"
        assert [row["relevance"] for row in result.details["contexts"]] == [1.0, 0.0, pytest.approx(1 / 3)]

    def test_without_a_passage_there_is_none(self, rule_judge):
        result = ContextRelevance().evaluate_sync(CASE.model_copy(update={"contexts": ("",)}), rule_judge())
        assert (result.status, result.score) == (Status.NO_CONTEXT, None)


@pytest.mark.parametrize("make", [lambda: AnswerRelevance(method="x"), lambda: ContextRelevance(aggregate="sum")])
def test_wrong_options_are_refused(make):
    with pytest.raises(ConfigurationError):
        make()
