"""Every row of the policy table as numbers, and every sentence of the seeds that states one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from magistrate.errors import ConfigurationError
from magistrate.scoring import POLICIES, POLICY_ALIASES, Missing, Policy, Score, get_policy, score_verdicts
from magistrate.verdict import StatementVerdict, Status, Verdict

Spell = Callable[[str], tuple[StatementVerdict, ...]]
Words = Callable[[str], tuple[Verdict, ...]]
Scoring = Callable[..., Score]


@pytest.fixture(scope="session")
def score(spell: Spell, words: Words) -> Scoring:
    def _score(
        policy: str, letters: str, status: str = "scored", extra: str = "", threshold: float | None = None
    ) -> Score:
        return score_verdicts(
            spell(letters), status=Status(status), policy=policy, extra=words(extra), threshold=threshold
        )

    return _score


# name of the situation -> (verdicts, status, extra verdicts)
SITUATIONS = {
    "all supported": ("SSSS", "scored", ""),
    "half supported": ("SSCC", "scored", ""),
    "none supported": ("CNUC", "scored", ""),
    "one of each": ("SPCN", "scored", ""),
    "one of four came back": ("S---", "partial", ""),
    "two of four came back": ("SC--", "partial", ""),
    "four extra": ("SSSS", "scored", "CCCC"),
    "one extra": ("SSCC", "scored", "S"),
    "three extra for three missing": ("C---", "partial", "SSS"),
    "no statements": ("", "vacuous", ""),
    "no verdicts": ("----", "unparseable", ""),
    "verdicts off the scale": ("----", "out_of_range", ""),
    "refusal": ("----", "refused", ""),
    "cut off": ("----", "truncated", ""),
    "empty contexts": ("", "no_context", ""),
    "empty answer": ("", "no_answer", ""),
    "judge error": ("----", "judge_error", ""),
}
GOLDEN: dict[str, tuple[float | None, ...]] = {
    "strict": (1, 0.5, 0, 0.25, None, None, 1, 0.5, None, *[None] * 8),
    "strict-partial": (1, 0.5, 0, 0.375, None, None, 1, 0.5, None, *[None] * 8),
    "fail-closed": (1, 0.5, 0, 0.25, 0.25, 0.25, 1, 0.5, 0, *[0] * 8),
    "ragas-0.4": (1, 0.5, 0, 0.25, 1, 0.5, 0.5, 0.6, 0.75, *[None] * 8),
    "deepeval-4": (1, 0.5, 0.25, 0.75, 1, 0.5, 0.5, 0.6, 0.75, 1, 1, 1, *[None] * 5),
    "deepeval-4-penalize": (1, 0.5, 0, 0.25, 1, 0.5, 0.5, 0.6, 0.75, 1, 1, 1, *[None] * 5),
    "promptfoo-2468": (1, 0.5, 0, 0.25, 1, 0.5, 1, 0.5, 0.75, 0, 0.5, 0.5, 0, 0.5, None, 0, 0),
    "promptfoo-0.123": (1, 0.5, 0, 0.25, 0.25, 0.25, 0, 0.5, 0.75, 0, 0, 0, 0, 0, None, 0, 0),
    "ragaliq-adr6": (1, 0.5, 0, 0.25, None, None, 1, 0.5, None, 1, None, None, None, None, 0, 1, None),
    "ragaliq-0.2": (1, 0.5, 0, 0.25, None, None, 1, 0.5, None, 0, None, None, None, None, 0, None, None),
    "vera": (1, 0.5, 0, 0.25, None, None, 1, 0.5, None, None, None, None, None, None, 0, None, None),
    "trulens-2.16": (1, 0.5, 0, 0.375, 1, 0.5, 1, 0.5, 0, 0, None, None, None, None, None, 0, None),
    "weighted": (1, 0.5, 0.125, 0.5625, None, None, 1, 0.5, None, *[None] * 8),
}
_FAIL = "graderFail"
# What the framework itself gives where that is no score.
NATIVE: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("strict", "strict-partial", "fail-closed", "weighted", "promptfoo-2468"), ("",) * 17),
    "ragas-0.4": (*[""] * 9, "NaN", "NaN", "NaN", "NaN", "NaN", "error", "error", "NaN"),
    **dict.fromkeys(
        ("deepeval-4", "deepeval-4-penalize"),
        (*[""] * 9, "", "", "", "error", "error", "judged", "error", "error"),
    ),
    "promptfoo-0.123": (*[""] * 9, _FAIL, _FAIL, _FAIL, _FAIL, _FAIL, "error", _FAIL, _FAIL),
    "ragaliq-adr6": (*[""] * 4, "error", "error", "", "", "error", "", *["error"] * 4, "", "", "error"),
    "ragaliq-0.2": (*[""] * 4, "error", "error", "", "", "error", "", *["error"] * 4, "", "error", "error"),
    "vera": (*[""] * 4, "error", "error", "", "", "error", "NaN", *[""] * 5, "NaN", "error"),
    "trulens-2.16": (*[""] * 9, "", "-1", "-1", "error", "-1", "judged", "", "error"),
}
# The framework's own flag at its default threshold: (t)rue, (f)alse; policies that are not here have none.
FLAGS = {
    "deepeval-4": "ttftttttttttfffff",
    "deepeval-4-penalize": "ttffttttttttfffff",
    "promptfoo-2468": "tffftftftffffffff",
    "promptfoo-0.123": "ttfffffttffffffff",
    "ragaliq-adr6": "tffffftfftffffftf",
    "ragaliq-0.2": "tffffftffffffffff",
}
THRESHOLDS = {
    "strict": 0.7,
    "strict-partial": 0.7,
    "fail-closed": 0.7,
    "ragas-0.4": None,
    "deepeval-4": 0.5,
    "deepeval-4-penalize": 0.5,
    "promptfoo-2468": None,
    "promptfoo-0.123": 0.5,
    "ragaliq-adr6": 0.7,
    "ragaliq-0.2": 0.7,
    "vera": 0.9,
    "trulens-2.16": None,
    "weighted": 0.7,
}


class TestPolicyTable:
    @pytest.mark.parametrize(
        ("policy", "situation", "expected"),
        [
            pytest.param(policy, situation, value, id=f"{policy}-{situation}")
            for policy, values in GOLDEN.items()
            for situation, value in zip(SITUATIONS, values, strict=True)
        ],
    )
    def test_number_in_each_situation(
        self, score: Scoring, policy: str, situation: str, expected: float | None
    ) -> None:
        assert score(policy, *SITUATIONS[situation]).value == expected

    def test_lists_exactly_the_policies_of_the_design(self) -> None:
        assert list(POLICIES) == list(GOLDEN)
        assert all(policy.name == name for name, policy in POLICIES.items())

    @pytest.mark.parametrize(("policy", "threshold"), THRESHOLDS.items())
    def test_threshold(self, policy: str, threshold: float | None) -> None:
        assert POLICIES[policy].threshold == threshold
        assert POLICIES[policy].default_threshold == (0.7 if threshold is None else threshold)

    @pytest.mark.parametrize("policy", POLICIES)
    @pytest.mark.parametrize("status", ["over_budget", "missing_input", "not_run"])
    @pytest.mark.parametrize("letters", ["", "---"])
    def test_what_was_never_put_to_a_judge_has_no_score_under_any_policy(
        self, score: Scoring, policy: str, status: str, letters: str
    ) -> None:
        assert score(policy, letters, status).value is None

    @pytest.mark.parametrize("policy", POLICIES)
    def test_context_that_does_not_fit_is_a_judge_error(self, score: Scoring, policy: str) -> None:
        assert score(policy, "--", "context_truncated") == score(policy, "--", "judge_error")

    @pytest.mark.parametrize("policy", POLICIES)
    @pytest.mark.parametrize("status", ["unparseable", "out_of_range", "truncated"])
    def test_an_answer_that_could_not_be_split_is_a_judge_error_and_not_an_answer_without_statements(
        self, score: Scoring, policy: str, status: str
    ) -> None:
        assert score(policy, "", status) == score(policy, "", "judge_error")

    @pytest.mark.parametrize("policy", POLICIES)
    @pytest.mark.parametrize("status", ["scored", "partial"])
    def test_no_statements_are_vacuous_whatever_the_status_claims(
        self, score: Scoring, policy: str, status: str
    ) -> None:
        assert score(policy, "", status) == score(policy, "", "vacuous")

    @pytest.mark.parametrize("policy", POLICIES)
    def test_says_what_it_is_for_and_where_it_comes_from(self, policy: str) -> None:
        entry = POLICIES[policy]
        assert entry.summary.endswith(".")
        assert entry.formula
        assert entry.source

    @pytest.mark.parametrize("policy", NATIVE)
    def test_what_the_framework_itself_gives_is_kept_beside_the_missing_number(
        self, score: Scoring, policy: str
    ) -> None:
        found = {name: score(policy, *situation).native for name, situation in SITUATIONS.items()}
        assert found == dict(zip(SITUATIONS, NATIVE[policy], strict=True))

    @pytest.mark.parametrize("policy", POLICIES)
    def test_the_frameworks_own_flag(self, score: Scoring, policy: str) -> None:
        found = {name: score(policy, *situation).success for name, situation in SITUATIONS.items()}
        flags = [{"t": True, "f": False}[flag] for flag in FLAGS[policy]] if policy in FLAGS else [None] * 17
        assert found == dict(zip(SITUATIONS, flags, strict=True))


class TestBinaryJudge:
    """A binary judge's no has an unknown cause: it never counts as more than a contradiction."""

    @pytest.mark.parametrize("policy", POLICIES)
    def test_unsupported_counts_as_contradicted(self, score: Scoring, policy: str) -> None:
        assert score(policy, "SSUS").value == score(policy, "SSCS").value

    def test_weighted_equals_strict_for_a_binary_judge(self, score: Scoring) -> None:
        assert score("weighted", "SUUS").value == score("strict", "SUUS").value == 0.5


class TestSeedStatements:
    """One test for each number that a seed states, by the id it has in the checklist."""

    @pytest.mark.parametrize(
        ("letters", "status", "expected"), [("SSS", "scored", 1.0), ("SN", "scored", 0.5), ("CN", "scored", 0.0)]
    )
    def test_s0_1_all_half_none(self, score: Scoring, letters: str, status: str, expected: float) -> None:
        assert score("ragaliq", letters, status).value == expected

    def test_s0_1_no_claims_are_vacuously_faithful(self, score: Scoring) -> None:
        assert score("ragaliq", "", "vacuous").value == 1.0

    def test_s0_4_not_enough_info_and_contradicted_both_count_nothing(self, score: Scoring) -> None:
        assert score("strict", "SNCS").value == score("ragaliq", "SNCS").value == 0.5

    def test_s0_7_a_score_of_three_quarters_fails_a_threshold_of_0_8(self, score: Scoring) -> None:
        assert score("ragaliq", "SSSN", threshold=0.8).success is False
        assert score("ragaliq", "SSSN").success is True

    def test_s0_9_empty_and_blank_answers_score_1(self, score: Scoring) -> None:
        assert score("ragaliq", "", "no_answer").value == 1.0

    def test_s0_9_empty_context_scores_0(self, score: Scoring) -> None:
        assert score("ragaliq", "", "no_context").value == 0.0
        assert score("ragaliq", "NNN").value == 0.0

    def test_s0_9_an_invalid_verdict_is_an_error(self, score: Scoring) -> None:
        found = score("ragaliq", "S-", "partial")
        assert (found.value, found.native, found.success) == (None, "error", False)

    def test_s0_9_released_ragaliq_fails_both_empties(self, score: Scoring) -> None:
        for status in ("vacuous", "no_context"):
            found = score("ragaliq-0.2", "", status, threshold=0.0)
            assert (found.value, found.success) == (0.0, False)

    def test_s0_11_weighted_scoring_keeps_the_raw_value(self, score: Scoring) -> None:
        found = score("weighted", "SSNC")
        assert (found.raw, found.value) == (0.25, 0.625)

    def test_s0_11_partially_supported_counts_half_where_a_policy_says_so(self, score: Scoring) -> None:
        assert score("strict-partial", "PS").value == 0.75
        assert score("strict", "PS").value == 0.5

    @pytest.mark.parametrize(("probability", "grounded"), [(0.70, 1.0), (0.6999999, 0.0), (1.0, 1.0), (0.0, 0.0)])
    def test_s1_2_a_claim_is_grounded_from_an_entailment_of_0_70(
        self, spell: Spell, probability: float, grounded: float
    ) -> None:
        for letter in "SN":
            (verdict,) = spell(letter)
            verdict = verdict.model_copy(update={"probability": probability})
            assert score_verdicts([verdict], status=Status.SCORED, policy="vera").value == grounded

    def test_s1_2_probabilities_matter_to_vera_alone(self, spell: Spell) -> None:
        (verdict,) = spell("S")
        verdict = verdict.model_copy(update={"probability": 0.1})
        values = {p: score_verdicts([verdict], status=Status.SCORED, policy=p).value for p in POLICIES}
        assert values == {p: 0.0 if p == "vera" else 1.0 for p in POLICIES}

    def test_s1_2_the_target_of_grounding_precision_is_0_90(self) -> None:
        assert get_policy("vera").threshold == 0.90

    def test_s1_5_faithfulness_is_verified_over_all(self, score: Scoring) -> None:
        assert score("vera", "SSSN").value == 0.75

    def test_s2_2_idk_counts_as_faithful(self, score: Scoring) -> None:
        assert score("deepeval", "SNCN").value == 0.75
        assert score("deepeval", "SN").value == 1.0
        assert score("deepeval", "CC").value == 0.0

    def test_s2_4_the_threshold_is_0_5(self, score: Scoring) -> None:
        assert score("deepeval", "SC").success is True
        assert score("deepeval", "SCC").success is False

    def test_s2_9_strict_and_lenient_thresholds(self, score: Scoring) -> None:
        assert score("deepeval", "SSC", threshold=1.0).success is False
        assert score("deepeval", "SCC", threshold=0.3).success is True

    def test_s3_6_no_statements_score_0_and_fail(self, score: Scoring) -> None:
        found = score("promptfoo", "", "vacuous", threshold=0.0)
        assert (found.value, found.success) == (0.0, False)

    def test_s3_7_a_refusal_scores_0_and_fails(self, score: Scoring) -> None:
        found = score("promptfoo", "---", "refused", threshold=0.0)
        assert (found.value, found.success) == (0.0, False)

    def test_s3_8_no_verdicts_score_a_half_and_fail_even_below_that_threshold(self, score: Scoring) -> None:
        found = score("promptfoo", "---", "unparseable", threshold=0.3)
        assert (found.value, found.success) == (0.5, False)

    def test_s3_9_fewer_verdicts_are_divided_by_what_was_found(self, score: Scoring) -> None:
        assert score("promptfoo", "SC--", "partial").value == 0.5

    def test_s3_9_more_verdicts_are_cut_to_the_statements(self, score: Scoring) -> None:
        assert score("promptfoo", "SC", extra="SSSS").value == 0.5

    def test_s3_9_an_extra_verdict_fills_the_place_of_a_missing_one(self, score: Scoring) -> None:
        assert score("promptfoo", "SSS-", "partial", extra="CSS").value == 0.75
        assert score("promptfoo", "----", "unparseable", extra="SC").value == 0.5

    def test_s3_9_released_promptfoo_counts_missing_as_unsupported(self, score: Scoring) -> None:
        assert score("promptfoo-0.123", "SC--", "partial").value == 0.25

    def test_s3_10_a_verdict_off_the_scale_scores_a_half_and_fails(self, score: Scoring) -> None:
        found = score("promptfoo", "--", "out_of_range", threshold=0.0)
        assert (found.value, found.success) == (0.5, False)

    def test_s3_11_passes_up_to_an_epsilon_below_the_threshold(self, score: Scoring) -> None:
        assert score("promptfoo", "SSSC", threshold=0.75 + 2.0**-53).success is True
        assert score("promptfoo", "SSSC", threshold=0.75 + 2.0**-51).success is False
        assert score("promptfoo-0.123", "SSSC", threshold=0.75 + 2.0**-53).success is True
        assert score("promptfoo-0.123", "SSSC", threshold=0.75 + 2.0**-51).success is False


class TestFrameworkBehaviour:
    """What the released frameworks were seen to do, as numbers."""

    def test_deepeval_one_yes_of_four_is_a_perfect_score(self, score: Scoring) -> None:
        found = score("deepeval", "S---", "partial")
        assert (found.value, found.success) == (1.0, True)

    def test_deepeval_counts_verdicts_beyond_the_claims(self, score: Scoring) -> None:
        assert score("deepeval", "SSSS", extra="CCCC").value == 0.5

    def test_deepeval_without_claims_or_verdicts_is_a_perfect_score(self, score: Scoring) -> None:
        assert score("deepeval", "", "vacuous").success is True
        assert score("deepeval", "----", "unparseable").success is True

    def test_deepeval_never_passes_what_raises_there(self, score: Scoring) -> None:
        for status in ("refused", "truncated", "judge_error", "no_answer", "no_context"):
            assert score("deepeval", "--", status, threshold=0.0).success is False

    def test_deepeval_compares_without_tolerance(self, score: Scoring) -> None:
        for policy in ("deepeval-4", "deepeval-4-penalize"):
            assert score(policy, "SC", threshold=0.5 + 2.0**-53).success is False

    def test_ragas_one_verdict_of_four_is_found_over_found(self, score: Scoring) -> None:
        assert score("ragas", "S---", "partial").value == 1.0

    def test_ragas_counts_verdicts_on_statements_it_never_sent(self, score: Scoring) -> None:
        assert score("ragas", "----", "unparseable", extra="SSSU").value == 0.75

    def test_promptfoo_four_yes_and_four_extra_no_are_nothing(self, score: Scoring) -> None:
        assert score("promptfoo-0.123", "SSSS", extra="CCCC").value == 0.0

    def test_promptfoo_extra_yes_neither_helps_nor_hurts(self, score: Scoring) -> None:
        assert score("promptfoo-0.123", "SSCC", extra="SSSS").value == 0.5

    def test_promptfoo_an_extra_verdict_hides_a_missing_one(self, score: Scoring) -> None:
        assert score("promptfoo-0.123", "SSS-", "partial", extra="S").value == 1.0
        assert score("promptfoo-0.123", "SSS-", "partial", extra="C").value == 0.75

    def test_promptfoo_never_goes_below_nothing(self, score: Scoring) -> None:
        assert score("promptfoo-0.123", "CC", extra="CCCCCC").value == 0.0

    def test_promptfoo_is_one_minus_a_ratio_to_the_last_bit(self, score: Scoring) -> None:
        assert score("promptfoo-0.123", "SSC").value == 1 - 1 / 3
        assert score("promptfoo-2468", "SSC").value == 2 / 3

    @pytest.mark.parametrize("situation", ["no statements", "no verdicts", "refusal", "judge error", "cut off"])
    def test_promptfoo_grader_failures_fail_at_any_threshold(self, score: Scoring, situation: str) -> None:
        letters, status, extra = SITUATIONS[situation]
        for policy in ("promptfoo-0.123", "promptfoo-2468"):
            assert score(policy, letters, status, extra, threshold=0.0).success is False

    def test_promptfoo_an_empty_answer_fails_at_any_threshold(self, score: Scoring) -> None:
        for policy in ("promptfoo-0.123", "promptfoo-2468"):
            assert score(policy, "", "no_answer", threshold=0.0).success is False

    def test_ragaliq_compares_without_tolerance(self, score: Scoring) -> None:
        for policy in ("ragaliq-adr6", "ragaliq-0.2"):
            assert score(policy, "SC", threshold=0.5).success is True
            assert score(policy, "SC", threshold=0.5 + 2.0**-53).success is False

    def test_ragaliq_compares_a_score_of_0_for_want_of_context_like_any_other(self, score: Scoring) -> None:
        assert score("ragaliq-adr6", "", "no_context", threshold=0.0).success is True
        assert score("ragaliq-0.2", "", "no_context", threshold=0.0).success is False

    def test_trulens_averages_the_graded_sentences(self, score: Scoring) -> None:
        assert score("trulens", "SP-", "partial").value == 0.75


class TestGetPolicy:
    @pytest.mark.parametrize(
        ("alias", "name"),
        [
            ("ragas", "ragas-0.4"),
            ("deepeval", "deepeval-4"),
            ("trulens", "trulens-2.16"),
            ("promptfoo", "promptfoo-2468"),
            ("ragaliq", "ragaliq-adr6"),
        ],
    )
    def test_aliases_name_a_version(self, alias: str, name: str) -> None:
        assert get_policy(alias) is POLICIES[name]
        assert POLICY_ALIASES[alias] == name

    def test_there_are_no_other_aliases(self) -> None:
        assert len(POLICY_ALIASES) == 5

    def test_returns_a_policy_as_it_is(self) -> None:
        own = Policy(name="own", summary="Own.", source="here", formula="s / n", credit=dict.fromkeys(Verdict, 1.0))
        assert get_policy(own) is own

    @pytest.mark.parametrize("written", ["Strict", "STRICT", " strict ", "DeepEval", "deepeval-4".upper()])
    def test_a_name_is_found_in_any_case(self, written: str) -> None:
        assert get_policy(written) is get_policy(written.strip().lower())

    @pytest.mark.parametrize(
        ("wrong", "near"),
        [("strickt", "'strict'"), ("DeepEvil", "'deepeval'"), ("fail_closed", "'fail-closed'"), (" verra ", "'vera'")],
    )
    def test_an_unknown_name_fails_with_the_nearest_ones(self, wrong: str, near: str) -> None:
        with pytest.raises(ConfigurationError, match=f"unknown scoring policy '{wrong}': did you mean .*{near}"):
            get_policy(wrong)

    def test_names_the_three_nearest_best_first(self) -> None:
        with pytest.raises(ConfigurationError, match=r"did you mean 'ragaliq' or 'ragaliq-0\.2' or 'ragaliq-adr6'\?$"):
            get_policy("ragaliq-")

    def test_an_unlike_name_fails_with_all_of_them(self) -> None:
        with pytest.raises(ConfigurationError) as caught:
            get_policy("zzzz")
        known = ", ".join([*POLICIES, *POLICY_ALIASES])
        assert str(caught.value) == f"unknown scoring policy 'zzzz': use one of {known}"

    def test_a_long_name_is_cut_in_the_message(self) -> None:
        with pytest.raises(ConfigurationError) as caught:
            get_policy("x" * 10_000)
        assert f"{'x' * 100!r}:" in str(caught.value)

    def test_what_is_no_name_fails(self) -> None:
        with pytest.raises(ConfigurationError, match=r"^a policy is a name or a Policy, not int$"):
            get_policy(3)  # type: ignore[arg-type]


class TestRow:
    def test_prints_a_policy_as_texts(self) -> None:
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

    def test_leaves_a_threshold_that_is_not_there_blank(self) -> None:
        row = POLICIES["ragas-0.4"].row()
        assert (row["threshold"], row["no_verdicts"]) == ("", "none (NaN)")

    def test_every_policy_has_the_same_columns(self) -> None:
        assert len({tuple(policy.row()) for policy in POLICIES.values()}) == 1

    def test_the_missing_column_is_one_of_four_words(self) -> None:
        assert {p.row()["missing"] for p in POLICIES.values()} == {m.value for m in Missing}
