import pytest
from tests.case_tables import cases_of

from magistrate.case import Case
from magistrate.errors import ConfigurationError
from magistrate.judges.offline import OfflineJudge
from magistrate.metrics import RubricMetric, load_rubric_metric
from magistrate.verdict import Outcome, Status

cases = cases_of(__file__)

CASE = Case(question="How do I reset it?", answer="Hold the button.", contexts=("Manual.", "Card."))


def tone(**options):
    return RubricMetric(name="tone", criteria="1: rude. 5: kind.", **options)


class TestTheScore:
    @pytest.mark.parametrize(("grade", "score"), [(1, 0.0), (3, 0.5), (5, 1.0)])
    def test_is_the_grade_as_a_share_of_the_declared_scale(self, rule_judge, grade, score):
        result = tone().evaluate_sync(CASE, rule_judge(grade=lambda _: grade))
        assert (result.score, result.details["grade"]) == (score, grade)

    @pytest.mark.parametrize("grade", [0, 6, float("inf")])
    def test_a_grade_off_the_scale_is_neither_clamped_nor_rescaled(self, rule_judge, grade):
        result = tone().evaluate_sync(CASE, rule_judge(grade=lambda _: grade))
        assert (result.status, result.score) == (Status.OUT_OF_RANGE, None)

    def test_less_may_be_better(self, rule_judge):
        metric = tone(direction="minimize", threshold=0.25)
        assert metric.evaluate_sync(CASE, rule_judge(grade=lambda _: 2)).outcome is Outcome.PASS
        assert metric.evaluate_sync(CASE, rule_judge(grade=lambda _: 3)).outcome is Outcome.FAIL

    def test_the_judge_is_shown_the_chosen_fields(self, rule_judge):
        judge = rule_judge()
        tone(fields=("answer", "contexts")).evaluate_sync(CASE, judge)
        assert judge.asked == [("grade", {"answer": "Hold the button.", "contexts": "Manual.\n\nCard."})]

    def test_a_case_that_lacks_a_field_has_none(self, rule_judge):
        judge = rule_judge()
        result = tone(fields=("reference",)).evaluate_sync(CASE, judge)
        assert (result.status, judge.asked) == (Status.MISSING_INPUT, [])

    def test_a_judge_that_cannot_grade_gives_none_and_says_why(self):
        result = tone().evaluate_sync(CASE, OfflineJudge())
        assert (result.status, result.score) == (Status.REFUSED, None)
        assert "cannot grade" in result.reason


class TestFromAFile:
    def test_everything_can_be_declared(self, tmp_path, rule_judge):
        path = tmp_path / "tone.toml"
        path.write_text('criteria = "0: rude. 10: kind."\nlow = 0\nhigh = 10\nthreshold = 0.4\nfields = ["answer"]\n')
        metric = load_rubric_metric(path)
        result = metric.evaluate_sync(CASE, rule_judge(grade=lambda _: 4))
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
def test_wrong_options_are_refused(options):
    with pytest.raises(ConfigurationError):
        tone(**options)


@pytest.mark.parametrize(("name", "criteria"), [("", "x"), ("x", " ")])
def test_name_and_criteria_are_needed(name, criteria):
    with pytest.raises(ConfigurationError):
        RubricMetric(name=name, criteria=criteria)
