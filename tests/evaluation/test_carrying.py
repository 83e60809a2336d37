"""A run that goes on: each call that was ever paid for is in its report once. Counted where it costs, at the server."""

import pytest

from magistrate.case import Case
from magistrate.completion.budget import Budget
from magistrate.completion.retry import RetryPolicy
from magistrate.evaluation.api import evaluate
from magistrate.evaluation.runs.derived import not_read, reparsed
from magistrate.evaluation.runs.run import load_run
from magistrate.judges.llm import LLMJudge
from magistrate.metrics import make_metrics
from magistrate.testing import Fault

SOON = RetryPolicy(attempts=2, base=0.0)
GONE = Fault(status=500, message="The server had an error")


def cases(count, *, where="the harbour"):
    return [
        Case(
            id=f"c{n}",
            answer=f"Crane {n} stands at {where}. It is painted red.",
            contexts=(f"Crane {n} stands at {where}.", "All cranes are painted red."),
        )
        for n in range(count)
    ]


@pytest.fixture
def judged(server, tmp_path):
    """Judges cases in a run's folder, going on with what is there."""

    def run(some, *, cache, names=("faithfulness",), budget=None, **options):
        place = {"api_base": server.openai_url, "cache": tmp_path / "cache" if cache else None}
        judge = LLMJudge("gpt-4o", api_key="none", retry=SOON, budget=budget, **place)
        with_options = {"run": tmp_path / "run", "resume": True, "concurrency": 2, **options}
        evaluate(some, metrics=make_metrics(list(names)), judge=judge, **with_options)
        judge.close_sync()
        return load_run(tmp_path / "run")

    return run


def only_verifying(call):
    return GONE if call.task.kind == "verify" else None


def paid(run):
    """Calls in the report: summed by metric, by model and over the results, which must be the same."""
    summary = run.summary
    by_metric = sum(figures.usage.calls for figures in summary.metrics.values())
    assert by_metric == summary.usage.calls
    return by_metric


@pytest.mark.parametrize("cache", [True, False])
class TestEveryPaidCallOnce:
    def test_calls_that_failed_stay_in_the_report_when_their_case_is_judged_again(self, server, judged, cache):
        server.faults = only_verifying
        first = judged(cases(3), cache=cache)
        assert {result.status.value for result in first} == {"judge_error"}
        assert paid(first) == server.stats.calls == 3 * (1 + SOON.attempts)
        for faults in (only_verifying, None):  # it fails again, and then succeeds
            server.faults = faults
            run = judged(cases(3), cache=cache)
            assert paid(run) == server.stats.calls
        assert {result.status.value for result in run} == {"scored"}
        assert run.summary.usage.cached == 0

    def test_several_metrics_that_share_calls(self, server, judged, cache):
        names = ("faithfulness", "groundedness", "answer_relevance")
        server.faults = lambda call: GONE if call.number % 3 == 0 else None
        judged(cases(3), cache=cache, names=names)
        server.faults = None
        run = judged(cases(3), cache=cache, names=names)
        assert paid(run) == server.stats.calls

    def test_calls_about_a_case_that_was_changed_since(self, server, judged, cache):
        judged(cases(2), cache=cache)
        for where in ("the quay", "the dry dock"):
            run = judged(cases(2, where=where), cache=cache)
            assert paid(run) == server.stats.calls
        assert server.stats.calls == 3 * 4

    def test_cases_that_ask_the_same(self, server, judged, cache):
        server.faults = only_verifying
        assert paid(judged(cases(1) * 4, cache=cache)) == server.stats.calls
        server.faults = None
        run = judged(cases(1) * 4, cache=cache)
        assert paid(run) == server.stats.calls


class TestWhatIsKept:
    @pytest.mark.parametrize("stored", [True, False])
    def test_earlier_calls_have_no_texts_and_without_store_no_message_either(self, server, judged, stored):
        for faults in (only_verifying, None):
            server.faults = faults
            [result] = judged(cases(1), cache=False, store_text=stored)
        extracted, failed = result.only().earlier
        assert (extracted.completion.text, failed.completion) == (None, None)
        assert (failed.error == "JudgeServerError") is not stored
        assert result.usage.calls == server.stats.calls

    def test_a_case_that_the_budget_ended_is_not_told_as_unread(self, judged):
        run = judged(cases(2), cache=False, budget=Budget(max_calls=1), concurrency=1)
        [first, second] = run
        assert [call.purpose for call in first.only().calls] == ["extract"]
        again = reparsed(run)
        assert list(again) == [first, second]
        assert not not_read(again)


CASE = Case(
    id="pier",
    question="How long is the pier?",
    answer="The pier is 300 metres long. It is lit at night.",
    contexts=("The pier is 300 metres long.", "Lamps stand along the pier; it is lit at night."),
    reference="The pier is 300 metres long.",
    citations=(
        {"statement": "The pier is 300 metres long.", "context": 0},
        {"statement": "It is lit at night.", "context": 1},
    ),
)
SHARING = """
    faithfulness groundedness hallucination_rate contradiction_rate hallucination grounding_precision
""".split()


def run(server, names):
    judge = LLMJudge("gpt-4o", api_base=server.openai_url, params={"api_key": "none"})
    result = evaluate([CASE], metrics=make_metrics(names), judge=judge)
    assert all(metric.calls or metric.status != "judge_error" for metric in result.results[0].metrics.values())
    return result


class TestCallsAtTheServer:
    def test_metrics_of_the_same_verdicts_cost_what_one_of_them_does(self, server):
        run(server, ["faithfulness"])
        alone = server.stats.calls
        server.reset()
        run(server, SHARING)
        assert server.stats.calls == alone == 2

    def test_no_request_is_made_twice_by_any_metric_of_vera(self, server):
        metrics = run(server, ["vera"]).results[0].metrics.values()
        seen = [call.key for metric in metrics for call in metric.calls if not call.shared]
        # Extract and verify once, the reference's two calls once, one call a cited passage, one grade a passage, one
        # for the answer.
        assert len(seen) == len(set(seen)) == server.stats.calls == 2 + 2 + 2 + 2 + 1
