import random
from statistics import fmean

import pytest
from tests.case_tables import cases_of
from tests.trust.worlds import clustered_world, panel, withheld_world, world

from magistrate import trust
from magistrate.trust import (
    Answer,
    Judgement,
    Paired,
    alt_test,
    balanced_accuracy,
    calibrate,
    calibration_error,
    correct,
    draw,
    drift_evidence,
    fit_cascade,
    pairs_needed,
    panel_worth,
    plan_further,
    plan_labels,
    stands,
)

tables = cases_of(__file__)


def cases(n, seed=1):
    rng = random.Random(seed)
    words = ("unsupported", *["supported"] * 3)
    fields = [{"verdict": words[i % 4], "positive": i % 4 > 0, "confidence": rng.random()} for i in range(n)]
    return [Judgement(case_id=str(i), **each) for i, each in enumerate(fields)]


class TestDraw:
    def test_each_stratum_has_its_share(self):
        drawn = draw(cases(400), 40, seed=1)
        assert len({d.case_id for d in drawn}) == 40
        assert abs(sum(d.stratum.startswith("supported") for d in drawn) - 30) <= 2

    def test_a_draw_is_the_beginning_of_a_larger_one(self):
        small, large = draw(cases(400), 20, seed=3), draw(cases(400), 60, seed=3)
        assert [d.case_id for d in small] == [d.case_id for d in large[:20]]

    def test_cases_drawn_before_count_and_are_not_drawn_again(self):
        first = [d.case_id for d in draw(cases(400), 20, seed=3)]
        more = [d.case_id for d in draw(cases(400), 30, seed=3, done=first)]
        assert len(more) == 10
        assert not set(first) & set(more)

    def test_no_more_than_there_are(self):
        assert len(draw(cases(5), 50, seed=1)) == 5
        assert draw([], 5, seed=1) == []


class TestPlan:
    """What is planned from 40 labelled cases, against what labels of more of them bring."""

    @staticmethod
    def first(made, n):
        ids = dict.fromkeys(row.case_id for row in made.judgements)
        return correct(made.judgements, made.labels_of({*list(ids)[:n]}))

    @pytest.mark.parametrize("make", [world, clustered_world, withheld_world])
    @pytest.mark.parametrize("judge", [(0.5, 0.95, 0.9), (0.8, 0.85, 0.8), (0.8, 0.7, 0.6)])
    def test_the_planned_width_is_about_the_real_one(self, make, judge):
        rng = random.Random(3)
        ratios = []
        for _ in range(8):
            made = make(rng, *judge)
            so_far = self.first(made, 40)
            for n in (80, 200):
                later = self.first(made, n)
                planned = plan_further(so_far, later.labelled - so_far.labelled)
                assert planned.cases == pytest.approx(n - 40, abs=30)
                ratios.append(planned.half_width / ((later.interval.high - later.interval.low) / 2))
        assert 0.95 <= fmean(ratios) <= 1.25

    def test_no_further_labels_leave_the_interval_as_it_is(self):
        found = self.first(clustered_world(random.Random(1), 0.8, 0.85, 0.8), 40)
        half = (found.interval.high - found.interval.low) / 2
        assert plan_further(found, 0).half_width == pytest.approx(half)
        assert plan_labels(half + 1e-9, found).labels == 0

    def test_the_fewest_labels_that_bring_it(self):
        found = self.first(clustered_world(random.Random(1), 0.8, 0.85, 0.8), 40)
        plan = plan_labels(0.06, found)
        assert plan.half_width <= 0.06 < plan_further(found, plan.labels - 1).half_width

    def test_what_no_number_of_labels_brings_is_none(self):
        found = self.first(clustered_world(random.Random(1), 0.8, 0.85, 0.8), 40)
        everything = plan_further(found, found.n)
        assert (everything.labels, everything.cases) == (found.n - found.labelled, 360)
        assert plan_labels(everything.half_width * 0.99, found) is None


class TestCascade:
    @pytest.mark.parametrize(("risk", "pairs"), [(0.01, 230), (0.02, 114), (0.05, 45), (0.1, 22)])
    def test_the_fewest_pairs_that_certify(self, risk, pairs):
        assert pairs_needed(risk) == pairs
        agreeing = [Paired((Answer("a", 0.9),), "a")] * pairs
        assert fit_cascade(agreeing, risk).certified
        assert not fit_cascade(agreeing[1:], risk).certified
        assert str(pairs) in fit_cascade(agreeing[1:], risk).why

    def test_a_judge_without_a_confidence_never_stands(self):
        found = fit_cascade([Paired((Answer("a", None),), "a")] * 200, 0.05)
        assert not found.certified
        assert found.saved == 0.0
        assert not stands(Answer("a", None), 0.5)
        assert not stands(Answer(None, 1.0), 0.5)

    def test_the_next_judge_answers_what_the_first_is_not_sure_of(self):
        found = fit_cascade([Paired((Answer("b", 0.1), Answer("a", 0.95)), "a")] * 100, 0.05)
        assert 0.1 < found.threshold <= 0.95
        assert found.saved == 1.0


class TestPanel:
    def test_independent_judges_are_better_together_and_copies_are_not(self):
        verdicts, labels = panel(random.Random(5), 5, 0.0, 400)
        assert panel_worth(verdicts, labels).better
        same = dict.fromkeys(verdicts, verdicts["judge 0"])
        found = panel_worth(same, labels)
        assert not found.better
        assert found.effective == pytest.approx(1.0)
        assert found.unanimous == 1.0
        flawless = panel_worth(dict.fromkeys(verdicts, labels), labels)
        assert (flawless.effective, flawless.error_correlation, flawless.better) == (None, None, False)

    def test_statements_that_a_judge_did_not_answer_are_left_out(self):
        found = panel_worth({"a": [True, None, True], "b": [True, True, False]}, [True, True, True])
        assert found.n == 2
        assert found.majority == pytest.approx(0.75)
        assert panel_worth({"a": [True, None], "b": [True, True]}, [True, True]) is None


def said(n, seed, *, sharpen=3.0):
    """A judge that is far too sure of itself, and true labels."""
    rng = random.Random(seed)
    probabilities, labels = [], []
    for _ in range(n):
        true = rng.betavariate(2, 1.5)
        odds = (true / (1 - true)) ** sharpen * 2
        probabilities.append(odds / (1 + odds))
        labels.append(rng.random() < true)
    return probabilities, labels


class TestCalibration:
    @pytest.mark.parametrize(("n", "method"), [(60, "platt"), (400, "isotonic")])
    def test_probabilities_mean_more_what_they_say(self, n, method):
        found = calibrate(*said(n, 2))
        assert found.method == method
        assert found.error_after < found.error_before
        probabilities, labels = said(5000, 9)
        assert calibration_error(labels, [found.apply(p) for p in probabilities]) < 0.12
        assert calibration_error(labels, probabilities) > 0.15

    def test_it_never_turns_the_order_round(self):
        for n in (60, 400):
            found = calibrate(*said(n, 4))
            mapped = [found.apply(k / 100) for k in range(101)]
            assert mapped == sorted(mapped)
            assert all(0.0 <= p <= 1.0 for p in mapped)

    def test_the_threshold_parts_best(self):
        probabilities = [0.6 + 0.001 * k for k in range(100)]
        labels = [k >= 50 for k in range(100)]
        found = calibrate(probabilities, labels)
        assert balanced_accuracy([p >= found.threshold for p in probabilities], labels) == 1.0
        assert found.accuracy_before == pytest.approx(0.5)

    @pytest.mark.parametrize(
        ("probabilities", "labels"),
        [([0.5] * 19, [True] * 19), ([0.5] * 30, [True] * 30), ([1.5] * 30, [True, False] * 15), ([0.5], [True] * 2)],
    )
    def test_what_cannot_be_fitted_is_refused(self, probabilities, labels):
        with pytest.raises(ValueError, match=r"labels|probabilit"):
            calibrate(probabilities, labels)


class TestDrift:
    def test_a_judge_that_stays_gives_no_evidence(self):
        found = drift_evidence([{str(i): i % 3 > 0 for i in range(40)}] * 30)
        assert (found.e_value, found.alarm, found.p_value) == (1.0, False, 1.0)
        looks = [{str(i): k < 3 for i in range(40)} for k in range(6)]
        assert drift_evidence(looks).alarm

    def test_accuracies_are_against_people(self):
        found = drift_evidence([{"a": True, "b": None}, {"a": False, "b": True}], {"a": True, "b": True})
        assert (found.accuracy_first, found.accuracy_last, found.to_no) == (1.0, 0.5, 1)


class TestAltTest:
    def test_a_judge_that_agrees_better_than_people_do_wins(self):
        rng = random.Random(1)
        truth = [rng.choice("ab") for _ in range(100)]

        def person(wrong):
            return [t if rng.random() > wrong else "c" for t in truth]

        people = [person(0.2) for _ in range(3)]
        assert alt_test(truth, people, epsilon=0.1).passes
        assert alt_test(truth, people, epsilon=0.1).advantage > 0.8
        assert not alt_test(person(0.7), people, epsilon=0.1).passes

    def test_one_that_always_agrees_with_people_who_are_of_one_mind_wins(self):
        assert alt_test(["a"] * 31, [["a"] * 31, ["a"] * 30 + [None], ["a"] * 31]).passes
        assert not alt_test(["b"] * 31, [["a"] * 31] * 3).passes


@tables("methods: what makes no sense is refused")
def test_what_makes_no_sense_is_refused(method, arguments, message):
    with pytest.raises(ValueError, match=message):
        getattr(trust, method)(**arguments)
