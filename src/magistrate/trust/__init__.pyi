# The names and their homes: what `__init__.py` loads on first use.

from magistrate.trust._agreement import Agreement as Agreement, AltTest as AltTest, PanelWorth as PanelWorth
from magistrate.trust._agreement import agreement as agreement, alt_test as alt_test
from magistrate.trust._agreement import benjamini_yekutieli as benjamini_yekutieli, effective_judges as effective_judges
from magistrate.trust._agreement import krippendorff_alpha as krippendorff_alpha, panel_worth as panel_worth
from magistrate.trust.calibration import Calibration as Calibration, balanced_accuracy as balanced_accuracy
from magistrate.trust.calibration import calibrate as calibrate, calibration_error as calibration_error
from magistrate.trust.calibration import cross_fitted as cross_fitted
from magistrate.trust.calibration import Answer as Answer, CascadeFit as CascadeFit, Paired as Paired
from magistrate.trust.calibration import fit_cascade as fit_cascade, upper_limit as upper_limit
from magistrate.trust.calibration import pairs_needed as pairs_needed, stands as stands
from magistrate.trust.correction import MeanCorrection as MeanCorrection, NO_VERDICT as NO_VERDICT
from magistrate.trust.correction import RateCorrection as RateCorrection, Stratum as Stratum
from magistrate.trust.correction import correct_mean as correct_mean, correct as correct
from magistrate.trust.drawing import Draw as Draw, Plan as Plan, draw as draw
from magistrate.trust.drawing import plan_further as plan_further, plan_labels as plan_labels
from magistrate.trust._agreement import DriftEvidence as DriftEvidence, drift_evidence as drift_evidence
from magistrate.trust.records import Consensus as Consensus, Judgement as Judgement, Key as Key, Label as Label
from magistrate.trust.records import consensus as consensus

__all__: list[str]
