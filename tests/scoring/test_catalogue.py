"""Every row of the policy table as numbers, and every sentence of the seeds that states one."""

from pathlib import Path

import pytest
import yaml
from tests.case_tables import cases_of, tables_of
from tests.scoring.spelling import spell, words

from magistrate.errors import ConfigurationError
from magistrate.scoring import POLICIES, POLICY_ALIASES, Policy, get_policy, score_verdicts
from magistrate.verdict import Status, Verdict


def score(policy, letters, status="scored", extra="", threshold=None):
    return score_verdicts(spell(letters), status=status, policy=policy, extra=words(extra), threshold=threshold)


cases = cases_of(__file__)
TABLE = yaml.safe_load(Path(__file__).with_name("policies.yaml").read_text(encoding="utf-8"))
SITUATIONS = TABLE["situations"]


@pytest.mark.parametrize("policy", POLICIES)
class TestPolicyTable:
    def test_number_native_value_and_flag_in_each_situation(self, policy):
        found = {name: score(policy, *situation) for name, situation in SITUATIONS.items()}
        told = TABLE["policies"][policy]
        assert {name: one.value for name, one in found.items()} == dict(zip(SITUATIONS, told["scores"], strict=True))
        assert {name: one.native for name, one in found.items()} == dict(zip(SITUATIONS, told["native"], strict=True))
        flags = [{"t": True, "f": False}[flag] for flag in told.get("flags", "")] or [None] * len(SITUATIONS)
        assert {name: one.success for name, one in found.items()} == dict(zip(SITUATIONS, flags, strict=True))

    def test_says_its_name_threshold_what_it_is_for_and_where_it_comes_from(self, policy):
        entry, threshold = POLICIES[policy], TABLE["policies"][policy]["threshold"]
        assert (entry.name, entry.threshold, entry.default_threshold) == (policy, threshold, threshold or 0.7)
        assert all((entry.summary.endswith("."), entry.formula, entry.source))

    def test_what_was_never_put_to_a_judge_has_no_score(self, policy):
        for status in ("over_budget", "missing_input", "not_run"):
            assert score(policy, "", status).value is score(policy, "---", status).value is None

    def test_what_counts_alike(self, policy):
        """Too long a context and an answer that could not be split: a judge error. No statements: vacuous."""
        assert score(policy, "--", "context_truncated") == score(policy, "--", "judge_error")
        for status in ("unparseable", "out_of_range", "truncated"):
            assert score(policy, "", status) == score(policy, "", "judge_error")
        for status in ("scored", "partial"):
            assert score(policy, "", status) == score(policy, "", "vacuous")
        # A binary judge's no has an unknown cause: it never counts as more than a contradiction.
        assert score(policy, "SSUS").value == score(policy, "SSCS").value


def test_the_policies_are_those_of_the_design():
    assert list(POLICIES) == list(TABLE["policies"])


class TestStated:
    """Each number that a seed states, and what the released frameworks were seen to do."""

    @pytest.mark.parametrize("row", TABLE["stated"].values(), ids=TABLE["stated"])
    def test_is_reproduced(self, row):
        *asked, value, success = row
        found = score(*asked)
        assert (found.value, found.success) == (value, success)

    def test_s0_11_weighted_scoring_keeps_the_raw_value(self):
        assert score("weighted", "SSNC").raw == 0.25

    @pytest.mark.parametrize(("probability", "grounded"), [(0.70, 1.0), (0.6999999, 0.0), (1.0, 1.0), (0.0, 0.0)])
    def test_s1_2_a_claim_is_grounded_from_an_entailment_of_0_70_and_for_vera_alone(self, probability, grounded):
        for letter in "SN":
            (verdict,) = spell(letter)
            verdict = verdict.model_copy(update={"probability": probability})
            assert score_verdicts([verdict], status=Status.SCORED, policy="vera").value == grounded
            assert score_verdicts([verdict], status=Status.SCORED).value == float(letter == "S")

    @pytest.mark.parametrize("policy", ["promptfoo-0.123", "promptfoo-2468"])
    @pytest.mark.parametrize("situation", ["no statements", "no verdicts", "refusal", "judge error", "cut off"])
    def test_promptfoo_grader_failures_fail_at_any_threshold(self, policy, situation):
        assert score(policy, *SITUATIONS[situation], threshold=0.0).success is False

    def test_deepeval_never_passes_what_raises_there(self):
        for status in ("refused", "truncated", "judge_error", "no_answer", "no_context"):
            assert score("deepeval", "--", status, threshold=0.0).success is False


class TestGetPolicy:
    def test_aliases_name_a_version(self):
        assert tables_of(__file__)["catalogue: aliases"] == POLICY_ALIASES
        assert all(get_policy(alias) is POLICIES[name] for alias, name in POLICY_ALIASES.items())

    def test_a_policy_is_returned_as_it_is_and_a_name_found_in_any_case(self):
        own = Policy(name="own", summary="Own.", source="here", formula="s / n", credit=dict.fromkeys(Verdict, 1.0))
        assert get_policy(own) is own
        for written in ("Strict", " strict ", "DeepEval", "DEEPEVAL-4"):
            assert get_policy(written) is get_policy(written.strip().lower())

    @cases("catalogue: unknown names")
    def test_an_unknown_name_fails_with_the_nearest_ones(self, wrong, message):
        with pytest.raises(ConfigurationError, match=message):
            get_policy(wrong)


class TestRow:
    @cases("catalogue: a policy as texts")
    def test_prints_a_policy_as_texts(self, policy, told):
        assert POLICIES[policy].row() == told

    def test_every_policy_has_the_same_columns_and_leaves_a_threshold_that_is_not_there_blank(self):
        assert len({tuple(policy.row()) for policy in POLICIES.values()}) == 1
        row = POLICIES["ragas-0.4"].row()
        assert (row["threshold"], row["no_verdicts"]) == ("", "none (NaN)")
