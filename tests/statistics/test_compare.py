"""Two runs over the same cases."""

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


def test_a_whole_s1_13_all_figures_of_a_comparison():
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


class TestNotes:
    def test_one_pair_has_no_interval_and_says_so_as_does_a_baseline_of_zero(self):
        result = compare_paired({"a": 0.5}, {"a": 0.0})
        assert (result.losses, result.losses[0].change) == ((Pair("a", 0.5, 0.0),), -0.5)
        assert len(result.notes) == 2
        assert any("first run is 0" in note for note in compare_paired({"a": 0.0}, {"a": 0.5}).notes)

    def test_an_interval_that_hangs_on_few_pairs_is_called_rough(self):
        a = {f"q{k}": 0.5 for k in range(50)}
        assert compare_paired(a, a | {"q3": 1.0}).notes == (
            "only 1 of 50 pairs differ: the interval of the change is rough, go by the test",
        )
