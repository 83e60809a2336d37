import math
import random
from statistics import fmean, stdev

import pytest
from benchmarks.trust import PARTS, held
from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.statistics import wilson_limits
from magistrate.statistics.intervals import normal_quantile, t_quantile
from magistrate.trust import Judgement, Label, agreement, calibration_error, consensus, correct, correct_mean

cases = cases_of(__file__)


def row(i, *, positive=None, case=None):
    verdict = None if positive is None else ("supported" if positive else "unsupported")
    return Judgement(case_id=case or str(i), statement_id=f"s{i}", verdict=verdict, positive=positive)


class TestRates:
    def test_one_verdict_for_all_leaves_the_labels_alone(self):
        rows = [row(i, positive=True, case=str(i)) for i in range(50)]
        found = correct(rows, {rows[i].key: i < 15 for i in range(20)})
        assert found.corrected == pytest.approx(0.75)
        low, high = wilson_limits(15 / 20, 20, normal_quantile(0.975))
        assert found.interval.low == pytest.approx(low)
        assert found.people_interval.high == pytest.approx(high)

    def test_the_shares_of_the_verdicts_weigh_what_people_said_of_each(self):
        rows = [row(i, positive=i < 80, case=str(i)) for i in range(100)]
        labels = {rows[i].key: i < 9 for i in range(10)} | {rows[80 + i].key: i < 2 for i in range(10)}
        found = correct(rows, labels)
        assert found.corrected == pytest.approx(0.8 * 0.9 + 0.2 * 0.2)
        assert found.judge == pytest.approx(0.8)
        assert found.people == pytest.approx(11 / 20)

    def test_a_missing_verdict_is_a_stratum_of_its_own(self):
        rows = [row(i, positive=None if i < 50 else True, case=str(i)) for i in range(100)]
        labels = {rows[i].key: False for i in range(10)} | {rows[50 + i].key: True for i in range(10)}
        found = correct(rows, labels)
        assert [s.verdict for s in found.strata] == ["no verdict", "supported"]
        assert found.corrected == pytest.approx(0.5)
        assert (found.judge, found.judge_n) == (1.0, 50)

    def test_without_a_label_of_the_run_there_is_no_figure(self):
        assert correct([row(1, positive=True)], {("elsewhere", None): True}) is None

    def test_statements_of_a_case_count_for_less_than_as_many_cases(self):
        together = [row(i, positive=True, case=str(i // 5)) for i in range(200)]
        labels = {r.key: int(r.case_id) % 2 == 0 for r in together[:100]}
        apart = [row(i, positive=True, case=str(i)) for i in range(200)]
        alone = {r.key: i % 2 == 0 for i, r in enumerate(apart[:100])}
        wide, narrow = correct(together, labels), correct(apart, alone)
        assert wide.design_effect > 4
        assert wide.interval.high - wide.interval.low > 1.8 * (narrow.interval.high - narrow.interval.low)

    @pytest.mark.parametrize(("labelled", "least"), [(30, 90), (15, 50)])
    def test_a_judge_that_never_differs_from_people_makes_labels_worth_no_less(self, labelled, least):
        rows = [row(i, positive=(i * 7) % 10 < 7, case=str(i // 3)) for i in range(90)]
        found = correct(rows, {r.key: r.positive for r in rows if int(r.case_id) < labelled})
        people = found.people_interval
        assert found.phi == pytest.approx(1.0)
        assert found.worth >= least
        assert found.interval.high - found.interval.low <= people.high - people.low

    def test_where_all_is_labelled_the_limits_are_those_of_the_labels(self):
        rows = [row(i, positive=i % 3 > 0, case=str(i // 3)) for i in range(90)]
        found = correct(rows, {r.key: i % 4 > 0 for i, r in enumerate(rows)})
        assert found.corrected == pytest.approx(found.people)
        assert found.interval == found.people_interval


class TestMeans:
    def test_a_perfect_judge_is_believed_and_narrows_the_interval(self):
        rng = random.Random(1)
        people = {str(i): rng.random() for i in range(400)}
        found = correct_mean(people, dict(list(people.items())[:40]))
        assert found.weight > 0.85
        assert abs(found.corrected - fmean(people.values())) < 0.02

    def test_fewer_than_thirty_cases_or_equal_ones_give_no_figure(self):
        judge = {str(i): i % 3 / 2 for i in range(99)}
        assert correct_mean(judge, {str(i): i % 2 for i in range(29)}) is None
        assert correct_mean(judge, {str(i): 1.0 for i in range(40)}) is None

    def test_where_all_is_labelled_the_limits_are_students_of_the_labels(self):
        people = {str(i): i % 4 / 3 for i in range(40)}
        found = correct_mean({case: 0.9 * score for case, score in people.items()}, people)
        half = t_quantile(0.975, 39) * stdev(people.values()) / math.sqrt(40)
        assert found.corrected == pytest.approx(0.5)
        assert (found.interval.low, found.interval.high) == pytest.approx((0.5 - half, 0.5 + half))

    def test_cases_without_a_score_stay_in_the_mean(self):
        judge = {str(i): None if i % 2 else 1.0 for i in range(200)}
        people = {str(i): 0.0 if i % 2 else 1.0 for i in range(60)}
        assert 0.4 < correct_mean(judge, people).corrected < 0.6


@cases("correction: labels")
def test_labels_are_those_of_a_majority_and_of_a_persons_last_answer(said, told):
    found = consensus([Label(case_id=case, label=label, by=by, **more) for case, label, by, more in said])
    labels = {case: label for (case, _), label in found.labels.items()}
    looks = {
        "labels": labels,
        "split": found.split,
        "examples": found.examples,
        "answers": list(map(list, found.answers)),
    }
    assert {name: looks[name] for name in told} == told


class TestAgreement:
    def test_figures_of_a_known_table(self):
        rows = [row(i, positive=i < 60, case=str(i)) for i in range(100)]
        labels = {
            r.key: (i < 45 or i >= 85) for i, r in enumerate(rows)
        }  # 45 both, 15 false yes, 15 false no, 25 neither
        found = agreement(rows, labels)
        assert (len(found.false_yes), len(found.false_no)) == (15, 15)
        assert found.accuracy == pytest.approx(0.7)
        assert found.sensitivity == pytest.approx(0.75)
        assert found.specificity == pytest.approx(0.625)
        assert found.kappa == pytest.approx(0.375)
        assert found.ac1 == pytest.approx((0.7 - 0.48) / 0.52)
        assert correct(rows, labels).phi == pytest.approx(0.375)

    def test_where_all_answer_alike_there_is_no_kappa_but_an_ac1(self):
        rows = [row(i, positive=True, case=str(i)) for i in range(10)]
        found = agreement(rows, {r.key: True for r in rows})
        assert (found.kappa, found.specificity, found.ac1) == (None, None, 1.0)

    def test_statements_without_a_verdict_are_counted_apart(self):
        rows = [row(1, positive=None), row(2, positive=True)]
        found = agreement(rows, {r.key: True for r in rows})
        assert (found.n, found.without_verdict) == (1, 1)


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
def test_each_figure_is_what_it_must_be(part):
    figures = list(part(60))
    assert figures
    assert [figure for figure in figures if not held(figure)] == []


ITEMS = st.lists(
    st.tuples(st.booleans(), st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.1, 0.5, 0.7, 1.0]))), max_size=40
)


def unzip(items):
    return [label for label, _ in items], [number for _, number in items]


class TestCalibrationError:
    @cases("correction: calibration errors")
    def test_a_worked_example(self, labels, probabilities, error):
        assert calibration_error(labels, probabilities) == pytest.approx(error)

    @given(items=ITEMS)
    def test_it_lies_between_the_overall_gap_and_one(self, items):
        labels, probabilities = unzip(items)
        error = calibration_error(labels, probabilities)
        if items:
            gap = abs(sum(labels) - math.fsum(probabilities)) / len(items)
            assert gap - 1e-9 <= error <= 1.0
        else:
            assert error is None
