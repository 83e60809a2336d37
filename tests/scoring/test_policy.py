import copy
import pickle

import pytest

from magistrate.scoring import POLICIES, Cell, Extra, Missing, Policy
from magistrate.verdict import Status, Verdict

CREDIT = {
    Verdict.SUPPORTED: 1.0,
    Verdict.PARTIALLY_SUPPORTED: 0.25,
    Verdict.CONTRADICTED: 0.0,
    Verdict.NOT_ENOUGH_INFO: 0.0,
    Verdict.UNSUPPORTED: 0.0,
}


def own(**changes):
    return Policy(**{"name": "own", "summary": "Own.", "source": "here", "formula": "s", "credit": CREDIT, **changes})


class TestPolicy:
    def test_is_inconclusive_and_silent_unless_told_otherwise(self):
        policy = own()
        assert (policy.missing, policy.extra, policy.scale) == (Missing.INCONCLUSIVE, Extra.DROP, (0.0, 1.0))
        assert all(policy.cell(status, statements=0) == Cell(None, "", False) for status in Status)
        assert (policy.entailment, policy.threshold, policy.slack) == (None, None, None)

    def test_cannot_be_changed(self):
        policy = own()
        with pytest.raises(AttributeError):
            policy.threshold = 0.1
        with pytest.raises(TypeError):
            policy.credit[Verdict.SUPPORTED] = 0.0

    def test_later_changes_of_the_given_credits_do_not_reach_it(self):
        credit = dict(CREDIT)
        policy = own(credit=credit)
        credit[Verdict.CONTRADICTED] = 1.0
        assert policy.credit[Verdict.CONTRADICTED] == 0.0

    def test_takes_verdicts_by_name(self):
        policy = own(credit={verdict.value: worth for verdict, worth in CREDIT.items()})
        assert policy == own()

    @pytest.mark.parametrize("policy", POLICIES.values(), ids=lambda p: p.name)
    def test_pickles_and_copies(self, policy):
        assert pickle.loads(pickle.dumps(policy)) == policy
        assert copy.deepcopy(policy) == policy

    def test_is_hashable_by_name(self):
        assert hash(own()) == hash(own(threshold=0.2))
        assert own() != own(threshold=0.2)
        assert len({hash(policy) for policy in POLICIES.values()}) == len(POLICIES)

    def test_every_verdict_needs_a_credit(self):
        with pytest.raises(ValueError, match=r"^policy 'own' has no credit for contradicted, unsupported$"):
            own(credit={v: 1.0 for v in CREDIT if v not in (Verdict.CONTRADICTED, Verdict.UNSUPPORTED)})

    @pytest.mark.parametrize(
        "change",
        [
            {"credit": {**CREDIT, "maybe": 0.5}},
            {"credit": {**CREDIT, Verdict.CONTRADICTED: -0.1}},
            {"credit": {**CREDIT, Verdict.SUPPORTED: 1.1}},
            {"credit": {**CREDIT, Verdict.PARTIALLY_SUPPORTED: 0.5, Verdict.SUPPORTED: 0.4}},
            *({"credit": {**CREDIT, one: float("nan")}} for one in (Verdict.CONTRADICTED, Verdict.SUPPORTED)),
            *({"scale": scale} for scale in ((0.5, 1.0), (0.0, 0.9), (1.0, 0.0), (1.0, 1.0), (0.0, float("inf")))),
            *({name: wrong} for name in ("threshold", "entailment") for wrong in (1.1, -0.1, float("nan"))),
            *({cell: Cell(1.5)} for cell in ("no_statements", "no_verdicts", "truncated", "refusal")),
            *({cell: Cell(-0.5)} for cell in ("no_context", "no_answer", "judge_error")),
            {"refusal": Cell(float("nan"))},
            {"extra": Extra.SUBTRACT, "missing": Missing.IGNORE},
        ],
    )
    def test_what_is_impossible_is_refused(self, change):
        with pytest.raises(ValueError, match=r"own|maybe"):
            own(**change)

    @pytest.mark.parametrize("edge", [0.0, 1.0])
    def test_0_and_1_are_scores_and_thresholds(self, edge):
        policy = own(threshold=edge, entailment=edge, refusal=Cell(edge))
        assert policy.default_threshold == edge


class TestCell:
    def test_prints_the_number_and_what_the_framework_gives(self):
        assert [str(Cell()), str(Cell(0.5)), str(Cell(native="NaN")), str(Cell(0.0, "graderFail"))] == [
            "none",
            "0.5",
            "none (NaN)",
            "0 (graderFail)",
        ]

    def test_counting_has_no_cell(self):
        counted = {status for status in Status if own().cell(status, statements=1) is None}
        assert counted == {Status.SCORED, Status.PARTIAL, Status.UNPARSEABLE, Status.OUT_OF_RANGE}
