"""Statistics of evaluations: intervals, paired comparisons, repeats, agreement. The standard library is all they need.

Every function is pure and deterministic: no I/O, no clock, no global state; randomness comes from a seed. What is
undefined is None, never NaN or infinity. Impossible arguments raise ValueError.
"""

from magistrate.statistics.agreement import (
    Alpha,
    BinaryScores,
    Kappa,
    binary_scores,
    cohen_kappa,
    krippendorff_alpha,
)
from magistrate.statistics.bootstrap import (
    Bootstrap,
    change_interval,
    mean_interval,
    relative_change_interval,
    statistic_interval,
)
from magistrate.statistics.calibration import (
    CalibrationBin,
    brier_score,
    calibration_bins,
    calibration_error,
    roc_auc,
)
from magistrate.statistics.changes import difference, format_change, relative_change
from magistrate.statistics.compare import Comparison, Flips, Pair, compare_paired
from magistrate.statistics.distributions import percentile
from magistrate.statistics.intervals import Interval, wilson_interval
from magistrate.statistics.paired_tests import (
    McNemarTest,
    SignedRankTest,
    SignTest,
    mcnemar_test,
    sign_test,
    signed_rank_test,
)
from magistrate.statistics.power import cases_needed, minimum_detectable_effect
from magistrate.statistics.repeats import (
    CaseStability,
    Majority,
    NoiseFloor,
    RunStability,
    case_stability,
    flip_rate,
    majority,
    noise_floor,
    outcome_entropy,
    run_stability,
)

__all__ = [
    "Alpha",
    "BinaryScores",
    "Bootstrap",
    "CalibrationBin",
    "CaseStability",
    "Comparison",
    "Flips",
    "Interval",
    "Kappa",
    "Majority",
    "McNemarTest",
    "NoiseFloor",
    "Pair",
    "RunStability",
    "SignTest",
    "SignedRankTest",
    "binary_scores",
    "brier_score",
    "calibration_bins",
    "calibration_error",
    "case_stability",
    "cases_needed",
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
    "outcome_entropy",
    "percentile",
    "relative_change",
    "relative_change_interval",
    "roc_auc",
    "run_stability",
    "sign_test",
    "signed_rank_test",
    "statistic_interval",
    "wilson_interval",
]
