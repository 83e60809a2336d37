"""Every row of the policy table as numbers, and every sentence of the seeds that states one."""

from pathlib import Path

import pytest
import yaml

from magistrate.errors import ConfigurationError
from magistrate.scoring import POLICIES, POLICY_ALIASES, Policy, get_policy, score_verdicts
from magistrate.verdict import Status, Verdict


@pytest.fixture(scope="session")
def score(spell, words):
    def _score(policy, letters, status="scored", extra="", threshold=None):
        return score_verdicts(
            spell(letters), status=Status(status), policy=policy, extra=words(extra), threshold=threshold
        )

    return _score


TABLE = yaml.safe_load(Path(__file__).with_name("policies.yaml").read_text(encoding="utf-8"))
SITUATIONS = TABLE["situations"]


@pytest.mark.parametrize("policy", POLICIES)
class TestPolicyTable:
    def test_number_native_value_and_flag_in_each_situation(self, score, policy):
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

    def test_what_was_never_put_to_a_judge_has_no_score(self, score, policy):
        for status in ("over_budget", "missing_input", "not_run"):
            assert score(policy, "", status).value is score(policy, "---", status).value is None

    def test_what_counts_alike(self, score, policy):
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


# id in the checklist of the seeds, or what a released framework was seen to do
# -> policy, verdicts, status, extra verdicts, threshold (None for the policy's own), score, the framework's flag
STATED = {
    "s0_1 all": ("ragaliq", "SSS", "scored", "", None, 1.0, True),
    "s0_1 half": ("ragaliq", "SN", "scored", "", None, 0.5, False),
    "s0_1 none": ("ragaliq", "CN", "scored", "", None, 0.0, False),
    "s0_1 no claims are vacuously faithful": ("ragaliq", "", "vacuous", "", None, 1.0, True),
    "s0_4 both kinds of no count nothing": ("strict", "SNCS", "scored", "", None, 0.5, None),
    "s0_4 there too": ("ragaliq", "SNCS", "scored", "", None, 0.5, False),
    "s0_7 three quarters fail 0.8": ("ragaliq", "SSSN", "scored", "", 0.8, 0.75, False),
    "s0_7 and pass 0.7": ("ragaliq", "SSSN", "scored", "", None, 0.75, True),
    "s0_9 empty answers score 1": ("ragaliq", "", "no_answer", "", None, 1.0, True),
    "s0_9 empty context scores 0": ("ragaliq", "", "no_context", "", None, 0.0, False),
    "s0_9 as unsupported claims do": ("ragaliq", "NNN", "scored", "", None, 0.0, False),
    "s0_9 an invalid verdict is an error": ("ragaliq", "S-", "partial", "", None, None, False),
    "s0_9 released: no claims fail": ("ragaliq-0.2", "", "vacuous", "", 0.0, 0.0, False),
    "s0_9 released: no context fails": ("ragaliq-0.2", "", "no_context", "", 0.0, 0.0, False),
    "s0_11 weighted": ("weighted", "SSNC", "scored", "", None, 0.625, None),
    "s0_11 weighted equals strict for a binary judge": ("weighted", "SUUS", "scored", "", None, 0.5, None),
    "s0_11 partial counts half where a policy says so": ("strict-partial", "PS", "scored", "", None, 0.75, None),
    "s0_11 and nothing where it does not": ("strict", "PS", "scored", "", None, 0.5, None),
    "s1_5 faithfulness is verified over all": ("vera", "SSSN", "scored", "", None, 0.75, None),
    "s2_2 idk counts as faithful": ("deepeval", "SNCN", "scored", "", None, 0.75, True),
    "s2_2 always": ("deepeval", "SN", "scored", "", None, 1.0, True),
    "s2_2 contradictions do not": ("deepeval", "CC", "scored", "", None, 0.0, False),
    "s2_4 the threshold is 0.5": ("deepeval", "SC", "scored", "", None, 0.5, True),
    "s2_4 below it fails": ("deepeval", "SCC", "scored", "", None, 1 / 3, False),
    "s2_9 strict threshold": ("deepeval", "SSC", "scored", "", 1.0, 2 / 3, False),
    "s2_9 lenient threshold": ("deepeval", "SCC", "scored", "", 0.3, 1 / 3, True),
    "s3_6 no statements score 0 and fail": ("promptfoo", "", "vacuous", "", 0.0, 0.0, False),
    "s3_7 a refusal scores 0 and fails": ("promptfoo", "---", "refused", "", 0.0, 0.0, False),
    "s3_8 no verdicts score a half and fail": ("promptfoo", "---", "unparseable", "", 0.3, 0.5, False),
    "s3_9 fewer are divided by what was found": ("promptfoo", "SC--", "partial", "", None, 0.5, False),
    "s3_9 more are cut": ("promptfoo", "SC", "scored", "SSSS", None, 0.5, False),
    "s3_9 an extra fills the place of a missing one": ("promptfoo", "SSS-", "partial", "CSS", None, 0.75, True),
    "s3_9 of all of them": ("promptfoo", "----", "unparseable", "SC", None, 0.5, False),
    "s3_9 released: missing counts as unsupported": ("promptfoo-0.123", "SC--", "partial", "", None, 0.25, False),
    "s3_10 off the scale scores a half and fails": ("promptfoo", "--", "out_of_range", "", 0.0, 0.5, False),
    "s3_11 passes up to an epsilon below": ("promptfoo", "SSSC", "scored", "", 0.75 + 2.0**-53, 0.75, True),
    "s3_11 not beyond": ("promptfoo", "SSSC", "scored", "", 0.75 + 2.0**-51, 0.75, False),
    "s3_11 released": ("promptfoo-0.123", "SSSC", "scored", "", 0.75 + 2.0**-53, 0.75, True),
    "s3_11 released, not beyond": ("promptfoo-0.123", "SSSC", "scored", "", 0.75 + 2.0**-51, 0.75, False),
    "deepeval: one yes of four is a perfect score": ("deepeval", "S---", "partial", "", None, 1.0, True),
    "deepeval counts verdicts beyond the claims": ("deepeval", "SSSS", "scored", "CCCC", None, 0.5, True),
    "deepeval compares without tolerance": ("deepeval-4", "SC", "scored", "", 0.5 + 2.0**-53, 0.5, False),
    "ragas: one verdict of four is found over found": ("ragas", "S---", "partial", "", None, 1.0, None),
    "ragas counts verdicts it never asked for": ("ragas", "----", "unparseable", "SSSU", None, 0.75, None),
    "promptfoo: extra noes subtract": ("promptfoo-0.123", "SSSS", "scored", "CCCC", None, 0.0, False),
    "promptfoo: extra yeses do nothing": ("promptfoo-0.123", "SSCC", "scored", "SSSS", None, 0.5, True),
    "promptfoo: an extra yes hides a missing one": ("promptfoo-0.123", "SSS-", "partial", "S", None, 1.0, True),
    "promptfoo: an extra no does not": ("promptfoo-0.123", "SSS-", "partial", "C", None, 0.75, True),
    "promptfoo never goes below nothing": ("promptfoo-0.123", "CC", "scored", "CCCCCC", None, 0.0, False),
    "promptfoo is one minus a ratio to the last bit": ("promptfoo-0.123", "SSC", "scored", "", None, 1 - 1 / 3, True),
    "as planned it is the ratio": ("promptfoo-2468", "SSC", "scored", "", None, 2 / 3, False),
    "ragaliq compares without tolerance": ("ragaliq-adr6", "SC", "scored", "", 0.5 + 2.0**-53, 0.5, False),
    "ragaliq passes at the threshold": ("ragaliq-0.2", "SC", "scored", "", 0.5, 0.5, True),
    "ragaliq compares a 0 for want of context": ("ragaliq-adr6", "", "no_context", "", 0.0, 0.0, True),
    "trulens averages the graded sentences": ("trulens", "SP-", "partial", "", None, 0.75, None),
}


class TestStated:
    """Each number that a seed states, and what the released frameworks were seen to do."""

    @pytest.mark.parametrize("row", STATED.values(), ids=STATED)
    def test_is_reproduced(self, score, row):
        *asked, value, success = row
        found = score(*asked)
        assert (found.value, found.success) == (value, success)

    def test_s0_11_weighted_scoring_keeps_the_raw_value(self, score):
        assert score("weighted", "SSNC").raw == 0.25

    @pytest.mark.parametrize(("probability", "grounded"), [(0.70, 1.0), (0.6999999, 0.0), (1.0, 1.0), (0.0, 0.0)])
    def test_s1_2_a_claim_is_grounded_from_an_entailment_of_0_70_and_for_vera_alone(self, spell, probability, grounded):
        for letter in "SN":
            (verdict,) = spell(letter)
            verdict = verdict.model_copy(update={"probability": probability})
            assert score_verdicts([verdict], status=Status.SCORED, policy="vera").value == grounded
            assert score_verdicts([verdict], status=Status.SCORED).value == float(letter == "S")

    @pytest.mark.parametrize("policy", ["promptfoo-0.123", "promptfoo-2468"])
    @pytest.mark.parametrize("situation", ["no statements", "no verdicts", "refusal", "judge error", "cut off"])
    def test_promptfoo_grader_failures_fail_at_any_threshold(self, score, policy, situation):
        assert score(policy, *SITUATIONS[situation], threshold=0.0).success is False

    def test_deepeval_never_passes_what_raises_there(self, score):
        for status in ("refused", "truncated", "judge_error", "no_answer", "no_context"):
            assert score("deepeval", "--", status, threshold=0.0).success is False


class TestGetPolicy:
    def test_aliases_name_a_version(self):
        assert POLICY_ALIASES == {
            "ragas": "ragas-0.4",
            "deepeval": "deepeval-4",
            "trulens": "trulens-2.16",
            "promptfoo": "promptfoo-2468",
            "ragaliq": "ragaliq-adr6",
        }
        assert all(get_policy(alias) is POLICIES[name] for alias, name in POLICY_ALIASES.items())

    def test_a_policy_is_returned_as_it_is_and_a_name_found_in_any_case(self):
        own = Policy(name="own", summary="Own.", source="here", formula="s / n", credit=dict.fromkeys(Verdict, 1.0))
        assert get_policy(own) is own
        for written in ("Strict", " strict ", "DeepEval", "DEEPEVAL-4"):
            assert get_policy(written) is get_policy(written.strip().lower())

    @pytest.mark.parametrize(
        ("wrong", "message"),
        [
            ("strickt", "'strict'"),
            (" verra ", "'vera'"),
            ("ragaliq-", r"'ragaliq' or 'ragaliq-0\.2' or 'ragaliq-adr6'"),
            ("zzzz", "Use one of strict, .*, ragaliq$"),
            ("x" * 10_000, f"'{'x' * 100}'"),
            (3, "not int"),
        ],
    )
    def test_an_unknown_name_fails_with_the_nearest_ones(self, wrong, message):
        with pytest.raises(ConfigurationError, match=message):
            get_policy(wrong)


class TestRow:
    def test_prints_a_policy_as_texts(self):
        assert POLICIES["promptfoo-0.123"].row() == {
            "policy": "promptfoo-0.123",
            "supported": "1",
            "partially_supported": "0",
            "contradicted": "0",
            "not_enough_info": "0",
            "unsupported": "0",
            "missing": "zero",
            "extra": "subtract",
            "no_statements": "0 (graderFail)",
            "no_verdicts": "0 (graderFail)",
            "truncated": "0 (graderFail)",
            "refusal": "0 (graderFail)",
            "no_context": "none (error)",
            "no_answer": "0 (graderFail)",
            "judge_error": "0 (graderFail)",
            "threshold": "0.5",
            "formula": "max(0, 1 - (not supported, extra ones too, + missing) / statements)",
            "source": "promptfoo 0.123.1, matchesContextFaithfulness",
        }

    def test_leaves_a_threshold_that_is_not_there_blank(self):
        row = POLICIES["ragas-0.4"].row()
        assert (row["threshold"], row["no_verdicts"]) == ("", "none (NaN)")

    def test_every_policy_has_the_same_columns(self):
        assert len({tuple(policy.row()) for policy in POLICIES.values()}) == 1
