"""Statistics of evaluations: intervals, paired comparisons, repeats, calibration. The standard library suffices.

Every function is pure and deterministic: no I/O, no clock, no global state; randomness comes from a seed. What is
undefined is None, never NaN or infinity. Impossible arguments raise ValueError.
"""

from magistrate.statistics._bootstrap import (
    Bootstrap,
    change_interval,
    mean_interval,
    relative_change_interval,
)
from magistrate.statistics._calibration import calibration_error
from magistrate.statistics._compare import Comparison, Flips, Pair, compare_paired
from magistrate.statistics._paired_tests import (
    McNemarTest,
    SignedRankTest,
    mcnemar_test,
    minimum_detectable_effect,
    signed_rank_test,
)
from magistrate.statistics._repeats import (
    Majority,
    NoiseFloor,
    RunStability,
    flip_rate,
    majority,
    noise_floor,
    run_stability,
)
from magistrate.statistics.distributions import percentile
from magistrate.statistics.intervals import Interval, difference, format_change, relative_change, wilson_limits

__all__ = [
    "Bootstrap",
    "Comparison",
    "Flips",
    "Interval",
    "Majority",
    "McNemarTest",
    "NoiseFloor",
    "Pair",
    "RunStability",
    "SignedRankTest",
    "calibration_error",
    "change_interval",
    "compare_paired",
    "difference",
    "flip_rate",
    "format_change",
    "majority",
    "mcnemar_test",
    "mean_interval",
    "minimum_detectable_effect",
    "noise_floor",
    "percentile",
    "relative_change",
    "relative_change_interval",
    "run_stability",
    "signed_rank_test",
    "wilson_limits",
]
