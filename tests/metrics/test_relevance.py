"""Relevance and abstention."""

import pytest
from tests.case_tables import cases_of, tables_of

from magistrate.case import Case
from magistrate.errors import ConfigurationError
from magistrate.judges.offline import OfflineJudge
from magistrate.metrics import Abstention, AnswerRelevance, ContextRelevance, RubricMetric, load_rubric_metric
from magistrate.verdict import IssueCode, Outcome, Status

cases = cases_of(__file__)

CASE = Case(**tables_of(__file__)["relevance: case"])
GRADES = dict(zip(CASE.contexts, (4, 0, 1), strict=True))


def graded(fields):
    return GRADES[fields["passage"]]


class TestAnswerRelevance:
    def test_offline_is_the_share_of_the_questions_terms(self):
        result = AnswerRelevance().evaluate_sync(CASE, OfflineJudge())
        assert result.score == 1.0
        assert result.details["method"] == "lexical"
        assert result.reason.startswith("lexical")

    def test_the_words_that_are_missing_are_whole(self):
        case = CASE.model_copy(update={"question": "Does the company offer bicycles?", "answer": "A bicycle."})
        assert "company, offer" in AnswerRelevance().evaluate_sync(case, OfflineJudge()).reason

    def test_words_in_different_scripts_cannot_be_compared(self):
        case = CASE.model_copy(update={"answer": "旧港から出航します。"})
        result = AnswerRelevance().evaluate_sync(case, OfflineJudge())
        assert (result.status, result.score) == (Status.REFUSED, None)
        assert result.issues[0].code is IssueCode.LANGUAGE_MISMATCH


class TestContextRelevance:
    @cases("relevance: puts the passages together")
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


@pytest.mark.parametrize("make", [lambda: AnswerRelevance(method="x"), lambda: ContextRelevance(aggregate="sum")])
def test_wrong_options_are_refused(make):
    with pytest.raises(ConfigurationError):
        make()


ANSWERS = {True: "The fee is 5 crowns [1].", False: "The documents do not mention a fee. They name a deposit of 9."}


def case(answerable, answered, **fields):
    return Case(
        question="What is the fee?",
        answer=ANSWERS[answered],
        contexts=("x",),
        metadata={"answerable": answerable},
        **fields,
    )


@pytest.mark.parametrize("answerable", [True, False])
@pytest.mark.parametrize("answered", [True, False])
class TestTheTable:
    def test_lexically(self, answerable, answered):
        result = Abstention().evaluate_sync(case(answerable, answered), OfflineJudge())
        assert result.score == float(answerable == answered)
        assert (result.details["answerable"], result.details["answered"]) == (answerable, answered)
        assert result.details["method"] == "lexical"

    def test_by_a_judge(self, rule_judge, answerable, answered):
        judge = rule_judge(grade=lambda fields: float(fields["answer"] == ANSWERS[True]))
        result = Abstention().evaluate_sync(case(answerable, answered), judge)
        assert result.score == float(answerable == answered)
        assert (result.details["method"], result.usage.calls) == ("judge", 1)


@pytest.mark.parametrize(
    ("fields", "score"), [({"category": "unanswerable"}, 1.0), ({"reference": "5 crowns."}, 0.0), ({}, None)]
)
def test_whether_it_is_answerable_follows_from_the_category_or_a_reference_or_is_not_known(fields, score):
    result = Abstention().evaluate_sync(Case(answer=ANSWERS[False], **fields), OfflineJudge())
    assert (result.score, result.status is Status.MISSING_INPUT) == (score, score is None)


def test_a_judge_that_refuses_leaves_no_score(rule_judge):
    result = Abstention().evaluate_sync(case(True, True), rule_judge(grade=lambda _: Status.REFUSED))
    assert (result.status, result.score) == (Status.REFUSED, None)


RESET = Case(question="How do I reset it?", answer="Hold the button.", contexts=("Manual.", "Card."))


def tone(**options):
    return RubricMetric(name="tone", criteria="1: rude. 5: kind.", **options)


class TestTheScore:
    @pytest.mark.parametrize(("grade", "score"), [(1, 0.0), (3, 0.5), (5, 1.0)])
    def test_is_the_grade_as_a_share_of_the_declared_scale(self, rule_judge, grade, score):
        result = tone().evaluate_sync(RESET, rule_judge(grade=lambda _: grade))
        assert (result.score, result.details["grade"]) == (score, grade)

    @pytest.mark.parametrize("grade", [0, 6, float("inf")])
    def test_a_grade_off_the_scale_is_neither_clamped_nor_rescaled(self, rule_judge, grade):
        result = tone().evaluate_sync(RESET, rule_judge(grade=lambda _: grade))
        assert (result.status, result.score) == (Status.OUT_OF_RANGE, None)

    def test_less_may_be_better(self, rule_judge):
        metric = tone(direction="minimize", threshold=0.25)
        assert metric.evaluate_sync(RESET, rule_judge(grade=lambda _: 2)).outcome is Outcome.PASS
        assert metric.evaluate_sync(RESET, rule_judge(grade=lambda _: 3)).outcome is Outcome.FAIL

    def test_the_judge_is_shown_the_chosen_fields(self, rule_judge):
        judge = rule_judge()
        tone(fields=("answer", "contexts")).evaluate_sync(RESET, judge)
        assert judge.asked == [("grade", {"answer": "Hold the button.", "contexts": "Manual.\n\nCard."}, {})]

    def test_a_case_that_lacks_a_field_has_none(self, rule_judge):
        judge = rule_judge()
        result = tone(fields=("reference",)).evaluate_sync(RESET, judge)
        assert (result.status, judge.asked) == (Status.MISSING_INPUT, [])

    def test_a_judge_that_cannot_grade_gives_none_and_says_why(self):
        result = tone().evaluate_sync(RESET, OfflineJudge())
        assert (result.status, result.score) == (Status.REFUSED, None)
        assert "cannot grade" in result.reason


class TestFromAFile:
    def test_everything_can_be_declared(self, tmp_path, rule_judge):
        path = tmp_path / "tone.toml"
        path.write_text('criteria = "0: rude. 10: kind."\nlow = 0\nhigh = 10\nthreshold = 0.4\nfields = ["answer"]\n')
        metric = load_rubric_metric(path)
        result = metric.evaluate_sync(RESET, rule_judge(grade=lambda _: 4))
        assert (metric.name, result.score, result.outcome) == ("tone", 0.4, Outcome.PASS)

    @cases("rubric: what is wrong is said with the path")
    def test_what_is_wrong_is_said_with_the_path(self, tmp_path, text, says):
        path = tmp_path / "r.toml"
        path.write_text(text)
        with pytest.raises(ConfigurationError, match=says) as caught:
            load_rubric_metric(path)
        assert str(path) in str(caught.value)

    def test_a_file_that_is_not_there_is_an_error(self, tmp_path):
        with pytest.raises(ConfigurationError, match="cannot be read"):
            load_rubric_metric(tmp_path / "none.toml")


@cases("rubric: wrong options are refused")
def test_wrong_options_of_a_rubric_are_refused(options):
    with pytest.raises(ConfigurationError):
        tone(**options)


@pytest.mark.parametrize(("name", "criteria"), [("", "x"), ("x", " ")])
def test_name_and_criteria_are_needed(name, criteria):
    with pytest.raises(ConfigurationError):
        RubricMetric(name=name, criteria=criteria)
