import json
from dataclasses import replace

import pytest
from tests.case_tables import cases_of, tables_of

from magistrate.case import Case
from magistrate.errors import (
    BudgetExceededError,
    ConfigurationError,
    JudgeAuthError,
    JudgeNotFoundError,
    JudgeServerError,
    RunInterrupted,
)
from magistrate.judges import StatementsReply
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.records import Usage
from magistrate.scoring import POLICIES
from magistrate.verdict import BINARY, GRADED, TERNARY, Evidence, Issue, IssueCode, Outcome, Status, Verdict

cases = cases_of(__file__)

CLAIMS = ["The pool opens at 6.", "Lanes are 25 m long.", "Caps are required.", "Lockers cost 1 EUR."]
CONTEXTS = ("The pool opens at 6 and has 25 m lanes.", "Lockers cost 2 EUR.")
ANSWER = "It opens at 6. Lanes are 25 m long. Caps are required. Lockers cost 1 EUR."
CASE = Case(question="When does the pool open?", answer=ANSWER, contexts=CONTEXTS)
VERDICTS = {CLAIMS[2]: "not_enough_info", CLAIMS[3]: ("contradicted", "Lockers cost 2 EUR.")}
TRUTHS = {CONTEXTS[0]: ["The pool opens at 6.", "Lanes are 25 m."], CONTEXTS[1]: ["Lockers cost 2 EUR."]}
REPLIES = {
    "down": JudgeServerError("503"),
    "nothing": StatementsReply((), Status.SCORED),
    "stranger": {"issues": (Issue(IssueCode.UNKNOWN_STATEMENT, "not in the answer", 1),)},
}


def case(**changes):
    return CASE.model_copy(update=changes)


class TestOptions:
    @pytest.mark.parametrize("policy", POLICIES)
    def test_c10_the_threshold_is_that_of_the_policy_unless_given(self, policy):
        assert Faithfulness(policy=policy).threshold == POLICIES[policy].default_threshold
        assert Faithfulness(threshold=0.33, policy=policy).threshold == 0.33

    def test_a_limit_of_truths_asks_for_truths(self):
        metric = Faithfulness(truths_extraction_limit=3)
        assert (metric.two_sided, metric.truths_extraction_limit) == (True, 3)
        assert Faithfulness(two_sided=True).truths_extraction_limit is None

    @cases("faithfulness: a wrong option says what is right")
    def test_a_wrong_option_says_what_is_right(self, options, message):
        with pytest.raises(ConfigurationError, match=message):
            Faithfulness(**options)

    def test_passing_is_reaching_the_threshold(self):
        metric = Faithfulness(threshold=0.8)
        assert metric.is_passing(0.8)
        assert metric.is_passing(0.1 + 0.7)
        assert not metric.is_passing(0.79)
        assert not metric.is_passing(None)
        assert not metric.is_passing(float("nan"))


class TestEvaluate:
    async def test_extracts_verifies_and_scores(self, scripted_judge):
        judge = scripted_judge(VERDICTS, claims=CLAIMS)
        result = await Faithfulness().evaluate(CASE, judge)
        assert judge.asked == [
            ("extract", (ANSWER,), {"question": CASE.question, "kind": "claims", "limit": None}),
            ("verify", (tuple(CLAIMS), CONTEXTS), {"question": CASE.question, "scale": TERNARY}),
        ]
        assert (result.metric, result.policy, result.status) == ("faithfulness", "strict", Status.SCORED)
        assert (result.score, result.bounds, result.threshold) == (0.5, (0.5, 0.5), 0.7)
        assert (result.outcome, result.direction, result.judge) == (Outcome.FAIL, "maximize", "scripted")
        assert result.statements == tuple(CLAIMS)
        assert [entry.verdict for entry in result.verdicts] == [
            Verdict.SUPPORTED,
            Verdict.SUPPORTED,
            Verdict.NOT_ENOUGH_INFO,
            Verdict.CONTRADICTED,
        ]

    async def test_adds_up_usage_and_collects_calls(self, scripted_judge):
        result = await Faithfulness(batch_size=3).evaluate(CASE, scripted_judge(claims=CLAIMS))
        assert result.usage == Usage(calls=3, prompt_tokens=300, completion_tokens=30, cost=0.75, latency_ms=15.0)
        assert [(call.purpose, call.statements) for call in result.calls] == [
            ("extract", ()),
            ("verify", (0, 1, 2)),
            ("verify", (3,)),
        ]

    async def test_details_say_how_it_was_done_and_are_json(self, scripted_judge):
        result = await Faithfulness(batch_size=7).evaluate(CASE, scripted_judge(claims=CLAIMS))
        assert json.loads(json.dumps(result.details)) == tables_of(__file__)["faithfulness: details"]

    async def test_scale_and_batch_size_reach_the_judge(self, scripted_judge):
        judge = scripted_judge(claims=CLAIMS)
        await Faithfulness(scale="binary", batch_size=1).evaluate(CASE, judge)
        assert judge.batches() == [(claim,) for claim in CLAIMS]
        assert judge.asked[-1][2]["scale"] is BINARY
        assert judge.most_at_once == 4

    async def test_policy_threshold_and_name_reach_the_result(self, scripted_judge):
        metric = Faithfulness(threshold=0.76, policy="deepeval", name="contradictions")
        result = await metric.evaluate(CASE, scripted_judge(VERDICTS, claims=CLAIMS))
        assert (result.metric, result.policy, result.score) == ("contradictions", "deepeval-4", 0.75)
        assert (result.threshold, result.outcome) == (0.76, Outcome.FAIL)


def told(said):
    """What a judge says, with each of `REPLIES` for its name."""
    if isinstance(said, dict):
        return {name: told(value) for name, value in said.items()}
    return REPLIES.get(said, said) if isinstance(said, str) else said


@cases("faithfulness: what is asked and found")
async def test_what_is_asked_and_found(scripted_judge, *, said, options, changes, asked, found):
    judge = scripted_judge(**told(said))
    result = await Faithfulness(**options).evaluate(Case(**{**CASE.model_dump(), **changes}), judge)
    assert judge.kinds() == asked.split()
    values = {name: getattr(result, name) for name in found}
    assert {name: [*value] if isinstance(value, tuple) else value for name, value in values.items()} == found


OPTIONS = pytest.mark.parametrize(
    "options", [{}, {"mode": "single"}, {"decompose": "sentences"}, {"two_sided": True}], ids=str
)


async def nothing_to_judge(judge, options, status, **changes):
    result = await Faithfulness(threshold=0.0, **options).evaluate(case(**changes), judge)
    assert (result.status, result.score, result.bounds) == (status, None, None)
    assert result.outcome is Outcome.INCONCLUSIVE
    assert judge.asked == []


class TestNothingToJudge:
    """Explicit statuses, never a pass, no call."""

    @OPTIONS
    @pytest.mark.parametrize("answer", [None, "", "  \n", "\u200b\ufeff"], ids=ascii)
    async def test_c8_a_blank_answer_whatever_the_contexts(self, scripted_judge, answer, options):
        for contexts in (CONTEXTS, ()):
            await nothing_to_judge(scripted_judge(), options, Status.NO_ANSWER, answer=answer, contexts=contexts)

    @OPTIONS
    @pytest.mark.parametrize("contexts", [(), ("",), (" ", "\u200b\n")], ids=ascii)
    async def test_c7_blank_contexts(self, scripted_judge, contexts, options):
        await nothing_to_judge(scripted_judge(), options, Status.NO_CONTEXT, contexts=contexts)

    @pytest.mark.parametrize("statements", [(), ("",), (" ", "\t")])
    @pytest.mark.parametrize("options", [{}, {"mode": "single"}, {"two_sided": True}])
    async def test_c1_statements_that_are_none(self, scripted_judge, statements, options):
        judge = scripted_judge()
        result = await Faithfulness(threshold=0.0, **options).evaluate(case(statements=statements), judge)
        assert (result.status, result.score, result.outcome) == (Status.VACUOUS, None, Outcome.INCONCLUSIVE)
        assert (result.statements, judge.asked) == (statements, [])
        assert [entry.issues[0].code for entry in result.verdicts] == [IssueCode.BLANK_STATEMENT] * len(statements)


class TestFailures:
    """A failure of one call is a value with its reason; what every call would meet is raised."""

    @pytest.mark.parametrize(("mode", "kind"), [("batched", "claims"), ("single", "single")])
    @pytest.mark.parametrize("status", [Status.REFUSED, Status.TRUNCATED, Status.UNPARSEABLE, Status.PARTIAL])
    async def test_statements_of_an_extraction_that_failed_are_not_judged(self, scripted_judge, status, mode, kind):
        issue = Issue(IssueCode.TRUNCATED, "cut after two")
        judge = scripted_judge(
            claims=StatementsReply(tuple(CLAIMS[:2]), status, (issue,)),
            verify_reply=lambda reply: replace(reply, extra=(Verdict.SUPPORTED,)),
        )
        result = await Faithfulness(mode=mode).evaluate(CASE, judge)
        assert (result.status, result.score, result.statements) == (status, None, ())
        assert (result.issues, result.verdicts, result.extra) == ((issue,), (), ())
        assert judge.kinds() == [kind]

    @pytest.mark.parametrize(
        "error", [JudgeAuthError, JudgeNotFoundError, ConfigurationError, BudgetExceededError, RunInterrupted]
    )
    @pytest.mark.parametrize("where", ["claims", "truths", "verify", "single"])
    async def test_what_every_call_would_meet_is_raised(self, scripted_judge, error, where):
        judge = scripted_judge(
            {CLAIMS[0]: error("stop")} if where == "verify" else {},
            claims=error("stop") if where in ("claims", "single") else CLAIMS,
            truths={CONTEXTS[0]: error("stop")} if where == "truths" else {text: ["T."] for text in CONTEXTS},
        )
        metric = Faithfulness(mode="single") if where == "single" else Faithfulness(two_sided=where == "truths")
        with pytest.raises(error, match=r"^stop$"):
            await metric.evaluate(CASE, judge)

    async def test_issues_of_all_stages_are_kept_in_order(self, scripted_judge):
        judge = scripted_judge(
            claims=StatementsReply(tuple(CLAIMS), issues=(Issue(IssueCode.REPAIRED_JSON, "claims"),)),
            verify_reply=lambda reply: replace(reply, issues=(Issue(IssueCode.REPAIRED_JSON, "verdicts"),)),
        )
        result = await Faithfulness().evaluate(CASE, judge)
        assert [issue.message for issue in result.issues] == ["claims", "verdicts"]


class TestTwoSided:
    """Truths are extracted from each context, and the claims verified against the truths (DeepEval)."""

    async def test_verifies_against_the_truths_of_each_context_all_extracted_at_once(self, scripted_judge):
        judge = scripted_judge(VERDICTS, claims=CLAIMS, truths=TRUTHS)
        result = await Faithfulness(truths_extraction_limit=2).evaluate(CASE, judge)
        assert judge.asked == [
            ("extract", (ANSWER,), {"question": CASE.question, "kind": "claims", "limit": None}),
            ("extract", (CONTEXTS[0],), {"question": None, "kind": "truths", "limit": 2}),
            ("extract", (CONTEXTS[1],), {"question": None, "kind": "truths", "limit": 2}),
            (
                "verify",
                (tuple(CLAIMS), ("The pool opens at 6.\nLanes are 25 m.", "Lockers cost 2 EUR.")),
                {"question": CASE.question, "scale": TERNARY},
            ),
        ]
        assert result.details["truths"] == list(TRUTHS.values())
        assert (result.details["truths_extraction_limit"], result.details["two_sided"]) == (2, True)
        assert (result.score, result.usage.calls, judge.most_at_once) == (0.5, 4, 3)
        assert [call.purpose for call in result.calls] == ["extract", "extract", "extract", "verify"]

    async def test_a_blank_context_takes_no_call_and_keeps_its_place(self, scripted_judge):
        judge = scripted_judge(claims=CLAIMS[:1], truths=TRUTHS)
        result = await Faithfulness(two_sided=True).evaluate(case(contexts=(" ", *CONTEXTS)), judge)
        assert judge.kinds() == ["claims", "truths", "truths", "verify"]
        assert result.details["truths"] == [[], *TRUTHS.values()]
        assert judge.asked[-1][1][1][0] == ""

    async def test_without_any_truth_there_is_nothing_to_verify_against(self, scripted_judge):
        judge = scripted_judge(claims=CLAIMS)
        result = await Faithfulness(threshold=0.0, two_sided=True, policy="deepeval").evaluate(CASE, judge)
        assert (result.status, result.score, result.outcome) == (Status.NO_CONTEXT, None, Outcome.INCONCLUSIVE)
        assert (result.statements, len(result.verdicts)) == (tuple(CLAIMS), 4)
        why = "no truths could be extracted from a context to verify against"
        assert result.verdicts[1].issues == (Issue(IssueCode.MISSING_VERDICT, why, 1),)
        assert result.reason == f"no context to judge against ({why})"
        assert judge.kinds() == ["claims", "truths", "truths"]

    async def test_if_the_truths_of_one_context_are_lost_nothing_is_verified(self, scripted_judge):
        issue = Issue(IssueCode.TRUNCATED, "cut off", 3)
        cut = StatementsReply(("The pool",), Status.TRUNCATED, (issue,))
        judge = scripted_judge(claims=CLAIMS, truths={**TRUTHS, CONTEXTS[1]: cut})
        result = await Faithfulness(threshold=0.0, two_sided=True).evaluate(CASE, judge)
        assert (result.status, result.score, result.bounds) == (Status.TRUNCATED, None, (0.0, 1.0))
        assert result.issues[0] == Issue(IssueCode.TRUNCATED, "cut off")
        assert [entry.index for entry in result.verdicts] == [entry.issues[0].index for entry in result.verdicts]
        assert judge.kinds() == ["claims", "truths", "truths"]

    async def test_quotes_from_the_truths_are_looked_up_in_the_contexts(self, scripted_judge):
        in_truth = Evidence("opens at 6", context=0, start=9, end=19, similarity=1.0)
        only_in_truth = Evidence("Lanes are 25 m.", context=0, start=21, end=36, similarity=1.0)
        said = {"verdict": Verdict.SUPPORTED, "evidence": (in_truth, only_in_truth)}
        judge = scripted_judge({CLAIMS[0]: said}, claims=CLAIMS[:2], truths=TRUTHS)
        result = await Faithfulness(two_sided=True).evaluate(CASE, judge)
        first, second = result.verdicts[0].evidence
        assert (first.context, first.start, first.end) == (0, 9, 19)
        assert CONTEXTS[0][9:19] == "opens at 6"
        assert (second.quote, second.found) == ("Lanes are 25 m.", False)
        assert result.verdicts[1].evidence == ()


class TestSingleCall:
    async def test_extracts_and_judges_in_one_call(self, scripted_judge):
        judge = scripted_judge(VERDICTS, claims=CLAIMS)
        result = await Faithfulness(mode="single", scale="graded").evaluate(CASE, judge)
        assert judge.asked == [("single", (ANSWER, CONTEXTS), {"question": CASE.question, "scale": GRADED})]
        assert (result.status, result.score, result.statements) == (Status.SCORED, 0.5, tuple(CLAIMS))
        assert (result.usage.calls, len(result.calls), result.calls[0].statements) == (1, 1, (0, 1, 2, 3))
        assert (result.details["mode"], result.details["claims"]) == ("single", CLAIMS)

    async def test_a_judge_that_cannot_is_a_wrong_configuration(self):
        class Offline:
            name = "offline"

        with pytest.raises(ConfigurationError, match=r"no method 'extract_and_verify': .*mode=.batched"):
            await Faithfulness(mode="single").evaluate(CASE, Offline())
