"""How far a judge can be believed: people's labels, as numbers.

Pure functions above `magistrate.statistics`: labels and verdicts in, numbers out; no file, no clock, no network. A
number is given with what it is worth, or not at all; a missing verdict is a stratum of its own; nothing is guessed from
a missing label. What takes a run lives in `magistrate.evaluation`.
"""

from magistrate.trust.agreement import (
    Agreement,
    AltTest,
    PanelWorth,
    agreement,
    alt_test,
    benjamini_yekutieli,
    effective_judges,
    panel_worth,
)
from magistrate.trust.calibration import Calibration, balanced_accuracy, calibrate, cross_fitted
from magistrate.trust.cascade import Answer, CascadeFit, Paired, binomial_cdf, fit_cascade, pairs_needed, stands
from magistrate.trust.correction import NO_VERDICT, MeanCorrection, RateCorrection, Stratum, correct_mean, correct_rate
from magistrate.trust.drawing import Draw, draw, plan_labels, planned_half_width
from magistrate.trust.drift import DriftEvidence, drift_evidence
from magistrate.trust.records import Consensus, Judgement, Key, Label, consensus

__all__ = [
    "NO_VERDICT",
    "Agreement",
    "AltTest",
    "Answer",
    "Calibration",
    "CascadeFit",
    "Consensus",
    "Draw",
    "DriftEvidence",
    "Judgement",
    "Key",
    "Label",
    "MeanCorrection",
    "Paired",
    "PanelWorth",
    "RateCorrection",
    "Stratum",
    "agreement",
    "alt_test",
    "balanced_accuracy",
    "benjamini_yekutieli",
    "binomial_cdf",
    "calibrate",
    "consensus",
    "correct_mean",
    "correct_rate",
    "cross_fitted",
    "draw",
    "drift_evidence",
    "effective_judges",
    "fit_cascade",
    "pairs_needed",
    "panel_worth",
    "plan_labels",
    "planned_half_width",
    "stands",
]
