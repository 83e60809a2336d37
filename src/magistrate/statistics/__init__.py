"""Statistics of evaluations: intervals, paired comparisons, repeats, agreement. The standard library is all they need.

Every function is pure and deterministic: no I/O, no clock, no global state; randomness comes from a seed. What is
undefined is None, never NaN or infinity. Impossible arguments raise ValueError.
"""

from magistrate.statistics.agreement import Agreement, cohen_kappa, krippendorff_alpha
from magistrate.statistics.bootstrap import (
    Bootstrap,
    change_interval,
    mean_interval,
    relative_change_interval,
    statistic_interval,
)
from magistrate.statistics.calibration import (
    CalibrationBin,
    calibration_bins,
    calibration_error,
    roc_auc,
)
from magistrate.statistics.compare import Comparison, Flips, Pair, compare_paired
from magistrate.statistics.differences import difference, format_change, relative_change
from magistrate.statistics.distributions import percentile
from magistrate.statistics.intervals import Interval, wilson_interval
from magistrate.statistics.paired_tests import McNemarTest, SignedRankTest, mcnemar_test, signed_rank_test
from magistrate.statistics.power import minimum_detectable_effect
from magistrate.statistics.repeats import (
    Majority,
    NoiseFloor,
    RunStability,
    flip_rate,
    majority,
    noise_floor,
    run_stability,
)

__all__ = [
    "Agreement",
    "Bootstrap",
    "CalibrationBin",
    "Comparison",
    "Flips",
    "Interval",
    "Majority",
    "McNemarTest",
    "NoiseFloor",
    "Pair",
    "RunStability",
    "SignedRankTest",
    "calibration_bins",
    "calibration_error",
    "change_interval",
    "cohen_kappa",
    "compare_paired",
    "difference",
    "flip_rate",
    "format_change",
    "krippendorff_alpha",
    "majority",
    "mcnemar_test",
    "mean_interval",
    "minimum_detectable_effect",
    "noise_floor",
    "percentile",
    "relative_change",
    "relative_change_interval",
    "roc_auc",
    "run_stability",
    "signed_rank_test",
    "statistic_interval",
    "wilson_interval",
]
