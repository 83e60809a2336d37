"""The policies: ours, and those of the frameworks whose numbers a team may have to reproduce.

Every policy works on the same stored verdicts, so one run can be read under all of them without a call. Where a
framework was read in its source, the entry names the release. Where two of its own texts disagree, each has a policy.

The frameworks know fewer verdicts than a stored result may hold. Those they do not know count as their nearest "no":
`unsupported` (a binary judge's no, cause unknown) counts as `contradicted`, and `partially_supported` counts as not
supported, unless the entry says otherwise.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from magistrate.errors import ConfigurationError, meant
from magistrate.scoring._policy import CELL_NAMES, Cell, Extra, Missing, Policy
from magistrate.verdict import Verdict


def _credit(
    *, partial: float = 0.0, contradicted: float = 0.0, not_enough_info: float = 0.0, unsupported: float = 0.0
) -> dict[Verdict, float]:
    return {
        Verdict.SUPPORTED: 1.0,
        Verdict.PARTIALLY_SUPPORTED: partial,
        Verdict.CONTRADICTED: contradicted,
        Verdict.NOT_ENOUGH_INFO: not_enough_info,
        Verdict.UNSUPPORTED: unsupported,
    }


_NAN = Cell(native="NaN")
_ERROR = Cell(native="error")
_JUDGED = Cell(native="judged")
_ZERO = Cell(0.0)
_FAIL = Cell(0.0, fails=True)
_GRADER_FAIL = Cell(0.0, native="graderFail", fails=True)
_NEUTRAL_FAIL = Cell(0.5, fails=True)
_JS_EPSILON = sys.float_info.epsilon

_OWN = "Magistrate"


def _cells(usual: Cell, **others: Cell) -> dict[str, Any]:
    """What a policy gives where there are no verdicts to count: mostly the same."""
    return {**dict.fromkeys(CELL_NAMES, usual), **others}


_ENTRIES = (
    Policy(
        name="strict",
        summary="The default: supported statements over all statements; no number where a verdict is missing.",
        source=_OWN,
        formula="supported / statements",
        credit=_credit(),
        threshold=0.7,
    ),
    Policy(
        name="strict-partial",
        summary="As strict, with half a point for a partially supported statement.",
        source=_OWN,
        formula="(supported + partially_supported / 2) / statements",
        credit=_credit(partial=0.5),
        threshold=0.7,
    ),
    Policy(
        name="fail-closed",
        summary="Whatever is not shown to be supported counts 0, for gates that must not open by accident.",
        source=_OWN,
        formula="supported / statements, a missing verdict counting 0",
        credit=_credit(),
        missing=Missing.ZERO,
        **_cells(_ZERO),
        threshold=0.7,
    ),
    Policy(
        name="ragas-0.4",
        summary="Ragas: the share of the verdicts that came back, however many that are.",
        source="ragas 0.4.3, metrics/collections/faithfulness/metric.py",
        formula="supported / verdicts",
        credit=_credit(),
        missing=Missing.IGNORE,
        extra=Extra.COUNT,
        **_cells(_NAN, no_context=_ERROR, no_answer=_ERROR),
    ),
    Policy(
        name="deepeval-4",
        summary="DeepEval: only a contradiction counts against the answer; nothing to judge is a perfect score.",
        source="deepeval 4.3.1, metrics/faithfulness/faithfulness.py and metrics/utils/qag.py; DeepEvalEx Faithfulness",
        formula="(supported + partially_supported + not_enough_info) / verdicts",
        credit=_credit(partial=1.0, not_enough_info=1.0),
        missing=Missing.IGNORE,
        extra=Extra.COUNT,
        **_cells(_ERROR, no_statements=Cell(1.0), no_verdicts=Cell(1.0), no_context=_JUDGED),
        threshold=0.5,
        slack=0.0,
    ),
    Policy(
        name="deepeval-4-penalize",
        summary="DeepEval with penalize_ambiguous_claims=True: only support counts for the answer.",
        source="deepeval 4.3.1, metrics/faithfulness/faithfulness.py, penalize_ambiguous_claims",
        formula="supported / verdicts",
        credit=_credit(),
        missing=Missing.IGNORE,
        extra=Extra.COUNT,
        **_cells(_ERROR, no_statements=Cell(1.0), no_verdicts=Cell(1.0), no_context=_JUDGED),
        threshold=0.5,
        slack=0.0,
    ),
    Policy(
        name="promptfoo-2468",
        summary="promptfoo as planned for its issue 2468: no verdicts score a neutral 0.5, and fail.",
        source="plan for promptfoo issue 2468 (December 2024), calculateFaithfulness",
        formula="supported / verdicts, cut to the number of statements",
        credit=_credit(),
        missing=Missing.IGNORE,
        extra=Extra.TRUNCATE,
        **_cells(_FAIL, no_verdicts=_NEUTRAL_FAIL, truncated=_NEUTRAL_FAIL, no_context=Cell()),
        slack=_JS_EPSILON,
    ),
    Policy(
        name="promptfoo-0.123",
        summary="promptfoo: one minus the share of statements said or presumed unsupported.",
        source="promptfoo 0.123.1, matchesContextFaithfulness",
        formula="max(0, 1 - (not supported, extra ones too, + missing) / statements)",
        credit=_credit(),
        missing=Missing.ZERO,
        extra=Extra.SUBTRACT,
        **_cells(_GRADER_FAIL, no_context=_ERROR),
        threshold=0.5,
        slack=_JS_EPSILON,
    ),
    Policy(
        name="ragaliq-adr6",
        summary="RagaliQ as its design record states it: an answer without claims is vacuously faithful.",
        source="RagaliQ FaithfulnessEvaluator design record, issue 6 (February 2026)",
        formula="supported / claims",
        credit=_credit(),
        missing=Missing.ERROR,
        **_cells(_ERROR, no_statements=Cell(1.0), no_context=_ZERO, no_answer=Cell(1.0)),
        threshold=0.7,
        slack=0.0,
    ),
    Policy(
        name="ragaliq-0.2",
        summary="RagaliQ as released: an answer without claims, or without context, scores 0 and fails.",
        source="ragaliq 0.2.0, evaluators/faithfulness.py",
        formula="supported / claims",
        credit=_credit(),
        missing=Missing.ERROR,
        **_cells(_ERROR, no_statements=_FAIL, no_context=_FAIL),
        threshold=0.7,
        slack=0.0,
    ),
    Policy(
        name="vera",
        summary="VERA: a claim is grounded if its entailment reaches 0.70; without one, if its verdict is supported.",
        source="VERA ADR-0036, grounding precision",
        formula="grounded / claims, grounded where P(supported) >= 0.70",
        credit=_credit(),
        entailment=0.70,
        missing=Missing.ERROR,
        **_cells(Cell(), no_statements=_NAN, no_context=_ZERO, no_answer=_NAN, judge_error=_ERROR),
        threshold=0.90,
    ),
    Policy(
        name="trulens-2.16",
        summary="TruLens groundedness: the mean grade of the sentences that could be graded.",
        source="trulens-feedback 2.16.0, groundedness_measure_with_cot_reasons (grades 0 to 3, divided by 3)",
        # A grade has no verdict of its own for "in part": it counts as the middle of the scale.
        formula="mean over graded sentences of grade / 3: supported 3, partially_supported 1.5, others 0",
        credit=_credit(partial=0.5),
        missing=Missing.IGNORE,
        **_cells(
            Cell(native="-1"),
            no_statements=_ZERO,
            refusal=_ERROR,
            no_context=_JUDGED,
            no_answer=_ZERO,
            judge_error=_ERROR,
        ),
    ),
    Policy(
        name="weighted",
        summary="A contradiction weighs more than a lack of evidence.",
        source=_OWN + ", after the scoring variant in the RagaliQ design record, issue 6",
        # A binary judge's "no" has an unknown cause. It takes the worse of the two, so that the score of a binary
        # judge equals `strict`, and never flatters.
        formula="(w + 1) / 2, w = (supported + partially_supported / 2 - contradicted - unsupported) / statements",
        credit=_credit(partial=0.5, contradicted=-1.0, unsupported=-1.0),
        scale=(-1.0, 1.0),
        threshold=0.7,
    ),
)

POLICIES: Mapping[str, Policy] = MappingProxyType({policy.name: policy for policy in _ENTRIES})
"""Every policy by its versioned name, the default first."""

POLICY_ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "ragas": "ragas-0.4",
        "deepeval": "deepeval-4",
        "trulens": "trulens-2.16",
        "promptfoo": "promptfoo-2468",
        "ragaliq": "ragaliq-adr6",
    }
)
"""Short names. They name the newest version that is known here, promptfoo and RagaliQ their design records."""


def get_policy(policy: str | Policy) -> Policy:
    """Return the policy of that name or alias, in any case, or the policy itself.

    Raises:
        ConfigurationError: If no policy has that name; the message names the nearest ones.
    """
    if isinstance(policy, Policy):
        return policy
    if not isinstance(policy, str):
        raise ConfigurationError(f"a policy is a name or a Policy, not {type(policy).__name__}")
    name = policy.strip().casefold()
    found = POLICIES.get(POLICY_ALIASES.get(name, name))
    if found is not None:
        return found
    known = [*POLICIES, *POLICY_ALIASES]
    hint = meant(name[:100], known, 3) or f" Use one of {', '.join(known)}"
    raise ConfigurationError(f"unknown scoring policy {policy[:100]!r}.{hint}")
