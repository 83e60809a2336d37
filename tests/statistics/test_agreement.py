"""Agreement of raters beyond chance."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.statistics import Bootstrap, cohen_kappa, krippendorff_alpha

QUICK = Bootstrap(resamples=100)
LABELS = st.sampled_from(["good", "bad", "unclear"])
PAIRS = st.lists(st.tuples(LABELS, LABELS), min_size=1, max_size=40)

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
        assert (result.observed, result.expected, result.coefficient) == pytest.approx((0.7, 0.5, 0.4))
        assert result.n == 50
        assert result.coefficient in result.interval
        assert 0.3 < result.interval.high - result.interval.low < 0.6

    def test_a_rare_label_makes_kappa_low_at_high_agreement(self):
        a = ["good"] * 95 + ["bad"] * 5
        b = ["good"] * 90 + ["bad"] * 5 + ["good"] * 5
        result = cohen_kappa(a, b)
        assert result.observed == 0.9
        assert result.coefficient < 0.0

    @given(pairs=PAIRS, shuffle=st.randoms())
    def test_neither_the_order_of_the_items_nor_that_of_the_raters_matters(self, pairs, shuffle):
        a, b = unzip(pairs)
        result = cohen_kappa(a, b, bootstrap=QUICK)
        exchanged = cohen_kappa(b, a, bootstrap=QUICK)
        assert (exchanged.coefficient, exchanged.observed, exchanged.expected) == (
            result.coefficient,
            result.observed,
            result.expected,
        )
        shuffle.shuffle(pairs)
        assert cohen_kappa(*unzip(pairs), bootstrap=QUICK) == result

    @given(pairs=PAIRS)
    def test_the_names_of_the_labels_do_not_matter(self, pairs):
        renamed = [tuple({"good": 2, "bad": 1, "unclear": 3}[label] for label in pair) for pair in pairs]
        assert (
            cohen_kappa(*unzip(renamed), bootstrap=QUICK).coefficient
            == cohen_kappa(*unzip(pairs), bootstrap=QUICK).coefficient
        )

    @given(pairs=PAIRS)
    def test_it_is_the_formula_and_at_most_one(self, pairs):
        result = cohen_kappa(*unzip(pairs), bootstrap=QUICK)
        if result.coefficient is None:
            assert result.expected == 1.0
        else:
            assert result.coefficient == pytest.approx((result.observed - result.expected) / (1 - result.expected))
            assert -1.0 <= result.coefficient <= 1.0
            assert (result.coefficient == 1.0) == all(x == y for x, y in pairs)
        if result.interval:
            assert result.interval.low - 1e-9 <= result.coefficient <= result.interval.high + 1e-9

    def test_one_label_throughout_leaves_it_undefined(self):
        result = cohen_kappa(["good"] * 9, ["good"] * 9)
        assert (result.coefficient, result.interval, result.observed, result.expected) == (None, None, 1.0, 1.0)

    def test_perfect_agreement_has_no_spread_for_an_interval(self):
        result = cohen_kappa([1, 2] * 20, [1, 2] * 20)
        assert (result.coefficient, result.interval) == (1.0, None)

    def test_items_that_one_rater_left_open_are_left_out_and_counted(self):
        result = cohen_kappa([1, None, 2, 1], [1, 2, None, 1])
        assert (result.n, result.n_missing, result.observed) == (2, 2, 1.0)

    def test_no_items_have_no_agreement(self):
        result = cohen_kappa([], [])
        assert (result.coefficient, result.observed, result.expected) == (None, None, None)

    def test_a_half_pair_is_refused(self):
        with pytest.raises(ValueError, match="not 1 and 0"):
            cohen_kappa([1], [])


class TestKrippendorffAlpha:
    def test_the_example_of_its_author(self):
        result = krippendorff_alpha(UNITS)
        assert result.coefficient == pytest.approx(0.743, abs=5e-4)
        assert (result.n, result.n_missing) == (11, 1)
        assert result.coefficient in result.interval

    def test_two_raters_of_ten_items(self):
        # The same author's example of two observers and binary data: alpha = 0.095.
        a = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0]
        b = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
        assert krippendorff_alpha(zip(a, b, strict=True)).coefficient == pytest.approx(0.095, abs=5e-4)

    @given(units=st.lists(st.lists(st.one_of(st.none(), LABELS), max_size=4), max_size=20), shuffle=st.randoms())
    def test_neither_the_order_of_the_units_nor_that_of_the_raters_matters(self, units, shuffle):
        result = krippendorff_alpha(units, bootstrap=QUICK)
        shuffle.shuffle(units)
        for unit in units:
            shuffle.shuffle(unit)
        assert krippendorff_alpha(units, bootstrap=QUICK) == result

    @given(units=st.lists(st.lists(LABELS, min_size=2, max_size=4), min_size=1, max_size=20))
    def test_it_is_one_exactly_where_all_raters_agree(self, units):
        result = krippendorff_alpha(units, bootstrap=QUICK)
        agree = all(len(set(unit)) == 1 for unit in units)
        if result.coefficient is None:
            assert len({label for unit in units for label in unit}) == 1
        else:
            assert result.coefficient <= 1.0
            assert (result.coefficient == pytest.approx(1.0)) == agree
            assert result.coefficient == pytest.approx((result.observed - result.expected) / (1 - result.expected))

    @given(units=st.lists(st.lists(LABELS, min_size=2, max_size=4), min_size=1, max_size=20))
    def test_labels_that_nobody_else_gave_for_a_unit_change_nothing(self, units):
        padded = [*units, ["good", None], [None], []]
        result, plain = (krippendorff_alpha(u, bootstrap=QUICK) for u in (padded, units))
        assert (result.coefficient, result.interval) == (plain.coefficient, plain.interval)
        assert result.n_missing == 3

    def test_one_label_throughout_leaves_it_undefined(self):
        result = krippendorff_alpha([["good", "good"]] * 5)
        assert (result.coefficient, result.interval, result.observed, result.expected) == (None, None, 1.0, 1.0)

    def test_no_unit_with_two_labels_has_no_agreement(self):
        result = krippendorff_alpha([["good"], []])
        assert (result.coefficient, result.observed, result.expected, result.n) == (None, None, None, 0)
