"""Two runs over the same cases."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.statistics import Bootstrap, Pair, compare_paired

QUICK = Bootstrap(resamples=200)
SCORES = st.one_of(st.none(), st.sampled_from([0.0, 0.25, 0.5, 2 / 3, 0.8, 1.0]), st.floats(0.0, 1.0))
RUNS = st.dictionaries(st.sampled_from([f"case-{k}" for k in range(14)]), SCORES)

BASE = {"fees": 0.5, "hours": 1.0, "pets": 0.25, "noise": 1.0, "lift": 0.75}
NEXT = {"fees": 1.0, "hours": 0.5, "pets": 0.5, "noise": 1.0, "lift": 0.75}


def places(comparison):
    return [
        *(pair.id for pair in comparison.wins),
        *(pair.id for pair in comparison.losses),
        *comparison.ties,
        *comparison.unscored_in_a,
        *comparison.unscored_in_b,
        *comparison.unscored_in_both,
        *comparison.only_in_a,
        *comparison.only_in_b,
    ]


class TestSeedS113:
    """Comparison with a baseline: absolute, relative, paired interval, McNemar or Wilcoxon."""

    def test_s1_13_all_figures_of_a_comparison(self):
        a = {f"q{k}": k % 4 / 4 for k in range(40)}
        b = {f"q{k}": min(1.0, k % 4 / 4 + 0.25 * (k % 3 > 0)) for k in range(40)}
        result = compare_paired(a, b)
        assert result.mean_a == pytest.approx(0.375)
        assert result.change == pytest.approx(result.mean_b - result.mean_a)
        assert result.relative_change == pytest.approx(100 * result.change / 0.375)
        assert result.change in result.change_interval
        assert result.change_interval.method.startswith("BCa bootstrap")
        assert result.relative_change in result.relative_change_interval
        assert result.test.method == "exact Wilcoxon signed-rank test"
        assert result.test.p_value < 0.001
        assert 0.0 < result.minimum_detectable_effect < result.change
        assert result.notes == ()

    def test_s1_13_a_baseline_of_zero_has_no_relative_change(self):
        result = compare_paired({"a": 0.0, "b": 0.0}, {"a": 0.5, "b": 1.0})
        assert (result.relative_change, result.relative_change_interval) == (None, None)
        assert any("mean of the first run is 0" in note for note in result.notes)


class TestAlignment:
    def test_cases_are_aligned_by_id_and_never_by_position(self):
        backwards = dict(reversed(NEXT.items()))
        assert compare_paired(BASE, backwards) == compare_paired(BASE, NEXT)

    @given(a=RUNS, b=RUNS)
    def test_no_id_is_dropped_and_none_is_counted_twice(self, a, b):
        result = compare_paired(a, b, bootstrap=QUICK)
        assert sorted(places(result)) == sorted(a.keys() | b.keys())
        assert result.n_ids == len(a.keys() | b.keys())
        assert result.n == len(result.wins) + len(result.losses) + len(result.ties)

    def test_cases_without_a_score_are_listed_by_the_run_that_lacks_it(self):
        result = compare_paired({"a": None, "b": 0.5, "c": None, "d": 0.5}, {"a": 0.5, "b": None, "c": None, "d": 1.0})
        assert (result.unscored_in_a, result.unscored_in_b, result.unscored_in_both) == (("a",), ("b",), ("c",))
        assert (result.n, result.coverage) == (1, 0.25)

    def test_means_are_over_the_cases_that_both_scored(self):
        result = compare_paired({"a": 1.0, "b": 0.0, "c": 0.0}, {"a": 0.5, "b": None, "d": 0.0})
        assert (result.mean_a, result.mean_b, result.change) == (1.0, 0.5, -0.5)

    def test_missing_scores_leave_bounds_on_the_change(self):
        # c is 0.5 or worse and up to 0.5 better; a rises by 0.5 for sure.
        result = compare_paired({"a": 0.5, "c": 0.5}, {"a": 1.0, "c": None})
        assert result.change_bounds == pytest.approx((0.0, 0.5))

    @given(a=RUNS, b=RUNS, filling=st.floats(0, 1))
    def test_whatever_is_filled_in_for_them_stays_within_the_bounds(self, a, b, filling):
        result = compare_paired(a, b, bootstrap=QUICK)
        shared = a.keys() & b.keys()
        if not shared:
            assert result.change_bounds is None
            return

        def filled(run):
            return {key: filling if run[key] is None else run[key] for key in shared}

        change = compare_paired(filled(a), filled(b), bootstrap=QUICK).change
        low, high = result.change_bounds
        assert low - 1e-8 <= change <= high + 1e-8


class TestFigures:
    @given(a=RUNS, b=RUNS)
    def test_exchanging_the_runs_exchanges_wins_and_losses(self, a, b):
        there, back = (compare_paired(x, y, threshold=0.5, bootstrap=QUICK) for x, y in ((a, b), (b, a)))
        assert [pair.id for pair in there.wins] == [pair.id for pair in back.losses]
        assert [pair.id for pair in there.flips.gained] == [pair.id for pair in back.flips.lost]
        assert there.ties == back.ties
        assert there.test.p_value == back.test.p_value
        if there.n:
            assert there.change == pytest.approx(-back.change)

    @given(a=RUNS)
    def test_a_run_compared_with_itself_changes_nothing(self, a):
        result = compare_paired(a, a, threshold=0.5, bootstrap=QUICK)
        assert (result.wins, result.losses) == ((), ())
        assert result.change in (None, 0.0)
        assert result.test.p_value in (None, 1.0)
        assert (result.flips.gained, result.flips.lost) == ((), ())

    def test_scores_of_zero_and_one_are_tested_by_mcnemar(self):
        a = {f"q{k}": float(k < 10) for k in range(20)}
        b = {f"q{k}": float(k < 18) for k in range(20)}
        test = compare_paired(a, b).test
        assert test.method == "exact McNemar test"
        assert (test.only_a, test.only_b) == (0, 8)
        assert test.p_value == pytest.approx(2 / 2**8)


class TestWinsAndLosses:
    def test_the_greatest_change_comes_first_then_the_id(self):
        a = dict.fromkeys(("d", "c", "b", "a"), 0.5)
        b = {"d": 0.6, "c": 1.0, "b": 0.6, "a": 0.0}
        result = compare_paired(a, b)
        assert [pair.id for pair in result.wins] == ["c", "b", "d"]
        assert result.losses == (Pair("a", 0.5, 0.0),)
        assert result.losses[0].change == -0.5

    def test_where_less_is_better_a_fall_is_a_win(self):
        assert [pair.id for pair in compare_paired(BASE, NEXT, direction="minimize").wins] == ["hours"]
        assert compare_paired(BASE, NEXT, direction="minimize").change == compare_paired(BASE, NEXT).change

    def test_rounding_is_a_tie(self):
        assert compare_paired({"a": 0.3}, {"a": 0.1 + 0.2}).ties == ("a",)

    def test_an_unknown_direction_is_refused(self):
        with pytest.raises(ValueError, match="'up'"):
            compare_paired({}, {}, direction="up")


class TestFlips:
    def test_the_cases_that_flipped_are_named(self):
        flips = compare_paired(BASE, NEXT, threshold=0.75).flips
        assert flips.gained == (Pair("fees", 0.5, 1.0),)
        assert flips.lost == (Pair("hours", 1.0, 0.5),)
        assert (flips.test.both, flips.test.neither) == (2, 1)

    def test_a_score_a_hair_below_the_threshold_passes(self):
        flips = compare_paired({"a": 0.1 + 0.2}, {"a": 0.3}, threshold=0.1 + 0.2).flips
        assert (flips.gained, flips.lost, flips.test.both) == ((), (), 1)

    def test_where_less_is_better_a_low_score_passes(self):
        flips = compare_paired({"a": 0.4}, {"a": 0.1}, threshold=0.2, direction="minimize").flips
        assert flips.gained == (Pair("a", 0.4, 0.1),)

    def test_without_a_threshold_nothing_flips(self):
        assert compare_paired(BASE, NEXT).flips is None


class TestNotes:
    def test_nothing_in_common_is_said_and_leaves_every_figure_none(self):
        result = compare_paired({"a": 1.0}, {"b": 1.0})
        assert result.notes == ("no case has a score in both runs: there is nothing to compare",)
        figures = (
            result.mean_a,
            result.mean_b,
            result.change,
            result.change_interval,
            result.relative_change,
            result.sd,
        )
        assert figures == (None,) * 6
        assert (result.minimum_detectable_effect, result.test.p_value) == (None, None)

    def test_two_pairs_are_enough(self):
        result = compare_paired({"a": 0.5, "b": 0.5}, {"a": 1.0, "b": 0.75})
        assert result.sd == pytest.approx(0.25 / 2**0.5)
        assert result.minimum_detectable_effect is not None
        assert result.notes == ("only 2 of 2 pairs differ: the interval of the change is rough, go by the test",)

    def test_one_pair_has_no_interval_and_says_so_and_none_no_coverage(self):
        result = compare_paired({"a": 0.5}, {"a": 1.0})
        assert (result.change_interval, result.sd, result.minimum_detectable_effect) == (None, None, None)
        assert len(result.notes) == 2
        assert compare_paired({}, {}).coverage == 0.0

    def test_an_interval_that_hangs_on_few_pairs_is_called_rough(self):
        a = {f"q{k}": 0.5 for k in range(50)}
        assert compare_paired(a, a | {"q3": 1.0}).notes == (
            "only 1 of 50 pairs differ: the interval of the change is rough, go by the test",
        )


@pytest.mark.parametrize("score", [math.nan, math.inf, 1.2, -0.2])
def test_what_is_no_score_is_refused_and_the_case_named(score):
    with pytest.raises(ValueError, match="case 'q7' of the second run: "):
        compare_paired({"q7": 1.0}, {"q7": score})
