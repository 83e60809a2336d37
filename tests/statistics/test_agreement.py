"""Agreement of raters, and of a judge with the truth."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magistrate.statistics import Bootstrap, binary_scores, cohen_kappa, krippendorff_alpha
from magistrate.verdict import Verdict

QUICK = Bootstrap(resamples=100)
LABELS = st.sampled_from(["good", "bad", "unclear"])
PAIRS = st.lists(st.tuples(LABELS, LABELS), min_size=1, max_size=40)
LIGHT = settings(deadline=None)

# Krippendorff, Computing Krippendorff's alpha-reliability, 2011, section C: four observers, twelve units.
OBSERVERS = (
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
)
UNITS = [
    [None if label == "." else label for label in column]
    for column in zip(*(row.split() for row in OBSERVERS), strict=True)
]


def unzip(pairs):
    return [x for x, _ in pairs], [y for _, y in pairs]


class TestCohenKappa:
    def test_a_worked_example(self):
        # 20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no: agreement 0.7, by chance 0.5.
        a = ["yes"] * 25 + ["no"] * 25
        b = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
        result = cohen_kappa(a, b)
        assert (result.observed, result.expected, result.kappa) == pytest.approx((0.7, 0.5, 0.4))
        assert result.base_rates_a == {"no": 0.5, "yes": 0.5}
        assert result.base_rates_b == {"no": 0.4, "yes": 0.6}
        assert result.n == 50
        assert result.kappa in result.interval
        assert 0.3 < result.interval.high - result.interval.low < 0.6

    def test_base_rates_explain_a_low_kappa_at_high_agreement(self):
        a = ["good"] * 95 + ["bad"] * 5
        b = ["good"] * 90 + ["bad"] * 5 + ["good"] * 5
        result = cohen_kappa(a, b)
        assert result.observed == 0.9
        assert result.kappa < 0.0
        assert result.base_rates_a == {"bad": 0.05, "good": 0.95}

    @LIGHT
    @given(pairs=PAIRS, shuffle=st.randoms())
    def test_neither_the_order_of_the_items_nor_that_of_the_raters_matters(self, pairs, shuffle):
        a, b = unzip(pairs)
        result = cohen_kappa(a, b, bootstrap=QUICK)
        exchanged = cohen_kappa(b, a, bootstrap=QUICK)
        assert (exchanged.kappa, exchanged.observed, exchanged.expected) == (
            result.kappa,
            result.observed,
            result.expected,
        )
        shuffle.shuffle(pairs)
        assert cohen_kappa(*unzip(pairs), bootstrap=QUICK) == result

    def test_a_label_that_one_rater_never_gives_has_a_base_rate_of_zero(self):
        result = cohen_kappa([1, 1, 2], [1, 3, 2])
        assert result.base_rates_a == pytest.approx({1: 2 / 3, 2: 1 / 3, 3: 0.0})
        assert result.base_rates_b == pytest.approx({1: 1 / 3, 2: 1 / 3, 3: 1 / 3})
        assert result.expected == pytest.approx(3 / 9)

    @LIGHT
    @given(pairs=PAIRS)
    def test_the_names_of_the_labels_do_not_matter(self, pairs):
        renamed = [tuple({"good": 2, "bad": 1, "unclear": 3}[label] for label in pair) for pair in pairs]
        assert cohen_kappa(*unzip(renamed), bootstrap=QUICK).kappa == cohen_kappa(*unzip(pairs), bootstrap=QUICK).kappa

    @LIGHT
    @given(pairs=PAIRS)
    def test_it_is_the_formula_and_at_most_one(self, pairs):
        result = cohen_kappa(*unzip(pairs), bootstrap=QUICK)
        if result.kappa is None:
            assert result.expected == 1.0
        else:
            assert result.kappa == pytest.approx((result.observed - result.expected) / (1 - result.expected))
            assert -1.0 <= result.kappa <= 1.0
            assert (result.kappa == 1.0) == all(x == y for x, y in pairs)
        if result.interval:
            assert result.interval.low - 1e-9 <= result.kappa <= result.interval.high + 1e-9

    def test_one_label_throughout_leaves_it_undefined(self):
        result = cohen_kappa(["good"] * 9, ["good"] * 9)
        assert (result.kappa, result.interval, result.observed, result.expected) == (None, None, 1.0, 1.0)

    def test_perfect_agreement_has_no_spread_for_an_interval(self):
        result = cohen_kappa([1, 2] * 20, [1, 2] * 20)
        assert (result.kappa, result.interval) == (1.0, None)

    def test_items_that_one_rater_left_open_are_left_out_and_counted(self):
        result = cohen_kappa([1, None, 2, 1], [1, 2, None, 1])
        assert (result.n, result.n_missing, result.observed) == (2, 2, 1.0)

    def test_no_items_have_no_agreement(self):
        result = cohen_kappa([], [])
        assert (result.kappa, result.observed, result.expected, result.base_rates_a) == (None, None, None, {})

    def test_a_half_pair_is_refused(self):
        with pytest.raises(ValueError, match="not 1 and 0"):
            cohen_kappa([1], [])


class TestKrippendorffAlpha:
    def test_the_example_of_its_author(self):
        result = krippendorff_alpha(UNITS)
        assert result.alpha == pytest.approx(0.743, abs=5e-4)
        assert (result.n_units, result.n_labels, result.n_left_out) == (11, 40, 1)
        assert result.alpha in result.interval

    def test_two_raters_of_ten_items(self):
        # The same author's example of two observers and binary data: alpha = 0.095.
        a = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0]
        b = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
        assert krippendorff_alpha(zip(a, b, strict=True)).alpha == pytest.approx(0.095, abs=5e-4)

    @LIGHT
    @given(units=st.lists(st.lists(st.one_of(st.none(), LABELS), max_size=4), max_size=20), shuffle=st.randoms())
    def test_neither_the_order_of_the_units_nor_that_of_the_raters_matters(self, units, shuffle):
        result = krippendorff_alpha(units, bootstrap=QUICK)
        shuffle.shuffle(units)
        for unit in units:
            shuffle.shuffle(unit)
        assert krippendorff_alpha(units, bootstrap=QUICK) == result

    @LIGHT
    @given(units=st.lists(st.lists(LABELS, min_size=2, max_size=4), min_size=1, max_size=20))
    def test_it_is_one_exactly_where_all_raters_agree(self, units):
        result = krippendorff_alpha(units, bootstrap=QUICK)
        agree = all(len(set(unit)) == 1 for unit in units)
        if result.alpha is None:
            assert len({label for unit in units for label in unit}) == 1
        else:
            assert result.alpha <= 1.0
            assert (result.alpha == pytest.approx(1.0)) == agree
            assert result.alpha == pytest.approx(1 - result.observed / result.expected)

    @LIGHT
    @given(units=st.lists(st.lists(LABELS, min_size=2, max_size=4), min_size=1, max_size=20))
    def test_labels_that_nobody_else_gave_for_a_unit_change_nothing(self, units):
        padded = [*units, ["good", None], [None], []]
        result, plain = (krippendorff_alpha(u, bootstrap=QUICK) for u in (padded, units))
        assert (result.alpha, result.interval) == (plain.alpha, plain.interval)
        assert result.n_left_out == 3

    def test_one_label_throughout_leaves_it_undefined(self):
        result = krippendorff_alpha([["good", "good"]] * 5)
        assert (result.alpha, result.interval, result.observed, result.expected) == (None, None, 0.0, 0.0)

    def test_no_unit_with_two_labels_has_no_agreement(self):
        result = krippendorff_alpha([["good"], []])
        assert (result.alpha, result.observed, result.expected, result.n_units) == (None, None, None, 0)


class TestBinaryScores:
    def test_a_worked_example(self):
        truth = ["bad"] * 10 + ["good"] * 30
        said = ["bad"] * 6 + ["good"] * 4 + ["bad"] * 2 + ["good"] * 28
        scores = binary_scores(truth, said, positive="bad")
        assert (scores.true_positives, scores.false_negatives, scores.false_positives, scores.true_negatives) == (
            6,
            4,
            2,
            28,
        )
        assert (scores.accuracy, scores.precision, scores.recall) == pytest.approx((0.85, 0.75, 0.6))
        assert (scores.specificity, scores.prevalence, scores.predicted_rate) == pytest.approx((28 / 30, 0.25, 0.2))
        assert scores.f1 == pytest.approx(2 * 0.75 * 0.6 / 1.35)

    def test_all_other_labels_are_the_negative_class(self):
        truth = [Verdict.CONTRADICTED, Verdict.SUPPORTED, Verdict.NOT_ENOUGH_INFO]
        said = [Verdict.CONTRADICTED, Verdict.NOT_ENOUGH_INFO, Verdict.CONTRADICTED]
        scores = binary_scores(truth, said, positive=Verdict.CONTRADICTED)
        assert (scores.true_positives, scores.true_negatives, scores.false_positives) == (1, 1, 1)

    @LIGHT
    @given(pairs=st.lists(st.tuples(st.booleans(), st.booleans()), max_size=40))
    def test_what_is_defined_lies_between_zero_and_one_and_f1_between_precision_and_recall(self, pairs):
        scores = binary_scores(*unzip(pairs), positive=True)
        names = ("accuracy", "precision", "recall", "specificity", "f1", "prevalence", "predicted_rate")
        assert all(value is None or 0.0 <= value <= 1.0 for value in (getattr(scores, name) for name in names))
        if scores.f1 is not None:
            assert (
                min(scores.precision, scores.recall) - 1e-12
                <= scores.f1
                <= max(scores.precision, scores.recall) + 1e-12
            )
        assert (scores.f1 is None) == (scores.precision is None or scores.recall is None)

    def test_what_divides_by_nothing_is_undefined(self):
        nobody_positive = binary_scores([False] * 3, [False] * 3, positive=True)
        assert (nobody_positive.precision, nobody_positive.recall, nobody_positive.f1) == (None, None, None)
        assert (nobody_positive.accuracy, nobody_positive.specificity) == (1.0, 1.0)
        everybody = binary_scores([True], [True], positive=True)
        assert everybody.specificity is None
        empty = binary_scores([], [], positive=True)
        assert (empty.accuracy, empty.prevalence, empty.predicted_rate) == (None, None, None)

    def test_a_label_that_is_given_but_always_wrongly_has_an_f1_of_zero(self):
        assert binary_scores([True, False], [False, True], positive=True).f1 == 0.0

    def test_items_without_a_label_are_left_out_and_counted(self):
        scores = binary_scores([True, None, False], [True, True, None], positive=True)
        assert (scores.n, scores.n_missing) == (1, 2)

    def test_a_half_pair_is_refused(self):
        with pytest.raises(ValueError, match="not 0 and 1"):
            binary_scores([], [True], positive=True)
