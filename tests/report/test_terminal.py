"""The terminal report."""

import re
from dataclasses import replace

import pytest
from tests.making import make_result, make_run, make_verdict

from magistrate.evaluation.gate import Gate, check
from magistrate.evaluation.problems import Problem
from magistrate.records import CallRecord, Completion, PromptRef, Usage
from magistrate.report.labels import usage_text
from magistrate.report.terminal.run import print_case, print_run
from magistrate.report.view import RunView
from magistrate.verdict import Evidence, Issue, IssueCode, Status, Verdict


class TestFigures:
    def test_a_mean_stands_beside_how_many_were_scored(self, shown):
        text = shown(
            print_run, make_run([make_result(0, 1.0), make_result(1, 0.5), make_result(2, None, Status.REFUSED)])
        )
        assert re.search(r"faithfulness +0\.750 +-?\d\.\d+ to \d\.\d+ +2 of 3 +1 +1 +1", text)
        assert "Not scored: 1 of 3 (1 refused)" in text
        assert "the mean lies between 0.500 and 0.833" in text

    def test_categories_have_rows(self, shown):
        run = make_run(
            [make_result(0, 1.0, category="fact"), make_result(1, 0.0, category="fact"), make_result(2, category="x")]
        )
        text = shown(print_run, run)
        assert re.search(r"\n  fact +0\.500 ", text)
        assert re.search(r"\n  x +1\.000 +1 of 1", text)

    def test_cases_without_a_score_for_the_same_reason_share_a_line(self, shown):
        failed = [make_result(n, None, Status.JUDGE_ERROR, reason="the port is closed") for n in range(7)]
        empty = make_result(7, None, Status.NO_ANSWER, reason="no answer to judge")
        text = shown(print_run, make_run([*failed, empty]))
        assert "c0  judge_error  the port is closed (and 6 alike)" in text
        assert "c7  no_answer  no answer to judge\n" in text
        assert "more" not in text

    def test_answers_that_were_not_judged_in_full_are_said(self, shown):
        left = (Issue(IssueCode.SENTENCE_WITHOUT_STATEMENT, "1 of 2 sentences"),)
        text = shown(print_run, make_run([make_result(0, 1.0, metric={"issues": left}), make_result(1, 1.0)]))
        assert "1 of 2 answers have a sentence that no statement was taken from" in text

    @pytest.mark.parametrize("width", [24, 40, 52, 60])
    def test_no_name_and_no_figure_is_broken_or_cut_where_the_table_does_not_fit(self, shown, width):
        results = [make_result(n, n / 10, category="night trains") for n in range(5)]
        text = shown(print_run, make_run(results), width=width)
        assert max(map(len, text.splitlines())) <= width
        for whole in ("faithfulness", "night trains", "0.200", "5 of 5", "inconclusive"):
            assert whole in text.replace("\n  ", " ").replace("  ", " ")
        assert "\u2026" not in text

    @pytest.mark.parametrize("width", [30, 80, 90, 200])
    def test_no_line_is_filled_with_blanks(self, shown, width):
        run = make_run([make_result(0, 0.1, category="leave", verdicts=[make_verdict(0, statement="word " * 90)])])
        assert [line for line in shown(print_run, run, width=width).splitlines() if line.endswith(" ")] == []


class TestNotices:
    @pytest.mark.parametrize("state", ["interrupted", "over_budget", "failed", "running"])
    def test_a_run_that_did_not_complete_says_so(self, shown, state):
        text = shown(print_run, make_run([make_result(0)], state=state, message="why"))
        assert "--resume goes on with it" in text.replace("\n", " ")
        assert ("why" in text) == (state != "running")


class TestWorstCases:
    def test_failing_statements_stand_with_verdict_and_reason(self, shown):
        bad = [
            make_verdict(0, Verdict.SUPPORTED),
            make_verdict(1, Verdict.CONTRADICTED, statement="It is 45.", reason="the text says 54"),
            make_verdict(2, None, issues=(Issue(IssueCode.MISSING_VERDICT, "not in the reply"),)),
        ]
        text = shown(print_run, make_run([make_result(0), make_result(1, 0.3, verdicts=bad, category="fact")]))
        assert "c1  0.300  fail  fact" in text
        assert "s2 contradicted: It is 45.\n       the text says 54" in text
        assert "s3 no verdict: statement 2\n       missing-verdict: not in the reply" in text
        assert "s1" not in text


class TestProblems:
    def test_rows_with_problems_are_named_with_their_place(self, shown):
        problem = Problem(
            source="cases.jsonl", line=7, field="answer", message="is a list", expected="a text", blocking=True
        )
        results = [
            make_result(n, None, Status.MISSING_INPUT, problems=(replace(problem, line=7 + n),)) for n in range(3)
        ]
        text = shown(print_run, make_run(results))
        assert "Problems in 3 rows of the dataset" in text
        assert "cases.jsonl:7: answer: is a list; expected a text (and 2 rows alike)" in text
        assert "cases.jsonl:8" not in text


class TestGates:
    def test_each_gate_says_what_came_out(self, shown):
        run = make_run([make_result(0, 1.0), make_result(1, None, Status.REFUSED)])
        text = shown(print_run, RunView(run, check(run.summary, [Gate(threshold=0.9, min_coverage=0.4)])))
        assert "gate passed: faithfulness: coverage 0.500" in text
        assert "gate UNDECIDED: faithfulness: mean between 0.500 and 1.000" in text


class TestUsage:
    def call(self, model):
        return CallRecord(
            "verify",
            PromptRef("verify", "1", "h"),
            "gpt-4o",
            Completion("x", model=model, usage=Usage(latency_ms=1500)),
        )

    def test_requested_and_served_model_and_latency_are_shown(self, shown):
        usage = Usage(calls=1, prompt_tokens=1200, completion_tokens=30, cost=0.0123)
        text = shown(
            print_run, make_run([make_result(0, metric={"calls": (self.call("gpt-4o-2024-08-06"),), "usage": usage})])
        )
        assert "1 call to gpt-4o, served by gpt-4o-2024-08-06" in text
        assert "1 call, 1,200 + 30 tokens, cost $0.0123" in text
        assert "latency of a call: median 1.50 s" in text

    @pytest.mark.parametrize("judge", ["offline", "nli:/models/small"])
    def test_a_judge_that_makes_no_calls_had_none_under_way(self, shown, judge):
        run = make_run([make_result(0, None, Status.NOT_RUN)], state="interrupted", judge=judge)
        assert "no model was called; cost $0" in shown(print_run, run)

    @pytest.mark.parametrize(
        ("usage", "text"),
        [
            (Usage(), "no model was called; cost $0"),
            (Usage(calls=2, cost=None), "2 calls, 0 + 0 tokens, price unknown"),
            (Usage(calls=1, prompt_tokens=None, cost=0.5), "1 call, tokens unknown, cost $0.5000"),
            (Usage(cached=3), "0 calls, 3 from the cache, 0 + 0 tokens, cost $0.0000"),
        ],
    )
    def test_what_is_unknown_is_said_to_be(self, usage, text):
        assert usage_text(usage) == text


class TestHostileText:
    """Whatever a judge or a dataset says, it steers neither the terminal nor the markup."""

    def test_a_reason_of_a_megabyte_is_cut(self, shown):
        run = make_run([make_result(0, 0.1, verdicts=[make_verdict(0, reason="x" * 1_000_000)])])
        assert len(shown(print_run, run)) < 3000


class TestCase:
    def test_a_case_shows_everything_about_its_statements(self, shown):
        verdicts = [
            make_verdict(
                0,
                Verdict.SUPPORTED,
                reason="said",
                evidence=(Evidence("thirty days", 0, 0, 11, 1.0), Evidence("made up")),
            ),
        ]
        result = make_result(
            0, 1.0, verdicts=verdicts, question="How long?", answer="Thirty.", contexts=["thirty days"]
        )
        text = shown(print_case, result)
        for part in (
            "question: How long?",
            "context 0: thirty days",
            "s1 supported: statement 0",
            '"thirty days" (context 0)',
            '"made up" (found in no context)',
        ):
            assert part in text
