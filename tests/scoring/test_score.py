import copy
import pickle
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of
from tests.scoring.spelling import spell, statements, words

from magistrate.scoring import POLICIES, Cell, Extra, Missing, Policy, score_plain, score_verdicts, tally
from magistrate.verdict import StatementVerdict, Status, Verdict

cases = cases_of(__file__)


class TestScoreVerdicts:
    def test_scores_strictly_by_default_and_takes_statuses_by_name(self):
        found = score_verdicts(spell("SSSC"), status="scored")
        assert (found.policy, found.value, found.raw, found.threshold) == ("strict", 0.75, 0.75, 0.7)

    @cases("score: the bounds say what is possible")
    def test_the_bounds_say_what_is_possible(self, row):
        letters, status, policy, extra, *expected = row
        found = score_verdicts(spell(letters), status=Status(status), policy=policy, extra=words(extra))
        assert [found.value, found.bounds and list(found.bounds)] == expected

    def test_c4_no_verdicts_at_all_leave_everything_possible(self):
        for status in ("unparseable", "refused", "truncated", "judge_error", "over_budget"):
            found = score_verdicts(spell("---"), status=Status(status))
            assert (found.value, found.raw, found.bounds, found.coverage) == (None, None, (0.0, 1.0), 0.0)

    def test_c5_bounds_are_the_same_under_every_policy_that_drops_extra_verdicts(self):
        for policy in ("strict", "fail-closed", "vera", "ragaliq", "trulens", "promptfoo", "promptfoo-0.123"):
            assert score_verdicts(spell("SC--"), status=Status.PARTIAL, policy=policy).bounds == (0.25, 0.75)

    def test_a_status_that_says_nothing_was_read_outweighs_verdicts(self):
        for status in set(Status) - {Status.SCORED, Status.PARTIAL}:
            found = score_verdicts(spell("SS"), status=status)
            assert (found.value, found.judged, found.bounds) == (None, 0, (0.0, 1.0))

    def test_counts_what_it_was_given(self):
        found = score_verdicts(spell("SC-"), status=Status.PARTIAL, extra=[Verdict.SUPPORTED, Verdict.SUPPORTED])
        assert (found.statements, found.judged, found.extra) == (3, 2, 2)

    @pytest.mark.parametrize(("threshold", "success"), [(0.6, False), (0.0, True)])
    def test_the_flag_follows_the_given_threshold(self, threshold, success):
        found = score_verdicts(spell("SC"), status=Status.SCORED, policy="deepeval", threshold=threshold)
        assert (found.threshold, found.success) == (threshold, success)


CREDIT = {**dict.fromkeys(Verdict, 0.0), Verdict.SUPPORTED: 1.0, Verdict.PARTIALLY_SUPPORTED: 0.25}


def own(**changes):
    return Policy(**{"name": "own", "summary": "Own.", "source": "here", "formula": "s", "credit": CREDIT, **changes})


class TestOwnPolicy:
    def policy(self, **changes):
        credit = {**dict.fromkeys(Verdict, 1.0), Verdict.SUPPORTED: 3.0, Verdict.PARTIALLY_SUPPORTED: 2.0}
        return own(**{"credit": credit, "scale": (1.0, 3.0), **changes})

    def test_rescales_from_its_own_scale(self):
        found = score_verdicts(spell("SPC"), status=Status.SCORED, policy=self.policy())
        assert (found.raw, found.value) == (2.0, 0.5)

    def test_subtracts_on_its_own_scale_down_to_the_lowest(self):
        policy = self.policy(extra=Extra.SUBTRACT)
        found = score_verdicts(spell("SC"), status=Status.SCORED, policy=policy, extra=[Verdict.CONTRADICTED] * 5)
        assert (found.raw, found.value) == (1.0, 0.0)

    def test_an_extra_verdict_does_not_make_up_for_a_missing_one_where_missing_ones_are_inconclusive(self):
        policy = self.policy(extra=Extra.COUNT)
        found = score_verdicts(spell("S-"), status=Status.PARTIAL, policy=policy, extra=[Verdict.SUPPORTED])
        assert (found.value, found.native) == (None, "")

    def test_a_value_that_its_credits_cannot_reach_widens_the_bounds(self):
        above = self.policy(scale=(1.0, 5.0), refusal=Cell(1.0))
        assert score_verdicts(spell("-"), status=Status.REFUSED, policy=above).bounds == (0.0, 1.0)
        below = self.policy(scale=(0.0, 4.0), refusal=Cell(0.0))
        assert score_verdicts(spell("-"), status=Status.REFUSED, policy=below).bounds == (0.0, 0.75)

    @pytest.mark.parametrize(("low", "high", "letter", "value"), [(0.0, 0.9, "S", 1.0), (-0.9, 0.7, "C", 0.0)])
    def test_rounding_never_leads_out_of_0_to_1(self, low, high, letter, value):
        credit = {**dict.fromkeys(Verdict, low), Verdict.SUPPORTED: high}
        policy = self.policy(credit=credit, scale=(low, high))
        assert score_verdicts(spell(letter * 13), status=Status.SCORED, policy=policy).value == value


class TestTally:
    def test_counts_every_verdict_and_the_missing_ones(self):
        assert list(tally(spell("SSPCNNNU--")).items()) == [*zip(Verdict, (2, 1, 1, 3, 1), strict=True), ("missing", 2)]

    @given(st.lists(st.sampled_from([*Verdict, None])))
    def test_i11_the_outcomes_of_statements_add_up_to_their_number(self, verdicts):
        assert sum(tally(statements(verdicts)).values()) == len(verdicts)


@st.composite
def judged(draw):
    verdicts = draw(st.lists(st.sampled_from([*Verdict, None]), max_size=12))
    chances = st.none() | st.floats(0.0, 1.0)
    return statements(verdicts, draw(st.lists(chances, min_size=len(verdicts), max_size=len(verdicts))))


@st.composite
def own_policies(draw):
    low, high = draw(st.sampled_from([(0.0, 1.0), (-1.0, 1.0), (0.0, 3.0), (1.0, 5.0), (-0.3, 0.7)]))
    best = draw(st.floats(low, high))
    credit = {verdict: draw(st.floats(low, best)) for verdict in Verdict}
    missing = draw(st.sampled_from(Missing))
    extra = draw(st.sampled_from([e for e in Extra if (e, missing) != (Extra.SUBTRACT, Missing.IGNORE)]))
    cell = st.builds(Cell, st.none() | st.floats(0.0, 1.0))
    cells = {name: draw(cell) for name in ("no_statements", "no_verdicts", "truncated", "refusal", "judge_error")}
    credit |= {Verdict.SUPPORTED: best}
    return own(credit=credit, scale=(low, high), missing=missing, extra=extra, **cells)


policies = st.sampled_from(list(POLICIES.values()))
statuses = st.sampled_from(Status)
extras = st.lists(st.sampled_from(Verdict), max_size=6)


class TestProperties:
    """What holds under every policy, for all verdicts."""

    @given(judged(), statuses, policies | own_policies(), extras)
    def test_i1_i6_a_score_is_none_or_a_share_within_its_bounds(self, verdicts, status, policy, extra):
        found = score_verdicts(verdicts, status=status, policy=policy, extra=extra)
        assert found.value is None or 0.0 <= found.value <= 1.0
        assert (found.lower is None) == (found.upper is None)
        assert found.bounds is not None or (found.value is None and not verdicts)
        if found.bounds is not None:
            lower, upper = found.bounds
            assert 0.0 <= lower <= upper <= 1.0
            assert found.value is None or lower <= found.value <= upper

    @given(judged(), policies, extras)
    def test_i6_whatever_the_missing_verdicts_turn_out_to_be_the_score_lies_within_the_bounds(
        self, verdicts, policy, extra
    ):
        before = score_verdicts(verdicts, status=Status.PARTIAL, policy=policy, extra=extra)
        for late in Verdict:
            full = [v if v.verdict else v.model_copy(update={"verdict": late, "probability": None}) for v in verdicts]
            after = score_verdicts(full, status=Status.SCORED, policy=policy, extra=extra)
            if after.value is not None and before.bounds is not None:
                assert before.bounds[0] <= after.value <= before.bounds[1]

    @given(judged(), policies | own_policies(), extras, st.randoms(use_true_random=False))
    def test_i5_the_order_of_the_statements_never_matters(self, verdicts, policy, extra, random):
        shuffled = list(verdicts)
        random.shuffle(shuffled)
        first = score_verdicts(verdicts, status=Status.PARTIAL, policy=policy, extra=extra)
        assert score_verdicts(shuffled, status=Status.PARTIAL, policy=policy, extra=extra) == first

    @given(judged(), st.data(), policies, extras)
    def test_i7_turning_a_verdict_to_supported_never_lowers_the_score_or_its_bounds(
        self, verdicts, data, policy, extra
    ):
        before = score_verdicts(verdicts, status=Status.PARTIAL, policy=policy, extra=extra)
        if not verdicts:
            return
        at = data.draw(st.integers(0, len(verdicts) - 1))
        turned = [*verdicts]
        turned[at] = verdicts[at].model_copy(update={"verdict": Verdict.SUPPORTED, "probability": None})
        after = score_verdicts(turned, status=Status.PARTIAL, policy=policy, extra=extra)
        assert before.lower is not None
        assert after.lower >= before.lower
        if verdicts[at].verdict is not None:
            assert before.upper is not None
            assert after.upper >= before.upper
        if before.value is not None:
            assert after.value >= before.value

    @given(judged(), policies, extras, st.floats(0.01, 1.0))
    def test_i10_a_refusal_never_passes(self, verdicts, policy, extra, threshold):
        found = score_verdicts(verdicts, status=Status.REFUSED, policy=policy, extra=extra, threshold=threshold)
        assert not found.value
        assert not found.success

    @given(judged(), statuses, policies, extras)
    def test_i12_the_score_depends_on_the_stored_verdicts_alone(self, verdicts, status, policy, extra):
        stored = [StatementVerdict.model_validate_json(verdict.model_dump_json()) for verdict in verdicts]
        first = score_verdicts(verdicts, status=status, policy=policy, extra=extra)
        assert score_verdicts(stored, status=status, policy=policy.name, extra=list(extra)) == first
        called = [
            score_verdicts(verdicts, status=s, policy=policy, extra=extra) for s in (Status.SCORED, Status.PARTIAL)
        ]
        assert called[0] == called[1]
        bare = [verdict.model_copy(update={"probability": None}) for verdict in verdicts]
        plain = score_plain([verdict.verdict for verdict in verdicts], status=status, policy=policy, extra=extra)
        assert plain == score_verdicts(bare, status=status, policy=policy, extra=extra)

    def test_two_policies_of_one_name_are_not_taken_for_each_other(self):
        other = replace(POLICIES["strict"], credit=POLICIES["weighted"].credit, scale=(-1.0, 1.0))
        scores = [score_plain(words("SCCN"), status=Status.SCORED, policy=one).value for one in ("strict", other)]
        assert scores == [0.25, 0.375]

    def test_a_long_list_of_verdicts(self):
        found = score_plain([Verdict.SUPPORTED, None] * 500, status=Status.PARTIAL)
        assert (found.value, found.bounds, found.judged, found.statements) == (None, (0.5, 1.0), 500, 1000)


@pytest.mark.parametrize(("status", "bounds"), [(Status.JUDGE_ERROR, (0.0, 1.0)), (Status.VACUOUS, (0.0, 0.0))])
def test_of_statements_that_were_lost_nothing_is_known(status, bounds):
    score = score_verdicts((), status=status, policy="fail-closed")
    assert (score.value, score.bounds) == (0.0, bounds)


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

    def test_takes_verdicts_by_name_and_later_changes_of_the_given_credits_do_not_reach_it(self):
        assert own(credit={verdict.value: worth for verdict, worth in CREDIT.items()}) == own()
        credit = dict(CREDIT)
        policy = own(credit=credit)
        credit[Verdict.CONTRADICTED] = 1.0
        assert policy.credit[Verdict.CONTRADICTED] == 0.0

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

    @cases("score: what is impossible is refused")
    def test_what_is_impossible_is_refused(self, field, value):
        taken = {"credit": lambda some: CREDIT | some, "scale": tuple, "threshold": float, "entailment": float}
        change = {field: taken.get(field, Cell)(value)}
        with pytest.raises(ValueError, match=r"own|maybe"):
            own(**change)

    def test_nor_can_extra_verdicts_be_subtracted_where_missing_ones_are_ignored(self):
        with pytest.raises(ValueError, match="own"):
            own(extra=Extra.SUBTRACT, missing=Missing.IGNORE)

    @pytest.mark.parametrize("edge", [0.0, 1.0])
    def test_0_and_1_are_scores_and_thresholds(self, edge):
        policy = own(threshold=edge, entailment=edge, refusal=Cell(edge))
        assert policy.default_threshold == edge


class TestCell:
    def test_prints_the_number_and_what_the_framework_gives(self):
        cells = [Cell(), Cell(0.5), Cell(native="NaN"), Cell(0.0, "graderFail")]
        assert list(map(str, cells)) == ["none", "0.5", "none (NaN)", "0 (graderFail)"]

    def test_counting_has_no_cell(self):
        counted = {status for status in Status if own().cell(status, statements=1) is None}
        assert counted == {Status.SCORED, Status.PARTIAL, Status.UNPARSEABLE, Status.OUT_OF_RANGE}
