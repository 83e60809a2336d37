"""Several metrics over one case share statements and verdicts: counted where it costs, at the server."""

from magistrate.case import Case
from magistrate.evaluation.api import evaluate
from magistrate.judges.llm import LLMJudge
from magistrate.metrics import GROUPS, make_metrics

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
SHARING = [
    "faithfulness",
    "groundedness",
    "hallucination_rate",
    "contradiction_rate",
    "hallucination",
    "grounding_precision",
]


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
        seen = []
        alone = {}
        for name in GROUPS["vera"]:
            server.reset()
            run(server, [name])
            alone[name] = server.stats.calls
        server.reset()
        together = run(server, ["vera"])
        calls = server.stats.calls
        for metric in together.results[0].metrics.values():
            seen += [call.key for call in metric.calls if not call.shared]
        assert len(seen) == len(set(seen)) == calls
        # Extract and verify once, the reference's two calls once, one call a cited passage, one grade a passage, one
        # for the answer.
        assert calls == 2 + 2 + 2 + 2 + 1
        assert calls < sum(alone.values())

    def test_the_sum_over_the_metrics_is_what_was_paid(self, server):
        result = run(server, SHARING)
        assert result.summary.usage.calls == server.stats.calls
        assert sum(result.summary.models.values()) == server.stats.calls

    def test_a_result_without_its_own_calls_can_be_read_again(self, server):
        from magistrate.evaluation.runs.derived import reparsed

        before = run(server, ["faithfulness", "groundedness"])
        after = reparsed(before)
        for name in ("faithfulness", "groundedness"):
            assert after.results[0].metrics[name].verdicts == before.results[0].metrics[name].verdicts
